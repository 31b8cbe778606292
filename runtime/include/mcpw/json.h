/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing raw JSON values: the arguments of a tool, structured content, unknown members.
 * Reading works on the text in place and allocates nothing. Only a string with escapes needs an arena to be
 * unescaped into. All functions are safe on text that is not JSON; they return MCPW_E_SYNTAX.
 *
 * A library that was built with MCPW_WITH_JSON_TOOLS=OFF has none of these functions. Without
 * MCPW_WITH_ENCODE it has no writer.
 */
#ifndef MCPW_JSON_H
#define MCPW_JSON_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>
#include <mcpw/limits.h>

MCPW_BEGIN_DECLS

/* The types of JSON values. */
typedef enum mcpw_json_kind {
    MCPW_JSON_ABSENT = 0,  /* no text at all */
    MCPW_JSON_NULL = 1,    /* null */
    MCPW_JSON_BOOLEAN = 2, /* true or false */
    MCPW_JSON_NUMBER = 3,  /* a number */
    MCPW_JSON_STRING = 4,  /* a string */
    MCPW_JSON_ARRAY = 5,   /* an array */
    MCPW_JSON_OBJECT = 6   /* an object */
} mcpw_json_kind;

/* The same types as bits, for sets of them. The first byte of a value decides its type. */
enum {
    MCPW_IS_OBJECT = 1,   /* { */
    MCPW_IS_ARRAY = 2,    /* [ */
    MCPW_IS_STRING = 4,   /* a quote */
    MCPW_IS_NUMBER = 8,   /* a digit or a minus */
    MCPW_IS_BOOLEAN = 16, /* t or f */
    MCPW_IS_NULL = 32     /* n */
};

/* The JSON type of a value, by its first byte after white space. MCPW_JSON_ABSENT: the text is absent or
 * empty, or begins no value. */
MCPW_API mcpw_json_kind mcpw_json_kind_of(mcpw_json value);

/* Checks that the text is exactly one JSON value, nested at most max_depth deep (0: MCPW_DEFAULT_DEPTH).
 * MCPW_E_SYNTAX (also if it is absent), MCPW_E_UTF8, MCPW_E_DEPTH. MCPW_E_ARGUMENT: max_depth is above
 * MCPW_MAX_DEPTH. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_check(mcpw_json value, unsigned max_depth, mcpw_error *error);

/* The member of an object by name. Names are compared as UTF-8 bytes after unescaping. If several members
 * have the same name, the first is found. MCPW_E_NOT_FOUND if there is none, MCPW_E_TYPE if value is another
 * JSON type. MCPW_E_SYNTAX: value is absent, or its text is broken before the end of the member; MCPW_E_UTF8,
 * MCPW_E_DEPTH likewise. The text after the member is not read. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get(mcpw_json value, const char *name, mcpw_json *out);

/* The item of an array by its index from 0. MCPW_E_NOT_FOUND past the end. The time is linear in the index,
 * so iterate to read all items. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_at(mcpw_json value, size_t index, mcpw_json *out);

/* The number of items or members; 0 for other values and for text that is not JSON. */
MCPW_API size_t mcpw_json_count(mcpw_json value);

/* The value of true or false. MCPW_E_TYPE for another JSON type. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_bool(mcpw_json value, bool *out);
/* The value of an integer, also if it is written 1.0 or 1e3. MCPW_E_TYPE for another JSON type,
 * MCPW_E_OVERFLOW for an integer that does not fit. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_int(mcpw_json value, int64_t *out);
/* The value of a number, rounded to the nearest double. MCPW_E_TYPE for another JSON type, MCPW_E_OVERFLOW
 * for one that is too large. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_double(mcpw_json value, double *out);

/* The text of a string. Without escapes, out points into value and is not NUL-terminated. With escapes it is
 * unescaped into arena. arena may be NULL if there are no escapes; else MCPW_E_ARGUMENT. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_string(mcpw_json value, mcpw_arena *arena, mcpw_str *out);

/* The same for a member by name: mcpw_json_get, then mcpw_json_bool. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_bool(mcpw_json value, const char *name, bool *out);
/* mcpw_json_get, then mcpw_json_int. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_int(mcpw_json value, const char *name, int64_t *out);
/* mcpw_json_get, then mcpw_json_double. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_double(mcpw_json value, const char *name, double *out);
/* mcpw_json_get, then mcpw_json_string. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_get_string(mcpw_json value, const char *name, mcpw_arena *arena,
                                                         mcpw_str *out);

/* Walks the items of an array or the members of an object:
 *
 *     mcpw_json_iter it;
 *     if (mcpw_json_iterate(value, &it) == MCPW_OK)
 *         while (mcpw_json_next(&it, &key, &item)) ...
 *     if (it.status != MCPW_OK) ...   // the text was broken
 *
 * key receives the member's name with its quotes and escapes (mcpw_json_string unescapes it). It is absent in
 * arrays. The pointer may be NULL. */
typedef struct mcpw_json_iter {
    const char *next;    /* the rest of the text */
    const char *end;     /* the end of the text */
    mcpw_json_kind kind; /* MCPW_JSON_ARRAY or MCPW_JSON_OBJECT */
    mcpw_status status;  /* MCPW_OK, or the reason of an early end */
    bool started;        /* the first item was returned */
} mcpw_json_iter;

/* Begins a walk. MCPW_E_TYPE if value is neither an array nor an object, MCPW_E_SYNTAX if it is absent. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_iterate(mcpw_json value, mcpw_json_iter *it);
/* Reads the next item. Returns false at the end, and if the text is broken (see it->status). */
MCPW_NODISCARD MCPW_API bool mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item);

/* Whether two values are equal: numbers by exact value, strings by code point, members in any order. The work
 * grows with the length of both values, independent of their nesting. A value nested deeper than
 * MCPW_MAX_DEPTH is equal to nothing. If the members are in different orders, they are sorted in memory from
 * malloc, several times as large as the text. Without that memory the values count as not equal. (A build
 * without malloc, or with MCPW_SMALL, searches for each member instead; that is slow for many members.) */
MCPW_NODISCARD MCPW_API bool mcpw_json_equal(mcpw_json a, mcpw_json b);

/* ---- Writing ---- */

/* Appends text to a buffer as a JSON string, with its quotes and the escapes that JSON needs. Errors:
 * MCPW_E_UTF8, MCPW_E_MEMORY, and MCPW_E_ARGUMENT if text is absent. On failure the buffer keeps its length.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_append_string(mcpw_buffer *out, mcpw_str text);

/* Appends a value that is already JSON. The value is checked as by mcpw_json_check. If it has a line break,
 * all white space between its tokens is removed. Errors are those of mcpw_json_check, and MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_append_raw(mcpw_buffer *out, mcpw_json value,
                                                         unsigned max_depth, mcpw_error *error);

/* Appends the members of an object to out, which ends with "{" or with another member. Members with one of
 * the names in `but` are left out; that list ends with NULL, and may be NULL itself. The members are copied
 * as they are, so unknown ones survive. An absent object has none. MCPW_E_TYPE: it is no object, and nothing
 * is appended. MCPW_E_SYNTAX, MCPW_E_UTF8, MCPW_E_DEPTH, MCPW_E_MEMORY: out has only some of the members. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_append_members(mcpw_buffer *out, mcpw_json object,
                                                             const char *const *but);

/* The greatest number of open arrays and objects of a mcpw_json_writer. */
enum { MCPW_JSON_WRITE_DEPTH = 64 /* one bit each */ };

/* A writer of JSON, into the caller's memory or into a growing buffer. It adds the commas and colons. Calls
 * after an error do nothing. mcpw_json_write_end returns the error, so a sequence of calls needs one check.
 */
typedef struct mcpw_json_writer {
    char *data;         /* of the caller */
    size_t capacity;    /* bytes of it */
    size_t len;         /* bytes written; after MCPW_E_SIZE, the place where writing stopped */
    unsigned depth;     /* open arrays and objects */
    mcpw_status status; /* of the first call that failed */
    uint64_t is_object; /* one bit for each open level */
    uint64_t has_items; /* likewise; set: a comma is due */
    bool after_key;     /* a value is due */
    mcpw_buffer *out;   /* the growing buffer; NULL: data is used */
    size_t begin;       /* its length at the beginning */
    unsigned levels;    /* the greatest depth so far */
} mcpw_json_writer;

/* Begins a value in a buffer of capacity bytes. */
MCPW_API void mcpw_json_write_begin(mcpw_json_writer *w, char *data, size_t capacity);
/* Begins a value at the end of a buffer, which grows with it. If it cannot grow, the writer's status is
 * MCPW_E_MEMORY. */
MCPW_API void mcpw_json_write_into(mcpw_json_writer *w, mcpw_buffer *out);
/* Opens an object. Keys and values follow, then mcpw_json_write_close. */
MCPW_API void mcpw_json_write_object(mcpw_json_writer *w);
/* Opens an array. Values follow, then mcpw_json_write_close. */
MCPW_API void mcpw_json_write_array(mcpw_json_writer *w);
/* Closes the innermost open array or object. */
MCPW_API void mcpw_json_write_close(mcpw_json_writer *w);
/* Writes the name of the next member, NUL-terminated UTF-8; its value follows. */
MCPW_API void mcpw_json_write_key(mcpw_json_writer *w, const char *name);
/* The same for a name of len bytes. */
MCPW_API void mcpw_json_write_name(mcpw_json_writer *w, const char *name, size_t len);
/* Writes len bytes of UTF-8 as a string, escaped as JSON needs it. */
MCPW_API void mcpw_json_write_string(mcpw_json_writer *w, const char *text, size_t len);
/* Writes an integer. */
MCPW_API void mcpw_json_write_int(mcpw_json_writer *w, int64_t value);
/* Writes a number in the shortest form that reads back as the same value. MCPW_E_VALUE if it is not finite.
 */
MCPW_API void mcpw_json_write_double(mcpw_json_writer *w, double value);
/* Writes true or false. */
MCPW_API void mcpw_json_write_bool(mcpw_json_writer *w, bool value);
/* Writes null. */
MCPW_API void mcpw_json_write_null(mcpw_json_writer *w);
/* Writes a value that is already JSON, and does not lie in the buffer that is written to. It is checked
 * unless it is sealed. */
MCPW_API void mcpw_json_write_raw(mcpw_json_writer *w, mcpw_json value);

/* Ends the value. out is sealed and points into the caller's memory, or into the end of the growing buffer.
 * After a failure that buffer has its old length. MCPW_E_SIZE if the memory was too small, MCPW_E_ARGUMENT if
 * the calls made no complete value. Other errors are those of the first call that failed: MCPW_E_UTF8,
 * MCPW_E_VALUE, MCPW_E_DEPTH, MCPW_E_MEMORY, or the error of a raw value. Then *out is not changed. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_write_end(mcpw_json_writer *w, mcpw_json *out);

MCPW_END_DECLS

#endif
