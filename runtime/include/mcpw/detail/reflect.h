/* SPDX-License-Identifier: MIT */
/* Types without a name, and where in a struct a member lies: for sessions and the tables. No part of the API:
 * it may change in any version. */
#ifndef MCPW_DETAIL_REFLECT_H
#define MCPW_DETAIL_REFLECT_H

#include <mcpw/detail/field.h>

MCPW_BEGIN_DECLS

/* Whether two types of one revision are the same. */
static inline bool mcpw_ref_same(mcpw_ref a, mcpw_ref b) { return a.kind == b.kind && a.index == b.index; }

/* The type that a handle stands for. */
MCPW_API mcpw_ref mcpw_type_ref(const mcpw_type *type);

/* The same type without its option or pointer: of an optional integer an integer, of a pointer to a struct
 * that struct. */
MCPW_API mcpw_ref mcpw_ref_plain(mcpw_ref ref);

/* Bytes of a value of a type in C; 0: nothing is stored. */
MCPW_API size_t mcpw_ref_size(const mcpw_revision *revision, mcpw_ref ref);

/* Whether the value at `at` is present. An optional value may be absent, and so may a value that a caller
 * made. */
MCPW_API bool mcpw_ref_is_present(const mcpw_revision *revision, mcpw_ref ref, const void *at);

/* The number of alternatives of a union; 0 for a type that is not a union. */
MCPW_API unsigned mcpw_alternative_count(const mcpw_revision *revision, mcpw_ref ref);

/* An alternative by its index from 0, in the order of the schema; of kind MCPW_KIND_END past the last. */
MCPW_API mcpw_ref mcpw_alternative_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place);

/* Room for a handle that mcpw_type_make makes. */
typedef struct mcpw_type_room {
    const void *room[4]; /* the library's own */
} mcpw_type_room;

/* Makes a handle of a type that has none, for mcpw_decode and the like. It lies in the room. name and room
 * must live as long as the handle is used. The name is for messages. */
MCPW_API const mcpw_type *mcpw_type_make(mcpw_type_room *room, const mcpw_revision *revision, mcpw_ref ref,
                                         const char *name);

/* ---- Places of members ---- */

/* A member of a struct. */
typedef struct mcpw_slot {
    mcpw_ref ref;    /* its type; of kind MCPW_KIND_END: there is no such member */
    uint16_t offset; /* of its value in the struct */
    uint8_t size;    /* bytes of its value, if its kind determines that; else 0, see mcpw_ref_size */
    bool required;   /* the member is required */
} mcpw_slot;

/* Whether there is such a member. */
static inline bool mcpw_slot_exists(mcpw_slot slot) { return slot.ref.kind != MCPW_KIND_END; }

/* The member of a struct, or of the struct behind a pointer, by its name in JSON. */
MCPW_API mcpw_slot mcpw_slot_named(const mcpw_revision *revision, mcpw_ref ref, const char *name);

/* The same for the type of a handle; NULL has no members. */
MCPW_API mcpw_slot mcpw_type_slot(const mcpw_type *type, const char *name);

/* A member of a struct by its index from 0, in wire order. */
MCPW_API mcpw_slot mcpw_slot_at(const mcpw_revision *revision, mcpw_ref ref, unsigned place);

/* The offset in a struct of the members that its type does not name; MCPW_NO_OFFSET: it keeps none. */
MCPW_API uint16_t mcpw_extra_at(const mcpw_revision *revision, mcpw_ref ref);

/* These members; NULL: the type keeps none, or value is NULL. */
MCPW_API const mcpw_members *mcpw_extra_of(const mcpw_type *type, const void *value);

/* A member of the struct at value by its slot; absent if there is no such member. */
MCPW_API mcpw_field mcpw_field_at(const mcpw_type *type, const void *value, mcpw_slot slot);

/* The text of such a member; absent if it has another kind. It is cheaper than a field, for code that reads
 * one member often. */
MCPW_API mcpw_str mcpw_slot_str(const void *value, mcpw_slot slot);

/* The same for a member that is raw JSON. */
MCPW_API mcpw_json mcpw_slot_json(const void *value, mcpw_slot slot);

/* ---- Reading the value of a slot ---- */

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

/* The C form of arrays, maps and extra members: a pointer of any type, followed by a count. */
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
