/* SPDX-License-Identifier: MIT */
/*
 * Functions for the authors of extensions, beyond <mcpw/extension.h>: work on the thread of a session,
 * sessions inside of a server, and the entries of a server's registries. The extensions of this library for
 * tasks, skills and apps are made of these and of the other public headers alone.
 */
#ifndef MCPW_EXTENSION_KIT_H
#define MCPW_EXTENSION_KIT_H

#include <mcpw/extension.h>
#include <mcpw/system.h>

MCPW_BEGIN_DECLS

/* ---- Work on the thread of a session ------------------------------------------------------------------- */

/* Work for another thread. It lies in the memory of the extension, and may be the first member of a struct.
 * It needs no memory of its own, so that handing it over cannot fail. */
typedef struct mcpw_job {
    struct mcpw_job *next;             /* the library's while it waits */
    void (*run)(struct mcpw_job *job); /* called on the session's thread */
} mcpw_job;

/* Has the thread of a session run a job as soon as it can. Any thread may call this. Until the job runs, it
 * is not handed over again. False: the session has no queue (<mcpw/thread.h>), and the job will not run. */
MCPW_API bool mcpw_session_hand_over(mcpw_session *session, mcpw_job *job);
/* Takes back a job that was handed over and has not run. Call it on the session's thread. */
MCPW_API void mcpw_session_withdraw(mcpw_session *session, mcpw_job *job);
/* The queue of a session, as queue_ended of an extension names it; NULL: it has none. Sessions with the same
 * queue run on one thread. */
MCPW_API void *mcpw_session_executor(const mcpw_session *session);

/* Runs a function on the thread of a request's session, and returns when it has returned. The caller is that
 * thread, or the one that has the detached request. `name` is the function that the program has called, for
 * on_diagnostic; it must be a constant. MCPW_E_THREAD: this thread has no such request, and nothing was run.
 */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_request_run_at_home(mcpw_request *request, const char *name,
                                                             void (*run)(void *argument), void *argument);

/* Reports to on_diagnostic that the program has asked for a response that cannot be made, and why. The peer
 * is not at fault. Call it on the session's thread. It returns the status, or MCPW_E_STATE (in `why` too) if
 * the callback has ended the request. */
MCPW_API mcpw_status mcpw_request_unsendable(mcpw_request *request, mcpw_status status, mcpw_error *why);

/* Answers a request by an object whose members are the extension's own, as mcpw_respond_json does. The caller
 * knows that the names "_meta" and "resultType" are not among them, so they are not looked for. A text that a
 * mcpw_json_writer has made is not read again. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_respond_members(mcpw_request *request, mcpw_json members,
                                                         mcpw_error *error);

/* ---- Sessions inside of a server ----------------------------------------------------------------------- */

/* A session whose peer is the extension itself, on the queue of another session. So a handler can run for a
 * request that no client waits for: the extension writes the request with mcpw_session_receive and takes the
 * response with mcpw_session_next_message. The server of the endpoint does not count it among its sessions,
 * so it gets no changes. NULL, with error filled in, when memory runs out. It is freed before `beside` and
 * before queue_ended returns. */
MCPW_NODISCARD MCPW_API mcpw_session *mcpw_session_inside(mcpw_endpoint *endpoint, const mcpw_session *beside,
                                                          mcpw_error *error);

/* ---- Registries ---------------------------------------------------------------------------------------- */

/* The allocator of a server's config. */
MCPW_API const mcpw_allocator *mcpw_server_allocator(const mcpw_server *server);
/* The `user` of an extension of a server; NULL: there is no extension of this id. */
MCPW_API void *mcpw_server_extension_user(const mcpw_server *server, const char *id);

/* The definition of a tool by its index from 0, as the newest revision lists it; absent past the last. It
 * lives as long as the tool. */
MCPW_API mcpw_json mcpw_server_tool_at(const mcpw_server *server, size_t index);
/* Whether calls of a tool may be tasks; MCPW_TASK_FORBIDDEN also if there is no tool of this name. */
MCPW_API mcpw_task_use mcpw_server_tool_task(const mcpw_server *server, mcpw_str name);
/* Finds the definition of what serves a URI: the resource of exactly this URI, or the first template that it
 * matches. It lives as long as that entry. The arena is used for the search. MCPW_E_NOT_FOUND: nothing serves
 * it. MCPW_E_MEMORY, MCPW_E_ARENA. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_server_find_resource(const mcpw_server *server, mcpw_str uri,
                                                              mcpw_arena *arena, mcpw_json *out);
/* The `user` of the tool, resource, template or prompt that serves a request, also if it was removed
 * meanwhile; NULL: none serves it. */
MCPW_API void *mcpw_request_entry_user(const mcpw_request *request);

MCPW_END_DECLS

#endif
