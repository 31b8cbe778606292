/* SPDX-License-Identifier: MIT */
/* Reading and writing handles. */
#include "os_win.h"

#include <winternl.h>

/* mcpw_os_stream.phase */
enum {
    IDLE,  /* no transfer */
    BEGUN, /* a transfer was begun, and its outcome is not known */
    HAS    /* reading: bytes of the piece, or the end, are there to be taken */
};

void mcpw_os_stream_init(mcpw_os_stream *stream) { *stream = (mcpw_os_stream){MCPW_OS_NONE, NULL, IDLE, 0}; }

static bool begin(mcpw_os_stream *stream, mcpw_handle handle, bool writes, int *number) {
    mcpw_os_stream_init(stream);
    stream->transfer = mcpw_os_transfer_new(handle, writes, number);
    stream->handle = stream->transfer != NULL ? handle : MCPW_OS_NONE;
    return stream->transfer != NULL;
}

bool mcpw_os_input_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number) {
    return begin(stream, handle, false, number);
}

bool mcpw_os_output_begin(mcpw_os_stream *stream, mcpw_handle handle, int *number) {
    return begin(stream, handle, true, number);
}

void mcpw_os_signal_begin(mcpw_os_stream *stream, mcpw_handle handle) {
    mcpw_os_stream_init(stream);
    stream->handle = handle;
}

void mcpw_os_stream_end(mcpw_os_stream *stream) {
    mcpw_os_transfer_free(stream->transfer);
    mcpw_os_stream_init(stream);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

bool mcpw_os_reads_at_once(const mcpw_os_stream *stream) {
    (void)stream;
    return true;
}

/* Whether a failure means that the other side has gone. */
static bool has_gone(DWORD number) {
    return number == ERROR_BROKEN_PIPE || number == ERROR_PIPE_NOT_CONNECTED || number == ERROR_NO_DATA ||
           number == ERROR_HANDLE_EOF;
}

ptrdiff_t mcpw_os_read(mcpw_os_stream *stream, char *bytes, size_t size, int *number) {
    DWORD moved = 0;
    DWORD failed = 0;
    if (stream->phase == IDLE) {
        mcpw_os_transfer_begin(stream->transfer, MCPW_OS_PIECE);
        stream->phase = BEGUN;
    }
    if (!mcpw_os_transfer_is_done(stream->transfer, &moved, &failed)) {
        return MCPW_OS_AGAIN;
    }
    stream->phase = HAS;
    if (failed != 0) {
        *number = (int)failed;
        return has_gone(failed) ? 0 : MCPW_OS_FAILED;
    }
    if (moved == 0 && PeekNamedPipe((HANDLE)stream->handle, NULL, 0, NULL, NULL, NULL) != 0) {
        stream->phase = IDLE; /* the other side has written nothing, which is not the end of a pipe */
        return MCPW_OS_INTERRUPTED;
    }
    const size_t left = moved - stream->taken;
    const size_t got = left < size ? left : size;
    memcpy(bytes, mcpw_os_transfer_bytes(stream->transfer) + stream->taken, got);
    stream->taken += (unsigned)got;
    if (moved != 0 && stream->taken == moved) {
        stream->taken = 0;
        stream->phase = IDLE;
    }
    return (ptrdiff_t)got;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

ptrdiff_t mcpw_os_write(mcpw_os_stream *stream, const char *bytes, size_t len, int *number) {
    DWORD moved = 0;
    DWORD failed = 0;
    if (stream->phase == IDLE) {
        const size_t piece = len < MCPW_OS_PIECE ? len : MCPW_OS_PIECE;
        memcpy(mcpw_os_transfer_bytes(stream->transfer), bytes, piece);
        mcpw_os_transfer_begin(stream->transfer, (DWORD)piece);
        stream->phase = BEGUN;
    }
    if (!mcpw_os_transfer_is_done(stream->transfer, &moved, &failed)) {
        return MCPW_OS_AGAIN;
    }
    stream->phase = IDLE;
    if (failed != 0) {
        *number = (int)failed;
        return has_gone(failed) ? MCPW_OS_CLOSED : MCPW_OS_FAILED;
    }
    return moved != 0 ? (ptrdiff_t)moved : MCPW_OS_AGAIN;
}

mcpw_status mcpw_os_without_pipe_signal(mcpw_status (*run)(void *user), void *user) { return run(user); }

/* ---- Handles ------------------------------------------------------------------------------------------- */

size_t mcpw_os_unread(mcpw_handle handle) {
    (void)handle; /* a pipe says so to its reader alone */
    return 0;
}

void mcpw_os_close(mcpw_handle *handle) {
    if (*handle > 0) {
        (void)CloseHandle((HANDLE)*handle);
    }
    *handle = MCPW_OS_NONE;
}

mcpw_handle mcpw_standard_input(void) { return (mcpw_handle)GetStdHandle(STD_INPUT_HANDLE); }

mcpw_handle mcpw_standard_output(void) { return (mcpw_handle)GetStdHandle(STD_OUTPUT_HANDLE); }

bool mcpw_os_error_is_terminal(void) {
    const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    return GetConsoleMode(error, &mode) != 0 &&
           SetConsoleMode(error, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

/* Whether a pipe has room for so many bytes; true for what is no pipe. */
static bool has_room(HANDLE file, size_t len) {
    enum { FILE_PIPE_LOCAL = 24 /* FilePipeLocalInformation */ };
    struct {
        ULONG type, configuration, most_instances, instances, in_quota, readable, out_quota, writable;
        ULONG state, end;
    } pipe = {0};
    IO_STATUS_BLOCK status;
    return GetFileType(file) != FILE_TYPE_PIPE ||
           NtQueryInformationFile(file, &status, &pipe, sizeof pipe,
                                  (FILE_INFORMATION_CLASS)FILE_PIPE_LOCAL) != 0 ||
           pipe.out_quota < len || pipe.writable >= len;
}

bool mcpw_os_write_error(const char *text, size_t len) {
    const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    DWORD wrote = 0;
    return has_room(error, len) && WriteFile(error, text, (DWORD)len, &wrote, NULL) != 0;
}
