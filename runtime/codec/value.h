/* SPDX-License-Identifier: MIT */
/* Looking at C values through the tables: the parts of writing, copying and comparing that are the same. */
#ifndef MCPW_VALUE_H
#define MCPW_VALUE_H

#include <mcpw/detail/reflect.h>
#include <mcpw/detail/table.h>
#include <mcpw/json.h>

#include "kinds.h"

/* The elements of lists, as entries of a map; those of arrays are values without names. */
MCPW_INLINE mcpw_map mcpw_array_entry(const mcpw_array *a) {
    const mcpw_map entry = {a->item, a->item_size, 0};
    return entry;
}

MCPW_INLINE mcpw_map mcpw_extra_entry(void) {
    const mcpw_map entry = {{MCPW_KIND_JSON, 0, 0}, sizeof(mcpw_member), offsetof(mcpw_member, value)};
    return entry;
}

MCPW_INLINE bool mcpw_has_names(mcpw_map entry) { return entry.value_offset != 0; }

MCPW_INLINE mcpw_json mcpw_load_json(const unsigned char *at) { return *(const mcpw_json *)(const void *)at; }

MCPW_INLINE bool mcpw_load_bool(const unsigned char *at) { return *(const bool *)(const void *)at; }

/* An integer of 32 bits, with a sign or without. */
MCPW_INLINE int64_t mcpw_load_int32(mcpw_ref ref, const unsigned char *at) {
    return ref.index != 0 ? (int64_t) * (const uint32_t *)(const void *)at
                          : (int64_t) * (const int32_t *)(const void *)at;
}

/* The value of a union that stores no kind. */
MCPW_INLINE mcpw_ref mcpw_bare_value(const mcpw_revision *revision, const mcpw_union *u) {
    return mcpw_alternative_value(revision, revision->alternatives + u->alternatives);
}

/* The plain value that is in an optional one or behind a pointer; the value itself where it is neither. It is
 * there. */
MCPW_INLINE const unsigned char *mcpw_plain_value(mcpw_ref ref, const unsigned char *at) {
    return mcpw_is_pointer(ref) ? mcpw_load_pointer(at) : at + mcpw_kinds[ref.kind].inside;
}

/* The place of the plain value in the value at `out`, which is marked as there if it is an optional one. */
MCPW_INLINE unsigned char *mcpw_plain_place(mcpw_ref ref, unsigned char *out) {
    if (mcpw_is_optional(ref)) {
        *(bool *)(void *)out = true;
    }
    return out + mcpw_kinds[ref.kind].inside;
}

#endif
