/* SPDX-License-Identifier: MIT */
/* Messages on their way in: which revision each is in, what it is, and where it belongs. */
#include "receive.h"

#include "call.h"
#include "dialect.h"
#include "dispatch.h"
#include "judge.h"
#include "outbound.h"
#include "reply.h"
#include "request.h"
#include "value.h"

/* The answer that a response's result is read by. */
static mcpw_answer resolve(void *user, const mcpw_id *id) {
    mcpw_answer answer = {0, false};
    const mcpw_pending *const p =
        id->kind == MCPW_ID_INTEGER ? mcpw_pending_find(user, id->as.integer) : NULL;
    if (p != NULL) {
        answer.method = p->peer_method;
        answer.task = p->task;
    }
    return answer;
}

static mcpw_options reading(const mcpw_session *session) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = session->config->flags;
    options.max_bytes = session->config->max_message;
    return options;
}

/* ---- Text that is no message, and what can be said about it ---- */

/* What can be read of a message whose text is JSON but not what it should be. */
typedef struct outline {
    bool is_json;
    mcpw_id id;
    mcpw_str method;
    mcpw_json params;
    bool has_id;      /* of whatever kind */
    bool has_outcome; /* result or error: it answers something */
    bool lacks_params;
} outline;

static outline outline_of(mcpw_str text, mcpw_arena *arena) {
    outline o = {0};
    const mcpw_json all = {text.ptr, text.len};
    mcpw_json member;
    o.is_json = mcpw_json_check(all, MCPW_MAX_DEPTH, NULL) == MCPW_OK;
    if (!o.is_json || mcpw_json_kind_of(all) != MCPW_JSON_OBJECT) {
        return o;
    }
    if (mcpw_json_get(all, "id", &member) == MCPW_OK) {
        o.has_id = true;
        if (mcpw_json_string(member, arena, &o.id.as.string) == MCPW_OK) {
            o.id.kind = MCPW_ID_STRING;
        } else if (mcpw_json_int(member, &o.id.as.integer) == MCPW_OK) {
            o.id.kind = MCPW_ID_INTEGER;
        }
    }
    if (mcpw_json_get_string(all, "method", arena, &o.method) != MCPW_OK) {
        o.method = no_str;
    }
    if (mcpw_json_get(all, "params", &o.params) != MCPW_OK) {
        o.params = no_json;
        o.lacks_params = mcpw_json_get(all, "jsonrpc", &member) == MCPW_OK;
    }
    o.has_outcome =
        mcpw_json_get(all, "result", &member) == MCPW_OK || mcpw_json_get(all, "error", &member) == MCPW_OK;
    return o;
}

static bool is_in_params(const mcpw_error *error) {
    return strncmp(error->path, "/params", sizeof "/params" - 1) == 0 || strncmp(error->path, "...", 3) == 0;
}

static int64_t code_for(const mcpw_error *error) {
    switch (error->code) {
    case MCPW_E_SYNTAX:
    case MCPW_E_UTF8:
        return MCPW_RPC_PARSE_ERROR;
    case MCPW_E_MEMORY:
    case MCPW_E_ARENA:
        return MCPW_RPC_INTERNAL_ERROR;
    case MCPW_E_METHOD:
        return MCPW_RPC_METHOD_NOT_FOUND;
    default:
        return is_in_params(error) ? MCPW_RPC_INVALID_PARAMS : MCPW_RPC_INVALID_REQUEST;
    }
}

static const char *title_of(int64_t code) {
    switch (code) {
    case MCPW_RPC_PARSE_ERROR:
        return "Parse error";
    case MCPW_RPC_INVALID_PARAMS:
        return "Invalid params";
    case MCPW_RPC_METHOD_NOT_FOUND:
        return "Method not found";
    case MCPW_RPC_INTERNAL_ERROR:
        return "Internal error";
    default:
        return "Invalid Request";
    }
}

/* {"path":"/params/name"} */
static mcpw_json path_data(mcpw_session *session, const char *path) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_json data;
    mcpw_text_put(&text, "{\"path\":");
    mcpw_text_string(&text, mcpw_str_from(path));
    mcpw_text_put(&text, "}");
    return mcpw_text_finish(&text, &session->scratch, &data) == MCPW_OK ? data : no_json;
}

/* Whether there is nobody to answer: a client answers requests alone, because what a server prints by mistake
 * looks like a broken message, and servers take an answer to it for a fault. */
static bool is_unanswered(const mcpw_session *session, const outline *o) {
    if (o->has_outcome || (o->method.ptr != NULL && !o->has_id)) {
        return true; /* an answer or a notification */
    }
    return !mcpw_is_server(session) && (o->method.ptr == NULL || o->id.kind == MCPW_ID_ABSENT);
}

/* A message that cannot be read is answered if it is a request, reported if it is not. */
static void receive_broken(mcpw_session *session, const mcpw_dialect *dialect, mcpw_str text,
                           const mcpw_error *error, mcpw_batch *batch) {
    const outline o = outline_of(text, &session->scratch);
    mcpw_error syntax;
    if (!o.is_json && error->code == MCPW_E_MESSAGE &&
        mcpw_json_check((mcpw_json){text.ptr, text.len}, 0, &syntax) == MCPW_E_SYNTAX) {
        error = &syntax; /* it is no JSON at all, before it is no message */
    }
    int64_t code = code_for(error);
    char message[MCPW_MESSAGE_ROOM];
    if (o.is_json && code == MCPW_RPC_PARSE_ERROR) {
        code = MCPW_RPC_INVALID_REQUEST; /* uncovered: it was read once and cannot fail when read again */
    } else if (error->code == MCPW_E_MISSING && error->path[0] == '\0' && o.method.ptr != NULL &&
               o.lacks_params) {
        code = MCPW_RPC_INVALID_PARAMS; /* the method is known: it is they that it wants */
    }
    if (code == MCPW_RPC_INVALID_PARAMS && o.id.kind != MCPW_ID_ABSENT &&
        !mcpw_request_is_served(session, dialect,
                                mcpw_method_number(dialect->revision, o.method.ptr, o.method.len))) {
        code = MCPW_RPC_METHOD_NOT_FOUND; /* whatever its params are */
    }
    mcpw_session_note(session, o.is_json ? MCPW_NOTE_BAD_MESSAGE : MCPW_NOTE_BAD_LINE,
                      o.id.kind != MCPW_ID_ABSENT ? &o.id : NULL, o.method, error);
    mcpw_pending *const pending =
        o.has_outcome && o.id.kind == MCPW_ID_INTEGER ? mcpw_pending_find(session, o.id.as.integer) : NULL;
    if (pending != NULL) {
        mcpw_call_broken(pending, error);
        return;
    }
    if (is_unanswered(session, &o)) {
        return;
    }
    if (code == MCPW_RPC_METHOD_NOT_FOUND) {
        char name[MCPW_EXCERPT_SIZE];
        (void)snprintf(message, sizeof message, "%s: %s", title_of(code),
                       mcpw_excerpt(name, o.method.ptr, o.method.len));
        mcpw_answer_broken(session, dialect, &o.id, code, message, no_json, batch);
        return;
    }
    (void)snprintf(message, sizeof message, "%s: %s%s%s", title_of(code), error->path,
                   error->path[0] != '\0' ? ": " : "", error->message);
    mcpw_answer_broken(session, dialect, &o.id, code, message,
                       error->path[0] != '\0' ? path_data(session, error->path) : no_json, batch);
}

void mcpw_receive_too_long(mcpw_session *session) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_SIZE, 0, "the message is longer than %zu bytes",
                   session->config->max_message);
    mcpw_session_note(session, MCPW_NOTE_BAD_LINE, NULL, no_str, &error);
    if (mcpw_is_server(session)) {
        mcpw_answer_broken(session, session->dialect, NULL, MCPW_RPC_INVALID_REQUEST,
                           "Invalid Request: the message is too long", no_json, NULL);
    }
}

/* ---- Which revision a request to a server is in ---- */

static void answer_unsupported(mcpw_session *session, const mcpw_dialect *dialect, const mcpw_id *id,
                               mcpw_str version, const mcpw_verdict *verdict, mcpw_batch *batch) {
    mcpw_text data = mcpw_session_text(session);
    mcpw_json json = no_json;
    mcpw_text_put(&data, "{\"supported\":");
    mcpw_dialect_names(session, &data);
    mcpw_text_key(&data, "requested");
    mcpw_text_string(&data, version);
    mcpw_text_put(&data, "}");
    mcpw_ignore(mcpw_text_finish(&data, &session->scratch, &json));
    if (id->kind != MCPW_ID_ABSENT) {
        mcpw_answer_broken(session, dialect, id, verdict->code, verdict->answer, json, batch);
    }
}

/* Finds it by how the message opens. False when the answer is an error, which is sent. */
static bool route(mcpw_session *session, mcpw_str text, mcpw_batch *batch, const mcpw_dialect **out) {
    const outline o = outline_of(text, &session->scratch);
    const mcpw_dialect *const legacy = mcpw_dialect_newest(session, false);
    const mcpw_dialect *const modern = mcpw_dialect_newest(session, true);
    const bool opens = mcpw_str_is(o.method, "initialize");
    mcpw_json meta = no_json;
    mcpw_str version = no_str;
    const mcpw_dialect *asked = NULL;
    mcpw_verdict verdict;
    *out = session->dialect;
    if (opens || mcpw_json_get(o.params, "_meta", &meta) == MCPW_OK) {
        const mcpw_json from = opens ? o.params : meta;
        const char *const name = opens ? "protocolVersion" : "io.modelcontextprotocol/protocolVersion";
        if (mcpw_json_get_string(from, name, &session->scratch, &version) == MCPW_OK) {
            asked = mcpw_dialect_named(session, version);
        }
    }
    if (opens && legacy != NULL) { /* one that this end lacks is answered with the newest that it has */
        *out = asked != NULL && !asked->modern ? asked : legacy;
        return true;
    }
    if (modern != NULL && !mcpw_judge_version(modern, o.method, version, asked, &verdict)) {
        answer_unsupported(session, modern, &o.id, version, &verdict, batch);
        return false;
    }
    if (asked != NULL && asked->modern) {
        *out = asked;
        return true;
    }
    if (session->era == MCPW_ERA_UNKNOWN) {
        /* Not opened yet. Only ping makes sense then, where there is one. */
        const mcpw_dialect *const other = mcpw_str_is(o.method, "server/discover") ? modern : legacy;
        *out = other != NULL ? other : session->dialect;
    }
    return true;
}

/* Whether a request names, in its _meta, another revision than that which it was read by; or may do so, where
 * that has no such method. */
static bool is_of_another(const mcpw_dialect *dialect, const mcpw_message *message) {
    const uint16_t at = dialect->bindings[message->method].version;
    if (message->kind != MCPW_MESSAGE_REQUEST) {
        return false;
    }
    return message->method == 0 ||
           (at != MCPW_NO_OFFSET && message->value != NULL &&
            !mcpw_str_is(mcpw_load_str((const unsigned char *)message->value + at), dialect->revision->name));
}

/* ---- A message ---- */

static mcpw_status decode(mcpw_session *session, const mcpw_dialect *dialect, mcpw_str text, mcpw_request *r,
                          mcpw_error *error) {
    const mcpw_options options = reading(session);
    r->dialect = dialect;
    return mcpw_message_decode(dialect->revision, text.ptr, text.len, &r->arena, resolve, session,
                               &r->message, &options, error);
}

/* The peer gives up a request of its own, or, of a client's, ends a subscription. */
static void receive_cancelled(mcpw_session *session, mcpw_field params) {
    const mcpw_id id = mcpw_field_id(mcpw_field_get(params, "requestId"));
    mcpw_request *const cancelled = mcpw_request_find(session, &id);
    mcpw_pending *const p = id.kind == MCPW_ID_INTEGER ? mcpw_pending_find(session, id.as.integer) : NULL;
    if (cancelled != NULL && mcpw_judge_cancelled(session, cancelled->dialect, cancelled->message.method)) {
        cancelled->cancel_reason = mcpw_field_str(mcpw_field_get(params, "reason"));
        mcpw_request_drop(cancelled);
    } else if (cancelled == NULL && p != NULL && p->listening) {
        mcpw_pending_fail(p, MCPW_E_CANCELLED, "the server has ended the subscription");
    }
}

static void receive_notification(mcpw_session *session, mcpw_request *r) {
    const mcpw_message *const m = &r->message;
    const mcpw_binding *const b = r->dialect->bindings + m->method;
    const mcpw_dispatch *const dispatch = session->config->dispatch;
    const void *params = m->value;
    mcpw_verdict verdict;
    mcpw_error error;
    if (!mcpw_judge_received(session, r->dialect, m, r->batch != NULL, &verdict)) {
        mcpw_error_set(&error, MCPW_E_METHOD, 0, "%s", verdict.answer);
        mcpw_session_note(session, MCPW_NOTE_OUT_OF_ORDER, NULL, m->method_name, &error);
        return;
    }
    if (b->own == MCPW_OWN_INITIALIZED) {
        session->open = true;
        mcpw_call_flush(session);
    } else if (b->own == MCPW_OWN_PROGRESS) {
        mcpw_call_progress(session, r);
    } else if (b->own == MCPW_OWN_CANCELLED) {
        receive_cancelled(session, mcpw_field_of(m->type, m->value));
    }
    if (b->handler == 0) {
        return;
    }
    const mcpw_method *const target = mcpw_method_entry(dispatch->revision, b->handler);
    if (params != NULL && target->params != NULL &&
        mcpw_session_adapt(session, m->type, params, target->params, &r->arena, &params, &error) != MCPW_OK) {
        /* uncovered: what all revisions have can be told in all */
        mcpw_session_note(session, MCPW_NOTE_HANDLER, NULL, m->method_name, &error);
        return;
    }
    dispatch->notification(session->config->handlers, b->handler, session, params, session->user);
}

/* While a client opens, two of its requests may be under way that are of different revisions. */
static const mcpw_dialect *asked_in(mcpw_session *session, mcpw_str text) {
    const outline o = outline_of(text, &session->scratch);
    const mcpw_pending *const p =
        o.has_outcome && o.id.kind == MCPW_ID_INTEGER ? mcpw_pending_find(session, o.id.as.integer) : NULL;
    return p != NULL ? p->dialect : session->dialect;
}

/* Reads one message and brings it to its place. r carries it; true when a request has taken it over. */
static bool receive_message(mcpw_session *session, mcpw_request *r, mcpw_str text, mcpw_batch *batch) {
    const mcpw_dialect *dialect = session->dialect;
    mcpw_error error;
    const bool unsure = mcpw_is_server(session) && session->era != MCPW_ERA_LEGACY;
    if (session->opening) {
        dialect = asked_in(session, text);
    }
    if (unsure && session->era == MCPW_ERA_UNKNOWN && !route(session, text, batch, &dialect)) {
        return false;
    }
    mcpw_status status = decode(session, dialect, text, r, &error);
    if (unsure && session->era == MCPW_ERA_MODERN &&
        (status != MCPW_OK || is_of_another(dialect, &r->message))) {
        const mcpw_dialect *const before = dialect;
        if (!route(session, text, batch, &dialect)) {
            return false;
        }
        if (dialect != before) {
            mcpw_arena_reset(&r->arena);
            status = decode(session, dialect, text, r, &error);
        }
    }
    if (status != MCPW_OK) {
        receive_broken(session, dialect, text, &error, batch);
        return false;
    }
    switch (r->message.kind) {
    case MCPW_MESSAGE_REQUEST:
        r->batch = batch;
        mcpw_request_arrive(r);
        return true;
    case MCPW_MESSAGE_NOTIFICATION:
        receive_notification(session, r);
        break;
    case MCPW_MESSAGE_RESULT:
    case MCPW_MESSAGE_ERROR:
        mcpw_call_answered(session, dialect, r);
        break;
    case MCPW_MESSAGE_BATCH: /* those that have their place are taken apart before */
        mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch stands in no other");
        receive_broken(session, dialect, text, &error, batch);
        break;
    case MCPW_MESSAGE_NONE: /* uncovered: decoding refuses it, and batches are taken apart */
    default:
        break;
    }
    return false;
}

static mcpw_status receive_one(mcpw_session *session, mcpw_str text, mcpw_batch *batch) {
    mcpw_request *const r = mcpw_request_take(session);
    if (r == NULL) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        receive_broken(session, session->dialect, text, &error, batch);
        return MCPW_E_MEMORY;
    }
    if (!receive_message(session, r, text, batch)) {
        mcpw_request_release(r);
    }
    return MCPW_OK;
}

/* Messages in one line, where the revision has that: each stands for itself, and one that is broken spoils no
 * other. (MCP 2025-03-26, "Batching"; JSON-RPC 2.0 section 6.) */
static mcpw_status receive_batch(mcpw_session *session, const mcpw_dialect *dialect, mcpw_str line) {
    const mcpw_json all = {line.ptr, line.len};
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_status status = MCPW_OK;
    mcpw_error error;
    mcpw_batch *batch = NULL;
    const size_t count = mcpw_json_count(all);
    if (mcpw_json_check(all, 0, &error) != MCPW_OK || count == 0 || count > session->config->max_requests) {
        if (count == 0) {
            mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch is not empty");
        } else if (count > session->config->max_requests) { /* the answers may be far longer than it is */
            mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "a batch has at most %zu messages",
                           session->config->max_requests);
        }
        receive_broken(session, dialect, line, &error, NULL);
        return MCPW_OK;
    }
    batch = mcpw_session_alloc(session, sizeof *batch);
    if (batch == NULL) {
        return MCPW_E_MEMORY;
    }
    batch->text = (mcpw_buffer)MCPW_BUFFER_INIT;
    batch->text.allocator = session->config->allocator;
    batch->waiting = 1;
    if (mcpw_json_iterate(all, &it) == MCPW_OK) {
        while (!session->closed && mcpw_json_next(&it, NULL, &item)) {
            const mcpw_str text = {item.ptr, item.len};
            const mcpw_status one = receive_one(session, text, batch);
            status = one != MCPW_OK ? one : status;
        }
    }
    mcpw_batch_done(session, batch);
    return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The revision with batches that a line is read by; NULL: it has none. Before a server is opened that is the
 * one in which it would answer. */
static const mcpw_dialect *batching(mcpw_session *session) {
    const bool unopened = mcpw_is_server(session) && session->era == MCPW_ERA_UNKNOWN;
    const mcpw_dialect *const dialect = unopened ? mcpw_dialect_newest(session, false) : session->dialect;
    return dialect != NULL && mcpw_judge_batch(session, dialect) ? dialect : NULL;
}

mcpw_status mcpw_receive_line(mcpw_session *session, mcpw_str line) {
    size_t blank = 0;
    mcpw_status status;
    while (blank < line.len && is_blank(line.ptr[blank])) {
        blank++;
    }
    const mcpw_dialect *const dialect = blank < line.len && line.ptr[blank] == '[' ? batching(session) : NULL;
    if (dialect != NULL) {
        status = receive_batch(session, dialect, line);
    } else {
        status = receive_one(session, line, NULL);
    }
    mcpw_arena_tidy(&session->scratch);
    return status;
}
