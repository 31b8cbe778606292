/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "tap_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 100, /* bytes of a name or id */
    LABELS = 500,
    LABEL_SIZE = SHOWN + 16,
    MS = 1000
};

const char *const tap_directions[SIDES] = {"client->server", "server->client"};

static const tap_style *const styles[REPORT_FORMATS] = {[REPORT_TEXT] = &tap_report_text,
                                                        [REPORT_JSON] = &tap_report_json,
                                                        [REPORT_GITHUB] = &tap_report_github,
                                                        [REPORT_JUNIT] = &tap_report_junit};

bool tap_report_init(tap_report *r, int fd, report_format format, bool times) {
    memset(r, 0, sizeof *r);
    r->out = outlet_of(fd);
    r->style = styles[format];
    r->times = times;
    for (unsigned i = 0; i < SIDES; i++) {
        requests_init(&r->sides[i].labels, LABELS);
        r->sides[i].labels.drop = free;
    }
    return r->style->begin == NULL || r->style->begin(r);
}

/* ---- one finding ---- */

mcpw_str tap_shown_method(const talk_message *m) {
    mcpw_str out = {NULL, 0};
    if (m != NULL && m->method.ptr != NULL) {
        out.ptr = m->method.ptr;
        out.len = text_cut(out.ptr, m->method.len, SHOWN);
    }
    return out;
}

mcpw_str tap_shown_id(const mcpw_id *id) {
    const mcpw_str shown = {id->as.string.ptr, text_cut(id->as.string.ptr, id->as.string.len, SHOWN)};
    return shown;
}

void tap_put_time(text *t, const tap_report *r, const char *before, const char *after) {
    if (r->times) {
        text_format(t, "%s%" PRIu64 ".%03u%s", before, r->now / MS, (unsigned)(r->now % MS), after);
    }
}

static void put_id(text *t, const mcpw_id *id) {
    if (id->kind == MCPW_ID_INTEGER) {
        text_format(t, ", id %" PRId64, id->as.integer);
    } else if (id->kind == MCPW_ID_STRING) {
        const mcpw_str shown = tap_shown_id(id);
        text_add(t, ", id \"");
        text_safe(t, shown.ptr, shown.len);
        text_add(t, "\"");
    }
}

void tap_put_finding(text *t, const tap_finding *f) {
    const char *const pointer = f->pointer[0] != '\0' ? f->pointer : "/";
    text_safe(t, pointer, strlen(pointer));
    text_add(t, ": ");
    text_safe(t, f->found->message, strlen(f->found->message));
    text_format(t, " [%s", rules_get(f->found->rule)->code);
    if (f->m != NULL && f->found->status != MCPW_OK) {
        text_format(t, " of %s", mcpw_revision_name(f->m->revision));
    }
    const mcpw_str method = tap_shown_method(f->m);
    if (method.ptr != NULL) {
        text_add(t, ", ");
        text_safe(t, method.ptr, method.len);
    }
    if (f->m != NULL) {
        put_id(t, &f->m->id);
    }
    text_add(t, "]");
}

void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f) {
    char pointer[MCPW_ERROR_PATH_SIZE + LABEL_SIZE] = "";
    const tap_finding found = {from, number, m, pointer, f};
    r->counts[f->severity]++;
    if (m != NULL && m->batched) {
        (void)snprintf(pointer, sizeof pointer, "/%zu", m->item);
    }
    (void)snprintf(pointer + strlen(pointer), sizeof pointer - strlen(pointer), "%s", f->pointer);
    r->style->finding(r, &found);
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
    const mcpw_str method = tap_shown_method(m);
    char label[LABEL_SIZE];
    r->sides[m->from].messages++;
    if (r->style->message != NULL) {
        r->style->message(r, m);
    }
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

/* The labels in order; the caller frees them. NULL: there are none, or memory has run out. */
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

void tap_each_label(const tap_report *r, side from, text *t,
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

void tap_put_summary(tap_report *r, text *t) {
    text_format(t, "tap: errors: %" PRIu64 ", warnings: %" PRIu64 ", notes: %" PRIu64 "\n", r->counts[ERROR],
                r->counts[WARNING], r->counts[NOTE]);
    for (unsigned from = 0; from < SIDES; from++) {
        text_format(t, "tap: %s: %" PRIu64 " messages, %" PRIu64 " bytes\n", tap_directions[from],
                    r->sides[from].messages, r->sides[from].bytes);
        tap_each_label(r, (side)from, t, put_label);
    }
}

void tap_report_summary(tap_report *r) { r->style->summary(r); }

/* ---- the end ---- */

bool tap_report_finish(tap_report *r) {
    if (r->style->end != NULL) {
        r->style->end(r);
    }
    const uint64_t lost = r->out.lost;
    outlet_flush(&r->out);
    text *const t = lost != 0 && r->out.error == 0 ? outlet_begin(&r->out) : NULL;
    if (t != NULL) {
        r->style->lost(t, lost);
        outlet_end(&r->out);
    }
    outlet_drain(&r->out, TAP_PATIENCE);
    outlet_free(&r->out);
    for (unsigned i = 0; i < SIDES; i++) {
        requests_free(&r->sides[i].labels);
    }
    return r->out.error == 0;
}
