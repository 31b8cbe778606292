/* SPDX-License-Identifier: MIT */
#include "alternative.h"

#include <stdio.h>
#include <string.h>

typedef struct list {
    const mcpw_revision *revision;
    char *out;
    size_t len;
} list;

typedef struct items {
    const unsigned char *ptr;
    size_t count;
} items;

static void add(list *l, const char *place, size_t place_len, const char *brackets, const char *name) {
    const size_t room = ALTERNATIVES_SIZE - l->len;
    const int len = snprintf(l->out + l->len, room, "%s%.*s%s=%s", l->len == 0 ? "" : ",", (int)place_len,
                             place, brackets, name);
    if (len < 0 || (size_t)len >= room) {
        l->out[l->len] = '\0';
    } else {
        l->len += (size_t)len;
    }
}

static void add_union(list *l, mcpw_ref ref, const unsigned char *value, const char *place, size_t place_len,
                      const char *brackets) {
    const mcpw_union *u = &l->revision->unions[ref.index];
    int kind = 0;
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        return;
    }
    memcpy(&kind, value, sizeof kind);
    if (kind >= 1 && kind <= u->alternative_count) {
        const mcpw_alternative *a = &l->revision->alternatives[u->alternatives + kind - 1];
        add(l, place, place_len, brackets, l->revision->pool + a->name);
    }
}

static void add_value(list *l, mcpw_ref ref, const unsigned char *value, const char *place,
                      size_t place_len) {
    if (ref.kind == MCPW_KIND_UNION) {
        add_union(l, ref, value, place, place_len, "");
    } else if (ref.kind == MCPW_KIND_ARRAY) {
        const mcpw_array *array = &l->revision->arrays[ref.index];
        items found = {NULL, 0};
        memcpy(&found, value, sizeof found);
        for (size_t i = 0; i < found.count && array->item.kind == MCPW_KIND_UNION; i++) {
            add_union(l, array->item, found.ptr + i * array->item_size, place, place_len, "[]");
        }
    }
}

void list_alternatives(const mcpw_type *type, const void *value, char out[ALTERNATIVES_SIZE]) {
    list l = {type->revision, out, 0};
    const unsigned char *bytes = value;
    out[0] = '\0';
    add_value(&l, type->ref, bytes, "", 0);
    if (type->ref.kind == MCPW_KIND_STRUCT) {
        const mcpw_struct *s = &l.revision->structs[type->ref.index];
        for (size_t i = 0; i < s->count; i++) {
            const mcpw_row *row = &l.revision->rows[s->first + i];
            const mcpw_str name = mcpw_row_name(l.revision, l.revision->pool, row);
            add_value(&l, mcpw_row_value(l.revision, row), bytes + row->offset, name.ptr, name.len);
        }
    }
    if (l.len == 0) {
        memcpy(out, "-", sizeof "-");
    }
}
