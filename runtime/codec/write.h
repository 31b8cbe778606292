/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON text into a growing buffer.
 *
 * Functions take the place to write at and return the place after what they wrote, or NULL when they
 * failed; then the writer's status is set and, if there is a record, it is filled in. Room is asked for
 * once a member, item or string: mcpw_room(w, p, n) makes n + MCPW_ROOM bytes free. MCPW_ROOM pays for a key,
 * a scalar, the blocks that string copies write too much, and the closing brackets of all open levels.
 */
#ifndef MCPW_WRITE_H
#define MCPW_WRITE_H

#include <mcpw/codec.h>
#include <mcpw/detail/table.h>

#include "../json/block.h"
#include "../json/characters.h"
#include "../json/copy_plain.h"
#include "../json/number.h"
#include "../json/runs.h"
#include "../json/word.h"
#include "check.h"
#include "error_report.h"
#include "kinds.h"

enum { MCPW_ROOM = 1024, MCPW_NAME_BYTES = 250 };

typedef struct mcpw_writer {
    const mcpw_revision *revision;
    const char *pool;
    unsigned char *limit; /* up to here MCPW_ROOM bytes are free */
    mcpw_buffer *out;
    size_t begin; /* length of the buffer before this value */
    const mcpw_options *options;
    const mcpw_runs *runs; /* how long texts are copied; NULL before the first */
    mcpw_error *error;
    mcpw_status status;
    unsigned depth;   /* levels that may still be opened */
    unsigned flags;   /* of mcpw_options */
    bool saw_unknown; /* an enum held MCPW_UNKNOWN: the member around it is written from extra */
} mcpw_writer;

/* Begins at the end of out. MCPW_E_ARGUMENT for limits that are too large. Returns where to write, or NULL.
 */
unsigned char *mcpw_write_open(mcpw_writer *w, const mcpw_revision *revision, mcpw_buffer *out,
                               const mcpw_options *options, mcpw_error *error);

/* Ends: sets the buffer's length when p is not NULL, else puts it back. */
mcpw_status mcpw_write_close(mcpw_writer *w, const unsigned char *p);

/* One value of a type. An absent value is an error. */
unsigned char *mcpw_write_value(mcpw_writer *w, unsigned char *p, mcpw_ref ref, const unsigned char *at);

/* Text as it is: copied and, unless it is sealed, then checked against ref where it lies. */
unsigned char *mcpw_write_raw(mcpw_writer *w, unsigned char *p, mcpw_ref ref, mcpw_json json);

/* The same for a whole text, where an unknown enum value has no place to be kept. */
unsigned char *mcpw_write_document(mcpw_writer *w, unsigned char *p, mcpw_ref ref, const void *value);

/* Drops the white space between the tokens of a text that is known to be JSON; returns where it ends. */
unsigned char *mcpw_write_dense(unsigned char *text, const unsigned char *end);

/* A member that no table names, and a comma. Its value is checked against ref. */
unsigned char *mcpw_write_member(mcpw_writer *w, unsigned char *p, const mcpw_member *member, mcpw_ref ref);

/* Note a failure and return NULL: with the status's own text, a text as it is, or one that is put together.
 */
MCPW_COLD unsigned char *mcpw_write_stop(mcpw_writer *w, mcpw_status status);
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_write_fail(w, status, text) (MCPW_UNUSED_TEXT(text), mcpw_write_stop((w), (status)))
#else
MCPW_COLD unsigned char *mcpw_write_fail(mcpw_writer *w, mcpw_status status, const char *text);
#endif
#define mcpw_write_fail_with(w, code, ...)                                                                   \
    (mcpw_error_set((w)->error, (code), 0, __VA_ARGS__), (w)->status = (code), (unsigned char *)NULL)

/* Whether count names, at `size` bytes from each other from items on, all differ. Else fails. */
bool mcpw_write_unique(mcpw_writer *w, const void *items, size_t count, size_t size);

unsigned char *mcpw_write_grow(mcpw_writer *w, unsigned char *p, size_t n);

/* A text of the pool that is more than a block. */
unsigned char *mcpw_write_word(mcpw_writer *w, unsigned char *p, const char *text, size_t n);

/* A string, or the rest of one, with escapes or characters that are not ASCII, and its closing quote. */
unsigned char *mcpw_write_string_rest(mcpw_writer *w, unsigned char *p, const unsigned char *s, size_t n);

/* The best way to copy long texts, looked up where the first is met. */
MCPW_INLINE const mcpw_runs *mcpw_write_runs(mcpw_writer *w) {
    if (w->runs == NULL) {
        w->runs = mcpw_runs_here();
    }
    return w->runs;
}

MCPW_INLINE unsigned char *mcpw_put_bool(unsigned char *p, bool value) {
    memcpy(p, value ? "true" : "false", 5);
    return p + (value ? 4 : 5);
}

/* Closes an object or array whose members were written with a comma after each: the last comma, or the
 * opening bracket, is what stands before p. */
MCPW_INLINE unsigned char *mcpw_put_end(unsigned char *p, unsigned char bracket) {
    p -= p[-1] == ',';
    *p = bracket;
    return p + 1;
}

/* The rest stands in whole files with one interface:
 *
 *   - mcpw_room: makes room for n bytes and MCPW_ROOM more
 *   - mcpw_put_pool: text of the pool, such as a name with its quotes. A name has at most MCPW_NAME_BYTES,
 *     which the generator ensures. The text may be read, and p written, up to two blocks beyond n.
 *   - mcpw_put_word: the same for a text of any length; NULL if memory runs out
 *   - mcpw_put_string: a string with its quotes
 *   - mcpw_put_int: an integer
 */
#if defined(MCPW_SMALL)
#include "write_small.h"
#else
#include "write_fast.h"
#endif

#endif
