/* SPDX-License-Identifier: MIT */
/* Sockets: the headers of the system, and what each system does in its own way. Functions that are the same
 * everywhere, such as bind() and getaddrinfo(), are called directly. */
#ifndef MCPW_OS_NET_H
#define MCPW_OS_NET_H

#ifdef _WIN32
#include "os_net_win.h"
#else
#include "os_net_posix.h"
#endif

#include <mcpw/io.h>
#include <stddef.h>

#define MCPW_NO_SOCKET ((mcpw_socket)-1)

/* Makes sockets usable, until the process ends. False: the system has none. */
MCPW_NODISCARD bool mcpw_net_start(void);
/* Opens a socket that no child inherits; MCPW_NO_SOCKET: mcpw_net_error has the reason. waits false: its
 * calls never wait. */
mcpw_socket mcpw_net_open(int family, int type, int protocol, bool waits);
/* Takes a connection from a listening socket; no child inherits it, and its calls never wait. */
mcpw_socket mcpw_net_accept(mcpw_socket listener);
/* Closes a socket and sets it to MCPW_NO_SOCKET, which it may be already. mcpw_net_error stays as it is. */
void mcpw_net_close(mcpw_socket *socket);
/* The error number of the last call of this thread. */
int mcpw_net_error(void);
/* The words of that error. */
void mcpw_net_explain(char *text, size_t size);
/* True for the error number of bind() if this machine has no such address. */
bool mcpw_net_lacks_address(int number);
/* Lets bind() take a port over from connections that were closed just now, but not from a program that
 * listens there. */
MCPW_NODISCARD bool mcpw_net_take_port(mcpw_socket socket);
/* recv(), which may be interrupted, and send() without a signal. */
ptrdiff_t mcpw_net_receive(mcpw_socket socket, char *bytes, size_t room);
ptrdiff_t mcpw_net_send(mcpw_socket socket, const char *bytes, size_t len);
/* The number of sockets that this process may have. */
unsigned mcpw_net_most_sockets(void);

#endif
