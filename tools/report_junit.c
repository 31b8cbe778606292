/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML. Errors are the failure of a case; warnings and notes are its output. The tag of a suite has the
 * number of its cases, so the cases wait in a temporary file until its end.
 */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static void put_xml(text *t, const char *words) { text_xml(t, words, strlen(words)); }

static void begin_suite(report *r) {
    r->cases = r->failed = r->broken = 0;
    r->spool = spool_new(&r->error);
}

static void keep(report *r, const text *t) {
    if (r->error == 0) {
        r->error = spool_keep(r->spool, t);
    }
}

static void begin_case(report *r, const char *group, const char *name, const text *members) {
    (void)members;
    text_add(&r->head, "<testcase");
    text_xml_attribute(&r->head, "classname", group);
    text_xml_attribute(&r->head, "name", name);
}

static void put_finding(report *r, const report_finding *f) {
    const bool is_error = f->level == REPORT_ERROR;
    const bool has_origin = f->origin[0] != '\0';
    text *const t = is_error ? &r->failure : &r->notes;
    if (is_error && t->buffer.len == 0) {
        text_add(t, "<failure");
        text_xml_attribute(t, "type", f->code);
        text_xml_attribute(t, "message", f->message);
        text_add(t, ">");
    } else if (!has_origin) {
        text_add(t, "\n");
    }
    if (!has_origin) {
        put_xml(t, f->file);
        text_format(t, ":%" PRIu64 ": ", f->line);
    }
    text_format(t, "%s%s", f->time, is_error ? "" : f->label);
    put_xml(t, f->pointer[0] != '\0' ? f->pointer : "/");
    text_add(t, ": ");
    put_xml(t, f->message);
    put_xml(t, f->about);
    text_add(t, has_origin ? "\n" : "");
}

static void put_element(text *t, const char *name, const text *content) {
    if (content != NULL && content->buffer.len != 0) {
        text_format(t, "<%s>", name);
        text_join(t, content);
        text_format(t, "</%s>", name);
    }
}

static void end_case(report *r) {
    text *const t = &r->head;
    const bool has_failure = r->failure.buffer.len != 0;
    const bool is_empty = !has_failure && r->notes.buffer.len == 0;
    text_add(t, is_empty ? "/>\n" : ">");
    text_join(t, &r->failure);
    text_add(t, has_failure ? "</failure>" : "");
    put_element(t, "system-out", &r->notes);
    text_add(t, is_empty ? "" : "</testcase>\n");
    keep(r, t);
    r->cases++;
    r->failed += has_failure ? 1U : 0U;
    text_clear(t);
    text_clear(&r->failure);
    text_clear(&r->notes);
}

static void put_broken(report *r, const char *file, const char *message) {
    begin_case(r, file, "read", NULL);
    text_add(&r->head, "><error");
    text_xml_attribute(&r->head, "message", message);
    text_add(&r->head, "/></testcase>\n");
    keep(r, &r->head);
    text_clear(&r->head);
    r->cases++;
    r->broken++;
}

static void put_bytes(void *user, const char *bytes, size_t len) {
    report *const r = user;
    text_bytes(&r->line, bytes, len);
    r->put(r->user, &r->line);
    text_clear(&r->line);
}

static void end_suite(report *r, const char *name, const text *summary) {
    text said = TEXT_INIT;
    if (!r->begun) {
        text_format(&r->line,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mcpwire %s\">\n",
                    r->command);
    }
    r->begun = true;
    text_add(&r->line, "<testsuite");
    text_xml_attribute(&r->line, "name", name);
    text_format(&r->line, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\">\n",
                r->cases, r->failed, r->broken);
    const int error = r->spool != NULL ? spool_take(r->spool, put_bytes, r) : 0;
    r->spool = NULL;
    r->error = r->error != 0 ? r->error : error;
    for (size_t i = 0; summary != NULL && i < summary->buffer.len;) {
        const char *const at = summary->buffer.data + i;
        const char *const end = memchr(at, '\n', summary->buffer.len - i);
        const size_t len = end != NULL ? (size_t)(end - at) : summary->buffer.len - i;
        text_xml(&said, at, len);
        text_add(&said, "\n");
        i += len + 1;
    }
    put_element(&r->line, "system-out", &said);
    text_add(&r->line, "</testsuite>\n");
    text_free(&said);
}

static void end(report *r) { text_add(&r->line, "</testsuites>\n"); }

const report_writer report_junit = {.finding = put_finding,
                                    .begin_suite = begin_suite,
                                    .begin_case = begin_case,
                                    .end_case = end_case,
                                    .broken = put_broken,
                                    .end_suite = end_suite,
                                    .end = end};
