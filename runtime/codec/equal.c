/* SPDX-License-Identifier: MIT */
/* Whether two structs stand for equal JSON values. */
#include <mcpw/codec.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/table.h>
#include <mcpw/json.h>

#include "../json/unordered.h"
#include "value.h"
#include "write.h"

static bool equal_value(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a, const unsigned char *b);

static bool write_text(const mcpw_revision *v, mcpw_ref ref, const unsigned char *value, mcpw_buffer *text) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_writer w;
    options.flags = MCPW_ALLOW_UNKNOWN;
    unsigned char *p = mcpw_write_open(&w, v, text, &options, NULL);
    p = p != NULL ? mcpw_write_document(&w, p, ref, value) : NULL;
    return mcpw_write_close(&w, p) == MCPW_OK;
}

/* Compares two values of different C types by their text: they may still be the same JSON. */
static bool equal_texts(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                        const unsigned char *b) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    bool equal = write_text(v, ref, a, &text);
    const size_t middle = text.len;
    if (equal && write_text(v, ref, b, &text)) {
        const mcpw_json x = {text.data, middle, 0};
        const mcpw_json y = {text.data + middle, text.len - middle, 0};
        equal = mcpw_json_equal(x, y);
    } else {
        equal = false;
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

/* ---- arrays, and objects whose members may stand in any order ---- */

typedef struct list_of {
    mcpw_entries entries;
    const mcpw_revision *revision;
    mcpw_map entry;
} list_of;

static bool equal_entry(const mcpw_entries *e, const void *a, const void *b) {
    const list_of *const of = (const list_of *)(const void *)e;
    const size_t offset = of->entry.value_offset;
    return equal_value(of->revision, of->entry.value, (const unsigned char *)a + offset,
                       (const unsigned char *)b + offset);
}

static bool all_have_names(mcpw_list a, mcpw_list b, size_t size) {
    for (size_t at = 0; at < a.count * size; at += size) {
        if (mcpw_load_pointer(a.items + at) == NULL || mcpw_load_pointer(b.items + at) == NULL) {
            return false;
        }
    }
    return true;
}

/* Side by side: named entries for as long as the names are in the same order. After that an entry without a
 * name is no value, as a count without items is none: it is equal to nothing. */
static bool equal_list(const mcpw_revision *v, mcpw_map entry, const unsigned char *a,
                       const unsigned char *b) {
    const size_t size = entry.entry_size;
    const list_of of = {{equal_entry, size}, v, entry};
    mcpw_list l = mcpw_load_list(a);
    mcpw_list k = mcpw_load_list(b);
    if (l.count != k.count || (l.count != 0 && (l.items == NULL || k.items == NULL))) {
        return false;
    }
    for (; l.count > 0; l.count--, l.items += size, k.items += size) {
        if (mcpw_has_names(entry) && !mcpw_str_equal(mcpw_load_str(l.items), mcpw_load_str(k.items))) {
            return all_have_names(l, k, size) && mcpw_equal_unordered(&of.entries, l.items, k.items, l.count);
        }
        if (!equal_entry(&of.entries, l.items, k.items)) {
            return false;
        }
    }
    return true;
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
    return extra == MCPW_NO_OFFSET || equal_list(v, mcpw_extra_entry(), a + extra, b + extra);
}

static bool equal_union(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
                        const unsigned char *b) {
    const mcpw_union *const u = v->unions + ref.index;
    if ((u->flags & MCPW_UNION_BARE) != 0) {
        return equal_value(v, mcpw_bare_value(v, u), a, b);
    }
    const int32_t kind = mcpw_load_kind(a);
    if (kind != mcpw_load_kind(b)) {
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

/* Compares plain values that are both there. */
static bool equal_plain(const mcpw_revision *v, mcpw_ref ref, const unsigned char *a,
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
    case MCPW_KIND_NUMBER:
        return *(const double *)(const void *)a == *(const double *)(const void *)b;
    case MCPW_KIND_BOOLEAN:
        return mcpw_load_bool(a) == mcpw_load_bool(b);
    case MCPW_KIND_ENUM:
    case MCPW_KIND_INT32:
        return mcpw_load_kind(a) == mcpw_load_kind(b);
    case MCPW_KIND_ID:
        return equal_id((const mcpw_id *)(const void *)a, (const mcpw_id *)(const void *)b);
    case MCPW_KIND_STRUCT:
        return equal_struct(v, v->structs + ref.index, a, b);
    case MCPW_KIND_ARRAY:
        return equal_list(v, mcpw_array_entry(v->arrays + ref.index), a, b);
    case MCPW_KIND_MAP:
        return equal_list(v, v->maps[ref.index], a, b);
    case MCPW_KIND_UNION:
        return equal_union(v, ref, a, b);
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
    return !present ||
           equal_plain(v, mcpw_plain_ref(ref), mcpw_plain_value(ref, a), mcpw_plain_value(ref, b));
}

bool mcpw_equal(const mcpw_type *type, const void *a, const void *b) {
    if (type == NULL || a == NULL || b == NULL) {
        return false;
    }
    return equal_value(type->revision, type->ref, a, b);
}
