/* SPDX-License-Identifier: MIT */
/* mcpw_validate: whether a text is a value of a type, and where it is not. */
#include "validate.h"
#include "error_report.h"
#include "keys.h"
#include "options.h"
#include "walks.h"

unsigned char *mcpw_check_shape(mcpw_walk *w, unsigned char *p, mcpw_ref ref) {
    const bool saw_unknown = w->saw_unknown; /* of a value that stays text */
    w->in_shape++;
    p = mcpw_check_ref(w, p, ref);
    w->in_shape--;
    w->saw_unknown = saw_unknown;
    return p;
}

/* Keeps the first error of several for the caller's record. */
typedef struct collector {
    mcpw_error_callback on_error;
    void *user;
    mcpw_error *first;
    bool have_first;
} collector;

static bool collect(void *user, const mcpw_error *error) {
    collector *const c = user;
    if (c->first != NULL && !c->have_first) {
        *c->first = *error;
    }
    c->have_first = true;
    return c->on_error(c->user, error); // NOLINT(clang-analyzer-core.CallAndMessage): set with the callback
}

static void set_callback(mcpw_walk *w, collector *c, const mcpw_options *options) {
    if (options != NULL && options->on_error != NULL) {
        c->on_error = options->on_error;
        c->user = options->user;
        w->reporter.collect = true;
        w->reporter.on_error = collect;
        w->reporter.user = c;
    }
}

mcpw_status mcpw_validate_open(mcpw_walk *w, mcpw_status status, const mcpw_options *options,
                               mcpw_error *error, mcpw_status (*run)(mcpw_walk *w, void *what), void *what) {
    mcpw_error record;
    collector c = {NULL, NULL, error, false};
    if (status != MCPW_OK) {
        return mcpw_error_status(error, status);
    }
    record.code = MCPW_OK;
    set_callback(w, &c, options);
    w->reporter.error = error != NULL || w->reporter.collect ? &record : NULL;
    status = run(w, what);
    w->reporter.error = NULL; /* the record ends here */
    if (status == MCPW_OK) {
        return MCPW_OK;
    }
    if (!w->reporter.collect) {
        if (error != NULL) {
            *error = record;
        }
    } else if (!w->reporter.stopped && record.code != MCPW_OK) {
        (void)collect(&c, &record); /* an error that ended the reading has not been reported yet */
    }
    return status;
}

static mcpw_status run_document(mcpw_walk *w, void *what) {
    const mcpw_type *const *const type = what;
    if (mcpw_check_document(w, (*type)->ref) == NULL) {
        return w->reporter.first != MCPW_OK ? w->reporter.first : w->reader.status;
    }
    return mcpw_finish_strict(w);
}

mcpw_status mcpw_finish_strict(mcpw_walk *w) {
    if (w->reporter.first == MCPW_OK && (w->flags & MCPW_STRICT) != 0 && !mcpw_no_duplicates(w)) {
        (void)mcpw_report(&w->reporter, &w->reader);
        return w->reporter.first != MCPW_OK ? w->reporter.first : w->reader.status;
    }
    return w->reporter.first;
}

mcpw_status mcpw_validate_exactly(const mcpw_type *type, const char *text, size_t len, mcpw_arena *scratch,
                                  const mcpw_options *options, mcpw_error *error) {
    mcpw_walk w;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    const mcpw_status opened = mcpw_walk_open(&w, type->revision, text, len, scratch, options);
    w.no_guess = true;
    const mcpw_status status = mcpw_validate_open(&w, opened, options, error, run_document, &type);
    mcpw_arena_rewind(scratch, mark);
    return status;
}

/* Most texts are valid: guesses are allowed first, and nothing is reported. */
mcpw_status mcpw_validate(const mcpw_type *type, const char *text, size_t len, mcpw_arena *scratch,
                          const mcpw_options *options, mcpw_error *error) {
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    if (!MCPW_COMPACT) {
        mcpw_walk w;
        const mcpw_mark mark = mcpw_arena_mark(scratch);
        const bool valid = mcpw_walk_open(&w, type->revision, text, len, scratch, options) == MCPW_OK &&
                           run_document(&w, &type) == MCPW_OK;
        mcpw_arena_rewind(scratch, mark);
        if (MCPW_LIKELY(valid)) {
            return MCPW_OK;
        }
    }
    return mcpw_validate_exactly(type, text, len, scratch, options, error);
}

#if !defined(MCPW_NO_ENCODE)
mcpw_status mcpw_check_text(const mcpw_revision *revision, mcpw_ref ref, char *text, size_t len,
                            unsigned depth, mcpw_allocator allocator, const mcpw_options *options,
                            mcpw_error *error, bool *line_breaks) {
    mcpw_walk w;
    mcpw_error record;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    scratch.allocator = allocator;
    mcpw_walk_open_in_place(&w, revision, text, len, &scratch, options != NULL ? options->flags : 0);
    w.reader.depth = depth;
    w.in_shape = 1;
    w.no_guess = true;
    w.reporter.error = error != NULL ? &record : NULL;
    record.code = MCPW_OK;
    const bool valid = mcpw_check_document(&w, ref) != NULL && mcpw_finish_strict(&w) == MCPW_OK;
    mcpw_arena_free(&scratch);
    *line_breaks = w.reader.saw_line_break;
    if (valid) {
        return MCPW_OK;
    }
    if (error != NULL) {
        *error = record;
    }
    return w.reader.status;
}
#endif
