/* SPDX-License-Identifier: MIT */
/* Workflow commands of GitHub Actions: an annotation a finding, at its line of the log where there is one. */
#include "tap_report.h"

#include <inttypes.h>
#include <string.h>

static const char *const commands[SEVERITIES] = {[ERROR] = "error", [WARNING] = "warning", [NOTE] = "notice"};

static void put_finding(tap_report *r, const tap_finding *f) {
    text said = TEXT_INIT;
    text *const t = outlet_begin(&r->out);
    if (t == NULL) {
        return;
    }
    text_format(t, "::%s title=%s", commands[f->found->severity], rules_get(f->found->rule)->code);
    if (r->file != NULL) {
        text_add(t, ",file=");
        text_command(t, r->file, strlen(r->file), true);
        text_format(t, ",line=%" PRIu64, r->line);
    }
    text_add(t, "::");
    tap_put_time(t, r, "", " ");
    text_format(t, "%s %" PRIu64 ": ", tap_directions[f->from], f->number);
    tap_put_finding(&said, f);
    text_command(t, said.buffer.data, said.buffer.len, false);
    text_add(t, "\n");
    t->lost = t->lost || said.lost;
    text_free(&said);
    outlet_end(&r->out);
}

/* The plain text of the summary is for who reads the log: it is no command. */
static void put_summary(tap_report *r) { tap_report_text.summary(r); }

static void put_lost(text *t, uint64_t count) {
    text_format(t, "::error::%" PRIu64 " findings were lost\n", count);
}

const tap_style tap_report_github = {.finding = put_finding, .summary = put_summary, .lost = put_lost};
