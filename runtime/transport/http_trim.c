/* SPDX-License-Identifier: MIT */
/* The C library of GNU keeps large blocks that were freed behind a small one that is in use, for good where
 * no request comes. */
#include "http_serve_internal.h"

#include <malloc.h>

void mcpw_http_trim(void) { (void)malloc_trim(0); }
