/* SPDX-License-Identifier: MIT */
/* An extension of one's own: clock.json is its schema, mcpwire_generate makes the bindings, and both ends add
 * it by one call. Usage: clock [--http PORT] serves it; clock --ask SERVER [ARGUMENT]... and clock --at URL
 * ask for the time. */
#include <mcp/2026-07-28-clock.h>
#include <mcp/2026-07-28-clock/client.h>
#include <mcpw/extension.h>
#include <mcpw/http_connect.h>
#include <mcpw/serve.h>

#include <stdio.h>
#include <string.h>

static mcpw_status read_clock(mcpw_request *request,
                              const mcp_20260728_clock_read_clock_request_params *params, void *user) {
    const mcp_20260728_clock_read_clock_result result = {.seconds = (int64_t)params->zone.len};
    mcpw_error error;
    const mcpw_json tick = MCPW_JSON("{\"zone\":\"here\"}");
    (void)user;
    const mcpw_status status =
        mcpw_request_notify_named(request, "notifications/clock/tick", tick, &error); /* on its stream */
    return status == MCPW_OK ? mcp_20260728_clock_respond_clock_read(request, &result, NULL) : status;
}

static void tick(mcpw_session *session, const mcp_20260728_clock_clock_tick_notification_params *params,
                 void *user) {
    (void)session;
    (void)user;
    printf("tick %s\n", params->zone.ptr);
}

static int serve(int argc, char **argv) {
    static const mcp_20260728_clock_server_handlers handlers = {.clock_read = read_clock};
    mcpw_extension extension = mcp_20260728_clock_extension;
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("clock", "1.0.0", &error);
    extension.handlers = &handlers;
    extension.settings = (mcpw_json)MCPW_JSON("{\"unit\":\"s\"}");
    mcpw_status status = server != NULL ? mcpw_server_add_extension(server, &extension, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}

static mcpw_status ask(mcpw_client *client, mcpw_error *error) {
    const mcp_20260728_clock_read_clock_request_params params = {.zone = MCPW_STR("UTC")};
    const mcp_20260728_clock_read_clock_result *result = NULL;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json settings =
        mcpw_session_settings(mcpw_client_session(client), mcp_20260728_clock_extension.id);
    printf("settings %.*s\n", (int)settings.len, settings.ptr);
    const mcpw_status status =
        mcp_20260728_clock_call_clock_read(client, &params, NULL, &arena, &result, error);
    if (status == MCPW_OK && result != NULL) {
        printf("seconds %d\n", (int)result->seconds);
    }
    mcpw_arena_free(&arena);
    return status;
}

static int start_and_ask(const char *how, const char *const *what) {
    static const mcp_20260728_clock_client_handlers handlers = {.notifications_clock_tick = tick};
    const mcpw_spawn spawn = {.argv = what};
    mcpw_http_connect_options options = MCPW_HTTP_CONNECT_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_extension extension = mcp_20260728_clock_extension;
    mcpw_client *client = NULL;
    mcpw_error error;
    extension.handlers = &handlers;
    config.name = "asker";
    config.version = "1.0.0";
    options.url = what[0];
    mcpw_status status = mcpw_client_add_extension(&config, &extension, &error);
    if (status == MCPW_OK) {
        client = strcmp(how, "--at") == 0 ? mcpw_client_connect(&options, &config, &error)
                                          : mcpw_client_start(&spawn, &config, &error);
        status = client != NULL ? ask(client, &error) : error.code;
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "%s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    return status == MCPW_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc > 2 && (strcmp(argv[1], "--ask") == 0 || strcmp(argv[1], "--at") == 0)) {
        return start_and_ask(argv[1], (const char *const *)(argv + 2));
    }
    return serve(argc, argv);
}
