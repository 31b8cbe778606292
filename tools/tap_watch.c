/* SPDX-License-Identifier: MIT */
#include "tap_watch.h"

#include <mcpw/codec.h>
#include <mcpw/detail/framer.h>

#include <stdio.h>
#include <string.h>

enum {
    KEEP_ARENA = 4 << 20, /* a larger arena is freed after its message */
    ARENA_FACTOR = 3,     /* an arena may grow to this many times the longest message */
    EXCERPT = 60
};

void watch_init(watch *w, const watch_settings *settings, tap_report *report) {
    const mcpw_options limits = MCPW_OPTIONS_INIT;
    const mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_framer framer = MCPW_FRAMER_INIT;
    mcpw_options options = limits;
    memset(w, 0, sizeof *w);
    w->set = *settings;
    w->report = report;
    w->arena = arena;
    if (settings->max_bytes > MCPW_ARENA_DEFAULT_LIMIT / ARENA_FACTOR) {
        w->arena.limit =
            settings->max_bytes < SIZE_MAX / ARENA_FACTOR ? settings->max_bytes * ARENA_FACTOR : SIZE_MAX;
    }
    options.flags = settings->strict ? MCPW_STRICT : 0;
    options.max_bytes = settings->max_bytes;
    options.max_elements = settings->max_bytes; /* the length of a line is limit enough */
    talk_init(&w->talk, settings->revision, settings->strict, settings->max_open);
    w->talk.library = settings->library;
    w->talk.overlays = settings->overlays;
    w->talk.info_missed = settings->info_missed != NULL ? settings->info_missed : &w->info_missed;
    tap_tools_init(&w->tools, settings->all_errors);
    exchange_init(&w->exchange, talk_revision(&w->talk), &options, &w->arena, 0);
    w->exchange.overlays = settings->overlays;
    for (unsigned i = 0; i < SIDES; i++) {
        w->sides[i].framer = framer;
        w->sides[i].framer.limit = settings->max_bytes;
    }
}

void watch_free(watch *w) {
    for (unsigned i = 0; i < SIDES; i++) {
        mcpw_framer_free(&w->sides[i].framer);
    }
    exchange_free(&w->exchange);
    talk_free(&w->talk);
    tap_tools_free(&w->tools);
    mcpw_arena_free(&w->arena);
}

void watch_restart(watch *w) {
    const watch before = *w;
    watch_free(w);
    watch_init(w, &before.set, before.report);
    w->on_line = before.on_line;
    w->user = before.user;
}

void subscription_at(watch *w, uint64_t now) {
    w->talk.now = now;
    w->report->now = now;
}

/* ---- findings ---- */

static void report_line(watch *w, side from, const finding *f) {
    tap_report_finding(w->report, from, w->sides[from].number, NULL, f);
}

static void on_finding(void *user, const finding *f) {
    watch *const w = user;
    tap_report_finding(w->report, w->message->from, w->message->number, w->message, f);
}

/* The rule that a status of the library means. */
static rule_id rule_of(mcpw_status status) {
    switch (status) {
    case MCPW_E_SYNTAX:
    case MCPW_E_UTF8:
        return RULE_FRAMING_TEXT;
    case MCPW_E_MESSAGE:
        return RULE_MESSAGE;
    case MCPW_E_DEPTH:
    case MCPW_E_SIZE:
    case MCPW_E_ELEMENTS:
    case MCPW_E_WORK:
    case MCPW_E_ARENA:
    case MCPW_E_MEMORY:
        return RULE_LIMIT;
    default:
        return RULE_SCHEMA;
    }
}

static bool on_error(void *user, const mcpw_error *error) {
    watch *const w = user;
    finding f;
    w->errors++;
    if (error->code == MCPW_E_METHOD) {
        return true; /* a rule of its own */
    }
    finding_set(&f, rule_of(error->code), error->path, "%s", error->message);
    f.status = error->code;
    f.offset = error->offset;
    on_finding(w, &f);
    return true;
}

/* Reports a line that is no JSON, with its beginning: it is usually printed by mistake. */
static void report_broken(watch *w, side from, mcpw_str line, const mcpw_error *error) {
    finding f;
    const size_t shown = text_cut(line.ptr, line.len, EXCERPT);
    finding_set(&f, RULE_FRAMING_TEXT, "", "%s, at byte %zu of: %.*s%s", error->message, error->offset,
                (int)shown, line.ptr, shown < line.len ? "..." : "");
    f.status = error->code;
    f.offset = error->offset;
    report_line(w, from, &f);
    w->talk.parties[from].unreadable++;
}

/* ---- messages ---- */

static bool is_broken(mcpw_status status) { return status == MCPW_E_SYNTAX || status == MCPW_E_UTF8; }

static void take_sides(watch *w, const mcpw_revision *revision, side from) {
    w->exchange.revision = revision;
    w->exchange.asked = &w->talk.parties[from].open;
    w->exchange.answered = &w->talk.parties[talk_other(from)].open;
}

static void say_forgot(watch *w, side from) {
    finding f;
    if (w->forgot_said) {
        return;
    }
    w->forgot_said = true;
    finding_set(
        &f, RULE_LIMIT, "",
        "more than %zu requests, or 64 MiB of facts about them, wait for their responses: further ones are "
        "not remembered",
        w->set.max_open);
    report_line(w, from, &f);
}

/* Reports the schema errors of the current message. */
static void report_schema(watch *w, mcpw_json text, const mcpw_error *first) {
    w->errors = 0;
    if (w->set.all_errors) {
        exchange_errors(&w->exchange, text.ptr, text.len, on_error, w);
    }
    if (w->errors == 0) {
        (void)on_error(w, first);
    }
}

/* Checks one message. schema: report schema errors too. */
static void check_message(watch *w, mcpw_json text, talk_message *m, side from, bool schema) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    talk_read(&w->talk, from, text, m);
    take_sides(w, m->revision, from);
    const mcpw_status status = exchange_check(&w->exchange, text.ptr, text.len, &error);
    if (is_broken(status)) {
        const mcpw_str line = {text.ptr, text.len};
        m->kind = MCPW_MESSAGE_NONE;
        tap_report_message(w->report, m);
        report_broken(w, from, line, &error);
        return;
    }
    w->message = m;
    m->valid = status == MCPW_OK;
    m->by_overlay = w->exchange.by_overlay;
    if (status != MCPW_OK && schema) {
        report_schema(w, text, &error);
    }
    rules_check(&w->talk, m, on_finding, w);
    tap_tools_check(&w->tools, &w->talk, m, on_finding, w);
    tap_report_message(w->report, m);
    talk_follow(&w->talk, m);
    exchange_follow(&w->exchange, text.ptr, text.len);
    if (w->exchange.forgot) {
        w->exchange.forgot = false;
        w->talk.parties[from].forgot = true;
    }
    talk_opened(&w->talk, m);
    if (w->talk.parties[from].forgot) {
        say_forgot(w, from);
    }
}

/* Checks an array as a whole, then each of its messages. */
static void check_batch(watch *w, mcpw_json text, talk_message *m, side from) {
    mcpw_error error;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    finding f;
    memset(&error, 0, sizeof error);
    talk_read(&w->talk, from, text, m); /* it determines the revision */
    const bool allowed = !rules_batch(m, &f);
    if (mcpw_json_check(text, 0, &error) != MCPW_OK && is_broken(error.code)) {
        const mcpw_str line = {text.ptr, text.len};
        report_broken(w, from, line, &error);
        return;
    }
    w->message = m;
    take_sides(w, m->revision, from);
    if (exchange_check(&w->exchange, text.ptr, text.len, &error) != MCPW_OK) {
        if (allowed) {
            report_schema(w, text, &error);
        } else {
            on_finding(w, &f);
            w->talk.parties[from].unreadable++; /* it may be refused as a whole, without an id */
        }
    }
    if (mcpw_json_iterate(text, &it) != MCPW_OK) {
        return;
    }
    m->batched = true;
    for (m->item = 0; mcpw_json_next(&it, NULL, &item); m->item++) {
        if (mcpw_json_kind_of(item) == MCPW_JSON_OBJECT) {
            check_message(w, item, m, from, !allowed);
        }
    }
}

static void check_line(watch *w, side from, mcpw_str line) {
    const mcpw_json text = mcpw_json_of(line.ptr, line.len);
    talk_message m;
    memset(&m, 0, sizeof m);
    m.number = ++w->sides[from].number;
    if (mcpw_json_kind_of(text) == MCPW_JSON_ARRAY) {
        check_batch(w, text, &m, from);
    } else {
        check_message(w, text, &m, from, true);
    }
    tap_report_line(w->report, from, line, line.len);
    talk_clear(&w->talk);
    if (w->arena.total > KEEP_ARENA) {
        mcpw_arena_free(&w->arena);
    }
    if (w->talk.arena.total > KEEP_ARENA) {
        mcpw_arena_free(&w->talk.arena);
    }
}

/* ---- lines ---- */

static void report_unread(watch *w, side from, mcpw_status status) {
    static const mcpw_str unread = {NULL, 0};
    finding f;
    w->sides[from].number++;
    if (status == MCPW_E_SIZE) {
        finding_set(&f, RULE_FRAMING_LENGTH, "",
                    "the line is longer than %zu bytes (--max-bytes): not checked", w->set.max_bytes);
    } else {
        finding_set(&f, RULE_LIMIT, "", "the line is not checked: %s", mcpw_status_text(status));
    }
    f.status = status;
    report_line(w, from, &f);
    tap_report_line(w->report, from, unread, w->sides[from].bytes);
    w->talk.parties[from].unreadable++;
}

static void check_end_of_line(watch *w, side from, bool cr, bool blank) {
    finding f;
    if (blank) {
        finding_set(&f, RULE_FRAMING_BLANK, "", "a blank line follows");
        report_line(w, from, &f);
        tap_report_line(w->report, from, mcpw_str_from(""), 0);
    } else if (cr && !w->sides[from].cr_said) {
        w->sides[from].cr_said = true;
        finding_set(&f, RULE_FRAMING_CR, "", "lines end with CR and LF");
        report_line(w, from, &f);
        tap_report_late(w->report);
    }
}

/* Passes on a line that has ended; skipped lines have no text. */
static void pass_line(watch *w, side from, mcpw_str line, record_end end) {
    static const mcpw_str empty = {"", 0};
    static const size_t end_sizes[RECORD_ENDS] = {[RECORD_LF] = 1, [RECORD_CRLF] = 2, [RECORD_NO_END] = 0};
    record r;
    memset(&r, 0, sizeof r);
    if (w->on_line == NULL) {
        return;
    }
    r.from = from;
    r.end = end;
    r.line = line.ptr != NULL ? line : empty;
    r.kind = w->sides[from].skipped ? RECORD_SKIPPED : record_kind_of(r.line);
    r.number = w->sides[from].skipped ? w->sides[from].bytes - end_sizes[end] : 0;
    w->on_line(w->user, &r);
}

/* Takes bytes whose only line feed may be the last one. */
static void take_piece(watch *w, side from, const char *bytes, size_t len) {
    mcpw_framer *const framer = &w->sides[from].framer;
    const bool ended = bytes[len - 1] == '\n';
    const bool cr = ended && (len > 1 ? bytes[len - 2] : w->sides[from].last) == '\r';
    bool blank = ended && !framer->skipping;
    const char *p = bytes;
    size_t left = len;
    mcpw_str line = {NULL, 0};
    const record_end end = cr ? RECORD_CRLF : RECORD_LF;
    mcpw_status status;
    w->sides[from].bytes += len;
    while ((status = mcpw_framer_next(framer, &p, &left, &line)) != MCPW_PENDING) {
        blank = false;
        if (status == MCPW_OK) {
            pass_line(w, from, line, end);
            check_line(w, from, line);
        } else {
            w->sides[from].skipped = true;
            report_unread(w, from, status);
        }
    }
    if (ended) {
        if (blank || w->sides[from].skipped) {
            static const mcpw_str none = {NULL, 0};
            pass_line(w, from, none, end);
        }
        check_end_of_line(w, from, cr, blank);
        w->sides[from].bytes = 0;
        w->sides[from].skipped = false;
    }
    w->sides[from].last = bytes[len - 1];
}

void watch_bytes(watch *w, side from, const char *bytes, size_t len) {
    tap_report_bytes(w->report, from, len);
    w->report->conversation = w->conversation;
    while (len != 0) {
        const char *const end = memchr(bytes, '\n', len);
        const size_t piece = end != NULL ? (size_t)(end - bytes) + 1 : len;
        take_piece(w, from, bytes, piece);
        bytes += piece;
        len -= piece;
    }
}

void watch_skipped(watch *w, side from, uint64_t count) {
    tap_report_bytes(w->report, from, count);
    w->sides[from].bytes += count;
}

void watch_refused(watch *w, const record *refused) {
    const mcpw_json text = mcpw_json_of(refused->line.ptr, refused->line.len);
    const mcpw_id id = glance_id(text, &w->talk.arena);
    record line = *refused;
    if (talk_refused(&w->talk, talk_other(refused->from), &id)) {
        w->report->conversation = w->conversation;
        tap_report_refused(w->report, refused->from, refused->line, refused->number);
        if (w->on_line != NULL) {
            w->on_line(w->user, &line);
        }
    }
    talk_clear(&w->talk);
}

void watch_end(watch *w, side from) {
    mcpw_str line = {NULL, 0};
    w->report->conversation = w->conversation;
    if (mcpw_framer_end(&w->sides[from].framer, &line) == MCPW_OK) {
        finding f;
        /* The framer removes a CR at the end of the line, but the log must contain it. */
        const mcpw_str whole = {line.ptr, line.len + (w->sides[from].last == '\r' ? 1U : 0U)};
        pass_line(w, from, whole, RECORD_NO_END);
        check_line(w, from, line);
        finding_set(&f, RULE_FRAMING_END, "", "the last line has no line feed");
        report_line(w, from, &f);
        tap_report_late(w->report);
    } else if (w->sides[from].skipped) {
        pass_line(w, from, line, RECORD_NO_END);
    }
    w->sides[from].bytes = 0;
    w->sides[from].skipped = false;
}
