/* SPDX-License-Identifier: MIT */
/*
 * The tables that describe protocol types to the codec engine. They are not part of the API. Generated code
 * (tables.c) fills them in, and only the engine in runtime/codec reads them. Names and layouts may change in
 * any version. This header is installed so that a program's own tables.c compiles. Programs use <mcpw/type.h>
 * and <mcpw/codec.h>.
 *
 * A revision owns one set of arrays. Entries refer to each other by index and to text by offset into the
 * revision's pool, so that the tables need hardly any relocation and stay small. They have two layouts: one
 * for speed, <mcpw/detail/table_fast.h>, and, under MCPW_SMALL, a smaller one, <mcpw/detail/table_small.h>.
 * The functions at the end of these two headers read the parts that differ.
 *
 *     mcpw_type  -> mcpw_ref {kind, check, index} -> mcpw_struct -> its mcpw_rows -> mcpw_ref -> ...
 *                                                    mcpw_union  -> its mcpw_alternatives, mcpw_tests
 *                                                    mcpw_array, mcpw_map, mcpw_enum, mcpw_const, shapes
 *
 * Two rules make the engine fast, and the generator must follow them. The rows of a struct are in wire order,
 * the order in which peers write the members, because the engine expects the next row's key next. Every text
 * that is compared with input is in the pool as JSON, with its quotes (a key also with its colon). At least
 * MCPW_POOL_PADDING readable bytes follow it, because it is compared 16 bytes at a time under a mask.
 */
#ifndef MCPW_TABLE_H
#define MCPW_TABLE_H

#include <mcpw/detail/field.h>
#include <mcpw/detail/table_residual.h>
#include <mcpw/json.h>

/* Changes whenever the meaning or the layout of a table changes. Generated code refuses to compile against
 * a runtime with another number. */
#define MCPW_TABLE_ABI 7

/* These definitions leave dispensable data out of the tables. All code of a program must agree on them. The
 * initialisers of generated code use macros for that reason.
 *   - MCPW_SMALL: no hashes and masks, which only save time, and no data that can be computed.
 *   - MCPW_NO_NAMES: no names of types. mcpw_find_type finds none, and messages contain none.
 *   - MCPW_NO_PROJECT: no names of types that have no definition of their own. */
#if defined(MCPW_NO_NAMES)
/* Initialises a field of names only. */
#define MCPW_UNLESS_NO_NAMES(field) 0
/* The name at an offset of the pool. */
#define MCPW_NAME(offset) ""
#else
/* Initialises a field of names only. */
#define MCPW_UNLESS_NO_NAMES(field) field
/* The name at an offset of the pool. */
#define MCPW_NAME(offset) (pool + (offset))
#endif
#if defined(MCPW_NO_PROJECT)
/* The same for the name of what has no definition of its own. */
#define MCPW_PLACE(offset) ""
/* A field of small tables that only projection needs, with the comma before it. */
#define MCPW_FOR_PROJECT(field)
/* The declaration of such a name. */
#define MCPW_NAME_FIELD
/* The name of a union or enum, for messages; builds without projection have none. */
#define MCPW_NAME_OF(pool, entry) ((void)(entry), "its type")
#else
/* The same for the name of what has no definition of its own. */
#define MCPW_PLACE(offset) MCPW_NAME(offset)
/* A field of small tables that only projection needs, with the comma before it. */
#define MCPW_FOR_PROJECT(field) , field
/* The declaration of such a name. */
#define MCPW_NAME_FIELD uint16_t name; /* pool, NUL-terminated: for messages of projection */
/* The name of a union or enum, for messages. */
#define MCPW_NAME_OF(pool, entry) ((pool) + (entry)->name)
#endif

/* Limits of the tables, and marks in them. */
enum {
    MCPW_POOL_PADDING = 32, /* zero bytes at the end of every pool */
    MCPW_NO_INDEX = 0xff,   /* "no such entry" for 8-bit indices */
    MCPW_POOL_SENTINEL = 0, /* pool offset of 16 bytes of value 1, which no JSON text can match */
    MCPW_PATTERN_BYTES = 16 /* bytes that a mask covers */
};

MCPW_BEGIN_DECLS

/* slots[s.slots + h] is the row's number or MCPW_NO_INDEX, where, for a key k of n >= 1 bytes, h is its
 * length, its first and last byte and the bytes at a quarter and at 7/16 of it, mixed under the mask. */
#define MCPW_HASH(k, n, mul, shift, mask)                                                                    \
    (((unsigned)(n) * (mul) + ((unsigned)(k)[0] << (shift)) + (unsigned)(k)[(n) >> 2] * 3U +                 \
      (unsigned)(k)[((n)*7) >> 4] + (unsigned)(k)[(n)-1]) &                                                  \
     (mask))

/* An array. Its C form is {const T *items; size_t count}. */
typedef struct mcpw_array {
    mcpw_ref item;        /* type of the items */
    uint16_t item_size;   /* sizeof an item in C; 0 in shapes */
    uint16_t may_be_null; /* 1: items may be NULL in an array that is there, and empty */
} mcpw_array;

/* The C entry of a map begins with its mcpw_str key. */
typedef struct mcpw_map {
    mcpw_ref value;        /* type of the values */
    uint16_t entry_size;   /* sizeof an entry in C; 0 in shapes */
    uint16_t value_offset; /* of the value in an entry */
} mcpw_map;

/* Flags of a mcpw_union. */
enum {
    MCPW_UNION_DISJOINT = 1,  /* proven: no value matches two alternatives, so none is tried twice */
    MCPW_UNION_ONE_KEY = 2,   /* every test looks at the value of the same member */
    MCPW_UNION_BARE = 4,      /* nothing but the alternative is stored: no kind, alternative at offset 0 */
    MCPW_UNION_EXCLUSIVE = 8, /* the tests alone decide: a value that no test selects is invalid */
    MCPW_UNION_FIRST_MEMBER = 16, /* the first member that satisfies any test decides */
    MCPW_UNION_RESIDUAL = 32      /* bare, and its value also meets demands[tests] */
};

/* Flags of a mcpw_check. */
enum {
    MCPW_CHECK_MIN = 1,       /* there is a least value */
    MCPW_CHECK_MAX = 2,       /* there is a greatest value */
    MCPW_CHECK_ABOVE_MIN = 4, /* the least value is itself too small */
    MCPW_CHECK_BELOW_MAX = 8, /* the greatest value is itself too great */
    MCPW_CHECK_MULTIPLE = 16  /* an integer is a multiple of the argument, which is above 0 */
};

/* The format of a text, from the specification's prose or "format"; checked only under MCPW_STRICT. */
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

/* Under MCPW_PEER_DEFAULTS: the value that an absent required member takes, by its name, in every struct. */
typedef struct mcpw_default {
    uint16_t key;      /* pool: "name":, the same offset as in the rows */
    uint16_t text;     /* pool: the value as JSON, NUL-terminated */
    uint8_t key_len;   /* bytes of the name alone */
    uint8_t text_len;  /* bytes of the value */
    uint8_t below_min; /* 1: also taken in place of a number under its minimum */
    uint8_t reserved;  /* 0 */
} mcpw_default;

/* The handle of a type, which the typed functions and mcpw_find_type pass to the engine. */
struct mcpw_type {
    const struct mcpw_revision *revision; /* the revision whose tables describe it */
    const char *name;                     /* as in the schema, such as "CallToolResult" */
    mcpw_ref ref;                         /* the type */
    uint32_t size;                        /* sizeof the C value that ref describes */
};

/* A method of the protocol. Its number, which the generated method enum gives a name, is its place in
 * methods plus one. */
struct mcpw_method {
    const mcpw_type *params;      /* NULL: takes none */
    const mcpw_type *result;      /* NULL for notifications */
    const mcpw_type *response;    /* result as a response must be read: by resultType, without fallback */
    const mcpw_type *task_result; /* the result for a request that carried a task; NULL: the same */
    uint16_t name;                /* pool: "name" with quotes */
    uint16_t mask;                /* of that text */
    uint8_t name_len;             /* bytes of the name alone */
    uint8_t flags;                /* MCPW_METHOD_... */
    uint16_t reserved;            /* 0 */
};

/* Each of the two layouts defines these in its own way. */
typedef struct mcpw_row mcpw_row;                 /* a member of a struct */
typedef struct mcpw_struct mcpw_struct;           /* an object with named members */
typedef struct mcpw_union mcpw_union;             /* a value of one of several types */
typedef struct mcpw_alternative mcpw_alternative; /* one of them */
typedef struct mcpw_test mcpw_test;               /* a test that selects one */
typedef struct mcpw_enum mcpw_enum;               /* an enum */
typedef struct mcpw_enum_value mcpw_enum_value;   /* one of its values */
typedef struct mcpw_const mcpw_const;             /* the only allowed value */
typedef struct mcpw_check mcpw_check;             /* bounds and formats */

/* A protocol revision: its identity and all of its tables. */
struct mcpw_revision {
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
    const uint16_t *keys;                 /* small: names of members in the pool; first MCPW_POOL_SENTINEL */
    const mcpw_ref *refs;                 /* small: types of members and alternatives, by number */
    const char *layout;                   /* MCPW_LAYOUT: never read; it ties tables to their library */
    const mcpw_residual *residuals;       /* see mcpw_residual */
    const struct mcpw_protocol *protocol; /* of a program's own revision, for sessions; NULL: none */
};

MCPW_END_DECLS

#if defined(MCPW_SMALL)
#include <mcpw/detail/table_small.h>
#else
#include <mcpw/detail/table_fast.h>
#endif

#endif
