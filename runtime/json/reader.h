/* SPDX-License-Identifier: MIT */
/*
 * The pull reader: one pass over the bytes of a JSON text.
 *
 * It copies the caller's text into the arena a block at a time, just ahead of where it reads (so that the
 * bytes are in the first-level cache when they are scanned), and works in the copy, which it owns. The text
 * itself is read only while it is copied (a long string is scanned as it is, by mcpw_scan_far), to restore
 * what a failed alternative changed, and for the guess at an id in message.c; never past its end:
 *
 *     copy   |......already read......p.........look-ahead.........filled|   not copied yet   |len| zeros |
 *                                                      fence = filled - MCPW_SLACK
 *
 * - After the text stand MCPW_TAIL zero bytes. A zero byte is a control character, so it ends every token,
 *   and no loop needs a test for the end of the text.
 * - While p < fence at least MCPW_SLACK bytes may be read from p on. Everything that advances p without a
 *   bound (text, digits, white space, members, items) tests the fence as it goes and calls mcpw_refill.
 * - Strings are decoded in place: the closing quote becomes the NUL, escapes are undone towards the front.
 *   Nothing is copied twice. Text that has to survive untouched (raw values) is skipped, not decoded.
 *
 * Functions return the place after what they read, or NULL when it is not what they look for; then at and
 * status have the place and the cause. Strings decoded in place stand before that place, so that a failed
 * alternative is undone from its beginning up to there.
 */
#ifndef MCPW_READER_H
#define MCPW_READER_H

#include <mcpw/json.h>

#include "../base/arena_internal.h"
#include "block.h"
#include "characters.h"

enum {
    MCPW_TAIL = 64,   /* zero bytes after the text, at least two blocks */
    MCPW_SLACK = 640, /* more than the longest key, discriminator and number that are read between tests */
};

typedef struct mcpw_reader {
    unsigned char *fence;
    unsigned char *base; /* the copy */
    unsigned char *filled;
    const unsigned char *source; /* the caller's text; NULL when the copy is all there is */
    size_t len;
    unsigned depth;          /* levels that may still be opened */
    bool saw_line_break;     /* a line break was passed between tokens */
    mcpw_status status;      /* of the last failure */
    const unsigned char *at; /* where it was noticed: nothing from there on was changed */
} mcpw_reader;

/* Reads text that is the caller's to write to. After it are MCPW_TAIL writable bytes, which are
 * zeroed. Takes nothing from an arena. */
void mcpw_reader_open_in_place(mcpw_reader *r, char *text, size_t len, unsigned depth);

/* Undoes the escapes of a short string token into out, for comparison. p is after the opening quote.
 * *len receives the length, or size + 1 when it is longer than size. */
unsigned char *mcpw_token_unescape(mcpw_reader *r, unsigned char *p, char *out, size_t size, size_t *len);

/* Skips one value of any type, checking its grammar. */
unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p);

unsigned char *mcpw_skip_space(mcpw_reader *r, unsigned char *p);
unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p);

/* Reads the numbers that the fast ways leave. */
unsigned char *mcpw_read_int_slow(mcpw_reader *r, unsigned char *p, int64_t *out);
unsigned char *mcpw_read_double_slow(mcpw_reader *r, unsigned char *p, double *out);

/* Notes a failure at p and returns NULL. */
MCPW_INLINE unsigned char *mcpw_stop(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    r->at = p;
    r->status = status;
    return NULL;
}

/* First part of opening a reader: all but the copy. */
MCPW_INLINE void mcpw_reader_set_up(mcpw_reader *r, const char *text, size_t len, unsigned depth) {
    r->source = (const unsigned char *)text;
    r->len = len;
    r->depth = depth;
    r->saw_line_break = false;
    r->status = MCPW_OK;
    r->at = NULL;
}

/* Second part: the place of the copy, all of which is there or will be at once. */
MCPW_INLINE void mcpw_reader_set_copy(mcpw_reader *r, unsigned char *base) {
    r->base = base;
    r->filled = base + r->len;
    r->fence = r->filled + MCPW_TAIL;
    memset(r->filled, 0, MCPW_TAIL);
}

MCPW_INLINE uint32_t mcpw_load32(const void *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

MCPW_INLINE unsigned char *mcpw_read_null(mcpw_reader *r, unsigned char *p) {
    return mcpw_load32(p) == mcpw_load32("null") ? p + 4 : mcpw_stop(r, p, MCPW_E_TYPE);
}

MCPW_INLINE unsigned char *mcpw_read_bool(mcpw_reader *r, unsigned char *p, bool *out) {
    if (mcpw_load32(p) == mcpw_load32("true")) {
        *out = true;
        return p + 4;
    }
    if (MCPW_LIKELY(mcpw_load32(p) == mcpw_load32("fals") && p[4] == 'e')) {
        *out = false;
        return p + 5;
    }
    return mcpw_stop(r, p, MCPW_E_TYPE);
}

enum { MCPW_FAST_DIGITS = 18 }; /* always fit in an int64_t */

/* The rest stands in whole files with one interface:
 *
 *   mcpw_reader_start       makes the copy and its first block; MCPW_E_MEMORY or MCPW_E_ARENA
 *   mcpw_look_ahead         copies on where p has come to the fence
 *   mcpw_space              skips white space, if there is any
 *   mcpw_scan               the first special byte from p on; whoever calls it has looked ahead
 *   mcpw_read_string        a string, decoded in place; p is after the opening quote
 *   mcpw_skip_string        a string, left as it is
 *   mcpw_read_int, mcpw_read_double
 */
#if defined(MCPW_SMALL)
#include "reader_small.h"
#else
#include "reader_fast.h"
#endif

#endif
