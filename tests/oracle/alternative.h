/* SPDX-License-Identifier: MIT */
/* Which alternative of a union a decoded value is. */
#ifndef ORACLE_ALTERNATIVE_H
#define ORACLE_ALTERNATIVE_H

#include <mcpw/table.h>

#include <string.h>

/* The name of the alternative; "-" where the type is no union or does not store which one it is. */
static inline const char *alternative_of(const mcpw_type *type, const void *value) {
    if (type->ref.kind != MCPW_KIND_UNION) {
        return "-";
    }
    const mcpw_revision *r = type->revision;
    const mcpw_union *u = &r->unions[type->ref.index];
    int kind = 0;
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        return "-";
    }
    memcpy(&kind, value, sizeof kind);
    return kind < 1 || kind > u->alternative_count
               ? "?"
               : r->pool + r->alternatives[u->alternatives + kind - 1].name;
}

#endif
