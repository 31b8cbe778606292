/* SPDX-License-Identifier: MIT */
/* A server over HTTP for the tests of its sockets. usage: served [port=N] [socket=FD] [cert=FILE key=FILE]
 * [idle=SECONDS] [body=MS] [head=BYTES] [output=BYTES] [exchanges=N] [most=CONNECTIONS] [each=CONNECTIONS]
 * [workers=N] [token=WORD] [origins=LIST] [log=FILE]. It prints its port. With a token nobody else is let in,
 * with origins their pages are. In the file stands what the tool `say` was told. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/http_serve.h>
#include <mcpw/io.h>
#include <mcpw/json.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_TEXT = 65536, BASE = 10 };

typedef struct site {
    mcpw_server *server;
    mcpw_http_listener *listener;
    int waiting;
    int cancelled;
    const char *token; /* NULL: none is needed */
    FILE *log;         /* NULL: none */
} site;

static mcpw_http_listener *running; /* for the signal */

static void on_cancel(void *user, mcpw_request *request) {
    site *const s = user;
    (void)request;
    s->waiting--;
    s->cancelled++;
}

/* Is never answered. */
static mcpw_status wait_for_ever(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    (void)call;
    s->waiting++;
    mcpw_request_on_cancel(request, on_cancel, s);
    return MCPW_OK;
}

static mcpw_status count(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const site *const s = user;
    char text[64];
    (void)call;
    (void)snprintf(text, sizeof text, "%d waiting, %d cancelled", s->waiting, s->cancelled);
    const mcpw_str said = {text, strlen(text)};
    return mcpw_respond_text(request, said);
}

static mcpw_status say(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const site *const s = user;
    mcpw_str message = {"", 0};
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    if (s->log != NULL) {
        (void)fprintf(s->log, "%.*s\n", (int)message.len, message.ptr);
        (void)fflush(s->log);
    }
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

/* The sender of the request, as handlers know it. */
static mcpw_status who(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_exchange *const exchange = mcpw_http_exchange_of(request);
    const mcpw_str principal = mcpw_request_principal(request);
    const mcpw_str peer = mcpw_http_peer(exchange);
    const mcpw_str agent = mcpw_http_field_of(exchange, "User-Agent");
    char text[256];
    (void)call;
    (void)user;
    (void)snprintf(text, sizeof text, "%.*s at %.*s by %.*s", (int)principal.len,
                   principal.len != 0 ? principal.ptr : "", (int)peer.len, peer.ptr, (int)agent.len,
                   agent.len != 0 ? agent.ptr : "");
    const mcpw_str said = {text, strlen(text)};
    return mcpw_respond_text(request, said);
}

static bool authorize(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    const site *const s = user;
    (void)exchange;
    grant->principal = mcpw_str_from("bearer");
    grant->error = token.ptr != NULL ? "invalid_token" : NULL;
    return mcpw_str_is(token, s->token);
}

/* Takes its time. */
static mcpw_status nap(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const struct timespec time = {1, 0};
    const mcpw_str done = {"rested", 6};
    (void)call;
    (void)user;
    (void)nanosleep(&time, NULL);
    return mcpw_respond_text(request, done);
}

/* Tells so much progress that it fills any buffer; what nobody takes is left out. */
static mcpw_status flood(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    enum { TIMES = 400000, PADDING = 200 };
    static char text[PADDING + 1];
    const mcpw_str done = {"told", 4};
    (void)call;
    (void)user;
    memset(text, 'p', PADDING);
    for (int i = 1; i <= TIMES; i++) {
        const mcpw_status told = mcpw_request_progress(request, i, TIMES, text);
        (void)told;
    }
    return mcpw_respond_text(request, done);
}

static void add_one(void *user) {
    site *const s = user;
    const mcpw_tool tool = {
        .name = "late", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = count, .user = s};
    mcpw_error error;
    if (mcpw_server_add_tool(s->server, &tool, &error) != MCPW_OK) {
        (void)fprintf(stderr, "late: %s\n", error.message);
    }
}

/* Changes the list of tools from the loop, after the answer. */
static mcpw_status change(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    site *const s = user;
    const mcpw_str done = {"done", 4};
    (void)call;
    const mcpw_status status = mcpw_queue_post(mcpw_http_listener_queue(s->listener), add_one, s);
    return status == MCPW_OK ? mcpw_respond_text(request, done) : status;
}

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    site *const s = user;
    s->listener = listener;
    running = listener;
    (void)signal(SIGTERM, stop);
    printf("%u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

static char *file_text(const char *path) {
    FILE *const file = fopen(path, "rb");
    char *const text = calloc(1, MOST_TEXT);
    if (file == NULL || text == NULL || fread(text, 1, MOST_TEXT - 1, file) == 0) {
        perror(path);
        exit(2);
    }
    (void)fclose(file);
    return text;
}

/* A limit; whether there is one of that name. */
static bool take_limit(mcpw_http_serve_options *options, mcpw_http_config *http,
                       mcpw_session_config *sessions, const char *name, unsigned number) {
    if (strcmp(name, "idle") == 0) {
        options->idle_timeout_ms = number * 1000;
    } else if (strcmp(name, "most") == 0) {
        options->max_connections = number;
    } else if (strcmp(name, "each") == 0) {
        options->max_per_address = number;
    } else if (strcmp(name, "workers") == 0) {
        options->workers = number;
    } else if (strcmp(name, "body") == 0) {
        http->body_timeout_ms = number;
    } else if (strcmp(name, "unlimited") == 0) {
        http->max_body = SIZE_MAX;
    } else if (strcmp(name, "exchanges") == 0) {
        http->max_exchanges = number;
    } else if (strcmp(name, "head") == 0) {
        http->max_head = number;
    } else if (strcmp(name, "output") == 0) {
        sessions->max_output = number;
    } else {
        return false;
    }
    return true;
}

static void take(mcpw_http_serve_options *options, mcpw_http_config *http, mcpw_session_config *sessions,
                 char *argument) {
    char *const value = strchr(argument, '=');
    if (value == NULL) {
        exit(2);
    }
    *value = '\0';
    const unsigned number = (unsigned)strtoul(value + 1, NULL, BASE);
    if (strcmp(argument, "port") == 0) {
        options->port = (uint16_t)number;
    } else if (strcmp(argument, "socket") == 0) {
        options->socket = (int)number;
    } else if (strcmp(argument, "cert") == 0) {
        options->certificate = file_text(value + 1);
    } else if (strcmp(argument, "key") == 0) {
        options->key = file_text(value + 1);
    } else if (strcmp(argument, "token") == 0) {
        ((site *)options->user)->token = value + 1;
        http->authorize = authorize;
        http->user = options->user;
        http->resource = "http://localhost/mcp";
    } else if (strcmp(argument, "log") == 0) {
        ((site *)options->user)->log = fopen(value + 1, "a");
    } else if (strcmp(argument, "origins") == 0) {
        http->origins = value + 1;
        http->cors = true;
    } else if (!take_limit(options, http, sessions, argument, number)) {
        exit(2);
    }
}

int main(int argc, char **argv) {
    site s = {mcpw_server_new("served", "1.0.0", NULL), NULL, 0, 0, NULL, NULL};
    const mcpw_tool tools[] = {
        {.name = "say", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = say, .user = &s},
        {.name = "wait",
         .input_schema = MCPW_JSON("{\"type\":\"object\"}"),
         .call = wait_for_ever,
         .user = &s},
        {.name = "count", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = count, .user = &s},
        {.name = "who", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = who, .user = &s},
        {.name = "nap", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = nap, .user = &s},
        {.name = "flood", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = flood, .user = &s},
        {.name = "change", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = change, .user = &s},
    };
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    mcpw_status status = MCPW_OK;
    options.user = &s;
    for (int i = 1; i < argc; i++) {
        take(&options, &http, &sessions, argv[i]);
    }
    options.http = &http;
    options.sessions = &sessions;
    options.on_start = on_start;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(s.server, tools + i, &error);
    }
    if (status == MCPW_OK) {
        status = mcpw_serve_http(s.server, &options, &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "served: %s\n", error.message);
    }
    mcpw_server_free(s.server);
    if (s.log != NULL) {
        (void)fclose(s.log);
    }
    free((void *)(uintptr_t)options.certificate);
    free((void *)(uintptr_t)options.key);
    return status == MCPW_OK ? 0 : 1;
}
