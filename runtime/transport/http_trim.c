/* SPDX-License-Identifier: MIT */
/* glibc keeps large freed blocks after a small one that is in use. Without new requests it would keep them
 * for good. */
#include "http_serve_internal.h"

#include <malloc.h>

void mcpw_http_trim(void) { (void)malloc_trim(0); }
