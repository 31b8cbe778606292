/* SPDX-License-Identifier: MIT */
#include "arena_internal.h"
#include "error_internal.h"
#include "server_internal.h"

/* ---- Memory -------------------------------------------------------------------------------------------- */

mcpw_status mcpw_server_keep(mcpw_server *server, const char *text, size_t len, mcpw_str *out) {
    out->ptr = NULL;
    out->len = 0;
    if (text == NULL) {
        return MCPW_OK;
    }
    char *const copy = mcpw_resize(&server->config.allocator, NULL, 0, len + 1);
    if (copy == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    out->ptr = copy;
    out->len = len;
    return MCPW_OK;
}

void mcpw_server_release(mcpw_server *server, mcpw_str text) {
    if (text.ptr != NULL) {
        (void)mcpw_resize(&server->config.allocator, (void *)(uintptr_t)text.ptr, text.len + 1, 0);
    }
}

/* Puts a copy in the place of a text of the caller's; false, and nothing in its place, without memory. */
static bool keep_text(mcpw_server *server, const char **text) {
    mcpw_str copy;
    const mcpw_status status = mcpw_server_keep(server, *text, *text != NULL ? strlen(*text) : 0, &copy);
    *text = copy.ptr;
    return status == MCPW_OK;
}

mcpw_server *mcpw_server_new(const char *name, const char *version) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = name;
    config.version = version;
    return mcpw_server_new_with(&config);
}

mcpw_server *mcpw_server_new_with(const mcpw_server_config *config) {
    mcpw_server_config own = MCPW_SERVER_CONFIG_INIT;
    if (config == NULL) {
        return NULL;
    }
    memcpy(&own, config, config->struct_size < sizeof own ? config->struct_size : sizeof own);
    if (own.name == NULL || (own.info.ptr != NULL && (mcpw_json_kind_of(own.info) != MCPW_JSON_OBJECT ||
                                                      mcpw_json_check(own.info, 0, NULL) != MCPW_OK))) {
        return NULL;
    }
    mcpw_server *const server = mcpw_resize(&own.allocator, NULL, 0, sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    memset(server, 0, sizeof *server);
    server->config = own;
    mcpw_str info;
    bool kept = keep_text(server, &server->config.name);
    kept = keep_text(server, &server->config.version) && kept;
    kept = keep_text(server, &server->config.instructions) && kept;
    kept = mcpw_server_keep(server, own.info.ptr, own.info.len, &info) == MCPW_OK && kept;
    server->config.info.ptr = info.ptr;
    server->config.info.len = info.len;
    if (!kept) {
        mcpw_server_free(server);
        return NULL;
    }
    return server;
}

void mcpw_server_free(mcpw_server *server) {
    if (server == NULL) {
        return;
    }
    while (server->links != NULL) {
        mcpw_server_detach(server->links);
    }
    for (int family = 0; family < MCPW_FAMILY_COUNT; family++) {
        mcpw_registry_free(server, (mcpw_family)family);
    }
    const mcpw_str info = {server->config.info.ptr, server->config.info.len};
    mcpw_server_release(server, mcpw_str_from(server->config.name));
    mcpw_server_release(server, mcpw_str_from(server->config.version));
    mcpw_server_release(server, mcpw_str_from(server->config.instructions));
    mcpw_server_release(server, info);
    const mcpw_allocator allocator = server->config.allocator;
    (void)mcpw_resize(&allocator, server, sizeof *server, 0);
}

const char *mcpw_server_name(const mcpw_server *server) { return server->config.name; }

const char *mcpw_server_version(const mcpw_server *server) { return server->config.version; }

mcpw_json mcpw_server_info(const mcpw_server *server) { return server->config.info; }

const char *mcpw_server_instructions(const mcpw_server *server) { return server->config.instructions; }

void mcpw_server_will_log(mcpw_server *server) {
    if (server != NULL) {
        server->logs = true;
    }
}

bool mcpw_server_logs(const mcpw_server *server) { return server->logs; }

/* ---- Sessions ------------------------------------------------------------------------------------------ */

void mcpw_server_attach(mcpw_server *server, mcpw_server_link *link) {
    link->next = server->links;
    link->at = &server->links;
    if (link->next != NULL) {
        link->next->at = &link->next;
    }
    server->links = link;
}

void mcpw_server_detach(mcpw_server_link *link) {
    if (link->at == NULL) {
        return;
    }
    *link->at = link->next;
    if (link->next != NULL) {
        link->next->at = link->at;
    }
    link->next = NULL;
    link->at = NULL;
}

mcpw_status mcpw_server_check_thread(const mcpw_server *server, const char *function, mcpw_error *error) {
    const mcpw_server_link *link = server->links;
    while (link != NULL && (link->session == NULL || !mcpw_session_is_away(link->session))) {
        link = link->next;
    }
    return link != NULL ? mcpw_session_misused(link->session, function, error) : MCPW_OK;
}

/* Sessions may come and go while they are told. So the walk keeps its place by a link of its own, without a
 * session, behind the one that is told. */
void mcpw_server_changed(mcpw_server *server, mcpw_change change, mcpw_str uri) {
    mcpw_server_link place = {NULL, NULL, NULL};
    mcpw_server_link *link = server->links;
    while (link != NULL) {
        place.next = link->next;
        place.at = &link->next;
        if (place.next != NULL) {
            place.next->at = &place.next;
        }
        link->next = &place;
        if (link->session != NULL) {
            mcpw_session_changed(link->session, change, uri);
        }
        link = place.next;
        mcpw_server_detach(&place);
    }
}

bool mcpw_server_hears_of_watches(const mcpw_server *server) { return server->config.on_watch != NULL; }

void mcpw_server_watched(mcpw_server *server, const mcpw_session *session, mcpw_str uri, bool watched) {
    const mcpw_server_link *link = server->links;
    while (link != NULL &&
           (link->session == NULL || link->session == session || !mcpw_session_watches(link->session, uri))) {
        link = link->next;
    }
    if (link == NULL && server->config.on_watch != NULL) { /* the first to watch it, or the last */
        server->config.on_watch(server->config.user, server, uri, watched);
    }
}

void mcpw_server_resource_updated(mcpw_server *server, const char *uri) {
    if (server != NULL && uri != NULL &&
        mcpw_server_check_thread(server, "mcpw_server_resource_updated", NULL) == MCPW_OK) {
        mcpw_server_changed(server, MCPW_CHANGE_RESOURCE, mcpw_str_from(uri));
    }
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

mcpw_field mcpw_request_field(const mcpw_request *request, const char *name) {
    const mcpw_type *type = NULL;
    const void *const params = mcpw_request_params(request, &type);
    return mcpw_field_get(mcpw_field_of(type, params), name);
}

mcpw_status mcpw_refuse_unknown(mcpw_request *request, const char *what, mcpw_str name) {
    static const mcpw_json none = {NULL, 0};
    mcpw_error error;
    const int len = name.len < MCPW_ERROR_MESSAGE_SIZE ? (int)name.len : MCPW_ERROR_MESSAGE_SIZE;
    mcpw_error_set(&error, MCPW_E_NOT_FOUND, 0, "Unknown %s: %.*s", what, len, name.len != 0 ? name.ptr : "");
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, error.message, none);
}

/* Subscriptions are the session's business. */
static mcpw_status not_here(mcpw_server *server, mcpw_request *request) {
    (void)server;
    (void)request;
    return MCPW_E_STATE;
}

struct mcpw_served_method {
    mcpw_str name;
    mcpw_family family;                                                /* MCPW_FAMILY_COUNT: of several */
    mcpw_status (*answer)(mcpw_server *server, mcpw_request *request); /* NULL: the list */
};

/* The most frequent one first. */
static const mcpw_served_method methods[] = {
    {MCPW_STR("tools/call"), MCPW_FAMILY_TOOL, mcpw_tools_call},
    {MCPW_STR("tools/list"), MCPW_FAMILY_TOOL, NULL},
    {MCPW_STR("resources/read"), MCPW_FAMILY_RESOURCE, mcpw_resources_read},
    {MCPW_STR("resources/list"), MCPW_FAMILY_RESOURCE, NULL},
    {MCPW_STR("resources/templates/list"), MCPW_FAMILY_TEMPLATE, NULL},
    {MCPW_STR("resources/subscribe"), MCPW_FAMILY_RESOURCE, not_here},
    {MCPW_STR("resources/unsubscribe"), MCPW_FAMILY_RESOURCE, not_here},
    {MCPW_STR("prompts/get"), MCPW_FAMILY_PROMPT, mcpw_prompts_get},
    {MCPW_STR("prompts/list"), MCPW_FAMILY_PROMPT, NULL},
    {MCPW_STR("completion/complete"), MCPW_FAMILY_COUNT, mcpw_complete}};

static const mcpw_served_method *find_method(mcpw_str name) {
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (mcpw_str_equal(methods[i].name, name)) {
            return methods + i;
        }
    }
    return NULL;
}

static bool was_used(const mcpw_server *server, mcpw_family family) {
    return server->registries[family].last_number != 0;
}

static bool is_answered(const mcpw_server *server, mcpw_family family) {
    if (family == MCPW_FAMILY_COUNT) {
        return server->completes;
    }
    if (family == MCPW_FAMILY_RESOURCE || family == MCPW_FAMILY_TEMPLATE) {
        return was_used(server, MCPW_FAMILY_RESOURCE) || was_used(server, MCPW_FAMILY_TEMPLATE);
    }
    return was_used(server, family);
}

const mcpw_served_method *mcpw_server_method(const mcpw_server *server, mcpw_str method) {
    const mcpw_served_method *const m = find_method(method);
    return m != NULL && is_answered(server, m->family) ? m : NULL;
}

bool mcpw_server_has(const mcpw_server *server, mcpw_str method) {
    return mcpw_server_method(server, method) != NULL;
}

mcpw_status mcpw_server_handle(mcpw_server *server, mcpw_request *request, const mcpw_served_method *method) {
    const mcpw_serving *const serving = mcpw_request_entry(request);
    if (serving != NULL) {
        return mcpw_serving_run(serving, request); /* again, whether its entry is still there or not */
    }
    return method->answer != NULL ? method->answer(server, request)
                                  : mcpw_registry_list(server, method->family, request);
}
