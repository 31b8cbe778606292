/* SPDX-License-Identifier: MIT */
/* The flags of mcpw_options, of which a build may leave out some. */
#ifndef MCPW_CODEC_FLAGS_H
#define MCPW_CODEC_FLAGS_H

#include <mcpw/codec.h>

#include "../base/compiler.h"

#if defined(MCPW_NO_STRICT)
enum { MCPW_LACKS_STRICT = MCPW_STRICT };
#else
enum { MCPW_LACKS_STRICT = 0 };
#endif
#if defined(MCPW_NO_LENIENCY)
enum { MCPW_LACKS_LENIENCY = MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS };
#else
enum { MCPW_LACKS_LENIENCY = 0 };
#endif

/* Flags that the build leaves out: MCPW_E_ARGUMENT if they are set. */
enum { MCPW_LACKED_FLAGS = MCPW_LACKS_STRICT | MCPW_LACKS_LENIENCY };

/* Whether one of `wanted` is among the flags. Compilers drop the code behind flags that are left out. */
MCPW_INLINE bool mcpw_has_flag(unsigned flags, unsigned wanted) {
    return (flags & wanted & ~(unsigned)MCPW_LACKED_FLAGS) != 0;
}

#endif
