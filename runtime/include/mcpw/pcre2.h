/* SPDX-License-Identifier: MIT */
/* Regular expressions by PCRE2, with the meaning that ECMA-262 gives them. In a library of its own
 * (mcpwire::pcre2, mcpwire-pcre2.pc), so that the others need nothing. */
#ifndef MCPW_PCRE2_H
#define MCPW_PCRE2_H

#include <mcpw/pattern.h>

MCPW_BEGIN_DECLS

/* The engine, for mcpw_schema_options.patterns. A step is what PCRE2 counts as its match limit. */
MCPW_API const mcpw_pattern_engine *mcpw_pcre2(void);

MCPW_END_DECLS

#endif
