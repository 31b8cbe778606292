/* SPDX-License-Identifier: MIT */
/* One server that keeps tasks, for tasks_instructions.py. Usage: bench_tasks_one session|http
 * echo|working|completed COUNT: so many calls of a tool that echoes, or so many tasks/get of 1,000 tasks in
 * turn, with `_meta` as clients of the extension send it. Each task has been polled once before. `session` is
 * the cost in a session, `http` that of a request over HTTP but for sockets. */
#include "../http_site.h"

#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/tasks.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"                         \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/"             \
    "tasks\":{}}}}"
#define CALL                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","                   \
    "\"arguments\":{\"message\":\"hello\"}," META "}}"

enum { TASKS = 1000, TEXT = 1024, BASE = 10, ID = 32, ARGUMENTS = 4, OK = 200 };

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message) != MCPW_OK) {
        return MCPW_E_TYPE;
    }
    return mcpw_respond_text(request, message);
}

static mcpw_status keep(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_status status = mcpw_request_detach_as_task(request, NULL);
    return status == MCPW_OK && strcmp(user, "completed") == 0 ? echo(request, call, user) : status;
}

/* Sends a request; returns the last response, which lives until the next call. */
static const char *ask(mcpw_session *session, const char *text) {
    mcpw_outgoing message;
    const char *last = "";
    if (mcpw_session_receive(session, text, strlen(text), NULL) != MCPW_OK) {
        exit(1);
    }
    while (mcpw_session_next_message(session, &message) && message.text.ptr != NULL) {
        last = message.text.ptr;
        if (strstr(last, "\"error\"") != NULL) {
            (void)fprintf(stderr, "%s\n", last);
            exit(1);
        }
    }
    return last;
}

static mcpw_server *make_server(char *mode) {
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}";
    const mcpw_tool tools[] = {
        {.struct_size = sizeof(mcpw_tool), .name = "echo", .input_schema = MCPW_JSON(schema), .call = echo},
        {.struct_size = sizeof(mcpw_tool),
         .name = "keep",
         .task = MCPW_TASK_OPTIONAL,
         .call = keep,
         .user = mode}};
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("bench", "1", &error);
    config.max_tasks = TASKS;
    if (server == NULL || mcpw_server_add_tasks(server, &config, &error) != MCPW_OK ||
        mcpw_server_add_tool(server, tools, &error) != MCPW_OK ||
        mcpw_server_add_tool(server, tools + 1, &error) != MCPW_OK) {
        (void)fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return server;
}

/* A request over HTTP, and all that a loop does about it. */
static bool pass(http_site *site, bool polls, const char *id, const char *text) {
    http_site_head head = {.count = 0};
    http_site_add(&head, "Mcp-Method", polls ? "tasks/get" : "tools/call");
    http_site_add(&head, "Mcp-Name", polls ? id : "echo");
    return http_site_finish(site, http_site_ask(site, "POST", "2026-07-28", &head, text), OK) &&
           mcpw_http_ready(site->http) == NULL;
}

/* The requests: echoes, or polls of each task in turn. */
typedef struct requests {
    bool polls;
    char ids[TASKS][ID + 1];
    char texts[TASKS][TEXT];
} requests;

static void write_requests(requests *r) {
    static const char poll[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"," META "}}";
    for (int i = 0; i < TASKS; i++) {
        if (r->polls) {
            (void)snprintf(r->texts[i], TEXT, poll, r->ids[i]);
        } else {
            (void)snprintf(r->texts[i], TEXT, CALL, "echo");
        }
    }
}

static bool run_http(mcpw_server *server, requests *r, long count) {
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    http_site site;
    bool good = http_site_open(&site, server, &sessions, &config);
    for (long i = -TASKS; good && i < count; i++) {
        const long at = (i + TASKS) % TASKS;
        good = pass(&site, r->polls, r->ids[at], r->texts[at]);
    }
    http_site_close(&site); /* and the server */
    return good;
}

int main(int argc, char **argv) {
    static requests r;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    char text[TEXT];
    if (argc != ARGUMENTS) {
        return 2;
    }
    r.polls = strcmp(argv[2], "echo") != 0;
    const long count = strtol(argv[3], NULL, BASE);
    config.role = MCPW_ROLE_SERVER;
    config.server = make_server(argv[2]);
    mcpw_session *const session = mcpw_session_new(&config, NULL);
    (void)snprintf(text, sizeof text, CALL, "keep");
    for (int i = 0; i < TASKS; i++) {
        const char *const found = strstr(ask(session, text), "\"taskId\":\"");
        (void)snprintf(r.ids[i], sizeof r.ids[i], "%s",
                       found != NULL ? found + sizeof "\"taskId\":\"" - 1 : "");
    }
    write_requests(&r);
    if (strcmp(argv[1], "http") == 0) {
        mcpw_session_free(session);
        return run_http(config.server, &r, count) ? 0 : 1;
    }
    for (long i = -TASKS; i < count; i++) {
        (void)ask(session, r.texts[(i + TASKS) % TASKS]);
    }
    mcpw_session_free(session);
    mcpw_server_free(config.server);
    return 0;
}
