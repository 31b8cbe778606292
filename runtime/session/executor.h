/* SPDX-License-Identifier: MIT */
/*
 * What a session asks of the threads around it, of which it knows nothing itself. Everything in a session is
 * touched by one thread alone. A call about a detached request that comes from another thread is brought to
 * the session's thread, and the caller waits for it: so nothing is copied and nothing is locked.
 * runtime/transport/queue.c does that with POSIX threads, workers.c runs handlers on other threads.
 */
#ifndef MCPW_EXECUTOR_H
#define MCPW_EXECUTOR_H

#include <mcpw/session.h>

typedef struct mcpw_executor {
    /* Whether the caller is on another thread than the session's. surely: else, where nothing is under way on
     * the session's thread, any thread may take its place. */
    bool (*is_away)(void *self, bool surely);
    /* Runs a function on the session's thread; returns when it has returned. */
    void (*call)(void *self, void (*run)(void *argument), void *argument);
    /* On the session's thread: waits for calls of other threads, and runs them. */
    void (*wait)(void *self);
    /* Makes the session's loop take a step. */
    void (*wake)(void *self);
    /* The caller's thread is the session's from now on. */
    void (*take)(void *self);
    /* The session has ended. NULL: it need not be told. */
    void (*release)(void *self);
} mcpw_executor;

/* Work for another thread; it lies where who gives it has put it. */
typedef struct mcpw_task {
    struct mcpw_task *next;
    void (*run)(struct mcpw_task *task);
} mcpw_task;

/* Hands a task to another thread. */
typedef void (*mcpw_submit)(void *self, mcpw_task *task);

/* From now on calls come to this session by an executor, which outlives it. MCPW_E_STATE when it has one. */
MCPW_NODISCARD mcpw_status mcpw_session_set_executor(mcpw_session *session, const mcpw_executor *executor,
                                                     void *self);
/* From now on handlers run where submit brings them. */
void mcpw_session_set_submit(mcpw_session *session, mcpw_submit submit, void *self);
/* The executor's self; NULL where there is none. */
void *mcpw_session_executor(const mcpw_session *session);
/* How many requests are detached. */
size_t mcpw_session_detached(const mcpw_session *session);

#endif
