/* SPDX-License-Identifier: MIT */
/* The parts of the fast reader that are not on the hot path, or are too long to be inline. */
#include "reader.h"

#if !defined(MCPW_SMALL)
#include "runs.h"
#include "scanner.h"
#include "word.h"

void mcpw_reader_open_in_place(mcpw_reader *r, char *text, size_t len, unsigned depth) {
    mcpw_reader_set_up(r, NULL, len, depth);
    mcpw_reader_set_copy(r, (unsigned char *)text);
}

static void set_fence(mcpw_reader *r) {
    r->fence =
        (size_t)(r->filled - r->base) == r->len ? r->base + r->len + MCPW_TAIL : r->filled - MCPW_SLACK;
}

MCPW_NOINLINE void mcpw_refill(mcpw_reader *r, const unsigned char *p) {
    while (p >= r->fence) {
        const size_t done = (size_t)(r->filled - r->base);
        const size_t left = r->len - done;
        if (left == 0) {
            return;
        }
        const size_t step = left < MCPW_NEXT_FILL ? left : MCPW_NEXT_FILL;
        memmove(r->filled, r->source + done,
                step); /* as memcpy, which compilers turn into string instructions */
        r->filled += step;
        set_fence(r);
    }
}

void mcpw_reader_begin_long(mcpw_reader *r) {
    r->filled = r->base;
    r->fence = r->base;
    mcpw_refill(r, r->base);
}

/* Scans what has been copied first, then goes on in the source, copying as it goes. */
MCPW_NOINLINE unsigned char *mcpw_scan_far(mcpw_reader *r, unsigned char *p) {
    const mcpw_runs *const runs = mcpw_runs_here();
    p += runs->scan(p, r->filled) - p;
    const size_t done = (size_t)(p - r->base);
    if (p == r->filled && done != r->len) {
        p += runs->copy(p, r->source + done, r->len - done);
        r->filled = p;
        set_fence(r);
    }
    mcpw_look_ahead(r, p);
    return p; /* at the end of the text stand zero bytes */
}

/* ---- strings ---- */

/* Reads the escape at p, within what has been copied. Returns the place after it. */
static unsigned char *read_escape(mcpw_reader *r, unsigned char *p, uint32_t *character) {
    mcpw_status status = MCPW_OK;
    const unsigned char *const end = mcpw_read_escape(p, p + 2 * MCPW_ESCAPE_SIZE, character, &status);
    return MCPW_LIKELY(end != NULL) ? p + (end - p) : mcpw_stop(r, p, status);
}

/* Skips a run of non-ASCII characters. */
static unsigned char *skip_non_ascii(mcpw_reader *r, unsigned char *p) {
    do {
        const unsigned n = mcpw_utf8_sequence(p, MCPW_CHARACTER_SIZE);
        if (MCPW_UNLIKELY(n == 0)) {
            return mcpw_stop(r, p, MCPW_E_UTF8);
        }
        p += n;
        mcpw_look_ahead(r, p);
    } while (*p >= 0x80);
    return p;
}

/* Moves the plain run at p to `to`, which lies before it. */
static unsigned char *move_plain(mcpw_reader *r, unsigned char *p, unsigned char **to) {
    for (;;) {
        mcpw_look_ahead(r, p);
        const mcpw_special m = mcpw_special_bytes(p);
        const size_t n = m != 0 ? mcpw_special_first(m) : MCPW_BLOCK;
        memmove(*to, p, n);
        *to += n;
        p += n;
        if (m != 0) {
            return p;
        }
    }
}

/* Decodes the rest of a string, from its first escape on: every further byte moves towards the front. */
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
            uint32_t character = mcpw_simple_escape(p[1]);
            if (MCPW_LIKELY(character != 0)) {
                *to++ = (unsigned char)character;
                p += 2;
            } else {
                p = read_escape(r, p, &character);
                to += p != NULL ? mcpw_put_character(to, character) : 0;
            }
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
            uint32_t ignored = 0;
            p = mcpw_simple_escape(p[1]) != 0 ? p + 2 : read_escape(r, p, &ignored);
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

/* Numbers are the scanner's business. If reading may go on past the copied part, everything is copied. */
unsigned char *mcpw_skip_number(mcpw_reader *r, unsigned char *p) {
    mcpw_scanner s;
    mcpw_scanner_open(&s, r->filled, 0);
    const unsigned char *end = mcpw_scan_number(&s, p);
    if (MCPW_UNLIKELY((end != NULL ? end : s.at) == r->filled && r->filled != r->base + r->len)) {
        mcpw_refill(r, r->base + r->len);
        s.end = r->filled;
        end = mcpw_scan_number(&s, p);
    }
    if (end == NULL) {
        return mcpw_stop(r, s.at, s.status);
    }
    mcpw_look_ahead(r, end);
    return p + (end - p);
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

/* The rest is the loop of the scanner once more (scanner.c), for text with zeros after it. The scanner,
 * which is all that small builds have, compares with the end of the text at each byte. Here no byte costs
 * that, names and strings are skipped in blocks, and a level is a bit of a register. With the scanner
 * in the place of this, decoding takes 2.3 times the instructions on long lists, 1.8 times on calls with
 * arguments, and 7 % more on small messages. Both ask characters.h and the scanner what a number is, an
 * escape, or UTF-8. */

enum { LEVELS = 64 };

/* The open arrays and objects of one mcpw_skip_value, one bit each. The lowest bit is the innermost level. A
 * bit tells that the level is an object. */
typedef struct levels {
    uint64_t objects;
    unsigned open;
} levels;

/* The special bytes of the text from a place on, as many as were looked at at once. The end of a string is
 * found by a shift and a count, so that the strings of a window do not wait for the bytes of the ones before.
 */
typedef struct window {
    const unsigned char *at; /* NULL: nothing was looked at yet */
    uint64_t special;
} window;

/* Skips a string by the window, which moves when it has no special byte from p on. p is after the opening
 * quote. */
MCPW_INLINE unsigned char *skip_string(mcpw_reader *r, unsigned char *p, window *w) {
    size_t from = (size_t)((uintptr_t)p - (uintptr_t)w->at);
    if (MCPW_WIDE_BITS == 0) {
        return mcpw_skip_string(r, p);
    }
    if (from >= MCPW_WIDE || w->special >> (from * MCPW_WIDE_BITS) == 0) {
        *w = (window){p, mcpw_special_wide(p)};
        from = 0;
    }
    const uint64_t special = w->special >> (from * MCPW_WIDE_BITS);
    if (MCPW_UNLIKELY(special == 0)) {
        return mcpw_skip_string(r, p);
    }
    p += mcpw_wide_first(special);
    return MCPW_LIKELY(*p == '"') ? p + 1 : mcpw_skip_string_rest(r, p);
}

/* Skips a value at p that is one level too many, by a call of its own, unless it is too deep. */
static MCPW_NOINLINE unsigned char *skip_deeper(mcpw_reader *r, unsigned char *p, unsigned open) {
    if (open >= r->depth) {
        return mcpw_stop(r, p, MCPW_E_DEPTH);
    }
    r->depth -= LEVELS;
    p = mcpw_skip_value(r, p);
    r->depth += LEVELS;
    return p;
}

/* From the end of a name to its value. */
MCPW_INLINE unsigned char *skip_colon(mcpw_reader *r, unsigned char *p) {
    p = mcpw_space(r, p);
    return MCPW_LIKELY(*p == ':') ? mcpw_space(r, p + 1) : mcpw_stop(r, p, MCPW_E_SYNTAX);
}

/* Skips a name at p and its colon, up to the value. */
MCPW_INLINE unsigned char *skip_name(mcpw_reader *r, unsigned char *p, window *w) {
    mcpw_look_ahead(r, p);
    if (MCPW_UNLIKELY(*p != '"')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    p = skip_string(r, p + 1, w);
    return MCPW_LIKELY(p != NULL) ? skip_colon(r, p) : NULL;
}

/* Goes to the value of a member or an item that begins at p. */
MCPW_INLINE unsigned char *skip_to_value(mcpw_reader *r, unsigned char *p, bool object, window *w) {
    if (object) {
        return skip_name(r, p, w);
    }
    mcpw_look_ahead(r, p);
    return p;
}

/* Goes into the array or object at p, up to its first value. *whole tells that it was empty or was skipped by
 * a call of its own; then the place is after it. */
MCPW_INLINE unsigned char *skip_opening(mcpw_reader *r, unsigned char *p, levels *l, bool object, bool *whole,
                                        window *w) {
    *whole = true;
    if (MCPW_UNLIKELY(l->open >= r->depth || l->open == LEVELS)) {
        return skip_deeper(r, p, l->open);
    }
    p = mcpw_space(r, p + 1);
    if (*p == (object ? '}' : ']')) {
        return p + 1;
    }
    *whole = false;
    l->open++;
    l->objects = l->objects << 1 | object;
    return skip_to_value(r, p, object, w);
}

/* Closes what ends after a value, up to the next value, or until nothing is open. */
MCPW_INLINE unsigned char *skip_closing(mcpw_reader *r, unsigned char *p, levels *l, window *w) {
    while (l->open > 0) {
        if (MCPW_UNLIKELY(*p <= ' ')) {
            p = mcpw_skip_space(r, p);
        }
        if ((l->objects & 1U) != 0) {
            if (*p == ',') {
                return skip_to_value(r, mcpw_space(r, p + 1), true, w);
            }
            if (MCPW_UNLIKELY(*p != '}')) {
                return mcpw_stop(r, p, MCPW_E_SYNTAX);
            }
        } else {
            if (*p == ',') {
                return skip_to_value(r, mcpw_space(r, p + 1), false, w);
            }
            if (MCPW_UNLIKELY(*p != ']')) {
                return mcpw_stop(r, p, MCPW_E_SYNTAX);
            }
        }
        l->open--;
        l->objects >>= 1;
        p++;
    }
    return p;
}

/* Whether three bytes stand at p, of which a word may be read. */
MCPW_INLINE bool three_are(const unsigned char *p, const char *bytes) {
    return (mcpw_load_le32(p) ^ mcpw_load_le32((const unsigned char *)bytes)) << 8 == 0;
}

/* Skips the string at p, and in an object the members after it whose values are strings, too. Most are, and
 * have no white space. *whole is cleared where it stops at the value of a member, and not after one. */
MCPW_INLINE unsigned char *skip_strings(mcpw_reader *r, unsigned char *p, bool object, bool *whole,
                                        window *w) {
    for (;;) {
        p = skip_string(r, p + 1, w);
        if (MCPW_UNLIKELY(p == NULL) || !object || !three_are(p - 1, "\",\"")) {
            return p;
        }
        mcpw_look_ahead(r, p);
        p = skip_string(r, p + 2, w);
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
        if (!three_are(p - 1, "\":\"")) {
            *whole = false;
            return skip_colon(r, p);
        }
        p++;
    }
}

unsigned char *mcpw_skip_value(mcpw_reader *r, unsigned char *p) {
    levels l = {0, 0};
    window w = {NULL, 0};
    for (;;) {
        bool whole = true;
        if (MCPW_LIKELY(*p == '"')) {
            p = skip_strings(r, p, (l.objects & 1U) != 0, &whole, &w);
        } else if (*p == '{') {
            p = skip_opening(r, p, &l, true, &whole, &w);
        } else if (*p == '[') {
            p = skip_opening(r, p, &l, false, &whole, &w);
        } else {
            p = skip_scalar(r, p);
        }
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
        if (whole) {
            p = skip_closing(r, p, &l, &w);
            if (MCPW_UNLIKELY(p == NULL) || l.open == 0) {
                return p;
            }
        }
    }
}
#endif
