/* SPDX-License-Identifier: MIT */
/* Lists of scopes, as texts. (RFC 6749, section 3.3.) */
#ifndef MCPW_SCOPES_H
#define MCPW_SCOPES_H

#include "../attach.h"
#include "uri_template.h"

/* Whether a scope may contain a character. */
static inline bool mcpw_scope_has(unsigned char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; }

/* Takes the next "{name}" off a text, with the literal before it; false: there is none, and literal has the
 * rest. */
bool mcpw_scopes_next_variable(mcpw_str *text, mcpw_str *literal, mcpw_str *name);

/* The place of a variable in a template; its count: there is none. */
size_t mcpw_uri_template_place(const mcpw_uri_template *uri_template, mcpw_str name);

/* Finds the fault of an entry's scopes, whose template may be NULL; NULL: there is none. */
const char *mcpw_scopes_fault(mcpw_str scopes, const mcpw_uri_template *uri_template);

#endif
