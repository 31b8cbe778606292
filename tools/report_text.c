/* SPDX-License-Identifier: MIT */
/* A line for each finding, for people and for editors that understand FILE:LINE:. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static void put_safe(text *t, const char *words) { text_safe(t, words, strlen(words)); }

static void put_finding(report *r, const report_finding *f) {
    const char *const plain = r->colour ? "\033[0m" : "";
    const char *const bold = r->colour ? "\033[1m" : "";
    const char *const colour = !r->colour ? "" : f->level == REPORT_ERROR ? "\033[1;31m" : "\033[1;36m";
    text *const t = &r->line;
    if (f->origin[0] != '\0') {
        text_format(t, "%s: %s%s: %s", r->command, f->time, f->origin, f->label);
    } else {
        text_add(t, bold);
        put_safe(t, f->file);
        text_format(t, ":%" PRIu64 ":%s %s%s%s", f->line, plain, colour, f->label,
                    f->level != REPORT_ERROR ? plain : "");
    }
    put_safe(t, f->pointer[0] != '\0' ? f->pointer : "/");
    text_add(t, f->message[0] != '\0' ? ": " : "");
    put_safe(t, f->message);
    put_safe(t, f->about);
    text_add(t, plain);
    text_add(t, "\n");
}

static void put_lost(text *t, uint64_t count) {
    text_format(t, "tap: %" PRIu64 " findings were lost\n", count);
}

const report_writer report_text = {.finding = put_finding, .lost = put_lost};
