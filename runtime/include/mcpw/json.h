/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing raw JSON values: the arguments of a tool, structured content, unknown members.
 * Reading works on the text in place and allocates nothing, except that a string with escapes needs an
 * arena to be unescaped into. All functions are safe on text that is not JSON: they report MCPW_E_SYNTAX.
 */
#ifndef MCPW_JSON_H
#define MCPW_JSON_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

typedef enum mcpw_json_kind {
    MCPW_JSON_ABSENT = 0,
    MCPW_JSON_NULL = 1,
    MCPW_JSON_BOOLEAN = 2,
    MCPW_JSON_NUMBER = 3,
    MCPW_JSON_STRING = 4,
    MCPW_JSON_ARRAY = 5,
    MCPW_JSON_OBJECT = 6
} mcpw_json_kind;

/* The JSON type of a value, by its first byte; MCPW_JSON_ABSENT for absent or empty text. */
MCPW_API mcpw_json_kind mcpw_json_kind_of(mcpw_json value);

/* Whether the text is exactly one JSON value, nested at most max_depth deep (0: MCPW_DEFAULT_DEPTH). */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_check(mcpw_json value, unsigned max_depth, mcpw_error *error);

/* The member of an object by name (bytes of UTF-8, compared after unescaping; the first when it occurs
 * twice). MCPW_E_NOT_FOUND when there is none, MCPW_E_TYPE when value is no object. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get(mcpw_json value, const char *name, mcpw_json *out);

/* The item of an array by its place from 0; MCPW_E_NOT_FOUND past the end. Takes time linear in the place:
 * iterate to read them all. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_at(mcpw_json value, size_t index, mcpw_json *out);

/* The number of items or members; 0 for other values and for text that is not JSON. */
MCPW_API size_t mcpw_json_count(mcpw_json value);

/* Typed getters. MCPW_E_TYPE for another JSON type, MCPW_E_OVERFLOW for numbers that do not fit. An integer
 * may be written 1.0 or 1e3. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_bool(mcpw_json value, bool *out);
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_int(mcpw_json value, int64_t *out);
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_double(mcpw_json value, double *out);

/* The text of a string. Without escapes out points into value and is not NUL-terminated; with escapes it is
 * unescaped into arena, which may be NULL when the caller knows that there are none (else MCPW_E_ARGUMENT).
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_string(mcpw_json value, mcpw_arena *arena, mcpw_str *out);

/* The same getters for a member by name. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_bool(mcpw_json value, const char *name, bool *out);
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_int(mcpw_json value, const char *name, int64_t *out);
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_double(mcpw_json value, const char *name, double *out);
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_string(mcpw_json value, const char *name, mcpw_arena *arena,
                                                         mcpw_str *out);

/* Walks the items of an array or the members of an object:
 *
 *     mcpw_json_iter it;
 *     if (mcpw_json_iterate(value, &it) == MCPW_OK)
 *         while (mcpw_json_next(&it, &key, &item)) ...
 *     if (it.status != MCPW_OK) ...   // the text was broken
 *
 * key is the member's name as it stands in the text, quotes included (mcpw_json_string unescapes it); it is
 * absent in arrays, and may be NULL. */
typedef struct mcpw_json_iter {
    const char *next;
    const char *end;
    mcpw_json_kind kind;
    mcpw_status status;
    bool started;
} mcpw_json_iter;

MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_iterate(mcpw_json value, mcpw_json_iter *it);
MCPW_NODISCARD MCPW_API bool mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item);

/* Whether two values are equal: numbers by exact value, strings by code point, members in any order. Objects
 * of many members that stand in another order are sorted, in memory of malloc; without it they are not equal.
 */
MCPW_NODISCARD MCPW_API bool mcpw_json_equal(mcpw_json a, mcpw_json b);

/* Writes JSON into a fixed buffer of the caller's. Calls after an error do nothing; the error is reported
 * by mcpw_json_write_end, so that a sequence needs one check. Commas and colons are put in by the writer. */
enum { MCPW_JSON_WRITE_DEPTH = 64 };

typedef struct mcpw_json_writer {
    char *data;
    size_t capacity;
    size_t len; /* bytes written; with MCPW_E_SIZE, where writing stopped */
    unsigned depth;
    mcpw_status status;
    uint64_t is_object; /* a bit for each open level */
    uint64_t has_items;
    bool after_key;
} mcpw_json_writer;

MCPW_API void mcpw_json_write_begin(mcpw_json_writer *w, char *data, size_t capacity);
MCPW_API void mcpw_json_write_object(mcpw_json_writer *w);
MCPW_API void mcpw_json_write_array(mcpw_json_writer *w);
MCPW_API void mcpw_json_write_close(mcpw_json_writer *w);
MCPW_API void mcpw_json_write_key(mcpw_json_writer *w, const char *name);
MCPW_API void mcpw_json_write_string(mcpw_json_writer *w, const char *text, size_t len);
MCPW_API void mcpw_json_write_int(mcpw_json_writer *w, int64_t value);
MCPW_API void mcpw_json_write_double(mcpw_json_writer *w, double value);
MCPW_API void mcpw_json_write_bool(mcpw_json_writer *w, bool value);
MCPW_API void mcpw_json_write_null(mcpw_json_writer *w);
MCPW_API void mcpw_json_write_raw(mcpw_json_writer *w, mcpw_json value);

/* The finished value, pointing into the caller's buffer. MCPW_E_SIZE when the buffer was too small,
 * MCPW_E_ARGUMENT when the calls made no complete value. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_write_end(mcpw_json_writer *w, mcpw_json *out);

MCPW_END_DECLS

#endif
