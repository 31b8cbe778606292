/* SPDX-License-Identifier: MIT */
/* A line an error, for people and for editors that know FILE:LINE:. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static const char bold[] = "\033[1m";
static const char red[] = "\033[1;31m";
static const char green[] = "\033[1;32m";
static const char cyan[] = "\033[1;36m";
static const char plain[] = "\033[0m";

static void put_colour(report *r, const char *colour) {
    if (r->colour) {
        report_put_text(r, colour);
    }
}

static void put_safe(report *r, const char *text) {
    text_safe(&r->piece, text, strlen(text));
    report_put_piece(r);
}

static void put_place(report *r, uint64_t line) {
    put_colour(r, bold);
    put_safe(r, r->file);
    report_put_format(r, ":%" PRIu64 ":", line);
    put_colour(r, plain);
    report_put_text(r, " ");
}

static void put_finding(report *r, const char *pointer, const char *message) {
    put_safe(r, pointer[0] != '\0' ? pointer : "/");
    report_put_text(r, ": ");
    put_safe(r, message);
    put_colour(r, plain);
    report_put_text(r, "\n");
}

static void put_error(report *r, uint64_t line, const mcpw_error *error) {
    put_place(r, line);
    put_colour(r, red);
    put_finding(r, error->path, error->message);
}

static void put_note(report *r, const char *pointer, const char *message) {
    put_place(r, r->line);
    put_colour(r, cyan);
    report_put_text(r, "note: ");
    put_colour(r, plain);
    put_finding(r, pointer, message);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void put_count(report *r, uint64_t count, const char *what, const char *which) {
    if (count != 0) {
        report_put_format(r, ", %" PRIu64 " %s%s%s", count, what, plural(count), which);
    }
}

static void put_summary(report *r) {
    const bool bad = r->invalid != 0 || r->failed_files != 0 || r->empty_files != 0;
    put_colour(r, bad ? red : green);
    if (r->values == 0) {
        report_put_text(r, "no values");
    } else if (r->invalid == 0) {
        report_put_format(r, "%" PRIu64 " value%s valid", r->values, plural(r->values));
    } else {
        report_put_format(r, "%" PRIu64 " of %" PRIu64 " value%s invalid", r->invalid, r->values,
                          plural(r->values));
    }
    put_colour(r, plain);
    put_count(r, r->set.errors_only ? 0 : r->notes, "note", "");
    put_count(r, r->failed_files, "file", " not read");
    put_count(r, r->empty_files, "file", " empty");
    report_put_text(r, "\n");
}

const report_style report_text = {.error = put_error, .note = put_note, .summary = put_summary};
