/* SPDX-License-Identifier: MIT */
/* A system without SI_KERNEL: the sender of a signal tells whether a terminal has sent it. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include "tap_signal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CTRL_C = 3, FROM_TERMINAL = 10, FROM_PROCESS = 11, LOST = 12, PATIENCE = 10 /* s */ };

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    _exit(tap_sent_by_terminal(info) ? FROM_TERMINAL : FROM_PROCESS);
}

/* A process in a session of its own waits for SIGINT, with a terminal or without one. A child of it sends the
 * signal, if wanted. */
static void wait_for_signal(const char *terminal, bool has_sender, int ready) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    (void)alarm(PATIENCE);
    (void)setsid();
    if (terminal != NULL && ioctl(open(terminal, O_RDWR), TIOCSCTTY, 0) != 0) {
        _exit(LOST);
    }
    (void)sigaction(SIGINT, &action, NULL);
    if (write(ready, "r", 1) != 1 || (has_sender && fork() == 0)) {
        (void)kill(getppid(), SIGINT);
        _exit(LOST);
    }
    for (;;) {
        (void)pause();
    }
}

/* Sends a signal by the terminal, by a process of the same session (neither), or of another. Returns what the
 * receiver takes for its origin. */
static int origin(bool has_terminal, bool types, bool kills) {
    int ready[2];
    int status = 0;
    char byte = 0;
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (ours < 0 || grantpt(ours) != 0 || unlockpt(ours) != 0 || pipe(ready) != 0) {
        return LOST;
    }
    const pid_t child = fork();
    if (child == 0) {
        wait_for_signal(has_terminal ? ptsname(ours) : NULL, !types && !kills, ready[1]);
    }
    const char key = CTRL_C;
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK(!types || write(ours, &key, 1) == 1);
    CHECK(!kills || kill(child, SIGINT) == 0);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    (void)close(ours);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return WEXITSTATUS(status);
}

static void ctrl_c_is_of_the_terminal(void) { CHECK(origin(true, true, false) == FROM_TERMINAL); }

static void a_process_of_the_session_is_no_terminal(void) {
    CHECK(origin(true, false, false) == FROM_PROCESS);
}

static void without_a_terminal_no_signal_is_of_one(void) {
    CHECK(origin(false, false, true) == FROM_PROCESS);
}

int main(void) {
    RUN(ctrl_c_is_of_the_terminal);
    RUN(a_process_of_the_session_is_no_terminal);
    RUN(without_a_terminal_no_signal_is_of_one);
    return check_end();
}
