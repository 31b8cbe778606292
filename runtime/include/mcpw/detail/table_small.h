/* SPDX-License-Identifier: MIT */
/*
 * The layout of tables that saves bytes. It has no hashes, no masks and no data that can be computed. Only
 * <mcpw/detail/table.h> includes this, in a library that was built with MCPW_SMALL. A struct has at most 32
 * members and less than 4 KiB here, and a revision 511 names of members and 1,023 different types of them;
 * with more it does not compile.
 */
#ifndef MCPW_TABLE_SMALL_H
#define MCPW_TABLE_SMALL_H

#if !defined(MCPW_TABLE_H)
#error "include <mcpw/detail/table.h>, which chooses the layout"
#endif

MCPW_BEGIN_DECLS

/* Only a library that was built with MCPW_SMALL has this; with any other, the linker reports this name. */
extern MCPW_API const char mcpw_tables_were_compiled_with_MCPW_SMALL_but_the_library_was_built_without_it;

/* Initialises the layout of a mcpw_revision. */
#define MCPW_LAYOUT (&mcpw_tables_were_compiled_with_MCPW_SMALL_but_the_library_was_built_without_it)

/* Initialises a field of fast tables only. */
#define MCPW_UNLESS_SMALL(field) 0
/* Initialises a field of small tables only. */
#define MCPW_IF_SMALL(field) field
/* One bit for each row of a struct. */
typedef uint32_t mcpw_row_set;
enum { MCPW_MAX_ROWS = 32 /* members a struct can name */ };

/* Limits of a row. */
enum { MCPW_ROW_KEY_BITS = 9, MCPW_ROW_VALUE_BITS = 10, MCPW_ROW_OFFSET_BITS = 12 };
/* No such place. */
enum { MCPW_ROW_NO_OFFSET = (1 << MCPW_ROW_OFFSET_BITS) - 1 /* MCPW_NO_OFFSET, in a row */ };
/* A member of a struct. */
struct mcpw_row {
    unsigned key : MCPW_ROW_KEY_BITS;       /* number in keys; after the last row of a struct it is 0 */
    unsigned value : MCPW_ROW_VALUE_BITS;   /* number in refs */
    unsigned offset : MCPW_ROW_OFFSET_BITS; /* of the C member */
    unsigned required : 1;                  /* 1: it must be there */
};

/* An object with named members. Its rows stand in rows[first .. first + count - 1]; after them is a sentinel
 * row {key: MCPW_POOL_SENTINEL, mask: 0xffff, kind: MCPW_KIND_END}. In a small build it has the offset and
 * type of the members that the type does not name. */
struct mcpw_struct {
    uint16_t first; /* number of its first row */
    uint16_t size;  /* sizeof the C struct */
    uint8_t count;  /* rows */
    MCPW_NAME_FIELD
};

/* A value of one of several types. The C form is {int kind at offset 0; the alternative at as_offset};
 * kind is the alternative's number from 1, or MCPW_UNKNOWN with a mcpw_json.
 * The alternative that is tried first is the only one for the value's JSON type, or else, for objects, the
 * one of the first matching test (in the order of the tests), or else `otherwise`, or else the first for that
 * JSON type. Unless the union is disjoint or exclusive the others follow in order. */
struct mcpw_union {
    uint16_t size;             /* sizeof the C form */
    uint16_t as_offset;        /* of the alternative in the C form */
    uint16_t alternatives;     /* first entry in alternatives */
    uint16_t tests;            /* first entry in tests */
    uint8_t alternative_count; /* how many */
    uint8_t test_count;        /* how many */
    uint8_t otherwise;         /* alternative for objects that no test matches, or MCPW_NO_INDEX */
    uint8_t flags;             /* MCPW_UNION_... */
    MCPW_NAME_FIELD
};

/* An alternative of a union. */
struct mcpw_alternative {
    unsigned value : MCPW_ROW_VALUE_BITS; /* number in refs */
    unsigned is : 6;                      /* the JSON types that it can be */
    unsigned name : 16;                   /* pool, NUL-terminated */
};

/* A test on one member of an object: that it is there (value MCPW_NO_OFFSET) or that it is this string. */
struct mcpw_test {
    uint16_t key;        /* pool: "name": */
    uint16_t value;      /* pool: "text" with quotes, or MCPW_NO_OFFSET */
    uint8_t alternative; /* its number from 0 */
    uint8_t row;         /* the member's row in that alternative's struct, or MCPW_NO_INDEX */
};

/* An enum: values from 1 in the order of the schema. */
struct mcpw_enum {
    uint16_t first; /* entry in enum_values */
    uint16_t count; /* how many */
    MCPW_NAME_FIELD
};

/* A value of an enum. */
struct mcpw_enum_value {
    uint16_t text; /* pool: "text" with quotes, NUL-terminated too */
};

/* A constant: the only value that is allowed. */
struct mcpw_const {
    uint16_t text;    /* pool: the value as JSON, NUL-terminated too */
    uint8_t is;       /* MCPW_IS_STRING, _NUMBER (an integer), _BOOLEAN or _NULL */
    uint8_t reserved; /* 0 */
};

/* Bounds, formats and other demands on a single value. The kind determines the bounded quantity: the value of
 * a number, the code points of a string, the items of an array, the members of a map. checks[0] is all zero.
 */
struct mcpw_check {
    uint16_t min_text; /* pool: the bound as the schema writes it, NUL-terminated */
    uint16_t max_text; /* likewise */
    uint8_t flags;     /* MCPW_CHECK_...; ABOVE and BELOW make the bound exclusive */
    uint8_t format;    /* mcpw_format */
    uint16_t argument; /* pool: the argument of a flag other than bounds, NUL-terminated; 0: none */
};

/* Initialisers. Each one leaves out the data that this layout lacks. key_number and ref_number are numbers in
 * keys and refs. */
/* The value, if it fits into so many bits; else an array of -1 elements, which does not compile. */
#define MCPW_FITTING(value, bits) ((value) + 0 * sizeof(char[(value) < (1 << (bits)) ? 1 : -1]))
/* Initialises a mcpw_row. */
#define MCPW_ROW(key_number, key, mask, offset, key_len, bit, required, ref_number, kind, check, index)      \
    {                                                                                                        \
        MCPW_FITTING(key_number, MCPW_ROW_KEY_BITS), MCPW_FITTING(ref_number, MCPW_ROW_VALUE_BITS),          \
            MCPW_FITTING(offset, MCPW_ROW_OFFSET_BITS), required                                             \
    }
/* Initialises the mcpw_row after the last one of a struct. */
#define MCPW_END_ROW(extra, ref_number)                                                                      \
    {                                                                                                        \
        0, MCPW_FITTING(ref_number, MCPW_ROW_VALUE_BITS),                                                    \
            MCPW_FITTING((extra) == MCPW_NO_OFFSET ? MCPW_ROW_NO_OFFSET : (extra), MCPW_ROW_OFFSET_BITS), 0  \
    }
/* Initialises a mcpw_struct. */
#define MCPW_STRUCT(required, first, size, name, extra, kind, check, index, slots, count, mask, mul, shift)  \
    { first, size, count MCPW_FOR_PROJECT(name) }
/* Initialises a mcpw_union. */
#define MCPW_UNION(size, as_offset, alternatives, tests, count, test_count, otherwise, flags, name)          \
    { size, as_offset, alternatives, tests, count, test_count, otherwise, flags MCPW_FOR_PROJECT(name) }
/* Initialises a mcpw_enum. */
#define MCPW_ENUM(first, count, name)                                                                        \
    { first, count MCPW_FOR_PROJECT(name) }
/* Initialises a mcpw_alternative. */
#define MCPW_ALTERNATIVE(ref_number, kind, check, index, name, is)                                           \
    { MCPW_FITTING(ref_number, MCPW_ROW_VALUE_BITS), is, name }
/* Initialises a mcpw_test. */
#define MCPW_TEST(key, key_mask, value, value_mask, key_len, value_len, alternative, row)                    \
    { key, value, alternative, row }
/* Initialises a mcpw_enum_value. */
#define MCPW_ENUM_VALUE(text, mask, len)                                                                     \
    { text }
/* Initialises a mcpw_const. */
#define MCPW_CONST(integer, text, mask, len, is)                                                             \
    { text, is, 0 }
/* Initialises a mcpw_check. */
#define MCPW_CHECK(min, max, min_number, max_number, min_text, max_text, flags, format, argument)            \
    { min_text, max_text, flags, format, argument }

/* ---- reading ---- */

/* The place of a member's name in the pool, as "name": with quotes and colon. */
static inline uint16_t mcpw_row_key(const mcpw_revision *revision, const mcpw_row *row) {
    return revision->keys[row->key];
}

/* The text in the pool at an offset, without its first byte and the `after` bytes at its end. */
MCPW_API mcpw_str mcpw_unquoted(const char *pool, unsigned offset, unsigned after);
/* The name of a member alone, in the revision's pool. */
MCPW_API mcpw_str mcpw_row_name(const mcpw_revision *revision, const char *pool, const mcpw_row *row);

/* The type of a member. It has no meaning for the row after the last one. */
static inline mcpw_ref mcpw_row_value(const mcpw_revision *revision, const mcpw_row *row) {
    return revision->refs[row->value];
}

/* The row's number in its struct. */
static inline unsigned mcpw_row_bit(const mcpw_revision *revision, const mcpw_struct *s,
                                    const mcpw_row *row) {
    return (unsigned)(row - revision->rows) - s->first;
}

/* Whether a member must be there. */
static inline bool mcpw_row_required(const mcpw_struct *s, const mcpw_row *row) {
    (void)s;
    return row->required != 0;
}

/* Whether it is the row after the last one. */
static inline bool mcpw_row_is_end(const mcpw_row *row) { return row->key == 0; }

/* A bit for each member that must be there. */
MCPW_API mcpw_row_set mcpw_required_rows(const mcpw_revision *revision, const mcpw_struct *s);

/* The offset of the mcpw_members that keeps members without a row; MCPW_NO_OFFSET: none. */
static inline unsigned mcpw_extra_offset(const mcpw_revision *revision, const mcpw_struct *s) {
    const unsigned offset = revision->rows[s->first + s->count].offset;
    return offset == MCPW_ROW_NO_OFFSET ? (unsigned)MCPW_NO_OFFSET : offset;
}

/* The type of such members: MCPW_KIND_JSON any, MCPW_KIND_END none allowed. */
static inline mcpw_ref mcpw_extra_value(const mcpw_revision *revision, const mcpw_struct *s) {
    return revision->refs[revision->rows[s->first + s->count].value];
}

/* The type of an alternative. */
static inline mcpw_ref mcpw_alternative_value(const mcpw_revision *revision, const mcpw_alternative *a) {
    return revision->refs[a->value];
}

/* The member that a test looks at. */
static inline mcpw_str mcpw_test_key(const char *pool, const mcpw_test *t) {
    return mcpw_unquoted(pool, t->key, 2);
}

/* The text that a test demands; absent: any value. */
static inline mcpw_str mcpw_test_value(const char *pool, const mcpw_test *t) {
    mcpw_str value = {NULL, 0};
    if (t->value != MCPW_NO_OFFSET) {
        value = mcpw_unquoted(pool, t->value, 1);
    }
    return value;
}

/* A value of an enum, without quotes. */
static inline mcpw_str mcpw_enum_value_text(const char *pool, const mcpw_enum_value *v) {
    return mcpw_unquoted(pool, v->text, 1);
}

/* A constant as JSON text. */
static inline mcpw_json mcpw_const_text(const char *pool, const mcpw_const *c) {
    const mcpw_json text = {pool + c->text, strlen(pool + c->text), 0};
    return text;
}

MCPW_END_DECLS

#endif
