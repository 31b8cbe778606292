/* SPDX-License-Identifier: MIT */
/*
 * A gateway between revisions: starts a server, talks to it in the revision that it is told, and offers what
 * the server has, on standard input and output, to a client of any revision.
 *
 *     example_gateway REVISION SERVER [ARGUMENT]...
 *     example_gateway 2025-06-18 ./an_old_server
 *
 * It treats all methods alike. What the server's revision has is passed on: requests and their results,
 * errors with code and data, progress, cancellation, notifications, and, to clients with a handshake, the
 * server's questions. The sessions translate between the two revisions.
 *
 * What it cannot do: The server is opened first, so it is told that its questions are welcome before anybody
 * knows whether the client takes them; what the client does not is refused. A client of 2026-07-28 can be
 * asked only while a handler runs, which here is long over: these questions are refused, too. It hears of
 * changes of lists but not of single resources, because nobody tells a gateway which ones it watches; and it
 * gets no log messages of a server with a handshake, because they belong to none of its requests.
 */
#include <mcpw/io.h>
#include <mcpw/json.h>

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { PATIENCE = 2000 }; /* ms that the server has to end */

static const mcpw_json no_json = {NULL, 0};

typedef struct gateway {
    const mcpw_revision *revision; /* the server's, which is that of everything in here */
    mcpw_session *client;          /* the session with the client: here is its server */
    mcpw_session *server;          /* the session with the server: here is its client */
    bool opened;
} gateway;

static mcpw_session *other_side(const gateway *g, const mcpw_session *session) {
    return session == g->client ? g->server : g->client;
}

/* Whether a session speaks a revision without a handshake, where servers ask only while they handle a
 * request. False before it is known. */
static bool is_stateless(const mcpw_session *session) {
    const mcpw_revision *const revision = mcpw_session_revision(session);
    return revision != NULL && mcpw_method_number(revision, "initialize", sizeof "initialize" - 1) == 0;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

/* A request that came from one side and was sent to the other. It lies in the memory of the former. */
typedef struct relay {
    mcpw_request *request; /* NULL: cancelled */
    mcpw_session *to;
    int64_t number; /* there */
} relay;

/* Why a request could not be sent, or its result not be brought back, as an answer. */
static mcpw_status refuse(mcpw_request *request, const mcpw_error *error) {
    if (error->code == MCPW_E_CAPABILITY || error->code == MCPW_E_METHOD) {
        return mcpw_respond_error(request, MCPW_RPC_METHOD_NOT_FOUND, error->message, no_json);
    }
    return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR, error->message, no_json);
}

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const relay *const r = user;
    mcpw_error error;
    mcpw_status status;
    (void)session;
    if (r->request == NULL) {
        return;
    }
    switch (reply->status) {
    case MCPW_OK:
        status = mcpw_respond(r->request, reply->type, reply->value, &error);
        if (status != MCPW_OK) {
            status = refuse(r->request, &error);
        }
        break;
    case MCPW_E_REMOTE:
        status =
            mcpw_respond_error(r->request, reply->remote.code, reply->remote.message.ptr, reply->remote.data);
        break;
    default:
        status = refuse(r->request, reply->error);
        break;
    }
    (void)status; /* a request that cannot be answered at all is given up when its session ends */
}

static void on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    const relay *const r = user;
    const double total = progress->total.set ? progress->total.value : -1;
    (void)session;
    (void)!mcpw_request_progress(r->request, progress->progress, total, progress->message.ptr);
}

static void on_cancel(void *user, mcpw_request *request) {
    relay *const r = user;
    (void)request;
    r->request = NULL;
    (void)!mcpw_session_cancel(r->to, r->number, "cancelled");
}

static mcpw_status request(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user) {
    static const mcpw_call call = {UINT64_MAX, UINT64_MAX, on_progress}; /* time is the two ends' matter */
    const gateway *const g = user;
    relay *const r = mcpw_arena_alloc(mcpw_request_arena(request), sizeof *r);
    mcpw_error error;
    (void)handlers;
    if (r == NULL) {
        return MCPW_E_MEMORY;
    }
    *r = (relay){request, other_side(g, mcpw_request_session(request)), 0};
    if (r->to == g->client && (r->to == NULL || is_stateless(r->to))) {
        return mcpw_respond_error(request, MCPW_RPC_METHOD_NOT_FOUND,
                                  "This client can only be asked while a request of its own is handled",
                                  no_json);
    }
    if (mcpw_session_request(r->to, g->revision, method, params, &call, on_reply, r, &r->number, &error) !=
        MCPW_OK) {
        return refuse(request, &error);
    }
    mcpw_request_on_cancel(request, on_cancel, r);
    return MCPW_OK;
}

static void notification(const void *handlers, int method, mcpw_session *session, const void *params,
                         void *user) {
    const gateway *const g = user;
    mcpw_session *const to = other_side(g, session);
    const mcpw_str name = mcpw_method_name(g->revision, method);
    (void)handlers;
    if (to == NULL ||
        (mcpw_str_is(name, "notifications/message") && is_stateless(to) && !is_stateless(session))) {
        return;
    }
    /* What cannot be said there is left out. */
    (void)!mcpw_session_notify(to, g->revision, method, params, NULL);
}

/* ---- Which methods are passed on ----------------------------------------------------------------------- */

/* Whether capabilities hold "resources.subscribe": present, and not false. */
static bool is_offered(mcpw_json capabilities, const char *path) {
    bool is_true = true;
    while (*path != '\0') {
        char name[64];
        const size_t len = strcspn(path, ".");
        (void)snprintf(name, sizeof name, "%.*s", (int)len, path);
        if (mcpw_json_get(capabilities, name, &capabilities) != MCPW_OK) {
            return false;
        }
        path += len + (path[len] == '.');
    }
    return mcpw_json_bool(capabilities, &is_true) != MCPW_OK || is_true;
}

/* Of the client's messages: those that need something of the server that it has. What needs nothing, such as
 * ping, the sessions do themselves. */
static bool client_may_send(const void *handlers, int method) {
    const gateway *const g = handlers;
    const mcpw_method *const m = mcpw_method_entry(g->revision, method);
    return m->capability != NULL && (m->flags & MCPW_METHOD_FROM_CLIENT) != 0 &&
           ((m->flags & MCPW_METHOD_NOTIFICATION) != 0 ||
            is_offered(mcpw_session_peer_capabilities(g->server), m->capability));
}

/* Of the server's messages: all but those of tasks, which this gateway does not keep for a client. */
static bool server_may_send(const void *handlers, int method) {
    const gateway *const g = handlers;
    const mcpw_method *const m = mcpw_method_entry(g->revision, method);
    return m->capability != NULL && (m->flags & MCPW_METHOD_FROM_SERVER) != 0 &&
           ((m->flags & MCPW_METHOD_NOTIFICATION) != 0 ||
            strncmp(m->capability, "tasks", sizeof "tasks" - 1) != 0);
}

/* ---- The two sessions ---------------------------------------------------------------------------------- */

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    gateway *const g = user;
    (void)session;
    g->opened = status == MCPW_OK;
    if (status != MCPW_OK) {
        fprintf(stderr, "gateway: %s\n", error != NULL ? error->message : mcpw_status_text(status));
    }
}

/* Waits until there is something to do on either side, and does it. */
static mcpw_status step(mcpw_io *client, mcpw_io *server, mcpw_error *error) {
    const short events[] = {mcpw_io_in_events(client), mcpw_io_out_events(client), mcpw_io_in_events(server),
                            mcpw_io_out_events(server)};
    struct pollfd fds[] = {{client->in, events[0], 0},
                           {client->out, events[1], 0},
                           {server->in, events[2], 0},
                           {server->out, events[3], 0}};
    const int timeouts[] = {mcpw_io_timeout(client), mcpw_io_timeout(server)};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        fds[i].fd = events[i] != 0 ? fds[i].fd : -1; /* or a hang-up would be told again and again */
    }
    const bool first = (unsigned)timeouts[0] < (unsigned)timeouts[1]; /* -1 is the longest */
    (void)poll(fds, sizeof fds / sizeof *fds, timeouts[first ? 0 : 1]);
    const mcpw_status status = mcpw_io_work(server, error);
    if (status != MCPW_OK) {
        mcpw_session_close(client->session); /* answers what waits */
        (void)!mcpw_io_work(client, NULL);
        return MCPW_E_IO;
    }
    return mcpw_io_work(client, error);
}

/* Offers to the client what the server has, until one of them goes. */
static mcpw_status serve(gateway *g, mcpw_io *server, mcpw_error *error) {
    const mcpw_dispatch dispatch = {g->revision, MCPW_ROLE_SERVER, client_may_send, request, notification};
    const mcpw_interest interest = {.tools = true, .prompts = true, .resources = true};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_io client = MCPW_IO_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.name = "gateway";
    config.version = "1.0.0";
    config.instructions = mcpw_session_instructions(g->server).ptr;
    config.dispatch = &dispatch;
    config.handlers = g;
    config.user = g;
    g->client = mcpw_session_new(&config, error);
    mcpw_status status = g->client != NULL ? MCPW_OK : error->code;
    if (status == MCPW_OK) {
        status = mcpw_session_listen(g->server, &interest, NULL, NULL, NULL, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_io_begin(&client, g->client, STDIN_FILENO, STDOUT_FILENO, error);
    }
    while (status == MCPW_OK) {
        status = step(&client, server, error);
    }
    mcpw_io_end(&client);
    mcpw_session_free(g->client);
    g->client = NULL;
    return status == MCPW_E_CLOSED ? MCPW_OK : status;
}

/* Talks to the server until the client goes. */
static mcpw_status run(gateway *g, const mcpw_child *child, mcpw_error *error) {
    const mcpw_dispatch dispatch = {g->revision, MCPW_ROLE_CLIENT, server_may_send, request, notification};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_io io = MCPW_IO_INIT;
    config.role = MCPW_ROLE_CLIENT;
    config.name = "gateway";
    config.version = "1.0.0";
    config.revisions = g->revision->name;
    config.dispatch = &dispatch;
    config.handlers = g;
    config.user = g;
    config.on_open = on_open;
    g->server = mcpw_session_new(&config, error);
    mcpw_status status = g->server != NULL ? MCPW_OK : error->code;
    if (status == MCPW_OK) {
        status = mcpw_io_begin(&io, g->server, child->in, child->out, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_session_open(g->server);
    }
    while (status == MCPW_OK && !g->opened) {
        status = mcpw_io_step(&io, -1, error);
    }
    if (status == MCPW_OK) {
        status = serve(g, &io, error);
    }
    mcpw_io_end(&io);
    mcpw_session_free(g->server);
    return status;
}

int main(int argc, char **argv) {
    gateway g = {.revision = argc > 2 ? mcpw_find_revision(argv[1]) : NULL};
    mcpw_spawn spawn = {NULL, NULL, NULL, NULL, NULL};
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {.code = MCPW_OK};
    if (g.revision == NULL) {
        fprintf(stderr, "usage: %s REVISION SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    spawn.argv = (const char *const *)(argv + 2);
    mcpw_status status = mcpw_child_start(&child, &spawn, &error);
    if (status == MCPW_OK) {
        status = run(&g, &child, &error);
        mcpw_child_stop(&child, PATIENCE);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "gateway: %s\n", error.message);
    }
    return status == MCPW_OK ? 0 : 1;
}
