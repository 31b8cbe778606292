/* SPDX-License-Identifier: MIT */
/* A server that lets in who has a token. */
#include <mcpw/http_serve.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The clients with a token. A real program asks the server that gives them out, or checks a signature. */
typedef struct account {
    mcpw_str token;
    mcpw_str name;
    bool may_read;
} account;

static const account accounts[] = {{MCPW_STR("t-alice"), MCPW_STR("alice"), true},
                                   {MCPW_STR("t-bob"), MCPW_STR("bob"), false}};

/* Takes as long for a wrong token as for a right one. */
static bool is_token(mcpw_str given, mcpw_str token) {
    unsigned char differs = given.len != token.len;
    for (size_t i = 0; i < given.len && i < token.len; i++) {
        differs |= (unsigned char)(given.ptr[i] ^ token.ptr[i]);
    }
    return differs == 0;
}

static const account *find(mcpw_str token) {
    const account *found = NULL;
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        found = is_token(token, accounts[i].token) ? accounts + i : found;
    }
    return found;
}

static bool authorize(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    const account *const who = token.ptr != NULL ? find(token) : NULL;
    (void)user;
    (void)exchange;
    if (token.ptr == NULL) {
        return false; /* 401: who comes without a token learns where to get one */
    }
    if (who == NULL) {
        grant->error = "invalid_token"; /* 401 */
        return false;
    }
    if (!who->may_read) {
        grant->error = "insufficient_scope"; /* 403 */
        grant->scope = "notes:read";
        return false;
    }
    grant->principal = who->name; /* handlers know it, and sessions are good for it alone */
    return true;
}

static mcpw_status whoami(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_request_principal(request));
}

static mcpw_status serve(mcpw_server *server, mcpw_error *error) {
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    http.authorize = authorize;
    http.hosts = "mcp.example.com"; /* behind a proxy that speaks TLS */
    http.resource = "https://mcp.example.com/mcp";
    http.authorization_servers = "https://login.example.com";
    http.scopes = "notes:read";
    http.cors = true; /* pages of these origins may read what is answered */
    http.origins = "https://app.example.com";
    http.max_body = (size_t)1 << 20;
    http.max_sessions = 1000;
    options.http = &http;
    options.max_connections = 2000;
    options.idle_timeout_ms = 60000;
    options.port = 8080;
    return mcpw_serve_http(server, &options, error);
}

int main(void) {
    const mcpw_tool tool = {
        .name = "whoami", .call = whoami, .input_schema = MCPW_JSON("{\"type\":\"object\"}")};
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("notes", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    if (status == MCPW_OK) {
        status = serve(server, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "notes: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
