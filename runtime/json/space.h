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

#include "characters.h"

/* Finds the first white space from p on that is outside of strings, or the end. p is outside of strings, too.
 */
MCPW_INLINE const unsigned char *mcpw_find_space(const unsigned char *p, const unsigned char *end) {
    while (p < end && !mcpw_is_space(*p)) {
        if (*p++ == '"') {
            while (*p != '"') {
                p += *p == '\\' ? 2 : 1;
            }
            p++;
        }
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
