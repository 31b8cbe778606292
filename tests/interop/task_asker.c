/* SPDX-License-Identifier: MIT */
/* A server of 2025-11-25 over stdio whose tools ask the client by tasks: the client makes the task, and the
 * server asks how it stands, waits for its result, or cancels it. */
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/handlers.h>
#include <mcpw/extension_kit.h>
#include <mcpw/io.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM                                                                                                 \
    "{\"message\":\"Go on?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"confirm\":"          \
    "{\"type\":\"boolean\"}}},\"task\":{\"ttl\":60000}}"

#define PROMPT                                                                                               \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"A "                         \
    "word?\"}}],\"maxTokens\":16,"                                                                           \
    "\"task\":{\"ttl\":60000}}"

enum { MOST_ID = 128, MOST_PARAMS = 512 };

/* The steps that a tool takes after the client has made a task. */
typedef struct plan {
    const char *first; /* the first request about the task */
    const char *then;  /* the second */
} plan;

static const plan wait_plan = {"tasks/get", "tasks/result"};
static const plan cancel_plan = {"tasks/cancel", "tasks/get"};

/* A request that waits for a task of the client. */
typedef struct waiter {
    mcpw_request *request; /* NULL: it was cancelled */
    const plan *plan;
    char id[MOST_ID];
    char first[MOST_PARAMS]; /* the status in the first response */
} waiter;

static void cancelled(void *user, mcpw_request *request) {
    waiter *const w = user;
    (void)request;
    w->request = NULL;
}

static mcpw_status ask(waiter *w, mcpw_session *session, const char *method, mcpw_on_reply on_reply) {
    char params[MOST_PARAMS];
    mcpw_json_writer writer;
    mcpw_json text;
    mcpw_json_write_begin(&writer, params, sizeof params);
    mcpw_json_write_object(&writer);
    mcpw_json_write_key(&writer, "taskId");
    mcpw_json_write_string(&writer, w->id, strlen(w->id));
    mcpw_json_write_close(&writer);
    const mcpw_status status = mcpw_json_write_end(&writer, &text);
    return status == MCPW_OK ? mcpw_session_request_text(session, method, text, NULL, on_reply, w, NULL, NULL)
                             : status;
}

static void answer(waiter *w, const char *words) {
    char text[3 * MOST_PARAMS];
    (void)snprintf(text, sizeof text, "%s, then %s", w->first, words);
    if (w->request != NULL && mcpw_respond_text(w->request, mcpw_str_from(text)) != MCPW_OK) {
        (void)fputs("the answer could not be sent\n", stderr);
    }
    free(w);
}

/* The interesting part of a response about a task: its status, or the result itself. */
static void words_of(const mcpw_reply *reply, char *out, size_t size) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str word;
    if (reply->status != MCPW_OK) {
        (void)snprintf(out, size, "%s", reply->error != NULL ? reply->error->message : "no answer");
    } else if (mcpw_json_get_string(reply->text, "status", &arena, &word) == MCPW_OK) {
        (void)snprintf(out, size, "%.*s", (int)word.len, word.ptr);
    } else {
        (void)snprintf(out, size, "%.*s", (int)reply->text.len, reply->text.ptr);
    }
    mcpw_arena_free(&arena);
}

static void on_second(void *user, mcpw_session *session, const mcpw_reply *reply) {
    char words[MOST_PARAMS];
    (void)session;
    words_of(reply, words, sizeof words);
    answer(user, words);
}

static void on_first(void *user, mcpw_session *session, const mcpw_reply *reply) {
    waiter *const w = user;
    words_of(reply, w->first, sizeof w->first);
    if (reply->status != MCPW_OK || ask(w, session, w->plan->then, on_second) != MCPW_OK) {
        answer(w, "nothing");
    }
}

/* Asks about the task that the client has made. */
static mcpw_status begin(mcpw_request *request, const mcp_20251125_create_task_result *made,
                         const plan *plan) {
    waiter *const w = made != NULL ? calloc(1, sizeof *w) : NULL;
    if (w == NULL) {
        return MCPW_E_MEMORY;
    }
    w->request = request;
    w->plan = plan;
    (void)snprintf(w->id, sizeof w->id, "%s", made->task.task_id.ptr);
    mcpw_request_on_cancel(request, cancelled, w);
    const mcpw_status status = ask(w, mcpw_request_session(request), plan->first, on_first);
    if (status != MCPW_OK) {
        mcpw_request_on_cancel(request, NULL, NULL);
        free(w);
    }
    return status;
}

/* The params of an input request that asks for a task; NULL: they are broken, or memory has run out. */
static const void *params_of(mcpw_request *request, const char *type_name, const char *text) {
    const mcpw_type *const type = mcpw_revision_type(&mcp_20251125_revision, type_name);
    mcpw_arena *const arena = mcpw_request_arena(request);
    void *const params = mcpw_arena_alloc(arena, mcpw_type_size(type));
    return params != NULL && mcpw_decode(type, text, strlen(text), arena, params, NULL, NULL) == MCPW_OK
               ? params
               : NULL;
}

static mcpw_status sample(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_20251125_create_message_request_params *const params =
        params_of(request, "CreateMessageRequestParams", PROMPT);
    const mcp_20251125_create_task_result *made = NULL;
    (void)call;
    (void)user;
    const mcpw_status status =
        params != NULL ? mcp_20251125_ask_sampling_create_message_task(request, "word", params, &made, NULL)
                       : MCPW_E_MEMORY;
    return status == MCPW_OK ? begin(request, made, &wait_plan) : status;
}

static mcpw_status elicit(mcpw_request *request, const plan *plan) {
    const mcp_20251125_elicit_request_params *const params = params_of(request, "ElicitRequestParams", FORM);
    const mcp_20251125_create_task_result *made = NULL;
    const mcpw_status status =
        params != NULL ? mcp_20251125_ask_elicitation_create_task(request, "go", params, &made, NULL)
                       : MCPW_E_MEMORY;
    return status == MCPW_OK ? begin(request, made, plan) : status;
}

static mcpw_status confirm(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return elicit(request, &wait_plan);
}

static mcpw_status change_mind(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return elicit(request, &cancel_plan);
}

int main(void) {
    static const mcpw_tool tools[] = {
        {.struct_size = sizeof(mcpw_tool), .name = "sample", .call = sample},
        {.struct_size = sizeof(mcpw_tool), .name = "confirm", .call = confirm},
        {.struct_size = sizeof(mcpw_tool), .name = "change_mind", .call = change_mind}};
    mcpw_error error = {0};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    mcpw_server *const server = mcpw_server_new("task-asker", "1.0.0", &error);
    mcpw_status status = server != NULL ? MCPW_OK : error.code;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, tools + i, &error);
    }
    config.revisions = "2025-11-25";
    options.config = &config;
    status = status == MCPW_OK ? mcpw_serve_stdio_with(server, &options, &error) : status;
    mcpw_server_free(server);
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    return status == MCPW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
