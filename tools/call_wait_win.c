/* SPDX-License-Identifier: MIT */
/* The loop of the session waits itself here, because its handles are its own affair. The server's standard
 * error is that of this process. */
#include "call_wait.h"

#include "terminal.h"

#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <signal.h>
#include <windows.h>

enum { SIGNAL_BASE = 128 };

/* A handler receives only a number, and a thread of the system calls it. */
static volatile LONG caught = 0;
static HANDLE wake = NULL;
static volatile LONG server_pid = 0;

/* ---- signals ---- */

static void end_server(void) {
    const HANDLE server = server_pid != 0 ? OpenProcess(PROCESS_TERMINATE, FALSE, (DWORD)server_pid) : NULL;
    if (server != NULL) {
        (void)TerminateProcess(server, 1);
        (void)CloseHandle(server);
    }
}

static BOOL WINAPI on_event(DWORD event) {
    const LONG number = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
    if (InterlockedCompareExchange(&caught, number, 0) != 0) {
        end_server();
        terminal_restore();
        ExitProcess((UINT)(SIGNAL_BASE + number));
    }
    (void)SetEvent(wake);
    return TRUE;
}

bool wait_begin(server_link *l) {
    wake = CreateEventW(NULL, TRUE, FALSE, NULL);
    l->wake = -1; /* the loop watches the event */
    return wake != NULL && SetConsoleCtrlHandler(on_event, TRUE) != 0;
}

int wait_signal(void) { return (int)caught; }

void wait_guard(int64_t pid) { (void)InterlockedExchange(&server_pid, (LONG)pid); }

/* ---- the server ---- */

void wait_prepare(mcpw_spawn *spawn) { spawn->on_stderr = NULL; }

void wait_started(const mcpw_child *child) { (void)child; }

bool wait_has_ended(const mcpw_child *child) {
    const HANDLE server = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)child->pid);
    const bool has_ended = server == NULL || WaitForSingleObject(server, 0) == WAIT_OBJECT_0;
    if (server != NULL) {
        (void)CloseHandle(server);
    }
    return has_ended;
}

void wait_sleep(unsigned ms) { Sleep(ms); }

const char *wait_explain(int status, int *number) {
    *number = status;
    return "exited with status";
}

/* ---- waits ---- */

static void on_wake(void *user, mcpw_io *io, mcpw_handle handle, short events) {
    (void)user, (void)events;
    mcpw_io_unwatch(io, handle); /* the event stays set */
}

/* A step does the session's work as well. Its errors appear again in the work that follows. */
bool wait_for_link(server_link *l, int timeout, const char **why) {
    mcpw_error error;
    if (caught == 0 && mcpw_io_watch(&l->io, (mcpw_handle)wake, 1, on_wake, NULL) != MCPW_OK) {
        *why = mcpw_status_text(MCPW_E_MEMORY);
        return false;
    }
    (void)!mcpw_io_step(&l->io, timeout, &error);
    return true;
}

bool wait_for_output(server_link *l, int timeout) {
    mcpw_error error;
    return mcpw_io_step(&l->io, timeout, &error) == MCPW_OK;
}

/* Whether a key types something. Characters by their numbers come when Alt is released. */
static bool types(const KEY_EVENT_RECORD *key) {
    const WORD code = key->wVirtualKeyCode;
    if (!key->bKeyDown) {
        return code == VK_MENU && key->uChar.UnicodeChar != 0;
    }
    return code != VK_SHIFT && code != VK_CONTROL && code != VK_MENU && code != VK_CAPITAL;
}

/* A console is ready for every event. Those that type nothing are removed, because reading would wait for
 * keys. True also if it is no console. */
static bool has_typed(HANDLE input) {
    INPUT_RECORD event;
    DWORD count = 0;
    while (PeekConsoleInputW(input, &event, 1, &count)) {
        if (count == 0) {
            return false;
        }
        if (event.EventType == KEY_EVENT && types(&event.Event.KeyEvent)) {
            return true;
        }
        (void)ReadConsoleInputW(input, &event, 1, &count);
    }
    return true;
}

bool wait_for_input(const server_link *l, int fd, int timeout) {
    const HANDLE handles[] = {(HANDLE)_get_osfhandle(fd), wake};
    const uint64_t end = mcpw_io_now() + (uint64_t)(timeout > 0 ? timeout : 0);
    bool is_ready = false;
    (void)l;
    do {
        const uint64_t now = mcpw_io_now();
        const DWORD most = timeout < 0 ? INFINITE : (DWORD)(now < end ? end - now : 0);
        if (WaitForMultipleObjects(2, handles, FALSE, most) != WAIT_OBJECT_0 || caught != 0) {
            return false;
        }
        is_ready = has_typed(handles[0]);
    } while (!is_ready);
    return true;
}
