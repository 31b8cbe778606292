/* SPDX-License-Identifier: MIT */
/* Sessions that go on in another process: what they know besides initialize. */
#include "../attach.h"

#include "../calls/call.h"
#include "../core/level.h"

void mcpw_session_initialized(mcpw_session *session) {
    if (!session->open && !session->closed) {
        session->open = true;
        mcpw_call_flush(session);
    }
}

mcpw_str mcpw_session_level(const mcpw_session *session) { return mcpw_level_name(session->level); }

mcpw_status mcpw_session_choose_level(mcpw_session *session, mcpw_str level) {
    const mcpw_log_level named = mcpw_level_named(level);
    if (named == 0) {
        return MCPW_E_VALUE;
    }
    session->level = named;
    return MCPW_OK;
}
