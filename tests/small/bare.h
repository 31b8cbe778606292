/* SPDX-License-Identifier: MIT */
/* A device without an operating system (bare_start.c), and the program that it runs. */
#ifndef MCPW_TEST_BARE_H
#define MCPW_TEST_BARE_H

/* The action of the device: the status that it ends with. Each program has one. */
int read_messages(void);

void say(const char *text);

#endif
