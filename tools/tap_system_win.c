/* SPDX-License-Identifier: MIT */
#include "tap_system.h"

#include "tap_net.h"

#include "../runtime/transport/os.h"

#include <mcpw/system.h>

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

enum { LAST_MS = 5000 /* a console that is closed leaves its programs that long */ };

void tap_fill_standard(void) {
    for (int fd = TAP_STANDARD_INPUT; fd <= TAP_STANDARD_ERROR; fd++) {
        if (_get_osfhandle(fd) < 0) {
            const int opened = _open("NUL", _O_RDWR | _O_BINARY);
            if (opened >= 0 && opened != fd && _dup2(opened, fd) == 0) {
                (void)_close(opened);
            }
        }
    }
}

/* The server writes to the console itself. */
bool tap_guards_error(void) { return false; }

uint64_t tap_process_id(void) { return GetCurrentProcessId(); }

void tap_sleep(unsigned ms) { Sleep(ms); }

void tap_explain_socket(char *text, size_t size) { mcpw_os_error_text(WSAGetLastError(), text, size); }

bool tap_random(void *bytes, size_t len) { return mcpw_random(bytes, len) == MCPW_OK; }

/* ---- Files --------------------------------------------------------------------------------------------- */

static OVERLAPPED place(uint64_t at) {
    OVERLAPPED o;
    memset(&o, 0, sizeof o);
    o.Offset = (DWORD)at;
    o.OffsetHigh = (DWORD)(at >> 32);
    return o;
}

ptrdiff_t tap_write_at(FILE *file, const void *bytes, size_t len, uint64_t at) {
    OVERLAPPED where = place(at);
    DWORD moved = 0;
    const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
    return WriteFile(handle, bytes, (DWORD)len, &moved, &where) ? (ptrdiff_t)moved : -1;
}

ptrdiff_t tap_read_at(FILE *file, void *to, size_t room, uint64_t at) {
    OVERLAPPED where = place(at);
    DWORD moved = 0;
    const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
    return ReadFile(handle, to, (DWORD)room, &moved, &where) ? (ptrdiff_t)moved : -1;
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

struct tap_lock {
    SRWLOCK lock;
    CONDITION_VARIABLE news;
};

tap_lock *tap_lock_new(void) { return calloc(1, sizeof(tap_lock)); /* zero is the first state of both */ }

void tap_lock_free(tap_lock *lock) { free(lock); }

void tap_lock_take(tap_lock *lock) { AcquireSRWLockExclusive(&lock->lock); }

void tap_lock_give(tap_lock *lock) { ReleaseSRWLockExclusive(&lock->lock); }

void tap_lock_tell(tap_lock *lock) { WakeAllConditionVariable(&lock->news); }

bool tap_lock_wait(tap_lock *lock, unsigned ms) {
    return SleepConditionVariableSRW(&lock->news, &lock->lock, ms, 0) != 0;
}

void tap_start_threads(void (*run)(void *user), void *user) { run(user); }

/* ---- Sockets ------------------------------------------------------------------------------------------- */

/* The sockets of libmicrohttpd do not wait. */
bool tap_is_connected(SOCKET client, bool *has_bytes) {
    char byte;
    const int n = recv(client, &byte, 1, MSG_PEEK);
    *has_bytes = n > 0;
    return n > 0 || (n < 0 && (WSAGetLastError() == WSAEWOULDBLOCK || WSAGetLastError() == WSAEINTR));
}

/* ---- The end ------------------------------------------------------------------------------------------- */

/* A handler receives only a number, and a thread of the system calls it. */
static HANDLE end = NULL;

static BOOL WINAPI on_event(DWORD event) {
    (void)SetEvent(end);
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) {
        Sleep(LAST_MS); /* the process ends when this returns */
    }
    return TRUE;
}

void tap_keep_end(void) {
    end = CreateEventW(NULL, TRUE, FALSE, NULL);
    (void)SetConsoleCtrlHandler(on_event, TRUE);
}

bool tap_has_end_come(unsigned ms) { return WaitForSingleObject(end, ms) == WAIT_OBJECT_0; }
