/* SPDX-License-Identifier: MIT */
/* A lock between POSIX threads. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/system.h>

#include <pthread.h>

struct mcpw_lock {
    pthread_mutex_t mutex;
};

mcpw_lock *mcpw_lock_new(const mcpw_allocator *allocator) {
    mcpw_lock *const lock = mcpw_resize(allocator, NULL, 0, sizeof *lock);
    if (lock != NULL && pthread_mutex_init(&lock->mutex, NULL) != 0) {
        (void)mcpw_resize(allocator, lock, sizeof *lock, 0);
        return NULL;
    }
    return lock;
}

void mcpw_lock_free(mcpw_lock *lock, const mcpw_allocator *allocator) {
    if (lock != NULL) {
        (void)pthread_mutex_destroy(&lock->mutex);
        (void)mcpw_resize(allocator, lock, sizeof *lock, 0);
    }
}

void mcpw_lock_take(mcpw_lock *lock) { (void)pthread_mutex_lock(&lock->mutex); }

void mcpw_lock_give(mcpw_lock *lock) { (void)pthread_mutex_unlock(&lock->mutex); }
