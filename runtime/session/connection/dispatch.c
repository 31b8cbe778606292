/* SPDX-License-Identifier: MIT */
/*
 * The way of a request from its arrival to its handler: whether it may come now, whether there is room for
 * it, and who serves it.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/error.h>

#include "dispatch.h"

#include "../calls/ask.h"
#include "../calls/call.h"
#include "../calls/reply.h"
#include "../core/form.h"
#include "../core/level.h"
#include "../requests/detach.h"
#include "../requests/outbound.h"
#include "../requests/refuse.h"
#include "../requests/running.h"
#include "../revisions/capability.h"
#include "../revisions/extension.h"
#include "../revisions/judge.h"
#include "../revisions/plans.h"
#include "../revisions/profile.h"
#include "../subscriptions/listen.h"
#include "../subscriptions/uri_subscription.h"
#include "../support/print.h"
#include "../support/wire_names.h"
#include "era.h"
#include "open.h"
#include "relay.h"

/* ---- Arrival ---- */

/* Older revisions name _meta in the generic Request alone. So it is among the members that the params of a
 * method do not name. */
static void read_unnamed_meta(mcpw_request *r) {
    const mcpw_members *const extra = mcpw_extra_of(r->message.type, r->message.value);
    mcpw_json token;
    for (size_t i = 0; extra != NULL && i < extra->count; i++) {
        if (!mcpw_str_is(extra->items[i].name, MCPW_NAME_META) ||
            mcpw_json_get(extra->items[i].value, MCPW_NAME_PROGRESS_TOKEN, &token) != MCPW_OK) {
            continue;
        }
        if (mcpw_json_string(token, &r->arena, &r->reports.token.as.string) == MCPW_OK) {
            r->reports.token.kind = MCPW_ID_STRING;
        } else if (mcpw_json_int(token, &r->reports.token.as.integer) == MCPW_OK) {
            r->reports.token.kind = MCPW_ID_INTEGER;
        }
    }
}

static void read_meta(mcpw_request *r) {
    const mcpw_binding *const b = r->binding;
    const unsigned char *meta = r->message.value;
    if (b->meta == MCPW_NO_OFFSET || meta == NULL) {
        read_unnamed_meta(r);
        return;
    }
    meta += b->meta;
    if (b->meta_ref.kind == MCPW_KIND_STRUCT_PTR) {
        meta = mcpw_load_pointer(meta);
        if (meta == NULL) {
            return;
        }
    }
    if (b->token != MCPW_NO_OFFSET) {
        memcpy(&r->reports.token, meta + b->token, sizeof r->reports.token);
    }
    if (b->level != MCPW_NO_OFFSET && mcpw_load_kind(meta + b->level) != 0) {
        r->reports.level = mcpw_level_named(
            mcpw_enum_text(r->profile->revision, b->level_enum, mcpw_load_kind(meta + b->level)));
    }
}

static mcpw_status not_found(mcpw_request *r) {
    char message[MCPW_MESSAGE_ROOM];
    char name[MCPW_EXCERPT_SIZE];
    const mcpw_str method = mcpw_request_method(r);
    (void)mcpw_print_text(message, sizeof message, "Method not found: %s",
                          mcpw_excerpt(name, method.ptr, method.len));
    return mcpw_respond_error(r, MCPW_RPC_METHOD_NOT_FOUND, message, no_json);
}

/* Why there is no room for a request that may come now; NULL: there is. */
static const char *room_for(const mcpw_request *r) {
    mcpw_session *const session = r->session;
    const char *const why = mcpw_request_excess(session, r);
    if (mcpw_request_find(session, &r->message.id) != NULL) {
        return "a request with this id is in flight";
    }
    if (why == NULL && r->origin.batch != NULL && r->origin.batch->text.len >= session->config->max_output) {
        return "the responses to this batch are too long";
    }
    return why;
}

static void note_out_of_order(mcpw_request *r, mcpw_status status, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "%s", why);
    mcpw_session_diagnose(r->session, MCPW_DIAGNOSTIC_OUT_OF_ORDER, &r->message.id, r->message.method_name,
                          &error);
}

static void refuse_for_room(mcpw_request *r, const char *why) {
    char message[MCPW_MESSAGE_ROOM];
    (void)mcpw_print_text(message, sizeof message, "Invalid Request: %s", why);
    note_out_of_order(r, MCPW_E_MESSAGE, message);
    mcpw_respond_to_broken(r->session, r->profile, &r->message.id, MCPW_RPC_INVALID_REQUEST, message, no_json,
                           r->origin.batch);
    mcpw_request_release(r);
}

void mcpw_request_arrive(mcpw_request *r) {
    mcpw_session *const session = r->session;
    mcpw_verdict verdict;
    static const mcpw_declared unasked = {{NULL, 0, 0}, NULL};
    bool is_admitted = MCPW_UNLIKELY(r->custom != NULL) && session->config->extensions->extended->admits(r);
    if (MCPW_LIKELY(!is_admitted)) {
        r->binding = r->profile->bindings + r->message.method;
        is_admitted =
            mcpw_judge_received(session, r->profile, &r->message, r->origin.batch != NULL,
                                r->binding->extended ? mcpw_request_declared(r) : unasked, &verdict);
    }
    if (!is_admitted && session->config->extensions != NULL) {
        session->config->extensions->extended->take(r, &is_admitted, &verdict);
    }
    if (!is_admitted && verdict.reaction == MCPW_REACTION_DROP) {
        note_out_of_order(r, MCPW_E_METHOD, verdict.answer);
        mcpw_request_release(r);
        return;
    }
    const char *const why = room_for(r);
    if (why != NULL) {
        refuse_for_room(r, why);
        return;
    }
    r->origin.context = session->incoming.context;
    session->incoming.open = false;
    if (r->origin.batch != NULL) {
        r->origin.batch->waiting++;
    }
    mcpw_request_link(r);
    if (session->principal.ptr != NULL) {
        r->origin.principal = mcpw_arena_str(&r->arena, session->principal.ptr, session->principal.len);
        if (r->origin.principal.ptr == NULL) {
            mcpw_respond_status(r, MCPW_E_MEMORY);
            return;
        }
    }
    if (!is_admitted && verdict.rule == MCPW_RULE_EXTENSION) {
        r->client.lacking = verdict.capability;
        mcpw_respond_status(r, MCPW_E_CAPABILITY);
    } else if (!is_admitted) {
        mcpw_ignore(mcpw_respond_error(r, verdict.code, verdict.answer, no_json));
    } else if (mcpw_era_enter(r)) {
        read_meta(r);
        mcpw_request_run(r);
    }
}

/* ---- Its handler ---- */

/* Runs on this thread or on a worker. */
static mcpw_status run_slot(mcpw_request *r, const void *params) {
    const mcpw_session_config *const c = r->session->config;
    return c->dispatch->request(c->handlers, r->binding->handler, r, params, r->session->user);
}

static mcpw_status call_slot(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const mcpw_binding *const b = r->binding;
    const mcpw_method *const target = mcpw_method_entry(session->config->dispatch->revision, b->handler);
    const mcpw_type *const type =
        mcpw_method_params(mcpw_method_entry(r->profile->revision, r->message.method));
    const void *params = r->message.value;
    mcpw_error error;
    if (params == NULL && (mcpw_method_flags(target) & MCPW_METHOD_PARAMS_REQUIRED) != 0 && type != NULL) {
        /* The peer's revision has no params here. This side's handlers count on some. */
        void *const none = mcpw_arena_alloc(&r->arena, mcpw_type_size(type));
        if (none == NULL) {
            return MCPW_E_MEMORY;
        }
        params = memset(none, 0, mcpw_type_size(type));
    }
    if (params != NULL && b->wants != NULL && b->wants != type) {
        const mcpw_status status = r->origin.round != NULL
                                       ? mcpw_input_request_adapt(r, type, params, b->wants, &params, &error)
                                       : mcpw_session_adapt_by(session, b->of_params, type, params, b->wants,
                                                               &r->arena, &params, &error);
        if (!r->life.in_flight) {
            return MCPW_OK; /* a callback that got the report of dropped members has closed the session */
        }
        if (status != MCPW_OK) {
            return mcpw_request_refuse(r, "/params", &error);
        }
    }
    return mcpw_request_serve(r, run_slot, params);
}

static bool is_sessions_own(const mcpw_session *session, mcpw_own own) {
    return own == MCPW_OWN_INITIALIZE || own == MCPW_OWN_DISCOVER || own == MCPW_OWN_PING ||
           own == MCPW_OWN_LISTEN || (own == MCPW_OWN_SET_LEVEL && session->config->logs);
}

/* Whether a request begins or ends to watch a resource, and the session sees to that. */
static bool is_watched_here(const mcpw_session *session, mcpw_own own) {
    return (own == MCPW_OWN_SUBSCRIBE || own == MCPW_OWN_UNSUBSCRIBE) && mcpw_is_server(session) &&
           mcpw_capability_in(session->declared, "resources.subscribe");
}

bool mcpw_request_is_served(mcpw_session *session, const mcpw_profile *profile, int method) {
    const mcpw_case request = {
        .from = mcpw_peer_role(session), .kind = MCPW_MESSAGE_REQUEST, .method = method};
    if (method == 0 || !mcpw_judge(session, profile, MCPW_RULES_METHOD, &request, NULL)) {
        return false;
    }
    const mcpw_binding *const binding = profile->bindings + method;
    return is_sessions_own(session, binding->own) || binding->handler != 0 ||
           is_watched_here(session, binding->own) ||
           (mcpw_is_server(session) && session->config->server != NULL &&
            mcpw_server_has(session->config->server, mcpw_method_name(profile->revision, method))) ||
           (profile->customs != NULL &&
            session->config->extensions->extended->is_in_core(session->endpoint, profile,
                                                              mcpw_method_name(profile->revision, method)));
}

/* Calls the slot of the method, or answers {} where there is none. */
static mcpw_status serve_slot(mcpw_request *r) {
    return r->binding->handler != 0 ? call_slot(r) : mcpw_respond_empty(r);
}

/* Serves logging/setLevel. */
static mcpw_status serve_level(mcpw_request *request) {
    const mcpw_field params = mcpw_field_of(request->message.type, request->message.value);
    const mcpw_log_level level = mcpw_level_named(mcpw_field_enum_text(mcpw_field_get(params, "level")));
    if (level == 0) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_VALUE, 0, "not a level of log messages");
        return mcpw_request_refuse(request, "/params/level", &error);
    }
    request->session->level = level;
    return serve_slot(request);
}

/* An invalid form is the server's fault, and no user has to fill it in. */
static mcpw_status serve_form(mcpw_request *r) {
    mcpw_error error;
    const mcpw_status status = mcpw_form_take(r, &error);
    return status == MCPW_OK ? call_slot(r) : mcpw_request_refuse(r, "", &error);
}

mcpw_status mcpw_request_dispatch(mcpw_request *r) {
    mcpw_session *const session = r->session;
    mcpw_server *const server = mcpw_is_server(session) ? session->config->server : NULL;
    switch (r->binding->own) {
    case MCPW_OWN_INITIALIZE:
        return mcpw_open_initialize(r);
    case MCPW_OWN_DISCOVER:
        return mcpw_open_discover(r);
    case MCPW_OWN_PING:
        return mcpw_respond_empty(r);
    case MCPW_OWN_LISTEN:
        return mcpw_listen_begin(r);
    case MCPW_OWN_SET_LEVEL:
        return session->config->logs ? serve_level(r) : not_found(r);
    default:
        break;
    }
    if (r->binding->handler != 0) {
        return r->binding->own == MCPW_OWN_ELICIT ? serve_form(r) : call_slot(r);
    }
    const bool is_subscription =
        r->binding->own == MCPW_OWN_SUBSCRIBE || r->binding->own == MCPW_OWN_UNSUBSCRIBE;
    const mcpw_served_method *const served = r->binding->served;
    const mcpw_served_method *const registered =
        server != NULL && served != NULL && mcpw_provider_of(server)->answers(server, served) ? served : NULL;
    if ((is_subscription && registered != NULL) || is_watched_here(session, r->binding->own)) {
        return mcpw_watch_request(r, r->binding->own == MCPW_OWN_SUBSCRIBE);
    }
    return registered != NULL ? mcpw_server_handle(server, r, registered) : not_found(r);
}

static mcpw_status serve(mcpw_request *r) {
    const mcpw_status status = mcpw_ask_is_due(r) ? mcpw_ask_load(r) : MCPW_OK;
    return status == MCPW_OK && !r->life.answered ? mcpw_request_dispatch(r) : status;
}

void mcpw_request_end_entry(mcpw_request *r) {
    mcpw_server *const server = r->session->config->server;
    mcpw_provider_of(server)->ended(server, r->entry);
}

const mcpw_rerun_callbacks mcpw_dispatch_callbacks = {
    serve, mcpw_ask_settle, {MCPW_DISPATCH_ENDED, NULL}, NULL};
