/* SPDX-License-Identifier: MIT */
/* Projects a value of the source to an alternative of the target's union. The chosen alternative is tried
 * first; where the choice may be wrong, the others follow. */
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/error.h>

#include "../base/printable.h"
#include "project_internal.h"
#include "residual.h"

/* ---- counterparts ---- */

/* Whether the target's struct cannot be the counterpart of the source's alternative: the union of the source
 * tells the alternative by members, and the struct has none of them. Without this a list of choices would
 * pass for free text. */
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

bool mcpw_project_is_counterpart(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
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

/* The name of a value that the target lacks. */
static const char *name_of(const mcpw_projector *p, const mcpw_source *source, char room[MCPW_EXCERPT_SIZE]) {
    const mcpw_revision *const v = p->from.revision;
    if (source->ref.kind == MCPW_KIND_ENUM) {
        const mcpw_str text = mcpw_enum_text(v, source->ref.index, mcpw_load_kind(source->at));
        return mcpw_excerpt(room, text.ptr, text.len);
    }
    if (source->of != NULL) {
        return MCPW_TYPE_NAME(v, v->alternatives[source->of->alternatives + source->number].name);
    }
    if (source->ref.kind == MCPW_KIND_STRUCT) {
        return MCPW_TYPE_NAME(v, v->structs[source->ref.index].name);
    }
    return source->ref.kind == MCPW_KIND_ARRAY ? "array" : "value";
}

static mcpw_type handle_of(const mcpw_revision *v, mcpw_ref ref) {
    const unsigned name = ref.kind == MCPW_KIND_ENUM    ? v->enums[ref.index].name
                          : ref.kind == MCPW_KIND_UNION ? v->unions[ref.index].name
                                                        : v->structs[ref.index].name;
    const mcpw_type type = {v, MCPW_TYPE_NAME(v, name), ref, (uint32_t)mcpw_size_of(v, ref)};
    return type;
}

bool mcpw_project_unsayable(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    char room[MCPW_EXCERPT_SIZE];
    const char *const name = name_of(p, source, room);
    if (p->options.substitute != NULL) {
        const mcpw_type target = handle_of(p->to.revision, to);
        mcpw_error place;
        mcpw_json value;
        mcpw_json text = {NULL, 0, 0};
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
    return mcpw_project_fail(p, MCPW_E_PROJECTION, "%s cannot be expressed in revision %s", name,
                             p->to.revision->name);
}

/* No alternative can take the value. A list of one is its item where the target takes no list. */
static bool no_alternative(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const bool is_array = source->ref.kind == MCPW_KIND_ARRAY;
    const mcpw_list l = is_array ? mcpw_load_list(source->at) : (mcpw_list){NULL, 0};
    if (l.items == NULL || l.count != 1) {
        return mcpw_project_unsayable(p, source, to, out);
    }
    mcpw_frame frame = {p->frame, NULL, 0, 0};
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
    mcpw_frame *frame;
    mcpw_told *told;
    unsigned depth;
    bool saw_unknown;
} checkpoint;

static checkpoint save(const mcpw_projector *p) {
    const checkpoint c = {mcpw_arena_mark(p->arena), p->frame, p->last_told, p->depth, p->saw_unknown};
    return c;
}

static void restore(mcpw_projector *p, const checkpoint *c, unsigned char *out, size_t size) {
    mcpw_arena_rewind(p->arena, c->mark);
    memset(out, 0, size);
    p->frame = c->frame;
    p->last_told = c->told;
    *(c->told != NULL ? &c->told->next : &p->first_told) = NULL;
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

/* Tries the others until one succeeds. Their errors are not reported. */
static bool try_others(mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
                       const mcpw_choice *choice, const checkpoint *before, unsigned char *out) {
    const mcpw_revision *const revision = p->to.revision;
    mcpw_error *const error = p->error;
    bool done = false;
    p->error = NULL;
    for (unsigned i = mcpw_choose_other(revision, u, choice, 0); i != MCPW_NO_INDEX && !done && may_retry(p);
         i = mcpw_choose_other(revision, u, choice, i + 1)) {
        if (mcpw_project_is_counterpart(p, source, u, i)) {
            restore(p, before, out, u->size);
            done = try_alternative(p, source, u, i, out);
        }
    }
    p->error = error;
    return done;
}

/* Tries the first alternative and, when that fails, the others. The first error is the one that stands,
 * unless the first was but a guess. */
static bool try_all(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, const mcpw_choice *choice,
                    unsigned char *out) {
    const mcpw_union *const u = p->to.revision->unions + to.index;
    const checkpoint before = save(p);
    mcpw_error *const error = p->error;
    p->error = choice->guessed ? NULL : error;
    bool done = try_alternative(p, source, u, choice->first, out);
    p->error = error;
    const mcpw_status status = p->status;
    const bool misfit = p->misfit;
    if (!done && !choice->guessed && !may_retry(p)) {
        return false;
    }
    if (done || try_others(p, source, u, choice, &before, out)) {
        return true;
    }
    const bool hopeless = !may_retry(p);
    restore(p, &before, out, u->size);
    if (hopeless) {
        return mcpw_project_fail(p, p->status, "%s", mcpw_status_text(p->status));
    }
    if (choice->guessed) {
        return mcpw_project_unsayable(p, source, to, out);
    }
    p->status = status;
    p->misfit = misfit;
    return false;
}

/* A value of which the target's schema demands more than its tables say: that is looked at in its text. */
MCPW_COLD static bool project_demanded(mcpw_projector *p, const mcpw_source *source, mcpw_ref to,
                                       unsigned char *out) {
    const mcpw_union *const u = p->to.revision->unions + to.index;
    return try_alternative(p, source, u, 0, out) && mcpw_project_meets(p, to, out);
}

bool mcpw_project_union(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    const mcpw_union *const u = p->to.revision->unions + to.index;
    if (mcpw_is_raw(source->ref)) {
        return mcpw_project_read(p, mcpw_load_json(source->at), source->unknown || p->allow_unknown, to, out);
    }
    if (MCPW_UNLIKELY(mcpw_is_demanded(u))) {
        return project_demanded(p, source, to, out);
    }
    const mcpw_choice choice = mcpw_choose_value(p, source, u);
    if (MCPW_UNLIKELY(choice.first == MCPW_NO_INDEX ||
                      !mcpw_project_is_counterpart(p, source, u, choice.first))) {
        return no_alternative(p, source, to, out);
    }
    return MCPW_LIKELY(choice.alone) ? try_alternative(p, source, u, choice.first, out)
                                     : try_all(p, source, to, &choice, out);
}
