/* SPDX-License-Identifier: MIT */
/* Answers to CORS preflight requests. (WHATWG Fetch, "HTTP-CORS protocol".) */
#include "fields.h"
#include "gate.h"
/* The fields that MCP clients send. Fields that repeat arguments have the prefix below. */
static const mcpw_str known =
    MCPW_STR("accept, authorization, content-type, dpop, last-event-id, mcp-method, mcp-name, "
             "mcp-protocol-version, mcp-session-id");
static const mcpw_str prefix = MCPW_STR("mcp-param-");

bool mcpw_cors_is_preflight(const mcpw_http_exchange *exchange, mcpw_str method) {
    mcpw_str wanted;
    return exchange->server->config.cors && exchange->origin.ptr != NULL && mcpw_str_is(method, "OPTIONS") &&
           mcpw_header_count(exchange, MCPW_STR_VALUE("Access-Control-Request-Method"), &wanted) == 1;
}

/* True if a page may send a field that is not in the list above. */
static bool may_send(const mcpw_http_config *config, mcpw_str name) {
    mcpw_str list = mcpw_str_from(config->cors_fields);
    mcpw_str part;
    if (name.len > prefix.len && mcpw_header_is((mcpw_str){name.ptr, prefix.len}, prefix)) {
        return mcpw_header_is_token(name);
    }
    while (list.ptr != NULL && mcpw_header_part(&list, ' ', &part)) {
        if (part.len != 0 && mcpw_header_is(part, name)) {
            return true;
        }
    }
    return false;
}

/* The fields above and the allowed ones that the page asks for. Absent: no memory. */
static mcpw_str allowed_fields(mcpw_http_exchange *exchange) {
    mcpw_buffer *const out = &exchange->gate;
    mcpw_str wanted;
    mcpw_str name;
    out->len = 0;
    mcpw_status status = mcpw_buffer_append(out, known.ptr, known.len);
    (void)mcpw_header_count(exchange, MCPW_STR_VALUE("Access-Control-Request-Headers"), &wanted);
    while (status == MCPW_OK && mcpw_header_part(&wanted, ',', &name)) {
        if (may_send(&exchange->server->config, name)) {
            status = mcpw_buffer_append(out, ", ", 2);
            status = status == MCPW_OK ? mcpw_buffer_append(out, name.ptr, name.len) : status;
        }
    }
    return status == MCPW_OK ? (mcpw_str){out->data, out->len} : (mcpw_str){NULL, 0};
}

void mcpw_cors_answer(mcpw_http_exchange *exchange) {
    static const mcpw_str all = MCPW_STR("GET, POST, DELETE");
    static const mcpw_str one = MCPW_STR("GET, POST"); /* the metadata are read by GET */
    const mcpw_str fields = allowed_fields(exchange);
    if (fields.ptr == NULL) {
        mcpw_exchange_fail(exchange);
        return;
    }
    mcpw_exchange_begin(exchange, MCPW_HTTP_NO_CONTENT);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Access-Control-Allow-Methods"),
                      mcpw_serves_sessions(exchange->server) ? all : one);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Access-Control-Allow-Headers"), fields);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Access-Control-Max-Age"), MCPW_STR_VALUE("600"));
    mcpw_exchange_finish(exchange);
}
