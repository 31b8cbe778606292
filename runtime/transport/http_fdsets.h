/* SPDX-License-Identifier: MIT */
/* The sets of sockets of select(), which libmicrohttpd asks for and reads. http_fdsets_posix.c and
 * http_fdsets_win.c implement them. */
#ifndef MCPW_HTTP_FDSETS_H
#define MCPW_HTTP_FDSETS_H

#include "os_net.h"

#include <microhttpd.h>

typedef struct mcpw_http_fdsets mcpw_http_fdsets;

/* NULL: no memory. */
mcpw_http_fdsets *mcpw_http_fdsets_new(void);
void mcpw_http_fdsets_free(mcpw_http_fdsets *sets);
/* The most connections that fit. */
unsigned mcpw_http_fdsets_most(void);
/* Passes on the sockets that a daemon waits for, with events of os_set.h, until that fails. */
MCPW_NODISCARD bool mcpw_http_fdsets_ask(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon,
                                         bool (*add)(void *self, mcpw_socket socket, unsigned events),
                                         void *self);
/* Empties the sets, and adds a socket that is ready. */
void mcpw_http_fdsets_clear(mcpw_http_fdsets *sets);
void mcpw_http_fdsets_mark(mcpw_http_fdsets *sets, mcpw_socket socket, unsigned events);
/* Lets the daemon work with the sockets that are ready. */
MCPW_NODISCARD bool mcpw_http_fdsets_run(mcpw_http_fdsets *sets, struct MHD_Daemon *daemon);

#endif
