/* SPDX-License-Identifier: MIT */
/*
 * Values of any type of any revision, for code that cannot name their C types. No part of the API: it may
 * change in any version.
 * It finds members by their names in JSON, and walks structs, arrays, maps and unions. It also finds the
 * place of a member in a struct, so that the member can be written, and makes handles of types that have
 * none.
 *
 * A value is read through a mcpw_field, which owns nothing and is passed by value. Making a field follows
 * pointers. A union that stores only its alternative leads to that alternative. So the kind of a field is the
 * kind of the real value. Nothing here fails: a value that is missing or has another kind is absent.
 *
 *     const mcpw_field tool = mcpw_field_of(mcpw_find_type("2025-11-25", "Tool"), value);
 *     const mcpw_str title = mcpw_field_str(mcpw_field_get(tool, "title"));
 *
 * A library for small machines contains only the functions that a program uses. mcpw_field_text needs
 * MCPW_WITH_ENCODE.
 */
#ifndef MCPW_DETAIL_FIELD_H
#define MCPW_DETAIL_FIELD_H

#include <mcpw/arena.h>
#include <mcpw/type.h>

MCPW_BEGIN_DECLS

/* Marks of tables. */
enum {
    MCPW_MAX_KEY = 250,     /* bytes in the name of a member */
    MCPW_NO_OFFSET = 0xffff /* an offset without a place */
};

/* The kind of a value, in JSON and in C. "absent" is the C value of an optional member that is missing. */
typedef enum mcpw_kind {
    MCPW_KIND_END = 0,          /* the sentinel after a struct's last row */
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
    MCPW_KIND_CONST = 12,       /* one fixed value; not stored, always written */
    MCPW_KIND_OPT_CONST = 13,   /* one fixed value; a bool, true if it is there */
    MCPW_KIND_ID = 14,          /* string or integer: mcpw_id */
    MCPW_KIND_STRUCT = 15,      /* the struct itself, required */
    MCPW_KIND_STRUCT_PTR = 16,  /* const T *; absent: NULL */
    MCPW_KIND_ARRAY = 17,       /* {const T *items; size_t count}; absent: items NULL */
    MCPW_KIND_MAP = 18,         /* {const entry *items; size_t count}; absent: items NULL */
    MCPW_KIND_UNION = 19,       /* {kind; union as}; absent: kind 0 */
    MCPW_KIND_UNION_PTR = 20,   /* const T *, where a union would contain itself; absent: NULL */
    MCPW_KIND_NULL = 21,        /* null; not stored; only as an alternative of a union */
    MCPW_KIND_INT32 = 22,       /* int32_t or, if the index is 1, uint32_t; in described structs only */
    MCPW_KIND_COUNT = 23        /* number of kinds */
} mcpw_kind;

/* A type of a revision, with or without a name and a handle. Programs may read its kind. Its other members
 * are for the functions below. */
typedef struct mcpw_ref {
    uint8_t kind;   /* mcpw_kind */
    uint8_t check;  /* index into checks; 0: none */
    uint16_t index; /* into the array of its kind; 0 if the kind has none */
} mcpw_ref;

/* ---- Reading ---- */

/* A value and its type. It is absent if at is NULL. */
typedef struct mcpw_field {
    const mcpw_revision *revision; /* the revision of its type */
    mcpw_ref ref;                  /* its type */
    const unsigned char *at;       /* its address */
} mcpw_field;

/* The value that a handle describes; absent if type is NULL. */
MCPW_API mcpw_field mcpw_field_of(const mcpw_type *type, const void *value);
/* A member of a struct (or of a union's alternative) by its name in JSON, or the value of a map's key. It is
 * absent if there is no such member, or if the member is absent. */
MCPW_API mcpw_field mcpw_field_get(mcpw_field of, const char *name);

/* Text. */
MCPW_API mcpw_str mcpw_field_str(mcpw_field field);
/* The text of an enum's value or of a constant string. */
MCPW_API mcpw_str mcpw_field_enum_text(mcpw_field field);
/* A value that is raw JSON. */
MCPW_API mcpw_json mcpw_field_json(mcpw_field field);
/* A string or integer, such as a progress token. */
MCPW_API mcpw_id mcpw_field_id(mcpw_field field);
/* A boolean; false if it is absent. */
MCPW_API bool mcpw_field_bool(mcpw_field field);
/* A number of either kind. If it is not a number, it returns false and *out is unchanged. */
MCPW_NODISCARD MCPW_API bool mcpw_field_number(mcpw_field field, double *out);
/* The number of items of an array, or of entries of a map. */
MCPW_API size_t mcpw_field_count(mcpw_field field);
/* An item of an array, or the value of a map's entry, by its index from 0. */
MCPW_API mcpw_field mcpw_field_item(mcpw_field field, size_t index);
/* A union's alternative. name, unless NULL, receives its name. An unknown alternative is its raw text. */
MCPW_API mcpw_field mcpw_field_alternative(mcpw_field field, const char **name);

/* The JSON text of a value, in the arena. Raw values are unchanged. MCPW_E_NOT_FOUND if the value is absent;
 * else errors as for mcpw_encode. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_field_text(mcpw_field field, mcpw_arena *arena, mcpw_json *out);

MCPW_END_DECLS

#endif
