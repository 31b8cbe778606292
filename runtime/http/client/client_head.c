/* SPDX-License-Identifier: MIT */
/* The heads of requests. */
#include "../core/fields.h"
#include "client.h"

enum {
    OWN_FIELDS = 9 /* fields of the library in one request */,
    MORE_FIELDS = 32 /* fields of add_fields */
};

const char *mcpw_http_calls_method(const mcpw_http_call *call) {
    if (call->purpose == MCPW_CALL_GOODBYE) {
        return "DELETE";
    }
    return call->purpose == MCPW_CALL_LISTEN || call->resumes ? "GET" : "POST";
}

static void add(mcpw_http_call *call, mcpw_str name, mcpw_str value) {
    call->fields[call->field_count++] = (mcpw_http_field){name, value};
}

/* The member of params that Mcp-Name repeats; NULL: none. (MCP 2026-07-28, "Streamable HTTP", standard
 * headers.) */
static const char *named_by(mcpw_str method) {
    static const char *const members[][2] = {{"tools/call", "name"},     {"prompts/get", "name"},
                                             {"resources/read", "uri"},  {"tasks/get", "taskId"},
                                             {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (mcpw_str_is(method, members[i][0])) {
            return members[i][1];
        }
    }
    return NULL;
}

/* Adds the fields of a stateless message. */
static mcpw_status add_alone(mcpw_http_call *call) {
    const char *const member = named_by(call->method);
    mcpw_str name;
    add(call, MCPW_STR_VALUE("MCP-Protocol-Version"), call->version);
    add(call, MCPW_STR_VALUE("Mcp-Method"), call->method);
    if (member == NULL || mcpw_json_get_string(call->params, member, &call->head, &name) != MCPW_OK) {
        return MCPW_OK;
    }
    name = mcpw_header_wrap(&call->head, name);
    if (name.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    add(call, MCPW_STR_VALUE("Mcp-Name"), name);
    return mcpw_str_is(call->method, "tools/call") ? mcpw_http_calls_add_tool_fields(call) : MCPW_OK;
}

/* Adds the fields of a message in a session. There are none before the session is open. */
static mcpw_status add_session(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    const mcpw_revision *const revision = mcpw_session_revision(client->config.session);
    call->session = 0;
    if (call->purpose == MCPW_CALL_REOPEN || mcpw_str_is(call->method, "initialize")) {
        return MCPW_OK;
    }
    if (revision != NULL) {
        add(call, MCPW_STR_VALUE("MCP-Protocol-Version"), mcpw_str_from(mcpw_revision_name(revision)));
    }
    if (client->session_id.len != 0) { /* a copy: the id may change while the request is under way */
        const mcpw_str id = mcpw_arena_str(&call->head, client->session_id.data, client->session_id.len);
        if (id.ptr == NULL) {
            return MCPW_E_MEMORY;
        }
        add(call, MCPW_STR_VALUE("Mcp-Session-Id"), id);
        call->session = client->session;
    }
    const mcpw_str last = mcpw_event_reader_id(&call->events);
    if (last.len != 0 && mcpw_header_is_plain(last)) {
        add(call, MCPW_STR_VALUE("Last-Event-ID"), last);
    }
    return MCPW_OK;
}

static mcpw_status add_token(mcpw_http_call *call) {
    static const mcpw_str scheme = MCPW_STR("Bearer ");
    const mcpw_http_client_config *const config = &call->client->config;
    mcpw_str token = {call->token.data, call->token.len};
    if (!call->was_challenged) {
        token =
            config->token != NULL ? config->token(config->user, (mcpw_str){NULL, 0}) : (mcpw_str){NULL, 0};
    }
    if (token.ptr == NULL || !mcpw_header_is_plain(token)) {
        return MCPW_OK;
    }
    char *const text = mcpw_arena_alloc(&call->head, scheme.len + token.len);
    if (text == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(text, scheme.ptr, scheme.len);
    memcpy(text + scheme.len, token.ptr, token.len);
    add(call, MCPW_STR_VALUE("Authorization"), (mcpw_str){text, scheme.len + token.len});
    return MCPW_OK;
}

/* Adds the program's own fields, for all requests and for this one. */
static mcpw_status add_own(mcpw_http_call *call) {
    const mcpw_http_client_config *const config = &call->client->config;
    mcpw_http_field more[MORE_FIELDS];
    for (size_t i = 0; i < config->field_count; i++) {
        add(call, config->fields[i].name, config->fields[i].value);
    }
    size_t count =
        config->add_fields != NULL ? config->add_fields(config->user, call->method, more, MORE_FIELDS) : 0;
    count = count < MORE_FIELDS ? count : MORE_FIELDS;
    for (size_t i = 0; i < count; i++) {
        const mcpw_str name = mcpw_arena_str(&call->head, more[i].name.ptr, more[i].name.len);
        const mcpw_str value = mcpw_arena_str(&call->head, more[i].value.ptr, more[i].value.len);
        if (name.ptr == NULL || value.ptr == NULL) {
            return MCPW_E_MEMORY;
        }
        if (mcpw_header_is_token(name) && mcpw_header_is_plain(value)) {
            add(call, name, value);
        } else {
            mcpw_http_calls_warn(call->client, "a field of add_fields cannot stand in a header", name);
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_http_calls_write_head(mcpw_http_call *call) {
    const size_t room =
        OWN_FIELDS + MORE_FIELDS + call->client->config.field_count + mcpw_http_calls_tool_fields(call);
    const char *const method = mcpw_http_calls_method(call);
    mcpw_arena_reset(&call->head);
    call->field_count = 0;
    call->fields = mcpw_arena_alloc(&call->head, room * sizeof *call->fields);
    if (call->fields == NULL) {
        return MCPW_E_MEMORY;
    }
    if (method[0] == 'P') {
        add(call, MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("application/json"));
        add(call, MCPW_STR_VALUE("Accept"), MCPW_STR_VALUE("application/json, text/event-stream"));
    } else if (method[0] == 'G') {
        add(call, MCPW_STR_VALUE("Accept"), MCPW_STR_VALUE("text/event-stream"));
    }
    mcpw_status status = call->version.ptr != NULL ? add_alone(call) : add_session(call);
    status = status == MCPW_OK ? add_token(call) : status;
    status = status == MCPW_OK ? add_own(call) : status;
    mcpw_str token;
    call->has_token =
        mcpw_header_find(call->fields, call->field_count, MCPW_STR_VALUE("Authorization"), &token) != 0;
    return status;
}
