/* SPDX-License-Identifier: MIT */
/*
 * The calls of sessions to the registries of a server. Registries answer requests, so they stand above
 * sessions. Sessions reach them by this table, as they reach typed slots by a mcpw_dispatch.
 */
#ifndef MCPW_PROVIDER_H
#define MCPW_PROVIDER_H

#include <mcpw/server.h>

#include "changes.h"

/* A method that the registries can answer. */
typedef struct mcpw_served_method mcpw_served_method;

typedef struct mcpw_provider {
    /* The method of the registries that has this name; NULL: none has. */
    const mcpw_served_method *(*find)(mcpw_str method);
    /* Whether the registries answer it: "tools/list" once there has been a tool, and so on. Sessions declare
     * capabilities by it. */
    bool (*answers)(const mcpw_server *server, const mcpw_served_method *method);
    /* Answers a request of such a method, as a handler does. Params are read by wire name from
     * mcpw_request_params, in whatever revision the peer speaks. */
    mcpw_status (*handle)(mcpw_server *server, mcpw_request *request, const mcpw_served_method *method);
    /* Whether a result fits the entry that serves its request: structured content has to be of its tool's
     * type. MCPW_OK where there is nothing to check. */
    mcpw_status (*check_result)(const void *entry, const mcpw_type *type, const void *result,
                                mcpw_error *error);
    /* The same for a result's text. */
    mcpw_status (*check_text)(const void *entry, mcpw_json result, mcpw_error *error);
    /* The request that an entry serves has ended; called if mcpw_request_tell_entry asked for it. */
    void (*ended)(mcpw_server *server, const void *entry);
    /* Tells that a client begins to watch a resource, or ends it. */
    void (*watched)(mcpw_server *server, const mcpw_session *session, mcpw_str uri, bool watched);
} mcpw_provider;

/* A session in the list of those that use a server. */
typedef struct mcpw_server_link {
    struct mcpw_server_link *next;
    struct mcpw_server_link **at; /* what points here; NULL: not linked */
    mcpw_session *session;
} mcpw_server_link;

/* The beginning of a mcpw_server: what sessions know of it. */
typedef struct mcpw_server_base {
    const mcpw_provider *provider;
    mcpw_server_config config; /* texts and JSON are the server's own */
    mcpw_server_link *links;
    struct mcpw_change_listener *watches; /* attach.h */
    bool logs;                            /* mcpw_server_will_log */
    mcpw_library library;                 /* what its sessions may speak */
    mcpw_extensions *extensions;          /* and middleware; NULL: none */
    bool in_use;                          /* an endpoint was made of it */
    /* Calls before_tool of the extensions. NULL: none has it. */
    mcpw_status (*before_tool)(mcpw_server *server, mcpw_request *request, mcpw_str name, mcpw_task_use use);
    mcpw_status (*adding_tool)(mcpw_server *server, const mcpw_tool *tool, mcpw_arena *arena, mcpw_json *more,
                               mcpw_error *error);         /* likewise */
    bool has_apps;                                         /* one of them takes the `ui` of tools */
    void (*queue_ended)(mcpw_server *server, void *queue); /* as before_tool */
    void (*session_ended)(mcpw_server *server, mcpw_session *session);
    mcpw_changes changes; /* that other threads have said */
} mcpw_server_base;

static inline mcpw_server_base *mcpw_server_base_of(mcpw_server *server) { return (void *)server; }
static inline const mcpw_provider *mcpw_provider_of(const mcpw_server *server) {
    return ((const mcpw_server_base *)(const void *)server)->provider;
}

static inline const mcpw_served_method *mcpw_server_method(const mcpw_server *server, mcpw_str method) {
    const mcpw_provider *const provider = mcpw_provider_of(server);
    const mcpw_served_method *const found = provider->find(method);
    return found != NULL && provider->answers(server, found) ? found : NULL;
}
static inline bool mcpw_server_has(const mcpw_server *server, mcpw_str method) {
    return mcpw_server_method(server, method) != NULL;
}
static inline mcpw_status mcpw_server_handle(mcpw_server *server, mcpw_request *request,
                                             const mcpw_served_method *method) {
    return mcpw_provider_of(server)->handle(server, request, method);
}

/* Tells the server that a session lives, so that it gets changes, and that it ends. */
void mcpw_server_attach(mcpw_server *server, mcpw_server_link *link);
void mcpw_server_detach(mcpw_server_link *link);

#endif
