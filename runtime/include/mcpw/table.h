/* SPDX-License-Identifier: MIT */
/*
 * The tables that describe protocol types to the codec engine. Generated code fills them in; the engine in
 * runtime/codec reads them. Programs use them only through mcpw_type handles and <mcpw/codec.h>.
 *
 * A revision owns one set of arrays. Entries refer to each other by index and to text by offset into the
 * revision's pool, so that the tables need hardly any relocation and stay small:
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
#define MCPW_TABLE_ABI 1

enum {
    MCPW_POOL_PADDING = 32,  /* zero bytes at the end of every pool */
    MCPW_MAX_ROWS = 64,      /* members a struct can name */
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
    MCPW_KIND_COUNT = 22
} mcpw_kind;

/* A reference to a type: what it is, which extra constraint it has, which entry describes it. */
typedef struct mcpw_ref {
    uint8_t kind;   /* mcpw_kind */
    uint8_t check;  /* index into checks; 0: none */
    uint16_t index; /* into the array that belongs to kind; 0 where the kind has none */
} mcpw_ref;

/* A member of a struct. */
typedef struct mcpw_row {
    uint16_t key;    /* pool: "name": with quotes and colon */
    uint16_t mask;   /* one bit for each of the first 16 bytes of that text */
    uint16_t offset; /* of the C member */
    uint8_t key_len; /* bytes of the name alone */
    uint8_t bit;     /* the row's number in its struct */
    mcpw_ref value;
} mcpw_row;

/* An object with named members. Its rows stand in rows[first .. first + count - 1]; behind them stands a
 * sentinel row {key: MCPW_POOL_SENTINEL, mask: 0xffff, kind: MCPW_KIND_END}. */
typedef struct mcpw_struct {
    uint64_t required; /* a bit for each row that must be there */
    uint16_t first;
    uint16_t size;        /* sizeof the C struct */
    uint16_t name;        /* pool: the type's name, NUL-terminated, for messages */
    uint16_t extra;       /* offset of the mcpw_members that keeps other members; MCPW_NO_OFFSET: none */
    mcpw_ref extra_value; /* what other members must be: MCPW_KIND_JSON any, MCPW_KIND_END none allowed */
    uint16_t slots;       /* first entry in slots */
    uint8_t count;        /* rows */
    uint8_t hash_mask;    /* entries in slots, less one */
    uint8_t hash_mul;     /* 0: there is no hash, look through all rows */
    uint8_t hash_shift;
    uint16_t reserved;
} mcpw_struct;

/* slots[s.slots + h] is the row's number or MCPW_NO_INDEX, where, for a key k of n >= 1 bytes, h is its
 * length, its first and last byte and the bytes at a quarter and at 7/16 of it, mixed under the mask. */
#define MCPW_HASH(k, n, mul, shift, mask)                                                                    \
    (((unsigned)(n) * (mul) + ((unsigned)(k)[0] << (shift)) + (unsigned)(k)[(n) >> 2] * 3U +                 \
      (unsigned)(k)[((n)*7) >> 4] + (unsigned)(k)[(n)-1]) &                                                  \
     (mask))

typedef struct mcpw_array {
    mcpw_ref item;
    uint16_t item_size;
    uint16_t reserved;
} mcpw_array;

/* The C entry of a map begins with its mcpw_str key. */
typedef struct mcpw_map {
    mcpw_ref value;
    uint16_t entry_size;
    uint16_t value_offset;
} mcpw_map;

/* JSON types, as bits, told apart by the first byte of a value. */
enum {
    MCPW_IS_OBJECT = 1,
    MCPW_IS_ARRAY = 2,
    MCPW_IS_STRING = 4,
    MCPW_IS_NUMBER = 8,
    MCPW_IS_BOOLEAN = 16,
    MCPW_IS_NULL = 32
};

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
    uint16_t size;
    uint16_t as_offset;
    uint16_t alternatives; /* first entry in alternatives */
    uint16_t tests;        /* first entry in tests */
    uint8_t alternative_count;
    uint8_t test_count;
    uint8_t otherwise; /* alternative for objects that no test matches, or MCPW_NO_INDEX */
    uint8_t flags;
    uint16_t name; /* pool, NUL-terminated */
    uint16_t reserved;
} mcpw_union;

typedef struct mcpw_alternative {
    mcpw_ref value;
    uint16_t name; /* pool, NUL-terminated */
    uint8_t is;    /* the JSON types that it can be */
    uint8_t reserved;
} mcpw_alternative;

/* A test on one member of an object: that it is there (value MCPW_NO_OFFSET) or that it is this string. */
typedef struct mcpw_test {
    uint16_t key; /* pool: "name": */
    uint16_t key_mask;
    uint16_t value; /* pool: "text" with quotes, or MCPW_NO_OFFSET */
    uint16_t value_mask;
    uint8_t key_len;
    uint8_t value_len;   /* bytes of the text alone */
    uint8_t alternative; /* its number from 0 */
    uint8_t row;         /* the member's row in that alternative's struct, or MCPW_NO_INDEX */
} mcpw_test;

typedef struct mcpw_enum {
    uint16_t first; /* entry in enum_values */
    uint16_t count;
    uint16_t name; /* pool, NUL-terminated */
} mcpw_enum;

typedef struct mcpw_enum_value {
    uint16_t text; /* pool: "text" with quotes */
    uint16_t mask;
    uint16_t len; /* bytes of the text alone */
} mcpw_enum_value;

typedef struct mcpw_const {
    int64_t integer; /* for numbers */
    uint16_t text;   /* pool: the value as JSON, NUL-terminated too */
    uint16_t mask;   /* for strings: of the text with its quotes */
    uint16_t len;    /* bytes of the JSON text, quotes included */
    uint8_t is;      /* MCPW_IS_STRING, _NUMBER (an integer), _BOOLEAN or _NULL */
    uint8_t reserved;
} mcpw_const;

enum { MCPW_CHECK_MIN = 1, MCPW_CHECK_MAX = 2, MCPW_CHECK_ABOVE_MIN = 4, MCPW_CHECK_BELOW_MAX = 8 };

/* What the specification's prose or "format" demands of a text; checked under MCPW_STRICT alone. */
typedef enum mcpw_format {
    MCPW_FORMAT_NONE = 0,
    MCPW_FORMAT_URI = 1,
    MCPW_FORMAT_URI_TEMPLATE = 2,
    MCPW_FORMAT_BASE64 = 3,
    MCPW_FORMAT_DATE_TIME = 4,
    MCPW_FORMAT_FILE_URI = 5,
    MCPW_FORMAT_META_KEYS = 6,   /* an object whose member names follow the _meta key grammar */
    MCPW_FORMAT_AT_MOST_100 = 7, /* an array of at most 100 items */
    MCPW_FORMAT_DATE = 8,
    MCPW_FORMAT_EMAIL = 9
} mcpw_format;

/* Bounds and formats. What is bounded follows from the kind: the value of a number, the code points of a
 * string, the items of an array, the members of a map. checks[0] is all zero. */
typedef struct mcpw_check {
    int64_t min; /* integers and counts */
    int64_t max;
    double min_number; /* numbers */
    double max_number;
    uint16_t min_text; /* pool: the bound as the schema writes it, NUL-terminated */
    uint16_t max_text;
    uint8_t flags;  /* MCPW_CHECK_...; ABOVE and BELOW make the bound exclusive */
    uint8_t format; /* mcpw_format */
    uint16_t reserved;
} mcpw_check;

/* Under MCPW_PEER_DEFAULTS: the value that an absent required member takes, by its name, in every struct. */
typedef struct mcpw_default {
    uint16_t key;  /* pool: "name":, the same offset as in the rows */
    uint16_t text; /* pool: the value as JSON, NUL-terminated */
    uint8_t key_len;
    uint8_t text_len;
    uint8_t below_min; /* 1: also taken in place of a number under its minimum */
    uint8_t reserved;
} mcpw_default;

struct mcpw_revision;

/* The handle of a type: what the typed functions and mcpw_find_type pass to the engine. */
typedef struct mcpw_type {
    const struct mcpw_revision *revision;
    const char *name; /* as in the schema, such as "CallToolResult" */
    mcpw_ref ref;
    uint32_t size; /* sizeof the C value that ref describes */
} mcpw_type;

enum {
    MCPW_METHOD_REQUEST = 1,
    MCPW_METHOD_NOTIFICATION = 2,
    MCPW_METHOD_FROM_CLIENT = 4,
    MCPW_METHOD_FROM_SERVER = 8,
    MCPW_METHOD_PARAMS_REQUIRED = 16,
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
    uint16_t mask;
    uint8_t name_len;
    uint8_t flags;
    uint16_t reserved;
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
    int32_t from;
    int32_t to;
} mcpw_code;

/* Errors that every revision has some code for. */
enum {
    MCPW_CODE_RESOURCE_NOT_FOUND,
    MCPW_CODE_MISSING_CAPABILITY,  /* the request needs one that the client has not declared */
    MCPW_CODE_UNSUPPORTED_VERSION, /* the server does not speak the revision asked for */
    MCPW_CODE_COUNT
};

/* A protocol revision: its identity and all of its tables. */
typedef struct mcpw_revision {
    const char *name;          /* "2025-11-25" */
    const char *schema_sha256; /* of schema/<revision>/schema.json as it was read, in hexadecimal */
    const char *generator;     /* version of the generator */
    uint32_t abi;              /* MCPW_TABLE_ABI */
    uint32_t number;           /* 20251125 */
    const char *pool;
    const mcpw_row *rows;
    const mcpw_struct *structs;
    const mcpw_array *arrays;
    const mcpw_map *maps;
    const mcpw_union *unions;
    const mcpw_alternative *alternatives;
    const mcpw_test *tests;
    const mcpw_enum *enums;
    const mcpw_enum_value *enum_values;
    const mcpw_const *consts;
    const mcpw_check *checks;
    const mcpw_ref *shapes;
    const uint8_t *slots;
    const mcpw_default *defaults;
    const mcpw_method *methods;
    const uint8_t *method_slots;         /* the hash of MCPW_HASH over method names */
    const mcpw_type *const *definitions; /* sorted by name as bytes */
    const mcpw_type *error;              /* the error object of responses, as a mcpw_rpc_error */
    uint16_t pool_size;
    uint16_t row_count; /* sentinels included */
    uint16_t struct_count;
    uint16_t array_count;
    uint16_t map_count;
    uint16_t union_count;
    uint16_t alternative_count;
    uint16_t test_count;
    uint16_t enum_count;
    uint16_t enum_value_count;
    uint16_t const_count;
    uint16_t check_count;
    uint16_t shape_count;
    uint16_t slot_count;
    uint16_t default_count;
    uint16_t method_count;
    uint16_t definition_count;
    uint8_t method_hash_mask;
    uint8_t method_hash_mul; /* 0: no hash */
    uint8_t method_hash_shift;
    uint8_t batches; /* 1: a message may be an array of messages */
    const mcpw_gate *gates;
    const mcpw_code *codes;
    uint16_t gate_count;
    uint16_t code_count;
    int32_t role_codes[MCPW_CODE_COUNT]; /* by MCPW_CODE_...; 0: nothing is known about the revision */
} mcpw_revision;

MCPW_END_DECLS

#endif
