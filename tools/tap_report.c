/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "tap_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 1000, /* ms that the last findings may take */
    SHOWN = 100,     /* bytes of a name or id */
    LABELS = 500,
    LABEL_SIZE = SHOWN + 16,
    MS = 1000
};

static const char *const directions[SIDES] = {"client->server", "server->client"};

void tap_report_init(tap_report *r, int fd, bool json, bool times) {
    memset(r, 0, sizeof *r);
    r->out = outlet_of(fd);
    r->json = json;
    r->times = times;
    for (unsigned i = 0; i < SIDES; i++) {
        requests_init(&r->sides[i].labels, LABELS);
        r->sides[i].labels.drop = free;
    }
}

/* ---- one finding ---- */

static void put_key(text *t, const char *name, mcpw_str value) {
    text_format(t, ",\"%s\":", name);
    text_json(t, value.ptr, value.len);
}

static void put_json_id(text *t, const mcpw_id *id) {
    if (id->kind == MCPW_ID_INTEGER) {
        text_format(t, ",\"id\":%" PRId64, id->as.integer);
    } else if (id->kind == MCPW_ID_STRING) {
        const mcpw_str shown = {id->as.string.ptr, text_cut(id->as.string.ptr, id->as.string.len, SHOWN)};
        put_key(t, "id", shown);
    }
}

static mcpw_str shown_method(const talk_message *m) {
    mcpw_str out = {NULL, 0};
    if (m != NULL && m->method.ptr != NULL) {
        out.ptr = m->method.ptr;
        out.len = text_cut(out.ptr, m->method.len, SHOWN);
    }
    return out;
}

static void put_time(text *t, const tap_report *r, const char *before, const char *after) {
    if (r->times) {
        text_format(t, "%s%" PRIu64 ".%03u%s", before, r->now / MS, (unsigned)(r->now % MS), after);
    }
}

static void put_json(const tap_report *r, text *t, side from, uint64_t number, const talk_message *m,
                     const char *pointer, const finding *f) {
    text_format(t, "{\"severity\":\"%s\",\"code\":\"%s\",\"direction\":\"%s\",\"number\":%" PRIu64,
                severity_name(f->severity), rules_get(f->rule)->code, directions[from], number);
    put_time(t, r, ",\"time\":", "");
    if (m != NULL) {
        put_json_id(t, &m->id);
        text_format(t, ",\"revision\":\"%s\"", mcpw_revision_name(m->revision));
    }
    const mcpw_str method = shown_method(m);
    if (method.ptr != NULL) {
        put_key(t, "method", method);
    }
    if (f->status != MCPW_OK) {
        text_format(t, ",\"status\":\"%s\"", mcpw_status_name(f->status));
    }
    put_key(t, "pointer", mcpw_str_from(pointer));
    put_key(t, "message", mcpw_str_from(f->message));
    text_add(t, "}\n");
}

static void put_text_id(text *t, const mcpw_id *id) {
    if (id->kind == MCPW_ID_INTEGER) {
        text_format(t, ", id %" PRId64, id->as.integer);
    } else if (id->kind == MCPW_ID_STRING) {
        text_add(t, ", id \"");
        text_safe(t, id->as.string.ptr, text_cut(id->as.string.ptr, id->as.string.len, SHOWN));
        text_add(t, "\"");
    }
}

static void put_text(const tap_report *r, text *t, side from, uint64_t number, const talk_message *m,
                     const char *pointer, const finding *f) {
    text_add(t, "tap: ");
    put_time(t, r, "", " ");
    text_format(t, "%s %" PRIu64 ": %s: ", directions[from], number, severity_name(f->severity));
    text_safe(t, pointer[0] != '\0' ? pointer : "/", strlen(pointer[0] != '\0' ? pointer : "/"));
    text_add(t, ": ");
    text_safe(t, f->message, strlen(f->message));
    text_format(t, " [%s", rules_get(f->rule)->code);
    if (m != NULL && f->status != MCPW_OK) {
        text_format(t, " of %s", mcpw_revision_name(m->revision));
    }
    const mcpw_str method = shown_method(m);
    if (method.ptr != NULL) {
        text_add(t, ", ");
        text_safe(t, method.ptr, method.len);
    }
    if (m != NULL) {
        put_text_id(t, &m->id);
    }
    text_add(t, "]\n");
}

void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f) {
    char pointer[MCPW_ERROR_PATH_SIZE + LABEL_SIZE] = "";
    r->counts[f->severity]++;
    text *const t = outlet_begin(&r->out);
    if (t == NULL) {
        return;
    }
    if (m != NULL && m->batched) {
        (void)snprintf(pointer, sizeof pointer, "/%zu", m->item);
    }
    (void)snprintf(pointer + strlen(pointer), sizeof pointer - strlen(pointer), "%s", f->pointer);
    (r->json ? put_json : put_text)(r, t, from, number, m, pointer, f);
    outlet_end(&r->out);
}

/* ---- the summary ---- */

static void count_label(tap_report *r, side from, const char *label) {
    static const mcpw_answer none = {0, false};
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

static void put_side(const tap_report *r, text *t, side from) {
    const open_request **const all = sorted_labels(&r->sides[from].labels);
    text_format(t,
                r->json ? ",\"%s\":{\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"methods\":{"
                        : "tap: %s: %" PRIu64 " messages, %" PRIu64 " bytes\n",
                directions[from], r->sides[from].messages, r->sides[from].bytes);
    for (size_t i = 0; all != NULL && all[i] != NULL; i++) {
        const uint64_t count = *(const uint64_t *)all[i]->facts;
        if (r->json) {
            text_add(t, i != 0 ? "," : "");
            text_json(t, all[i]->text, all[i]->len);
            text_format(t, ":%" PRIu64, count);
        } else {
            text_format(t, "tap: %10" PRIu64 " ", count);
            text_safe(t, all[i]->text, all[i]->len);
            text_add(t, "\n");
        }
    }
    text_add(t, r->json ? "}}" : "");
    free((void *)all);
}

void tap_report_summary(tap_report *r) {
    text *const t = outlet_begin(&r->out);
    if (t == NULL) {
        return;
    }
    text_add(t, r->json ? "{\"summary\":{" : "");
    text_format(t,
                r->json ? "\"errors\":%" PRIu64 ",\"warnings\":%" PRIu64 ",\"notes\":%" PRIu64
                        : "tap: errors: %" PRIu64 ", warnings: %" PRIu64 ", notes: %" PRIu64 "\n",
                r->counts[ERROR], r->counts[WARNING], r->counts[NOTE]);
    put_side(r, t, CLIENT);
    put_side(r, t, SERVER);
    text_add(t, r->json ? "}}\n" : "");
    outlet_end(&r->out);
}

/* ---- the end ---- */

bool tap_report_finish(tap_report *r) {
    const uint64_t lost = r->out.lost;
    outlet_flush(&r->out);
    text *const t = lost != 0 && r->out.error == 0 ? outlet_begin(&r->out) : NULL;
    if (t != NULL) {
        text_format(t, r->json ? "{\"lost\":%" PRIu64 "}\n" : "tap: %" PRIu64 " findings were lost\n", lost);
        outlet_end(&r->out);
    }
    outlet_drain(&r->out, PATIENCE);
    outlet_free(&r->out);
    for (unsigned i = 0; i < SIDES; i++) {
        requests_free(&r->sides[i].labels);
    }
    return r->out.error == 0;
}
