/* SPDX-License-Identifier: MIT */
/* Whether two structs stand for equal JSON values. */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#if !defined(MCPW_NO_MALLOC)
#include <stdlib.h>
#endif

#include "value.h"
#include "write.h"

static bool equal_value(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a, const unsigned char *b);

/* Where two values of different C types may still be the same JSON: by their text. */
static bool equal_texts(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                        const unsigned char *b) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_writer w;
    options.flags = MCPW_ALLOW_UNKNOWN;
    unsigned char *p = mcpw_write_open(&w, v, &text, &options, NULL);
    p = p != NULL ? mcpw_write_document(&w, p, ref, a) : NULL;
    bool equal = mcpw_write_close(&w, p) == MCPW_OK;
    const size_t middle = text.len;
    if (equal) {
        p = mcpw_write_open(&w, v, &text, &options, NULL);
        p = p != NULL ? mcpw_write_document(&w, p, ref, b) : NULL;
        equal = mcpw_write_close(&w, p) == MCPW_OK;
    }
    if (equal) {
        const mcpw_json x = {text.data, middle};
        const mcpw_json y = {text.data + middle, text.len - middle};
        equal = mcpw_json_equal(x, y);
    }
    mcpw_buffer_free(&text);
    return equal;
}

static bool equal_id(const mcpw_id *a, const mcpw_id *b) {
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case MCPW_ID_STRING:
        return mcpw_str_equal(a->as.string, b->as.string);
    case MCPW_ID_INTEGER:
        return a->as.integer == b->as.integer;
    case MCPW_ID_ABSENT:
    case MCPW_ID_NULL:
    default:
        return true;
    }
}

/* A count without items is no value: it is equal to nothing. */
static bool equal_counts(const unsigned char *a, size_t a_count, const unsigned char *b, size_t b_count) {
    return a_count == b_count && (a_count == 0 || (a != NULL && b != NULL));
}

/* ---- objects whose members may stand in any order ---- */

/* Entries that begin with their name, count of them at items. */
typedef struct entries {
    const unsigned char *items;
    size_t count;
    size_t size;
    mcpw_ref value;
    size_t value_offset;
} entries;

static const unsigned char *entry_at(const entries *e, size_t i) { return e->items + i * e->size; }

static bool equal_values_of(const mcpw_revision *v, const entries *e, const void *a, const void *b) {
    return equal_value(v, e->value, (const unsigned char *)a + e->value_offset,
                       (const unsigned char *)b + e->value_offset);
}

/* The order of two entries by name; what is absent comes first. */
static int compare_names(const void *a, const void *b) {
    const mcpw_str x = mcpw_load_str(a);
    const mcpw_str y = mcpw_load_str(b);
    if (x.ptr == NULL || y.ptr == NULL) {
        return (x.ptr != NULL) - (y.ptr != NULL);
    }
    if (x.len != y.len) {
        return x.len < y.len ? -1 : 1;
    }
    return x.len != 0 ? memcmp(x.ptr, y.ptr, x.len) : 0;
}

/* The same, and of two with the same name, which extra members may have, by where they stand. */
static int order_of_names(const void *a, const void *b) {
    const int order = compare_names(a, b);
    return order != 0 ? order : ((const char *)a > (const char *)b) - ((const char *)a < (const char *)b);
}

#if defined(MCPW_NO_MALLOC)
/* The first entry from that place on that stands behind `before` in the order of names. */
static const void *next_entry(const entries *e, size_t from, const void *before) {
    const void *next = NULL;
    for (size_t i = from; i < e->count; i++) {
        const void *const entry = entry_at(e, i);
        if ((before == NULL || order_of_names(entry, before) > 0) &&
            (next == NULL || order_of_names(entry, next) < 0)) {
            next = entry;
        }
    }
    return next;
}

/* The entries from that place on, in whatever order: slow for many, but without memory to sort them in. */
static bool equal_unordered(const mcpw_revision *v, const entries *a, const entries *b, size_t from) {
    const void *item = NULL;
    const void *other = NULL;
    for (size_t i = from; i < a->count; i++) {
        item = next_entry(a, from, item);
        other = next_entry(b, from, other);
        if (compare_names(item, other) != 0 || !equal_values_of(v, a, item, other)) {
            return false;
        }
    }
    return true;
}
#else
static void sorted_entries(const entries *e, size_t from, const void **out) {
    for (size_t i = from; i < e->count; i++) {
        out[i - from] = entry_at(e, i);
    }
    mcpw_sort(out, e->count - from, order_of_names);
}

/* The entries from that place on, in whatever order. */
static bool equal_unordered(const mcpw_revision *v, const entries *a, const entries *b, size_t from) {
    const size_t count = a->count - from;
    const void *few[2 * MCPW_FEW_KEYS];
    const void **const items = count <= MCPW_FEW_KEYS ? few : malloc(2 * count * sizeof *items);
    const void **const others = items != NULL ? items + count : NULL;
    bool equal = items != NULL;
    if (equal) {
        sorted_entries(a, from, items);
        sorted_entries(b, from, others);
    }
    for (size_t i = 0; i < count && equal; i++) {
        equal = compare_names(items[i], others[i]) == 0 && equal_values_of(v, a, items[i], others[i]);
    }
    if (items != few) {
        free((void *)items);
    }
    return equal;
}
#endif

/* Side by side for as long as the names are in the same order. */
static bool equal_entries(const mcpw_revision *v, const entries *a, const entries *b) {
    if (!equal_counts(a->items, a->count, b->items, b->count)) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (compare_names(entry_at(a, i), entry_at(b, i)) != 0) {
            return equal_unordered(v, a, b, i);
        }
        if (!equal_values_of(v, a, entry_at(a, i), entry_at(b, i))) {
            return false;
        }
    }
    return true;
}

static bool equal_extra(const mcpw_revision *v, const mcpw_members *a, const mcpw_members *b) {
    static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};
    const size_t offset = offsetof(mcpw_member, value);
    const entries x = {(const unsigned char *)a->items, a->count, sizeof(mcpw_member), any, offset};
    const entries y = {(const unsigned char *)b->items, b->count, sizeof(mcpw_member), any, offset};
    return equal_entries(v, &x, &y);
}

static bool equal_map(const mcpw_revision *v, const mcpw_map *m, const unsigned char *a,
                      const unsigned char *b) {
    const mcpw_list l = mcpw_load_list(a);
    const mcpw_list k = mcpw_load_list(b);
    const entries x = {l.items, l.count, m->entry_size, m->value, m->value_offset};
    const entries y = {k.items, k.count, m->entry_size, m->value, m->value_offset};
    return equal_entries(v, &x, &y);
}

/* ---- the rest ---- */

static bool equal_struct(const mcpw_revision *v, const mcpw_struct *s, const unsigned char *a,
                         const unsigned char *b) {
    const mcpw_row *const rows = v->rows + s->first;
    for (unsigned i = 0; i < s->count; i++) {
        if (!equal_value(v, mcpw_row_value(v, rows + i), a + rows[i].offset, b + rows[i].offset)) {
            return false;
        }
    }
    const unsigned extra = mcpw_extra_offset(v, s);
    return extra == MCPW_NO_OFFSET || equal_extra(v, (const mcpw_members *)(const void *)(a + extra),
                                                  (const mcpw_members *)(const void *)(b + extra));
}

static bool equal_array(const mcpw_revision *v, const mcpw_array *array, const unsigned char *a,
                        const unsigned char *b) {
    const mcpw_list x = mcpw_load_list(a);
    const mcpw_list y = mcpw_load_list(b);
    if (!equal_counts(x.items, x.count, y.items, y.count)) {
        return false;
    }
    for (size_t i = 0; i < x.count; i++) {
        const size_t at = i * array->item_size;
        if (!equal_value(v, array->item, x.items + at, y.items + at)) {
            return false;
        }
    }
    return true;
}

static bool equal_union(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                        const unsigned char *b) {
    const mcpw_union *const u = v->unions + ref.index;
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        return equal_value(v, mcpw_bare_value(v, u), a, b);
    }
    const int32_t kind = mcpw_load_kind(a);
    if (kind != mcpw_load_kind(b)) {
        ref.kind = MCPW_KIND_UNION;
        return equal_texts(v, ref, a, b);
    }
    if (kind == MCPW_UNKNOWN) {
        return mcpw_json_equal(mcpw_load_json(a + u->as_offset), mcpw_load_json(b + u->as_offset));
    }
    if (kind < 1 || kind > u->alternative_count) {
        return false;
    }
    return equal_value(v, mcpw_alternative_value(v, v->alternatives + u->alternatives + kind - 1),
                       a + u->as_offset, b + u->as_offset);
}

static bool equal_present(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                          const unsigned char *b) {
    switch (ref.kind) {
    case MCPW_KIND_STRING:
        return mcpw_str_equal(mcpw_load_str(a), mcpw_load_str(b));
    case MCPW_KIND_JSON:
    case MCPW_KIND_JSON_OBJECT:
    case MCPW_KIND_SHAPED:
        return mcpw_json_equal(mcpw_load_json(a), mcpw_load_json(b));
    case MCPW_KIND_INTEGER:
        return *(const int64_t *)(const void *)a == *(const int64_t *)(const void *)b;
    case MCPW_KIND_OPT_INTEGER:
        return ((const mcpw_opt_int *)(const void *)a)->value ==
               ((const mcpw_opt_int *)(const void *)b)->value;
    case MCPW_KIND_NUMBER:
        return *(const double *)(const void *)a == *(const double *)(const void *)b;
    case MCPW_KIND_OPT_NUMBER:
        return ((const mcpw_opt_double *)(const void *)a)->value ==
               ((const mcpw_opt_double *)(const void *)b)->value;
    case MCPW_KIND_BOOLEAN:
        return mcpw_load_bool(a) == mcpw_load_bool(b);
    case MCPW_KIND_OPT_BOOLEAN:
        return ((const mcpw_opt_bool *)(const void *)a)->value ==
               ((const mcpw_opt_bool *)(const void *)b)->value;
    case MCPW_KIND_ENUM:
        return mcpw_load_kind(a) == mcpw_load_kind(b);
    case MCPW_KIND_ID:
        return equal_id((const mcpw_id *)(const void *)a, (const mcpw_id *)(const void *)b);
    case MCPW_KIND_STRUCT:
        return equal_struct(v, v->structs + ref.index, a, b);
    case MCPW_KIND_STRUCT_PTR:
        return equal_struct(v, v->structs + ref.index, mcpw_load_pointer(a), mcpw_load_pointer(b));
    case MCPW_KIND_ARRAY:
        return equal_array(v, v->arrays + ref.index, a, b);
    case MCPW_KIND_MAP:
        return equal_map(v, v->maps + ref.index, a, b);
    case MCPW_KIND_UNION:
        return equal_union(v, ref, a, b);
    case MCPW_KIND_UNION_PTR:
        return equal_union(v, ref, mcpw_load_pointer(a), mcpw_load_pointer(b));
    default: /* constants and null hold nothing that could differ */
        return true;
    }
}

static bool equal_value(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                        const unsigned char *b) {
    const bool present = mcpw_is_present(v, ref, a);
    if (present != mcpw_is_present(v, ref, b)) {
        return false;
    }
    return !present || equal_present(v, ref, a, b);
}

bool mcpw_equal(const mcpw_type *type, const void *a, const void *b) {
    if (type == NULL || a == NULL || b == NULL) {
        return false;
    }
    return equal_value(type->revision, type->ref, a, b);
}
