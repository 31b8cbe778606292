/* SPDX-License-Identifier: MIT */
/* Checks of any value: constants, references, alternatives; and marks of evaluated parts. */
#include "fit.h"

enum { WORD = 64 /* bits */, ITEMS_A_STEP = 4 };

/* ---- marks ---- */

bool mcpw_marks_open(mcpw_checking *c, mcpw_marks *marks, uint32_t count) {
    marks->count = count / WORD + 1;
    marks->words = mcpw_arena_bump(c->comparer.scratch, marks->count * sizeof *marks->words);
    if (marks->words == NULL) {
        return mcpw_give_up(c, NULL, mcpw_arena_status(c->comparer.scratch));
    }
    if (!mcpw_pay(c, marks->count)) {
        return false;
    }
    memset(marks->words, 0, marks->count * sizeof *marks->words);
    return true;
}

void mcpw_marks_join(mcpw_marks *marks, const mcpw_marks *other) {
    for (uint32_t i = 0; i < marks->count; i++) {
        marks->words[i] |= other->words[i];
    }
}

/* Tries a shape; what it marks counts when it fits. */
static bool tries(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot) {
    if (spot->marks == NULL) {
        return mcpw_fits_quietly(c, shape, spot);
    }
    const mcpw_mark mark = mcpw_arena_mark(c->comparer.scratch);
    mcpw_marks marks;
    mcpw_spot inner = *spot;
    inner.marks = &marks;
    const bool fits =
        mcpw_marks_open(c, &marks, c->tape->nodes[spot->node].size) && mcpw_fits_quietly(c, shape, &inner);
    if (fits) {
        mcpw_marks_join(spot->marks, &marks);
    }
    mcpw_arena_rewind(c->comparer.scratch, mark);
    return fits;
}

/* ---- const, enum ---- */

static bool is_constant(mcpw_checking *c, uint32_t constant, const mcpw_spot *spot) {
    const mcpw_tape *const constants = &c->schema->constants;
    const mcpw_tape_node *const want = constants->nodes + constant;
    const mcpw_tape_node *const got = c->tape->nodes + spot->node;
    if (want->type == MCPW_IS_STRING) {
        return got->type == MCPW_IS_STRING && got->size == want->size && mcpw_pay(c, want->size / WORD) &&
               mcpw_same_text(constants->text + want->at, c->tape->text + got->at, want->size);
    }
    const bool equal = mcpw_tape_equal(&c->comparer, constants, constant, c->tape, spot->node);
    return c->comparer.status == MCPW_OK ? equal : mcpw_give_up(c, spot, c->comparer.status);
}

/* A constant as it stands in messages. */
static bool refuse_constant(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const mcpw_str text = mcpw_tape_text(&c->schema->constants, step->a);
    switch (c->schema->constants.nodes[step->a].type) {
    case MCPW_IS_STRING:
        return mcpw_refuse_text(c, spot, MCPW_E_VALUE, "expected '", text, "'");
    case MCPW_IS_OBJECT:
    case MCPW_IS_ARRAY:
        return mcpw_refuse(c, spot, MCPW_E_VALUE, "value is not the one that is allowed");
    default:
        return mcpw_refuse_text(c, spot, MCPW_E_VALUE, "expected ", text, "");
    }
}

/* Adds a word of an enum to a list, as far as there is room. */
static size_t put_word(char *out, size_t len, mcpw_str word, bool quoted) {
    enum { MORE = 8 /* for what stands around it, and a mark after it */ };
    if (len + word.len + MORE >= MCPW_EXCERPT_SIZE) {
        return 0;
    }
    const char *const quote = quoted ? "'" : "";
    if (len != 0) {
        memcpy(out + len, ", ", 2);
        len += 2;
    }
    memcpy(out + len, quote, strlen(quote));
    len += strlen(quote);
    memcpy(out + len, word.ptr, word.len);
    len += word.len;
    memcpy(out + len, quote, strlen(quote));
    return len + strlen(quote);
}

static MCPW_COLD bool refuse_enum(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    char list[MCPW_EXCERPT_SIZE];
    const uint32_t *const nodes = c->schema->numbers + step->a;
    size_t len = 0;
    for (uint32_t i = 0; i < step->b; i++) {
        const uint32_t type = c->schema->constants.nodes[nodes[i]].type;
        const size_t more = (type & MCPW_IS_NESTED) != 0
                                ? 0
                                : put_word(list, len, mcpw_tape_text(&c->schema->constants, nodes[i]),
                                           type == MCPW_IS_STRING);
        if (more == 0) {
            return mcpw_refuse_count(c, spot, MCPW_E_VALUE, "value is none of the ", step->b,
                                     " that are allowed");
        }
        len = more;
    }
    const mcpw_str all = {list, len};
    return mcpw_refuse_text(c, spot, MCPW_E_VALUE, "expected one of ", all, "");
}

static bool enum_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const uint32_t *const nodes = c->schema->numbers + step->a;
    for (uint32_t i = 0; i < step->b && !c->stopped; i++) {
        if (is_constant(c, nodes[i], spot)) {
            return mcpw_pay(c, i / WORD);
        }
    }
    return mcpw_pay(c, step->b / WORD) && refuse_enum(c, step, spot);
}

static bool words_fit(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const mcpw_str text = mcpw_tape_text(c->tape, spot->node);
    const mcpw_span names = {step->a, step->b};
    return (c->tape->nodes[spot->node].type == MCPW_IS_STRING && mcpw_pay(c, text.len / WORD) &&
            mcpw_has_word(c->schema, names, text.ptr, text.len)) ||
           mcpw_refuse_count(c, spot, MCPW_E_VALUE, "value is none of the ", step->b, " that are allowed");
}

/* ---- references ---- */

/* The shape of the outermost resource on the way that has one (2020-12 core, section 8.2.3.2). */
static uint32_t dynamic_shape(mcpw_checking *c, const mcpw_dynamic *d) {
    const uint32_t *const pairs = c->schema->numbers + d->candidates.first;
    uint32_t shape = d->shape;
    for (const mcpw_scope *scope = c->scope; scope != NULL; scope = scope->outer) {
        for (uint32_t i = 0; i < d->candidates.count; i++) {
            if (pairs[2 * (size_t)i] == scope->resource) {
                shape = pairs[2 * (size_t)i + 1];
            }
        }
        if (!mcpw_pay(c, 1 + d->candidates.count / WORD)) {
            return MCPW_SHAPE_FALSE;
        }
    }
    return shape;
}

/* ---- alternatives ---- */

/* The target of a shape that only refers to another. */
static const mcpw_shape *plain_shape(const mcpw_schema *schema, uint32_t shape) {
    const mcpw_shape *s = schema->shapes + shape;
    for (unsigned i = 0; i < WORD && s->types == MCPW_IS_ANYTHING && s->steps.count == 1; i++) {
        const mcpw_step *const step = schema->steps + s->steps.first;
        if (step->kind != MCPW_STEP_REF) {
            break;
        }
        s = schema->shapes + step->a;
    }
    return s;
}

/* None fits. If only one alternative is for values of this type, its errors say more. */
static MCPW_COLD bool refuse_alternatives(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const uint32_t *const shapes = c->schema->numbers + step->a;
    const uint32_t type = c->tape->nodes[spot->node].type;
    uint32_t only = 0;
    unsigned found = 0;
    if (c->quiet || c->stopped) {
        return false;
    }
    for (uint32_t i = 0; i < step->b && found < 2; i++) {
        if ((plain_shape(c->schema, shapes[i])->types & type) != 0) {
            only = shapes[i];
            found++;
        }
    }
    if (found == 1) {
        mcpw_spot again = *spot;
        again.marks = NULL;
        return mcpw_fits(c, only, &again) && mcpw_refuse(c, spot, MCPW_E_UNION, "value fits no alternative");
    }
    return mcpw_refuse_count(c, spot, MCPW_E_UNION, "value fits none of the ", step->b, " alternatives");
}

static bool any_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const uint32_t *const shapes = c->schema->numbers + step->a;
    bool fits = false;
    for (uint32_t i = 0; i < step->b && !c->stopped && (!fits || spot->marks != NULL); i++) {
        fits = tries(c, shapes[i], spot) || fits;
    }
    return fits || refuse_alternatives(c, step, spot);
}

static bool one_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const uint32_t *const shapes = c->schema->numbers + step->a;
    unsigned found = 0;
    for (uint32_t i = 0; i < step->b && !c->stopped && found < 2; i++) {
        found += tries(c, shapes[i], spot);
    }
    if (found > 1) {
        return mcpw_refuse(c, spot, MCPW_E_UNION,
                           "value fits more than one alternative, of which it may fit one");
    }
    return found == 1 || refuse_alternatives(c, step, spot);
}

static bool condition_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    const uint32_t *const shapes = c->schema->numbers + step->a;
    const bool fits = tries(c, shapes[0], spot);
    return !c->stopped && mcpw_fits(c, shapes[fits ? 1 : 2], spot);
}

static bool is_not(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    mcpw_spot inner = *spot;
    inner.marks = NULL;
    const bool fits = mcpw_fits_quietly(c, step->a, &inner);
    return (!fits && !c->stopped) ||
           mcpw_refuse(c, spot, MCPW_E_VALUE, "value is one of those that \"not\" excludes");
}

/* ---- what is unevaluated ---- */

static bool left_fit(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot, bool members) {
    const mcpw_tape_node *const n = c->tape->nodes + spot->node;
    uint32_t node = spot->node + 1;
    bool fits = mcpw_pay(c, n->size / ITEMS_A_STEP);
    if (n->type != (members ? MCPW_IS_OBJECT : MCPW_IS_ARRAY)) {
        return true;
    }
    for (uint32_t i = 0; i < n->size && (fits || c->goes_on); i++) {
        const uint32_t value = members ? node + 1 : node;
        if (!mcpw_mark_is_set(spot->marks, i)) {
            const mcpw_place place = {spot->place, members ? node : 0, i};
            const mcpw_spot inner = {value, &place, NULL};
            mcpw_mark_set(spot->marks, i);
            if (step->a == MCPW_SHAPE_FALSE) {
                fits = mcpw_refuse(c, &inner, MCPW_E_UNEXPECTED,
                                   members ? "member is not allowed here" : "item is not allowed here");
            } else {
                fits = mcpw_fits(c, step->a, &inner) && fits;
            }
        }
        node = mcpw_tape_after(c->tape, value);
    }
    return fits;
}

bool mcpw_step_fits(mcpw_checking *c, const mcpw_step *step, const mcpw_spot *spot) {
    switch ((mcpw_step_kind)step->kind) {
    case MCPW_STEP_CONST:
        return is_constant(c, step->a, spot) || refuse_constant(c, step, spot);
    case MCPW_STEP_ENUM:
        return enum_fits(c, step, spot);
    case MCPW_STEP_WORDS:
        return words_fit(c, step, spot);
    case MCPW_STEP_REF:
        return mcpw_fits(c, step->a, spot);
    case MCPW_STEP_DYNAMIC:
        return mcpw_fits(c, dynamic_shape(c, c->schema->dynamics + step->a), spot);
    case MCPW_STEP_ANY_OF:
        return any_fits(c, step, spot);
    case MCPW_STEP_ONE_OF:
        return one_fits(c, step, spot);
    case MCPW_STEP_NOT:
        return is_not(c, step, spot);
    case MCPW_STEP_IF:
        return condition_fits(c, step, spot);
    case MCPW_STEP_PROPERTIES:
        return left_fit(c, step, spot, true);
    default:
        return left_fit(c, step, spot, false);
    }
}
