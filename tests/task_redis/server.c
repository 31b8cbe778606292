/* SPDX-License-Identifier: MIT */
/* One of several servers over HTTP that keep their tasks in Valkey or Redis. usage: task_redis_server PORT
 * [WORKERS [MS]]: the port of Redis, threads for handlers, and after how many ms a process counts as ended.
 * It prints its own port. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/http_serve.h>
#include <mcpw/json.h>
#include <mcpw/task_redis.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BASE = 10, COUNTS = 64 };

/* Counted for the test. */
typedef struct site {
    atomic_uint begun;
    atomic_uint cancelled;
} site;

static mcpw_http_listener *running; /* for the signal */

/* Works for so many ms. */
static mcpw_status work(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    enum { NS_IN_MS = 1000000 };
    int64_t ms = 0;
    if (mcpw_json_get_int(call->arguments, "ms", &ms) != MCPW_OK) {
        ms = 0;
    }
    const struct timespec time = {0, (long)ms * NS_IN_MS};
    (void)nanosleep(&time, NULL);
    atomic_fetch_add(&((site *)user)->begun, 1);
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

static void on_cancel(void *user, mcpw_request *request) {
    (void)request;
    atomic_fetch_add(&((site *)user)->cancelled, 1);
}

/* Goes on until it is cancelled. */
static mcpw_status wait_for_ever(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    atomic_fetch_add(&((site *)user)->begun, 1);
    mcpw_request_on_cancel(request, on_cancel, user);
    return MCPW_OK;
}

/* Asks the client for its roots. */
static mcpw_status ask(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const char method[] = "roots/list";
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    mcpw_result result = {NULL, NULL};
    mcpw_error error;
    (void)call;
    (void)user;
    const mcpw_status status =
        mcpw_request_ask(request, "roots", revision, mcpw_method_number(revision, method, sizeof method - 1),
                         NULL, &result, &error);
    return status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from("answered")) : status;
}

/* How many have begun, and how many were cancelled. */
static mcpw_status count(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    char text[COUNTS];
    (void)call;
    const int len = snprintf(text, sizeof text, "%u %u", atomic_load(&s->begun), atomic_load(&s->cancelled));
    return mcpw_respond_text(request, (mcpw_str){text, (size_t)len});
}

static mcpw_status offer(site *s, mcpw_server *server, mcpw_error *error) {
    const mcpw_json schema = MCPW_JSON("{\"type\":\"object\"}");
    const struct {
        const char *name;
        mcpw_status (*call)(mcpw_request *, const mcpw_tool_call *, void *);
        mcpw_task_use task;
    } all[] = {{"work", work, MCPW_TASK_PREFERRED},
               {"wait", wait_for_ever, MCPW_TASK_PREFERRED},
               {"ask", ask, MCPW_TASK_PREFERRED},
               {"count", count, MCPW_TASK_FORBIDDEN}};
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof all / sizeof *all; i++) {
        const mcpw_tool tool = {.struct_size = sizeof tool,
                                .name = all[i].name,
                                .input_schema = schema,
                                .call = all[i].call,
                                .user = s,
                                .task = all[i].task};
        status = mcpw_server_add_tool(server, &tool, error);
    }
    return status;
}

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    (void)user;
    running = listener;
    (void)signal(SIGTERM, stop);
    printf("%u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

static mcpw_status serve(mcpw_server *server, const mcpw_task_store *store, unsigned workers,
                         mcpw_error *error) {
    enum { TASKS = 10000 };
    static site s;
    mcpw_tasks_config tasks = MCPW_TASKS_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    tasks.store = store;
    tasks.max_tasks = TASKS;
    mcpw_status status = mcpw_server_add_tasks(server, &tasks, error);
    status = status == MCPW_OK ? offer(&s, server, error) : status;
    if (status != MCPW_OK) {
        return status;
    }
    options.on_start = on_start;
    options.workers = workers;
    return mcpw_serve_http(server, &options, error);
}

int main(int argc, char **argv) {
    enum { PATIENCE = 5000, RETRY = 50, LIFE = 1000 };
    mcpw_task_redis_config config = MCPW_TASK_REDIS_CONFIG_INIT;
    mcpw_error error;
    config.port = argc > 1 ? (uint16_t)strtoul(argv[1], NULL, BASE) : 0;
    config.patience_ms = PATIENCE;
    config.retry_ms = RETRY;
    config.worker_ttl_ms = argc > 3 ? strtoul(argv[3], NULL, BASE) : LIFE;
    mcpw_server *const server = mcpw_server_new("tasks", "1.0.0", NULL);
    mcpw_task_store *const store = mcpw_task_redis_new(&config, &error);
    const mcpw_status status =
        store != NULL ? serve(server, store, argc > 2 ? (unsigned)strtoul(argv[2], NULL, BASE) : 0, &error)
                      : error.code;
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "task_redis_server: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_task_redis_free(store);
    return status == MCPW_OK ? 0 : 1;
}
