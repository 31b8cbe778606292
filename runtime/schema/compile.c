/* SPDX-License-Identifier: MIT */
/* mcpw_schema_compile: the shapes that are reached, one by one. */
#include <mcpw/error.h>

#include "compiler.h"
#include "multiple.h"

enum { MOST_DYNAMIC_NAMES = 64 };

/* ---- keywords ---- */

static void check_keyword(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword, uint32_t value) {
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const mcpw_keyword_row *const row = mcpw_keyword_rows + keyword;
    const mcpw_site at = {keys->site.document, value, keys->site.resource};
    const mcpw_str name = mcpw_str_from(row->name);
    unsigned types = row->types;
    if (keyword == MCPW_KEY_ITEMS && keys->language.dialect == MCPW_SCHEMA_2020_12) {
        types &= ~(unsigned)MCPW_IS_ARRAY;
    }
    if (keys->at[keyword] != 0) {
        mcpw_fault(c, &at, MCPW_E_DUPLICATE, "'", name, "' occurs twice");
    } else if ((tape->nodes[value].type & types) == 0) {
        mcpw_fault(c, &at, MCPW_E_TYPE, "'", name,
                   keyword == MCPW_KEY_ITEMS && tape->nodes[value].type == MCPW_IS_ARRAY
                       ? "' is no array in 2020-12 (\"prefixItems\" is)"
                       : "' has a value of a type that it may not have");
    }
}

void mcpw_read_keys(mcpw_compiler *c, const mcpw_site *site, mcpw_keyset *keys) {
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    const uint32_t end = tape->nodes[site->node].next;
    memset(keys->at, 0, sizeof keys->at);
    keys->site = *site;
    keys->language = mcpw_resource_at(c, site->resource)->language;
    for (uint32_t i = site->node + 1; i < end && !mcpw_failed(c); i = mcpw_tape_after(tape, i + 1)) {
        const mcpw_str name = mcpw_tape_text(tape, i);
        const mcpw_keyword keyword = mcpw_find_keyword(keys->language, name.ptr, name.len);
        if (keyword != MCPW_KEYWORDS) {
            check_keyword(c, keys, keyword, i + 1);
            keys->at[keyword] = i + 1;
        }
    }
}

static mcpw_site site_of(const mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword) {
    return mcpw_part_of(c, &keys->site, keys->at[keyword]);
}

uint32_t mcpw_count_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword, uint32_t otherwise) {
    uint32_t count = otherwise;
    if (keys->at[keyword] != 0) {
        const mcpw_site at = site_of(c, keys, keyword);
        if (!mcpw_as_count(mcpw_tape_text(mcpw_tape_of(c, &at), at.node), &count)) {
            mcpw_fault(c, &at, MCPW_E_VALUE, "'", mcpw_str_from(mcpw_keyword_rows[keyword].name),
                       "' is an integer that is not negative");
        }
    }
    return count;
}

bool mcpw_is_set(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword) {
    return keys->at[keyword] != 0 && mcpw_tape_is_true(mcpw_tape_of(c, &keys->site), keys->at[keyword]);
}

/* ---- shapes ---- */

uint32_t mcpw_shape_at(mcpw_compiler *c, const mcpw_site *site) {
    static const mcpw_shape empty;
    if (mcpw_failed(c)) {
        return MCPW_SHAPE_FALSE;
    }
    const mcpw_document *const d = mcpw_document_at(c, site->document);
    const mcpw_tape_node *const n = d->tape.nodes + site->node;
    if (n->type == MCPW_IS_BOOLEAN) {
        return mcpw_tape_is_true(&d->tape, site->node) ? MCPW_SHAPE_TRUE : MCPW_SHAPE_FALSE;
    }
    if (n->type != MCPW_IS_OBJECT) {
        mcpw_fault_text(c, site, MCPW_E_TYPE, "a schema is an object or a boolean");
        return MCPW_SHAPE_FALSE;
    }
    if (n->size == 0) {
        return MCPW_SHAPE_TRUE;
    }
    uint32_t *const known = d->shapes + site->node;
    if (*known == 0) {
        const uint32_t shape = mcpw_add_row(c, MCPW_TABLE_SHAPES, &empty);
        (void)mcpw_add_row(c, MCPW_TABLE_SITES, site);
        *known = shape + 1;
    }
    return *known - 1;
}

uint32_t mcpw_shape_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword) {
    const mcpw_site site = site_of(c, keys, keyword);
    return mcpw_shape_at(c, &site);
}

mcpw_span mcpw_shapes_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword) {
    mcpw_span span = {c->tables[MCPW_TABLE_NUMBERS].count, 0};
    const uint32_t list = keys->at[keyword];
    const mcpw_tape *const tape = mcpw_tape_of(c, &keys->site);
    const uint32_t end = tape->nodes[list].next;
    for (uint32_t i = list + 1; i < end && !mcpw_failed(c); i = mcpw_tape_after(tape, i)) {
        const mcpw_site item = mcpw_part_of(c, &keys->site, i);
        const uint32_t shape = mcpw_shape_at(c, &item);
        (void)mcpw_add_row(c, MCPW_TABLE_NUMBERS, &shape);
        span.count++;
    }
    return span;
}

void mcpw_add_step(mcpw_compiler *c, mcpw_shape *shape, mcpw_step_kind kind, uint32_t a, uint32_t b) {
    const mcpw_step step = {(uint32_t)kind, a, b};
    (void)mcpw_add_row(c, MCPW_TABLE_STEPS, &step);
    shape->steps.count++;
}

/* ---- references ---- */

/* The number of a name that dynamic references ask for. */
static uint32_t dynamic_name(mcpw_compiler *c, const mcpw_site *at, mcpw_str name) {
    const mcpw_rows *const asked = c->tables + MCPW_TABLE_NAMES_ASKED;
    for (uint32_t i = 0; i < asked->count; i++) {
        if (mcpw_str_equal(*(const mcpw_str *)mcpw_row_at(c, MCPW_TABLE_NAMES_ASKED, i), name)) {
            return i;
        }
    }
    if (asked->count == MOST_DYNAMIC_NAMES) {
        mcpw_fault_text(c, at, MCPW_E_ELEMENTS, "too many names of dynamic anchors");
        return 0;
    }
    return mcpw_add_row(c, MCPW_TABLE_NAMES_ASKED, &name);
}

static void add_dynamic(mcpw_compiler *c, mcpw_shape *shape, const mcpw_site *at, uint32_t target,
                        mcpw_str name) {
    const mcpw_dynamic row = {target, {0, 0}};
    const uint32_t number = dynamic_name(c, at, name);
    (void)mcpw_add_row(c, MCPW_TABLE_DYNAMIC_NAMES, &number);
    mcpw_add_step(c, shape, MCPW_STEP_DYNAMIC, mcpw_add_row(c, MCPW_TABLE_DYNAMICS, &row), 0);
}

static void compile_reference(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_keyword keyword,
                              mcpw_shape *shape) {
    const mcpw_site at = {keys->site.document, keys->at[keyword], keys->site.resource};
    const mcpw_label *label = NULL;
    mcpw_site to = at;
    if (keys->at[keyword] == 0 || mcpw_failed(c) ||
        !mcpw_find_reference(c, &at, mcpw_tape_text(mcpw_tape_of(c, &at), at.node), &to, &label)) {
        return;
    }
    const bool anchored = keyword == MCPW_KEY_DYNAMIC_REF && label != NULL && label->dynamic;
    const bool recursive = keyword == MCPW_KEY_RECURSIVE_REF && mcpw_resource_at(c, to.resource)->recursive;
    const mcpw_str no_name = {"", 0};
    const mcpw_str name = anchored ? label->anchor : no_name;
    const uint32_t target = mcpw_shape_at(c, &to);
    if (anchored || recursive) {
        add_dynamic(c, shape, &at, target, name);
    } else {
        mcpw_add_step(c, shape, MCPW_STEP_REF, target, 0);
    }
}

/* Candidates of each name; true when they need shapes that were not there. */
static bool find_candidates(mcpw_compiler *c) {
    const uint32_t before = c->tables[MCPW_TABLE_SHAPES].count;
    const uint32_t labels = c->tables[MCPW_TABLE_DYNAMIC_LABELS].count;
    for (uint32_t i = 0; i < c->tables[MCPW_TABLE_NAMES_ASKED].count; i++) {
        const mcpw_str *const name = mcpw_row_at(c, MCPW_TABLE_NAMES_ASKED, i);
        for (uint32_t j = 0; j < labels && !mcpw_failed(c); j++) {
            const mcpw_label *const l = mcpw_row_at(c, MCPW_TABLE_DYNAMIC_LABELS, j);
            if (mcpw_str_equal(l->anchor, *name)) {
                (void)mcpw_shape_at(c, &l->site);
            }
        }
    }
    return c->tables[MCPW_TABLE_SHAPES].count != before;
}

static mcpw_span add_candidates(mcpw_compiler *c, mcpw_str name) {
    mcpw_span span = {c->tables[MCPW_TABLE_NUMBERS].count, 0};
    for (uint32_t j = 0; j < c->tables[MCPW_TABLE_DYNAMIC_LABELS].count && !mcpw_failed(c); j++) {
        const mcpw_label *const l = mcpw_row_at(c, MCPW_TABLE_DYNAMIC_LABELS, j);
        if (mcpw_str_equal(l->anchor, name)) {
            const uint32_t pair[2] = {l->site.resource, mcpw_shape_at(c, &l->site)};
            (void)mcpw_add_rows(c, MCPW_TABLE_NUMBERS, pair, 2);
            span.count++;
        }
    }
    return span;
}

static void finish_dynamics(mcpw_compiler *c) {
    mcpw_span spans[MOST_DYNAMIC_NAMES];
    for (uint32_t i = 0; i < c->tables[MCPW_TABLE_NAMES_ASKED].count && !mcpw_failed(c); i++) {
        spans[i] = add_candidates(c, *(const mcpw_str *)mcpw_row_at(c, MCPW_TABLE_NAMES_ASKED, i));
    }
    for (uint32_t i = 0; i < c->tables[MCPW_TABLE_DYNAMICS].count && !mcpw_failed(c); i++) {
        mcpw_dynamic *const d = mcpw_row_at(c, MCPW_TABLE_DYNAMICS, i);
        d->candidates = spans[*(const uint32_t *)mcpw_row_at(c, MCPW_TABLE_DYNAMIC_NAMES, i)];
    }
}

/* ---- what holds whatever a value is ---- */

static void compile_all_of(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape) {
    if (keys->at[MCPW_KEY_ALL_OF] != 0) {
        const mcpw_span parts = mcpw_shapes_of(c, keys, MCPW_KEY_ALL_OF);
        for (uint32_t i = 0; i < parts.count && !mcpw_failed(c); i++) {
            const uint32_t *const part = mcpw_row_at(c, MCPW_TABLE_NUMBERS, parts.first + i);
            if (*part != MCPW_SHAPE_TRUE) {
                mcpw_add_step(c, shape, MCPW_STEP_REF, *part, 0);
            }
        }
    }
}

static void compile_alternatives(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape) {
    if (keys->at[MCPW_KEY_ANY_OF] != 0) {
        const mcpw_span any = mcpw_shapes_of(c, keys, MCPW_KEY_ANY_OF);
        mcpw_add_step(c, shape, MCPW_STEP_ANY_OF, any.first, any.count);
    }
    if (keys->at[MCPW_KEY_ONE_OF] != 0) {
        const mcpw_span one = mcpw_shapes_of(c, keys, MCPW_KEY_ONE_OF);
        mcpw_add_step(c, shape, MCPW_STEP_ONE_OF, one.first, one.count);
    }
    if (keys->at[MCPW_KEY_NOT] != 0) {
        mcpw_add_step(c, shape, MCPW_STEP_NOT, mcpw_shape_of(c, keys, MCPW_KEY_NOT), 0);
    }
    if (keys->at[MCPW_KEY_IF] != 0) {
        const uint32_t three[] = {
            mcpw_shape_of(c, keys, MCPW_KEY_IF),
            keys->at[MCPW_KEY_THEN] != 0 ? mcpw_shape_of(c, keys, MCPW_KEY_THEN) : MCPW_SHAPE_TRUE,
            keys->at[MCPW_KEY_ELSE] != 0 ? mcpw_shape_of(c, keys, MCPW_KEY_ELSE) : MCPW_SHAPE_TRUE,
        };
        mcpw_add_step(c, shape, MCPW_STEP_IF,
                      mcpw_add_rows(c, MCPW_TABLE_NUMBERS, three, sizeof three / sizeof *three), 0);
    }
}

/* Last: they look at what all others have left. */
static void compile_unevaluated(mcpw_compiler *c, const mcpw_keyset *keys, mcpw_shape *shape) {
    if (keys->at[MCPW_KEY_UNEVALUATED_PROPERTIES] != 0) {
        mcpw_add_step(c, shape, MCPW_STEP_PROPERTIES, mcpw_shape_of(c, keys, MCPW_KEY_UNEVALUATED_PROPERTIES),
                      0);
        shape->tracks |= MCPW_IS_OBJECT;
    }
    if (keys->at[MCPW_KEY_UNEVALUATED_ITEMS] != 0) {
        mcpw_add_step(c, shape, MCPW_STEP_ITEMS, mcpw_shape_of(c, keys, MCPW_KEY_UNEVALUATED_ITEMS), 0);
        shape->tracks |= MCPW_IS_ARRAY;
    }
}

static void compile_shape(mcpw_compiler *c, uint32_t number) {
    const mcpw_site site = *(const mcpw_site *)mcpw_row_at(c, MCPW_TABLE_SITES, number);
    mcpw_shape shape = {
        MCPW_IS_ANYTHING, 0, 0, 0, 0, 0, site.resource, {c->tables[MCPW_TABLE_STEPS].count, 0}};
    mcpw_keyset keys;
    mcpw_read_keys(c, &site, &keys);
    if (mcpw_failed(c)) {
        return;
    }
    const bool hides = keys.language.dialect == MCPW_SCHEMA_DRAFT_07 && keys.at[MCPW_KEY_REF] != 0;
    if (!hides) {
        mcpw_compile_types(c, &keys, &shape);
        mcpw_compile_constants(c, &keys, &shape);
        shape.number = mcpw_compile_number(c, &keys);
        shape.string = mcpw_compile_string(c, &keys);
        shape.array = mcpw_compile_array(c, &keys);
        shape.object = mcpw_compile_object(c, &keys);
    }
    compile_reference(c, &keys, MCPW_KEY_REF, &shape);
    if (!hides) {
        compile_reference(c, &keys, MCPW_KEY_DYNAMIC_REF, &shape);
        compile_reference(c, &keys, MCPW_KEY_RECURSIVE_REF, &shape);
        compile_all_of(c, &keys, &shape);
        compile_alternatives(c, &keys, &shape);
        compile_unevaluated(c, &keys, &shape);
    }
    if (!mcpw_failed(c)) {
        memcpy(mcpw_row_at(c, MCPW_TABLE_SHAPES, number), &shape, sizeof shape);
    }
}

/* ---- the whole ---- */

/* Rows that are there in every schema: true and false, and those that say nothing. */
static void add_first_rows(mcpw_compiler *c) {
    static const mcpw_shape first[] = {
        [MCPW_SHAPE_TRUE] = {MCPW_IS_ANYTHING, 0, 0, 0, 0, 0, 0, {0, 0}},
        [MCPW_SHAPE_FALSE] = {0, 0, 0, 0, 0, 0, 0, {0, 0}},
    };
    static const mcpw_site sites[sizeof first / sizeof *first];
    static const union {
        mcpw_number_row number;
        mcpw_string_row string;
        mcpw_array_row array;
        mcpw_object_row object;
    } none = {{{0, 0}}};
    (void)mcpw_add_rows(c, MCPW_TABLE_SHAPES, first, sizeof first / sizeof *first);
    (void)mcpw_add_rows(c, MCPW_TABLE_SITES, sites, sizeof first / sizeof *first);
    (void)mcpw_add_row(c, MCPW_TABLE_NUMBER_ROWS, &none.number);
    (void)mcpw_add_row(c, MCPW_TABLE_STRING_ROWS, &none.string);
    (void)mcpw_add_row(c, MCPW_TABLE_ARRAY_ROWS, &none.array);
    (void)mcpw_add_row(c, MCPW_TABLE_OBJECT_ROWS, &none.object);
}

static uint32_t compile_document(mcpw_compiler *c, mcpw_json text) {
    mcpw_site root = {0, 0, 0};
    add_first_rows(c);
    mcpw_open_locations(c);
    mcpw_load_document(c, text, mcpw_str_from(c->options.base_uri), &root);
    const uint32_t shape = mcpw_failed(c) ? MCPW_SHAPE_FALSE : mcpw_shape_at(c, &root);
    uint32_t next = MCPW_SHAPE_FALSE + 1;
    do {
        for (; next < c->tables[MCPW_TABLE_SHAPES].count && !mcpw_failed(c); next++) {
            compile_shape(c, next);
        }
    } while (!mcpw_failed(c) && find_candidates(c));
    if (!mcpw_failed(c)) {
        finish_dynamics(c);
    }
    if (!mcpw_failed(c)) {
        mcpw_refuse_loops(c);
    }
    return shape;
}

static mcpw_status open_compiler(mcpw_compiler *c, const mcpw_schema_options *options, mcpw_error *error) {
    static const mcpw_schema_options defaults = MCPW_SCHEMA_OPTIONS_INIT;
    static const mcpw_arena empty = MCPW_ARENA_INIT;
    memset(c, 0, sizeof *c);
    c->options = defaults;
    if (!MCPW_TAKE(&c->options, allocator, options) ||
        (c->options.patterns != NULL && !MCPW_HAS_ALL(c->options.patterns, free))) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    if (c->options.max_depth == 0) {
        c->options.max_depth = MCPW_DEFAULT_DEPTH;
    }
    if (c->options.max_bytes == 0) {
        c->options.max_bytes = MCPW_SCHEMA_DEFAULT_BYTES;
    }
    if (c->options.base_uri == NULL) {
        c->options.base_uri = "";
    }
    c->language.dialect = c->options.dialect != 0 ? c->options.dialect : MCPW_SCHEMA_2020_12;
    c->language.vocabularies = MCPW_VOCABULARY_USUAL;
    c->arena = empty;
    c->arena.allocator = c->options.allocator;
    c->bytes_left = c->options.max_bytes;
    c->error = error;
    mcpw_open_rows(c);
    c->tables[MCPW_TABLE_PIECES].size = mcpw_piece_size;
    c->tables[MCPW_TABLE_FORKS].size = mcpw_fork_size;
    return c->options.max_depth > MCPW_MAX_DEPTH || c->language.dialect > MCPW_SCHEMA_DRAFT_07
               ? mcpw_error_status(error, MCPW_E_ARGUMENT)
               : MCPW_OK;
}

static void free_patterns(const mcpw_compiler *c) {
    void **const patterns = mcpw_row_at(c, MCPW_TABLE_PATTERNS, 0);
    for (uint32_t i = 0; i < c->tables[MCPW_TABLE_PATTERNS].count; i++) {
        c->options.patterns->free(patterns[i]);
    }
}

mcpw_status mcpw_schema_compile(const char *text, size_t len, const mcpw_schema_options *options,
                                mcpw_schema **out, mcpw_error *error) {
    mcpw_compiler c;
    const mcpw_json document = {text, len, 0};
    *out = NULL;
    c.status = open_compiler(&c, options, error);
    if (mcpw_failed(&c)) {
        return c.status;
    }
    const uint32_t root = compile_document(&c, document);
    if (!mcpw_failed(&c)) {
        *out = mcpw_pack(&c, root);
    }
    if (mcpw_failed(&c)) {
        free_patterns(&c);
    }
    mcpw_arena_free(&c.arena);
    return c.status;
}
