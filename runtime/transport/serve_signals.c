/* SPDX-License-Identifier: MIT */
/* SIGINT and SIGTERM end a server in order. */
#define _POSIX_C_SOURCE 200809L
#include "serve_command.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

/* A signal disposition belongs to the process, and a handler receives only a number. So the owner of the
 * signals is global as well. */
static _Atomic(mcpw_serve_signals *) taker; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static atomic_int inside;                   // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

static const int numbers[MCPW_SERVE_SIGNALS] = {SIGINT, SIGTERM};

/* The first signal calls stop. A second one has its default effect and ends the process at once. */
static void on_signal(int number) {
    const int before = errno;
    struct sigaction plain;
    (void)number;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    (void)atomic_fetch_add(&inside, 1);
    mcpw_serve_signals *const signals = atomic_load(&taker);
    if (signals != NULL) {
        for (int i = 0; i < MCPW_SERVE_SIGNALS; i++) {
            if (signals->is_taken[i]) {
                (void)sigaction(numbers[i], &plain, NULL);
            }
        }
        signals->stop(signals->self);
    }
    (void)atomic_fetch_sub(&inside, 1);
    errno = before;
}

void mcpw_serve_signals_begin(mcpw_serve_signals *signals) {
    mcpw_serve_signals *nobody = NULL;
    struct sigaction action;
    memset(signals->is_taken, 0, sizeof signals->is_taken);
    if (!atomic_compare_exchange_strong(&taker, &nobody, signals)) {
        return;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < MCPW_SERVE_SIGNALS; i++) {
        (void)sigaddset(&action.sa_mask, numbers[i]);
    }
    for (int i = 0; i < MCPW_SERVE_SIGNALS; i++) {
        if (sigaction(numbers[i], NULL, &signals->before[i]) == 0 &&
            signals->before[i].sa_handler != SIG_IGN) { /* nohup and shells ignore it */
            signals->is_taken[i] = true;
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
}

void mcpw_serve_signals_end(mcpw_serve_signals *signals) {
    mcpw_serve_signals *own = signals;
    if (!atomic_compare_exchange_strong(&taker, &own, NULL)) {
        return; /* another part of the process has them */
    }
    for (int i = 0; i < MCPW_SERVE_SIGNALS; i++) {
        if (signals->is_taken[i]) {
            (void)sigaction(numbers[i], &signals->before[i], NULL);
        }
    }
    while (atomic_load(&inside) != 0) { /* a handler runs on another thread, and ends soon */
        (void)sched_yield();
    }
}
