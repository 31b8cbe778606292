/* SPDX-License-Identifier: MIT */
/* mcpw_decode: a text to the struct of its type. */
#include "error_report.h"
#include "options.h"
#include "validate.h"
#include "walks.h"

/* Validates a text without the caller's callback. */
static MCPW_COLD mcpw_status check(const mcpw_type *type, const char *text, size_t len, mcpw_arena *arena,
                                   const mcpw_options *options, mcpw_error *error) {
    mcpw_options plain = MCPW_OPTIONS_INIT;
    if (options != NULL) {
        plain = *options;
        plain.on_error = NULL;
    }
    return mcpw_validate_exactly(type, text, len, arena, &plain, error);
}

mcpw_status mcpw_decode(const mcpw_type *type, const char *text, size_t len, mcpw_arena *arena, void *out,
                        const mcpw_options *options, mcpw_error *error) {
    mcpw_walk w;
    const mcpw_mark mark = mcpw_arena_mark(arena);
    memset(out, 0, type->size);
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    if (MCPW_UNLIKELY(options != NULL && (options->flags & MCPW_STRICT) != 0)) {
        /* Formats and duplicates are looked at in text that has not been decoded in place. */
        const mcpw_status strict = check(type, text, len, arena, options, error);
        if (strict != MCPW_OK) {
            return strict;
        }
    }
    mcpw_status status = mcpw_walk_start(&w, type->revision, text, len, arena, options);
    if (MCPW_LIKELY(status == MCPW_OK)) {
        if (MCPW_LIKELY(mcpw_build_document(&w, type->ref, out) != NULL)) {
            return MCPW_OK;
        }
        status = w.reader.status;
        memset(out, 0, type->size);
    }
    mcpw_arena_rewind(arena, mark);
    if (status != MCPW_E_MEMORY && status != MCPW_E_ARENA) {
        /* Says what was wrong with a text that could not be decoded: by validating it. */
        const mcpw_status again = check(type, text, len, arena, options, error);
        if (again != MCPW_OK) {
            return again;
        }
    }
    return mcpw_error_status(error, status);
}
