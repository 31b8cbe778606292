/* SPDX-License-Identifier: MIT */
/* The scopes that requests need, and the tokens that have them. (RFC 6750, section 3.1; MCP 2026-07-28,
 * "Authorization", scope challenge.) */
#include "gate.h"

#include <mcpw/detail/session.h>

static const mcpw_str none = {NULL, 0};
static const mcpw_json no_id = {NULL, 0, 0};

/* ---- Broader scopes ------------------------------------------------------------------------------------ */

/* True if an entry of a list is a scope, or a pattern "notes:*" that it fits. */
static bool covers(mcpw_str entry, mcpw_str scope) {
    const size_t len = entry.len - 1;
    return mcpw_str_equal(entry, scope) ||
           (entry.ptr[len] == '*' && scope.len > len && len != 0 && memcmp(entry.ptr, scope.ptr, len) == 0);
}

static bool lists(mcpw_str list, mcpw_str scope, bool has_patterns) {
    mcpw_str entry;
    while (mcpw_scopes_next(&list, &entry)) {
        if (has_patterns ? covers(entry, scope) : mcpw_str_equal(entry, scope)) {
            return true;
        }
    }
    return false;
}

static mcpw_str scope_at(const mcpw_guard *guard, size_t i) {
    return mcpw_str_from(guard->protect.contains[i].scope);
}

static mcpw_str contained_at(const mcpw_guard *guard, size_t i) {
    return mcpw_str_from(guard->protect.contains[i].contains);
}

bool mcpw_scopes_include(const mcpw_guard *guard, mcpw_str granted, mcpw_str scope) {
    const size_t count = guard->protect.contain_count;
    if (lists(granted, scope, false)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (lists(granted, scope_at(guard, i), false)) {
            for (size_t j = 0; j < count; j++) {
                if ((j == i || guard->contains[i * count + j]) &&
                    lists(contained_at(guard, j), scope, true)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Fills in the matrix of scopes that contain others; false: there is a cycle. A scope may fit a pattern
 * of its own entry. */
static bool connect(mcpw_guard *guard) {
    const size_t count = guard->protect.contain_count;
    bool *const contains = guard->contains;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const bool is_own = mcpw_str_equal(scope_at(guard, i), scope_at(guard, j));
            contains[i * count + j] = lists(contained_at(guard, i), scope_at(guard, j), !is_own);
        }
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; contains[i * count + k] && j < count; j++) {
                contains[i * count + j] = contains[i * count + j] || contains[k * count + j];
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (contains[i * count + i]) {
            return false;
        }
    }
    return true;
}

/* ---- The program's table ------------------------------------------------------------------------------- */

/* True if a text lists scopes. offline_access is between a client and its authorization server, so no
 * resource asks for it. (MCP 2026-07-28, "Authorization", refresh tokens.) */
static bool is_list(const char *text) {
    const mcpw_str list = mcpw_str_from(text);
    return mcpw_scopes_are_valid(list) && !lists(list, MCPW_STR_VALUE("offline_access"), false);
}

static bool is_scope(mcpw_str text) {
    mcpw_str scope;
    mcpw_str rest = text;
    return mcpw_scopes_next(&rest, &scope) && scope.len == text.len;
}

static bool are_lists(const mcpw_http_protect *p) {
    bool is_right = is_list(p->scopes) && is_list(p->scopes_supported) && is_list(p->anonymous_scopes);
    for (size_t i = 0; i < p->method_count; i++) {
        is_right = is_right && is_list(p->methods[i].scopes);
    }
    for (size_t i = 0; i < p->contain_count; i++) {
        is_right = is_right && is_list(p->contains[i].contains) && is_list(p->contains[i].scope) &&
                   is_scope(mcpw_str_from(p->contains[i].scope));
    }
    return is_right;
}

mcpw_status mcpw_scopes_prepare(mcpw_guard *guard, mcpw_arena *arena, mcpw_error *error) {
    const size_t count = guard->protect.contain_count;
    if (!are_lists(&guard->protect)) {
        return mcpw_error_set(
            error, MCPW_E_ARGUMENT, 0,
            "a scope has visible ASCII characters except \" and \\, spaces separate scopes, "
            "and offline_access is not a scope of a resource");
    }
    guard->contains = mcpw_arena_alloc(arena, count * count * sizeof *guard->contains + 1);
    if (guard->contains == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    return connect(guard) ? MCPW_OK
                          : mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a scope contains itself, by others");
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

enum {
    MOST_NAMED = 64,    /* scopes in a challenge */
    MOST_LETTERS = 4096 /* of these; clients ignore a challenge that is too long */
};

/* The scopes that a request needs. */
typedef struct needs {
    mcpw_http_exchange *exchange;
    mcpw_str granted;
    char all[MOST_LETTERS]; /* each once, separated by spaces */
    size_t len;             /* of these */
    size_t count;           /* of these */
    bool lacks;             /* the token lacks one */
} needs;

static void need_one(needs *n, mcpw_str scope) {
    const mcpw_str so_far = {n->all, n->len};
    n->lacks = n->lacks || !mcpw_scopes_include(n->exchange->server->guard, n->granted, scope);
    if (n->count == MOST_NAMED || scope.len >= sizeof n->all - n->len || lists(so_far, scope, false)) {
        return;
    }
    n->count++;
    if (n->len != 0) {
        n->all[n->len++] = ' ';
    }
    memcpy(n->all + n->len, scope.ptr, scope.len);
    n->len += scope.len;
}

static mcpw_status need(void *user, mcpw_str scopes) {
    needs *const n = user;
    mcpw_str scope;
    while (mcpw_scopes_next(&scopes, &scope)) {
        need_one(n, scope);
    }
    return MCPW_OK;
}

/* Adds the scopes of a message, whose method may be absent. */
static mcpw_status need_message(needs *n, mcpw_str method, const mcpw_message_envelope *envelope) {
    mcpw_http_server *const server = n->exchange->server;
    const mcpw_http_protect *const p = &server->guard->protect;
    const mcpw_server *const offers = mcpw_endpoint_server(server->config.endpoint);
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < p->method_count; i++) {
        if (mcpw_str_is(method, p->methods[i].method)) {
            status = need(n, mcpw_str_from(p->methods[i].scopes));
        }
    }
    if (status == MCPW_OK && method.ptr != NULL) {
        status = mcpw_endpoint_needs(server->config.endpoint, method, envelope, need, n);
    }
    return status == MCPW_OK && offers != NULL && method.ptr != NULL
               ? mcpw_server_needs(offers, method, envelope, &server->scratch, need, n)
               : status;
}

/* Begins with the scopes that every request needs. */
static mcpw_status begin(needs *n, mcpw_http_exchange *exchange) {
    mcpw_http_server *const server = exchange->server;
    const mcpw_held_access *const held = mcpw_gate_access(exchange);
    n->exchange = exchange;
    n->granted = held != NULL ? held->access.scopes : none;
    n->len = n->count = 0;
    n->lacks = false;
    return need(n, mcpw_str_from(server->guard->protect.scopes));
}

/* Refuses the request if it lacks a scope. The challenge names all scopes that it needs. */
static bool end(needs *n, mcpw_status status, mcpw_json id) {
    const mcpw_held_access *const held = mcpw_gate_access(n->exchange);
    const bool has_token = held != NULL && held->has_token;
    if (status != MCPW_OK) {
        mcpw_exchange_fail(n->exchange);
        return false;
    }
    if (n->lacks) {
        const mcpw_challenge c = {has_token ? MCPW_HTTP_FORBIDDEN : MCPW_HTTP_UNAUTHORIZED,
                                  n->exchange->scheme,
                                  has_token ? MCPW_STR_VALUE("insufficient_scope") : none,
                                  none,
                                  {n->all, n->len},
                                  id,
                                  has_token ? "Forbidden: the token lacks a scope"
                                            : "Unauthorized: an access token is needed"};
        mcpw_challenge_send(n->exchange, &c);
    }
    return !n->lacks;
}

bool mcpw_scopes_admit_head(mcpw_http_exchange *exchange) {
    needs n;
    if (exchange->server->guard == NULL) {
        return true;
    }
    const mcpw_status status = begin(&n, exchange);
    const bool is_admitted = end(&n, status, no_id);
    mcpw_arena_reset(&exchange->server->scratch);
    return is_admitted;
}

bool mcpw_scopes_admit(mcpw_http_exchange *exchange, mcpw_str method, const mcpw_message_envelope *envelope) {
    needs n;
    if (exchange->server->guard == NULL) {
        return true;
    }
    mcpw_status status = begin(&n, exchange);
    status = status == MCPW_OK ? need_message(&n, method, envelope) : status;
    return end(&n, status, envelope->at[MCPW_AT_ID]);
}

/* Adds the scopes of a message in a batch. The session refuses a broken one by itself. */
static mcpw_status need_item(needs *n, mcpw_json item) {
    mcpw_arena *const scratch = &n->exchange->server->scratch;
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    mcpw_message_envelope envelope;
    mcpw_str method = none;
    if (mcpw_envelope_read(&envelope, item, 0, NULL) != MCPW_OK) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_envelope_string(&envelope, MCPW_AT_METHOD, scratch, &method);
    status = status == MCPW_E_MEMORY || status == MCPW_E_ARENA ? status : need_message(n, method, &envelope);
    mcpw_arena_rewind(scratch, mark);
    return status;
}

bool mcpw_scopes_admit_batch(mcpw_http_exchange *exchange, mcpw_json batch) {
    needs n;
    mcpw_json_iter it;
    mcpw_json item;
    if (exchange->server->guard == NULL) {
        return true;
    }
    mcpw_status status = begin(&n, exchange);
    if (mcpw_json_check(batch, 0, NULL) == MCPW_OK && mcpw_json_iterate(batch, &it) == MCPW_OK) {
        while (status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
            status = need_item(&n, item);
        }
    }
    return end(&n, status, no_id);
}
