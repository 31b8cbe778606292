/* SPDX-License-Identifier: MIT */
/* The client's responses to requests of a server, and its record of notifications. */
#include "client.h"

#include <mcpw/json.h>

#include <stdio.h>

/* The user's answers to elicitations; the last is for any other. */
static const struct {
    const char *message;
    const char *result;
} user_says[] = {
    {"What is your name?", "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}"},
    {"What is your favorite color?", "{\"action\":\"accept\",\"content\":{\"color\":\"green\"}}"},
    {"Please confirm", "{\"action\":\"accept\",\"content\":{\"ok\":true}}"},
    {"Who are you?",
     "{\"action\":\"accept\",\"content\":{\"username\":\"ada\",\"email\":\"ada@example.org\"}}"},
    {"Go away?", "{\"action\":\"decline\"}"},
    {"", "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"check\":true,\"number\":1.5}}"},
};

static mcpw_status elicit(mcpw_request *request, const mcp_elicit_request_params *params, void *user) {
    heard *const h = user;
    mcp_elicit_result result;
    mcpw_str message = {NULL, 0};
    size_t i = 0;
    h->input_requests++;
    if (params->kind == MCP_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS) {
        message = params->as.elicit_request_form_params.message;
    }
    while (user_says[i].message[0] != '\0' && !mcpw_str_is(message, user_says[i].message)) {
        i++;
    }
    const mcpw_status status = mcp_elicit_result_decode(user_says[i].result, strlen(user_says[i].result),
                                                        mcpw_request_arena(request), &result, NULL, NULL);
    return status == MCPW_OK ? mcp_respond_elicitation_create(request, &result, NULL) : MCPW_E_ARGUMENT;
}

static mcpw_status list_roots(mcpw_request *request, const mcp_list_roots_request_params *params,
                              void *user) {
    static const mcp_root roots[] = {
        {.uri = MCPW_STR("file:///work"), .name = MCPW_STR("work")},
        {.uri = MCPW_STR("file:///home"), .name = MCPW_STR("home")},
    };
    static const mcp_list_roots_result result = {.roots = {roots, sizeof roots / sizeof roots[0]}};
    heard *const h = user;
    (void)params;
    h->input_requests++;
    return mcp_respond_roots_list(request, &result, NULL);
}

static mcpw_status sample(mcpw_request *request, const mcp_create_message_request_params *params,
                          void *user) {
    heard *const h = user;
    char text[KEPT_TEXT] = "heard: ";
    h->input_requests++;
    if (params->messages.count > 0 &&
        params->messages.items[0].content.kind == MCP_SAMPLING_MESSAGE_CONTENT_TEXT_CONTENT) {
        const mcpw_str said = params->messages.items[0].content.as.text_content.text;
        if (mcpw_str_is(said, "What is the capital of France?")) {
            snprintf(text, sizeof text, "Paris");
        } else {
            snprintf(text, sizeof text, "heard: %.*s", (int)said.len, said.ptr);
        }
    }
    const mcp_create_message_result result = {
        .role = MCP_ROLE_ASSISTANT,
        .model = MCPW_STR("test-model"),
        .stop_reason = MCPW_STR("endTurn"),
        .content = {.kind = MCP_CREATE_MESSAGE_RESULT_CONTENT_TEXT_CONTENT,
                    .as.text_content.text = mcpw_str_from(text)}};
    return mcp_respond_sampling_create_message(request, &result, NULL);
}

static void keep(char *to, const char *text, size_t len) {
    snprintf(to, KEPT_TEXT, "%.*s", (int)(len < KEPT_TEXT ? len : KEPT_TEXT - 1), text);
}

static void hear_log(mcpw_session *session, const mcp_logging_message_notification_params *params,
                     void *user) {
    heard *const h = user;
    (void)session;
    h->logs++;
    keep(h->last_log, params->data.ptr, params->data.len);
}

static void hear_tools(mcpw_session *session, const mcp_notification_params *params, void *user) {
    heard *const h = user;
    (void)session;
    (void)params;
    h->tools_changed++;
}

static void hear_update(mcpw_session *session, const mcp_resource_updated_notification_params *params,
                        void *user) {
    heard *const h = user;
    (void)session;
    h->updates++;
    keep(h->last_uri, params->uri.ptr, params->uri.len);
}

void hear_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    heard *const h = user;
    (void)session;
    h->progress++;
    h->last_progress = progress->progress;
    h->last_total = progress->total.set ? progress->total.value : -1;
}

const mcp_client_handlers client_handlers = {
    .elicitation_create = elicit,
    .roots_list = list_roots,
    .sampling_create_message = sample,
    .notifications_message = hear_log,
    .notifications_tools_list_changed = hear_tools,
    .notifications_resources_updated = hear_update,
};
