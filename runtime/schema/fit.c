/* SPDX-License-Identifier: MIT */
/* A value against a shape. */
#include <mcpw/error.h>

#include "fit.h"

#include "multiple.h"

#include <string.h>

static MCPW_NOINLINE bool is_integer(mcpw_checking *c, uint32_t types, const mcpw_spot *spot) {
    enum { DIGITS_A_STEP = 16 };
    return mcpw_pay(c, c->tape->nodes[spot->node].size / DIGITS_A_STEP) && (types & MCPW_IS_WHOLE) != 0 &&
           c->tape->nodes[spot->node].type == MCPW_IS_NUMBER &&
           mcpw_is_integral(mcpw_tape_text(c->tape, spot->node));
}

/* ---- shapes ---- */

static bool row_fits(mcpw_checking *c, const mcpw_shape *s, const mcpw_spot *spot) {
    const mcpw_schema *const schema = c->schema;
    switch (c->tape->nodes[spot->node].type) {
    case MCPW_IS_OBJECT:
        return s->object == 0 || mcpw_object_fits(c, schema->object_rows + s->object, spot);
    case MCPW_IS_ARRAY:
        return s->array == 0 || mcpw_array_fits(c, schema->array_rows + s->array, spot);
    case MCPW_IS_STRING:
        return s->string == 0 || mcpw_string_fits(c, schema->string_rows + s->string, spot);
    case MCPW_IS_WHOLE:
    case MCPW_IS_NUMBER:
        return s->number == 0 || mcpw_number_fits(c, schema->number_rows + s->number, spot);
    default:
        return true;
    }
}

static bool parts_fit(mcpw_checking *c, const mcpw_shape *s, const mcpw_spot *spot) {
    bool fits = row_fits(c, s, spot);
    const mcpw_step *step = c->schema->steps + s->steps.first;
    const mcpw_step *const end = step + s->steps.count;
    for (; step < end && (fits || c->goes_on); step++) {
        fits = mcpw_step_fits(c, step, spot) && fits;
    }
    return fits;
}

/* The same with marks of its own, as it asks what is left. */
static bool tracked_parts_fit(mcpw_checking *c, const mcpw_shape *s, const mcpw_spot *spot) {
    const mcpw_mark mark = mcpw_arena_mark(c->comparer.scratch);
    mcpw_marks marks;
    mcpw_spot inner = *spot;
    bool fits = mcpw_marks_open(c, &marks, c->tape->nodes[spot->node].size);
    if (fits) {
        inner.marks = &marks;
        fits = parts_fit(c, s, &inner);
    }
    if (fits && spot->marks != NULL) {
        mcpw_marks_join(spot->marks, &marks);
    }
    mcpw_arena_rewind(c->comparer.scratch, mark);
    return fits;
}

/* The same inside its resource, for dynamic references. */
static bool scoped_parts_fit(mcpw_checking *c, const mcpw_shape *s, const mcpw_spot *spot, bool tracks) {
    const mcpw_scope *const outer = c->scope;
    const mcpw_scope scope = {outer, s->resource};
    if (outer == NULL || outer->resource != s->resource) {
        c->scope = &scope;
    }
    const bool fits = tracks ? tracked_parts_fit(c, s, spot) : parts_fit(c, s, spot);
    c->scope = outer;
    return fits;
}

bool mcpw_fits(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot) {
    const mcpw_shape *const s = c->schema->shapes + shape;
    const uint32_t type = c->tape->nodes[spot->node].type;
    bool fits = true;
    if (shape == MCPW_SHAPE_TRUE) {
        return true;
    }
    if (MCPW_UNLIKELY(!mcpw_pay(c, 1))) {
        return false;
    }
    if (MCPW_UNLIKELY((s->types & type) == 0) && !is_integer(c, s->types, spot)) {
        fits = mcpw_refuse_type(c, s->types, spot);
        if (!c->goes_on) {
            return false;
        }
    }
    if (MCPW_UNLIKELY(c->depth == 0)) {
        return mcpw_give_up(c, spot, MCPW_E_DEPTH);
    }
    c->depth--;
    const bool tracks = (s->tracks & type) != 0;
    if (MCPW_UNLIKELY(c->schema->dynamic_count != 0)) {
        fits = scoped_parts_fit(c, s, spot, tracks) && fits;
    } else {
        fits = (MCPW_UNLIKELY(tracks) ? tracked_parts_fit(c, s, spot) : parts_fit(c, s, spot)) && fits;
    }
    c->depth++;
    return fits;
}

bool mcpw_fits_quietly(mcpw_checking *c, uint32_t shape, const mcpw_spot *spot) {
    const bool quiet = c->quiet;
    const bool goes_on = c->goes_on;
    c->quiet = true;
    c->goes_on = false;
    const bool fits = mcpw_fits(c, shape, spot);
    c->quiet = quiet;
    c->goes_on = goes_on && !c->stopped;
    return fits && !c->stopped;
}
