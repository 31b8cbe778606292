/* SPDX-License-Identifier: MIT */
/* URI templates (RFC 6570): level 1, and {+name} of level 2, read backwards to match URIs. */
#ifndef MCPW_URI_TEMPLATE_H
#define MCPW_URI_TEMPLATE_H

#include <mcpw/server.h>

/* A variable and the literal text before it. */
typedef struct mcpw_uri_part {
    mcpw_str literal;
    mcpw_str name;
    bool reserved; /* {+name}, which also stands for reserved characters, slashes among them */
} mcpw_uri_part;

/* A template. It points into the text that it was parsed from. */
typedef struct mcpw_uri_template {
    size_t count;
    mcpw_str tail; /* the literal after the last variable */
    mcpw_uri_part parts[MCPW_MAX_VARIABLES];
} mcpw_uri_template;

MCPW_NODISCARD mcpw_status mcpw_uri_template_parse(mcpw_uri_template *out, mcpw_str text, mcpw_error *error);

/* Whether a URI is an expansion of the template. Each variable stands for one character at least, and for as
 * few as possible. values receives what the variables stand for, percent-decoded into the arena. Text that
 * does not decode to UTF-8 without NUL does not match. MCPW_E_NOT_FOUND: no match. Takes time linear in the
 * length of the URI for each variable. */
MCPW_NODISCARD mcpw_status mcpw_uri_template_match(const mcpw_uri_template *uri_template, mcpw_str uri,
                                                   mcpw_arena *arena, mcpw_str values[MCPW_MAX_VARIABLES]);

#endif
