/* SPDX-License-Identifier: MIT */
/*
 * Tasks of a server, at its client. A server may answer a call of a tool by a task, which goes on after the
 * response. This part asks for tasks, follows them until they end, and answers the input requests that they
 * make, by the client's ordinary handlers.
 *
 *     mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
 *     status = mcpw_client_add_tasks(&config, NULL, &error);
 *
 * Afterwards every call of a tool that waits for its result, such as mcp_call_tools_call or
 * mcpw_session_request of tools/call, takes a task as well: it ends with the result when the task has ended.
 * Cancelling the call cancels the task. Progress of the task is progress of the call.
 *
 * A program that wants the task itself gets a handle (mcpw_task) by mcpw_session_call_task. The handle can be
 * kept as text and taken up again in another session, also in another process.
 *
 * In revision 2025-11-25 tasks belong to the core, and the client asks for them: always if the tool requires
 * it, else if the tool leaves it open. In 2026-07-28 they belong to the extension
 * io.modelcontextprotocol/tasks, which mcpw_client_add_tasks adds, and the server alone decides. Other
 * revisions have no tasks. (MCP 2025-11-25, "Tasks"; SEP-1686, SEP-2663.)
 *
 * A task is followed by asking how it stands, at the interval that the server wants, within limits of the
 * client. Notifications of the server come in addition. Following ends when the task has ended, was cancelled
 * or has exceeded its time to live, or at a deadline. A server that does not answer is asked three times in a
 * row. One that answers with an internal error (-32603) is asked ten times, because its store of tasks may
 * come back.
 */
#ifndef MCPW_CLIENT_TASKS_H
#define MCPW_CLIENT_TASKS_H

#include <mcpw/session.h>

MCPW_BEGIN_DECLS

enum {
    MCPW_MAX_TASK_ID = 4096,   /* bytes of the id of a task; a longer one is refused */
    MCPW_MAX_TASK_TEXT = 32768 /* bytes of a handle as text; a longer one is refused */
};

/* How a task stands. The last three are final. */
typedef enum mcpw_task_status {
    MCPW_TASK_UNKNOWN = 0,        /* the server was not asked yet */
    MCPW_TASK_WORKING = 1,        /* it is being worked on */
    MCPW_TASK_INPUT_REQUIRED = 2, /* it waits for the client */
    MCPW_TASK_COMPLETED = 3,      /* it has a result */
    MCPW_TASK_FAILED = 4,         /* it has failed */
    MCPW_TASK_CANCELLED = 5       /* it was cancelled */
} mcpw_task_status;

/* The word for a status, as in the protocol; "unknown" for MCPW_TASK_UNKNOWN. */
MCPW_SESSION_API const char *mcpw_task_status_text(mcpw_task_status status);

/* A task as the server has described it last. Texts come from the server: show them in printable form only.
 */
typedef struct mcpw_task_state {
    mcpw_task_status status; /* how it stands */
    mcpw_str id;             /* of the task */
    mcpw_str message;        /* a remark of the server, at most 1 KiB of it; absent: none */
    mcpw_str created_at;     /* ISO 8601, at most 64 bytes; absent: not known */
    mcpw_str updated_at;     /* likewise */
    int64_t ttl_ms; /* ms after its creation until the server may forget it; -1: no limit, or not known */
    int64_t interval_ms; /* ms that the server wants between two questions; 0: it does not say */
} mcpw_task_state;

/* How to take tasks. Zero and NULL take the default. Initialise with MCPW_CLIENT_TASKS_INIT. */
typedef struct mcpw_client_tasks_options {
    size_t struct_size; /* set by MCPW_CLIENT_TASKS_INIT */
    /* 2025-11-25: calls ask for a task if the tool leaves that open. On by default. */
    mcpw_switch ask_if_optional;
    int64_t ttl_ms;           /* 2025-11-25: the time to live to ask for, in ms; 0: the server chooses */
    uint64_t min_interval_ms; /* least ms between two questions; at most max_interval_ms; default 200 */
    uint64_t max_interval_ms; /* the most ms; default 60000 */
    uint64_t interval_ms;     /* ms if the server does not say; default 1000 */
    /* The ms that a task of a call may take. Then the call fails with MCPW_E_TIMEOUT, and the task is
     * cancelled. UINT64_MAX: for ever; default 3600000. */
    uint64_t deadline_ms;
    /* The most input requests of one task; default 64. With one more the call fails with MCPW_E_SIZE, and the
     * task is cancelled. */
    size_t max_inputs;
    /* 2026-07-28: a subscription to the task's notifications is made beside the questions. On by default. */
    mcpw_switch listen;
    /* Called when the state of a call's task has changed. The state lives during the callback. May be NULL.
     */
    void (*on_status)(void *user, mcpw_session *session, const mcpw_task_state *state);
    void *user; /* passed to on_status; NULL: the session's user */
} mcpw_client_tasks_options;

/* Everything at its default. */
#define MCPW_CLIENT_TASKS_INIT MCPW_SIZED(mcpw_client_tasks_options)

/* Makes all sessions of a client take tasks, and adds the extension to its config. options may be NULL; they
 * are copied. Errors are those of mcpw_client_add_extension. The program frees config->extensions. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_client_add_tasks(mcpw_session_config *config,
                                                                  const mcpw_client_tasks_options *options,
                                                                  mcpw_error *error);

/* ---- Handles ------------------------------------------------------------------------------------------- */

/* A task of a server. It belongs to the session and its thread, and is freed before the session. */
typedef struct mcpw_task mcpw_task;

/* Called once for a call of mcpw_session_call_task. If the server has answered by a task, task is the handle,
 * which the program frees, and reply is NULL. Else task is NULL, and reply is the result or the failure of
 * the call, as for mcpw_session_request. */
typedef void (*mcpw_on_task)(void *user, mcpw_session *session, mcpw_task *task, const mcpw_reply *reply);

/* Calls a tool, like mcpw_session_request of tools/call, but ends when the task is created. params are those
 * of tools/call in the given revision. In 2025-11-25 the call asks for a task unless the tool forbids it.
 * MCPW_E_STATE: the client takes no tasks. MCPW_E_METHOD: the given revision has no tools. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_session_call_task(mcpw_session *session,
                                                                   const mcpw_revision *revision,
                                                                   const void *params, const mcpw_call *call,
                                                                   mcpw_on_task on_task, void *user,
                                                                   int64_t *number, mcpw_error *error);

/* Whether the server makes tasks in the revision that is spoken. */
MCPW_SESSION_API bool mcpw_session_has_tasks(const mcpw_session *session);

/* A handle of a task that was created before: by the text of mcpw_task_text, or by its bare id. NULL with
 * error filled in:
 *   - MCPW_E_STATE: the client takes no tasks, or the session is not open.
 *   - MCPW_E_CAPABILITY: the server has no tasks.
 *   - MCPW_E_SYNTAX, MCPW_E_UTF8, MCPW_E_DEPTH, MCPW_E_FORMAT: the text begins with a brace, but is not that
 *     of a handle; or the id is not UTF-8.
 *   - MCPW_E_VERSION: the text is of a later version.
 *   - MCPW_E_SIZE: the text or the id is too long, or empty.
 *   - MCPW_E_ARGUMENT: the text is of a server of another name.
 *   - MCPW_E_THREAD, MCPW_E_MEMORY.
 *
 * The server is not asked. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_task *mcpw_task_resume(mcpw_session *session, mcpw_str text,
                                                            mcpw_error *error);

/* The handle as text, one line of JSON: the id, the names of the revision and of the server, and the times.
 * It holds no secret, but whoever has the id of a task may be able to read its result. The text is put into
 * arena. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_task_text(const mcpw_task *task, mcpw_arena *arena,
                                                           mcpw_str *out, mcpw_error *error);

/* The state that is known. It lives until the next callback of the session, or until the handle is freed. */
MCPW_SESSION_API mcpw_task_state mcpw_task_last(const mcpw_task *task);

/* Called when the server has said how a task stands. status MCPW_OK: state is that. Else error has the
 * reason, and state is the one before. */
typedef void (*mcpw_on_task_state)(void *user, mcpw_session *session, mcpw_status status,
                                   const mcpw_task_state *state, const mcpw_error *error);

/* Asks once how the task stands. on_state may be NULL. MCPW_E_STATE: a question is under way. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_task_get(mcpw_task *task, mcpw_on_task_state on_state,
                                                          void *user, mcpw_error *error);

/* Asks the server to cancel the task. on_state is called when it has answered; it may be NULL. Following the
 * task then ends with MCPW_E_CANCELLED. MCPW_E_REMOTE: the server has refused, because the task has ended.
 * Then following goes on. In 2026-07-28 the server may finish the work nevertheless. MCPW_E_STATE: the task
 * is being cancelled. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_task_cancel(mcpw_task *task, mcpw_on_task_state on_state,
                                                             void *user, mcpw_error *error);

/* How to follow a task. Initialise with MCPW_SIZED(mcpw_task_follow_options). */
typedef struct mcpw_task_follow_options {
    size_t struct_size;   /* sizeof: see MCPW_SIZED */
    uint64_t deadline_ms; /* ms after which it is no longer followed; 0: as in the client's options */
    /* Called when the state has changed, as in mcpw_client_tasks_options. NULL: that of the client's options.
     */
    void (*on_status)(void *user, mcpw_session *session, const mcpw_task_state *state);
    void *user; /* passed to this on_status; NULL: the one of mcpw_task_follow */
} mcpw_task_follow_options;

/* Follows a task until it ends, and answers its input requests. on_reply is called once, with the result of
 * the tool in the given revision, or with:
 *   - MCPW_E_REMOTE: the call has failed with an error, or the server no longer knows the task.
 *   - MCPW_E_CANCELLED: the task was cancelled.
 *   - MCPW_E_TIMEOUT: the deadline has passed; the task goes on. Or its time to live is over.
 *   - MCPW_E_MESSAGE, MCPW_E_SIZE and the statuses of invalid results: an answer of the server is invalid.
 *
 * mcpw_session_cancel of *number cancels the task and ends following. options may be NULL. MCPW_E_STATE: the
 * task is followed already. MCPW_E_METHOD: the given revision has no tools. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_task_follow(mcpw_task *task, const mcpw_revision *revision,
                                                             const mcpw_task_follow_options *options,
                                                             mcpw_on_reply on_reply, void *user,
                                                             int64_t *number, mcpw_error *error);

/* Frees a handle. The task itself goes on. If it is followed, on_reply is not called any more. Does nothing
 * for NULL. */
MCPW_SESSION_API void mcpw_task_free(mcpw_task *task);

MCPW_END_DECLS

#endif
