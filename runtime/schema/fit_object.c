/* SPDX-License-Identifier: MIT */
/* Objects against their rows. */
#include "fit.h"

enum { WORD = 64 /* bits */, NAMES_A_STEP = 8 };

/* An object that is looked at. */
typedef struct object {
    const mcpw_object_row *row;
    const mcpw_spot *spot;
    uint64_t *present; /* bits of the names that somebody asks for */
} object;

static void set_bit(object *o, uint32_t bit) { o->present[bit / WORD] |= UINT64_C(1) << bit % WORD; }

static bool has_bit(const object *o, uint32_t bit) {
    return (o->present[bit / WORD] >> bit % WORD & 1U) != 0;
}

/* ---- members ---- */

static bool value_fits(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot, uint32_t name) {
    const mcpw_place place = {spot->place, name, 0};
    const mcpw_spot value = {name + 1, &place, NULL};
    if (shape == MCPW_SHAPE_FALSE) {
        const mcpw_spot member = {name, &place, NULL};
        return mcpw_refuse_text(c, &member, MCPW_E_UNEXPECTED, "member '", mcpw_tape_text(c->tape, name),
                                "' is not allowed here");
    }
    return mcpw_fits(c, shape, &value);
}

static bool patterns_fit(mcpw_checking *c, const object *o, uint32_t name, bool *matched) {
    const uint32_t *pair = c->schema->numbers + o->row->patterns.first;
    const uint32_t *const end = pair + 2 * (size_t)o->row->patterns.count;
    bool fits = true;
    for (; pair < end && (fits || c->goes_on); pair += 2) {
        if (mcpw_pattern_fits(c, pair[0], mcpw_tape_text(c->tape, name))) {
            *matched = true;
            fits = value_fits(c, pair[1], o->spot, name) && fits;
        } else if (c->stopped) {
            return false;
        }
    }
    return fits;
}

static bool name_fits(mcpw_checking *c, const object *o, uint32_t name) {
    const mcpw_place place = {o->spot->place, name, 0};
    const mcpw_spot spot = {name, &place, NULL};
    return mcpw_fits(c, o->row->property_names, &spot);
}

static bool member_fits(mcpw_checking *c, object *o, uint32_t name, uint32_t index) {
    const mcpw_object_row *const row = o->row;
    const mcpw_tape_node *const n = c->tape->nodes + name;
    const mcpw_name *const known =
        row->names.count != 0 ? mcpw_find_name(c->schema, row, n->next, c->tape->text + n->at, n->size)
                              : NULL;
    bool matched = false;
    bool fits = true;
    if (known != NULL) {
        if (known->bit != MCPW_NO_BIT) {
            set_bit(o, known->bit);
        }
        if (known->shape != MCPW_NO_SHAPE) {
            matched = true;
            fits = known->shape == MCPW_SHAPE_TRUE || value_fits(c, known->shape, o->spot, name);
        }
    }
    if (MCPW_UNLIKELY(row->patterns.count != 0) && (fits || c->goes_on)) {
        fits = patterns_fit(c, o, name, &matched) && fits;
    }
    if (!matched && (fits || c->goes_on)) {
        fits = (row->additional == MCPW_SHAPE_TRUE || value_fits(c, row->additional, o->spot, name)) && fits;
        matched = row->says_additional != 0;
    }
    if (MCPW_UNLIKELY(row->property_names != MCPW_SHAPE_TRUE) && (fits || c->goes_on)) {
        fits = name_fits(c, o, name) && fits;
    }
    if (o->spot->marks != NULL && matched) {
        mcpw_mark_set(o->spot->marks, index);
    }
    return fits;
}

/* Whether names and shapes are all that the row asks of members. */
static bool is_plain(const object *o) {
    const mcpw_object_row *const row = o->row;
    return row->patterns.count == 0 && row->property_names == MCPW_SHAPE_TRUE && o->spot->marks == NULL &&
           row->names.count != 0;
}

/* Members of such an object: what most schemas say is looked at here. */
static bool plain_members_fit(mcpw_checking *c, object *o) {
    const mcpw_object_row *const row = o->row;
    const mcpw_tape_node *const nodes = c->tape->nodes;
    const uint32_t end = nodes[o->spot->node].next;
    bool fits = mcpw_pay(c, 2 * (uint64_t)nodes[o->spot->node].size);
    for (uint32_t i = o->spot->node + 1; i < end && (fits || c->goes_on);
         i = mcpw_tape_after(c->tape, i + 1)) {
        const mcpw_tape_node *const n = nodes + i;
        const mcpw_name *const known =
            mcpw_find_name(c->schema, row, n->next, c->tape->text + n->at, n->size);
        uint32_t shape = row->additional;
        if (known != NULL) {
            if (known->bit != MCPW_NO_BIT) {
                set_bit(o, known->bit);
            }
            shape = known->shape != MCPW_NO_SHAPE ? known->shape : shape;
        }
        if (shape != MCPW_SHAPE_TRUE && !mcpw_leaf_fits(c->schema, shape, n + 1)) {
            fits = value_fits(c, shape, o->spot, i) && fits;
        }
    }
    return fits;
}

static bool members_fit(mcpw_checking *c, object *o) {
    const uint32_t end = c->tape->nodes[o->spot->node].next;
    bool fits = true;
    uint32_t index = 0;
    for (uint32_t i = o->spot->node + 1; i < end && (fits || c->goes_on);
         i = mcpw_tape_after(c->tape, i + 1), index++) {
        if (MCPW_UNLIKELY(!mcpw_pay(c, 1))) {
            return false;
        }
        fits = member_fits(c, o, i, index) && fits;
    }
    return fits;
}

/* ---- what has to be there ---- */

static bool refuse_missing(mcpw_checking *c, const object *o, const mcpw_name *name, const char *why) {
    return mcpw_refuse_text(c, o->spot, MCPW_E_MISSING, "required member '",
                            mcpw_pool_text(c->schema, name->text), why);
}

static MCPW_COLD bool refuse_required(mcpw_checking *c, const object *o) {
    const mcpw_name *name = c->schema->names + o->row->names.first;
    const mcpw_name *const end = name + o->row->names.count;
    if (c->quiet || !mcpw_pay(c, o->row->names.count / NAMES_A_STEP)) {
        return false;
    }
    for (bool first = true; name < end && (first || c->goes_on); name++) {
        if (name->bit < o->row->required && !has_bit(o, name->bit)) {
            first = refuse_missing(c, o, name, "' is missing");
        }
    }
    return false;
}

static bool has_required(const object *o) {
    const uint32_t required = o->row->required;
    for (uint32_t i = 0; i < required / WORD; i++) {
        if (o->present[i] != UINT64_MAX) {
            return false;
        }
    }
    const uint64_t last = (UINT64_C(1) << required % WORD) - 1;
    return last == 0 || (o->present[required / WORD] & last) == last;
}

static bool demands_fit(mcpw_checking *c, const object *o, const mcpw_name *name) {
    const uint32_t *demand = c->schema->numbers + name->demands.first;
    const uint32_t *const end = demand + name->demands.count;
    bool fits = true;
    for (; demand < end && (fits || c->goes_on); demand++) {
        const mcpw_name *const other = c->schema->names + o->row->names.first + *demand;
        if (!has_bit(o, other->bit)) {
            fits = refuse_missing(c, o, other, "' is missing, which another member requires");
        }
    }
    return fits;
}

static bool dependents_fit(mcpw_checking *c, const object *o) {
    const mcpw_name *name = c->schema->names + o->row->names.first;
    const mcpw_name *const end = name + o->row->names.count;
    bool fits = mcpw_pay(c, o->row->names.count / NAMES_A_STEP);
    for (; name < end && (fits || c->goes_on); name++) {
        if (name->bit == MCPW_NO_BIT || !has_bit(o, name->bit)) {
            continue;
        }
        fits = demands_fit(c, o, name) && fits;
        if (name->entails != MCPW_NO_SHAPE && (fits || c->goes_on)) {
            fits = mcpw_fits(c, name->entails, o->spot) && fits;
        }
    }
    return fits;
}

/* ---- */

static bool size_fits(mcpw_checking *c, const object *o) {
    const uint32_t size = c->tape->nodes[o->spot->node].size;
    if (size < o->row->least) {
        return mcpw_refuse_count(c, o->spot, MCPW_E_LENGTH, "object has fewer than ", o->row->least,
                                 " members");
    }
    return size <= o->row->most ||
           mcpw_refuse_count(c, o->spot, MCPW_E_LENGTH, "object has more than ", o->row->most, " members");
}

static bool asks_for_members(const object *o) {
    const mcpw_object_row *const row = o->row;
    return row->names.count != 0 || row->patterns.count != 0 || row->additional != MCPW_SHAPE_TRUE ||
           row->property_names != MCPW_SHAPE_TRUE || (o->spot->marks != NULL && row->says_additional != 0);
}

static bool parts_fit(mcpw_checking *c, object *o) {
    bool fits = size_fits(c, o);
    if ((fits || c->goes_on) && asks_for_members(o)) {
        fits = (is_plain(o) ? plain_members_fit(c, o) : members_fit(c, o)) && fits;
    }
    if ((fits || c->goes_on) && !has_required(o)) {
        fits = refuse_required(c, o);
    }
    if (o->row->depends != 0 && (fits || c->goes_on)) {
        fits = dependents_fit(c, o) && fits;
    }
    return fits;
}

bool mcpw_object_fits(mcpw_checking *c, const mcpw_object_row *row, const mcpw_spot *spot) {
    uint64_t word = 0;
    object o = {row, spot, &word};
    if (MCPW_LIKELY(row->bits <= WORD)) {
        return parts_fit(c, &o);
    }
    const mcpw_mark mark = mcpw_arena_mark(c->comparer.scratch);
    mcpw_marks present;
    const bool fits =
        mcpw_marks_open(c, &present, row->bits) && (o.present = present.words, parts_fit(c, &o));
    mcpw_arena_rewind(c->comparer.scratch, mark);
    return fits;
}
