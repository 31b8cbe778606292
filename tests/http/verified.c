/* SPDX-License-Identifier: MIT */
/* A server over HTTP whose tokens an issuer verifies, for test_issuer.py. usage: verified ISSUER
 * [introspect|dpop|nonce]. It prints its port, has a tool that says who calls, and ends when its input does.
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/http_serve.h>
#include <mcpw/oauth_issuer.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MANY_MS = 60000, REFETCH_MS = 300, DEADLINE_MS = 1000, ARGUMENTS = 3 };

static const char resource[] = "https://mcp.example.com/mcp";

static mcpw_status whoami(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    (void)call, (void)user;
    return mcpw_respond_text(request, access->subject);
}

static void on_warning(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "warning: %s\n", message);
}

/* Stops the listener when the input ends. */
static void *wait_for_end(void *listener) {
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    mcpw_http_listener_stop(listener);
    return NULL;
}

static mcpw_oauth_issuer *open_issuer(const char *name, const char *how, mcpw_error *error) {
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    const bool has_nonce = strcmp(how, "nonce") == 0;
    config.issuer = name;
    config.min_refetch_ms = REFETCH_MS;
    config.deadline_ms = DEADLINE_MS;
    config.on_warning = on_warning;
    dpop.nonce_ms = has_nonce ? MANY_MS : 0;
    config.dpop = has_nonce || strcmp(how, "dpop") == 0 ? &dpop : NULL;
    if (strcmp(how, "introspect") == 0) {
        config.check = MCPW_OAUTH_BY_INTROSPECTION;
        config.client_id = "server";
        config.client_secret = "secret";
    }
    options.verifier = &config;
    return mcpw_oauth_issuer_new(&options, error);
}

static void on_start(void *user, mcpw_http_listener *listener) {
    pthread_t thread;
    (void)user;
    (void)printf("%u\n", (unsigned)mcpw_http_listener_port(listener));
    (void)fflush(stdout);
    if (pthread_create(&thread, NULL, wait_for_end, listener) == 0) {
        (void)pthread_detach(thread);
    }
}

static mcpw_status serve(mcpw_server *server, const mcpw_oauth_issuer *issuer, const char *name,
                         mcpw_error *error) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    protect.resource = resource;
    protect.authorization_servers = name;
    protect.verifier = mcpw_oauth_issuer_verifier(issuer);
    config.protect = &protect;
    config.hosts = "*";
    options.http = &config;
    options.on_start = on_start;
    return mcpw_serve_http(server, &options, error);
}

int main(int argc, char **argv) {
    static const mcpw_tool tool = {
        .name = "whoami", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = whoami};
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_issuer *const issuer =
        argc > 1 ? open_issuer(argv[1], argc == ARGUMENTS ? argv[2] : "", &error) : NULL;
    mcpw_server *const server = mcpw_server_new("verified", "1.0.0", &error);
    const bool is_good = issuer != NULL && server != NULL &&
                         mcpw_server_add_tool(server, &tool, &error) == MCPW_OK &&
                         serve(server, issuer, argv[1], &error) == MCPW_OK;
    if (!is_good) {
        (void)fprintf(stderr, "verified: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_oauth_issuer_free(issuer);
    return is_good ? 0 : 1;
}
