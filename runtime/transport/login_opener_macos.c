/* SPDX-License-Identifier: MIT */
/* The command that opens a URL on macOS. */
#include "login_internal.h"

const char *mcpw_login_opener(void) { return "open"; }
