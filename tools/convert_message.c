/* SPDX-License-Identifier: MIT */
#include "convert_message.h"

#include <mcpw/adapt.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/protocol.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define META "io.modelcontextprotocol/"
#define ARENA_FACTOR ((size_t)6) /* an arena may grow to this many times the longest line */

enum { INFO_VALUE = CONVERT_VALUES - 1, BASE_SIZE = 64, PART_SIZE = 2 * BASE_SIZE, NAME_SHOWN = 100 };

static const mcpw_str initialize = MCPW_STR("initialize");

/* A message that is being converted. */
typedef struct passage {
    converter *c;
    char base[BASE_SIZE]; /* the pointer of the message in the line */
    char part[PART_SIZE]; /* the pointer of its params or result */
    const char *place;    /* the last token of part */
    mcpw_message message; /* in the source's revision, then in the target's */
    mcpw_str method;      /* of the message, or of the request that it answers; absent: unknown */
    const mcpw_method *source;
    const mcpw_method *target;
    bool task;     /* a result: the request had a task */
    bool left_out; /* a result: the request was left out */
    mcpw_error error;
} passage;

/* ---- Members that the target may require ---- */

static void set_value(converter *c, size_t at, const char *name, const char *value, size_t len) {
    c->values[at].name = mcpw_str_from(name);
    c->values[at].value = mcpw_json_of(value, len);
}

static void set_values(converter *c) {
    static const char *const fixed[][2] = {
        {"resultType", "\"complete\""}, {"ttlMs", "0"}, {"cacheScope", "\"private\""}};
    size_t at = 0;
    for (; at < sizeof fixed / sizeof *fixed; at++) {
        set_value(c, at, fixed[at][0], fixed[at][1], strlen(fixed[at][1]));
    }
    (void)snprintf(c->version, sizeof c->version, "\"%s\"", glance_wire(c->to));
    set_value(c, at++, META "protocolVersion", c->version, strlen(c->version));
    if (c->capabilities.len != 0) {
        set_value(c, at, META "clientCapabilities", c->capabilities.data, c->capabilities.len);
    } else {
        set_value(c, at, META "clientCapabilities", "{}", 2);
    }
    set_value(c, INFO_VALUE, META "clientInfo", c->info.len != 0 ? c->info.data : NULL, c->info.len);
}

/* Writes a value of a definition that both revisions have as text of the target; nothing if that is
 * impossible. */
static void say_definition(converter *c, const char *name, mcpw_json value, mcpw_buffer *out) {
    const mcpw_type *const from = mcpw_revision_type(c->from, name);
    const mcpw_type *const to = mcpw_revision_type(c->to, name);
    out->len = 0;
    if (from == NULL || to == NULL || value.ptr == NULL) {
        return;
    }
    void *const decoded = mcpw_arena_alloc(&c->arena, mcpw_type_size(from));
    const void *said = NULL;
    if (decoded == NULL ||
        mcpw_decode(from, value.ptr, value.len, &c->arena, decoded, &c->limits, NULL) != MCPW_OK ||
        mcpw_adapt(from, decoded, to, NULL, &c->arena, &said, NULL) != MCPW_OK ||
        mcpw_encode(to, said, out, &c->limits, NULL) != MCPW_OK) {
        out->len = 0;
    }
}

/* Reads from initialize the values that a revision without a handshake requires in every request. */
static void learn_client(converter *c, mcpw_json text) {
    glance g;
    glance_read(&g, text, &c->arena);
    const mcpw_json params = g.at[MCPW_AT_PARAMS];
    say_definition(c, "Implementation", glance_member(params, "clientInfo"), &c->info);
    say_definition(c, "ClientCapabilities", glance_member(params, "capabilities"), &c->capabilities);
    set_values(c);
}

bool converter_init(converter *c, const mcpw_revision *from, const mcpw_revision *to,
                    const mcpw_options *limits, size_t max_open, convert_report *report) {
    const mcpw_arena arena = MCPW_ARENA_INIT;
    const text out = TEXT_INIT;
    memset(c, 0, sizeof *c);
    c->is_source_given = from != NULL;
    c->from = from;
    c->to = to;
    c->limits = *limits;
    c->report = report;
    c->arena = arena;
    if (limits->max_bytes > MCPW_ARENA_DEFAULT_LIMIT / ARENA_FACTOR) {
        c->arena.limit =
            limits->max_bytes < SIZE_MAX / ARENA_FACTOR ? limits->max_bytes * ARENA_FACTOR : SIZE_MAX;
    }
    c->check_arena = c->arena;
    c->info = (mcpw_buffer)MCPW_BUFFER_INIT;
    c->capabilities = (mcpw_buffer)MCPW_BUFFER_INIT;
    c->message = (mcpw_buffer)MCPW_BUFFER_INIT;
    c->out = out;
    set_values(c);
    return sessions_init(&c->sessions, from, limits, &c->check_arena, max_open);
}

void converter_free(converter *c) {
    sessions_free(&c->sessions);
    mcpw_arena_free(&c->arena);
    mcpw_arena_free(&c->check_arena);
    mcpw_buffer_free(&c->info);
    mcpw_buffer_free(&c->capabilities);
    mcpw_buffer_free(&c->message);
    text_free(&c->out);
}

void converter_restart(converter *c) {
    sessions_restart(&c->sessions);
    c->info.len = 0;
    c->capabilities.len = 0;
    set_values(c);
}

bool converter_enter(converter *c, const mcpw_id *session) { return sessions_enter(&c->sessions, session); }

/* ---- params and results ---- */

static void note_drop(void *user, const char *path) {
    const passage *const p = user;
    convert_report_note(p->c->report, CONVERT_DROPPED, p->part, path, "");
}

static void note_fill(void *user, const char *path) {
    const passage *const p = user;
    convert_report_note(p->c->report, CONVERT_DEFAULTED, p->part, path, "");
}

static mcpw_status note_substitute(void *user, const mcpw_unsayable *what, mcpw_arena *arena,
                                   mcpw_json *out) {
    const passage *const p = user;
    const mcpw_status status = mcpw_stand_in(NULL, what, arena, out);
    if (status == MCPW_OK) {
        convert_report_note(p->c->report, CONVERT_SUBSTITUTED, p->part, what->path, what->alternative);
    }
    return status;
}

static mcpw_status adapt(passage *p, const mcpw_type *to) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values.items = p->c->values;
    options.values.count = p->c->values[INFO_VALUE].value.ptr != NULL ? CONVERT_VALUES : INFO_VALUE;
    options.substitute = note_substitute;
    options.on_drop = note_drop;
    options.on_fill = note_fill;
    options.user = p;
    const mcpw_type *const from = p->message.type;
    p->message.type = to;
    return mcpw_adapt(from, p->message.value, to, &options, &p->c->arena, &p->message.value, &p->error);
}

/* Sets the message's value to a value of this type, read from text. */
static mcpw_status read_value(passage *p, const mcpw_type *type, mcpw_json text) {
    void *const value = mcpw_arena_alloc(&p->c->arena, mcpw_type_size(type));
    if (value == NULL) {
        return MCPW_E_MEMORY;
    }
    p->message.type = type;
    p->message.value = value;
    p->message.raw = (mcpw_json){NULL, 0, 0};
    return mcpw_decode(type, text.ptr, text.len, &p->c->arena, value, &p->c->limits, &p->error);
}

static void put_base(passage *p, const char *part) {
    p->place = part;
    (void)snprintf(p->part, sizeof p->part, "%s%s", p->base, part);
}

/* True if a name is the source's revision. The server may have offered another revision than the client has
 * asked for. */
static bool is_of_source(const converter *c, mcpw_str name) {
    return mcpw_str_is(name, glance_wire(c->from)) || (!c->is_source_given && glance_revision(name) != NULL);
}

/* Replaces the name of the source's revision by the target's. */
static void name_revision(passage *p) {
    const mcpw_field field =
        mcpw_field_get(mcpw_field_of(p->message.type, p->message.value), "protocolVersion");
    const mcpw_str name = mcpw_str_from(glance_wire(p->c->to));
    if (!mcpw_str_equal(p->method, initialize) || field.at == NULL || field.ref.kind != MCPW_KIND_STRING ||
        !is_of_source(p->c, mcpw_field_str(field)) || mcpw_str_equal(mcpw_field_str(field), name)) {
        return;
    }
    memcpy((void *)(uintptr_t)field.at, &name, sizeof name); /* the memory belongs to this arena */
    convert_report_note(p->c->report, CONVERT_SUBSTITUTED, p->part, "/protocolVersion", name.ptr);
}

static mcpw_status convert_params(passage *p) {
    static const mcpw_json nothing = MCPW_JSON("{}");
    const mcpw_type *const from = p->source != NULL ? mcpw_method_params(p->source) : NULL;
    const mcpw_type *const to = mcpw_method_params(p->target);
    const bool required = (mcpw_method_flags(p->target) & MCPW_METHOD_PARAMS_REQUIRED) != 0;
    mcpw_message *const m = &p->message;
    mcpw_status status = MCPW_OK;
    put_base(p, "/params");
    if (to == NULL) {
        if (m->value != NULL) {
            note_drop(p, "");
        }
        m->value = NULL;
        m->type = NULL;
        return MCPW_OK;
    }
    if (m->value == NULL && m->raw.ptr == NULL && !required) {
        m->type = NULL;
        return MCPW_OK;
    }
    if (m->value == NULL) { /* only the target has the method, or the value is absent */
        const mcpw_json text = m->raw.ptr != NULL ? m->raw : nothing;
        status = read_value(p, from != NULL ? from : to, text);
    }
    if (status == MCPW_OK && m->type != to) {
        status = adapt(p, to);
    }
    if (status == MCPW_OK) {
        name_revision(p);
    }
    return status;
}

/* Converts a result of an unknown method by the definition of all results. */
static mcpw_status convert_bare_result(passage *p) {
    const mcpw_type *const from = mcpw_revision_type(p->c->from, "Result");
    const mcpw_type *const to = mcpw_revision_type(p->c->to, "Result");
    if (from == NULL || to == NULL || p->message.raw.ptr == NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = read_value(p, from, p->message.raw);
    return status == MCPW_OK ? adapt(p, to) : status;
}

static mcpw_status convert_result(passage *p) {
    put_base(p, "/result");
    if (p->target == NULL || mcpw_method_result(p->target) == NULL) {
        return convert_bare_result(p);
    }
    const bool task = p->task && mcpw_method_task_result(p->target) != NULL;
    const mcpw_type *const to = task ? mcpw_method_task_result(p->target) : mcpw_method_result(p->target);
    mcpw_status status = p->message.value != NULL ? MCPW_OK : read_value(p, to, p->message.raw);
    if (status == MCPW_OK && p->message.type != to) {
        status = adapt(p, to);
    }
    if (status == MCPW_OK) {
        name_revision(p);
    }
    return status;
}

/* ---- errors ---- */

static void convert_error(passage *p) {
    mcpw_rpc_error *const e = &p->message.error;
    int64_t code = e->code;
    put_base(p, "/error");
    if (code >= INT32_MIN && code <= INT32_MAX) {
        const bool missing = mcpw_str_is(p->method, "resources/read") &&
                             code == mcpw_protocol_code(p->c->from, MCPW_CODE_RESOURCE_NOT_FOUND);
        code = missing ? mcpw_protocol_code(p->c->to, MCPW_CODE_RESOURCE_NOT_FOUND)
                       : mcpw_protocol_code_in(p->c->to, (int32_t)code);
    }
    if (code != e->code) {
        char words[BASE_SIZE];
        (void)snprintf(words, sizeof words, "%lld for %lld", (long long)code, (long long)e->code);
        convert_report_note(p->c->report, CONVERT_SUBSTITUTED, p->part, "/code", words);
        e->code = code;
    }
    if (p->message.id.kind == MCPW_ID_NULL) { /* JSON-RPC sends null if no id was readable */
        p->message.id.kind = MCPW_ID_ABSENT;
        put_base(p, "/id");
        note_drop(p, "");
    }
}

/* ---- messages ---- */

/* Leaves the message out, and later its response. */
static mcpw_status leave_out(passage *p, const char *part, const char *pointer, const char *words) {
    put_base(p, part);
    convert_report_leave_out(p->c->report, CONVERT_UNSAYABLE, p->part, pointer, words);
    p->c->sessions.exchange.marks = true;
    return MCPW_OK;
}

static bool is_fatal(mcpw_status status) { return status == MCPW_E_MEMORY || status == MCPW_E_ARGUMENT; }

/* Appends the message as a line. */
static void put_line(converter *c) {
    text_bytes(&c->out, c->before.ptr, c->before.len);
    text_bytes(&c->out, c->message.data, c->message.len);
    text_bytes(&c->out, c->after.ptr, c->after.len);
    text_add(&c->out, "\n");
    convert_report_keep(c->report);
}

/* Writes the converted message and checks it against the target's schema. */
static mcpw_status finish(passage *p, mcpw_status status) {
    converter *const c = p->c;
    const mcpw_type *const any = mcpw_revision_type(c->to, "JSONRPCMessage");
    c->message.len = 0;
    if (status == MCPW_OK) {
        p->message.method = p->target != NULL ? mcpw_method_number(c->to, p->method.ptr, p->method.len) : 0;
        p->part[0] = '\0';
        status = mcpw_message_encode(c->to, &p->message, &c->message, &c->limits, &p->error);
    } else if (!is_fatal(status)) {
        return leave_out(p, p->place, p->error.path, p->error.message);
    }
    if (status == MCPW_OK && any != NULL) {
        status = mcpw_validate(any, c->message.data, c->message.len, &c->arena, &c->limits, &p->error);
    }
    if (status != MCPW_OK) {
        return is_fatal(status) ? status : leave_out(p, "", p->error.path, p->error.message);
    }
    put_line(c);
    return MCPW_OK;
}

static const mcpw_method *method_in(const mcpw_revision *revision, mcpw_str name) {
    return name.ptr != NULL ? mcpw_method_entry(revision, mcpw_method_number(revision, name.ptr, name.len))
                            : NULL;
}

/* True if the target has the method as a message of this kind, or neither revision has the method. */
static bool has_method(const passage *p) {
    const unsigned kind =
        p->message.kind == MCPW_MESSAGE_NOTIFICATION ? MCPW_METHOD_NOTIFICATION : MCPW_METHOD_REQUEST;
    const unsigned flags = mcpw_method_flags(p->target);
    return (p->source == NULL && p->target == NULL) ||
           ((flags & kind) != 0 && (flags & MCPW_METHOD_INPUT) == 0);
}

/* Converts a message that is valid only with an overlay. It is unchanged if the target is its revision;
 * otherwise it is left out. */
static mcpw_status convert_overlaid(passage *p, mcpw_json text) {
    converter *const c = p->c;
    char words[NAME_SHOWN * 2];
    if (c->to != c->from) {
        (void)snprintf(words, sizeof words, "revision %s lacks what an overlay adds to %s",
                       glance_wire(c->to), glance_wire(c->from));
        return leave_out(p, "", "", words);
    }
    c->message.len = 0;
    const mcpw_status status = mcpw_buffer_append(&c->message, text.ptr, text.len);
    if (status == MCPW_OK) {
        put_line(c);
    }
    return status;
}

static mcpw_status convert_call(passage *p) {
    mcpw_status status = MCPW_OK;
    if (!has_method(p)) {
        char words[NAME_SHOWN * 2];
        (void)snprintf(words, sizeof words, "revision %s has no %s \"%.*s\"", mcpw_revision_name(p->c->to),
                       p->message.kind == MCPW_MESSAGE_REQUEST ? "request" : "notification",
                       (int)text_cut(p->method.ptr, p->method.len, NAME_SHOWN), p->method.ptr);
        return leave_out(p, "/method", "", words);
    }
    if (p->target != NULL) {
        status = convert_params(p);
    }
    return finish(p, status);
}

static mcpw_status convert_response(passage *p) {
    if (p->left_out || !has_method(p)) {
        return leave_out(p, "", "", "it answers a request that was left out");
    }
    if (p->message.kind == MCPW_MESSAGE_ERROR) {
        convert_error(p);
        return finish(p, MCPW_OK);
    }
    if (p->c->sessions.exchange.unknown) {
        return leave_out(p, "/id", "", "no open request has this id: the method of the result is unknown");
    }
    return finish(p, convert_result(p));
}

static mcpw_answered_request same_answer(void *user, const mcpw_id *id) {
    (void)id;
    return *(const mcpw_answered_request *)user;
}

/* The request that a response answers. */
static mcpw_answered_request find_answer(const converter *c, bool *left_out) {
    const mcpw_answered_request none = {0, false};
    const exchange *const x = &c->sessions.exchange;
    const open_request *const entry = requests_find(x->answered, &x->envelope.id);
    *left_out = false;
    if (entry == NULL) {
        return none;
    }
    const unsigned which = x->which < entry->count ? x->which : 0;
    *left_out = entry->marks[which];
    return exchange_translate(x, entry->answers[which]);
}

/* Converts a valid message of the source. */
static mcpw_status convert_message(converter *c, mcpw_json text, const char *base) {
    passage p;
    memset(&p, 0, sizeof p);
    c->from = c->sessions.exchange.revision;
    mcpw_answered_request answer = find_answer(c, &p.left_out);
    p.c = c;
    (void)snprintf(p.base, sizeof p.base, "%s", base);
    if (exchange_is_overlaid(&c->sessions.exchange, answer.method)) {
        return p.left_out ? convert_response(&p) : convert_overlaid(&p, text);
    }
    const mcpw_status status = mcpw_message_decode(c->from, text.ptr, text.len, &c->arena, same_answer,
                                                   &answer, &p.message, &c->limits, &p.error);
    if (status != MCPW_OK) { /* it was valid before: the arena's limit is reached */
        return is_fatal(status) ? status : leave_out(&p, "", p.error.path, p.error.message);
    }
    const bool response = p.message.kind == MCPW_MESSAGE_RESULT || p.message.kind == MCPW_MESSAGE_ERROR;
    p.method = response ? mcpw_method_name(c->from, answer.method) : p.message.method_name;
    p.task = answer.task;
    p.source = method_in(c->from, p.method);
    p.target = method_in(c->to, p.method);
    if (p.message.kind == MCPW_MESSAGE_REQUEST && mcpw_str_equal(p.method, initialize)) {
        learn_client(c, text);
    }
    return response ? convert_response(&p) : convert_call(&p);
}

/* Leaves out an invalid message, or a batch with one. */
static void leave_out_invalid(converter *c, const char *base, const mcpw_error *error) {
    convert_report_leave_out(c->report, CONVERT_INVALID, base, error->path, error->message);
    c->sessions.exchange.marks = true;
}

static mcpw_status take_one(converter *c, const side *from, mcpw_json text, const char *base) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    mcpw_arena_reset(&c->arena);
    c->sessions.exchange.marks = false; /* until the message is left out: then its response is left out too */
    c->report->messages++;
    mcpw_status status = sessions_check(&c->sessions, from, text, &error);
    if (is_fatal(status)) {
        return status;
    }
    if (status == MCPW_OK) {
        status = convert_message(c, text, base);
    } else {
        leave_out_invalid(c, base, &error);
        status = MCPW_OK;
    }
    sessions_follow(&c->sessions, text);
    return status;
}

/* Converts a batch message by message, because every revision has single messages. */
static mcpw_status take_batch(converter *c, const side *from, mcpw_json text) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    mcpw_status status = mcpw_json_iterate(text, &it);
    for (size_t i = 0; status == MCPW_OK && mcpw_json_next(&it, NULL, &item); i++) {
        char base[BASE_SIZE];
        (void)snprintf(base, sizeof base, "/%zu", i);
        status = take_one(c, from, item, base);
    }
    return status;
}

mcpw_status converter_take(converter *c, const side *from, mcpw_json text) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    if (mcpw_json_kind_of(text) != MCPW_JSON_ARRAY) {
        return take_one(c, from, text, "");
    }
    const mcpw_status status = sessions_check(&c->sessions, from, text, &error);
    if (status == MCPW_OK) {
        return take_batch(c, from, text);
    }
    if (is_fatal(status)) {
        return status;
    }
    c->report->messages++;
    leave_out_invalid(c, "", &error);
    sessions_follow(&c->sessions, text);
    return MCPW_OK;
}
