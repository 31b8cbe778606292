/* SPDX-License-Identifier: MIT */
/*
 * What holds where the sources are compiled without CMake: nothing is chosen, so that all revisions are there
 * and <mcp/pinned.h> stands for the default one. A build with CMake puts a header of its own before this
 * (cmake/config.h.in), and installs that one.
 */
#ifndef MCPW_CONFIG_H
#define MCPW_CONFIG_H

/* The version of mcpwire, as text. */
#define MCPW_VERSION "1.0.0"
/* The same as a number: 10203 is 1.2.3. */
#define MCPW_VERSION_NUMBER 10000

#endif
