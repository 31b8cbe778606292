/* SPDX-License-Identifier: MIT */
/* A client over HTTP while each allocation fails in turn: nothing breaks or leaks, and each call is told
 * once. */
#include "http_client_harness.h"

enum { MOST = 2000, TURNS = 60, FEWEST = 20, LONG = 1000 };

#define RESULT                                                                                               \
    "{'jsonrpc':'2.0','id':%s,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',%s}}"
#define TOOLS                                                                                                \
    "'tools':[{'name':'bad','inputSchema':{'type':'object','x-mcp-header':'B'}},{'name':'t','inputSchema':"  \
    "{'type':'object','properties':{'region':{'type':'string','x-mcp-header':'Region'}}}}]"

/* The id of the message that was sent. */
static const char *id_of(const web *w) {
    static char id[WEB_TEXT];
    mcpw_json found = mcpw_json_of("0", 1);
    (void)!mcpw_json_get(mcpw_json_from(w->body), "id", &found);
    (void)snprintf(id, sizeof id, "%.*s", (int)found.len, found.ptr);
    return id;
}

static bool asks(const web *w, const char *method) { return strstr(w->body, method) != NULL; }

/* Opens as a server of one of the eras does. False: it asks for something else. */
static bool open_turn(web *w, bool modern) {
    if (asks(w, "\"server/discover\"")) {
        if (modern) {
            web_answer(w, w->call, 200, JSON_TYPE,
                       fmt(RESULT, id_of(w),
                           "'supportedVersions':['2026-07-28'],'capabilities':" SERVER_CAPABILITIES));
        } else {
            web_answer(w, w->call, 404, "", "");
        }
    } else if (asks(w, "\"initialize\"")) {
        web_answer(w, w->call, 200, JSON_TYPE "\nMcp-Session-Id: s",
                   fmt("{'jsonrpc':'2.0','id':%s,'result':{'protocolVersion':'2025-11-25','capabilities'"
                       ":" SERVER_CAPABILITIES ",'serverInfo':{'name':'s','version':'1'}}}",
                       id_of(w)));
    } else if (asks(w, "\"notifications/")) {
        web_answer(w, w->call, 202, "", "");
    } else {
        return false;
    }
    return true;
}

/* A server that breaks its first streams, loses its session once, and wants headers. */
static void serve_turn(web *w, bool modern, int turn) {
    if (w->method[0] == '\0' || open_turn(w, modern)) {
        return;
    }
    if (strcmp(w->method, "DELETE") == 0) {
        web_answer(w, w->call, 200, "", "");
    } else if (strcmp(w->method, "GET") == 0 && strstr(w->fields, "Last-Event-ID") == NULL) {
        web_answer(w, w->call, 405, "", "");
    } else if (asks(w, "\"tools/list\"") && turn % 2 == 0) {
        web_head(w, w->call, 200, EVENT_TYPE);
        (void)web_body(w, w->call, "id: 1\n: some\n\n");
        web_break(w->call);
    } else if (asks(w, "\"tools/list\"") || strcmp(w->method, "GET") == 0) {
        web_answer(w, w->call, 200, EVENT_TYPE, fmt("data: " RESULT "\n\n", id_of(w), TOOLS));
    } else if (modern && strstr(w->fields, "Mcp-Param-") == NULL) {
        web_answer(w, w->call, 400, JSON_TYPE,
                   "{'jsonrpc':'2.0','error':{'code':-32020,'message':'headers'}}");
    } else if (!modern && turn % 3 == 0) {
        web_answer(w, w->call, 404, "", "");
    } else if (turn % 2 == 0) {
        web_answer(w, w->call, 401, "WWW-Authenticate: Bearer", "");
    } else {
        web_answer(w, w->call, 200, JSON_TYPE, fmt(RESULT, id_of(w), "'content':[]"));
    }
}

static mcpw_str give_token(void *user, mcpw_str challenge) {
    (void)user;
    (void)challenge;
    return (mcpw_str)MCPW_STR("token");
}

/* Whether there was an n-th allocation to fail. */
static bool fail_nth(bool modern, size_t n) {
    web *const w = web_make(NULL);
    int made = 0;
    w->config.token = give_token;
    w->client->memory.stingy = true;
    w->client->memory.fail_at = n;
    w->client->session = mcpw_session_new(&w->client->config, NULL);
    w->config.session = w->client->session;
    w->http = w->client->session != NULL ? mcpw_http_client_new(&w->config, NULL) : NULL;
    if (w->http != NULL && mcpw_session_open(w->client->session) == MCPW_OK) {
        for (int turn = 0; turn < TURNS; turn++) {
            if (turn == 6) {
                made += call(w->client, "tools/list", "") == MCPW_OK;
                made +=
                    call(w->client, "tools/call", "'name':'t','arguments':{'region':'\xC3\xA4'}") == MCPW_OK;
            }
            if (turn == TURNS - 10) {
                mcpw_session_close(w->client->session);
                mcpw_http_client_stop(w->http);
            }
            while (web_next(w)) {
                serve_turn(w, modern, turn);
            }
            web_wait(w, LONG);
        }
        CHECK(w->client->out.count == made);
    }
    const bool failed = w->client->memory.calls >= n;
    web_free(w);
    return failed;
}

static void survive(bool modern) {
    size_t n = 1;
    while (n < MOST && fail_nth(modern, n)) {
        n++;
    }
    CHECK(n >= FEWEST && n < MOST);
}

static void requests_alone_survive_any_failing_allocation(void) { survive(true); }

static void sessions_survive_any_failing_allocation(void) { survive(false); }

int main(void) {
    RUN(requests_alone_survive_any_failing_allocation);
    RUN(sessions_survive_any_failing_allocation);
    return check_end();
}
