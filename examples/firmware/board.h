/* SPDX-License-Identifier: MIT */
/* The firmware's interface to its board: a serial line, and the stack to look at. */
#ifndef FIRMWARE_BOARD_H
#define FIRMWARE_BOARD_H

#include <stddef.h>

/* Waits for a byte from the serial line. */
char board_read(void);

/* Writes bytes to the serial line. */
void board_write(const char *bytes, size_t len);

/* The most bytes of stack that were used since the board started. */
size_t board_stack_used(void);

/* The firmware. It does not return. */
void firmware_run(void);

#endif
