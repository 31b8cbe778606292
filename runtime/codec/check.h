/* SPDX-License-Identifier: MIT */
/*
 * Checks of a value besides its kind, as the tables state them: bounds, lengths and formats. One function
 * says whether a value is so, wherever the value comes from (a text, a C value, a C value of another
 * revision), and one says in words what was demanded. A new keyword that says something about a single value
 * goes into check.c.
 */
#ifndef MCPW_CHECK_H
#define MCPW_CHECK_H

#include <mcpw/detail/table.h>

#include "../base/error_text.h"

/* The parts of a value that checks read. */
typedef struct mcpw_checked {
    mcpw_kind kind;  /* a plain kind: integer, number, string; array or map for what is counted */
    int64_t integer; /* an integer, or a count */
    double number;   /* the double nearest to the number whose text is below */
    mcpw_str text;   /* of a string; of a number, as it is written: bounds are compared with that */
} mcpw_checked;

MCPW_INLINE mcpw_checked mcpw_checked_integer(int64_t value) {
    const mcpw_checked checked = {MCPW_KIND_INTEGER, value, 0, {NULL, 0}};
    return checked;
}

MCPW_INLINE mcpw_checked mcpw_checked_number(double value, const unsigned char *from,
                                             const unsigned char *to) {
    const mcpw_checked checked = {MCPW_KIND_NUMBER, 0, value, {(const char *)from, (size_t)(to - from)}};
    return checked;
}

/* After the text stands a quote or a NUL, and all of it is UTF-8. */
MCPW_INLINE mcpw_checked mcpw_checked_string(mcpw_str text) {
    const mcpw_checked checked = {MCPW_KIND_STRING, 0, 0, text};
    return checked;
}

/* The items of an array, or the members of a map. */
MCPW_INLINE mcpw_checked mcpw_checked_count(size_t count) {
    const uint64_t wide = count; /* than a size_t of 32 bits, which could never pass INT64_MAX */
    const mcpw_checked checked = {
        MCPW_KIND_ARRAY, wide > INT64_MAX ? INT64_MAX : (int64_t)wide, 0, {NULL, 0}};
    return checked;
}

/* Whether a check demands anything of values that are read without MCPW_STRICT: many are but a format. */
MCPW_INLINE bool mcpw_has_bounds(const mcpw_revision *revision, unsigned check) {
    return revision->checks[check].flags != 0; /* checks[0] is all zero */
}

/* Whether a value is what a check demands: MCPW_OK, MCPW_E_RANGE, MCPW_E_LENGTH or, with MCPW_STRICT among
 * the flags of the options, MCPW_E_FORMAT. */
MCPW_NODISCARD mcpw_status mcpw_check_value(const mcpw_revision *revision, unsigned check, unsigned flags,
                                            const mcpw_checked *value);

/* The part of a check that a status is about, in words. Returns out. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_check_words(out, revision, check, status) ((void)(revision), (void)(check), (out))
#else
MCPW_COLD const char *mcpw_check_words(char out[MCPW_ERROR_MESSAGE_SIZE], const mcpw_revision *revision,
                                       unsigned check, mcpw_status status);
#endif

/* ---- bounds (bound.c, bound_small.c) ---- */

/* How a value stands to a bound of a check: below (negative), on it (0) or above. Lengths are integers here.
 */
int mcpw_order_to_bound(const mcpw_revision *revision, const mcpw_check *c, const mcpw_checked *value,
                        bool is_max);

/* ---- formats (formats.c) ---- */

#if defined(MCPW_NO_STRICT) /* built without: asking for them is an error */
enum { MCPW_KNOWS_FORMATS = false };
#define mcpw_has_format(format, value) ((void)(value), true)
#define mcpw_name_has_format(format, name) ((void)(name), true)
#define mcpw_format_is_of_names(format) false
#define mcpw_format_text(format) ""
#else
enum { MCPW_KNOWS_FORMATS = true };

/* Whether a value has a format. A format that is unknown, or is for other kinds, has no effect. */
bool mcpw_has_format(unsigned format, const mcpw_checked *value);

/* The same for the name of a member of an object whose format this is. */
bool mcpw_name_has_format(unsigned format, mcpw_str name);
bool mcpw_format_is_of_names(unsigned format);

/* The rule of a format, in words. */
MCPW_COLD const char *mcpw_format_text(unsigned format);
#endif

#endif
