/* SPDX-License-Identifier: MIT */
#include "convert_report.h"

#include <inttypes.h>
#include <string.h>

static const char *const marks[CONVERT_MARKS] = {
    [CONVERT_DROPPED] = "dropped",         [CONVERT_DEFAULTED] = "defaulted",
    [CONVERT_SUBSTITUTED] = "substituted", [CONVERT_UNSAYABLE] = "unsayable",
    [CONVERT_INVALID] = "invalid",
};

/* The pointer of a place. One that was too long for its record begins with "...", and has lost its base. */
static void put_pointer(text *out, const char *base, const char *pointer,
                        void (*put)(text *t, const char *bytes, size_t len)) {
    text whole = TEXT_INIT;
    text_add(&whole, pointer[0] == '.' ? "" : base);
    text_add(&whole, pointer);
    put(out, whole.buffer.len != 0 ? whole.buffer.data : "", whole.buffer.len);
    text_free(&whole);
}

static void put_text(convert_report *r, text *out, convert_mark mark, const char *base, const char *pointer,
                     const char *words) {
    text_safe(out, r->file, strlen(r->file));
    text_format(out, ":%" PRIu64 ": %s ", r->line, marks[mark]);
    put_pointer(out, base, pointer[0] == '\0' && base[0] == '\0' ? "/" : pointer, text_safe);
    if (words[0] != '\0') {
        text_add(out, ": ");
        text_safe(out, words, strlen(words));
    }
    text_add(out, "\n");
}

static void put_json(convert_report *r, text *out, convert_mark mark, const char *base, const char *pointer,
                     const char *words) {
    text_add(out, "{\"file\":");
    text_json(out, r->file, strlen(r->file));
    text_format(out, ",\"line\":%" PRIu64 ",\"what\":\"%s\",\"pointer\":", r->line, marks[mark]);
    put_pointer(out, base, pointer, text_json);
    if (words[0] != '\0') {
        text_add(out, ",\"message\":");
        text_json(out, words, strlen(words));
    }
    text_add(out, "}\n");
}

static void put(convert_report *r, text *out, convert_mark mark, const char *base, const char *pointer,
                const char *words) {
    if (r->detail == CONVERT_JSON) {
        put_json(r, out, mark, base, pointer, words);
    } else if (r->detail == CONVERT_TEXT || mark == CONVERT_UNSAYABLE || mark == CONVERT_INVALID) {
        put_text(r, out, mark, base, pointer, words);
    }
}

void convert_report_note(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                         const char *words) {
    r->held_counts[mark]++;
    put(r, &r->held, mark, base, pointer, words);
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
    text_tell(&r->held);
    drop_held(r);
}

void convert_report_leave_out(convert_report *r, convert_mark mark, const char *base, const char *pointer,
                              const char *words) {
    drop_held(r);
    r->counts[mark]++;
    put(r, &r->held, mark, base, pointer, words);
    text_tell(&r->held);
    drop_held(r);
}

void convert_report_summary(convert_report *r) {
    text out = TEXT_INIT;
    if (r->detail == CONVERT_BRIEF) {
        return;
    }
    const bool json = r->detail == CONVERT_JSON;
    text_format(&out, json ? "{\"summary\":{\"messages\":%" PRIu64 : "%" PRIu64 " messages", r->messages);
    text_format(&out, json ? ",\"written\":%" PRIu64 : ", %" PRIu64 " written", r->written);
    for (size_t i = 0; i < CONVERT_MARKS; i++) {
        if (json) {
            text_format(&out, ",\"%s\":%" PRIu64, marks[i], r->counts[i]);
        } else {
            text_format(&out, ", %" PRIu64 " %s", r->counts[i], marks[i]);
        }
    }
    text_add(&out, json ? "}}\n" : "\n");
    text_tell(&out);
    text_free(&out);
}

void convert_report_free(convert_report *r) { text_free(&r->held); }
