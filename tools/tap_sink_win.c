/* SPDX-License-Identifier: MIT */
/* A pipe makes its writer wait, and does not tell whether it has room. So a thread writes to it, a piece at a
 * time. Files and consoles take all at once. */
#include "tap_sink.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, PORTION = 4096 /* of a pipe, so that other writers' lines do not split ours */ };

/* It lives as long as the process, which has three at most. */
struct sink_pump {
    int fd;
    HANDLE idle;          /* set while nothing is under way */
    HANDLE begun;         /* the thread has something to do */
    volatile LONG failed; /* errno of the write */
    unsigned len;
    char bytes[PIECE];
};

static unsigned __stdcall work(void *argument) {
    struct sink_pump *const p = argument;
    while (WaitForSingleObject(p->begun, INFINITE) == WAIT_OBJECT_0) {
        unsigned done = 0;
        while (done < p->len && p->failed == 0) {
            const int n = _write(p->fd, p->bytes + done, p->len - done);
            done += n > 0 ? (unsigned)n : 0;
            if (n < 0) {
                (void)InterlockedExchange(&p->failed, errno != 0 ? errno : EIO);
            }
        }
        (void)SetEvent(p->idle);
    }
    return 0;
}

static struct sink_pump *pump_new(int fd) {
    struct sink_pump *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->fd = fd;
    p->idle = CreateEventW(NULL, TRUE, TRUE, NULL);
    p->begun = CreateEventW(NULL, FALSE, FALSE, NULL);
    const uintptr_t thread =
        p->idle != NULL && p->begun != NULL ? _beginthreadex(NULL, 0, work, p, 0, NULL) : 0;
    if (thread == 0) {
        (void)(p->idle != NULL && CloseHandle(p->idle));
        (void)(p->begun != NULL && CloseHandle(p->begun));
        free(p);
        return NULL;
    }
    (void)CloseHandle((HANDLE)thread);
    return p;
}

sink sink_of(int fd) {
    sink s = {fd, false, INT_MAX, NULL};
    const HANDLE file = fd >= 0 ? (HANDLE)_get_osfhandle(fd) : INVALID_HANDLE_VALUE;
    if (file != INVALID_HANDLE_VALUE && GetFileType(file) == FILE_TYPE_PIPE) {
        s.portion = PORTION;
        s.pump = pump_new(fd);
    }
    return s;
}

bool sink_wait(const sink *s, int ms) {
    return s->pump == NULL ||
           WaitForSingleObject(s->pump->idle, ms < 0 ? INFINITE : (DWORD)ms) == WAIT_OBJECT_0;
}

void sink_finish(const sink *s, int ms) { (void)sink_wait(s, ms); }

static ptrdiff_t pump_write(struct sink_pump *p, const char *bytes, size_t len) {
    if (WaitForSingleObject(p->idle, 0) != WAIT_OBJECT_0) {
        return 0;
    }
    if (p->failed != 0) {
        errno = (int)p->failed;
        return -1;
    }
    p->len = len < PIECE ? (unsigned)len : PIECE;
    memcpy(p->bytes, bytes, p->len);
    (void)ResetEvent(p->idle);
    (void)SetEvent(p->begun);
    return (ptrdiff_t)p->len;
}

ptrdiff_t sink_write(const sink *s, const char *bytes, size_t len) {
    if (s->pump != NULL) {
        return pump_write(s->pump, bytes, len);
    }
    size_t done = 0;
    while (done < len) {
        const size_t left = len - done;
        const int n = _write(s->fd, bytes + done, left < INT_MAX ? (unsigned)left : INT_MAX);
        if (n < 0 && done == 0) {
            return -1;
        }
        if (n <= 0) {
            break;
        }
        done += (size_t)n;
    }
    return (ptrdiff_t)done;
}

void sink_close(sink *s) {
    if (s->fd >= 0) {
        sink_finish(s, -1);
        (void)_close(s->fd);
        s->fd = -1;
    }
}
