/* SPDX-License-Identifier: MIT */
/*
 * A wire over TCP, for one client at a time. A client that comes takes the place of the one before, which may
 * be gone without a word. Nobody is asked who he is: use it where everybody who can connect may use the
 * tools.
 */
#ifndef DEVICE_TCP_H
#define DEVICE_TCP_H

#include "wire.h"

/* Serves until the listening socket fails, or returns at once if the port cannot be had. now: ms of a clock.
 */
void tcp_serve(wire *w, uint16_t port, uint64_t (*now)(void));

#endif
