/* SPDX-License-Identifier: MIT */
/* Looks at copies of the bytes that pass by, and reports what is wrong with the messages in them. */
#ifndef MCPWIRE_TAP_WATCH_H
#define MCPWIRE_TAP_WATCH_H

#include "exchange.h"
#include "tap_report.h"
#include "tap_talk.h"

#include <mcpw/frame.h>

typedef struct watch_settings {
    const mcpw_revision *revision; /* NULL: as the two agree */
    bool strict;
    bool all_errors;
    size_t max_bytes;
    size_t max_open;
} watch_settings;

typedef struct watch {
    watch_settings set;
    talk talk;
    exchange exchange;
    mcpw_arena arena;
    tap_report *report;
    struct {
        mcpw_framer framer;
        uint64_t number; /* messages so far */
        char last;       /* byte */
        bool cr_said;
    } sides[SIDES];
    bool forgot_said;
    const talk_message *message; /* at hand */
    size_t errors;               /* of it */
} watch;

void watch_init(watch *w, const watch_settings *settings, tap_report *report);
void watch_bytes(watch *w, side from, const char *bytes, size_t len);
/* The side will send no more. */
void watch_end(watch *w, side from);
void watch_free(watch *w);

#endif
