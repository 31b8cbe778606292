/* SPDX-License-Identifier: MIT */
/* The scopes that a request needs, by the entry that it names. */
#include "../support/scopes.h"
#include "server_internal.h"

static const mcpw_str none = {NULL, 0};

/* A request whose scopes are collected. */
typedef struct asker {
    const mcpw_server *server;
    const mcpw_message_envelope *envelope;
    mcpw_arena *arena;
    mcpw_need_scopes *need;
    void *user;
} asker;

static bool is_unreserved(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* Appends the value of a variable. All but unreserved characters are percent-encoded. So a value cannot
 * contain the character that separates it from the next one, and different values make different scopes. */
static mcpw_status append_value(mcpw_buffer *out, mcpw_str value) {
    static const char digits[] = "0123456789ABCDEF";
    enum { SHIFT = 4, MASK = 15 };
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < value.len; i++) {
        const unsigned char c = (unsigned char)value.ptr[i];
        const char escaped[] = {'%', digits[c >> SHIFT], digits[c & MASK]};
        status = is_unreserved(c) ? mcpw_buffer_append(out, &c, 1)
                                  : mcpw_buffer_append(out, escaped, sizeof escaped);
    }
    return status;
}

/* Reports the scopes of a template with the values of its variables. */
static mcpw_status need_expanded(const asker *a, const mcpw_entry *entry, const mcpw_resource_read *read) {
    mcpw_buffer out = mcpw_buffer_in(a->arena);
    mcpw_str rest = entry->scopes;
    mcpw_str literal;
    mcpw_str name;
    mcpw_status status = MCPW_OK;
    bool has_more = true;
    while (status == MCPW_OK && has_more) {
        has_more = mcpw_scopes_next_variable(&rest, &literal, &name);
        status = mcpw_buffer_append(&out, literal.ptr, literal.len);
        if (status == MCPW_OK && has_more) {
            status =
                append_value(&out, read->variables[mcpw_uri_template_place(entry->uri_template, name)].value);
        }
    }
    const mcpw_json text = mcpw_buffer_take(&out);
    return status == MCPW_OK ? a->need(a->user, (mcpw_str){text.ptr, text.len}) : status;
}

static mcpw_status need_entry(const asker *a, const mcpw_entry *entry) {
    return entry != NULL && entry->scopes.len != 0 ? a->need(a->user, entry->scopes) : MCPW_OK;
}

/* Reports the scopes of the resource with a URI. */
static mcpw_status need_resource(const asker *a, mcpw_str uri) {
    const mcpw_entry *entry = NULL;
    mcpw_resource_read *const read = mcpw_arena_alloc(a->arena, sizeof *read);
    if (read == NULL) {
        return MCPW_E_MEMORY;
    }
    read->uri = uri;
    const mcpw_status status = mcpw_resource_find(a->server, a->arena, read, &entry);
    if (status != MCPW_OK) {
        return status == MCPW_E_NOT_FOUND ? MCPW_OK : status;
    }
    return entry->uri_template != NULL && entry->scopes.len != 0 ? need_expanded(a, entry, read)
                                                                 : need_entry(a, entry);
}

/* True if the library failed, not the message. The session refuses a message with a member of a wrong
 * type. */
static bool is_own_failure(mcpw_status status) { return status == MCPW_E_MEMORY || status == MCPW_E_ARENA; }

static mcpw_status need_named(const asker *a, mcpw_family family) {
    mcpw_str name;
    const mcpw_status status = mcpw_envelope_string(a->envelope, MCPW_AT_NAME, a->arena, &name);
    if (status == MCPW_OK && name.ptr != NULL) {
        return need_entry(a, mcpw_registry_find(a->server, family, name));
    }
    return is_own_failure(status) ? status : MCPW_OK;
}

static mcpw_status need_tool(const asker *a) { return need_named(a, MCPW_FAMILY_TOOL); }
static mcpw_status need_prompt(const asker *a) { return need_named(a, MCPW_FAMILY_PROMPT); }

static mcpw_status need_uri(const asker *a) {
    mcpw_str uri;
    const mcpw_status status = mcpw_envelope_string(a->envelope, MCPW_AT_URI, a->arena, &uri);
    if (status == MCPW_OK && uri.ptr != NULL) {
        return need_resource(a, uri);
    }
    return is_own_failure(status) ? status : MCPW_OK;
}

/* Reports the scopes of a template whose arguments are completed. Scopes with a variable are left out,
 * because it has no value yet. */
static mcpw_status need_template(const asker *a, mcpw_str uri_template) {
    const mcpw_entry *const entry = mcpw_registry_find(a->server, MCPW_FAMILY_TEMPLATE, uri_template);
    mcpw_str scopes = entry != NULL ? entry->scopes : none;
    mcpw_str scope;
    mcpw_status status = MCPW_OK;
    while (status == MCPW_OK && mcpw_scopes_next(&scopes, &scope)) {
        status = memchr(scope.ptr, '{', scope.len) == NULL ? a->need(a->user, scope) : MCPW_OK;
    }
    return status;
}

/* Reports the scopes of each member that a reference has. The session decides later, by the type of the
 * reference, which member it uses, so no member may hide the scopes of the other. */
static mcpw_status need_reference(const asker *a) {
    mcpw_json reference;
    mcpw_str key = none;
    if (mcpw_json_get(a->envelope->at[MCPW_AT_PARAMS], "ref", &reference) != MCPW_OK) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_json_get_string(reference, "name", a->arena, &key);
    if (status == MCPW_OK) {
        status = need_entry(a, mcpw_registry_find(a->server, MCPW_FAMILY_PROMPT, key));
    } else {
        status = is_own_failure(status) ? status : MCPW_OK;
    }
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_json_get_string(reference, "uri", a->arena, &key);
    if (status == MCPW_OK) {
        return need_template(a, key);
    }
    return is_own_failure(status) ? status : MCPW_OK;
}

/* Reports the scopes of each resource that a subscription names. */
static mcpw_status need_subscribed(const asker *a) {
    mcpw_json filter;
    mcpw_json uris;
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_status status = MCPW_OK;
    if (mcpw_json_get(a->envelope->at[MCPW_AT_PARAMS], "notifications", &filter) != MCPW_OK ||
        mcpw_json_get(filter, "resourceSubscriptions", &uris) != MCPW_OK ||
        mcpw_json_iterate(uris, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    while (status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
        const mcpw_mark mark = mcpw_arena_mark(a->arena);
        mcpw_str uri;
        status = mcpw_json_string(item, a->arena, &uri);
        status = status == MCPW_OK ? need_resource(a, uri) : is_own_failure(status) ? status : MCPW_OK;
        mcpw_arena_rewind(a->arena, mark);
    }
    return status;
}

mcpw_status mcpw_server_needs(const mcpw_server *server, mcpw_str method,
                              const mcpw_message_envelope *envelope, mcpw_arena *arena,
                              mcpw_need_scopes *need, void *user) {
    static const struct {
        const char *method;
        mcpw_status (*collect)(const asker *a);
    } methods[] = {{"tools/call", need_tool},
                   {"prompts/get", need_prompt},
                   {"resources/read", need_uri},
                   {"resources/subscribe", need_uri},
                   {"completion/complete", need_reference},
                   {"subscriptions/listen", need_subscribed}};
    const asker a = {server, envelope, arena, need, user};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (mcpw_str_is(method, methods[i].method)) {
            return methods[i].collect(&a);
        }
    }
    return MCPW_OK;
}
