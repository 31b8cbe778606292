/* SPDX-License-Identifier: MIT */
/* The properties of each kind of value, in one table: its size, whether a value is there, and its kind
 * without option or pointer. A switch over kinds does another thing for each. */
#ifndef MCPW_KINDS_H
#define MCPW_KINDS_H

#include <mcpw/detail/table.h>

#include "../base/compiler.h"

/* How a value that is absent looks at its beginning. */
typedef enum mcpw_absence {
    MCPW_ABSENT_NEVER, /* it is always there */
    MCPW_ABSENT_NULL,  /* a pointer that is NULL */
    MCPW_ABSENT_FALSE, /* a bool that is false */
    MCPW_ABSENT_ZERO,  /* an int32_t that is 0 */
    MCPW_ABSENT_LIST,  /* no items and no count; a count without items is not absent but wrong */
    MCPW_ABSENT_UNION  /* a kind that is 0; of a union that stores none, as its alternative has it */
} mcpw_absence;

typedef struct mcpw_kind_facts {
    uint8_t size;        /* of the C value; 0: nothing is stored, or the type's own entry has it */
    uint8_t absent;      /* mcpw_absence */
    uint8_t base;        /* kind of the plain value: of an optional one, or of what a pointer leads to */
    uint8_t inside;      /* where the plain value of an optional one stands in it */
    uint8_t reserved[3]; /* 0; so that the table is found by a shift */
    uint8_t is;          /* JSON types that it may be; 0: the type's own entry has them */
} mcpw_kind_facts;

extern const mcpw_kind_facts mcpw_kinds[MCPW_KIND_COUNT];

MCPW_INLINE mcpw_kind mcpw_base_kind(mcpw_ref ref) { return (mcpw_kind)mcpw_kinds[ref.kind].base; }

/* The same value without its option or pointer. */
MCPW_INLINE mcpw_ref mcpw_plain_ref(mcpw_ref ref) {
    ref.kind = mcpw_kinds[ref.kind].base;
    return ref;
}

MCPW_INLINE bool mcpw_is_pointer(mcpw_ref ref) {
    return ref.kind == MCPW_KIND_STRUCT_PTR || ref.kind == MCPW_KIND_UNION_PTR;
}

/* Kinds that say beside their plain value whether it is there. */
MCPW_INLINE bool mcpw_is_optional(mcpw_ref ref) {
    return mcpw_kinds[ref.kind].base != ref.kind && !mcpw_is_pointer(ref);
}

/* Kinds whose value in C is JSON text. */
MCPW_INLINE bool mcpw_is_raw(mcpw_ref ref) {
    return ref.kind == MCPW_KIND_JSON || ref.kind == MCPW_KIND_JSON_OBJECT || ref.kind == MCPW_KIND_SHAPED;
}

/* Arrays and maps: values with a count. */
MCPW_INLINE bool mcpw_is_list(mcpw_ref ref) {
    return ref.kind == MCPW_KIND_ARRAY || ref.kind == MCPW_KIND_MAP;
}

MCPW_INLINE bool mcpw_is_number(mcpw_ref ref) {
    const mcpw_kind base = mcpw_base_kind(ref);
    return base == MCPW_KIND_INTEGER || base == MCPW_KIND_NUMBER;
}

/* Whether the alternative of a union that stores nothing else is there. */
bool mcpw_bare_is_present(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *at);

/* Whether a value is there. */
MCPW_ONE_COPY bool mcpw_is_present(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *at) {
    const mcpw_absence absent = (mcpw_absence)mcpw_kinds[ref.kind].absent;
    const unsigned char *pointer = NULL;
    size_t count = 0;
    int32_t number = 0;
    if (absent == MCPW_ABSENT_NULL) { /* the most first */
        memcpy(&pointer, at, sizeof pointer);
        return pointer != NULL;
    }
    if (absent == MCPW_ABSENT_NEVER) {
        return true;
    }
    if (absent == MCPW_ABSENT_FALSE) {
        return *at != 0;
    }
    if (absent == MCPW_ABSENT_LIST) {
        memcpy(&pointer, at, sizeof pointer);
        memcpy(&count, at + sizeof pointer, sizeof count);
        return pointer != NULL || count != 0;
    }
    if (absent == MCPW_ABSENT_UNION && (revision->unions[ref.index].flags & MCPW_UNION_BARE) != 0) {
        return mcpw_bare_is_present(revision, ref, at);
    }
    memcpy(&number, at, sizeof number);
    return number != 0;
}

/* sizeof the C value that a reference describes. */
size_t mcpw_size_of(const mcpw_revision *revision, mcpw_ref ref);

#endif
