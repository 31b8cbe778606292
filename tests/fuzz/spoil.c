/* SPDX-License-Identifier: MIT */
#include "spoil.h"
#include <mcpw/detail/table.h>

#include <math.h>

/* Spoiled values stay within the rules of C for a caller: no bool but 0 and 1, no count beyond
 * the items, no pointer to nothing. All else is the library's to refuse. */
typedef struct spoiler {
    const mcpw_revision *revision;
    size_t left; /* places to pass over */
    bool counting;
    size_t count;
    unsigned how;
    mcpw_str text;
} spoiler;

enum { WAYS = 8 };

static void walk(spoiler *s, mcpw_ref ref, unsigned char *at);

/* Whether the place that is come to is the one. */
static bool here(spoiler *s) {
    if (s->counting) {
        s->count++;
        return false;
    }
    return s->left-- == 0;
}

static bool done(const spoiler *s) { return !s->counting && s->left == SIZE_MAX; }

static void *load_pointer(const unsigned char *at) {
    void *p = NULL;
    memcpy(&p, at, sizeof p);
    return p;
}

static void spoil_text(const spoiler *s, unsigned char *at) {
    static const char line_break[] = "[1,\r\n2]";
    mcpw_str text = s->text;
    switch (s->how % WAYS) {
    case 0:
        text.ptr = NULL;
        break;
    case 1:
        text.len = 0;
        break;
    case 2:
        text.ptr = line_break;
        text.len = sizeof line_break - 1;
        break;
    default:
        break;
    }
    memcpy(at, &text, sizeof text); /* mcpw_str and mcpw_json are the same two members */
}

static void spoil_int(const spoiler *s, unsigned char *at, bool optional) {
    mcpw_opt_int v = {(s->how & 1U) != 0, 0};
    const int64_t odd[] = {INT64_MIN, -1, 0, 1, INT64_MAX, 101, -32768, (int64_t)1 << 53};
    v.value = odd[(s->how >> 1) % (sizeof odd / sizeof odd[0])];
    if (optional) {
        memcpy(at, &v, sizeof v);
    } else {
        memcpy(at, &v.value, sizeof v.value);
    }
}

static void spoil_number(const spoiler *s, unsigned char *at, bool optional) {
    mcpw_opt_double v = {(s->how & 1U) != 0, 0};
    const double odd[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 5e-324, 1.7976931348623157e308, -1, 0.1};
    v.value = odd[(s->how >> 1) % (sizeof odd / sizeof odd[0])];
    if (optional) {
        memcpy(at, &v, sizeof v);
    } else {
        memcpy(at, &v.value, sizeof v.value);
    }
}

static void spoil_kind(const spoiler *s, unsigned char *at) {
    const int odd[] = {0, 1, 2, 3, MCPW_UNKNOWN, -1, 1000, 7};
    const int kind = odd[s->how % (sizeof odd / sizeof odd[0])];
    memcpy(at, &kind, sizeof kind);
}

static void spoil_id(const spoiler *s, unsigned char *at) {
    mcpw_id id;
    memset(&id, 0, sizeof id);
    spoil_kind(s, (unsigned char *)&id.kind);
    if (id.kind == MCPW_ID_STRING) {
        id.as.string = s->text;
    }
    memcpy(at, &id, sizeof id);
}

static void spoil_list(const spoiler *s, unsigned char *at) {
    const void *items = load_pointer(at);
    size_t count = 0;
    memcpy(&count, at + sizeof items, sizeof count);
    if ((s->how & 1U) != 0) {
        items = NULL; /* a count without items */
    }
    if ((s->how & 2U) != 0) {
        count = 0;
    }
    memcpy(at, &items, sizeof items);
    memcpy(at + sizeof items, &count, sizeof count);
}

static void walk_items(spoiler *s, unsigned char *at, size_t size, size_t value_offset, mcpw_ref value,
                       bool keys) {
    unsigned char *const items = load_pointer(at);
    size_t count = 0;
    memcpy(&count, at + sizeof items, sizeof count);
    for (size_t i = 0; items != NULL && i < count && !done(s); i++) {
        if (keys && here(s)) {
            spoil_text(s, items + i * size);
            return;
        }
        walk(s, value, items + i * size + value_offset);
    }
}

static void walk_union(spoiler *s, const mcpw_union *u, unsigned char *at) {
    const mcpw_ref raw = {MCPW_KIND_JSON, 0, 0};
    const mcpw_alternative *const alternatives = s->revision->alternatives + u->alternatives;
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        walk(s, mcpw_alternative_value(s->revision, alternatives), at);
        return;
    }
    int kind = 0;
    memcpy(&kind, at, sizeof kind);
    if (here(s)) {
        /* Another alternative would make the library read what lies there as something else, which is the
         * caller's to get right. */
        const int odd[] = {0, -1, 1000, u->alternative_count + 1};
        kind = odd[s->how % (sizeof odd / sizeof odd[0])];
        memcpy(at, &kind, sizeof kind);
        return;
    }
    if (kind == MCPW_UNKNOWN) {
        walk(s, raw, at + u->as_offset);
    } else if (kind > 0 && kind <= u->alternative_count) {
        walk(s, mcpw_alternative_value(s->revision, alternatives + kind - 1), at + u->as_offset);
    }
}

static void walk_struct(spoiler *s, const mcpw_struct *t, unsigned char *at) {
    const mcpw_ref raw = {MCPW_KIND_JSON, 0, 0};
    for (size_t i = 0; i < t->count && !done(s); i++) {
        const mcpw_row *const row = s->revision->rows + t->first + i;
        walk(s, mcpw_row_value(s->revision, row), at + row->offset);
    }
    const unsigned extra = mcpw_extra_offset(s->revision, t);
    if (extra == MCPW_NO_OFFSET || done(s)) {
        return;
    }
    if (here(s)) {
        spoil_list(s, at + extra);
    } else {
        walk_items(s, at + extra, sizeof(mcpw_member), offsetof(mcpw_member, value), raw, true);
    }
}

/* Pointers: taken away, or followed. */
static void walk_pointer(spoiler *s, mcpw_ref ref, unsigned char *at) {
    unsigned char *const target = load_pointer(at);
    if (here(s)) {
        memset(at, 0, sizeof target);
    } else if (target != NULL && ref.kind == MCPW_KIND_STRUCT_PTR) {
        walk_struct(s, s->revision->structs + ref.index, target);
    } else if (target != NULL) {
        walk_union(s, s->revision->unions + ref.index, target);
    }
}

static void walk_list(spoiler *s, mcpw_ref ref, unsigned char *at) {
    if (here(s)) {
        spoil_list(s, at);
    } else if (ref.kind == MCPW_KIND_ARRAY) {
        const mcpw_array *const a = s->revision->arrays + ref.index;
        walk_items(s, at, a->item_size, 0, a->item, false);
    } else {
        const mcpw_map *const m = s->revision->maps + ref.index;
        walk_items(s, at, m->entry_size, m->value_offset, m->value, true);
    }
}

static void spoil_scalar(spoiler *s, mcpw_ref ref, unsigned char *at) {
    if (!here(s)) {
        return;
    }
    switch (ref.kind) {
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_OPT_INTEGER:
        spoil_int(s, at, ref.kind == MCPW_KIND_OPT_INTEGER);
        break;
    case MCPW_KIND_NUMBER:
    case MCPW_KIND_OPT_NUMBER:
        spoil_number(s, at, ref.kind == MCPW_KIND_OPT_NUMBER);
        break;
    case MCPW_KIND_ENUM:
        spoil_kind(s, at);
        break;
    case MCPW_KIND_ID:
        spoil_id(s, at);
        break;
    default:
        spoil_text(s, at);
        break;
    }
}

static void walk(spoiler *s, mcpw_ref ref, unsigned char *at) {
    switch (ref.kind) {
    case MCPW_KIND_STRUCT:
        walk_struct(s, s->revision->structs + ref.index, at);
        break;
    case MCPW_KIND_STRUCT_PTR:
    case MCPW_KIND_UNION_PTR:
        walk_pointer(s, ref, at);
        break;
    case MCPW_KIND_ARRAY:
    case MCPW_KIND_MAP:
        walk_list(s, ref, at);
        break;
    case MCPW_KIND_UNION:
        walk_union(s, s->revision->unions + ref.index, at);
        break;
    case MCPW_KIND_BOOLEAN:
    case MCPW_KIND_OPT_BOOLEAN:
    case MCPW_KIND_CONST:
    case MCPW_KIND_OPT_CONST:
    case MCPW_KIND_NULL:
    case MCPW_KIND_END:
        break;
    default:
        spoil_scalar(s, ref, at);
        break;
    }
}

bool fuzz_spoil(const mcpw_type *type, void *value, size_t place, unsigned how, mcpw_str text) {
    spoiler s = {type->revision, 0, true, 0, how, text};
    walk(&s, type->ref, value);
    if (s.count == 0) {
        return false;
    }
    s.counting = false;
    s.left = place % s.count;
    walk(&s, type->ref, value);
    return true;
}
