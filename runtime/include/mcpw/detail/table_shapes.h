/* SPDX-License-Identifier: MIT */
/*
 * The tables of a compiled JSON Schema. They are not part of the API. mcpw_schema_compile makes them at run
 * time, and generated code (tables.c) contains them for demands that the codec's own tables cannot express.
 * One walk, in runtime/schema, reads both. Names and layouts may change in any version. This header is
 * installed so that a program's own tables.c compiles.
 */
#ifndef MCPW_SHAPE_TABLE_H
#define MCPW_SHAPE_TABLE_H

#include <mcpw/detail/table_residual.h>
#include <mcpw/json.h>
#include <mcpw/pattern.h>
#include <mcpw/schema.h>

MCPW_BEGIN_DECLS

/* JSON types beside MCPW_IS_OBJECT and its like. */
enum {
    MCPW_IS_WHOLE = 64,                              /* a number that is written without point and exponent */
    MCPW_IS_ANYTHING = 127,                          /* all of them */
    MCPW_IS_NESTED = MCPW_IS_OBJECT | MCPW_IS_ARRAY, /* values that contain others */
    MCPW_IS_NUMERIC = MCPW_IS_NUMBER | MCPW_IS_WHOLE /* any number */
};

/* A value, or the name of a member, in a text. */
typedef struct mcpw_tape_node {
    uint32_t at;   /* its first byte in the text; of a string, which is decoded there: after the quote */
    uint32_t size; /* bytes; of an array or object: items or members */
    uint32_t next; /* of an array or object: the number of the node after it; of a name: its hash */
    uint32_t type; /* one of MCPW_IS_... */
} mcpw_tape_node;

/* A JSON text as a list of nodes. */
typedef struct mcpw_tape {
    const char *text;            /* decoded in place */
    size_t len;                  /* bytes in it */
    const mcpw_tape_node *nodes; /* in the order of the text */
    uint32_t count;              /* how many */
    size_t at;                   /* the place where reading failed */
} mcpw_tape;

/* The shapes that every schema has. */
enum {
    MCPW_SHAPE_TRUE = 0, /* accepts everything */
    MCPW_SHAPE_FALSE = 1 /* accepts nothing */
};

/* No shape, for numbers that count from 0. */
#define MCPW_NO_SHAPE UINT32_MAX
/* The same for a bit. */
#define MCPW_NO_BIT UINT32_MAX
/* The same for a pattern. */
#define MCPW_NO_PATTERN UINT32_MAX
/* A count without a limit. */
#define MCPW_NO_LIMIT UINT32_MAX /* maxItems and its like */

/* A part of another table, or of the pool. */
typedef struct mcpw_span {
    uint32_t first; /* its first entry */
    uint32_t count; /* how many */
} mcpw_span;

/* A subschema. Rows are counted from 1; 0 means none. */
typedef struct mcpw_shape {
    uint32_t types;    /* MCPW_IS_... that are allowed; an integer is MCPW_IS_WHOLE without MCPW_IS_NUMBER */
    uint32_t number;   /* row for numbers */
    uint32_t string;   /* row for strings */
    uint32_t array;    /* row for arrays */
    uint32_t object;   /* row for objects */
    uint32_t tracks;   /* values of which it asks what is unevaluated: MCPW_IS_OBJECT, MCPW_IS_ARRAY */
    uint32_t resource; /* the resource it belongs to, for dynamic references */
    mcpw_span steps;   /* further demands */
} mcpw_shape;

/* Kinds of mcpw_step. */
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

/* A demand on values of any type. */
typedef struct mcpw_step {
    uint32_t kind; /* mcpw_step_kind, which defines a and b */
    uint32_t a;    /* depends on kind */
    uint32_t b;    /* likewise */
} mcpw_step;

/* Kinds of mcpw_bound. */
typedef enum mcpw_bound_kind {
    MCPW_BOUND_MINIMUM, /* minimum */
    MCPW_BOUND_MAXIMUM, /* maximum */
    MCPW_BOUND_ABOVE,   /* exclusiveMinimum */
    MCPW_BOUND_BELOW,   /* exclusiveMaximum */
    MCPW_BOUND_MULTIPLE /* multipleOf */
} mcpw_bound_kind;

/* The integer of a mcpw_bound. */
enum {
    MCPW_BOUND_IS_TEXT = 0,  /* there is none; the text is compared */
    MCPW_BOUND_IS_VALUE = 1, /* it is the bound */
    MCPW_BOUND_IS_ABOVE = 2  /* the bound is greater than this integer and less than the next one */
};

/* A bound of a number. */
typedef struct mcpw_bound {
    uint32_t kind;     /* mcpw_bound_kind */
    mcpw_span text;    /* the number, in the pool */
    uint32_t is_short; /* MCPW_BOUND_IS_... */
    int64_t value;     /* the integer; the nearest one if the bound is too large */
} mcpw_bound;

/* The demands of a shape on numbers. */
typedef struct mcpw_number_row {
    mcpw_span bounds; /* see mcpw_bound */
} mcpw_number_row;

/* The demands of a shape on strings. */
typedef struct mcpw_string_row {
    uint32_t least;   /* minLength */
    uint32_t most;    /* maxLength */
    uint32_t pattern; /* or MCPW_NO_PATTERN */
    uint32_t format;  /* of text_formats.h; 0: none */
} mcpw_string_row;

/* The demands of a shape on arrays. */
typedef struct mcpw_array_row {
    uint32_t least;          /* minItems */
    uint32_t most;           /* maxItems */
    uint32_t unique;         /* uniqueItems */
    mcpw_span prefix;        /* shapes, in numbers */
    uint32_t rest;           /* shape of the items after them */
    uint32_t says_rest;      /* whether they count as evaluated */
    uint32_t contains;       /* shape, or MCPW_NO_SHAPE */
    uint32_t contains_least; /* minContains */
    uint32_t contains_most;  /* maxContains */
    uint32_t contains_says;  /* whether the items it finds count as evaluated */
} mcpw_array_row;

/* A name that the schema of an object mentions. */
typedef struct mcpw_name {
    uint32_t hash;     /* mcpw_hash_text of it */
    mcpw_span text;    /* the name, in the pool */
    uint32_t shape;    /* or MCPW_NO_SHAPE: it is not among the properties */
    uint32_t bit;      /* or MCPW_NO_BIT: its presence does not matter */
    uint32_t entails;  /* dependentSchemas: a shape, or MCPW_NO_SHAPE */
    mcpw_span demands; /* dependentRequired: names, in numbers */
} mcpw_name;

/* The demands of a shape on objects. */
typedef struct mcpw_object_row {
    mcpw_span names;          /* sorted by hash, length and text */
    uint32_t buckets;         /* place of the buckets in numbers: the first name of each, and one more */
    uint32_t bucket_bits;     /* a bucket is a value of the highest so many bits of the hash */
    uint32_t required;        /* the bits from 0 to here are required */
    uint32_t bits;            /* the number of bits that names have */
    uint32_t depends;         /* whether a name entails or demands */
    uint32_t least;           /* minProperties */
    uint32_t most;            /* maxProperties */
    mcpw_span patterns;       /* pairs of pattern and shape, in numbers */
    uint32_t additional;      /* shape */
    uint32_t says_additional; /* whether the schema has it, so that its values count as evaluated */
    uint32_t property_names;  /* shape */
} mcpw_object_row;

/* A reference that depends on the path that led to it. */
typedef struct mcpw_dynamic {
    uint32_t shape;       /* used if no resource on the path has a better one */
    mcpw_span candidates; /* pairs of resource and shape, in numbers */
} mcpw_dynamic;

/* A compiled schema. */
struct mcpw_schema {
    mcpw_allocator allocator;           /* of its memory, unless it is a constant */
    size_t size;                        /* of this and the tables, which are one block */
    mcpw_schema_dialect dialect;        /* of its root */
    const mcpw_pattern_engine *engine;  /* NULL: that of the demand */
    uint32_t root;                      /* the shape of the whole */
    uint32_t dynamic_count;             /* entries in dynamics */
    uint32_t pattern_count;             /* entries in patterns and pattern_texts */
    const mcpw_shape *shapes;           /* see mcpw_shape */
    const mcpw_step *steps;             /* see mcpw_step */
    const mcpw_bound *bounds;           /* see mcpw_bound */
    const mcpw_number_row *number_rows; /* see mcpw_number_row */
    const mcpw_string_row *string_rows; /* see mcpw_string_row */
    const mcpw_array_row *array_rows;   /* see mcpw_array_row */
    const mcpw_object_row *object_rows; /* see mcpw_object_row */
    const mcpw_object_row *plain;       /* the row of mcpw_text_fits; NULL: none, or this is a constant */
    const mcpw_name *names;             /* see mcpw_name */
    const mcpw_dynamic *dynamics;       /* see mcpw_dynamic */
    const uint32_t *numbers;            /* lists that other tables refer to */
    void *const *patterns;              /* compiled; NULL: each is compiled when a check first needs it */
    const mcpw_span *pattern_texts;     /* the patterns, in the pool */
    const char *pool;                   /* all texts */
    mcpw_tape constants;                /* the values of const and enum, one after the other */
};

/* The check of a mcpw_residual whose schema is such a table. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_schema_meets(const mcpw_residual *demand, const char *text,
                                                      size_t len, mcpw_arena *scratch,
                                                      const mcpw_options *options, mcpw_error *error);

MCPW_END_DECLS

#endif
