/* SPDX-License-Identifier: MIT */
/* URI references, as far as schemas need them (RFC 3986, section 5). */
#ifndef MCPW_URI_H
#define MCPW_URI_H

#include <mcpw/arena.h>

/* What a reference leads to. */
typedef struct mcpw_target {
    mcpw_str uri;      /* without fragment */
    mcpw_str fragment; /* decoded; empty when there is none */
} mcpw_target;

/* Resolves a reference against a base, which has no fragment and may be empty. Texts lie in the arena, with a
 * NUL behind them. MCPW_E_FORMAT when a %xx in the fragment is none. */
MCPW_NODISCARD mcpw_status mcpw_uri_resolve(mcpw_arena *arena, mcpw_str base, mcpw_str reference,
                                            mcpw_target *out);

/* Takes the next step from a JSON pointer, which begins with a slash: *pointer moves behind it. The step,
 * with its escapes undone, goes to out, which has room for as many bytes as the pointer. False when an escape
 * is none (RFC 6901). */
bool mcpw_pointer_step(mcpw_str *pointer, char *out, size_t *len);

/* The value of a percent escape's two digits; above 255 when they are none. */
unsigned mcpw_uri_hex(const char *p);

#endif
