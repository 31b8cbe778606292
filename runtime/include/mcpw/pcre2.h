/* SPDX-License-Identifier: MIT */
/* Regular expressions by PCRE2, with the meaning that ECMA-262 gives them. In a library of its own
 * (mcpwire::pcre2, mcpwire-pcre2.pc), so that the others need nothing. */
#ifndef MCPW_PCRE2_H
#define MCPW_PCRE2_H

#include <mcpw/pattern.h>

MCPW_BEGIN_DECLS

/* The engine, for mcpw_schema_options.patterns. A match may take MCPW_PCRE2_MATCH_LIMIT steps of PCRE2: a
 * hostile pattern, or a hostile text, costs bounded time and is MCPW_E_WORK. */
MCPW_API const mcpw_pattern_engine *mcpw_pcre2(void);

enum { MCPW_PCRE2_MATCH_LIMIT = 1000000 /* steps that a match may take */ };

MCPW_END_DECLS

#endif
