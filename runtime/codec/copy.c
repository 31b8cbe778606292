/* SPDX-License-Identifier: MIT */
/* Deep copies. The struct is copied as bytes first; then, in the copy, everything that a pointer leads to is
 * copied in turn and the pointer set to that. */
#include <mcpw/codec.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/table.h>

#include "../base/arena_internal.h"
#include "../base/error_text.h"
#include "../json/seal.h"
#include "value.h"

typedef struct copier {
    const mcpw_revision *revision;
    mcpw_arena *arena;
    unsigned depth; /* levels that may still be opened: values that a program builds may hold a loop */
    mcpw_status status;
} copier;

static bool copy_value(copier *c, mcpw_ref ref, unsigned char *at);

static bool fail(copier *c, mcpw_status status) {
    c->status = status;
    return false;
}

/* count elements of size bytes at from, copied to the arena; NULL and a status when that fails. */
static unsigned char *copy_bytes(copier *c, const void *from, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        (void)fail(c, MCPW_E_ARENA);
        return NULL;
    }
    unsigned char *const to = mcpw_arena_bump(c->arena, count * size);
    if (to == NULL) {
        (void)fail(c, mcpw_arena_status(c->arena));
        return NULL;
    }
    if (count * size != 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

static bool copy_str(copier *c, mcpw_str *text) {
    if (text->ptr == NULL) {
        return true;
    }
    *text = mcpw_arena_str(c->arena, text->ptr, text->len);
    return text->ptr != NULL || fail(c, mcpw_arena_status(c->arena));
}

static bool copy_json(copier *c, mcpw_json *json) {
    if (json->ptr == NULL) {
        return true;
    }
    const char *const copy = (const char *)copy_bytes(c, json->ptr, json->len, 1);
    json->seal = mcpw_seal_moved(*json, copy);
    json->ptr = copy;
    return copy != NULL;
}

static bool copy_list(copier *c, mcpw_map entry, unsigned char *at) {
    const mcpw_list l = mcpw_load_list(at);
    if (l.items == NULL) {
        return l.count == 0 || fail(c, MCPW_E_ARGUMENT);
    }
    unsigned char *item = copy_bytes(c, l.items, l.count, entry.entry_size);
    memcpy(at, &item, sizeof item);
    for (size_t i = 0; item != NULL && i < l.count; i++, item += entry.entry_size) {
        if ((mcpw_has_names(entry) && !copy_str(c, (mcpw_str *)(void *)item)) ||
            !copy_value(c, entry.value, item + entry.value_offset)) {
            return false;
        }
    }
    return item != NULL;
}

static bool copy_struct(copier *c, const mcpw_struct *s, unsigned char *base) {
    const mcpw_row *const rows = c->revision->rows + s->first;
    for (unsigned i = 0; i < s->count; i++) {
        if (!copy_value(c, mcpw_row_value(c->revision, rows + i), base + rows[i].offset)) {
            return false;
        }
    }
    const unsigned extra = mcpw_extra_offset(c->revision, s);
    return extra == MCPW_NO_OFFSET || copy_list(c, mcpw_extra_entry(), base + extra);
}

static bool copy_union(copier *c, const mcpw_union *u, unsigned char *at) {
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        return copy_value(c, mcpw_bare_value(c->revision, u), at);
    }
    const int32_t kind = mcpw_load_kind(at);
    if (kind == MCPW_UNKNOWN) {
        return copy_json(c, (mcpw_json *)(void *)(at + u->as_offset));
    }
    if (kind < 0 || kind > u->alternative_count) {
        return fail(c, MCPW_E_ARGUMENT);
    }
    return kind == 0 ||
           copy_value(
               c, mcpw_alternative_value(c->revision, c->revision->alternatives + u->alternatives + kind - 1),
               at + u->as_offset);
}

static bool copy_nested(copier *c, mcpw_ref ref, unsigned char *at);

static bool copy_pointee(copier *c, mcpw_ref ref, unsigned char *at) {
    const unsigned char *const from = mcpw_load_pointer(at);
    if (from == NULL) {
        return true;
    }
    ref = mcpw_plain_ref(ref);
    unsigned char *const to = copy_bytes(c, from, 1, mcpw_size_of(c->revision, ref));
    memcpy(at, &to, sizeof to);
    return to != NULL && copy_nested(c, ref, to);
}

static bool copy_nested(copier *c, mcpw_ref ref, unsigned char *at) {
    switch (ref.kind) {
    case MCPW_KIND_STRUCT:
        return copy_struct(c, c->revision->structs + ref.index, at);
    case MCPW_KIND_STRUCT_PTR:
    case MCPW_KIND_UNION_PTR:
        return copy_pointee(c, ref, at);
    case MCPW_KIND_ARRAY:
        return copy_list(c, mcpw_array_entry(c->revision->arrays + ref.index), at);
    case MCPW_KIND_MAP:
        return copy_list(c, c->revision->maps[ref.index], at);
    default:
        return copy_union(c, c->revision->unions + ref.index, at);
    }
}

static bool copy_value(copier *c, mcpw_ref ref, unsigned char *at) {
    switch (ref.kind) {
    case MCPW_KIND_STRING:
        return copy_str(c, (mcpw_str *)(void *)at);
    case MCPW_KIND_JSON:
    case MCPW_KIND_JSON_OBJECT:
    case MCPW_KIND_SHAPED:
        return copy_json(c, (mcpw_json *)(void *)at);
    case MCPW_KIND_ID: {
        mcpw_id *const id = (mcpw_id *)(void *)at;
        return id->kind != MCPW_ID_STRING || copy_str(c, &id->as.string);
    }
    case MCPW_KIND_STRUCT:
    case MCPW_KIND_STRUCT_PTR:
    case MCPW_KIND_UNION_PTR:
    case MCPW_KIND_ARRAY:
    case MCPW_KIND_MAP:
    case MCPW_KIND_UNION: {
        if (c->depth == 0) {
            return fail(c, MCPW_E_DEPTH);
        }
        c->depth--;
        const bool done = copy_nested(c, ref, at);
        c->depth++;
        return done;
    }
    default:
        return true;
    }
}

mcpw_status mcpw_copy(const mcpw_type *type, const void *from, mcpw_arena *arena, void *to,
                      mcpw_error *error) {
    copier c;
    if (type == NULL || from == NULL || arena == NULL || to == NULL) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, "type, value, arena or copy is NULL");
        return MCPW_E_ARGUMENT;
    }
    const mcpw_mark mark = mcpw_arena_mark(arena);
    c.revision = type->revision;
    c.arena = arena;
    c.depth = 2 * MCPW_MAX_DEPTH; /* a union and its struct are two levels here, and one of JSON */
    c.status = MCPW_OK;
    memmove(to, from, type->size);
    if (copy_value(&c, type->ref, to)) {
        return MCPW_OK;
    }
    memset(to, 0, type->size);
    mcpw_arena_rewind(arena, mark);
    return mcpw_error_status(error, c.status);
}
