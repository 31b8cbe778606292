/* SPDX-License-Identifier: MIT */
/* An object a finding, a line each. */
#include "tap_report.h"

#include <inttypes.h>

static void put_key(text *t, const char *name, mcpw_str value) {
    text_format(t, ",\"%s\":", name);
    text_json(t, value.ptr, value.len);
}

static void put_id(text *t, const mcpw_id *id) {
    if (id->kind == MCPW_ID_INTEGER) {
        text_format(t, ",\"id\":%" PRId64, id->as.integer);
    } else if (id->kind == MCPW_ID_STRING) {
        put_key(t, "id", tap_shown_id(id));
    }
}

static void put_members(text *t, const tap_report *r, const tap_finding *f) {
    text_format(t, "{\"severity\":\"%s\",\"code\":\"%s\",\"direction\":\"%s\",\"number\":%" PRIu64,
                severity_name(f->found->severity), rules_get(f->found->rule)->code, tap_directions[f->from],
                f->number);
    tap_put_time(t, r, ",\"time\":", "");
    if (f->m != NULL) {
        put_id(t, &f->m->id);
        text_format(t, ",\"revision\":\"%s\"", mcpw_revision_name(f->m->revision));
    }
    const mcpw_str method = tap_shown_method(f->m);
    if (method.ptr != NULL) {
        put_key(t, "method", method);
    }
    if (f->found->status != MCPW_OK) {
        text_format(t, ",\"status\":\"%s\"", mcpw_status_name(f->found->status));
    }
    put_key(t, "pointer", mcpw_str_from(f->pointer));
    put_key(t, "message", mcpw_str_from(f->found->message));
    text_add(t, "}\n");
}

static void put_finding(tap_report *r, const tap_finding *f) {
    text *const t = outlet_begin(&r->out);
    if (t != NULL) {
        put_members(t, r, f);
        outlet_end(&r->out);
    }
}

static void put_label(text *t, mcpw_str label, uint64_t count, bool first) {
    text_add(t, first ? "" : ",");
    text_json(t, label.ptr, label.len);
    text_format(t, ":%" PRIu64, count);
}

static void put_summary(tap_report *r) {
    text *const t = outlet_begin(&r->out);
    if (t == NULL) {
        return;
    }
    text_format(t, "{\"summary\":{\"errors\":%" PRIu64 ",\"warnings\":%" PRIu64 ",\"notes\":%" PRIu64,
                r->counts[ERROR], r->counts[WARNING], r->counts[NOTE]);
    for (unsigned from = 0; from < SIDES; from++) {
        text_format(t, ",\"%s\":{\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"methods\":{",
                    tap_directions[from], r->sides[from].messages, r->sides[from].bytes);
        tap_each_label(r, (side)from, t, put_label);
        text_add(t, "}}");
    }
    text_add(t, "}}\n");
    outlet_end(&r->out);
}

static void put_lost(text *t, uint64_t count) { text_format(t, "{\"lost\":%" PRIu64 "}\n", count); }

const tap_style tap_report_json = {.finding = put_finding, .summary = put_summary, .lost = put_lost};
