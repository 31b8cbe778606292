/* SPDX-License-Identifier: MIT */
/*
 * Requests that are passed on to the peer of another session.
 *
 * A relay joins a request of one session with one of ours in another. It lies in the memory of the former and
 * ends with it: whatever ends the request without the other end's answer cancels the other one.
 *
 * The cases in which the two ends differ:
 *
 *   input requests in the middle   both with rounds of input: they pass as they are, with their requestState.
 *                             Only the asking end with them: its input request comes as a request, passed as
 * one. Only the asked end with them: the input request is carried by a request of that end that was passed on
 * to who asks, or nobody. Until the client has come back with the answers the relay is kept by its session,
 * and an answer with it. the level of log messages said by logging/setLevel or by each request a resource
 * that is not there, which has a code of its own before 2026-07-28
 */
#include "relay.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/generated.h>

#include "../calls/ask.h"
#include "../calls/call.h"
#include "../calls/custom_call.h"
#include "../core/level.h"
#include "../requests/refuse.h"
#include "../requests/respond.h"
#include "../requests/running.h"
#include "../revisions/declared.h"
#include "../subscriptions/listen.h"
#include "../support/print.h"

/* The member of a state that says which relay waits for the client: its key. */
static const char relay_name[] = "relay";

/* An input request that waits to be answered in a round of input. It lies in the memory of its request. */
struct mcpw_carried {
    struct mcpw_carried *next;
    mcpw_relay *relay;
    mcpw_request *input_request;
    const mcpw_revision *revision;
    int method;
    const void *params;
    char key[sizeof("question ") + MCPW_DIGITS];
};

/* A page that the user agreed to visit, by the handle that it has for the end that was asked alone. It lies
 * in the memory of the request that the input request belongs to. */
typedef struct mcpw_visit {
    struct mcpw_visit *next;
    mcpw_str elicitation;
} mcpw_visit;

struct mcpw_relay {
    mcpw_relay *next;      /* the next that waits for its client */
    mcpw_request *request; /* where it came from; NULL: it waits for its client, or has ended */
    mcpw_session *from;
    mcpw_session *to;
    int64_t number; /* of the request to the other end; 0: it has ended */
    mcpw_carried *input_requests;
    mcpw_str elicitation; /* of an input request: the handle that was made for it; absent: none was */
    mcpw_visit *visits;   /* of a request: pages that its input requests sent the user to */
    int64_t key;          /* by which the client's retry names it; 0: it lies in its request's memory */
    uint64_t due;
    bool ended;
    const mcpw_revision
        *answered; /* the revision of the answer below, which came while it waited; NULL: none came */
    mcpw_arena arena;
    size_t charged; /* its part of the session's held_bytes */
    mcpw_reply reply;
    mcpw_error error;
};

/* ---- Answers ---- */

/* Answers with why a request could not be passed on, or its result could not be returned. */
static void refuse(mcpw_request *r, mcpw_status status, const mcpw_error *error) {
    const int64_t code = status == MCPW_E_CAPABILITY || status == MCPW_E_METHOD ? MCPW_RPC_METHOD_NOT_FOUND
                                                                                : MCPW_RPC_INTERNAL_ERROR;
    mcpw_ignore(mcpw_respond_error(r, code, error->message, no_json));
}

/* A code as the revision of a request has it. mcpw_respond_error knows which codes a revision forbids. But a
 * resource that is not there has a code of its own in some revisions only. */
static int64_t code_in(const mcpw_request *r, const mcpw_revision *theirs, int64_t code) {
    const mcpw_revision *const ours = r->profile->revision;
    const bool is_read = mcpw_str_is(mcpw_request_method(r), "resources/read");
    return is_read && code == mcpw_protocol_code(theirs, MCPW_CODE_RESOURCE_NOT_FOUND)
               ? mcpw_protocol_code(ours, MCPW_CODE_RESOURCE_NOT_FOUND)
               : code;
}

/* Answers with a result that came as text: that of an extension's method, or one that an extension adds to a
 * method of the protocol. The revision of neither end need know it. */
static mcpw_status bring_text_back(mcpw_request *r, mcpw_json text, mcpw_error *error) {
    const char *const id = r->custom == NULL ? mcpw_extensions_answer(r->session->config->extensions,
                                                                      mcpw_request_method(r), text)
                                             : NULL;
    return id != NULL ? mcpw_respond_extension(r, id, text, error) : mcpw_respond_json(r, text, error);
}

/* Brings a result back. The request is held, and may have ended after this. */
static void bring_back(mcpw_request *r, const mcpw_revision *theirs, const mcpw_reply *reply) {
    mcpw_rpc_error remote = reply->remote;
    mcpw_error error;
    mcpw_status status;
    r->relay = NULL;
    switch (reply->status) {
    case MCPW_OK:
        error.code = MCPW_OK;
        status = reply->text.ptr != NULL ? bring_text_back(r, reply->text, &error)
                                         : mcpw_respond_received(r, reply->type, reply->value, &error);
        if (status != MCPW_OK) {
            mcpw_explain(&error, status);
            refuse(r, MCPW_E_PROJECTION, &error);
        }
        break;
    case MCPW_E_REMOTE:
        remote.code = code_in(r, theirs, remote.code);
        mcpw_ignore(mcpw_respond_remote(r, &remote));
        break;
    default:
        refuse(r, reply->status, reply->error);
        break;
    }
}

/* ---- Relays that wait for their client ---- */

static void unlink_carried(mcpw_carried *c) {
    mcpw_carried **at = &c->relay->input_requests;
    while (*at != c) {
        at = &(*at)->next;
    }
    *at = c->next;
    c->input_request->carried = NULL;
}

/* Whether a relay is still that of a request, which is held. A relay whose request is NULL has ended, and is
 * freed by who ends it. */
static bool is_relay_of(const mcpw_relay *relay, const mcpw_request *r) {
    return r == NULL || r->relay == relay;
}

/* Middleware sees the refusals, and may end the request that the relay is of. */
static void refuse_input_requests(mcpw_relay *relay, const mcpw_request *r, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_STATE, 0, "%s", why);
    while (is_relay_of(relay, r) && relay->input_requests != NULL) {
        mcpw_request *const input_request = relay->input_requests->input_request;
        unlink_carried(relay->input_requests);
        refuse(input_request, MCPW_E_STATE, &error);
    }
}

static void free_kept(mcpw_relay *relay) {
    if (relay->key != 0) {
        relay->from->served.held_bytes -= relay->charged;
        mcpw_arena_free(&relay->arena);
        mcpw_session_release(relay->from, relay, sizeof *relay);
    }
}

/* Copies an error with all its members. */
static mcpw_status copy_remote(mcpw_relay *relay, const mcpw_rpc_error *e) {
    mcpw_arena *const arena = &relay->arena;
    mcpw_rpc_error *const own = &relay->reply.remote;
    const mcpw_str data = mcpw_arena_str(arena, e->data.ptr, e->data.len);
    mcpw_member *const items = mcpw_arena_alloc(arena, (e->extra.count + 1) * sizeof *items);
    own->message = mcpw_arena_str(arena, e->message.ptr, e->message.len);
    own->data = e->data.ptr != NULL ? (mcpw_json){data.ptr, data.len, 0} : no_json;
    own->extra = (mcpw_members){e->extra.count != 0 ? items : NULL, e->extra.count};
    for (size_t i = 0; items != NULL && i < e->extra.count; i++) {
        const mcpw_json from = e->extra.items[i].value;
        const mcpw_str value = mcpw_arena_str(arena, from.ptr, from.len);
        items[i].name = mcpw_arena_str(arena, e->extra.items[i].name.ptr, e->extra.items[i].name.len);
        items[i].value = (mcpw_json){value.ptr, value.len, 0};
    }
    return arena->status;
}

static mcpw_status copy_reply(mcpw_relay *relay, const mcpw_reply *reply) {
    relay->reply = *reply;
    if (reply->status == MCPW_OK && reply->text.ptr != NULL) {
        const mcpw_str text = mcpw_arena_str(&relay->arena, reply->text.ptr, reply->text.len);
        relay->reply.text = (mcpw_json){text.ptr, text.len, 0};
        return relay->arena.status;
    }
    if (reply->status == MCPW_OK) {
        void *const value = mcpw_arena_alloc(&relay->arena, mcpw_type_size(reply->type));
        relay->reply.value = value;
        return value != NULL ? mcpw_copy(reply->type, reply->value, &relay->arena, value, &relay->error)
                             : MCPW_E_MEMORY;
    }
    if (reply->status == MCPW_E_REMOTE) {
        return copy_remote(relay, &reply->remote);
    }
    relay->error = *reply->error;
    return MCPW_OK;
}

static void keep_reply(mcpw_relay *relay, const mcpw_reply *reply) {
    const size_t room = relay->from->config->max_request_bytes;
    const size_t held = relay->from->served.held_bytes;
    relay->arena.limit = held < room ? room - held : 1; /* 0 is the default */
    const mcpw_status status = copy_reply(relay, reply);
    if (status != MCPW_OK) {
        mcpw_arena_free(&relay->arena);
    }
    relay->charged = relay->arena.total;
    relay->from->served.held_bytes += relay->charged;
    relay->answered = mcpw_session_revision(relay->to);
    relay->reply.error = &relay->error;
    if (status != MCPW_OK) {
        relay->reply.status = status;
        mcpw_error_set(&relay->error, status, 0, "%s", mcpw_status_text(status));
    }
}

/* Ends what was passed on, and what waits for it. The relay is gone. */
static void end_relay(mcpw_relay *relay, const char *reason) {
    relay->ended = true;
    relay->request = NULL;
    refuse_input_requests(relay, NULL, "The request that this input request belongs to has ended");
    if (relay->number != 0) {
        mcpw_ignore(mcpw_session_cancel(relay->to, relay->number, reason));
    }
    free_kept(relay);
}

void mcpw_relay_ended(mcpw_request *r) {
    mcpw_relay *const relay = r->relay;
    if (r->carried != NULL) {
        unlink_carried(r->carried);
    }
    r->relay = NULL;
    if (relay != NULL) {
        end_relay(relay, r->cancel.reason.ptr);
    }
}

static void drop_first(mcpw_session *session, const char *reason) {
    mcpw_relay *const relay = session->relayed.first;
    session->relayed.first = relay->next;
    if (session->relayed.first == NULL) {
        session->relayed.end = &session->relayed.first;
    }
    session->relayed.count--;
    end_relay(relay, reason);
}

void mcpw_relays_free(mcpw_session *session) {
    while (session->relayed.first != NULL) {
        drop_first(session, "the client has gone");
    }
}

/* They stand in the order in which they are due. */
void mcpw_relays_drop_due(mcpw_session *session) {
    while (session->relayed.first != NULL && session->relayed.first->due <= session->now) {
        drop_first(session, "the client did not come back with a response");
    }
}

uint64_t mcpw_relays_due(const mcpw_session *session) {
    return session->relayed.first != NULL ? session->relayed.first->due : UINT64_MAX;
}

/* Finds the relay that waits for this client, by the state that the client has returned. */
static mcpw_relay *take_waiting(mcpw_request *r) {
    mcpw_session *const session = r->session;
    int64_t key = 0;
    mcpw_relay **at = &session->relayed.first;
    if (mcpw_json_get_int(r->input.state, relay_name, &key) != MCPW_OK) {
        return NULL;
    }
    while (*at != NULL && (*at)->key != key) {
        at = &(*at)->next;
    }
    mcpw_relay *const relay = *at;
    if (relay != NULL) {
        *at = relay->next;
        session->relayed.end = *at == NULL ? at : session->relayed.end;
        session->relayed.count--;
        relay->request = r;
        r->relay = relay;
        r->life.endings |= 1U << MCPW_ENDING_RELAY;
    }
    return relay;
}

/* Moves a relay out of its request's memory; NULL when there is none. */
static mcpw_relay *keep(mcpw_relay *relay) {
    if (relay->key != 0) {
        return relay;
    }
    mcpw_relay *const kept = mcpw_session_alloc(relay->from, sizeof *kept);
    mcpw_pending *const pending = mcpw_pending_numbered(relay->to, relay->number);
    if (kept == NULL) {
        return NULL;
    }
    *kept = *relay;
    kept->key = ++relay->from->relayed.last;
    kept->visits = NULL; /* whoever waits so has no word for the end of a visit */
    kept->arena = (mcpw_arena)MCPW_ARENA_INIT;
    kept->arena.allocator = relay->from->config->allocator;
    if (pending != NULL) {
        pending->callbacks.user = kept;
    }
    for (mcpw_carried *c = kept->input_requests; c != NULL; c = c->next) {
        c->relay = kept;
    }
    kept->request->relay = kept;
    return kept;
}

/* Lets a relay wait: its client is asked, and will come back with the answers in another request. */
static mcpw_status let_wait(mcpw_request *r) {
    mcpw_session *const session = r->session;
    mcpw_text text = {mcpw_buffer_in(&r->arena), MCPW_OK};
    mcpw_relay *const relay = session->relayed.count < session->config->max_requests ? keep(r->relay) : NULL;
    if (relay == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_text_object(&text);
    mcpw_text_key(&text, relay_name);
    mcpw_text_int(&text, relay->key);
    mcpw_text_object_end(&text);
    const mcpw_status status =
        text.status == MCPW_OK ? mcpw_request_set_state(r, mcpw_text_get(&text)) : text.status;
    if (status != MCPW_OK) {
        return status;
    }
    const uint64_t ttl = session->config->input_ttl_ms;
    relay->due = ttl > UINT64_MAX - session->now ? UINT64_MAX : session->now + ttl;
    relay->request = NULL;
    relay->next = NULL;
    r->relay = NULL;
    *session->relayed.end = relay;
    session->relayed.end = &relay->next;
    session->relayed.count++;
    return MCPW_PENDING;
}

/* ---- Input requests that are carried ---- */

/* Asks what is to be asked, and answers what was. A callback that gets a report of it may end the request.
 */
static mcpw_status ask_input_requests(mcpw_request *r) {
    mcpw_relay *const relay = r->relay;
    mcpw_carried *c = relay->input_requests;
    bool waits = false;
    while (c != NULL) {
        mcpw_result result = {NULL, NULL};
        mcpw_error error;
        mcpw_status status = mcpw_request_ask(r, c->key, c->revision, c->method, c->params, &result, &error);
        if (!r->life.in_flight || r->relay != relay) {
            return MCPW_OK;
        }
        if (status == MCPW_PENDING) {
            waits = true;
            c = c->next;
            continue;
        }
        mcpw_request *const input_request = c->input_request;
        mcpw_carried *const next = c->next;
        mcpw_request *const following = next != NULL ? next->input_request : input_request;
        mcpw_request_ref(input_request);
        mcpw_request_ref(following); /* which keeps next, too */
        unlink_carried(c);
        status = status == MCPW_OK ? mcpw_respond(input_request, result.type, result.value, &error) : status;
        if (status != MCPW_OK) {
            refuse(input_request, status, &error);
        }
        const bool goes_on = r->life.in_flight && r->relay == relay;
        c = goes_on && (next == NULL || following->carried == next) ? next : NULL;
        if (goes_on && c != next) { /* user code has ended it: starts over */
            c = relay->input_requests;
            waits = false;
        }
        (void)mcpw_request_unref(following);
        (void)mcpw_request_unref(input_request);
        if (!goes_on) {
            return MCPW_OK;
        }
    }
    if (waits) {
        return let_wait(r);
    }
    if (relay->answered != NULL) {
        bring_back(r, relay->answered, &relay->reply);
        free_kept(relay);
    }
    return MCPW_OK;
}

/* A relay whose client can be asked in a round of input. It is that of the newest request that was passed on
 * to who asks. */
static mcpw_relay *transport_of(mcpw_session *session, const mcpw_session *asks) {
    for (mcpw_request *r = session->served.in_flight; r != NULL; r = r->place.next) {
        if (r->relay != NULL && r->relay->to == asks && r->binding->state != MCPW_NO_OFFSET) {
            return r->relay;
        }
    }
    mcpw_relay *relay = session->relayed.first;
    while (relay != NULL && relay->to != asks) {
        relay = relay->next;
    }
    return relay;
}

static mcpw_status carry(mcpw_request *input_request, const mcpw_revision *revision, int method,
                         const void *params, mcpw_session *to) {
    mcpw_relay *const relay = transport_of(to, input_request->session);
    if (relay == NULL) {
        return mcpw_respond_error(input_request, MCPW_RPC_METHOD_NOT_FOUND,
                                  "This client can only be asked while a request of its own is handled",
                                  no_json);
    }
    mcpw_carried *const c = mcpw_arena_alloc(&input_request->arena, sizeof *c);
    mcpw_carried **end = &relay->input_requests;
    if (c == NULL) {
        return MCPW_E_MEMORY;
    }
    *c = (mcpw_carried){NULL, relay, input_request, revision, method, params, ""};
    (void)mcpw_print_text(c->key, sizeof c->key, "question %ld", (long)++to->relayed.last);
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = c;
    input_request->carried = c;
    input_request->life.endings |= 1U << MCPW_ENDING_RELAY;
    if (relay->request != NULL) {
        mcpw_ignore(
            mcpw_request_resume(relay->request)); /* a handler that runs already gets there by itself */
    }
    return MCPW_OK;
}

/* ---- Pages to visit ---- */

/* The end that asks has no word for the end of a visit (2026-07-28): it goes on with its request once the
 * user has been there. So the other end (2025-11-25), whose users wait for that notification, gets it when
 * the request is answered. (MCP 2025-11-25, "Elicitation", completion notifications.) */

/* The relay of the request in whose round of input an input request was asked; NULL: there is none. */
static mcpw_relay *asked_for(const mcpw_request *input_request) {
    const mcpw_pending *const p =
        input_request->origin.round != NULL ? input_request->origin.round->pending : NULL;
    return p != NULL && p->traits.relayed ? p->callbacks.user : NULL;
}

/* The handle that an input request has in the revision of who is asked, and not in that of who asks. */
static mcpw_str handle_made(const mcpw_request *input_request, const mcpw_session *to,
                            const mcpw_revision *revision, int method, const void *params) {
    const mcpw_method *const entry = mcpw_method_entry(revision, method);
    if (!mcpw_is_server(to) || asked_for(input_request) == NULL || !input_request->profile->modern ||
        entry == NULL || params == NULL || mcpw_method_params(entry) == NULL) {
        return no_str;
    }
    return mcpw_field_str(mcpw_field_get(mcpw_field_of(mcpw_method_params(entry), params), "elicitationId"));
}

/* Keeps a visit that the user has agreed to, until the request that it is for is answered. */
static void keep_visit(const mcpw_relay *relay, const mcpw_reply *reply) {
    static const char accept[] = "\"accept\"";
    mcpw_relay *const whose = asked_for(relay->request);
    mcpw_json action;
    if (relay->elicitation.ptr == NULL || reply->status != MCPW_OK || whose == NULL ||
        whose->request == NULL ||
        mcpw_field_text(mcpw_field_get(mcpw_field_of(reply->type, reply->value), "action"),
                        &relay->request->arena, &action) != MCPW_OK ||
        action.len != sizeof accept - 1 || memcmp(action.ptr, accept, action.len) != 0) {
        return;
    }
    mcpw_arena *const arena = &whose->request->arena;
    mcpw_visit *const visit = mcpw_arena_alloc(arena, sizeof *visit);
    const mcpw_str id = mcpw_arena_str(arena, relay->elicitation.ptr, relay->elicitation.len);
    if (visit != NULL && id.ptr != NULL) { /* without memory there is no notification */
        *visit = (mcpw_visit){whose->visits, id};
        whose->visits = visit;
    }
}

static void tell_visits(const mcpw_relay *relay, const mcpw_reply *reply) {
    for (const mcpw_visit *v = relay->visits; v != NULL && reply->status == MCPW_OK; v = v->next) {
        mcpw_ignore(mcpw_session_elicitation_complete(relay->from, v->elicitation));
    }
}

/* ---- Passing on ---- */

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_relay *const relay = user;
    mcpw_request *const r = relay->request;
    relay->number = 0;
    if (relay->ended) {
        return;
    }
    if (r == NULL) {
        keep_reply(relay, reply);
        return;
    }
    mcpw_request_ref(r); /* which keeps a relay in its memory, too */
    refuse_input_requests(relay, r, "The request that this input request belongs to is answered");
    if (r->relay == relay) {
        const bool kept = relay->key != 0;
        keep_visit(relay, reply);
        tell_visits(relay, reply);
        bring_back(r, mcpw_session_revision(session), reply);
        if (kept) {
            free_kept(relay);
        }
    }
    (void)mcpw_request_unref(r);
}

static void on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    const mcpw_relay *const relay = user;
    (void)session;
    if (relay->request != NULL) {
        mcpw_ignore(mcpw_request_send_progress(relay->request, progress));
    }
}

/* The level of log messages that the client wants with a request; 0: it does not say. */
static mcpw_log_level level_of(const mcpw_request *r) {
    return r->profile->modern ? r->reports.level : r->session->level;
}

/* Tells the level where that takes a request of its own: the lowest that anybody wants. */
static void tell_level(mcpw_session *to, mcpw_log_level level, mcpw_arena *arena) {
    const mcpw_revision *const revision = to->profile->revision;
    const int number = to->profile->number[MCPW_OWN_SET_LEVEL];
    const mcpw_method *const method = mcpw_method_entry(revision, number);
    mcpw_error error;
    if (method == NULL || !mcpw_declares(mcpw_peer_declared(to), "logging") ||
        (to->level != 0 && to->level <= level)) {
        return;
    }
    const void *params;
    if (mcpw_level_params(mcpw_method_params(method), level, arena, &params) == MCPW_OK &&
        mcpw_session_request(to, revision, number, params, NULL, NULL, NULL, NULL, &error) == MCPW_OK) {
        to->level = level;
    }
}

/* Puts the level into params, in which each request states it. */
static mcpw_status put_level(mcpw_request *r, const mcpw_session *to, int method, const void **params) {
    const mcpw_profile *const profile = to->profile;
    const mcpw_binding *const b = profile->bindings + method;
    const mcpw_log_level level = level_of(r);
    const mcpw_method *const entry = mcpw_method_entry(profile->revision, method);
    if (level == 0 || *params == NULL || b->level == MCPW_NO_OFFSET || b->meta_ref.kind != MCPW_KIND_STRUCT) {
        return MCPW_OK;
    }
    const mcpw_str name = mcpw_level_name(level);
    const int32_t value = mcpw_enum_value_of(profile->revision, b->level_enum, name.ptr, name.len);
    unsigned char *const copy = mcpw_arena_alloc(&r->arena, mcpw_type_size(mcpw_method_params(entry)));
    if (copy == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(copy, *params, mcpw_type_size(mcpw_method_params(entry)));
    memcpy(copy + b->meta + b->level, &value, sizeof value);
    *params = copy;
    return MCPW_OK;
}

static mcpw_status pass_level(mcpw_request *r, mcpw_session *to, const mcpw_revision *revision, int method,
                              const void **params) {
    if (!mcpw_is_server(r->session) || revision != to->profile->revision) {
        return MCPW_OK;
    }
    if (to->profile->bindings[method].own == MCPW_OWN_SET_LEVEL) {
        to->level = r->session->level;
    } else if (to->profile->modern) {
        return put_level(r, to, method, params);
    } else if (level_of(r) != 0) {
        tell_level(to, level_of(r), &r->arena);
    }
    return MCPW_OK;
}

/* Brings an input request into the revision of whoever is asked. That may want a handle that the other does
 * not have. */
static mcpw_status translate(mcpw_request *r, const mcpw_session *to, const mcpw_revision **revision,
                             int *method, const void **params, mcpw_error *error) {
    const mcpw_revision *const theirs = to->profile->revision;
    const mcpw_str name = mcpw_method_name(*revision, *method);
    const int number = mcpw_method_number(theirs, name.ptr, name.len);
    const mcpw_method *const from = mcpw_method_entry(*revision, *method);
    const mcpw_method *const entry = mcpw_method_entry(theirs, number);
    if (!mcpw_is_server(to) || *revision == theirs || entry == NULL || *params == NULL ||
        mcpw_method_params(from) == NULL || mcpw_method_params(entry) == NULL) {
        return MCPW_OK;
    }
    *revision = theirs;
    *method = number;
    return mcpw_input_request_adapt(r, mcpw_method_params(from), *params, mcpw_method_params(entry), params,
                                    error);
}

/* A relay of a request, in the request's memory; NULL when there is none. */
static mcpw_relay *relay_of(mcpw_request *r, mcpw_session *to) {
    mcpw_relay *const relay = mcpw_arena_alloc(&r->arena, sizeof *relay);
    if (relay != NULL) {
        memset(relay, 0, sizeof *relay);
        relay->request = r;
        relay->from = r->session;
        relay->to = to;
    }
    return relay;
}

/* Sends the request of a relay to the other end. `what` says which. */
static mcpw_status send(mcpw_relay *relay, const mcpw_send *what, mcpw_error *error) {
    const mcpw_request *const r = relay->request;
    mcpw_session *const to = relay->to;
    const bool wants_progress = r->reports.token.kind != MCPW_ID_ABSENT;
    const mcpw_call call = {.timeout_ms = UINT64_MAX,
                            .max_timeout_ms = UINT64_MAX,
                            .on_progress = wants_progress ? on_progress : NULL};
    mcpw_send whole = *what;
    whole.call = &call;
    whole.on_reply = on_reply;
    whole.user = relay;
    whole.relayed = true;
    return mcpw_session_is_away(to) ? mcpw_session_misused(to, "mcpw_request_relay", error)
                                    : mcpw_call_send(to, &whole, &relay->number, error);
}

/* Joins a request with the one that was sent for it, or refuses it. */
static mcpw_status join(mcpw_request *r, mcpw_relay *relay, mcpw_status status, mcpw_error *error) {
    mcpw_session *const to = relay->to;
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
        refuse(r, status, error);
        return MCPW_OK;
    }
    mcpw_pending *const pending = mcpw_pending_numbered(to, relay->number);
    if (pending == NULL) {
        return MCPW_OK; /* a callback that got a report of dropped members has ended it */
    }
    pending->traits.tells_input = r->profile->modern && to->profile->modern;
    r->relay = relay;
    r->life.endings |= 1U << MCPW_ENDING_RELAY;
    if (!r->life.in_flight) {
        mcpw_relay_ended(r); /* the request that it was for was ended, too */
    }
    return MCPW_OK;
}

static mcpw_status pass_on(mcpw_request *r, const mcpw_revision *revision, int method, const void *params,
                           mcpw_session *to) {
    mcpw_relay *const relay = relay_of(r, to);
    mcpw_error error;
    if (relay == NULL || pass_level(r, to, revision, method, &params) != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    error.code = MCPW_OK;
    mcpw_status status = translate(r, to, &revision, &method, &params, &error);
    relay->elicitation = status == MCPW_OK ? handle_made(r, to, revision, method, params) : no_str;
    if (status == MCPW_OK && r->life.in_flight) {
        const mcpw_relay *const transport = mcpw_is_server(to) ? transport_of(to, r->session) : NULL;
        void *const context =
            transport != NULL && transport->request != NULL ? transport->request->origin.context : NULL;
        const mcpw_send what = {.revision = revision, .method = method, .params = params, .context = context};
        status = send(relay, &what, &error);
    }
    return join(r, relay, status, &error);
}

/* Refuses a request that nobody is there to answer. */
static mcpw_status refuse_for_nobody(mcpw_request *r) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_CLOSED, 0, "There is nobody to answer this");
    refuse(r, MCPW_E_CLOSED, &error);
    return MCPW_OK;
}

mcpw_status mcpw_request_relay(mcpw_request *request, const mcpw_revision *revision, int method,
                               const void *params, mcpw_session *to) {
    if (mcpw_request_is_elsewhere(request)) {
        return request->thread.detached ? MCPW_E_STATE
                                        : mcpw_session_misused(request->session, "mcpw_request_relay", NULL);
    }
    const mcpw_method *const entry = mcpw_method_entry(revision, method);
    mcpw_error error;
    if (request->relay != NULL) {
        return ask_input_requests(request);
    }
    if (to == NULL || to->closed || entry == NULL) {
        return refuse_for_nobody(request);
    }
    if (request->input.state.ptr != NULL && take_waiting(request) != NULL) {
        return ask_input_requests(request);
    }
    if (request->input.state.ptr != NULL || (request->input.strange_state && !to->profile->modern)) {
        mcpw_error_set(&error, MCPW_E_VALUE, 0, "the request that this state belongs to has ended");
        return mcpw_request_refuse(request, "/requestState", &error);
    }
    const mcpw_str name = mcpw_method_name(revision, method);
    const mcpw_revision *const theirs = to->profile->revision;
    const mcpw_method *const asked =
        mcpw_method_entry(theirs, mcpw_method_number(theirs, name.ptr, name.len));
    return mcpw_is_server(to) && asked != NULL && (mcpw_method_flags(asked) & MCPW_METHOD_INPUT) != 0
               ? carry(request, revision, method, params, to)
               : pass_on(request, revision, method, params, to);
}

mcpw_status mcpw_request_relay_named(mcpw_request *request, const char *method, mcpw_json params,
                                     mcpw_session *to) {
    static const mcpw_json nothing = MCPW_JSON("{}");
    mcpw_error error;
    if (mcpw_request_is_elsewhere(request)) {
        return request->thread.detached
                   ? MCPW_E_STATE
                   : mcpw_session_misused(request->session, "mcpw_request_relay_named", NULL);
    }
    if (request->relay != NULL) {
        return MCPW_OK; /* its handler runs again */
    }
    if (to == NULL || to->closed) {
        return refuse_for_nobody(request);
    }
    mcpw_relay *const relay = relay_of(request, to);
    if (relay == NULL) {
        return MCPW_E_MEMORY;
    }
    const mcpw_send what = {.custom = mcpw_custom_named(to, method, &error),
                            .text = params.ptr != NULL ? params : nothing};
    const mcpw_status status = what.custom != NULL ? send(relay, &what, &error) : MCPW_E_METHOD;
    return join(request, relay, status, &error);
}

/* The request of another session for which the message was passed on that is being received; NULL: none. */
static mcpw_request *asking(mcpw_session *session) {
    const mcpw_pending *const pending =
        session->received_for != 0 ? mcpw_pending_numbered(session, session->received_for) : NULL;
    const mcpw_relay *const relay =
        pending != NULL && pending->traits.relayed ? pending->callbacks.user : NULL;
    return relay != NULL ? relay->request : NULL;
}

mcpw_status mcpw_session_relay_named(mcpw_session *session, const char *method, mcpw_json params,
                                     mcpw_session *to, mcpw_error *error) {
    mcpw_request *const request = asking(session);
    if (request != NULL) {
        return mcpw_request_notify_named(request, method, params, error);
    }
    return to != NULL ? mcpw_session_notify_named(to, method, params, error)
                      : mcpw_error_set(error, MCPW_E_CLOSED, 0, "there is nobody to notify");
}

mcpw_status mcpw_session_relay(mcpw_session *session, const mcpw_revision *revision, int method,
                               const void *params, mcpw_session *to, mcpw_error *error) {
    const mcpw_request *const request = asking(session);
    if (request != NULL) {
        return mcpw_session_notify_about(request->session, request, revision, method, params, error);
    }
    return to != NULL ? mcpw_session_notify(to, revision, method, params, error)
                      : mcpw_error_set(error, MCPW_E_CLOSED, 0, "there is nobody to notify");
}
