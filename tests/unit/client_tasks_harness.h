/* SPDX-License-Identifier: MIT */
/* A client that takes tasks, and a script for its server, in both revisions that have them. */
#ifndef MCPW_TESTS_CLIENT_TASKS_HARNESS_H
#define MCPW_TESTS_CLIENT_TASKS_HARNESS_H

#include <mcpw/client_tasks.h>
#include <mcpw/extension.h>

#include "session_harness.h"

#define HAS_TASKS "{'tools':{},'tasks':{'cancel':{},'requests':{'tools':{'call':{}}}}}"
#define EXTENDED "{'tools':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}"
#define TIMES "'createdAt':'2026-07-28T00:00:00Z','lastUpdatedAt':'2026-07-28T00:00:00Z'"
#define CONTENT "'content':[{'type':'text','text':'hello'}]"

enum { INTERVAL = 500, LONG = 1 << 20 };

static const mcpw_client_tasks_options plain_options = MCPW_CLIENT_TASKS_INIT;

/* The states of tasks that a program hears. */
typedef struct states {
    int count;
    size_t remark; /* bytes of the last one */
    char last[HARNESS_ERROR];
} states;

static states seen;

static inline void on_status(void *user, mcpw_session *session, const mcpw_task_state *state) {
    (void)user;
    (void)session;
    seen.count++;
    seen.remark = state->message.len;
    (void)snprintf(seen.last, sizeof seen.last, "%s %.*s", mcpw_task_status_text(state->status),
                   (int)state->message.len, state->message.ptr != NULL ? state->message.ptr : "");
}

static inline end *client_with(const char *speaks, const char *handled, mcpw_client_tasks_options options) {
    end *const e = client_of(speaks, handled);
    mcpw_error error = {0};
    seen = (states){0};
    options.on_status = on_status;
    options.listen = options.listen != 0 ? options.listen : MCPW_OFF;
    CHECK(mcpw_client_add_tasks(&e->config, &options, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    e->unchecked = true; /* the extension's methods are not those of the revision */
    return e;
}

/* The id of the request that a line is. */
static inline long id_in(const char *line) {
    int64_t id = 0;
    CHECK(mcpw_json_get_int(mcpw_json_of(line, strlen(line)), "id", &id) == MCPW_OK);
    return (long)id;
}

/* Hears a request of this method, and returns its id. */
static inline long hear(end *e, const char *method) {
    const char *const line = heard(e);
    CHECK_HAS(line, fmt("'method':'%s'", method));
    return *line != '\0' ? id_in(line) : 0;
}

static inline void respond(end *e, long id, const char *result) {
    say(e, fmt("{'jsonrpc':'2.0','id':%ld,'result':%s}", id, result));
}

static inline void wait_ms(end *e, uint64_t ms) {
    e->time += ms;
    mcpw_session_advance(e->session, e->time);
}

/* Both kinds of tasks. */
static bool is_core;

static inline const char *task(const char *status, const char *more) {
    return is_core ? fmt("'taskId':'t1','status':'%s'," TIMES ",'ttl':60000,'pollInterval':%d%s", status,
                         INTERVAL, more)
                   : fmt("'taskId':'t1','status':'%s'," TIMES ",'ttlMs':60000,'pollIntervalMs':%d%s", status,
                         INTERVAL, more);
}

static inline const char *created(const char *status) {
    return is_core ? fmt("{'task':{%s}}", task(status, ""))
                   : fmt("{'resultType':'task',%s}", task(status, ""));
}

static inline const char *stands(const char *status, const char *more) {
    return is_core ? fmt("{%s}", task(status, "")) : fmt("{'resultType':'complete',%s}", task(status, more));
}

static inline const char *result_of_call(void) {
    return is_core ? "{" CONTENT ",'_meta':{'io.modelcontextprotocol/related-task':{'taskId':'t1'}}}"
                   : "{'resultType':'complete'," CONTENT "}";
}

static inline void list_tools(end *e, const char *support) {
    const long id = hear(e, "tools/list");
    respond(e, id,
            fmt("{'tools':[{'name':'t','inputSchema':{'type':'object'},'execution':{'taskSupport':'%s'}}]}",
                support));
}

/* A client whose call of the tool t was answered by a task that is worked on. */
static inline end *with_task(bool core, mcpw_client_tasks_options options) {
    is_core = core;
    end *const e = client_with(core ? HANDSHAKE : MODERN, MODERN, options);
    open_client_as(e, core ? HAS_TASKS : EXTENDED);
    CHECK(call(e, "tools/call", "'name':'t'") == MCPW_OK);
    if (core) {
        list_tools(e, "optional");
    }
    const long id = hear(e, "tools/call");
    respond(e, id, created("working"));
    CHECK(e->out.count == 0);
    return e;
}

static inline long next_poll(end *e) {
    wait_ms(e, INTERVAL);
    return hear(e, "tasks/get");
}

#endif
