/* SPDX-License-Identifier: MIT */
/* How the check of a value reports an error. */
#include "fit.h"

#include <mcpw/error.h>

#include <string.h>

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

/* The record to fill for an error; NULL: none is wanted. */
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
        c->first = MCPW_OK; /* this error says more than the former one */
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

bool mcpw_refuse_type(mcpw_checking *c, uint32_t types, const mcpw_spot *spot) {
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
