/* SPDX-License-Identifier: MIT */
/* Regular expressions of ECMA-262 (section 22.2, flag u) in the words of PCRE2. */
#ifndef MCPW_ECMA_H
#define MCPW_ECMA_H

#include <mcpw/arena.h>

/* Appends the translation of a pattern. MCPW_E_FORMAT when it is none, with *why and *at; MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_ecma_translate(mcpw_str pattern, mcpw_buffer *out, const char **why,
                                               size_t *at);

/* The name that PCRE2 has for a property of characters, such as Lu for Uppercase_Letter; the same when it has
 * no other. */
mcpw_str mcpw_ecma_property(mcpw_str name);

#endif
