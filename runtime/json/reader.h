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
 * - Behind the text stand MCPW_TAIL zero bytes. A zero byte is a control character, so it ends every token,
 *   and no loop needs a test for the end of the text.
 * - While p < fence at least MCPW_SLACK bytes may be read from p on. Everything that advances p without a
 *   bound (text, digits, white space, members, items) tests the fence as it goes and calls mcpw_refill.
 * - Strings are decoded in place: the closing quote becomes the NUL, escapes are undone towards the front.
 *   Nothing is copied twice. Text that has to survive untouched (raw values) is skipped, not decoded.
 *
 * Functions return the place behind what they read, or NULL when it is not what they look for; then at and
 * status tell where and why. What was decoded in place on the way stands before that place, so that a failed
 * alternative is undone from where it began up to there.
 */
#ifndef MCPW_READER_H
#define MCPW_READER_H

#include <mcpw/codec.h>
#include <mcpw/table.h>

#include <float.h>

#include "../base/arena_internal.h"
#include "characters.h"
#include "lane.h"
#include "runs.h"

enum {
    MCPW_TAIL = 64,   /* zero bytes behind the text, at least two lanes */
    MCPW_SLACK = 640, /* more than the longest key, discriminator and number that are read between tests */
    MCPW_NEAR = 256,  /* bytes of a string that are scanned by lanes */
    MCPW_FIRST_FILL = 8192, /* texts up to this size are copied at once */
    MCPW_NEXT_FILL = 1920   /* below the size from which memcpy changes to string instructions */
};

typedef struct mcpw_reader {
    unsigned char *fence;
    unsigned char *base; /* the copy */
    unsigned char *filled;
    const unsigned char *source; /* the caller's text; NULL when the copy is all there is */
    size_t len;
    mcpw_skipper *skip;      /* of masks.h, for texts that are long enough; else NULL */
    unsigned depth;          /* levels that may still be opened */
    bool saw_line_break;     /* between tokens */
    mcpw_status status;      /* of the last failure */
    const unsigned char *at; /* where it was noticed: nothing from there on was changed */
} mcpw_reader;

/* Makes the copy and its first block. MCPW_E_MEMORY or MCPW_E_ARENA. */
MCPW_NODISCARD mcpw_status mcpw_reader_open(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                                            mcpw_arena *arena);

/* The same over text that is the caller's to write to, with MCPW_TAIL writable bytes behind it (they are
 * zeroed). Takes nothing from an arena. */
void mcpw_reader_open_in_place(mcpw_reader *r, char *text, size_t len, unsigned depth);

/* Begins to copy a text that is not copied at once. */
void mcpw_reader_begin_long(mcpw_reader *r);

/* Copies on until MCPW_SLACK bytes beyond p are there, or all of the text. */
void mcpw_refill(mcpw_reader *r, const unsigned char *p);

/* Scans a long plain run while copying it: where mcpw_scan goes on. */
unsigned char *mcpw_scan_far(mcpw_reader *r, unsigned char *p);

#if !MCPW_COMPACT
/* The parts of strings that are rare: escapes and non-ASCII characters. p is at a special byte. */
unsigned char *mcpw_string_rest(mcpw_reader *r, unsigned char *start, unsigned char *p, mcpw_str *out);
unsigned char *mcpw_skip_string_rest(mcpw_reader *r, unsigned char *p);
#endif

/* Undoes the escapes of a short string token into out, for comparison. p is behind the opening quote.
 * *len receives the length, or size + 1 when it is longer than size. */
unsigned char *mcpw_token_unescape(mcpw_reader *r, unsigned char *p, char *out, size_t size, size_t *len);

/* Skips one value of any type, checking its grammar. */
unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p);

unsigned char *mcpw_skip_space(mcpw_reader *r, unsigned char *p);
unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p);

/* Numbers that the fast paths leave. */
unsigned char *mcpw_read_int_slow(mcpw_reader *r, unsigned char *p, int64_t *out);
unsigned char *mcpw_read_double_slow(mcpw_reader *r, unsigned char *p, double *out);

/* Notes a failure at p and returns NULL. */
MCPW_INLINE unsigned char *mcpw_stop(mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    r->at = p;
    r->status = status;
    return NULL;
}

MCPW_INLINE void mcpw_look_ahead(mcpw_reader *r, const unsigned char *p) {
    if (!MCPW_COMPACT && MCPW_UNLIKELY(p >= r->fence)) { /* where size counts all is copied at once */
        mcpw_refill(r, p);
    }
}

/* The parts of opening a reader: all but the copy, */
MCPW_INLINE void mcpw_reader_set_up(mcpw_reader *r, const char *text, size_t len, unsigned depth) {
    r->source = (const unsigned char *)text;
    r->len = len;
    r->skip = NULL;
    r->depth = depth;
    r->saw_line_break = false;
    r->status = MCPW_OK;
    r->at = NULL;
}

/* and the place of the copy, all of which is there or will be at once. */
MCPW_INLINE void mcpw_reader_set_copy(mcpw_reader *r, unsigned char *base) {
    r->base = base;
    r->filled = base + r->len;
    r->fence = r->filled + MCPW_TAIL;
    memset(r->filled, 0, MCPW_TAIL);
}

/* mcpw_reader_open, for the decoders: short messages feel the call. */
MCPW_INLINE mcpw_status mcpw_reader_open_inline(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                                                mcpw_arena *arena) {
    mcpw_reader_set_up(r, text, len, depth);
    unsigned char *const base = mcpw_arena_bump(arena, len + MCPW_TAIL);
    if (MCPW_UNLIKELY(base == NULL)) {
        return mcpw_arena_status(arena);
    }
    mcpw_reader_set_copy(r, base);
    if (!MCPW_COMPACT && MCPW_UNLIKELY(len > MCPW_FIRST_FILL)) {
        mcpw_reader_begin_long(r);
    } else if (len != 0) {
        memmove(base, text, len); /* see mcpw_refill */
    }
    return MCPW_OK;
}

#if MCPW_COMPACT
#define mcpw_reader_start mcpw_reader_open
#define mcpw_space mcpw_skip_space
#else
#define mcpw_reader_start mcpw_reader_open_inline

MCPW_INLINE unsigned char *mcpw_space(mcpw_reader *r, unsigned char *p) {
    return MCPW_UNLIKELY(*p <= ' ') ? mcpw_skip_space(r, p) : p;
}
#endif

/* The first special byte from p on. MCPW_NEAR bytes may be read at p: whoever calls this has looked ahead. */
MCPW_ONE_COPY unsigned char *mcpw_scan(mcpw_reader *r, unsigned char *p) {
#if MCPW_COMPACT
    (void)r;
    while (*p >= ' ' && *p < 0x80 && *p != '"' && *p != '\\') {
        p++;
    }
    return p;
#else
    const unsigned char *const near = p + MCPW_NEAR;
    do {
        const mcpw_special m = mcpw_special_bytes(p);
        if (MCPW_LIKELY(m != 0)) {
            return p + mcpw_special_first(m);
        }
        p += MCPW_LANE;
    } while (p < near);
    return mcpw_scan_far(r, p);
#endif
}

#if MCPW_COMPACT
/* A string, decoded in place or, also where out is NULL, left as it is. p is behind the opening quote. */
unsigned char *mcpw_read_string(mcpw_reader *r, unsigned char *p, mcpw_str *out);
unsigned char *mcpw_skip_string(mcpw_reader *r, unsigned char *p);
#else
/* A string, decoded in place. p is behind the opening quote. */
MCPW_INLINE unsigned char *mcpw_read_string(mcpw_reader *r, unsigned char *p, mcpw_str *out) {
    unsigned char *const start = p;
    p = mcpw_scan(r, p);
    if (MCPW_UNLIKELY(*p != '"')) {
        return mcpw_string_rest(r, start, p, out);
    }
    *p = 0;
    out->ptr = (const char *)start;
    out->len = (size_t)(p - start);
    return p + 1;
}

/* A string, left as it is. p is behind the opening quote. */
MCPW_INLINE unsigned char *mcpw_skip_string(mcpw_reader *r, unsigned char *p) {
    p = mcpw_scan(r, p);
    return MCPW_LIKELY(*p == '"') ? p + 1 : mcpw_skip_string_rest(r, p);
}
#endif

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

#if MCPW_COMPACT
#define mcpw_read_int mcpw_read_int_slow
#define mcpw_read_double mcpw_read_double_slow
#else
MCPW_INLINE unsigned char *mcpw_read_int(mcpw_reader *r, unsigned char *p, int64_t *out) {
    unsigned char *const start = p;
    const bool negative = *p == '-';
    p += negative;
    unsigned digit = (unsigned)*p - '0';
    uint64_t m = digit;
    if (MCPW_UNLIKELY(digit >= 10U || (digit == 0 && mcpw_is_digit(p[1])))) {
        return mcpw_read_int_slow(r, start, out);
    }
    const unsigned char *const last = p + MCPW_FAST_DIGITS;
    for (p++; (digit = (unsigned)*p - '0') < 10U; p++) {
        if (MCPW_UNLIKELY(p == last)) {
            return mcpw_read_int_slow(r, start, out);
        }
        m = m * 10 + digit;
    }
    if (MCPW_UNLIKELY(*p == '.' || (*p | 0x20) == 'e')) {
        return mcpw_read_int_slow(r, start, out);
    }
    *out = negative ? -(int64_t)m : (int64_t)m;
    return p;
}

#endif

/* Whether an operation on doubles is rounded once, to a double. x87 code rounds to wider registers first. */
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1)
enum { MCPW_PLAIN_DOUBLES = true };
#else
enum { MCPW_PLAIN_DOUBLES = false };
#endif

/* Powers of ten that a double holds exactly: with a mantissa below 2^53 one division or multiplication is
 * correctly rounded. */
enum { MCPW_EXACT_POWER = 22 };
extern const double mcpw_powers_of_ten[MCPW_EXACT_POWER + 1];

#if !MCPW_COMPACT
MCPW_INLINE unsigned char *mcpw_read_double(mcpw_reader *r, unsigned char *p, double *out) {
    unsigned char *const start = p;
    const bool negative = *p == '-';
    p += negative;
    unsigned digit = (unsigned)*p - '0';
    uint64_t m = digit;
    if (MCPW_UNLIKELY(digit >= 10U || (digit == 0 && mcpw_is_digit(p[1])))) {
        return mcpw_read_double_slow(r, start, out);
    }
    const unsigned char *last = p + MCPW_FAST_DIGITS;
    for (p++; (digit = (unsigned)*p - '0') < 10U; p++) {
        if (MCPW_UNLIKELY(p == last)) {
            return mcpw_read_double_slow(r, start, out);
        }
        m = m * 10 + digit;
    }
    ptrdiff_t fraction = 0;
    if (*p == '.') {
        const unsigned char *const after = ++p;
        last++;
        for (; (digit = (unsigned)*p - '0') < 10U; p++) {
            if (MCPW_UNLIKELY(p == last)) {
                return mcpw_read_double_slow(r, start, out);
            }
            m = m * 10 + digit;
        }
        fraction = p - after;
        if (MCPW_UNLIKELY(fraction == 0 || !MCPW_PLAIN_DOUBLES)) {
            return mcpw_read_double_slow(r, start, out);
        }
    }
    if (MCPW_UNLIKELY(m > (UINT64_C(1) << 53) || (*p | 0x20) == 'e')) {
        return mcpw_read_double_slow(r, start, out);
    }
    double v = (double)m;
    if (fraction > 0) {
        v /= mcpw_powers_of_ten[fraction];
    }
    *out = negative ? -v : v;
    return p;
}

#endif

/* The JSON type of a value by its first byte, as one of MCPW_IS_...; 0 for none. */
unsigned mcpw_json_type(unsigned char c);

#endif
