/* SPDX-License-Identifier: MIT */
#include "call_link.h"

#include "call_http.h"
#include "call_wait.h"

#include "text.h"

#include <mcpw/codec.h>
#include <mcpw/extension.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    PATIENCE = 2000,      /* ms that a server has to end, and again after SIGTERM */
    LEAST_PATIENCE = 100, /* after the deadline */
    LAST_WORDS = 500,     /* ms for sending the remaining output */
    EXIT_LOOKS = 20,      /* number of checks for the exit of a server whose output has ended */
    EXIT_LOOK_PAUSE = 10  /* ms between two checks */
};

int link_signal(void) { return wait_signal(); }

/* ---- time ---- */

static uint64_t left(const server_link *l) {
    const uint64_t now = mcpw_io_now();
    return l->deadline == UINT64_MAX ? UINT64_MAX : l->deadline > now ? l->deadline - now : 0;
}

/* The timeout of poll in ms, up to the next deadline of the session or the link. */
static int nap(const server_link *l) {
    const int due = mcpw_io_timeout(&l->io);
    const uint64_t rest = left(l);
    const int most = rest < INT_MAX ? (int)rest : -1;
    return due < 0 || (most >= 0 && most < due) ? most : due;
}

/* ---- the end of the server ---- */

static bool ends_soon(const server_link *l) {
    for (int i = 0; i < EXIT_LOOKS && !wait_has_ended(&l->child); i++) {
        wait_sleep(EXIT_LOOK_PAUSE);
    }
    return wait_has_ended(&l->child);
}

/* Sets the error to the server's exit status and its last line of standard error. */
static void explain_end(server_link *l) {
    char *const out = l->why.message;
    const size_t size = sizeof l->why.message;
    l->why.code = MCPW_E_CLOSED;
    if (l->child.pid == 0 || !ends_soon(l)) {
        (void)snprintf(out, size, "the server has closed the connection");
        return;
    }
    wait_guard(0);
    mcpw_child_stop(&l->child, 0); /* reads the rest of its standard error */
    const int status = l->child.exit_status;
    const char *const colon = l->last_line[0] != '\0' ? ": " : "";
    if (status == -1) {
        (void)snprintf(out, size, "the server has ended%s%s", colon, l->last_line);
    } else {
        int number;
        const char *const words = wait_explain(status, &number);
        (void)snprintf(out, size, "the server %s %d%s%s", words, number, colon, l->last_line);
    }
}

/* Ends the connection: fails the waiting requests, and keeps the reason. */
static void finish(server_link *l, mcpw_status status) {
    const bool by_server = status == MCPW_E_CLOSED && (l->io.in < 0 || l->io.out < 0);
    l->was_read = mcpw_io_was_read(&l->io);
    mcpw_io_end(&l->io);
    if (by_server && l->child.pid != 0) {
        explain_end(l);
    }
    const mcpw_error why = l->why; /* closing would replace the reason */
    mcpw_session_close(l->session);
    l->why = why;
}

/* ---- the loop ---- */

/* Takes one step of the loop. */
static void step(server_link *l) {
    const char *why = NULL;
    if (!wait_for_link(l, nap(l), &why)) {
        l->why.code = MCPW_E_IO;
        (void)snprintf(l->why.message, sizeof l->why.message, "cannot wait: %s", why);
        finish(l, MCPW_E_IO);
        return;
    }
    const mcpw_status status = mcpw_io_work(&l->io, &l->why);
    if (status != MCPW_OK) {
        finish(l, status);
    }
}

static bool is_over(const server_link *l) { return l->io.buffer == NULL; }

/* ---- start and stop ---- */

static void on_stderr(void *user, mcpw_str line) {
    server_link *const l = user;
    if (l->on_stderr != NULL) {
        l->on_stderr(line);
        return;
    }
    const size_t len = text_cut(line.ptr, line.len, sizeof l->last_line - 1);
    memcpy(l->last_line, line.ptr, len);
    l->last_line[len] = '\0';
}

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    server_link *const l = user;
    (void)session;
    l->opened = true;
    l->open_status = status;
    if (error != NULL) {
        l->why = *error;
    }
}

/* The reason to stop waiting, as a status; MCPW_OK: none. */
static mcpw_status must_end(const server_link *l) {
    return wait_signal() != 0 ? MCPW_E_CANCELLED : left(l) == 0 ? MCPW_E_TIMEOUT : MCPW_OK;
}

static mcpw_status fail(server_link *l, mcpw_status status) {
    l->why.code = status;
    l->why.path[0] = '\0';
    (void)snprintf(l->why.message, sizeof l->why.message, "%s",
                   status == MCPW_E_TIMEOUT ? "the server did not answer in time" : mcpw_status_text(status));
    return status;
}

/* Waits until the negotiation has ended. */
static mcpw_status negotiate(server_link *l) {
    mcpw_status status = mcpw_session_open(l->session);
    while (status == MCPW_OK && !l->opened && !is_over(l)) {
        step(l);
        status = l->opened ? MCPW_OK : must_end(l);
    }
    if (status != MCPW_OK) {
        return fail(l, status);
    }
    if (!l->opened) {
        return l->why.code;
    }
    if (l->open_status == MCPW_E_CLOSED && !is_over(l)) {
        l->was_read = mcpw_io_was_read(&l->io);
        explain_end(l); /* its output has ended, so the reason is its exit */
    } else if (l->open_status != MCPW_OK && l->why.code == MCPW_OK) {
        return fail(l, l->open_status);
    }
    return l->open_status;
}

static mcpw_status spawn_server(server_link *l, const link_target *to) {
    mcpw_spawn spawn;
    memset(&spawn, 0, sizeof spawn);
    spawn.argv = to->argv;
    spawn.on_stderr = to->inherit_stderr ? NULL : on_stderr;
    spawn.user = l;
    spawn.own_group = true; /* Ctrl-C goes to this process only, which then ends the server */
    wait_prepare(&spawn);
    if (mcpw_child_start(&l->child, &spawn, &l->why) != MCPW_OK) {
        return l->why.code;
    }
    wait_guard(l->child.pid);
    wait_started(&l->child);
    return MCPW_OK;
}

static mcpw_status begin(server_link *l, const link_target *to, mcpw_session_config *config) {
    if (!wait_begin(l)) {
        return fail(l, MCPW_E_IO);
    }
    if (to->argv != NULL && spawn_server(l, to) != MCPW_OK) {
        return l->why.code;
    }
    config->user = l;
    config->role = MCPW_ROLE_CLIENT;
    config->on_open = on_open;
    l->session = mcpw_session_new(config, &l->why);
    if (l->session == NULL) {
        return l->why.code;
    }
    return to->argv != NULL ? mcpw_io_begin(&l->io, l->session, l->child.in, l->child.out, &l->why)
                            : call_http_begin(l, to, &l->why);
}

/* Sends the remaining output while the server accepts it. */
static void say_last_words(server_link *l) {
    const uint64_t due = mcpw_io_now() + LAST_WORDS;
    mcpw_session_close(l->session);
    while (!is_over(l) && mcpw_io_out_events(&l->io) != 0 && mcpw_io_now() < due) {
        if (wait_for_output(l, (int)(due - mcpw_io_now())) && mcpw_io_work(&l->io, NULL) != MCPW_OK) {
            break;
        }
    }
}

void link_close(server_link *l) {
    if (l->session != NULL) {
        say_last_words(l);
    }
    const uint64_t rest = left(l) / 2;
    mcpw_io_end(&l->io);
    mcpw_child_stop(&l->child, rest >= PATIENCE         ? PATIENCE
                               : rest >= LEAST_PATIENCE ? (unsigned)rest
                                                        : LEAST_PATIENCE);
    wait_guard(0);
    mcpw_session_free(l->session);
    l->session = NULL;
}

static mcpw_status open_once(server_link *l, const link_target *to, mcpw_session_config *config) {
    l->io = (mcpw_io)MCPW_IO_INIT;
    l->child = (mcpw_child)MCPW_CHILD_INIT;
    const mcpw_status status = begin(l, to, config);
    return status == MCPW_OK ? negotiate(l) : status;
}

/* Whether the server has ended because it does not know the request that asks for its revision. */
static bool ended_at_probe(const server_link *l, mcpw_status status) {
    return status == MCPW_E_CLOSED && l->was_read && l->child.pid == 0 && l->session != NULL &&
           mcpw_session_revision(l->session) == NULL;
}

mcpw_status link_open(server_link *l, const link_target *to, mcpw_session_config *config, uint64_t timeout,
                      mcpw_error *error) {
    char names[MCPW_REVISION_NAMES];
    l->deadline = timeout != UINT64_MAX ? mcpw_io_now() + timeout : UINT64_MAX;
    mcpw_status status = open_once(l, to, config);
    if (to->argv != NULL && ended_at_probe(l, status) &&
        mcpw_handshake_revisions(config, names, sizeof names)) { /* as mcpw_client_start does */
        const char *const given = config->revisions;
        link_close(l);
        l->opened = false;
        l->why = (mcpw_error){0};
        l->last_line[0] = '\0';
        config->revisions = names;
        status = open_once(l, to, config);
        config->revisions = given;
    }
    *error = l->why;
    return status;
}

/* ---- requests ---- */

typedef struct waiting {
    mcpw_arena *arena;
    mcpw_result *result;
    mcpw_error *error;
    mcpw_status status;
    bool done;
    mcpw_task *task; /* that has answered; NULL: none has */
    mcpw_json *text; /* of the result of a method by name; NULL: result gets it */
} waiting;

static mcpw_status keep_text(const waiting *w, mcpw_json text) {
    const mcpw_str copy = mcpw_arena_str(w->arena, text.ptr, text.len);
    *w->text = mcpw_json_of(copy.ptr, copy.len);
    return copy.ptr != NULL ? MCPW_OK : mcpw_error_set(w->error, MCPW_E_MEMORY, 0, "out of memory");
}

static mcpw_status keep_result(const waiting *w, const mcpw_reply *reply) {
    if (w->text != NULL) {
        return keep_text(w, reply->text);
    }
    if (reply->type == NULL) {
        return MCPW_OK;
    }
    void *const copy = mcpw_arena_alloc(w->arena, mcpw_type_size(reply->type));
    if (copy == NULL) {
        (void)snprintf(w->error->message, sizeof w->error->message, "out of memory");
        return MCPW_E_MEMORY;
    }
    w->result->type = reply->type;
    w->result->value = copy;
    return mcpw_copy(reply->type, reply->value, w->arena, copy, w->error);
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    waiting *const w = user;
    mcpw_error *const e = w->error;
    (void)session;
    w->done = true;
    w->status = reply->status;
    if (reply->status == MCPW_OK) {
        w->status = keep_result(w, reply);
    } else if (reply->status == MCPW_E_REMOTE) {
        const mcpw_str said = reply->remote.message;
        (void)snprintf(e->message, sizeof e->message, "the server answered %lld: %.*s",
                       (long long)reply->remote.code, (int)text_cut(said.ptr, said.len, LAST_LINE_SIZE),
                       said.ptr);
    } else if (reply->error != NULL) {
        *e = *reply->error;
    } else {
        (void)snprintf(e->message, sizeof e->message, "%s", mcpw_status_text(reply->status));
    }
}

/* Whether another request can be made; the error says why not. */
static mcpw_status begin_request(server_link *l, mcpw_error *error) {
    const mcpw_status status = is_over(l) ? l->why.code : must_end(l);
    memset(error, 0, sizeof *error);
    if (status != MCPW_OK) {
        if (!is_over(l)) {
            (void)fail(l, status);
        }
        *error = l->why;
    } else {
        mcpw_session_advance(l->session, mcpw_io_now());
    }
    return status;
}

/* The limits of a request, which ends with the link at the latest. */
static mcpw_call timed_call(const server_link *l, const mcpw_call *call) {
    mcpw_call timed = *call;
    if (l->deadline != UINT64_MAX) {
        timed.timeout_ms = timed.max_timeout_ms = left(l);
    }
    return timed;
}

/* The outcome of a request that has ended. */
static mcpw_status end_request(server_link *l, waiting *w) {
    if (w->status == MCPW_E_CANCELLED && must_end(l) != MCPW_OK) {
        w->status = fail(l, must_end(l));
        *w->error = l->why;
    }
    if (w->status == MCPW_E_CLOSED) {
        if (!is_over(l)) { /* the server's output has ended */
            explain_end(l);
        }
        *w->error = l->why;
    }
    return w->status;
}

/* Waits for the end of a request. A signal and the deadline cancel it. */
static mcpw_status wait_for(server_link *l, waiting *w, int64_t number, mcpw_status status) {
    while (status == MCPW_OK && !w->done) { /* a failed step closes the session, which ends the request */
        step(l);
        if (must_end(l) != MCPW_OK && !w->done) {
            status = mcpw_session_cancel(l->session, number, NULL);
        }
    }
    return status != MCPW_OK && !w->done ? status : end_request(l, w);
}

mcpw_status link_request(server_link *l, const mcpw_revision *revision, int method, const void *params,
                         const mcpw_call *call, mcpw_arena *arena, mcpw_result *result, mcpw_error *error) {
    waiting w = {.arena = arena, .result = result, .error = error, .status = MCPW_PENDING};
    const mcpw_call timed = timed_call(l, call);
    int64_t number = 0;
    mcpw_status status = begin_request(l, error);
    if (status == MCPW_OK) {
        status =
            mcpw_session_request(l->session, revision, method, params, &timed, on_reply, &w, &number, error);
        status = wait_for(l, &w, number, status);
    }
    return status;
}

mcpw_status link_request_named(server_link *l, const char *method, mcpw_json params, mcpw_arena *arena,
                               mcpw_json *result, mcpw_error *error) {
    waiting w = {.arena = arena, .text = result, .error = error, .status = MCPW_PENDING};
    const mcpw_call usual = {0};
    const mcpw_call timed = timed_call(l, &usual);
    int64_t number = 0;
    mcpw_status status = begin_request(l, error);
    if (status == MCPW_OK) {
        status = mcpw_session_request_named(l->session, method, params, &timed, on_reply, &w, &number, error);
        status = wait_for(l, &w, number, status);
    }
    return status;
}

/* ---- tasks ---- */

static void on_task(void *user, mcpw_session *session, mcpw_task *task, const mcpw_reply *reply) {
    waiting *const w = user;
    if (task == NULL) {
        on_reply(w, session, reply);
    } else {
        w->task = task;
        w->done = true;
        w->status = MCPW_OK;
    }
}

mcpw_status link_call_task(server_link *l, const mcpw_revision *revision, const void *params,
                           const mcpw_call *call, mcpw_arena *arena, mcpw_result *result, mcpw_task **task,
                           mcpw_error *error) {
    waiting w = {.arena = arena, .result = result, .error = error, .status = MCPW_PENDING};
    const mcpw_call timed = timed_call(l, call);
    int64_t number = 0;
    mcpw_status status = begin_request(l, error);
    if (status == MCPW_OK) {
        status = mcpw_session_call_task(l->session, revision, params, &timed, on_task, &w, &number, error);
        status = wait_for(l, &w, number, status);
    }
    *task = w.task;
    return status;
}

static void on_cancelled(void *user, mcpw_session *session, mcpw_status status, const mcpw_task_state *state,
                         const mcpw_error *error) {
    (void)session;
    (void)status;
    (void)state;
    (void)error;
    *(bool *)user = true;
}

/* Asks the server to cancel the task, and gives it a moment to answer. */
static void cancel_task(server_link *l, mcpw_task *task) {
    const uint64_t before = l->deadline;
    const uint64_t due = mcpw_io_now() + PATIENCE;
    bool answered = false;
    l->deadline = due < before ? due : before;
    mcpw_session_advance(l->session, mcpw_io_now());
    if (mcpw_task_cancel(task, on_cancelled, &answered, NULL) == MCPW_OK) {
        while (!answered && !is_over(l) && left(l) != 0) {
            step(l);
        }
    }
    l->deadline = before;
}

mcpw_status link_follow(server_link *l, mcpw_task *task, const mcpw_revision *revision,
                        const mcpw_task_follow_options *options, mcpw_arena *arena, mcpw_result *result,
                        mcpw_error *error) {
    waiting w = {.arena = arena, .result = result, .error = error, .status = MCPW_PENDING};
    mcpw_status status = begin_request(l, error);
    if (status == MCPW_OK) {
        status = mcpw_task_follow(task, revision, options, on_reply, &w, NULL, error);
    } else if (status == MCPW_E_CANCELLED && !is_over(l)) { /* the signal has come just before */
        cancel_task(l, task);
    }
    while (status == MCPW_OK && !w.done && must_end(l) == MCPW_OK) {
        step(l);
    }
    if (status == MCPW_OK && !w.done) {
        status = must_end(l);
        if (status == MCPW_E_CANCELLED) {
            cancel_task(l, task);
        }
        (void)fail(l, status);
        *error = l->why;
    } else if (status == MCPW_OK) {
        status = end_request(l, &w);
    }
    mcpw_task_free(task); /* before what it would tell is gone */
    return status;
}

bool link_wait_for_input(const server_link *l, int fd) {
    const uint64_t rest = left(l);
    return wait_for_input(l, fd, rest < INT_MAX ? (int)rest : -1);
}
