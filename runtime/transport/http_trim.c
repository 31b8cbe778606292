/* SPDX-License-Identifier: MIT */
/* glibc keeps large freed blocks that lie below a small one in use. Without new requests it would keep them
 * for good. */
#include "http_serve_internal.h"

#include <malloc.h>

void mcpw_http_trim(void) { (void)malloc_trim(0); }
