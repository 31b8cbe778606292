/* SPDX-License-Identifier: MIT */
/* A client over HTTP, and a scripted server for it: what it wants done is compared, and answered by text. */
#ifndef MCPW_TESTS_HTTP_CLIENT_HARNESS_H
#define MCPW_TESTS_HTTP_CLIENT_HARNESS_H

#include <mcpw/http_client.h>

#include "session_harness.h"

enum { WEB_TEXT = 1 << 13, WEB_WARNINGS = 8, WEB_FIELDS = 8 };

#define JSON_TYPE "Content-Type: application/json"
#define EVENT_TYPE "Content-Type: text/event-stream"

typedef struct web {
    end *client;
    mcpw_http_client *http;
    mcpw_http_client_config config;
    mcpw_http_call *call;  /* of the last order */
    char method[8];        /* of HTTP; empty: the call is given up */
    char fields[WEB_TEXT]; /* "Name: value" and LF, each */
    char body[WEB_TEXT];
    char warning[WEB_TEXT]; /* the last one */
    int warnings;
    size_t piece; /* bytes of a body that come at once; 0: all */
    uint64_t now;
    const char *token;
    char challenge[WEB_TEXT];
    int challenges;
} web;

static inline void web_warn(void *user, const char *message) {
    web *const w = user;
    w->warnings++;
    (void)snprintf(w->warning, sizeof w->warning, "%s", message);
}

static inline web *web_make(const char *revisions) {
    web *const w = calloc(1, sizeof *w);
    const mcpw_http_client_config config = MCPW_HTTP_CLIENT_CONFIG_INIT;
    w->client = end_make(MCPW_ROLE_CLIENT, MODERN, MODERN);
    w->client->config.revisions = revisions;
    w->config = config;
    w->config.user = w;
    w->config.on_warning = web_warn;
    w->config.allocator = w->client->config.allocator;
    return w;
}

static inline bool web_start(web *w) {
    mcpw_error error = {0};
    end_start(w->client);
    w->config.session = w->client->session;
    w->http = mcpw_http_client_new(&w->config, &error);
    return w->http != NULL;
}

static inline void web_free(web *w) {
    mcpw_http_client_free(w->http);
    end_free(w->client);
    free(w);
}

/* The next thing that is to be done; false: there is nothing. */
static inline bool web_next(web *w) {
    mcpw_http_order order;
    mcpw_error error = {0};
    w->method[0] = w->fields[0] = w->body[0] = '\0';
    if (mcpw_http_client_next(w->http, &order, &error) != MCPW_OK) {
        return false;
    }
    size_t used = 0;
    w->call = order.call;
    (void)snprintf(w->method, sizeof w->method, "%s", order.method);
    for (size_t i = 0; i < order.field_count; i++) {
        used += (size_t)snprintf(w->fields + used, sizeof w->fields - used, "%.*s: %.*s\n",
                                 (int)order.fields[i].name.len, order.fields[i].name.ptr,
                                 (int)order.fields[i].value.len, order.fields[i].value.ptr);
    }
    (void)snprintf(w->body, sizeof w->body, "%.*s", (int)order.body.len, order.body.ptr);
    return true;
}

/* The head of the response to a call: fields are lines. */
static inline void web_head(web *w, mcpw_http_call *call, int status, const char *fields) {
    mcpw_http_field list[WEB_FIELDS] = {{{NULL, 0}, {NULL, 0}}};
    size_t count = 0;
    while (*fields != '\0') {
        const char *const colon = strchr(fields, ':');
        const char *const line_end =
            strchr(fields, '\n') != NULL ? strchr(fields, '\n') : strchr(fields, '\0');
        list[count++] = (mcpw_http_field){{fields, (size_t)(colon - fields)},
                                          {colon + 1, (size_t)(line_end - colon) - 1}};
        fields = *line_end == '\n' ? line_end + 1 : line_end;
    }
    (void)w;
    mcpw_http_call_head(call, status, list, count);
}

/* More of its body; in it ' stands for ". */
static inline bool web_body(const web *w, mcpw_http_call *call, const char *text) {
    const char *const body = q(text);
    const size_t len = strlen(body);
    const size_t piece = w->piece != 0 ? w->piece : len;
    for (size_t at = 0; at < len; at += piece) {
        if (!mcpw_http_call_body(call, body + at, piece < len - at ? piece : len - at)) {
            return false;
        }
    }
    return true;
}

/* Answers a call as a whole. */
static inline void web_answer(web *w, mcpw_http_call *call, int status, const char *fields,
                              const char *body) {
    web_head(w, call, status, fields);
    (void)web_body(w, call, body);
    mcpw_http_call_end(call, NULL);
}

static inline void web_break(mcpw_http_call *call) {
    const mcpw_error error = {.code = MCPW_E_IO, .message = "reset"};
    mcpw_http_call_end(call, &error);
}

/* Lets ms pass. */
static inline void web_wait(web *w, uint64_t ms) {
    w->now += ms;
    mcpw_session_advance(w->client->session, w->now);
    mcpw_http_client_advance(w->http, w->now);
}

#define EXPECT_NOTHING(w) CHECK(!web_next(w))
/* The next order is this, and its body holds that. */
#define EXPECT_ORDER(w, how, part)                                                                           \
    do {                                                                                                     \
        CHECK(web_next(w));                                                                                  \
        CHECK_STRING((w)->method, how);                                                                      \
        CHECK_HAS((w)->body, part);                                                                          \
    } while (0)
/* The program makes a request, and the next order posts it. */
#define EXPECT_REQUEST(w, name, params)                                                                      \
    do {                                                                                                     \
        CHECK(call((w)->client, name, params) == MCPW_OK);                                                   \
        EXPECT_ORDER(w, "POST", "'method':'" name "'");                                                      \
    } while (0)
/* The next event is that a call is cancelled. */
#define EXPECT_GIVEN_UP(w)                                                                                   \
    do {                                                                                                     \
        CHECK(web_next(w));                                                                                  \
        CHECK_STRING((w)->method, "");                                                                       \
    } while (0)
/* The program has been told of one reply, with that status. */
#define EXPECT_OUTCOME(w, how) CHECK((w)->client->out.count == 1 && (w)->client->out.status == (how))
#define EXPECT_FIELD(w, line) CHECK(strstr((w)->fields, line "\n") != NULL)
#define EXPECT_NO_FIELD(w, name) CHECK(strstr((w)->fields, name ":") == NULL)

/* Opens against a server without a handshake. */
static inline void web_open_modern(web *w) {
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'method':'server/discover'");
    web_answer(w, w->call, 200, JSON_TYPE,
               "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
               "'supportedVersions':['2026-07-28'],'capabilities':" SERVER_CAPABILITIES "}}");
    CHECK(w->client->opened == 1 && w->client->open_status == MCPW_OK);
    EXPECT_NOTHING(w);
}

/* A client as most tests want it: with the usual limits, opened against a server without a handshake. */
static inline web *web_opened(void) {
    web *const w = web_make(NULL);
    web_open_modern(w);
    return w;
}

/* Opens against a server that knows handshakes alone, and names the session; the server's own stream is asked
 * for, and refused. */
static inline void web_open_legacy(web *w, const char *id) {
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "'method':'server/discover'");
    web_answer(w, w->call, 404, "Content-Type: text/plain", "not here");
    EXPECT_ORDER(w, "POST", "'method':'initialize'");
    EXPECT_NO_FIELD(w, "MCP-Protocol-Version");
    web_answer(
        w, w->call, 200, fmt(JSON_TYPE "\nMcp-Session-Id: %s", id),
        "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':" SERVER_CAPABILITIES
        ",'serverInfo':{'name':'s','version':'1'}}}");
    EXPECT_ORDER(w, "POST", "'method':'notifications/initialized'");
    web_answer(w, w->call, 202, "", "");
    CHECK(w->client->opened == 1 && w->client->open_status == MCPW_OK);
}

#endif
