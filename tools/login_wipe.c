/* SPDX-License-Identifier: MIT */
#include "login_wipe.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

void login_wipe(void *bytes, size_t size) { sodium_memzero(bytes, size); }

static void *resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    void *const grown = new_size != 0 ? malloc(new_size) : NULL;
    (void)user;
    if (ptr != NULL && (grown != NULL || new_size == 0)) {
        if (grown != NULL) {
            memcpy(grown, ptr, old_size < new_size ? old_size : new_size);
        }
        login_wipe(ptr, old_size);
        free(ptr);
    }
    return grown;
}

mcpw_allocator login_wiping(void) { return (mcpw_allocator){resize, NULL}; }
