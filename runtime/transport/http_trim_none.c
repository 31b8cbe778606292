/* SPDX-License-Identifier: MIT */
/* A C library that gives back large blocks by itself, or cannot be asked to. */
#include "http_serve_internal.h"

void mcpw_http_trim(void) {}
