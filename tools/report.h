/* SPDX-License-Identifier: MIT */
/* What mcpwire validate says about each value, as text or as JSON, and the summary. */
#ifndef MCPWIRE_REPORT_H
#define MCPWIRE_REPORT_H

#include "progress.h"
#include "text.h"

#include <mcpw/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum report_format { REPORT_TEXT, REPORT_JSON } report_format;

typedef struct report {
    FILE *out;
    report_format format;
    bool quiet;
    bool colour;
    progress *progress; /* hidden before anything is written */
    int error;          /* errno of the first failed write */
    uint64_t values;
    uint64_t invalid;
    uint64_t notes;
    uint64_t failed_files;
    /* The value at hand: */
    const char *file;
    uint64_t line;
    bool valid;
    size_t listed; /* errors or notes in the list that is open */
    bool notes_open;
    text piece; /* that is about to be written */
} report;

/* Writes to stdout. Colour: text on a terminal, unless NO_COLOR is set or the terminal is dumb. */
void report_init(report *r, report_format format, bool quiet, progress *p);

/* For each value: begin, then its errors, then its notes, then end. line is the value's, or, where the value
 * is the whole file, that of its first error. */
void report_begin(report *r, const char *file, uint64_t line, bool valid);
void report_error(report *r, uint64_t line, const mcpw_error *error);
void report_note(report *r, const char *pointer, const char *message);
void report_end(report *r);

/* Counts a file that could not be read to its end. */
void report_failed_file(report *r);

/* The summary, and everything on its way. False when something could not be written: r->error tells why. */
bool report_finish(report *r);

#endif
