/* SPDX-License-Identifier: MIT */
/*
 * The configuration of sources that are compiled without CMake. No revisions are selected, so all of them are
 * there, and <mcp/pinned.h> stands for the default one. A build with CMake uses and installs a header of its
 * own in place of this one (cmake/config.h.in).
 */
#ifndef MCPW_CONFIG_H
#define MCPW_CONFIG_H

/* The version of mcpwire, as text. */
#define MCPW_VERSION "1.0.0"
/* The same as a number: 10203 is 1.2.3. */
#define MCPW_VERSION_NUMBER 10000

#endif
