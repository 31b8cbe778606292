/* SPDX-License-Identifier: MIT */
/* The headers of sockets on Windows. They come before <windows.h>. */
#ifndef MCPW_OS_NET_WIN_H
#define MCPW_OS_NET_WIN_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#include <winsock2.h>
#include <ws2tcpip.h>

typedef SOCKET mcpw_socket;

enum { MCPW_NET_WRITING = SD_SEND, MCPW_NET_BOTH = SD_BOTH /* of shutdown() */ };

#endif
