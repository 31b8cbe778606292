/* SPDX-License-Identifier: MIT */
/* What an end of sessions is, worked out once and shared: mcpw_endpoint_new of <mcpw/session.h>. */
#ifndef MCPW_ENDPOINT_H
#define MCPW_ENDPOINT_H

#include "core.h"

/* One more holder, who gives it up by mcpw_endpoint_free. */
void mcpw_endpoint_hold(mcpw_endpoint *endpoint);

#endif
