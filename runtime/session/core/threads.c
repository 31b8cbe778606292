/* SPDX-License-Identifier: MIT */
/* The thread of a session, and the requests that other threads have. */
#include <mcpw/detail/session.h>
#include <mcpw/extension_kit.h>

#include "threads.h"

mcpw_status mcpw_session_set_executor(mcpw_session *session, const mcpw_executor *executor, void *self) {
    if (session->threads.executor != NULL) {
        return MCPW_E_STATE;
    }
    if (session->link.at != NULL && mcpw_server_join(session->config->server, executor, self) != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    session->threads.executor = executor;
    session->threads.executor_self = self;
    return MCPW_OK;
}

void mcpw_session_set_submit(mcpw_session *session, mcpw_submit submit, void *self) {
    session->threads.submit = submit;
    session->threads.submit_self = self;
}

bool mcpw_session_hand_over(mcpw_session *session, mcpw_job *job) {
    if (session->threads.executor == NULL) {
        return false;
    }
    session->threads.executor->hand_over(session->threads.executor_self, job);
    return true;
}

void mcpw_session_withdraw(mcpw_session *session, mcpw_job *job) {
    session->threads.executor->withdraw(session->threads.executor_self, job);
}

void *mcpw_session_executor(const mcpw_session *session) { return session->threads.executor_self; }

size_t mcpw_session_detached(const mcpw_session *session) { return session->threads.detached; }

static const char misused_text[] = "%s was called on another thread than its session's";

bool mcpw_session_is_away(const mcpw_session *session) {
    return session->threads.executor != NULL &&
           session->threads.executor->is_away(session->threads.executor_self, false);
}

mcpw_status mcpw_session_misused(mcpw_session *session, const char *function, mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_THREAD, 0, misused_text, function);
    atomic_store(&session->threads.misused, function);
    session->threads.executor->wake(session->threads.executor_self);
    return MCPW_E_THREAD;
}

mcpw_status mcpw_session_check_thread(mcpw_session *session, const char *name, mcpw_error *error) {
    return mcpw_session_is_away(session) ? mcpw_session_misused(session, name, error) : MCPW_OK;
}

void mcpw_session_diagnose_misuse_of(mcpw_session *session, const char *function) {
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_THREAD, 0, misused_text, function);
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_HANDLER, NULL, no_str, &error);
}

void mcpw_session_diagnose_misuse(mcpw_session *session) {
    if (atomic_load_explicit(&session->threads.misused, memory_order_relaxed) == NULL) {
        return;
    }
    const char *const function = atomic_exchange(&session->threads.misused, NULL);
    if (function != NULL) {
        mcpw_session_diagnose_misuse_of(session, function);
    }
}

void mcpw_session_leave_server(mcpw_session *session) {
    const bool has_joined = session->threads.executor != NULL && session->link.at != NULL;
    mcpw_server_detach(&session->link);
    if (has_joined) {
        mcpw_server_leave(session->config->server, session->threads.executor_self);
    }
}

void mcpw_session_take(mcpw_session *session) {
    if (session->threads.executor != NULL) {
        session->threads.executor->take(session->threads.executor_self);
    }
}

void mcpw_session_leave(mcpw_session *session) {
    if (session->threads.executor != NULL && session->threads.executor->release != NULL &&
        !session->threads.is_lent) {
        session->threads.executor->release(session->threads.executor_self);
    }
}

void mcpw_session_await_detached(mcpw_session *session) {
    while (session->threads.detached != 0) {
        session->threads.executor->wait(session->threads.executor_self);
    }
}

mcpw_server *mcpw_request_server(const mcpw_request *request) { return request->session->config->server; }

bool mcpw_request_is_cross_thread(const mcpw_request *r) {
    return r->thread.guarded &&
           r->session->threads.executor->is_away(r->session->threads.executor_self, r->thread.detached);
}

static mcpw_status bring(mcpw_request *r, const char *name, void (*run)(void *argument), void *argument,
                         mcpw_error *error) {
    mcpw_session *const session = r->session;
    if (!r->thread.detached) {
        return mcpw_session_misused(session, name, error);
    }
    session->threads.executor->call(session->threads.executor_self, run, argument);
    return MCPW_OK;
}

/* A call lies on the stack of the thread that makes it, which waits. */
typedef struct posted_call {
    mcpw_request *request;
    mcpw_status (*run)(mcpw_request *request, const mcpw_post_args *args);
    const mcpw_post_args *args;
    mcpw_status status;
} posted_call;

static void run_call(void *argument) {
    posted_call *const c = argument;
    c->status = c->run(c->request, c->args);
}

mcpw_status mcpw_post_call(mcpw_request *r, const char *name,
                           mcpw_status (*run)(mcpw_request *request, const mcpw_post_args *args),
                           const mcpw_post_args *args) {
    posted_call c = {r, run, args, MCPW_OK};
    const mcpw_status brought = bring(r, name, run_call, &c, args->error);
    return brought == MCPW_OK ? c.status : brought;
}

mcpw_status mcpw_request_run_at_home(mcpw_request *r, const char *name, void (*run)(void *argument),
                                     void *argument) {
    if (mcpw_request_is_elsewhere(r)) {
        return bring(r, name, run, argument, NULL);
    }
    run(argument);
    return MCPW_OK;
}

/* ---- A request that another thread has ---- */

void mcpw_request_take_back(mcpw_request *r) {
    r->thread.detached = false;
    r->session->threads.detached--;
    if (r->life.is_left) {
        r->life.is_left = false;
        r->session->served.count--;
        r->session->served.held_bytes -= r->place.charged;
    }
}

bool mcpw_request_is_handed_over(mcpw_request *r, mcpw_status *status) {
    mcpw_detachment *const d = r->thread.detachment;
    d->in_handler = false;
    if (r->thread.detached && *status == MCPW_OK) {
        return true;
    }
    if (r->thread.detached) {
        mcpw_request_take_back(r); /* it has not been given to another thread */
    } else if (d->returned) {
        d->returned = false;
        *status = d->status;
    }
    return false;
}

bool mcpw_request_is_cancelled(const mcpw_request *request) {
    return request->thread.detachment != NULL ? atomic_load(&request->thread.detachment->cancelled)
                                              : request->life.cancelled || !request->life.in_flight;
}

void mcpw_request_flag_cancelled(mcpw_request *r) {
    if (r->thread.detachment != NULL) {
        atomic_store(&r->thread.detachment->cancelled, true);
    }
}

mcpw_status mcpw_request_how_ended(const mcpw_request *r) {
    if (r->thread.detachment == NULL || !mcpw_request_is_cancelled(r)) {
        return MCPW_E_STATE;
    }
    return r->session->closing ? MCPW_E_CLOSED : MCPW_E_CANCELLED;
}
