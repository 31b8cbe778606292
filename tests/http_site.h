/* SPDX-License-Identifier: MIT */
/* A server over HTTP without sockets, and a client that sends requests to it. */
#ifndef MCPW_TESTS_HTTP_SITE_H
#define MCPW_TESTS_HTTP_SITE_H

#include <mcpw/http.h>
#include <mcpw/server.h>

#include <stdio.h>
#include <string.h>

enum { HTTP_SITE_FIELDS = 16, HTTP_SITE_ID = 64 };

typedef struct http_site {
    mcpw_server *tools;
    mcpw_endpoint *endpoint;
    mcpw_http_server *http;
    char session[HTTP_SITE_ID + 1]; /* the id that a response has named last; empty: none */
} http_site;

/* The header fields of a request. */
typedef struct http_site_head {
    mcpw_http_field fields[HTTP_SITE_FIELDS];
    size_t count;
} http_site_head;

/* Serves tools, which belong to the site from now on. The configs may hold more than is set here. False:
 * there is no memory. The site has to be closed in any case. */
static inline bool http_site_open(http_site *s, mcpw_server *tools, mcpw_session_config *sessions,
                                  mcpw_http_config *http) {
    memset(s, 0, sizeof *s);
    s->tools = sessions->server = tools;
    sessions->role = MCPW_ROLE_SERVER;
    http->endpoint = s->endpoint = tools != NULL ? mcpw_endpoint_new(sessions, NULL) : NULL;
    s->http = s->endpoint != NULL ? mcpw_http_server_new(http, NULL) : NULL;
    return s->http != NULL;
}

static inline void http_site_close(http_site *s) {
    mcpw_http_server_free(s->http);
    mcpw_endpoint_free(s->endpoint);
    mcpw_server_free(s->tools);
}

/* Adds a field. A value that is NULL or empty adds none. */
static inline void http_site_add(http_site_head *head, const char *name, const char *value) {
    if (value != NULL && *value != '\0') {
        head->fields[head->count++] = (mcpw_http_field){mcpw_str_from(name), mcpw_str_from(value)};
    }
}

/* Sends a request, with a body if that is not empty; NULL: it was not begun. */
static inline mcpw_http_exchange *http_site_send(http_site *s, const char *method,
                                                 const mcpw_http_field *fields, size_t count, mcpw_str body) {
    const mcpw_http_request request = {
        mcpw_str_from(method), MCPW_STR_VALUE("/mcp"), fields, count, {NULL, 0}, {NULL, 0}};
    mcpw_http_exchange *exchange = NULL;
    if (mcpw_http_begin(s->http, &request, s, &exchange) == MCPW_OK && body.len != 0) {
        mcpw_http_body(exchange, body.ptr, body.len);
        mcpw_http_body_end(exchange);
    }
    return exchange;
}

/* Sends a request with the fields that all clients of a revision send, and those of the head. */
static inline mcpw_http_exchange *http_site_ask(http_site *s, const char *method, const char *revision,
                                                http_site_head *head, const char *body) {
    http_site_add(head, "Host", "127.0.0.1:8080");
    http_site_add(head, "Accept", "application/json, text/event-stream");
    http_site_add(head, "MCP-Protocol-Version", revision);
    http_site_add(head, "Content-Type", body != NULL ? "application/json" : NULL);
    return http_site_send(s, method, head->fields, head->count, mcpw_str_from(body));
}

static inline void http_site_note(http_site *s, const mcpw_http_output *head) {
    for (size_t i = 0; i < head->field_count; i++) {
        if (mcpw_str_is(head->fields[i].name, "Mcp-Session-Id")) {
            (void)snprintf(s->session, sizeof s->session, "%.*s", (int)head->fields[i].value.len,
                           head->fields[i].value.ptr);
        }
    }
}

/* Takes what there is to send. True if a response with that status has begun. */
static inline bool http_site_take(http_site *s, mcpw_http_exchange *exchange, int status) {
    mcpw_http_output output;
    bool good = false;
    while (exchange != NULL && mcpw_http_next(exchange, &output) && output.step != MCPW_HTTP_END) {
        if (output.step == MCPW_HTTP_HEAD) {
            good = output.status == status;
            http_site_note(s, &output);
        }
    }
    return good;
}

/* The same, and closes the exchange. */
static inline bool http_site_finish(http_site *s, mcpw_http_exchange *exchange, int status) {
    const bool good = http_site_take(s, exchange, status);
    if (exchange != NULL) {
        mcpw_http_close(exchange);
    }
    return good;
}

#endif
