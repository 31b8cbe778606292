/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <mcpw/codec.h>

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

enum { PIECE_SIZE = 96 };

static const char *const names[REPORT_FORMATS] = {
    [REPORT_TEXT] = "text", [REPORT_JSON] = "json", [REPORT_GITHUB] = "github", [REPORT_JUNIT] = "junit"};

static const report_style *const styles[REPORT_FORMATS] = {[REPORT_TEXT] = &report_text,
                                                           [REPORT_JSON] = &report_json,
                                                           [REPORT_GITHUB] = &report_github,
                                                           [REPORT_JUNIT] = &report_junit};

bool report_take_format(const option_reader *o, int which, const char *value, report_format *out) {
    size_t format = 0;
    const bool known = options_choice(o, which, value, names, REPORT_FORMATS, &format);
    *out = (report_format)format;
    return known;
}

static bool is_set(const char *variable) {
    const char *const value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static bool wants_colour(void) {
    const char *const terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") &&
           !(terminal != NULL && strcmp(terminal, "dumb") == 0);
}

bool report_init(report *r, const report_settings *set, progress *p) {
    const text piece = TEXT_INIT;
    size_t revisions = 0;
    (void)mcpw_revisions(&revisions);
    memset(r, 0, sizeof *r);
    r->set = *set;
    r->style = styles[set->format];
    r->piece = piece;
    r->out = stdout;
    r->colour = set->format == REPORT_TEXT && wants_colour();
    r->progress = p;
    r->by_revision = calloc(revisions, sizeof *r->by_revision);
    return r->by_revision != NULL;
}

/* ---- writing ---- */

void report_put(report *r, const char *text, size_t len) {
    errno = 0;
    if (r->error == 0 && fwrite(text, 1, len, r->out) != len) {
        r->error = errno != 0 ? errno : EIO;
    }
}

void report_put_text(report *r, const char *text) { report_put(r, text, strlen(text)); }

void report_put_piece(report *r) {
    if (r->piece.lost && r->error == 0) {
        r->error = ENOMEM;
    }
    if (r->piece.buffer.len != 0) {
        report_put(r, r->piece.buffer.data, r->piece.buffer.len);
    }
    text_clear(&r->piece);
}

void report_put_format(report *r, const char *fmt, ...) {
    char piece[PIECE_SIZE];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    report_put_text(r, piece);
}

void report_put_json(report *r, const char *text) {
    text_json(&r->piece, text, strlen(text));
    report_put_piece(r);
}

/* ---- files and values ---- */

static bool is_shown(const report *r) { return !r->set.quiet && r->error == 0; }

/* Whether anything is said about the value at hand. */
static bool shows_value(const report *r) { return is_shown(r) && !(r->set.errors_only && r->valid); }

void report_file(report *r, const char *file) {
    r->file = file;
    r->files++;
    r->file_values = 0;
    r->file_invalid = 0;
    r->file_failures = 0;
    if (is_shown(r) && r->style->file != NULL) {
        r->style->file(r);
    }
}

void report_file_end(report *r) {
    if (is_shown(r) && r->style->file_end != NULL) {
        progress_hide(r->progress);
        r->style->file_end(r);
    }
}

static void count_revision(report *r, const mcpw_revision *revision) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        r->by_revision[i] += all[i] == revision ? 1U : 0U;
    }
}

void report_begin(report *r, uint64_t line, const mcpw_revision *revision, bool valid) {
    r->line = line;
    r->revision = revision;
    r->valid = valid;
    r->listed = 0;
    r->notes_open = false;
    r->values++;
    r->invalid += valid ? 0U : 1U;
    r->file_values++;
    r->file_invalid += valid ? 0U : 1U;
    count_revision(r, revision);
    if (shows_value(r) && r->style->begin != NULL) {
        progress_hide(r->progress);
        r->style->begin(r);
    }
}

void report_error(report *r, uint64_t line, const mcpw_error *error) {
    if (shows_value(r)) {
        progress_hide(r->progress);
        r->style->error(r, line, error);
    }
}

void report_note(report *r, const char *pointer, const char *message) {
    r->notes++;
    if (shows_value(r) && !r->set.errors_only && r->style->note != NULL) {
        progress_hide(r->progress);
        r->style->note(r, pointer, message);
    }
}

void report_end(report *r) {
    if (shows_value(r) && r->style->end != NULL) {
        r->style->end(r);
    }
}

static void report_failure(report *r, const char *message) {
    r->file_failures++;
    if (is_shown(r) && r->style->failure != NULL) {
        r->style->failure(r, message);
    }
}

void report_failed_file(report *r, const char *message) {
    r->failed_files++;
    progress_hide(r->progress);
    tool_complain("%s: %s", r->file, message);
    report_failure(r, message);
}

void report_empty_file(report *r, const char *message) {
    r->empty_files++;
    progress_hide(r->progress);
    tool_complain("%s in %s", message, r->file);
    report_failure(r, message);
}

/* ---- the end ---- */

bool report_finish(report *r) {
    progress_hide(r->progress);
    if (is_shown(r) && r->style->summary != NULL) {
        r->style->summary(r);
    }
    errno = 0;
    if (r->error == 0 && fflush(r->out) != 0) {
        r->error = errno != 0 ? errno : EIO;
    }
    if (r->spool != NULL) {
        (void)fclose(r->spool);
    }
    free(r->by_revision);
    text_free(&r->piece);
    return r->error == 0;
}
