/* SPDX-License-Identifier: MIT */
/* What mcpwire validate says about each value, and the summary, in one of several formats. */
#ifndef MCPWIRE_REPORT_H
#define MCPWIRE_REPORT_H

#include "options.h"
#include "progress.h"
#include "text.h"

#include <mcpw/error.h>
#include <mcpw/type.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum report_format {
    REPORT_TEXT,
    REPORT_JSON,
    REPORT_GITHUB,
    REPORT_JUNIT,
    REPORT_FORMATS
} report_format;

/* The value of --format; complains and returns false for a word that is none. */
bool report_take_format(const option_reader *o, int which, const char *value, report_format *out);

/* How a format writes; each is a file of its own. NULL: nothing is due then. */
typedef struct report report;
typedef struct report_style {
    void (*file)(report *r); /* r->file begins */
    void (*begin)(report *r);
    void (*error)(report *r, uint64_t line, const mcpw_error *error);
    void (*note)(report *r, const char *pointer, const char *message);
    void (*end)(report *r);
    void (*failure)(report *r, const char *message); /* of r->file as a whole */
    void (*file_end)(report *r);
    void (*summary)(report *r);
} report_style;

extern const report_style report_text;
extern const report_style report_json;
extern const report_style report_github;
extern const report_style report_junit;

typedef struct report_settings {
    report_format format;
    bool quiet;
    bool errors_only;    /* nothing of valid values, and no notes */
    bool with_revisions; /* each value has one of its own */
} report_settings;

struct report {
    report_settings set;
    const report_style *style;
    FILE *out;
    bool colour;
    progress *progress; /* hidden before anything is written */
    int error;          /* errno of the first failed write */
    uint64_t files;
    uint64_t values;
    uint64_t invalid;
    uint64_t notes;
    uint64_t sessions; /* that began in the files; set by the caller */
    uint64_t failed_files;
    uint64_t empty_files;
    uint64_t *by_revision; /* values, in the order of mcpw_revisions */
    FILE *spool;           /* of a format that needs to know how many there are before it writes them */
    /* The file at hand: */
    const char *file;
    uint64_t file_values;
    uint64_t file_invalid;
    uint64_t file_failures;
    /* The value at hand: */
    uint64_t line;
    const mcpw_revision *revision; /* NULL: of no revision in particular */
    bool valid;
    size_t listed; /* errors or notes in the list that is open */
    bool notes_open;
    text piece; /* that is about to be written */
};

/* Writes to stdout. Colour: text on a terminal, unless NO_COLOR is set or the terminal is dumb. False: no
 * memory. */
bool report_init(report *r, const report_settings *set, progress *p);

/* For each file: file, its values, then file_end. For each value: begin, then its errors, then its notes,
 * then end. line is the value's, or, where the value is the whole file, that of its first error. */
void report_file(report *r, const char *file);
void report_begin(report *r, uint64_t line, const mcpw_revision *revision, bool valid);
void report_error(report *r, uint64_t line, const mcpw_error *error);
void report_note(report *r, const char *pointer, const char *message);
void report_end(report *r);
/* The file could not be read to its end: says so on standard error too. */
void report_failed_file(report *r, const char *message);
/* There was nothing in the file, which says so too. */
void report_empty_file(report *r, const char *message);
void report_file_end(report *r);

/* The summary, and everything on its way. False when something could not be written: r->error tells why. */
bool report_finish(report *r);

/* ---- for the formats ---- */

void report_put(report *r, const char *text, size_t len);
void report_put_text(report *r, const char *text);
/* For numbers and other short pieces. */
void report_put_format(report *r, const char *fmt, ...) TOOL_PRINTF(2, 3);
/* Writes what was put together in r->piece. */
void report_put_piece(report *r);
void report_put_json(report *r, const char *text);

#endif
