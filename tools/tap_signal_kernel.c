/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "tap_signal.h"

bool tap_sent_by_terminal(const siginfo_t *info) { return info->si_code == SI_KERNEL; }
