/* SPDX-License-Identifier: MIT */
/*
 * Functions for the authors of extensions, beyond <mcpw/extension.h>: work on the thread of a session,
 * sessions inside of a server, the entries of a server's registries, and requests of this end. The extensions
 * of this library for tasks, skills and apps are made of these and of the other public headers alone.
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
MCPW_SESSION_API bool mcpw_session_hand_over(mcpw_session *session, mcpw_job *job);
/* Takes back a job that was handed over and has not run. Call it on the session's thread. */
MCPW_SESSION_API void mcpw_session_withdraw(mcpw_session *session, mcpw_job *job);
/* The queue of a session, as queue_ended of an extension names it; NULL: it has none. Sessions with the same
 * queue run on one thread. */
MCPW_SESSION_API void *mcpw_session_executor(const mcpw_session *session);

/* Runs a function on the thread of a request's session, and returns when it has returned. The caller is that
 * thread, or the one that has the detached request. `name` is the function that the program has called, for
 * on_diagnostic; it must be a constant. MCPW_E_THREAD: this thread has no such request, and nothing was run.
 */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_request_run_at_home(mcpw_request *request, const char *name,
                                                                     void (*run)(void *argument),
                                                                     void *argument);

/* Reports to on_diagnostic that the program has asked for a response that cannot be made, and why. The peer
 * is not at fault. Call it on the session's thread. It returns the status, or MCPW_E_STATE (in `why` too) if
 * the callback has ended the request. */
MCPW_SESSION_API mcpw_status mcpw_request_unsendable(mcpw_request *request, mcpw_status status,
                                                     mcpw_error *why);

/* Answers a request by an object whose members are the extension's own, as mcpw_respond_json does. The caller
 * knows that the names "_meta" and "resultType" are not among them, so they are not looked for. A text that a
 * mcpw_json_writer has made is not read again. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_respond_members(mcpw_request *request, mcpw_json members,
                                                                 mcpw_error *error);

/* ---- Sessions inside of a server ----------------------------------------------------------------------- */

/* A session whose peer is the extension itself, on the queue of another session. So a handler can run for a
 * request that no client waits for: the extension writes the request with mcpw_session_receive and takes the
 * response with mcpw_session_next_message. The server of the endpoint does not count it among its sessions,
 * so it gets no changes. NULL, with error filled in, when memory runs out. It is freed before `beside` and
 * before queue_ended returns. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_session *
mcpw_session_inside(mcpw_endpoint *endpoint, const mcpw_session *beside, mcpw_error *error);

/* ---- Registries ---------------------------------------------------------------------------------------- */

/* The allocator of a server's config. */
MCPW_SESSION_API const mcpw_allocator *mcpw_server_allocator(const mcpw_server *server);
/* The `user` of an extension of a server; NULL: there is no extension of this id with this tag. */
MCPW_SESSION_API void *mcpw_server_extension_user(const mcpw_server *server, const char *id, const void *tag);

/* The definition of a tool by its index from 0, as the newest revision lists it; absent past the last. It
 * lives as long as the tool. */
MCPW_SESSION_API mcpw_json mcpw_server_tool_at(const mcpw_server *server, size_t index);
/* Whether calls of a tool may be tasks; MCPW_TASK_FORBIDDEN also if there is no tool of this name. */
MCPW_SESSION_API mcpw_task_use mcpw_server_tool_task(const mcpw_server *server, mcpw_str name);
/* Finds the definition of what serves a URI: the resource of exactly this URI, or the first template that it
 * matches. It lives as long as that entry. The arena is used for the search. MCPW_E_NOT_FOUND: nothing serves
 * it. MCPW_E_MEMORY, MCPW_E_ARENA. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_server_find_resource(const mcpw_server *server, mcpw_str uri,
                                                                      mcpw_arena *arena, mcpw_json *out);
/* The `user` of the tool, resource, template or prompt that serves a request, also if it was removed
 * meanwhile; NULL: none serves it. */
MCPW_SESSION_API void *mcpw_request_entry_user(const mcpw_request *request);

/* ---- A session ----------------------------------------------------------------------------------------- */

/* Whether requests may be sent: the negotiation is over, and the session is not closed. */
MCPW_SESSION_API bool mcpw_session_is_open(const mcpw_session *session);
/* The allocator of its config. */
MCPW_SESSION_API const mcpw_allocator *mcpw_session_allocator(const mcpw_session *session);
/* The time of mcpw_session_advance, in ms. */
MCPW_SESSION_API uint64_t mcpw_session_now(const mcpw_session *session);
/* The ms since 1970 by the clock of its config; 0: not known. */
MCPW_SESSION_API uint64_t mcpw_session_time_of_day(const mcpw_session *session);
/* Servers: whether the peer wants log messages of a level, such as "info", outside of any request. Only
 * revisions with a handshake have such messages. */
MCPW_SESSION_API bool mcpw_session_wants_log(const mcpw_session *session, mcpw_str level);
/* MCPW_OK if the caller's thread is that of the session. Otherwise MCPW_E_THREAD, and on_diagnostic will say
 * that the function `name` was called on a wrong thread. `name` must be a constant. error may be NULL. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_check_thread(mcpw_session *session, const char *name,
                                                                      mcpw_error *error);
/* The `user` of an extension of this end; NULL: there is no extension of this id with this tag. Any thread
 * may call this. */
MCPW_SESSION_API void *mcpw_session_extension_user(const mcpw_session *session, const char *id,
                                                   const void *tag);
/* A pointer that an extension keeps with a session; *mcpw_session_extension_state() is NULL at first. NULL:
 * there is no extension of this id, or memory has run out. */
MCPW_SESSION_API void **mcpw_session_extension_state(mcpw_session *session, const char *id);
/* Clients: whether calls of a tool may be tasks, as the newest list of tools says (2025-11-25). False: no
 * list has had a tool of this name. */
MCPW_SESSION_API bool mcpw_session_tool_task(const mcpw_session *session, mcpw_str name, mcpw_task_use *out);

/* ---- Requests of this end ------------------------------------------------------------------------------ */

/* These functions are for the thread of the session. A request is named by its number, as in
 * mcpw_session_cancel. on_reply is called exactly once for each request that was made. */

/* Sends a request whose result an extension may take (`taken` of mcpw_extension_result), with a state that
 * the extension finds in its callbacks. Otherwise it works like mcpw_session_request. If the call fails,
 * `ended` is not called for this state. MCPW_E_METHOD: no extension takes results of this method. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status
mcpw_session_request_with_state(mcpw_session *session, const mcpw_revision *revision, int method,
                                const void *params, const mcpw_call *call, void *state,
                                mcpw_on_reply on_reply, void *user, int64_t *number, mcpw_error *error);
/* Sends a request by name and as text: of an extension, or of the core of the revision that is spoken. In
 * on_reply, `text` of the reply is the result. If the session is lenient, a result that breaks its type is
 * passed as well. MCPW_E_STATE: the session is not open. MCPW_E_METHOD: there is no such method. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_request_text(mcpw_session *session,
                                                                      const char *method, mcpw_json params,
                                                                      const mcpw_call *call,
                                                                      mcpw_on_reply on_reply, void *user,
                                                                      int64_t *number, mcpw_error *error);
/* Waits: on_reply gets MCPW_E_TIMEOUT after so many ms. Nothing is sent. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_wait(mcpw_session *session, uint64_t ms,
                                                              mcpw_on_reply on_reply, void *user,
                                                              int64_t *number, mcpw_error *error);
/* Makes a request without a message, which goes on until the extension ends it, like one whose result it has
 * taken. revision and method are those of the caller. MCPW_E_METHOD: no extension takes results of it. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_keep_open(mcpw_session *session,
                                                                   const mcpw_revision *revision, int method,
                                                                   void *state, mcpw_on_reply on_reply,
                                                                   void *user, int64_t *number,
                                                                   mcpw_error *error);
/* Gives input requests to the handlers of this client, as if the result of a call had asked for them. The
 * object has them by key. In on_reply, `text` of the reply is the object with the responses. on_reply may be
 * called before this function returns; *number is set before that. Any other status says why there are no
 * responses. MCPW_E_METHOD: the revision that is spoken has no input requests in results. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_handle_input(mcpw_session *session,
                                                                      mcpw_json input_requests,
                                                                      mcpw_on_reply on_reply, void *user,
                                                                      int64_t *number, mcpw_error *error);

/* Whether a request has not ended. */
MCPW_SESSION_API bool mcpw_session_has_request(mcpw_session *session, int64_t request);
/* The state that the extension keeps with a request; NULL: none, or the request has ended. */
MCPW_SESSION_API void *mcpw_session_request_state(mcpw_session *session, int64_t request);
/* Sets it. `ended` will be called for the new state and for no earlier one. False: the request has ended, or
 * no extension takes results of its method. */
MCPW_SESSION_API bool mcpw_session_set_request_state(mcpw_session *session, int64_t request, void *state);
/* Sends a request that `held` has held back. */
MCPW_SESSION_API void mcpw_session_send_held(mcpw_session *session, int64_t request);
/* Ends a request by the result of its method in the revision that is spoken. Its caller gets the result in
 * its own revision, or the status of a result that is invalid. False: the request has ended. */
MCPW_SESSION_API bool mcpw_session_finish_request(mcpw_session *session, int64_t request, mcpw_json result);
/* Ends a request by a reply as it is. False: the request has ended. */
MCPW_SESSION_API bool mcpw_session_end_request(mcpw_session *session, int64_t request,
                                               const mcpw_reply *reply);
/* Cancels a request without calling its on_reply, or `cancelled`. Does nothing if it has ended. */
MCPW_SESSION_API void mcpw_session_drop_request(mcpw_session *session, int64_t request, const char *reason);

MCPW_END_DECLS

#endif
