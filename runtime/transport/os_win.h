/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the port layer share on Windows. */
#ifndef MCPW_OS_WIN_H
#define MCPW_OS_WIN_H

#include "os.h"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602 /* Windows 8: a job within a job */
#include <windows.h>

/* ---- os_transfer_win.c --------------------------------------------------------------------------------- */

/* Reads or writes one piece of bytes at a time: by overlapped I/O where the handle was opened for that, else
 * by a thread of its own, since such handles make their caller wait. */
typedef struct mcpw_os_transfer mcpw_os_transfer;

enum { MCPW_OS_PIECE = 1 << 16 /* bytes of the largest piece */ };

/* A transfer for a handle; NULL: *number has the reason. */
mcpw_os_transfer *mcpw_os_transfer_new(mcpw_handle file, bool writes, int *number);
/* The same by a thread, without a question to the system that may have to wait. The handle has to stay: a
 * transfer that was begun is finished also after the end. */
mcpw_os_transfer *mcpw_os_transfer_by_thread(mcpw_handle file, bool writes, int *number);
/* Cancels what is under way. Does nothing for NULL. */
void mcpw_os_transfer_free(mcpw_os_transfer *transfer);
/* The piece, of MCPW_OS_PIECE bytes. It must not be touched while a transfer is under way. */
char *mcpw_os_transfer_bytes(mcpw_os_transfer *transfer);
/* Begins to transfer up to len bytes of the piece. */
void mcpw_os_transfer_begin(mcpw_os_transfer *transfer, DWORD len);
/* True if none was begun, or it has ended: *moved is its number of bytes, *number 0 or the error. */
bool mcpw_os_transfer_is_done(mcpw_os_transfer *transfer, DWORD *moved, DWORD *number);
/* An event that is set while no transfer is under way. */
mcpw_handle mcpw_os_transfer_event(const mcpw_os_transfer *transfer);

/* ---- os_command_win.c ---------------------------------------------------------------------------------- */

/* UTF-8 as UTF-16, which the caller frees; NULL: GetLastError() has the reason. */
wchar_t *mcpw_os_wide(const char *text);
/* The path of a command, which the caller frees: a name without a slash or backslash is looked up in PATH,
 * with the endings of PATHEXT; NULL: GetLastError() has the reason. */
wchar_t *mcpw_os_find_command(const char *name);
/* The command line from which the program's C runtime makes argv again, which the caller frees; NULL:
 * GetLastError() has the reason. A batch file at `path` is run by cmd.exe, whose rules differ: its arguments
 * must have no quotes, percent signs, exclamation marks and line ends (ERROR_BAD_ARGUMENTS). */
wchar_t *mcpw_os_command_line(const wchar_t *path, const char *const *argv);
/* The program that runs a command at `path`, for CreateProcessW beside that line: cmd.exe of the system for a
 * batch file, else the command itself. The caller frees it; NULL: GetLastError() has the reason. */
wchar_t *mcpw_os_program(const wchar_t *path);
/* The block of an environment, which the caller frees; NULL as above. */
wchar_t *mcpw_os_environment(const char *const *env);

/* ---- os_pipe_win.c ------------------------------------------------------------------------------------- */

/* Makes a pipe for a child: our end is overlapped and not inherited, the child's is neither. *ours and
 * *theirs receive the ends. `writes`: this process writes. */
bool mcpw_os_pipe(bool writes, HANDLE *ours, HANDLE *theirs);

#endif
