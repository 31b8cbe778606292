/* SPDX-License-Identifier: MIT */
/* A server that keeps tasks, with the tools of the tests, and clients of both forms of tasks. In the texts of
 * tests ' stands for ". */
#ifndef MCPW_TESTS_TASKS_WORLD_H
#define MCPW_TESTS_TASKS_WORLD_H

#include "check.h"
#include "counting_allocator.h"

#include <mcpw/ask.h>
#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/tasks.h>

#include <stdlib.h>

#define MODERN "2026-07-28"
#define CORE "2025-11-25"
#define EXTENSION "'extensions':{'io.modelcontextprotocol/tasks':{}}"

enum { WORLD_TEXT = 1 << 14, WORLD_MESSAGES = 64, WORLD_KEPT = 8 };

/* One client with the messages that it has got. */
typedef struct client {
    mcpw_session *session;
    const char *capabilities;
    char got[WORLD_MESSAGES][WORLD_TEXT];
    size_t count;
    size_t seen;
    int last_id;
} client;

typedef struct world {
    mcpw_server *server;
    mcpw_session_config config;
    uint64_t now;
    mcpw_request *kept[WORLD_KEPT]; /* requests that a handler keeps */
    size_t kept_count;
    size_t cancelled;
    unsigned runs; /* of handlers */
} world;

/* " in place of '. The last four texts live. */
static inline const char *q(const char *text) {
    static char rooms[4][WORLD_TEXT];
    static unsigned next = 0;
    char *const room = rooms[next++ % 4];
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < sizeof rooms[0]; i++) {
        room[i] = text[i] == '\'' ? '"' : text[i];
    }
    room[i] = '\0';
    return room;
}

static inline bool has(const char *text, const char *part) { return strstr(text, q(part)) != NULL; }

static inline bool check_has(const char *text, const char *part, bool want, const char *file, int line) {
    const bool good = has(text, part) == want;
    if (!good) {
        (void)fprintf(stderr, "%s:%d: %s: %s %s\n  in %s\n", file, line, check_test,
                      want ? "there is no" : "there is", part, text);
        check_failures++;
    }
    return good;
}

#define CHECK_HAS(text, part) ((void)check_has((text), (part), true, __FILE__, __LINE__))
#define CHECK_LACKS(text, part) ((void)check_has((text), (part), false, __FILE__, __LINE__))

/* ---- Tools ---- */

static inline mcpw_status greet(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    ((world *)user)->runs++;
    (void)call;
    return mcpw_respond_text(request, mcpw_str_from("Hello"));
}

/* A plain handler that became one of tasks by its first line. */
static inline mcpw_status compute(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    ((world *)user)->runs++;
    (void)call;
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    return status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from("42")) : status;
}

static inline void on_kept_cancel(void *user, mcpw_request *request) {
    world *const w = user;
    for (size_t i = 0; i < w->kept_count; i++) {
        w->kept[i] = w->kept[i] == request ? NULL : w->kept[i];
    }
    w->cancelled++;
}

/* Keeps its request until the test answers it. */
static inline mcpw_status slow(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    world *const w = user;
    (void)call;
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    w->runs++;
    w->kept[w->kept_count++] = request;
    mcpw_request_on_cancel(request, on_kept_cancel, w);
    return MCPW_OK;
}

static inline mcpw_status fail_tool(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    return mcpw_respond_tool_error(request, "the job has failed");
}

static inline mcpw_status fail_protocol(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_json data = MCPW_JSON("{\"why\":1}");
    (void)call, (void)user;
    return mcpw_respond_error(request, -32603, "the job broke", data);
}

static const char form_schema[] =
    "{\"type\":\"object\",\"properties\":{\"yes\":{\"type\":\"boolean\"}},\"required\":[\"yes\"]}";

static inline mcpw_status ask_under(mcpw_request *request, const char *key, mcpw_ask_answer *answer) {
    *answer = (mcpw_ask_answer)MCPW_ASK_ANSWER_INIT;
    return mcpw_ask_form(request, key, "Really?", mcpw_json_from(form_schema), answer);
}

static inline mcpw_status confirm(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer;
    (void)call;
    mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    ((world *)user)->runs++;
    status = status == MCPW_OK ? ask_under(request, "sure", &answer) : status;
    if (status != MCPW_OK) {
        return status;
    }
    return mcpw_respond_text(request, answer.action == MCPW_ASK_ACCEPT
                                          ? (mcpw_str){answer.content.ptr, answer.content.len}
                                          : mcpw_str_from("no"));
}

/* Asks for two things at once, then for a third. */
static inline mcpw_status ask_much(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer one;
    mcpw_ask_answer two;
    mcpw_ask_answer three;
    (void)call, (void)user;
    mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    status = ask_under(request, "one", &one);
    const mcpw_status second = ask_under(request, "two", &two);
    if (status != MCPW_OK || second != MCPW_OK) {
        return status != MCPW_OK ? status : second;
    }
    if (mcpw_request_state(request).ptr == NULL) {
        static const mcpw_json state = MCPW_JSON("\"both are answered\"");
        status = mcpw_request_set_state(request, state);
    }
    status = status == MCPW_OK ? ask_under(request, "three", &three) : status;
    return status == MCPW_OK ? mcpw_respond_text(request, (mcpw_str){mcpw_request_state(request).ptr,
                                                                     mcpw_request_state(request).len})
                             : status;
}

/* Asks before it becomes a task, and keeps a state. */
static inline mcpw_status ask_before(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_ask_answer answer;
    (void)call, (void)user;
    mcpw_status status = MCPW_OK;
    if (mcpw_request_state(request).ptr == NULL) {
        static const mcpw_json state = MCPW_JSON("\"kept\"");
        status = mcpw_request_set_state(request, state);
    }
    status = status == MCPW_OK ? ask_under(request, "before", &answer) : status;
    status = status == MCPW_OK ? mcpw_request_detach_as_task(request, NULL) : status;
    if (status != MCPW_OK) {
        return status;
    }
    char text[256];
    (void)snprintf(text, sizeof text, "%.*s %.*s", (int)mcpw_request_state(request).len,
                   mcpw_request_state(request).ptr, (int)answer.content.len, answer.content.ptr);
    return mcpw_respond_text(request, mcpw_str_from(text));
}

static inline mcpw_status report(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str task = mcpw_request_task(request);
    (void)call, (void)user;
    const mcpw_status status = mcpw_request_set_task_message(request, "half way");
    (void)mcpw_request_progress(request, 1, 2, "half");
    return status == MCPW_OK ? mcpw_respond_text(request, task.ptr != NULL ? task : mcpw_str_from("none"))
                             : status;
}

/* ---- The server ---- */

static inline uint64_t world_time(void *user) { return ((world *)user)->now; }

static inline void add_tool(world *w, const char *name, mcpw_task_use use,
                            mcpw_status (*call)(mcpw_request *, const mcpw_tool_call *, void *)) {
    mcpw_tool tool = MCPW_SIZED(mcpw_tool);
    mcpw_error error;
    tool.name = name;
    tool.task = use;
    tool.call = call;
    tool.user = w;
    if (!check_that(mcpw_server_add_tool(w->server, &tool, &error) == MCPW_OK, __FILE__, __LINE__, name)) {
        (void)fprintf(stderr, "%s %s\n", error.path, error.message);
    }
}

static inline void world_open_with(world *w, mcpw_tasks_config *config) {
    mcpw_error error;
    *w = (world){.now = 1785240000000, .config = MCPW_SESSION_CONFIG_INIT};
    w->server = mcpw_server_new("keeper", "1", &error);
    CHECK(w->server != NULL);
    config->clock = world_time;
    config->user = w;
    if (!check_that(mcpw_server_add_tasks(w->server, config, &error) == MCPW_OK, __FILE__, __LINE__,
                    "tasks")) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    add_tool(w, "greet", MCPW_TASK_FORBIDDEN, greet);
    add_tool(w, "forbidden", MCPW_TASK_FORBIDDEN, compute);
    add_tool(w, "compute", MCPW_TASK_OPTIONAL, compute);
    add_tool(w, "slow", MCPW_TASK_OPTIONAL, slow);
    add_tool(w, "always", MCPW_TASK_REQUIRED, greet);
    add_tool(w, "rather", MCPW_TASK_PREFERRED, greet);
    add_tool(w, "fails", MCPW_TASK_PREFERRED, fail_tool);
    add_tool(w, "breaks", MCPW_TASK_PREFERRED, fail_protocol);
    add_tool(w, "confirm", MCPW_TASK_OPTIONAL, confirm);
    add_tool(w, "asks", MCPW_TASK_OPTIONAL, ask_much);
    add_tool(w, "before", MCPW_TASK_OPTIONAL, ask_before);
    add_tool(w, "reports", MCPW_TASK_PREFERRED, report);
    w->config.role = MCPW_ROLE_SERVER;
    w->config.server = w->server;
}

static inline void world_open(world *w) {
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    world_open_with(w, &config);
}

static inline void world_close(world *w) { mcpw_server_free(w->server); }

/* ---- Clients ---- */

static inline void take_messages(client *c) {
    mcpw_outgoing message;
    while (mcpw_session_next_message(c->session, &message)) {
        if (message.text.ptr != NULL && c->count < WORLD_MESSAGES) {
            (void)snprintf(c->got[c->count++], WORLD_TEXT, "%.*s", (int)message.text.len, message.text.ptr);
        }
    }
}

/* The next message that the client has not seen; "" if there is none. */
static inline const char *next_message(client *c) {
    take_messages(c);
    return c->seen < c->count ? c->got[c->seen++] : "";
}

static inline void forget_messages(client *c) { c->count = c->seen = 0; }

static inline void say(client *c, const char *text) {
    CHECK(mcpw_session_receive(c->session, text, strlen(text), NULL) == MCPW_OK);
    take_messages(c);
}

/* Sends a request of the extension's form, and returns what comes next. */
static inline const char *ask(client *c, const char *method, const char *members) {
    char text[WORLD_TEXT];
    forget_messages(c);
    (void)snprintf(text, sizeof text,
                   "{'jsonrpc':'2.0','id':%d,'method':'%.4000s','params':{%.4000s%.4000s'_meta':{"
                   "'io.modelcontextprotocol/protocolVersion':'" MODERN "',"
                   "'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"
                   "'io.modelcontextprotocol/clientCapabilities':{%.4000s}}}}",
                   ++c->last_id, method, members, *members != '\0' ? "," : "", c->capabilities);
    say(c, q(text));
    return next_message(c);
}

/* The same of the core's form. */
static inline const char *ask_core(client *c, const char *method, const char *members) {
    char text[WORLD_TEXT];
    forget_messages(c);
    (void)snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%d,'method':'%.4000s','params':{%.4000s}}",
                   ++c->last_id, method, members);
    say(c, q(text));
    return next_message(c);
}

static inline client *client_of(world *w, const char *principal, const char *capabilities) {
    client *const c = calloc(1, sizeof *c);
    mcpw_error error;
    c->session = mcpw_session_new(&w->config, &error);
    c->capabilities = capabilities;
    CHECK(c->session != NULL);
    CHECK(mcpw_session_set_principal(c->session, mcpw_str_from(principal)) == MCPW_OK);
    return c;
}

static inline client *modern(world *w) { return client_of(w, NULL, "'elicitation':{'form':{}}," EXTENSION); }

static inline client *core(world *w, const char *principal) {
    client *const c = client_of(w, principal, "");
    const char *const text =
        ask_core(c, "initialize",
                 "'protocolVersion':'" CORE "','capabilities':{'elicitation':{'form':{}}},"
                 "'clientInfo':{'name':'c','version':'1'}");
    CHECK_HAS(text, "'tasks':{");
    say(c, q("{'jsonrpc':'2.0','method':'notifications/initialized'}"));
    return c;
}

static inline void client_free(client *c) {
    mcpw_session_free(c->session);
    free(c);
}

/* The id of the task in a message, in one of four rooms. */
static inline const char *id_in(const char *text) {
    static char rooms[4][64];
    static unsigned next = 0;
    char *const room = rooms[next++ % 4];
    const char *const found = strstr(text, "\"taskId\":\"");
    (void)snprintf(room, sizeof rooms[0], "%.32s", found != NULL ? found + 10 : "");
    return room;
}

/* "'taskId':'...'" and more members. */
static inline const char *with_id(const char *id, const char *more) {
    static char text[WORLD_TEXT];
    (void)snprintf(text, sizeof text, "'taskId':'%.4000s'%.4000s%.4000s", id, *more != '\0' ? "," : "", more);
    return text;
}

static inline const char *call_tool(client *c, const char *name) {
    char members[WORLD_TEXT];
    (void)snprintf(members, sizeof members, "'name':'%.4000s','arguments':{}", name);
    return ask(c, "tools/call", members);
}

static inline const char *call_core(client *c, const char *name, const char *more) {
    char members[WORLD_TEXT];
    (void)snprintf(members, sizeof members, "'name':'%.4000s','arguments':{}%.4000s%.4000s", name,
                   *more != '\0' ? "," : "", more);
    return ask_core(c, "tools/call", members);
}

static inline const char *get(client *c, const char *id) { return ask(c, "tasks/get", with_id(id, "")); }

#endif
