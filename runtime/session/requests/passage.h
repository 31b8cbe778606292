/* SPDX-License-Identifier: MIT */
/* Messages on their way through the middleware: <mcpw/extension.h>. */
#ifndef MCPW_PASSAGE_H
#define MCPW_PASSAGE_H

#include "../revisions/extension.h"

/* How far a message has come. */
typedef enum mcpw_passage_phase {
    MCPW_PHASE_OF_BEFORE,  /* on its way in */
    MCPW_PHASE_OF_HANDLER, /* its handler has it, or it is sent */
    MCPW_PHASE_OF_AFTER,   /* on its way out */
    MCPW_PHASE_OF_END      /* no middleware sees it any more, but for `ended` */
} mcpw_passage_phase;

struct mcpw_passage {
    mcpw_session *session;
    mcpw_request *request; /* of the peer; NULL: it is another message */
    mcpw_request *holder;  /* the object that a message of the peer was read into */
    mcpw_arena *arena;
    unsigned pass; /* the one of MCPW_PASS_... */
    mcpw_str method;
    mcpw_json params;      /* as text; absent: not written yet, or there are none */
    const mcpw_type *type; /* of value */
    const void *value;     /* NULL: there is none, or the params were replaced */
    bool replaced;         /* the params were */
    mcpw_json result;      /* absent: none */
    mcpw_rpc_error error;
    bool has_error;
    bool answered; /* by a middleware, in `before` */
    bool dropped;
    bool changed; /* the response was, in `after` */
    mcpw_passage_phase phase;
    unsigned entered;     /* middlewares whose `before` was due, those that are for other messages included */
    unsigned passed;      /* those of them that let the message pass */
    unsigned at;          /* the one that runs */
    mcpw_arena *outlives; /* takes the memory of a request of ours that ends while a middleware runs for it */
    void *states[MCPW_MAX_MIDDLEWARE];
    /* Checks new params, and puts them in place of the old ones. NULL: any object will do. */
    mcpw_status (*accept)(mcpw_passage *passage, mcpw_json params, mcpw_error *error);
};

/* Whether middleware wants messages of this MCPW_PASS_.... */
static inline bool mcpw_passes(const mcpw_session *session, unsigned pass) {
    return session->config->extensions != NULL && (session->config->extensions->passes & pass) != 0;
}

/* Runs the middleware on the way in. Afterwards the message was answered, dropped, or goes on. The status is
 * that of a `before` that failed. */
MCPW_NODISCARD mcpw_status mcpw_passage_enter(mcpw_passage *passage);
/* Runs the middleware on the way out, with the result or the error in the passage. */
void mcpw_passage_leave(mcpw_passage *passage);
/* Calls `ended` of every middleware that the message has reached, once. */
void mcpw_passage_end(mcpw_passage *passage);
/* Whether a middleware has answered a request of this end, and the caller has not been notified. */
static inline bool mcpw_passage_waits(const mcpw_passage *passage) {
    return passage != NULL && passage->answered;
}
/* Whether a response goes through the middleware now. */
static inline bool mcpw_passage_is_open(const mcpw_passage *passage) {
    return passage != NULL && passage->phase <= MCPW_PHASE_OF_HANDLER;
}

#endif
