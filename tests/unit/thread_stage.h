/* SPDX-License-Identifier: MIT */
/*
 * A server's session on a socket, its loop on the thread of the test, and its client as text: what is said to
 * it and what was heard. In the texts of tests ' stands for ". Handlers use threads of their own, which tell
 * what they find in a struct that the test looks at when they have ended.
 */
#ifndef MCPW_TESTS_THREAD_STAGE_H
#define MCPW_TESTS_THREAD_STAGE_H

#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/thread.h>

#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STAGE_TEXT = 1 << 20, STAGE_LINE = 1 << 12, STAGE_PATIENCE = 10000, STAGE_STEP = 5 };

typedef struct stage {
    mcpw_server *server;
    mcpw_session *session;
    mcpw_session_config config;
    mcpw_io io;
    int here; /* the session's end */
    int peer;
    char *text; /* what was heard */
    size_t len;
    int diagnostics;
    char last_diagnostic[STAGE_LINE];
    mcpw_status last_status;
    int turns; /* for tests */
    void *user;
} stage;

static inline void stage_on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    stage *const s = user;
    (void)session;
    s->diagnostics++;
    s->last_status = diagnostic->error->code;
    (void)snprintf(s->last_diagnostic, sizeof s->last_diagnostic, "%s", diagnostic->error->message);
}

/* A stage without tools, not begun. */
static inline stage *stage_new(void) {
    const mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    const mcpw_io io = MCPW_IO_INIT;
    stage *const s = calloc(1, sizeof *s);
    int ends[2] = {-1, -1};
    if (s == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        abort();
    }
    s->text = calloc(1, STAGE_TEXT);
    s->server = mcpw_server_new("threads", "1", NULL);
    if (s->text == NULL || s->server == NULL) {
        abort();
    }
    s->here = ends[0];
    s->peer = ends[1];
    s->io = io;
    s->config = config;
    s->config.role = MCPW_ROLE_SERVER;
    s->config.server = s->server;
    s->config.user = s;
    s->config.logs = true;
    s->config.on_diagnostic = stage_on_diagnostic;
    return s;
}

static inline void stage_tool(stage *s, const char *name,
                              mcpw_status (*call)(mcpw_request *request, const mcpw_tool_call *call,
                                                  void *user)) {
    const mcpw_tool tool = {.name = name, .call = call, .user = s};
    mcpw_error error = {0};
    if (!check_that(mcpw_server_add_tool(s->server, &tool, &error) == MCPW_OK, __FILE__, __LINE__,
                    error.message)) {
        abort();
    }
}

static inline void stage_begin(stage *s) {
    mcpw_error error = {0};
    s->session = mcpw_session_new(&s->config, &error);
    if (s->session == NULL || mcpw_io_begin(&s->io, s->session, s->here, s->here, &error) != MCPW_OK) {
        (void)fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

static inline void stage_close_peer(stage *s) {
    if (s->peer >= 0) {
        (void)close(s->peer);
        s->peer = -1;
    }
}

/* Ends it; waits for what threads still do. */
static inline void stage_free(stage *s) {
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session);
    mcpw_server_free(s->server);
    stage_close_peer(s);
    (void)close(s->here);
    free(s->text);
    free(s);
}

/* ---- The peer ---- */

static inline void stage_say(const stage *s, const char *line) {
    char text[STAGE_LINE];
    size_t len = 0;
    while (line[len] != '\0' && len + 1 < sizeof text) {
        text[len] = line[len] == '\'' ? '"' : line[len];
        len++;
    }
    text[len++] = '\n';
    CHECK(write(s->peer, text, len) == (ssize_t)len);
}

static inline void stage_hear(stage *s) {
    ssize_t got = 1;
    while (s->peer >= 0 && got > 0 && s->len + 1 < STAGE_TEXT) {
        got = recv(s->peer, s->text + s->len, STAGE_TEXT - 1 - s->len, MSG_DONTWAIT);
        s->len += got > 0 ? (size_t)got : 0;
        s->text[s->len] = '\0';
    }
}

/* How often a text was heard, with ' for ". */
static inline int stage_count(const stage *s, const char *part) {
    char text[STAGE_LINE];
    size_t len = 0;
    int count = 0;
    for (; part[len] != '\0' && len + 1 < sizeof text; len++) {
        text[len] = part[len] == '\'' ? '"' : part[len];
    }
    text[len] = '\0';
    for (const char *at = strstr(s->text, text); at != NULL; at = strstr(at + len, text)) {
        count++;
    }
    return count;
}

static inline mcpw_status stage_step(stage *s) {
    const mcpw_status status = mcpw_io_step(&s->io, STAGE_STEP, NULL);
    stage_hear(s);
    return status;
}

/* Steps until a text was heard that often; tells when it never is. */
static inline bool stage_await_line(stage *s, const char *part, int times, const char *file, int line) {
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    mcpw_status status = MCPW_OK;
    while (stage_count(s, part) < times && status == MCPW_OK && mcpw_io_now() < end) {
        status = stage_step(s);
    }
    if (stage_count(s, part) < times) {
        (void)fprintf(stderr, "%s:%d: %s: not heard: %s\nheard:\n%s\n", file, line, check_test, part,
                      s->text);
        check_failures++;
        return false;
    }
    return true;
}
#define AWAIT(s, part) ((void)stage_await_line((s), (part), 1, __FILE__, __LINE__))
#define AWAIT_TIMES(s, part, times) ((void)stage_await_line((s), (part), (times), __FILE__, __LINE__))

/* Steps until a flag of another thread's is set. */
static inline void stage_await_flag(stage *s, atomic_bool *flag) {
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    while (!atomic_load(flag) && mcpw_io_now() < end) {
        (void)stage_step(s);
    }
    CHECK(atomic_load(flag));
}

/* ---- Lines ---- */

#define LEGACY_OPENS                                                                                         \
    "{'jsonrpc':'2.0','id':'open','method':'initialize','params':{'protocolVersion':'2025-11-25',"           \
    "'capabilities':{'elicitation':{}},'clientInfo':{'name':'c','version':'1'}}}"
#define MODERN_META                                                                                          \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                                       \
    "'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"                                       \
    "'io.modelcontextprotocol/logLevel':'info',"                                                             \
    "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}%s}"

/* Opens it in a revision with a handshake. */
static inline void stage_open(stage *s) {
    stage_say(s, LEGACY_OPENS);
    AWAIT(s, "'id':'open'");
    stage_say(s, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

/* A call of a tool, with a progress token that is its id. */
static inline void stage_call(const stage *s, int id, const char *tool) {
    char line[STAGE_LINE];
    (void)snprintf(line, sizeof line,
                   "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'_meta':{'progressToken':%d},"
                   "'name':'%s','arguments':{'n':%d}}}",
                   id, id, tool, id);
    stage_say(s, line);
}

static inline void stage_cancel(const stage *s, int id) {
    char line[STAGE_LINE];
    (void)snprintf(line, sizeof line,
                   "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d}}", id);
    stage_say(s, line);
}

/* ---- Threads of tests ---- */

/* A request that a thread has. It lies in the request's memory until it is returned. */
typedef struct job {
    stage *s;
    mcpw_request *request;
    int64_t n; /* the call's argument */
    void *(*work)(void *job);
} job;

static inline void stage_start(pthread_t *thread, void *(*work)(void *), void *argument) {
    if (pthread_create(thread, NULL, work, argument) != 0) {
        abort();
    }
}

/* In a handler: detaches the request and starts a thread with it, which is joined by nobody. */
static inline mcpw_status stage_hand_over(mcpw_request *request, const mcpw_tool_call *call, stage *s,
                                          void *(*work)(void *)) {
    job *const j = mcpw_arena_alloc(mcpw_request_arena(request), sizeof *j);
    pthread_t thread;
    mcpw_status status = j != NULL ? mcpw_request_detach(request) : MCPW_E_MEMORY;
    if (status == MCPW_OK) {
        *j = (job){s, request, 0, work};
        (void)!mcpw_json_get_int(call->arguments, "n", &j->n);
        s->turns++;
        stage_start(&thread, work, j);
        (void)pthread_detach(thread);
    }
    return status;
}

/* Waits for another thread, on one that may. */
static inline void wait_for(atomic_bool *flag) {
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    while (!atomic_load(flag) && mcpw_io_now() < end) {
        (void)poll(NULL, 0, 1);
    }
}

#endif
