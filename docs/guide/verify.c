/* SPDX-License-Identifier: MIT */
/* A server whose tokens are JWTs of one issuer. usage: verify ISSUER */
#include <mcpw/http_serve.h>
#include <mcpw/oauth_issuer.h>

#include <stdio.h>

static mcpw_status whoami(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    (void)call, (void)user;
    return mcpw_respond_text(request, access->subject.ptr != NULL ? access->subject : access->client_id);
}

static void on_warning(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "verify: %s\n", message);
}

static mcpw_oauth_issuer *open_issuer(const char *name, mcpw_error *error) {
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    mcpw_oauth_dpop_config dpop = MCPW_OAUTH_DPOP_CONFIG_INIT;
    config.issuer = name;
    config.on_warning = on_warning;
    config.dpop = &dpop;
    options.verifier = &config;
    return mcpw_oauth_issuer_new(&options, error);
}

static mcpw_status serve(mcpw_server *server, const char *name, const mcpw_oauth_issuer *issuer,
                         mcpw_error *error) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    protect.resource = "http://localhost:8091/mcp";
    protect.authorization_servers = name;
    protect.verifier = mcpw_oauth_issuer_verifier(issuer);
    http.protect = &protect;
    options.http = &http;
    options.port = 8091;
    return mcpw_serve_http(server, &options, error);
}

int main(int argc, char **argv) {
    const mcpw_tool tool = {.name = "whoami", .call = whoami};
    const char *const name = argc > 1 ? argv[1] : "https://login.example.com";
    mcpw_error error;
    mcpw_oauth_issuer *const issuer = open_issuer(name, &error);
    mcpw_server *const server = issuer != NULL ? mcpw_server_new("verify", "1.0.0", &error) : NULL;
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    status = status == MCPW_OK ? serve(server, name, issuer, &error) : status;
    if (status != MCPW_OK) {
        fprintf(stderr, "verify: %s\n", error.message);
    }
    mcpw_server_free(server);
    mcpw_oauth_issuer_free(issuer);
    return status == MCPW_OK ? 0 : 1;
}
