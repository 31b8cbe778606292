/* SPDX-License-Identifier: MIT */
/* A session as one stream of bytes: the input, the output and the callbacks of a layer above it. */
#include "stream.h"

#include "../requests/outbound.h"
#include "../subscriptions/listen.h"
#include "receive.h"

mcpw_stream *mcpw_stream_of(const mcpw_session *session) { return session->stream; }

const mcpw_session_config *mcpw_stream_config(const mcpw_session *session) { return session->config; }

/* ---- In ---- */

mcpw_status mcpw_stream_enter(mcpw_session *session, const char *function) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, function, NULL);
    }
    if (session->feeding) {
        return MCPW_E_STATE;
    }
    if (session->closed) {
        return MCPW_E_CLOSED;
    }
    session->feeding = true;
    return MCPW_OK;
}

void mcpw_stream_leave(mcpw_session *session) { session->feeding = false; }

bool mcpw_stream_takes(const mcpw_session *session, bool unless_full) {
    return !session->closed && !(unless_full && mcpw_session_is_full(session));
}

mcpw_status mcpw_stream_take(mcpw_session *session, mcpw_str message) {
    return mcpw_receive(session, message, NULL, NULL);
}

mcpw_status mcpw_stream_take_long(mcpw_session *session) { return mcpw_receive_long(session, NULL); }

void mcpw_stream_lost(mcpw_session *session, mcpw_status status) {
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "a message was lost: %s", mcpw_status_text(status));
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_BAD_LINE, NULL, no_str, &error);
}

/* ---- Out ---- */

void mcpw_session_go_on(mcpw_session *session) {
    if (session->feeding || session->closed || mcpw_session_is_full(session)) {
        return;
    }
    mcpw_session_emit_owed_diagnostics(session);
    if (session->stream != NULL) {
        session->stream->callbacks->go_on(session);
    }
}

void mcpw_stream_sent(mcpw_session *session, size_t len) {
    mcpw_outbound_sent(session, len);
    mcpw_session_go_on(session);
}
