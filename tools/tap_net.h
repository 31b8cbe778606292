/* SPDX-License-Identifier: MIT */
/* The headers of sockets. On Windows they come before <windows.h>. */
#ifndef MCPWIRE_TAP_NET_H
#define MCPWIRE_TAP_NET_H

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

#include <stdbool.h>

/* Whether a connection has bytes to be read (*has_bytes), and false if its client has gone. A client whose
 * next request waits is there. It never waits. The socket is of the type of the system. */
#ifdef _WIN32
bool tap_is_connected(SOCKET client, bool *has_bytes);
#else
bool tap_is_connected(int client, bool *has_bytes);
#endif

#endif
