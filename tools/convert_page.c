/* SPDX-License-Identifier: MIT */
#include "convert_page.h"

#include "console.h"

#include <string.h>

/* An error of stdout is found at the end. */
static void put(void *user, const text *t) {
    (void)user;
    (void)console_write(t);
}

static void put_event(void *user, const text *event) {
    convert_page *const p = user;
    report_event(&p->report, event);
}

void convert_page_init(convert_page *p, convert_report *notes, bool redacts) {
    p->changes = (text)TEXT_INIT;
    report_init(&p->report, REPORT_HTML, "convert", put, p);
    trace_init(&p->trace, put_event, p);
    p->trace.redacts = redacts;
    p->trace.has_no_times = true;
    notes->kept = &p->changes;
}

void convert_page_file(convert_page *p, const char *name) {
    report_begin_suite(&p->report);
    trace_file(&p->trace, name);
}

void convert_page_take(convert_page *p, uint64_t line, mcpw_str whole, const unwrapped *found, converter *c) {
    const bool is_message = found != NULL && found->text.ptr != NULL;
    const mcpw_str inner = is_message ? (mcpw_str){found->text.ptr, found->text.len} : whole;
    const mcpw_buffer *const out = &c->out.buffer;
    const mcpw_str said = {out->len != 0 ? out->data : NULL, out->len != 0 ? out->len - 1 : 0};
    const trace_item item = {.from = is_message && found->has_side ? (unsigned)found->from : TRACE_NO_SIDE,
                             .revision = is_message ? c->sessions.exchange.revision : NULL,
                             .text = inner,
                             .bytes = inner.len};
    p->trace.line = line;
    if (found != NULL) {
        trace_at(&p->trace, found->time);
        p->trace.conversation =
            found->session.kind == MCPW_ID_INTEGER ? (uint64_t)found->session.as.integer : 0;
    }
    if (found != NULL && found->begins) {
        trace_began(&p->trace, found->time);
    } else if (found == NULL || !found->refuses) {
        trace_convert(&p->trace, c->to, said, &p->changes);
        trace_add(&p->trace, &item);
    }
    text_clear(&p->changes);
    text_clear(&c->out);
}

void convert_page_end(convert_page *p) {
    report_end(&p->report);
    report_free(&p->report);
    trace_free(&p->trace);
    text_free(&p->changes);
}
