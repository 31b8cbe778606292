/* SPDX-License-Identifier: MIT */
/* compiler.h for the small library: what is forced inline elsewhere is left to the compiler. */
#ifndef MCPW_PREFER_SIZE_H
#define MCPW_PREFER_SIZE_H

#include <string.h>

enum { MCPW_COMPACT = 1 }; /* prefer_size.h is included, not prefer_speed.h */
#define MCPW_INLINE static MCPW_UNUSED
#define MCPW_INLINE_OR_CALL                                                                                  \
    static MCPW_NOINLINE /* so that the compiler does not copy it into large callers */

/* A function in a header whose only copy is in one source file, which declares it `extern inline`. It calls
 * nothing that is static. */
#define MCPW_ONE_COPY inline

#define mcpw_clear(to, size) ((void)memset((to), 0, (size)))

#endif
