/* SPDX-License-Identifier: MIT */
/* Requests that another thread has: how they are handed over, and how they come back. */
#include "session_internal.h"

/* ---- The session's thread ------------------------------------------------------------------------------ */

mcpw_status mcpw_session_set_executor(mcpw_session *session, const mcpw_executor *executor, void *self) {
    if (session->executor != NULL) {
        return MCPW_E_STATE;
    }
    session->executor = executor;
    session->executor_self = self;
    return MCPW_OK;
}

void mcpw_session_set_submit(mcpw_session *session, mcpw_submit submit, void *self) {
    session->submit = submit;
    session->submit_self = self;
}

void *mcpw_session_executor(const mcpw_session *session) { return session->executor_self; }

size_t mcpw_session_detached(const mcpw_session *session) { return session->detached; }

static const char misused_text[] = "%s was called on another thread than its session's";

bool mcpw_session_is_away(const mcpw_session *session) {
    return session->executor != NULL && session->executor->is_away(session->executor_self, false);
}

mcpw_status mcpw_session_misused(mcpw_session *session, const char *function, mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_THREAD, 0, misused_text, function);
    atomic_store(&session->misused, function);
    session->executor->wake(session->executor_self);
    return MCPW_E_THREAD;
}

void mcpw_session_tell_misuse(mcpw_session *session) {
    const char *const function = atomic_exchange(&session->misused, NULL);
    mcpw_error error;
    if (function != NULL) {
        mcpw_error_set(&error, MCPW_E_THREAD, 0, misused_text, function);
        mcpw_session_note(session, MCPW_NOTE_HANDLER, NULL, no_str, &error);
    }
}

void mcpw_session_take(mcpw_session *session) {
    if (session->executor != NULL) {
        session->executor->take(session->executor_self);
    }
}

void mcpw_session_leave(mcpw_session *session) {
    if (session->executor != NULL && session->executor->release != NULL) {
        session->executor->release(session->executor_self);
    }
}

void mcpw_session_await_detached(mcpw_session *session) {
    while (session->detached != 0) {
        session->executor->wait(session->executor_self);
    }
}

bool mcpw_request_is_far(const mcpw_request *r) {
    return r->guarded && r->session->executor->is_away(r->session->executor_self, r->detached);
}

mcpw_status mcpw_request_bring(mcpw_request *r, const char *name, void (*run)(void *argument), void *argument,
                               mcpw_error *error) {
    mcpw_session *const session = r->session;
    if (!r->detached) {
        return mcpw_session_misused(session, name, error);
    }
    session->executor->call(session->executor_self, run, argument);
    return MCPW_OK;
}

/* ---- Away and back ------------------------------------------------------------------------------------- */

/* Out of the request's memory: once for all its runs. */
static mcpw_detachment *make_detachment(mcpw_request *r) {
    mcpw_detachment *const d = mcpw_arena_alloc(&r->arena, sizeof *d);
    if (d != NULL) {
        memset(d, 0, sizeof *d);
        atomic_init(&d->cancelled, false);
        d->request = r;
        d->answers = (mcpw_arena)MCPW_ARENA_INIT;
        d->answers.allocator = r->session->config.allocator;
        d->answers.limit = r->session->config.max_request_bytes;
        r->detachment = d;
    }
    return d;
}

static mcpw_status detach(mcpw_request *r) {
    mcpw_detachment *const d = r->detachment != NULL ? r->detachment : make_detachment(r);
    if (d == NULL) {
        return MCPW_E_MEMORY;
    }
    d->in_handler = true;
    d->returned = false;
    r->detached = true;
    r->session->detached++;
    return MCPW_OK;
}

static void take_back(mcpw_request *r) {
    r->detached = false;
    r->session->detached--;
}

mcpw_status mcpw_request_detach(mcpw_request *request) {
    if (mcpw_request_is_far(request)) {
        if (!request->detached || request->detachment->stays == NULL) {
            return mcpw_session_misused(request->session, "mcpw_request_detach", NULL);
        }
        *request->detachment->stays = true; /* on the stack of the worker that runs the handler: this one */
        request->detachment->stays = NULL;
        return MCPW_OK;
    }
    if (!request->guarded || !request->running || !request->in_flight || request->detached) {
        return MCPW_E_STATE;
    }
    return detach(request);
}

mcpw_status mcpw_request_return(mcpw_request *request, mcpw_status status) {
    if (mcpw_request_is_far(request)) {
        return mcpw_far_return(request, status);
    }
    if (!request->detached) {
        return MCPW_E_STATE;
    }
    take_back(request);
    if (request->detachment->in_handler) { /* which has not returned: it is settled when it has */
        request->detachment->returned = true;
        request->detachment->status = status;
    } else {
        mcpw_request_settle(request, status);
    }
    return MCPW_OK;
}

bool mcpw_request_is_handed_over(mcpw_request *r, mcpw_status *status) {
    mcpw_detachment *const d = r->detachment;
    d->in_handler = false;
    if (r->detached && *status == MCPW_OK) {
        return true;
    }
    if (r->detached) {
        take_back(r); /* it has not been given away */
    } else if (d->returned) {
        d->returned = false;
        *status = d->status;
    }
    return false;
}

bool mcpw_request_is_cancelled(const mcpw_request *request) {
    return request->detachment != NULL ? atomic_load(&request->detachment->cancelled)
                                       : request->cancelled || !request->in_flight;
}

void mcpw_request_flag_cancelled(mcpw_request *r) {
    if (r->detachment != NULL) {
        atomic_store(&r->detachment->cancelled, true);
    }
}

mcpw_status mcpw_request_how_ended(const mcpw_request *r) {
    if (r->detachment == NULL || !mcpw_request_is_cancelled(r)) {
        return MCPW_E_STATE;
    }
    return r->session->closing ? MCPW_E_CLOSED : MCPW_E_CANCELLED;
}

/* ---- Handlers on workers ------------------------------------------------------------------------------- */

static mcpw_request *request_of(mcpw_task *task) {
    mcpw_detachment *const d = (mcpw_detachment *)(void *)((char *)task - offsetof(mcpw_detachment, task));
    return d->request;
}

/* On a worker. */
static void run_handler(mcpw_task *task) {
    mcpw_request *const r = request_of(task);
    bool stays = false;
    mcpw_status status = MCPW_E_CANCELLED;
    r->detachment->stays = &stays;
    if (!mcpw_request_is_cancelled(r)) {
        status = r->detachment->run(r, r->detachment->what);
    }
    if (stays && status == MCPW_OK) {
        return; /* whoever has it now returns it, and may have done so already */
    }
    mcpw_ignore(mcpw_request_return(r, status)); /* it is detached: that cannot fail */
}

static mcpw_status defer(mcpw_request *r, mcpw_status (*run)(mcpw_request *request, const void *what),
                         const void *what) {
    const mcpw_status status = detach(r);
    if (status == MCPW_OK) {
        r->detachment->run = run;
        r->detachment->what = what;
        r->detachment->task.run = run_handler;
        r->session->submit(r->session->submit_self, &r->detachment->task);
    }
    return status;
}

mcpw_status mcpw_request_serve(mcpw_request *r, mcpw_status (*run)(mcpw_request *request, const void *what),
                               const void *what) {
    const bool is_deferred = r->session->submit != NULL && mcpw_is_server(r->session);
    return is_deferred ? defer(r, run, what) : run(r, what);
}
