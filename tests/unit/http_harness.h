/* SPDX-License-Identifier: MIT */
/*
 * A server over HTTP with a few tools, and a client that posts to it. A request is what is usual, but for the
 * header lines that a test names: "Host: evil.example" in the place of the usual one, "Host:-" for none,
 * "+Host: x" for one more. In the texts of tests ' stands for ", and $M for a complete _meta.
 */
#ifndef MCPW_TESTS_HTTP_HARNESS_H
#define MCPW_TESTS_HTTP_HARNESS_H

#include <mcpw/http.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "check.h"
#include "counting_allocator.h"

enum { HTTP_TEXT = 1 << 14, HTTP_FIELDS = 16, HTTP_KEPT = 4 };

#define META                                                                                                 \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                                       \
    "'io.modelcontextprotocol/clientCapabilities':{},'progressToken':7}"

typedef struct site {
    counting memory;
    mcpw_server *tools;
    mcpw_endpoint *endpoint;
    mcpw_http_server *http;
    mcpw_http_config config;
    mcpw_request *kept[HTTP_KEPT];
    int kept_count;
    int cancels;
    int sessions;
    mcpw_session *session; /* the last one that was made */
    const char *principal; /* of the requests to come; NULL: alice */
    bool logs;             /* it declares that it logs */
    char heard[HTTP_TEXT]; /* by handlers */
} site;

/* A response, as far as it has come. */
typedef struct response {
    int status;
    char fields[HTTP_TEXT];
    char body[HTTP_TEXT];
    size_t len;
    bool streams;
    bool ended;
} response;

/* ---- Handlers ---- */

static inline mcpw_status site_hello(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    const mcpw_str host = mcpw_http_field_of(mcpw_http_exchange_of(request), "host");
    const mcpw_str principal = mcpw_request_principal(request);
    (void)call;
    (void)snprintf(s->heard, sizeof s->heard, "%.*s %.*s", (int)host.len, host.ptr != NULL ? host.ptr : "",
                   (int)principal.len, principal.ptr != NULL ? principal.ptr : "");
    return mcpw_respond_text(request, MCPW_STR_VALUE("hello"));
}

static inline void site_cancelled(void *user, mcpw_request *request) {
    site *const s = user;
    (void)request;
    s->cancels++;
}

static inline mcpw_status site_keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    (void)call;
    mcpw_request_on_cancel(request, site_cancelled, s);
    s->kept[s->kept_count++ % HTTP_KEPT] = request;
    return MCPW_OK;
}

static inline mcpw_status site_progress(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)!mcpw_request_progress(request, 1, 2, NULL);
    return site_keep(request, call, user);
}

static inline mcpw_status site_needs(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_request_can(request, "sampling") ? MCPW_OK : MCPW_E_CAPABILITY;
}

static inline void site_on_session(void *user, mcpw_session *session) {
    ((site *)user)->sessions++;
    ((site *)user)->session = session;
}

/* ---- The site ---- */

static inline bool site_add(site *s, const char *name,
                            mcpw_status (*call)(mcpw_request *, const mcpw_tool_call *, void *),
                            const char *schema) {
    const mcpw_tool tool = {.name = name, .call = call, .user = s, .input_schema = mcpw_json_from(schema)};
    return mcpw_server_add_tool(s->tools, &tool, NULL) == MCPW_OK;
}

static inline bool site_offer(site *s) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = "site";
    config.version = "1";
    config.allocator = counting_allocator(&s->memory);
    s->tools = mcpw_server_new_with(&config, NULL);
    return s->tools != NULL && site_add(s, "hello", site_hello, NULL) &&
           site_add(s, "keep", site_keep, NULL) && site_add(s, "progress", site_progress, NULL) &&
           site_add(s, "needs", site_needs, NULL) &&
           site_add(s, "at", site_hello,
                    "{\"type\":\"object\",\"properties\":{"
                    "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
                    "\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"},"
                    "\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"},"
                    "\"plain\":{},"
                    "\"in\":{\"type\":\"object\",\"properties\":{"
                    "\"deep\":{\"type\":\"string\",\"x-mcp-header\":\"Deep\"}}}}}");
}

/* Begins to serve what is offered. False where memory runs out. */
static inline bool site_open(site *s) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.server = s->tools;
    config.logs = s->logs;
    config.allocator = counting_allocator(&s->memory);
    s->endpoint = mcpw_endpoint_new(&config, NULL);
    s->config.struct_size = sizeof s->config;
    s->config.endpoint = s->endpoint;
    s->config.allocator = config.allocator;
    s->config.on_session = site_on_session;
    s->config.user = s;
    s->http = s->endpoint != NULL ? mcpw_http_server_new(&s->config, NULL) : NULL;
    return s->http != NULL;
}

static inline bool site_start(site *s) { return site_offer(s) && site_open(s); }

static inline void site_stop(site *s) {
    mcpw_http_server_free(s->http);
    mcpw_endpoint_free(s->endpoint);
    mcpw_server_free(s->tools);
    CHECK(s->memory.in_use == 0);
}

/* ---- Requests ---- */

/* Writes text with " for ' and a complete _meta for $M. */
static inline void site_write(char *to, size_t size, const char *text) {
    size_t len = 0;
    for (; *text != '\0' && len + 1 < size; text++) {
        if (text[0] == '$' && text[1] == 'M') {
            site_write(to + len, size - len, META);
            len += strlen(to + len);
            text++;
        } else {
            to[len++] = *text == '\'' ? '"' : *text;
        }
    }
    to[len] = '\0';
}

typedef struct head {
    char text[HTTP_TEXT];
    mcpw_http_field fields[HTTP_FIELDS];
    size_t count;
} head;

/* Takes a header line, which ends with LF or the text's end; returns what stands after it. */
static inline const char *head_line(head *h, const char *line) {
    const bool is_more = *line == '+';
    const char *const name = line + is_more;
    const size_t name_len = strcspn(name, ":");
    const char *const value = name + name_len + 1;
    const size_t value_len = strcspn(value, "\n");
    size_t at = 0;
    while (at < h->count && (is_more || h->fields[at].name.len != name_len ||
                             memcmp(h->fields[at].name.ptr, name, name_len) != 0)) {
        at++;
    }
    h->count += at == h->count;
    h->fields[at] = (mcpw_http_field){{name, name_len}, {value, value_len}};
    if (value_len == 1 && *value == '-') {
        h->fields[at] = h->fields[--h->count];
    }
    return value + value_len + (value[value_len] == '\n');
}

static inline void head_make(head *h, const char *lines) {
    const char *line = "Host: localhost:8080\nAccept: application/json, text/event-stream\n"
                       "Content-Type: application/json\nMCP-Protocol-Version: 2026-07-28\n"
                       "Mcp-Method: tools/list\n";
    h->count = 0;
    while (*line != '\0') {
        line = head_line(h, line);
    }
    while (*lines != '\0') {
        lines = head_line(h, lines);
    }
}

/* Begins an exchange; NULL: it was refused, by *status. */
static inline mcpw_http_exchange *site_begin(site *s, const char *method, const char *path, const char *lines,
                                             mcpw_status *status) {
    head h;
    mcpw_http_exchange *exchange = NULL;
    head_make(&h, lines);
    const mcpw_http_request request = {mcpw_str_from(method),
                                       mcpw_str_from(path),
                                       h.fields,
                                       h.count,
                                       mcpw_str_from(s->principal != NULL ? s->principal : "alice"),
                                       MCPW_STR("192.0.2.1")};
    *status = mcpw_http_begin(s->http, &request, s, &exchange);
    return exchange;
}

/* Posts a body, in pieces of so many bytes. */
static inline mcpw_http_exchange *site_post(site *s, const char *lines, const char *body, size_t piece) {
    char text[HTTP_TEXT];
    mcpw_status status;
    mcpw_http_exchange *const e = site_begin(s, "POST", "/mcp", lines, &status);
    site_write(text, sizeof text, body);
    const size_t len = strlen(text);
    for (size_t at = 0; e != NULL && at < len; at += piece) {
        mcpw_http_body(e, text + at, len - at < piece ? len - at : piece);
    }
    if (e != NULL) {
        mcpw_http_body_end(e);
    }
    return e;
}

/* Calls a tool, by members of the params beside its name. */
static inline mcpw_http_exchange *site_call(site *s, const char *tool, const char *more) {
    char lines[HTTP_TEXT];
    char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: tools/call\nMcp-Name: %s", tool);
    (void)snprintf(body, sizeof body,
                   "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'%s'%s}}", tool, more);
    return site_post(s, lines, body, HTTP_TEXT);
}

/* ---- Responses ---- */

/* Takes what there is to send, after what r holds. */
static inline void site_take(mcpw_http_exchange *exchange, response *r) {
    mcpw_http_output out;
    while (!r->ended && mcpw_http_next(exchange, &out)) {
        if (out.step == MCPW_HTTP_HEAD) {
            CHECK(r->status == 0);
            r->status = out.status;
            r->streams = out.streams;
            for (size_t i = 0; i < out.field_count; i++) {
                const size_t len = strlen(r->fields);
                (void)snprintf(r->fields + len, sizeof r->fields - len, "%.*s: %.*s\n",
                               (int)out.fields[i].name.len, out.fields[i].name.ptr,
                               (int)out.fields[i].value.len, out.fields[i].value.ptr);
            }
        } else {
            CHECK(r->status != 0 && (out.step == MCPW_HTTP_END || r->streams));
        }
        if (out.bytes.len < sizeof r->body - r->len) {
            memcpy(r->body + r->len, out.bytes.ptr != NULL ? out.bytes.ptr : "", out.bytes.len);
            r->len += out.bytes.len;
            r->body[r->len] = '\0';
        }
        r->ended = out.step == MCPW_HTTP_END;
    }
}

/* The whole response of an exchange, which is closed. */
static inline response *site_finish(mcpw_http_exchange *exchange) {
    static response r;
    memset(&r, 0, sizeof r);
    if (exchange != NULL) {
        site_take(exchange, &r);
        mcpw_http_close(exchange);
    }
    return &r;
}

/* Whether a text holds another one, in which ' stands for ". */
static inline bool site_has(const char *text, const char *piece) {
    char wanted[HTTP_TEXT];
    site_write(wanted, sizeof wanted, piece);
    return strstr(text, wanted) != NULL;
}

#endif
