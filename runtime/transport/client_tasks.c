/* SPDX-License-Identifier: MIT */
/* A client that waits for tasks. */
#include <mcpw/detail/session.h>
#include <mcpw/io.h>

#include "transport_internal.h"

#include "../session/attach.h"

/* Something that is waited for, with its arguments. */
typedef struct wanted {
    const mcpw_revision *revision;
    const void *params;
    const mcpw_call *call;
    mcpw_task *task;
    const mcpw_task_follow_options *options;
    mcpw_on_reply on_reply; /* of whoever waits */
    void *user;
} wanted;

static void on_task(void *user, mcpw_session *session, mcpw_task *task, const mcpw_reply *reply) {
    static const mcpw_reply nothing = {0};
    wanted *const w = user;
    w->task = task;
    w->on_reply(w->user, session, task != NULL ? &nothing : reply);
}

static mcpw_status begin_call(void *what, mcpw_session *session, mcpw_on_reply on_reply, void *user,
                              int64_t *number, mcpw_error *error) {
    wanted *const w = what;
    w->on_reply = on_reply;
    w->user = user;
    return mcpw_session_call_task(session, w->revision, w->params, w->call, on_task, w, number, error);
}

mcpw_status mcpw_client_call_task(mcpw_client *client, const mcpw_revision *revision, const void *params,
                                  const mcpw_call *call, mcpw_arena *arena, mcpw_result *result,
                                  mcpw_task **task, mcpw_error *error) {
    wanted w = {.revision = revision, .params = params, .call = call};
    const mcpw_status status = mcpw_client_wait_for(client, begin_call, &w, arena, result, error);
    *task = w.task;
    return status;
}

static mcpw_status begin_following(void *what, mcpw_session *session, mcpw_on_reply on_reply, void *user,
                                   int64_t *number, mcpw_error *error) {
    const wanted *const w = what;
    (void)session;
    return mcpw_task_follow(w->task, w->revision, w->options, on_reply, user, number, error);
}

mcpw_status mcpw_client_wait_task(mcpw_client *client, mcpw_task *task, const mcpw_revision *revision,
                                  const mcpw_task_follow_options *options, mcpw_arena *arena,
                                  mcpw_result *result, mcpw_error *error) {
    mcpw_task_follow_options own = MCPW_SIZED(mcpw_task_follow_options);
    if (!MCPW_TAKE(&own, user, options)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "struct_size of the mcpw_task_follow_options is wrong");
    }
    own.user = own.user != NULL || client == NULL ? own.user : mcpw_session_user(mcpw_client_session(client));
    wanted w = {.revision = revision, .task = task, .options = &own};
    return mcpw_client_wait_for(client, begin_following, &w, arena, result, error);
}

static void on_state(void *user, mcpw_session *session, mcpw_status status, const mcpw_task_state *state,
                     const mcpw_error *error) {
    const wanted *const w = user;
    const mcpw_reply reply = {.status = status, .error = error};
    (void)state;
    w->on_reply(w->user, session, &reply);
}

/* A request about a task that brings its state. */
typedef mcpw_status state_request(mcpw_task *task, mcpw_on_task_state on_state, void *user,
                                  mcpw_error *error);

typedef struct wanted_state {
    wanted wanted; /* stands first, for on_state */
    state_request *request;
} wanted_state;

static mcpw_status begin_state(void *what, mcpw_session *session, mcpw_on_reply on_reply, void *user,
                               int64_t *number, mcpw_error *error) {
    wanted_state *const w = what;
    (void)session;
    (void)number;
    w->wanted.on_reply = on_reply;
    w->wanted.user = user;
    return w->request(w->wanted.task, on_state, &w->wanted, error);
}

static mcpw_status wait_for_state(mcpw_client *client, mcpw_task *task, state_request *request,
                                  mcpw_error *error) {
    wanted_state w = {.wanted = {.task = task}, .request = request};
    return mcpw_client_wait_for(client, begin_state, &w, NULL, NULL, error);
}

mcpw_status mcpw_client_get_task(mcpw_client *client, mcpw_task *task, mcpw_error *error) {
    return wait_for_state(client, task, mcpw_task_get, error);
}

mcpw_status mcpw_client_cancel_task(mcpw_client *client, mcpw_task *task, mcpw_error *error) {
    return wait_for_state(client, task, mcpw_task_cancel, error);
}
