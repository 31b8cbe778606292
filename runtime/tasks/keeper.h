/* SPDX-License-Identifier: MIT */
/*
 * The tasks of a server.
 *
 *   tasks.c     how a server begins and ends to keep tasks
 *   keeper.c    what runs in this process
 *   create.c    a call becomes a task
 *   change.c    a record is read, changed and written back; who is told of that
 *   run.c       tasks run: sessions inside of the server, whose peer is this part
 *   log.c       their log messages
 *   hear.c      changes of other processes
 *   form.c      tasks as JSON, in both forms that the protocol has
 *   methods.c   the requests of clients about tasks
 *   views.c     answers to tasks/get, kept from one poll to the next
 *   record.c    the record of a task as text; memory.c is the store in memory
 *
 * A task runs as a request of an inner session. The session speaks a revision in which an input request is a
 * part of a result. So a task that asks for input ends its run, and its record has all that the next run
 * needs. The id of a task is also the id of that request.
 */
#ifndef MCPW_TASKS_KEEPER_H
#define MCPW_TASKS_KEEPER_H

#include "record.h"
#include "table.h"
#include "views.h"

#include <mcpw/extension_kit.h>
#include <mcpw/json.h>
#include <mcpw/tasks.h>

#include <stddef.h>

typedef struct mcpw_task_keeper mcpw_task_keeper;
typedef struct mcpw_task_live mcpw_task_live;

/* A place in a loop, which stands for a run in the messages of its inner session. */
typedef struct mcpw_task_place {
    mcpw_task_live *live; /* NULL: its run has ended */
    size_t next_free;     /* of a place that no run has: the next one, from 1; 0: none */
} mcpw_task_place;

/* A thread's queue on which tasks run, with its inner session. */
typedef struct mcpw_task_loop {
    mcpw_job job; /* stands first: takes the messages of the inner session */
    struct mcpw_task_loop *next;
    mcpw_task_keeper *keeper;
    void *queue; /* NULL: there is none */
    mcpw_session *inner;
    bool handed_over;       /* the job waits for its turn */
    mcpw_job hearing;       /* tells of changes of other processes */
    bool hears;             /* that job waits for its turn; under the keeper's lock */
    bool inside;            /* messages of the inner session are being taken */
    mcpw_task_live *queued; /* the first task that waits for its turn */
    mcpw_task_live **queued_end;
    size_t queued_count;
    size_t most_queued; /* beyond this count, tasks that have expired are looked for */
    size_t running;
    mcpw_task_place *places;
    size_t place_count;
    size_t free_place; /* the first place that no run has, from 1; 0: none */
} mcpw_task_loop;

/* A client of a revision with a handshake whose tasks run. */
typedef struct mcpw_task_client {
    struct mcpw_task_client *next;
    mcpw_session *session;
    mcpw_task_live *first;
} mcpw_task_client;

/* A request for the result of a task, which waits. */
typedef struct mcpw_task_waiter {
    struct mcpw_task_waiter *next;
    mcpw_request *request;
    mcpw_task_keeper *keeper;
    uint64_t pass; /* the keeper's, when it began to wait */
    bool asks;     /* its client is asked for the input of the task */
    char id[MCPW_TASK_ID_LEN + 1];
} mcpw_task_waiter;

/* The part of a task that this process has in memory while it runs, or while somebody follows it. */
struct mcpw_task_live {
    mcpw_task_live *in_bucket; /* stands first */
    uint32_t hash;
    char id[MCPW_TASK_ID_LEN + 1];
    mcpw_task_loop *loop;        /* on which it runs; NULL: it does not */
    bool is_running;             /* its request is in flight */
    bool is_queued;              /* it waits for its turn */
    bool is_ending;              /* its loop ends, and it was ended as well */
    uint64_t expires_at;         /* of one that waits for its turn */
    mcpw_task_live *next_queued; /* of those that wait for their turn */
    mcpw_task_waiter *waiters;   /* requests for its result, the oldest first */
    mcpw_task_waiter **waiters_end;
    size_t listeners;         /* subscriptions that name it */
    mcpw_task_client *client; /* that gets its progress and log messages; NULL: none does */
    size_t place;             /* of its run in its loop, from 1; 0: it has none */
    mcpw_task_live *next_of_client;
    mcpw_json token;     /* the progress token of that client; absent: none. Its own memory. */
    mcpw_buffer unsaved; /* the response of its run, which the store has not taken; empty: there is none */
};

/* Most ids of changes of other processes that wait to be told. Beyond them every task counts as changed. */
enum { MCPW_MOST_HEARD = 64 };

/* Changes of other processes that wait to be told. */
typedef struct mcpw_heard_tasks {
    char ids[MCPW_MOST_HEARD][MCPW_TASK_ID_LEN + 1];
    size_t count;
    bool all;
} mcpw_heard_tasks;

/* The loop that a job is a part of. */
#define MCPW_TASK_LOOP_OF(job, member)                                                                       \
    ((mcpw_task_loop *)(void *)((char *)(job)-offsetof(mcpw_task_loop, member)))

/* Calls to files that stand above. */
typedef struct mcpw_task_callbacks {
    void (*run)(mcpw_job *job);                           /* the job of a loop */
    void (*hear)(mcpw_job *job);                          /* the one that takes changes of other processes */
    void (*on_output)(void *user, mcpw_session *session); /* the callback of inner sessions */
    /* Answers a request for the result of a task, whose client is asked for input that the task no longer
     * needs. */
    void (*answer)(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id);
} mcpw_task_callbacks;

struct mcpw_task_keeper {
    const mcpw_task_callbacks *callbacks;
    mcpw_tasks_config config;
    mcpw_server *server;
    const mcpw_task_store *store;
    mcpw_task_store given;      /* that of the program */
    mcpw_task_store *own_store; /* NULL: the program has one */
    mcpw_task_limits limits;
    uint32_t seed;
    mcpw_endpoint *endpoint;       /* of inner sessions; NULL: none was made yet */
    const mcpw_revision *revision; /* that they speak */
    mcpw_task_loop *loops;
    mcpw_task_client *clients;
    mcpw_task_table lives;
    size_t unsaved;  /* tasks of these whose outcome the store has not taken */
    uint64_t pass;   /* counts how often waiting requests were run again */
    mcpw_lock *lock; /* of the two members below, and of the list of loops; NULL: the store tells nothing */
    mcpw_heard_tasks heard;
    mcpw_task_views views;
    const mcpw_task_record *starting; /* that of the task that is being started; NULL: none is */
};

/* The id of the extension. */
#define MCPW_TASK_EXTENSION "io.modelcontextprotocol/tasks"
extern const char mcpw_task_extension_id[sizeof MCPW_TASK_EXTENSION];
/* The keeper of the request's server; NULL: the server keeps no tasks. */
mcpw_task_keeper *mcpw_keeper_of(const mcpw_request *request);

/* Whether a revision has tasks in its core. */
bool mcpw_task_is_core(const mcpw_revision *revision);
/* Whether a revision has extensions. */
bool mcpw_task_has_extensions(const mcpw_revision *revision);

uint64_t mcpw_task_now(const mcpw_task_keeper *keeper);

/* ---- keeper.c ---- */

/* The part of a task in memory; NULL: there is none. */
mcpw_task_live *mcpw_task_live_find(const mcpw_task_keeper *keeper, mcpw_str id);
/* The same, made if need be; NULL without memory, or if the id cannot be one of a task. */
mcpw_task_live *mcpw_task_live_make(mcpw_task_keeper *keeper, mcpw_str id);
/* Takes a waiter out of the list that `at` is in. */
void mcpw_task_waiter_unlink(mcpw_task_live *live, mcpw_task_waiter **at);
/* Frees it unless the task runs or somebody follows it. */
void mcpw_task_live_release(mcpw_task_keeper *keeper, mcpw_task_live *live);
/* The same for a task that has ended: its client gets no more progress. */
void mcpw_task_live_end(mcpw_task_keeper *keeper, mcpw_task_live *live);
/* The client of a session gets the progress of a task, with its token. Without memory it does not. */
void mcpw_task_live_follow(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_session *session,
                           mcpw_json token);
/* The loop of a session; NULL, with error filled in, if it cannot be made. */
mcpw_task_loop *mcpw_task_loop_of(mcpw_task_keeper *keeper, const mcpw_session *session, mcpw_error *error);
/* The loop whose inner session this is; NULL: it is a client's. */
mcpw_task_loop *mcpw_task_loop_with(const mcpw_task_keeper *keeper, const mcpw_session *session);

/* Frees all parts of tasks. */
void mcpw_task_lives_free(mcpw_task_keeper *keeper);
/* The session of a client has ended: it gets no more progress. */
void mcpw_task_session_ended(mcpw_session *session, void *user);

static inline void mcpw_task_lock(mcpw_task_keeper *keeper) {
    if (keeper->lock != NULL) {
        mcpw_lock_take(keeper->lock);
    }
}

static inline void mcpw_task_unlock(mcpw_task_keeper *keeper) {
    if (keeper->lock != NULL) {
        mcpw_lock_give(keeper->lock);
    }
}

/* ---- create.c ---- */

mcpw_status mcpw_task_before_tool(mcpw_request *request, mcpw_str name, mcpw_task_use use, void *user);

/* ---- change.c ---- */

/* A record that was read, with all that is needed to write it back. It lies in `text`. */
typedef struct mcpw_task_copy {
    mcpw_task_record record;
    mcpw_task_entry entry;
    mcpw_buffer text;
    const mcpw_task_view *view; /* mcpw_keeper_look alone */
    mcpw_status status;         /* while it is read */
} mcpw_task_copy;

/* Reads the record of a task, into the arena unless that is NULL. Free it with mcpw_task_copy_free in any
 * case. A task whose worker has ended is failed first. MCPW_E_NOT_FOUND: there is none. MCPW_E_FORMAT,
 * MCPW_E_VERSION, MCPW_E_SIZE: it cannot be read.
 */
MCPW_NODISCARD mcpw_status mcpw_keeper_read(mcpw_task_keeper *keeper, mcpw_str id, mcpw_arena *arena,
                                            mcpw_task_copy *copy);
/* The same for the principal of a request, in its arena. MCPW_E_NOT_FOUND: it has none. */
MCPW_NODISCARD mcpw_status mcpw_keeper_read_own(mcpw_task_keeper *keeper, mcpw_str id, mcpw_request *request,
                                                mcpw_task_copy *copy);
/* The same, but if there is a view of the record in a form, the copy has that alone, and neither the record
 * nor texts of the entry. */
MCPW_NODISCARD mcpw_status mcpw_keeper_look(mcpw_task_keeper *keeper, mcpw_str id, bool core,
                                            mcpw_request *request, mcpw_task_copy *copy);
void mcpw_task_copy_free(mcpw_task_copy *copy);

/* Changes the record. `change` may set members and parts of it; *worker is who runs the task from now on. It
 * may be called again, if somebody else has changed the record meanwhile. Any status but MCPW_OK ends that.
 * The followers of the task are told. MCPW_E_STATE: the task is final. Other statuses as for
 * mcpw_keeper_read_own, and of the store. A record that has become too long is replaced by the failure of the
 * task. */
typedef mcpw_status mcpw_task_change(void *user, mcpw_task_record *record, mcpw_str *worker);
MCPW_NODISCARD mcpw_status mcpw_keeper_update(mcpw_task_keeper *keeper, mcpw_str id, mcpw_task_change *change,
                                              void *user);
/* Tells those who follow a task that its record has changed. */
void mcpw_task_changed(mcpw_task_keeper *keeper, mcpw_str id, const mcpw_task_record *record);
/* Runs the requests again that wait for a task. Each finds out what has become of it. */
void mcpw_task_wake(mcpw_task_keeper *keeper, mcpw_str id);
/* For a task whose record is gone or could not be replaced: runs or answers the requests that wait for it,
 * and drops its part here if nothing uses that. */
void mcpw_task_lost(mcpw_task_keeper *keeper, const mcpw_task_live *live);
/* Sends a notification to a client, if its revision has it. */
void mcpw_task_tell_client(const mcpw_task_client *client, const char *method, mcpw_json params,
                           const mcpw_allocator *allocator);
/* Sends a notification whose params begin with an object, and have the members of another beside. `begun` is
 * that object, if the status is MCPW_OK; it is freed. */
void mcpw_task_tell_more(mcpw_task_keeper *keeper, const mcpw_task_live *live, const char *method,
                         mcpw_buffer *begun, mcpw_status status, mcpw_json params, const char *const *but);
/* Makes a record the failure of its task, for a reason that is a constant. */
void mcpw_keeper_fail(mcpw_task_record *record, mcpw_json error);

/* ---- log.c ---- */

/* A place for the run of a task, as the context of its request. NULL: memory has run out. */
void *mcpw_task_place_take(mcpw_task_loop *loop, mcpw_task_live *live);
/* The run of a task ends. Messages with its place may still come. */
void mcpw_task_place_leave(mcpw_task_live *live);
/* No more messages with this place come. */
void mcpw_task_place_give(mcpw_task_loop *loop, const void *context);
/* The task of a message with this context; NULL: none, or its run has ended. */
mcpw_task_live *mcpw_task_place_of(const mcpw_task_loop *loop, const void *context);
void mcpw_task_places_free(mcpw_task_loop *loop);
/* Passes a log message on to the client of a task, if that wants its level. live may be NULL. */
void mcpw_task_logged(mcpw_task_keeper *keeper, const mcpw_task_live *live, mcpw_str text);

/* ---- run.c ---- */

/* Has a task run on a loop when it is its turn, unless it expires before. */
void mcpw_task_enqueue(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_task_loop *loop,
                       uint64_t expires_at);
/* Cancels the run of a task, if there is one in this process. */
void mcpw_task_stop(mcpw_task_keeper *keeper, mcpw_str id);
/* Stores the outcome of a task that the store has not taken before. */
void mcpw_task_save_kept(mcpw_task_keeper *keeper, mcpw_str id);
static inline void mcpw_task_save(mcpw_task_keeper *keeper, mcpw_str id) {
    if (keeper->unsaved != 0) {
        mcpw_task_save_kept(keeper, id);
    }
}
/* Stores it when the loop of its task ends. The part of the task stays until that is freed. */
void mcpw_task_save_last(mcpw_task_keeper *keeper, const mcpw_task_live *live);
/* Has all loops start tasks whose turn it is, after the store has failed. */
void mcpw_task_go_on(mcpw_task_keeper *keeper);
/* Takes the messages of the inner session of a loop, and starts tasks whose turn it is. */
void mcpw_task_pump(mcpw_task_loop *loop);
/* The callback of inner sessions for output. */
void mcpw_task_on_output(void *user, mcpw_session *session);
/* The job of a loop. */
void mcpw_task_job(mcpw_job *job);

/* ---- hear.c ---- */

/* From any thread: another process has replaced the record of a task; absent: of any. */
void mcpw_task_hear(void *user, mcpw_str id);
/* Tells of what was heard. */
void mcpw_task_take_heard(mcpw_task_keeper *keeper);
void mcpw_task_hear_job(mcpw_job *job);
/* With the lock held: has another loop look at what was heard, after the one that should has ended. */
void mcpw_task_hear_elsewhere(mcpw_task_keeper *keeper);
/* Takes what was heard, and the outcomes of all loops without a queue, which nobody else takes. */
void mcpw_task_pump_alone(mcpw_task_keeper *keeper);

/* ---- form.c ---- */

/* Writes the members of a task, in the form of the core or of the extension. */
void mcpw_task_write(mcpw_json_writer *w, mcpw_str id, const mcpw_task_record *record, bool core);
/* The same with what belongs to its status: input requests, result, error. */
void mcpw_task_write_detailed(mcpw_json_writer *w, mcpw_str id, const mcpw_task_record *record);

/* Writes the _meta of a message that belongs to a task, where the core has tasks. */
void mcpw_task_write_related(mcpw_json_writer *w, mcpw_str id);
/* The text in a buffer of an arena. */
static inline mcpw_str mcpw_keeper_text(const mcpw_buffer *buffer) {
    return (mcpw_str){buffer->data, buffer->len};
}

/* ---- methods.c ---- */

void mcpw_task_answer(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id);

enum { MCPW_TASK_METHODS = 6 };
extern const mcpw_extension_method mcpw_task_methods[MCPW_TASK_METHODS];

#endif
