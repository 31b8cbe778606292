/* SPDX-License-Identifier: MIT */
/* The access of an exchange: what is kept of a verdict, and the wait for one. */
#include "fields.h"
#include "gate.h"

static const mcpw_str none = {NULL, 0};

const mcpw_held_access *mcpw_gate_access(const mcpw_http_exchange *exchange) {
    return exchange->access.len != 0 ? (const mcpw_held_access *)(const void *)exchange->access.data : NULL;
}

static mcpw_str put(char **to, mcpw_str text) {
    const mcpw_str copied = {text.ptr != NULL ? *to : NULL, text.len};
    if (text.ptr != NULL && text.len != 0) {
        memcpy(*to, text.ptr, text.len);
    }
    *to += text.len;
    return copied;
}

/* Writes the principal: "ISSUER SUBJECT", or "ISSUER", a tab and the client. An issuer has no blanks, so
 * different pairs differ as texts. Without an issuer the subject stands alone, or a tab and the client. */
static mcpw_str put_principal(char **to, const mcpw_http_verdict *v, mcpw_http_access *access) {
    const char *const begin = *to;
    access->issuer = put(to, v->issuer);
    if (v->issuer.ptr == NULL && (v->subject.len != 0 || v->client_id.len == 0)) {
        access->subject = put(to, v->subject);
        return access->subject;
    }
    *(*to)++ = v->subject.len != 0 ? ' ' : '\t';
    const mcpw_str name = put(to, v->subject.len != 0 ? v->subject : v->client_id);
    access->subject = v->subject.len != 0 ? name : none;
    return (mcpw_str){begin, (size_t)(*to - begin)};
}

mcpw_status mcpw_access_hold(mcpw_http_exchange *exchange, const mcpw_http_verdict *v, bool has_token) {
    mcpw_held_access held = {.nonce = none, .has_token = has_token};
    const size_t room = sizeof held + v->issuer.len + 1 + v->subject.len + 2 * v->client_id.len +
                        v->scopes.len + v->dpop_nonce.len;
    mcpw_buffer *const out = &exchange->access;
    out->len = 0;
    const mcpw_status status = mcpw_buffer_reserve(out, room);
    if (status != MCPW_OK) {
        return status;
    }
    char *to = out->data + sizeof held;
    exchange->principal = put_principal(&to, v, &held.access);
    held.access.client_id = put(&to, v->client_id);
    held.access.scopes = put(&to, v->scopes);
    held.nonce = put(&to, v->dpop_nonce);
    held.access.expires_at = v->expires_at;
    memcpy(out->data, &held, sizeof held);
    out->len = (size_t)(to - out->data);
    exchange->access_ends =
        v->lifetime_ms != 0 ? mcpw_time_after(exchange->server->now, v->lifetime_ms) : UINT64_MAX;
    return MCPW_OK;
}

void mcpw_access_wipe(const mcpw_http_exchange *exchange) {
    for (size_t i = 0; i < exchange->field_count; i++) {
        const mcpw_http_field *const field = exchange->fields + i;
        if (field->value.len != 0 && mcpw_header_is_secret(field->name)) {
            memset((char *)(uintptr_t)field->value.ptr, ' ', field->value.len);
        }
    }
}

void mcpw_access_end_wait(mcpw_http_exchange *exchange) {
    exchange->waits = false;
    exchange->server->waiting_count--;
    exchange->server->waiting_bytes -= exchange->body.len;
}

void mcpw_gate_forget(mcpw_http_exchange *exchange) {
    if (exchange->waits) {
        const mcpw_http_verifier *const verifier = &exchange->server->guard->verifier;
        mcpw_access_end_wait(exchange);
        if (verifier->cancel != NULL) {
            verifier->cancel(verifier->self, exchange);
        }
        mcpw_access_wipe(exchange);
    }
}
