/* SPDX-License-Identifier: MIT */
/*
 * A client with everything that servers may ask for: a user who fills in forms and visits pages, a model,
 * and roots. It starts a server, listens for changes, calls tools by name and prints what it hears.
 *
 *     example_host TOOL... -- SERVER [ARGUMENT]...
 *     example_host book rhyme folders count learn -- ./example_questions
 *
 * The user and the model are stand-ins: a form is accepted with its defaults.
 */
#include <mcp/client.h>

#include <stdio.h>

enum { PATIENCE_MS = 30000, LISTEN_MS = 200 };

static void print(const char *label, mcpw_str text) { printf("%s%.*s\n", label, (int)text.len, text.ptr); }

/* ---- The server's input requests ---- */

static mcpw_status elicit(mcpw_request *request, const mcp_elicit_request_params *params, void *user) {
    const mcp_elicit_result result = {.action = MCP_ELICIT_RESULT_ACTION_ACCEPT};
    (void)user;
    if (params->kind == MCP_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_URL_PARAMS) {
        print("visit: ", params->as.elicit_request_url_params.url); /* a host asks its user first */
    } else {
        print("form: ", params->as.elicit_request_form_params.message);
    }
    return mcp_respond_elicitation_create(request, &result, NULL); /* fill_forms adds the defaults */
}

static mcpw_status sample(mcpw_request *request, const mcp_create_message_request_params *params,
                          void *user) {
    const mcp_create_message_result result = {
        .role = MCP_ROLE_ASSISTANT,
        .model = MCPW_STR("stand-in"),
        .content = {.kind = MCP_CREATE_MESSAGE_RESULT_CONTENT_TEXT_CONTENT,
                    .as.text_content.text = MCPW_STR("I saw a bee upon a tree.")}};
    (void)user;
    printf("model: %zu messages\n", params->messages.count);
    return mcp_respond_sampling_create_message(request, &result, NULL);
}

static mcpw_status list_roots(mcpw_request *request, const mcp_list_roots_request_params *params,
                              void *user) {
    static const mcp_root roots[] = {{.uri = MCPW_STR("file:///work"), .name = MCPW_STR("work")}};
    static const mcp_list_roots_result result = {.roots = {roots, sizeof roots / sizeof *roots}};
    (void)params;
    (void)user;
    return mcp_respond_roots_list(request, &result, NULL);
}

/* ---- Notifications ---- */

static void hear_log(mcpw_session *session, const mcp_logging_message_notification_params *params,
                     void *user) {
    (void)session;
    (void)user;
    print("log: ", (mcpw_str){params->data.ptr, params->data.len});
}

static void hear_tools(mcpw_session *session, const mcp_notification_params *params, void *user) {
    (void)session;
    (void)params;
    (void)user;
    printf("the list of tools has changed\n");
}

static void hear_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    (void)user;
    (void)session;
    printf("progress: %g\n", progress->progress);
}

/* ---- Calls ---- */

static mcpw_status call_tool(mcpw_client *client, const char *name, mcpw_error *error) {
    const mcp_call_tool_request_params params = {.name = mcpw_str_from(name)};
    const mcpw_call options = {.timeout_ms = PATIENCE_MS, .on_progress = hear_progress};
    const mcp_call_tool_result *result = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_status status = mcp_call_tools_call(client, &params, &options, &arena, &result, error);
    for (size_t i = 0; result != NULL && i < result->content.count; i++) {
        if (result->content.items[i].kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
            print(result->is_error.value ? "failed: " : "answer: ",
                  result->content.items[i].as.text_content.text);
        }
    }
    mcpw_arena_free(&arena);
    return status;
}

static mcpw_status run(mcpw_client *client, char **tools, mcpw_error *error) {
    static const mcpw_interest interest = {.tools = true};
    int64_t subscription;
    mcpw_status status = mcpw_client_set_log_level(client, MCPW_LOG_INFO, error);
    if (status == MCPW_OK || status == MCPW_E_CAPABILITY) { /* the server does not log */
        status =
            mcpw_session_listen(mcpw_client_session(client), &interest, NULL, NULL, &subscription, error);
    }
    if (status == MCPW_E_CAPABILITY || status == MCPW_E_METHOD) { /* nothing to subscribe to */
        status = MCPW_OK;
    }
    if (status == MCPW_OK) { /* the revisions with a handshake have these two */
        status = mcpw_client_ping(client, PATIENCE_MS, error);
        status = status == MCPW_OK ? mcpw_session_roots_changed(mcpw_client_session(client), error) : status;
        status = status == MCPW_E_METHOD ? MCPW_OK : status;
    }
    for (; status == MCPW_OK && *tools != NULL; tools++) {
        printf("%s\n", *tools);
        status = call_tool(client, *tools, error);
    }
    if (status == MCPW_OK) { /* a change may come after the answer */
        status = mcpw_client_wait(client, LISTEN_MS, error);
        status = status == MCPW_E_TIMEOUT ? MCPW_OK : status;
    }
    return status;
}

int main(int argc, char **argv) {
    const mcp_client_handlers handlers = {.elicitation_create = elicit,
                                          .sampling_create_message = sample,
                                          .roots_list = list_roots,
                                          .notifications_message = hear_log,
                                          .notifications_tools_list_changed = hear_tools};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    int split = 1;
    while (split < argc && strcmp(argv[split], "--") != 0) {
        split++;
    }
    if (split + 1 >= argc) {
        fprintf(stderr, "usage: %s TOOL... -- SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    argv[split] = NULL;
    const mcpw_spawn spawn = {.argv = (const char *const *)(argv + split + 1)};
    config.name = "host";
    config.version = "1.0.0";
    config.dispatch = &mcp_client_dispatch;
    config.handlers = &handlers;
    config.declares = "elicitation.form elicitation.url";
    config.fill_forms = true;
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    const mcpw_status status = client != NULL ? run(client, argv + 1, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "host: %s: %s\n", mcpw_status_name(status), error.message);
    }
    mcpw_client_free(client);
    return status == MCPW_OK ? 0 : 1;
}
