/* SPDX-License-Identifier: MIT */
/* The extensions and the middleware of a server's sessions. */
#include "server_internal.h"

#include <mcpw/apps.h>

#include "../connection/extended_session.h"
#include "../revisions/extension_check.h"

static mcpw_status set_of(mcpw_server *server, mcpw_error *error) {
    mcpw_server_base *const base = server != NULL ? &server->base : NULL;
    if (base == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the server is NULL");
    }
    if (base->in_use) {
        return mcpw_error_set(error, MCPW_E_STATE, 0,
                              "extensions and middleware are added before a server has sessions");
    }
    if (base->extensions == NULL) {
        base->extensions =
            mcpw_extensions_new(&mcpw_extended_callbacks, &base->config.allocator, base->config.patterns);
    }
    return base->extensions != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Entries have a view for each revision that the server knew when they were added. */
static bool has_entries(const mcpw_server *server) {
    for (int family = 0; family < MCPW_FAMILY_COUNT; family++) {
        if (server->registries[family].last_number != 0) {
            return true;
        }
    }
    return false;
}

static mcpw_status before_tool(mcpw_server *server, mcpw_request *request, mcpw_str name, mcpw_task_use use) {
    const mcpw_extensions *const set = server->base.extensions;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; i < set->count && status == MCPW_OK && !mcpw_request_is_answered(request); i++) {
        const mcpw_extension *const given = &set->items[i].given;
        if (given->before_tool != NULL) {
            status = given->before_tool(request, name, use, given->user);
        }
    }
    return status;
}

static mcpw_status adding_tool(mcpw_server *server, const mcpw_tool *tool, mcpw_arena *arena, mcpw_json *more,
                               mcpw_error *error) {
    const mcpw_extensions *const set = server->base.extensions;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; i < set->count && status == MCPW_OK; i++) {
        const mcpw_extension *const given = &set->items[i].given;
        if (given->adding_tool != NULL) {
            status = given->adding_tool(given->user, tool, arena, more, error);
        }
    }
    return status;
}

static void queue_ended(mcpw_server *server, void *queue) {
    const mcpw_extensions *const set = server->base.extensions;
    for (size_t i = set->count; i-- > 0;) {
        const mcpw_extension *const given = &set->items[i].given;
        if (given->queue_ended != NULL) {
            given->queue_ended(given->user, queue);
        }
    }
}

static void session_ended(mcpw_server *server, mcpw_session *session) {
    const mcpw_extensions *const set = server->base.extensions;
    for (size_t i = set->count; i-- > 0;) {
        const mcpw_extension *const given = &set->items[i].given;
        if (given->session_ended != NULL) {
            given->session_ended(session, given->user);
        }
    }
}

static void add_callbacks(mcpw_server_base *base, const mcpw_extension *given) {
    base->before_tool = given->before_tool != NULL ? before_tool : base->before_tool;
    base->adding_tool = given->adding_tool != NULL ? adding_tool : base->adding_tool;
    base->has_apps = base->has_apps || strcmp(given->id, MCPW_APPS_EXTENSION) == 0;
    base->queue_ended = given->queue_ended != NULL ? queue_ended : base->queue_ended;
    base->session_ended = given->session_ended != NULL ? session_ended : base->session_ended;
}

mcpw_status mcpw_server_add_extension(mcpw_server *server, const mcpw_extension *extension,
                                      mcpw_error *error) {
    mcpw_status status = set_of(server, error);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_extensions *const set = server->base.extensions;
    mcpw_library library = server->base.library;
    status = mcpw_extensions_add(set, extension, error);
    status = status == MCPW_OK ? mcpw_extensions_add_revisions(set, &library, error) : status;
    if (status == MCPW_OK && library.count != server->base.library.count && has_entries(server)) {
        status =
            mcpw_error_set(error, MCPW_E_STATE, 0,
                           "%s changes types of the protocol: add it before tools, resources and prompts",
                           set->items[set->count - 1].given.id);
        mcpw_extensions_remove_last(set);
    }
    server->base.library = status == MCPW_OK ? library : server->base.library;
    if (status == MCPW_OK) {
        add_callbacks(&server->base, &set->items[set->count - 1].given);
    }
    return status;
}

void *mcpw_server_extension_user(const mcpw_server *server, const char *id, const void *tag) {
    const mcpw_registered *const item = mcpw_extensions_by_id(server->base.extensions, id);
    return item != NULL && item->given.tag == tag ? item->given.user : NULL;
}

mcpw_status mcpw_server_add_middleware(mcpw_server *server, const mcpw_middleware *middleware,
                                       mcpw_error *error) {
    const mcpw_status status = set_of(server, error);
    return status == MCPW_OK ? mcpw_extensions_add_middleware(server->base.extensions, middleware, error)
                             : status;
}
