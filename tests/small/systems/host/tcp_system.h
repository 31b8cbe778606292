/* SPDX-License-Identifier: MIT */
/* The sockets of POSIX. */
#ifndef TCP_SYSTEM_H
#define TCP_SYSTEM_H

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define TCP_CAN_RECEIVE POLLIN
#define TCP_CAN_SEND POLLOUT
#define TCP_AT_ONCE MSG_DONTWAIT
#define tcp_socket socket
#define tcp_setsockopt setsockopt
#define tcp_bind bind
#define tcp_listen listen
#define tcp_accept accept
#define tcp_poll poll
#define tcp_receive recv
#define tcp_send send
#define tcp_close close

typedef struct pollfd tcp_watch;
typedef struct sockaddr_in tcp_address;
typedef struct sockaddr tcp_any_address;

#endif
