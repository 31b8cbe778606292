/* SPDX-License-Identifier: MIT */
/* The headers of sockets on POSIX. */
#ifndef MCPW_OS_NET_POSIX_H
#define MCPW_OS_NET_POSIX_H

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

typedef int mcpw_socket;

enum { MCPW_NET_WRITING = SHUT_WR, MCPW_NET_BOTH = SHUT_RDWR /* of shutdown() */ };

#endif
