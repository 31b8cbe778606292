/* SPDX-License-Identifier: MIT */
/* The sockets of Zephyr. */
#ifndef TCP_SYSTEM_H
#define TCP_SYSTEM_H

#include <zephyr/net/socket.h>

#define TCP_CAN_RECEIVE ZSOCK_POLLIN
#define TCP_CAN_SEND ZSOCK_POLLOUT
#define TCP_AT_ONCE ZSOCK_MSG_DONTWAIT
#define tcp_socket zsock_socket
#define tcp_setsockopt zsock_setsockopt
#define tcp_bind zsock_bind
#define tcp_listen zsock_listen
#define tcp_accept zsock_accept
#define tcp_poll zsock_poll
#define tcp_receive zsock_recv
#define tcp_send zsock_send
#define tcp_close zsock_close

typedef struct zsock_pollfd tcp_watch;
typedef struct sockaddr_in tcp_address;
typedef struct sockaddr tcp_any_address;

#endif
