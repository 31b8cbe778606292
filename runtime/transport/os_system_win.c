/* SPDX-License-Identifier: MIT */
/* The errors of Windows and its clock. */
#include "os_win.h"

#include <stdio.h>

/* Removes the line end, which the system adds. */
static void trim(char *text) {
    size_t len = strlen(text);
    while (len != 0 && (text[len - 1] == '\r' || text[len - 1] == '\n' || text[len - 1] == ' ')) {
        text[--len] = '\0';
    }
}

void mcpw_os_error_text(int number, char *text, size_t size) {
    enum { ROOM = 256 };
    wchar_t wide[ROOM];
    const DWORD len = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                     (DWORD)number, 0, wide, ROOM, NULL);
    if (len == 0 || WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) == 0) {
        (void)snprintf(text, size, "error %d", number);
    }
    trim(text);
}

uint64_t mcpw_os_now(void) {
    enum { MS = 1000 };
    LARGE_INTEGER frequency;
    LARGE_INTEGER count;
    (void)QueryPerformanceFrequency(&frequency);
    (void)QueryPerformanceCounter(&count);
    const uint64_t each = (uint64_t)frequency.QuadPart;
    const uint64_t ticks = (uint64_t)count.QuadPart;
    return ticks / each * MS + ticks % each * MS / each;
}

void mcpw_os_sleep(unsigned ms) { Sleep(ms); }
