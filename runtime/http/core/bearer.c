/* SPDX-License-Identifier: MIT */
/* Bearer tokens and the metadata that name the authorization servers. (RFC 6750; RFC 9728; MCP 2026-07-28,
 * "Authorization".) */
#include "fields.h"
#include "gate.h"

static const mcpw_str well_known = MCPW_STR("/.well-known/oauth-protected-resource");
static const mcpw_json no_id = {NULL, 0, 0};

/* ---- Metadata ------------------------------------------------------------------------------------------ */

/* The path of an HTTP or HTTPS URL; absent: it is no such URL. */
static mcpw_str path_of(mcpw_str url) {
    static const mcpw_str schemes[] = {MCPW_STR("http://"), MCPW_STR("https://")};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t len = schemes[i].len;
        if (url.len > len && memcmp(url.ptr, schemes[i].ptr, len) == 0 && url.ptr[len] != '/') {
            const char *const slash = memchr(url.ptr + len, '/', url.len - len);
            const char *const end = url.ptr + url.len;
            const char *const at = slash != NULL && slash + 1 != end ? slash : end;
            return (mcpw_str){at, (size_t)(end - at)};
        }
    }
    return (mcpw_str){NULL, 0};
}

/* The URL of the metadata: the well-known path goes between the host and the path of the resource. */
static mcpw_str metadata_url(mcpw_arena *arena, mcpw_str resource, mcpw_str path) {
    mcpw_buffer out = mcpw_buffer_in(arena);
    size_t before = resource.len - path.len;
    before -= resource.ptr[before - 1] == '/' ? 1 : 0;
    const bool written = mcpw_buffer_append(&out, resource.ptr, before) == MCPW_OK &&
                         mcpw_buffer_append(&out, well_known.ptr, well_known.len) == MCPW_OK &&
                         mcpw_buffer_append(&out, path.ptr, path.len) == MCPW_OK;
    const mcpw_json url = mcpw_buffer_take(&out);
    return written ? (mcpw_str){url.ptr, url.len} : (mcpw_str){NULL, 0};
}

/* Writes a space-separated list as an array. */
static void write_words(mcpw_json_writer *w, const char *key, const char *words) {
    mcpw_str list = mcpw_str_from(words);
    mcpw_str word;
    if (words == NULL) {
        return;
    }
    mcpw_json_write_key(w, key);
    mcpw_json_write_array(w);
    while (mcpw_header_part(&list, ' ', &word)) {
        if (word.len != 0) {
            mcpw_json_write_string(w, word.ptr, word.len);
        }
    }
    mcpw_json_write_close(w);
}

static mcpw_status write_metadata(mcpw_http_server *server) {
    const mcpw_http_config *const config = &server->config;
    mcpw_buffer out = mcpw_buffer_in(&server->memory);
    mcpw_json_writer w;
    mcpw_json written;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "resource");
    mcpw_json_write_string(&w, config->resource, strlen(config->resource));
    write_words(&w, "authorization_servers", config->authorization_servers);
    write_words(&w, "scopes_supported", config->scopes);
    write_words(&w, "bearer_methods_supported", "header");
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &written);
    const mcpw_json all = mcpw_buffer_take(&out);
    server->metadata = (mcpw_str){all.ptr, all.len};
    return status;
}

mcpw_status mcpw_bearer_prepare(mcpw_http_server *server, mcpw_error *error) {
    const mcpw_str resource = mcpw_str_from(server->config.resource);
    if (resource.ptr == NULL) {
        return MCPW_OK;
    }
    server->resource_path = path_of(resource);
    if (server->resource_path.ptr == NULL || !mcpw_header_is_plain(resource) ||
        memchr(resource.ptr, '"', resource.len) != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the resource must be a URL with http or https");
        return MCPW_E_ARGUMENT;
    }
    server->metadata_url = metadata_url(&server->memory, resource, server->resource_path);
    const mcpw_status status = server->metadata_url.ptr != NULL ? write_metadata(server) : MCPW_E_MEMORY;
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return status;
}

bool mcpw_bearer_has_metadata(const mcpw_http_exchange *exchange, mcpw_str path) {
    const mcpw_http_server *const server = exchange->server;
    if (server->metadata.ptr == NULL || path.len < well_known.len ||
        memcmp(path.ptr, well_known.ptr, well_known.len) != 0) {
        return false;
    }
    const mcpw_str rest = {path.ptr + well_known.len, path.len - well_known.len};
    return rest.len == 0 || mcpw_str_equal(rest, server->resource_path);
}

void mcpw_bearer_send_metadata(mcpw_http_exchange *exchange, mcpw_str method) {
    if (!mcpw_str_is(method, "GET")) {
        mcpw_exchange_refuse(exchange, MCPW_HTTP_METHOD_NOT_ALLOWED, MCPW_RPC_INVALID_REQUEST, no_id,
                             "Method not allowed: this is read by GET");
        mcpw_exchange_add(exchange, MCPW_STR_VALUE("Allow"), MCPW_STR_VALUE("GET"));
    } else if (mcpw_exchange_send_json(exchange, MCPW_HTTP_OK, exchange->server->metadata) != MCPW_OK) {
        mcpw_exchange_fail(exchange);
    } else {
        mcpw_exchange_finish(exchange);
    }
}

/* ---- Tokens -------------------------------------------------------------------------------------------- */

/* Adds a parameter to the challenge, if it has a value. Characters that a quoted string cannot contain are
 * dropped. */
static mcpw_status add_parameter(mcpw_buffer *out, const char *name, mcpw_str value) {
    mcpw_status status = MCPW_OK;
    const char *const separator = out->len == sizeof "Bearer" - 1 ? " " : ", ";
    if (value.ptr == NULL) {
        return MCPW_OK;
    }
    status = mcpw_buffer_append(out, separator, strlen(separator));
    status = status == MCPW_OK ? mcpw_buffer_append(out, name, strlen(name)) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(out, "=\"", 2) : status;
    for (size_t i = 0; status == MCPW_OK && i < value.len; i++) {
        const char c = value.ptr[i];
        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
            status = mcpw_buffer_append(out, &c, 1);
        }
    }
    return status == MCPW_OK ? mcpw_buffer_append(out, "\"", 1) : status;
}

/* The value of WWW-Authenticate; absent: no memory. */
static mcpw_str challenge_of(mcpw_http_exchange *exchange, const mcpw_http_grant *grant) {
    mcpw_buffer *const out = &exchange->gate;
    out->len = 0;
    mcpw_status status = mcpw_buffer_append(out, "Bearer", sizeof "Bearer" - 1);
    status =
        status == MCPW_OK ? add_parameter(out, "resource_metadata", exchange->server->metadata_url) : status;
    status = status == MCPW_OK ? add_parameter(out, "error", mcpw_str_from(grant->error)) : status;
    status = status == MCPW_OK ? add_parameter(out, "error_description", mcpw_str_from(grant->description))
                               : status;
    status = status == MCPW_OK ? add_parameter(out, "scope", mcpw_str_from(grant->scope)) : status;
    return status == MCPW_OK ? (mcpw_str){out->data, out->len} : (mcpw_str){NULL, 0};
}

static void refuse(mcpw_http_exchange *exchange, const mcpw_http_grant *grant) {
    const mcpw_str error = mcpw_str_from(grant->error);
    const mcpw_str challenge = challenge_of(exchange, grant);
    int status = MCPW_HTTP_UNAUTHORIZED;
    const char *why = "Unauthorized: a bearer token is needed";
    if (mcpw_str_is(error, "insufficient_scope")) {
        status = MCPW_HTTP_FORBIDDEN;
        why = "Forbidden: the token does not allow this";
    } else if (mcpw_str_is(error, "invalid_request")) {
        status = MCPW_HTTP_BAD_REQUEST;
        why = "The authorization of the request is malformed";
    } else if (error.ptr != NULL) {
        why = "Unauthorized: the token is not valid";
    }
    if (challenge.ptr == NULL) {
        mcpw_exchange_fail(exchange);
        return;
    }
    mcpw_exchange_refuse(exchange, status, MCPW_RPC_INVALID_REQUEST, no_id, why);
    mcpw_exchange_add(exchange, MCPW_STR_VALUE("WWW-Authenticate"), challenge);
}

/* Finds the token of a request. MCPW_E_NOT_FOUND: it has none; MCPW_E_FORMAT: it has another kind of
 * credentials, or several. */
static mcpw_status token_of(const mcpw_http_exchange *exchange, mcpw_str *token) {
    static const mcpw_str scheme = MCPW_STR("Bearer");
    mcpw_str value;
    const size_t count = mcpw_header_count(exchange, MCPW_STR_VALUE("Authorization"), &value);
    *token = (mcpw_str){NULL, 0};
    if (count == 0) {
        return MCPW_E_NOT_FOUND;
    }
    if (count != 1 || value.len <= scheme.len || value.ptr[scheme.len] != ' ' ||
        !mcpw_header_is((mcpw_str){value.ptr, scheme.len}, scheme)) {
        return MCPW_E_FORMAT;
    }
    const mcpw_str rest = {value.ptr + scheme.len, value.len - scheme.len};
    *token = mcpw_header_trim(rest);
    return token->len != 0 && memchr(token->ptr, ' ', token->len) == NULL && mcpw_header_is_plain(*token)
               ? MCPW_OK
               : MCPW_E_FORMAT;
}

bool mcpw_bearer_admits(mcpw_http_exchange *exchange) {
    const mcpw_http_config *const config = &exchange->server->config;
    mcpw_http_grant grant = {{NULL, 0}, NULL, NULL, NULL};
    mcpw_str token;
    if (config->authorize == NULL) {
        return true;
    }
    if (token_of(exchange, &token) == MCPW_E_FORMAT) {
        grant.error = "invalid_request";
        refuse(exchange, &grant);
        return false;
    }
    if (!config->authorize(config->user, exchange, token, &grant)) {
        refuse(exchange, &grant);
        return false;
    }
    exchange->principal = (mcpw_str){NULL, 0};
    if (grant.principal.ptr != NULL) {
        exchange->gate.len = 0;
        if (mcpw_buffer_reserve(&exchange->gate, 1) != MCPW_OK ||
            mcpw_buffer_append(&exchange->gate, grant.principal.ptr, grant.principal.len) != MCPW_OK) {
            mcpw_exchange_fail(exchange);
            return false;
        }
        exchange->principal = (mcpw_str){exchange->gate.data, grant.principal.len};
    }
    return true;
}
