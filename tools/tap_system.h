/* SPDX-License-Identifier: MIT */
/* The needs of mcpwire tap that each system meets in its own way: tap_system_posix.c or tap_system_win.c. */
#ifndef MCPWIRE_TAP_SYSTEM_H
#define MCPWIRE_TAP_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TAP_STANDARD_INPUT, TAP_STANDARD_OUTPUT, TAP_STANDARD_ERROR };

/* Opens missing standard descriptors, so that later ones do not take their places. */
void tap_fill_standard(void);
/* Whether the relay writes the server's standard error itself, because a terminal shows it, which must get no
 * control characters. */
bool tap_guards_error(void);
uint64_t tap_process_id(void);
void tap_sleep(unsigned ms);
/* The reason why the last call of a socket failed. */
void tap_explain_socket(char *text, size_t size);
/* Fills bytes that nobody can predict. */
bool tap_random(void *bytes, size_t len);
/* Writes or reads at a place of a file, which other threads may do as well. The number of bytes; -1: it
 * failed. */
ptrdiff_t tap_write_at(FILE *file, const void *bytes, size_t len, uint64_t at);
ptrdiff_t tap_read_at(FILE *file, void *to, size_t room, uint64_t at);

/* ---- Threads ------------------------------------------------------------------------------------------- */

/* A lock, and news of what it protects. */
typedef struct tap_lock tap_lock;

/* NULL: there is no memory. */
tap_lock *tap_lock_new(void);
void tap_lock_free(tap_lock *lock);
void tap_lock_take(tap_lock *lock);
void tap_lock_give(tap_lock *lock);
/* Wakes all that wait for news. */
void tap_lock_tell(tap_lock *lock);
/* Waits for news, at most so many ms, without the lock meanwhile. It may return without a reason. False: the
 * time is over. */
bool tap_lock_wait(tap_lock *lock, unsigned ms);

/* Calls run, whose threads get no signals: these are for the caller's. */
void tap_start_threads(void (*run)(void *user), void *user);

/* ---- The end ------------------------------------------------------------------------------------------- */

/* Keeps SIGINT, SIGTERM and SIGHUP, or the events of a console, from this thread and those that it starts. */
void tap_keep_end(void);
/* Waits so many ms, less on systems that can. True: one of them has come. */
bool tap_has_end_come(unsigned ms);

#endif
