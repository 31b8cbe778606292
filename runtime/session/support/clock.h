/* SPDX-License-Identifier: MIT */
/* The time of day. */
#ifndef MCPW_CLOCK_H
#define MCPW_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970; 0 where they are unknown. */
uint64_t mcpw_wall_clock(void);

#endif
