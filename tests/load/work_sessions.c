/* SPDX-License-Identifier: MIT */
/* Work of sessions and registries: many messages, many open requests, long lists. */
#define _POSIX_C_SOURCE 200809L
#include "work.h"

#include <mcpw/frame.h>
#include <mcpw/server.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 20, LINE = 512, FEED = 1000 };

static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)request;
    (void)call;
    (void)user;
    return MCPW_OK; /* never answered */
}

static mcpw_status read_text(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_text(request, NULL, (mcpw_str)MCPW_STR("text"));
}

typedef struct peers {
    mcpw_server *server;
    mcpw_session *session;
} peers;

static void must(bool good) {
    if (!good) {
        abort();
    }
}

static void feed(const peers *p, const char *bytes, size_t len) {
    const char *out = NULL;
    must(mcpw_session_feed(p->session, bytes, len) == MCPW_OK);
    mcpw_session_sent(p->session, mcpw_session_output(p->session, &out));
}

static void open_peers(peers *p, const char *revision, size_t tools) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config session = MCPW_SESSION_CONFIG_INIT;
    char text[LINE];
    config.name = "work";
    config.version = "1";
    config.page_size = PAGE;
    p->server = mcpw_server_new_with(&config, NULL);
    for (size_t i = 0; i < tools; i++) {
        mcpw_tool tool = {.name = text, .call = keep};
        (void)snprintf(text, sizeof text, "t%06zu", i);
        must(mcpw_server_add_tool(p->server, &tool, NULL) == MCPW_OK);
    }
    const mcpw_resource resource = {.uri = "file:///a", .name = "a", .read = read_text};
    must(mcpw_server_add_resource(p->server, &resource, NULL) == MCPW_OK);
    session.role = MCPW_ROLE_SERVER;
    session.server = p->server;
    p->session = mcpw_session_new(&session, NULL);
    must(p->session != NULL);
    if (strcmp(revision, "2026-07-28") == 0) {
        return; /* each request stands for itself */
    }
    const int len = snprintf(text, sizeof text,
                             "{\"jsonrpc\":\"2.0\",\"id\":\"open\",\"method\":\"initialize\",\"params\":{"
                             "\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\","
                             "\"version\":\"1\"}}}\n"
                             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
                             revision);
    feed(p, text, (size_t)len);
}

static void close_peers(peers *p) {
    mcpw_session_free(p->session);
    mcpw_server_free(p->server);
}

static bool always(job *j) {
    (void)j;
    return true;
}

static mcpw_status do_feed(job *j) {
    for (size_t at = 0; at < j->text.len; at += FEED) {
        feed(j->user, j->text.data + at, j->text.len - at < FEED ? j->text.len - at : FEED);
    }
    return MCPW_OK;
}

static mcpw_status do_feed_bytes(job *j) {
    for (size_t at = 0; at < j->text.len; at++) {
        feed(j->user, j->text.data + at, 1);
    }
    return MCPW_OK;
}

/* Reads a list to its last page. */
static mcpw_status do_pages(job *j) {
    const peers *const p = j->user;
    char cursor[LINE] = "";
    do {
        char text[2 * LINE];
        const char *out = NULL;
        mcpw_json result;
        mcpw_json next;
        const int len = snprintf(
            text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{%s%s}}\n",
            *cursor != '\0' ? "\"cursor\":" : "", cursor);
        must(mcpw_session_feed(p->session, text, (size_t)len) == MCPW_OK);
        const mcpw_json line = mcpw_json_of(NULL, mcpw_session_output(p->session, &out));
        const mcpw_json answer = mcpw_json_of(out, line.len);
        must(mcpw_json_get(answer, "result", &result) == MCPW_OK);
        *cursor = '\0';
        if (mcpw_json_get(result, "nextCursor", &next) == MCPW_OK) {
            (void)snprintf(cursor, sizeof cursor, "%.*s", (int)next.len, next.ptr);
        }
        mcpw_session_sent(p->session, answer.len);
    } while (*cursor != '\0');
    return MCPW_OK;
}

/* A line to be said again and again; %zu in it is its number times step, from 1. */
typedef struct saying {
    const char *what;
    const char *revision;
    const char *line;
    size_t step;
    const char *between;
    const char *head;
    const char *tail;
} saying;

#define CALL "\"method\":\"tools/call\",\"params\":{\"name\":\"t000000\"}}\n"

static const saying sayings[] = {
    {"pings", "2025-11-25", "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"ping\"}\n", 1, "", "", ""},
    {"a batch of pings", "2025-03-26", "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"ping\"}", 1, ",", "[",
     "]\n"},
    {"a batch of what is no message", "2025-03-26", "%zu", 1, ",", "[", "]\n"},
    {"lines that are no JSON", "2025-11-25", "{%zu\n", 1, "", "", ""},
    {"requests with bad params", "2025-11-25",
     "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":{}}\n", 1, "", "", ""},
    {"notifications of no request", "2025-11-25",
     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%zu}}\n", 1, "",
     "", ""},
    {"answers to no request", "2025-11-25", "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"result\":{}}\n", 1, "", "",
     ""},
    {"requests that stay open", "2025-11-25", "{\"jsonrpc\":\"2.0\",\"id\":%zu," CALL, 1, "", "", ""},
    {"open requests whose ids collide", "2025-11-25", "{\"jsonrpc\":\"2.0\",\"id\":%zu," CALL, 256, "", "",
     ""},
    {"subscriptions", "2025-11-25",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"file:///"
     "%zu\"}}\n",
     1, "", "", ""},
    {"answers to questions", "2026-07-28", "\"k%zu\":{\"action\":\"accept\"}", 1, ",",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{"
     "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
     "\"io.modelcontextprotocol/clientCapabilities\":{}},\"name\":\"t000000\",\"inputResponses\":{",
     "}}}\n"},
    {"one long line", "2025-11-25", "%zu", 1, ",",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":[", "]}\n"},
};

static void make_lines(mcpw_buffer *b, const saying *s, size_t size) {
    const char *const number = strstr(s->line, "%zu");
    b->len = 0;
    must(mcpw_buffer_append(b, s->head, strlen(s->head)) == MCPW_OK);
    for (size_t i = 1; b->len < size; i++) {
        char line[LINE];
        const int len = snprintf(line, sizeof line, "%s%.*s%zu%s", i != 1 ? s->between : "",
                                 (int)(number - s->line), s->line, (1000000 + i) * s->step, number + 3);
        must(mcpw_buffer_append(b, line, (size_t)len) == MCPW_OK);
    }
    must(mcpw_buffer_append(b, s->tail, strlen(s->tail)) == MCPW_OK);
}

/* ---- Requests of a client's that wait ---- */

typedef struct waiting {
    mcpw_session *session;
    int64_t first;
    size_t count;
} waiting;

enum { REQUEST = 64 /* bytes of one, about: so many are made for a size */ };

static const char discovered[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
    "\"cacheScope\":\"private\",\"capabilities\":{\"tools\":{}}}}\n";

/* A client with requests that nobody answers; half of them are due earlier than the others. */
static void open_waiting(waiting *w, size_t size) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const mcpw_revision *const revision = mcpw_find_revision("2026-07-28");
    const int method = mcpw_method_number(revision, "tools/list", strlen("tools/list"));
    const char *out = NULL;
    config.role = MCPW_ROLE_CLIENT;
    config.name = "work";
    config.version = "1";
    config.revisions = "2026-07-28";
    config.max_output = SIZE_MAX;
    w->session = mcpw_session_new(&config, NULL);
    must(w->session != NULL && mcpw_session_open(w->session) == MCPW_OK);
    must(mcpw_session_feed(w->session, discovered, sizeof discovered - 1) == MCPW_OK);
    w->count = size / REQUEST;
    for (size_t i = 0; i < w->count; i++) {
        const mcpw_call call = {.timeout_ms = 1 + i % 2, .max_timeout_ms = 2};
        int64_t number = 0;
        must(mcpw_session_request(w->session, revision, method, NULL, &call, NULL, NULL, &number, NULL) ==
             MCPW_OK);
        w->first = i == 0 ? number : w->first;
        mcpw_session_sent(w->session, mcpw_session_output(w->session, &out));
    }
}

static mcpw_status do_time_out(job *j) {
    const waiting *const w = j->user;
    mcpw_session_advance(w->session, 1);
    return MCPW_OK;
}

static mcpw_status do_answers(job *j) {
    const waiting *const w = j->user;
    must(mcpw_session_feed(w->session, j->text.data, j->text.len) == MCPW_OK);
    return MCPW_OK;
}

/* Lines about each of the requests, the newest first; %zu in a line is its id and its token. */
static void make_answers(job *j, const waiting *w, const char *line, size_t beyond) {
    const char *const number = strstr(line, "%zu");
    j->text.len = 0;
    for (size_t i = w->count; i-- > 0;) {
        char text[LINE];
        const int len = snprintf(text, sizeof text, "%.*s%zu%s", (int)(number - line), line,
                                 (size_t)w->first + i + beyond, number + 3);
        must(mcpw_buffer_append(&j->text, text, (size_t)len) == MCPW_OK);
    }
}

static void work_clients(job *j, size_t size) {
    static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"result\":{\"tools\":[]}}\n";
    static const char progress[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                                   "\"progressToken\":%zu,\"progress\":1}}\n";
    static const operation times = {"half time out", always, do_time_out};
    static const operation answers = {"are answered", always, do_answers};
    static const operation known = {"are told progress", always, do_answers};
    static const operation unknown = {"are told progress of others", always, do_answers};
    waiting w;
    j->user = &w;
    open_waiting(&w, size);
    j->text.len = size;
    job_run(j, "requests that wait", &times);
    mcpw_session_free(w.session);
    open_waiting(&w, size);
    make_answers(j, &w, progress, size);
    job_run(j, "requests that wait", &unknown);
    make_answers(j, &w, progress, 0);
    job_run(j, "requests that wait", &known);
    make_answers(j, &w, answer, 0);
    job_run(j, "requests that wait", &answers);
    mcpw_session_free(w.session);
}

/* ---- Calls of a client that has declared much ---- */

static mcpw_status ask_what_it_can(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    must(!mcpw_request_can(request, "sampling") && !mcpw_request_can(request, "elicitation.url"));
    return mcpw_respond_text(request, (mcpw_str)MCPW_STR("text"));
}

static void work_capabilities(job *j, size_t size) {
    static const saying calls = {
        "calls after many capabilities",
        "",
        "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n",
        1,
        "",
        "",
        ""};
    static const operation feed_them = {"feed", always, do_feed};
    enum { MOST = 60000 /* bytes of capabilities */, COUNTED = 20 /* calls */ };
    const mcpw_tool tool = {.name = "t", .call = ask_what_it_can};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    peers p = {mcpw_server_new("work", "1", NULL), NULL};
    must(mcpw_server_add_tool(p.server, &tool, NULL) == MCPW_OK);
    config.role = MCPW_ROLE_SERVER;
    config.server = p.server;
    p.session = mcpw_session_new(&config, NULL);
    must(p.session != NULL);
    make_lines(
        &j->text,
        &(saying){
            "", "", "\"k%zu\":{}", 1, ",",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-"
            "11-25\",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"capabilities\":{\"experimental\":{",
            "}}}}\n"},
        size < MOST ? size : MOST);
    feed(&p, j->text.data, j->text.len);
    make_lines(&j->text, &calls, (size_t)COUNTED * REQUEST);
    j->user = &p;
    job_run(j, calls.what, &feed_them);
    close_peers(&p);
}

void work_sessions(job *j, size_t size) {
    static const operation feeds[] = {{"feed", always, do_feed},
                                      {"feed, byte by byte", always, do_feed_bytes}};
    static const operation pages = {"list, page by page", always, do_pages};
    peers p;
    j->user = &p;
    for (size_t i = 0; i < sizeof sayings / sizeof sayings[0]; i++) {
        if (!job_turn(j)) {
            continue;
        }
        for (size_t k = 0; k < sizeof feeds / sizeof feeds[0]; k++) {
            open_peers(&p, sayings[i].revision, 1);
            make_lines(&j->text, sayings + i, size);
            job_run(j, sayings[i].what, feeds + k);
            close_peers(&p);
        }
    }
    if (!job_turn(j)) {
        return;
    }
    open_peers(&p, "2025-11-25", size / PAGE);
    j->text.len = size;
    job_run(j, "tools", &pages);
    close_peers(&p);
    work_clients(j, size);
    work_capabilities(j, size);
}
