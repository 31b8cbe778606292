/* SPDX-License-Identifier: MIT */
/* Requests that another thread has, for <mcpw/thread.h>. mcpw_request_serve, which registries ask for, stands
 * in registry.h. */
#ifndef MCPW_DETACH_H
#define MCPW_DETACH_H

#include "../core/threads.h"

#endif
