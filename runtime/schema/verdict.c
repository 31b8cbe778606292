/* SPDX-License-Identifier: MIT */
/* mcpw_schema_check, and the same for generated schemas. */
#include "fit.h"

enum {
    CALLS_A_LEVEL = 8, /* nested calls, for each level that a value may have (SECURITY.md has their stack) */
    WORK_A_BYTE = 4,   /* and for each byte of it, */
    WORK_A_NODE = 1024 /* steps that a schema may take for each node of a value */
};

/* Steps that any value may take. */
static const uint64_t least_work = UINT64_C(1) << 22;

static mcpw_status limits_of(const mcpw_options *options, size_t len, mcpw_tape_limits *limits) {
    const size_t bytes = options != NULL && options->max_bytes != 0 ? options->max_bytes : MCPW_DEFAULT_BYTES;
    limits->depth = options != NULL && options->max_depth != 0 ? options->max_depth : MCPW_DEFAULT_DEPTH;
    limits->elements =
        options != NULL && options->max_elements != 0 ? options->max_elements : MCPW_DEFAULT_ELEMENTS;
    if (limits->depth > MCPW_MAX_DEPTH) {
        return MCPW_E_ARGUMENT;
    }
    return len > bytes ? MCPW_E_SIZE : MCPW_OK;
}

/* Refuses names that occur twice, anywhere. */
static bool names_fit(mcpw_checking *c) {
    for (uint32_t i = 0; i < c->tape->count; i++) {
        uint32_t again = 0;
        if (c->tape->nodes[i].type == MCPW_IS_OBJECT &&
            mcpw_tape_has_same_names(&c->comparer, c->tape, i, &again)) {
            const mcpw_place place = {NULL, again, 0};
            const mcpw_spot spot = {again, &place, NULL};
            return mcpw_refuse(c, &spot, MCPW_E_DUPLICATE, mcpw_status_text(MCPW_E_DUPLICATE));
        }
    }
    return c->comparer.status == MCPW_OK || mcpw_give_up(c, NULL, c->comparer.status);
}

static mcpw_status check_tape(const mcpw_schema *schema, const mcpw_tape *tape, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error, unsigned depth) {
    mcpw_checking c;
    const mcpw_spot root = {0, NULL, NULL};
    const mcpw_arena no_memory = MCPW_ARENA_INIT;
    c.own.arena = no_memory;
    c.own.arena.allocator = scratch->allocator;
    c.own.compiled = NULL;
    c.schema = schema;
    c.tape = tape;
    c.scope = NULL;
    c.comparer.scratch = scratch;
    c.comparer.work = least_work + (uint64_t)tape->count * WORK_A_NODE + (uint64_t)tape->len * WORK_A_BYTE;
    c.comparer.status = MCPW_OK;
    c.depth = CALLS_A_LEVEL * depth + MCPW_DEFAULT_DEPTH;
    c.quiet = false;
    c.stopped = false;
    c.first = MCPW_OK;
    c.error = error;
    c.on_error = options != NULL ? options->on_error : NULL;
    c.user = options != NULL ? options->user : NULL;
    c.goes_on = c.on_error != NULL;
    /* A verdict may be made of what was found before the check was given up. */
    bool fits = mcpw_fits(&c, schema->root, &root) && !c.stopped;
    if ((fits || c.goes_on) && options != NULL && (options->flags & MCPW_STRICT) != 0) {
        fits = names_fit(&c) && fits;
    }
    if (MCPW_UNLIKELY(c.own.compiled != NULL)) {
        mcpw_own_patterns_free(&c);
    }
    return fits ? MCPW_OK : c.first;
}

/* The text is no JSON, or goes beyond a limit. */
static mcpw_status refuse_text(mcpw_status status, size_t offset, const mcpw_options *options,
                               mcpw_error *error) {
    mcpw_error record;
    mcpw_error_text(&record, status, offset, mcpw_status_text(status));
    if (error != NULL) {
        *error = record;
    }
    if (options != NULL && options->on_error != NULL) {
        (void)options->on_error(options->user, &record);
    }
    return status;
}

static MCPW_NOINLINE mcpw_status check_by_tape(const mcpw_schema *schema, const char *text, size_t len,
                                               mcpw_arena *scratch, const mcpw_options *options,
                                               mcpw_error *error) {
    mcpw_tape tape;
    mcpw_tape_limits limits;
    mcpw_options own = MCPW_OPTIONS_INIT;
    if (!MCPW_TAKE(&own, user, options)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    options = options != NULL ? &own : NULL;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    mcpw_status status = limits_of(options, len, &limits);
    if (status != MCPW_OK) {
        return refuse_text(status, 0, options, error);
    }
    status = mcpw_tape_read(&tape, text, len, scratch, &limits);
    status = status != MCPW_OK ? refuse_text(status, tape.at, options, error)
                               : check_tape(schema, &tape, scratch, options, error, limits.depth);
    mcpw_arena_rewind(scratch, mark);
    return status;
}

mcpw_status mcpw_schema_check(const mcpw_schema *schema, const char *text, size_t len, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error) {
    return options == NULL && mcpw_text_fits(schema, text, len)
               ? MCPW_OK
               : check_by_tape(schema, text, len, scratch, options, error);
}

mcpw_status mcpw_schema_meets(const mcpw_residual *demand, const char *text, size_t len, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error) {
    mcpw_schema schema = *demand->schema; /* a constant, which cannot name its engine */
    schema.engine = demand->patterns != NULL ? demand->patterns() : NULL;
    schema.plain = mcpw_plain_row(&schema);
    return mcpw_schema_check(&schema, text, len, scratch, options, error);
}
