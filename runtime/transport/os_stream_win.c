/* SPDX-License-Identifier: MIT */
/* Reading and writing handles. */
#include "os_win.h"

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

/* A line for standard error has a moment more: no other may follow, and without a limit a reader that does
 * not read would hold the program. */
static void finish_line(const mcpw_os_stream *stream) {
    enum { LAST_MOMENT = 1000 /* ms */ };
    if (stream->transfer != NULL && stream->handle == MCPW_OS_NONE) {
        (void)WaitForSingleObject((HANDLE)mcpw_os_transfer_event(stream->transfer), LAST_MOMENT);
    }
}

void mcpw_os_stream_end(mcpw_os_stream *stream) {
    finish_line(stream);
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

/* A thread writes. A query of a pipe would have to wait while anybody writes to the pipe, even another
 * process that has the same handle. */
bool mcpw_os_write_error(mcpw_os_stream *error, const char *text, size_t len) {
    enum { A_MOMENT = 20 /* ms, in which a line is written if there is room */ };
    DWORD moved = 0;
    DWORD failed = 0;
    int number;
    if (error->transfer == NULL) {
        error->transfer =
            mcpw_os_transfer_by_thread((mcpw_handle)GetStdHandle(STD_ERROR_HANDLE), true, &number);
    }
    if (error->transfer == NULL || len > MCPW_OS_PIECE ||
        !mcpw_os_transfer_is_done(error->transfer, &moved, &failed)) {
        return false;
    }
    memcpy(mcpw_os_transfer_bytes(error->transfer), text, len);
    mcpw_os_transfer_begin(error->transfer, (DWORD)len);
    (void)WaitForSingleObject((HANDLE)mcpw_os_transfer_event(error->transfer), A_MOMENT);
    return !mcpw_os_transfer_is_done(error->transfer, &moved, &failed) || failed == 0;
}
