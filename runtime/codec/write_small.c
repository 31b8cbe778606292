/* SPDX-License-Identifier: MIT */
/* write_small.h. Other builds have write_fast.c. */
#include "../json/lane_runs.h"
#include "write.h"

unsigned char *mcpw_write_room(mcpw_writer *w, unsigned char *p, size_t n) {
    return w->limit - p >= (ptrdiff_t)n ? p : mcpw_write_grow(w, p, n);
}

/* A run of non-ASCII characters. */
static unsigned char *copy_non_ascii(mcpw_writer *w, unsigned char *p, const unsigned char **s,
                                     const unsigned char *end) {
    const unsigned char *from = *s;
    do {
        const size_t left = (size_t)(end - from);
        const unsigned n = mcpw_utf8_sequence(from, left);
        if (MCPW_UNLIKELY(n == 0)) {
            return mcpw_write_stop(w, MCPW_E_UTF8);
        }
        memcpy(p, from, n);
        p += n;
        from += n;
    } while (from < end && *from >= 0x80);
    *s = from;
    return p;
}

/* A string with escapes or non-ASCII characters, and its closing quote. Room for the string as it stands was
 * made; an escape asks again, for all that is left. */
static unsigned char *write_rest(mcpw_writer *w, unsigned char *p, const unsigned char *s, size_t n) {
    const unsigned char *const end = s + n;
    for (;;) {
        const size_t plain = mcpw_lane_copy(p, s, (size_t)(end - s));
        p += plain;
        s += plain;
        if (s == end) {
            *p = '"';
            return p + 1;
        }
        if (*s >= 0x80) {
            p = copy_non_ascii(w, p, &s, end);
        } else {
            p = mcpw_room(w, p, (size_t)(end - s));
            if (p != NULL) {
                p = mcpw_put_escape(p, *s++);
            }
        }
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
    }
}

unsigned char *mcpw_write_string(mcpw_writer *w, unsigned char *p, mcpw_str text) {
    p = mcpw_room(w, p, text.len);
    if (p == NULL) {
        return NULL;
    }
    *p = '"';
    return write_rest(w, p + 1, (const unsigned char *)text.ptr, text.len);
}
