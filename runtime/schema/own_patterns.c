/* SPDX-License-Identifier: MIT */
/* Patterns of generated schemas: constants hold nothing that is compiled. */
#include "fit.h"

/* Room for all patterns of the schema, none of them compiled. */
static bool open_list(mcpw_checking *c) {
    const size_t size = c->schema->pattern_count * sizeof *c->own.compiled;
    c->own.compiled = mcpw_arena_alloc(&c->own.arena, size);
    if (c->own.compiled == NULL) {
        return mcpw_give_up(c, NULL, mcpw_arena_status(&c->own.arena));
    }
    memset(c->own.compiled, 0, size);
    return true;
}

const void *mcpw_pattern_of(mcpw_checking *c, uint32_t pattern) {
    if (MCPW_LIKELY(c->schema->patterns != NULL)) {
        return c->schema->patterns[pattern];
    }
    if (c->own.compiled == NULL && !open_list(c)) {
        return NULL;
    }
    void **const compiled = c->own.compiled + pattern;
    if (*compiled == NULL) {
        const mcpw_allocator allocator = {mcpw_resize_in_arena, &c->own.arena};
        const mcpw_str text = mcpw_pool_text(c->schema, c->schema->pattern_texts[pattern]);
        char message[MCPW_ERROR_MESSAGE_SIZE];
        const mcpw_status status =
            c->schema->engine->compile(text.ptr, text.len, &allocator, compiled, message);
        if (status != MCPW_OK) {
            *compiled = NULL;
            (void)mcpw_give_up(c, NULL, status);
        }
    }
    return *compiled;
}

void mcpw_own_patterns_free(mcpw_checking *c) {
    for (uint32_t i = 0; c->own.compiled != NULL && i < c->schema->pattern_count; i++) {
        if (c->own.compiled[i] != NULL) {
            c->schema->engine->free(c->own.compiled[i]);
        }
    }
    mcpw_arena_free(&c->own.arena);
}
