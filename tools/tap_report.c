/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "tap_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 100, /* bytes of a name or id */
    LABELS = 500,
    LABEL_SIZE = SHOWN + 16,
    TIME_SIZE = 32,
    ORIGIN_SIZE = 48,
    MS = 1000
};

static const char *const directions[SIDES] = {"client->server", "server->client"};

/* True for a format that is one document, half of which has no use. */
static bool is_document(const tap_report *r) {
    return r->report.format == REPORT_JUNIT || r->report.format == REPORT_HTML;
}

/* A document waits for its reader. */
static void put(void *user, const text *t) {
    tap_report *const r = user;
    text *const to = outlet_begin(&r->out);
    if (to != NULL) {
        text_join(to, t);
        outlet_end(&r->out);
    }
    if (is_document(r)) {
        outlet_drain(&r->out, TAP_PATIENCE);
    }
}

bool tap_report_init(tap_report *r, int fd, report_format format, bool times) {
    memset(r, 0, sizeof *r);
    r->out = outlet_of(fd);
    r->times = times;
    r->summary = (text)TEXT_INIT;
    for (unsigned i = 0; i < SIDES; i++) {
        requests_init(&r->sides[i].labels, LABELS);
        r->sides[i].labels.drop = free;
    }
    report_init(&r->report, format, "tap", put, r);
    report_begin_suite(&r->report);
    if (r->report.error != 0) {
        tool_complain("--format junit needs a temporary file: %s", strerror(r->report.error));
    }
    return r->report.error == 0;
}

/* ---- one finding ---- */

/* The method of a message, cut for display; absent: none. */
static mcpw_str shown_method(const talk_message *m) {
    mcpw_str out = {NULL, 0};
    if (m != NULL && m->method.ptr != NULL) {
        out.ptr = m->method.ptr;
        out.len = text_cut(out.ptr, m->method.len, SHOWN);
    }
    return out;
}

/* A string id, cut for display. */
static mcpw_str shown_id(const mcpw_id *id) {
    const mcpw_str shown = {id->as.string.ptr, text_cut(id->as.string.ptr, id->as.string.len, SHOWN)};
    return shown;
}

/* Writes " [rule of revision, method, id]". */
static void put_about(text *t, const talk_message *m, const finding *f) {
    text_format(t, " [%s", rules_get(f->rule)->code);
    if (m != NULL && f->status != MCPW_OK) {
        text_format(t, " of %s", mcpw_revision_name(m->revision));
    }
    const mcpw_str method = shown_method(m);
    if (method.ptr != NULL) {
        text_add(t, ", ");
        text_safe(t, method.ptr, method.len);
    }
    if (m != NULL && m->id.kind == MCPW_ID_INTEGER) {
        text_format(t, ", id %" PRId64, m->id.as.integer);
    } else if (m != NULL && m->id.kind == MCPW_ID_STRING) {
        const mcpw_str shown = shown_id(&m->id);
        text_add(t, ", id \"");
        text_safe(t, shown.ptr, shown.len);
        text_add(t, "\"");
    }
    text_add(t, "]");
    text_bytes(t, "", 1);
}

static void put_members(text *t, const tap_report *r, side from, uint64_t number, const talk_message *m,
                        const finding *f, const report_finding *said) {
    report_member(t, "severity", mcpw_str_from(severity_name(f->severity)));
    report_member(t, "code", mcpw_str_from(said->code));
    report_member(t, "direction", mcpw_str_from(directions[from]));
    report_number(t, "number", number);
    if (r->times) {
        text_format(t, ",\"time\":%.*s", (int)(strlen(said->time) - 1), said->time);
    }
    if (m != NULL && m->id.kind == MCPW_ID_INTEGER) {
        text_format(t, ",\"id\":%" PRId64, m->id.as.integer);
    } else if (m != NULL && m->id.kind == MCPW_ID_STRING) {
        report_member(t, "id", shown_id(&m->id));
    }
    if (m != NULL) {
        report_member(t, "revision", mcpw_str_from(mcpw_revision_name(m->revision)));
    }
    const mcpw_str method = shown_method(m);
    if (method.ptr != NULL) {
        report_member(t, "method", method);
    }
    if (f->status != MCPW_OK) {
        report_member(t, "status", mcpw_str_from(mcpw_status_name(f->status)));
    }
    report_member(t, "pointer", mcpw_str_from(said->pointer));
    report_member(t, "message", mcpw_str_from(said->message));
}

static void end_case(tap_report *r) {
    if (r->is_open) {
        report_end_case(&r->report);
    }
    r->is_open = false;
}

/* Opens the case of a message, unless it is open. */
static void open_case(tap_report *r, side from, uint64_t number, const talk_message *m) {
    const bool in_batch = m != NULL && m->batched;
    const size_t item = in_batch ? m->item : 0;
    if (r->report.format != REPORT_JUNIT || (r->is_open && r->from == from && r->number == number &&
                                             (m == NULL || (r->in_batch == in_batch && r->item == item)))) {
        return; /* a finding without a message belongs to the last line */
    }
    end_case(r);
    r->is_open = true;
    r->from = from;
    r->number = number;
    r->in_batch = in_batch;
    r->item = item;
    text name = TEXT_INIT;
    const mcpw_str method = shown_method(m);
    text_format(&name, "%" PRIu64, number);
    if (in_batch) {
        text_format(&name, "/%zu", item);
    }
    if (method.ptr != NULL) {
        text_add(&name, " ");
        text_safe(&name, method.ptr, method.len);
    }
    text_bytes(&name, "", 1);
    report_begin_case(&r->report, directions[from], name.lost ? "" : name.buffer.data, NULL);
    text_free(&name);
}

static void trace_one(tap_report *r, const finding *f, const char *pointer) {
    const bool is_whole = f->status != MCPW_OK;
    const trace_finding said = {
        severity_name(f->severity), rules_get(f->rule)->code, pointer, f->message, is_whole, f->offset};
    if (r->trace != NULL) {
        trace_find(r->trace, &said);
    }
}

void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f) {
    char pointer[MCPW_ERROR_PATH_SIZE + LABEL_SIZE] = "";
    char time[TIME_SIZE] = "";
    char origin[ORIGIN_SIZE];
    char label[ORIGIN_SIZE];
    text about = TEXT_INIT;
    text members = TEXT_INIT;
    r->counts[f->severity]++;
    if (m != NULL && m->batched) {
        (void)snprintf(pointer, sizeof pointer, "/%zu", m->item);
    }
    (void)snprintf(pointer + strlen(pointer), sizeof pointer - strlen(pointer), "%s", f->pointer);
    if (r->times) {
        (void)snprintf(time, sizeof time, "%" PRIu64 ".%03u ", r->now / MS, (unsigned)(r->now % MS));
    }
    (void)snprintf(origin, sizeof origin, "%s %" PRIu64, directions[from], number);
    (void)snprintf(label, sizeof label, "%s: ", severity_name(f->severity));
    put_about(&about, m, f);
    const report_finding said = {(report_level)f->severity,
                                 r->file,
                                 r->line,
                                 time,
                                 origin,
                                 label,
                                 rules_get(f->rule)->code,
                                 pointer,
                                 f->message,
                                 about.lost ? "" : about.buffer.data,
                                 &members};
    if (r->report.format == REPORT_JSON) {
        put_members(&members, r, from, number, m, f, &said);
    }
    trace_one(r, f, pointer);
    open_case(r, from, number, m);
    report_find(&r->report, &said);
    text_free(&about);
    text_free(&members);
}

/* ---- the trace ---- */

/* The trace with its facts about the current line. NULL: there is none. */
static trace *current(const tap_report *r) {
    if (r->trace != NULL) {
        r->trace->now = r->now;
        r->trace->line = r->line;
        r->trace->conversation = r->conversation;
    }
    return r->trace;
}

static void trace_one_message(const tap_report *r, const talk_message *m) {
    const trace_item item = {.from = m->from,
                             .revision = m->kind != MCPW_MESSAGE_NONE ? m->revision : NULL,
                             .kind = m->kind == MCPW_MESSAGE_NONE ? "line" : NULL,
                             .batched = m->batched,
                             .at = m->item,
                             .text = {m->text.ptr, m->text.len},
                             .bytes = m->text.len};
    trace *const t = current(r);
    if (t != NULL) {
        trace_add(t, &item);
    }
}

void tap_report_line(tap_report *r, side from, mcpw_str line, uint64_t bytes) {
    const trace_item item = {
        .from = from, .kind = line.ptr != NULL ? "line" : "skipped", .text = line, .bytes = bytes};
    trace *const t = current(r);
    if (t != NULL && !t->line_has_entry) {
        trace_add(t, &item);
    }
    tap_report_late(r);
}

void tap_report_late(tap_report *r) {
    trace *const t = current(r);
    if (t != NULL) {
        trace_end_line(t);
    }
}

void tap_report_refused(tap_report *r, side from, mcpw_str id, uint64_t status) {
    const trace_item item = {.from = from, .kind = "refused", .text = id, .status = (int64_t)status};
    trace *const t = current(r);
    if (t != NULL) {
        trace_add(t, &item);
        trace_end_line(t);
    }
}

void tap_report_began(tap_report *r, int64_t time) {
    trace *const t = current(r);
    if (t != NULL) {
        trace_began(t, time);
    }
}

/* ---- the summary ---- */

static void count_label(tap_report *r, side from, const char *label) {
    static const mcpw_answered_request none = {0, false};
    requests *const labels = &r->sides[from].labels;
    mcpw_id id = {MCPW_ID_STRING, {.string = mcpw_str_from(label)}};
    open_request *entry = requests_find(labels, &id);
    if (entry == NULL) {
        if (!requests_add(labels, &id, none)) {
            id.as.string = mcpw_str_from("(others)");
            labels->max_open = LABELS + 1;
            if (!requests_add(labels, &id, none)) {
                return;
            }
        }
        entry = requests_find(labels, &id);
    }
    if (entry->facts == NULL) {
        entry->facts = calloc(1, sizeof(uint64_t));
    }
    if (entry->facts != NULL) {
        ++*(uint64_t *)entry->facts;
    }
}

void tap_report_message(tap_report *r, const talk_message *m) {
    static const char *const outcomes[] = {
        [MCPW_MESSAGE_RESULT] = " result", [MCPW_MESSAGE_ERROR] = " error", [MCPW_MESSAGE_BATCH] = ""};
    const char *const outcome = outcomes[m->kind] != NULL ? outcomes[m->kind] : "";
    const mcpw_str method = shown_method(m);
    char label[LABEL_SIZE];
    r->sides[m->from].messages++;
    trace_one_message(r, m);
    open_case(r, m->from, m->number, m);
    if (m->kind == MCPW_MESSAGE_NONE) {
        count_label(r, m->from, "(no message)");
    } else if (method.ptr != NULL) {
        (void)snprintf(label, sizeof label, "%.*s%s", (int)method.len, method.ptr, outcome);
        count_label(r, m->from, label);
    } else {
        (void)snprintf(label, sizeof label, "(unasked)%s", outcome);
        count_label(r, m->from, label);
    }
}

void tap_report_bytes(tap_report *r, side from, uint64_t count) { r->sides[from].bytes += count; }

static int by_label(const void *a, const void *b) {
    return strcmp((*(const open_request *const *)a)->text, (*(const open_request *const *)b)->text);
}

/* The labels in order, which the caller frees. NULL: there are none, or no memory. */
static const open_request **sorted_labels(const requests *labels) {
    const open_request **const all = calloc(labels->used + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all != NULL && i < labels->capacity; i++) {
        if (labels->table[i].kind != MCPW_ID_ABSENT && labels->table[i].facts != NULL) {
            all[count++] = labels->table + i;
        }
    }
    if (count > 1) {
        qsort((void *)all, count, sizeof *all, by_label);
    }
    return all;
}

/* Writes the count of each label of a side, in order. */
static void each_label(const tap_report *r, side from, text *t,
                       void (*put)(text *t, mcpw_str label, uint64_t count, bool first)) {
    const open_request **const all = sorted_labels(&r->sides[from].labels);
    for (size_t i = 0; all != NULL && all[i] != NULL; i++) {
        const mcpw_str label = {all[i]->text, all[i]->len};
        put(t, label, *(const uint64_t *)all[i]->facts, i == 0);
    }
    free((void *)all);
}

static void put_label(text *t, mcpw_str label, uint64_t count, bool first) {
    (void)first;
    text_format(t, "tap: %10" PRIu64 " ", count);
    text_safe(t, label.ptr, label.len);
    text_add(t, "\n");
}

static void put_text(const tap_report *r, text *t) {
    text_format(t, "tap: errors: %" PRIu64 ", warnings: %" PRIu64 ", notes: %" PRIu64 "\n", r->counts[ERROR],
                r->counts[WARNING], r->counts[NOTE]);
    for (unsigned from = 0; from < SIDES; from++) {
        text_format(t, "tap: %s: %" PRIu64 " messages, %" PRIu64 " bytes\n", directions[from],
                    r->sides[from].messages, r->sides[from].bytes);
        each_label(r, (side)from, t, put_label);
    }
}

static void put_json_label(text *t, mcpw_str label, uint64_t count, bool first) {
    text_add(t, first ? "" : ",");
    text_json(t, label.ptr, label.len);
    text_format(t, ":%" PRIu64, count);
}

static void put_json(const tap_report *r, text *t) {
    text_format(t, "{\"summary\":{\"errors\":%" PRIu64 ",\"warnings\":%" PRIu64 ",\"notes\":%" PRIu64,
                r->counts[ERROR], r->counts[WARNING], r->counts[NOTE]);
    for (unsigned from = 0; from < SIDES; from++) {
        text_format(t, ",\"%s\":{\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"methods\":{",
                    directions[from], r->sides[from].messages, r->sides[from].bytes);
        each_label(r, (side)from, t, put_json_label);
        text_add(t, "}}");
    }
    text_add(t, "}}\n");
}

void tap_report_summary(tap_report *r) {
    (r->report.format == REPORT_JSON ? put_json : put_text)(r, &r->summary);
    if (!is_document(r)) { /* JUnit has it in the suite, and a page counts */
        put(r, &r->summary);
    }
}

/* ---- the end ---- */

bool tap_report_finish(tap_report *r) {
    end_case(r);
    report_end_suite(&r->report, r->file != NULL ? r->file : "mcpwire tap", &r->summary);
    report_end(&r->report);
    if (is_document(r) && r->report.error == 0 && r->out.lost != 0) {
        r->report.error = EAGAIN; /* the output stalled, so the document has a gap */
    }
    r->out.error = r->out.error != 0 ? r->out.error : r->report.error;
    const uint64_t lost = r->out.lost;
    outlet_flush(&r->out);
    if (lost != 0 && r->out.error == 0) {
        report_lost(&r->report, lost);
    }
    outlet_drain(&r->out, TAP_PATIENCE);
    outlet_free(&r->out);
    text_free(&r->summary);
    report_free(&r->report);
    for (unsigned i = 0; i < SIDES; i++) {
        requests_free(&r->sides[i].labels);
    }
    return r->out.error == 0;
}
