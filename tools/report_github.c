/* SPDX-License-Identifier: MIT */
/* Workflow commands of GitHub Actions: an annotation an error or note, at its line of the file. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static void put_escaped(report *r, const char *piece, bool property) {
    text_command(&r->piece, piece, strlen(piece), property);
    report_put_piece(r);
}

/* line 0: the file as a whole */
static void put_command(report *r, const char *command, uint64_t line) {
    report_put_format(r, "::%s file=", command);
    put_escaped(r, r->file, true);
    if (line != 0) {
        report_put_format(r, ",line=%" PRIu64, line);
    }
    report_put_text(r, "::");
}

static void put_finding(report *r, const char *pointer, const char *message) {
    put_escaped(r, pointer[0] != '\0' ? pointer : "/", false);
    report_put_text(r, ": ");
    put_escaped(r, message, false);
    report_put_text(r, "\n");
}

static void put_error(report *r, uint64_t line, const mcpw_error *error) {
    put_command(r, "error", line);
    put_finding(r, error->path, error->message);
}

static void put_note(report *r, const char *pointer, const char *message) {
    put_command(r, "notice", r->line);
    put_finding(r, pointer, message);
}

static void put_failure(report *r, const char *message) {
    put_command(r, "error", 0);
    put_escaped(r, message, false);
    report_put_text(r, "\n");
}

/* The plain text of the summary is for who reads the log: it is no command. */
static void put_summary(report *r) { report_text.summary(r); }

const report_style report_github = {
    .error = put_error, .note = put_note, .failure = put_failure, .summary = put_summary};
