/* SPDX-License-Identifier: MIT */
/* calls/: requests of ours: a client's, and those that handlers ask. */
/* Requests of ours: how they are sent, given up and ended. */
#ifndef MCPW_CALL_H
#define MCPW_CALL_H

#include "pending.h"

typedef struct mcpw_send {
    const mcpw_revision *revision;
    int method;
    const void *params;
    const mcpw_call *call;
    mcpw_on_reply on_reply;
    void *user;
    void *context;  /* of the peer's request that it is made for; NULL: of none */
    bool unguarded; /* part of the negotiation: it needs no capability, does not wait, is not cancelled */
    bool listening;
    bool relayed;              /* it is another's */
    bool as_text;              /* its caller gets the result as text */
    const mcpw_custom *custom; /* in place of revision, method and params: a method of an extension */
    mcpw_json text;            /* its params */
    const struct mcpw_added_result *taker; /* an extension that takes a result of it; NULL: none */
    void *state;                           /* that the extension keeps with it; NULL: none yet */
} mcpw_send;
MCPW_NODISCARD mcpw_status mcpw_call_send(mcpw_session *session, const mcpw_send *send, int64_t *number,
                                          mcpw_error *error);
/* Whether a request with such params can be answered by the type that its caller wants; NULL: any. The params
 * are in the caller's revision, the peer speaks `theirs`. */
MCPW_NODISCARD mcpw_status mcpw_call_wants(const mcpw_session *session, const mcpw_revision *theirs,
                                           const mcpw_revision *revision, int method, const void *params,
                                           const mcpw_type *wanted, mcpw_error *error);
/* Whether params ask for a task, and the peer makes tasks of that method. */
bool mcpw_call_is_task(const mcpw_session *session, const mcpw_revision *theirs, int method,
                       const void *params);
/* Ends a request of ours and reports how. */
void mcpw_pending_end(mcpw_pending *pending, const mcpw_reply *reply);
void mcpw_pending_fail(mcpw_pending *pending, mcpw_status status, const char *why);
/* The peer has reported progress: the time for a response starts again, up to the longest. */
void mcpw_call_extend(mcpw_pending *pending);
/* Sends a request that an extension has held. */
void mcpw_call_go_on(mcpw_pending *pending);
/* Sends what waited for the negotiation. */
void mcpw_call_flush(mcpw_session *session);
void mcpw_call_timeouts(mcpw_session *session);
void mcpw_call_fail_all(mcpw_session *session, const char *why);
/* Sends a request as a message: a struct, or text. */
MCPW_NODISCARD mcpw_status mcpw_call_emit(mcpw_pending *pending, const mcpw_profile *profile,
                                          const void *value, mcpw_json raw, mcpw_error *error);
/* Sends a request again with the answers of a round. */
void mcpw_call_resend(mcpw_pending *pending, mcpw_json answers, mcpw_json state);
mcpw_status mcpw_notify_cancelled(mcpw_session *session, mcpw_pending *pending, const char *reason);

#endif
