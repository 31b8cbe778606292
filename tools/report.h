/* SPDX-License-Identifier: MIT */
/* One model of what the commands report: findings, which belong to cases, which belong to suites. Four
 * writers say it as text, JSON, commands of GitHub and JUnit's XML. */
#ifndef MCPWIRE_REPORT_H
#define MCPWIRE_REPORT_H

#include "options.h"
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
    REPORT_FORMATS
} report_format;

typedef enum report_level { REPORT_NOTE, REPORT_WARNING, REPORT_ERROR } report_level;

/* A finding. Texts are as others wrote them: the writers make them safe. */
typedef struct report_finding {
    report_level level;
    const char *file; /* NULL: it is in none */
    uint64_t line;
    const char *time;   /* "1.234 ", or "" */
    const char *origin; /* the message, by its side and number; "": file and line tell */
    const char *label;  /* before the pointer, with what separates them */
    const char *code;   /* of the rule or status */
    const char *pointer;
    const char *message;
    const char *about;   /* behind the message */
    const text *members; /* of an object of JSON; for that format alone */
} report_finding;

typedef struct report {
    report_format format;
    bool colour;
    const char *command;                       /* its name */
    void (*put)(void *user, const text *text); /* takes what is written; whole lines, but for JSON */
    void *user;
    text line; /* that is put together */
    int error; /* errno of what the writers could not do */
    /* JSON: */
    bool is_list; /* the findings of a case stand in its object */
    size_t listed;
    bool notes_open;
    /* JUnit: */
    FILE *spool; /* the cases of a suite, until it is known how many there are */
    bool begun;
    uint64_t cases;
    uint64_t failed;
    uint64_t broken;
    text head; /* of the case: the beginning of its tag */
    text failure;
    text notes;
} report;

/* How a format writes, into line. NULL: nothing is due then. */
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

/* The value of --format; complains and returns false for a word that is none. */
bool report_take_format(const option_reader *o, int which, const char *value, report_format *out);

void report_init(report *r, report_format format, const char *command,
                 void (*put)(void *user, const text *text), void *user);
void report_free(report *r);

/* In this order, except that cases and suites may be left out where the format is not JUnit. The summary of a
 * suite is plain text; NULL: it has none. */
void report_begin_suite(report *r);
void report_begin_case(report *r, const char *group, const char *name, const text *members);
void report_find(report *r, const report_finding *f);
void report_end_case(report *r);
/* The file could not be checked as a whole. */
void report_failed(report *r, const char *file, const char *message);
void report_end_suite(report *r, const char *name, const text *summary);
void report_end(report *r);
/* So many findings were lost. */
void report_lost(report *r, uint64_t count);

/* Adds a member of an object, behind a comma where it is not the first. */
void report_member(text *t, const char *name, mcpw_str value);
void report_number(text *t, const char *name, uint64_t value);

#endif
