/* SPDX-License-Identifier: MIT */
/* The default limits of a JSON text: its depth, its length and its number of elements. */
#ifndef MCPW_LIMITS_H
#define MCPW_LIMITS_H

#include <mcpw/base.h>

/* The default limit of nested arrays and objects. */
#define MCPW_DEFAULT_DEPTH 128U
/* The largest allowed limit of nesting. A larger one is refused with MCPW_E_ARGUMENT, because the engine
 * recurses. */
#define MCPW_MAX_DEPTH 512U
/* The default limit of the bytes of a text: 64 MiB. */
#define MCPW_DEFAULT_BYTES (MCPW_CAST(size_t, 64) << 20)
/* The default limit of the elements of a text: 16,777,216. */
#define MCPW_DEFAULT_ELEMENTS (MCPW_CAST(size_t, 16) << 20)

#endif
