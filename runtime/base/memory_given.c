/* SPDX-License-Identifier: MIT */
/* No memory where no allocator is given: MCPW_E_MEMORY to the caller. */
#include "arena_internal.h"

#if defined(MCPW_NO_MALLOC)
void *mcpw_resize(const mcpw_allocator *allocator, void *ptr, size_t old_size, size_t new_size) {
    return allocator->resize != NULL ? allocator->resize(allocator->user, ptr, old_size, new_size) : NULL;
}

#endif
