/* SPDX-License-Identifier: MIT */
/*
 * A check under way: a schema, a value as a tape, and the record of its errors.
 *
 * This is a recursive descent: mcpw_fits asks fit_values.c, fit_object.c and fit_steps.c, by the type of the
 * value, and these call mcpw_fits for items, members and alternatives. mcpw_checking.depth limits how deep
 * that goes.
 */
#ifndef MCPW_SCHEMA_FIT_H
#define MCPW_SCHEMA_FIT_H

#include "../base/error_text.h"
#include "../base/printable.h"
#include "shapes.h"

/* The way from the root to a value, from the inside out. */
typedef struct mcpw_place {
    const struct mcpw_place *up;
    uint32_t name;  /* node of the member's name; 0: it is an item */
    uint32_t index; /* of the item */
} mcpw_place;

/* The resources that were entered on the way, from the inside out. */
typedef struct mcpw_scope {
    const struct mcpw_scope *outer;
    uint32_t resource;
} mcpw_scope;

/* The evaluated members or items of one value (2020-12 core, section 7.7.1): one bit each. */
typedef struct mcpw_marks {
    uint64_t *words;
    uint32_t count; /* of words */
} mcpw_marks;

/* Patterns of a schema that holds none compiled: those that the check has needed so far. They have an arena
 * of their own, as the scratch memory is rewound time and again. */
typedef struct mcpw_own_patterns {
    mcpw_arena arena;
    void **compiled; /* as many as the schema has, or NULL */
} mcpw_own_patterns;

typedef struct mcpw_checking {
    const mcpw_schema *schema;
    const mcpw_tape *tape;
    const mcpw_scope *scope;
    mcpw_own_patterns own;
    mcpw_comparer comparer; /* its work is that of the whole check */
    unsigned depth;         /* calls that may still be nested */
    bool quiet;             /* failures are not errors: alternatives are tried */
    bool goes_on;           /* after errors, to find more of them */
    bool stopped;           /* the check ends as soon as it can */
    mcpw_status first;      /* of the first error */
    mcpw_error *error;      /* filled by each; NULL: none is wanted */
    mcpw_error_callback on_error;
    void *user;
} mcpw_checking;

/* The place of a value, and the marks of its parts; marks NULL: they are not needed. */
typedef struct mcpw_spot {
    uint32_t node;
    const mcpw_place *place;
    mcpw_marks *marks;
} mcpw_spot;

/* A pattern of the schema, compiled; NULL when there is none, and the check is given up. (own_patterns.c) */
const void *mcpw_pattern_of(mcpw_checking *c, uint32_t pattern);
void mcpw_own_patterns_free(mcpw_checking *c);

/* Whether the value fits the shape. */
bool mcpw_fits(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot);

/* Whether a text fits the schema, by limits that are defaults and without MCPW_STRICT. False: the tape
 * decides. (fit_text.c) */
bool mcpw_text_fits(const mcpw_schema *schema, const char *text, size_t len);

/* The row by which mcpw_text_fits checks an object; NULL: the schema asks more of it. (fit_text.c) */
const mcpw_object_row *mcpw_plain_row(const mcpw_schema *schema);

/* The same, by the types of values (fit_values.c, fit_object.c), */
bool mcpw_number_fits(mcpw_checking *c, const mcpw_number_row *row, const mcpw_spot *spot);
bool mcpw_string_fits(mcpw_checking *c, const mcpw_string_row *row, const mcpw_spot *spot);
bool mcpw_array_fits(mcpw_checking *c, const mcpw_array_row *row, const mcpw_spot *spot);
bool mcpw_object_fits(mcpw_checking *c, const mcpw_object_row *row, const mcpw_spot *spot);

/* and by a step (fit_steps.c). */
bool mcpw_step_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot);

/* Whether the text has the pattern. */
bool mcpw_pattern_fits(mcpw_checking *c, uint32_t pattern, mcpw_str text);

/* Runs the shape without telling of errors. */
bool mcpw_fits_quietly(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot);

/* Ends the check for a reason that says nothing about the value. Returns false. */
bool mcpw_give_up(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status);

/* Takes work from what is left of it; false: there is none. */
MCPW_INLINE bool mcpw_pay(mcpw_checking *c, uint64_t work) {
    if (MCPW_UNLIKELY(c->comparer.work < work)) {
        return mcpw_give_up(c, NULL, MCPW_E_WORK);
    }
    c->comparer.work -= work;
    return true;
}

enum { LONGEST_CHARACTER = 4 /* bytes */ };

/* Whether the length of a string is fine, however many bytes its characters have. */
MCPW_INLINE bool mcpw_length_is_fine(const mcpw_string_row *row, size_t bytes) {
    return bytes <= row->most && (bytes + LONGEST_CHARACTER - 1) / LONGEST_CHARACTER >= row->least;
}

/* Whether a value without parts fits a shape that says little of it, which shows at once. Otherwise ask
 * mcpw_fits. The caller has paid for it. */
MCPW_INLINE bool mcpw_leaf_fits(const mcpw_schema *schema, uint32_t shape, const mcpw_tape_node *n) {
    const mcpw_shape *const s = schema->shapes + shape;
    if ((s->types & n->type) == 0 || s->steps.count != 0) {
        return false;
    }
    if (n->type == MCPW_IS_STRING) {
        const mcpw_string_row *const row = schema->string_rows + s->string;
        return s->string == 0 ||
               (row->pattern == MCPW_NO_PATTERN && row->format == 0 && mcpw_length_is_fine(row, n->size));
    }
    return (n->type & (MCPW_IS_BOOLEAN | MCPW_IS_NULL)) != 0 ||
           ((n->type & (MCPW_IS_WHOLE | MCPW_IS_NUMBER)) != 0 && s->number == 0);
}

/* Tells of an error at a value, unless the check is quiet. Returns false. */
MCPW_COLD bool mcpw_refuse(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status, const char *text);

/* The same for a value that is of none of these types. */
MCPW_COLD bool mcpw_refuse_type(mcpw_checking *c, uint32_t types, const mcpw_spot *spot);

/* The same with what the text says around an excerpt, or a number. */
MCPW_COLD bool mcpw_refuse_text(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status,
                                const char *before, mcpw_str what, const char *after);
MCPW_COLD bool mcpw_refuse_count(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status,
                                 const char *before, uint32_t count, const char *after);

/* ---- marks (fit_steps.c) ---- */

/* Marks for `count` members or items, none of them marked. False: memory ran out. */
bool mcpw_marks_open(mcpw_checking *c, mcpw_marks *marks, uint32_t count);

MCPW_INLINE void mcpw_mark_set(mcpw_marks *marks, uint32_t index) {
    marks->words[index / 64] |= UINT64_C(1) << index % 64;
}

MCPW_INLINE bool mcpw_mark_is_set(const mcpw_marks *marks, uint32_t index) {
    return (marks->words[index / 64] >> index % 64 & 1U) != 0;
}

/* Marks all that the other has marked. */
void mcpw_marks_join(mcpw_marks *marks, const mcpw_marks *other);

#endif
