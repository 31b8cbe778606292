/* SPDX-License-Identifier: MIT */
/*
 * Tasks of a server, as its client follows them (<mcpw/client_tasks.h>): an extension of clients, of public
 * functions alone.
 *
 * A task has a follower while somebody waits for its end: a request of this end. That is the call that the
 * task has answered, or one without a message. Whatever ends the follower ends following.
 *
 *   task_add.c      the extension and its options
 *   task_handle.c   handles, their text
 *   task_call.c     a task answers a call
 *   task_follow.c   asks, waits, asks again
 *   task_input.c    gives input requests to handlers, and their responses to the server
 *   task_life.c     memory, and the ends of following
 *   task_ask.c      requests about a task, as text, in either revision
 *   task_read.c     the words of the server about a task
 */
#ifndef MCPW_CLIENT_TASK_H
#define MCPW_CLIENT_TASK_H

#include <mcpw/client_tasks.h>
#include <mcpw/codec.h>
#include <mcpw/extension_kit.h>
#include <mcpw/json.h>

#define MCPW_CLIENT_TASKS_ID "io.modelcontextprotocol/tasks"

enum {
    MCPW_TASK_MESSAGE_SIZE = 1024, /* bytes of a remark that are kept */
    MCPW_TASK_TIME_SIZE = 64,      /* bytes of a time */
    MCPW_TASK_KEY_SIZE = 1024,     /* bytes of the key of an input request */
    MCPW_TASK_LOST_POLLS = 3,      /* questions in a row that the server may leave unanswered */
    MCPW_TASK_FAILED_POLLS = 10,   /* and how many if it fails at some: its store may come back */
    MCPW_TASK_MEMBER_ROOM = 64     /* bytes of the params' member that asks for a task */
};

/* The `user` of the extension. */
typedef struct mcpw_client_tasks {
    mcpw_allocator allocator;
    mcpw_client_tasks_options options;
    char member_room[MCPW_TASK_MEMBER_ROOM];
    mcpw_json member; /* the object whose member asks for a task (2025-11-25) */
} mcpw_client_tasks;

/* The tag of the extension. */
extern const char mcpw_client_tasks_tag[sizeof MCPW_CLIENT_TASKS_ID];

/* The receiver of a task that a program wants itself. */
typedef struct mcpw_task_receiver {
    mcpw_on_task on_task;
    void *user;
} mcpw_task_receiver;

/* The state of a request of this end that waits for a task. */
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
    mcpw_str tool;     /* the name of that tool */
    mcpw_task_receiver *receiver; /* NULL: the caller wants the result */

    /* Its place among the tasks of the session that are followed. */
    mcpw_task *next;
    mcpw_task **at; /* NULL: it is not followed */

    /* Numbers of requests of this end; 0: none. */
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
    void (*updated)(mcpw_task *task); /* responses to input requests have reached the server */
    void (*on_status)(void *user, mcpw_session *session, const mcpw_task_state *state);
    void *status_user;
    mcpw_on_task_state on_get;
    void *get_user;
    mcpw_on_task_state on_cancel;
    void *cancel_user;
};

static const mcpw_json mcpw_task_no_json = {NULL, 0, 0};
static const mcpw_str mcpw_task_no_str = {NULL, 0};

/* The time that is so many ms later, or the latest there is. */
static inline uint64_t mcpw_task_later(uint64_t now, uint64_t ms) {
    return ms > UINT64_MAX - now ? UINT64_MAX : now + ms;
}

/* Sets an error that says no more than its status. */
static inline mcpw_status mcpw_task_failed(mcpw_error *error, mcpw_status status) {
    return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
}

/* A JSON text that grows in memory of the session. */
typedef struct mcpw_task_object {
    mcpw_buffer buffer;
    mcpw_json_writer writer;
} mcpw_task_object;

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
/* Begins an object in memory of the session. */
void mcpw_task_object_begin(mcpw_task_object *text, const mcpw_session *session);
/* Writes a member. */
void mcpw_task_put_str(mcpw_task_object *text, const char *name, mcpw_str value);
void mcpw_task_put_int(mcpw_task_object *text, const char *name, int64_t value);
void mcpw_task_put_json(mcpw_task_object *text, const char *name, mcpw_json value);
/* Ends the object, which lives until the text is freed. */
MCPW_NODISCARD mcpw_status mcpw_task_object_end(mcpw_task_object *text, mcpw_json *out, mcpw_error *error);
void mcpw_task_object_free(mcpw_task_object *text);
/* Sends a request about a task: its id, and one more member. `name` may be NULL. timeout_ms 0: the default.
 */
MCPW_NODISCARD mcpw_status mcpw_task_ask(mcpw_task *task, const char *method, const char *name,
                                         mcpw_json value, uint64_t timeout_ms, mcpw_on_reply on_reply,
                                         int64_t *number, mcpw_error *error);

/* ---- task_life.c ---- */

/* Zeroed memory of the session's allocator; NULL when memory runs out. */
void *mcpw_task_alloc(const mcpw_session *session, size_t size);
void mcpw_task_release(const mcpw_session *session, void *ptr, size_t size);
/* A task without an id; NULL when memory runs out. */
mcpw_task *mcpw_task_new(mcpw_session *session);
/* Ends its requests, and frees it when nothing holds it. */
void mcpw_task_drop(mcpw_task *task);
/* Ends what only following needs. */
void mcpw_task_unfollow(mcpw_task *task);
/* Puts a task among those that are followed, or takes it out. */
void mcpw_task_link(mcpw_task *task);
void mcpw_task_unlink(mcpw_task *task);
/* Keeps a task while the program's code runs. unhold returns false if it was freed meanwhile. */
void mcpw_task_hold(mcpw_task *task);
bool mcpw_task_unhold(mcpw_task *task);
/* Whether a request waits for it. */
bool mcpw_task_is_followed(const mcpw_task *task);
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

/* Begins to follow it for a request of this end, which has it as its state. */
void mcpw_task_begin(mcpw_task *task, int64_t follower, uint64_t deadline_ms);
/* Takes what the server says about a task that is followed. */
void mcpw_task_take(mcpw_task *task, mcpw_json said);
/* Asks how it stands, unless a question is under way. */
MCPW_NODISCARD mcpw_status mcpw_task_poll(mcpw_task *task, mcpw_error *error);

/* ---- task_call.c ---- */

/* The callbacks for results of tools/call: mcpw_extension_result. */
bool mcpw_task_held(mcpw_session *session, int64_t request, mcpw_str name, void *user);
mcpw_status mcpw_task_adding(mcpw_session *session, int64_t request, mcpw_str name, mcpw_json *members,
                             void *user, mcpw_error *error);
void mcpw_task_taken(mcpw_session *session, int64_t request, mcpw_json result, void *user);
void mcpw_task_cancelled(mcpw_session *session, int64_t request, void *user);
void mcpw_task_ended(mcpw_session *session, void *state, void *user);

#endif
