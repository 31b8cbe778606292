/* SPDX-License-Identifier: MIT */
/* Memory of malloc where no allocator is given. */
#include "arena_internal.h"

#if !defined(MCPW_NO_MALLOC)
#include <stdlib.h>

void *mcpw_resize(const mcpw_allocator *allocator, void *ptr, size_t old_size, size_t new_size) {
    if (allocator->resize != NULL) {
        return allocator->resize(allocator->user, ptr, old_size, new_size);
    }
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

#endif
