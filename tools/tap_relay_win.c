/* SPDX-License-Identifier: MIT */
/* A thread for each direction, because reading a pipe makes its caller wait. A direction reads on when its
 * bytes were written. The server has the console's events itself, so they are not passed on. */
#include "tap_relay.h"

#include "tap_system.h"
#include "terminal.h"
#include "tool.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>
#include <winternl.h>

enum {
    FLUSH_MS = 200,    /* between two attempts to write what had no room */
    LAST_MS = 5000,    /* a console that is closed leaves its programs that long */
    STOPS = 50,        /* attempts to end a read that waits */
    STOP_PAUSE_MS = 2, /* between two of them */
    FILE_MODE = 16,    /* FileModeInformation */
    MODE_WAITS = 16    /* and the next bit: each operation on the handle waits */
};

typedef struct one_way {
    relay *relay;
    side from;
    HANDLE in;
    HANDLE out;
    bool ends_in; /* the handle is closed at the end */
    bool ends_out;
    bool is_closed; /* the thread uses the handles no more; under the lock */
    HANDLE event;   /* of overlapped operations */
    HANDLE thread;
    HANDLE waits_for_gone; /* reading ends when nothing is there and this is set; NULL: at the end alone */
    bool escapes;          /* out is a terminal: control characters are escaped */
    size_t kept;           /* bytes of an unfinished character at the beginning of buffer, if it escapes */
    text shown;            /* the escaped buffer */
    char buffer[RELAY_BUFFER];
} one_way;

struct relay_own {
    one_way ways[SIDES];
    tap_lock *lock; /* for what the relay's owner does */
    HANDLE child;
    HANDLE gone; /* set when the child has ended */
    bool is_over;
};

/* A handler receives only a number: the event that ends a relay whose child has gone. */
static HANDLE leave = NULL;
static volatile LONG has_child = 0;

static BOOL WINAPI on_event(DWORD event) {
    if (has_child == 0) {
        (void)SetEvent(leave);
    }
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) {
        Sleep(LAST_MS); /* the process ends when this returns */
    }
    return TRUE;
}

/* ---- One direction ------------------------------------------------------------------------------------- */

static bool is_overlapped(HANDLE file) {
    IO_STATUS_BLOCK status;
    ULONG mode = 0;
    return NtQueryInformationFile(file, &status, &mode, sizeof mode, (FILE_INFORMATION_CLASS)FILE_MODE) ==
               0 &&
           (mode & (MODE_WAITS | MODE_WAITS << 1)) == 0;
}

/* Waits for an overlapped operation. Reading from a child that has gone is cancelled where it would wait. */
static bool finish_operation(const one_way *w, HANDLE file, OVERLAPPED *o, bool writes, DWORD *moved) {
    const HANDLE handles[] = {w->event, w->waits_for_gone};
    const DWORD count = !writes && w->waits_for_gone != NULL ? 2 : 1;
    if (WaitForMultipleObjects(count, handles, FALSE, INFINITE) != WAIT_OBJECT_0) {
        (void)CancelIoEx(file, o);
    }
    return GetOverlappedResult(file, o, moved, TRUE) != 0 || GetLastError() == ERROR_MORE_DATA;
}

/* Moves some bytes. False: the other side has gone. */
static bool move(const one_way *w, HANDLE file, bool writes, char *bytes, size_t len, DWORD *moved) {
    OVERLAPPED o;
    OVERLAPPED *const how = is_overlapped(file) ? &o : NULL;
    memset(&o, 0, sizeof o);
    o.hEvent = w->event;
    *moved = 0;
    const BOOL is_done = writes ? WriteFile(file, bytes, (DWORD)len, how != NULL ? NULL : moved, how)
                                : ReadFile(file, bytes, (DWORD)len, how != NULL ? NULL : moved, how);
    if (how == NULL) {
        return is_done || (!writes && GetLastError() == ERROR_MORE_DATA);
    }
    return (is_done || GetLastError() == ERROR_IO_PENDING || GetLastError() == ERROR_MORE_DATA) &&
           finish_operation(w, file, how, writes, moved);
}

/* Reads some bytes; 0: there are no more. */
static size_t read_some(const one_way *w, char *to, size_t room) {
    DWORD moved = 0;
    while (move(w, w->in, false, to, room, &moved)) {
        if (moved != 0) {
            return moved;
        }
        if (PeekNamedPipe(w->in, NULL, 0, NULL, NULL, NULL) == 0) {
            break; /* a file or a console has ended; the writer of a pipe has written nothing */
        }
    }
    return 0;
}

static bool write_all(const one_way *w, const char *bytes, size_t len) {
    while (len != 0) {
        DWORD moved = 0;
        if (!move(w, w->out, true, (char *)(uintptr_t)bytes, len, &moved)) {
            return false;
        }
        bytes += moved;
        len -= moved;
    }
    return true;
}

static bool write_shown(one_way *w, size_t len) {
    if (!w->escapes) {
        return write_all(w, w->buffer, len);
    }
    text_clear(&w->shown);
    text_safe_lines(&w->shown, w->buffer, len);
    return write_all(w, w->shown.buffer.data, w->shown.buffer.len);
}

static void hear(const one_way *w, const char *bytes, size_t len) {
    struct relay_own *const own = w->relay->own;
    tap_lock_take(own->lock);
    if (!own->is_over) {
        w->relay->on_bytes(w->relay->user, w->from, bytes, len);
    }
    tap_lock_give(own->lock);
}

static void close_ends(one_way *w) {
    if (w->ends_in) {
        (void)CloseHandle(w->in);
        w->ends_in = false;
    }
    if (w->ends_out) {
        (void)CloseHandle(w->out);
        w->ends_out = false;
    }
}

/* Closes the handles of a thread that needs them no more. Nobody cancels operations on them afterwards, when
 * they may be handles of something else. */
static void finish_way(one_way *w) {
    tap_lock_take(w->relay->own->lock);
    close_ends(w);
    w->is_closed = true;
    tap_lock_give(w->relay->own->lock);
}

static unsigned __stdcall pass(void *argument) {
    one_way *const w = argument;
    size_t n;
    while ((n = read_some(w, w->buffer + w->kept, sizeof w->buffer - w->kept)) != 0) {
        const size_t held = w->kept + n;
        const size_t whole = w->escapes ? text_whole(w->buffer, held) : held;
        hear(w, w->buffer + w->kept, n);
        if (!write_shown(w, whole)) {
            finish_way(w); /* so that the writer notices */
            return 0;
        }
        w->kept = held - whole;
        memmove(w->buffer, w->buffer + whole, w->kept);
    }
    (void)write_shown(w, w->kept);
    finish_way(w);
    hear(w, NULL, 0);
    return 0;
}

/* ---- The relay ----------------------------------------------------------------------------------------- */

static bool begin_way(relay *r, side from, HANDLE in, HANDLE out) {
    one_way *const w = &r->own->ways[from];
    w->relay = r;
    w->from = from;
    w->in = in;
    w->out = out;
    w->ends_in = from == SERVER;
    w->ends_out = from == CLIENT;
    w->waits_for_gone = from == SERVER ? r->own->gone : NULL;
    w->shown = (text)TEXT_INIT;
    w->escapes = from == SERVER && terminal_shows(TERMINAL_OUTPUT);
    w->event = CreateEventW(NULL, TRUE, FALSE, NULL);
    w->thread = w->event != NULL ? (HANDLE)_beginthreadex(NULL, 0, pass, w, 0, NULL) : NULL;
    return w->thread != NULL;
}

/* Ends a thread that reads. False: it cannot be interrupted. */
static bool stop_way(const one_way *w) {
    bool has_ended = WaitForSingleObject(w->thread, 0) == WAIT_OBJECT_0;
    for (int i = 0; i < STOPS && !has_ended; i++) {
        tap_lock_take(w->relay->own->lock);
        if (!w->is_closed) {
            (void)CancelSynchronousIo(w->thread);
            (void)CancelIoEx(w->in, NULL);
            (void)CancelIoEx(w->out, NULL);
        }
        tap_lock_give(w->relay->own->lock);
        has_ended = WaitForSingleObject(w->thread, STOP_PAUSE_MS) == WAIT_OBJECT_0;
    }
    return has_ended;
}

static void flush(relay *r) {
    tap_lock_take(r->own->lock);
    for (unsigned i = 0; i < RELAY_OUTLETS; i++) {
        if (r->outlets[i] != NULL) {
            outlet_flush(r->outlets[i]);
        }
    }
    tap_lock_give(r->own->lock);
}

bool relay_run(relay *r) {
    const HANDLE ends[] = {r->own->ways[SERVER].thread, leave};
    while (WaitForSingleObject(r->own->child, FLUSH_MS) == WAIT_TIMEOUT) {
        flush(r);
    }
    (void)InterlockedExchange(&has_child, 0);
    (void)SetEvent(r->own->gone);
    while (WaitForMultipleObjects(2, ends, FALSE, FLUSH_MS) == WAIT_TIMEOUT) {
        flush(r);
    }
    return true;
}

static bool prepare(relay *r) {
    r->own = calloc(1, sizeof *r->own);
    leave = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (r->own == NULL || leave == NULL) {
        return false;
    }
    r->own->lock = tap_lock_new();
    r->own->gone = CreateEventW(NULL, TRUE, FALSE, NULL);
    return r->own->lock != NULL && r->own->gone != NULL && SetConsoleCtrlHandler(on_event, TRUE) != 0;
}

static void end_own(relay *r) {
    struct relay_own *const own = r->own;
    r->own = NULL;
    if (own == NULL) {
        return;
    }
    const HANDLE handles[] = {own->child,         own->gone,           own->ways[0].event,
                              own->ways[1].event, own->ways[0].thread, own->ways[1].thread};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        (void)(handles[i] != NULL && CloseHandle(handles[i]));
    }
    for (unsigned i = 0; i < SIDES; i++) {
        close_ends(&own->ways[i]);
        text_free(&own->ways[i].shown);
    }
    tap_lock_free(own->lock);
    free(own);
}

static bool begin(relay *r) {
    mcpw_child *const child = r->child;
    r->own->child = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)child->pid);
    const HANDLE from_child = (HANDLE)child->in;
    const HANDLE to_child = (HANDLE)child->out;
    child->in = child->out = -1; /* the threads close them */
    return r->own->child != NULL && begin_way(r, SERVER, from_child, GetStdHandle(STD_OUTPUT_HANDLE)) &&
           begin_way(r, CLIENT, GetStdHandle(STD_INPUT_HANDLE), to_child);
}

bool relay_start(relay *r, mcpw_child *child, const char *const *argv) {
    mcpw_error error;
    mcpw_spawn spawn;
    memset(&error, 0, sizeof error);
    memset(&spawn, 0, sizeof spawn);
    spawn.argv = argv;
    r->child = child;
    if (!prepare(r)) {
        tool_complain("tap: the system lacks memory");
        end_own(r);
        return false;
    }
    if (mcpw_child_start(child, &spawn, &error) != MCPW_OK) {
        tool_complain("%s", error.message);
        end_own(r);
        return false;
    }
    (void)InterlockedExchange(&has_child, 1);
    if (!begin(r)) {
        tool_complain("tap: the system lacks memory");
        mcpw_child_stop(child, 0);
        return false; /* a thread may still be there */
    }
    return true;
}

int relay_finish(relay *r) {
    tap_lock_take(r->own->lock);
    r->own->is_over = true;
    tap_lock_give(r->own->lock);
    const bool client_ended = stop_way(&r->own->ways[CLIENT]);
    const bool server_ended = stop_way(&r->own->ways[SERVER]);
    if (client_ended && server_ended) { /* else a thread, which uses them, ends with the process */
        end_own(r);
    }
    mcpw_child_stop(r->child, 0);
    return r->child->exit_status;
}
