/* SPDX-License-Identifier: MIT */
/* How deep, how long and of how many elements a JSON text may be, where nobody says otherwise. */
#ifndef MCPW_LIMITS_H
#define MCPW_LIMITS_H

#include <mcpw/base.h>

/* Nested arrays and objects, where the options name no limit. */
#define MCPW_DEFAULT_DEPTH 128U
/* The largest limit of nesting. A larger one is refused as MCPW_E_ARGUMENT, because the engine recurses. */
#define MCPW_MAX_DEPTH 512U
/* Bytes of a text, where the options name no limit: 64 MiB. */
#define MCPW_DEFAULT_BYTES (MCPW_CAST(size_t, 64) << 20)
/* Elements of a text, where the options name no limit: 16 million. */
#define MCPW_DEFAULT_ELEMENTS (MCPW_CAST(size_t, 16) << 20)

#endif
