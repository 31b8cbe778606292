/* SPDX-License-Identifier: MIT */
/* A client that starts a server or connects to one, and waits for its responses. */
#include <mcpw/detail/session.h>
#include <mcpw/error.h>
#include <mcpw/extension.h>

#include "transport_internal.h"

#include "../session/attach.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PATIENCE = 2000,     /* ms that a server has to end, and again after SIGTERM */
    LINE_SIZE = 128,     /* bytes of a quoted text in a message, including the NUL */
    EXIT_LOOKS = 20,     /* number of checks for the exit of a server whose output has ended */
    EXIT_LOOK_PAUSE = 10 /* ms between two checks */
};

struct mcpw_client {
    mcpw_session *session;
    mcpw_io io;
    mcpw_queue *queue; /* the session's */
    mcpw_child child;
    void (*on_stderr)(void *user, mcpw_str line); /* the caller's */
    void *stderr_user;
    char last_line[LINE_SIZE]; /* the last line of the server's standard error, in printable form */
    bool opened;               /* the negotiation has ended with open_status */
    mcpw_status open_status;
    mcpw_error open_error;
    bool stepping;          /* inside a callback */
    atomic_bool is_waiting; /* in a call that another thread may cancel */
    atomic_bool cancelled;  /* another thread has cancelled it */
    bool over;              /* no more requests are possible */
    bool was_read;          /* before the server ended, it had read all that was sent */
    mcpw_error why;         /* the reason; its code is the status of later calls */
    mcpw_arena remote_memory;
    mcpw_rpc_error remote; /* the error of the last request */
    bool is_remote;        /* the last request ended with that error */
};

static void on_stderr(void *user, mcpw_str line) {
    mcpw_client *const client = user;
    (void)mcpw_put_printable(client->last_line, sizeof client->last_line, line.ptr, line.len);
    client->on_stderr(client->stderr_user, line);
}

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    mcpw_client *const client = mcpw_session_client(session);
    (void)user;
    client->opened = true;
    client->open_status = status;
    if (error != NULL) {
        client->open_error = *error;
    } else if (status != MCPW_OK) {
        mcpw_error_set(&client->open_error, status, 0, "%s", mcpw_status_text(status));
    }
}

/* ---- The end of the server ----------------------------------------------------------------------------- */

static bool exits_soon(mcpw_client *client) {
    for (int i = 0; i < EXIT_LOOKS; i++) {
        if (mcpw_child_exited(&client->child)) {
            return true;
        }
        mcpw_os_sleep(EXIT_LOOK_PAUSE);
    }
    return mcpw_child_exited(&client->child);
}

/* Replaces "closed" by the server's exit status and its last line of standard error. */
static void explain_end(mcpw_client *client) {
    const int status = client->child.exit_status;
    const char *const colon = client->last_line[0] != '\0' ? ": " : "";
    int number = 0;
    const bool was_signalled = mcpw_os_was_signalled(status, &number);
    if (status == -1) {
        mcpw_error_set(&client->why, MCPW_E_CLOSED, 0, "the server has ended%s%s", colon, client->last_line);
    } else {
        mcpw_error_set(&client->why, MCPW_E_CLOSED, 0, "the server %s %d%s%s",
                       was_signalled ? "was ended by signal" : "exited with status", number, colon,
                       client->last_line);
    }
}

/* Ends the connection: fails the waiting requests, and keeps the reason for every later call. */
static void finish(mcpw_client *client) {
    const bool by_server = client->why.code == MCPW_E_CLOSED && (client->io.in < 0 || client->io.out < 0);
    client->over = true;
    client->was_read = mcpw_io_was_read(&client->io);
    mcpw_io_end(&client->io);
    if (by_server && client->child.pid != 0 && exits_soon(client)) {
        mcpw_child_stop(&client->child, 0); /* reads the rest of its standard error */
        explain_end(client);
    } else if (by_server) {
        mcpw_error_set(&client->why, MCPW_E_CLOSED, 0, "the server has closed the connection");
    }
    mcpw_session_close(client->session);
}

static mcpw_status fail_over(const mcpw_client *client, mcpw_error *error) {
    if (error != NULL) {
        *error = client->why;
    }
    return client->why.code;
}

/* Takes one step of the loop, and also reads standard error. */
static mcpw_status client_step(mcpw_client *client, int timeout) {
    mcpw_pollfd err = mcpw_child_wait_stderr(&client->child);
    mcpw_status status;
    client->stepping = true;
    status = mcpw_io_step_beside(&client->io, timeout, &err, &client->why);
    if (err.revents != 0) {
        mcpw_child_stderr(&client->child);
    }
    if (status != MCPW_OK) {
        finish(client);
    }
    client->stepping = false;
    return status;
}

/* Another thread may cancel between begin_waiting and the end of the wait. */
static void begin_waiting(mcpw_client *client) {
    atomic_store(&client->cancelled, false);
    atomic_store(&client->is_waiting, true);
}

static void end_waiting(mcpw_client *client) { atomic_store(&client->is_waiting, false); }

static bool is_cancelled(mcpw_client *client) { return atomic_exchange(&client->cancelled, false); }

static mcpw_status check_usable(const mcpw_client *client, mcpw_error *error) {
    if (client == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a client is needed: see mcpw_client_start");
    }
    if (client->stepping) {
        return mcpw_error_set(error, MCPW_E_STATE, 0,
                              "a callback cannot wait for a response: use mcpw_session_request");
    }
    return client->over ? fail_over(client, error) : MCPW_OK;
}

/* ---- Start and stop ------------------------------------------------------------------------------------ */

static mcpw_client *new_client(const mcpw_session_config *config, mcpw_error *error) {
    mcpw_session_config own = MCPW_SESSION_CONFIG_INIT;
    mcpw_client *client;
    if (config == NULL || !MCPW_TAKE(&own, diagnostic_user, config)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a client needs a config: see MCPW_SESSION_CONFIG_INIT");
        return NULL;
    }
    client = calloc(1, sizeof *client);
    if (client == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a client");
        return NULL;
    }
    client->io = (mcpw_io)MCPW_IO_INIT;
    client->child = (mcpw_child)MCPW_CHILD_INIT;
    client->remote_memory = (mcpw_arena)MCPW_ARENA_INIT;
    own.role = MCPW_ROLE_CLIENT;
    own.on_open = on_open;
    client->session = mcpw_session_new(&own, error);
    if (client->session == NULL) {
        free(client);
        return NULL;
    }
    mcpw_session_set_client(client->session, client);
    atomic_init(&client->is_waiting, false);
    atomic_init(&client->cancelled, false);
    return client;
}

/* Negotiates. False: it has failed. */
static bool negotiate(mcpw_client *client, mcpw_status status, mcpw_error *error) {
    client->queue = status == MCPW_OK ? mcpw_beside_queue(client->io.beside) : NULL;
    if (status == MCPW_OK) {
        status = mcpw_session_open(client->session);
        if (status != MCPW_OK && client->opened && error != NULL) {
            *error = client->open_error;
        } else if (status != MCPW_OK) {
            mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
    }
    if (status == MCPW_OK) {
        while (status == MCPW_OK && !client->opened) {
            status = client_step(client, -1);
        }
        if (client->opened && client->open_status == MCPW_E_CLOSED && !client->over) {
            client->why = client->open_error; /* its output has ended, so the reason is its exit */
            finish(client);
        }
        if (client->opened && client->open_status == MCPW_OK) {
            return true;
        }
        if (error != NULL) {
            *error = client->over ? client->why : client->open_error;
        }
    }
    return false;
}

/* Negotiates. On failure it stops the client and returns NULL. */
static mcpw_client *open_client(mcpw_client *client, mcpw_status status, mcpw_error *error) {
    if (!negotiate(client, status, error)) {
        mcpw_client_free(client);
        return NULL;
    }
    return client;
}

/* Starts a server once. *at_probe: it has ended when it was asked for its revision without a handshake, and
 * has answered nothing. */
static mcpw_client *start_once(const mcpw_spawn *spawn, const mcpw_session_config *config, bool *at_probe,
                               mcpw_error *error) {
    mcpw_client *const client = new_client(config, error);
    mcpw_spawn own = *spawn;
    *at_probe = false;
    if (client == NULL) {
        return NULL;
    }
    if (own.on_stderr != NULL) {
        client->on_stderr = own.on_stderr;
        client->stderr_user = own.user;
        own.on_stderr = on_stderr;
        own.user = client;
    }
    if (mcpw_child_start(&client->child, &own, error) == MCPW_OK &&
        negotiate(client,
                  mcpw_io_begin(&client->io, client->session, client->child.in, client->child.out, error),
                  error)) {
        return client;
    }
    *at_probe = client->over && client->why.code == MCPW_E_CLOSED && client->was_read &&
                client->child.pid == 0 && mcpw_session_revision(client->session) == NULL;
    mcpw_client_free(client);
    return NULL;
}

mcpw_client *mcpw_client_start(const mcpw_spawn *spawn, const mcpw_session_config *config,
                               mcpw_error *error) {
    mcpw_spawn own = {0};
    mcpw_session_config again = MCPW_SESSION_CONFIG_INIT;
    char names[MCPW_REVISION_NAMES];
    bool at_probe = false;
    if (!MCPW_TAKE(&own, own_group, spawn)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_spawn is wrong");
        return NULL;
    }
    mcpw_client *client = start_once(&own, config, &at_probe, error);
    if (client == NULL && at_probe && MCPW_TAKE(&again, diagnostic_user, config) &&
        mcpw_handshake_revisions(&again, names, sizeof names)) {
        again.revisions = names;
        client = start_once(&own, &again, &at_probe, error);
    }
    return client;
}

mcpw_client *mcpw_client_attach(mcpw_handle in, mcpw_handle out, const mcpw_session_config *config,
                                mcpw_error *error) {
    mcpw_client *const client = new_client(config, error);
    return client != NULL
               ? open_client(client, mcpw_io_begin(&client->io, client->session, in, out, error), error)
               : NULL;
}

mcpw_client *mcpw_client_over(mcpw_status (*begin)(void *user, mcpw_session *session,
                                                   mcpw_transport *transport, mcpw_error *error),
                              void *user, const mcpw_session_config *config, mcpw_error *error) {
    mcpw_client *const client = new_client(config, error);
    mcpw_transport transport = {.fd = -1};
    if (client == NULL) {
        return NULL;
    }
    mcpw_status status = begin(user, client->session, &transport, error);
    if (status == MCPW_OK) {
        status = mcpw_io_carry(&client->io, client->session, &transport, error);
    }
    return open_client(client, status, error);
}

void mcpw_client_free(mcpw_client *client) {
    if (client == NULL) {
        return;
    }
    mcpw_session_close(client->session);
    if (!client->over && client->io.buffer != NULL) {
        const mcpw_status status = mcpw_io_work(&client->io, NULL);
        (void)
            status; /* a failure is harmless: the rest of the input matters only to a server that continues */
    }
    mcpw_io_end(&client->io);
    mcpw_child_stop(&client->child, PATIENCE);
    mcpw_session_free(client->session);
    mcpw_arena_free(&client->remote_memory);
    free(client);
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

typedef struct waiting {
    mcpw_client *client;
    mcpw_arena *arena;
    mcpw_result *result;
    mcpw_json *text; /* of a request by name: in place of result */
    mcpw_error *error;
    mcpw_status status;
    bool done;
    void (*on_progress)(void *user, mcpw_session *session, const mcpw_progress *progress); /* the caller's */
} waiting;

static mcpw_status keep_result(const waiting *w, const mcpw_reply *reply) {
    void *copy;
    mcpw_status status;
    if (w->text != NULL) {
        const mcpw_str text = mcpw_arena_str(w->arena, reply->text.ptr, reply->text.len);
        *w->text = (mcpw_json){text.ptr, text.len, 0};
        return text.ptr != NULL ? MCPW_OK : w->arena->status;
    }
    if (w->result == NULL || reply->type == NULL) {
        return MCPW_OK;
    }
    if (w->result->type != NULL && w->result->type != reply->type) {
        return mcpw_error_set(w->error, MCPW_E_TYPE, 0, "the server answered by a %s",
                              mcpw_type_name(reply->type));
    }
    copy = mcpw_arena_alloc(w->arena, mcpw_type_size(reply->type));
    if (copy == NULL) {
        mcpw_error_set(w->error, w->arena->status, 0, "no memory for the result");
        return w->arena->status;
    }
    status = mcpw_copy(reply->type, reply->value, w->arena, copy, w->error);
    if (status == MCPW_OK) {
        w->result->type = reply->type;
        w->result->value = copy;
    }
    return status;
}

static mcpw_members keep_members(mcpw_arena *arena, mcpw_members given) {
    mcpw_member *const items = given.count != 0 ? mcpw_arena_alloc(arena, given.count * sizeof *items) : NULL;
    for (size_t i = 0; items != NULL && i < given.count; i++) {
        const mcpw_member *const from = given.items + i;
        const mcpw_str value = mcpw_arena_str(arena, from->value.ptr, from->value.len);
        items[i].name = mcpw_arena_str(arena, from->name.ptr, from->name.len);
        items[i].value = (mcpw_json){value.ptr, value.len, 0};
    }
    return arena->status == MCPW_OK && items != NULL ? (mcpw_members){items, given.count}
                                                     : (mcpw_members){NULL, 0};
}

/* Keeps the peer's error for mcpw_client_remote_error. Parts without memory are absent. */
static void keep_remote(mcpw_client *client, const mcpw_rpc_error *error) {
    mcpw_arena *const arena = &client->remote_memory;
    mcpw_arena_reset(arena);
    const mcpw_str data = mcpw_arena_str(arena, error->data.ptr, error->data.len);
    client->is_remote = true;
    client->remote.code = error->code;
    client->remote.message = mcpw_arena_str(arena, error->message.ptr, error->message.len);
    client->remote.data = (mcpw_json){data.ptr, data.len, 0};
    client->remote.extra = keep_members(arena, error->extra);
}

const mcpw_rpc_error *mcpw_client_remote_error(const mcpw_client *client) {
    return client != NULL && client->is_remote ? &client->remote : NULL;
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    waiting *const w = user;
    char message[LINE_SIZE];
    (void)session;
    w->done = true;
    w->status = reply->status;
    if (reply->status == MCPW_OK) {
        w->status = keep_result(w, reply);
    } else if (reply->status == MCPW_E_REMOTE) {
        keep_remote(w->client, &reply->remote);
        (void)mcpw_put_printable(message, sizeof message, reply->remote.message.ptr,
                                 reply->remote.message.len);
        mcpw_error_set(w->error, MCPW_E_REMOTE, 0, "the server answered %lld: %s",
                       (long long)reply->remote.code, message);
    } else if (reply->error != NULL && w->error != NULL) {
        *w->error = *reply->error;
    } else {
        mcpw_error_set(w->error, reply->status, 0, "%s", mcpw_status_text(reply->status));
    }
}

static void on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    const waiting *const w = user;
    w->on_progress(mcpw_session_user(session), session, progress);
}

/* Cancels a request, and notifies the server at once. */
static void cancel(mcpw_client *client, int64_t number) {
    mcpw_status status = mcpw_session_cancel(client->session, number, "cancelled by the caller");
    if (status == MCPW_OK) {
        status = mcpw_io_work(&client->io, NULL);
    }
    (void)status; /* either it has ended otherwise, or the next step notifies the server */
}

/* Waits for the end of the request of this number. */
static mcpw_status wait_for(mcpw_client *client, const waiting *w, int64_t number, mcpw_error *error) {
    begin_waiting(client);
    while (!w->done) { /* a failed step closes the session, which ends every request */
        const mcpw_status status = client_step(client, -1);
        (void)status;
        if (!w->done && is_cancelled(client)) {
            cancel(client, number);
        }
    }
    end_waiting(client);
    if (w->status == MCPW_E_CLOSED && !client->over) { /* the server's output has ended */
        mcpw_error_set(&client->why, MCPW_E_CLOSED, 0, "%s", mcpw_status_text(MCPW_E_CLOSED));
        finish(client);
    }
    return w->status == MCPW_E_CLOSED ? fail_over(client, error) : w->status;
}

mcpw_status mcpw_client_wait_for(mcpw_client *client, mcpw_client_begin *begin, void *what, mcpw_arena *arena,
                                 mcpw_result *result, mcpw_error *error) {
    waiting w = {.client = client, .arena = arena, .result = result, .error = error, .status = MCPW_PENDING};
    int64_t number = 0;
    mcpw_status status = check_usable(client, error);
    if (result != NULL) {
        result->value = NULL;
    }
    if (status == MCPW_OK && result != NULL && arena == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a result needs an arena to live in");
    }
    if (status != MCPW_OK) {
        return status;
    }
    client->is_remote = false;
    mcpw_session_advance(client->session, mcpw_io_now());
    status = begin(what, client->session, on_reply, &w, &number, error);
    return status == MCPW_OK ? wait_for(client, &w, number, error) : status;
}

mcpw_status mcpw_client_request_named(mcpw_client *client, const char *method, mcpw_json params,
                                      const mcpw_call *call, mcpw_arena *arena, mcpw_json *result,
                                      mcpw_error *error) {
    waiting w = {.client = client, .arena = arena, .text = result, .error = error, .status = MCPW_PENDING};
    mcpw_call forwarded = {0};
    int64_t number = 0;
    mcpw_status status = check_usable(client, error);
    if (status == MCPW_OK && result != NULL && arena == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a result needs an arena to live in");
    }
    if (status == MCPW_OK && !MCPW_TAKE(&forwarded, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    if (status != MCPW_OK) {
        return status;
    }
    client->is_remote = false;
    w.on_progress = forwarded.on_progress;
    forwarded.on_progress = forwarded.on_progress != NULL ? on_progress : NULL;
    mcpw_session_advance(client->session, mcpw_io_now());
    status =
        mcpw_session_request_named(client->session, method, params, &forwarded, on_reply, &w, &number, error);
    return status == MCPW_OK ? wait_for(client, &w, number, error) : status;
}

mcpw_status mcpw_client_request(mcpw_client *client, const mcpw_revision *revision, int method,
                                const void *params, const mcpw_call *call, mcpw_arena *arena,
                                mcpw_result *result, mcpw_error *error) {
    waiting w = {.client = client, .arena = arena, .result = result, .error = error, .status = MCPW_PENDING};
    mcpw_status status = check_usable(client, error);
    if (status == MCPW_OK) {
        client->is_remote = false;
    }
    if (result != NULL) {
        result->value = NULL;
        if (status == MCPW_OK && arena == NULL) {
            mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "a result needs an arena to live in");
            status = MCPW_E_ARGUMENT;
        }
        if (status == MCPW_OK) {
            status = mcpw_session_wants(client->session, revision, method, params, result->type, error);
        }
    }
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_call forwarded = {0};
    if (!MCPW_TAKE(&forwarded, on_progress, call)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "struct_size of the mcpw_call is wrong");
    }
    w.on_progress = forwarded.on_progress;
    forwarded.on_progress = forwarded.on_progress != NULL ? on_progress : NULL;
    int64_t number = 0;
    mcpw_session_advance(client->session, mcpw_io_now());
    status = mcpw_session_request(client->session, revision, method, params, &forwarded, on_reply, &w,
                                  &number, error);
    return status == MCPW_OK ? wait_for(client, &w, number, error) : status;
}

mcpw_status mcpw_client_ping(mcpw_client *client, uint64_t timeout_ms, mcpw_error *error) {
    const mcpw_call call = {.timeout_ms = timeout_ms};
    const mcpw_status status = check_usable(client, error);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_revision *const revision = mcpw_session_revision(client->session);
    const int number = mcpw_method_number(revision, "ping", sizeof "ping" - 1);
    if (number == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no ping", mcpw_revision_name(revision));
    }
    return mcpw_client_request(client, revision, number, NULL, &call, NULL, NULL, error);
}

mcpw_status mcpw_client_set_log_level(mcpw_client *client, mcpw_log_level level, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_control control = {NULL, 0, NULL};
    mcpw_status status = check_usable(client, error);
    if (status == MCPW_OK) {
        status = mcpw_control_level(client->session, level, &arena, &control, error);
    }
    if (status == MCPW_OK && control.revision != NULL) {
        status = mcpw_client_request(client, control.revision, control.method, control.params, NULL, NULL,
                                     NULL, error);
    }
    mcpw_arena_free(&arena);
    return status;
}

static mcpw_status wait_until(mcpw_client *client, int timeout, mcpw_error *error) {
    const uint64_t begin = mcpw_io_now();
    int rest = timeout;
    while (client_step(client, rest) == MCPW_OK) {
        if (is_cancelled(client)) {
            return mcpw_error_set(error, MCPW_E_CANCELLED, 0, "%s", mcpw_status_text(MCPW_E_CANCELLED));
        }
        if (timeout >= 0) {
            const uint64_t passed = mcpw_io_now() - begin;
            if (passed >= (uint64_t)timeout) {
                return MCPW_OK;
            }
            rest = timeout - (int)passed;
        }
    }
    return fail_over(client, error);
}

mcpw_status mcpw_client_wait(mcpw_client *client, int timeout_ms, mcpw_error *error) {
    mcpw_status status = check_usable(client, error);
    if (status == MCPW_OK) {
        begin_waiting(client);
        status = wait_until(client, timeout_ms, error);
        end_waiting(client);
    }
    return status;
}

void mcpw_client_cancel(mcpw_client *client) {
    if (client != NULL && atomic_load(&client->is_waiting)) {
        atomic_store(&client->cancelled, true);
        mcpw_queue_wake(client->queue);
    }
}

/* ---- The caller's own loop ----------------------------------------------------------------------------- */

size_t mcpw_client_fds(const mcpw_client *client, mcpw_pollfd *fds) {
    size_t count = 0;
    if (client == NULL || client->over) {
        return 0;
    }
    mcpw_beside *const beside = client->io.beside;
    const short out = mcpw_io_out_events(&client->io);
    if (mcpw_io_in_events(&client->io) != 0) {
        fds[count++] = mcpw_os_wait_input(&beside->in);
    }
    if (out != 0) {
        fds[count++] = mcpw_os_wait_output(&beside->out, out);
    }
    if (client->child.err >= 0) {
        fds[count++] = mcpw_child_wait_stderr(&client->child);
    }
    fds[count++] = (mcpw_pollfd){mcpw_queue_fd(client->queue), MCPW_OS_IN, 0};
    return count;
}

int mcpw_client_timeout(const mcpw_client *client) {
    return client == NULL || client->over ? 0 : mcpw_io_timeout(&client->io);
}

mcpw_status mcpw_client_work(mcpw_client *client, mcpw_error *error) {
    const mcpw_status status = check_usable(client, error);
    if (status != MCPW_OK) {
        return status;
    }
    return client_step(client, 0) == MCPW_OK ? MCPW_OK : fail_over(client, error);
}

mcpw_session *mcpw_client_session(mcpw_client *client) { return client != NULL ? client->session : NULL; }

const mcpw_child *mcpw_client_child(const mcpw_client *client) {
    return client != NULL && (client->child.pid != 0 || client->child.in >= 0) ? &client->child : NULL;
}
