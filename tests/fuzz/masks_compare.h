/* SPDX-License-Identifier: MIT */
/* What masks say of a text must be what the scanner says: they may be in doubt only where they are allowed
 * to. */
#ifndef MCPW_MASKS_COMPARE_H
#define MCPW_MASKS_COMPARE_H

#include "masks.h"
#include "scanner.h"

#include <stdlib.h>

enum { MASKS_DEPTH = 100, MASKS_LEVELS = 50 };

/* Control characters (line breaks are between tokens), and many levels. */
static inline bool masks_may_doubt(const unsigned char *text, size_t len) {
    unsigned levels = 0;
    bool control = false;
    for (size_t i = 0; i < len; i++) {
        levels += text[i] == '[' || text[i] == '{';
        control |= text[i] < ' ';
    }
    return control || levels > MASKS_LEVELS;
}

/* text begins with a bracket. Returns whether the two agree; *valid: the text begins with a value. */
static inline bool masks_agree(mcpw_skipper *skip, const unsigned char *text, size_t len, bool *valid) {
    enum { MARK = 0xee };
    unsigned char *const from = malloc(len); /* of that size, so that sanitizers see what is read behind it */
    unsigned char *const to = malloc(len);
    size_t copied = 0;
    mcpw_scanner s;
    bool agree = from != NULL && to != NULL;
    *valid = false;
    if (agree) {
        memcpy(from, text, len);
        memset(to, MARK, len);
        mcpw_scanner_open(&s, from + len, MASKS_DEPTH);
        const unsigned char *const end = mcpw_scan_value(&s, from);
        const size_t want = end != NULL ? (size_t)(end - from) : 0;
        const size_t got = skip(from, len, to, MASKS_DEPTH, &copied);
        *valid = want != 0;
        agree = got == want || (got == 0 && want != 0 && (masks_may_doubt(from, len) || want != len));
        agree = agree && copied <= len && memcmp(from, to, copied) == 0;
        agree = agree && skip(from, len, NULL, MASKS_DEPTH, &copied) == got && copied == 0;
    }
    free(from);
    free(to);
    return agree;
}

#endif
