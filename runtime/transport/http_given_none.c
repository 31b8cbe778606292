/* SPDX-License-Identifier: MIT */
/* Without socket activation. */
#include <mcpw/http_serve.h>

int mcpw_http_given_socket(void) { return -1; }
