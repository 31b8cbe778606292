/* SPDX-License-Identifier: MIT */
/* A server for clients with access tokens: `http_protect ISSUER RESOURCE PORT`. Tokens are JWTs of the
 * issuer. RESOURCE is the URL of this server, and the audience of tokens. A port of 0 is any free one. */
#include <mcpw/http_protect.h>
#include <mcpw/http_serve.h>
#include <mcpw/oauth_issuer.h>

#include <stdio.h>
#include <stdlib.h>

enum { BASE = 10, USAGE = 2, ARGUMENTS = 4, LONGEST = 512 };

/* Says who asks: issuer and subject together are a user. */
static mcpw_status whoami(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    char text[LONGEST];
    (void)call, (void)user;
    const int len = snprintf(text, sizeof text, "%.*s of %.*s", (int)access->subject.len, access->subject.ptr,
                             (int)access->issuer.len, access->issuer.ptr);
    return mcpw_respond_text(request, (mcpw_str){text, len < LONGEST ? (size_t)len : LONGEST - 1});
}

static mcpw_status forget(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    return mcpw_respond_text(request, MCPW_STR_VALUE("forgotten"));
}

static const mcpw_tool tools[] = {
    {.name = "whoami", .description = "Says who you are", .call = whoami},
    {.name = "forget", .description = "Forgets all notes", .call = forget, .scopes = "notes:delete"}};

static void on_start(void *user, mcpw_http_listener *listener) {
    (void)user;
    printf("port %u\n", mcpw_http_listener_port(listener));
    (void)fflush(stdout);
}

/* Reports what goes wrong at the issuer. */
static void on_warning(void *user, const char *message) {
    (void)user;
    (void)fprintf(stderr, "http_protect: %s\n", message);
}

static mcpw_status serve(mcpw_server *server, const mcpw_oauth_issuer *issuer, char **argv,
                         mcpw_error *error) {
    static const mcpw_http_scope contains[] = {{"notes", "notes:*"}};
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    protect.resource = argv[2];
    protect.authorization_servers = argv[1];
    protect.verifier = mcpw_oauth_issuer_verifier(issuer);
    protect.contains = contains;
    protect.contain_count = sizeof contains / sizeof *contains;
    http.protect = &protect;
    options.http = &http;
    options.port = (uint16_t)strtoul(argv[3], NULL, BASE);
    options.on_start = on_start;
    return mcpw_serve_http(server, &options, error);
}

int main(int argc, char **argv) {
    mcpw_oauth_dpop_config proofs = MCPW_OAUTH_DPOP_CONFIG_INIT;
    mcpw_oauth_verifier_config verifier = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    mcpw_error error;
    if (argc != ARGUMENTS) {
        (void)fprintf(stderr, "usage: http_protect ISSUER RESOURCE PORT\n");
        return USAGE;
    }
    verifier.issuer = argv[1];
    verifier.dpop = &proofs; /* tokens may be bound to keys */
    verifier.on_warning = on_warning;
    options.verifier = &verifier;
    mcpw_oauth_issuer *const issuer = mcpw_oauth_issuer_new(&options, &error);
    mcpw_server *const server = issuer != NULL ? mcpw_server_new("notes", "1.0.0", &error) : NULL;
    mcpw_status status = server != NULL ? MCPW_OK : error.code;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, tools + i, &error);
    }
    status = status == MCPW_OK ? serve(server, issuer, argv, &error) : status;
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "http_protect: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_oauth_issuer_free(issuer);
    return status == MCPW_OK ? 0 : 1;
}
