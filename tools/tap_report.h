/* SPDX-License-Identifier: MIT */
/* The report of mcpwire tap: findings as they occur, and the summary, in one of several formats. It never
 * delays the messages. */
#ifndef MCPWIRE_TAP_REPORT_H
#define MCPWIRE_TAP_REPORT_H

#include "report.h"
#include "rules.h"
#include "tap_outlet.h"
#include "text.h"
#include "trace.h"

#include <stdbool.h>
#include <stdint.h>

enum { TAP_PATIENCE = 1000 /* ms for writing the last findings */ };

typedef struct tap_report {
    report report;
    outlet out;
    bool times;
    uint64_t now; /* ms since the start; set by the caller */
    uint64_t counts[SEVERITIES];
    struct {
        uint64_t messages;
        uint64_t bytes;
        requests labels; /* by method; responses have "result" or "error" added */
    } sides[SIDES];
    trace *trace;          /* also gets each message and finding; NULL: none. Set by the caller */
    const char *file;      /* the log that is replayed; NULL: none. Set by the caller */
    uint64_t line;         /* the current line of it */
    uint64_t conversation; /* the current one */
    /* The open case; the findings of a message follow each other. */
    bool is_open;
    side from;
    uint64_t number;
    bool in_batch;
    size_t item; /* if is_open */
    text summary;
} tap_report;

/* False: the error was printed on stderr. */
bool tap_report_init(tap_report *r, int fd, report_format format, bool times);

/* Reports a finding about the message with that number. m NULL: the line contains no message. */
void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f);

/* Counts for the summary. */
void tap_report_message(tap_report *r, const talk_message *m);
/* The end of a line of one side, whether it contains a message or not. line absent: it was not read. */
void tap_report_line(tap_report *r, side from, mcpw_str line, uint64_t bytes);
/* Findings since then belong to the last message. */
void tap_report_late(tap_report *r);
/* A request that got an HTTP status instead of a response. */
void tap_report_refused(tap_report *r, side from, mcpw_str id, uint64_t status);
/* The time at which a recording began, in ms since 1970. */
void tap_report_began(tap_report *r, int64_t time);
void tap_report_bytes(tap_report *r, side from, uint64_t count);

void tap_report_summary(tap_report *r);

/* Writes the remaining output while it is read, and frees everything. False: writing failed. */
bool tap_report_finish(tap_report *r);

#endif
