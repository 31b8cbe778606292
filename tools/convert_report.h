/* SPDX-License-Identifier: MIT */
/* What mcpwire convert tells of the messages that did not come through as they were, on standard error. */
#ifndef MCPWIRE_CONVERT_REPORT_H
#define MCPWIRE_CONVERT_REPORT_H

#include "report.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum convert_mark {
    CONVERT_DROPPED,     /* a member that the target lacks */
    CONVERT_DEFAULTED,   /* a member that the target requires, and got */
    CONVERT_SUBSTITUTED, /* a value that stands for one that the target lacks */
    CONVERT_UNSAYABLE,   /* the message is left out: the target cannot say it */
    CONVERT_INVALID,     /* the message is left out: it is none of the source */
    CONVERT_MARKS
} convert_mark;

typedef enum convert_detail {
    CONVERT_BRIEF, /* only what was left out */
    CONVERT_TEXT,  /* everything, and a summary */
    CONVERT_JSON   /* the same, an object a line */
} convert_detail;

typedef struct convert_report {
    report report;
    convert_detail detail;
    const char *file;
    uint64_t line;
    uint64_t messages;
    uint64_t written;
    uint64_t counts[CONVERT_MARKS];
    uint64_t held_counts[CONVERT_MARKS];
    text held; /* of the message at hand: what counts if it is written */
} convert_report;

void convert_report_init(convert_report *r, convert_detail detail);

/* Notes what became of the message at hand, or of a member of it. pointer: from the root of the line, in two
 * parts. */
void convert_report_note(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                         const char *words);

/* The message at hand was written: its notes count. */
void convert_report_keep(convert_report *r);

/* The message at hand is left out: its notes do not count, but this one does. */
void convert_report_leave_out(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                              const char *words);

/* How many messages there were, and how many notes of each kind; nothing where the report is brief. */
void convert_report_summary(convert_report *r);
void convert_report_free(convert_report *r);

#endif
