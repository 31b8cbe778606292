/* SPDX-License-Identifier: MIT */
/*
 * A gateway between revisions: starts a server, talks to it in the revision that it is told, and offers what
 * the server has, on standard input and output, to a client of any revision.
 *
 *     example_gateway REVISION [-e EXTENSION METHOD,...] SERVER [ARGUMENT]...
 *     example_gateway 2025-06-18 ./an_old_server
 *     example_gateway 2026-07-28 -e org.example/clock clock/read,notifications/clock/tick ./clock
 *
 * It treats all methods alike, and knows none of them: requests, their results and errors, progress,
 * cancellation and notifications are passed on, in both directions, and the two sessions translate. Each side
 * is told what the other one is and can: the server is started once the client has said its first line.
 *
 * docs/guide/relay-between-revisions.md says what becomes of methods that only one of the revisions has.
 */
#include <mcpw/extension.h>
#include <mcpw/io.h>
#include <mcpw/json.h>
#include <mcpw/policy.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATIENCE = 2000,      /* ms that a side has to end */
    FIRST_LINE = 1 << 20, /* bytes of it, at most */
    NAME = 256,           /* bytes of a capability's name */
    MOST_METHODS = 16     /* of the extension that is passed on */
};

/* An extension that is passed on. Its methods need no types for that. */
typedef struct passed {
    const char *id; /* NULL: there is none */
    mcpw_extension_method methods[MOST_METHODS];
    size_t count;
} passed;

/* One of the two programs that this one stands between. */
typedef struct side {
    mcpw_session *session;         /* with it; NULL: not yet */
    struct side *other;            /* the other one */
    const mcpw_revision *revision; /* the server's, which is that of all methods and params in here */
    mcpw_json info;                /* what it is, */
    mcpw_json capabilities;        /* and what it can */
    const passed *passed;
    mcpw_extensions *extensions; /* those of its session; NULL: none */
} side;

/* ---- Messages ------------------------------------------------------------------------------------------ */

/* Whether a message that this side sends is passed on: who is to get it has declared what it needs, or who
 * sends it has, as far as that is known. Notifications that need nothing are the session's own. */
static bool has(const void *handlers, int method) {
    const side *const from = handlers;
    bool by_sender;
    const char *const needed = mcpw_capability_of(from->revision, method, &by_sender);
    if (needed == NULL) {
        return (mcpw_method_flags(mcpw_method_entry(from->revision, method)) & MCPW_METHOD_REQUEST) != 0;
    }
    if (!by_sender) {
        return mcpw_capabilities_have(from->other->capabilities, needed);
    }
    return from->capabilities.ptr == NULL || mcpw_capabilities_have(from->capabilities, needed);
}

/* Whether this side is told of a notification. */
static bool sends(const void *handlers, int method) {
    const side *const to = handlers;
    return has(to->other, method);
}

static mcpw_status request(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user) {
    const side *const from = user;
    (void)handlers;
    return mcpw_request_relay(request, from->revision, method, params, from->other->session);
}

static void notification(const void *handlers, int method, mcpw_session *session, const void *params,
                         void *user) {
    const side *const from = user;
    (void)handlers;
    if (from->other->session != NULL) { /* what cannot be said there is left out */
        (void)!mcpw_session_relay(session, from->revision, method, params, from->other->session, NULL);
    }
}

/* ---- An extension -------------------------------------------------------------------------------------- */

static mcpw_status relay_named(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const side *const from = user;
    return mcpw_request_relay_named(request, call->method.ptr, call->params, from->other->session);
}

static void notify_named(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    const side *const from = user;
    if (from->other->session != NULL) {
        (void)!mcpw_session_relay_named(session, call->method.ptr, call->params, from->other->session, NULL);
    }
}

/* Reads "ID METHOD,METHOD": notifications are a server's, requests a client's. */
static bool read_passed(passed *p, const char *id, char *methods) {
    static const char notifications[] = "notifications/";
    p->id = id;
    for (char *name = strtok(methods, ","); name != NULL; name = strtok(NULL, ",")) {
        const bool is_notification = strncmp(name, notifications, sizeof notifications - 1) == 0;
        if (p->count == MOST_METHODS) {
            return false;
        }
        p->methods[p->count++] =
            (mcpw_extension_method){.name = name,
                                    .is_notification = is_notification,
                                    .request = is_notification ? NULL : relay_named,
                                    .notification = is_notification ? notify_named : NULL};
    }
    return true;
}

/* The session of a side has the extension if the other side has declared it, with the settings of that one.
 */
static mcpw_status add_passed(side *with, mcpw_session_config *config, mcpw_error *error) {
    char capability[NAME];
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    if (with->passed->id == NULL) {
        return MCPW_OK;
    }
    snprintf(capability, sizeof capability, "extensions.%s", with->passed->id);
    if (!mcpw_capabilities_have(with->other->capabilities, capability)) {
        return MCPW_OK;
    }
    extension.id = with->passed->id;
    extension.methods = with->passed->methods;
    extension.method_count = with->passed->count;
    const mcpw_status status = mcpw_client_add_extension(config, &extension, error);
    with->extensions = config->extensions;
    return status;
}

/* The client watches a resource, or does so no more: so does this gateway. */
static void on_watch(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number) {
    const side *const client = user;
    const mcpw_interest interest = {.uris = &uri.ptr, .uri_count = 1};
    (void)session;
    if (watched) {
        (void)!mcpw_session_listen(client->other->session, &interest, NULL, NULL, number, NULL);
    } else {
        (void)!mcpw_session_cancel(client->other->session, *number, NULL);
    }
}

/* ---- The two sessions ---------------------------------------------------------------------------------- */

static mcpw_status begin(side *with, mcpw_role role, mcpw_dispatch *dispatch, const char *instructions,
                         void (*on_open)(void *, mcpw_session *, mcpw_status, const mcpw_error *),
                         mcpw_error *error) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    *dispatch = (mcpw_dispatch){with->revision, role, has, request, notification, sends, true};
    config.role = role;
    config.name = with->other->info.ptr == NULL ? "gateway" : NULL; /* it passes for the other side */
    config.version = with->other->info.ptr == NULL ? "1.0.0" : NULL;
    config.info = with->other->info;
    config.capabilities = with->other->capabilities;
    config.instructions = instructions;
    config.revisions = role == MCPW_ROLE_CLIENT ? mcpw_revision_name(with->revision) : NULL;
    config.dispatch = dispatch;
    config.handlers = with;
    config.user = with;
    config.on_open = on_open;
    config.on_watch = on_watch;
    const mcpw_status status = add_passed(with, &config, error);
    with->session = status == MCPW_OK ? mcpw_session_new(&config, error) : NULL;
    return with->session != NULL ? MCPW_OK : error->code;
}

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    side *const server = user;
    if (status == MCPW_OK) {
        server->info = mcpw_session_peer_info(session);
        server->capabilities = mcpw_session_peer_capabilities(session);
    } else {
        fprintf(stderr, "gateway: the server cannot be opened: %s\n", error->message);
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
    return status == MCPW_OK ? mcpw_io_work(client, error) : status;
}

/* Lets the client have what is still to be said to it. */
static void finish(mcpw_io *client) {
    const uint64_t end = mcpw_io_now() + PATIENCE;
    mcpw_session_close(client->session); /* answers what waits */
    while (mcpw_io_now() < end && mcpw_io_step(client, PATIENCE, NULL) == MCPW_OK) {
    }
}

/* Offers to the client what the server has, until one of them goes. */
static mcpw_status serve(side *client, mcpw_io *server, const mcpw_buffer *first, mcpw_error *error) {
    const mcpw_interest interest = {.tools = true, .prompts = true, .resources = true};
    mcpw_session *const to = server->session;
    mcpw_io io = MCPW_IO_INIT;
    mcpw_dispatch dispatch;
    mcpw_status status =
        begin(client, MCPW_ROLE_SERVER, &dispatch, mcpw_session_instructions(to).ptr, NULL, error);
    if (status == MCPW_OK) {
        status = mcpw_session_listen(to, &interest, NULL, NULL, NULL, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_io_begin(&io, client->session, mcpw_standard_input(), mcpw_standard_output(), error);
    }
    if (status == MCPW_OK && first->len != 0) {
        status = mcpw_session_feed(client->session, first->data, first->len);
    }
    while (status == MCPW_OK) {
        status = step(&io, server, error);
    }
    if (io.session != NULL) {
        finish(&io);
    }
    mcpw_io_end(&io);
    mcpw_session_free(client->session);
    mcpw_extensions_free(client->extensions);
    client->session = NULL;
    return status == MCPW_E_CLOSED && !mcpw_session_is_closed(to) ? MCPW_OK : status;
}

/* Talks to the server until the client goes. */
static mcpw_status run(side *client, side *server, const mcpw_child *child, const mcpw_buffer *first,
                       mcpw_error *error) {
    mcpw_io io = MCPW_IO_INIT;
    mcpw_dispatch dispatch;
    mcpw_status status = begin(server, MCPW_ROLE_CLIENT, &dispatch, NULL, on_open, error);
    if (status == MCPW_OK) {
        status = mcpw_io_begin(&io, server->session, child->in, child->out, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_session_open(server->session);
    }
    while (status == MCPW_OK && server->capabilities.ptr == NULL) {
        status = mcpw_io_step(&io, -1, error);
    }
    if (status == MCPW_OK) {
        status = serve(client, &io, first, error);
    }
    mcpw_io_end(&io);
    mcpw_session_free(server->session);
    mcpw_extensions_free(server->extensions);
    return status;
}

/* ---- The first line ------------------------------------------------------------------------------------ */

/* A client says what it is and can in the params of its first request: at their top where there is a
 * handshake, else in their _meta. */
static mcpw_json told(mcpw_json params, const char *name, const char *name_in_meta) {
    mcpw_json found = {0};
    if (mcpw_json_get(params, name, &found) != MCPW_OK &&
        mcpw_json_get(params, "_meta", &params) == MCPW_OK) {
        (void)!mcpw_json_get(params, name_in_meta, &found);
    }
    return mcpw_json_kind_of(found) == MCPW_JSON_OBJECT ? found : mcpw_json_of(NULL, 0);
}

static mcpw_status read_first(side *client, mcpw_buffer *first, mcpw_error *error) {
    char bytes[1 << 12];
    ssize_t got = 1;
    const char *end = NULL;
    while (got > 0 && end == NULL && first->len < FIRST_LINE) {
        got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got > 0 && mcpw_buffer_append(first, bytes, (size_t)got) != MCPW_OK) {
            return MCPW_E_MEMORY;
        }
        end = first->len != 0 ? memchr(first->data, '\n', first->len) : NULL;
    }
    mcpw_json line = mcpw_json_of(first->data, end != NULL ? (size_t)(end - first->data) : 0);
    if (line.len != 0 && mcpw_json_check(line, 0, error) == MCPW_OK &&
        mcpw_json_get(line, "params", &line) == MCPW_OK) {
        client->info = told(line, "clientInfo", "io.modelcontextprotocol/clientInfo");
        client->capabilities = told(line, "capabilities", "io.modelcontextprotocol/clientCapabilities");
    }
    return MCPW_OK;
}

int main(int argc, char **argv) {
    passed passed = {0};
    const mcpw_revision *const revision = argc > 2 ? mcpw_find_revision(argv[1]) : NULL;
    const bool has_extension = argc > 4 && strcmp(argv[2], "-e") == 0;
    side server = {.revision = revision, .passed = &passed};
    side client = {.revision = revision, .other = &server, .passed = &passed};
    mcpw_buffer first = MCPW_BUFFER_INIT;
    mcpw_spawn spawn = {0};
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {.code = MCPW_OK};
    if (revision == NULL || (has_extension && !read_passed(&passed, argv[3], argv[4]))) {
        fprintf(stderr, "usage: %s REVISION [-e EXTENSION METHOD,...] SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    server.other = &client;
    spawn.argv = (const char *const *)(argv + (has_extension ? 5 : 2));
    mcpw_status status = read_first(&client, &first, &error);
    if (status == MCPW_OK) {
        status = mcpw_child_start(&child, &spawn, &error);
    }
    if (status == MCPW_OK) {
        status = run(&client, &server, &child, &first, &error);
        mcpw_child_stop(&child, PATIENCE);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "gateway: %s\n", error.message);
    }
    mcpw_buffer_free(&first);
    return status == MCPW_OK ? 0 : 1;
}
