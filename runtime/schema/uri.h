/* SPDX-License-Identifier: MIT */
/* URI references, as far as schemas need them (RFC 3986, section 5). */
#ifndef MCPW_URI_H
#define MCPW_URI_H

#include <mcpw/arena.h>

/* A reference in parts, which are absent where their pointer is NULL. */
typedef struct mcpw_uri_parts {
    mcpw_str scheme;
    mcpw_str authority;
    mcpw_str path; /* present, if only as nothing */
    mcpw_str query;
} mcpw_uri_parts;

/* Takes a reference apart, which has no fragment. */
mcpw_uri_parts mcpw_uri_take_apart(mcpw_str text);

/* Cuts what stands before the byte `end` from the front of text, or all of it. */
mcpw_str mcpw_uri_cut(mcpw_str *text, char end);

/* Undoes the escapes of a fragment. out has room for its bytes. False when an escape is none. */
bool mcpw_uri_decode(mcpw_str text, char *out, size_t *len);

/* Takes the next step from a JSON pointer, which begins with a slash: *pointer moves past it. The step,
 * with its escapes undone, goes to out, which has room for as many bytes as the pointer. False when an escape
 * is none (RFC 6901). */
bool mcpw_pointer_step(mcpw_str *pointer, char *out, size_t *len);

/* The value of a percent escape's two digits; above 255 when they are none. */
unsigned mcpw_uri_hex(const char *p);

#endif
