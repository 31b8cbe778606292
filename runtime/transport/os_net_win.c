/* SPDX-License-Identifier: MIT */
/* Sockets on Windows. */
#include "os_net.h"

#include "os.h"

#include <limits.h>

bool mcpw_net_start(void) {
    WSADATA data;
    const int number = WSAStartup(MAKEWORD(2, 2), &data);
    WSASetLastError(number);
    return number == 0;
}

/* Modes of a socket that was made; it is closed if they cannot be set. */
static SOCKET prepare(SOCKET made, bool waits) {
    u_long does_not_wait = 1;
    if (made != INVALID_SOCKET && !waits && ioctlsocket(made, (long)FIONBIO, &does_not_wait) != 0) {
        mcpw_net_close(&made);
    }
    return made;
}

mcpw_socket mcpw_net_open(int family, int type, int protocol, bool waits) {
    const DWORD flags = WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT;
    const bool is_started = mcpw_net_start();
    return is_started ? prepare(WSASocketW(family, type, protocol, NULL, 0, flags), waits) : INVALID_SOCKET;
}

/* A connection has the events and the modes of its listener. */
mcpw_socket mcpw_net_accept(mcpw_socket listener) {
    const SOCKET made = accept(listener, NULL, NULL);
    if (made != INVALID_SOCKET) {
        (void)SetHandleInformation((HANDLE)made, HANDLE_FLAG_INHERIT, 0);
        (void)WSAEventSelect(made, NULL, 0);
    }
    return prepare(made, false);
}

void mcpw_net_close(mcpw_socket *socket) {
    const int before = WSAGetLastError();
    if (*socket != INVALID_SOCKET) {
        (void)closesocket(*socket);
    }
    *socket = INVALID_SOCKET;
    WSASetLastError(before);
}

int mcpw_net_error(void) { return WSAGetLastError(); }

void mcpw_net_explain(char *text, size_t size) { mcpw_os_error_text(WSAGetLastError(), text, size); }

bool mcpw_net_lacks_address(int number) { return number == WSAEAFNOSUPPORT || number == WSAEADDRNOTAVAIL; }

/* SO_REUSEADDR would let two programs listen at one port. */
bool mcpw_net_take_port(mcpw_socket socket) {
    const BOOL on = TRUE;
    return setsockopt(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&on, sizeof on) == 0;
}

ptrdiff_t mcpw_net_send(mcpw_socket socket, const char *bytes, size_t len) {
    return send(socket, bytes, len < INT_MAX ? (int)len : INT_MAX, 0);
}

unsigned mcpw_net_most_sockets(void) { return INT_MAX; }

ptrdiff_t mcpw_net_receive(mcpw_socket socket, char *bytes, size_t room) {
    return recv(socket, bytes, room < INT_MAX ? (int)room : INT_MAX, 0);
}
