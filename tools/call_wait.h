/* SPDX-License-Identifier: MIT */
/* The waits of a link and the signals that end them: call_wait_posix.c or call_wait_win.c. */
#ifndef MCPWIRE_CALL_WAIT_H
#define MCPWIRE_CALL_WAIT_H

#include "call_link.h"

/* Begins to handle the signals that end the work. The first wakes l->wake; a second one ends this process,
 * and the server that wait_guard names. False: the system lacks something. */
bool wait_begin(server_link *l);
/* The number of the signal that arrived; 0: none. */
int wait_signal(void);
/* Names the server that a second signal ends; 0: none. */
void wait_guard(int64_t pid);

/* Prepares the server's start, and the ends of its pipes afterwards. */
void wait_prepare(mcpw_spawn *spawn);
void wait_started(const mcpw_child *child);
/* True if the server has ended; it is not reaped. */
bool wait_has_ended(const mcpw_child *child);
void wait_sleep(unsigned ms);
/* Explains an exit status: the words before its number. */
const char *wait_explain(int status, int *number);

/* Waits until the session, the server's standard error or a signal needs attention, at most timeout ms, and
 * reads standard error. False: *why has the reason. */
bool wait_for_link(server_link *l, int timeout, const char **why);
/* Waits until output can be written, at most timeout ms. */
bool wait_for_output(server_link *l, int timeout);
/* Waits until fd is readable, at most timeout ms. False: it is not, or a signal arrived. */
bool wait_for_input(const server_link *l, int fd, int timeout);

#endif
