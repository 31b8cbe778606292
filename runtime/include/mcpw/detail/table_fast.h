/* SPDX-License-Identifier: MIT */
/*
 * The layout of tables that saves time. Everything that is compared with input is ready, with its length,
 * mask and hash. Only <mcpw/detail/table.h> includes this, unless the library was built with MCPW_SMALL.
 */
#ifndef MCPW_TABLE_FAST_H
#define MCPW_TABLE_FAST_H

#if !defined(MCPW_TABLE_H)
#error "include <mcpw/detail/table.h>, which chooses the layout"
#endif

MCPW_BEGIN_DECLS

/* Only a library that was built without MCPW_SMALL has this; with any other, the linker reports this name. */
extern MCPW_API const char mcpw_tables_were_compiled_without_MCPW_SMALL_but_the_library_was_built_with_it;

/* Initialises the layout of a mcpw_revision. */
#define MCPW_LAYOUT (&mcpw_tables_were_compiled_without_MCPW_SMALL_but_the_library_was_built_with_it)

/* Initialises a field of fast tables only. */
#define MCPW_UNLESS_SMALL(field) field
/* Initialises a field of small tables only. */
#define MCPW_IF_SMALL(field) 0
/* One bit for each row of a struct. */
typedef uint64_t mcpw_row_set;
enum { MCPW_MAX_ROWS = 64 /* members a struct can name */ };

/* A member of a struct. */
struct mcpw_row {
    uint16_t key;    /* pool: "name": with quotes and colon */
    uint16_t mask;   /* one bit for each of the first 16 bytes of that text */
    uint16_t offset; /* of the C member */
    uint8_t key_len; /* bytes of the name alone */
    uint8_t bit;     /* the row's number in its struct */
    mcpw_ref value;  /* its type */
};

/* An object with named members. Its rows stand in rows[first .. first + count - 1]; after them is a sentinel
 * row {key: MCPW_POOL_SENTINEL, mask: 0xffff, kind: MCPW_KIND_END}. In a small build it has the offset and
 * type of the members that the type does not name. */
struct mcpw_struct {
    mcpw_row_set required; /* a bit for each row that must be there */
    uint16_t first;        /* number of its first row */
    uint16_t size;         /* sizeof the C struct */
    uint16_t name;         /* pool: the type's name, NUL-terminated, for messages of projection */
    uint16_t extra;        /* offset of the mcpw_members that keeps other members; MCPW_NO_OFFSET: none */
    mcpw_ref extra_value;  /* what other members must be: MCPW_KIND_JSON any, MCPW_KIND_END none allowed */
    uint16_t slots;        /* first entry in slots */
    uint8_t count;         /* rows */
    uint8_t hash_mask;     /* entries in slots, less one */
    uint8_t hash_mul;      /* 0: there is no hash, look through all rows */
    uint8_t hash_shift;    /* of the first byte, in the hash */
    uint16_t reserved;     /* 0 */
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
    uint16_t name;             /* pool, NUL-terminated */
    uint16_t reserved;         /* 0 */
};

/* An alternative of a union. */
struct mcpw_alternative {
    mcpw_ref value;   /* its type */
    uint16_t name;    /* pool, NUL-terminated */
    uint8_t is;       /* the JSON types that it can be */
    uint8_t reserved; /* 0 */
};

/* A test on one member of an object: that it is there (value MCPW_NO_OFFSET) or that it is this string. */
struct mcpw_test {
    uint16_t key;        /* pool: "name": */
    uint16_t key_mask;   /* of that text */
    uint16_t value;      /* pool: "text" with quotes, or MCPW_NO_OFFSET */
    uint16_t value_mask; /* of that text */
    uint8_t key_len;     /* bytes of the name alone */
    uint8_t value_len;   /* bytes of the text alone */
    uint8_t alternative; /* its number from 0 */
    uint8_t row;         /* the member's row in that alternative's struct, or MCPW_NO_INDEX */
};

/* An enum: values from 1 in the order of the schema. */
struct mcpw_enum {
    uint16_t first; /* entry in enum_values */
    uint16_t count; /* how many */
    uint16_t name;  /* pool, NUL-terminated */
};

/* A value of an enum. */
struct mcpw_enum_value {
    uint16_t text; /* pool: "text" with quotes, NUL-terminated too */
    uint16_t mask; /* of that text */
    uint16_t len;  /* bytes of the text alone */
};

/* A constant: the only value that is allowed. */
struct mcpw_const {
    int64_t integer;  /* for numbers */
    uint16_t text;    /* pool: the value as JSON, NUL-terminated too */
    uint16_t mask;    /* for strings: of the text with its quotes */
    uint16_t len;     /* bytes of the JSON text, quotes included */
    uint8_t is;       /* MCPW_IS_STRING, _NUMBER (an integer), _BOOLEAN or _NULL */
    uint8_t reserved; /* 0 */
};

/* Bounds, formats and other demands on a single value. The kind determines the bounded quantity: the value of
 * a number, the code points of a string, the items of an array, the members of a map. checks[0] is all zero.
 */
struct mcpw_check {
    int64_t min;       /* integers and counts */
    int64_t max;       /* likewise */
    double min_number; /* numbers */
    double max_number; /* likewise */
    uint16_t min_text; /* pool: the bound as the schema writes it, NUL-terminated */
    uint16_t max_text; /* likewise */
    uint8_t flags;     /* MCPW_CHECK_...; ABOVE and BELOW make the bound exclusive */
    uint8_t format;    /* mcpw_format */
    uint16_t argument; /* pool: the argument of a flag other than bounds, NUL-terminated; 0: none */
};

/* Initialisers. Each one leaves out the data that this layout lacks. key_number and ref_number are numbers in
 * keys and refs. */

/* Initialises a mcpw_row. */
#define MCPW_ROW(key_number, key, mask, offset, key_len, bit, required, ref_number, kind, check, index)      \
    {                                                                                                        \
        key, mask, offset, key_len, bit, { kind, check, index }                                              \
    }
/* Initialises the mcpw_row after the last one of a struct. */
#define MCPW_END_ROW(extra, ref_number)                                                                      \
    {                                                                                                        \
        MCPW_POOL_SENTINEL, 0xffff, 0, 0, 0, { MCPW_KIND_END, 0, 0 }                                         \
    }
/* Initialises a mcpw_struct. */
#define MCPW_STRUCT(required, first, size, name, extra, kind, check, index, slots, count, mask, mul, shift)  \
    { required, first, size, name, extra, {kind, check, index}, slots, count, mask, mul, shift, 0 }
/* Initialises a mcpw_union. */
#define MCPW_UNION(size, as_offset, alternatives, tests, count, test_count, otherwise, flags, name)          \
    { size, as_offset, alternatives, tests, count, test_count, otherwise, flags, name, 0 }
/* Initialises a mcpw_enum. */
#define MCPW_ENUM(first, count, name)                                                                        \
    { first, count, name }
/* Initialises a mcpw_alternative. */
#define MCPW_ALTERNATIVE(ref_number, kind, check, index, name, is)                                           \
    { {kind, check, index}, name, is, 0 }
/* Initialises a mcpw_test. */
#define MCPW_TEST(key, key_mask, value, value_mask, key_len, value_len, alternative, row)                    \
    { key, key_mask, value, value_mask, key_len, value_len, alternative, row }
/* Initialises a mcpw_enum_value. */
#define MCPW_ENUM_VALUE(text, mask, len)                                                                     \
    { text, mask, len }
/* Initialises a mcpw_const. */
#define MCPW_CONST(integer, text, mask, len, is)                                                             \
    { integer, text, mask, len, is, 0 }
/* Initialises a mcpw_check. */
#define MCPW_CHECK(min, max, min_number, max_number, min_text, max_text, flags, format, argument)            \
    { min, max, min_number, max_number, min_text, max_text, flags, format, argument }

/* ---- reading ---- */

/* The place of a member's name in the pool, as "name": with quotes and colon. */
static inline uint16_t mcpw_row_key(const mcpw_revision *revision, const mcpw_row *row) {
    (void)revision;
    return row->key;
}

/* The name of a member alone, in the revision's pool, which the caller may have at hand. */
static inline mcpw_str mcpw_row_name(const mcpw_revision *revision, const char *pool, const mcpw_row *row) {
    const mcpw_str name = {pool + row->key + 1, row->key_len};
    (void)revision;
    return name;
}

/* The type of a member. It has no meaning for the row after the last one. */
static inline mcpw_ref mcpw_row_value(const mcpw_revision *revision, const mcpw_row *row) {
    (void)revision;
    return row->value;
}

/* The row's number in its struct. */
static inline unsigned mcpw_row_bit(const mcpw_revision *revision, const mcpw_struct *s,
                                    const mcpw_row *row) {
    (void)revision;
    (void)s;
    return row->bit;
}

/* Whether a member must be there. */
static inline bool mcpw_row_required(const mcpw_struct *s, const mcpw_row *row) {
    return (s->required >> row->bit & 1) != 0;
}

/* Whether it is the row after the last one. */
static inline bool mcpw_row_is_end(const mcpw_row *row) { return row->value.kind == MCPW_KIND_END; }

/* A bit for each member that must be there. */
/* A bit for each member that must be there. */
static inline mcpw_row_set mcpw_required_rows(const mcpw_revision *revision, const mcpw_struct *s) {
    (void)revision;
    return s->required;
}

/* The offset of the mcpw_members that keeps members without a row; MCPW_NO_OFFSET: none. */
static inline unsigned mcpw_extra_offset(const mcpw_revision *revision, const mcpw_struct *s) {
    (void)revision;
    return s->extra;
}

/* The type of such members: MCPW_KIND_JSON any, MCPW_KIND_END none allowed. */
static inline mcpw_ref mcpw_extra_value(const mcpw_revision *revision, const mcpw_struct *s) {
    (void)revision;
    return s->extra_value;
}

/* The type of an alternative. */
static inline mcpw_ref mcpw_alternative_value(const mcpw_revision *revision, const mcpw_alternative *a) {
    (void)revision;
    return a->value;
}

/* The member that a test looks at. */
static inline mcpw_str mcpw_test_key(const char *pool, const mcpw_test *t) {
    const mcpw_str key = {pool + t->key + 1, t->key_len};
    return key;
}

/* The text that a test demands; absent: any value. */
static inline mcpw_str mcpw_test_value(const char *pool, const mcpw_test *t) {
    mcpw_str value = {NULL, 0};
    if (t->value != MCPW_NO_OFFSET) {
        value.ptr = pool + t->value + 1;
        value.len = t->value_len;
    }
    return value;
}

/* A value of an enum, without quotes. */
static inline mcpw_str mcpw_enum_value_text(const char *pool, const mcpw_enum_value *v) {
    const mcpw_str text = {pool + v->text + 1, v->len};
    return text;
}

/* A constant as JSON text. */
static inline mcpw_json mcpw_const_text(const char *pool, const mcpw_const *c) {
    const mcpw_json text = {pool + c->text, c->len, 0};
    return text;
}

MCPW_END_DECLS

#endif
