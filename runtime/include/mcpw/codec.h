/* SPDX-License-Identifier: MIT */
/*
 * Decode, encode, validate, copy and compare values of any protocol type. The generated typed functions
 * (mcp_20251125_tool_decode, ...) call these. Programs that know a type only by name, such as gateways and
 * bindings, call them with a handle from mcpw_find_type.
 *
 * Threads: no function keeps state of its own. Two threads may use the library at once as long as they
 * share no arena, buffer or error record.
 *
 * A library for small machines may lack some of these functions. A program that calls a missing one does not
 * link:
 *   - MCPW_WITH_ENCODE=OFF: no mcpw_encode, mcpw_equal, nor the generated _validate_value.
 *   - MCPW_WITH_COPY_EQUAL=OFF: no mcpw_copy, mcpw_equal. (mcpw_equal needs MCPW_WITH_JSON_TOOLS too.)
 *   - MCPW_WITH_NAMES=OFF: mcpw_find_type finds none.
 *   - MCPW_WITH_STRICT=OFF: MCPW_STRICT is refused with MCPW_E_ARGUMENT.
 *   - MCPW_WITH_LENIENCY=OFF: so are MCPW_ALLOW_UNKNOWN, MCPW_NULL_IS_ABSENT and MCPW_PEER_DEFAULTS.
 */
#ifndef MCPW_CODEC_H
#define MCPW_CODEC_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>
#include <mcpw/limits.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* Flags of mcpw_options. */
enum {
    /* Also enforce rules that only the prose of the specification has. This refuses text that is not the URI,
       base64 or timestamp that it must be, bad _meta keys, duplicate members anywhere, and unknown methods.
     */
    MCPW_STRICT = 1,
    /* Keep union alternatives and enum values that the revision does not name, as MCPW_UNKNOWN. */
    MCPW_ALLOW_UNKNOWN = 2,
    /* Read null as absent where a member is optional. */
    MCPW_NULL_IS_ABSENT = 4,
    /* Fill in required members that peers are known to leave out, with the value that the specification
       names: resultType "complete", ttlMs 0 (also in place of a negative one). */
    MCPW_PEER_DEFAULTS = 8
};

/* Called for each error of a value by mcpw_validate. Return false to stop. */
typedef bool (*mcpw_error_callback)(void *user, const mcpw_error *error);

/* How to read. Zero in a limit means its default. Initialise with MCPW_OPTIONS_INIT. */
typedef struct mcpw_options {
    size_t struct_size; /* set by MCPW_OPTIONS_INIT */
    unsigned flags;     /* MCPW_STRICT and its like, combined by | */
    unsigned max_depth; /* nested arrays and objects; default MCPW_DEFAULT_DEPTH */
    size_t max_bytes;   /* length of a text; default MCPW_DEFAULT_BYTES */
    /* Array items, map entries and kept members together; default MCPW_DEFAULT_ELEMENTS. */
    size_t max_elements;
    /* For mcpw_validate only: validation goes on after an error and reports each one. */
    mcpw_error_callback on_error;
    void *user; /* passed to on_error */
} mcpw_options;

/* The defaults: the rules of the schema alone, and the limits of <mcpw/limits.h>. */
#define MCPW_OPTIONS_INIT MCPW_SIZED(mcpw_options)

/* Reads one JSON value of the given type from text into the struct at out. Everything that out refers to lies
 * in the arena. text is only read. It needs no padding or terminator and may be freed afterwards. On failure
 * out is zeroed, and the arena is as it was before the call. options and error may be NULL. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_decode(const mcpw_type *type, const char *text, size_t len,
                                                mcpw_arena *arena, void *out, const mcpw_options *options,
                                                mcpw_error *error);

/* Checks whether text is one JSON value of the given type, without building it. Working memory comes from
 * scratch, which is unchanged afterwards. With options->on_error the callback gets every error, and the first
 * one is returned. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_validate(const mcpw_type *type, const char *text, size_t len,
                                                  mcpw_arena *scratch, const mcpw_options *options,
                                                  mcpw_error *error);

/* Appends the JSON text of the struct at value to out, in which none of its texts may lie, in wire order and
 * without white space between tokens. A raw value keeps its white space, unless it has a line break, which
 * would end a frame of lines: then all white space between its tokens is removed. It refuses values that the
 * schema refuses: an absent required member, a number out of bounds, raw text that is not one JSON value, an
 * extra member whose name the type knows. On failure out keeps its length. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_encode(const mcpw_type *type, const void *value, mcpw_buffer *out,
                                                const mcpw_options *options, mcpw_error *error);

/* A deep copy of the struct at from, in the struct at to and in the arena. MCPW_E_MEMORY, MCPW_E_ARENA,
 * MCPW_E_DEPTH, MCPW_E_ARGUMENT. On failure to is zeroed, and the arena is as it was. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_copy(const mcpw_type *type, const void *from, mcpw_arena *arena,
                                              void *to, mcpw_error *error);

/* Whether two structs represent equal JSON values: numbers by value, strings by code point, members in any
 * order (see mcpw_json_equal). A raw value that is not well-formed is equal to nothing. */
MCPW_NODISCARD MCPW_API bool mcpw_equal(const mcpw_type *type, const void *a, const void *b);

/* The revisions that are built into this library, oldest first. */
MCPW_API const mcpw_revision *const *mcpw_revisions(size_t *count);

/* A revision by its name, such as "2025-11-25"; NULL if the library lacks it. */
MCPW_API const mcpw_revision *mcpw_find_revision(const char *revision);

/* A type by revision and definition name, such as "2025-11-25" and "Tool"; NULL if there is none. */
MCPW_API const mcpw_type *mcpw_find_type(const char *revision, const char *name);

/* A method's number (its generated enum value) by name; 0 if the revision lacks it. */
MCPW_API int mcpw_method_number(const mcpw_revision *revision, const char *name, size_t len);

/* The handle of a method number; NULL for 0 and numbers that the revision lacks. */
MCPW_API const mcpw_method *mcpw_method_entry(const mcpw_revision *revision, int number);

/* The name of a method number, not NUL-terminated. It is absent for 0 and for numbers that the revision
 * lacks. */
MCPW_API mcpw_str mcpw_method_name(const mcpw_revision *revision, int number);

MCPW_END_DECLS

#endif
