/* SPDX-License-Identifier: MIT */
/* The offers of a server or client, computed once for all its sessions: mcpw_endpoint_new of
 * <mcpw/session.h>. */
#ifndef MCPW_ENDPOINT_H
#define MCPW_ENDPOINT_H

#include "../core/core.h"

/* Counts one more holder, who gives it up by mcpw_endpoint_free. */
void mcpw_endpoint_ref(mcpw_endpoint *endpoint);

#endif
