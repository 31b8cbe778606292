/* SPDX-License-Identifier: MIT */
/* What mcpwire tap says: findings as they come, and the summary, in one of several formats. It never makes
 * the messages wait. */
#ifndef MCPWIRE_TAP_REPORT_H
#define MCPWIRE_TAP_REPORT_H

#include "report.h"
#include "rules.h"
#include "tap_outlet.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TAP_PATIENCE = 1000 /* ms that the last findings may take */ };

/* A finding, and what it is about. */
typedef struct tap_finding {
    side from;
    uint64_t number;       /* of the message among those of its side */
    const talk_message *m; /* NULL: the line shows no message */
    const char *pointer;   /* from the line's root */
    const finding *found;
} tap_finding;

/* How a format writes; each is a file of its own. */
typedef struct tap_report tap_report;
typedef struct tap_style {
    bool (*begin)(tap_report *r); /* false: said on stderr why it cannot; NULL: nothing is needed */
    void (*finding)(tap_report *r, const tap_finding *f);
    void (*message)(tap_report *r, const talk_message *m); /* behind its findings; NULL: nothing is due */
    void (*summary)(tap_report *r);
    void (*lost)(text *t, uint64_t count); /* lines that found no room; NULL: end makes that an error */
    void (*end)(tap_report *r);            /* NULL: nothing is due */
} tap_style;

extern const tap_style tap_report_text;
extern const tap_style tap_report_json;
extern const tap_style tap_report_github;
extern const tap_style tap_report_junit;

/* What the format holds that writes a case a message (tap_report_junit.c). */
typedef struct tap_cases {
    FILE *spool; /* the cases that have ended, until it is known how many there are */
    uint64_t count;
    uint64_t failed;
    /* The case that is open, if any is: what is found about a message comes in a row. */
    bool is_open;
    side from;
    uint64_t number;
    bool in_batch;
    size_t item;  /* if so */
    text method;  /* with a blank before it */
    text failure; /* the element with the errors, but for its end; empty: there are none */
    text notes;   /* what else was found */
    text summary;
} tap_cases;

struct tap_report {
    outlet out;
    const tap_style *style;
    bool times;
    uint64_t now; /* ms since the start; set by the user */
    uint64_t counts[SEVERITIES];
    struct {
        uint64_t messages;
        uint64_t bytes;
        requests labels; /* by method, and for answers with "result" or "error" behind it */
    } sides[SIDES];
    const char *file; /* the log that is looked at again; NULL: none. Set by the user */
    uint64_t line;    /* at hand in it */
    tap_cases cases;
};

/* False: said on stderr what is missing. */
bool tap_report_init(tap_report *r, int fd, report_format format, bool times);

/* Reports a finding about the message of that number. m NULL: the line shows no message. */
void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f);

/* Counts for the summary. */
void tap_report_message(tap_report *r, const talk_message *m);
void tap_report_bytes(tap_report *r, side from, uint64_t count);

void tap_report_summary(tap_report *r);

/* Writes what is left, as long as somebody reads it, and lets everything go. False: it could not be written.
 */
bool tap_report_finish(tap_report *r);

/* ---- for the formats ---- */

extern const char *const tap_directions[SIDES];

/* The method of a message, cut to what is shown; absent: it has none. */
mcpw_str tap_shown_method(const talk_message *m);

/* An id that is text, cut to what is shown. */
mcpw_str tap_shown_id(const mcpw_id *id);

/* The seconds since the start between two texts, if times are shown. */
void tap_put_time(text *t, const tap_report *r, const char *before, const char *after);

/* "/pointer: message [rule of revision, method, id]", as text for a terminal. */
void tap_put_finding(text *t, const tap_finding *f);

/* How often each label of a side was counted, in their order. */
void tap_each_label(const tap_report *r, side from, text *t,
                    void (*put)(text *t, mcpw_str label, uint64_t count, bool first));

/* The summary as lines for people. */
void tap_put_summary(tap_report *r, text *t);

#endif
