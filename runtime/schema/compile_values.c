/* SPDX-License-Identifier: MIT */
/* Types, constants, and the rows of numbers, strings and arrays. */
#include "compiler.h"
#include "multiple.h"
#include "text_formats.h"

enum { MOST_PATTERNS = 4096, FEW_WORDS = 8 };

static mcpw_site site_at(const mcpw_keyset *keys, uint32_t node) {
    const mcpw_site site = {keys->site.document, node, keys->site.resource};
    return site;
}

static mcpw_str text_at(const mcpw_compiler *c, const mcpw_keyset *keys, uint32_t node) {
    return mcpw_tape_text(mcpw_tape_of(c, &keys->site), node);
}

/* ---- types ---- */

static const struct {
    const char *name;
    uint32_t types;
} type_names[] = {
    {"array", MCPW_IS_ARRAY},   {"boolean", MCPW_IS_BOOLEAN}, {"integer", MCPW_IS_WHOLE},
    {"null", MCPW_IS_NULL},     {"number", MCPW_IS_NUMERIC},  {"object", MCPW_IS_OBJECT},
    {"string", MCPW_IS_STRING},
};

static uint32_t type_of(mcpw_compiler *c, const mcpw_keyset *keys, uint32_t node) {
    const mcpw_site at = site_at(keys, node);
    const mcpw_str name = text_at(c, keys, node);
    if (mcpw_tape_of(c, &at)->nodes[node].type == MCPW_IS_STRING) {
        for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
            if (mcpw_str_is(name, type_names[i].name)) {
                return type_names[i].types;
            }
        }
    }
    mcpw_fault_text(c, &at, MCPW_E_VALUE,
                    "a type is array, boolean, integer, null, number, object or string");
    return 0;
}

void mcpw_compile_types(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t node = keys->at[MCPW_KEY_TYPE];
    if (node == 0) {
        return;
    }
    if (tape->nodes[node].type == MCPW_IS_STRING) {
        shape->types = type_of(c, keys, node);
        return;
    }
    shape->types = 0;
    for (uint32_t i = node + 1; i < tape->nodes[node].next && !mcpw_failed(c); i = mcpw_tape_after(tape, i)) {
        shape->types |= type_of(c, keys, i);
    }
}

/* ---- constants ---- */

/* Copies a value to the constants. */
static uint32_t add_constant(mcpw_compiler *c, const mcpw_keyset *keys, uint32_t node) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t first = c->tables[MCPW_TABLE_CONSTANTS].count;
    const uint32_t end = mcpw_tape_after(tape, node);
    for (uint32_t i = node; i < end && !mcpw_failed(c); i++) {
        mcpw_tape_node n = tape->nodes[i];
        if ((n.type & MCPW_IS_NESTED) != 0) {
            n.next = n.next - node + first;
            n.at = 0;
        } else {
            n.at = mcpw_add_text(c, mcpw_tape_text(tape, i)).first;
        }
        (void)mcpw_add_row(c, MCPW_TABLE_CONSTANTS, &n);
    }
    return first;
}

static bool are_words(const mcpw_tape *tape, uint32_t list) {
    for (uint32_t i = list + 1; i < tape->nodes[list].next; i = mcpw_tape_after(tape, i)) {
        if (tape->nodes[i].type != MCPW_IS_STRING) {
            return false;
        }
    }
    return tape->nodes[list].size > FEW_WORDS;
}

static void compile_words(mcpw_compiler *c, const mcpw_keyset *keys, uint32_t list, mcpw_shape *shape) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t count = tape->nodes[list].size;
    mcpw_str *const words = mcpw_arena_bump(&c->arena, count * sizeof *words);
    if (words == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        words[i] = mcpw_tape_text(tape, list + 1 + i); /* scalars: one node each */
    }
    const mcpw_span names = mcpw_compile_words(c, words, count);
    mcpw_add_step(c, shape, MCPW_STEP_WORDS, names.first, names.count);
}

static void compile_enum(mcpw_compiler *c, const mcpw_keyset *keys, uint32_t list, mcpw_shape *shape) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t end = tape->nodes[list].next;
    const uint32_t first = c->tables[MCPW_TABLE_NUMBERS].count;
    if (are_words(tape, list)) {
        compile_words(c, keys, list, shape);
        return;
    }
    for (uint32_t i = list + 1; i < end && !mcpw_failed(c); i = mcpw_tape_after(tape, i)) {
        const uint32_t constant = add_constant(c, keys, i);
        (void)mcpw_add_row(c, MCPW_TABLE_NUMBERS, &constant);
    }
    mcpw_add_step(c, shape, MCPW_STEP_ENUM, first, c->tables[MCPW_TABLE_NUMBERS].count - first);
}

void mcpw_compile_constants(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape) {
    if (keys->at[MCPW_KEY_CONST] != 0) {
        mcpw_add_step(c, shape, MCPW_STEP_CONST, add_constant(c, keys, keys->at[MCPW_KEY_CONST]), 0);
    }
    if (keys->at[MCPW_KEY_ENUM] != 0) {
        compile_enum(c, keys, keys->at[MCPW_KEY_ENUM], shape);
    }
}

/* ---- numbers ---- */

static const struct {
    mcpw_keyword keyword;
    mcpw_bound_kind kind;
} bound_keywords[] = {
    {MCPW_KEY_MINIMUM, MCPW_BOUND_MINIMUM},         {MCPW_KEY_MAXIMUM, MCPW_BOUND_MAXIMUM},
    {MCPW_KEY_EXCLUSIVE_MINIMUM, MCPW_BOUND_ABOVE}, {MCPW_KEY_EXCLUSIVE_MAXIMUM, MCPW_BOUND_BELOW},
    {MCPW_KEY_MULTIPLE_OF, MCPW_BOUND_MULTIPLE},
};

static void add_bound(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword, mcpw_bound_kind kind) {
    const uint32_t node = keys->at[keyword];
    const mcpw_str text = text_at(c, keys, node);
    mcpw_bound bound = {(uint32_t)kind, {0, 0}, 0, 0};
    if (kind == MCPW_BOUND_MULTIPLE && !mcpw_is_divisor(text)) {
        const mcpw_site at = site_at(keys, node);
        mcpw_fault_text(c, &at, MCPW_E_VALUE,
                        "'multipleOf' is greater than 0, and has at most 512 digits that count");
        return;
    }
    bound.text = mcpw_add_text(c, text);
    bound.is_short = mcpw_floor_of(text, &bound.value) ? MCPW_BOUND_IS_VALUE : MCPW_BOUND_IS_ABOVE;
    (void)mcpw_add_row(c, MCPW_TABLE_BOUNDS, &bound);
}

uint32_t mcpw_compile_number(mcpw_compiler *c, const mcpw_keyset *keys) {
    mcpw_number_row row = {{c->tables[MCPW_TABLE_BOUNDS].count, 0}};
    for (size_t i = 0; i < sizeof bound_keywords / sizeof *bound_keywords && !mcpw_failed(c); i++) {
        if (keys->at[bound_keywords[i].keyword] != 0) {
            add_bound(c, keys, bound_keywords[i].keyword, bound_keywords[i].kind);
            row.bounds.count++;
        }
    }
    return row.bounds.count != 0 && !mcpw_failed(c) ? mcpw_add_row(c, MCPW_TABLE_NUMBER_ROWS, &row) : 0;
}

/* ---- strings ---- */

uint32_t mcpw_compile_pattern(mcpw_compiler *c, const mcpw_site *site, mcpw_str text) {
    const mcpw_pattern_engine *const engine = c->options.patterns;
    char message[MCPW_ERROR_MESSAGE_SIZE] = "";
    void *pattern = NULL;
    if (mcpw_failed(c)) {
        return 0;
    }
    if (engine == NULL) {
        mcpw_fault_text(c, site, MCPW_E_FORMAT, "patterns need an engine: mcpw_schema_options.patterns");
        return 0;
    }
    if (c->tables[MCPW_TABLE_PATTERNS].count == MOST_PATTERNS) {
        mcpw_fault_text(c, site, MCPW_E_ELEMENTS, "too many patterns");
        return 0;
    }
    const mcpw_status status = engine->compile(text.ptr, text.len, &c->options.allocator, &pattern, message);
    if (status != MCPW_OK) {
        mcpw_fault(c, site, status, "pattern ", text,
                   status == MCPW_E_SIZE ? " repeats too much" : " is not a regular expression");
        return 0;
    }
    const uint32_t before = c->tables[MCPW_TABLE_PATTERNS].count;
    const uint32_t number = mcpw_add_row(c, MCPW_TABLE_PATTERNS, &pattern);
    if (c->tables[MCPW_TABLE_PATTERNS].count == before) {
        engine->free(pattern); /* the list, which is freed as a whole, does not have it */
        return 0;
    }
    const mcpw_span copy = mcpw_add_text(c, text);
    (void)mcpw_add_row(c, MCPW_TABLE_PATTERN_TEXTS, &copy);
    return number;
}

uint32_t mcpw_compile_string(mcpw_compiler *c, const mcpw_keyset *keys) {
    const uint32_t format = keys->at[MCPW_KEY_FORMAT];
    const uint32_t pattern = keys->at[MCPW_KEY_PATTERN];
    mcpw_string_row row = {mcpw_count_of(c, keys, MCPW_KEY_MIN_LENGTH, 0),
                           mcpw_count_of(c, keys, MCPW_KEY_MAX_LENGTH, MCPW_NO_LIMIT), MCPW_NO_PATTERN, 0};
    if (pattern != 0) {
        const mcpw_site at = site_at(keys, pattern);
        row.pattern = mcpw_compile_pattern(c, &at, text_at(c, keys, pattern));
    }
    if (format != 0 && ((c->options.flags & MCPW_SCHEMA_ASSERT_FORMATS) != 0 ||
                        (keys->language.vocabularies & MCPW_VOCABULARY_ASSERTED_FORMAT) != 0)) {
        row.format = mcpw_find_format(text_at(c, keys, format), keys->language.dialect);
    }
    return row.least != 0 || row.most != MCPW_NO_LIMIT || row.pattern != MCPW_NO_PATTERN || row.format != 0
               ? mcpw_add_row(c, MCPW_TABLE_STRING_ROWS, &row)
               : 0;
}

/* ---- arrays ---- */

/* items and its like: those at the beginning, and the rest. */
static bool compile_items(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_array_row *row) {
    const bool newest = keys->language.dialect == MCPW_SCHEMA_2020_12;
    const uint32_t items = keys->at[MCPW_KEY_ITEMS];
    const bool list = items != 0 && mcpw_tape_of(c, &keys->site)->nodes[items].type == MCPW_IS_ARRAY;
    mcpw_keyword rest = MCPW_KEY_ITEMS;
    if (newest && keys->at[MCPW_KEY_PREFIX_ITEMS] != 0) {
        row->prefix = mcpw_shapes_of(c, keys, MCPW_KEY_PREFIX_ITEMS);
    } else if (list) {
        row->prefix = mcpw_shapes_of(c, keys, MCPW_KEY_ITEMS);
        rest = MCPW_KEY_ADDITIONAL_ITEMS;
    }
    if (keys->at[rest] != 0) {
        row->rest = mcpw_shape_of(c, keys, rest);
        row->says_rest = true;
    }
    return row->prefix.count != 0 || row->says_rest != 0;
}

uint32_t mcpw_compile_array(mcpw_compiler *c, const mcpw_keyset *keys) {
    mcpw_array_row row = {mcpw_count_of(c, keys, MCPW_KEY_MIN_ITEMS, 0),
                          mcpw_count_of(c, keys, MCPW_KEY_MAX_ITEMS, MCPW_NO_LIMIT),
                          mcpw_is_set(c, keys, MCPW_KEY_UNIQUE_ITEMS),
                          {0, 0},
                          MCPW_SHAPE_TRUE,
                          false,
                          MCPW_NO_SHAPE,
                          1,
                          MCPW_NO_LIMIT,
                          keys->language.dialect == MCPW_SCHEMA_2020_12};
    bool says = compile_items(c, keys, &row);
    if (keys->at[MCPW_KEY_CONTAINS] != 0) {
        row.contains = mcpw_shape_of(c, keys, MCPW_KEY_CONTAINS);
        row.contains_least = mcpw_count_of(c, keys, MCPW_KEY_MIN_CONTAINS, 1);
        row.contains_most = mcpw_count_of(c, keys, MCPW_KEY_MAX_CONTAINS, MCPW_NO_LIMIT);
        says = true;
    }
    says = says || row.least != 0 || row.most != MCPW_NO_LIMIT || row.unique != 0;
    return says ? mcpw_add_row(c, MCPW_TABLE_ARRAY_ROWS, &row) : 0;
}
