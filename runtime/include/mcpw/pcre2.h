/* SPDX-License-Identifier: MIT */
/* Regular expressions by PCRE2, with the meaning of ECMA-262. It is a library of its own (mcpwire::pcre2,
 * mcpwire-pcre2.pc), so that the other libraries do not need PCRE2. */
#ifndef MCPW_PCRE2_H
#define MCPW_PCRE2_H

#include <mcpw/pattern.h>

MCPW_BEGIN_DECLS

/* The engine, for mcpw_schema_options.patterns. A step is one count of the match limit of PCRE2.
 * The counts of all places where a match may begin are added up, and may be rounded up. */
MCPW_STATIC_API const mcpw_pattern_engine *mcpw_pcre2(void);

MCPW_END_DECLS

#endif
