/* SPDX-License-Identifier: MIT */
/*
 * Our server, which requires access tokens. It prints its port.
 * Usage: oauth_server PORT ISSUER [OPTION VALUE]...
 *   --introspect SECRET    asks the issuer about each token, as the client "resource-server"; else it checks
 *                          tokens by the issuer's keys
 *   --dpop yes             tokens must be bound to a key, and proofs of it need a nonce
 *   --leeway MS            accepts tokens for so long after they expired; default 1
 */
#include <mcpw/http_serve.h>
#include <mcpw/oauth_issuer.h>
#include <mcpw/server.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 10, TEXT = 256, NONCE_MS = 60000 };

static mcpw_http_listener *running; /* for the signal */

static void stop(int number) {
    (void)number;
    mcpw_http_listener_stop(running); // NOLINT(bugprone-signal-handler,cert-sig30-c): its header allows it
}

/* "TOOL for USER"; user is the tool's name. */
static mcpw_status say_user(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    char text[TEXT];
    (void)call;
    if (access == NULL) {
        return mcpw_respond_tool_error(request, "it was not checked who calls");
    }
    const mcpw_str subject = access->subject.ptr != NULL ? access->subject : access->client_id;
    (void)snprintf(text, sizeof text, "%s for %.*s", (const char *)user, (int)subject.len, subject.ptr);
    return mcpw_respond_text(request, mcpw_str_from(text));
}

static mcpw_status add_tools(mcpw_server *server, mcpw_error *error) {
    static char names[][sizeof "write"] = {"read", "write"};
    static const char *const scopes[] = {"mcp:read", "mcp:write"};
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof scopes / sizeof *scopes; i++) {
        mcpw_tool tool = {.struct_size = sizeof tool,
                          .name = names[i],
                          .call = say_user,
                          .user = names[i],
                          .scopes = scopes[i]};
        status = mcpw_server_add_tool(server, &tool, error);
    }
    return status;
}

/* The command line. */
typedef struct arguments {
    uint16_t port;
    const char *issuer;
    const char *introspect;
    const char *dpop;
    uint64_t leeway_ms;
} arguments;

static bool parse(int argc, char **argv, arguments *out) {
    if (argc < 3 || argc % 2 == 0) {
        return false;
    }
    out->port = (uint16_t)strtoul(argv[1], NULL, BASE);
    out->issuer = argv[2];
    for (int i = 3; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--introspect") == 0) {
            out->introspect = argv[i + 1];
        } else if (strcmp(argv[i], "--dpop") == 0) {
            out->dpop = argv[i + 1];
        } else if (strcmp(argv[i], "--leeway") == 0) {
            out->leeway_ms = strtoull(argv[i + 1], NULL, BASE);
        } else {
            return false;
        }
    }
    return true;
}

/* Serves until a signal ends it. */
static mcpw_status serve(mcpw_server *server, const arguments *a, const mcpw_oauth_issuer *issuer,
                         mcpw_error *error) {
    char resource[TEXT];
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    (void)snprintf(resource, sizeof resource, "http://127.0.0.1:%u/mcp", a->port);
    protect.resource = resource;
    protect.authorization_servers = a->issuer;
    protect.verifier = mcpw_oauth_issuer_verifier(issuer);
    protect.scopes = "mcp:read";
    sessions.role = MCPW_ROLE_SERVER;
    sessions.server = server;
    http.endpoint = mcpw_endpoint_new(&sessions, error);
    http.protect = &protect;
    options.http = &http;
    options.port = a->port;
    running = http.endpoint != NULL ? mcpw_http_listener_new(&options, error) : NULL;
    mcpw_status status = running != NULL ? MCPW_OK : error->code;
    if (running != NULL) {
        (void)signal(SIGTERM, stop);
        printf("%u\n", mcpw_http_listener_port(running));
        (void)fflush(stdout);
        status = mcpw_http_listener_run(running, error);
    }
    mcpw_http_listener_free(running);
    mcpw_endpoint_free(http.endpoint);
    return status;
}

static void warn(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "oauth_server: %s\n", message);
}

/* Nothing is remembered for long: tests do not wait. */
static mcpw_oauth_issuer *know_issuer(const arguments *a, mcpw_error *error) {
    mcpw_oauth_dpop_config proofs = MCPW_OAUTH_DPOP_CONFIG_INIT;
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    config.issuer = a->issuer;
    config.leeway_ms = a->leeway_ms;
    config.min_refetch_ms = config.max_cache_ms = 1;
    config.on_warning = warn;
    if (a->introspect != NULL) {
        config.check = MCPW_OAUTH_BY_INTROSPECTION;
        config.client_id = "resource-server";
        config.client_secret = a->introspect;
    }
    if (a->dpop != NULL) {
        proofs.nonce_ms = NONCE_MS;
        config.dpop = &proofs;
        options.dpop_required = true;
    }
    options.verifier = &config;
    return mcpw_oauth_issuer_new(&options, error);
}

int main(int argc, char **argv) {
    arguments a = {.leeway_ms = 1};
    mcpw_error error = {.code = MCPW_E_MEMORY, .message = "no memory"};
    if (!parse(argc, argv, &a)) {
        (void)fprintf(stderr, "usage: oauth_server PORT ISSUER [OPTION VALUE]...\n");
        return 2;
    }
    mcpw_server *const server = mcpw_server_new("oauth-server", "1.0.0", NULL);
    mcpw_oauth_issuer *const issuer = know_issuer(&a, &error);
    mcpw_status status = server != NULL && issuer != NULL ? add_tools(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = serve(server, &a, issuer, &error);
    }
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "oauth_server: %s\n", error.message);
    }
    mcpw_oauth_issuer_free(issuer);
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
