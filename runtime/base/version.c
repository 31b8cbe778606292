/* SPDX-License-Identifier: MIT */
/* The version of the library, which may be newer than the headers of the program. */
#include <mcpw/base.h>

const char *mcpw_version(void) { return MCPW_VERSION; }
