/* SPDX-License-Identifier: MIT */
/* Ctrl-C, Ctrl-Break, and the end of the console. */
#include "os_win.h"

#include <stdlib.h>

enum { LAST_MS = 5000 /* Windows ends a process whose console is closed after that time */ };

struct mcpw_os_signals {
    void (*stop)(void *self);
    void *self;
    HANDLE event;
    volatile LONG is_stopped;
};

/* A handler belongs to the process and receives only a number. So the owner of the signals is global. */
static void *volatile taker; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static volatile LONG inside; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/* A thread of the system calls it. FALSE: the default handler ends the process. */
static BOOL WINAPI on_event(DWORD event) {
    BOOL is_handled = FALSE;
    (void)InterlockedIncrement(&inside);
    mcpw_os_signals *const signals = InterlockedCompareExchangePointer(&taker, NULL, NULL);
    if (signals != NULL && InterlockedExchange(&signals->is_stopped, 1) == 0) {
        (void)SetEvent(signals->event);
        if (signals->stop != NULL) {
            signals->stop(signals->self);
        }
        is_handled = TRUE;
    }
    (void)InterlockedDecrement(&inside);
    if (is_handled && event == CTRL_CLOSE_EVENT) {
        Sleep(LAST_MS); /* the process ends when this returns */
    }
    return is_handled;
}

static void end(mcpw_os_signals *signals) {
    if (signals->event != NULL) {
        (void)CloseHandle(signals->event);
    }
    free(signals);
}

mcpw_os_signals *mcpw_os_signals_begin(void (*stop)(void *self), void *self) {
    mcpw_os_signals *const signals = calloc(1, sizeof *signals);
    if (signals == NULL) {
        return NULL;
    }
    signals->event = CreateEventW(NULL, TRUE, FALSE, NULL);
    signals->stop = stop;
    signals->self = self;
    if (signals->event == NULL || InterlockedCompareExchangePointer(&taker, signals, NULL) != NULL) {
        end(signals);
        return NULL;
    }
    (void)SetConsoleCtrlHandler(on_event, TRUE);
    return signals;
}

mcpw_handle mcpw_os_signals_handle(const mcpw_os_signals *signals) { return (mcpw_handle)signals->event; }

void mcpw_os_signals_end(mcpw_os_signals *signals) {
    if (signals == NULL) {
        return;
    }
    (void)SetConsoleCtrlHandler(on_event, FALSE);
    (void)InterlockedExchangePointer(&taker, NULL);
    while (InterlockedCompareExchange(&inside, 0, 0) != 0) { /* a handler runs, and ends soon */
        Sleep(0);
    }
    end(signals);
}
