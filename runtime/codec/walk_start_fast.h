/* SPDX-License-Identifier: MIT */
/* How a walk begins. Part of walk.h. */
#ifndef MCPW_WALK_START_FAST_H
#define MCPW_WALK_START_FAST_H

#define mcpw_walk_start mcpw_walk_open_inline

enum { MCPW_ZERO_STEP = 64 };

MCPW_INLINE void mcpw_zero(unsigned char *to, size_t n) {
    size_t i = 0;
    do {
        memset(to + i, 0, MCPW_ZERO_STEP);
        i += MCPW_ZERO_STEP;
    } while (MCPW_UNLIKELY(i < n));
}

#endif
