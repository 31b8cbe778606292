/* SPDX-License-Identifier: MIT */
/* The command that opens a URL on desktops of freedesktop.org. */
#include "login_internal.h"

const char *mcpw_login_opener(void) { return "xdg-open"; }
