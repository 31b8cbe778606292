/* SPDX-License-Identifier: MIT */
/* Waking what waits, by an event. */
#include "os_win.h"

bool mcpw_os_wakeup_begin(mcpw_os_wakeup *wakeup, int *number) {
    const HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);
    *number = event != NULL ? 0 : (int)GetLastError();
    wakeup->event = (mcpw_handle)event;
    return event != NULL;
}

void mcpw_os_wakeup_end(mcpw_os_wakeup *wakeup) { (void)CloseHandle((HANDLE)wakeup->event); }

mcpw_handle mcpw_os_wakeup_handle(const mcpw_os_wakeup *wakeup) { return wakeup->event; }

void mcpw_os_wakeup_set(const mcpw_os_wakeup *wakeup) { (void)SetEvent((HANDLE)wakeup->event); }

void mcpw_os_wakeup_clear(const mcpw_os_wakeup *wakeup) { (void)ResetEvent((HANDLE)wakeup->event); }
