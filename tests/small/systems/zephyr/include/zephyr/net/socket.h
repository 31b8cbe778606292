/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#define AF_INET 1
#define SOCK_STREAM 1
#define IPPROTO_TCP 6
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define ZSOCK_POLLIN 1
#define ZSOCK_POLLOUT 4
#define ZSOCK_MSG_DONTWAIT 0x40
#define htons(x) ((uint16_t)((uint16_t)((x) << 8) | (uint16_t)((x) >> 8)))
typedef uint16_t sa_family_t;
typedef size_t socklen_t;
struct sockaddr {
    sa_family_t sa_family;
    char data[6];
};
struct sockaddr_in {
    sa_family_t sin_family;
    uint16_t sin_port;
    uint32_t sin_addr;
};
struct zsock_pollfd {
    int fd;
    short events;
    short revents;
};
int zsock_socket(int family, int type, int proto);
int zsock_setsockopt(int sock, int level, int optname, const void *optval, socklen_t optlen);
int zsock_bind(int sock, const struct sockaddr *addr, socklen_t addrlen);
int zsock_listen(int sock, int backlog);
int zsock_accept(int sock, struct sockaddr *addr, socklen_t *addrlen);
int zsock_poll(struct zsock_pollfd *fds, int nfds, int timeout);
ssize_t zsock_recv(int sock, void *buf, size_t max_len, int flags);
ssize_t zsock_send(int sock, const void *buf, size_t len, int flags);
int zsock_close(int sock);
