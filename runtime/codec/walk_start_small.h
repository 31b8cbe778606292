/* SPDX-License-Identifier: MIT */
/* How a walk begins where size counts. Part of walk.h. */
#ifndef MCPW_WALK_START_SMALL_H
#define MCPW_WALK_START_SMALL_H

#define mcpw_walk_start mcpw_walk_open

enum { MCPW_ZERO_STEP = 0 };
#define mcpw_zero(to, n) ((void)memset((to), 0, (n)))

#endif
