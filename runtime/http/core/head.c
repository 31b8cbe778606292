/* SPDX-License-Identifier: MIT */
/* Checks of the head: host, origin, method and media types. */
#include "fields.h"
#include "framing.h"
#include "gate.h"
#include <stdio.h>

static const mcpw_str any = MCPW_STR("*");
static const mcpw_str loopback = MCPW_STR("localhost 127.0.0.1 [::1]");
static const mcpw_json no_id = {NULL, 0, 0};

/* ---- Hosts and origins ---- */

static bool is_among(mcpw_str list, mcpw_str text) {
    mcpw_str part;
    while (mcpw_header_part(&list, ' ', &part)) {
        if (part.len != 0 && mcpw_header_is(text, part)) {
            return true;
        }
    }
    return false;
}

static bool is_host_among(mcpw_str list, mcpw_str host) {
    const mcpw_str name = mcpw_host_without_port(host);
    return is_among(list, name) || (name.len != host.len && is_among(list, host));
}

static bool serves_host(const mcpw_http_config *config, mcpw_str host) {
    const mcpw_str hosts = config->hosts != NULL ? mcpw_str_from(config->hosts) : loopback;
    return mcpw_str_equal(hosts, any) || is_host_among(hosts, host);
}

/* The host of a web origin; absent if the origin is of another kind, such as "null". */
static mcpw_str host_of(mcpw_str origin) {
    static const mcpw_str schemes[] = {MCPW_STR("http://"), MCPW_STR("https://")};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const mcpw_str begin = {origin.ptr, schemes[i].len};
        if (origin.len > schemes[i].len && mcpw_header_is(begin, schemes[i])) {
            return (mcpw_str){origin.ptr + begin.len, origin.len - begin.len};
        }
    }
    return (mcpw_str){NULL, 0};
}

static bool serves_origin(const mcpw_http_config *config, mcpw_str origin) {
    if (config->origins != NULL) {
        const mcpw_str origins = mcpw_str_from(config->origins);
        return mcpw_str_equal(origins, any) || is_among(origins, origin);
    }
    const mcpw_str hosts = config->hosts != NULL ? mcpw_str_from(config->hosts) : loopback;
    const mcpw_str host = host_of(origin);
    return host.ptr != NULL && is_host_among(mcpw_str_equal(hosts, any) ? loopback : hosts, host);
}

/* Refuses a host or an origin, and names the option that allows it. A name with other than plain characters
 * is not repeated in the message. */
static void refuse_name(mcpw_http_exchange *exchange, const char *kind, mcpw_str name) {
    enum { MOST_NAMED = 80, ROOM = 256 };
    char shown[MOST_NAMED + 1];
    char why[ROOM];
    const size_t len = name.len < MOST_NAMED ? name.len : MOST_NAMED;
    for (size_t i = 0; i < len; i++) {
        shown[i] = name.ptr[i] >= ' ' && name.ptr[i] <= '~' ? name.ptr[i] : '?';
    }
    shown[len] = '\0';
    (void)snprintf(why, sizeof why,
                   "Forbidden: the %s '%s%s' is not served; mcpw_http_config.%ss or --allow-%s allows it",
                   kind, shown, len < name.len ? "..." : "", kind, kind);
    mcpw_exchange_refuse(exchange, MCPW_HTTP_FORBIDDEN, MCPW_RPC_INVALID_REQUEST, no_id, why);
}

/* Checks that host and origin are allowed; refuses the request otherwise. Stores the origin. A URL in the
 * request line takes precedence over the Host field. (RFC 9112, 3.2.2.) */
static bool is_served(mcpw_http_exchange *exchange, mcpw_str authority) {
    const mcpw_http_config *const config = &exchange->server->config;
    mcpw_str host = authority;
    mcpw_str origin;
    if (host.ptr == NULL) {
        (void)mcpw_header_count(exchange, MCPW_STR_VALUE("Host"), &host);
    }
    if (!serves_host(config, host)) {
        refuse_name(exchange, "host", host);
        return false;
    }
    const size_t origins = mcpw_header_count(exchange, MCPW_STR_VALUE("Origin"), &origin);
    if (origins > 1 || (origins == 1 && !serves_origin(config, origin))) {
        refuse_name(exchange, "origin", origin);
        return false;
    }
    exchange->origin = origin;
    return true;
}

/* ---- Media types ---- */

/* The media type without its parameters. */
static mcpw_str essence_of(mcpw_str type) {
    mcpw_str essence = {"", 0};
    (void)mcpw_header_part(&type, ';', &essence);
    return essence;
}

static bool is_json(const mcpw_http_exchange *exchange) {
    mcpw_str type;
    mcpw_str coding;
    const size_t codings = mcpw_header_count(exchange, MCPW_STR_VALUE("Content-Encoding"), &coding);
    return mcpw_header_count(exchange, MCPW_STR_VALUE("Content-Type"), &type) == 1 &&
           mcpw_header_is(essence_of(type), MCPW_STR_VALUE("application/json")) &&
           (codings == 0 || (codings == 1 && mcpw_header_is(coding, MCPW_STR_VALUE("identity"))));
}

/* The media types that a client accepts, as bits. */
enum { TAKES_JSON = 1, TAKES_EVENTS = 2, TAKES_BOTH = TAKES_JSON | TAKES_EVENTS };

static unsigned taken_by(mcpw_str range) {
    static const struct {
        mcpw_str range;
        unsigned takes;
    } ranges[] = {{MCPW_STR("application/json"), TAKES_JSON},
                  {MCPW_STR("text/event-stream"), TAKES_EVENTS},
                  {MCPW_STR("application/*"), TAKES_JSON},
                  {MCPW_STR("text/*"), TAKES_EVENTS},
                  {MCPW_STR("*/*"), TAKES_BOTH}};
    const mcpw_str essence = essence_of(range);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (mcpw_header_is(essence, ranges[i].range)) {
            return ranges[i].takes;
        }
    }
    return 0;
}

/* True if the client accepts those media types. A request without Accept accepts every type. */
static bool takes_answers(const mcpw_http_exchange *exchange, unsigned kinds) {
    unsigned takes = 0;
    bool says = false;
    for (size_t i = 0; i < exchange->field_count; i++) {
        mcpw_str list = exchange->fields[i].value;
        mcpw_str range;
        if (mcpw_header_is(exchange->fields[i].name, MCPW_STR_VALUE("Accept"))) {
            says = true;
            while (mcpw_header_part(&list, ',', &range)) {
                takes |= taken_by(range);
            }
        }
    }
    return !says || (takes & kinds) == kinds;
}

/* ---- The head ---- */

static bool is_too_large(const mcpw_http_exchange *exchange) {
    mcpw_str length;
    uint64_t bytes = 0;
    return mcpw_header_count(exchange, MCPW_STR_VALUE("Content-Length"), &length) != 0 &&
           mcpw_framing_length(length, &bytes) && bytes > exchange->server->config.max_body;
}

static void refuse(mcpw_http_exchange *exchange, int status, const char *why) {
    mcpw_exchange_refuse(exchange, status, MCPW_RPC_INVALID_REQUEST, no_id, why);
}

static void refuse_method(mcpw_http_exchange *exchange) {
    const mcpw_str all = MCPW_STR_VALUE("GET, POST, DELETE");
    const mcpw_str one = MCPW_STR_VALUE("POST");
    refuse(exchange, MCPW_HTTP_METHOD_NOT_ALLOWED, "Method not allowed: messages are sent by POST");
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("Allow"), mcpw_serves_sessions(exchange->server) ? all : one);
}

/* Checks a request without a body. */
static mcpw_head_verdict without_body(mcpw_http_exchange *exchange) {
    const bool is_delete = mcpw_str_is(exchange->method, "DELETE");
    if (!mcpw_serves_sessions(exchange->server) || (!is_delete && !mcpw_str_is(exchange->method, "GET"))) {
        refuse_method(exchange);
    } else if (is_delete) {
        return MCPW_HEAD_DELETE;
    } else if (!takes_answers(exchange, TAKES_EVENTS)) {
        refuse(exchange, MCPW_HTTP_NOT_ACCEPTABLE, "Not acceptable: Accept must list text/event-stream");
    } else {
        return MCPW_HEAD_GET;
    }
    return MCPW_HEAD_ANSWERED;
}

mcpw_head_verdict mcpw_exchange_check_head(mcpw_http_exchange *exchange, const mcpw_http_request *request) {
    const mcpw_target target = mcpw_target_of(request->path);
    if (!is_served(exchange, target.authority)) {
        return MCPW_HEAD_ANSWERED;
    }
    if (mcpw_cors_is_preflight(exchange, request->method)) {
        mcpw_cors_answer(exchange);
    } else if (mcpw_resource_is_at(exchange, target.path)) {
        mcpw_resource_send(exchange, request->method);
    } else if (!mcpw_str_equal(target.path, mcpw_str_from(exchange->server->config.path))) {
        refuse(exchange, MCPW_HTTP_NOT_FOUND, "Not found: nothing is served at this path");
    } else {
        switch (mcpw_gate_admit(exchange)) {
        case MCPW_GATE_OPEN:
            return mcpw_exchange_check_rest(exchange);
        case MCPW_GATE_PENDING:
            return MCPW_HEAD_WAITS;
        default:
            return MCPW_HEAD_ANSWERED;
        }
    }
    return MCPW_HEAD_ANSWERED;
}

mcpw_head_verdict mcpw_exchange_check_rest(mcpw_http_exchange *exchange) {
    if (!mcpw_str_is(exchange->method, "POST")) {
        return mcpw_scopes_admit_head(exchange) ? without_body(exchange) : MCPW_HEAD_ANSWERED;
    }
    if (!takes_answers(exchange, TAKES_BOTH)) {
        refuse(exchange, MCPW_HTTP_NOT_ACCEPTABLE,
               "Not acceptable: Accept must list application/json and text/event-stream");
    } else if (!is_json(exchange)) {
        refuse(exchange, MCPW_HTTP_UNSUPPORTED_TYPE,
               "Unsupported media type: the body must be application/json, without a content coding");
    } else if (is_too_large(exchange)) {
        refuse(exchange, MCPW_HTTP_TOO_LARGE, "The message is too long");
    } else {
        return MCPW_HEAD_POST;
    }
    return MCPW_HEAD_ANSWERED;
}
