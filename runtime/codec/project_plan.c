/* SPDX-License-Identifier: MIT */
/*
 * Plans: what projection works out from the tables alone, done once. A plan is a fast way: it has steps for
 * values as most are, and gives up at everything else; projection itself (project.c) is never wrong about it.
 */
#include <mcpw/detail/generated.h>
#include <mcpw/detail/plan.h>
#include <mcpw/detail/reflect.h>

#include "../base/arena_internal.h"
#include "project_internal.h"

typedef enum step_kind {
    STEP_NEVER,  /* goes by no plan */
    STEP_ABSENT, /* goes by the plan where it is not there */
    STEP_BARE,   /* a struct that goes by the plan where it has no members that its type does not name */
    STEP_COPY,   /* the same bytes */
    STEP_OBJECT, /* the same bytes, if they are a JSON object */
    STEP_FINITE, /* the same bytes, if they are a finite number */
    STEP_ENUM,   /* the same bytes, if they are one of the first values */
    STEP_STRUCT,
    STEP_ARRAY,
    STEP_UNION,
    STEP_GIVEN, /* bytes of the plan; nothing of the source */
    STEP_MADE   /* the struct that is made of values; nothing of the source */
} step_kind;

/* The projection of one value. */
typedef struct step {
    uint8_t kind;
    bool required;       /* where it is not there the plan ends */
    mcpw_ref ref;        /* of the source */
    uint16_t from;       /* offset in the source */
    uint16_t to;         /* offset in the target */
    uint16_t size;       /* bytes to copy; of an enum: the values that both have; of STEP_BARE: an offset */
    bool allocates;      /* the target has a pointer to it */
    const void *further; /* a part, list or alternatives; the bytes that are given */
} step;

/* A struct of the source that becomes one of the target. */
typedef struct part {
    const struct part *next;
    const mcpw_struct *from;
    const mcpw_struct *to;
    step *steps;
    uint16_t count;
    uint16_t extra;  /* where the source has members that its type does not name, or MCPW_NO_OFFSET */
    bool takes_made; /* what the source lacks is in the struct that is made */
} part;

typedef struct list {
    step item;
    uint16_t from_size;
    uint16_t to_size;
} list;

typedef struct alternative {
    int32_t kind; /* in the target */
    step value;
} alternative;

typedef struct alternatives {
    uint16_t from; /* offset of the alternative */
    uint16_t to;
    uint16_t count;
    alternative *items; /* by the source's kind less 1 */
} alternatives;

struct mcpw_plan {
    const part *root;
    const part *parts; /* all of them, for plans like this one */
    mcpw_type needs;   /* of the made struct; its revision is NULL: none */
    const mcpw_revision *from;
};

/* ---- Making ---- */

typedef struct planner {
    const mcpw_plan_options *options;
    mcpw_projector p; /* chooses alternatives */
    mcpw_plan *plan;
    bool failed; /* no memory */
} planner;

static void *room(planner *b, size_t size) {
    void *const at = mcpw_arena_alloc(b->p.arena, size);
    b->failed = b->failed || at == NULL;
    return at != NULL ? memset(at, 0, size) : NULL;
}

static step plan_value(planner *b, mcpw_ref from, mcpw_ref to);

static const mcpw_member *value_named(const planner *b, mcpw_str name) {
    const mcpw_members values = b->options->values;
    for (size_t i = 0; i < values.count; i++) {
        if (mcpw_str_equal(values.items[i].name, name)) {
            return values.items + i;
        }
    }
    return NULL;
}

static mcpw_str name_of(const mcpw_tables *of, const mcpw_row *row) {
    return mcpw_row_name(of->revision, of->pool, row);
}

/* Whether the one struct of a plan that is made of values is this one; the first that is wanted is. */
static bool can_be_made(planner *b, uint16_t index) {
    mcpw_type *const needs = &b->plan->needs;
    const mcpw_ref ref = {MCPW_KIND_STRUCT, 0, index};
    if (needs->revision == NULL) {
        const mcpw_struct *const s = b->p.to.revision->structs + index;
        *needs = (mcpw_type){b->p.to.revision, "", ref, s->size};
    }
    return needs->ref.index == index;
}

static void add_step(part *of, step s) { of->steps[of->count++] = s; }

/* A member that no member of the source becomes. */
static void plan_missing(planner *b, part *of, const mcpw_row *row, bool required) {
    const mcpw_ref ref = mcpw_row_value(b->p.to.revision, row);
    const mcpw_member *const value = value_named(b, name_of(&b->p.to, row));
    step s = {.kind = STEP_NEVER, .to = row->offset, .size = (uint16_t)mcpw_size_of(b->p.to.revision, ref)};
    if (value != NULL && value->value.ptr == NULL) { /* no step: the made struct has it */
        of->takes_made = can_be_made(b, (uint16_t)(of->to - b->p.to.revision->structs));
        if (of->takes_made) {
            return;
        }
    } else if (value != NULL && !mcpw_is_raw(ref)) {
        unsigned char *const bytes = room(b, s.size);
        const bool read = bytes != NULL && mcpw_project_read(&b->p, value->value, false, ref, bytes);
        s.kind = read ? STEP_GIVEN : STEP_NEVER;
        s.further = bytes;
    } else if (required && ref.kind == MCPW_KIND_STRUCT && can_be_made(b, ref.index)) {
        s.kind = STEP_MADE;
    }
    add_step(of, s);
}

/* Optional members that the values name: who takes one value takes them all. */
static void plan_taken(planner *b, part *of, mcpw_row_set done) {
    for (unsigned i = 0; i < of->to->count; i++) {
        const mcpw_row *const row = b->p.to.rows + of->to->first + i;
        if (mcpw_row_required(of->to, row) || value_named(b, name_of(&b->p.to, row)) == NULL) {
            continue;
        }
        if ((done >> i & 1U) == 0) {
            plan_missing(b, of, row, false);
        }
        for (unsigned at = 0; at < of->count; at++) { /* where the source lacks it: not by the plan */
            of->steps[at].required = of->steps[at].required || of->steps[at].to == row->offset;
        }
    }
}

/* The members that the target requires and the source's type lacks. */
static void plan_required(planner *b, part *of, mcpw_row_set done) {
    const mcpw_row_set absent = mcpw_required_rows(b->p.to.revision, of->to) & (mcpw_row_set)~done;
    bool takes = false;
    for (unsigned i = 0; i < of->to->count; i++) {
        const mcpw_row *const row = b->p.to.rows + of->to->first + i;
        if ((absent >> i & 1U) != 0 && mcpw_row_value(b->p.to.revision, row).kind != MCPW_KIND_CONST) {
            plan_missing(b, of, row, true);
            takes = true;
        }
    }
    if (takes) {
        plan_taken(b, of, done);
    }
}

/* Whether a struct of the target keeps any member that it does not name. */
static bool is_keeping(const planner *b, const mcpw_struct *to) {
    return mcpw_extra_offset(b->p.to.revision, to) != MCPW_NO_OFFSET &&
           mcpw_extra_value(b->p.to.revision, to).kind == MCPW_KIND_JSON;
}

/* A member that the target keeps as text: the plan goes on where nothing of it is to be kept. */
static step plan_kept(const planner *b, mcpw_ref ref) {
    step s = {.kind = STEP_ABSENT, .ref = ref};
    if (mcpw_base_kind(ref) == MCPW_KIND_STRUCT) {
        s.kind = STEP_BARE;
        s.size = (uint16_t)mcpw_extra_offset(b->p.from.revision, b->p.from.revision->structs + ref.index);
    }
    return s;
}

static void plan_row(planner *b, part *of, const mcpw_row *row, bool root, mcpw_row_set *done) {
    const mcpw_plan_options *const o = b->options;
    const mcpw_str name = name_of(&b->p.from, row);
    const mcpw_row *const target = mcpw_find_row(b->p.to.revision, of->to, name.ptr, name.len);
    const mcpw_ref ref = mcpw_row_value(b->p.from.revision, row);
    step s = {.kind = STEP_ABSENT, .ref = ref};
    if (target != NULL) {
        s = plan_value(b, ref, mcpw_row_value(b->p.to.revision, target));
        s.to = target->offset;
        s.required = mcpw_row_required(of->to, target);
        *done |= (mcpw_row_set)1 << mcpw_row_bit(b->p.to.revision, of->to, target);
    } else if (o->is_silent != NULL) {
        const mcpw_str text = mcpw_arena_str(b->p.arena, name.ptr, name.len); /* with a NUL */
        b->failed = b->failed || text.ptr == NULL;
        if (text.ptr != NULL && o->is_silent(o->user, text.ptr, root)) {
            if (o->kept == NULL || strcmp(o->kept, text.ptr) != 0 || !is_keeping(b, of->to)) {
                return;
            }
            s = plan_kept(b, ref);
        }
    }
    s.from = row->offset;
    if (s.size != 0 || s.kind != STEP_COPY) {
        add_step(of, s);
    }
}

static const part *plan_part(planner *b, uint16_t from, uint16_t to, bool root) {
    const mcpw_struct *const source = b->p.from.revision->structs + from;
    const mcpw_struct *const target = b->p.to.revision->structs + to;
    for (const part *known = b->plan->parts; known != NULL && !root; known = known->next) {
        if (known->from == source && known->to == target) {
            return known;
        }
    }
    part *const made = room(b, sizeof *made);
    step *const steps = room(b, (source->count + (size_t)target->count) * sizeof *steps);
    if (made == NULL || steps == NULL) {
        return NULL;
    }
    made->from = source;
    made->to = target;
    made->steps = steps;
    made->extra = (uint16_t)mcpw_extra_offset(b->p.from.revision, source);
    if (!root) { /* known before its members are looked at: they may be of this type, too */
        made->next = b->plan->parts;
        b->plan->parts = made;
    }
    mcpw_row_set done = 0;
    for (unsigned i = 0; i < source->count; i++) {
        plan_row(b, made, b->p.from.rows + source->first + i, root, &done);
    }
    plan_required(b, made, done);
    return made;
}

/* Whether the alternatives of a union are told apart by one member, which is a constant in this struct. */
static bool has_tag(const planner *b, const mcpw_union *u, const mcpw_struct *s) {
    if ((u->flags & MCPW_UNION_ONE_KEY) == 0 || u->test_count == 0) {
        return false;
    }
    const mcpw_str key = mcpw_test_key(b->p.to.pool, b->p.to.revision->tests + u->tests);
    const mcpw_row *const row = mcpw_find_row(b->p.from.revision, s, key.ptr, key.len);
    return row != NULL && mcpw_row_value(b->p.from.revision, row).kind == MCPW_KIND_CONST;
}

/* The alternative of the target for a struct of the source, whatever its other members hold. */
static alternative plan_alternative(planner *b, const mcpw_union *from, unsigned number,
                                    const mcpw_union *to) {
    alternative a = {0, {.kind = STEP_NEVER}};
    const mcpw_ref ref = mcpw_alternative_value(b->p.from.revision, b->p.from.revision->alternatives +
                                                                        from->alternatives + number);
    const mcpw_struct *const s = b->p.from.revision->structs + ref.index;
    if (mcpw_base_kind(ref) != MCPW_KIND_STRUCT || !has_tag(b, to, s)) {
        return a;
    }
    const unsigned char *const blank = room(b, s->size);
    const mcpw_source source = {mcpw_plain_ref(ref), blank, from, number, false};
    const mcpw_choice choice =
        blank != NULL ? mcpw_choose_value(&b->p, &source, to) : (mcpw_choice){.first = MCPW_NO_INDEX};
    if (choice.first != MCPW_NO_INDEX && choice.alone && !choice.guessed &&
        mcpw_project_is_counterpart(&b->p, &source, to, choice.first)) {
        a.kind = (int32_t)choice.first + 1;
        a.value = plan_value(b, ref,
                             mcpw_alternative_value(b->p.to.revision, b->p.to.revision->alternatives +
                                                                          to->alternatives + choice.first));
        a.value.required = true;
    }
    return a;
}

static const alternatives *plan_union(planner *b, uint16_t from, uint16_t to) {
    const mcpw_union *const source = b->p.from.revision->unions + from;
    const mcpw_union *const target = b->p.to.revision->unions + to;
    alternatives *const all = room(b, sizeof *all);
    alternative *const items = room(b, source->alternative_count * sizeof *items);
    if (all == NULL || items == NULL || ((source->flags | target->flags) & MCPW_UNION_BARE) != 0) {
        return NULL;
    }
    *all = (alternatives){source->as_offset, target->as_offset, source->alternative_count, items};
    for (unsigned i = 0; i < source->alternative_count; i++) {
        items[i] = plan_alternative(b, source, i, target);
    }
    return all;
}

static const list *plan_list(planner *b, uint16_t from, uint16_t to) {
    const mcpw_array *const source = b->p.from.revision->arrays + from;
    const mcpw_array *const target = b->p.to.revision->arrays + to;
    list *const made = room(b, sizeof *made);
    if (made != NULL) {
        *made = (list){plan_value(b, source->item, target->item), source->item_size, target->item_size};
        made->item.required = true;
    }
    return made;
}

/* How many values, from the first on, two enums have alike. */
static uint16_t alike(const planner *b, uint16_t from, uint16_t to) {
    const mcpw_revision *const target = b->p.to.revision;
    uint16_t count = 0;
    while (count < b->p.from.revision->enums[from].count && count < target->enums[to].count &&
           mcpw_str_equal(mcpw_enum_text(b->p.from.revision, from, count + 1),
                          mcpw_enum_text(target, to, count + 1))) {
        count++;
    }
    return count;
}

static bool same_const(const planner *b, uint16_t from, uint16_t to) {
    const mcpw_json one = mcpw_const_text(b->p.from.pool, b->p.from.revision->consts + from);
    const mcpw_json other = mcpw_const_text(b->p.to.pool, b->p.to.revision->consts + to);
    return one.len == other.len && memcmp(one.ptr, other.ptr, one.len) == 0;
}

/* The step for a value that is copied where both revisions have it as the same kind. */
static step_kind copying(const planner *b, mcpw_ref from, mcpw_ref to) {
    switch (to.kind) {
    case MCPW_KIND_STRING:
    case MCPW_KIND_JSON:
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_OPT_INTEGER:
    case MCPW_KIND_BOOLEAN:
    case MCPW_KIND_OPT_BOOLEAN:
    case MCPW_KIND_ID:
        return STEP_COPY;
    case MCPW_KIND_JSON_OBJECT:
        return STEP_OBJECT;
    case MCPW_KIND_NUMBER:
    case MCPW_KIND_OPT_NUMBER:
        return STEP_FINITE;
    case MCPW_KIND_ENUM:
        return STEP_ENUM;
    case MCPW_KIND_CONST:
    case MCPW_KIND_OPT_CONST:
        return same_const(b, from.index, to.index) ? STEP_COPY : STEP_ABSENT;
    default:
        return STEP_ABSENT;
    }
}

static step plan_value(planner *b, mcpw_ref from, mcpw_ref to) {
    const mcpw_kind base = mcpw_base_kind(to);
    step s = {.kind = STEP_ABSENT, .ref = from};
    if (base != mcpw_base_kind(from) || mcpw_has_bounds(b->p.to.revision, to.check)) {
        return s;
    }
    if (base == MCPW_KIND_STRUCT) {
        s.kind = STEP_STRUCT;
        s.allocates = mcpw_is_pointer(to);
        s.further = plan_part(b, from.index, to.index, false);
    } else if (base == MCPW_KIND_UNION && from.kind == base && to.kind == base) {
        s.further = plan_union(b, from.index, to.index);
        s.kind = s.further != NULL ? STEP_UNION : STEP_ABSENT;
    } else if (base == MCPW_KIND_ARRAY) {
        s.kind = STEP_ARRAY;
        s.further = plan_list(b, from.index, to.index);
    } else if (from.kind == to.kind) {
        s.kind = (uint8_t)copying(b, from, to);
        s.size = s.kind == STEP_ENUM ? alike(b, from.index, to.index)
                                     : (uint16_t)mcpw_size_of(b->p.to.revision, to);
    }
    return s;
}

mcpw_status mcpw_plan_make(const mcpw_type *from, const mcpw_type *to, const mcpw_plan_options *options,
                           mcpw_arena *arena, const mcpw_plan **out) {
    static const mcpw_plan_options defaults = {0};
    planner b;
    *out = NULL;
    if (from == NULL || to == NULL || from->ref.kind != MCPW_KIND_STRUCT ||
        to->ref.kind != MCPW_KIND_STRUCT || from->revision == to->revision || arena == NULL) {
        return MCPW_E_ARGUMENT;
    }
    memset(&b, 0, sizeof b);
    b.options = options != NULL ? options : &defaults;
    mcpw_project_begin(&b.p, from->revision, to->revision, arena, NULL, NULL);
    b.plan = room(&b, sizeof *b.plan);
    if (b.plan == NULL) {
        return arena->status;
    }
    if (b.options->like != NULL) {
        b.plan->parts = b.options->like->parts;
        b.plan->needs = b.options->like->needs;
    }
    b.plan->root = plan_part(&b, from->ref.index, to->ref.index, true);
    b.plan->from = from->revision;
    *out = b.failed ? NULL : b.plan;
    return b.failed ? MCPW_E_MEMORY : MCPW_OK;
}

const mcpw_type *mcpw_plan_needs(const mcpw_plan *plan) {
    return plan->needs.revision != NULL ? &plan->needs : NULL;
}

/* ---- Following ---- */

typedef struct follower {
    const mcpw_revision *from;
    mcpw_arena *arena;
    const void *made; /* NULL: there is none */
    unsigned depth;   /* levels that may still be opened: what a program has built may contain itself */
} follower;

static bool follow(follower *f, const step *s, const unsigned char *at, unsigned char *out);

static bool follow_part(follower *f, const part *of, const unsigned char *at, unsigned char *out) {
    if (of->extra != MCPW_NO_OFFSET && mcpw_load_list(at + of->extra).count != 0) {
        return false;
    }
    if (!of->takes_made) {
        memset(out, 0, of->to->size);
    } else if (f->made != NULL) {
        memcpy(out, f->made, of->to->size);
    } else {
        return false;
    }
    for (const step *s = of->steps, *const end = s + of->count; s < end; s++) {
        if (!follow(f, s, at + s->from, out + s->to)) {
            return false;
        }
    }
    return true;
}

MCPW_NOINLINE static bool follow_struct(follower *f, const step *s, const unsigned char *at,
                                        unsigned char *out) {
    const part *const of = s->further;
    if (s->allocates) {
        unsigned char *const target = mcpw_arena_bump(f->arena, of->to->size);
        memcpy(out, &target, sizeof target);
        out = target;
    }
    if (out == NULL || f->depth == 0) {
        return false;
    }
    f->depth--;
    const bool done = follow_part(f, of, mcpw_plain_value(s->ref, at), out);
    f->depth++;
    return done;
}

MCPW_NOINLINE static bool follow_union(follower *f, const step *s, const unsigned char *at,
                                       unsigned char *out) {
    const alternatives *const all = s->further;
    const int32_t kind = mcpw_load_kind(at);
    if (kind < 1 || kind > all->count) {
        return false;
    }
    const alternative *const a = all->items + (kind - 1);
    memcpy(out, &a->kind, sizeof a->kind);
    return follow(f, &a->value, at + all->from, out + all->to);
}

MCPW_NOINLINE static bool follow_list(follower *f, const step *s, const unsigned char *at,
                                      unsigned char *out) {
    const list *const of = s->further;
    const mcpw_list l = mcpw_load_list(at);
    if (l.items == NULL || f->depth == 0 || l.count > SIZE_MAX / of->to_size) {
        return false;
    }
    unsigned char *const items = mcpw_arena_bump(f->arena, l.count * of->to_size);
    if (items == NULL) {
        return false;
    }
    memset(items, 0, l.count * of->to_size);
    f->depth--;
    for (size_t i = 0; i < l.count; i++) {
        if (!follow(f, &of->item, l.items + i * of->from_size, items + i * of->to_size)) {
            return false;
        }
    }
    f->depth++;
    memcpy(out, &items, sizeof items);
    memcpy(out + sizeof items, &l.count, sizeof l.count);
    return true;
}

/* A struct that is required and not there is the one that is made. */
static bool take_made(const follower *f, const step *s, unsigned char *out) {
    const part *const of = s->kind == STEP_STRUCT && !s->allocates ? s->further : NULL;
    const bool can = of != NULL && of->takes_made && f->made != NULL;
    if (can) {
        memcpy(out, f->made, of->to->size);
    }
    return can;
}

/* Runs a step that reads nothing of the source. */
static bool put(const follower *f, const step *s, unsigned char *out) {
    const void *const bytes = s->kind == STEP_GIVEN ? s->further : s->kind == STEP_MADE ? f->made : NULL;
    if (bytes != NULL) {
        memcpy(out, bytes, s->size);
    }
    return bytes != NULL;
}

/* Most steps end here at once: what is nested is followed by functions of their own. */
static bool follow(follower *f, const step *s, const unsigned char *at, unsigned char *out) {
    if (!mcpw_is_present(f->from, s->ref, at)) {
        return !s->required || take_made(f, s, out);
    }
    switch ((step_kind)s->kind) {
    case STEP_COPY:
        memcpy(out, at, s->size);
        return true;
    case STEP_OBJECT:
        memcpy(out, at, sizeof(mcpw_json));
        return mcpw_load_json(at).len != 0 && *mcpw_load_json(at).ptr == '{';
    case STEP_FINITE: {
        const double number = *(const double *)(const void *)mcpw_plain_value(s->ref, at);
        memcpy(out, at, s->size);
        return number - number == 0;
    }
    case STEP_ENUM:
        memcpy(out, at, sizeof(int32_t));
        return mcpw_load_kind(at) >= 1 && mcpw_load_kind(at) <= s->size;
    case STEP_BARE:
        return s->size == MCPW_NO_OFFSET ||
               mcpw_load_list((const unsigned char *)mcpw_plain_value(s->ref, at) + s->size).count == 0;
    case STEP_STRUCT:
        return follow_struct(f, s, at, out);
    case STEP_ARRAY:
        return follow_list(f, s, at, out);
    case STEP_UNION:
        return follow_union(f, s, at, out);
    case STEP_GIVEN:
    case STEP_MADE:
    case STEP_NEVER:
    case STEP_ABSENT: /* but it is there */
    default:
        return put(f, s, out);
    }
}

bool mcpw_plan_follow(const mcpw_plan *plan, const void *value, const void *made, mcpw_arena *arena,
                      const void **out) {
    follower f = {plan->from, arena, made, MCPW_DEFAULT_DEPTH};
    const mcpw_mark mark = mcpw_arena_mark(arena);
    unsigned char *const target = mcpw_arena_bump(arena, plan->root->to->size);
    *out = NULL;
    if (target == NULL || !follow_part(&f, plan->root, value, target)) {
        mcpw_arena_rewind(arena, mark);
        return false;
    }
    *out = target;
    return true;
}
