/* SPDX-License-Identifier: MIT */
/* Clients of revisions with a handshake, for tests of a server over HTTP. */
#ifndef MCPW_TESTS_HTTP_SESSIONS_H
#define MCPW_TESTS_HTTP_SESSIONS_H

#include <mcpw/codec.h>

#include "http_harness.h"

enum { VISITOR_ID = 64, VISITOR_LINE = 512, VISITOR_TEXT = 2048 };

#define INITIALIZE(version)                                                                                  \
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'" version                    \
    "','capabilities':{'roots':{}},'clientInfo':{'name':'c','version':'1'}}}"
#define LIST_TOOLS "{'jsonrpc':'2.0','id':1,'method':'tools/list'}"
#define CALL_AS(id, name)                                                                                    \
    "{'jsonrpc':'2.0','id':" id ",'method':'tools/call','params':{'name':'" name                             \
    "','_meta':{'progressToken':7}}}"
#define CALL_TOOL(name) CALL_AS("2", name)
#define CANCEL_TOOL                                                                                          \
    "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2,'reason':'no'}}"

/* A client that has opened a session. */
typedef struct visitor {
    site *site;
    char id[VISITOR_ID];
    char lines[VISITOR_TEXT]; /* of the header of all its requests */
} visitor;

/* The header lines of a client whose session has that id, besides those of the text. */
static inline void visitor_lines(char *to, const char *id, const char *more) {
    (void)snprintf(to, VISITOR_TEXT, "Mcp-Method:-\nMCP-Protocol-Version:-\nMcp-Session-Id: %s\n%s", id,
                   more);
}

/* Opens a session by a message; returns its status. */
static inline int visitor_open_by(site *s, visitor *v, const char *message) {
    static const char field[] = "Mcp-Session-Id: ";
    memset(v, 0, sizeof *v);
    v->site = s;
    const response *const r =
        site_finish(site_post(s, "Mcp-Method:-\nMCP-Protocol-Version:-", message, HTTP_TEXT));
    const char *const at = strstr(r->fields, field);
    if (at != NULL) {
        (void)snprintf(v->id, sizeof v->id, "%.*s", (int)strcspn(at + sizeof field - 1, "\n"),
                       at + sizeof field - 1);
    }
    visitor_lines(v->lines, v->id, "");
    return r->status;
}

/* Sends a message in pieces of the header and so on; the exchange is the caller's. */
static inline mcpw_http_exchange *visitor_post(const visitor *v, const char *message) {
    return site_post(v->site, v->lines, message, HTTP_TEXT);
}

static inline response *visitor_say(const visitor *v, const char *message) {
    return site_finish(visitor_post(v, message));
}

static inline void visitor_open(site *s, visitor *v, const char *version) {
    char message[VISITOR_TEXT];
    (void)snprintf(message, sizeof message, INITIALIZE("%s"), version);
    CHECK(visitor_open_by(s, v, message) == 200);
    CHECK(visitor_say(v, "{'jsonrpc':'2.0','method':'notifications/initialized'}")->status == 202);
}

/* Asks for a stream: the server's own, or the one that goes on after an event. */
static inline mcpw_http_exchange *visitor_get(const visitor *v, const char *after) {
    char lines[VISITOR_TEXT];
    char more[VISITOR_LINE];
    mcpw_status status;
    (void)snprintf(more, sizeof more, after != NULL ? "Last-Event-ID: %s\n" : "%s",
                   after != NULL ? after : "");
    visitor_lines(lines, v->id, more);
    return site_begin(v->site, "GET", "/mcp", lines, &status);
}

static inline response *visitor_leave(const visitor *v) {
    mcpw_status status;
    return site_finish(site_begin(v->site, "DELETE", "/mcp", v->lines, &status));
}

/* How often a text holds a piece. */
static inline int count_of(const char *text, const char *piece) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++) {
        count++;
    }
    return count;
}

/* Whether there are sessions: without libsodium nobody can make an id. Else it says so. */
static inline bool keeps_sessions(void) {
    static site s;
    mcpw_status status;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    const bool keeps = site_finish(site_begin(&s, "GET", "/mcp", "", &status))->status != 405;
    site_stop(&s);
    if (!keeps) {
        (void)fprintf(stderr,
                      "skipped: sessions over HTTP, which need libsodium and a revision with a handshake\n");
    }
    return keeps;
}

/* ---- Handlers ---- */

/* Asks for the client's roots. */
static inline mcpw_status site_asks(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    static const char method[] = "roots/list";
    mcpw_result result = {NULL, NULL};
    mcpw_error error;
    (void)call;
    (void)user;
    const mcpw_status status =
        mcpw_request_ask(request, "q", revision, mcpw_method_number(revision, method, sizeof method - 1),
                         NULL, &result, &error);
    return status == MCPW_OK ? mcpw_respond_text(request, MCPW_STR_VALUE("asked")) : status;
}

/* Says something, ends the stream, and answers later. */
static inline mcpw_status site_parts(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    (void)!mcpw_request_progress(request, 1, 2, NULL);
    (void)snprintf(s->heard, sizeof s->heard, "%s", mcpw_status_name(mcpw_http_end_stream(request)));
    return site_keep(request, call, user);
}

#endif
