/* SPDX-License-Identifier: MIT */
/* Other C libraries return large blocks themselves, or cannot be asked to. */
#include "http_serve_internal.h"

void mcpw_http_trim(void) {}
