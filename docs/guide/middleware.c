/* SPDX-License-Identifier: MIT */
/* Middleware of a server and of a client in one program: it measures, answers, refuses, changes and drops. */
#include <mcp/pinned.h>
#include <mcpw/extension.h>
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/middleware.h>

#include <stdio.h>
#include <string.h>

/* ---- One that measures ---- */

typedef struct stopwatch {
    unsigned started;
} stopwatch;

static mcpw_status start(mcpw_passage *passage, void *user) {
    unsigned *const clock = user;
    stopwatch *const watch = mcpw_arena_alloc(mcpw_passage_arena(passage), sizeof *watch);
    if (watch == NULL) {
        return MCPW_E_MEMORY;
    }
    watch->started = (*clock)++;
    *mcpw_passage_state(passage) = watch; /* this middleware's own, for this message */
    return MCPW_OK;
}

static mcpw_status stop(mcpw_passage *passage, void *user) {
    const stopwatch *const watch = *mcpw_passage_state(passage);
    const unsigned *const clock = user;
    const mcpw_str method = mcpw_passage_method(passage);
    const mcpw_rpc_error *const error = mcpw_passage_error(passage);
    printf("%.*s took %u, %s\n", (int)method.len, method.ptr, *clock - watch->started,
           error != NULL                              ? "an error"
           : mcpw_passage_result(passage).ptr != NULL ? "a result"
                                                      : "no response");
    return MCPW_OK;
}

/* ---- One that decides ---- */

/* Answers and refuses tools without their handlers. */
static mcpw_status guard(mcpw_passage *passage, void *user) {
    const mcp_call_tool_request_params *params;
    const mcpw_type *type = NULL;
    (void)user;
    params = mcpw_passage_value(passage, &type);
    if (params == NULL || type != &mcp_call_tool_request_params_table) {
        return MCPW_OK; /* another method */
    }
    if (mcpw_str_is(params->name, "cached")) {
        const char *const result =
            "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"as before\"}]}";
        return mcpw_passage_set_result(passage, mcpw_json_of(result, strlen(result)), NULL);
    }
    if (mcpw_str_is(params->name, "locked") &&
        mcpw_request_principal(mcpw_passage_request(passage)).ptr == NULL) {
        return mcpw_passage_set_error(passage, 403, "log in first", (mcpw_json){0});
    }
    return MCPW_OK;
}

/* ---- One of the client's ---- */

/* Marks requests of this end, and drops what it does not want to read. */
static mcpw_status mark(mcpw_passage *passage, void *user) {
    const char *const version = user;
    if (mcpw_passage_kind(passage) == MCPW_MESSAGE_NOTIFICATION && !mcpw_passage_is_sent(passage)) {
        mcpw_passage_drop(passage);
        return MCPW_OK;
    }
    const mcpw_json params = mcpw_passage_params(passage);
    char text[1024];
    if (mcpw_session_is_closed(mcpw_passage_session(passage)) || params.len + 64 > sizeof text) {
        return MCPW_OK;
    }
    (void)snprintf(text, sizeof text, "%.*s,\"org.example/client\":\"%s\"}", (int)params.len - 1, params.ptr,
                   version);
    return mcpw_passage_set_params(passage, mcpw_json_of(text, strlen(text)), NULL);
}

/* ---- Those that come with the library ---- */

static void write_line(void *user, mcpw_str line) {
    (void)user;
    fprintf(stderr, "%.*s\n", (int)line.len, line.ptr);
}

static uint64_t tell_time(void *user) { return *(const unsigned *)user; }

static bool current_span(void *user, mcpw_passage *passage, mcpw_trace *trace) {
    (void)user;
    (void)passage;
    trace->traceparent = mcpw_str_from("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    return true;
}

static mcpw_status hello(mcpw_request *request, const mcp_call_tool_request_params *params, void *user) {
    mcpw_trace trace;
    if (mcpw_request_trace(request, &trace)) {
        fprintf(stderr, "part of %.*s\n", (int)trace.traceparent.len, trace.traceparent.ptr);
    }
    static const mcp_content_block text = {.kind = MCP_CONTENT_BLOCK_TEXT_CONTENT,
                                           .as.text_content = {.text = MCPW_STR("hello")}};
    const mcp_call_tool_result result = {.content = {&text, 1}};
    (void)params;
    (void)user;
    return mcp_respond_tools_call(request, &result, NULL);
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcp_call_tool_result *const result = mcp_reply_tools_call(reply);
    (void)user;
    (void)session;
    printf("%s\n",
           result != NULL ? result->content.items[0].as.text_content.text.ptr : reply->error->message);
}

/* Carries what one end has to say to the other; false: nothing. */
static bool carry(mcpw_session *from, mcpw_session *to) {
    const char *bytes;
    size_t len;
    bool any = false;
    while ((len = mcpw_session_output(from, &bytes)) != 0 && mcpw_session_feed(to, bytes, len) == MCPW_OK) {
        any = true;
        mcpw_session_sent(from, len);
    }
    return any;
}

static void call(mcpw_session *client, mcpw_session *server, const char *tool) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(tool)};
    mcpw_error error;
    if (mcp_request_tools_call(client, &params, NULL, on_reply, NULL, NULL, &error) != MCPW_OK) {
        printf("%s\n", error.message);
    }
    while (carry(client, server) || carry(server, client)) {
    }
}

int main(void) {
    static const mcp_server_handlers handlers = {.tools_call = hello};
    unsigned clock = 0;
    const mcpw_middleware measures = {.name = "stopwatch", .before = start, .after = stop, .user = &clock};
    const mcpw_middleware guards = {.name = "guard", .before = guard};
    const mcpw_middleware marks = {.name = "mark",
                                   .passes = MCPW_PASS_SENT_REQUESTS | MCPW_PASS_RECEIVED_NOTIFICATIONS,
                                   .before = mark,
                                   .user = "1.0"};
    mcpw_session_config served = MCPW_SESSION_CONFIG_INIT;
    mcpw_session_config used = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    served.role = MCPW_ROLE_SERVER;
    used.role = MCPW_ROLE_CLIENT;
    served.name = used.name = "guide";
    served.version = used.version = "1.0.0";
    served.dispatch = &mcp_server_dispatch;
    served.handlers = &handlers;
    mcpw_access_log log = {.write = write_line, .now = tell_time, .user = &clock};
    mcpw_tracing tracing = {.current = current_span};
    const mcpw_rate_limit_config rates = {.burst = 100, .period_ms = 50, .now = tell_time, .user = &clock};
    mcpw_rate_limit *const limit = mcpw_rate_limit_new(&rates, &error);
    if (limit == NULL) {
        return 1;
    }
    const mcpw_middleware logs = mcpw_access_log_middleware(&log);
    const mcpw_middleware limits = mcpw_rate_limit_middleware(limit);
    const mcpw_middleware traces = mcpw_tracing_middleware(&tracing);
    mcpw_status status = mcpw_client_add_middleware(&served, &logs, &error);
    status = status == MCPW_OK ? mcpw_client_add_middleware(&served, &limits, &error) : status;
    status = status == MCPW_OK ? mcpw_client_add_middleware(&used, &traces, &error) : status;
    status = status == MCPW_OK ? mcpw_client_add_middleware(&served, &measures, &error) : status;
    status = status == MCPW_OK ? mcpw_client_add_middleware(&served, &guards, &error) : status;
    status = status == MCPW_OK ? mcpw_client_add_middleware(&used, &marks, &error) : status;
    mcpw_session *const server = status == MCPW_OK ? mcpw_session_new(&served, &error) : NULL;
    mcpw_session *const client = server != NULL ? mcpw_session_new(&used, &error) : NULL;
    if (client != NULL && mcpw_session_open(client) == MCPW_OK) {
        for (size_t i = 0; mcpw_session_middleware(server, i) != NULL; i++) {
            printf("%s\n", mcpw_session_middleware(server, i));
        }
        call(client, server, "greet");
        call(client, server, "cached");
        call(client, server, "locked");
    } else {
        printf("%s\n", error.message);
    }
    mcpw_session_free(client);
    mcpw_session_free(server);
    mcpw_extensions_free(used.extensions);
    mcpw_extensions_free(served.extensions);
    mcpw_rate_limit_free(limit);
    return client != NULL ? 0 : 1;
}
