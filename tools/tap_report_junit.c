/* SPDX-License-Identifier: MIT */
/*
 * XML as JUnit has made it known: one test suite, and a test case a message. Errors are its failure; warnings
 * and notes are what it writes. The suite begins with how many cases it has, so that they wait in a temporary
 * file until the end.
 */
#define _POSIX_C_SOURCE 200809L

#include "tap_report.h"

#include "spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool begin(tap_report *r) {
    r->cases.spool = tmpfile();
    if (r->cases.spool == NULL) {
        tool_complain("--format junit needs a temporary file: %s", strerror(errno));
    }
    return r->cases.spool != NULL;
}

/* ---- cases ---- */

static void put_element(text *t, const char *name, const text *content) {
    if (content->buffer.len != 0) {
        text_format(t, "<%s>", name);
        text_bytes(t, content->buffer.data, content->buffer.len);
        text_format(t, "</%s>", name);
    }
}

static void write_case(tap_report *r, const text *t) {
    errno = 0;
    if (t->lost || fwrite(t->buffer.data, 1, t->buffer.len, r->cases.spool) != t->buffer.len) {
        r->out.error = errno != 0 ? errno : ENOMEM;
    }
}

static void end_case(tap_report *r) {
    tap_cases *const c = &r->cases;
    text t = TEXT_INIT;
    if (!c->is_open) {
        return;
    }
    text_format(&t, "<testcase classname=\"%s\" name=\"%" PRIu64, tap_directions[c->from], c->number);
    if (c->in_batch) {
        text_format(&t, "/%zu", c->item);
    }
    text_bytes(&t, c->method.buffer.data, c->method.buffer.len);
    text_add(&t, "\">");
    if (c->failure.buffer.len != 0) {
        text_bytes(&t, c->failure.buffer.data, c->failure.buffer.len);
        text_add(&t, "</failure>");
        c->failed++;
    }
    put_element(&t, "system-out", &c->notes);
    text_add(&t, "</testcase>\n");
    t.lost = t.lost || c->method.lost || c->failure.lost || c->notes.lost;
    write_case(r, &t);
    text_free(&t);
    text_clear(&c->method);
    text_clear(&c->failure);
    text_clear(&c->notes);
    c->is_open = false;
    c->count++;
}

/* The case of a message: the open one, or a new one. */
static void open_case(tap_report *r, side from, uint64_t number, const talk_message *m) {
    tap_cases *const c = &r->cases;
    const bool in_batch = m != NULL && m->batched;
    const size_t item = in_batch ? m->item : 0;
    if (c->is_open && c->from == from && c->number == number &&
        (m == NULL || (c->in_batch == in_batch && c->item == item))) {
        return; /* what shows no message is about the line that was last */
    }
    end_case(r);
    c->is_open = true;
    c->from = from;
    c->number = number;
    c->in_batch = in_batch;
    c->item = item;
    const mcpw_str method = tap_shown_method(m);
    if (method.ptr != NULL) {
        text_add(&c->method, " ");
        text_xml(&c->method, method.ptr, method.len);
    }
}

static void put_finding(tap_report *r, const tap_finding *f) {
    const bool is_error = f->found->severity == ERROR;
    text *const t = is_error ? &r->cases.failure : &r->cases.notes;
    text said = TEXT_INIT;
    open_case(r, f->from, f->number, f->m);
    if (is_error && t->buffer.len == 0) {
        text_add(t, "<failure");
        text_xml_attribute(t, "type", rules_get(f->found->rule)->code);
        text_xml_attribute(t, "message", f->found->message);
        text_add(t, ">");
    }
    tap_put_time(&said, r, "", " ");
    if (!is_error) {
        text_format(&said, "%s: ", severity_name(f->found->severity));
    }
    tap_put_finding(&said, f);
    text_xml(t, said.buffer.data, said.buffer.len);
    text_add(t, "\n");
    t->lost = t->lost || said.lost;
    text_free(&said);
}

static void note_message(tap_report *r, const talk_message *m) { open_case(r, m->from, m->number, m); }

static void put_summary(tap_report *r) {
    text lines = TEXT_INIT;
    text *const t = &r->cases.summary;
    const char *line;
    tap_put_summary(r, &lines);
    text_bytes(&lines, "", 1);
    for (char *rest = lines.lost ? NULL : lines.buffer.data; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        text_xml(t, line, strlen(line));
        text_add(t, "\n");
    }
    t->lost = t->lost || lines.lost;
    text_free(&lines);
}

/* ---- the end ---- */

/* Waits for whoever reads: half a document is of no use. */
static void put_bytes(void *user, const char *bytes, size_t len) {
    tap_report *const r = user;
    text *const t = outlet_begin(&r->out);
    if (t != NULL) {
        text_bytes(t, bytes, len);
        outlet_end(&r->out);
    }
    outlet_drain(&r->out, TAP_PATIENCE);
}

static void put_head(text *t, const tap_report *r) {
    text_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mcpwire tap\">\n<testsuite");
    text_xml_attribute(t, "name", r->file != NULL ? r->file : "mcpwire tap");
    text_format(t, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"0\">\n", r->cases.count,
                r->cases.failed);
}

static void end(tap_report *r) {
    tap_cases *const c = &r->cases;
    text t = TEXT_INIT;
    end_case(r);
    put_head(&t, r);
    put_bytes(r, t.buffer.data, t.buffer.len);
    int error = spool_take(c->spool, put_bytes, r);
    text_clear(&t);
    put_element(&t, "system-out", &c->summary);
    text_add(&t, "</testsuite>\n</testsuites>\n");
    put_bytes(r, t.buffer.data, t.buffer.len);
    if (error == 0 && r->out.lost != 0) { /* nobody read on, so that the document has a gap */
        error = EAGAIN;
    }
    r->out.error = r->out.error != 0 ? r->out.error : error;
    text_free(&t);
    text_free(&c->method);
    text_free(&c->failure);
    text_free(&c->notes);
    text_free(&c->summary);
}

const tap_style tap_report_junit = {
    .begin = begin, .finding = put_finding, .message = note_message, .summary = put_summary, .end = end};
