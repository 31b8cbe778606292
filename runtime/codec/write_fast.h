/* SPDX-License-Identifier: MIT */
/* Writing strings and texts of the pool in a few copies of a fixed size. Part of write.h. */
#ifndef MCPW_WRITE_FAST_H
#define MCPW_WRITE_FAST_H

#include <assert.h>

MCPW_INLINE unsigned char *mcpw_room(mcpw_writer *w, unsigned char *p, size_t n) {
    return MCPW_LIKELY(w->limit - p >= (ptrdiff_t)n) ? p : mcpw_write_grow(w, p, n);
}

MCPW_INLINE unsigned char *mcpw_put_pool(unsigned char *p, const char *text, size_t n) {
    memcpy(p, text, MCPW_COPY_BLOCK);
    for (size_t i = MCPW_COPY_BLOCK; MCPW_UNLIKELY(i < n); i += MCPW_COPY_BLOCK) {
        memcpy(p + i, text + i, MCPW_COPY_BLOCK);
    }
    return p + n;
}

MCPW_INLINE unsigned char *mcpw_put_word(mcpw_writer *w, unsigned char *p, const char *text, size_t n) {
    if (MCPW_UNLIKELY(n > MCPW_COPY_BLOCK)) {
        return mcpw_write_word(w, p, text, n);
    }
    memcpy(p, text, MCPW_COPY_BLOCK);
    return p + n;
}

/* Copies n bytes that are more than four blocks; false: some are special, or all are too many. */
MCPW_INLINE bool mcpw_copy_plain(mcpw_writer *w, unsigned char *p, const unsigned char *s, size_t n) {
    static_assert(MCPW_RUN_LEAST <= 4 * MCPW_COPY_BLOCK, "shorter ones are copied by blocks");
    return MCPW_LIKELY(n <= MCPW_RUN_MOST) && mcpw_write_runs(w)->plain(p, s, n);
}

/* A string with its quotes, for which room was made. Short ones, which are most, are copied and tested in two
 * overlapping pieces. */
MCPW_INLINE unsigned char *mcpw_put_string_here(mcpw_writer *w, unsigned char *p, mcpw_str text) {
    const unsigned char *const s = (const unsigned char *)text.ptr;
    const size_t n = text.len;
    *p++ = '"';
    uint64_t special;
    if (n > 4 * MCPW_COPY_BLOCK) {
        special = !mcpw_copy_plain(w, p, s, n);
    } else {
        special = mcpw_copy_plain_text(p, s, n);
    }
    if (MCPW_UNLIKELY(special != 0)) {
        return mcpw_write_string_rest(w, p, s, n);
    }
    p[n] = '"';
    return p + n + 1;
}

MCPW_INLINE unsigned char *mcpw_put_string(mcpw_writer *w, unsigned char *p, mcpw_str text) {
    p = mcpw_room(w, p, text.len);
    return MCPW_LIKELY(p != NULL) ? mcpw_put_string_here(w, p, text) : NULL;
}

enum { MCPW_FEW_DIGITS = 10000 }; /* below it an integer has up to four digits */

/* Writes an integer below MCPW_FEW_DIGITS: its four digits in a word, which is shifted past the zeros in
 * front. One product finds the tens of two numbers below 100. */
MCPW_INLINE unsigned char *mcpw_put_few_digits(unsigned char *p, uint32_t value) {
    const uint32_t hundreds = value / 100;
    const uint32_t pairs = hundreds | (value - hundreds * 100) << 16;
    const uint32_t tens = (pairs * 103 >> 10) & 0x000f000fU;
    const uint32_t digits = tens | (pairs - tens * 10) << 8;
    const unsigned skipped = (value < 1000 ? 1U : 0) + (value < 100 ? 1U : 0) + (value < 10 ? 1U : 0);
    mcpw_store_le32(p, (digits | 0x30303030U) >> (skipped * 8));
    return p + (4 - skipped);
}

/* An integer that most often is small. */
MCPW_INLINE unsigned char *mcpw_put_int(unsigned char *p, int64_t value) {
    return MCPW_LIKELY((uint64_t)value < MCPW_FEW_DIGITS) ? mcpw_put_few_digits(p, (uint32_t)value)
                                                          : p + mcpw_format_int((char *)p, value);
}

#endif
