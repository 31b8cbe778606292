/* SPDX-License-Identifier: MIT */
/* Access control: CORS for pages of other origins, access tokens and their scopes. */
#ifndef MCPW_GATE_H
#define MCPW_GATE_H

#include <mcpw/envelope.h>

#include "exchange.h"

/* The access of an exchange, in its buffer `access`, before the texts. */
typedef struct mcpw_held_access {
    mcpw_http_access access;
    mcpw_str nonce; /* for DPoP-Nonce; absent: none */
    bool has_token; /* otherwise it is anonymous */
} mcpw_held_access;

/* The prepared form of config.protect. */
typedef struct mcpw_guard {
    mcpw_http_protect protect;   /* its texts are copies */
    mcpw_http_verifier verifier; /* without verify, the config's authorize verifies */
    bool *contains;              /* a matrix of contain_count: the scope of a row contains that of a column */
} mcpw_guard;

/* ---- access.c ---- */

/* The access of an exchange; NULL: it is not checked, or not granted yet. */
const mcpw_held_access *mcpw_gate_access(const mcpw_http_exchange *exchange);
/* Keeps the access that a verdict grants, and its principal. */
MCPW_NODISCARD mcpw_status mcpw_access_hold(mcpw_http_exchange *exchange, const mcpw_http_verdict *verdict,
                                            bool has_token);
/* Overwrites the tokens and proofs in the copy of the head. They are not needed after the verdict. */
void mcpw_access_wipe(const mcpw_http_exchange *exchange);
/* Ends the wait for a verdict that has come. */
void mcpw_access_end_wait(mcpw_http_exchange *exchange);
/* Ends the wait for a verdict, if there is one, and tells the verifier. */
void mcpw_gate_forget(mcpw_http_exchange *exchange);

/* ---- cors.c ---- */

/* True if a request is a CORS preflight; answers it. */
bool mcpw_cors_is_preflight(const mcpw_http_exchange *exchange, mcpw_str method);
void mcpw_cors_answer(mcpw_http_exchange *exchange);

/* ---- resource.c ---- */

/* Prepares config.protect, the metadata and the path of the resource, once. On failure error explains what is
 * wrong. */
MCPW_NODISCARD mcpw_status mcpw_resource_prepare(mcpw_http_server *server, mcpw_error *error);
/* True if a path, without a query, is the path of the resource's metadata; sends the metadata. */
bool mcpw_resource_is_at(const mcpw_http_exchange *exchange, mcpw_str path);
void mcpw_resource_send(mcpw_http_exchange *exchange, mcpw_str method);

/* ---- challenge.c ---- */

/* A refusal of access. */
typedef struct mcpw_challenge {
    int status;
    mcpw_http_scheme scheme; /* that the error is about; 0: all */
    mcpw_str error;          /* absent: none is named */
    mcpw_str description;
    mcpw_str scope;
    mcpw_json id; /* of the message; absent: it was not read */
    const char *why;
} mcpw_challenge;

/* Refuses an exchange by a response with WWW-Authenticate. (RFC 6750, section 3; RFC 9449, section 7.1.) */
void mcpw_challenge_send(mcpw_http_exchange *exchange, const mcpw_challenge *challenge);

/* ---- bearer.c ---- */

typedef enum mcpw_gate_state {
    MCPW_GATE_SHUT,   /* the request was refused */
    MCPW_GATE_OPEN,   /* access is granted, but scopes are not checked */
    MCPW_GATE_PENDING /* mcpw_gate_settle decides later */
} mcpw_gate_state;

/* Verifies the credentials of a request. */
MCPW_NODISCARD mcpw_gate_state mcpw_gate_admit(mcpw_http_exchange *exchange);
/* Applies the verdict on an exchange that waits for it; false: the request was refused. */
MCPW_NODISCARD bool mcpw_gate_settle(mcpw_http_exchange *exchange, const mcpw_http_verdict *verdict);
/* Counts the bytes of a piece of the body while the exchange waits; false: too many bytes wait. */
MCPW_NODISCARD bool mcpw_gate_takes(mcpw_http_exchange *exchange, size_t len);
/* Subtracts the bytes of a piece that was counted, but could not be kept. */
void mcpw_gate_takes_back(const mcpw_http_exchange *exchange, size_t len);

/* ---- scope_check.c ---- */

/* Checks the scopes of config.protect, and prepares those that contain others. */
MCPW_NODISCARD mcpw_status mcpw_scopes_prepare(mcpw_guard *guard, mcpw_arena *arena, mcpw_error *error);
/* Whether granted scopes include a scope, itself or by a broader one. */
bool mcpw_scopes_include(const mcpw_guard *guard, mcpw_str granted, mcpw_str scope);
/* These check the scopes of a request without a message, of a batch, and of a message, whose method may be
 * absent. False: the request was refused. They use the server's scratch memory. */
MCPW_NODISCARD bool mcpw_scopes_admit_head(mcpw_http_exchange *exchange);
MCPW_NODISCARD bool mcpw_scopes_admit_batch(mcpw_http_exchange *exchange, mcpw_json batch);
MCPW_NODISCARD bool mcpw_scopes_admit(mcpw_http_exchange *exchange, mcpw_str method,
                                      const mcpw_message_envelope *envelope);

#endif
