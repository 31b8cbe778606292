/* SPDX-License-Identifier: MIT */
/*
 * A compiled schema: tables, and what walks along them.
 *
 *     text --tape.c--> tape --library.c--> resources, anchors --compile*.c--> tables --pack.c--> mcpw_schema
 *     text --tape.c--> tape, and the tables --fit*.c--> verdict, errors
 *
 * Each subschema that can be reached is a **shape**: the JSON types that it allows, a row for each type of
 * value about which it says more (numbers, strings, arrays, objects), and steps for what holds whatever the
 * value is: const, enum, references, alternatives, what is unevaluated. A walk looks at the type once, then
 * at one row, then at the steps. true and false are the shapes 0 and 1, to which nothing is asked.
 *
 * Every name that an object's schema speaks of (properties, required, dependentRequired, dependentSchemas) is
 * one row of its names, so that each member of a value is looked up once: by its hash, which the tape has.
 *
 * Tables refer to each other by number, and the texts of all of them stand in one pool: they are one block
 * of memory that can be moved, or be constants.
 */
#ifndef MCPW_SHAPES_H
#define MCPW_SHAPES_H

#include <mcpw/schema.h>

#include "tape.h"

enum { MCPW_SHAPE_TRUE = 0, MCPW_SHAPE_FALSE = 1 };

/* None of them, where numbers count from 0 on. */
#define MCPW_NO_SHAPE UINT32_MAX
#define MCPW_NO_BIT UINT32_MAX
#define MCPW_NO_PATTERN UINT32_MAX
#define MCPW_NO_LIMIT UINT32_MAX /* maxItems and its like */

/* A part of another table, or of the pool. */
typedef struct mcpw_span {
    uint32_t first;
    uint32_t count;
} mcpw_span;

/* Rows are counted from 1 on: 0 is none. */
typedef struct mcpw_shape {
    uint32_t types; /* MCPW_IS_... that are allowed; an integer is MCPW_IS_WHOLE without MCPW_IS_NUMBER */
    uint32_t number;
    uint32_t string;
    uint32_t array;
    uint32_t object;
    uint32_t tracks;   /* values of which it asks what is unevaluated: MCPW_IS_OBJECT, MCPW_IS_ARRAY */
    uint32_t resource; /* to which it belongs, for dynamic references */
    mcpw_span steps;
} mcpw_shape;

typedef enum mcpw_step_kind {
    MCPW_STEP_CONST,      /* a: node of the constants */
    MCPW_STEP_ENUM,       /* a: first of the nodes in numbers, b: how many */
    MCPW_STEP_WORDS,      /* a: first of the names, b: how many: an enum of many strings */
    MCPW_STEP_REF,        /* a: shape; allOf too */
    MCPW_STEP_DYNAMIC,    /* a: dynamic row */
    MCPW_STEP_ANY_OF,     /* a: first of the shapes in numbers, b: how many */
    MCPW_STEP_ONE_OF,     /* the same */
    MCPW_STEP_NOT,        /* a: shape */
    MCPW_STEP_IF,         /* a: first of three shapes in numbers */
    MCPW_STEP_PROPERTIES, /* unevaluatedProperties; a: shape */
    MCPW_STEP_ITEMS       /* unevaluatedItems; a: shape */
} mcpw_step_kind;

typedef struct mcpw_step {
    uint32_t kind;
    uint32_t a;
    uint32_t b;
} mcpw_step;

typedef enum mcpw_bound_kind {
    MCPW_BOUND_MINIMUM,
    MCPW_BOUND_MAXIMUM,
    MCPW_BOUND_ABOVE,
    MCPW_BOUND_BELOW,
    MCPW_BOUND_MULTIPLE
} mcpw_bound_kind;

typedef struct mcpw_bound {
    uint32_t kind;
    mcpw_span text;
    uint32_t is_short; /* whether value holds it */
    int64_t value;
} mcpw_bound;

typedef struct mcpw_number_row {
    mcpw_span bounds;
} mcpw_number_row;

typedef struct mcpw_string_row {
    uint32_t least;
    uint32_t most;
    uint32_t pattern; /* or MCPW_NO_PATTERN */
    uint32_t format;  /* of text_formats.h; 0: none */
} mcpw_string_row;

typedef struct mcpw_array_row {
    uint32_t least;
    uint32_t most;
    uint32_t unique;
    mcpw_span prefix;   /* shapes, in numbers */
    uint32_t rest;      /* shape of the items behind them */
    uint32_t says_rest; /* whether they count as evaluated */
    uint32_t contains;  /* shape, or MCPW_NO_SHAPE */
    uint32_t contains_least;
    uint32_t contains_most;
    uint32_t contains_says; /* whether what it finds counts as evaluated */
} mcpw_array_row;

typedef struct mcpw_name {
    uint32_t hash;
    mcpw_span text;
    uint32_t shape;    /* or MCPW_NO_SHAPE: it is not among the properties */
    uint32_t bit;      /* or MCPW_NO_BIT: nobody asks whether it is there */
    uint32_t entails;  /* dependentSchemas: a shape, or MCPW_NO_SHAPE */
    mcpw_span demands; /* dependentRequired: names, in numbers */
} mcpw_name;

typedef struct mcpw_object_row {
    mcpw_span names;      /* sorted by hash, length and text */
    uint32_t buckets;     /* where in numbers the buckets are: the first name of each, and one behind */
    uint32_t bucket_bits; /* a bucket is a value of the highest so many bits of the hash */
    uint32_t required;    /* the bits from 0 to here are required */
    uint32_t bits;
    uint32_t depends; /* whether a name entails or demands */
    uint32_t least;
    uint32_t most;
    mcpw_span patterns;  /* pairs of pattern and shape, in numbers */
    uint32_t additional; /* shape */
    uint32_t says_additional;
    uint32_t property_names; /* shape */
} mcpw_object_row;

/* A reference that depends on the way on which it was come to. */
typedef struct mcpw_dynamic {
    uint32_t shape;       /* where no resource on the way has a better one */
    mcpw_span candidates; /* pairs of resource and shape, in numbers */
} mcpw_dynamic;

struct mcpw_schema {
    mcpw_allocator allocator;
    size_t size; /* of this and the tables, which are one block */
    mcpw_schema_dialect dialect;
    const mcpw_pattern_engine *engine;
    uint32_t root;
    uint32_t dynamic_count;
    uint32_t pattern_count;
    const mcpw_shape *shapes;
    const mcpw_step *steps;
    const mcpw_bound *bounds;
    const mcpw_number_row *number_rows;
    const mcpw_string_row *string_rows;
    const mcpw_array_row *array_rows;
    const mcpw_object_row *object_rows;
    const mcpw_name *names;
    const mcpw_dynamic *dynamics;
    const uint32_t *numbers;
    void *const *patterns;
    const mcpw_span *pattern_texts;
    const char *pool;
    mcpw_tape constants; /* what const and enum name, one value behind the other */
};

/* The name row of some text among names; NULL when it is none. */
const mcpw_name *mcpw_find_name(const mcpw_schema *schema, const mcpw_object_row *row, uint32_t hash,
                                const char *text, size_t len);

/* Whether the text is among names that have no buckets. */
bool mcpw_has_word(const mcpw_schema *schema, mcpw_span names, const char *text, size_t len);

/* The order in which names stand. */
int mcpw_compare_name(uint32_t hash, const char *text, size_t len, const mcpw_name *name, const char *pool);

MCPW_INLINE mcpw_str mcpw_pool_text(const mcpw_schema *schema, mcpw_span span) {
    const mcpw_str text = {schema->pool + span.first, span.count};
    return text;
}

#endif
