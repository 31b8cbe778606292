/* SPDX-License-Identifier: MIT */
/* A server that requires access tokens and scopes. */
#include <mcpw/http_protect.h>
#include <mcpw/http_serve.h>

#include <stdio.h>
#include <string.h>

static const char issuer[] = "https://login.example.com";

/* The tokens that this program knows. A real program uses a verifier. */
typedef struct account {
    mcpw_str token;
    mcpw_str subject;
    mcpw_str scopes;
} account;

static const account accounts[] = {{MCPW_STR("t-alice"), MCPW_STR("alice"), MCPW_STR("notes:all")},
                                   {MCPW_STR("t-bob"), MCPW_STR("bob"), MCPW_STR("notes:read:7")}};

static bool authorize(void *user, const mcpw_http_exchange *exchange, mcpw_str token,
                      mcpw_http_grant *grant) {
    (void)user, (void)exchange;
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        if (mcpw_str_equal(token, accounts[i].token)) {
            grant->issuer = (mcpw_str){issuer, sizeof issuer - 1};
            grant->principal = accounts[i].subject;
            grant->scopes = accounts[i].scopes;
            return true;
        }
    }
    grant->error = "invalid_token";
    return false;
}

/* Says who asks, and what for: never with which token. */
static mcpw_status whoami(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_http_access *const access = mcpw_http_access_of(request);
    char text[256];
    (void)call, (void)user;
    if (access == NULL) { /* over stdio */
        return mcpw_respond_text(request, MCPW_STR_VALUE("the user of this machine"));
    }
    const int len = snprintf(text, sizeof text, "%.*s of %.*s%s", (int)access->subject.len,
                             access->subject.ptr, (int)access->issuer.len, access->issuer.ptr,
                             mcpw_http_has_scope(request, "notes:write") ? ", who may write" : "");
    return mcpw_respond_text(request, (mcpw_str){text, (size_t)len});
}

static mcpw_status read_note(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, "text/plain", mcpw_resource_variable(read, "id"));
}

static mcpw_status add(mcpw_server *server, mcpw_error *error) {
    const mcpw_tool tool = {.name = "whoami", .call = whoami};
    const mcpw_resource_template note = {
        .uri_template = "note://{id}", .name = "note", .read = read_note, .scopes = "notes:read:{id}"};
    const mcpw_status status = mcpw_server_add_tool(server, &tool, error);
    return status == MCPW_OK ? mcpw_server_add_resource_template(server, &note, error) : status;
}

static mcpw_status serve(mcpw_server *server, mcpw_error *error) {
    static const mcpw_http_scope contains[] = {{"notes:all", "notes:read:* notes:write"}};
    mcpw_http_serve_options options = MCPW_HTTP_SERVE_OPTIONS_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_protect protect = MCPW_HTTP_PROTECT_INIT;
    protect.resource = "http://localhost:8090/mcp";
    protect.authorization_servers = issuer;
    protect.contains = contains;
    protect.contain_count = sizeof contains / sizeof *contains;
    http.protect = &protect;
    http.authorize = authorize;
    options.http = &http;
    options.port = 8090;
    return mcpw_serve_http(server, &options, error);
}

int main(void) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("notes", "1.0.0", &error);
    mcpw_status status = server != NULL ? add(server, &error) : error.code;
    status = status == MCPW_OK ? serve(server, &error) : status;
    if (status != MCPW_OK) {
        fprintf(stderr, "notes: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
