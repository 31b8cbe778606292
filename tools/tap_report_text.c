/* SPDX-License-Identifier: MIT */
/* A line a finding, for people. */
#include "tap_report.h"

#include <inttypes.h>

static void put_finding(tap_report *r, const tap_finding *f) {
    text *const t = outlet_begin(&r->out);
    if (t == NULL) {
        return;
    }
    text_add(t, "tap: ");
    tap_put_time(t, r, "", " ");
    text_format(t, "%s %" PRIu64 ": %s: ", tap_directions[f->from], f->number,
                severity_name(f->found->severity));
    tap_put_finding(t, f);
    text_add(t, "\n");
    outlet_end(&r->out);
}

static void put_summary(tap_report *r) {
    text *const t = outlet_begin(&r->out);
    if (t != NULL) {
        tap_put_summary(r, t);
        outlet_end(&r->out);
    }
}

static void put_lost(text *t, uint64_t count) {
    text_format(t, "tap: %" PRIu64 " findings were lost\n", count);
}

const tap_style tap_report_text = {.finding = put_finding, .summary = put_summary, .lost = put_lost};
