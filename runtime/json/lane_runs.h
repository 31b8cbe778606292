/* SPDX-License-Identifier: MIT */
/* The answers of runs.h by lanes: those of lane.h, or of the file that was included before this. */
#ifndef MCPW_LANE_RUNS_H
#define MCPW_LANE_RUNS_H

#include "characters.h"

#if !defined(MCPW_LANE_TARGET) /* the processors that the functions are for */
#include "lane.h"
#define MCPW_LANE_TARGET
#endif

enum { MCPW_LANES = 4, MCPW_FOUR_LANES = MCPW_LANES * MCPW_LANE };

/* The first special byte in p..end, or the end. */
MCPW_LANE_TARGET MCPW_INLINE const unsigned char *mcpw_lane_scan(const unsigned char *p,
                                                                 const unsigned char *end) {
    for (; end - p >= MCPW_LANE; p += MCPW_LANE) {
        const mcpw_special m = mcpw_special_bytes(p);
        if (m != 0) {
            return p + mcpw_special_first(m);
        }
    }
    while (p < end && !mcpw_is_special(*p)) {
        p++;
    }
    return p;
}

/* Copies four lanes; whether a special byte is among them. */
MCPW_LANE_TARGET MCPW_INLINE bool mcpw_lane_copy_four(unsigned char *to, const unsigned char *from) {
    const mcpw_special a = mcpw_special_copy(to, from) | mcpw_special_copy(to + MCPW_LANE, from + MCPW_LANE);
    to += MCPW_FOUR_LANES / 2;
    from += MCPW_FOUR_LANES / 2;
    const mcpw_special b = mcpw_special_copy(to, from) | mcpw_special_copy(to + MCPW_LANE, from + MCPW_LANE);
    return (a | b) != 0;
}

/* Fewer bytes than a lane. */
MCPW_LANE_TARGET MCPW_INLINE size_t mcpw_lane_copy_few(unsigned char *to, const unsigned char *from,
                                                       size_t n) {
    size_t i = 0;
    for (; i < n && !mcpw_is_special(from[i]); i++) {
        to[i] = from[i];
    }
    return i;
}

/* Copies n bytes up to the first that is special; returns how many come before it. */
MCPW_LANE_TARGET MCPW_INLINE size_t mcpw_lane_copy(unsigned char *to, const unsigned char *from, size_t n) {
    size_t i = 0;
    if (n < MCPW_LANE) {
        return mcpw_lane_copy_few(to, from, n);
    }
    while (n - i >= MCPW_FOUR_LANES && !mcpw_lane_copy_four(to + i, from + i)) {
        i += MCPW_FOUR_LANES;
    }
    while (i < n) {
        i = n - i >= MCPW_LANE ? i : n - MCPW_LANE; /* the last lane overlaps the one before it */
        const mcpw_special m = mcpw_special_copy(to + i, from + i);
        if (m != 0) {
            return i + mcpw_special_first(m);
        }
        i += MCPW_LANE;
    }
    return n;
}

#endif
