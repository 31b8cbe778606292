/* SPDX-License-Identifier: MIT */
/* The parts of the reader that are not on the hot path, or are too long to be inline. */
#include "reader.h"

#include "../codec/error_internal.h"
#include "number.h"
#include "scanner.h"

#if !MCPW_COMPACT
const double mcpw_powers_of_ten[MCPW_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#endif

mcpw_status mcpw_reader_open(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                             mcpw_arena *arena) {
    return mcpw_reader_open_inline(r, text, len, depth, arena);
}

void mcpw_reader_open_in_place(mcpw_reader *r, char *text, size_t len, unsigned depth) {
    mcpw_reader_set_up(r, NULL, len, depth);
    mcpw_reader_set_copy(r, (unsigned char *)text);
}

#if !MCPW_COMPACT
static void set_fence(mcpw_reader *r) {
    r->fence =
        (size_t)(r->filled - r->base) == r->len ? r->base + r->len + MCPW_TAIL : r->filled - MCPW_SLACK;
}

MCPW_NOINLINE void mcpw_refill(mcpw_reader *r, const unsigned char *p) {
    while (p >= r->fence) {
        const size_t done = (size_t)(r->filled - r->base);
        const size_t left = r->len - done;
        if (left == 0) { /* uncovered: whether it comes here depends on where the text ends in a block */
            return;
        }
        const size_t step = left < MCPW_NEXT_FILL ? left : MCPW_NEXT_FILL;
        memmove(r->filled, r->source + done,
                step); /* as memcpy, which compilers turn into string instructions */
        r->filled += step;
        set_fence(r);
    }
}

/* Copies MCPW_LANES lanes; whether a special byte is among them. */
enum { MCPW_LANES = 4 };

static bool copy_lanes(unsigned char *to, const unsigned char *p) {
    const mcpw_special a = mcpw_special_copy(to, p) | mcpw_special_copy(to + MCPW_LANE, p + MCPW_LANE);
    to += MCPW_LANES / 2 * MCPW_LANE;
    p += MCPW_LANES / 2 * MCPW_LANE;
    const mcpw_special b = mcpw_special_copy(to, p) | mcpw_special_copy(to + MCPW_LANE, p + MCPW_LANE);
    return (a | b) != 0;
}

/* Scans what has been copied first, then goes on in the source, copying each lane as it is looked at. */
MCPW_NOINLINE unsigned char *mcpw_scan_far(mcpw_reader *r, unsigned char *p) {
    if ((size_t)(r->filled - r->base) != r->len) {
        while (r->filled - p >= MCPW_LANE) {
            const mcpw_special m = mcpw_special_bytes(p);
            if (m != 0) {
                p += mcpw_special_first(m);
                mcpw_refill(r, p);
                return p;
            }
            p += MCPW_LANE;
        }
        const unsigned char *from = r->source + (p - r->base);
        const unsigned char *const end = r->source + r->len;
        while (end - from >= MCPW_LANES * MCPW_LANE && !copy_lanes(p, from)) {
            p += MCPW_LANES * MCPW_LANE;
            from += MCPW_LANES * MCPW_LANE;
        }
        const unsigned char *const last = end - MCPW_LANE;
        while (from <= last) {
            const mcpw_special m = mcpw_special_copy(p, from);
            if (m != 0) {
                if (p + MCPW_LANE > r->filled) {
                    r->filled = p + MCPW_LANE;
                }
                set_fence(r);
                p += mcpw_special_first(m);
                mcpw_refill(r, p);
                return p;
            }
            p += MCPW_LANE;
            from += MCPW_LANE;
        }
        if (p > r->filled) {
            r->filled = p;
        }
        set_fence(r);
        mcpw_refill(r, p);
    }
    /* uncovered: whether it comes here depends on where the text ends in a block */
    for (;;) { /* the end of the text is in sight: its zero bytes stop the scan */
        const mcpw_special m = mcpw_special_bytes(p);
        if (m != 0) {
            return p + mcpw_special_first(m);
        }
        p += MCPW_LANE; /* uncovered: whether it comes here depends on where the text ends in a block */
    }
}

#endif

MCPW_NOINLINE unsigned char *mcpw_skip_space(mcpw_reader *r, unsigned char *p) {
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') {
        r->saw_line_break |= *p == '\n' || *p == '\r';
        p++;
        mcpw_look_ahead(r, p);
    }
    return p;
}

/* ---- strings ---- */

#if MCPW_COMPACT
/* What scanner.c does anyway. */
typedef const unsigned char *scan(mcpw_scanner *s, const unsigned char *p);

static unsigned char *run(mcpw_reader *r, mcpw_scanner *s, unsigned char *p, scan *what) {
    mcpw_scanner_open(s, r->base + r->len, r->depth);
    const unsigned char *const end = what(s, p);
    r->saw_line_break |= s->saw_line_break;
    return end != NULL ? p + (end - p) : mcpw_stop(r, s->at, s->status);
}

unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    return run(r, &s, p, mcpw_scan_value);
}

unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    return run(r, &s, p, mcpw_scan_number);
}

extern inline unsigned char *mcpw_scan(mcpw_reader *r, unsigned char *p);

unsigned char *mcpw_token_unescape(mcpw_reader *r, unsigned char *p, char *out, size_t size, size_t *len) {
    mcpw_scanner s;
    unsigned char *const end = run(r, &s, p - 1, mcpw_scan_string);
    const unsigned char *from = p;
    size_t n = 0;
    if (end == NULL) {
        return NULL;
    }
    while (from < end - 1) {
        unsigned char one[4];
        const size_t count = mcpw_put_character(one, mcpw_next_character(&from));
        for (size_t i = 0; i < count && n <= size; i++) {
            if (n < size) {
                out[n] = (char)one[i];
            }
            n++; /* stays at size + 1 once it does not fit */
        }
    }
    *len = n;
    return end;
}

unsigned char *mcpw_read_string(mcpw_reader *r, unsigned char *p, mcpw_str *out) {
    unsigned char *const start = p;
    p = mcpw_scan(r, p);
    size_t len = (size_t)(p - start);
    p = *p == '"' ? p + 1 : mcpw_token_unescape(r, start, (char *)start, out != NULL ? SIZE_MAX : 0, &len);
    if (p != NULL && out != NULL) {
        start[len] = 0;
        out->ptr = (const char *)start;
        out->len = len;
    }
    return p;
}
#else
static bool is_continuation(unsigned char c) { return (c & 0xc0) == 0x80; }

/* Length of the UTF-8 sequence at p, whose first byte is 0x80 or more; 0 when it is none (Unicode 15, table
 * 3-7: no overlong forms, no surrogates, nothing past U+10FFFF). */
MCPW_INLINE unsigned utf8_sequence(const unsigned char *p) {
    const unsigned char a = p[0];
    if (a < 0xc2 || a > 0xf4) {
        return 0;
    }
    if (!is_continuation(p[1])) {
        return 0;
    }
    if (a < 0xe0) {
        return 2;
    }
    if (!is_continuation(p[2])) {
        return 0;
    }
    if (a < 0xf0) {
        return (a == 0xe0 && p[1] < 0xa0) || (a == 0xed && p[1] > 0x9f) ? 0 : 3;
    }
    if (!is_continuation(p[3]) || (a == 0xf0 && p[1] < 0x90) || (a == 0xf4 && p[1] > 0x8f)) {
        return 0;
    }
    return 4;
}

static int hex_digit(unsigned char c) {
    if (mcpw_is_digit(c)) {
        return c - '0';
    }
    const unsigned char lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Four hexadecimal digits at p; -1 when they are not there. Stops at the first that is none, so never reads
 * past the end of the text. */
static int32_t hex4(const unsigned char *p) {
    int32_t v = 0;
    for (int i = 0; i < 4; i++) {
        const int digit = hex_digit(p[i]);
        if (digit < 0) {
            return -1;
        }
        v = v * 16 + digit;
    }
    return v;
}

static bool is_high_surrogate(int32_t c) { return (c & 0xfc00) == 0xd800; }

static bool is_low_surrogate(int32_t c) { return (c & 0xfc00) == 0xdc00; }

static unsigned put_utf8(unsigned char *to, uint32_t c) {
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const unsigned n = c < 0x80 ? 1U : c < 0x800 ? 2U : c < 0x10000 ? 3U : 4U;
    for (unsigned i = n - 1; i > 0; i--) {
        to[i] = (unsigned char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    to[0] = (unsigned char)(leads[n] | c);
    return n;
}

static unsigned char simple_escape(unsigned char c) {
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* One escape; p is at the backslash. The character goes to `to`, which may be the text itself: it is never
 * longer than its escape. */
static unsigned char *read_escape(mcpw_reader *r, unsigned char *p, unsigned char *to, unsigned *written) {
    const unsigned char simple = simple_escape(p[1]);
    if (simple != 0) {
        *to = simple;
        *written = 1;
        return p + 2;
    }
    int32_t c = p[1] == 'u' ? hex4(p + 2) : -1;
    if (c < 0) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    unsigned char *end = p + 6;
    if (is_high_surrogate(c)) {
        const int32_t low = end[0] == '\\' && end[1] == 'u' ? hex4(end + 2) : -1;
        if (!is_low_surrogate(low) || low < 0) {
            return mcpw_stop(r, p, MCPW_E_UTF8);
        }
        c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
        end += 6;
    } else if (is_low_surrogate(c)) {
        return mcpw_stop(r, p, MCPW_E_UTF8);
    }
    *written = put_utf8(to, (uint32_t)c);
    return end;
}

/* Skips a run of non-ASCII characters. */
static unsigned char *skip_non_ascii(mcpw_reader *r, unsigned char *p) {
    do {
        const unsigned n = utf8_sequence(p);
        if (MCPW_UNLIKELY(n == 0)) {
            return mcpw_stop(r, p, MCPW_E_UTF8);
        }
        p += n;
        mcpw_look_ahead(r, p);
    } while (*p >= 0x80);
    return p;
}

/* The plain run at p, moved to `to`, which lies before it. */
static unsigned char *move_plain(mcpw_reader *r, unsigned char *p, unsigned char **to) {
    for (;;) {
        mcpw_look_ahead(r, p);
        const mcpw_special m = mcpw_special_bytes(p);
        const size_t n = m != 0 ? mcpw_special_first(m) : MCPW_LANE;
        memmove(*to, p, n);
        *to += n;
        p += n;
        if (m != 0) {
            return p;
        }
    }
}

/* From the first escape on: every further byte moves towards the front. */
static unsigned char *string_with_escapes(mcpw_reader *r, unsigned char *start, unsigned char *p,
                                          mcpw_str *out) {
    unsigned char *to = p;
    for (;;) {
        mcpw_look_ahead(r, p);
        if (*p == '"') {
            *to = 0;
            out->ptr = (const char *)start;
            out->len = (size_t)(to - start);
            return p + 1;
        }
        if (*p == '\\') {
            unsigned written = 0;
            p = read_escape(r, p, to, &written);
            to += written;
        } else if (*p >= 0x80) {
            unsigned char *const run = p;
            const size_t shift = (size_t)(p - to);
            p = skip_non_ascii(r, p);
            if (p != NULL) {
                memmove(run - shift, run, (size_t)(p - run));
                to += p - run;
            }
        } else {
            return mcpw_stop(r, p, MCPW_E_SYNTAX);
        }
        if (p == NULL) {
            return NULL;
        }
        p = move_plain(r, p, &to);
    }
}

MCPW_NOINLINE unsigned char *mcpw_string_rest(mcpw_reader *r, unsigned char *start, unsigned char *p,
                                              mcpw_str *out) {
    while (*p >= 0x80) { /* as long as there are no escapes nothing has to move */
        p = skip_non_ascii(r, p);
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_scan(r, p);
        if (*p == '"') {
            *p = 0;
            out->ptr = (const char *)start;
            out->len = (size_t)(p - start);
            return p + 1;
        }
    }
    return string_with_escapes(r, start, p, out);
}

MCPW_NOINLINE unsigned char *mcpw_skip_string_rest(mcpw_reader *r, unsigned char *p) {
    for (;;) {
        mcpw_look_ahead(r, p);
        if (*p == '"') {
            return p + 1;
        }
        if (*p == '\\') {
            unsigned char ignored[4];
            unsigned written = 0;
            p = read_escape(r, p, ignored, &written);
        } else if (*p >= 0x80) {
            p = skip_non_ascii(r, p);
        } else {
            return mcpw_stop(r, p, MCPW_E_SYNTAX);
        }
        if (p == NULL) {
            return NULL;
        }
        p = mcpw_scan(r, p);
    }
}

static unsigned char *skip_digits(mcpw_reader *r, unsigned char *p) {
    if (!mcpw_is_digit(*p)) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    do {
        p++;
        mcpw_look_ahead(r, p);
    } while (mcpw_is_digit(*p));
    return p;
}

unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p) {
    if (*p == '-') {
        p++;
    }
    if (*p == '0') {
        p++;
    } else {
        p = skip_digits(r, p);
    }
    if (p != NULL && *p == '.') {
        p = skip_digits(r, p + 1);
    }
    if (p != NULL && (*p | 0x20) == 'e') {
        p++;
        if (*p == '+' || *p == '-') {
            p++;
        }
        p = skip_digits(r, p);
    }
    return p;
}

static unsigned char *skip_literal(mcpw_reader *r, unsigned char *p, const char *text, size_t len) {
    return memcmp(p, text, len) == 0 ? p + len : mcpw_stop(r, p, MCPW_E_SYNTAX);
}

static unsigned char *skip_scalar(mcpw_reader *r, unsigned char *p) {
    unsigned char *end = p;
    while (mcpw_is_digit(*end) && end - p <= MCPW_FAST_DIGITS) {
        end++;
    }
    /* Most numbers are a few digits and nothing else. */
    if (end != p && end - p <= MCPW_FAST_DIGITS && *end != '.' && (*end | 0x20) != 'e' &&
        (*p != '0' || end - p == 1)) {
        return end;
    }
    switch (*p) {
    case 't':
        return skip_literal(r, p, "true", 4);
    case 'f':
        return skip_literal(r, p, "false", 5);
    case 'n':
        return skip_literal(r, p, "null", 4);
    default:
        return mcpw_skip_number(r, p);
    }
}

enum { LEVELS = 64 };

/* One bit a level, the innermost lowest, tells whether it is an object; the next LEVELS levels are a call of
 * their own. */
unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p) {
    uint64_t objects = 0;
    unsigned level = 0;
value:
    if (MCPW_LIKELY(*p == '"')) {
        p = mcpw_skip_string(r, p + 1);
    } else if (*p == '{') {
        if (MCPW_UNLIKELY(level >= r->depth || level == LEVELS)) {
            goto deep;
        }
        level++;
        objects = objects << 1 | 1U;
        p = mcpw_space(r, p + 1);
        if (*p != '}') {
            goto key;
        }
        goto close;
    } else if (*p == '[') {
        if (MCPW_UNLIKELY(level >= r->depth || level == LEVELS)) {
            goto deep;
        }
        level++;
        objects <<= 1;
        p = mcpw_space(r, p + 1);
        if (*p != ']') {
            goto item;
        }
        goto close;
    } else {
        p = skip_scalar(r, p);
    }
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
after:
    if (level == 0) {
        return p;
    }
    if (MCPW_UNLIKELY(*p <= ' ')) {
        p = mcpw_skip_space(r, p);
    }
    if ((objects & 1U) != 0) {
        if (*p == ',') {
            p = mcpw_space(r, p + 1);
            goto key;
        }
        if (MCPW_UNLIKELY(*p != '}')) {
            return mcpw_stop(r, p, MCPW_E_SYNTAX);
        }
    } else {
        if (*p == ',') {
            p = mcpw_space(r, p + 1);
            goto item;
        }
        if (MCPW_UNLIKELY(*p != ']')) {
            return mcpw_stop(r, p, MCPW_E_SYNTAX);
        }
    }
close:
    level--;
    objects >>= 1;
    p++;
    goto after;
key:
    mcpw_look_ahead(r, p);
    if (MCPW_UNLIKELY(*p != '"')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    p = mcpw_skip_string(r, p + 1);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    p = mcpw_space(r, p);
    if (MCPW_UNLIKELY(*p != ':')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    p = mcpw_space(r, p + 1);
    goto value;
item:
    mcpw_look_ahead(r, p);
    goto value;
deep:
    if (level >= r->depth) {
        return mcpw_stop(r, p, MCPW_E_DEPTH);
    }
    r->depth -= LEVELS;
    p = mcpw_skip_value(r, p);
    r->depth += LEVELS;
    if (p == NULL) {
        return NULL;
    }
    goto after;
}

unsigned char *mcpw_token_unescape(mcpw_reader *r, unsigned char *p, char *out, size_t size, size_t *len) {
    size_t n = 0;
    for (;;) {
        mcpw_look_ahead(r, p);
        unsigned char one[4];
        unsigned count = 1;
        unsigned char *end = p + 1;
        if (*p == '"') {
            *len = n;
            return p + 1;
        }
        if (*p == '\\') {
            end = read_escape(r, p, one, &count);
        } else if (*p >= 0x80) {
            count = utf8_sequence(p);
            end = count != 0 ? p + count : mcpw_stop(r, p, MCPW_E_UTF8);
            memcpy(one, p, count);
        } else if (*p < ' ') {
            end = mcpw_stop(r, p, MCPW_E_SYNTAX);
        } else {
            one[0] = *p;
        }
        if (end == NULL) {
            return NULL;
        }
        for (unsigned i = 0; i < count && n <= size; i++) {
            if (n < size) {
                out[n] = (char)one[i];
            }
            n++; /* stays at size + 1 once it does not fit */
        }
        p = end;
    }
}
#endif

/* ---- numbers ---- */

/* The end of the number at p, if there is one. */
static unsigned char *number_end(mcpw_reader *r, unsigned char *p) {
    return *p == '-' || mcpw_is_digit(*p) ? mcpw_skip_number(r, p) : mcpw_stop(r, p, MCPW_E_TYPE);
}

MCPW_NOINLINE unsigned char *mcpw_read_int_slow(mcpw_reader *r, unsigned char *p, int64_t *out) {
    unsigned char *const end = number_end(r, p);
    if (end == NULL) {
        return NULL;
    }
    const mcpw_status status = mcpw_parse_int64((const char *)p, (size_t)(end - p), out);
    return status == MCPW_OK ? end : mcpw_stop(r, p, status);
}

MCPW_NOINLINE unsigned char *mcpw_read_double_slow(mcpw_reader *r, unsigned char *p, double *out) {
    unsigned char *const end = number_end(r, p);
    if (end == NULL) {
        return NULL;
    }
    const mcpw_status status = mcpw_parse_double((const char *)p, (size_t)(end - p), out);
    return status == MCPW_OK ? end : mcpw_stop(r, p, status);
}

/* ---- any value ---- */

unsigned mcpw_json_type(unsigned char c) {
    switch (c) {
    case '{':
        return MCPW_IS_OBJECT;
    case '[':
        return MCPW_IS_ARRAY;
    case '"':
        return MCPW_IS_STRING;
    case 't':
    case 'f':
        return MCPW_IS_BOOLEAN;
    case 'n':
        return MCPW_IS_NULL;
    default:
        return c == '-' || mcpw_is_digit(c) ? MCPW_IS_NUMBER : 0;
    }
}
