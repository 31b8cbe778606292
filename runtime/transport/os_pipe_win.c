/* SPDX-License-Identifier: MIT */
/* Pipes to children: named ones, because others know no overlapped I/O. */
#include "os_win.h"

#include <mcpw/system.h>
#include <stdio.h>
#include <wchar.h>

enum { NAME_ROOM = 64, CAPACITY = 1 << 16 };

/* A name that other processes cannot guess. */
static bool make_name(wchar_t *name, size_t room) {
    unsigned long long random[2];
    if (mcpw_random(random, sizeof random) != MCPW_OK) {
        SetLastError(ERROR_GEN_FAILURE);
        return false;
    }
    return swprintf(name, room, L"\\\\.\\pipe\\mcpwire-%016llx%016llx", random[0], random[1]) > 0;
}

bool mcpw_os_pipe(bool writes, HANDLE *ours, HANDLE *theirs) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    wchar_t name[NAME_ROOM];
    if (!make_name(name, NAME_ROOM)) {
        return false;
    }
    *ours = CreateNamedPipeW(name,
                             (writes ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) | FILE_FLAG_OVERLAPPED |
                                 FILE_FLAG_FIRST_PIPE_INSTANCE,
                             PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1,
                             CAPACITY, CAPACITY, 0, NULL);
    if (*ours == INVALID_HANDLE_VALUE) {
        *ours = NULL;
        return false;
    }
    *theirs = CreateFileW(
        name, writes ? GENERIC_READ | FILE_WRITE_ATTRIBUTES : GENERIC_WRITE | FILE_READ_ATTRIBUTES, 0,
        &inherited, OPEN_EXISTING, 0, NULL);
    if (*theirs == INVALID_HANDLE_VALUE) {
        *theirs = NULL;
        return false;
    }
    return true;
}
