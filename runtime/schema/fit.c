/* SPDX-License-Identifier: MIT */
/* A value against a shape. */
#include "fit.h"

#include "multiple.h"

#include <string.h>

/* ---- errors ---- */

/* Builds the path of a place from the inside out. */
static void put_place(const mcpw_checking *c, mcpw_error *error, const mcpw_place *place) {
    for (; place != NULL; place = place->up) {
        if (place->name != 0) {
            const mcpw_str name = mcpw_tape_text(c->tape, place->name);
            mcpw_error_prepend_key(error, name.ptr, name.len);
        } else {
            mcpw_error_prepend_index(error, place->index);
        }
    }
}

/* The record to fill for an error; NULL: nobody wants to know. */
static mcpw_error *begin_error(mcpw_checking *c, mcpw_error *record) {
    return c->on_error != NULL ? record : c->first == MCPW_OK ? c->error : NULL;
}

static size_t offset_of(const mcpw_checking *c, const mcpw_spot *spot) {
    const mcpw_tape_node *const n = c->tape->nodes + spot->node;
    return n->at - (n->type == MCPW_IS_STRING ? 1U : 0U);
}

/* Finishes the record and hands it on. */
static void end_error(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status, mcpw_error *record) {
    if (record != NULL && spot != NULL) {
        put_place(c, record, spot->place);
    }
    if (c->on_error != NULL) {
        if (c->first == MCPW_OK && c->error != NULL) {
            *c->error = *record;
        }
        if (!c->on_error(c->user, record)) {
            c->stopped = true;
            c->goes_on = false;
        }
    }
    if (c->first == MCPW_OK) {
        c->first = status;
    }
}

bool mcpw_give_up(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status) {
    mcpw_error room;
    if (!c->stopped) {
        mcpw_error *const record = begin_error(c, &room);
        c->first = MCPW_OK; /* this tells more than what was found before */
        mcpw_error_text(record, status, spot != NULL ? offset_of(c, spot) : 0, mcpw_status_text(status));
        end_error(c, spot, status, record);
        c->stopped = true;
        c->goes_on = false;
        c->comparer.work = 0;
    }
    return false;
}

bool mcpw_refuse(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status, const char *text) {
    mcpw_error room;
    if (!c->quiet && !c->stopped) {
        mcpw_error *const record = begin_error(c, &room);
        mcpw_error_text(record, status, offset_of(c, spot), text);
        end_error(c, spot, status, record);
    }
    return false;
}

bool mcpw_refuse_text(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status, const char *before,
                      mcpw_str what, const char *after) {
    mcpw_error room;
    char excerpt[MCPW_EXCERPT_SIZE];
    if (!c->quiet && !c->stopped) {
        mcpw_error *const record = begin_error(c, &room);
        mcpw_error_set(record, status, offset_of(c, spot), "%s%s%s", before,
                       mcpw_excerpt(excerpt, what.ptr, what.len), after);
        end_error(c, spot, status, record);
    }
    return false;
}

bool mcpw_refuse_count(mcpw_checking *c, const mcpw_spot *spot, mcpw_status status, const char *before,
                       uint32_t count, const char *after) {
    mcpw_error room;
    if (!c->quiet && !c->stopped) {
        mcpw_error *const record = begin_error(c, &room);
        const size_t len = strlen(after);
        const bool one = count == 1 && len != 0 && after[len - 1] == 's'; /* 1 character, 1 item */
        mcpw_error_set(record, status, offset_of(c, spot), "%s%u%.*s", before, (unsigned)count,
                       one ? (int)len - 1 : (int)len, after);
        end_error(c, spot, status, record);
    }
    return false;
}

/* ---- types ---- */

typedef struct type_word {
    uint32_t types;
    const char *word;
} type_word;

static const type_word words[] = {
    {MCPW_IS_OBJECT, "object"},  {MCPW_IS_ARRAY, "array"},   {MCPW_IS_STRING, "string"},
    {MCPW_IS_NUMERIC, "number"}, {MCPW_IS_WHOLE, "integer"}, {MCPW_IS_BOOLEAN, "boolean"},
    {MCPW_IS_NULL, "null"},
};

enum { TYPE_WORDS = sizeof words / sizeof *words, LIST_SIZE = 80 };

static const char *word_of(uint32_t type) {
    size_t i = 0;
    while (i < TYPE_WORDS - 1 && (words[i].types & type) == 0) {
        i++;
    }
    return words[i].word;
}

/* The words of types, with "or" between. */
static void put_words(char out[LIST_SIZE], uint32_t types) {
    size_t len = 0;
    for (size_t i = 0; i < TYPE_WORDS; i++) {
        if ((types & words[i].types) == words[i].types) {
            const char *const before = len == 0 ? "" : " or ";
            memcpy(out + len, before, strlen(before));
            len += strlen(before);
            memcpy(out + len, words[i].word, strlen(words[i].word));
            len += strlen(words[i].word);
            types &= ~words[i].types;
        }
    }
    out[len] = '\0';
}

static MCPW_COLD bool refuse_type(mcpw_checking *c, uint32_t types, const mcpw_spot *spot) {
    char list[LIST_SIZE];
    mcpw_error room;
    if (types == 0) {
        return mcpw_refuse(c, spot, MCPW_E_UNEXPECTED, "no value is allowed here");
    }
    if (!c->quiet && !c->stopped) {
        const uint32_t type = c->tape->nodes[spot->node].type;
        mcpw_error *const record = begin_error(c, &room);
        put_words(list, types);
        mcpw_error_set(record, MCPW_E_TYPE, offset_of(c, spot), "expected %s, got %s", list, word_of(type));
        end_error(c, spot, MCPW_E_TYPE, record);
    }
    return false;
}

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
        fits = refuse_type(c, s->types, spot);
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
