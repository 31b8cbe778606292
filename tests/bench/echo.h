/* SPDX-License-Identifier: MIT */
/* The echo tool of the session bench, in the two ways that there are to write it. */
#ifndef BENCH_ECHO_H
#define BENCH_ECHO_H

#include <mcp/2026-07-28.h>
#include <mcpw/server.h>

/* A server whose registry holds the tool `echo`; NULL, with the reason on stderr, when that fails. */
MCPW_NODISCARD mcpw_server *bench_echo_server(mcpw_allocator allocator);

/* The same tool as a typed slot of 2026-07-28. */
extern const mcp_20260728_server_handlers bench_echo_handlers;

#endif
