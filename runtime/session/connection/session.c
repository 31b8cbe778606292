/* SPDX-License-Identifier: MIT */
/* A session: how it is made and ended, which messages go in and come out, and what time it is. */
#include <mcpw/detail/session.h>

#include "../calls/call.h"
#include "../calls/listed.h"
#include "../core/threads.h"
#include "../requests/known_meta.h"
#include "../requests/outbound.h"
#include "../requests/request.h"
#include "../revisions/capability.h"
#include "../revisions/endpoint.h"
#include "../revisions/extension.h"
#include "../revisions/plans.h"
#include "../revisions/profile.h"
#include "../subscriptions/listen.h"
#include "../subscriptions/uri_subscription.h"
#include "dispatch.h"
#include "open.h"
#include "receive.h"
#include "relay.h"
#include "stream.h"

/* ---- Making one ---- */

static void release_principal(mcpw_session *session) {
    mcpw_session_release(session, (void *)(uintptr_t)session->principal.ptr, session->principal.len + 1);
    session->principal = no_str;
}

mcpw_status mcpw_session_set_principal(mcpw_session *session, mcpw_str principal) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_set_principal", NULL);
    }
    if (mcpw_str_equal(principal, session->principal)) {
        return MCPW_OK; /* nothing is allocated for the requests of one principal */
    }
    char *const copy = principal.ptr != NULL ? mcpw_session_alloc(session, principal.len + 1) : NULL;
    if (copy == NULL && principal.ptr != NULL) {
        return MCPW_E_MEMORY;
    }
    if (copy != NULL) {
        memcpy(copy, principal.ptr, principal.len);
    }
    release_principal(session);
    session->principal.ptr = copy;
    session->principal.len = principal.len;
    return MCPW_OK;
}

static mcpw_session *refuse_memory(mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    return NULL;
}

mcpw_session *mcpw_session_from(mcpw_endpoint *endpoint, void *user, mcpw_error *error) {
    if (endpoint == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a session needs an endpoint: see mcpw_endpoint_new");
        return NULL;
    }
    const mcpw_session_config *const config = &endpoint->config;
    mcpw_session *const session = mcpw_resize(&config->allocator, NULL, 0, sizeof *session);
    if (session == NULL) {
        return refuse_memory(error);
    }
    memset(session, 0, sizeof *session);
    mcpw_endpoint_ref(endpoint);
    session->endpoint = endpoint;
    session->config = config;
    session->user = user != NULL ? user : config->user;
    session->callbacks =
        config->extensions != NULL ? config->extensions->extended->rerun : &mcpw_dispatch_callbacks;
    session->profile = endpoint->profiles + (endpoint->profile_count - 1);
    session->scratch = (mcpw_arena)MCPW_ARENA_INIT;
    session->outgoing.text = (mcpw_buffer)MCPW_BUFFER_INIT;
    session->scratch.allocator = config->allocator;
    session->outgoing.text.allocator = config->allocator;
    memcpy(session->values, endpoint->values, sizeof endpoint->values);
    session->value_count = endpoint->value_count;
    session->next_id = 1;
    session->negotiation.due = session->end_at = UINT64_MAX;
    mcpw_pending_init(session);
    mcpw_table_init(&session->served.by_id, session->served.few, MCPW_TABLE_FEW);
    session->relayed.end = &session->relayed.first;
    session->link.session = session;
    atomic_init(&session->threads.misused, NULL);
    if (config->principal.ptr != NULL && mcpw_session_set_principal(session, config->principal) != MCPW_OK) {
        session->closed = true; /* it never was open, so there is no callback */
        mcpw_session_free(session);
        return refuse_memory(error);
    }
    if (mcpw_is_server(session) && config->server != NULL) {
        mcpw_server_attach(config->server, &session->link);
    }
    return session;
}

mcpw_session *mcpw_session_new(const mcpw_session_config *config, mcpw_error *error) {
    mcpw_endpoint *const own = mcpw_endpoint_new(config, error);
    mcpw_session *const session = own != NULL ? mcpw_session_from(own, NULL, error) : NULL;
    mcpw_endpoint_free(own); /* from here on the session holds it */
    return session;
}

mcpw_session *mcpw_session_inside(mcpw_endpoint *endpoint, const mcpw_session *beside, mcpw_error *error) {
    mcpw_session *const session = mcpw_session_from(endpoint, NULL, error);
    if (session != NULL) {
        mcpw_server_detach(&session->link);
        session->threads.is_lent = true;
        session->threads.executor = beside->threads.executor;
        session->threads.executor_self = beside->threads.executor_self;
        session->threads.submit = beside->threads.submit;
        session->threads.submit_self = beside->threads.submit_self;
    }
    return session;
}

void mcpw_session_free(mcpw_session *session) {
    if (session == NULL) {
        return;
    }
    mcpw_endpoint *const endpoint = session->endpoint;
    mcpw_session_take(session);
    mcpw_session_close(session);
    mcpw_session_await_detached(session);
    mcpw_session_leave_server(session);
    mcpw_requests_free(session);
    mcpw_known_meta_forget(session);
    mcpw_pending_free(session);
    mcpw_listed_free(session);
    mcpw_declared_free(session);
    mcpw_plans_trim(session);
    mcpw_uri_subscriptions_free(session);
    mcpw_watched_free(session);
    release_principal(session);
    if (session->stream != NULL) {
        session->stream->callbacks->free(session);
        session->stream = NULL;
    }
    mcpw_session_release(session, session->outgoing.queue,
                         session->outgoing.capacity * sizeof *session->outgoing.queue);
    mcpw_buffer_free(&session->outgoing.text);
    mcpw_arena_free(&session->scratch);
    mcpw_session_forget(session, NULL);
    mcpw_session_leave(session);
    mcpw_session_release(session, session, sizeof *session);
    mcpw_endpoint_free(endpoint);
}

void mcpw_session_trim(mcpw_session *session) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_trim", NULL));
        return;
    }
    if (session->feeding) {
        return; /* called from a callback: what was received is still in use */
    }
    mcpw_requests_free(session);
    mcpw_known_meta_forget(session);
    mcpw_plans_trim(session);
    mcpw_pending_trim(session);
    mcpw_watched_free(session);
    mcpw_arena_free(&session->scratch);
    mcpw_outbound_trim(session);
    if (session->stream != NULL) {
        session->stream->callbacks->trim(session);
    }
}

/* ---- Messages ---- */

mcpw_status mcpw_session_receive(mcpw_session *session, const void *text, size_t len, void *context) {
    return mcpw_session_receive_read(session, text, len, NULL, context);
}

mcpw_status mcpw_session_receive_for(mcpw_session *session, const void *text, size_t len, int64_t number) {
    session->received_for = number;
    const mcpw_status status = mcpw_session_receive(session, text, len, NULL);
    session->received_for = 0;
    return status;
}

int64_t mcpw_session_received_for(const mcpw_session *session) { return session->received_for; }

mcpw_status mcpw_session_receive_read(mcpw_session *session, const void *text, size_t len,
                                      const mcpw_message_envelope *envelope, void *context) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_receive", NULL);
    }
    if (session->feeding || session->stream != NULL) {
        return MCPW_E_STATE;
    }
    if (session->closed || session->input_ended) {
        return MCPW_E_CLOSED;
    }
    if (mcpw_session_is_full(session)) {
        return MCPW_E_FULL;
    }
    session->feeding = true;
    const mcpw_status status = len > session->config->max_message
                                   ? mcpw_receive_long(session, context)
                                   : mcpw_receive(session, (mcpw_str){text, len}, envelope, context);
    session->feeding = false;
    return status;
}

bool mcpw_session_next_message(mcpw_session *session, mcpw_outgoing *message) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_next_message", NULL));
        return false;
    }
    if (session->stream != NULL) {
        return false;
    }
    session->outgoing.sent += session->outgoing.handed_out;
    session->outgoing.handed_out = 0;
    mcpw_session_go_on(session);
    return mcpw_outbound_next(session, message);
}

bool mcpw_session_is_lenient(const mcpw_session *session) { return session->config->lenient; }

uint64_t mcpw_session_patience(const mcpw_session *session) {
    return session->held_at == 0 ? session->config->request_timeout_ms : UINT64_MAX;
}

void mcpw_session_on_output(mcpw_session *session, void (*on_output)(void *user, mcpw_session *session),
                            void *user) {
    session->outgoing.on_output = on_output;
    session->outgoing.user = user;
}

void mcpw_session_abandon(mcpw_session *session, void *context) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_abandon", NULL));
        return;
    }
    if (context == NULL || session->stream != NULL) {
        return;
    }
    session->incoming.gone = session->incoming.gone || context == session->incoming.context;
    mcpw_requests_drop(session, context);
    mcpw_outbound_drop(session, context);
}

mcpw_status mcpw_session_end_input(mcpw_session *session) {
    mcpw_stream *const stream = session->stream;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_end_input", NULL);
    }
    if (session->closed || session->input_ended || (stream != NULL && stream->ends)) {
        return MCPW_E_CLOSED;
    }
    if (session->feeding) {
        return MCPW_E_STATE;
    }
    const mcpw_status status = stream != NULL ? stream->callbacks->end(session) : MCPW_OK;
    if (status == MCPW_PENDING) {
        return MCPW_OK;
    }
    mcpw_session_input_ended(session);
    return status;
}

bool mcpw_session_wants_input(const mcpw_session *session) {
    const mcpw_stream *const stream = session->stream;
    return !session->closed && !session->input_ended &&
           (stream == NULL || (!stream->waits && !stream->ends)) && !mcpw_session_is_full(session);
}

/* ---- Time and the end ---- */

void mcpw_session_advance(mcpw_session *session, uint64_t now) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_advance", NULL));
        return;
    }
    session->now = now > session->now ? now : session->now;
    if (session->threads.executor != NULL) {
        mcpw_session_diagnose_misuse(session);
    }
    if (!session->closed && session->held_at == 0) {
        mcpw_call_timeouts(session);
    }
    if (session->negotiation.under_way && session->held_at == 0 && session->now >= session->negotiation.due) {
        mcpw_open_overdue(session);
    }
    mcpw_relays_drop_due(session);
    if (session->now >= session->end_at) {
        mcpw_session_close(session);
    }
}

void mcpw_session_hold(mcpw_session *session, bool is_held, uint64_t now) {
    if (is_held && session->held_at == 0) {
        session->held_at = now != 0 ? now : 1;
    } else if (!is_held && session->held_at != 0) {
        const uint64_t passed = now > session->held_at ? now - session->held_at : 0;
        session->held_at = 0;
        mcpw_pending_put_off(session, passed);
        session->negotiation.due = mcpw_later(session->negotiation.due, passed);
    }
}

uint64_t mcpw_session_deadline(const mcpw_session *session) {
    const mcpw_pending *const p = mcpw_pending_first_due(session);
    const uint64_t end_at = session->served.in_flight != NULL ? session->end_at : UINT64_MAX;
    uint64_t due =
        p != NULL && p->clock.due < session->negotiation.due ? p->clock.due : session->negotiation.due;
    const uint64_t relays_due = mcpw_relays_due(session);
    due = session->held_at == 0 ? due : UINT64_MAX;
    due = due < end_at ? due : end_at;
    due = due < relays_due ? due : relays_due;
    return session->closed ? UINT64_MAX : due;
}

bool mcpw_session_is_stalled(const mcpw_session *session) {
    return session->input_ended && session->pending.oldest == NULL;
}

bool mcpw_session_is_busy(const mcpw_session *session) {
    return session->served.in_flight != NULL || (session->stream != NULL && session->stream->waits);
}

void mcpw_session_set_next_id(mcpw_session *session, int64_t id) { session->next_id = id; }
