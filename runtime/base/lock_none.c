/* SPDX-License-Identifier: MIT */
/* The lock of a system without threads, which the library knows: there are no other threads. */
#include <mcpw/system.h>

struct mcpw_lock {
    char unused;
};

mcpw_lock *mcpw_lock_new(const mcpw_allocator *allocator) {
    return mcpw_resize(allocator, NULL, 0, sizeof(mcpw_lock));
}

void mcpw_lock_free(mcpw_lock *lock, const mcpw_allocator *allocator) {
    if (lock != NULL) {
        (void)mcpw_resize(allocator, lock, sizeof *lock, 0);
    }
}

void mcpw_lock_take(mcpw_lock *lock) { (void)lock; }

void mcpw_lock_give(mcpw_lock *lock) { (void)lock; }
