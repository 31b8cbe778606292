/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "report_html.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[REPORT_FORMATS] = {[REPORT_TEXT] = "text",
                                                  [REPORT_JSON] = "json",
                                                  [REPORT_GITHUB] = "github",
                                                  [REPORT_JUNIT] = "junit",
                                                  [REPORT_HTML] = "html"};

static const report_writer *const writers[REPORT_FORMATS] = {[REPORT_TEXT] = &report_text,
                                                             [REPORT_JSON] = &report_json,
                                                             [REPORT_GITHUB] = &report_github,
                                                             [REPORT_JUNIT] = &report_junit,
                                                             [REPORT_HTML] = &report_html};

bool report_take_format(void *to, const option *entry, const char *value) {
    size_t format = 0;
    const bool known = options_choice(entry, value, names, REPORT_FORMATS, &format);
    *(report_format *)to = (report_format)format;
    return known;
}

void report_init(report *r, report_format format, const char *command,
                 void (*put)(void *user, const text *text), void *user) {
    memset(r, 0, sizeof *r);
    r->format = format;
    r->command = command;
    r->put = put;
    r->user = user;
    r->line = r->head = r->failure = r->notes = (text)TEXT_INIT;
}

void report_free(report *r) {
    text *const all[] = {&r->line, &r->head, &r->failure, &r->notes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        text_free(all[i]);
    }
    spool_free(r->spool);
}

static void put_line(report *r) {
    if (r->line.lost || r->line.buffer.len != 0) {
        r->put(r->user, &r->line);
    }
    text_clear(&r->line);
}

static void act(report *r, void (*how)(report *r)) {
    if (how != NULL) {
        how(r);
        put_line(r);
    }
}

void report_find(report *r, const report_finding *f) {
    writers[r->format]->finding(r, f);
    put_line(r);
}

void report_begin_suite(report *r) { act(r, writers[r->format]->begin_suite); }

void report_begin_case(report *r, const char *group, const char *name, const text *members) {
    if (writers[r->format]->begin_case != NULL) {
        writers[r->format]->begin_case(r, group, name, members);
        put_line(r);
    }
}

void report_end_case(report *r) { act(r, writers[r->format]->end_case); }

void report_failed(report *r, const char *file, const char *message) {
    if (writers[r->format]->broken != NULL) {
        writers[r->format]->broken(r, file, message);
        put_line(r);
    }
}

void report_end_suite(report *r, const char *name, const text *summary) {
    if (writers[r->format]->end_suite != NULL) {
        writers[r->format]->end_suite(r, name, summary);
        put_line(r);
    }
}

void report_end(report *r) { act(r, writers[r->format]->end); }

void report_event(report *r, const text *event) {
    if (r->format == REPORT_HTML) {
        report_html_event(r, event);
        put_line(r);
    }
}

void report_lost(report *r, uint64_t count) {
    if (writers[r->format]->lost != NULL) {
        writers[r->format]->lost(&r->line, count);
        put_line(r);
    }
}

void report_member(text *t, const char *name, mcpw_str value) {
    text_format(t, "%s\"%s\":", t->buffer.len != 0 ? "," : "", name);
    text_json(t, value.ptr, value.len);
}

void report_number(text *t, const char *name, uint64_t value) {
    text_format(t, "%s\"%s\":%" PRIu64, t->buffer.len != 0 ? "," : "", name, value);
}
