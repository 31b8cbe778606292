/* SPDX-License-Identifier: MIT */
/* What sessions and the registries of a server ask of each other. */
#ifndef MCPW_REGISTRY_H
#define MCPW_REGISTRY_H

#include <mcpw/server.h>

#include "far.h"

struct mcpw_writer;

/* ---- Asked by sessions --------------------------------------------------------------------------------- */

const char *mcpw_server_name(const mcpw_server *server);
const char *mcpw_server_version(const mcpw_server *server);
mcpw_json mcpw_server_info(const mcpw_server *server);
const char *mcpw_server_instructions(const mcpw_server *server);
bool mcpw_server_logs(const mcpw_server *server);

/* A method that the registries can answer. */
typedef struct mcpw_served_method mcpw_served_method;

/* Whether the registries answer a method, by its name: "tools/list" while there is a tool (or was one), and
 * so on. Sessions declare capabilities by it. */
bool mcpw_server_has(const mcpw_server *server, mcpw_str method);
/* The same, and which it is; NULL: they do not. */
const mcpw_served_method *mcpw_server_method(const mcpw_server *server, mcpw_str method);

/* Answers a request of such a method, as a handler does. Params are read by wire name from
 * mcpw_request_params, in whatever revision the peer speaks. */
mcpw_status mcpw_server_handle(mcpw_server *server, mcpw_request *request, const mcpw_served_method *method);

/* Whether a result fits the entry that serves its request: structured content the type that its tool has for
 * it. MCPW_OK where there is nothing to check. */
MCPW_NODISCARD mcpw_status mcpw_server_check_result(const void *entry, const mcpw_type *type,
                                                    const void *result, mcpw_error *error);
/* The same of a result's text. */
MCPW_NODISCARD mcpw_status mcpw_server_check_text(const void *entry, mcpw_json result, mcpw_error *error);

/* Whether anybody is to be told what is watched. */
bool mcpw_server_hears_of_watches(const mcpw_server *server);
/* A client begins to watch a resource, or watches it no more. */
void mcpw_server_watched(mcpw_server *server, const mcpw_session *session, mcpw_str uri, bool watched);

/* A session tells that it lives, and that it goes, so that it hears of changes. */
typedef struct mcpw_server_link {
    struct mcpw_server_link *next;
    struct mcpw_server_link **at; /* what points here; NULL: not linked */
    mcpw_session *session;
} mcpw_server_link;

void mcpw_server_attach(mcpw_server *server, mcpw_server_link *link);
void mcpw_server_detach(mcpw_server_link *link);

/* ---- Asked by registries ------------------------------------------------------------------------------- */

typedef enum mcpw_change {
    MCPW_CHANGE_TOOLS,
    MCPW_CHANGE_PROMPTS,
    MCPW_CHANGE_RESOURCES,
    MCPW_CHANGE_RESOURCE /* the content of one; uri says which */
} mcpw_change;

/* Sends the notification of a change to a client that is to hear of it. */
void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri);

/* Whether the caller is certainly on another thread than the session's. */
bool mcpw_session_is_away(const mcpw_session *session);
/* Notes that a function was called on a wrong thread: MCPW_E_THREAD. From any thread. */
mcpw_status mcpw_session_misused(mcpw_session *session, const char *function, mcpw_error *error);

/* Whether its client watches a resource. */
bool mcpw_session_watches(mcpw_session *session, mcpw_str uri);

/* What a registry keeps with a request until it is answered: the entry that serves it (for the type of
 * structured content, the registered MIME type). Set in mcpw_server_handle. */
void mcpw_request_set_entry(mcpw_request *request, const void *entry);
const void *mcpw_request_entry(const mcpw_request *request);

/* Begins to write an answer whose result is known to be of the type of this name in any revision; it is not
 * looked at again. at is for the result's members, one at least, but those that mcpw_respond_json puts in;
 * NULL after a failure. Nothing else may be asked of the session until mcpw_written_end, which is called when
 * this returns MCPW_OK. MCPW_E_ARGUMENT when the method's result is of another type. */
mcpw_status mcpw_written_begin(mcpw_request *request, const char *type, struct mcpw_writer *w,
                               unsigned char **at, mcpw_error *error);
/* Sends it; at NULL: gives it up, error says why. */
mcpw_status mcpw_written_end(mcpw_request *request, struct mcpw_writer *w, unsigned char *at,
                             mcpw_error *error);

/* Has a handler run when the session's thread has nothing more to do for it: here, or where handlers run on
 * other threads, there. The request's memory holds what. */
mcpw_status mcpw_request_serve(mcpw_request *request,
                               mcpw_status (*run)(mcpw_request *request, const void *what), const void *what);

/* Notes that an answer could not be made, which is no fault of the peer's, and tells why. Gives status back;
 * MCPW_E_STATE, in why too, when who was told has ended the request. */
mcpw_status mcpw_request_unsendable(mcpw_request *request, mcpw_status status, mcpw_error *why);

#endif
