/* SPDX-License-Identifier: MIT */
/* The scanner: values checked where they stand, without a copy. */
#include <mcpw/error.h>

#include "scanner.h"

#include "block_runs.h"
#include "runs.h"

enum { LEVEL_BITS = 8 };

const unsigned char *mcpw_scan_some_space(mcpw_scanner *s, const unsigned char *p) {
    s->saw_space |= !MCPW_COMPACT && p < s->end && mcpw_is_space(*p);
    for (; p < s->end && mcpw_is_space(*p); p++) {
        s->saw_line_break |= *p == '\n' || *p == '\r';
    }
    return p;
}

/* ---- strings ---- */

enum { NEAR = 64 /* bytes of a string after which it is a long one */ };

/* The first special byte of a string, or the end. Most are short: their end is found here. */
static inline const unsigned char *scan_run(const mcpw_scanner *s, const unsigned char *p) {
    const unsigned char *const near = s->end - p > NEAR ? p + NEAR : s->end;
    p = mcpw_block_scan(p, near);
    return p == near && near != s->end ? mcpw_runs_here()->scan(p, s->end) : p;
}

/* Scans on from p, which is in a string. */
static MCPW_NOINLINE const unsigned char *scan_rest(mcpw_scanner *s, const unsigned char *p) {
    for (;;) {
        p = scan_run(s, p);
        if (p == s->end || *p < ' ') {
            return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
        }
        if (*p == '"') {
            return p + 1;
        }
        const unsigned char *const here = p;
        if (*p == '\\') {
            uint32_t character = 0;
            p = mcpw_read_escape(p, s->end, &character, &s->status);
        } else {
            const unsigned n = mcpw_utf8_length(p, (size_t)(s->end - p));
            p = n != 0 ? p + n : NULL;
            s->status = MCPW_E_UTF8;
        }
        if (p == NULL) {
            return mcpw_scanner_fail(s, here, s->status);
        }
    }
}

/* Most strings are plain and short. */
const unsigned char *mcpw_scan_string(mcpw_scanner *s, const unsigned char *p) {
    p++;
    if (MCPW_COMPACT) {
        return scan_rest(s, p);
    }
    const unsigned char *const near = s->end - p > NEAR ? p + NEAR : s->end;
    p = mcpw_block_scan(p, near);
    return MCPW_LIKELY(p < near && *p == '"') ? p + 1 : scan_rest(s, p);
}

const unsigned char *mcpw_scan_scalar(mcpw_scanner *s, const unsigned char *p) {
    return *p == '"' ? mcpw_scan_string(s, p) : mcpw_scan_unquoted(s, p);
}

/* ---- names ---- */

bool mcpw_scanned_is(mcpw_json token, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)token.ptr + 1;
    const unsigned char *const end = p + token.len - 2;
    const unsigned char *q = (const unsigned char *)text;
    const unsigned char *const text_end = q + len;
    if (token.len - 2 <= len) { /* with escapes it would be shorter than the text */
        return token.len - 2 == len && memcmp(p, text, len) == 0 && memchr(text, '\\', len) == NULL;
    }
    for (;;) {
        while (p < end && q < text_end && *p == *q && *p != '\\') {
            p++;
            q++;
        }
        if (p == end || *p != '\\') {
            return p == end && q == text_end;
        }
        unsigned char bytes[MCPW_CHARACTER_SIZE];
        const size_t n = mcpw_put_character(bytes, mcpw_next_character(&p));
        if ((size_t)(text_end - q) < n || memcmp(q, bytes, n) != 0) {
            return false;
        }
        q += n;
    }
}

/* ---- any value ---- */

/* The open arrays and objects, one bit each. */
typedef struct levels {
    unsigned char objects[MCPW_MAX_DEPTH / LEVEL_BITS];
    unsigned open;
} levels;

static bool in_object(const levels *l) {
    const unsigned top = l->open - 1;
    return (l->objects[top / LEVEL_BITS] >> (top % LEVEL_BITS) & 1U) != 0;
}

static void open_level(levels *l, bool object) {
    const unsigned bit = 1U << (l->open % LEVEL_BITS);
    unsigned char *const bits = l->objects + l->open / LEVEL_BITS;
    *bits = (unsigned char)(object ? *bits | bit : *bits & ~bit);
    l->open++;
}

const unsigned char *mcpw_scan_name(mcpw_scanner *s, const unsigned char *p, mcpw_json *name) {
    if (!mcpw_scanner_is(s, p, '"')) {
        return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
    }
    const unsigned char *const begin = p;
    p = mcpw_scan_string(s, p);
    if (p == NULL) {
        return NULL;
    }
    if (name != NULL) {
        *name = (mcpw_json){(const char *)begin, (size_t)(p - begin), 0};
    }
    p = mcpw_scan_space(s, p);
    return mcpw_scanner_is(s, p, ':') ? mcpw_scan_space(s, p + 1) : mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
}

/* Closes what ends after a value, up to where the next value begins, if any level is still open. */
static const unsigned char *scan_after(mcpw_scanner *s, const unsigned char *p, levels *l) {
    while (l->open > 0) {
        const bool object = in_object(l);
        p = mcpw_scan_space(s, p);
        if (mcpw_scanner_is(s, p, ',')) {
            p = mcpw_scan_space(s, p + 1);
            return object ? mcpw_scan_name(s, p, NULL) : p;
        }
        if (!mcpw_scanner_is(s, p, object ? '}' : ']')) {
            return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
        }
        p++;
        l->open--;
    }
    return p;
}

/* Scans a value at p that opens an object or array. */
static const unsigned char *scan_levels(mcpw_scanner *s, const unsigned char *p) {
    levels l;
    memset(&l, 0, sizeof l);
    do {
        if (p == s->end) {
            return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
        }
        const bool object = *p == '{';
        if (object || *p == '[') {
            if (l.open >= s->depth) {
                return mcpw_scanner_fail(s, p, MCPW_E_DEPTH);
            }
            open_level(&l, object);
            p = mcpw_scan_space(s, p + 1);
            if (!mcpw_scanner_is(s, p, object ? '}' : ']')) {
                p = object ? mcpw_scan_name(s, p, NULL) : p;
                continue;
            }
        } else {
            p = mcpw_scan_scalar(s, p);
        }
        if (p != NULL) {
            p = scan_after(s, p, &l);
        }
    } while (p != NULL && l.open > 0);
    return p;
}

const unsigned char *mcpw_scan_any(mcpw_scanner *s, const unsigned char *p) {
    if (p == s->end) {
        return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
    }
    return *p == '{' || *p == '[' ? scan_levels(s, p) : mcpw_scan_scalar(s, p);
}

mcpw_status mcpw_scan_whole(mcpw_json value, unsigned depth, mcpw_json *out, size_t *offset) {
    const unsigned char *const begin = (const unsigned char *)value.ptr;
    if (begin == NULL) {
        *offset = 0;
        return MCPW_E_SYNTAX;
    }
    mcpw_scanner s;
    mcpw_scanner_open(&s, begin + value.len, depth);
    const unsigned char *const first = mcpw_scan_space(&s, begin);
    const unsigned char *const last = mcpw_scan_value(&s, first);
    if (last == NULL) {
        *offset = (size_t)(s.at - begin);
        return s.status;
    }
    *out = (mcpw_json){(const char *)first, (size_t)(last - first), 0};
    *offset = (size_t)(mcpw_scan_space(&s, last) - begin);
    return *offset == value.len ? MCPW_OK : MCPW_E_SYNTAX;
}
