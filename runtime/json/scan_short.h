/* SPDX-License-Identifier: MIT */
/* The scanner's way for short strings, without a call. */
#ifndef MCPW_JSON_SCAN_SHORT_H
#define MCPW_JSON_SCAN_SHORT_H

#include "block.h"
#include "scanner.h"

/* The place after the string at p, if it is plain and ends within a block; else NULL. */
MCPW_INLINE const unsigned char *mcpw_scan_short(const mcpw_scanner *s, const unsigned char *p) {
    if (s->end - p <= MCPW_BLOCK || *p != '"') {
        return NULL;
    }
    const mcpw_special special = mcpw_special_bytes(p + 1);
    const unsigned char *const end = p + 1 + (special != 0 ? mcpw_special_first(special) : 0);
    return *end == '"' ? end + 1 : NULL;
}

#endif
