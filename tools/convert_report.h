/* SPDX-License-Identifier: MIT */
/* Reports on standard error which messages mcpwire convert has changed or left out. */
#ifndef MCPWIRE_CONVERT_REPORT_H
#define MCPWIRE_CONVERT_REPORT_H

#include "report.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum convert_mark {
    CONVERT_DROPPED,     /* a member that the target lacks */
    CONVERT_DEFAULTED,   /* a member that the target requires, and got */
    CONVERT_SUBSTITUTED, /* a value that replaces one that the target lacks */
    CONVERT_UNSAYABLE,   /* the message is left out: the target has no such message */
    CONVERT_INVALID,     /* the message is left out: it is invalid in the source */
    CONVERT_MARKS
} convert_mark;

typedef enum convert_detail {
    CONVERT_BRIEF, /* only messages that are left out */
    CONVERT_TEXT,  /* everything, and a summary */
    CONVERT_JSON   /* the same as text, one object a line */
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
    text held;  /* findings of the current message, which count if it is written */
    text *kept; /* gets them as objects of a JSON array; NULL: they go to standard error */
} convert_report;

void convert_report_init(convert_report *r, convert_detail detail);

/* Notes a change of the current message or of one of its members. pointer: from the root of the line, in two
 * parts. */
void convert_report_note(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                         const char *words);

/* The current message was written: its notes count. */
void convert_report_keep(convert_report *r);

/* The current message is left out: only this note counts. */
void convert_report_leave_out(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                              const char *words);

/* Prints the number of messages and of notes of each kind; nothing if the report is brief. */
void convert_report_summary(convert_report *r);
void convert_report_free(convert_report *r);

#endif
