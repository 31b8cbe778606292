/* SPDX-License-Identifier: MIT */
/* A server to deploy: where it listens, its public name and its key come from outside. */
#include <mcpw/http_serve.h>
#include <mcpw/json.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 10, LONGEST_KEY = 256 };

static mcpw_http_listener *running; /* for the signal */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str message;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message);
    return status == MCPW_OK ? mcpw_respond_text(request, message) : status;
}

static const mcpw_tool echo_tool = {
    .name = "echo",
    .description = "Says what it is told",
    .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                              "\"required\":[\"message\"]}"),
    .call = echo,
};

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

static void on_start(void *user, mcpw_http_listener *listener) {
    (void)user;
    running = listener;
    (void)signal(SIGINT, stop);
    (void)signal(SIGTERM, stop);
    printf("port %u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

/* The bytes of a file; absent where it cannot be read. */
static mcpw_str read_key(const char *path, char *bytes, size_t size) {
    mcpw_str key = {NULL, 0};
    FILE *const file = fopen(path, "rb");
    if (file != NULL) {
        key.len = fread(bytes, 1, size, file);
        key.ptr = key.len != 0 ? bytes : NULL;
        (void)fclose(file);
    }
    return key;
}

static mcpw_status serve(mcpw_server *server, mcpw_error *error) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    const char *const port = getenv("MCP_PORT");
    const char *const key_file = getenv("MCP_STATE_KEY_FILE");
    char key[LONGEST_KEY];
    if (key_file != NULL) {
        sessions.state_key = read_key(key_file, key, sizeof key);
        if (sessions.state_key.ptr == NULL) {
            mcpw_error_set(error, MCPW_E_IO, 0, "cannot read %s", key_file);
            return MCPW_E_IO;
        }
    }
    http.eras = MCPW_HTTP_MODERN;            /* any process may serve any request */
    http.hosts = getenv("MCP_HOSTS");        /* "mcp.example.com"; NULL: this machine's names */
    options.address = getenv("MCP_ADDRESS"); /* NULL: 127.0.0.1 */
    options.port = (uint16_t)(port != NULL ? strtoul(port, NULL, BASE) : 0);
    options.socket = mcpw_http_given_socket(); /* of systemd; -1: address and port count */
    options.on_start = on_start;
    options.http = &http;
    options.sessions = &sessions;
    return mcpw_serve_http(server, &options, error);
}

int main(void) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("echo", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &echo_tool, &error) : error.code;
    if (status == MCPW_OK) {
        status = serve(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "mcp-server: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
