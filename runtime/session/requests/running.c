/* SPDX-License-Identifier: MIT */
/* How the handler of a request is run, again if it has to, and what follows from its status. */
#include "running.h"

#include "refuse.h"

/* Whether the last answer to an input request came while the handler ran. */
static bool runs_again(const mcpw_request *r, mcpw_status status) {
    return r->life.again && !r->life.answered && (status == MCPW_PENDING || status == MCPW_OK);
}

/* Calls the handler until it has seen all answers. False: another thread has the request now. */
static inline bool call_handler(mcpw_request *r, mcpw_status *status) {
    do {
        r->life.again = false;
        r->life.unsendable = false;
        *status = r->session->callbacks->serve(r);
        if (r->thread.detachment != NULL && mcpw_request_is_handed_over(r, status)) {
            return false;
        }
    } while (runs_again(r, *status));
    return true;
}

/* Does what follows from the status that a handler has returned. */
static void conclude(mcpw_request *r, mcpw_status status) {
    if (!r->life.answered && status == MCPW_PENDING) {
        status = r->session->callbacks->wait(r);
    }
    if (!r->life.answered && status != MCPW_OK) {
        mcpw_respond_status(r, status);
    } else if (r->life.answered && status != MCPW_OK && status != MCPW_PENDING &&
               (r->thread.detachment == NULL || !mcpw_request_is_cancelled(r))) {
        mcpw_error error;
        mcpw_error_set(&error, status, 0, "a handler failed after it had answered: %s",
                       mcpw_status_text(status));
        mcpw_request_diagnose(r, NULL, &error);
    }
    r->life.running = false;
    (void)mcpw_request_unref(r);
}

void mcpw_request_run(mcpw_request *r) {
    mcpw_status status;
    if (r->life.cancelled || r->session->closing) {
        return;
    }
    mcpw_request_ref(r);
    r->life.running = true;
    if (call_handler(r, &status)) {
        conclude(r, status);
    }
}

void mcpw_request_settle(mcpw_request *r, mcpw_status status) {
    if (!runs_again(r, status) || call_handler(r, &status)) {
        conclude(r, status);
    }
}

/* Takes up an input request of the server's, within a round of input. */
void mcpw_request_enter(mcpw_request *r) {
    r->life.indirect = true;
    r->binding = r->profile->bindings + r->message.method;
    mcpw_request_link(r);
    mcpw_request_run(r);
}

mcpw_status mcpw_request_resume(mcpw_request *request) {
    if (mcpw_request_is_elsewhere(request)) {
        return request->thread.detached ? MCPW_E_STATE
                                        : mcpw_session_misused(request->session, "mcpw_request_resume", NULL);
    }
    if (!request->life.in_flight || request->life.cancelled || request->life.running ||
        request->input.open != 0 || request->filter != NULL || request->session->closing) {
        return MCPW_E_STATE;
    }
    mcpw_request_run(request);
    return MCPW_OK;
}
