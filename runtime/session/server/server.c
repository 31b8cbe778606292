/* SPDX-License-Identifier: MIT */
/* A server: how it is made, which methods it answers, and what its sessions ask of it. */
#include "../revisions/extension.h"
#include "server_internal.h"

#include <mcpw/detail/session.h>

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Puts a copy in the place of a text of the caller's. False without memory, and then with nothing in its
 * place. */
static bool keep_text(mcpw_server *server, const char **text) {
    mcpw_str copy;
    const mcpw_status status = mcpw_server_keep(server, *text, *text != NULL ? strlen(*text) : 0, &copy);
    *text = copy.ptr;
    return status == MCPW_OK;
}

/* Why a config cannot be used; NULL: it can. */
static const char *wrong_with(const mcpw_server_config *config) {
    if (config->name == NULL) {
        return "it has no name";
    }
    if (config->info.ptr != NULL && (mcpw_json_kind_of(config->info) != MCPW_JSON_OBJECT ||
                                     mcpw_json_check(config->info, 0, NULL) != MCPW_OK)) {
        return "info is no JSON object";
    }
    return NULL;
}

mcpw_server *mcpw_server_new(const char *name, const char *version, mcpw_error *error) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = name;
    config.version = version;
    return mcpw_server_new_with(&config, error);
}

mcpw_server *mcpw_server_new_with(const mcpw_server_config *config, mcpw_error *error) {
    mcpw_server_config own = MCPW_SERVER_CONFIG_INIT;
    const char *const wrong = MCPW_TAKE(&own, library, config) ? wrong_with(&own) : "struct_size is wrong";
    if (wrong != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a server's config is unusable: %s", wrong);
        return NULL;
    }
    mcpw_server *const server = mcpw_resize(&own.allocator, NULL, 0, sizeof *server);
    if (server == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(server, 0, sizeof *server);
    server->base.provider = &mcpw_server_provider;
    server->base.config = own;
    if (own.library != NULL) {
        server->base.library = *own.library;
    } else {
        mcpw_library_init(&server->base.library);
    }
    server->base.config.library = &server->base.library;
    mcpw_str info;
    bool kept = mcpw_changes_begin(&server->base.changes, server, &mcpw_server_changes,
                                   &server->base.config.allocator) == MCPW_OK;
    kept = keep_text(server, &server->base.config.name) && kept;
    kept = keep_text(server, &server->base.config.version) && kept;
    kept = keep_text(server, &server->base.config.instructions) && kept;
    kept = mcpw_server_keep(server, own.info.ptr, own.info.len, &info) == MCPW_OK && kept;
    server->base.config.info.ptr = info.ptr;
    server->base.config.info.len = info.len;
    if (!kept) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        mcpw_server_free(server);
        return NULL;
    }
    return server;
}

void mcpw_server_free(mcpw_server *server) {
    if (server == NULL) {
        return;
    }
    while (server->base.links != NULL) {
        mcpw_server_detach(server->base.links);
    }
    mcpw_changes_end(&server->base.changes);
    if (server->base.extensions != NULL) { /* whose callbacks may still use the entries */
        server->base.extensions->extended->free(server->base.extensions);
    }
    for (int family = 0; family < MCPW_FAMILY_COUNT; family++) {
        mcpw_registry_free(server, (mcpw_family)family);
    }
    const mcpw_str info = {server->base.config.info.ptr, server->base.config.info.len};
    mcpw_server_release(server, mcpw_str_from(server->base.config.name));
    mcpw_server_release(server, mcpw_str_from(server->base.config.version));
    mcpw_server_release(server, mcpw_str_from(server->base.config.instructions));
    mcpw_server_release(server, info);
    const mcpw_allocator allocator = server->base.config.allocator;
    (void)mcpw_resize(&allocator, server, sizeof *server, 0);
}

const mcpw_allocator *mcpw_server_allocator(const mcpw_server *server) {
    return &server->base.config.allocator;
}

const char *mcpw_server_name(const mcpw_server *server) { return server->base.config.name; }

const char *mcpw_server_version(const mcpw_server *server) { return server->base.config.version; }

void mcpw_server_will_log(mcpw_server *server) {
    if (server != NULL) {
        server->base.logs = true;
    }
}

/* ---- Sessions ------------------------------------------------------------------------------------------ */

static void watched(mcpw_server *server, const mcpw_session *session, mcpw_str uri, bool is_watched) {
    const mcpw_server_link *link = server->base.links;
    while (link != NULL &&
           (link->session == NULL || link->session == session || !mcpw_session_watches(link->session, uri))) {
        link = link->next;
    }
    if (link == NULL && server->base.config.on_watch != NULL) { /* the first to watch it, or the last */
        server->base.config.on_watch(server->base.config.user, server, uri, is_watched);
    }
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

/* Subscriptions are the session's business. */
static mcpw_status not_here(mcpw_server *server, mcpw_request *request) {
    (void)server;
    (void)request;
    return MCPW_E_STATE;
}

struct mcpw_served_method {
    mcpw_str name;
    mcpw_family family; /* MCPW_FAMILY_COUNT: it is for several */
    mcpw_status (*answer)(mcpw_server *server,
                          mcpw_request *request); /* NULL: it is answered with the list */
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

static bool answers(const mcpw_server *server, const mcpw_served_method *method) {
    return is_answered(server, method->family);
}

static mcpw_status handle(mcpw_server *server, mcpw_request *request, const mcpw_served_method *method) {
    const mcpw_serving *const serving = mcpw_request_entry(request);
    if (serving != NULL) {
        return mcpw_entry_serve_again(request, serving); /* whether its entry is still there or not */
    }
    return method->answer != NULL ? method->answer(server, request)
                                  : mcpw_registry_list(server, method->family, request);
}

const mcpw_provider mcpw_server_provider = {
    find_method, answers, handle, mcpw_tools_check_result, mcpw_tools_check_text, mcpw_tools_unref, watched};
