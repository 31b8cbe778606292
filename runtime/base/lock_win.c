/* SPDX-License-Identifier: MIT */
/* A lock between threads of Windows. */
#include <mcpw/system.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

struct mcpw_lock {
    SRWLOCK lock;
};

mcpw_lock *mcpw_lock_new(const mcpw_allocator *allocator) {
    mcpw_lock *const lock = mcpw_resize(allocator, NULL, 0, sizeof *lock);
    if (lock != NULL) {
        InitializeSRWLock(&lock->lock);
    }
    return lock;
}

void mcpw_lock_free(mcpw_lock *lock, const mcpw_allocator *allocator) {
    if (lock != NULL) {
        (void)mcpw_resize(allocator, lock, sizeof *lock, 0);
    }
}

void mcpw_lock_take(mcpw_lock *lock) { AcquireSRWLockExclusive(&lock->lock); }

void mcpw_lock_give(mcpw_lock *lock) { ReleaseSRWLockExclusive(&lock->lock); }
