/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON text into a growing buffer.
 *
 * Functions take the place to write at and return the place behind what they wrote, or NULL when they
 * failed; then the writer's status is set and, if there is a record, it is filled in. Room is asked for
 * once a member, item or string: mcpw_room(w, p, n) makes n + MCPW_ROOM bytes free. MCPW_ROOM pays for a key,
 * a scalar, the lanes that string copies write too much, and the closing brackets of all open levels.
 */
#ifndef MCPW_WRITE_H
#define MCPW_WRITE_H

#include <mcpw/codec.h>
#include <mcpw/table.h>

#include "../json/characters.h"
#include "../json/lane.h"
#include "../json/word.h"
#include "check.h"
#include "kinds.h"
#include "tell.h"

enum { MCPW_ROOM = 1024, MCPW_COPY_LANE = 16 };

typedef struct mcpw_writer {
    const mcpw_revision *revision;
    const char *pool;
    unsigned char *limit; /* up to here MCPW_ROOM bytes are free */
    mcpw_buffer *out;
    size_t begin; /* length of the buffer before this value */
    const mcpw_options *options;
    const mcpw_arena *checked; /* knows raw values that need no check; NULL: none do not */
    mcpw_error *error;
    mcpw_status status;
    unsigned depth;   /* levels that may still be opened */
    unsigned flags;   /* of mcpw_options */
    bool saw_unknown; /* an enum held MCPW_UNKNOWN: the member around it is written from extra */
} mcpw_writer;

/* Begins at the end of out. MCPW_E_ARGUMENT for limits that are too large. Returns where to write, or NULL.
 */
MCPW_API unsigned char *mcpw_write_open(mcpw_writer *w, const mcpw_revision *revision, mcpw_buffer *out,
                                        const mcpw_options *options, mcpw_error *error);

/* Ends: sets the buffer's length when p is not NULL, else puts it back. */
MCPW_API mcpw_status mcpw_write_close(mcpw_writer *w, const unsigned char *p);

/* One value of a type. What is absent is an error. */
MCPW_API unsigned char *mcpw_write_value(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                         const unsigned char *at);

/* Text that the caller vouches for by nothing: copied, then checked against ref where it lies. */
MCPW_API unsigned char *mcpw_write_raw(mcpw_writer *w, unsigned char *p, mcpw_ref ref, mcpw_json json);

/* The same for a whole text, where an unknown enum value has no place to be kept. */
unsigned char *mcpw_write_document(mcpw_writer *w, unsigned char *p, mcpw_ref ref, const void *value);

/* A member that no table names, and a comma. Its value is checked against ref. */
unsigned char *mcpw_write_member(mcpw_writer *w, unsigned char *p, const mcpw_member *member, mcpw_ref ref);

/* Note a failure and return NULL: with the status's own text, a text as it is, or one that is put together.
 */
MCPW_COLD unsigned char *mcpw_write_stop(mcpw_writer *w, mcpw_status status);
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_write_fail(w, status, text) (MCPW_UNUSED_TEXT(text), mcpw_write_stop((w), (status)))
#else
MCPW_COLD MCPW_API unsigned char *mcpw_write_fail(mcpw_writer *w, mcpw_status status, const char *text);
#endif
#define mcpw_write_fail_with(w, code, ...)                                                                   \
    (mcpw_error_set((w)->error, (code), 0, __VA_ARGS__), (w)->status = (code), (unsigned char *)NULL)

/* Whether count names, at `size` bytes from each other from items on, all differ. Else fails. */
bool mcpw_write_unique(mcpw_writer *w, const void *items, size_t count, size_t size);

MCPW_API unsigned char *mcpw_write_grow(mcpw_writer *w, unsigned char *p, size_t n);
MCPW_API unsigned char *mcpw_write_string_rest(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                               size_t n);
MCPW_API unsigned char *mcpw_write_string_long(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                               size_t n);

#if MCPW_COMPACT
#define mcpw_room mcpw_write_room
#define mcpw_put_string mcpw_write_string
MCPW_API unsigned char *mcpw_write_room(mcpw_writer *w, unsigned char *p, size_t n);
MCPW_API unsigned char *mcpw_write_string(mcpw_writer *w, unsigned char *p, mcpw_str text);
#else
MCPW_INLINE unsigned char *mcpw_room(mcpw_writer *w, unsigned char *p, size_t n) {
    return MCPW_LIKELY(w->limit - p >= (ptrdiff_t)n) ? p : mcpw_write_grow(w, p, n);
}
#endif

/* Text of the pool. It may be read, and p written, up to two lanes beyond n. */
MCPW_INLINE unsigned char *mcpw_put_pool(unsigned char *p, const char *text, size_t n) {
#if MCPW_COMPACT
    memcpy(p, text, n);
#else
    memcpy(p, text, MCPW_COPY_LANE);
    if (MCPW_UNLIKELY(n > MCPW_COPY_LANE)) {
        memcpy(p + MCPW_COPY_LANE, text + MCPW_COPY_LANE, MCPW_COPY_LANE);
        if (MCPW_UNLIKELY(n > 2 * MCPW_COPY_LANE)) {
            memcpy(p + 2 * MCPW_COPY_LANE, text + 2 * MCPW_COPY_LANE, n - 2 * MCPW_COPY_LANE);
        }
    }
#endif
    return p + n;
}

MCPW_INLINE unsigned char *mcpw_put_bool(unsigned char *p, bool value) {
    memcpy(p, value ? "true" : "false", 5);
    return p + (value ? 4 : 5);
}

/* Closes an object or array whose members were written with a comma behind each: the last comma, or the
 * opening bracket, is what stands before p. */
MCPW_INLINE unsigned char *mcpw_put_end(unsigned char *p, unsigned char bracket) {
    p -= p[-1] == ',';
    *p = bracket;
    return p + 1;
}

#if !MCPW_COMPACT
/* Copies 8 to 15 bytes as two words that overlap. The source has no readable byte beyond n. */
MCPW_INLINE uint64_t mcpw_copy_words(unsigned char *to, const unsigned char *from, size_t n) {
    uint64_t a;
    uint64_t b;
    memcpy(&a, from, sizeof a);
    memcpy(&b, from + n - sizeof b, sizeof b);
    memcpy(to, &a, sizeof a);
    memcpy(to + n - sizeof b, &b, sizeof b);
    return mcpw_special_in_word(a) | mcpw_special_in_word(b);
}

/* Copies up to 7 bytes. */
MCPW_INLINE uint64_t mcpw_copy_few(unsigned char *to, const unsigned char *from, size_t n) {
    const uint64_t plain = UINT64_C(0x2020202020202020);
    if (n >= sizeof(uint32_t)) {
        uint32_t a;
        uint32_t b;
        memcpy(&a, from, sizeof a);
        memcpy(&b, from + n - sizeof b, sizeof b);
        memcpy(to, &a, sizeof a);
        memcpy(to + n - sizeof b, &b, sizeof b);
        return mcpw_special_in_word((uint64_t)a | (uint64_t)b << 32);
    }
    if (n == 0) {
        return 0;
    }
    const unsigned char a = from[0];
    const unsigned char b = from[n / 2];
    const unsigned char c = from[n - 1];
    to[0] = a;
    to[n / 2] = b;
    to[n - 1] = c;
    return mcpw_special_in_word((plain << 24) | (uint64_t)a | (uint64_t)b << 8 | (uint64_t)c << 16);
}

/* A string with its quotes. Short ones, which are most, are copied and tested in two overlapping pieces. */
MCPW_INLINE unsigned char *mcpw_put_string(mcpw_writer *w, unsigned char *p, mcpw_str text) {
    const unsigned char *const s = (const unsigned char *)text.ptr;
    const size_t n = text.len;
    p = mcpw_room(w, p, n);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    *p++ = '"';
    uint64_t special;
    if (n >= 2 * MCPW_COPY_LANE) {
        return mcpw_write_string_long(w, p, s, n);
    }
    if (n >= MCPW_COPY_LANE) {
        special = mcpw_copy16(p, s) | mcpw_copy16(p + n - MCPW_COPY_LANE, s + n - MCPW_COPY_LANE);
    } else if (n >= sizeof(uint64_t)) {
        special = mcpw_copy_words(p, s, n);
    } else {
        special = mcpw_copy_few(p, s, n);
    }
    if (MCPW_UNLIKELY(special != 0)) {
        return mcpw_write_string_rest(w, p, s, n);
    }
    p[n] = '"';
    return p + n + 1;
}
#endif

#endif
