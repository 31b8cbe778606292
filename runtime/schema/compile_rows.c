/* SPDX-License-Identifier: MIT */
/* The basis of all parts of the compiler: growing tables, the limit of work, errors. */
#include "compiler.h"

#include <mcpw/error.h>

enum { FIRST_ROWS = 16, MILLION_BITS = 20 };

/* Steps that compiling may take beyond those that grow with the schema. */
static const uint64_t most_work = UINT64_C(1) << 24;

/* ---- tables ---- */

static const size_t row_sizes[MCPW_TABLES] = {
    [MCPW_TABLE_SHAPES] = sizeof(mcpw_shape),
    [MCPW_TABLE_STEPS] = sizeof(mcpw_step),
    [MCPW_TABLE_BOUNDS] = sizeof(mcpw_bound),
    [MCPW_TABLE_NUMBER_ROWS] = sizeof(mcpw_number_row),
    [MCPW_TABLE_STRING_ROWS] = sizeof(mcpw_string_row),
    [MCPW_TABLE_ARRAY_ROWS] = sizeof(mcpw_array_row),
    [MCPW_TABLE_OBJECT_ROWS] = sizeof(mcpw_object_row),
    [MCPW_TABLE_NAMES] = sizeof(mcpw_name),
    [MCPW_TABLE_DYNAMICS] = sizeof(mcpw_dynamic),
    [MCPW_TABLE_NUMBERS] = sizeof(uint32_t),
    [MCPW_TABLE_CONSTANTS] = sizeof(mcpw_tape_node),
    [MCPW_TABLE_POOL] = 1,
    [MCPW_TABLE_PATTERNS] = sizeof(void *),
    [MCPW_TABLE_PATTERN_TEXTS] = sizeof(mcpw_span),
    [MCPW_TABLE_SITES] = sizeof(mcpw_site),
    [MCPW_TABLE_DYNAMIC_NAMES] = sizeof(uint32_t),
    [MCPW_TABLE_NAMES_ASKED] = sizeof(mcpw_str),
    [MCPW_TABLE_DYNAMIC_LABELS] = sizeof(mcpw_label),
    [MCPW_TABLE_DOCUMENTS] = sizeof(mcpw_document),
    [MCPW_TABLE_RESOURCES] = sizeof(mcpw_schema_resource),
    [MCPW_TABLE_LABELS] = sizeof(mcpw_label),
    [MCPW_TABLE_INDEXED] = sizeof(uint32_t),
    [MCPW_TABLE_ENTRIES] = sizeof(mcpw_schema_entry),
};

void mcpw_open_rows(mcpw_compiler *c) {
    c->work = most_work;
    for (unsigned i = 0; i < MCPW_TABLES; i++) {
        c->tables[i].size = row_sizes[i];
    }
}

uint32_t mcpw_add_rows(mcpw_compiler *c, mcpw_table_id table, const void *rows, size_t count) {
    mcpw_rows *const t = c->tables + table;
    const uint32_t first = t->count;
    if (count > t->capacity - t->count) {
        size_t capacity = t->capacity + (t->capacity > count ? t->capacity : count) + FIRST_ROWS;
        const bool fits = capacity < UINT32_MAX / t->size;
        void *const moved = fits ? mcpw_arena_alloc(&c->arena, capacity * t->size) : NULL;
        if (moved == NULL) {
            if (!mcpw_failed(c)) {
                c->status = mcpw_error_status(c->error, fits ? mcpw_arena_status(&c->arena) : MCPW_E_SIZE);
            }
            return 0;
        }
        if (t->count != 0) {
            memcpy(moved, t->rows, t->count * t->size);
        }
        t->rows = moved;
        t->capacity = (uint32_t)capacity;
    }
    if (count != 0) {
        memcpy(t->rows + first * t->size, rows, count * t->size);
    }
    t->count = first + (uint32_t)count;
    return first;
}

uint32_t mcpw_add_row(mcpw_compiler *c, mcpw_table_id table, const void *row) {
    return mcpw_add_rows(c, table, row, 1);
}

mcpw_span mcpw_add_text(mcpw_compiler *c, mcpw_str text) {
    const mcpw_span span = {mcpw_add_rows(c, MCPW_TABLE_POOL, text.ptr, text.len), (uint32_t)text.len};
    return span;
}

bool mcpw_spend_work(mcpw_compiler *c, uint64_t work) {
    if (work <= c->work) {
        c->work -= work;
        return true;
    }
    c->work = 0;
    if (!mcpw_failed(c)) {
        c->status = MCPW_E_WORK;
        mcpw_error_set(c->error, MCPW_E_WORK, 0, "compiling the schema takes more than %u million steps",
                       (unsigned)(most_work >> MILLION_BITS));
    }
    return false;
}

/* ---- errors ---- */

/* A step on the way to a node. */
typedef struct way {
    uint32_t name; /* 0: an item */
    uint32_t index;
} way;

/* The path of a node, which may be the name of a member. */
static void put_path(const mcpw_tape *tape, uint32_t node, mcpw_error *error) {
    way ways[MCPW_MAX_DEPTH + 1];
    unsigned count = 0;
    uint32_t at = 0;
    while (at != node && count < sizeof ways / sizeof *ways) {
        const bool object = tape->nodes[at].type == MCPW_IS_OBJECT;
        uint32_t part = at + 1;
        uint32_t index = 0;
        uint32_t next = 0;
        while ((next = mcpw_tape_after(tape, part + (object ? 1 : 0))) <= node) {
            part = next;
            index++;
        }
        ways[count].name = object ? part : 0;
        ways[count++].index = index;
        if (object && part == node) {
            break;
        }
        at = part + (object ? 1 : 0);
    }
    while (count > 0) {
        const way *const w = ways + --count;
        if (w->name != 0) {
            const mcpw_str name = mcpw_tape_text(tape, w->name);
            mcpw_error_prepend_key(error, name.ptr, name.len);
        } else {
            mcpw_error_prepend_index(error, w->index);
        }
    }
}

void mcpw_fault(mcpw_compiler *c, const mcpw_site *site, mcpw_status status, const char *before,
                mcpw_str what, const char *after) {
    char excerpt[MCPW_EXCERPT_SIZE];
    char place[MCPW_EXCERPT_SIZE];
    if (mcpw_failed(c)) {
        return;
    }
    c->status = status;
    if (c->error != NULL) {
        const mcpw_document *const d = mcpw_document_at(c, site->document);
        const mcpw_tape_node *const n = d->tape.nodes + site->node;
        mcpw_error_set(c->error, status, n->at - (n->type == MCPW_IS_STRING ? 1U : 0U), "%s%s%s%s%s", before,
                       mcpw_excerpt(excerpt, what.ptr, what.len), after, site->document != 0 ? ", in " : "",
                       site->document != 0 ? mcpw_excerpt(place, d->uri.ptr, d->uri.len) : "");
        put_path(&d->tape, site->node, c->error);
    }
}

void mcpw_fault_text(mcpw_compiler *c, const mcpw_site *site, mcpw_status status, const char *text) {
    const mcpw_str nothing = {"", 0};
    mcpw_fault(c, site, status, text, nothing, "");
}
