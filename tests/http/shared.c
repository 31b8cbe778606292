/* SPDX-License-Identifier: MIT */
/* One of several servers that share what they know by Valkey or Redis. usage: shared redis=PORT
 * [socket=PATH] [password=WORD] [prefix=TEXT] [patience=MS] [sessions=BYTES] [events=BYTES] [store=BYTES]
 * [log=BYTES]. It prints its port. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/http_redis.h>
#include <mcpw/http_serve.h>
#include <mcpw/json.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 10, NAME_TEXT = 32 };

static const char thing[] = "test://thing";

typedef struct site {
    mcpw_server *server;
    mcpw_http_redis *redis;
    int added;
} site;

static mcpw_http_listener *running; /* for the signal */

static mcpw_status say(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static mcpw_status connected(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const site *const s = user;
    (void)call;
    return mcpw_respond_text(request, mcpw_str_from(mcpw_http_redis_is_connected(s->redis) ? "yes" : "no"));
}

/* Counts to three, and says nothing more. */
static mcpw_status count(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    enum { LAST = 3 };
    (void)call;
    (void)user;
    for (int i = 1; i <= LAST; i++) {
        const mcpw_status status = mcpw_request_progress(request, i, LAST, NULL);
        if (status != MCPW_OK) {
            return status;
        }
    }
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
    return status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from("asked")) : status;
}

/* Changes the list of tools. */
static mcpw_status change(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    char name[NAME_TEXT];
    const mcpw_tool tool = {
        .name = name, .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = say, .user = s};
    (void)call;
    (void)snprintf(name, sizeof name, "added-%d", s->added++);
    const mcpw_status status = mcpw_server_add_tool(s->server, &tool, NULL);
    return status == MCPW_OK ? mcpw_respond_text(request, mcpw_str_from("done")) : status;
}

/* Changes the content of a resource. */
static mcpw_status touch(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const site *const s = user;
    (void)call;
    mcpw_server_resource_updated(s->server, thing);
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

static mcpw_status read_thing(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_text(request, "text/plain", mcpw_str_from("thing"));
}

static mcpw_status offer(site *s, mcpw_error *error) {
    const mcpw_json schema = MCPW_JSON("{\"type\":\"object\"}");
    const mcpw_tool tools[] = {{.name = "say", .input_schema = schema, .call = say, .user = s},
                               {.name = "connected", .input_schema = schema, .call = connected, .user = s},
                               {.name = "count", .input_schema = schema, .call = count, .user = s},
                               {.name = "ask", .input_schema = schema, .call = ask, .user = s},
                               {.name = "change", .input_schema = schema, .call = change, .user = s},
                               {.name = "touch", .input_schema = schema, .call = touch, .user = s}};
    const mcpw_resource resource = {.uri = thing, .name = "thing", .read = read_thing};
    mcpw_status status = mcpw_server_add_resource(s->server, &resource, error);
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(s->server, tools + i, error);
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

static void take(mcpw_http_redis_config *config, char *argument) {
    const struct {
        const char *name;
        size_t *bytes;
    } limits[] = {{"sessions", &config->max_sessions_bytes},
                  {"events", &config->max_event_bytes},
                  {"store", &config->max_store_bytes},
                  {"log", &config->max_log_bytes}};
    enum { LIMITS = sizeof limits / sizeof *limits };
    char *const value = strchr(argument, '=');
    size_t at = 0;
    if (value == NULL) {
        exit(2);
    }
    *value = '\0';
    while (at < LIMITS && strcmp(argument, limits[at].name) != 0) {
        at++;
    }
    if (at < LIMITS) {
        *limits[at].bytes = strtoul(value + 1, NULL, BASE);
    } else if (strcmp(argument, "redis") == 0) {
        config->port = (uint16_t)strtoul(value + 1, NULL, BASE);
    } else if (strcmp(argument, "socket") == 0) {
        config->address = value + 1;
    } else if (strcmp(argument, "password") == 0) {
        config->password = value + 1;
    } else if (strcmp(argument, "patience") == 0) {
        config->patience_ms = strtoul(value + 1, NULL, BASE);
    } else if (strcmp(argument, "prefix") == 0) {
        config->prefix = value + 1;
    } else {
        exit(2);
    }
}

int main(int argc, char **argv) {
    site s = {mcpw_server_new("shared", "1.0.0", NULL), NULL, 0};
    mcpw_http_redis_config config = MCPW_HTTP_REDIS_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_error error;
    for (int i = 1; i < argc; i++) {
        take(&config, argv[i]);
    }
    config.timeout_ms = 1000;
    config.retry_ms = 100;
    s.redis = mcpw_http_redis_new(&config, &error);
    mcpw_status status = s.redis != NULL ? offer(&s, &error) : error.code;
    if (status == MCPW_OK) {
        http.cluster = mcpw_http_redis_cluster(s.redis);
        http.store = mcpw_http_redis_store(s.redis);
        options.http = &http;
        options.on_start = on_start;
        status = mcpw_serve_http(s.server, &options, &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "shared: %s\n", error.message);
    }
    mcpw_http_redis_free(s.redis);
    mcpw_server_free(s.server);
    return status == MCPW_OK ? 0 : 1;
}
