/* SPDX-License-Identifier: MIT */
/* Checks copies of the relayed bytes, and reports the errors in their messages. */
#ifndef MCPWIRE_TAP_WATCH_H
#define MCPWIRE_TAP_WATCH_H

#include "exchange.h"
#include "record.h"
#include "tap_report.h"
#include "tap_talk.h"
#include "tap_tools.h"

#include <mcpw/detail/framer.h>
#include <mcpw/frame.h>

typedef struct watch_settings {
    const mcpw_revision *revision; /* NULL: the negotiated one */
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
    uint64_t conversation; /* its number; 0: there is only one */
    struct {
        mcpw_framer framer;
        uint64_t number; /* number of messages */
        char last;       /* byte */
        uint64_t bytes;  /* of the current line */
        bool skipped;    /* it exceeds the limit */
        bool cr_said;
    } sides[SIDES];
    bool forgot_said;
    bool info_missed;            /* of the only conversation with its server */
    const talk_message *message; /* the current one */
    size_t errors;               /* of the current message */
    /* Receives each line when it has ended; its time is not set. May be NULL. */
    void (*on_line)(void *user, record *line);
    void *user;
} watch;

void watch_init(watch *w, const watch_settings *settings, tap_report *report);

/* Resets the state for another conversation. */
void watch_restart(watch *w);

/* Sets the time in ms since the start. */
void subscription_at(watch *w, uint64_t now);

void watch_bytes(watch *w, side from, const char *bytes, size_t len);
/* Counts bytes of a skipped line instead of reading them. */
void watch_skipped(watch *w, side from, uint64_t count);
/* Takes a RECORD_REFUSED. on_line receives it if it closes a request. */
void watch_refused(watch *w, const record *refused);
/* Ends a side. */
void watch_end(watch *w, side from);
void watch_free(watch *w);

#endif
