/* SPDX-License-Identifier: MIT */
/* The tables of a compiled schema as one block of memory. */
#include "compiler.h"
#include "fit.h"

/* Bytes of a table in the block. */
static size_t room_of(const mcpw_rows *table) { return mcpw_arena_round(table->count * table->size); }

/* Copies a table to *at, and moves past it. */
static void *put_table(const mcpw_compiler *c, mcpw_table_id table, unsigned char **at) {
    const mcpw_rows *const t = c->tables + table;
    unsigned char *const to = *at;
    if (t->count != 0) {
        memcpy(to, t->rows, t->count * t->size);
    }
    *at += room_of(t);
    return to;
}

/* Whether no way to a dynamic reference makes a difference. */
static bool are_static(const mcpw_compiler *c) {
    for (uint32_t i = 0; i < c->tables[MCPW_TABLE_DYNAMICS].count; i++) {
        const mcpw_dynamic *const d = mcpw_row_at(c, MCPW_TABLE_DYNAMICS, i);
        for (uint32_t j = 0; j < d->candidates.count; j++) {
            const uint32_t *const pair = mcpw_row_at(c, MCPW_TABLE_NUMBERS, d->candidates.first + 2 * j);
            if (pair[1] != d->shape) {
                return false;
            }
        }
    }
    return true;
}

static void put_tables(const mcpw_compiler *c, mcpw_schema *s, unsigned char *at) {
    s->shapes = put_table(c, MCPW_TABLE_SHAPES, &at);
    s->steps = put_table(c, MCPW_TABLE_STEPS, &at);
    s->bounds = put_table(c, MCPW_TABLE_BOUNDS, &at);
    s->number_rows = put_table(c, MCPW_TABLE_NUMBER_ROWS, &at);
    s->string_rows = put_table(c, MCPW_TABLE_STRING_ROWS, &at);
    s->array_rows = put_table(c, MCPW_TABLE_ARRAY_ROWS, &at);
    s->object_rows = put_table(c, MCPW_TABLE_OBJECT_ROWS, &at);
    s->names = put_table(c, MCPW_TABLE_NAMES, &at);
    s->dynamics = put_table(c, MCPW_TABLE_DYNAMICS, &at);
    s->numbers = put_table(c, MCPW_TABLE_NUMBERS, &at);
    s->constants.nodes = put_table(c, MCPW_TABLE_CONSTANTS, &at);
    s->constants.count = c->tables[MCPW_TABLE_CONSTANTS].count;
    s->pool = put_table(c, MCPW_TABLE_POOL, &at);
    s->constants.text = s->pool;
    s->patterns = put_table(c, MCPW_TABLE_PATTERNS, &at);
    s->pattern_texts = put_table(c, MCPW_TABLE_PATTERN_TEXTS, &at);
}

mcpw_schema *mcpw_pack(mcpw_compiler *c, uint32_t root) {
    size_t size = mcpw_arena_round(sizeof(mcpw_schema));
    for (unsigned i = 0; i < MCPW_PACKED_TABLES; i++) {
        size += room_of(c->tables + i);
    }
    mcpw_schema *const s = mcpw_resize(&c->options.allocator, NULL, 0, size);
    if (s == NULL) {
        c->status = mcpw_error_status(c->error, MCPW_E_MEMORY);
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->allocator = c->options.allocator;
    s->size = size;
    s->engine = c->options.patterns;
    s->root = root;
    s->dialect = mcpw_resource_at(c, 0)->language.dialect;
    s->dynamic_count = are_static(c) ? 0 : c->tables[MCPW_TABLE_DYNAMICS].count;
    s->pattern_count = c->tables[MCPW_TABLE_PATTERNS].count;
    put_tables(c, s, (unsigned char *)s + mcpw_arena_round(sizeof(mcpw_schema)));
    s->plain = mcpw_plain_row(s);
    return s;
}

void mcpw_schema_free(mcpw_schema *schema) {
    if (schema != NULL) {
        const mcpw_allocator allocator = schema->allocator;
        for (uint32_t i = 0; i < schema->pattern_count; i++) {
            schema->engine->free(schema->patterns[i]);
        }
        (void)mcpw_resize(&allocator, schema, schema->size, 0);
    }
}

size_t mcpw_schema_size(const mcpw_schema *schema) { return schema->size; }
