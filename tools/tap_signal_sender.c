/* SPDX-License-Identifier: MIT */
/* On macOS si_code is 0 for all of these signals. The sender of a terminal's signal is the program that shows
 * the terminal, which has another session than the programs in it. */
#define _XOPEN_SOURCE 700

#include "tap_signal.h"

#include <fcntl.h>
#include <unistd.h>

static bool is_in_foreground(void) {
    const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    const bool is = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
    if (terminal >= 0) {
        (void)close(terminal);
    }
    return is;
}

bool tap_sent_by_terminal(const siginfo_t *info) {
    return (info->si_pid == 0 || getsid(info->si_pid) != getsid(0)) && is_in_foreground();
}
