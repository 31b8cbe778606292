/* SPDX-License-Identifier: MIT */
/*
 * Values of any type of any revision, for code that cannot name their C types: gateways, bindings, sessions.
 * It looks members up by the names that they have in JSON, walks structs, arrays, maps and unions, tells
 * where in a struct a member lies, so that it can be written, and makes handles of types that have none.
 *
 * A value is read through a mcpw_field, which owns nothing and is passed by value. Making a field follows
 * pointers. It also follows a union that stores nothing but its alternative to that alternative. So the kind
 * of a field says what is there. Nothing here fails: what is not there, or is of another kind than asked, is
 * absent.
 *
 *     const mcpw_field tool = mcpw_field_of(mcpw_find_type("2025-11-25", "Tool"), value);
 *     const mcpw_str title = mcpw_field_str(mcpw_field_get(tool, "title"));
 *
 * A library for small machines has it only as far as a program uses it; mcpw_field_text needs
 * MCPW_WITH_ENCODE.
 */
#ifndef MCPW_REFLECT_H
#define MCPW_REFLECT_H

#include <mcpw/arena.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* Marks of tables. */
enum {
    MCPW_MAX_KEY = 250,     /* bytes in the name of a member */
    MCPW_NO_OFFSET = 0xffff /* "no such place", for offsets */
};

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

/* A type, among those of its revision: it need not have a name or a handle. Programs may look at its kind;
 * its other members are for the functions below. */
typedef struct mcpw_ref {
    uint8_t kind;   /* mcpw_kind */
    uint8_t check;  /* index into checks; 0: none */
    uint16_t index; /* into the array that belongs to kind; 0 where the kind has none */
} mcpw_ref;

/* ---- Reading ---- */

/* A value and what describes it. at NULL: not there. */
typedef struct mcpw_field {
    const mcpw_revision *revision; /* whose type it is of */
    mcpw_ref ref;                  /* its type */
    const unsigned char *at;       /* where it stands */
} mcpw_field;

/* The value that a handle describes; nothing for no handle. */
MCPW_API mcpw_field mcpw_field_of(const mcpw_type *type, const void *value);
/* A member of a struct (or of a union's alternative), by its name in JSON, or the value of a map's key;
 * nothing when there is no such member or it is absent. */
MCPW_API mcpw_field mcpw_field_get(mcpw_field of, const char *name);

/* Text. */
MCPW_API mcpw_str mcpw_field_str(mcpw_field field);
/* The text that the value stands for, of an enum or a constant string. */
MCPW_API mcpw_str mcpw_field_enum_text(mcpw_field field);
/* A value that is raw JSON. */
MCPW_API mcpw_json mcpw_field_json(mcpw_field field);
/* A string or integer, such as a progress token. */
MCPW_API mcpw_id mcpw_field_id(mcpw_field field);
/* A boolean; false when absent. */
MCPW_API bool mcpw_field_bool(mcpw_field field);
/* A number of either kind; false, and *out left alone, when it is none. */
MCPW_NODISCARD MCPW_API bool mcpw_field_number(mcpw_field field, double *out);
/* How many items an array has, or entries a map. */
MCPW_API size_t mcpw_field_count(mcpw_field field);
/* An item of an array, or the value of a map's entry, by its place from 0. */
MCPW_API mcpw_field mcpw_field_item(mcpw_field field, size_t index);
/* A union's alternative, with its name in *name unless that is NULL. An unknown one is its raw text. */
MCPW_API mcpw_field mcpw_field_alternative(mcpw_field field, const char **name);

/* The JSON text of a value, in the arena; raw values are given as they are. MCPW_E_NOT_FOUND for nothing,
 * else as mcpw_encode. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_field_text(mcpw_field field, mcpw_arena *arena, mcpw_json *out);

MCPW_END_DECLS

#endif
