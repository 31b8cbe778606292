/* SPDX-License-Identifier: MIT */
/*
 * Messages that only some revisions have, so that code of another revision has no type for them: ping, the
 * level of log messages, and that the roots of a client have changed.
 */
#include "../calls/call.h"
#include "../core/level.h"
#include "../core/threads.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/session.h>

/* The revision that is spoken, if it has the method. While that is unknown, the newest that has it. NULL:
 * none has. */
static const mcpw_profile *profile_with(const mcpw_session *session, mcpw_own own) {
    if (session->era != MCPW_ERA_UNKNOWN) {
        return session->profile->number[own] != 0 ? session->profile : NULL;
    }
    for (size_t i = session->endpoint->profile_count; i-- > 0;) {
        if (session->endpoint->profiles[i].number[own] != 0) {
            return session->endpoint->profiles + i;
        }
    }
    return NULL;
}

static mcpw_status lack(const mcpw_session *session, const char *method, mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no %s",
                          mcpw_revision_name(session->profile->revision), method);
}

mcpw_status mcpw_session_ping(mcpw_session *session, const mcpw_call *call, mcpw_on_reply on_reply,
                              void *user, int64_t *number, mcpw_error *error) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_ping", error);
    }
    const mcpw_profile *const d = profile_with(session, MCPW_OWN_PING);
    if (d == NULL) {
        return lack(session, "ping", error);
    }
    return mcpw_session_request(session, d->revision, d->number[MCPW_OWN_PING], NULL, call, on_reply, user,
                                number, error);
}

mcpw_status mcpw_control_level(mcpw_session *session, mcpw_log_level level, mcpw_arena *arena,
                               mcpw_control *out, mcpw_error *error) {
    const mcpw_profile *const d = profile_with(session, MCPW_OWN_SET_LEVEL);
    out->revision = NULL;
    if (mcpw_is_server(session) || mcpw_level_name(level).ptr == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "only a client sets a level of log messages");
    }
    session->level = level;
    if (d == NULL) {
        return MCPW_OK; /* each request says it */
    }
    const int number = d->number[MCPW_OWN_SET_LEVEL];
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(d->revision, number));
    const void *params;
    const mcpw_status status = mcpw_level_params(type, level, arena, &params);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    *out = (mcpw_control){d->revision, number, params};
    return MCPW_OK;
}

mcpw_status mcpw_session_set_log_level(mcpw_session *session, mcpw_log_level level, mcpw_error *error) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_set_log_level", error);
    }
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_control control;
    arena.allocator = session->config->allocator;
    mcpw_status status = mcpw_control_level(session, level, &arena, &control, error);
    if (status == MCPW_OK && control.revision != NULL) {
        status = mcpw_session_request(session, control.revision, control.method, control.params, NULL, NULL,
                                      NULL, NULL, error);
    }
    mcpw_arena_free(&arena);
    return status;
}

mcpw_status mcpw_session_roots_changed(mcpw_session *session, mcpw_error *error) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_roots_changed", error);
    }
    const mcpw_profile *const d = session->profile;
    if (session->era != MCPW_ERA_UNKNOWN && d->number[MCPW_OWN_ROOTS_CHANGED] == 0) {
        return lack(session, "notifications/roots/list_changed", error);
    }
    return mcpw_session_notify(session, d->revision, d->number[MCPW_OWN_ROOTS_CHANGED], NULL, error);
}
