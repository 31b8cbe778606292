/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include "glance.h"
#include "tap_secrets.h"
#include "trace_redact.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RELATED_TASK "io.modelcontextprotocol/related-task"
#define SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

enum {
    KEEP = 4 << 20, /* larger memory is freed after its message */
    SHOWN = 200     /* bytes of a method, an id, or what a request is about */
};

static const char *const side_names[SIDES] = {[CLIENT] = "client", [SERVER] = "server"};

void trace_init(trace *t, void (*put)(void *user, const text *event), void *user) {
    memset(t, 0, sizeof *t);
    t->put = put;
    t->user = user;
    t->arena = (mcpw_arena)MCPW_ARENA_INIT;
    t->findings = t->converted = t->out = (text)TEXT_INIT;
    links_init(&t->links);
}

void trace_free(trace *t) {
    text *const texts[] = {&t->findings, &t->converted, &t->out};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text_free(texts[i]);
    }
    links_free(&t->links);
    mcpw_arena_free(&t->arena);
}

static void clear(text *t) {
    if (t->buffer.len > KEEP) {
        text_free(t);
    }
    text_clear(t);
}

static void send(trace *t) {
    t->put(t->user, &t->out);
    clear(&t->out);
}

static void number(trace *t, const char *name, uint64_t value) {
    text_format(&t->out, ",\"%s\":%" PRIu64, name, value);
}

static void word(trace *t, const char *name, mcpw_str value) {
    if (value.ptr != NULL) {
        const size_t len = text_cut(value.ptr, value.len, SHOWN);
        text_format(&t->out, ",\"%s\":", name);
        text_json(&t->out, value.ptr, len);
    }
}

/* ---- What is no message -------------------------------------------------------------------------------- */

void trace_file(trace *t, const char *name) {
    links_free(&t->links);
    text_add(&t->out, "{\"file\":");
    text_json(&t->out, name, strlen(name));
    text_add(&t->out, "}");
    send(t);
}

void trace_began(trace *t, int64_t time) {
    links_free(&t->links);
    text_format(&t->out, "{\"began\":%" PRId64 ",\"t\":%" PRIu64 "}", time, t->now);
    send(t);
}

void trace_at(trace *t, int64_t time) {
    t->has_no_times = t->has_no_times && time == 0;
    t->start = t->start != 0 ? t->start : time;
    t->now = time > t->start ? (uint64_t)(time - t->start) : t->now;
}

static bool is_lost(const text *t) { return t->lost; }

/* Adds an object to a list. */
static text *next_of(text *list) {
    text_add(list, list->buffer.len != 0 ? "," : "");
    return list;
}

void trace_find(trace *t, const trace_finding *f) {
    text *const to = next_of(&t->findings);
    text_format(to, "{\"severity\":\"%s\",\"code\":\"%s\",\"pointer\":", f->severity, f->code);
    text_json(to, f->pointer, strlen(f->pointer));
    if (f->has_offset) {
        text_format(to, ",\"offset\":%" PRIu64, f->offset);
    }
    text_add(to, ",\"message\":");
    trace_put_message(to, f->message, t->redacts);
    text_add(to, "}");
}

/* ---- The text of a message ----------------------------------------------------------------------------- */

/* Writes a text without secrets, and without values if they are to be left out. */
static void put_content(const trace *t, text *out, mcpw_str content) {
    secrets none;
    text plain = TEXT_INIT;
    secrets_init(&none);
    if (t->redacts) {
        trace_redact(&plain, content);
    } else {
        text_bytes(&plain, content.ptr, content.len);
    }
    if (is_lost(&plain) || !secrets_hide(&none, &plain.buffer)) {
        text_add(out, "\"\"");
    } else {
        text_json(out, plain.buffer.len != 0 ? plain.buffer.data : "", plain.buffer.len);
    }
    text_free(&plain);
}

void trace_convert(trace *t, const mcpw_revision *to, mcpw_str said, const text *changes) {
    text *const out = next_of(&t->converted);
    text_format(out, "{\"to\":\"%s\"", glance_wire(to));
    if (said.ptr != NULL) {
        text_add(out, ",\"text\":");
        put_content(t, out, said);
    }
    text_add(out, ",\"changes\":[");
    text_join(out, changes);
    text_add(out, "]}");
}

/* ---- Links to earlier messages ------------------------------------------------------------------------- */

static const char *kind_of(const glance *g) {
    switch (g->kind) {
    case MCPW_MESSAGE_REQUEST:
        return "request";
    case MCPW_MESSAGE_NOTIFICATION:
        return "notification";
    case MCPW_MESSAGE_RESULT:
        return "result";
    case MCPW_MESSAGE_ERROR:
        return "error";
    case MCPW_MESSAGE_BATCH:
        return "batch";
    default:
        return "line";
    }
}

static mcpw_str raw(mcpw_json value) { return (mcpw_str){value.ptr, value.ptr != NULL ? value.len : 0}; }

static unsigned other(unsigned side) {
    return side == TRACE_NO_SIDE ? side : side == CLIENT ? (unsigned)SERVER : (unsigned)CLIENT;
}

static link_key key_of(const trace *t, link_kind kind, unsigned side, mcpw_json value) {
    const bool is_of_all = kind == LINK_TASK || kind == LINK_STATE; /* they may go on in another one */
    return (link_key){kind, is_of_all ? 0 : t->conversation, is_of_all ? 0 : side, raw(value)};
}

/* Writes the entry that a value refers to. Returns its link; NULL: there is none. */
static trace_link *refer(trace *t, const char *name, link_kind kind, unsigned side, mcpw_json value) {
    if (value.ptr == NULL) {
        return NULL;
    }
    const link_key key = key_of(t, kind, side, value);
    trace_link *const found = links_find(&t->links, &key);
    if (found == NULL || found->entry == 0) {
        return NULL;
    }
    number(t, name, found->entry);
    return found;
}

static void remember(trace *t, link_kind kind, unsigned side, mcpw_json value, uint64_t entry,
                     uint32_t round) {
    if (value.ptr != NULL) {
        const link_key key = key_of(t, kind, side, value);
        links_add(&t->links, &key, entry, round);
    }
}

/* The id of the task that a message is about; absent: none. */
static mcpw_json task_of(const glance *g) {
    const mcpw_json part = g->kind == MCPW_MESSAGE_RESULT ? g->at[MCPW_AT_RESULT] : g->at[MCPW_AT_PARAMS];
    const mcpw_json task = glance_member(glance_member(part, "task"), "taskId");
    const mcpw_json own = glance_member(part, "taskId");
    return own.ptr != NULL ? own
           : task.ptr != NULL
               ? task
               : glance_member(glance_member(glance_member(part, "_meta"), RELATED_TASK), "taskId");
}

/* A part that says which round a message belongs to: the state of the request, or else the name of the first
 * input, which is known in its conversation alone. */
static mcpw_json round_of(mcpw_json part, const char *inputs, link_kind *kind) {
    const mcpw_json state = glance_member(part, "requestState");
    mcpw_json name = {NULL, 0, 0};
    mcpw_json unused;
    mcpw_json_iter it;
    *kind = state.ptr != NULL ? LINK_STATE : LINK_INPUT;
    if (state.ptr == NULL && mcpw_json_iterate(glance_member(part, inputs), &it) == MCPW_OK &&
        !mcpw_json_next(&it, &name, &unused)) {
        name.ptr = NULL;
    }
    return state.ptr != NULL ? state : name;
}

static void link_request(trace *t, const glance *g, unsigned from) {
    link_kind kind = LINK_STATE;
    const mcpw_json state = round_of(g->at[MCPW_AT_PARAMS], "inputResponses", &kind);
    uint32_t round = 1;
    const trace_link *const before = refer(t, "after", kind, from, state);
    if (before != NULL) {
        round = before->round + 1;
        number(t, "round", round);
    }
    (void)refer(t, "task", LINK_TASK, 0, task_of(g));
    remember(t, LINK_REQUEST, from, g->at[MCPW_AT_ID], t->entries, round);
    remember(t, LINK_TOKEN, from, glance_member(g->at[MCPW_AT_META], "progressToken"), t->entries, 0);
}

static void link_response(trace *t, const glance *g, unsigned from) {
    link_kind kind = LINK_STATE;
    trace_link *const asked = refer(t, "answers", LINK_REQUEST, other(from), g->at[MCPW_AT_ID]);
    const mcpw_json result = g->at[MCPW_AT_RESULT];
    const mcpw_json task = task_of(g);
    const uint64_t entry = asked != NULL ? asked->entry : t->entries;
    if (asked != NULL) {
        const mcpw_str type = glance_string(result, "resultType", &t->arena);
        const uint32_t round = asked->round;
        asked->entry = 0; /* it is answered */
        if (mcpw_str_is(type, "input_required")) {
            number(t, "asks", round);
            const mcpw_json state = round_of(result, "inputRequests", &kind);
            remember(t, kind, other(from), state, entry, round);
        }
    }
    if (task.ptr != NULL && refer(t, "task", LINK_TASK, 0, task) == NULL) {
        number(t, "task", entry);
        remember(t, LINK_TASK, 0, task, entry, 0);
    }
}

static void link_notification(trace *t, const glance *g, unsigned from) {
    const mcpw_json params = g->at[MCPW_AT_PARAMS];
    const mcpw_json token = glance_member(params, "progressToken");
    const mcpw_json subscription = glance_member(glance_member(params, "_meta"), SUBSCRIPTION);
    const mcpw_json cancelled = glance_member(params, "requestId");
    if (token.ptr != NULL) {
        (void)refer(t, "of", LINK_TOKEN, other(from), token);
    } else if (subscription.ptr != NULL) {
        (void)refer(t, "of", LINK_REQUEST, other(from), subscription);
    } else {
        (void)refer(t, "of", LINK_REQUEST, from, cancelled);
    }
    (void)refer(t, "task", LINK_TASK, 0, task_of(g));
}

static void link_message(trace *t, const glance *g, unsigned from) {
    if (g->kind == MCPW_MESSAGE_REQUEST) {
        link_request(t, g, from);
    } else if (g->kind == MCPW_MESSAGE_NOTIFICATION) {
        link_notification(t, g, from);
    } else if (g->kind == MCPW_MESSAGE_RESULT || g->kind == MCPW_MESSAGE_ERROR) {
        link_response(t, g, from);
    }
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

static void put_parts(trace *t, const glance *g) {
    const mcpw_json params = g->at[MCPW_AT_PARAMS];
    const mcpw_str name = glance_string(params, "name", &t->arena);
    word(t, "method", g->method);
    word(t, "id", raw(g->at[MCPW_AT_ID]));
    if (g->kind == MCPW_MESSAGE_REQUEST) {
        word(t, "about", name.ptr != NULL || t->redacts ? name : glance_string(params, "uri", &t->arena));
    }
}

static void put_lists(trace *t) {
    text *const lists[] = {&t->findings, &t->converted};
    static const char *const names[] = {"findings", "converted"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i]->buffer.len != 0 || is_lost(lists[i])) {
            text_format(&t->out, ",\"%s\":[", names[i]);
            text_join(&t->out, lists[i]);
            text_add(&t->out, "]");
        }
        clear(lists[i]);
    }
}

void trace_add(trace *t, const trace_item *item) {
    glance g;
    memset(&g, 0, sizeof g);
    mcpw_arena_reset(&t->arena);
    if (item->kind == NULL && item->text.ptr != NULL) {
        glance_read(&g, mcpw_json_of(item->text.ptr, item->text.len), &t->arena);
    }
    t->entries++;
    t->line_has_entry = true;
    text_format(&t->out, "{\"entry\":%" PRIu64 ",\"kind\":\"%s\",\"bytes\":%" PRIu64, t->entries,
                item->kind != NULL ? item->kind : kind_of(&g), item->bytes);
    if (!t->has_no_times) {
        number(t, "t", t->now);
    }
    if (item->from < SIDES) {
        word(t, "from", mcpw_str_from(side_names[item->from]));
    }
    if (t->line != 0) {
        number(t, "line", t->line);
    }
    if (t->conversation != 0) {
        number(t, "conversation", t->conversation);
    }
    if (item->batched) {
        number(t, "item", item->at);
    }
    if (item->revision != NULL) {
        word(t, "revision", mcpw_str_from(glance_wire(item->revision)));
    }
    put_parts(t, &g);
    link_message(t, &g, item->from);
    if (item->status != 0) {
        number(t, "status", (uint64_t)item->status);
        (void)refer(t, "answers", LINK_REQUEST, other(item->from),
                    mcpw_json_of(item->text.ptr, item->text.len));
    }
    put_lists(t);
    if (item->text.ptr != NULL) {
        text_add(&t->out, ",\"text\":");
        put_content(t, &t->out, item->text);
    }
    text_add(&t->out, "}");
    send(t);
    if (t->arena.total > KEEP) {
        mcpw_arena_free(&t->arena);
    }
}

void trace_end_line(trace *t) {
    if (t->findings.buffer.len != 0 && t->entries != 0) {
        text_format(&t->out, "{\"late\":%" PRIu64 ",\"t\":%" PRIu64, t->entries, t->now);
        put_lists(t);
        text_add(&t->out, "}");
        send(t);
    }
    t->line_has_entry = false;
}
