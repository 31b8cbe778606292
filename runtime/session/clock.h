/* SPDX-License-Identifier: MIT */
/* The time of day. */
#ifndef MCPW_CLOCK_H
#define MCPW_CLOCK_H

#include <stdint.h>

/* ms since 1970; 0: unknown */
uint64_t mcpw_wall_clock(void);

#endif
