/* SPDX-License-Identifier: MIT */
/* server/: the registries of a server, which answer requests. */
/*
 * A server's registries.
 *
 *   server.c            the server, which methods it answers
 *   server_common.c     its memory, how an entry serves a request, structured content
 *   server_changes.c    changes, and the sessions that are told of them
 *   server_registry.c   entries: added, found, removed, listed page by page in the peer's revision
 *   server_tools.c, server_resources.c, server_prompts.c   each kind: its definition, its requests
 *   server_respond.c    the answers that handlers give most
 *   server_scopes.c     the scopes that a request needs
 *
 * What is registered is kept as JSON text of the newest revision that has the type, because a list is then
 * the texts of its entries one after the other. Peers of another revision get its projection, made once.
 *
 * Requests do not refer to entries: what they need of one is copied into their arena before the handler runs,
 * so that a handler may remove any entry, its own included, and runs again all the same.
 */
#ifndef MCPW_SERVER_INTERNAL_H
#define MCPW_SERVER_INTERNAL_H

#include <mcpw/detail/reflect.h>
#include <mcpw/json.h>

#include "../core/registry.h"
#include "../core/tool_schema.h"
#include "../support/hash_table.h"
#include "../support/text.h"
#include "../support/uri_template.h"
#include <mcpw/detail/field.h>

typedef enum mcpw_family {
    MCPW_FAMILY_TOOL,
    MCPW_FAMILY_RESOURCE,
    MCPW_FAMILY_TEMPLATE,
    MCPW_FAMILY_PROMPT,
    MCPW_FAMILY_COUNT
} mcpw_family;

typedef mcpw_status (*mcpw_call_handler)(mcpw_request *request, const mcpw_tool_call *call, void *user);
typedef mcpw_status (*mcpw_get_handler)(mcpw_request *request, const mcpw_prompt_get *get, void *user);
typedef union mcpw_handler {
    mcpw_call_handler call;
    mcpw_read_handler read;
    mcpw_get_handler get;
    mcpw_complete_handler complete;
} mcpw_handler;

typedef struct mcpw_entry {
    mcpw_hash_link in_bucket; /* stands first */
    uint64_t number;          /* in the order of registration, never used again */
    mcpw_str key;             /* name, URI or URI template */
    const mcpw_type *type;
    mcpw_json definition;            /* its text, of that type */
    mcpw_uri_template *uri_template; /* of a template; it points into key */
    const mcpw_type *arguments;      /* of a tool; NULL: its arguments have no type */
    const mcpw_type *structured;
    mcpw_tool_schemas *schemas; /* of a tool; NULL: there is nothing to check */
    mcpw_json input;            /* of a tool: its inputSchema, within definition; absent: it has none */
    bool has_defaults;          /* input has some to fill in */
    mcpw_task_use task;         /* of a tool: whether its calls may be tasks */
    mcpw_handler run;
    mcpw_complete_handler complete;
    void *user;
    mcpw_str scopes; /* that requests for it need; absent: none */
    /* By revision: the definition there. Absent: it was not asked for yet. Empty: it cannot be said there. */
    mcpw_json views[];
} mcpw_entry;

typedef struct mcpw_registry {
    mcpw_entry **entries; /* in the order of registration */
    size_t count;
    size_t capacity;
    mcpw_hash_table by_key;
    uint64_t last_number; /* 0: there was never an entry */
} mcpw_registry;

/* The places of the params of tools/call. */
typedef struct mcpw_call_rows {
    const mcpw_type *params; /* the type in the revision that called last; NULL: there was no call */
    mcpw_slot name;
    mcpw_slot arguments;
} mcpw_call_rows;

struct mcpw_server {
    mcpw_server_base base; /* stands first, because sessions know it */
    mcpw_registry registries[MCPW_FAMILY_COUNT];
    mcpw_call_rows call_rows;
    bool completes; /* an entry with a complete handler is or was there */
};

typedef enum mcpw_serving_kind {
    MCPW_SERVING_CALL,
    MCPW_SERVING_READ,
    MCPW_SERVING_GET,
    MCPW_SERVING_COMPLETE
} mcpw_serving_kind;

/* The part of an entry in a request that it serves. It lies in the request's arena. The handler runs with it
 * for the first time and again. The entry itself may be gone. */
typedef struct mcpw_serving {
    mcpw_serving_kind kind;
    mcpw_handler handler;
    void *user; /* of the handler */
    mcpw_arena *arena;
    const mcpw_type *structured; /* of a tool */
    mcpw_tool_schemas *schemas;  /* of a tool: a use of them */
    const char *mime_type;       /* of a resource */
} mcpw_serving;

/* ---- server.c ---- */

extern const mcpw_provider mcpw_server_provider;

/* ---- server_common.c ---- */

/* Makes a serving with room after it for what its handler gets; NULL without memory. mcpw_entry_serve sets
 * the rest of it. */
static inline mcpw_serving *mcpw_serving_new(mcpw_request *request, mcpw_serving_kind kind, size_t size) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_serving *const serving = mcpw_arena_alloc(arena, sizeof *serving + size);
    if (serving != NULL) {
        serving->kind = kind;
        serving->arena = arena;
        serving->mime_type = NULL;
    }
    return serving;
}

/* The subject that the handler receives. */
static inline void *mcpw_serving_subject(const mcpw_serving *serving) {
    return (void *)(uintptr_t)(serving + 1);
}

/* Gives a request to an entry, whose handler runs here or on a worker. */
mcpw_status mcpw_entry_serve(mcpw_request *request, mcpw_serving *serving, const mcpw_entry *entry);
/* Runs the handler again. */
mcpw_status mcpw_entry_serve_again(mcpw_request *request, const mcpw_serving *serving);

/* Makes a copy in the server's memory, with a NUL after it. Absent stays absent. MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_server_keep(mcpw_server *server, const char *text, size_t len, mcpw_str *out);
void mcpw_server_release(mcpw_server *server, mcpw_str text);
/* A member of a request's params. */
mcpw_field mcpw_request_field(const mcpw_request *request, const char *name);
/* Answers -32602: "Unknown tool: NAME". */
mcpw_status mcpw_refuse_unknown(mcpw_request *request, const char *what, mcpw_str name);

/* Whether structured content is what the tool that serves its request has promised; absent: whether it may be
 * left out. */
MCPW_NODISCARD mcpw_status mcpw_server_check_structured(const mcpw_serving *serving, mcpw_json value,
                                                        mcpw_error *error);

/* ---- server_changes.c ---- */

/* MCPW_E_THREAD where a loop finds that the caller is on a wrong thread. It notes the function. */
MCPW_NODISCARD mcpw_status mcpw_server_check_thread(mcpw_server *server, const char *function,
                                                    mcpw_error *error);
/* Tells every session that something has changed. */
void mcpw_server_changed(mcpw_server *server, mcpw_change change, mcpw_str uri);
/* Tells what other threads have said. */
extern const mcpw_changes_callbacks mcpw_server_changes;

/* ---- server_registry.c ---- */

/* A definition while it is put together: members in their order, then what `more` adds. Absent members are
 * left out. error has the first thing that is wrong. */
typedef struct mcpw_definition {
    mcpw_server *server;
    mcpw_family family;
    mcpw_arena scratch;
    mcpw_text text;
    mcpw_status status;
    mcpw_error *error;
} mcpw_definition;

void mcpw_define(mcpw_definition *d, mcpw_server *server, mcpw_family family, mcpw_error *error);
/* The members that every kind of entry has. */
void mcpw_define_names(mcpw_definition *d, const char *name, const char *title, const char *description);
void mcpw_define_text(mcpw_definition *d, const char *member, const char *value);
void mcpw_define_json(mcpw_definition *d, const char *member, mcpw_json value);
void mcpw_define_more(mcpw_definition *d, mcpw_json more);
void mcpw_define_fail(mcpw_definition *d, mcpw_status status, const char *member, const char *why);
/* Ends a definition, and adds its entry. */
MCPW_NODISCARD mcpw_status mcpw_define_add(mcpw_definition *d, const char *key, const char *scopes,
                                           mcpw_handler run, mcpw_complete_handler complete, void *user);
/* Ends a definition, and makes an entry that is not in its registry yet. NULL, with the status set, when
 * something was wrong. */
mcpw_entry *mcpw_define_end(mcpw_definition *d, const char *key);

/* Sets the scopes of a new entry; NULL: none. MCPW_E_ARGUMENT: they are malformed, or name a variable that
 * the template does not have. */
MCPW_NODISCARD mcpw_status mcpw_entry_set_scopes(mcpw_server *server, mcpw_entry *entry, const char *scopes,
                                                 mcpw_error *error);

/* Frees an entry that is in no registry. Does nothing for NULL. */
void mcpw_entry_free(mcpw_server *server, mcpw_entry *entry);

/* Puts an entry into its registry and notifies sessions. On failure the entry is freed. */
MCPW_NODISCARD mcpw_status mcpw_registry_add(mcpw_server *server, mcpw_family family, mcpw_entry *entry,
                                             mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_registry_remove(mcpw_server *server, mcpw_family family, const char *key);
const mcpw_entry *mcpw_registry_find(const mcpw_server *server, mcpw_family family, mcpw_str key);
void mcpw_registry_free(mcpw_server *server, mcpw_family family);
/* Answers the request for a list. */
mcpw_status mcpw_registry_list(mcpw_server *server, mcpw_family family, mcpw_request *request);

/* ---- server_tools.c, server_resources.c, server_prompts.c ---- */

mcpw_status mcpw_tools_call(mcpw_server *server, mcpw_request *request);
MCPW_NODISCARD mcpw_status mcpw_tools_check_result(const void *entry, const mcpw_type *type,
                                                   const void *result, mcpw_error *error);
MCPW_NODISCARD mcpw_status mcpw_tools_check_text(const void *entry, mcpw_json result, mcpw_error *error);
/* A request of a tool has ended. */
void mcpw_tools_unref(mcpw_server *server, const void *entry);
mcpw_status mcpw_resources_read(mcpw_server *server, mcpw_request *request);
/* Finds the entry that serves a URI, with its variables: the resource of exactly this URI, or the first
 * template that it matches. MCPW_E_NOT_FOUND: there is none. */
MCPW_NODISCARD mcpw_status mcpw_resource_find(const mcpw_server *server, mcpw_arena *arena,
                                              mcpw_resource_read *read, const mcpw_entry **entry);
mcpw_status mcpw_prompts_get(mcpw_server *server, mcpw_request *request);
mcpw_status mcpw_complete(mcpw_server *server, mcpw_request *request);

#endif
