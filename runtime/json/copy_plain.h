/* SPDX-License-Identifier: MIT */
/* Copying the plain part of a string. */
#ifndef MCPW_COPY_PLAIN_H
#define MCPW_COPY_PLAIN_H

#include "lane_runs.h"
#include "runs.h"

enum { MCPW_LONG_TEXT = 512 }; /* bytes from which on it pays to ask for the best way */

/* Copies text up to the first special byte; returns how many come before it. */
MCPW_INLINE size_t mcpw_copy_plain(unsigned char *to, const unsigned char *from, size_t n) {
    return MCPW_LIKELY(n < MCPW_LONG_TEXT) ? mcpw_lane_copy(to, from, n)
                                           : mcpw_runs_here()->copy(to, from, n);
}

#endif
