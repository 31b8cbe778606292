/* SPDX-License-Identifier: MIT */
/* reader.h where speed counts: a long text is copied a block at a time, just ahead of where it is read, and
 * what is frequent is inline. reader.c and reader_fast.c call each other: the fast file leaves rare cases to
 * the slow one. */
#ifndef MCPW_READER_FAST_H
#define MCPW_READER_FAST_H

#include "number_fast.h"
#include "reader.h"

enum {
    MCPW_SHORT_BLOCKS = 2,  /* of a string that are looked at one by one; the rest, many at once */
    MCPW_NEAR = 256,        /* bytes of a string that are scanned by blocks before it counts as long */
    MCPW_FIRST_FILL = 8192, /* texts up to this size are copied at once */
    MCPW_NEXT_FILL = 1920   /* below the size from which memcpy changes to string instructions */
};

/* Begins to copy a text that is not copied at once. */
void mcpw_reader_begin_long(mcpw_reader *r);

/* Copies on until MCPW_SLACK bytes beyond p are there, or all of the text. */
void mcpw_refill(mcpw_reader *r, const unsigned char *p);

/* Scans a long plain run while copying it: where mcpw_scan goes on. */
unsigned char *mcpw_scan_far(mcpw_reader *r, unsigned char *p);

/* The parts of strings that are rare: escapes and non-ASCII characters. p is at a special byte. */
unsigned char *mcpw_string_rest(mcpw_reader *r, unsigned char *start, unsigned char *p, mcpw_str *out);
unsigned char *mcpw_skip_string_rest(mcpw_reader *r, unsigned char *p);

MCPW_INLINE void mcpw_look_ahead(mcpw_reader *r, const unsigned char *p) {
    if (MCPW_UNLIKELY(p >= r->fence)) {
        mcpw_refill(r, p);
    }
}

/* Inline, because short messages feel the call. */
MCPW_INLINE mcpw_status mcpw_reader_start(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                                          mcpw_arena *arena) {
    mcpw_reader_set_up(r, text, len, depth);
    unsigned char *const base = mcpw_arena_bump(arena, len + MCPW_TAIL);
    if (MCPW_UNLIKELY(base == NULL)) {
        return mcpw_arena_status(arena);
    }
    mcpw_reader_set_copy(r, base);
    if (MCPW_UNLIKELY(len > MCPW_FIRST_FILL)) {
        mcpw_reader_begin_long(r);
    } else if (len != 0) {
        memmove(base, text, len); /* see mcpw_refill */
    }
    return MCPW_OK;
}

MCPW_INLINE unsigned char *mcpw_space(mcpw_reader *r, unsigned char *p) {
    return MCPW_UNLIKELY(*p <= ' ') ? mcpw_skip_space(r, p) : p;
}
/* Finds the first special byte from p on. MCPW_NEAR bytes may be read at p: the caller has looked ahead. */
MCPW_INLINE unsigned char *mcpw_scan(mcpw_reader *r, unsigned char *p) {
    const unsigned char *const near = p + MCPW_NEAR;
    for (int i = 0; i < MCPW_SHORT_BLOCKS; i++, p += MCPW_BLOCK) {
        const mcpw_special m = mcpw_special_bytes(p);
        if (MCPW_LIKELY(m != 0)) {
            return p + mcpw_special_first(m);
        }
    }
    do {
        const uint64_t m = mcpw_special_wide(p);
        if (MCPW_LIKELY(m != 0)) {
            return p + mcpw_wide_first(m);
        }
        p += MCPW_WIDE;
    } while (p < near);
    return mcpw_scan_far(r, p);
}

/* Reads a string, which is decoded in place. p is after the opening quote. */
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

/* Skips a string, which is left as it is. p is after the opening quote. */
MCPW_INLINE unsigned char *mcpw_skip_string(mcpw_reader *r, unsigned char *p) {
    p = mcpw_scan(r, p);
    return MCPW_LIKELY(*p == '"') ? p + 1 : mcpw_skip_string_rest(r, p);
}
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
