/* SPDX-License-Identifier: MIT */
/* How a session is closed, by this end or because the peer has gone. */
#include "../calls/call.h"
#include "../core/threads.h"
#include "../requests/refuse.h"
#include "../subscriptions/listen.h"
#include "../subscriptions/subscribe.h"
#include "relay.h"

/* Ends a request of the peer's. A peer that has ended its input may take nothing more as well: a line that it
 * does not expect has made clients fail. So nothing is written for it then. */
static void end_request(mcpw_request *r) {
    const mcpw_json none = {NULL, 0, 0};
    mcpw_request_flag_cancelled(r);
    if (r->session->input_ended || r->origin.round != NULL) { /* what a round is part of fails by itself */
        mcpw_request_drop(r);
    } else if (r->filter != NULL) {
        mcpw_listen_end(r);
    } else if (r->cancel.on_cancel != NULL) {
        void (*const on_cancel)(void *, mcpw_request *) = r->cancel.on_cancel;
        r->cancel.on_cancel = NULL;
        on_cancel(r->cancel.user, r);
    } else {
        mcpw_request_end(r, MCPW_RPC_INTERNAL_ERROR, "The session was closed", none);
    }
}

void mcpw_session_close(mcpw_session *session) {
    if (mcpw_session_is_away(session)) {
        mcpw_ignore(mcpw_session_misused(session, "mcpw_session_close", NULL));
        return;
    }
    if (session->closing || session->closed) {
        return; /* a callback below may come here again */
    }
    session->closing = true;
    if (!session->input_ended) {
        mcpw_listen_close(session);
    }
    while (session->served.in_flight != NULL) {
        end_request(session->served.in_flight);
    }
    session->closed = true;
    mcpw_uri_subscriptions_free(session);
    mcpw_relays_free(session);
    mcpw_call_fail_all(session, "the session was closed");
    mcpw_server *const server = mcpw_is_server(session) ? session->config->server : NULL;
    if (server != NULL && mcpw_server_base_of(server)->session_ended != NULL) {
        mcpw_server_base_of(server)->session_ended(server, session);
    }
    if (session->config->on_close != NULL) {
        session->config->on_close(session->user, session);
    }
    if (session->outgoing.on_output != NULL) {
        session->outgoing.on_output(session->outgoing.user, session);
    }
}

void mcpw_session_input_ended(mcpw_session *session) {
    session->input_ended = true;
    for (mcpw_request *r = session->served.in_flight; r != NULL;) {
        mcpw_request *const next = r->place.next;
        if (next != NULL) {
            mcpw_request_ref(next);
        }
        if (r->filter != NULL) {
            mcpw_request_drop(r);
        }
        r = next == NULL || mcpw_request_unref(next) ? next : session->served.in_flight;
    }
    mcpw_call_fail_all(session, "the peer has closed its end");
    session->end_at = mcpw_later(session->now, session->config->end_grace_ms);
}
