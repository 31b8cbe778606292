/* SPDX-License-Identifier: MIT */
/* mcpw_project: a struct of one revision as a struct of another, row by row. */
#include <mcpw/detail/plan.h>
#include <mcpw/detail/reflect.h>

#include "../base/print.h"
#include "project_internal.h"

static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};

/* ---- failures, drops, memory ---- */

void mcpw_project_place(const mcpw_projector *p, mcpw_error *error) {
    for (const mcpw_frame *f = p->frame; f != NULL; f = f->up) {
        if (f->key != NULL) {
            mcpw_error_prepend_key(error, f->key, f->key_len);
        } else {
            mcpw_error_prepend_index(error, f->index);
        }
    }
}

#if defined(MCPW_NO_ERROR_TEXT)
bool mcpw_project_stop(mcpw_projector *p, mcpw_status status) {
    p->status = status;
    p->misfit = false;
    mcpw_error_place(p->error, status, 0);
    if (p->error != NULL) {
        mcpw_project_place(p, p->error);
    }
    return false;
}
#else
bool mcpw_project_fail(mcpw_projector *p, mcpw_status status, const char *fmt, ...) {
    p->status = status;
    p->misfit = false;
    if (p->error != NULL) {
        char message[MCPW_ERROR_MESSAGE_SIZE];
        va_list args;
        va_start(args, fmt);
        (void)mcpw_vprint(message, sizeof message, fmt, args);
        va_end(args);
        mcpw_error_text(p->error, status, 0, message);
        mcpw_project_place(p, p->error);
    }
    return false;
}
#endif

MCPW_COLD bool mcpw_project_fail_status(mcpw_projector *p, mcpw_status status) {
    return mcpw_project_fail(p, status, "%s", mcpw_status_text(status));
}

MCPW_COLD static bool fail_check(mcpw_projector *p, mcpw_status status, unsigned check) {
    char text[MCPW_ERROR_MESSAGE_SIZE];
    return mcpw_project_fail(p, status, "%s", mcpw_check_words(text, p->to.revision, check, status));
}

bool mcpw_project_holds(mcpw_projector *p, mcpw_checked value, unsigned check) {
    if (!mcpw_has_bounds(p->to.revision, check)) {
        return true;
    }
    const mcpw_status status = mcpw_check_value(p->to.revision, check, 0, &value);
    return status == MCPW_OK || fail_check(p, status, check);
}

/* Keeps the member where the walk stands for a callback of the options, unless that is NULL. */
MCPW_NOINLINE static bool tell(mcpw_projector *p, void (*callback)(void *user, const char *path)) {
    mcpw_error place;
    if (callback == NULL) {
        return true;
    }
    place.path[0] = '\0';
    mcpw_project_place(p, &place);
    mcpw_told *const t = (mcpw_told *)(void *)mcpw_project_alloc(p, 1, sizeof *t);
    if (t == NULL) {
        return false;
    }
    t->callback = callback;
    t->path = mcpw_arena_str(p->arena, place.path, strlen(place.path)).ptr;
    if (t->path == NULL) {
        return mcpw_project_fail_status(p, mcpw_arena_status(p->arena));
    }
    *(p->last_told != NULL ? &p->last_told->next : &p->first_told) = t;
    p->last_told = t;
    return true;
}

/* The member where the walk stands does not reach the target. */
static bool drop(mcpw_projector *p) { return tell(p, p->options.on_drop); }

unsigned char *mcpw_project_alloc(mcpw_projector *p, size_t count, size_t size) {
    unsigned char *at = NULL;
    if (size != 0 && count > SIZE_MAX / size) {
        (void)mcpw_project_fail_status(p, MCPW_E_ARENA);
        return NULL;
    }
    at = mcpw_arena_bump(p->arena, count * size);
    if (at == NULL) {
        (void)mcpw_project_fail_status(p, mcpw_arena_status(p->arena));
        return NULL;
    }
    memset(at, 0, count * size);
    return at;
}

const mcpw_json *mcpw_project_option(const mcpw_projector *p, const char *name, size_t len) {
    const mcpw_members values = p->options.values;
    for (size_t i = 0; i < values.count; i++) {
        const mcpw_str key = values.items[i].name;
        if (key.len == len && memcmp(key.ptr, name, len) == 0 && values.items[i].value.ptr != NULL) {
            return &values.items[i].value;
        }
    }
    return NULL;
}

/* ---- lists ---- */

/* Opens the list at `at`: room for its items, each of size bytes, or NULL. */
static unsigned char *begin_list(mcpw_projector *p, const unsigned char *at, mcpw_ref to, size_t size,
                                 mcpw_list *list) {
    *list = mcpw_load_list(at);
    if (list->items == NULL) {
        (void)mcpw_project_fail(p, MCPW_E_ARGUMENT, "items are NULL but the count is not 0");
        return NULL;
    }
    if (p->depth == 0) {
        (void)mcpw_project_fail_status(p, MCPW_E_DEPTH);
        return NULL;
    }
    if (to.check != 0 && !mcpw_project_holds(p, mcpw_checked_count(list->count), to.check)) {
        return NULL;
    }
    p->depth--;
    return mcpw_project_alloc(p, list->count, size);
}

static void end_list(mcpw_projector *p, const unsigned char *items, size_t count, unsigned char *out) {
    memcpy(out, &items, sizeof items);
    memcpy(out + sizeof items, &count, sizeof count);
    p->depth++;
}

static bool project_array(mcpw_projector *p, mcpw_ref from, const unsigned char *at, mcpw_ref to,
                          unsigned char *out) {
    const mcpw_array *const a = p->from.revision->arrays + from.index;
    const mcpw_array *const b = p->to.revision->arrays + to.index;
    mcpw_list l;
    unsigned char *const items = begin_list(p, at, to, b->item_size, &l);
    if (items == NULL) {
        return false;
    }
    mcpw_frame frame = {p->frame, NULL, 0, 0};
    p->frame = &frame;
    for (; frame.index < l.count; frame.index++) {
        if (!mcpw_project_value(p, a->item, l.items + frame.index * a->item_size, b->item,
                                items + frame.index * b->item_size)) {
            return false;
        }
    }
    p->frame = frame.up;
    end_list(p, items, l.count, out);
    return true;
}

static bool project_map(mcpw_projector *p, mcpw_ref from, const unsigned char *at, mcpw_ref to,
                        unsigned char *out) {
    const mcpw_map *const a = p->from.revision->maps + from.index;
    const mcpw_map *const b = p->to.revision->maps + to.index;
    mcpw_list l;
    unsigned char *const entries = begin_list(p, at, to, b->entry_size, &l);
    if (entries == NULL) {
        return false;
    }
    mcpw_frame frame = {p->frame, NULL, 0, 0};
    p->frame = &frame;
    for (size_t i = 0; i < l.count; i++) {
        const unsigned char *const entry = l.items + i * a->entry_size;
        const mcpw_str key = mcpw_load_str(entry);
        if (key.ptr == NULL) {
            p->frame = frame.up;
            return mcpw_project_fail(p, MCPW_E_ARGUMENT, "the entry has no name");
        }
        frame.key = key.ptr;
        frame.key_len = key.len;
        memcpy(entries + i * b->entry_size, &key, sizeof key);
        if (!mcpw_project_value(p, a->value, entry + a->value_offset, b->value,
                                entries + i * b->entry_size + b->value_offset)) {
            return false;
        }
    }
    p->frame = frame.up;
    end_list(p, entries, l.count, out);
    return true;
}

/* ---- structs ---- */

/* One struct on its way. */
typedef struct walk {
    const mcpw_struct *from; /* NULL: there is none, or just its members as text */
    const unsigned char *base;
    mcpw_members extra;
    const mcpw_struct *to;
    unsigned char *out;
    uint64_t done;     /* a bit for each row of the target that has its value */
    uint64_t unknown;  /* a bit for each row of the source whose value is text among the extra members */
    bool taken;        /* a value of the options was put in */
    mcpw_member *kept; /* a member of the source that the target keeps as text; NULL: none */
    mcpw_frame frame;  /* the member */
} walk;

/* The bit of a row of the target. */
static uint64_t bit_in(const mcpw_projector *p, const walk *k, const mcpw_row *row) {
    return UINT64_C(1) << mcpw_row_bit(p->to.revision, k->to, row);
}

static void set_frame(mcpw_frame *frame, const mcpw_tables *of, const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(of->revision, of->pool, row);
    frame->key = name.ptr;
    frame->key_len = name.len;
}

/* Makes a misfit a failure that stays: here nothing may be dropped. */
MCPW_COLD static bool has_to_fit(mcpw_projector *p) {
    if (p->misfit) {
        p->misfit = false;
        p->status = MCPW_E_PROJECTION;
        if (p->error != NULL) {
            p->error->code = MCPW_E_PROJECTION;
        }
    }
    return false;
}

/* A member of the target from a value of the source. Well-formed text that does not fit is dropped, unless it
 * must fit. */
static bool project_member(mcpw_projector *p, walk *k, mcpw_ref from, const unsigned char *at,
                           const mcpw_row *row, bool must_fit) {
    const unsigned depth = p->depth;
    if (MCPW_LIKELY(
            mcpw_project_value(p, from, at, mcpw_row_value(p->to.revision, row), k->out + row->offset))) {
        k->done |= bit_in(p, k, row);
        return true;
    }
    if (must_fit || !p->misfit) {
        return has_to_fit(p);
    }
    p->misfit = false;
    memset(k->out + row->offset, 0, mcpw_size_of(p->to.revision, mcpw_row_value(p->to.revision, row)));
    p->frame = &k->frame;
    p->depth = depth;
    p->saw_unknown = false;
    return drop(p);
}

/* The text of a member that is kept: of a struct, what its type does not name. Absent: there is nothing. */
static bool text_to_keep(mcpw_projector *p, mcpw_ref ref, const unsigned char *at, mcpw_json *out) {
    const mcpw_source source = {mcpw_plain_ref(ref), mcpw_plain_value(ref, at), NULL, 0, false};
    *out = (mcpw_json){NULL, 0, 0};
    if (source.ref.kind != MCPW_KIND_STRUCT) {
        return mcpw_project_text(p, &source, out);
    }
    const unsigned extra = mcpw_extra_offset(p->from.revision, p->from.revision->structs + source.ref.index);
    if (extra == MCPW_NO_OFFSET) {
        return true;
    }
    const mcpw_members members = *(const mcpw_members *)(const void *)(source.at + extra);
    return members.count == 0 || mcpw_project_object(p, &members, out);
}

/* Keeps a member that the target does not name among those that it keeps unnamed, or drops it. */
MCPW_NOINLINE static bool lose_row(mcpw_projector *p, walk *k, mcpw_ref ref, const unsigned char *at,
                                   mcpw_str name) {
    const char *const kept = p->options.kept;
    mcpw_json text;
    if (kept == NULL || strlen(kept) != name.len || memcmp(kept, name.ptr, name.len) != 0 ||
        mcpw_extra_offset(p->to.revision, k->to) == MCPW_NO_OFFSET ||
        mcpw_extra_value(p->to.revision, k->to).kind != MCPW_KIND_JSON) {
        return drop(p);
    }
    if (!text_to_keep(p, ref, at, &text)) {
        return false;
    }
    if (text.ptr == NULL) {
        return drop(p);
    }
    k->kept = (mcpw_member *)(void *)mcpw_project_alloc(p, 1, sizeof *k->kept);
    if (k->kept == NULL) {
        return false;
    }
    *k->kept = (mcpw_member){name, text};
    return true;
}

static bool project_rows(mcpw_projector *p, walk *k) {
    const mcpw_row *const rows = p->from.rows + k->from->first;
    const mcpw_row *next = p->to.rows + k->to->first; /* both are in wire order: most follow each other */
    for (unsigned i = 0; i < k->from->count; i++) {
        const mcpw_row *const row = rows + i;
        const unsigned char *const at = k->base + row->offset;
        const mcpw_ref ref = mcpw_row_value(p->from.revision, row);
        if (!mcpw_is_present(p->from.revision, ref, at)) {
            continue;
        }
        const mcpw_str name = mcpw_row_name(p->from.revision, p->from.pool, row);
        const unsigned char *const pattern = (const unsigned char *)name.ptr - 1;
        const mcpw_row *target = next;
        if (MCPW_UNLIKELY(!mcpw_row_matches(&p->to, pattern, mcpw_load_input16(pattern), next))) {
            target = mcpw_find_row(p->to.revision, k->to, name.ptr, name.len);
        }
        k->frame.key = name.ptr;
        k->frame.key_len = name.len;
        if (target == NULL) {
            if (!lose_row(p, k, ref, at, name)) {
                return false;
            }
            continue;
        }
        next = target + 1;
        if (!project_member(p, k, ref, at, target, mcpw_row_required(k->to, target))) {
            return false;
        }
        if (MCPW_UNLIKELY(p->saw_unknown)) {
            p->saw_unknown = false;
            k->done &= ~bit_in(p, k, target);
            k->unknown |= UINT64_C(1) << i;
            memset(k->out + target->offset, 0,
                   mcpw_size_of(p->to.revision, mcpw_row_value(p->to.revision, target)));
        }
    }
    return true;
}

/* Whether the target keeps members that it does not name. */
static bool keeps(mcpw_projector *p, const walk *k, mcpw_json value, bool *fits) {
    const mcpw_ref ref = mcpw_extra_value(p->to.revision, k->to);
    *fits = mcpw_extra_offset(p->to.revision, k->to) != MCPW_NO_OFFSET && ref.kind != MCPW_KIND_END;
    if (!*fits || ref.kind == MCPW_KIND_JSON) {
        return true;
    }
    if (value.ptr == NULL) {
        return mcpw_project_fail(p, MCPW_E_ARGUMENT, "an extra member has no value");
    }
    *fits = mcpw_project_check(p, value, ref);
    if (!*fits && p->misfit) {
        p->misfit = false;
        return true;
    }
    return *fits;
}

/* A member that the source has as text. *kept: it stays text in the target. */
static bool project_text_member(mcpw_projector *p, walk *k, const mcpw_member *member, bool *kept) {
    const mcpw_str name = member->name;
    const mcpw_row *const row = mcpw_find_row(p->to.revision, k->to, name.ptr, name.len);
    const mcpw_row *const own =
        k->from != NULL ? mcpw_find_row(p->from.revision, k->from, name.ptr, name.len) : NULL;
    const uint64_t own_bit = own != NULL ? UINT64_C(1) << mcpw_row_bit(p->from.revision, k->from, own) : 0;
    const bool unknown = (k->unknown & own_bit) != 0;
    *kept = false;
    k->unknown &= ~own_bit;
    if (row == NULL && own == NULL) {
        return keeps(p, k, member->value, kept) && (*kept || drop(p));
    }
    if (row == NULL) { /* the members beside a row that was dropped have been reported */
        return mcpw_is_present(p->from.revision, mcpw_row_value(p->from.revision, own),
                               k->base + own->offset) ||
               drop(p);
    }
    if ((k->done & bit_in(p, k, row)) != 0) {
        return drop(p);
    }
    const bool allowed = p->allow_unknown;
    p->allow_unknown = allowed || unknown;
    const bool done =
        project_member(p, k, any, (const unsigned char *)(const void *)&member->value, row, unknown);
    p->allow_unknown = allowed;
    *kept = done && p->saw_unknown;
    p->saw_unknown = false;
    return done;
}

MCPW_NOINLINE static bool project_extra(mcpw_projector *p, walk *k) {
    if (k->extra.items == NULL && k->extra.count != 0) {
        p->frame = k->frame.up;
        return mcpw_project_fail(p, MCPW_E_ARGUMENT, "extra is NULL but its count is not 0");
    }
    mcpw_members kept = {NULL, 0};
    mcpw_member *const items =
        (mcpw_member *)(void *)mcpw_project_alloc(p, k->extra.count + (k->kept != NULL), sizeof *items);
    if (items == NULL) {
        return false;
    }
    for (size_t i = 0; i < k->extra.count; i++) {
        bool keep = false;
        k->frame.key = k->extra.items[i].name.ptr;
        k->frame.key_len = k->extra.items[i].name.len;
        if (k->frame.key == NULL) {
            p->frame = k->frame.up;
            return mcpw_project_fail(p, MCPW_E_ARGUMENT, "an extra member has no name");
        }
        if (!project_text_member(p, k, k->extra.items + i, &keep)) {
            return false;
        }
        if (keep) {
            items[kept.count++] = k->extra.items[i];
        }
    }
    if (k->unknown != 0) {
        const mcpw_row *const row = p->from.rows + k->from->first + mcpw_lowest_bit(k->unknown);
        set_frame(&k->frame, &p->from, row);
        return mcpw_project_fail(p, MCPW_E_VALUE, "an unknown value needs its text among the extra members");
    }
    if (k->kept != NULL) {
        items[kept.count++] = *k->kept;
    }
    if (kept.count != 0) {
        kept.items = items;
        *(mcpw_members *)(void *)(k->out + mcpw_extra_offset(p->to.revision, k->to)) = kept;
    }
    return true;
}

static bool project_struct(mcpw_projector *p, walk *k);

/* A required struct that the source lacks: made of the options' values, one of them at least. */
static bool make_struct(mcpw_projector *p, walk *outer, const mcpw_row *row) {
    const mcpw_ref ref = mcpw_row_value(p->to.revision, row);
    walk k;
    memset(&k, 0, sizeof k);
    if (mcpw_base_kind(ref) == MCPW_KIND_STRUCT) {
        k.to = p->to.revision->structs + ref.index;
        k.out = outer->out + row->offset;
        if (mcpw_is_pointer(ref)) {
            k.out = mcpw_project_alloc(p, 1, k.to->size);
            if (k.out == NULL) {
                return false;
            }
            memcpy(outer->out + row->offset, &k.out, sizeof k.out);
        }
        if (!project_struct(p, &k)) {
            return false;
        }
    }
    outer->taken = outer->taken || k.taken;
    return k.taken ||
           mcpw_project_fail(p, MCPW_E_PROJECTION, "revision %s requires this member, which the value lacks",
                             p->to.revision->name);
}

/* A value of the options, which is complete: read as it is. */
static bool take_option(mcpw_projector *p, walk *k, const mcpw_json *value, const mcpw_row *row) {
    unsigned char *const out = k->out + row->offset;
    const mcpw_ref ref = mcpw_row_value(p->to.revision, row);
    if (mcpw_is_raw(ref)) {
        return project_member(p, k, any, (const unsigned char *)(const void *)value, row, true);
    }
    if (mcpw_project_read(p, *value, false, ref, out)) {
        k->done |= bit_in(p, k, row);
        return true;
    }
    return has_to_fit(p);
}

/* Gives the rows of `absent` their values from the options; what is required has to get one. */
static bool fill(mcpw_projector *p, walk *k, uint64_t absent, bool required) {
    for (; absent != 0; absent &= absent - 1) {
        const mcpw_row *const row = p->to.rows + k->to->first + mcpw_lowest_bit(absent);
        set_frame(&k->frame, &p->to, row);
        const mcpw_json *const value = mcpw_project_option(p, k->frame.key, k->frame.key_len);
        if (mcpw_row_value(p->to.revision, row).kind == MCPW_KIND_CONST) {
            continue; /* it has its value without anything being stored */
        }
        if (value != NULL) {
            k->taken = true;
            if (!take_option(p, k, value, row) || !tell(p, p->options.on_fill)) {
                return false;
            }
        } else if (required && !make_struct(p, k, row)) {
            return false;
        }
    }
    return true;
}

/* Fills in what the target requires and the source lacks. A struct that takes a required value from the
 * options takes its optional members from there, too: a peer that names one of them in _meta names them all.
 */
MCPW_NOINLINE static bool fill_required(mcpw_projector *p, walk *k) {
    const uint64_t all = k->to->count < MCPW_MAX_ROWS ? (UINT64_C(1) << k->to->count) - 1 : UINT64_MAX;
    const uint64_t required = mcpw_required_rows(p->to.revision, k->to);
    if (!fill(p, k, required & ~k->done, true)) {
        return false;
    }
    return !k->taken || fill(p, k, all & ~required & ~k->done, false);
}

static bool project_struct(mcpw_projector *p, walk *k) {
    if (MCPW_UNLIKELY(p->depth == 0)) {
        return mcpw_project_fail_status(p, MCPW_E_DEPTH);
    }
    p->depth--;
    k->frame.up = p->frame;
    p->frame = &k->frame;
    if (k->from != NULL && !project_rows(p, k)) {
        return false;
    }
    if (MCPW_UNLIKELY(k->extra.count != 0 || k->unknown != 0 || k->kept != NULL) && !project_extra(p, k)) {
        return false;
    }
    if ((mcpw_required_rows(p->to.revision, k->to) & ~k->done) != 0 && !fill_required(p, k)) {
        return false;
    }
    p->frame = k->frame.up;
    p->depth++;
    return true;
}

static bool project_to_struct(mcpw_projector *p, const mcpw_source *source, uint16_t index,
                              unsigned char *out) {
    walk k;
    memset(&k, 0, sizeof k);
    k.to = p->to.revision->structs + index;
    k.out = out;
    if (MCPW_UNLIKELY(source->ref.kind != MCPW_KIND_STRUCT)) {
        return mcpw_project_members(p, source, &k.extra) && project_struct(p, &k);
    }
    if (MCPW_UNLIKELY(source->of != NULL) && mcpw_project_is_marked(p, source, k.to)) {
        const mcpw_ref to = {MCPW_KIND_STRUCT, 0, index};
        return mcpw_project_unsayable(p, source, to, out);
    }
    k.from = p->from.revision->structs + source->ref.index;
    k.base = source->at;
    if (k.from == k.to && p->from.revision == p->to.revision) {
        memcpy(out, source->at, k.to->size);
        return true;
    }
    const unsigned extra = mcpw_extra_offset(p->from.revision, k.from);
    if (extra != MCPW_NO_OFFSET) {
        k.extra = *(const mcpw_members *)(const void *)(k.base + extra);
    }
    return project_struct(p, &k);
}

/* ---- any kind ---- */

/* Follows pointers and opens options and unions until it comes to the value itself. A value that a program
 * has built may contain itself: the depth ends that. */
static bool settle(mcpw_projector *p, mcpw_source *source) {
    for (unsigned hops = 0; hops < MCPW_MAX_DEPTH; hops++) {
        if (MCPW_UNLIKELY(!mcpw_is_present(p->from.revision, source->ref, source->at))) {
            return mcpw_project_fail(p, MCPW_E_MISSING, "value is absent");
        }
        if (mcpw_base_kind(source->ref) != source->ref.kind) {
            source->at = mcpw_plain_value(source->ref, source->at);
            source->ref = mcpw_plain_ref(source->ref);
            if (source->ref.kind == MCPW_KIND_UNION) { /* which may be absent itself */
                continue;
            }
        }
        if (source->ref.kind != MCPW_KIND_UNION) {
            return true;
        }
        const mcpw_union *const u = p->from.revision->unions + source->ref.index;
        source->of = u;
        source->number = 0;
        if ((u->flags & MCPW_UNION_BARE) == 0) {
            const int32_t kind = mcpw_load_kind(source->at);
            source->at += u->as_offset;
            if (kind == MCPW_UNKNOWN) {
                source->ref = any;
                source->unknown = true;
                continue;
            }
            if (kind < 1 || kind > u->alternative_count) {
                return mcpw_project_fail(p, MCPW_E_UNION, "%ld is no kind of %s", (long)kind,
                                         p->from.pool + u->name);
            }
            source->number = (unsigned)kind - 1;
        }
        source->ref = mcpw_alternative_value(p->from.revision, p->from.revision->alternatives +
                                                                   u->alternatives + source->number);
    }
    return mcpw_project_fail_status(p, MCPW_E_DEPTH);
}

/* A value of its own, behind a pointer. */
static bool project_pointee(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    to = mcpw_plain_ref(to);
    unsigned char *const target = mcpw_project_alloc(p, 1, mcpw_size_of(p->to.revision, to));
    if (target == NULL) {
        return false;
    }
    memcpy(out, &target, sizeof target);
    return to.kind == MCPW_KIND_UNION ? mcpw_project_union(p, source, to, target)
                                      : project_to_struct(p, source, to.index, target);
}

bool mcpw_project_value(mcpw_projector *p, mcpw_ref from, const unsigned char *at, mcpw_ref to,
                        unsigned char *out) {
    mcpw_source source = {from, at, NULL, 0, false};
    if (MCPW_LIKELY(from.kind == MCPW_KIND_STRING && to.kind == MCPW_KIND_STRING && to.check == 0 &&
                    mcpw_load_str(at).ptr != NULL)) {
        memcpy(out, at, sizeof(mcpw_str));
        return true;
    }
    if (!settle(p, &source)) {
        return false;
    }
    switch (to.kind) {
    case MCPW_KIND_STRING:
        return source.ref.kind == MCPW_KIND_STRING ? mcpw_project_string(p, source.at, to, out)
                                                   : mcpw_project_odd(p, &source, to, out);
    case MCPW_KIND_JSON:
    case MCPW_KIND_JSON_OBJECT:
    case MCPW_KIND_SHAPED:
        return mcpw_project_raw(p, &source, to, (mcpw_json *)(void *)out);
    case MCPW_KIND_STRUCT:
        return project_to_struct(p, &source, to.index, out);
    case MCPW_KIND_UNION:
        return mcpw_project_union(p, &source, to, out);
    case MCPW_KIND_STRUCT_PTR:
    case MCPW_KIND_UNION_PTR:
        return project_pointee(p, &source, to, out);
    case MCPW_KIND_ARRAY:
        return source.ref.kind == MCPW_KIND_ARRAY ? project_array(p, source.ref, source.at, to, out)
                                                  : mcpw_project_odd(p, &source, to, out);
    case MCPW_KIND_MAP:
        return source.ref.kind == MCPW_KIND_MAP ? project_map(p, source.ref, source.at, to, out)
                                                : mcpw_project_odd(p, &source, to, out);
    default:
        return mcpw_project_scalar(p, &source, to, out);
    }
}

/* ---- entry point ---- */

static bool are_usable(const mcpw_type *from, const void *value, const mcpw_type *to, const mcpw_arena *arena,
                       const void *out, const mcpw_project_options *options, mcpw_error *error) {
    if (from == NULL || value == NULL || to == NULL || arena == NULL || out == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "type, value, arena or out is NULL");
        return false;
    }
    mcpw_project_options own;
    if (!MCPW_TAKE(&own, on_fill, options)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "initialise the options with MCPW_PROJECT_INIT");
        return false;
    }
    return true;
}

void mcpw_project_begin(mcpw_projector *p, const mcpw_revision *from, const mcpw_revision *to,
                        mcpw_arena *arena, const mcpw_project_options *options, mcpw_error *error) {
    memset(&p->arena, 0, offsetof(mcpw_projector, record) - offsetof(mcpw_projector, arena));
    p->from = mcpw_tables_of(from);
    p->to = mcpw_tables_of(to);
    p->arena = arena;
    p->options = (mcpw_project_options)MCPW_PROJECT_INIT;
    (void)MCPW_TAKE(&p->options, on_fill, options); /* are_usable has looked */
    p->error = error != NULL ? &p->record : NULL;
    p->depth = MCPW_DEFAULT_DEPTH;
}

/* Ends a projection: reports, or takes everything back. */
static mcpw_status conclude(mcpw_projector *p, bool done, void *out, size_t size, mcpw_mark mark,
                            mcpw_error *error) {
    if (!done) {
        memset(out, 0, size);
        mcpw_arena_rewind(p->arena, mark);
        if (error != NULL) {
            *error = p->record;
        }
        return p->status;
    }
    for (const mcpw_told *t = p->first_told; t != NULL; t = t->next) {
        t->callback(p->options.user, t->path);
    }
    return MCPW_OK;
}

mcpw_status mcpw_project(const mcpw_type *from, const void *value, const mcpw_type *to, mcpw_arena *arena,
                         void *out, const mcpw_project_options *options, mcpw_error *error) {
    mcpw_projector p;
    if (!are_usable(from, value, to, arena, out, options, error)) {
        return MCPW_E_ARGUMENT;
    }
    if (from->revision == to->revision && memcmp(&from->ref, &to->ref, sizeof from->ref) == 0) {
        memmove(out, value, to->size);
        return MCPW_OK;
    }
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_project_begin(&p, from->revision, to->revision, arena, options, error);
    memset(out, 0, to->size);
    bool done = mcpw_project_value(&p, from->ref, value, to->ref, out);
    if (done && p.saw_unknown) { /* an enum, or an array of them, as a whole value */
        done = mcpw_project_fail(&p, MCPW_E_VALUE, "an unknown value has no text here");
    }
    return conclude(&p, done, out, to->size, mark, error);
}

mcpw_status mcpw_project_values(const mcpw_type *to, mcpw_arena *arena, void *out,
                                const mcpw_project_options *options, mcpw_error *error) {
    mcpw_projector p;
    walk k;
    if (!are_usable(to, out, to, arena, out, options, error) || to->ref.kind != MCPW_KIND_STRUCT) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "needs a struct's type, an arena and usable options");
        return MCPW_E_ARGUMENT;
    }
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_project_begin(&p, to->revision, to->revision, arena, options, error);
    memset(out, 0, to->size);
    memset(&k, 0, sizeof k);
    k.to = to->revision->structs + to->ref.index;
    k.out = out;
    bool done = project_struct(&p, &k);
    if (done && !k.taken) {
        done = mcpw_project_fail(&p, MCPW_E_PROJECTION, "the values do not set it");
    }
    return conclude(&p, done, out, to->size, mark, error);
}
