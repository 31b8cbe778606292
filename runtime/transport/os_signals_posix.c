/* SPDX-License-Identifier: MIT */
/* SIGINT and SIGTERM. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_END, WRITE_END };
enum { SIGNALS = 2 };

static const int numbers[SIGNALS] = {SIGINT, SIGTERM};

struct mcpw_os_signals {
    void (*stop)(void *self);
    void *self;
    struct sigaction before[SIGNALS];
    bool is_taken[SIGNALS];
    int pipe[2];
};

/* A signal disposition belongs to the process, and a handler receives only a number. So the owner of the
 * signals is global as well. */
static _Atomic(mcpw_os_signals *) taker; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static atomic_int inside;                // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/* A second signal has its default effect and ends the process at once. */
static void on_signal(int number) {
    const int before = errno;
    struct sigaction plain;
    (void)number;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    (void)atomic_fetch_add(&inside, 1);
    mcpw_os_signals *const signals = atomic_load(&taker);
    if (signals != NULL) {
        for (int i = 0; i < SIGNALS; i++) {
            if (signals->is_taken[i]) {
                (void)sigaction(numbers[i], &plain, NULL);
            }
        }
        const ssize_t wrote = write(signals->pipe[WRITE_END], "", 1);
        (void)wrote; /* it fails if the pipe is full, and then the handle is ready already */
        if (signals->stop != NULL) {
            signals->stop(signals->self);
        }
    }
    (void)atomic_fetch_sub(&inside, 1);
    errno = before;
}

static void end(mcpw_os_signals *signals) {
    (void)close(signals->pipe[READ_END]);
    (void)close(signals->pipe[WRITE_END]);
    free(signals);
}

static mcpw_os_signals *make(void (*stop)(void *self), void *self) {
    mcpw_os_signals *const signals = calloc(1, sizeof *signals);
    if (signals == NULL || pipe(signals->pipe) != 0) {
        free(signals);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(signals->pipe[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(signals->pipe[i], F_SETFL, O_NONBLOCK);
    }
    signals->stop = stop;
    signals->self = self;
    return signals;
}

mcpw_os_signals *mcpw_os_signals_begin(void (*stop)(void *self), void *self) {
    mcpw_os_signals *const signals = make(stop, self);
    mcpw_os_signals *nobody = NULL;
    struct sigaction action;
    if (signals == NULL || !atomic_compare_exchange_strong(&taker, &nobody, signals)) {
        if (signals != NULL) {
            end(signals);
        }
        return NULL;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        (void)sigaddset(&action.sa_mask, numbers[i]);
    }
    for (int i = 0; i < SIGNALS; i++) {
        if (sigaction(numbers[i], NULL, &signals->before[i]) == 0 &&
            signals->before[i].sa_handler != SIG_IGN) { /* nohup and shells ignore it */
            signals->is_taken[i] = true;
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    return signals;
}

mcpw_handle mcpw_os_signals_handle(const mcpw_os_signals *signals) { return signals->pipe[READ_END]; }

void mcpw_os_signals_end(mcpw_os_signals *signals) {
    if (signals == NULL) {
        return;
    }
    atomic_store(&taker, NULL);
    /* A handler that runs on another thread ends soon. Until then it may set dispositions. */
    while (atomic_load(&inside) != 0) {
        (void)sched_yield();
    }
    for (int i = 0; i < SIGNALS; i++) {
        if (signals->is_taken[i]) {
            (void)sigaction(numbers[i], &signals->before[i], NULL);
        }
    }
    end(signals);
}
