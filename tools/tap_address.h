/* SPDX-License-Identifier: MIT */
/* The addresses of --listen and --to. */
#ifndef MCPWIRE_TAP_ADDRESS_H
#define MCPWIRE_TAP_ADDRESS_H

#include "tap_net.h"
#include <stdbool.h>
#include <stddef.h>

/* Splits "https://example.com/mcp": the origin goes to `origin`, and the path is returned. NULL: it is no
 * such URL; the error was printed. */
const char *address_of_url(const char *url, char *origin, size_t size);

/* Reads "[ADDRESS:]PORT"; an IPv6 address needs brackets. False: the error was printed. */
bool address_to_listen(const char *text, struct sockaddr_storage *to, bool *is_loopback);

#endif
