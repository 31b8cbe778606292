/* SPDX-License-Identifier: MIT */
/* The firmware's interface to its board: a serial line, another one for the log, a clock, and the stack to
 * look at. */
#ifndef FIRMWARE_BOARD_H
#define FIRMWARE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands where bytes were lost. No text in UTF-8 has this byte. */
#define BOARD_LOST ((char)0xff)

/* Takes bytes that have come by the serial line, at most so many. If there are none, it sleeps for at most 10
 * ms, and may return 0. */
size_t board_receive(char *bytes, size_t capacity);

/* Waits for a byte from the serial line. */
char board_read(void);

/* Writes bytes to the serial line. */
void board_write(const char *bytes, size_t len);

/* Writes a line to the log. */
void board_log(const char *text);

/* ms since the board started. */
uint64_t board_now(void);

/* The most bytes of stack that were used since the board started. */
size_t board_stack_used(void);

/* The firmware. It does not return. */
void firmware_run(void);

#endif
