/* SPDX-License-Identifier: MIT */
#include "tap_replay.h"

#include "input.h"
#include "record.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum {
    LONGEST_ESCAPE = 6,  /* maximum bytes in a log for one byte of a line */
    AROUND = 1024,       /* bytes of a log line around the message */
    MOST_COMPLAINTS = 20 /* errors about single lines; more are only counted */
};

#define RECORD_START "{\"time\":\"" /* the beginning of every line of record_put */

typedef struct replayer {
    conversations *all;
    mcpw_arena arena;
    bool any;      /* a line was read */
    int64_t start; /* the time of the first record */
    uint64_t now;  /* ms since start */
    uint64_t bad;  /* invalid lines */
} replayer;

/* Ends all conversations, because a new recording begins. */
static void end_all(conversations *c) {
    for (conversation *one = c->newest; one != NULL; one = one->next) {
        watch_end(&one->watch, CLIENT);
        watch_end(&one->watch, SERVER);
    }
    conversations_free(c);
}

/* Passes a record to its conversation. False: no memory. */
static bool take(replayer *p, const record *r) {
    if (r->kind == RECORD_BEGIN && p->any) {
        end_all(p->all);
    }
    if (!p->any) {
        p->start = r->time;
        p->any = true;
    }
    p->now = r->time > p->start ? (uint64_t)(r->time - p->start) : p->now;
    if (r->kind == RECORD_BEGIN) {
        p->all->report->now = p->now;
        tap_report_began(p->all->report, r->time);
    }
    conversation *const one = r->kind != RECORD_BEGIN ? conversation_numbered(p->all, r->conversation) : NULL;
    if (one != NULL) {
        conversation_take(one, p->now, r);
    }
    return one != NULL || r->kind == RECORD_BEGIN;
}

static void complain_of_line(replayer *p, const input *in, uint64_t line) {
    p->bad++;
    if (p->bad <= MOST_COMPLAINTS) {
        tool_complain("%s:%" PRIu64 ": not a line of a log that \"mcpwire tap --record\" has written",
                      in->name, line);
    }
}

/* Reads the record after an unfinished line, which a killed recorder leaves. */
static bool get_appended(mcpw_json line, mcpw_arena *arena, record *out) {
    static const size_t start = sizeof RECORD_START - 1;
    for (size_t at = line.len > start ? line.len - start : 0; at > 0; at--) {
        if (memcmp(line.ptr + at, RECORD_START, start) == 0) {
            const mcpw_json tail = mcpw_json_of(line.ptr + at, line.len - at);
            return record_get(tail, arena, out);
        }
    }
    return false;
}

/* Takes one line of the file, or prints an error. */
static void take_line(replayer *p, const input *in, const input_value *value) {
    const mcpw_json line = mcpw_json_of(value->text, value->len);
    record r;
    mcpw_arena_reset(&p->arena);
    p->all->report->line = value->line;
    if (!value->too_long && record_get(line, &p->arena, &r) && take(p, &r)) {
        outlet_flush(&p->all->report->out);
        return;
    }
    complain_of_line(p, in, value->line);
    if (!value->too_long && get_appended(line, &p->arena, &r)) {
        (void)take(p, &r);
    }
}

/* Takes all lines. False: at least one line is invalid; the others are taken nevertheless. */
static bool take_lines(replayer *p, input *in) {
    input_value value;
    input_result result;
    while ((result = input_next_line(in, &value)) == INPUT_VALUE) {
        take_line(p, in, &value);
        outlet_drain(&p->all->report->out, -1);
    }
    if (p->bad > MOST_COMPLAINTS) {
        tool_complain("%s: %" PRIu64 " lines in all are not of a log", in->name, p->bad);
    }
    if (result == INPUT_FAILED) {
        char reason[INPUT_REASON_SIZE];
        input_reason(in, reason);
        tool_complain("%s: %s", in->name, reason);
    }
    return p->bad == 0 && result == INPUT_END;
}

bool replay(conversations *c, const char *name) {
    const mcpw_arena arena = MCPW_ARENA_INIT;
    const size_t most = c->set.max_bytes;
    replayer p = {c, arena, false, 0, 0, 0};
    input in;
    memset(&in, 0, sizeof in);
    p.arena.limit = SIZE_MAX; /* the length of a line is limit enough */
    if (!input_open(&in, name,
                    most < SIZE_MAX / LONGEST_ESCAPE - AROUND ? most * LONGEST_ESCAPE + AROUND : SIZE_MAX)) {
        char reason[INPUT_REASON_SIZE];
        input_reason(&in, reason);
        tool_complain("%s: %s", name, reason);
        return false;
    }
    const bool good = take_lines(&p, &in);
    end_all(c);
    input_close(&in);
    mcpw_arena_free(&p.arena);
    return good;
}
