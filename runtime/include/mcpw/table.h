/* SPDX-License-Identifier: MIT */
/*
 * The tables that describe protocol types to the codec engine. Generated code fills them in; the engine in
 * runtime/codec reads them. Programs use them only through mcpw_type handles and <mcpw/codec.h>.
 *
 * A revision owns one set of arrays. Entries refer to each other by index and to text by offset into the
 * revision's pool, so that the tables need hardly any relocation and stay small. They have two layouts: one
 * for speed and, under MCPW_SMALL, a smaller one. What differs is read through the functions at the end of
 * this header.
 *
 *     mcpw_type  -> mcpw_ref {kind, check, index} -> mcpw_struct -> its mcpw_rows -> mcpw_ref -> ...
 *                                                    mcpw_union  -> its mcpw_alternatives, mcpw_tests
 *                                                    mcpw_array, mcpw_map, mcpw_enum, mcpw_const, shapes
 *
 * Two rules make the engine fast, and the generator has to keep them. The rows of a struct stand in wire
 * order, the order in which peers write the members, because the engine expects the next row's key next.
 * And every text that is compared with input stands in the pool as JSON, with its quotes (a key with its
 * colon too), with at least MCPW_POOL_PADDING readable bytes behind it, because it is compared 16 bytes at
 * a time under a mask.
 */
#ifndef MCPW_TABLE_H
#define MCPW_TABLE_H

#include <mcpw/base.h>

/* Changes whenever the meaning or the layout of a table changes. Generated code refuses to compile against
 * a runtime with another number. */
#define MCPW_TABLE_ABI 2

/* Definitions that all of a program must agree on leave out of the tables what can be done without:
 *   MCPW_SMALL       hashes and masks, which only save time, and what can be worked out
 *   MCPW_NO_NAMES    the names of types: mcpw_find_type knows none, and messages name none
 *   MCPW_NO_PROJECT  the names of what has no definition of its own
 * The initialisers of generated code go through macros for that reason. Under MCPW_SMALL a struct has at most
 * 32 members and less than 4 KiB, and a revision 511 names of members and 1,023 different types of them; with
 * more it does not compile. */
#if defined(MCPW_SMALL)
#define MCPW_UNLESS_SMALL(field) 0
/* Initialises a field of small tables only. */
#define MCPW_IF_SMALL(field) field
/* One bit for each row of a struct. */
typedef uint32_t mcpw_row_set;
enum { MCPW_MAX_ROWS = 32 /* members a struct can name */ };
#else
#define MCPW_UNLESS_SMALL(field) field
/* Initialises a field of small tables only. */
#define MCPW_IF_SMALL(field) 0
/* One bit for each row of a struct. */
typedef uint64_t mcpw_row_set;
enum { MCPW_MAX_ROWS = 64 /* members a struct can name */ };
#endif
/* Initialises a field of names only. */
#if defined(MCPW_NO_NAMES)
#define MCPW_UNLESS_NO_NAMES(field) 0
/* The name at an offset of the pool. */
#define MCPW_NAME(offset) ""
#else
#define MCPW_UNLESS_NO_NAMES(field) field
/* The name at an offset of the pool. */
#define MCPW_NAME(offset) (pool + (offset))
#endif

/* The same for the name of what has no definition of its own. */
#if defined(MCPW_NO_PROJECT)
#define MCPW_PLACE(offset) ""
#else
/* The same for the name of what has no definition of its own. */
#define MCPW_PLACE(offset) MCPW_NAME(offset)
#endif

/* Limits of the tables, and marks in them. */
enum {
    MCPW_POOL_PADDING = 32,  /* zero bytes at the end of every pool */
    MCPW_MAX_KEY = 250,      /* bytes in a member's name */
    MCPW_NO_OFFSET = 0xffff, /* "no such place" for 16-bit offsets */
    MCPW_NO_INDEX = 0xff,    /* "no such entry" for 8-bit indices */
    MCPW_POOL_SENTINEL = 0,  /* pool offset of 16 bytes of value 1, which no JSON text can match */
    MCPW_PATTERN_BYTES = 16  /* bytes that a mask covers */
};

MCPW_BEGIN_DECLS

/* What a value is, in JSON and in C. "Absent" is how an optional one looks when it is not there. */
typedef enum mcpw_kind {
    MCPW_KIND_END = 0,          /* the sentinel behind a struct's last row */
    MCPW_KIND_STRING = 1,       /* mcpw_str; absent: ptr NULL */
    MCPW_KIND_JSON = 2,         /* any value: mcpw_json; absent: ptr NULL */
    MCPW_KIND_JSON_OBJECT = 3,  /* any object: mcpw_json */
    MCPW_KIND_SHAPED = 4,       /* mcpw_json whose text must match the ref at shapes[index] */
    MCPW_KIND_INTEGER = 5,      /* int64_t, required */
    MCPW_KIND_OPT_INTEGER = 6,  /* mcpw_opt_int */
    MCPW_KIND_NUMBER = 7,       /* double, required */
    MCPW_KIND_OPT_NUMBER = 8,   /* mcpw_opt_double */
    MCPW_KIND_BOOLEAN = 9,      /* bool, required */
    MCPW_KIND_OPT_BOOLEAN = 10, /* mcpw_opt_bool */
    MCPW_KIND_ENUM = 11,        /* a C enum, values from 1 in the order of the schema; absent: 0 */
    MCPW_KIND_CONST = 12,       /* one value only, nothing stored; always written */
    MCPW_KIND_OPT_CONST = 13,   /* one value only, bool that tells whether it is there */
    MCPW_KIND_ID = 14,          /* string or integer: mcpw_id */
    MCPW_KIND_STRUCT = 15,      /* the struct itself, required */
    MCPW_KIND_STRUCT_PTR = 16,  /* const T *; absent: NULL */
    MCPW_KIND_ARRAY = 17,       /* {const T *items; size_t count}; absent: items NULL */
    MCPW_KIND_MAP = 18,         /* {const entry *items; size_t count}; absent: items NULL */
    MCPW_KIND_UNION = 19,       /* {kind; union as}; absent: kind 0 */
    MCPW_KIND_UNION_PTR = 20,   /* const T *, where a union would contain itself; absent: NULL */
    MCPW_KIND_NULL = 21,        /* null, nothing stored; as an alternative of a union alone */
    MCPW_KIND_COUNT = 22        /* number of kinds */
} mcpw_kind;

/* A reference to a type: what it is, which extra constraint it has, which entry describes it. */
typedef struct mcpw_ref {
    uint8_t kind;   /* mcpw_kind */
    uint8_t check;  /* index into checks; 0: none */
    uint16_t index; /* into the array that belongs to kind; 0 where the kind has none */
} mcpw_ref;

#if defined(MCPW_SMALL)
/* Limits of a row. */
enum { MCPW_ROW_KEY_BITS = 9, MCPW_ROW_VALUE_BITS = 10, MCPW_ROW_OFFSET_BITS = 12 };
/* No such place. */
enum { MCPW_ROW_NO_OFFSET = (1 << MCPW_ROW_OFFSET_BITS) - 1 /* MCPW_NO_OFFSET, in a row */ };
/* A member of a struct. */
typedef struct mcpw_row {
    unsigned key : MCPW_ROW_KEY_BITS;       /* number in keys; behind the last row of a struct it is 0 */
    unsigned value : MCPW_ROW_VALUE_BITS;   /* number in refs */
    unsigned offset : MCPW_ROW_OFFSET_BITS; /* of the C member */
    unsigned required : 1;                  /* 1: it must be there */
} mcpw_row;
#else
/* A member of a struct. */
typedef struct mcpw_row {
    uint16_t key;    /* pool: "name": with quotes and colon */
    uint16_t mask;   /* one bit for each of the first 16 bytes of that text */
    uint16_t offset; /* of the C member */
    uint8_t key_len; /* bytes of the name alone */
    uint8_t bit;     /* the row's number in its struct */
    mcpw_ref value;  /* its type */
} mcpw_row;
#endif

/* An object with named members. Its rows stand in rows[first .. first + count - 1]; behind them stands a
 * sentinel row {key: MCPW_POOL_SENTINEL, mask: 0xffff, kind: MCPW_KIND_END}, which in a small build tells
 * offset and type of the members that the type does not name. */
typedef struct mcpw_struct {
#if !defined(MCPW_SMALL)
    mcpw_row_set required; /* a bit for each row that must be there */
#endif
    uint16_t first; /* number of its first row */
    uint16_t size;  /* sizeof the C struct */
#if !defined(MCPW_SMALL)
    uint16_t name;        /* pool: the type's name, NUL-terminated, for messages of projection */
    uint16_t extra;       /* offset of the mcpw_members that keeps other members; MCPW_NO_OFFSET: none */
    mcpw_ref extra_value; /* what other members must be: MCPW_KIND_JSON any, MCPW_KIND_END none allowed */
    uint16_t slots;       /* first entry in slots */
#endif
    uint8_t count; /* rows */
#if !defined(MCPW_SMALL)
    uint8_t hash_mask;  /* entries in slots, less one */
    uint8_t hash_mul;   /* 0: there is no hash, look through all rows */
    uint8_t hash_shift; /* of the first byte, in the hash */
    uint16_t reserved;  /* 0 */
#elif !defined(MCPW_NO_PROJECT)
    uint16_t name;    /* pool: the type's name, NUL-terminated, for messages of projection */
#endif
} mcpw_struct;

/* slots[s.slots + h] is the row's number or MCPW_NO_INDEX, where, for a key k of n >= 1 bytes, h is its
 * length, its first and last byte and the bytes at a quarter and at 7/16 of it, mixed under the mask. */
#define MCPW_HASH(k, n, mul, shift, mask)                                                                    \
    (((unsigned)(n) * (mul) + ((unsigned)(k)[0] << (shift)) + (unsigned)(k)[(n) >> 2] * 3U +                 \
      (unsigned)(k)[((n)*7) >> 4] + (unsigned)(k)[(n)-1]) &                                                  \
     (mask))

/* An array. Its C form is {const T *items; size_t count}. */
typedef struct mcpw_array {
    mcpw_ref item;      /* type of the items */
    uint16_t item_size; /* sizeof an item in C; 0 in shapes */
    uint16_t reserved;  /* 0 */
} mcpw_array;

/* The C entry of a map begins with its mcpw_str key. */
typedef struct mcpw_map {
    mcpw_ref value;        /* type of the values */
    uint16_t entry_size;   /* sizeof an entry in C; 0 in shapes */
    uint16_t value_offset; /* of the value in an entry */
} mcpw_map;

/* JSON types, as bits, told apart by the first byte of a value. */
enum {
    MCPW_IS_OBJECT = 1,   /* { */
    MCPW_IS_ARRAY = 2,    /* [ */
    MCPW_IS_STRING = 4,   /* a quote */
    MCPW_IS_NUMBER = 8,   /* a digit or a minus */
    MCPW_IS_BOOLEAN = 16, /* t or f */
    MCPW_IS_NULL = 32     /* n */
};

/* Flags of a mcpw_union. */
enum {
    MCPW_UNION_DISJOINT = 1,     /* proven: no value matches two alternatives, so none is tried twice */
    MCPW_UNION_ONE_KEY = 2,      /* every test looks at the value of the same member */
    MCPW_UNION_BARE = 4,         /* nothing but the alternative is stored: no kind, alternative at offset 0 */
    MCPW_UNION_EXCLUSIVE = 8,    /* the tests alone decide: a value that no test selects is invalid */
    MCPW_UNION_FIRST_MEMBER = 16 /* the first member that satisfies any test decides */
};

/* A value of one of several types. The C form is {int kind at offset 0; the alternative at as_offset};
 * kind is the alternative's number from 1, or MCPW_UNKNOWN with a mcpw_json.
 * Which alternative is tried first: the only one for the value's JSON type, or else, for objects, the one
 * that the first matching test names (in the order of the tests), or else `otherwise`, or else the first
 * for that JSON type. Unless the union is disjoint or exclusive the others follow in order. */
typedef struct mcpw_union {
    uint16_t size;             /* sizeof the C form */
    uint16_t as_offset;        /* of the alternative in the C form */
    uint16_t alternatives;     /* first entry in alternatives */
    uint16_t tests;            /* first entry in tests */
    uint8_t alternative_count; /* how many */
    uint8_t test_count;        /* how many */
    uint8_t otherwise;         /* alternative for objects that no test matches, or MCPW_NO_INDEX */
    uint8_t flags;             /* MCPW_UNION_... */
#if !defined(MCPW_SMALL) || !defined(MCPW_NO_PROJECT)
    uint16_t name; /* pool, NUL-terminated */
#endif
#if !defined(MCPW_SMALL)
    uint16_t reserved; /* 0 */
#endif
} mcpw_union;

/* An alternative of a union. */
typedef struct mcpw_alternative {
#if defined(MCPW_SMALL)
    unsigned value : MCPW_ROW_VALUE_BITS; /* number in refs */
    unsigned is : 6;                      /* the JSON types that it can be */
    unsigned name : 16;                   /* pool, NUL-terminated */
#else
    mcpw_ref value;   /* its type */
    uint16_t name;    /* pool, NUL-terminated */
    uint8_t is;       /* the JSON types that it can be */
    uint8_t reserved; /* 0 */
#endif
} mcpw_alternative;

/* A test on one member of an object: that it is there (value MCPW_NO_OFFSET) or that it is this string. */
typedef struct mcpw_test {
    uint16_t key; /* pool: "name": */
#if !defined(MCPW_SMALL)
    uint16_t key_mask; /* of that text */
#endif
    uint16_t value; /* pool: "text" with quotes, or MCPW_NO_OFFSET */
#if !defined(MCPW_SMALL)
    uint16_t value_mask; /* of that text */
    uint8_t key_len;     /* bytes of the name alone */
    uint8_t value_len;   /* bytes of the text alone */
#endif
    uint8_t alternative; /* its number from 0 */
    uint8_t row;         /* the member's row in that alternative's struct, or MCPW_NO_INDEX */
} mcpw_test;

/* An enum: values from 1 in the order of the schema. */
typedef struct mcpw_enum {
    uint16_t first; /* entry in enum_values */
    uint16_t count; /* how many */
#if !defined(MCPW_SMALL) || !defined(MCPW_NO_PROJECT)
    uint16_t name; /* pool, NUL-terminated */
#endif
} mcpw_enum;

/* A value of an enum. */
typedef struct mcpw_enum_value {
    uint16_t text; /* pool: "text" with quotes, NUL-terminated too */
#if !defined(MCPW_SMALL)
    uint16_t mask; /* of that text */
    uint16_t len;  /* bytes of the text alone */
#endif
} mcpw_enum_value;

/* A constant: the only value that is allowed. */
typedef struct mcpw_const {
#if !defined(MCPW_SMALL)
    int64_t integer; /* for numbers */
#endif
    uint16_t text; /* pool: the value as JSON, NUL-terminated too */
#if !defined(MCPW_SMALL)
    uint16_t mask; /* for strings: of the text with its quotes */
    uint16_t len;  /* bytes of the JSON text, quotes included */
#endif
    uint8_t is;       /* MCPW_IS_STRING, _NUMBER (an integer), _BOOLEAN or _NULL */
    uint8_t reserved; /* 0 */
} mcpw_const;

/* Flags of a mcpw_check. */
enum {
    MCPW_CHECK_MIN = 1,       /* there is a least value */
    MCPW_CHECK_MAX = 2,       /* there is a greatest value */
    MCPW_CHECK_ABOVE_MIN = 4, /* which is itself too small */
    MCPW_CHECK_BELOW_MAX = 8  /* which is itself too great */
};

/* What the specification's prose or "format" demands of a text; checked under MCPW_STRICT alone. */
typedef enum mcpw_format {
    MCPW_FORMAT_NONE = 0,         /* any text */
    MCPW_FORMAT_URI = 1,          /* RFC 3986 */
    MCPW_FORMAT_URI_TEMPLATE = 2, /* RFC 6570 */
    MCPW_FORMAT_BASE64 = 3,       /* RFC 4648 section 4 */
    MCPW_FORMAT_DATE_TIME = 4,    /* RFC 3339 date-time */
    MCPW_FORMAT_FILE_URI = 5,     /* a URI that begins with file:// */
    MCPW_FORMAT_META_KEYS = 6,    /* an object whose member names follow the _meta key grammar */
    MCPW_FORMAT_AT_MOST_100 = 7,  /* an array of at most 100 items */
    MCPW_FORMAT_DATE = 8,         /* RFC 3339 full-date */
    MCPW_FORMAT_EMAIL = 9         /* RFC 5321 mailbox */
} mcpw_format;

/* Bounds and formats. What is bounded follows from the kind: the value of a number, the code points of a
 * string, the items of an array, the members of a map. checks[0] is all zero. */
typedef struct mcpw_check {
#if !defined(MCPW_SMALL)
    int64_t min;       /* integers and counts */
    int64_t max;       /* likewise */
    double min_number; /* numbers */
    double max_number; /* likewise */
#endif
    uint16_t min_text; /* pool: the bound as the schema writes it, NUL-terminated */
    uint16_t max_text; /* likewise */
    uint8_t flags;     /* MCPW_CHECK_...; ABOVE and BELOW make the bound exclusive */
    uint8_t format;    /* mcpw_format */
    uint16_t reserved; /* 0 */
} mcpw_check;

/* Under MCPW_PEER_DEFAULTS: the value that an absent required member takes, by its name, in every struct. */
typedef struct mcpw_default {
    uint16_t key;      /* pool: "name":, the same offset as in the rows */
    uint16_t text;     /* pool: the value as JSON, NUL-terminated */
    uint8_t key_len;   /* bytes of the name alone */
    uint8_t text_len;  /* bytes of the value */
    uint8_t below_min; /* 1: also taken in place of a number under its minimum */
    uint8_t reserved;  /* 0 */
} mcpw_default;

/* Initialisers, each of which leaves out what one of the two layouts has no place for. key_number and
 * ref_number are numbers in keys and refs. */
#if defined(MCPW_SMALL)
/* A field that only projection needs, and the comma before it. */
#if defined(MCPW_NO_PROJECT)
#define MCPW_FOR_PROJECT(field)
#else
/* A field that only projection needs, and the comma before it. */
#define MCPW_FOR_PROJECT(field) , field
#endif
/* The value, if it fits into so many bits; else an array of -1 elements, which does not compile. */
#define MCPW_FITTING(value, bits) ((value) + 0 * sizeof(char[(value) < (1 << (bits)) ? 1 : -1]))
/* Initialises a mcpw_row. */
#define MCPW_ROW(key_number, key, mask, offset, key_len, bit, required, ref_number, kind, check, index)      \
    {                                                                                                        \
        MCPW_FITTING(key_number, MCPW_ROW_KEY_BITS), MCPW_FITTING(ref_number, MCPW_ROW_VALUE_BITS),          \
            MCPW_FITTING(offset, MCPW_ROW_OFFSET_BITS), required                                             \
    }
/* Initialises the mcpw_row behind the last one of a struct. */
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
#define MCPW_CHECK(min, max, min_number, max_number, min_text, max_text, flags, format)                      \
    { min_text, max_text, flags, format, 0 }

#else

/* Initialises a mcpw_row. */
#define MCPW_ROW(key_number, key, mask, offset, key_len, bit, required, ref_number, kind, check, index)      \
    {                                                                                                        \
        key, mask, offset, key_len, bit, { kind, check, index }                                              \
    }
/* Initialises the mcpw_row behind the last one of a struct. */
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
#define MCPW_CHECK(min, max, min_number, max_number, min_text, max_text, flags, format)                      \
    { min, max, min_number, max_number, min_text, max_text, flags, format, 0 }
#endif

/* The handle of a type: what the typed functions and mcpw_find_type pass to the engine. */
typedef struct mcpw_type {
    const struct mcpw_revision *revision; /* whose tables describe it */
    const char *name;                     /* as in the schema, such as "CallToolResult" */
    mcpw_ref ref;                         /* what it is */
    uint32_t size;                        /* sizeof the C value that ref describes */
} mcpw_type;

/* Flags of a mcpw_method. */
enum {
    MCPW_METHOD_REQUEST = 1,          /* it is answered */
    MCPW_METHOD_NOTIFICATION = 2,     /* it is not */
    MCPW_METHOD_FROM_CLIENT = 4,      /* clients send it */
    MCPW_METHOD_FROM_SERVER = 8,      /* servers send it */
    MCPW_METHOD_PARAMS_REQUIRED = 16, /* it may not come without params */
    MCPW_METHOD_INPUT = 32, /* travels inside an input_required result, never as a message of its own */
    MCPW_METHOD_SENDER_DECLARES = 64 /* the capability is the sender's, not the receiver's */
};

/* A method of the protocol. Its number, which the generated method enum gives a name, is its place in
 * methods plus one. */
typedef struct mcpw_method {
    const mcpw_type *params;      /* NULL: takes none */
    const mcpw_type *result;      /* NULL for notifications */
    const mcpw_type *response;    /* result as a response must be read: by resultType, without fallback */
    const mcpw_type *task_result; /* what answers a request that carried a task; NULL: nothing else */
    const char *capability;       /* "tools", "resources.subscribe": the receiver must have declared it,
                                     or, by MCPW_METHOD_SENDER_DECLARES, the sender; NULL: none */
    uint16_t name;                /* pool: "name" with quotes */
    uint16_t mask;                /* of that text */
    uint8_t name_len;             /* bytes of the name alone */
    uint8_t flags;                /* MCPW_METHOD_... */
    uint16_t reserved;            /* 0 */
} mcpw_method;

/* A capability that the receiver of a method must have declared when the params have a member, or have it
 * with a certain value. It holds beside that of the method. */
typedef struct mcpw_gate {
    uint16_t method;        /* its number */
    const char *member;     /* of the params */
    const char *value;      /* a string that the member is; NULL: whatever it is */
    const char *capability; /* "elicitation.url" */
} mcpw_gate;

/* An error code of other revisions that this one does not send, and the code that it sends instead. */
typedef struct mcpw_code {
    int32_t from; /* what a handler said */
    int32_t to;   /* what is sent */
} mcpw_code;

/* Errors that every revision has some code for. */
enum {
    MCPW_CODE_RESOURCE_NOT_FOUND,  /* there is no such resource */
    MCPW_CODE_MISSING_CAPABILITY,  /* the request needs one that the client has not declared */
    MCPW_CODE_UNSUPPORTED_VERSION, /* the server does not speak the revision asked for */
    MCPW_CODE_COUNT                /* number of these */
};

/* A protocol revision: its identity and all of its tables. */
typedef struct mcpw_revision {
    const char *name;           /* "2025-11-25" */
    const char *schema_sha256;  /* of schema/<revision>/schema.json as it was read, in hexadecimal */
    const char *generator;      /* version of the generator */
    uint32_t abi;               /* MCPW_TABLE_ABI */
    uint32_t number;            /* 20251125 */
    const char *pool;           /* all texts, found by offset */
    const mcpw_row *rows;       /* see mcpw_row */
    const mcpw_struct *structs; /* see mcpw_struct */
    const mcpw_array *arrays;   /* see mcpw_array */
    const mcpw_map *maps;       /* see mcpw_map */
    const mcpw_union *unions;   /* see mcpw_union */
    const mcpw_alternative *alternatives; /* see mcpw_alternative */
    const mcpw_test *tests;               /* see mcpw_test */
    const mcpw_enum *enums;               /* see mcpw_enum */
    const mcpw_enum_value *enum_values;   /* see mcpw_enum_value */
    const mcpw_const *consts;             /* see mcpw_const */
    const mcpw_check *checks;             /* see mcpw_check */
    const mcpw_ref *shapes;               /* types of values that stay text */
    const uint8_t *slots;                 /* the hashes of all structs */
    const mcpw_default *defaults;         /* see mcpw_default */
    const mcpw_method *methods;           /* see mcpw_method */
    const uint8_t *method_slots;          /* the hash of MCPW_HASH over method names */
    const mcpw_type *const *definitions;  /* sorted by name as bytes */
    const mcpw_type *error;               /* the error object of responses, as a mcpw_rpc_error */
    uint16_t pool_size;                   /* bytes in pool, padding included */
    uint16_t row_count;                   /* sentinels included */
    uint16_t struct_count;                /* entries in structs */
    uint16_t array_count;                 /* entries in arrays */
    uint16_t map_count;                   /* entries in maps */
    uint16_t union_count;                 /* entries in unions */
    uint16_t alternative_count;           /* entries in alternatives */
    uint16_t test_count;                  /* entries in tests */
    uint16_t enum_count;                  /* entries in enums */
    uint16_t enum_value_count;            /* entries in enum_values */
    uint16_t const_count;                 /* entries in consts */
    uint16_t check_count;                 /* entries in checks */
    uint16_t shape_count;                 /* entries in shapes */
    uint16_t slot_count;                  /* entries in slots */
    uint16_t default_count;               /* entries in defaults */
    uint16_t method_count;                /* entries in methods */
    uint16_t definition_count;            /* entries in definitions */
    uint8_t method_hash_mask;             /* entries in method_slots, less one */
    uint8_t method_hash_mul;              /* 0: no hash */
    uint8_t method_hash_shift;            /* as hash_shift of a mcpw_struct */
    uint8_t batches;                      /* 1: a message may be an array of messages */
    uint8_t argument_results;             /* 1: a tool's bad arguments are told in a result */
    const mcpw_gate *gates;               /* see mcpw_gate */
    const mcpw_code *codes;               /* see mcpw_code */
    uint16_t gate_count;                  /* entries in gates */
    uint16_t code_count;                  /* entries in codes */
    int32_t role_codes[MCPW_CODE_COUNT];  /* by MCPW_CODE_...; 0: nothing is known about the revision */
    const uint16_t *keys;                 /* small: names of members in the pool; first MCPW_POOL_SENTINEL */
    const mcpw_ref *refs;                 /* small: types of members and alternatives, by number */
} mcpw_revision;

/* ---- reading both layouts ---- */

/* Where the name of a member stands in the pool, as "name": with quotes and colon. */
static inline uint16_t mcpw_row_key(const mcpw_revision *revision, const mcpw_row *row) {
#if defined(MCPW_SMALL)
    return revision->keys[row->key];
#else
    (void)revision;
    return row->key;
#endif
}

#if defined(MCPW_SMALL)
/* What stands in the pool at an offset, between its first byte and as many bytes at its end. */
MCPW_API mcpw_str mcpw_unquoted(const char *pool, unsigned offset, unsigned behind);
/* The name of a member alone, in the revision's pool. */
MCPW_API mcpw_str mcpw_row_name(const mcpw_revision *revision, const char *pool, const mcpw_row *row);
#else
/* The name of a member alone, in the revision's pool, which the caller may have at hand. */
static inline mcpw_str mcpw_row_name(const mcpw_revision *revision, const char *pool, const mcpw_row *row) {
    const mcpw_str name = {pool + row->key + 1, row->key_len};
    (void)revision;
    return name;
}
#endif

/* The type of a member. Of the row behind the last one it means nothing. */
static inline mcpw_ref mcpw_row_value(const mcpw_revision *revision, const mcpw_row *row) {
#if defined(MCPW_SMALL)
    return revision->refs[row->value];
#else
    (void)revision;
    return row->value;
#endif
}

/* The row's number in its struct. */
static inline unsigned mcpw_row_bit(const mcpw_revision *revision, const mcpw_struct *s,
                                    const mcpw_row *row) {
#if defined(MCPW_SMALL)
    return (unsigned)(row - revision->rows) - s->first;
#else
    (void)revision;
    (void)s;
    return row->bit;
#endif
}

/* Whether a member must be there. */
static inline bool mcpw_row_required(const mcpw_struct *s, const mcpw_row *row) {
#if defined(MCPW_SMALL)
    (void)s;
    return row->required != 0;
#else
    return (s->required >> row->bit & 1) != 0;
#endif
}

/* Whether it is the row behind the last one. */
static inline bool mcpw_row_is_end(const mcpw_row *row) {
#if defined(MCPW_SMALL)
    return row->key == 0;
#else
    return row->value.kind == MCPW_KIND_END;
#endif
}

/* A bit for each member that must be there. */
#if defined(MCPW_SMALL)
MCPW_API mcpw_row_set mcpw_required_rows(const mcpw_revision *revision, const mcpw_struct *s);
#else
/* A bit for each member that must be there. */
static inline mcpw_row_set mcpw_required_rows(const mcpw_revision *revision, const mcpw_struct *s) {
    (void)revision;
    return s->required;
}
#endif

/* The offset of the mcpw_members that keeps members without a row; MCPW_NO_OFFSET: none. */
static inline unsigned mcpw_extra_offset(const mcpw_revision *revision, const mcpw_struct *s) {
#if defined(MCPW_SMALL)
    const unsigned offset = revision->rows[s->first + s->count].offset;
    return offset == MCPW_ROW_NO_OFFSET ? (unsigned)MCPW_NO_OFFSET : offset;
#else
    (void)revision;
    return s->extra;
#endif
}

/* What such members must be: MCPW_KIND_JSON any, MCPW_KIND_END none allowed. */
static inline mcpw_ref mcpw_extra_value(const mcpw_revision *revision, const mcpw_struct *s) {
#if defined(MCPW_SMALL)
    return revision->refs[revision->rows[s->first + s->count].value];
#else
    (void)revision;
    return s->extra_value;
#endif
}

/* The type of an alternative. */
static inline mcpw_ref mcpw_alternative_value(const mcpw_revision *revision, const mcpw_alternative *a) {
#if defined(MCPW_SMALL)
    return revision->refs[a->value];
#else
    (void)revision;
    return a->value;
#endif
}

/* The member that a test looks at. */
static inline mcpw_str mcpw_test_key(const char *pool, const mcpw_test *t) {
#if defined(MCPW_SMALL)
    return mcpw_unquoted(pool, t->key, 2);
#else
    const mcpw_str key = {pool + t->key + 1, t->key_len};
    return key;
#endif
}

/* The text that a test wants it to be; absent: any value will do. */
static inline mcpw_str mcpw_test_value(const char *pool, const mcpw_test *t) {
    mcpw_str value = {NULL, 0};
    if (t->value != MCPW_NO_OFFSET) {
#if defined(MCPW_SMALL)
        value = mcpw_unquoted(pool, t->value, 1);
#else
        value.ptr = pool + t->value + 1;
        value.len = t->value_len;
#endif
    }
    return value;
}

/* A value of an enum, without quotes. */
static inline mcpw_str mcpw_enum_value_text(const char *pool, const mcpw_enum_value *v) {
#if defined(MCPW_SMALL)
    return mcpw_unquoted(pool, v->text, 1);
#else
    const mcpw_str text = {pool + v->text + 1, v->len};
    return text;
#endif
}

/* The name of a union or enum, for messages; builds without projection have none. */
#if defined(MCPW_NO_PROJECT)
#define MCPW_NAME_OF(pool, entry) ((void)(entry), "its type")
#else
/* The name of a union or enum, for messages. */
#define MCPW_NAME_OF(pool, entry) ((pool) + (entry)->name)
#endif

/* A constant as JSON text. */
static inline mcpw_json mcpw_const_text(const char *pool, const mcpw_const *c) {
#if defined(MCPW_SMALL)
    const mcpw_json text = {pool + c->text, strlen(pool + c->text)};
#else
    const mcpw_json text = {pool + c->text, c->len};
#endif
    return text;
}

MCPW_END_DECLS

#endif
