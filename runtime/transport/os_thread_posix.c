/* SPDX-License-Identifier: MIT */
/* POSIX threads. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <signal.h>

bool mcpw_os_mutex_begin(mcpw_os_mutex *mutex) { return pthread_mutex_init(mutex, NULL) == 0; }

void mcpw_os_mutex_end(mcpw_os_mutex *mutex) { (void)pthread_mutex_destroy(mutex); }

void mcpw_os_lock(mcpw_os_mutex *mutex) { (void)pthread_mutex_lock(mutex); }

void mcpw_os_unlock(mcpw_os_mutex *mutex) { (void)pthread_mutex_unlock(mutex); }

bool mcpw_os_condition_begin(mcpw_os_condition *condition) { return pthread_cond_init(condition, NULL) == 0; }

void mcpw_os_condition_end(mcpw_os_condition *condition) { (void)pthread_cond_destroy(condition); }

void mcpw_os_condition_wait(mcpw_os_condition *condition, mcpw_os_mutex *mutex) {
    (void)pthread_cond_wait(condition, mutex);
}

void mcpw_os_condition_wake_one(mcpw_os_condition *condition) { (void)pthread_cond_signal(condition); }

void mcpw_os_condition_wake_all(mcpw_os_condition *condition) { (void)pthread_cond_broadcast(condition); }

static void *run_thread(void *argument) {
    const mcpw_os_thread *const thread = argument;
    thread->run(thread->user);
    return NULL;
}

int mcpw_os_thread_start(mcpw_os_thread *thread, void (*run)(void *user), void *user) {
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;
    size_t stack = 0;
    int failed = pthread_attr_init(&attributes);
    if (failed != 0) {
        return failed;
    }
    /* musl gives 128 KiB */
    if (pthread_attr_getstacksize(&attributes, &stack) != 0 || stack < MCPW_OS_LEAST_STACK) {
        (void)pthread_attr_setstacksize(&attributes, MCPW_OS_LEAST_STACK);
    }
    thread->run = run;
    thread->user = user;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&thread->handle, &attributes, run_thread, thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return failed;
}

void mcpw_os_thread_join(mcpw_os_thread *thread) { (void)pthread_join(thread->handle, NULL); }
