/* SPDX-License-Identifier: MIT */
/* JSON lines: an object for each finding, or for each case with its findings. */
#include "report.h"

#include <inttypes.h>

static void begin_case(report *r, const char *group, const char *name, const text *members) {
    (void)group;
    (void)name;
    r->is_list = members != NULL;
    r->listed = 0;
    r->notes_open = false;
    if (r->is_list) {
        text_add(&r->line, "{");
        text_join(&r->line, members);
        text_add(&r->line, ",\"errors\":[");
    }
}

static void put_finding(report *r, const report_finding *f) {
    if (r->is_list && f->level == REPORT_NOTE && !r->notes_open) {
        text_add(&r->line, "],\"notes\":[");
        r->notes_open = true;
        r->listed = 0;
    }
    text_add(&r->line, r->is_list && r->listed++ != 0 ? ",{" : "{");
    text_join(&r->line, f->members);
    text_add(&r->line, r->is_list ? "}" : "}\n");
}

static void end_case(report *r) { text_add(&r->line, r->is_list ? "]}\n" : ""); }

static void put_lost(text *t, uint64_t count) { text_format(t, "{\"lost\":%" PRIu64 "}\n", count); }

const report_writer report_json = {
    .begin_case = begin_case, .finding = put_finding, .end_case = end_case, .lost = put_lost};
