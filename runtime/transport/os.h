/* SPDX-License-Identifier: MIT */
/*
 * The port layer: all that the stdio transport needs of the system. os_*_posix.c and os_*_win.c implement it;
 * a build has one of the two. Files above this header include no header of the system.
 *
 * Functions that can fail store the system's error number, which mcpw_os_error_text explains.
 */
#ifndef MCPW_OS_H
#define MCPW_OS_H

#include <mcpw/io.h>
#include <stddef.h>

#ifdef _WIN32
#include "os_types_win.h"
#else
#include "os_types_posix.h"
#endif

enum { MCPW_OS_NONE = -1 /* in place of a handle: there is none */ };

/* ---- os_system_*.c: errors, the clock ------------------------------------------------------------------ */

/* Writes the text of an error number, without a line end. */
void mcpw_os_error_text(int number, char *text, size_t size);
/* The time in ms on a clock that is never set back. */
uint64_t mcpw_os_now(void);
void mcpw_os_sleep(unsigned ms);

/* ---- os_stream_*.c: bytes in and out ------------------------------------------------------------------- */

/* The results of reading and writing that are no number of bytes. */
enum {
    MCPW_OS_AGAIN = -1,       /* nothing is possible before the wait reports it */
    MCPW_OS_INTERRUPTED = -2, /* a signal handler has run */
    MCPW_OS_CLOSED = -3,      /* writing: the peer reads no more */
    MCPW_OS_FAILED = -4       /* *number has the reason */
};

/* A stream without a handle. mcpw_os_stream_end may be called for it. */
void mcpw_os_stream_init(mcpw_os_stream *stream);
/* Opens a stream that reads from a handle, and leaves the handle's mode as it is. */
MCPW_NODISCARD bool mcpw_os_input_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number);
/* Opens a stream that writes to a handle without waiting. A terminal shares its mode with other programs, so
 * its mode is not changed and writing to it may wait. */
MCPW_NODISCARD bool mcpw_os_output_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number);
/* Opens a stream that is only waited for, because something else reads its handle. */
void mcpw_os_signal_begin(mcpw_os_stream *stream, mcpw_handle handle);
/* Gives the handle its earlier mode and forgets it. It stays open. */
void mcpw_os_stream_end(mcpw_os_stream *stream);

/* True if mcpw_os_read never waits. */
bool mcpw_os_reads_at_once(const mcpw_os_stream *stream);
/* Reads up to size bytes. 0: the input has ended. */
ptrdiff_t mcpw_os_read(mcpw_os_stream *stream, char *bytes, size_t size, int *number);
/* Writes up to len bytes, at least one. After MCPW_OS_AGAIN the next call must begin with the same bytes,
 * because some of them may be under way. */
ptrdiff_t mcpw_os_write(mcpw_os_stream *stream, const char *bytes, size_t len, int *number);

/* The bytes in a pipe that this end has written, and the other end has not read; 0 where that is not known.
 */
size_t mcpw_os_unread(mcpw_handle handle);
/* Closes a handle and sets it to MCPW_OS_NONE, which it may be already. */
void mcpw_os_close(mcpw_handle *handle);

/* True if standard error is a terminal that shows colours. */
bool mcpw_os_error_is_terminal(void);
/* Writes to standard error. `error` is kept for the next line: mcpw_os_stream_init begins it, and
 * mcpw_os_stream_end ends it. False: it failed, or would have to wait for the reader. On Windows a thread
 * writes the line, and the caller waits a moment for it. A line that is not written by then counts as
 * written. */
bool mcpw_os_write_error(mcpw_os_stream *error, const char *text, size_t len);
/* Calls run while writing to a closed pipe fails without a signal, in all threads of the process. */
mcpw_status mcpw_os_without_pipe_signal(mcpw_status (*run)(void *user), void *user);

/* ---- os_wait_*.c: several objects at once (os_wait_select.c on macOS) ---------------------------------- */

/* The entry of a stream that is to be read, and of one that is to be written. events 0: only a failure is
 * reported, where the system can tell. */
mcpw_pollfd mcpw_os_wait_input(mcpw_os_stream *stream);
mcpw_pollfd mcpw_os_wait_output(mcpw_os_stream *stream, short events);
/* Waits until an entry is ready, at most timeout ms (-1: no limit), and sets revents of all. Entries without
 * a handle are left out. Returns the number of ready entries, MCPW_OS_INTERRUPTED or MCPW_OS_FAILED. */
int mcpw_os_wait(mcpw_pollfd *entries, size_t count, int timeout, int *number);

/* ---- os_wakeup_*.c --------------------------------------------------------------------------------------
 */

/* A wake-up makes its handle ready until it is cleared. No child inherits it. */
MCPW_NODISCARD bool mcpw_os_wakeup_begin(mcpw_os_wakeup *wakeup, int *number);
void mcpw_os_wakeup_end(mcpw_os_wakeup *wakeup);
mcpw_handle mcpw_os_wakeup_handle(const mcpw_os_wakeup *wakeup);
/* Any thread may call this, and a signal handler. */
void mcpw_os_wakeup_set(const mcpw_os_wakeup *wakeup);
void mcpw_os_wakeup_clear(const mcpw_os_wakeup *wakeup);

/* ---- os_process_*.c: child processes ------------------------------------------------------------------- */

/* This process's ends of the pipes of a child. */
enum { MCPW_OS_CHILD_STDIN, MCPW_OS_CHILD_STDOUT, MCPW_OS_CHILD_STDERR, MCPW_OS_CHILD_PIPES };

/* Starts a process with pipes, which no other child inherits; standard error has one if spawn has on_stderr.
 * False: *number has the reason, and *in_cwd is true if the working directory is at fault. */
MCPW_NODISCARD bool mcpw_os_process_start(mcpw_os_process *process, const mcpw_spawn *spawn,
                                          mcpw_handle ends[MCPW_OS_CHILD_PIPES], int *number, bool *in_cwd);
/* The process id. */
int64_t mcpw_os_process_id(const mcpw_os_process *process);
/* True if the process has ended. It is reaped, and *status is its exit status; -1: other code has reaped it.
 */
bool mcpw_os_process_exited(mcpw_os_process *process, int *status);
/* Asks the process to end. False: the system has no way to ask it. */
bool mcpw_os_process_ask(const mcpw_os_process *process);
/* Ends the process, waits for its end, and returns its exit status. */
int mcpw_os_process_kill(mcpw_os_process *process);
/* Forgets a process that has ended. */
void mcpw_os_process_end(mcpw_os_process *process);
/* True if an exit status stands for a signal. *number receives that signal, or the status that the program
 * returned. */
bool mcpw_os_was_signalled(int status, int *number);

/* ---- os_thread_*.c ------------------------------------------------------------------------------------- */

/* False: the system lacks memory. */
MCPW_NODISCARD bool mcpw_os_mutex_begin(mcpw_os_mutex *mutex);
void mcpw_os_mutex_end(mcpw_os_mutex *mutex);
void mcpw_os_lock(mcpw_os_mutex *mutex);
void mcpw_os_unlock(mcpw_os_mutex *mutex);

MCPW_NODISCARD bool mcpw_os_condition_begin(mcpw_os_condition *condition);
void mcpw_os_condition_end(mcpw_os_condition *condition);
/* The caller holds the mutex. The call may return without a reason. */
void mcpw_os_condition_wait(mcpw_os_condition *condition, mcpw_os_mutex *mutex);
void mcpw_os_condition_wake_one(mcpw_os_condition *condition);
void mcpw_os_condition_wake_all(mcpw_os_condition *condition);

/* The least bytes of a thread's stack. A check by a JSON Schema takes the most: 4,224 nested calls at the
 * deepest max_depth, of up to 720 bytes each (s390x). */
enum { MCPW_OS_LEAST_STACK = 4 << 20 };

/* Starts a thread that runs handlers: with all signals blocked, because they belong to the program, and with
 * a stack of MCPW_OS_LEAST_STACK bytes or more. The thread struct must stay where it is until
 * mcpw_os_thread_join. Returns 0 or an error number. */
MCPW_NODISCARD int mcpw_os_thread_start(mcpw_os_thread *thread, void (*run)(void *user), void *user);
/* Waits for the end of a thread. */
void mcpw_os_thread_join(mcpw_os_thread *thread);

/* ---- os_signals_*.c: the user ends the program --------------------------------------------------------- */

typedef struct mcpw_os_signals mcpw_os_signals;

/* Handles SIGINT and SIGTERM (Ctrl-C and the like), unless they are ignored. The first one makes the handle
 * of the result ready, and calls stop(self) unless stop is NULL: from a signal handler or another thread. A
 * second one ends the process at once. NULL: other code of this process handles them, or the system lacks
 * something. */
mcpw_os_signals *mcpw_os_signals_begin(void (*stop)(void *self), void *self);
mcpw_handle mcpw_os_signals_handle(const mcpw_os_signals *signals);
/* Restores the previous handlers. Afterwards stop is not called, and does not run on another thread either.
 * Does nothing for NULL. */
void mcpw_os_signals_end(mcpw_os_signals *signals);

#endif
