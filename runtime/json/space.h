/* SPDX-License-Identifier: MIT */
/* Removing the white space between the tokens of a text that is known to be JSON. Each run of other text is
 * taken as it stands:
 *     while (p < end) {
 *         run = p;
 *         p = mcpw_find_space(p, end);
 *         ... run..p ...
 *         p = mcpw_pass_space(p, end);
 *     }
 */
#ifndef MCPW_SPACE_H
#define MCPW_SPACE_H

#include "block_runs.h"

/* The place after a string; p is after its opening quote. */
MCPW_INLINE const unsigned char *mcpw_pass_text(const unsigned char *p, const unsigned char *end) {
    for (; p < end && *p != '"'; p = MCPW_COMPACT ? p : mcpw_block_scan(p, end)) {
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
    return p < end ? p + 1 : end;
}

/* Finds the first white space from p on that is outside of strings, or the end. p is outside of strings, too.
 */
MCPW_INLINE const unsigned char *mcpw_find_space(const unsigned char *p, const unsigned char *end) {
    while (p < end && !mcpw_is_space(*p)) {
        p = *p == '"' ? mcpw_pass_text(p + 1, end) : p + 1;
    }
    return p;
}

MCPW_INLINE const unsigned char *mcpw_pass_space(const unsigned char *p, const unsigned char *end) {
    while (p < end && mcpw_is_space(*p)) {
        p++;
    }
    return p;
}

#endif
