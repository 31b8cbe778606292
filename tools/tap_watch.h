/* SPDX-License-Identifier: MIT */
/* Looks at copies of the bytes that pass by, and reports what is wrong with the messages in them. */
#ifndef MCPWIRE_TAP_WATCH_H
#define MCPWIRE_TAP_WATCH_H

#include "exchange.h"
#include "record.h"
#include "tap_report.h"
#include "tap_talk.h"
#include "tap_tools.h"

#include <mcpw/frame.h>

typedef struct watch_settings {
    const mcpw_revision *revision; /* NULL: as the two agree */
    bool strict;
    bool all_errors;
    size_t max_bytes;
    size_t max_open;
    const mcpw_library *library; /* the revisions that may have a method; NULL: those of the library */
    overlays *overlays;          /* on top of them; NULL: none */
    bool *info_missed;           /* shared by the conversations with one server; NULL: this is the only one */
} watch_settings;

typedef struct watch {
    watch_settings set;
    talk talk;
    tap_tools tools;
    exchange exchange;
    mcpw_arena arena;
    tap_report *report;
    struct {
        mcpw_framer framer;
        uint64_t number; /* messages so far */
        char last;       /* byte */
        uint64_t bytes;  /* of the line at hand */
        bool skipped;    /* it is too long to be held */
        bool cr_said;
    } sides[SIDES];
    bool forgot_said;
    bool info_missed;            /* of the only conversation with its server */
    const talk_message *message; /* at hand */
    size_t errors;               /* of it */
    /* Each line as it came, when it has ended; its time is not set. NULL: nobody wants to know. */
    void (*on_line)(void *user, record *line);
    void *user;
} watch;

void watch_init(watch *w, const watch_settings *settings, tap_report *report);

/* Forgets what it has seen: another conversation begins. */
void watch_restart(watch *w);

/* How many ms have passed since the start. */
void subscription_at(watch *w, uint64_t now);

void watch_bytes(watch *w, side from, const char *bytes, size_t len);
/* Counts bytes of a line that is too long, in the place of seeing them. */
void watch_skipped(watch *w, side from, uint64_t count);
/* The side will send no more. */
void watch_end(watch *w, side from);
void watch_free(watch *w);

#endif
