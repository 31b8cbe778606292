/* SPDX-License-Identifier: MIT */
/* Requests that another thread has: <mcpw/thread.h>; mcpw_request_serve, which registries ask for, is in
 * registry.h. */
#ifndef MCPW_DETACH_H
#define MCPW_DETACH_H

#include "threads.h"

#endif
