/* SPDX-License-Identifier: MIT */
/* A page of HTML with its data: one file, which needs nothing else. */
#include "report_html.h"

#include <stdio.h>
#include <string.h>

enum { SEPARATOR_SIZE = 3 /* bytes of U+2028 and U+2029, which end a line of JavaScript */ };

/* The bytes at the beginning that must be escaped; 0: none. */
static size_t unsafe_at(const char *at, size_t left) {
    if (*at == '<' || *at == '>' || *at == '&') {
        return 1;
    }
    return left >= SEPARATOR_SIZE && (memcmp(at, "\xe2\x80\xa8", SEPARATOR_SIZE) == 0 ||
                                      memcmp(at, "\xe2\x80\xa9", SEPARATOR_SIZE) == 0)
               ? SEPARATOR_SIZE
               : 0;
}

void report_html_json(text *to, const text *json) {
    const char *const bytes = json->buffer.data;
    const size_t len = json->buffer.len;
    size_t plain = 0;
    for (size_t i = 0; i < len;) {
        const size_t unsafe = unsafe_at(bytes + i, len - i);
        if (unsafe == 0) {
            i++;
            continue;
        }
        text_bytes(to, bytes + plain, i - plain);
        text_format(to, "\\u%04x",
                    unsafe == 1 ? (unsigned)(unsigned char)bytes[i]
                                : 0x2028U + ((unsigned)(unsigned char)bytes[i + 2] & 1U));
        i += unsafe;
        plain = i;
    }
    text_bytes(to, len != 0 ? bytes + plain : "", len - plain);
    to->lost = to->lost || json->lost;
}

void report_html_event(report *r, const text *event) {
    text_add(&r->line, r->events++ != 0 ? ",\n" : "\n");
    report_html_json(&r->line, event);
}

static void begin_suite(report *r) {
    if (!r->begun) {
        r->begun = true;
        text_bytes(&r->line, (const char *)page_head, page_head_len);
        text_add(&r->line, "[");
    }
}

static void put_finding(report *r, const report_finding *f) {
    (void)r; /* it is in the trace */
    (void)f;
}

static void end(report *r) {
    if (r->begun) {
        text_add(&r->line, "\n]");
        text_bytes(&r->line, (const char *)page_tail, page_tail_len);
    }
}

const report_writer report_html = {.begin_suite = begin_suite, .finding = put_finding, .end = end};
