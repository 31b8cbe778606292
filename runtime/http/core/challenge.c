/* SPDX-License-Identifier: MIT */
/* Challenges, which tell a client how to get access. (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728,
 * section 5.1.) */
#include "gate.h"

/* Adds a parameter to the challenge, if it has a value. Characters that a quoted string cannot contain are
 * dropped. */
static mcpw_status add_parameter(mcpw_buffer *out, size_t after_scheme, const char *name, mcpw_str value) {
    mcpw_status status = MCPW_OK;
    const char *const separator = out->len == after_scheme ? " " : ", ";
    if (value.ptr == NULL) {
        return MCPW_OK;
    }
    status = mcpw_buffer_append(out, separator, strlen(separator));
    status = status == MCPW_OK ? mcpw_buffer_append(out, name, strlen(name)) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(out, "=\"", 2) : status;
    for (size_t i = 0; status == MCPW_OK && i < value.len; i++) {
        const char c = value.ptr[i];
        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
            status = mcpw_buffer_append(out, &c, 1);
        }
    }
    return status == MCPW_OK ? mcpw_buffer_append(out, "\"", 1) : status;
}

/* Writes the challenge of one scheme. The error belongs to the scheme that the client has used. */
static mcpw_status write_challenge(const mcpw_http_exchange *exchange, const mcpw_challenge *c,
                                   mcpw_http_scheme scheme, mcpw_buffer *out) {
    const mcpw_guard *const guard = exchange->server->guard;
    const mcpw_str none = {NULL, 0};
    const bool has_error = c->scheme == 0 || c->scheme == scheme;
    const char *const name = scheme == MCPW_HTTP_DPOP ? "DPoP" : "Bearer";
    const mcpw_str algorithms =
        scheme == MCPW_HTTP_DPOP ? mcpw_str_from(guard->verifier.dpop_algorithms) : none;
    mcpw_status status = mcpw_buffer_append(out, name, strlen(name));
    const size_t after = out->len;
    const struct {
        const char *name;
        mcpw_str value;
    } parameters[] = {{"resource_metadata", exchange->server->metadata_url},
                      {"error", has_error ? c->error : none},
                      {"error_description", has_error ? c->description : none},
                      {"scope", c->scope},
                      {"algs", algorithms}};
    for (size_t i = 0; status == MCPW_OK && i < sizeof parameters / sizeof *parameters; i++) {
        status = add_parameter(out, after, parameters[i].name, parameters[i].value);
    }
    return status;
}

void mcpw_challenge_send(mcpw_http_exchange *exchange, const mcpw_challenge *c) {
    static const mcpw_str field = MCPW_STR("WWW-Authenticate");
    const mcpw_guard *const guard = exchange->server->guard;
    const bool has_dpop = guard != NULL && guard->verifier.dpop_algorithms != NULL;
    const bool has_bearer = !has_dpop || !guard->verifier.dpop_required;
    const mcpw_http_scheme first =
        has_dpop && (c->scheme == MCPW_HTTP_DPOP || !has_bearer) ? MCPW_HTTP_DPOP : MCPW_HTTP_BEARER;
    const mcpw_http_scheme second = first == MCPW_HTTP_DPOP ? MCPW_HTTP_BEARER : MCPW_HTTP_DPOP;
    mcpw_buffer *const out = &exchange->gate;
    out->len = 0;
    mcpw_status status = write_challenge(exchange, c, first, out);
    const size_t len = out->len;
    if (status == MCPW_OK && has_dpop && has_bearer) {
        status = write_challenge(exchange, c, second, out);
    }
    if (status != MCPW_OK) {
        mcpw_exchange_fail(exchange);
        return;
    }
    mcpw_exchange_refuse(exchange, c->status, MCPW_RPC_INVALID_REQUEST, c->id, c->why);
    mcpw_exchange_add(exchange, field, (mcpw_str){out->data, len});
    if (out->len != len) {
        mcpw_exchange_add(exchange, field, (mcpw_str){out->data + len, out->len - len});
    }
}
