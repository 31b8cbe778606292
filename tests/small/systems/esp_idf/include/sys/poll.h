/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#define POLLIN 1
#define POLLOUT 4
typedef unsigned nfds_t;
struct pollfd {
    int fd;
    short events;
    short revents;
};
int poll(struct pollfd *fds, nfds_t nfds, int timeout);
