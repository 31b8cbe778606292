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

enum { TAP_PATIENCE = 1000 /* ms that the last findings may take */ };

typedef struct tap_report {
    report report;
    outlet out;
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
    /* The case that is open, if any is: what is found about a message comes in a row. */
    bool is_open;
    side from;
    uint64_t number;
    bool in_batch;
    size_t item; /* if so */
    text summary;
} tap_report;

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

#endif
