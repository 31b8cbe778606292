/* SPDX-License-Identifier: MIT */
/* The signals that end a program that serves, as several threads see them. */
#define _POSIX_C_SOURCE 200809L
#include "../../runtime/transport/os.h"
#include "thread_stage.h"

#include <signal.h>

typedef struct watch {
    mcpw_os_signals *signals;
    atomic_bool is_inside;
    atomic_bool may_leave;
    pthread_t signalled;
    pthread_t ending;
} watch;

static void own(int number) { (void)number; }

static bool is_own(void) {
    struct sigaction now;
    memset(&now, 0, sizeof now);
    CHECK(sigaction(SIGTERM, NULL, &now) == 0);
    return now.sa_handler == own;
}

/* Stays in the handler of the signal until it may leave. */
static void stop(void *self) {
    watch *const w = self;
    atomic_store(&w->is_inside, true);
    while (!atomic_load(&w->may_leave)) {
        (void)poll(NULL, 0, 1);
    }
}

static void *signal_itself(void *user) {
    (void)user;
    CHECK(pthread_kill(pthread_self(), SIGTERM) == 0);
    return NULL;
}

static void *end_signals(void *user) {
    mcpw_os_signals_end(((watch *)user)->signals);
    return NULL;
}

/* A handler that still runs may set the default disposition, so the program's own one is set after it. */
static void the_own_handler_comes_back_when_no_other_one_runs(void) {
    enum { LONG_ENOUGH = 50 /* ms for a thread to begin */ };
    watch w;
    struct sigaction action;
    struct sigaction before;
    memset(&w, 0, sizeof w);
    memset(&action, 0, sizeof action);
    action.sa_handler = own;
    CHECK(sigaction(SIGTERM, &action, &before) == 0);
    w.signals = mcpw_os_signals_begin(stop, &w);
    CHECK(w.signals != NULL && !is_own());
    stage_start(&w.signalled, signal_itself, &w);
    while (!atomic_load(&w.is_inside)) {
        (void)poll(NULL, 0, 1);
    }
    stage_start(&w.ending, end_signals, &w);
    (void)poll(NULL, 0, LONG_ENOUGH);
    CHECK(!is_own());
    atomic_store(&w.may_leave, true);
    CHECK(pthread_join(w.signalled, NULL) == 0 && pthread_join(w.ending, NULL) == 0);
    CHECK(is_own());
    CHECK(sigaction(SIGTERM, &before, NULL) == 0);
}

int main(void) {
    RUN(the_own_handler_comes_back_when_no_other_one_runs);
    return check_end();
}
