/* SPDX-License-Identifier: MIT */
/* Reading JSON-RPC messages: the entry points. message_walk.inc reads them. */
#include <mcpw/message.h>

#include "envelope.h"
#include "error_report.h"
#include "message_internal.h"
#include "options.h"
#include "validate.h"

/* Reads and stores a message. A guess that fails is followed by a reading without. */
MCPW_INLINE mcpw_status build_message(mcpw_exchange *x, const mcpw_revision *revision, const char *text,
                                      size_t len, mcpw_arena *arena, mcpw_message *out,
                                      const mcpw_options *options, mcpw_remembered *remembered) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    for (x->exact = false;; x->exact = true) {
        mcpw_status status = mcpw_walk_start(&x->w, revision, text, len, arena, options);
        if (MCPW_LIKELY(status == MCPW_OK)) {
            x->w.remembered = remembered;
            if (MCPW_LIKELY(mcpw_message_build(x, out) != NULL)) {
                return MCPW_OK;
            }
            status = x->w.reader.status;
        }
        memset(out, 0, sizeof *out);
        mcpw_arena_rewind(arena, mark);
        if (x->exact || x->resolve == NULL) {
            return status;
        }
    }
}

/* The input of a validation. */
typedef struct checked {
    mcpw_exchange *x;
    mcpw_message *message;
} checked;

static mcpw_status run_message(mcpw_walk *w, void *what) {
    const checked *const c = what;
    if (mcpw_message_check(c->x, c->message) != NULL) {
        return mcpw_finish_strict(w);
    }
    mcpw_describe(&w->reporter, &w->reader);
    return !mcpw_report(&w->reporter, &w->reader) && w->reporter.first == MCPW_OK ? w->reader.status
                                                                                  : w->reporter.first;
}

/* Without guesses, so that the real fault is reported. */
static mcpw_status validate_exactly(mcpw_exchange *x, mcpw_message *message, const mcpw_revision *revision,
                                    const char *text, size_t len, mcpw_arena *scratch,
                                    const mcpw_options *options, mcpw_error *error) {
    checked what = {x, message};
    memset(message, 0, sizeof *message);
    x->exact = true;
    x->task = false;
    const mcpw_status opened = mcpw_walk_open(&x->w, revision, text, len, scratch, options);
    x->w.no_guess = true;
    return mcpw_validate_open(&x->w, opened, options, error, run_message, &what);
}

/* Most messages are valid: guesses are allowed first, and nothing is reported. */
static bool validate_quickly(mcpw_exchange *x, mcpw_message *message, const mcpw_revision *revision,
                             const char *text, size_t len, mcpw_arena *scratch, const mcpw_options *options) {
    checked what = {x, message};
    memset(message, 0, sizeof *message);
    x->exact = false;
    x->task = false;
    return mcpw_walk_open(&x->w, revision, text, len, scratch, options) == MCPW_OK &&
           run_message(&x->w, &what) == MCPW_OK;
}

/* A message that is not likely to be valid is read but once. */
static mcpw_status validate_message(const mcpw_revision *revision, const char *text, size_t len,
                                    mcpw_arena *scratch, mcpw_resolve resolve, void *user,
                                    mcpw_envelope *found, const mcpw_options *options, mcpw_error *error,
                                    bool likely_valid) {
    mcpw_exchange x;
    mcpw_message message;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    mcpw_status status = MCPW_OK;
    x.resolve = resolve;
    x.user = user;
    if (MCPW_COMPACT || !likely_valid ||
        !validate_quickly(&x, &message, revision, text, len, scratch, options)) {
        mcpw_arena_rewind(scratch, mark);
        status = validate_exactly(&x, &message, revision, text, len, scratch, options, error);
    }
    if (found == NULL) {
        mcpw_arena_rewind(scratch, mark);
        return status;
    }
    found->kind = message.kind;
    found->method = message.method;
    found->method_name = message.method_name;
    found->id = message.id;
    found->task = x.task;
    return status;
}

/* Validating says what is wrong; under strict it also comes first, for what only it looks at. */
static MCPW_COLD mcpw_status check_message(const mcpw_revision *revision, const char *text, size_t len,
                                           mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                           const mcpw_options *options, mcpw_error *error) {
    mcpw_options plain = MCPW_OPTIONS_INIT;
    if (options != NULL) {
        plain = *options;
        plain.on_error = NULL;
    }
    return validate_message(revision, text, len, arena, resolve, user, NULL, &plain, error, false);
}

mcpw_status mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len,
                                           mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                           mcpw_message *out, const mcpw_options *options, mcpw_error *error,
                                           mcpw_remembered *remembered) {
    mcpw_exchange x;
    mcpw_clear(out, sizeof *out);
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    bool checks = options != NULL && (options->flags & MCPW_STRICT) != 0;
    x.resolve = resolve;
    x.user = user;
    for (;; checks = false) {
        mcpw_status status = MCPW_OK;
        if (MCPW_LIKELY(!checks)) {
            status = build_message(&x, revision, text, len, arena, out, options, remembered);
            if (MCPW_LIKELY(status == MCPW_OK)) {
                return MCPW_OK;
            }
        }
        const bool exhausted = status == MCPW_E_MEMORY || status == MCPW_E_ARENA;
        const mcpw_status verdict =
            exhausted ? MCPW_OK : check_message(revision, text, len, arena, resolve, user, options, error);
        if (verdict != MCPW_OK) {
            return verdict;
        }
        if (!checks) {
            return mcpw_error_status(error, status);
        }
    }
}

mcpw_status mcpw_message_decode(const mcpw_revision *revision, const char *text, size_t len,
                                mcpw_arena *arena, mcpw_resolve resolve, void *user, mcpw_message *out,
                                const mcpw_options *options, mcpw_error *error) {
    return mcpw_message_decode_remembered(revision, text, len, arena, resolve, user, out, options, error,
                                          NULL);
}

mcpw_status mcpw_message_validate(const mcpw_revision *revision, const char *text, size_t len,
                                  mcpw_arena *scratch, mcpw_resolve resolve, void *user, mcpw_envelope *found,
                                  const mcpw_options *options, mcpw_error *error) {
    mcpw_options own;
    if (!mcpw_options_read(&options, &own)) {
        return mcpw_error_status(error, MCPW_E_ARGUMENT);
    }
    return validate_message(revision, text, len, scratch, resolve, user, found, options, error, true);
}
