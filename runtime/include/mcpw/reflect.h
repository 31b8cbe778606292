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

/* Whether two types of one revision are the same. */
static inline bool mcpw_ref_same(mcpw_ref a, mcpw_ref b) { return a.kind == b.kind && a.index == b.index; }

/* What a handle stands for. */
MCPW_API mcpw_ref mcpw_type_ref(const mcpw_type *type);

/* The same type without its option or pointer: of an optional integer an integer, of a pointer to a struct
 * that struct. */
MCPW_API mcpw_ref mcpw_ref_plain(mcpw_ref ref);

/* Bytes of a value of a type in C; 0: nothing is stored. */
MCPW_API size_t mcpw_ref_size(const mcpw_revision *revision, mcpw_ref ref);

/* Whether the value at `at` is there: it can be absent where it is optional, or where a caller made it. */
MCPW_API bool mcpw_ref_is_present(const mcpw_revision *revision, mcpw_ref ref, const void *at);

/* How many types a value of a union may have; 0 for what is no union. */
MCPW_API unsigned mcpw_alternative_count(const mcpw_revision *revision, mcpw_ref ref);

/* One of them by its place from 0, in the order of the schema; of kind MCPW_KIND_END past the last. */
MCPW_API mcpw_ref mcpw_alternative_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place);

/* Room for a handle that mcpw_type_make makes. */
typedef struct mcpw_type_room {
    const void *room[4]; /* the library's own */
} mcpw_type_room;

/* A handle of a type that has none, for mcpw_decode and its like. It lies in the room, and both name and room
 * must live as long as it is used. The name is for messages. */
MCPW_API const mcpw_type *mcpw_type_make(mcpw_type_room *room, const mcpw_revision *revision, mcpw_ref ref,
                                         const char *name);

/* ---- Where members lie ---- */

/* A member of a struct. */
typedef struct mcpw_slot {
    mcpw_ref ref;    /* its type; of kind MCPW_KIND_END: there is no such member */
    uint16_t offset; /* of its value in the struct */
    uint8_t size;    /* bytes of its value, where that follows from its kind; else 0: see mcpw_ref_size */
    bool required;   /* it must be there */
} mcpw_slot;

/* Whether there is such a member. */
static inline bool mcpw_slot_exists(mcpw_slot slot) { return slot.ref.kind != MCPW_KIND_END; }

/* The member of a struct, or of the struct behind a pointer, by its name in JSON. */
MCPW_API mcpw_slot mcpw_slot_named(const mcpw_revision *revision, mcpw_ref ref, const char *name);

/* The same of what a handle stands for; NULL has no members. */
MCPW_API mcpw_slot mcpw_type_slot(const mcpw_type *type, const char *name);

/* The members of a struct by their places from 0, in wire order. */
MCPW_API mcpw_slot mcpw_slot_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place);

/* Where a struct keeps the members that its type does not name; MCPW_NO_OFFSET: it keeps none. */
MCPW_API uint16_t mcpw_extra_at(const mcpw_revision *revision, mcpw_ref ref);

/* These members; NULL: the type keeps none, or value is NULL. */
MCPW_API const mcpw_members *mcpw_extra_of(const mcpw_type *type, const void *value);

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
/* A member of the struct at value, whose slot is known; nothing where there is no such member. */
MCPW_API mcpw_field mcpw_field_at(const mcpw_type *type, const void *value, mcpw_slot slot);

/* The text that such a member holds itself; absent where it is of another kind. Cheaper than by way of a
 * field, for who reads one member often. */
MCPW_API mcpw_str mcpw_slot_str(const void *value, mcpw_slot slot);
/* The same of a member that is raw JSON. */
MCPW_API mcpw_json mcpw_slot_json(const void *value, mcpw_slot slot);

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

/* ---- Reading what a slot leads to ---- */

/* A pointer, such as that of MCPW_KIND_STRUCT_PTR. */
static inline const unsigned char *mcpw_load_pointer(const unsigned char *at) {
    const unsigned char *p;
    memcpy(&p, at, sizeof p);
    return p;
}

/* An enum's value, or a union's kind. */
static inline int32_t mcpw_load_kind(const unsigned char *at) {
    int32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* Text. */
static inline mcpw_str mcpw_load_str(const unsigned char *at) {
    mcpw_str v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* What arrays, maps and extra members are in C: a pointer, whatever its type, and a count behind it. */
typedef struct mcpw_list {
    const unsigned char *items; /* NULL: absent */
    size_t count;               /* how many */
} mcpw_list;

/* An array or a map. */
static inline mcpw_list mcpw_load_list(const unsigned char *at) {
    mcpw_list l;
    memcpy(&l.items, at, sizeof l.items);
    memcpy(&l.count, at + sizeof l.items, sizeof l.count);
    return l;
}

MCPW_END_DECLS

#endif
