/* SPDX-License-Identifier: MIT */
#include "check_report.h"

#include "console.h"

#include <mcpw/codec.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_NAME = 32 };

static void put(void *user, const text *t) {
    check_report *const r = user;
    progress_hide(r->progress);
    if (r->error == 0) {
        r->error = console_write(t);
    }
}

static void put_event(void *user, const text *event) {
    check_report *const r = user;
    report_event(&r->report, event);
}

bool check_report_init(check_report *r, const report_settings *set, progress *p) {
    size_t revisions = 0;
    (void)mcpw_revisions(&revisions);
    memset(r, 0, sizeof *r);
    report_init(&r->report, set->format, "validate", put, r);
    r->report.colour = set->format == REPORT_TEXT && console_has_colour();
    r->set = *set;
    trace_init(&r->trace, put_event, r);
    r->trace.redacts = set->redacts;
    r->trace.has_no_times = true;
    r->progress = p;
    r->by_revision = calloc(revisions, sizeof *r->by_revision);
    return r->by_revision != NULL;
}

/* ---- files and values ---- */

static bool is_shown(const check_report *r) { return !r->set.quiet && r->error == 0; }

/* True if the report mentions the current value. */
static bool shows_value(const check_report *r) { return is_shown(r) && !(r->set.errors_only && r->valid); }

static void take_error(check_report *r) { r->error = r->error != 0 ? r->error : r->report.error; }

void check_report_file(check_report *r, const char *file) {
    r->file = file;
    r->files++;
    r->file_values = 0;
    if (is_shown(r)) {
        report_begin_suite(&r->report);
        take_error(r);
        if (r->set.format == REPORT_HTML) {
            trace_file(&r->trace, file);
        }
    }
}

void check_report_file_end(check_report *r) {
    if (is_shown(r)) {
        report_end_suite(&r->report, r->file, NULL);
        take_error(r);
    }
}

void check_report_begin(check_report *r, uint64_t line, const mcpw_revision *revision, bool valid) {
    char name[LINE_NAME];
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    r->line = line;
    r->valid = valid;
    r->values++;
    r->invalid += valid ? 0U : 1U;
    r->file_values++;
    for (size_t i = 0; i < count; i++) {
        r->by_revision[i] += all[i] == revision ? 1U : 0U;
    }
    if (shows_value(r)) {
        text members = TEXT_INIT;
        if (r->set.format == REPORT_JSON) {
            report_member(&members, "file", mcpw_str_from(r->file));
            report_number(&members, "line", line);
            if (r->set.with_revisions && revision != NULL) {
                report_member(&members, "revision", mcpw_str_from(mcpw_revision_name(revision)));
            }
            text_format(&members, ",\"valid\":%s", valid ? "true" : "false");
        }
        (void)snprintf(name, sizeof name, "line %" PRIu64, line);
        report_begin_case(&r->report, r->file, name, &members);
        text_free(&members);
    }
}

/* Reports a finding of the current value. error NULL: it is a note. */
static void find(check_report *r, uint64_t line, const char *pointer, const char *message,
                 const mcpw_error *error) {
    text members = TEXT_INIT;
    const bool is_note = error == NULL;
    const report_finding f = {
        is_note ? REPORT_NOTE : REPORT_ERROR,         r->file, line,    "", "",      is_note ? "note: " : "",
        is_note ? "" : mcpw_status_name(error->code), pointer, message, "", &members};
    if (r->set.format == REPORT_JSON) {
        report_member(&members, "pointer", mcpw_str_from(pointer));
        if (!is_note) {
            report_member(&members, "code", mcpw_str_from(f.code));
        }
        report_member(&members, "message", mcpw_str_from(message));
        if (!is_note) {
            report_number(&members, "offset", error->offset);
        }
    }
    if (r->set.format == REPORT_HTML) {
        const trace_finding found = {
            is_note ? "note" : "error", is_note ? "note" : f.code, pointer, message, !is_note,
            is_note ? 0 : error->offset};
        trace_find(&r->trace, &found);
    }
    report_find(&r->report, &f);
    text_free(&members);
}

void check_report_error(check_report *r, uint64_t line, const mcpw_error *error) {
    if (shows_value(r)) {
        find(r, line, error->path, error->message, error);
    }
}

void check_report_note(check_report *r, const char *pointer, const char *message) {
    r->notes++;
    if (shows_value(r) && !r->set.errors_only && r->set.format != REPORT_JUNIT) {
        find(r, r->line, pointer, message, NULL);
    }
}

void check_report_value(check_report *r, const trace_item *value) {
    if (shows_value(r) && r->set.format == REPORT_HTML) {
        r->trace.line = r->line;
        trace_add(&r->trace, value);
    }
}

void check_report_end(check_report *r) {
    if (shows_value(r)) {
        report_end_case(&r->report);
        take_error(r);
    }
}

static void report_failure(check_report *r, const char *message) {
    if (is_shown(r)) {
        report_failed(&r->report, r->file, message);
        take_error(r);
    }
}

void check_report_failed_file(check_report *r, const char *message) {
    r->failed_files++;
    progress_hide(r->progress);
    tool_complain("%s: %s", r->file, message);
    report_failure(r, message);
}

void check_report_empty_file(check_report *r, const char *message) {
    r->empty_files++;
    progress_hide(r->progress);
    tool_complain("%s in %s", message, r->file);
    report_failure(r, message);
}

/* ---- the summary ---- */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void put_count(text *t, uint64_t count, const char *what, const char *which) {
    if (count != 0) {
        text_format(t, ", %" PRIu64 " %s%s%s", count, what, plural(count), which);
    }
}

static void put_text(const check_report *r, text *t) {
    const bool bad = r->invalid != 0 || r->failed_files != 0 || r->empty_files != 0;
    text_add(t, !r->report.colour ? "" : bad ? "\033[1;31m" : "\033[1;32m");
    if (r->values == 0) {
        text_add(t, "no values");
    } else if (r->invalid == 0) {
        text_format(t, "%" PRIu64 " value%s valid", r->values, plural(r->values));
    } else {
        text_format(t, "%" PRIu64 " of %" PRIu64 " value%s invalid", r->invalid, r->values,
                    plural(r->values));
    }
    text_add(t, r->report.colour ? "\033[0m" : "");
    put_count(t, r->set.errors_only ? 0 : r->notes, "note", "");
    put_count(t, r->failed_files, "file", " not read");
    put_count(t, r->empty_files, "file", " empty");
    text_add(t, "\n");
}

static void put_json(const check_report *r, text *t) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    text members = TEXT_INIT;
    text revisions = TEXT_INIT;
    report_number(&members, "files", r->files);
    report_number(&members, "values", r->values);
    report_number(&members, "invalid", r->invalid);
    report_number(&members, "notes", r->notes);
    report_number(&members, "files_not_read", r->failed_files);
    report_number(&members, "files_empty", r->empty_files);
    if (r->set.with_revisions) {
        report_number(&members, "sessions", r->sessions);
    }
    for (size_t i = 0; i < count; i++) {
        if (r->by_revision[i] != 0) {
            report_number(&revisions, mcpw_revision_name(all[i]), r->by_revision[i]);
        }
    }
    text_add(t, "{\"summary\":{");
    text_join(t, &members);
    text_add(t, ",\"revisions\":{");
    text_join(t, &revisions);
    text_add(t, "}}}\n");
    text_free(&members);
    text_free(&revisions);
}

bool check_report_finish(check_report *r) {
    text summary = TEXT_INIT;
    progress_hide(r->progress);
    if (is_shown(r) && (r->set.format == REPORT_JUNIT || r->set.format == REPORT_HTML)) {
        report_end(&r->report);
    } else if (is_shown(r)) {
        (r->set.format == REPORT_JSON ? put_json : put_text)(r, &summary);
        put(r, &summary);
    }
    if (r->error == 0) {
        r->error = console_flush();
    }
    free(r->by_revision);
    trace_free(&r->trace);
    text_free(&summary);
    report_free(&r->report);
    return r->error == 0;
}
