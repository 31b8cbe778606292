/* SPDX-License-Identifier: MIT */
/* Discovery of the authorization server that issues tokens for the MCP server, and of its endpoints. (MCP
 * 2026-07-28, "Authorization Server Discovery"; RFC 9728; RFC 8414.) */
#include "documents.h"
#include "states.h"

enum {
    OK = 200,
    REDIRECTS = 300,
    ERRORS = 400,
    SERVER_ERRORS = 500,
    NOT_MODIFIED = 304,
    MOST_FORMS = 3 /* of the well-known URLs of a server */
};

static const mcpw_str none = {NULL, 0};
static const mcpw_str s256 = MCPW_STR("S256");

static bool is_absent(int status) { return status >= ERRORS && status < SERVER_ERRORS; }

/* ---- Requests ------------------------------------------------------------------------------------------ */

/* Orders the GET of a document. */
static bool ask(mcpw_oauth *oauth, mcpw_str url, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    if (url.ptr == NULL) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    mcpw_oauth_add_field(oauth, "Accept", MCPW_STR_VALUE("application/json"));
    order->method = "GET";
    order->url = url;
    *step = MCPW_OAUTH_SEND;
    return true;
}

bool mcpw_oauth_follow(mcpw_oauth *oauth, const mcpw_oauth_http_response *response, const char *document) {
    mcpw_oauth_url base = oauth->server;
    if (response->status < REDIRECTS || response->status >= ERRORS || response->status == NOT_MODIFIED) {
        return false;
    }
    if (response->location.len == 0 || oauth->hops == oauth->config.max_redirects) {
        mcpw_oauth_fail(oauth, MCPW_E_HTTP, "%s: %s; ask its operator", document,
                        response->location.len == 0 ? "a redirect that leads nowhere" : "too many redirects");
        return true;
    }
    const bool has_base = mcpw_oauth_url_read(oauth->moved_to, &base);
    const mcpw_str next = has_base ? mcpw_oauth_url_resolve(&oauth->flow, &base, response->location) : none;
    if (next.ptr == NULL) {
        mcpw_oauth_fail_memory(oauth);
    } else if (mcpw_oauth_may_ask(oauth, next, document, "redirect")) {
        oauth->moved_to = next;
        oauth->hops++;
    }
    return true;
}

/* ---- The resource -------------------------------------------------------------------------------------- */

/* Whether the metadata of the resource may lie at a URL: on the MCP server's own origin. */
static bool is_at_home(mcpw_oauth *oauth, mcpw_str text) {
    mcpw_oauth_url url;
    if (!mcpw_oauth_may_ask(oauth, text, "WWW-Authenticate of the MCP server", "resource_metadata")) {
        return false;
    }
    const bool is_home = mcpw_oauth_url_read(text, &url) && mcpw_oauth_url_same_origin(&url, &oauth->server);
    if (!is_home && !oauth->config.foreign_metadata) {
        mcpw_oauth_fail(
            oauth, MCPW_E_FORMAT,
            "resource metadata: expected on the MCP server's own origin; ask its operator, or allow "
            "foreign_metadata");
        return false;
    }
    return true;
}

/* The well-known URL number `candidate`: with the path of the MCP server, then without. */
static mcpw_str resource_url(mcpw_oauth *oauth) {
    const mcpw_oauth_url *const server = &oauth->server;
    const mcpw_str well_known = MCPW_STR("/.well-known/oauth-protected-resource");
    const bool has_path = oauth->candidate == 0 && server->path.len > 1;
    const mcpw_str path = {server->path.ptr, has_path ? server->path.len : 0};
    const mcpw_str query = {server->query.ptr, oauth->candidate == 0 ? server->query.len : 0};
    return mcpw_oauth_join(&oauth->flow, (const mcpw_str[]){server->origin, well_known, path, query, none});
}

bool mcpw_oauth_ask_resource(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    if (oauth->moved_to.ptr == NULL) {
        oauth->moved_to = oauth->named_metadata.ptr != NULL ? oauth->named_metadata : resource_url(oauth);
    }
    if (oauth->moved_to.ptr != NULL && !is_at_home(oauth, oauth->moved_to)) {
        return false;
    }
    return ask(oauth, oauth->moved_to, order, step);
}

/* Whether a list has a text. */
static bool has(mcpw_oauth_json_str_list list, mcpw_str text) {
    for (size_t i = 0; i < list.count; i++) {
        if (mcpw_str_equal(list.items[i], text)) {
            return true;
        }
    }
    return false;
}

/* Whether two URLs differ only in that one has the path "/" and the other has none. */
static bool differ_by_slash(mcpw_str a, mcpw_str b) {
    const mcpw_str with = a.len > b.len ? a : b;
    const mcpw_str without = a.len > b.len ? b : a;
    mcpw_oauth_url url;
    return with.len == without.len + 1 && with.ptr[without.len] == '/' &&
           mcpw_str_equal((mcpw_str){with.ptr, without.len}, without) && mcpw_oauth_url_read(without, &url) &&
           url.path.len == 0 && url.query.len == 0;
}

/* Whether the MCP server names an issuer that the user or an earlier login vouches for. Many servers add "/"
 * to an issuer without a path, and its metadata do not. */
static bool is_named(mcpw_oauth_json_str_list issuers, mcpw_str known) {
    for (size_t i = 0; i < issuers.count; i++) {
        if (mcpw_str_equal(issuers.items[i], known) || differ_by_slash(issuers.items[i], known)) {
            return true;
        }
    }
    return false;
}

/* The chosen issuer: the expected one, else that of the last token, else one that knows the client, else the
 * first. */
static mcpw_str best_issuer(const mcpw_oauth *oauth, mcpw_oauth_json_str_list issuers) {
    if (oauth->config.issuer != NULL) {
        return mcpw_str_from(oauth->config.issuer);
    }
    if (oauth->token.issuer.ptr != NULL && is_named(issuers, oauth->token.issuer)) {
        return oauth->token.issuer;
    }
    for (size_t i = 0; i < oauth->config.credential_count; i++) {
        const mcpw_str known = mcpw_str_from(oauth->config.credentials[i].issuer);
        if (known.ptr != NULL && is_named(issuers, known)) {
            return known;
        }
    }
    return issuers.items[0];
}

static bool choose_issuer(mcpw_oauth *oauth, mcpw_oauth_json_str_list issuers) {
    mcpw_oauth_url url;
    oauth->issuer = best_issuer(oauth, issuers);
    if (!is_named(issuers, oauth->issuer)) {
        mcpw_oauth_fail(oauth, MCPW_E_VALUE,
                        "resource metadata: authorization_servers: expected %.64s; the MCP server has moved, "
                        "or is not the "
                        "one that was meant",
                        oauth->config.issuer);
        return false;
    }
    if (!mcpw_oauth_keep(&oauth->flow, oauth->issuer, &oauth->issuer)) {
        mcpw_oauth_fail_memory(oauth);
        return false;
    }
    if (!mcpw_oauth_may_ask(oauth, oauth->issuer, "resource metadata", "authorization_servers")) {
        return false;
    }
    if (mcpw_oauth_url_read(oauth->issuer, &url) && url.query.len != 0) {
        mcpw_oauth_fail(oauth, MCPW_E_FORMAT,
                        "resource metadata: authorization_servers: an issuer has no query");
        return false;
    }
    return true;
}

/* A server without resource metadata is its own authorization server. */
static void take_own_server(mcpw_oauth *oauth) {
    const mcpw_str issuer = oauth->server.origin;
    if (oauth->config.without_metadata == MCPW_OFF) {
        mcpw_oauth_fail(oauth, MCPW_E_NOT_FOUND,
                        "resource metadata: the MCP server has none; ask its operator where to log in");
        return;
    }
    oauth->resource = (mcpw_oauth_json_resource){.resource = oauth->server.text};
    oauth->is_own_server = true;
    if (choose_issuer(oauth, (mcpw_oauth_json_str_list){&issuer, 1})) {
        mcpw_oauth_go(oauth, MCPW_OAUTH_SERVER);
    }
}

void mcpw_oauth_take_resource(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    const char *const name = mcpw_oauth_resource_document.name;
    mcpw_oauth_url resource;
    if (mcpw_oauth_follow(oauth, response, name)) {
        return;
    }
    if (is_absent(response->status) && oauth->named_metadata.ptr == NULL) {
        oauth->moved_to = none;
        oauth->hops = 0;
        oauth->candidate++;
        if (oauth->candidate > 1 || (oauth->server.path.len <= 1 && oauth->server.query.len == 0)) {
            take_own_server(oauth);
        }
        return;
    }
    if (response->status != OK) {
        mcpw_oauth_fail_response(oauth, name, response, "ask the operator of the MCP server");
        return;
    }
    if (!mcpw_oauth_read_document(oauth, &mcpw_oauth_resource_document, response->body, &oauth->resource)) {
        return;
    }
    if (!mcpw_oauth_url_read(oauth->resource.resource, &resource) ||
        !mcpw_oauth_url_covers(&resource, &oauth->server)) {
        mcpw_oauth_fail(oauth, MCPW_E_VALUE,
                        "resource metadata: resource: expected the URL of the MCP server, or a path above "
                        "it; a token for "
                        "another resource is refused; ask its operator");
        return;
    }
    if (choose_issuer(oauth, oauth->resource.authorization_servers)) {
        mcpw_oauth_go(oauth, MCPW_OAUTH_SERVER);
    }
}

/* ---- The authorization server -------------------------------------------------------------------------- */

/* The well-known URL number `candidate` of the issuer. Absent: there are no more, or no memory. */
static mcpw_str server_url(mcpw_oauth *oauth, mcpw_status *status) {
    static const mcpw_str oauth_form = MCPW_STR("/.well-known/oauth-authorization-server");
    static const mcpw_str openid_form = MCPW_STR("/.well-known/openid-configuration");
    mcpw_oauth_url issuer;
    *status = MCPW_E_FORMAT;
    if (!mcpw_oauth_url_read(oauth->issuer, &issuer)) {
        return none; /* it was checked */
    }
    mcpw_str path = issuer.path;
    path.len -= path.len != 0 && path.ptr[path.len - 1] == '/' ? 1 : 0;
    *status = MCPW_E_NOT_FOUND;
    if (oauth->candidate >= (path.len != 0 ? MOST_FORMS : MOST_FORMS - 1)) {
        return none;
    }
    *status = MCPW_E_MEMORY;
    const mcpw_str form = oauth->candidate == 0 ? oauth_form : openid_form;
    const bool is_after = oauth->candidate == MOST_FORMS - 1;
    return mcpw_oauth_join(&oauth->flow, (const mcpw_str[]){issuer.origin, is_after ? path : form,
                                                            is_after ? form : path, none});
}

/* The endpoints that a server without metadata has. */
static void take_default_endpoints(mcpw_oauth *oauth) {
    static const mcpw_str no_methods = MCPW_STR("none");
    const mcpw_str origin = oauth->issuer;
    mcpw_arena *const flow = &oauth->flow;
    oauth->metadata = (mcpw_oauth_json_server){
        .issuer = origin,
        .authorization_endpoint =
            mcpw_oauth_join(flow, (const mcpw_str[]){origin, MCPW_STR_VALUE("/authorize"), none}),
        .token_endpoint = mcpw_oauth_join(flow, (const mcpw_str[]){origin, MCPW_STR_VALUE("/token"), none}),
        .registration_endpoint =
            mcpw_oauth_join(flow, (const mcpw_str[]){origin, MCPW_STR_VALUE("/register"), none}),
        .token_endpoint_auth_methods_supported = {&no_methods, 1},
        .code_challenge_methods_supported = {&s256, 1}};
    if (oauth->metadata.authorization_endpoint.ptr == NULL || oauth->metadata.token_endpoint.ptr == NULL ||
        oauth->metadata.registration_endpoint.ptr == NULL) {
        mcpw_oauth_fail_memory(oauth);
    }
}

bool mcpw_oauth_ask_server(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step) {
    mcpw_status status = MCPW_OK;
    if (oauth->moved_to.ptr == NULL) {
        oauth->moved_to = server_url(oauth, &status);
    }
    if (oauth->moved_to.ptr != NULL || status == MCPW_E_MEMORY) {
        return ask(oauth, oauth->moved_to, order, step);
    }
    if (!oauth->is_own_server || status != MCPW_E_NOT_FOUND) {
        char issuer[MCPW_OAUTH_WORDS_SIZE];
        mcpw_oauth_fail(oauth, status, "metadata of the authorization server: none at %s; ask its operator",
                        mcpw_oauth_foreign(oauth, issuer, oauth->issuer));
        return false;
    }
    take_default_endpoints(oauth);
    if (oauth->state == MCPW_OAUTH_SERVER) {
        oauth->has_metadata = true;
        oauth->discovered = mcpw_arena_mark(&oauth->flow);
        mcpw_oauth_go(oauth, MCPW_OAUTH_CLIENT);
    }
    return false;
}

/* Whether an endpoint is there if required, and may be requested. */
static bool is_usable(mcpw_oauth *oauth, mcpw_str url, bool is_required, const char *member) {
    if (url.ptr == NULL && is_required) {
        mcpw_oauth_fail(oauth, MCPW_E_MISSING, "%s: %s: is missing; ask its operator",
                        mcpw_oauth_server_document.name, member);
    }
    return url.ptr == NULL ? !is_required
                           : mcpw_oauth_may_ask(oauth, url, mcpw_oauth_server_document.name, member);
}

static bool check_server(mcpw_oauth *oauth) {
    const mcpw_oauth_json_server *const server = &oauth->metadata;
    const bool has_user = oauth->config.grant == MCPW_OAUTH_CODE;
    if (!mcpw_str_equal(server->issuer, oauth->issuer)) {
        char issuer[MCPW_OAUTH_WORDS_SIZE];
        mcpw_oauth_fail(
            oauth, MCPW_E_VALUE,
            "metadata of the authorization server: issuer: expected %s, byte for byte; %s",
            mcpw_oauth_foreign(oauth, issuer, oauth->issuer),
            differ_by_slash(server->issuer, oauth->issuer)
                ? "that of the metadata differs by the final slash: configure it as the expected issuer"
                : "ask its operator");
        return false;
    }
    if (!is_usable(oauth, server->token_endpoint, true, "token_endpoint") ||
        !is_usable(oauth, server->authorization_endpoint, has_user, "authorization_endpoint") ||
        !is_usable(oauth, server->registration_endpoint, false, "registration_endpoint")) {
        return false;
    }
    if (has_user && !has(server->code_challenge_methods_supported, s256)) {
        mcpw_oauth_fail(
            oauth, MCPW_E_VALUE,
            "metadata of the authorization server: code_challenge_methods_supported: expected S256 (PKCE); "
            "without it a code can be stolen; ask its operator");
        return false;
    }
    return true;
}

void mcpw_oauth_take_server(mcpw_oauth *oauth, const mcpw_oauth_http_response *response) {
    const char *const name = mcpw_oauth_server_document.name;
    if (mcpw_oauth_follow(oauth, response, name)) {
        return;
    }
    if (is_absent(response->status)) {
        oauth->moved_to = none;
        oauth->hops = 0;
        oauth->candidate++;
        return;
    }
    if (response->status != OK) {
        mcpw_oauth_fail_response(oauth, name, response, "ask the operator of the authorization server");
        return;
    }
    if (mcpw_oauth_read_document(oauth, &mcpw_oauth_server_document, response->body, &oauth->metadata) &&
        check_server(oauth)) {
        oauth->has_metadata = true;
        oauth->discovered = mcpw_arena_mark(&oauth->flow);
        mcpw_oauth_go(oauth, MCPW_OAUTH_CLIENT);
    }
}
