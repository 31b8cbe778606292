/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

enum { PIECE_SIZE = 64 };

static const char bold[] = "\033[1m";
static const char red[] = "\033[1;31m";
static const char green[] = "\033[1;32m";
static const char cyan[] = "\033[1;36m";
static const char plain[] = "\033[0m";

static bool is_set(const char *variable) {
    const char *const value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static bool wants_colour(void) {
    const char *const terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") &&
           !(terminal != NULL && strcmp(terminal, "dumb") == 0);
}

void report_init(report *r, report_format format, bool quiet, progress *p) {
    const text piece = TEXT_INIT;
    memset(r, 0, sizeof *r);
    r->piece = piece;
    r->out = stdout;
    r->format = format;
    r->quiet = quiet;
    r->colour = wants_colour(); /* of text; JSON has none */
    r->progress = p;
}

/* ---- writing ---- */

static void put(report *r, const char *text, size_t len) {
    errno = 0;
    if (r->error == 0 && fwrite(text, 1, len, r->out) != len) {
        r->error = errno != 0 ? errno : EIO;
    }
}

static void put_text(report *r, const char *text) { put(r, text, strlen(text)); }

/* Writes what was put together in r->piece. */
static void put_piece(report *r) {
    if (r->piece.lost && r->error == 0) {
        r->error = ENOMEM;
    }
    if (r->piece.buffer.len != 0) {
        put(r, r->piece.buffer.data, r->piece.buffer.len);
    }
    text_clear(&r->piece);
}

static void put_format(report *r, const char *fmt, ...) TOOL_PRINTF(2, 3);

/* For numbers and other short pieces. */
static void put_format(report *r, const char *fmt, ...) {
    char piece[PIECE_SIZE];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    put_text(r, piece);
}

static void put_colour(report *r, const char *colour) {
    if (r->colour) {
        put_text(r, colour);
    }
}

static void put_safe(report *r, const char *text) {
    text_safe(&r->piece, text, strlen(text));
    put_piece(r);
}

static void put_json_string(report *r, const char *text) {
    text_json(&r->piece, text, strlen(text));
    put_piece(r);
}

/* ---- one value ---- */

static bool is_shown(const report *r) { return !r->quiet && r->error == 0; }

void report_begin(report *r, const char *file, uint64_t line, bool valid) {
    r->file = file;
    r->line = line;
    r->valid = valid;
    r->listed = 0;
    r->notes_open = false;
    r->values++;
    r->invalid += valid ? 0U : 1U;
    if (is_shown(r) && r->format == REPORT_JSON) {
        progress_hide(r->progress);
        put_text(r, "{\"file\":");
        put_json_string(r, file);
        put_format(r, ",\"line\":%" PRIu64 ",\"valid\":%s,\"errors\":[", line, valid ? "true" : "false");
    }
}

static void put_place(report *r, uint64_t line) {
    progress_hide(r->progress);
    put_colour(r, bold);
    put_safe(r, r->file);
    put_format(r, ":%" PRIu64 ":", line);
    put_colour(r, plain);
    put_text(r, " ");
}

static void put_finding(report *r, const char *pointer, const char *message) {
    put_safe(r, pointer[0] != '\0' ? pointer : "/");
    put_text(r, ": ");
    put_safe(r, message);
    put_colour(r, plain);
    put_text(r, "\n");
}

void report_error(report *r, uint64_t line, const mcpw_error *error) {
    if (!is_shown(r)) {
        return;
    }
    if (r->format == REPORT_TEXT) {
        put_place(r, line);
        put_colour(r, red);
        put_finding(r, error->path, error->message);
        return;
    }
    put_text(r, r->listed++ != 0 ? ",{\"pointer\":" : "{\"pointer\":");
    put_json_string(r, error->path);
    put_text(r, ",\"code\":");
    put_json_string(r, mcpw_status_name(error->code));
    put_text(r, ",\"message\":");
    put_json_string(r, error->message);
    put_format(r, ",\"offset\":%zu}", error->offset);
}

void report_note(report *r, const char *pointer, const char *message) {
    r->notes++;
    if (!is_shown(r)) {
        return;
    }
    if (r->format == REPORT_TEXT) {
        put_place(r, r->line);
        put_colour(r, cyan);
        put_text(r, "note: ");
        put_colour(r, plain);
        put_finding(r, pointer, message);
        return;
    }
    put_text(r, r->notes_open ? ",{\"pointer\":" : "],\"notes\":[{\"pointer\":");
    r->notes_open = true;
    put_json_string(r, pointer);
    put_text(r, ",\"message\":");
    put_json_string(r, message);
    put_text(r, "}");
}

void report_end(report *r) {
    if (is_shown(r) && r->format == REPORT_JSON) {
        put_text(r, "]}\n");
    }
}

/* ---- the end ---- */

void report_failed_file(report *r) { r->failed_files++; }

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void put_summary(report *r) {
    progress_hide(r->progress);
    put_colour(r, r->invalid != 0 || r->failed_files != 0 ? red : green);
    if (r->values == 0) {
        put_text(r, "no values");
    } else if (r->invalid == 0) {
        put_format(r, "%" PRIu64 " value%s valid", r->values, plural(r->values));
    } else {
        put_format(r, "%" PRIu64 " of %" PRIu64 " value%s invalid", r->invalid, r->values, plural(r->values));
    }
    put_colour(r, plain);
    if (r->notes != 0) {
        put_format(r, ", %" PRIu64 " note%s", r->notes, plural(r->notes));
    }
    if (r->failed_files != 0) {
        put_format(r, ", %" PRIu64 " file%s not read", r->failed_files, plural(r->failed_files));
    }
    put_text(r, "\n");
}

bool report_finish(report *r) {
    progress_hide(r->progress);
    if (is_shown(r) && r->format == REPORT_TEXT) {
        put_summary(r);
    }
    errno = 0;
    if (r->error == 0 && fflush(r->out) != 0) {
        r->error = errno != 0 ? errno : EIO;
    }
    text_free(&r->piece);
    return r->error == 0;
}
