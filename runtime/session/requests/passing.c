/* SPDX-License-Identifier: MIT */
/* Messages of the peer on their way through the middleware. The way out of requests is in respond.c. */
#include "passing.h"

#include <mcpw/detail/catalogue.h>

#include "outbound.h"
#include "respond.h"

/* Reads new params by the type of the old ones. */
static mcpw_status accept(mcpw_passage *p, mcpw_json params, mcpw_error *error) {
    mcpw_request *const r = p->holder;
    const mcpw_type *const type = r->message.type;
    if (type != NULL) {
        void *const value = mcpw_arena_alloc(&r->arena, mcpw_type_size(type));
        if (value == NULL) {
            return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        }
        const mcpw_status status = mcpw_decode(type, params.ptr, params.len, &r->arena, value,
                                               &r->session->endpoint->reading, error);
        if (status != MCPW_OK) {
            return status;
        }
        r->message.value = value;
        p->value = value;
    }
    r->message.raw = r->message.raw.ptr != NULL || type == NULL ? params : no_json;
    return MCPW_OK;
}

static mcpw_passage passage_of(mcpw_request *r, unsigned pass) {
    return (mcpw_passage){.session = r->session,
                          .holder = r,
                          .arena = &r->arena,
                          .pass = pass,
                          .method = mcpw_request_method(r),
                          .params = r->message.raw,
                          .type = r->message.type,
                          .value = r->message.value,
                          .accept = accept};
}

mcpw_status mcpw_passing_request(mcpw_request *r) {
    if (r->passage != NULL) {
        return MCPW_OK; /* its handler runs again */
    }
    mcpw_passage *const p = mcpw_arena_alloc(&r->arena, sizeof *p);
    if (p == NULL) {
        return MCPW_E_MEMORY;
    }
    *p = passage_of(r, MCPW_PASS_RECEIVED_REQUESTS);
    p->request = r;
    r->passage = p;
    r->life.indirect = true;
    r->life.endings |= 1U << MCPW_ENDING_PASSAGE;
    const mcpw_status status = mcpw_passage_enter(p); /* the request is held while its handler runs */
    if (!r->life.in_flight) {
        return MCPW_OK;
    }
    if (status != MCPW_OK || !p->answered) {
        return status;
    }
    return p->has_error ? mcpw_respond_error(r, p->error.code, p->error.message.ptr, p->error.data)
                        : mcpw_respond_json(r, p->result, NULL);
}

void mcpw_passing_ended(mcpw_request *r) { mcpw_passage_end(r->passage); }

bool mcpw_passing_notification(mcpw_request *r, mcpw_passage *p) {
    *p = passage_of(r, MCPW_PASS_RECEIVED_NOTIFICATIONS);
    const mcpw_status status = mcpw_passage_enter(p);
    if (status != MCPW_OK) {
        mcpw_error error;
        mcpw_error_set(&error, status, 0, "a middleware failed: %s", mcpw_status_text(status));
        mcpw_session_diagnose(r->session, MCPW_DIAGNOSTIC_HANDLER, NULL, p->method, &error);
    }
    if (status != MCPW_OK || p->dropped) {
        mcpw_passing_end(p);
        return false;
    }
    return true;
}

void mcpw_passing_end(mcpw_passage *p) {
    mcpw_passage_leave(p);
    mcpw_passage_end(p);
}

/* ---- Notifications of this end ---- */

static mcpw_str name_of(const mcpw_profile *profile, const mcpw_message *message) {
    return message->method_name.ptr != NULL ? message->method_name
                                            : mcpw_method_name(profile->revision, message->method);
}

/* Whether a message may still go out with its context. A middleware may have ended the request that the
 * context is of. */
static bool is_open(const mcpw_session *session, const mcpw_route *route) {
    return route->context == NULL || mcpw_request_with(session, route->context) != NULL;
}

mcpw_status mcpw_passing_sent_notification(mcpw_session *session, const mcpw_profile *profile,
                                           const mcpw_message *message, const mcpw_route *route,
                                           mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = session->config->allocator;
    mcpw_message changed = *message;
    mcpw_error local;
    mcpw_passage passage = {.session = session,
                            .arena = &arena,
                            .pass = MCPW_PASS_SENT_NOTIFICATIONS,
                            .method = name_of(profile, message),
                            .params = message->raw,
                            .type = message->type,
                            .value = message->value};
    mcpw_status status = mcpw_passage_enter(&passage);
    if (status != MCPW_OK) {
        mcpw_error_set(error != NULL ? error : &local, status, 0, "a middleware failed: %s",
                       mcpw_status_text(status));
    } else if (session->closed) { /* by a middleware: what the route names has ended */
        status = mcpw_error_set(error != NULL ? error : &local, MCPW_E_CLOSED, 0, "%s",
                                mcpw_status_text(MCPW_E_CLOSED));
    } else if (!passage.dropped && is_open(session, route)) {
        if (passage.replaced) {
            changed.raw = passage.params;
            changed.value = NULL;
        }
        status = mcpw_outbound_emit(session, profile, &changed, route, error);
    }
    mcpw_passage_leave(&passage);
    mcpw_passage_end(&passage);
    mcpw_arena_free(&arena);
    return status;
}
