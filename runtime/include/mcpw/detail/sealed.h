/* SPDX-License-Identifier: MIT */
/* Sessions use this to send JSON that was checked before. This is not part of the API and may change in any
 * version. */
#ifndef MCPW_DETAIL_SEALED_H
#define MCPW_DETAIL_SEALED_H

#include <mcpw/base.h>

MCPW_BEGIN_DECLS

/* Whether a value is known to be an object that has members, but none of these names: its text was checked,
 * nests at most max_depth deep and has no white space between its own tokens. A name with escapes or beyond
 * ASCII may be any. False says nothing. */
MCPW_API bool mcpw_sealed_lacks(mcpw_json object, unsigned max_depth, const mcpw_str *names, size_t count);

MCPW_END_DECLS

#endif
