/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#define AF_INET 2
#define SOCK_STREAM 1
#define IPPROTO_TCP 6
#define SOL_SOCKET 0xfff
#define SO_REUSEADDR 4
#define MSG_DONTWAIT 8
#define htons(x) ((uint16_t)((uint16_t)((x) << 8) | (uint16_t)((x) >> 8)))
typedef uint32_t socklen_t;
struct sockaddr {
    uint8_t sa_len, sa_family;
    char sa_data[14];
};
struct sockaddr_in {
    uint8_t sin_len, sin_family;
    uint16_t sin_port;
    uint32_t sin_addr;
};
int socket(int domain, int type, int protocol);
int setsockopt(int s, int level, int optname, const void *opval, socklen_t optlen);
int bind(int s, const struct sockaddr *name, socklen_t namelen);
int listen(int s, int backlog);
int accept(int s, struct sockaddr *addr, socklen_t *addrlen);
ssize_t recv(int s, void *mem, size_t len, int flags);
ssize_t send(int s, const void *dataptr, size_t size, int flags);
