/* SPDX-License-Identifier: MIT */
/* Checks of the body, in the order of the specification: clients see which of several faults is reported
 * first. The session finds the faults that come after these. (MCP 2026-07-28, "Streamable HTTP", server
 * validation; "Versioning and Compatibility".) */
#include "body.h"

#include "core/fields.h"
#include "core/gate.h"
#include "core/parameters.h"
#include "session/session_exchange.h"

#include <mcpw/detail/session.h>
#include <mcpw/policy.h>
#include <mcpw/server.h>

static const mcpw_json absent = {NULL, 0, 0};

/* The members of a message that these checks need. */
typedef struct message {
    mcpw_http_exchange *exchange;
    mcpw_json id;
    mcpw_message_envelope *envelope;
    mcpw_str method;  /* absent: it is a response, which may belong to a session */
    mcpw_str version; /* the version that its _meta names; absent: none, or no string */
    bool is_named;    /* its _meta has the version member, of whatever type */
} message;

static bool refuse(message *m, int64_t code, const char *why) {
    const bool is_unknown = code == MCPW_RPC_METHOD_NOT_FOUND;
    mcpw_exchange_refuse(m->exchange, is_unknown ? MCPW_HTTP_NOT_FOUND : MCPW_HTTP_BAD_REQUEST, code, m->id,
                         why);
    return false;
}

static bool fail(message *m) {
    mcpw_exchange_refuse(m->exchange, MCPW_HTTP_UNAVAILABLE, MCPW_RPC_INTERNAL_ERROR, m->id, "Out of memory");
    return false;
}

static bool is_memory(mcpw_status status) { return status == MCPW_E_MEMORY || status == MCPW_E_ARENA; }

static mcpw_json at(const message *m, mcpw_envelope_at member) { return m->envelope->at[member]; }

/* Checks that a member appears at most once. False: it appears twice, and the request was refused: another
 * reader may use the other one. */
static bool is_once(message *m, mcpw_envelope_at member) {
    return !mcpw_envelope_is_twice(m->envelope, member) ||
           refuse(m, MCPW_RPC_INVALID_REQUEST, "Invalid Request: a member occurs twice");
}

/* Reads a string member; *out is absent if the member has another type. */
static bool text_of(message *m, mcpw_envelope_at member, mcpw_str *out) {
    return !is_memory(mcpw_envelope_string(m->envelope, member, &m->exchange->server->scratch, out)) ||
           fail(m);
}

/* ---- The message ---- */

static bool is_id(mcpw_json id) {
    int64_t number;
    return mcpw_json_kind_of(id) == MCPW_JSON_STRING || mcpw_json_int(id, &number) == MCPW_OK;
}

/* Reads the kind of the message. */
static bool read_message(message *m, mcpw_json text) {
    if (mcpw_envelope_read(m->envelope, text, 0, NULL) != MCPW_OK) {
        return refuse(m, MCPW_RPC_PARSE_ERROR, "Parse error: the body is not JSON");
    }
    if (mcpw_json_kind_of(text) != MCPW_JSON_OBJECT) {
        return refuse(m, MCPW_RPC_INVALID_REQUEST, "Invalid Request: the body is one message, an object");
    }
    if (!is_once(m, MCPW_AT_ID)) {
        return false;
    }
    const mcpw_json id = at(m, MCPW_AT_ID);
    const mcpw_json method = at(m, MCPW_AT_METHOD);
    m->exchange->is_request = id.ptr != NULL;
    if (id.ptr != NULL && !is_id(id)) {
        return refuse(m, MCPW_RPC_INVALID_REQUEST, "Invalid Request: an id is a string or an integer");
    }
    m->id = id;
    if (!is_once(m, MCPW_AT_METHOD) || !is_once(m, MCPW_AT_PARAMS)) {
        return false;
    }
    if (method.ptr == NULL && mcpw_http_session_is_named(m->exchange)) {
        m->exchange->is_request = false;
        return true;
    }
    if (method.ptr == NULL) {
        return refuse(m, MCPW_RPC_INVALID_REQUEST,
                      "Invalid Request: no method, and this server sends no requests");
    }
    if (mcpw_json_kind_of(method) != MCPW_JSON_STRING) {
        return refuse(m, MCPW_RPC_INVALID_REQUEST, "Invalid Request: a method is a string");
    }
    return text_of(m, MCPW_AT_METHOD, &m->method);
}

/* ---- Version ---- */

static bool read_meta(message *m) {
    m->is_named = at(m, MCPW_AT_VERSION).ptr != NULL;
    return is_once(m, MCPW_AT_META) && is_once(m, MCPW_AT_VERSION) &&
           text_of(m, MCPW_AT_VERSION, &m->version);
}

static bool check_meta(message *m) {
    if (!is_once(m, MCPW_AT_CAPABILITIES)) {
        return false;
    }
    if (m->version.ptr == NULL || mcpw_json_kind_of(at(m, MCPW_AT_CAPABILITIES)) != MCPW_JSON_OBJECT) {
        return refuse(m, MCPW_RPC_INVALID_PARAMS,
                      "Invalid params: _meta must have io.modelcontextprotocol/protocolVersion and "
                      "io.modelcontextprotocol/clientCapabilities");
    }
    return true;
}

/* Checks that a header field appears once with the expected value. *counted receives how often it appears. */
static mcpw_status check_field(message *m, const char *name, mcpw_str expected, size_t *counted) {
    mcpw_str value;
    *counted = mcpw_header_count(m->exchange, mcpw_str_from(name), &value);
    if (*counted != 1) {
        return MCPW_E_VALUE;
    }
    const mcpw_status status = mcpw_header_unwrap(&m->exchange->server->scratch, value, &value);
    if (status != MCPW_OK) {
        return status;
    }
    return mcpw_str_equal(value, expected) ? MCPW_OK : MCPW_E_VALUE;
}

/* Refuses the request unless the field repeats the value in the body. */
static bool require_field(message *m, const char *name, mcpw_str expected, const char *why) {
    size_t count;
    const mcpw_status status = check_field(m, name, expected, &count);
    if (is_memory(status)) {
        return fail(m);
    }
    return status == MCPW_OK || refuse(m, MCPW_RPC_HEADER_MISMATCH, why);
}

static const char version_field[] = "MCP-Protocol-Version";
static const char method_field[] = "Mcp-Method";
static const char wrong_version[] =
    "Header mismatch: MCP-Protocol-Version is missing, or is not the version in _meta";
static const char wrong_method[] = "Header mismatch: Mcp-Method is missing, or is not the method";

/* Finds the revision of that name, if the endpoint supports it and it has no handshake. */
static const mcpw_revision *modern(const message *m, mcpw_str version) {
    const mcpw_revision *const found = mcpw_endpoint_revision(m->exchange->server->config.endpoint, version);
    return found != NULL && !mcpw_revision_has_handshake(found) ? found : NULL;
}

/* ---- Names ---- */

/* The member of the params that Mcp-Name repeats; MCPW_AT_COUNT: none. */
static mcpw_envelope_at named_by(const message *m) {
    static const struct {
        const char *method;
        mcpw_envelope_at member;
    } names[] = {{"tools/call", MCPW_AT_NAME},      {"prompts/get", MCPW_AT_NAME},
                 {"resources/read", MCPW_AT_URI},   {"tasks/get", MCPW_AT_TASK_ID},
                 {"tasks/update", MCPW_AT_TASK_ID}, {"tasks/cancel", MCPW_AT_TASK_ID}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (mcpw_str_is(m->method, names[i].method)) {
            return names[i].member;
        }
    }
    return MCPW_AT_COUNT;
}

static bool check_arguments(message *m, mcpw_str tool) {
    const mcpw_server *const server = mcpw_endpoint_server(m->exchange->server->config.endpoint);
    const mcpw_json schema = server != NULL ? mcpw_server_tool_schema(server, tool) : absent;
    if (!is_once(m, MCPW_AT_ARGUMENTS)) {
        return false;
    }
    const mcpw_status status = mcpw_parameters_check(m->exchange, schema, at(m, MCPW_AT_ARGUMENTS));
    if (is_memory(status)) {
        return fail(m);
    }
    return status == MCPW_OK ||
           refuse(m, MCPW_RPC_HEADER_MISMATCH,
                  "Header mismatch: an Mcp-Param header is missing, or is not the argument of the tool");
}

static bool check_names(message *m) {
    const mcpw_envelope_at named = named_by(m);
    mcpw_str name;
    if (!require_field(m, method_field, m->method, wrong_method)) {
        return false;
    }
    if (named == MCPW_AT_COUNT) {
        return true;
    }
    if (!is_once(m, named) || !text_of(m, named, &name)) {
        return false;
    }
    if (name.ptr == NULL) {
        return true; /* a later check refuses params without it */
    }
    return require_field(m, "Mcp-Name", name, "Header mismatch: Mcp-Name is missing, or is not the name") &&
           (!mcpw_str_is(m->method, "tools/call") || check_arguments(m, name));
}

/* ---- All of it ---- */

static bool check_request(message *m) {
    if (!check_meta(m) || !require_field(m, version_field, m->version, wrong_version)) {
        return false;
    }
    const mcpw_revision *const revision = modern(m, m->version);
    if (revision == NULL) {
        return true; /* the session decides which methods exist */
    }
    if (!check_names(m)) {
        return false;
    }
    return mcpw_method_number(revision, m->method.ptr, m->method.len) != 0 ||
           mcpw_endpoint_has_added(m->exchange->server->config.endpoint, m->method) ||
           refuse(m, MCPW_RPC_METHOD_NOT_FOUND, "Method not found");
}

/* A notification has no _meta to name a version, so only its headers are checked. */
static bool check_notification(message *m) {
    mcpw_str version;
    size_t count = mcpw_header_count(m->exchange, mcpw_str_from(version_field), &version);
    if (count > 1 || (count == 1 && modern(m, version) == NULL)) {
        return refuse(m, MCPW_RPC_INVALID_REQUEST,
                      "Invalid Request: this server does not support MCP-Protocol-Version");
    }
    const mcpw_status status = check_field(m, method_field, m->method, &count);
    if (is_memory(status)) {
        return fail(m);
    }
    return status == MCPW_OK || count == 0 || refuse(m, MCPW_RPC_HEADER_MISMATCH, wrong_method);
}

/* ---- Eras ---- */

/* True if the header names a revision without a handshake. */
static bool names_modern(const message *m) {
    mcpw_str version;
    return mcpw_header_count(m->exchange, mcpw_str_from(version_field), &version) != 0 &&
           modern(m, version) != NULL;
}

/* Decides which kind of exchange a valid message opens. (MCP 2026-07-28, "Versioning and Compatibility": the
 * client's first message decides.) */
static mcpw_body_verdict verdict_of(const message *m) {
    const mcpw_http_exchange *const exchange = m->exchange;
    const bool is_named = mcpw_http_session_is_named(exchange);
    const mcpw_body_verdict http_session =
        mcpw_str_is(m->method, "initialize") && !is_named ? MCPW_BODY_OPENS : MCPW_BODY_IN_SESSION;
    if (!mcpw_serves_sessions(exchange->server)) {
        return MCPW_BODY_ALONE;
    }
    if (!mcpw_serves_alone(exchange->server) || m->method.ptr == NULL) {
        return http_session;
    }
    if (m->is_named) {
        return MCPW_BODY_ALONE;
    }
    if (http_session == MCPW_BODY_OPENS || mcpw_http_session_is_live(exchange)) {
        return http_session;
    }
    return names_modern(m) ? MCPW_BODY_ALONE : http_session;
}

static bool is_array(mcpw_json text) {
    const char *const end = text.ptr + text.len;
    const char *at = text.ptr;
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) {
        at++;
    }
    return at != end && *at == '[';
}

mcpw_body_verdict mcpw_exchange_check_body(mcpw_http_exchange *exchange, mcpw_message_envelope *envelope) {
    const mcpw_json text = {exchange->body.len != 0 ? exchange->body.data : "", exchange->body.len, 0};
    message m = {.exchange = exchange, .envelope = envelope};
    if (is_array(text) && mcpw_serves_sessions(exchange->server)) {
        return mcpw_scopes_admit_batch(exchange, text) ? MCPW_BODY_BATCH : MCPW_BODY_ANSWERED;
    }
    if (!read_message(&m, text) || !mcpw_scopes_admit(exchange, m.method, envelope) || !read_meta(&m)) {
        return MCPW_BODY_ANSWERED;
    }
    const mcpw_body_verdict verdict = verdict_of(&m);
    exchange->cancels = mcpw_str_is(m.method, "notifications/cancelled");
    exchange->listens = mcpw_str_is(m.method, "subscriptions/listen");
    if (verdict != MCPW_BODY_ALONE) {
        return verdict;
    }
    exchange->is_standing = exchange->listens && exchange->is_request;
    const bool is_right = exchange->is_request ? check_request(&m) : check_notification(&m);
    return is_right ? MCPW_BODY_ALONE : MCPW_BODY_ANSWERED;
}
