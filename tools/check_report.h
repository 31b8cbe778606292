/* SPDX-License-Identifier: MIT */
/* What mcpwire validate reports: a case a value, a suite a file, and the summary. */
#ifndef MCPWIRE_CHECK_REPORT_H
#define MCPWIRE_CHECK_REPORT_H

#include "progress.h"
#include "report.h"

#include <mcpw/error.h>
#include <mcpw/type.h>

typedef struct report_settings {
    report_format format;
    bool quiet;
    bool errors_only;    /* nothing of valid values, and no notes */
    bool with_revisions; /* each value has one of its own */
} report_settings;

typedef struct check_report {
    report report;
    report_settings set;
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
    /* The file and the value at hand: */
    const char *file;
    uint64_t file_values;
    uint64_t line;
    bool valid;
} check_report;

/* Writes to stdout. Colour: text on a terminal, unless NO_COLOR is set or the terminal is dumb. False: no
 * memory. */
bool check_report_init(check_report *r, const report_settings *set, progress *p);

/* For each file: file, its values, then file_end. For each value: begin, then its errors, then its notes,
 * then end. line is the value's, or, where the value is the whole file, that of its first error. */
void check_report_file(check_report *r, const char *file);
void check_report_begin(check_report *r, uint64_t line, const mcpw_revision *revision, bool valid);
void check_report_error(check_report *r, uint64_t line, const mcpw_error *error);
void check_report_note(check_report *r, const char *pointer, const char *message);
void check_report_end(check_report *r);
/* The file could not be read to its end: says so on standard error too. */
void check_report_failed_file(check_report *r, const char *message);
/* There was nothing in the file, which says so too. */
void check_report_empty_file(check_report *r, const char *message);
void check_report_file_end(check_report *r);

/* The summary, and everything on its way. False when something could not be written: r->error tells why. */
bool check_report_finish(check_report *r);

#endif
