/* SPDX-License-Identifier: MIT */
/* A program of an earlier version, whose structs had fewer members, works with this library. After each of
 * its structs there is rubbish, which nobody may read. */
#include <mcpw/codec.h>
#include <mcpw/detail/session.h>
#include <mcpw/diagnostics.h>
#include <mcpw/frame.h>
#include <mcpw/io.h>
#include <mcpw/project.h>
#include <mcpw/schema.h>
#include <mcpw/server.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef MCPW_OLDER_HTTP
#include <mcpw/http.h>
#include <mcpw/http_client.h>
#endif

#define CHECK(truth)                                                                                         \
    do {                                                                                                     \
        if (!(truth)) {                                                                                      \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #truth);                                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* A struct with rubbish after it, which a newer library would take for members. */
#define OLDER(type, name, init)                                                                              \
    struct {                                                                                                 \
        type given;                                                                                          \
        unsigned char after[512];                                                                            \
    } name = {.given = init};                                                                                \
    memset(name.after, 0xa5, sizeof name.after)

static mcpw_status call_echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    CHECK(user == NULL);
    return mcpw_respond_text(request, mcpw_str_from("echoed"));
}

static void options_of_the_codec(void) {
    OLDER(mcpw_options, options, MCPW_OPTIONS_INIT);
    OLDER(mcpw_project_options, projection, MCPW_PROJECT_INIT);
    OLDER(mcpw_schema_options, compiling, MCPW_SCHEMA_OPTIONS_INIT);
    const mcpw_type *const from = mcpw_find_type("2025-06-18", "Implementation");
    const mcpw_type *const to = mcpw_find_type("2025-11-25", "Implementation");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    static const char text[] = "{\"name\":\"a\",\"version\":\"1\"}";
    mcpw_error error;
    void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(from));
    void *const newer = mcpw_arena_alloc(&arena, mcpw_type_size(to));
    options.given.flags = MCPW_STRICT;
    CHECK(mcpw_decode(from, text, sizeof text - 1, &arena, value, &options.given, &error) == MCPW_OK);
    CHECK(mcpw_validate(from, "{}", 2, &arena, &options.given, &error) == MCPW_E_MISSING);
    CHECK(mcpw_encode(from, value, &out, &options.given, &error) == MCPW_OK);
    CHECK(out.len == sizeof text - 1 && memcmp(out.data, text, out.len) == 0);
    CHECK(mcpw_project(from, value, to, &arena, newer, &projection.given, &error) == MCPW_OK);
    options.given.struct_size = sizeof options; /* of a later version, which wants something */
    CHECK(mcpw_encode(from, value, &out, &options.given, &error) == MCPW_E_ARGUMENT);
    memset(options.after, 0, sizeof options.after);
    CHECK(mcpw_encode(from, value, &out, &options.given, &error) == MCPW_OK);
    mcpw_schema *schema = NULL;
    CHECK(mcpw_schema_compile("true", 4, &compiling.given, &schema, &error) == MCPW_OK);
    mcpw_schema_free(schema);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

static void is_said(mcpw_session *session, const char *line, const char *wanted) {
    const char *bytes = NULL;
    CHECK(mcpw_session_feed(session, line, strlen(line)) == MCPW_OK);
    const size_t len = mcpw_session_output(session, &bytes);
    char *const text = malloc(len + 1);
    CHECK(text != NULL);
    memcpy(text, bytes != NULL ? bytes : "", len);
    text[len] = '\0';
    if (strstr(text, wanted) == NULL) {
        (void)fprintf(stderr, "%s\n", text);
        exit(1);
    }
    free(text);
    mcpw_session_sent(session, len);
}

static void a_server(void) {
    OLDER(mcpw_server_config, offer, MCPW_SERVER_CONFIG_INIT);
    OLDER(mcpw_session_config, config, MCPW_SESSION_CONFIG_INIT);
    OLDER(mcpw_tool, tool, MCPW_SIZED(mcpw_tool));
    mcpw_error error;
    offer.given.name = "s";
    offer.given.version = "1";
    mcpw_server *const server = mcpw_server_new_with(&offer.given, NULL);
    CHECK(server != NULL);
    tool.given.name = "echo";
    tool.given.call = call_echo;
    CHECK(mcpw_server_add_tool(server, &tool.given, &error) == MCPW_OK);
    config.given.role = MCPW_ROLE_SERVER;
    config.given.server = server;
    mcpw_session *const session = mcpw_session_new(&config.given, &error);
    CHECK(session != NULL);
    is_said(
        session,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n",
        "echoed");
    mcpw_session_free(session);
#ifdef MCPW_OLDER_HTTP
    OLDER(mcpw_http_config, http, MCPW_HTTP_CONFIG_INIT);
    http.given.endpoint = mcpw_endpoint_new(&config.given, &error);
    http.given.eras = MCPW_HTTP_MODERN;
    mcpw_http_server *const served = mcpw_http_server_new(&http.given, &error);
    CHECK(served != NULL);
    mcpw_http_server_free(served);
    mcpw_endpoint_free(http.given.endpoint);
#endif
    mcpw_server_free(server);
}

static void a_client(void) {
    OLDER(mcpw_session_config, config, MCPW_SESSION_CONFIG_INIT);
    OLDER(mcpw_spawn, spawn, MCPW_SIZED(mcpw_spawn));
    OLDER(mcpw_call, call, MCPW_SIZED(mcpw_call));
    OLDER(mcpw_diagnostics_options, telling, MCPW_DIAGNOSTICS_OPTIONS_INIT);
    static const char *const argv[] = {"false", NULL};
    mcpw_error error;
    config.given.role = MCPW_ROLE_CLIENT;
    config.given.name = "c";
    config.given.version = "1";
    spawn.given.argv = argv;
    CHECK(mcpw_client_start(&spawn.given, &config.given, &error) == NULL && error.code == MCPW_E_CLOSED);
    mcpw_session *const session = mcpw_session_new(&config.given, &error);
    CHECK(session != NULL);
    const mcpw_status status = mcpw_session_ping(session, &call.given, NULL, NULL, NULL, &error);
    CHECK(status != MCPW_E_ARGUMENT);
#ifdef MCPW_OLDER_HTTP
    OLDER(mcpw_http_client_config, http, MCPW_HTTP_CLIENT_CONFIG_INIT);
    http.given.session = session;
    mcpw_http_client *const client = mcpw_http_client_new(&http.given, &error);
    CHECK(client != NULL);
    mcpw_http_client_free(client);
#endif
    mcpw_session_free(session);
    mcpw_diagnostics *const diagnostics = mcpw_diagnostics_new(&telling.given, &error);
    CHECK(diagnostics != NULL);
    mcpw_diagnostics_free(diagnostics);
}

static void the_version_is_that_of_the_library(void) { CHECK(strcmp(mcpw_version(), MCPW_VERSION) == 0); }

int main(void) {
    the_version_is_that_of_the_library();
    options_of_the_codec();
    a_server();
    a_client();
    return 0;
}
