/* SPDX-License-Identifier: MIT */
#include "residual.h"

/* Reports the failure: the record has the place within the value, and the walk has the place of the value. */
static void tell(mcpw_walk *w, const unsigned char *p, mcpw_status status, const mcpw_error *record) {
    if (mcpw_report_begin(&w->reporter, &w->reader, p, status)) {
        const size_t inside = record->offset;
        *w->reporter.error = *record;
        w->reporter.error->offset = (size_t)(p - w->reader.base) + inside;
        mcpw_report_path(&w->reporter);
    }
}

mcpw_status mcpw_meet_residual(mcpw_walk *w, const mcpw_union *u, const unsigned char *p,
                               const unsigned char *end) {
    const mcpw_residual *const residual = mcpw_residual_of(w->tables.revision, u);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error record;
    options.max_depth = w->reader.depth != 0 ? w->reader.depth : 1;             /* 0 would be the default */
    options.max_elements = w->elements < SIZE_MAX ? w->elements + 1 : SIZE_MAX; /* 0 would be the default */
    options.max_bytes = (size_t)(end - p);
    const mcpw_status status =
        residual->meets(residual, (const char *)p, (size_t)(end - p), w->arena, &options, &record);
    if (status != MCPW_OK) {
        tell(w, p, status, &record);
    }
    return status;
}

mcpw_status mcpw_meets_residual(const mcpw_residual *residual, const char *text, size_t len,
                                mcpw_allocator allocator, mcpw_error *error) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    scratch.allocator = allocator;
    options.max_depth = MCPW_MAX_DEPTH;
    options.max_elements = SIZE_MAX;
    options.max_bytes = len;
    const mcpw_status status = residual->meets(residual, text, len, &scratch, &options, error);
    mcpw_arena_free(&scratch);
    return status;
}
