/* SPDX-License-Identifier: MIT */
/* The credentials of requests, and the verdicts on them. (RFC 6750; RFC 9449; MCP 2026-07-28,
 * "Authorization".) */
#include "fields.h"
#include "gate.h"

static const mcpw_json no_id = {NULL, 0, 0};
static const mcpw_str none = {NULL, 0};
/* ---- Refusals ------------------------------------------------------------------------------------------ */

static const char needs_token[] = "Unauthorized: an access token is needed";
static const char bad_token[] = "Unauthorized: the token is not valid";
static const char malformed[] = "The authorization of the request is malformed";

/* Refuses with the scopes that every request needs. */
static void refuse(mcpw_http_exchange *exchange, int status, mcpw_http_scheme scheme, const char *error,
                   const char *description, const char *why) {
    const mcpw_guard *const guard = exchange->server->guard;
    const mcpw_challenge c = {status,
                              scheme,
                              mcpw_str_from(error),
                              mcpw_str_from(description),
                              mcpw_str_from(guard != NULL ? guard->protect.scopes : NULL),
                              no_id,
                              why};
    mcpw_challenge_send(exchange, &c);
}

static void refuse_unverifiable(mcpw_http_exchange *exchange, const char *why) {
    mcpw_exchange_refuse(exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR, no_id, why);
}

/* ---- Verdicts ------------------------------------------------------------------------------------------ */

static bool is_issuer(mcpw_str issuer) {
    for (size_t i = 0; i < issuer.len; i++) {
        if (issuer.ptr[i] <= ' ' || issuer.ptr[i] > '~') {
            return false;
        }
    }
    return issuer.len != 0;
}

static bool grant(mcpw_http_exchange *exchange, const mcpw_http_verdict *v) {
    if (mcpw_access_hold(exchange, v, true) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
        return false;
    }
    return true;
}

/* Takes a verdict; false: the request was refused. */
static bool take_verdict(mcpw_http_exchange *exchange, const mcpw_http_verdict *v) {
    const mcpw_http_scheme scheme = exchange->scheme;
    const mcpw_http_verdict with_nonce = {.dpop_nonce = v->dpop_nonce};
    if (v->outcome == MCPW_HTTP_VALID && is_issuer(v->issuer) &&
        (v->subject.len != 0 || v->client_id.len != 0)) {
        return grant(exchange, v);
    }
    if (mcpw_access_hold(exchange, &with_nonce, true) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
        return false;
    }
    switch (v->outcome) {
    case MCPW_HTTP_VALID:
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, scheme, "invalid_token",
               "the token names no issuer, or neither a subject nor a client", bad_token);
        break;
    case MCPW_HTTP_INVALID_TOKEN:
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, scheme, "invalid_token", v->description, bad_token);
        break;
    case MCPW_HTTP_INVALID_PROOF:
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, MCPW_HTTP_DPOP, "invalid_dpop_proof", v->description,
               "Unauthorized: the proof of the token's key is not valid");
        break;
    case MCPW_HTTP_NEEDS_NONCE:
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, MCPW_HTTP_DPOP, "use_dpop_nonce", v->description,
               "Unauthorized: the proof needs the nonce of DPoP-Nonce");
        break;
    default:
        refuse_unverifiable(exchange, "Unavailable: the token cannot be verified now");
        break;
    }
    return false;
}

/* ---- By the config's authorize ------------------------------------------------------------------------- */

static void refuse_grant(mcpw_http_exchange *exchange, const mcpw_http_grant *given) {
    const mcpw_guard *const guard = exchange->server->guard;
    const mcpw_str error = mcpw_str_from(given->error);
    const char *const base = guard != NULL ? guard->protect.scopes : NULL;
    mcpw_challenge c = {MCPW_HTTP_UNAUTHORIZED,
                        MCPW_HTTP_BEARER,
                        error,
                        mcpw_str_from(given->description),
                        mcpw_str_from(given->scope != NULL ? given->scope : base),
                        no_id,
                        error.ptr != NULL ? bad_token : needs_token};
    if (mcpw_str_is(error, "insufficient_scope")) {
        c.status = MCPW_HTTP_FORBIDDEN;
        c.why = "Forbidden: the token does not allow this";
    } else if (mcpw_str_is(error, "invalid_request")) {
        c.status = MCPW_HTTP_BAD_REQUEST;
        c.why = malformed;
    }
    mcpw_challenge_send(exchange, &c);
}

static bool authorize(mcpw_http_exchange *exchange, mcpw_str token) {
    const mcpw_http_config *const config = &exchange->server->config;
    mcpw_http_grant given;
    memset(&given, 0, sizeof given);
    if (!config->authorize(config->user, exchange, token, &given)) {
        refuse_grant(exchange, &given);
        return false;
    }
    if (given.issuer.len != 0 && !is_issuer(given.issuer)) {
        refuse_unverifiable(exchange, "Unavailable: the issuer of the token has no usable name");
        return false; /* subjects of different issuers would become the same principal */
    }
    mcpw_http_verdict v = MCPW_HTTP_VERDICT_INIT;
    v.issuer = given.issuer.len != 0 ? given.issuer : none;
    v.subject = given.principal;
    v.client_id = given.client_id;
    v.scopes = given.scopes;
    v.expires_at = given.expires_at;
    v.lifetime_ms = given.lifetime_ms;
    return grant(exchange, &v);
}

/* ---- By a verifier ------------------------------------------------------------------------------------- */

/* Checks the DPoP parts of credentials; false: the request was refused. */
static bool check_scheme(mcpw_http_exchange *exchange, mcpw_http_credentials *c) {
    const mcpw_http_verifier *const verifier = &exchange->server->guard->verifier;
    if (c->scheme == MCPW_HTTP_BEARER) {
        if (verifier->dpop_required) {
            refuse(exchange, MCPW_HTTP_UNAUTHORIZED, MCPW_HTTP_DPOP, "invalid_token",
                   "the token must come with a proof, by the scheme DPoP", bad_token);
        }
        return !verifier->dpop_required;
    }
    if (verifier->dpop_algorithms == NULL) {
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, 0, NULL, NULL, needs_token);
        return false;
    }
    if (mcpw_header_count(exchange, MCPW_STR_VALUE("DPoP"), &c->proof) != 1 || c->proof.len == 0) {
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, MCPW_HTTP_DPOP, "invalid_dpop_proof",
               "a request has one proof, in the field DPoP", bad_token);
        return false;
    }
    return true;
}

static mcpw_gate_state begin_wait(mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    exchange->waits = true;
    exchange->verdict_due = mcpw_time_after(server->now, server->guard->protect.verify_timeout_ms);
    if (server->waiting_count++ < server->guard->protect.max_waiting) {
        return MCPW_GATE_PENDING;
    }
    refuse_unverifiable(exchange, "Unavailable: too many tokens are being verified");
    return MCPW_GATE_SHUT;
}

static mcpw_gate_state verify(mcpw_http_exchange *exchange, mcpw_http_credentials *c) {
    const mcpw_guard *const guard = exchange->server->guard;
    mcpw_http_verdict v = MCPW_HTTP_VERDICT_INIT;
    if (!check_scheme(exchange, c)) {
        return MCPW_GATE_SHUT;
    }
    exchange->scheme = c->scheme;
    c->method = exchange->method;
    c->url = c->resource = mcpw_str_from(guard->protect.resource);
    const mcpw_status status = guard->verifier.verify(guard->verifier.self, exchange, c, &v);
    if (status == MCPW_PENDING) {
        return begin_wait(exchange);
    }
    v.outcome = status == MCPW_OK ? v.outcome : MCPW_HTTP_UNVERIFIABLE;
    return take_verdict(exchange, &v) ? MCPW_GATE_OPEN : MCPW_GATE_SHUT;
}

bool mcpw_gate_settle(mcpw_http_exchange *exchange, const mcpw_http_verdict *verdict) {
    mcpw_http_verdict own = MCPW_HTTP_VERDICT_INIT;
    if (!MCPW_TAKE(&own, dpop_nonce, verdict)) {
        own.outcome = MCPW_HTTP_UNVERIFIABLE;
    }
    mcpw_access_end_wait(exchange);
    const bool is_admitted = take_verdict(exchange, &own);
    mcpw_access_wipe(exchange); /* texts of the verdict may lie in the credentials */
    return is_admitted;
}

bool mcpw_gate_takes(mcpw_http_exchange *exchange, size_t len) {
    mcpw_http_server *const server = exchange->server;
    if (!exchange->waits) {
        return true;
    }
    if (len > server->guard->protect.max_waiting_bytes - server->waiting_bytes) {
        refuse_unverifiable(exchange, "Unavailable: too many requests wait for the verification of a token");
        return false;
    }
    server->waiting_bytes += len;
    return true;
}

void mcpw_gate_takes_back(const mcpw_http_exchange *exchange, size_t len) {
    if (exchange->waits) {
        exchange->server->waiting_bytes -= len;
    }
}

/* ---- Credentials --------------------------------------------------------------------------------------- */

/* Removes the scheme from the value of Authorization; 0: it is another scheme. */
static mcpw_http_scheme take_scheme(mcpw_str *value) {
    static const struct {
        mcpw_str name;
        mcpw_http_scheme scheme;
    } schemes[] = {{MCPW_STR("Bearer"), MCPW_HTTP_BEARER}, {MCPW_STR("DPoP"), MCPW_HTTP_DPOP}};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t len = schemes[i].name.len;
        if (value->len > len && value->ptr[len] == ' ' &&
            mcpw_header_is((mcpw_str){value->ptr, len}, schemes[i].name)) {
            *value = mcpw_header_trim((mcpw_str){value->ptr + len, value->len - len});
            return schemes[i].scheme;
        }
    }
    return 0;
}

/* Finds the credentials of a request. MCPW_E_NOT_FOUND: it has none; MCPW_E_FORMAT: they are of another kind,
 * or there are several. */
static mcpw_status credentials_of(const mcpw_http_exchange *exchange, mcpw_http_credentials *c) {
    mcpw_str value;
    const size_t count = mcpw_header_count(exchange, MCPW_STR_VALUE("Authorization"), &value);
    if (count == 0) {
        return MCPW_E_NOT_FOUND;
    }
    c->scheme = count == 1 ? take_scheme(&value) : 0;
    c->token = value;
    return c->scheme != 0 && value.len != 0 && memchr(value.ptr, ' ', value.len) == NULL &&
                   mcpw_header_is_plain(value)
               ? MCPW_OK
               : MCPW_E_FORMAT;
}

/* Serves a request without a token, or refuses it. */
static bool admit_anonymous(mcpw_http_exchange *exchange) {
    mcpw_http_verdict v = MCPW_HTTP_VERDICT_INIT;
    v.scopes = mcpw_str_from(exchange->server->guard->protect.anonymous_scopes);
    if (v.scopes.ptr == NULL) {
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, 0, NULL, NULL, needs_token);
        return false;
    }
    if (mcpw_access_hold(exchange, &v, false) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
        return false;
    }
    return true;
}

static mcpw_gate_state admit(mcpw_http_exchange *exchange) {
    const mcpw_guard *const guard = exchange->server->guard;
    mcpw_http_credentials c = MCPW_SIZED(mcpw_http_credentials);
    const mcpw_status status = credentials_of(exchange, &c);
    bool is_admitted = false;
    if (status == MCPW_E_FORMAT) {
        refuse(exchange, MCPW_HTTP_BAD_REQUEST, 0, "invalid_request", NULL, malformed);
    } else if (guard != NULL && status == MCPW_E_NOT_FOUND) {
        is_admitted = admit_anonymous(exchange);
    } else if (guard != NULL && guard->verifier.verify != NULL) {
        return verify(exchange, &c);
    } else if (exchange->server->config.authorize == NULL || c.scheme == MCPW_HTTP_DPOP) {
        refuse(exchange, MCPW_HTTP_UNAUTHORIZED, 0, NULL, NULL, needs_token);
    } else {
        exchange->scheme = c.scheme;
        is_admitted = authorize(exchange, c.token);
    }
    return is_admitted ? MCPW_GATE_OPEN : MCPW_GATE_SHUT;
}

mcpw_gate_state mcpw_gate_admit(mcpw_http_exchange *exchange) {
    const mcpw_http_server *const server = exchange->server;
    const mcpw_gate_state state =
        server->config.authorize != NULL || server->guard != NULL ? admit(exchange) : MCPW_GATE_OPEN;
    if (state != MCPW_GATE_PENDING) {
        mcpw_access_wipe(exchange);
    }
    return state;
}
