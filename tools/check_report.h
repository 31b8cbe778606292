/* SPDX-License-Identifier: MIT */
/* The report of mcpwire validate: a case for each value, a suite for each file, and the summary. */
#ifndef MCPWIRE_CHECK_REPORT_H
#define MCPWIRE_CHECK_REPORT_H

#include "progress.h"
#include "report.h"
#include "trace.h"

#include <mcpw/error.h>
#include <mcpw/type.h>

typedef struct report_settings {
    report_format format;
    bool quiet;
    bool errors_only;    /* leave valid values and notes out of the report */
    bool with_revisions; /* each value has its own revision */
    bool redacts;        /* values are left out of a page */
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
    uint64_t sessions; /* sessions that began in the files; set by the caller */
    uint64_t failed_files;
    uint64_t empty_files;
    uint64_t *by_revision; /* values, in the order of mcpw_revisions */
    /* The state of the current file and value: */
    const char *file;
    uint64_t file_values;
    uint64_t line;
    bool valid;
    trace trace; /* of --format html */
} check_report;

/* Writes to stdout. Text on a terminal is coloured, unless NO_COLOR is set or the terminal is dumb. False: no
 * memory. */
bool check_report_init(check_report *r, const report_settings *set, progress *p);

/* The order for each file: file, its values, file_end. The order for each value: begin, its errors, its
 * notes, end. line is the line of the value, or of the first error if the value is the whole file. */
void check_report_file(check_report *r, const char *file);
void check_report_begin(check_report *r, uint64_t line, const mcpw_revision *revision, bool valid);
void check_report_error(check_report *r, uint64_t line, const mcpw_error *error);
void check_report_note(check_report *r, const char *pointer, const char *message);
/* Between the notes and the end: the value itself, for a page. */
void check_report_value(check_report *r, const trace_item *value);
void check_report_end(check_report *r);
/* Reports a file that could not be read to its end, also on standard error. */
void check_report_failed_file(check_report *r, const char *message);
/* Reports an empty file, also on standard error. */
void check_report_empty_file(check_report *r, const char *message);
void check_report_file_end(check_report *r);

/* Writes the summary and all remaining output. False: writing failed with r->error. */
bool check_report_finish(check_report *r);

#endif
