/* SPDX-License-Identifier: MIT */
#include "convert_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 16 };

static const char *const marks[CONVERT_MARKS] = {
    [CONVERT_DROPPED] = "dropped",         [CONVERT_DEFAULTED] = "defaulted",
    [CONVERT_SUBSTITUTED] = "substituted", [CONVERT_UNSAYABLE] = "unsayable",
    [CONVERT_INVALID] = "invalid",
};

/* Keeps a finding until it is known whether the message is written. */
static void hold(void *user, const text *t) {
    convert_report *const r = user;
    text_join(&r->held, t);
}

void convert_report_init(convert_report *r, convert_detail detail) {
    memset(r, 0, sizeof *r);
    r->detail = detail;
    r->held = (text)TEXT_INIT;
    report_init(&r->report, detail == CONVERT_JSON ? REPORT_JSON : REPORT_TEXT, "convert", hold, r);
}

static void put(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                const char *words) {
    const bool is_left_out = mark == CONVERT_UNSAYABLE || mark == CONVERT_INVALID;
    char label[LABEL_SIZE];
    text place = TEXT_INIT;
    text members = TEXT_INIT;
    if (r->detail == CONVERT_BRIEF && !is_left_out) {
        return;
    }
    /* A pointer that was too long begins with "...", without its base. */
    text_add(&place, pointer[0] == '.' ? "" : base);
    text_add(&place, pointer);
    text_bytes(&place, "", 1);
    (void)snprintf(label, sizeof label, "%s ", marks[mark]);
    const report_finding f = {.level = REPORT_ERROR,
                              .file = r->file,
                              .line = r->line,
                              .time = "",
                              .origin = "",
                              .label = label,
                              .code = marks[mark],
                              .pointer = place.lost ? "" : place.buffer.data,
                              .message = words,
                              .about = "",
                              .members = &members};
    if (r->detail == CONVERT_JSON) {
        report_member(&members, "file", mcpw_str_from(r->file));
        report_number(&members, "line", r->line);
        report_member(&members, "what", mcpw_str_from(marks[mark]));
        report_member(&members, "pointer", mcpw_str_from(f.pointer));
        if (words[0] != '\0') {
            report_member(&members, "message", mcpw_str_from(words));
        }
    }
    report_find(&r->report, &f);
    text_free(&place);
    text_free(&members);
}

void convert_report_note(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                         const char *words) {
    r->held_counts[mark]++;
    put(r, mark, base, pointer, words);
}

/* Passes on the findings of a message. */
static void pass_on(convert_report *r) {
    if (r->kept == NULL) {
        text_write_stderr(&r->held);
        return;
    }
    if (r->kept->buffer.len != 0 && r->held.buffer.len != 0) {
        text_add(r->kept, ",");
    }
    for (size_t i = 0; i < r->held.buffer.len; i++) { /* each is a line */
        const bool is_end = r->held.buffer.data[i] == '\n';
        if (!is_end) {
            text_bytes(r->kept, &r->held.buffer.data[i], 1);
        } else if (i + 1 < r->held.buffer.len) {
            text_add(r->kept, ",");
        }
    }
    r->kept->lost = r->kept->lost || r->held.lost;
}

static void drop_held(convert_report *r) {
    text_clear(&r->held);
    memset(r->held_counts, 0, sizeof r->held_counts);
}

void convert_report_keep(convert_report *r) {
    for (size_t i = 0; i < CONVERT_MARKS; i++) {
        r->counts[i] += r->held_counts[i];
    }
    r->written++;
    pass_on(r);
    drop_held(r);
}

void convert_report_leave_out(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                              const char *words) {
    drop_held(r);
    r->counts[mark]++;
    put(r, mark, base, pointer, words);
    pass_on(r);
    drop_held(r);
}

void convert_report_summary(convert_report *r) {
    text out = TEXT_INIT;
    text members = TEXT_INIT;
    if (r->detail == CONVERT_BRIEF || r->kept != NULL) {
        return;
    }
    report_number(&members, "messages", r->messages);
    report_number(&members, "written", r->written);
    text_format(&out, "%" PRIu64 " messages, %" PRIu64 " written", r->messages, r->written);
    for (size_t i = 0; i < CONVERT_MARKS; i++) {
        report_number(&members, marks[i], r->counts[i]);
        text_format(&out, ", %" PRIu64 " %s", r->counts[i], marks[i]);
    }
    if (r->detail == CONVERT_JSON) {
        text_clear(&out);
        text_add(&out, "{\"summary\":{");
        text_join(&out, &members);
        text_add(&out, "}}");
    }
    text_add(&out, "\n");
    text_write_stderr(&out);
    text_free(&out);
    text_free(&members);
}

void convert_report_free(convert_report *r) {
    text_free(&r->held);
    report_free(&r->report);
}
