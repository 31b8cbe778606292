/* SPDX-License-Identifier: MIT */
/* The origin of a signal: tap_signal_kernel.c, or tap_signal_sender.c where the system does not tell it. */
#ifndef MCPWIRE_TAP_SIGNAL_H
#define MCPWIRE_TAP_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/* True if a terminal has sent the signal, and so to all processes in its foreground. Signal handlers may call
 * this. It may change errno. */
bool tap_sent_by_terminal(const siginfo_t *info);

#endif
