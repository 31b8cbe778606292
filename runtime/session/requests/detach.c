/* SPDX-License-Identifier: MIT */
/* Requests that another thread has: how they are handed over, and how they come back. */
#include "detach.h"

#include "running.h"

/* ---- Away and back ---- */

/* Made of the request's memory, once for all runs of its handler. */
static mcpw_detachment *make_detachment(mcpw_request *r) {
    mcpw_detachment *const d = mcpw_arena_alloc(&r->arena, sizeof *d);
    if (d != NULL) {
        memset(d, 0, sizeof *d);
        atomic_init(&d->cancelled, false);
        d->request = r;
        d->answers = (mcpw_arena)MCPW_ARENA_INIT;
        d->answers.allocator = r->session->config->allocator;
        d->answers.limit = r->session->config->max_request_bytes;
        r->thread.detachment = d;
    }
    return d;
}

static mcpw_status detach(mcpw_request *r) {
    mcpw_detachment *const d = r->thread.detachment != NULL ? r->thread.detachment : make_detachment(r);
    if (d == NULL) {
        return MCPW_E_MEMORY;
    }
    d->in_handler = true;
    d->returned = false;
    r->thread.detached = true;
    r->session->threads.detached++;
    return MCPW_OK;
}

mcpw_status mcpw_request_detach(mcpw_request *request) {
    if (mcpw_request_is_cross_thread(request)) {
        if (!request->thread.detached || request->thread.detachment->stays == NULL) {
            return mcpw_session_misused(request->session, "mcpw_request_detach", NULL);
        }
        *request->thread.detachment->stays =
            true; /* this lies on the stack of the worker that runs the handler */
        request->thread.detachment->stays = NULL;
        return MCPW_OK;
    }
    if (!request->thread.guarded || !request->life.running || !request->life.in_flight ||
        request->thread.detached) {
        return MCPW_E_STATE;
    }
    return detach(request);
}

MCPW_POSTED(posted_return, mcpw_request_return(request, (mcpw_status)a->number))

mcpw_status mcpw_request_return(mcpw_request *request, mcpw_status status) {
    if (mcpw_request_is_cross_thread(request)) {
        return mcpw_post_call(request, __func__, posted_return, &(mcpw_post_args){.number = status});
    }
    if (!request->thread.detached) {
        return MCPW_E_STATE;
    }
    mcpw_request_take_back(request);
    if (request->thread.detachment
            ->in_handler) { /* the handler has not returned yet: the request is settled when it has */
        request->thread.detachment->returned = true;
        request->thread.detachment->status = status;
    } else {
        mcpw_request_settle(request, status);
    }
    return MCPW_OK;
}

/* ---- Handlers on workers ---- */

static mcpw_request *request_of(mcpw_job *job) {
    mcpw_detachment *const d = (mcpw_detachment *)(void *)((char *)job - offsetof(mcpw_detachment, job));
    return d->request;
}

/* On a worker. */
static void run_handler(mcpw_job *job) {
    mcpw_request *const r = request_of(job);
    bool stays = false;
    mcpw_status status = MCPW_E_CANCELLED;
    r->thread.detachment->stays = &stays;
    if (!mcpw_request_is_cancelled(r)) {
        status = r->thread.detachment->run(r, r->thread.detachment->what);
    }
    if (stays && status == MCPW_OK) {
        return; /* whoever has the request now returns it, and may have done so already */
    }
    mcpw_ignore(mcpw_request_return(r, status)); /* it cannot fail, because the request is detached */
}

static mcpw_status defer(mcpw_request *r, mcpw_status (*run)(mcpw_request *request, const void *what),
                         const void *what) {
    const mcpw_status status = detach(r);
    if (status == MCPW_OK) {
        r->thread.detachment->run = run;
        r->thread.detachment->what = what;
        r->thread.detachment->job.run = run_handler;
        r->session->threads.submit(r->session->threads.submit_self, &r->thread.detachment->job);
    }
    return status;
}

mcpw_status mcpw_request_serve(mcpw_request *r, mcpw_status (*run)(mcpw_request *request, const void *what),
                               const void *what) {
    const bool is_deferred = r->session->threads.submit != NULL && mcpw_is_server(r->session);
    return is_deferred ? defer(r, run, what) : run(r, what);
}
