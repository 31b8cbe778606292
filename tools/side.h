/* SPDX-License-Identifier: MIT */
/* The two ends of a conversation. */
#ifndef MCPWIRE_SIDE_H
#define MCPWIRE_SIDE_H

typedef enum side { CLIENT = 0, SERVER = 1, SIDES = 2 } side;

#endif
