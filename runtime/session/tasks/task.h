/* SPDX-License-Identifier: MIT */
/* tasks/: tasks of a server, as its client follows them (<mcpw/client_tasks.h>). */
/*
 * A task has a follower while somebody waits for its end: a request of ours. That is the call that the task
 * has answered, or one without a message. Whatever ends the follower ends following.
 *
 *   task_handle.c   handles, their text
 *   task_call.c     a task answers a call
 *   task_follow.c   asks, waits, asks again
 *   task_input.c    gives input requests to handlers, and their responses to the server
 *   task_life.c     memory, and the ends of following
 *   task_ask.c      requests about a task, as text, in either revision
 *   task_read.c     the words of the server about a task
 */
#ifndef MCPW_SESSION_TASK_H
#define MCPW_SESSION_TASK_H

#include "../calls/call.h"
#include "../revisions/extension.h"
#include "../revisions/profile.h"

#include <mcpw/client_tasks.h>

enum {
    MCPW_TASK_MESSAGE_SIZE = 1024, /* bytes of a remark that are kept */
    MCPW_TASK_TIME_SIZE = 64,      /* bytes of a time */
    MCPW_TASK_KEY_SIZE = 1024,     /* bytes of the key of an input request */
    MCPW_TASK_LOST_POLLS = 3,      /* questions in a row that the server may leave unanswered */
    MCPW_TASK_FAILED_POLLS = 10    /* and how many if it fails at some: its store may come back */
};

struct mcpw_task {
    mcpw_session *session;
    const mcpw_client_tasks_options *options;
    bool is_core;      /* tasks belong to the core of the revision (2025-11-25) */
    bool is_owned;     /* a program has the handle */
    bool is_freed;     /* it is freed when nothing holds it */
    unsigned holds;    /* callbacks of the program that run */
    mcpw_arena memory; /* the id, and the keys */
    mcpw_arena said;   /* texts of the state */
    mcpw_task_state last;
    mcpw_str server;   /* its name, when the task was created */
    mcpw_str revision; /* likewise */
    uint64_t received; /* when it was created, in ms since 1970 by this end's clock; 0: not known */
    uint64_t since;    /* the same on the session's clock, or when it was taken up */
    uint64_t lived;    /* ms of its life before that */
    bool is_overtaken; /* a notification has told the end before the answer to a question came */
    bool looks;        /* the tool is looked up, and the task does not exist yet */
    unsigned pages;    /* of the list of tools */

    /* Numbers of requests of ours; 0: none. */
    int64_t follower;
    int64_t timer;
    int64_t poll;   /* tasks/get */
    int64_t answer; /* tasks/result */
    int64_t gather; /* input requests, which handlers have */
    int64_t update; /* tasks/update */
    int64_t cancel; /* tasks/cancel */
    int64_t listen; /* subscriptions/listen */
    int64_t look;   /* tools/list */

    uint64_t due; /* when it is no longer followed, on the session's clock; UINT64_MAX: never */
    unsigned polls;
    unsigned lost; /* questions in a row without an answer */
    mcpw_str *keys;
    size_t key_count;
    const mcpw_revision *wanted;      /* the caller's, for the result */
    void (*updated)(mcpw_task *task); /* responses to input requests have reached the server */
    void (*on_status)(void *user, mcpw_session *session, const mcpw_task_state *state);
    void *status_user;
    mcpw_on_task_state on_get;
    void *get_user;
    mcpw_on_task_state on_cancel;
    void *cancel_user;
};

/* ---- task_read.c ---- */

/* Whether a status is final. */
bool mcpw_task_is_final(mcpw_task_status status);
/* Reads what the server says about a task, and keeps it. `created`: it is the answer to a call, so the id is
 * new. *changed: it is not what was known. On failure nothing has changed. */
MCPW_NODISCARD mcpw_status mcpw_task_read(mcpw_task *task, mcpw_json said, bool created, bool *changed,
                                          mcpw_error *error);

/* ---- task_ask.c ---- */

/* The options; NULL: the client takes no tasks. */
const mcpw_client_tasks_options *mcpw_tasks_options_of(const mcpw_session *session);
/* Whether tasks belong to the core of the revision that is spoken, and the server makes them of tools/call.
 */
bool mcpw_tasks_are_core(const mcpw_session *session);
/* Whether the server has declared the extension. */
bool mcpw_tasks_are_added(const mcpw_session *session);
/* Sends a request of either kind. params are text. */
MCPW_NODISCARD mcpw_status mcpw_task_send(mcpw_session *session, const char *method, mcpw_json params,
                                          uint64_t timeout_ms, mcpw_on_reply on_reply, void *user,
                                          int64_t *number, mcpw_error *error);
/* Sends a request about a task: its id, and more members. `more` may be absent. */
MCPW_NODISCARD mcpw_status mcpw_task_ask(mcpw_task *task, const char *method, mcpw_json more,
                                         uint64_t timeout_ms, mcpw_on_reply on_reply, int64_t *number,
                                         mcpw_error *error);
/* The result of such a request as text. */
MCPW_NODISCARD mcpw_status mcpw_task_reply_text(const mcpw_reply *reply, mcpw_arena *arena, mcpw_json *out);

/* ---- task_life.c ---- */

/* A task without an id; NULL when memory runs out. */
mcpw_task *mcpw_task_new(mcpw_session *session);
/* Ends its requests, and frees it when nothing holds it. */
void mcpw_task_drop(mcpw_task *task);
/* Ends what only following needs. */
void mcpw_task_unfollow(mcpw_task *task);
/* Keeps a task while the program's code runs. unhold returns false if it was freed meanwhile. */
void mcpw_task_hold(mcpw_task *task);
bool mcpw_task_unhold(mcpw_task *task);
/* The request that waits for it; NULL: none does. */
mcpw_pending *mcpw_task_follower(const mcpw_task *task);
/* Ends following. Each of these reaches the program's code, which may free the task. */
void mcpw_task_end(mcpw_task *task, const mcpw_reply *reply);
void mcpw_task_fail(mcpw_task *task, mcpw_status status, const char *why);
void mcpw_task_fail_by(mcpw_task *task, const mcpw_error *error);
/* The same, and cancels the task. */
void mcpw_task_give_up(mcpw_task *task, mcpw_status status, const char *why);
/* Asks the server to cancel it; the answer does not matter. */
void mcpw_task_tell_cancel(mcpw_task *task);

/* ---- task_input.c ---- */

/* Gives new input requests to this client's handlers. */
void mcpw_task_input(mcpw_task *task, mcpw_json input_requests);

/* ---- task_follow.c ---- */

/* Begins to follow it for a request of ours. */
void mcpw_task_begin(mcpw_task *task, mcpw_pending *follower, uint64_t deadline_ms);
/* Takes what the server says about a task that is followed. */
void mcpw_task_take(mcpw_task *task, mcpw_json said);
/* Asks how it stands, unless a question is under way. */
MCPW_NODISCARD mcpw_status mcpw_task_poll(mcpw_task *task, mcpw_error *error);

#endif
