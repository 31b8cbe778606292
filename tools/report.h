/* SPDX-License-Identifier: MIT */
/* One model for the reports of the commands: findings in cases in suites. Five writers produce text, JSON,
 * GitHub workflow commands, JUnit XML, and a page of HTML. The page is made of a trace (trace.h), which has
 * the findings too. */
#ifndef MCPWIRE_REPORT_H
#define MCPWIRE_REPORT_H

#include "options.h"
#include "spool.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum report_format {
    REPORT_TEXT,
    REPORT_JSON,
    REPORT_GITHUB,
    REPORT_JUNIT,
    REPORT_HTML,
    REPORT_FORMATS
} report_format;

typedef enum report_level { REPORT_NOTE, REPORT_WARNING, REPORT_ERROR } report_level;

/* A finding. The writers make its texts safe. */
typedef struct report_finding {
    report_level level;
    const char *file; /* NULL: none */
    uint64_t line;
    const char *time;   /* "1.234 ", or "" */
    const char *origin; /* the side and number of the message; "": file and line suffice */
    const char *label;  /* before the pointer, including the separator */
    const char *code;   /* of the rule or status */
    const char *pointer;
    const char *message;
    const char *about;   /* after the message */
    const text *members; /* members of a JSON object; for that format only */
} report_finding;

typedef struct report {
    report_format format;
    bool colour;
    const char *command;                       /* its name */
    void (*put)(void *user, const text *text); /* takes the output in whole lines; JSON may be partial */
    void *user;
    text line; /* the line that is being written */
    int error; /* errno of a writer's failure */
    /* JSON: */
    bool is_list; /* the findings of a case are in its object */
    size_t listed;
    bool notes_open;
    /* HTML: */
    uint64_t events; /* that were written */
    /* JUnit: */
    spool *spool; /* the cases of a suite, until their number is known */
    bool begun;   /* HTML, too */
    uint64_t cases;
    uint64_t failed;
    uint64_t broken;
    text head; /* the beginning of the case's tag */
    text failure;
    text notes;
} report;

/* The functions of a format, which write into line. NULL: nothing to write. */
typedef struct report_writer {
    void (*finding)(report *r, const report_finding *f);
    void (*begin_suite)(report *r);
    void (*begin_case)(report *r, const char *group, const char *name, const text *members);
    void (*end_case)(report *r);
    void (*broken)(report *r, const char *file, const char *message);
    void (*end_suite)(report *r, const char *name, const text *summary);
    void (*end)(report *r);
    void (*lost)(text *t, uint64_t count);
} report_writer;

extern const report_writer report_text;
extern const report_writer report_json;
extern const report_writer report_github;
extern const report_writer report_junit;
extern const report_writer report_html;

/* Takes the value of --format into a report_format (option_taker). */
bool report_take_format(void *to, const option *entry, const char *value);

void report_init(report *r, report_format format, const char *command,
                 void (*put)(void *user, const text *text), void *user);
void report_free(report *r);

/* The order of the calls; cases and suites are needed only for JUnit. The summary of a suite is plain text;
 * NULL: none. */
void report_begin_suite(report *r);
void report_begin_case(report *r, const char *group, const char *name, const text *members);
void report_find(report *r, const report_finding *f);
void report_end_case(report *r);
/* Reports that the file could not be checked as a whole. */
void report_failed(report *r, const char *file, const char *message);
void report_end_suite(report *r, const char *name, const text *summary);
void report_end(report *r);
/* Adds an object of a trace (trace.h) to a page; other formats ignore it. */
void report_event(report *r, const text *event);
/* Reports the number of lost findings. */
void report_lost(report *r, uint64_t count);

/* Adds a member to an object, after a comma unless it is the first. */
void report_member(text *t, const char *name, mcpw_str value);
void report_number(text *t, const char *name, uint64_t value);

#endif
