/* SPDX-License-Identifier: MIT */
/* Waiting for handles. */
#include "os_win.h"

mcpw_pollfd mcpw_os_wait_input(mcpw_os_stream *stream) {
    char nothing;
    int ignored;
    if (stream->transfer == NULL) {
        return (mcpw_pollfd){stream->handle, MCPW_OS_IN, 0};
    }
    (void)mcpw_os_read(stream, &nothing, 0,
                       &ignored); /* so that a transfer is under way, or its bytes are there */
    return (mcpw_pollfd){mcpw_os_transfer_event(stream->transfer), MCPW_OS_IN, 0};
}

mcpw_pollfd mcpw_os_wait_output(mcpw_os_stream *stream, short events) {
    const bool is_waited_for = stream->transfer != NULL && events != 0;
    return (mcpw_pollfd){is_waited_for ? mcpw_os_transfer_event(stream->transfer) : MCPW_OS_NONE, events, 0};
}

/* The handles of the entries that have one. */
typedef struct handles {
    HANDLE all[MAXIMUM_WAIT_OBJECTS];
    mcpw_pollfd *entries[MAXIMUM_WAIT_OBJECTS];
    DWORD count;
} handles;

static bool collect(handles *h, mcpw_pollfd *entries, size_t count) {
    h->count = 0;
    for (size_t i = 0; i < count; i++) {
        entries[i].revents = 0;
        if (entries[i].fd <= 0) {
            continue;
        }
        if (h->count == MAXIMUM_WAIT_OBJECTS) {
            return false;
        }
        h->all[h->count] = (HANDLE)entries[i].fd;
        h->entries[h->count++] = entries + i;
    }
    return true;
}

int mcpw_os_wait(mcpw_pollfd *entries, size_t count, int timeout, int *number) {
    handles h;
    if (!collect(&h, entries, count)) {
        *number = ERROR_TOO_MANY_POSTS;
        return MCPW_OS_FAILED;
    }
    const DWORD most = timeout < 0 ? INFINITE : (DWORD)timeout;
    if (h.count == 0) {
        Sleep(most);
        return 0;
    }
    const DWORD first = WaitForMultipleObjects(h.count, h.all, FALSE, most);
    if (first == WAIT_TIMEOUT) {
        return 0;
    }
    if (first >= WAIT_OBJECT_0 + h.count) {
        *number = (int)GetLastError();
        return MCPW_OS_FAILED;
    }
    int ready = 0;
    for (DWORD i = first - WAIT_OBJECT_0; i < h.count; i++) { /* those before it are not ready */
        if (i == first - WAIT_OBJECT_0 || WaitForSingleObject(h.all[i], 0) == WAIT_OBJECT_0) {
            h.entries[i]->revents = h.entries[i]->events;
            ready++;
        }
    }
    return ready;
}
