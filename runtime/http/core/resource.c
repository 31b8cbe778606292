/* SPDX-License-Identifier: MIT */
/* The resource that a server protects: its metadata, which name the authorization servers. (RFC 9728; MCP
 * 2026-07-28, "Authorization".) */
#include "fields.h"
#include "framing.h"
#include "gate.h"

static const mcpw_str well_known = MCPW_STR("/.well-known/oauth-protected-resource");
static const mcpw_json no_id = {NULL, 0, 0};
enum { VERIFY_TIMEOUT = 10000, MAX_WAITING = 1024, MAX_WAITING_BYTES = 1 << 24 };

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
    if (server->guard != NULL && server->guard->verifier.dpop_algorithms != NULL) {
        write_words(&w, "dpop_signing_alg_values_supported", server->guard->verifier.dpop_algorithms);
        mcpw_json_write_key(&w, "dpop_bound_access_tokens_required");
        mcpw_json_write_bool(&w, server->guard->verifier.dpop_required);
    }
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &written);
    const mcpw_json all = mcpw_buffer_take(&out);
    server->metadata = (mcpw_str){all.ptr, all.len};
    return status;
}

bool mcpw_resource_is_at(const mcpw_http_exchange *exchange, mcpw_str path) {
    const mcpw_http_server *const server = exchange->server;
    if (server->metadata.ptr == NULL || path.len < well_known.len ||
        memcmp(path.ptr, well_known.ptr, well_known.len) != 0) {
        return false;
    }
    const mcpw_str rest = {path.ptr + well_known.len, path.len - well_known.len};
    return rest.len == 0 || mcpw_str_equal(rest, server->resource_path);
}

void mcpw_resource_send(mcpw_http_exchange *exchange, mcpw_str method) {
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

static mcpw_status prepare_metadata(mcpw_http_server *server, mcpw_error *error) {
    const mcpw_str resource = mcpw_str_from(server->config.resource);
    if (resource.ptr == NULL) {
        return MCPW_OK;
    }
    server->resource_path = path_of(resource);
    if (server->resource_path.ptr == NULL || !mcpw_header_is_plain(resource) ||
        memchr(resource.ptr, '"', resource.len) != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the resource must be a URL with http or https");
    }
    server->metadata_url = metadata_url(&server->memory, resource, server->resource_path);
    const mcpw_status status = server->metadata_url.ptr != NULL ? write_metadata(server) : MCPW_E_MEMORY;
    return status == MCPW_OK ? MCPW_OK : mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
}

/* ---- Protection ---------------------------------------------------------------------------------------- */

/* True if a URL is https, or http on this machine, and has no query, fragment or user information. Tokens
 * would otherwise cross the network in the clear. */
static bool is_secure(mcpw_str url) {
    static const mcpw_str http = MCPW_STR("http://");
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    const mcpw_str path = path_of(url);
    if (path.ptr == NULL || strcspn(url.ptr, "?#@\\ ") != url.len) {
        return false;
    }
    if (memcmp(url.ptr, http.ptr, http.len) != 0) {
        return true;
    }
    const char *const begin = url.ptr + http.len;
    const size_t len = strcspn(begin, "/");
    const mcpw_str host = mcpw_host_without_port((mcpw_str){begin, len});
    bool is_own = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        is_own = is_own || mcpw_header_is(host, mcpw_str_from(own[i]));
    }
    return is_own;
}

/* Finds the fault of config.protect; NULL: there is none. */
static const char *fault_of(const mcpw_http_config *config, const mcpw_http_protect *protect) {
    mcpw_str issuers = mcpw_str_from(protect->authorization_servers);
    mcpw_str issuer;
    if (config->resource != NULL || config->authorization_servers != NULL || config->scopes != NULL) {
        return "resource, authorization_servers and scopes belong in mcpw_http_protect, not in the config";
    }
    if (protect->resource == NULL || !is_secure(mcpw_str_from(protect->resource))) {
        return "the resource must be a URL with https, or with http on this machine, without a query";
    }
    if (!mcpw_scopes_next(&issuers, &issuer)) {
        return "mcpw_http_protect names no authorization server";
    }
    if (protect->verifier == NULL && config->authorize == NULL) {
        return "mcpw_http_protect has no verifier, and the config no authorize";
    }
    if (protect->contain_count > MCPW_HTTP_MOST_SCOPES) {
        return "too many scopes that contain others";
    }
    return NULL;
}

static bool copy_text(mcpw_arena *arena, const char **text) {
    if (*text != NULL) {
        *text = mcpw_arena_str(arena, *text, strlen(*text)).ptr;
    }
    return *text != NULL;
}

static bool copy_optional(mcpw_arena *arena, const char **text) {
    return *text == NULL || copy_text(arena, text);
}

/* Copies the tables of scopes. */
static bool copy_tables(mcpw_arena *arena, mcpw_http_protect *p) {
    mcpw_http_method_scopes *const methods = mcpw_arena_alloc(arena, (p->method_count + 1) * sizeof *methods);
    mcpw_http_scope *const contains = mcpw_arena_alloc(arena, (p->contain_count + 1) * sizeof *contains);
    bool is_copied = methods != NULL && contains != NULL;
    for (size_t i = 0; is_copied && i < p->method_count; i++) {
        methods[i] = p->methods[i];
        is_copied = copy_text(arena, &methods[i].method) && copy_text(arena, &methods[i].scopes);
    }
    for (size_t i = 0; is_copied && i < p->contain_count; i++) {
        contains[i] = p->contains[i];
        is_copied = copy_text(arena, &contains[i].scope) && copy_text(arena, &contains[i].contains);
    }
    p->methods = methods;
    p->contains = contains;
    return is_copied;
}

static bool copy_protect(mcpw_arena *arena, mcpw_http_protect *p) {
    p->verify_timeout_ms = p->verify_timeout_ms != 0 ? p->verify_timeout_ms : VERIFY_TIMEOUT;
    p->max_waiting = p->max_waiting != 0 ? p->max_waiting : MAX_WAITING;
    p->max_waiting_bytes = p->max_waiting_bytes != 0 ? p->max_waiting_bytes : MAX_WAITING_BYTES;
    return copy_text(arena, &p->resource) && copy_text(arena, &p->authorization_servers) &&
           copy_optional(arena, &p->scopes) && copy_optional(arena, &p->scopes_supported) &&
           copy_optional(arena, &p->anonymous_scopes) && copy_tables(arena, p);
}

/* Takes a program's verifier. */
static bool take_verifier(mcpw_arena *arena, mcpw_guard *guard) {
    const mcpw_http_verifier *const given = guard->protect.verifier;
    guard->verifier = (mcpw_http_verifier)MCPW_HTTP_VERIFIER_INIT;
    return given == NULL || (MCPW_TAKE(&guard->verifier, watch, given) && guard->verifier.verify != NULL &&
                             copy_optional(arena, &guard->verifier.dpop_algorithms));
}

static mcpw_status make_guard(mcpw_http_server *server, mcpw_error *error) {
    mcpw_http_config *const config = &server->config;
    mcpw_arena *const arena = &server->memory;
    mcpw_guard *const guard = mcpw_arena_alloc(arena, sizeof *guard);
    mcpw_http_protect own = MCPW_HTTP_PROTECT_INIT;
    if (guard == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    const bool is_taken = MCPW_TAKE(&own, max_waiting_bytes, config->protect);
    const char *const fault =
        is_taken ? fault_of(config, &own) : "protect was not initialised with MCPW_HTTP_PROTECT_INIT";
    if (fault != NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", fault);
    }
    memset(guard, 0, sizeof *guard);
    guard->protect = own;
    if (!copy_protect(arena, &guard->protect)) {
        const bool is_full = arena->status != MCPW_OK;
        return mcpw_error_set(error, is_full ? MCPW_E_MEMORY : MCPW_E_ARGUMENT, 0, "%s",
                              is_full ? mcpw_status_text(MCPW_E_MEMORY) : "an entry has no method or scope");
    }
    if (!take_verifier(arena, guard)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the verifier has no function to verify");
    }
    config->resource = guard->protect.resource;
    config->authorization_servers = guard->protect.authorization_servers;
    config->scopes =
        guard->protect.scopes_supported != NULL ? guard->protect.scopes_supported : guard->protect.scopes;
    server->guard = guard;
    return mcpw_scopes_prepare(guard, arena, error);
}

mcpw_status mcpw_resource_prepare(mcpw_http_server *server, mcpw_error *error) {
    const mcpw_status status = server->config.protect != NULL ? make_guard(server, error) : MCPW_OK;
    server->config.protect = NULL; /* it is the program's, and was copied */
    return status == MCPW_OK ? prepare_metadata(server, error) : status;
}
