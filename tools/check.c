/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "input.h"
#include "json_schema.h"
#include "progress.h"
#include "sessions.h"
#include "tool.h"
#include "unwrap.h"

#include <mcpw/codec.h>
#include <mcpw/json.h>

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#define KEEP_ARENA ((size_t)4 << 20) /* a larger arena is freed after its value */
#define ARENA_FACTOR 14              /* an arena may grow to this many times the longest value */

/* The state of checking one file. */
typedef struct job {
    const check_settings *set;
    mcpw_options limits;
    mcpw_arena arena;      /* for the check */
    mcpw_arena wrap_arena; /* for the object around a message */
    sessions sessions;
    check_report report;
    progress progress;
    const char *file;
    input_value value;
    unwrapped message;  /* in the value */
    size_t line_offset; /* a position in the value; line is its line */
    uint64_t line;
    size_t errors; /* reported for the current value */
    bool cap_said; /* the limit was reported for the current file */
} job;

/* True if values are messages, which belong to sessions. */
static bool are_messages(const check_settings *set) { return set->type == NULL && set->schema == NULL; }

/* ---- one value ---- */

/* The line of a position in the value. Errors mostly arrive in order, so the search continues from the last
 * one. */
static uint64_t line_of(job *j, size_t offset) {
    const input_value *const v = &j->value;
    if (j->set->ndjson) {
        return v->line;
    }
    const size_t to = offset < v->len ? offset : v->len;
    for (; j->line_offset < to; j->line_offset++) {
        j->line += v->text[j->line_offset] == '\n' ? 1U : 0U;
    }
    for (; j->line_offset > to; j->line_offset--) {
        j->line -= v->text[j->line_offset - 1] == '\n' ? 1U : 0U;
    }
    return j->line;
}

static bool report_each(void *user, const mcpw_error *error) {
    job *const j = user;
    mcpw_error here = *error;
    here.offset += j->message.offset;
    j->errors++;
    check_report_error(&j->report, line_of(j, here.offset), &here);
    return j->report.error == 0;
}

static void report_each_note(void *user, const exchange_diagnostic *diagnostic) {
    job *const j = user;
    check_report_note(&j->report, diagnostic->pointer, diagnostic->message);
}

/* Checks a value that is no message. */
static mcpw_status check_value(job *j, mcpw_json text, const mcpw_options *options, mcpw_error *error) {
    return j->set->schema != NULL
               ? json_schema_check(j->set->schema, text, &j->arena, options, error)
               : mcpw_validate(j->set->type, text.ptr, text.len, &j->arena, options, error);
}

static void report_all(job *j) {
    const mcpw_json text = j->message.text;
    if (are_messages(j->set)) {
        sessions_errors(&j->sessions, text, report_each, j);
        return;
    }
    mcpw_options every = j->limits;
    every.on_error = report_each;
    every.user = j;
    mcpw_arena_reset(&j->arena);
    const mcpw_status again = check_value(j, text, &every, NULL);
    (void)again; /* known to be invalid: this run only calls the callback */
}

static mcpw_status check_text(job *j, mcpw_error *error) {
    const mcpw_json text = j->message.text;
    if (are_messages(j->set)) {
        const unwrapped *const m = &j->message;
        return sessions_check(&j->sessions, m->has_side ? &m->from : NULL, text, error);
    }
    mcpw_arena_reset(&j->arena);
    return check_value(j, text, &j->limits, error);
}

/* Finds the message in the value. */
static mcpw_status find_message(job *j, mcpw_error *error) {
    const input_value *const v = &j->value;
    const mcpw_json line = mcpw_json_of(v->text, v->len);
    const unwrap_settings set = {j->set->message, j->set->split, are_messages(j->set),
                                 (unsigned)j->set->max_depth};
    memset(&j->message, 0, sizeof j->message);
    if (v->too_long) {
        error->code = MCPW_E_SIZE;
        (void)snprintf(error->message, sizeof error->message, "value is longer than %zu bytes (--max-bytes)",
                       j->limits.max_bytes);
        return error->code;
    }
    mcpw_arena_reset(&j->wrap_arena);
    return unwrap(&set, line, &j->wrap_arena, &j->message, error);
}

/* True if a JSON value ends at this position, and more than white space follows. */
static bool is_followed(const job *j, size_t end) {
    const mcpw_json before = mcpw_json_of(j->value.text, end);
    mcpw_error unused;
    while (end < j->value.len && strchr(" \t\r\n", j->value.text[end]) != NULL &&
           j->value.text[end] != '\0') {
        end++;
    }
    return end < j->value.len && mcpw_json_check(before, j->limits.max_depth, &unused) == MCPW_OK;
}

/* Hints at --ndjson if more follows the first value of a file. The error may be another one: the first line
 * of a recorded session is no message. */
static void hint_at_ndjson(const job *j, const mcpw_error *error) {
    const input_value *const v = &j->value;
    if (j->set->ndjson || j->set->report.quiet || v->too_long || v->len == 0) {
        return;
    }
    const char *const end = memchr(v->text, '\n', v->len);
    if ((end != NULL && is_followed(j, (size_t)(end - v->text))) ||
        (error->code == MCPW_E_SYNTAX && error->offset < v->len && is_followed(j, error->offset))) {
        tool_complain("%s: this looks like NDJSON, because more follows the first value; for a file with a "
                      "value on each line add --ndjson",
                      j->file);
    }
}

/* Reports the result of a check. found: the value contains the message. */
static void report_verdict(job *j, bool found, mcpw_status status, const mcpw_error *error) {
    const bool valid = status == MCPW_OK;
    const mcpw_revision *const revision = !are_messages(j->set) ? j->set->revision
                                          : found               ? j->sessions.exchange.revision
                                                                : NULL;
    j->line_offset = 0;
    j->line = 1;
    j->errors = 0;
    check_report_begin(&j->report, valid ? j->value.line : line_of(j, error->offset + j->message.offset),
                       revision, valid);
    if (!valid && found && j->set->all_errors) {
        report_all(j);
    }
    if (!valid && j->errors == 0) {
        (void)report_each(j, error);
    }
}

static void follow(job *j) {
    exchange *const x = &j->sessions.exchange;
    sessions_follow(&j->sessions, j->message.text);
    if (x->forgot && !j->cap_said) {
        j->cap_said = true;
        progress_hide(&j->progress);
        tool_complain("%s:%" PRIu64
                      ": %zu open requests are the limit (--max-open): further ones are not remembered, "
                      "and results that answer them are checked as objects only",
                      j->file, j->value.line, j->set->max_open);
    }
}

/* Adds the value to a page. The offsets of its errors are those in the whole value. */
static void show(job *j, bool found) {
    const unwrapped *const m = &j->message;
    const bool is_message = are_messages(j->set);
    const mcpw_str whole = {j->value.text, j->value.len};
    const mcpw_str inner = {m->text.ptr, m->text.len};
    const trace_item item = {.from = m->has_side ? (unsigned)m->from : TRACE_NO_SIDE,
                             .revision = !is_message ? j->set->revision
                                         : found     ? j->sessions.exchange.revision
                                                     : NULL,
                             .kind = j->value.too_long ? "skipped"
                                     : is_message      ? NULL
                                                       : "value",
                             .text = j->value.too_long   ? (mcpw_str){NULL, 0}
                                     : inner.ptr != NULL ? inner
                                                         : whole,
                             .bytes = inner.ptr != NULL && !j->value.too_long ? inner.len : whole.len};
    j->report.trace.conversation = m->session.kind == MCPW_ID_INTEGER ? (uint64_t)m->session.as.integer : 0;
    trace_at(&j->report.trace, m->time);
    check_report_value(&j->report, &item);
}

/* Enters the session of the message. */
static mcpw_status enter(job *j) {
    if (!are_messages(j->set)) {
        return MCPW_OK;
    }
    return sessions_enter(&j->sessions, &j->message.session) ? MCPW_OK : MCPW_E_MEMORY;
}

/* Checks one value. False: the program failed, not the value. */
static bool handle_value(job *j) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    mcpw_status status = find_message(j, &error);
    const bool found = status == MCPW_OK;
    if (found && j->message.refuses) {
        return true;
    }
    status = found ? enter(j) : status;
    if (status == MCPW_OK && j->message.begins) {
        sessions_restart(&j->sessions);
        if (j->set->report.format == REPORT_HTML) {
            trace_at(&j->report.trace, j->message.time);
            trace_began(&j->report.trace, j->message.time);
        }
        return true;
    }
    status = status == MCPW_OK ? check_text(j, &error) : status;
    if (status == MCPW_E_MEMORY || status == MCPW_E_ARENA || status == MCPW_E_ARGUMENT) {
        progress_hide(&j->progress);
        tool_complain("%s:%" PRIu64 ": %s", j->file, j->value.line, mcpw_status_text(status));
        return false;
    }
    report_verdict(j, found, status, &error);
    if (found && are_messages(j->set)) {
        follow(j);
    }
    show(j, found);
    check_report_end(&j->report);
    if (status != MCPW_OK) {
        hint_at_ndjson(j, &error);
    }
    mcpw_arena *const arenas[] = {&j->arena, &j->wrap_arena, &j->sessions.arena};
    for (size_t i = 0; i < sizeof arenas / sizeof arenas[0]; i++) {
        if (arenas[i]->total > KEEP_ARENA) {
            mcpw_arena_free(arenas[i]);
        }
    }
    return true;
}

/* ---- files ---- */

static void show_progress(void *user, const input *in) { progress_update(user, in); }

/* Checks the values of a file. False: it was not checked to its end, and the reason was printed. */
static bool check_values(job *j, input *in) {
    char why[INPUT_REASON_SIZE];
    while (j->report.error == 0) {
        const input_result result =
            j->set->ndjson ? input_next_line(in, &j->value) : input_whole(in, &j->value);
        if (result == INPUT_FAILED) {
            input_reason(in, why);
            check_report_failed_file(&j->report, why);
            return false;
        }
        if (result == INPUT_END) {
            break;
        }
        if (!handle_value(j)) {
            j->report.failed_files++;
            return false;
        }
    }
    return true;
}

static void check_opened(job *j, input *in) {
    const check_settings *const set = j->set;
    in->on_read = show_progress;
    in->user = &j->progress;
    progress_restart(&j->progress);
    if (!sessions_init(&j->sessions, set->revision, &j->limits, &j->arena, set->max_open)) {
        check_report_failed_file(&j->report, mcpw_status_text(MCPW_E_MEMORY));
    } else {
        if (set->messages != NULL) {
            sessions_use_schema(&j->sessions, set->messages);
        }
        j->sessions.exchange.overlays = set->overlays;
        j->sessions.exchange.on_diagnostic = report_each_note;
        j->sessions.exchange.user = j;
        if (check_values(j, in) && j->report.file_values == 0 && j->report.error == 0) {
            check_report_empty_file(&j->report, are_messages(set) ? "no messages" : "no values");
        }
        j->report.sessions += j->sessions.begun;
    }
    sessions_free(&j->sessions);
}

static void check_file(job *j, const char *name) {
    char why[INPUT_REASON_SIZE];
    input in;
    j->file = name;
    j->cap_said = false;
    check_report_file(&j->report, name);
    if (input_open(&in, name, j->limits.max_bytes)) {
        check_opened(j, &in);
    } else {
        input_reason(&in, why);
        check_report_failed_file(&j->report, why);
    }
    input_close(&in);
    check_report_file_end(&j->report);
}

static void set_limits(job *j) {
    const mcpw_options limits = MCPW_OPTIONS_INIT;
    const mcpw_arena arena = MCPW_ARENA_INIT;
    const size_t max_bytes = j->set->max_bytes;
    j->limits = limits;
    j->limits.flags = j->set->strict ? MCPW_STRICT : 0;
    j->limits.max_bytes = max_bytes;
    j->limits.max_depth = (unsigned)j->set->max_depth;
    j->limits.max_elements = max_bytes; /* the length of a value is limit enough */
    j->arena = arena;
    j->wrap_arena = arena;
    if (max_bytes > MCPW_ARENA_DEFAULT_LIMIT / ARENA_FACTOR) {
        j->arena.limit = max_bytes < SIZE_MAX / ARENA_FACTOR ? max_bytes * ARENA_FACTOR : SIZE_MAX;
        j->wrap_arena.limit = j->arena.limit;
    }
}

static int exit_status(const check_report *r) {
    if (r->failed_files != 0) {
        return TOOL_FAILED;
    }
    return r->invalid != 0 || r->empty_files != 0 ? TOOL_INVALID : TOOL_OK;
}

int check_files(const check_settings *set, const char *const *files, size_t count) {
    job j;
    memset(&j, 0, sizeof j);
    j.set = set;
    set_limits(&j);
    progress_init(&j.progress, set->report.quiet);
    if (!check_report_init(&j.report, &set->report, &j.progress)) {
        tool_complain("%s", mcpw_status_text(MCPW_E_MEMORY));
        return TOOL_FAILED;
    }
    for (size_t i = 0; i < count && j.report.error == 0; i++) {
        check_file(&j, files[i]);
    }
    mcpw_arena_free(&j.arena);
    mcpw_arena_free(&j.wrap_arena);
    if (!check_report_finish(&j.report)) {
        tool_complain_output(j.report.error);
        return TOOL_FAILED;
    }
    return exit_status(&j.report);
}
