/* SPDX-License-Identifier: MIT */
/* Clients: a call that another thread cancels, and several of them in one loop. Their servers run on threads
 * of their own. */
#include "thread_stage.h"

#include <mcp/2025-11-25.h>

enum { CLIENTS = 3, CALLS = 5 };

/* ---- A server on a thread ---- */

typedef struct served {
    int fd;
    pthread_t thread;
    atomic_bool asked;     /* the tool that never answers was called */
    atomic_bool cancelled; /* and it was told that nobody waits */
} served;

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str text = {call->arguments.ptr, call->arguments.len};
    (void)user;
    return mcpw_respond_text(request, text);
}

static void on_cancel(void *user, mcpw_request *request) {
    (void)request;
    atomic_store(&((served *)user)->cancelled, true);
}

static mcpw_status wait_for_ever(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    mcpw_request_on_cancel(request, on_cancel, user);
    atomic_store(&((served *)user)->asked, true);
    return MCPW_OK;
}

static void *serve(void *argument) {
    served *const s = argument;
    const mcpw_tool tools[] = {{.name = "echo", .call = echo},
                               {.name = "wait", .call = wait_for_ever, .user = s}};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_io io = MCPW_IO_INIT;
    config.role = MCPW_ROLE_SERVER;
    config.server = mcpw_server_new("served", "1", NULL);
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (mcpw_server_add_tool(config.server, tools + i, NULL) != MCPW_OK) {
            abort();
        }
    }
    mcpw_session *const session = mcpw_session_new(&config, NULL);
    if (session == NULL || mcpw_io_begin(&io, session, s->fd, s->fd, NULL) != MCPW_OK) {
        abort();
    }
    (void)!mcpw_io_run(&io, NULL, NULL, NULL);
    mcpw_io_end(&io);
    mcpw_session_free(session);
    mcpw_server_free(config.server);
    (void)close(s->fd);
    return NULL;
}

/* A client of such a server; its descriptor is put into fd. */
static mcpw_client *client_of(served *s, int *fd) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    int ends[2] = {-1, -1};
    config.name = "client";
    config.version = "1";
    memset(s, 0, sizeof *s);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        abort();
    }
    s->fd = ends[0];
    *fd = ends[1];
    stage_start(&s->thread, serve, s);
    mcpw_client *const client = mcpw_client_attach(ends[1], ends[1], &config, &error);
    if (!check_that(client != NULL, __FILE__, __LINE__, error.message)) {
        abort();
    }
    return client;
}

static void end_both(mcpw_client *client, served *s, int fd) {
    mcpw_client_free(client);
    (void)close(fd);
    CHECK(pthread_join(s->thread, NULL) == 0);
}

static mcpw_status call(mcpw_client *client, const char *tool, mcpw_error *error) {
    mcp_20251125_call_tool_request_params params = {.name = {tool, strlen(tool)}};
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    return mcpw_client_request(client, revision, mcpw_method_number(revision, "tools/call", 10), &params,
                               NULL, NULL, NULL, error);
}

/* ---- Cancelling ---- */

typedef struct canceller {
    mcpw_client *client;
    served *s;
} canceller;

static void *cancel_when_asked(void *argument) {
    const canceller *const c = argument;
    wait_for(&c->s->asked);
    mcpw_client_cancel(c->client);
    return NULL;
}

static void a_call_that_waits_is_cancelled_from_another_thread(void) {
    served s;
    int fd;
    mcpw_client *const client = client_of(&s, &fd);
    const canceller c = {client, &s};
    pthread_t thread;
    mcpw_error error = {0};
    stage_start(&thread, cancel_when_asked, (void *)(uintptr_t)&c);
    CHECK(call(client, "wait", &error) == MCPW_E_CANCELLED);
    CHECK(error.code == MCPW_E_CANCELLED);
    CHECK(pthread_join(thread, NULL) == 0);
    wait_for(&s.cancelled); /* the server was told */
    CHECK(atomic_load(&s.cancelled));
    CHECK(call(client, "echo", &error) == MCPW_OK); /* the client goes on */
    end_both(client, &s, fd);
}

static void cancelling_nothing_does_nothing(void) {
    served s;
    int fd;
    mcpw_client *const client = client_of(&s, &fd);
    mcpw_client_cancel(client);
    CHECK(call(client, "echo", NULL) == MCPW_OK);
    mcpw_client_cancel(NULL);
    end_both(client, &s, fd);
}

static void *cancel_soon(void *argument) {
    (void)poll(NULL, 0, 30);
    mcpw_client_cancel(argument);
    return NULL;
}

static void a_wait_is_cancelled_too(void) {
    served s;
    int fd;
    mcpw_client *const client = client_of(&s, &fd);
    pthread_t thread;
    stage_start(&thread, cancel_soon, client);
    CHECK(mcpw_client_wait(client, STAGE_PATIENCE, NULL) == MCPW_E_CANCELLED);
    CHECK(pthread_join(thread, NULL) == 0);
    end_both(client, &s, fd);
}

/* ---- Several ---- */

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    int *const count = user;
    (void)session;
    CHECK(reply->status == MCPW_OK);
    (*count)++;
}

static void ask_all(mcpw_client *const clients[CLIENTS], int counts[CLIENTS]) {
    mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("echo")};
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    const int method = mcpw_method_number(revision, "tools/call", 10);
    for (int i = 0; i < CLIENTS; i++) {
        mcpw_session *const session = mcpw_client_session(clients[i]);
        mcpw_session_advance(session, mcpw_io_now());
        for (int k = 0; k < CALLS; k++) {
            CHECK(mcpw_session_request(session, revision, method, &params, NULL, on_reply, &counts[i], NULL,
                                       NULL) == MCPW_OK);
        }
    }
}

static void one_loop_drives_several_clients(void) {
    served s[CLIENTS];
    int fds[CLIENTS];
    mcpw_client *clients[CLIENTS];
    int counts[CLIENTS] = {0};
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = client_of(&s[i], &fds[i]);
    }
    ask_all(clients, counts);
    while (counts[0] + counts[1] + counts[2] < CLIENTS * CALLS && mcpw_io_now() < end) {
        struct pollfd polled[CLIENTS * MCPW_CLIENT_FDS];
        size_t count = 0;
        int timeout = STAGE_PATIENCE;
        for (int i = 0; i < CLIENTS; i++) {
            const int due = mcpw_client_timeout(clients[i]);
            timeout = due >= 0 && due < timeout ? due : timeout;
            count += mcpw_client_fds(clients[i], polled + count);
        }
        CHECK(poll(polled, (nfds_t)count, timeout) >= 0);
        for (int i = 0; i < CLIENTS; i++) {
            CHECK(mcpw_client_work(clients[i], NULL) == MCPW_OK);
        }
    }
    for (int i = 0; i < CLIENTS; i++) {
        CHECK(counts[i] == CALLS);
        end_both(clients[i], &s[i], fds[i]);
    }
}

static void a_client_whose_server_went_has_no_descriptors(void) {
    mcpw_error error = {0};
    served s;
    int fd;
    mcpw_client *const client = client_of(&s, &fd);
    struct pollfd polled[MCPW_CLIENT_FDS];
    mcpw_status status = MCPW_OK;
    const uint64_t end = mcpw_io_now() + STAGE_PATIENCE;
    CHECK(shutdown(fd, SHUT_RDWR) == 0);
    while (status == MCPW_OK && mcpw_io_now() < end) {
        (void)poll(polled, (nfds_t)mcpw_client_fds(client, polled), STAGE_STEP);
        status = mcpw_client_work(client, &error);
    }
    CHECK(status == MCPW_E_CLOSED && error.code == MCPW_E_CLOSED);
    CHECK(mcpw_client_fds(client, polled) == 0 && mcpw_client_timeout(client) == 0);
    CHECK(mcpw_client_fds(NULL, polled) == 0);
    end_both(client, &s, fd);
}

int main(void) {
    RUN(a_call_that_waits_is_cancelled_from_another_thread);
    RUN(cancelling_nothing_does_nothing);
    RUN(a_wait_is_cancelled_too);
    RUN(one_loop_drives_several_clients);
    RUN(a_client_whose_server_went_has_no_descriptors);
    return check_failures != 0;
}
