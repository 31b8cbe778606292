/* SPDX-License-Identifier: MIT */
/* Which alternative of the target's union a value of the source is: by JSON type, then by the target's own
 * tests, held against the source's struct. Names of types and alternatives do not count. */
#include "project_internal.h"

/* ---- what the source is ---- */

/* The JSON type that a value has, as a bit. */
static unsigned json_type(const mcpw_projector *p, const mcpw_source *source) {
    switch (source->ref.kind) {
    case MCPW_KIND_ID: /* uncovered: no alternative or tag is of that kind so far */
        return ((const mcpw_id *)(const void *)source->at)->kind == MCPW_ID_STRING ? MCPW_IS_STRING
                                                                                   : MCPW_IS_NUMBER;
    case MCPW_KIND_CONST: /* uncovered: no alternative or tag is of that kind so far */
        return p->from.revision->consts[source->ref.index].is;
    default:
        return mcpw_kinds[source->ref.kind].is;
    }
}

/* The text of a value that can be a tag; absent for other kinds. */
static mcpw_str tag_text(const mcpw_projector *p, mcpw_ref ref, const unsigned char *at) {
    const mcpw_revision *const v = p->from.revision;
    mcpw_str text = {NULL, 0};
    switch (ref.kind) {
    case MCPW_KIND_STRING:
        return mcpw_load_str(at);
    case MCPW_KIND_ENUM:
        return mcpw_enum_text(v, ref.index, mcpw_load_kind(at));
    case MCPW_KIND_CONST:
    case MCPW_KIND_OPT_CONST:
        if (v->consts[ref.index].is == MCPW_IS_STRING) {
            const mcpw_json json = mcpw_const_text(v->pool, v->consts + ref.index);
            text.ptr = json.ptr + 1;
            text.len = json.len - MCPW_VALUE_QUOTES;
        }
        return text;
    default:
        return text;
    }
}

/* ---- the target's tests ---- */

/* Whether a member that is text satisfies a test. */
static bool text_passes(const mcpw_projector *p, mcpw_json text, const mcpw_test *t) {
    const mcpw_str value = mcpw_test_value(p->to.pool, t);
    return value.ptr == NULL ||
           (text.len == value.len + MCPW_VALUE_QUOTES && memcmp(text.ptr, value.ptr - 1, text.len) == 0);
}

/* Whether a member that the source's struct names satisfies a test. */
static bool row_passes(const mcpw_projector *p, const mcpw_source *source, const mcpw_row *row,
                       const mcpw_test *t) {
    const unsigned char *const at = source->at + row->offset;
    const mcpw_ref ref = mcpw_row_value(p->from.revision, row);
    if (!mcpw_is_present(p->from.revision, ref, at)) {
        return false;
    }
    const mcpw_str value = mcpw_test_value(p->to.pool, t);
    const mcpw_str text = tag_text(p, ref, at);
    return value.ptr == NULL ||
           (text.ptr != NULL && text.len == value.len && memcmp(text.ptr, value.ptr, text.len) == 0);
}

/* The same for a member that it does not name: among the extra ones, or one that the options will give. */
static bool other_passes(const mcpw_projector *p, const mcpw_source *source, const mcpw_struct *s,
                         const mcpw_test *t) {
    const mcpw_str name = mcpw_test_key(p->to.pool, t);
    mcpw_members extra = {NULL, 0};
    const unsigned offset = mcpw_extra_offset(p->from.revision, s);
    if (offset != MCPW_NO_OFFSET) {
        extra = *(const mcpw_members *)(const void *)(source->at + offset);
    }
    for (size_t i = 0; extra.items != NULL && i < extra.count; i++) {
        const mcpw_str key = extra.items[i].name;
        if (key.len == name.len && key.ptr != NULL && memcmp(key.ptr, name.ptr, key.len) == 0) {
            return text_passes(p, extra.items[i].value, t);
        }
    }
    const mcpw_json *const value =
        t->value != MCPW_NO_OFFSET ? mcpw_project_option(p, name.ptr, name.len) : NULL;
    return value != NULL && text_passes(p, *value, t);
}

/* The alternative of the first test that the source's struct passes, or MCPW_NO_INDEX. */
static unsigned run_tests(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u, bool named,
                          bool other) {
    const mcpw_struct *const s = p->from.revision->structs + source->ref.index;
    const mcpw_test *t = p->to.revision->tests + u->tests;
    const mcpw_row *row = NULL;
    unsigned key = MCPW_NO_OFFSET; /* of row */
    for (unsigned i = 0; i < u->test_count; i++, t++) {
        if (t->key != key) {
            key = t->key;
            const mcpw_str name = mcpw_test_key(p->to.pool, t);
            row = mcpw_find_row(p->from.revision, s, name.ptr, name.len);
        }
        if (row != NULL ? named && row_passes(p, source, row, t) : other && other_passes(p, source, s, t)) {
            return t->alternative;
        }
    }
    return MCPW_NO_INDEX;
}

static unsigned select_by_tests(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u) {
    if ((u->flags & MCPW_UNION_FIRST_MEMBER) == 0) {
        return run_tests(p, source, u, true, true);
    }
    /* Members with a row come before the others. */
    const unsigned selected = run_tests(p, source, u, true, false);
    return selected != MCPW_NO_INDEX ? selected : run_tests(p, source, u, false, true);
}

/* Which alternative to try first; MCPW_NO_INDEX: none can be meant. *alone: it or none. *guessed: nothing but
 * the JSON type speaks for it. */
static unsigned choose(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
                       unsigned types, bool *alone, bool *guessed) {
    const mcpw_alternative *const a = p->to.revision->alternatives + u->alternatives;
    const bool exclusive = (u->flags & MCPW_UNION_EXCLUSIVE) != 0;
    unsigned first = MCPW_NO_INDEX;
    unsigned candidates = 0;
    for (unsigned i = u->alternative_count; i-- > 0;) {
        if ((a[i].is & types) != 0) {
            first = i;
            candidates++;
        }
    }
    *alone = candidates == 1 || (u->flags & (MCPW_UNION_DISJOINT | MCPW_UNION_EXCLUSIVE)) != 0;
    *guessed = false;
    if (first == MCPW_NO_INDEX || u->test_count == 0 || source->ref.kind != MCPW_KIND_STRUCT) {
        *alone = candidates == 1;
        *guessed = candidates != 1;
        return first;
    }
    const unsigned selected = select_by_tests(p, source, u);
    if (selected != MCPW_NO_INDEX) {
        return selected;
    }
    if (u->otherwise != MCPW_NO_INDEX) {
        return u->otherwise;
    }
    const unsigned decided = MCPW_UNION_ONE_KEY | MCPW_UNION_DISJOINT;
    if (exclusive || (u->flags & decided) == decided) {
        return MCPW_NO_INDEX;
    }
    *alone = candidates == 1;
    *guessed = true;
    return first;
}

/* Whether the source is of an alternative that its union tells apart by members none of which a struct of the
 * target has: the two cannot be counterparts. Else a list of choices would pass for free text. */
static bool lacks_mark(const mcpw_projector *p, const mcpw_source *source, const mcpw_struct *to) {
    bool marked = false;
    for (unsigned i = 0; i < source->of->test_count; i++) {
        const mcpw_test *const t = p->from.revision->tests + source->of->tests + i;
        if (t->alternative == source->number) {
            marked = true;
            const mcpw_str name = mcpw_test_key(p->from.pool, t);
            if (mcpw_find_row(p->to.revision, to, name.ptr, name.len) != NULL) {
                return false;
            }
        }
    }
    return marked;
}

static bool is_counterpart(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
                           unsigned number) {
    const mcpw_ref to =
        mcpw_alternative_value(p->to.revision, p->to.revision->alternatives + u->alternatives + number);
    return source->of == NULL || mcpw_base_kind(to) != MCPW_KIND_STRUCT ||
           !lacks_mark(p, source, p->to.revision->structs + to.index);
}

bool mcpw_project_is_marked(const mcpw_projector *p, const mcpw_source *source, const mcpw_struct *to) {
    return source->of->otherwise != MCPW_NO_INDEX && source->of->otherwise != source->number &&
           lacks_mark(p, source, to);
}

/* ---- what the target cannot say ---- */

/* The name of a type, which stands at an offset of the pool. */
static const char *pool_name(const mcpw_revision *v, unsigned offset) {
#if defined(MCPW_NO_NAMES)
    (void)v;
    (void)offset;
    return "";
#else
    return v->pool + offset;
#endif
}

/* What to call a value that the target lacks. */
static const char *name_of(const mcpw_projector *p, const mcpw_source *source, char room[MCPW_EXCERPT_SIZE]) {
    const mcpw_revision *const v = p->from.revision;
    if (source->ref.kind == MCPW_KIND_ENUM) {
        const mcpw_str text = mcpw_enum_text(v, source->ref.index, mcpw_load_kind(source->at));
        return mcpw_excerpt(room, text.ptr, text.len);
    }
    if (source->of != NULL) {
        return pool_name(v, v->alternatives[source->of->alternatives + source->number].name);
    }
    if (source->ref.kind == MCPW_KIND_STRUCT) {
        return pool_name(v, v->structs[source->ref.index].name);
    }
    /* uncovered: no alternative or tag is of that kind so far */
    return source->ref.kind == MCPW_KIND_ARRAY ? "array" : "value";
}

static mcpw_type handle_of(const mcpw_revision *v, mcpw_ref ref) {
    const unsigned name = ref.kind == MCPW_KIND_ENUM    ? v->enums[ref.index].name
                          : ref.kind == MCPW_KIND_UNION ? v->unions[ref.index].name
                                                        : v->structs[ref.index].name;
    const mcpw_type type = {v, pool_name(v, name), ref, (uint32_t)mcpw_size_of(v, ref)};
    return type;
}

bool mcpw_project_unsayable(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    char room[MCPW_EXCERPT_SIZE];
    const char *const name = name_of(p, source, room);
    if (p->options.substitute != NULL) {
        const mcpw_type target = handle_of(p->to.revision, to);
        mcpw_error place;
        mcpw_json value;
        mcpw_json text = {NULL, 0};
        if (!mcpw_project_text(p, source, &value)) {
            return false;
        }
        place.path[0] = '\0';
        mcpw_project_place(p, &place);
        const mcpw_unsayable what = {place.path, &target, name, value};
        const mcpw_status status = p->options.substitute(p->options.user, &what, p->arena, &text);
        if (status == MCPW_OK) {
            return mcpw_project_read(p, text, false, to, out);
        }
        if (status != MCPW_E_NOT_FOUND) {
            return mcpw_project_fail(p, status, "no substitute for %s: %s", name, mcpw_status_text(status));
        }
    }
    return mcpw_project_fail(p, MCPW_E_PROJECTION, "%s cannot be said in revision %s", name,
                             p->to.revision->name);
}

/* No alternative can take the value. A list of one is its item where the target takes no list. */
static bool no_alternative(mcpw_projector *p, const mcpw_source *source, unsigned types, mcpw_ref to,
                           unsigned char *out) {
    const mcpw_list l = types == MCPW_IS_ARRAY ? mcpw_load_list(source->at) : (mcpw_list){NULL, 0};
    if (l.items == NULL || l.count != 1) {
        return mcpw_project_unsayable(p, source, to, out);
    }
    const mcpw_frame frame = {p->frame, NULL, 0, 0};
    p->frame = &frame;
    const mcpw_ref item = p->from.revision->arrays[source->ref.index].item;
    const bool done = mcpw_project_value(p, item, l.items, to, out);
    p->frame = frame.up;
    return done;
}

/* ---- trying ---- */

/* Everything that a failed alternative may have changed. */
typedef struct checkpoint {
    mcpw_mark mark;
    const mcpw_frame *frame;
    mcpw_dropped *dropped;
    unsigned depth;
    bool saw_unknown;
} checkpoint;

static checkpoint save(const mcpw_projector *p) {
    const checkpoint c = {mcpw_arena_mark(p->arena), p->frame, p->last_dropped, p->depth, p->saw_unknown};
    return c;
}

static void restore(mcpw_projector *p, const checkpoint *c, unsigned char *out, size_t size) {
    mcpw_arena_rewind(p->arena, c->mark);
    memset(out, 0, size);
    p->frame = c->frame;
    p->last_dropped = c->dropped;
    *(c->dropped != NULL ? &c->dropped->next : &p->first_dropped) = NULL;
    p->depth = c->depth;
    p->saw_unknown = c->saw_unknown;
    p->misfit = false;
}

/* Whether another alternative may do better. */
static bool may_retry(const mcpw_projector *p) {
    return mcpw_is_verdict(p->status) || p->status == MCPW_E_PROJECTION;
}

static bool try_alternative(mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
                            unsigned number, unsigned char *out) {
    const mcpw_alternative *const a = p->to.revision->alternatives + u->alternatives + number;
    if ((u->flags & MCPW_UNION_BARE) == 0) {
        const int32_t kind = (int32_t)number + 1;
        memcpy(out, &kind, sizeof kind);
        out += u->as_offset;
    }
    return mcpw_project_value(p, source->ref, source->at, mcpw_alternative_value(p->to.revision, a), out);
}

/* Tries `first` and, when that fails, the others that have the JSON type, until one succeeds. The first error
 * is the one that stands, unless `first` was but a guess. */
static bool try_all(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned first, unsigned types,
                    bool guessed, unsigned char *out) {
    const mcpw_union *const u = p->to.revision->unions + to.index;
    const mcpw_alternative *const a = p->to.revision->alternatives + u->alternatives;
    const checkpoint before = save(p);
    mcpw_error *const error = p->error;
    p->error = guessed ? NULL : error;
    bool done = try_alternative(p, source, u, first, out);
    const mcpw_status status = p->status;
    const bool misfit = p->misfit;
    if (!done && !guessed && !may_retry(p)) {
        return false;
    }
    p->error = NULL;
    for (unsigned i = 0; i < u->alternative_count && !done && may_retry(p); i++) {
        if (i != first && (a[i].is & types) != 0 && is_counterpart(p, source, u, i)) {
            restore(p, &before, out, u->size);
            done = try_alternative(p, source, u, i, out);
        }
    }
    p->error = error;
    if (done) {
        return true;
    }
    const bool hopeless = !may_retry(p);
    restore(p, &before, out, u->size);
    if (hopeless) {
        return mcpw_project_fail(p, p->status, "%s", mcpw_status_text(p->status));
    }
    if (guessed) {
        return mcpw_project_unsayable(p, source, to, out);
    }
    p->status = status; /* uncovered: no alternative fits, and one was selected */
    p->misfit = misfit;
    return false;
}

bool mcpw_project_union(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const mcpw_union *const u = p->to.revision->unions + to.index;
    bool alone = false;
    bool guessed = false;
    if (mcpw_is_raw(source->ref)) {
        return mcpw_project_read(p, mcpw_load_json(source->at), source->unknown || p->allow_unknown, to, out);
    }
    const unsigned types = json_type(p, source);
    const unsigned first = choose(p, source, u, types, &alone, &guessed);
    if (MCPW_UNLIKELY(first == MCPW_NO_INDEX || !is_counterpart(p, source, u, first))) {
        return no_alternative(p, source, types, to, out);
    }
    return MCPW_LIKELY(alone) ? try_alternative(p, source, u, first, out)
                              : try_all(p, source, to, first, types, guessed, out);
}
