/* SPDX-License-Identifier: MIT */
/* Structs to text: the walk over a type's tables and a C value side by side. */
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/error.h>

#include "../base/arena_internal.h"
#include "../json/number.h"
#include "options.h"
#include "residual.h"
#include "validate.h"
#include "value.h"
#include "write.h"

static unsigned char *write_struct(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                   const unsigned char *base);
static unsigned char *write_union(mcpw_writer *w, unsigned char *p, const mcpw_union *u,
                                  const unsigned char *at);
MCPW_INLINE unsigned char *inline_struct(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                         const unsigned char *base);

/* ---- failures ---- */

MCPW_COLD static unsigned char *fail_absent(mcpw_writer *w) {
    return mcpw_write_fail(w, MCPW_E_MISSING, "value is absent");
}

MCPW_COLD static unsigned char *fail_in_row(mcpw_writer *w, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(w->revision, w->pool, row);
    mcpw_error_prepend_key(w->error, name.ptr, name.len);
    return NULL;
}

MCPW_COLD static unsigned char *fail_missing(mcpw_writer *w, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(w->revision, w->pool, row);
    const bool is_list = mcpw_is_list(mcpw_row_value(w->revision, row));
    return mcpw_write_fail_with(w, MCPW_E_MISSING, "missing required member \"%.*s\"%s", (int)name.len,
                                name.ptr,
                                is_list ? " (an empty list has the items MCPW_EMPTY, not NULL)" : "");
}

MCPW_COLD static unsigned char *fail_depth(mcpw_writer *w) { return mcpw_write_stop(w, MCPW_E_DEPTH); }

MCPW_COLD static bool fail_check(mcpw_writer *w, mcpw_status status, unsigned check) {
    char text[MCPW_ERROR_MESSAGE_SIZE];
    (void)mcpw_write_fail(w, status, mcpw_check_words(text, w->revision, check, status));
    return false;
}

/* Whether a value is within the bounds of a check. Formats are looked at when all is written. */
static bool in_bounds(mcpw_writer *w, mcpw_checked value, unsigned check) {
    if (!mcpw_has_bounds(w->revision, check)) {
        return true;
    }
    const mcpw_status status = mcpw_check_value(w->revision, check, 0, &value);
    return status == MCPW_OK || fail_check(w, status, check);
}

/* ---- scalars ---- */

MCPW_NOINLINE static unsigned char *write_bounded_string(mcpw_writer *w, unsigned char *p, mcpw_str text,
                                                         unsigned check) {
    p = mcpw_put_string(w, p, text); /* first, so that only UTF-8 is counted */
    return p != NULL && in_bounds(w, mcpw_checked_string(text), check) ? p : NULL;
}

MCPW_NOINLINE static unsigned char *write_int(mcpw_writer *w, unsigned char *p, int64_t value,
                                              unsigned check) {
    if (check != 0 && !in_bounds(w, mcpw_checked_integer(value), check)) {
        return NULL;
    }
    return mcpw_put_int(p, value);
}

MCPW_NOINLINE static unsigned char *write_double(mcpw_writer *w, unsigned char *p, double value,
                                                 unsigned check) {
    if (!(value - value == 0)) { /* an infinity or no number */
        return mcpw_write_fail(w, MCPW_E_VALUE, "number is not finite");
    }
    unsigned char *const end = p + mcpw_format_double((char *)p, value);
    *end = 0;
    return check == 0 || in_bounds(w, mcpw_checked_number(value, p, end), check) ? end : NULL;
}

MCPW_COLD static unsigned char *odd_enum(mcpw_writer *w, unsigned char *p, const mcpw_enum *e,
                                         int32_t value) {
    if (value == MCPW_UNKNOWN && (w->flags & MCPW_ALLOW_UNKNOWN) != 0) {
        w->saw_unknown = true;
        return p;
    }
    return mcpw_write_fail_with(w, MCPW_E_VALUE, "%ld is no value of %s, which has %u", (long)value,
                                MCPW_NAME_OF(w->pool, e), (unsigned)e->count);
}

MCPW_INLINE_OR_CALL unsigned char *write_enum(mcpw_writer *w, unsigned char *p, unsigned index,
                                              const unsigned char *at) {
    const mcpw_enum *const e = w->revision->enums + index;
    const int32_t value = mcpw_load_kind(at);
    if (MCPW_UNLIKELY(value < 1 || value > e->count)) {
        return odd_enum(w, p, e, value);
    }
    const mcpw_str text = mcpw_enum_value_text(w->pool, w->revision->enum_values + e->first + (value - 1));
    return mcpw_put_word(w, p, text.ptr - 1, text.len + MCPW_VALUE_QUOTES);
}

MCPW_INLINE_OR_CALL unsigned char *write_const(mcpw_writer *w, unsigned char *p, unsigned index) {
    const mcpw_json text = mcpw_const_text(w->pool, w->revision->consts + index);
    return mcpw_put_word(w, p, text.ptr, text.len);
}

MCPW_NOINLINE static unsigned char *write_id(mcpw_writer *w, unsigned char *p, const mcpw_id *id) {
    switch (id->kind) {
    case MCPW_ID_STRING:
        return id->as.string.ptr != NULL ? mcpw_put_string(w, p, id->as.string) : fail_absent(w);
    case MCPW_ID_INTEGER:
        return mcpw_put_int(p, id->as.integer);
    case MCPW_ID_ABSENT:
    case MCPW_ID_NULL:
    default:
        return mcpw_write_fail(w, MCPW_E_TYPE, "expected string or integer");
    }
}

/* ---- arrays and maps ---- */

/* Opens an array or map; false when it may not be written. */
static bool begin_list(mcpw_writer *w, mcpw_list l, unsigned check) {
    if (MCPW_UNLIKELY(l.items == NULL)) {
        (void)(l.count == 0 ? fail_absent(w)
                            : mcpw_write_fail(w, MCPW_E_ARGUMENT, "items are NULL but the count is not 0"));
        return false;
    }
    if (MCPW_UNLIKELY(w->depth == 0)) {
        (void)fail_depth(w);
        return false;
    }
    if (MCPW_UNLIKELY(check != 0) && !in_bounds(w, mcpw_checked_count(l.count), check)) {
        return false;
    }
    w->depth--;
    return true;
}

/* A name and its colon. `unnamed` says what is wrong where there is none. */
static unsigned char *put_name(mcpw_writer *w, unsigned char *p, mcpw_str name, const char *unnamed) {
    p = mcpw_room(w, p, 0);
    if (p == NULL) {
        return NULL;
    }
    if (MCPW_UNLIKELY(name.ptr == NULL)) {
        return mcpw_write_fail(w, MCPW_E_ARGUMENT, unnamed);
    }
    p = mcpw_put_string(w, p, name);
    if (MCPW_UNLIKELY(p == NULL)) {
        mcpw_error_prepend_key(w->error, name.ptr, name.len);
        return NULL;
    }
    *p = ':';
    return p + 1;
}

/* Ends a member or entry, whose value was written unless p is NULL, with a comma. */
static unsigned char *end_named(mcpw_writer *w, unsigned char *p, mcpw_str name) {
    if (MCPW_UNLIKELY(p == NULL)) {
        mcpw_error_prepend_key(w->error, name.ptr, name.len);
        return NULL;
    }
    *p = ',';
    return p + 1;
}

/* The key of an entry, its colon, its value and a comma. */
static unsigned char *write_entry(mcpw_writer *w, unsigned char *p, const mcpw_map *m,
                                  const unsigned char *entry) {
    const mcpw_str key = mcpw_load_str(entry);
    p = put_name(w, p, key, "the entry has no name");
    return p != NULL ? end_named(w, mcpw_write_value(w, p, m->value, entry + m->value_offset), key) : NULL;
}

/* The structs of an array's items, which are mostly of one kind: what is known of the last one is used at
 * once, and a guess of the processor that this is the next one's, too, does not wait for it. */
typedef struct last_item {
    int32_t kind; /* of its union; 0: none */
    const mcpw_struct *type;
} last_item;

MCPW_INLINE unsigned char *write_union_item(mcpw_writer *w, unsigned char *p, const mcpw_union *u,
                                            const unsigned char *item, last_item *last) {
    if (MCPW_UNLIKELY((u->flags & MCPW_UNION_BARE) != 0)) {
        return write_union(w, p, u, item);
    }
    const int32_t kind = mcpw_load_kind(item);
    if (MCPW_UNLIKELY(kind != last->kind || kind == 0)) {
        mcpw_ref ref = {MCPW_KIND_END, 0, 0};
        if (kind > 0 && kind <= u->alternative_count) {
            ref =
                mcpw_alternative_value(w->revision, w->revision->alternatives + u->alternatives + (kind - 1));
        }
        if (ref.kind != MCPW_KIND_STRUCT) {
            return write_union(w, p, u, item);
        }
        *last = (last_item){kind, w->revision->structs + ref.index};
    }
    return inline_struct(w, p, last->type, item + u->as_offset);
}

/* An item of an array and a comma. */
MCPW_INLINE unsigned char *write_item(mcpw_writer *w, unsigned char *p, const mcpw_array *a,
                                      const unsigned char *item, size_t index, last_item *last) {
    p = mcpw_room(w, p, 0);
    if (MCPW_UNLIKELY(p == NULL)) {
        /* there is no room */
    } else if (!MCPW_COMPACT && a->item.kind == MCPW_KIND_UNION) { /* the usual kinds first */
        p = write_union_item(w, p, w->revision->unions + a->item.index, item, last);
    } else if (!MCPW_COMPACT && a->item.kind == MCPW_KIND_STRUCT) {
        p = write_struct(w, p, w->revision->structs + a->item.index, item);
    } else {
        p = mcpw_write_value(w, p, a->item, item);
    }
    if (MCPW_UNLIKELY(p == NULL)) {
        mcpw_error_prepend_index(w->error, index);
        return NULL;
    }
    *p = ',';
    return p + 1;
}

/* Arrays and maps are written alike; where speed counts this is compiled for each of them. */
MCPW_INLINE unsigned char *write_list(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                      const unsigned char *at) {
    const bool is_map = ref.kind == MCPW_KIND_MAP;
    const mcpw_array *const a = is_map ? NULL : w->revision->arrays + ref.index;
    const mcpw_map *const m = is_map ? w->revision->maps + ref.index : NULL;
    const size_t size = is_map ? m->entry_size : a->item_size;
    const mcpw_list l = mcpw_load_list(at);
    const unsigned char *item = l.items;
    last_item last = {0, NULL};
    if (MCPW_UNLIKELY(!begin_list(w, l, ref.check))) {
        return NULL;
    }
    *p++ = is_map ? '{' : '[';
    for (size_t i = 0; i < l.count; i++, item += size) {
        p = is_map ? write_entry(w, p, m, item) : write_item(w, p, a, item, i, &last);
        if (MCPW_UNLIKELY(p == NULL)) {
            return NULL;
        }
    }
    if (is_map && !mcpw_write_unique(w, l.items, l.count, size)) {
        return NULL;
    }
    w->depth++;
    return mcpw_put_end(p, is_map ? '}' : ']');
}

MCPW_NOINLINE static unsigned char *write_array(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                                const unsigned char *at) {
    ref.kind = MCPW_KIND_ARRAY; /* which lets the compiler know */
    return write_list(w, p, ref, at);
}

MCPW_NOINLINE static unsigned char *write_map(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                              const unsigned char *at) {
    ref.kind = MCPW_KIND_MAP;
    return write_list(w, p, ref, at);
}

/* ---- unions ---- */

/* A value that decoding has kept as text because no alternative fits. */
MCPW_COLD static unsigned char *fail_unknown(mcpw_writer *w, const mcpw_union *u, mcpw_json value) {
    char excerpt[MCPW_EXCERPT_SIZE];
    mcpw_str key = {"\"\"", 0};
    if ((u->flags & MCPW_UNION_ONE_KEY) != 0) {
        key = mcpw_test_key(w->pool, w->revision->tests + u->tests);
        key.ptr--; /* its quotes stand around it */
        key.len += MCPW_VALUE_QUOTES;
    }
    (void)mcpw_excerpt(excerpt, value.ptr != NULL ? value.ptr : "", value.len);
    return mcpw_write_fail_with(
        w, MCPW_E_UNION, "no known %.*s%sfor a %s, which only MCPW_ALLOW_UNKNOWN writes: %s", (int)key.len,
        key.ptr, key.len != 0 ? " " : "", MCPW_NAME_OF(w->pool, u), excerpt);
}

MCPW_COLD static unsigned char *odd_union(mcpw_writer *w, unsigned char *p, const mcpw_union *u, int32_t kind,
                                          const unsigned char *at) {
    static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};
    if (kind == 0) {
        return fail_absent(w);
    }
    if (kind == MCPW_UNKNOWN && (w->flags & MCPW_ALLOW_UNKNOWN) != 0) {
        return mcpw_write_raw(w, p, any, mcpw_load_json(at + u->as_offset));
    }
    if (kind == MCPW_UNKNOWN) {
        return fail_unknown(w, u, mcpw_load_json(at + u->as_offset));
    }
    return mcpw_write_fail_with(w, MCPW_E_UNION, "%ld is no kind of %s, which has %u", (long)kind,
                                MCPW_NAME_OF(w->pool, u), (unsigned)u->alternative_count);
}

/* A value of which its schema demands more than the tables say: what was written is looked at. */
MCPW_COLD static unsigned char *write_demanded(mcpw_writer *w, unsigned char *p, const mcpw_union *u,
                                               const unsigned char *at) {
    const mcpw_residual *const residual = mcpw_residual_of(w->revision, u);
    const size_t start = (size_t)(p - (unsigned char *)w->out->data);
    mcpw_error record;
    p = mcpw_write_value(w, p, mcpw_bare_value(w->revision, u), at);
    if (p == NULL || w->saw_unknown) { /* which is written elsewhere, and looked at there */
        return p;
    }
    const char *const text = w->out->data + start;
    const size_t len = (size_t)((char *)p - text);
    w->status = mcpw_meets_residual(residual, text, len, w->out->allocator, &record);
    if (w->status == MCPW_OK) {
        return p;
    }
    if (w->error != NULL) {
        *w->error = record;
        w->error->offset = 0;
    }
    return NULL;
}

static unsigned char *write_union(mcpw_writer *w, unsigned char *p, const mcpw_union *u,
                                  const unsigned char *at) {
    const mcpw_alternative *a = w->revision->alternatives + u->alternatives;
    if (MCPW_LIKELY((u->flags & MCPW_UNION_BARE) == 0)) {
        const int32_t kind = mcpw_load_kind(at);
        if (MCPW_UNLIKELY(kind < 1 || kind > u->alternative_count)) {
            return odd_union(w, p, u, kind, at);
        }
        a += kind - 1;
        at += u->as_offset;
    } else if (MCPW_UNLIKELY(mcpw_is_demanded(u))) {
        return write_demanded(w, p, u, at);
    }
    const mcpw_ref ref = mcpw_alternative_value(w->revision, a);
    if (MCPW_LIKELY(ref.kind == MCPW_KIND_STRUCT)) {
        return write_struct(w, p, w->revision->structs + ref.index, at);
    }
    return mcpw_write_value(w, p, ref, at);
}

/* ---- structs ---- */

unsigned char *mcpw_write_member(mcpw_writer *w, unsigned char *p, const mcpw_member *member, mcpw_ref ref) {
    p = put_name(w, p, member->name, "an extra member has no name");
    return p != NULL ? end_named(w, mcpw_write_raw(w, p, ref, member->value), member->name) : NULL;
}

MCPW_COLD static bool refuse_extra(mcpw_writer *w, mcpw_status status, mcpw_str name, const char *why) {
    (void)mcpw_write_fail(w, status, why);
    mcpw_error_prepend_key(w->error, name.ptr, name.ptr != NULL ? name.len : 0);
    return false;
}

/* Finds the type of an extra member's value; false when the member may not be written. Takes the row that
 * the member stands in for out of *unknown. */
static bool extra_ref(mcpw_writer *w, const mcpw_struct *s, mcpw_str name, mcpw_row_set *unknown,
                      mcpw_ref *ref) {
    const mcpw_row *const row = name.ptr != NULL ? mcpw_find_row(w->revision, s, name.ptr, name.len) : NULL;
    *ref = mcpw_extra_value(w->revision, s);
    if (row != NULL) {
        const mcpw_row_set bit = (mcpw_row_set)1 << mcpw_row_bit(w->revision, s, row);
        if ((*unknown & bit) == 0) {
            return refuse_extra(w, MCPW_E_DUPLICATE, name,
                                "the type names this member, so extra may not hold it");
        }
        *unknown &= ~bit;
        *ref = mcpw_row_value(w->revision, row);
        return true;
    }
    return ref->kind != MCPW_KIND_END ||
           refuse_extra(w, MCPW_E_UNEXPECTED, name, "member is not allowed here");
}

/* The members that a struct does not name. unknown has a bit for each row that these members stand in for,
 * because it holds a value without a name in C. */
MCPW_NOINLINE static unsigned char *write_extra(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                                const unsigned char *base, mcpw_row_set unknown) {
    static const mcpw_members none = {NULL, 0};
    const unsigned offset = mcpw_extra_offset(w->revision, s);
    const mcpw_members *const extra =
        offset != MCPW_NO_OFFSET ? (const mcpw_members *)(const void *)(base + offset) : &none;
    if (extra->items == NULL && extra->count != 0) {
        return mcpw_write_fail(w, MCPW_E_ARGUMENT, "extra is NULL but its count is not 0");
    }
    for (size_t i = 0; i < extra->count; i++) {
        mcpw_ref ref;
        if (!extra_ref(w, s, extra->items[i].name, &unknown, &ref)) {
            return NULL;
        }
        p = mcpw_write_member(w, p, extra->items + i, ref);
        if (p == NULL) {
            return NULL;
        }
    }
    if (unknown != 0) {
        const mcpw_row *const row = w->revision->rows + s->first + mcpw_lowest_bit(unknown);
        (void)mcpw_write_fail(w, MCPW_E_VALUE, "an unknown value needs its text among the extra members");
        return fail_in_row(w, row);
    }
    /* Decoding keeps unknown members that occur twice, so they can be written again, unless strict. */
    return (w->flags & MCPW_STRICT) == 0 ||
                   mcpw_write_unique(w, extra->items, extra->count, sizeof *extra->items)
               ? p
               : NULL;
}

MCPW_INLINE unsigned char *inline_present(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                          const unsigned char *at);

/* The key of a member and its colon. */
MCPW_INLINE unsigned char *put_key(const mcpw_writer *w, unsigned char *p, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(w->revision, w->pool, row);
    return mcpw_put_pool(p, name.ptr - 1, name.len + MCPW_KEY_QUOTES);
}

/* A member that is required but absent: an empty list, where NULL is one. */
MCPW_COLD static unsigned char *write_missing(mcpw_writer *w, unsigned char *p, const mcpw_row *row) {
    const mcpw_ref ref = mcpw_row_value(w->revision, row);
    if (ref.kind != MCPW_KIND_ARRAY || w->revision->arrays[ref.index].may_be_null == 0) {
        return fail_missing(w, row);
    }
    p = mcpw_room(w, p, 0);
    if (p != NULL) {
        p = put_key(w, p, row);
        memcpy(p, "[],", 3);
        p += 3;
    }
    return p;
}

/* A member and a comma; nothing when it is absent. *unknown receives the member's bit, and nothing is
 * written, when it holds a value without a name in C. */
MCPW_NOINLINE static unsigned char *write_row(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                              const mcpw_row *row, const unsigned char *at,
                                              mcpw_row_set *unknown) {
    const mcpw_ref ref = mcpw_row_value(w->revision, row);
    if (!mcpw_is_present(w->revision, ref, at)) {
        return mcpw_row_required(s, row) ? write_missing(w, p, row) : p;
    }
    p = mcpw_room(w, p, 0);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    const size_t start = (size_t)(p - (unsigned char *)w->out->data);
    p = inline_present(w, put_key(w, p, row), ref, at);
    if (MCPW_UNLIKELY(p == NULL)) {
        return fail_in_row(w, row);
    }
    if (MCPW_UNLIKELY(w->saw_unknown)) {
        w->saw_unknown = false;
        *unknown |= (mcpw_row_set)1 << mcpw_row_bit(w->revision, s, row);
        return (unsigned char *)w->out->data + start;
    }
    *p = ',';
    return p + 1;
}

#if defined(MCPW_SMALL)
#include "encode_rows_small.h"
#else
#include "encode_rows_fast.h"
#endif

MCPW_INLINE unsigned char *inline_struct(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                         const unsigned char *base) {
    mcpw_row_set unknown = 0;
    if (MCPW_UNLIKELY(w->depth == 0)) {
        return fail_depth(w);
    }
    w->depth--;
    *p = '{';
    p = write_rows(w, p + 1, s, base, &unknown);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    const unsigned extra = mcpw_extra_offset(w->revision, s);
    const bool has_extra =
        extra != MCPW_NO_OFFSET && ((const mcpw_members *)(const void *)(base + extra))->count != 0;
    if (MCPW_UNLIKELY(has_extra || unknown != 0)) {
        p = write_extra(w, p, s, base, unknown);
        if (p == NULL) {
            return NULL;
        }
    }
    w->depth++;
    return mcpw_put_end(p, '}');
}

static unsigned char *write_struct(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                   const unsigned char *base) {
    return inline_struct(w, p, s, base);
}

/* ---- any kind ---- */

/* A value that is there. */
MCPW_INLINE unsigned char *inline_present(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                          const unsigned char *at) {
    switch (ref.kind) {
    case MCPW_KIND_STRING: {
        const mcpw_str text = mcpw_load_str(at);
        return MCPW_LIKELY(ref.check == 0) ? mcpw_put_string(w, p, text)
                                           : write_bounded_string(w, p, text, ref.check);
    }
    case MCPW_KIND_JSON:
    case MCPW_KIND_JSON_OBJECT:
    case MCPW_KIND_SHAPED:
        return mcpw_write_raw(w, p, ref, mcpw_load_json(at));
    case MCPW_KIND_INTEGER:
        return write_int(w, p, *(const int64_t *)(const void *)at, ref.check);
    case MCPW_KIND_OPT_INTEGER:
        return write_int(w, p, ((const mcpw_opt_int *)(const void *)at)->value, ref.check);
    case MCPW_KIND_NUMBER:
        return write_double(w, p, *(const double *)(const void *)at, ref.check);
    case MCPW_KIND_OPT_NUMBER:
        return write_double(w, p, ((const mcpw_opt_double *)(const void *)at)->value, ref.check);
    case MCPW_KIND_BOOLEAN:
        return mcpw_put_bool(p, mcpw_load_bool(at));
    case MCPW_KIND_OPT_BOOLEAN:
        return mcpw_put_bool(p, ((const mcpw_opt_bool *)(const void *)at)->value);
    case MCPW_KIND_ENUM:
        return write_enum(w, p, ref.index, at);
    case MCPW_KIND_CONST:
    case MCPW_KIND_OPT_CONST:
        return write_const(w, p, ref.index);
    case MCPW_KIND_ID:
        return write_id(w, p, (const mcpw_id *)(const void *)at);
    case MCPW_KIND_STRUCT:
        return write_struct(w, p, w->revision->structs + ref.index, at);
    case MCPW_KIND_STRUCT_PTR:
        return write_struct(w, p, w->revision->structs + ref.index, mcpw_load_pointer(at));
    case MCPW_KIND_ARRAY:
        return write_array(w, p, ref, at);
    case MCPW_KIND_MAP:
        return write_map(w, p, ref, at);
    case MCPW_KIND_UNION:
        return write_union(w, p, w->revision->unions + ref.index, at);
    case MCPW_KIND_UNION_PTR:
        return write_union(w, p, w->revision->unions + ref.index, mcpw_load_pointer(at));
    case MCPW_KIND_NULL:
        memcpy(p, "null", 4);
        return p + 4;
    case MCPW_KIND_INT32:
        return write_int(w, p, mcpw_load_int32(ref, at), ref.check);
    default:
        return mcpw_write_fail(w, MCPW_E_ARGUMENT, "the type tables are damaged");
    }
}

MCPW_NOINLINE unsigned char *mcpw_write_value(mcpw_writer *w, unsigned char *p, mcpw_ref ref,
                                              const unsigned char *at) {
    return MCPW_LIKELY(mcpw_is_present(w->revision, ref, at)) ? inline_present(w, p, ref, at)
                                                              : fail_absent(w);
}

/* ---- entry points ---- */

/* The validator knows the rules of the specification's prose: it reads the written text, from `start` bytes
 * into the buffer up to p. */
static unsigned char *check_strictly(mcpw_writer *w, unsigned char *p, size_t start, mcpw_ref ref) {
    bool line_breaks = false;
    p = mcpw_room(w, p, 0);
    if (p == NULL) {
        return NULL;
    }
    char *const text = w->out->data + start;
    const size_t len = (size_t)((char *)p - text);
    w->status = mcpw_check_text(w->revision, ref, text, len, w->depth, w->out->allocator, w->options,
                                w->error, &line_breaks);
    if (w->status != MCPW_OK && w->error != NULL) {
        w->error->offset = 0;
    }
    return w->status == MCPW_OK ? p : NULL;
}

unsigned char *mcpw_write_document(mcpw_writer *w, unsigned char *p, mcpw_ref ref, const void *value) {
    const size_t start = (size_t)(p - (unsigned char *)w->out->data);
    p = !MCPW_COMPACT && ref.kind == MCPW_KIND_STRUCT
            ? write_struct(w, p, w->revision->structs + ref.index, value)
            : mcpw_write_value(w, p, ref, value);
    if (p != NULL && w->saw_unknown) { /* an enum, or an array of them, as a whole text */
        return mcpw_write_fail(w, MCPW_E_VALUE, "an unknown value has no text here");
    }
    if (MCPW_UNLIKELY((w->flags & MCPW_STRICT) != 0) && p != NULL) {
        return check_strictly(w, p, start, ref);
    }
    return p;
}

mcpw_status mcpw_encode(const mcpw_type *type, const void *value, mcpw_buffer *out,
                        const mcpw_options *options, mcpw_error *error) {
    mcpw_writer w;
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    if (type == NULL || value == NULL || out == NULL) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, "type, value or buffer is NULL");
        return MCPW_E_ARGUMENT;
    }
    unsigned char *p = mcpw_write_open(&w, type->revision, out, options, error);
    if (MCPW_LIKELY(p != NULL)) {
        p = mcpw_write_document(&w, p, type->ref, value);
    }
    return mcpw_write_close(&w, p);
}

mcpw_status mcpw_validate_value(const mcpw_type *type, const void *value, mcpw_arena *scratch,
                                const mcpw_options *options, mcpw_error *error) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    if (scratch == NULL) {
        mcpw_error_text(error, MCPW_E_ARGUMENT, 0, "scratch is NULL");
        return MCPW_E_ARGUMENT;
    }
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    out.allocator.resize = mcpw_resize_in_arena;
    out.allocator.user = scratch;
    mcpw_status status = mcpw_encode(type, value, &out, options, error);
    if (status == MCPW_E_MEMORY && mcpw_arena_status(scratch) == MCPW_E_ARENA) {
        status = MCPW_E_ARENA;
        (void)mcpw_error_status(error, status);
    }
    mcpw_arena_rewind(scratch, mark);
    return status;
}
