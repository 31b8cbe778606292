/* SPDX-License-Identifier: MIT */
/* Transfers of bytes that do not make the loop wait. */
#include "os_win.h"

#include <process.h>
#include <stdlib.h>
#include <winternl.h>

enum {
    CANCEL_LOOKS = 50,          /* attempts to cancel what a thread waits in */
    CANCEL_PAUSE = 2,           /* ms between two of them */
    FILE_MODE = 16,             /* FileModeInformation */
    MODE_SYNCHRONOUS_ALERT = 16 /* and the next bit: each operation on the handle waits */
};

struct mcpw_os_transfer {
    HANDLE file;
    HANDLE done; /* set while nothing is under way */
    bool writes;
    bool under_way;
    DWORD len;
    DWORD moved;
    DWORD number;
    OVERLAPPED overlapped;
    DWORD begun_by;  /* the thread */
    bool has_offset; /* a file on a disk; elsewhere the offset must be 0 */
    uint64_t offset; /* of the next transfer: an overlapped handle has no place of its own */
    /* By a thread, which is NULL where the handle is overlapped: */
    HANDLE thread;
    HANDLE begun;             /* the thread has something to do */
    volatile LONG is_leaving; /* the thread is to end */
    volatile LONG has_work;   /* a transfer was begun that the thread has not taken up */
    bool finishes;            /* it makes that transfer even if it is to end; the handle outlives it */
    volatile LONG owners;     /* the caller and the thread; the last one frees the struct */
    char bytes[MCPW_OS_PIECE];
};

/* True if the handle was opened for overlapped I/O. */
static bool is_overlapped(HANDLE file) {
    IO_STATUS_BLOCK status;
    ULONG mode = 0;
    return NtQueryInformationFile(file, &status, &mode, sizeof mode, (FILE_INFORMATION_CLASS)FILE_MODE) ==
               0 &&
           (mode & (MODE_SYNCHRONOUS_ALERT | MODE_SYNCHRONOUS_ALERT << 1)) == 0;
}

static void release(mcpw_os_transfer *t) {
    if (InterlockedDecrement(&t->owners) != 0) {
        return;
    }
    const HANDLE handles[] = {t->done, t->begun, t->thread};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        if (handles[i] != NULL) {
            (void)CloseHandle(handles[i]);
        }
    }
    free(t);
}

static void move_bytes(mcpw_os_transfer *t) {
    DWORD moved = 0;
    const BOOL works = t->writes ? WriteFile(t->file, t->bytes, t->len, &moved, NULL)
                                 : ReadFile(t->file, t->bytes, t->len, &moved, NULL);
    t->number = works ? 0 : GetLastError();
    t->moved = moved;
    (void)SetEvent(t->done);
}

static unsigned __stdcall work(void *argument) {
    mcpw_os_transfer *const t = argument;
    while (WaitForSingleObject(t->begun, INFINITE) == WAIT_OBJECT_0) {
        if (InterlockedExchange(&t->has_work, 0) != 0 && (t->finishes || t->is_leaving == 0)) {
            move_bytes(t);
        }
        if (t->is_leaving != 0) {
            break;
        }
    }
    release(t);
    return 0;
}

static bool start_thread(mcpw_os_transfer *t) {
    t->begun = CreateEventW(NULL, FALSE, FALSE, NULL);
    t->owners = 2;
    t->thread = t->begun != NULL ? (HANDLE)_beginthreadex(NULL, 0, work, t, 0, NULL) : NULL;
    if (t->thread == NULL) {
        t->owners = 1;
    }
    return t->thread != NULL;
}

static mcpw_os_transfer *make(mcpw_handle file, bool writes, bool by_thread, int *number) {
    mcpw_os_transfer *const t = calloc(1, sizeof *t);
    if (t == NULL) {
        *number = ERROR_NOT_ENOUGH_MEMORY;
        return NULL;
    }
    t->file = (HANDLE)file;
    t->writes = writes;
    t->finishes = by_thread;
    t->owners = 1;
    t->done = CreateEventW(NULL, TRUE, TRUE, NULL);
    DWORD unused;
    if (t->done == NULL || !GetHandleInformation(t->file, &unused) ||
        ((by_thread || !is_overlapped(t->file)) && !start_thread(t))) {
        *number = (int)GetLastError();
        release(t);
        return NULL;
    }
    t->has_offset = t->thread == NULL && GetFileType(t->file) == FILE_TYPE_DISK;
    return t;
}

mcpw_os_transfer *mcpw_os_transfer_new(mcpw_handle file, bool writes, int *number) {
    return make(file, writes, false, number);
}

mcpw_os_transfer *mcpw_os_transfer_by_thread(mcpw_handle file, bool writes, int *number) {
    return make(file, writes, true, number);
}

void mcpw_os_transfer_free(mcpw_os_transfer *t) {
    if (t == NULL) {
        return;
    }
    if (t->thread == NULL) {
        if (t->under_way && CancelIoEx(t->file, &t->overlapped)) {
            (void)GetOverlappedResult(t->file, &t->overlapped, &t->moved, TRUE);
        }
    } else {
        (void)InterlockedExchange(&t->is_leaving, 1);
        (void)SetEvent(t->begun);
        for (int i = 0; i < CANCEL_LOOKS && WaitForSingleObject(t->thread, 0) != WAIT_OBJECT_0; i++) {
            (void)CancelSynchronousIo(t->thread);
            (void)WaitForSingleObject(t->thread, CANCEL_PAUSE);
        }
    }
    release(t); /* a thread that cannot be interrupted frees it later */
}

char *mcpw_os_transfer_bytes(mcpw_os_transfer *t) { return t->bytes; }

static void begin_overlapped(mcpw_os_transfer *t) {
    memset(&t->overlapped, 0, sizeof t->overlapped);
    t->overlapped.Offset = (DWORD)t->offset;
    t->overlapped.OffsetHigh = (DWORD)(t->offset >> 32);
    t->overlapped.hEvent = t->done;
    t->begun_by = GetCurrentThreadId();
    const BOOL works = t->writes ? WriteFile(t->file, t->bytes, t->len, NULL, &t->overlapped)
                                 : ReadFile(t->file, t->bytes, t->len, NULL, &t->overlapped);
    const DWORD number = works ? 0 : GetLastError();
    if (!works && number != ERROR_IO_PENDING && number != ERROR_MORE_DATA) { /* a part of a message */
        t->under_way = false;
        t->moved = 0;
        t->number = number;
        (void)SetEvent(t->done);
    }
}

void mcpw_os_transfer_begin(mcpw_os_transfer *t, DWORD len) {
    t->len = len;
    t->moved = 0;
    t->number = 0;
    t->under_way = true;
    (void)ResetEvent(t->done);
    if (t->thread == NULL) {
        begin_overlapped(t);
    } else {
        (void)InterlockedExchange(&t->has_work, 1);
        (void)SetEvent(t->begun);
    }
}

/* The system cancels what a thread has begun when the thread ends. Another one reads again; of a write a part
 * may have arrived. */
static bool was_cancelled(const mcpw_os_transfer *t) {
    return t->number == ERROR_OPERATION_ABORTED && !t->writes && t->moved == 0 &&
           t->begun_by != GetCurrentThreadId();
}

bool mcpw_os_transfer_is_done(mcpw_os_transfer *t, DWORD *moved, DWORD *number) {
    if (t->under_way && t->thread != NULL) {
        t->under_way = WaitForSingleObject(t->done, 0) != WAIT_OBJECT_0;
    } else if (t->under_way) {
        const BOOL works = GetOverlappedResult(t->file, &t->overlapped, &t->moved, FALSE);
        t->number = works ? 0 : GetLastError();
        t->under_way = t->number == ERROR_IO_INCOMPLETE;
        t->offset += t->has_offset && !t->under_way ? t->moved : 0;
        if (was_cancelled(t)) {
            mcpw_os_transfer_begin(t, t->len); /* the next call, or the event, tells how it went */
        }
    }
    *moved = t->moved;
    *number = t->number != ERROR_MORE_DATA ? t->number : 0; /* of a pipe of messages, a part was read */
    return !t->under_way;
}

mcpw_handle mcpw_os_transfer_event(const mcpw_os_transfer *t) { return (mcpw_handle)t->done; }
