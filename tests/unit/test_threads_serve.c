/* SPDX-License-Identifier: MIT */
/* The calls of a program that serves standard input, at its session's beginning and end. */
#include "thread_stage.h"

enum { IN, OUT, LONG = 1 << 14 };

/* A thread that posts to the queue of a session while that lives. */
typedef struct poster {
    mcpw_io *io;
    mcpw_queue *queue;
    pthread_t thread;
    atomic_bool stop;
    int begun;
    int ended;
    atomic_int posted;
    int called;
} poster;

static void count(void *user) { ((poster *)user)->called++; }

static void *post(void *user) {
    poster *const p = user;
    while (!atomic_load(&p->stop)) {
        atomic_fetch_add(&p->posted, mcpw_queue_post(p->queue, count, p) == MCPW_OK ? 1 : 0);
        (void)poll(NULL, 0, 1);
    }
    return NULL;
}

static void on_start(void *user, mcpw_io *io) {
    poster *const p = user;
    p->io = io;
    p->queue = mcpw_session_queue(io->session);
    p->begun++;
    stage_start(&p->thread, post, p);
}

static void on_end(void *user, mcpw_io *io) {
    poster *const p = user;
    CHECK(io == p->io && mcpw_session_queue(io->session) == p->queue);
    atomic_store(&p->stop, true);
    CHECK(pthread_join(p->thread, NULL) == 0);
    p->ended++;
}

static mcpw_status greet(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    poster *const p = user;
    (void)call;
    CHECK(p->begun == 1 && p->ended == 0);
    /* By turns, not by the clock: both threads may be kept waiting. */
    for (int turns = 0; atomic_load(&p->posted) == 0 && turns < STAGE_PATIENCE; turns++) {
        (void)poll(NULL, 0, 1);
    }
    return mcpw_respond_text(request, mcpw_str_from("hello"));
}

/* Serves what stands in a text as standard input, which then ends. The response is put into heard. */
static mcpw_status serve(mcpw_server *server, const mcpw_serve_options *options, const char *input,
                         char heard[LONG]) {
    const int before[2] = {dup(STDIN_FILENO), dup(STDOUT_FILENO)};
    int from[2] = {-1, -1};
    int to[2] = {-1, -1};
    CHECK(pipe(from) == 0 && pipe(to) == 0);
    CHECK(write(from[OUT], input, strlen(input)) == (ssize_t)strlen(input));
    CHECK(dup2(from[IN], STDIN_FILENO) == STDIN_FILENO && dup2(to[OUT], STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(from[OUT]);
    (void)close(from[IN]);
    (void)close(to[OUT]);
    const mcpw_status status = mcpw_serve_stdio_with(server, options, NULL);
    CHECK(dup2(before[IN], STDIN_FILENO) == STDIN_FILENO);
    CHECK(dup2(before[OUT], STDOUT_FILENO) == STDOUT_FILENO);
    const ssize_t got = read(to[IN], heard, LONG - 1);
    heard[got > 0 ? got : 0] = '\0';
    (void)close(before[IN]);
    (void)close(before[OUT]);
    (void)close(to[IN]);
    return status;
}

static const char says[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"greet\"}}\n";

static void check_told(unsigned workers) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    poster p = {.begun = 0};
    const mcpw_tool tool = {.name = "greet", .call = greet, .user = &p};
    char heard[LONG];
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    config.end_grace_ms = UINT64_MAX; /* input has ended before the handler begins: it may take its time */
    options.config = &config;
    options.workers = workers;
    options.on_start = on_start;
    options.on_end = on_end;
    options.user = &p;
    CHECK(serve(server, &options, says, heard) == MCPW_OK);
    CHECK(strstr(heard, "\"text\":\"hello\"") != NULL);
    CHECK(p.begun == 1 && p.ended == 1);
    CHECK(p.posted > 0 && p.called == p.posted); /* what was posted before the end is run */
    mcpw_server_free(server);
}

static void a_server_is_told_when_its_session_begins_and_ends(void) { check_told(0); }

static void the_end_is_told_while_workers_still_live(void) { check_told(2); }

static void a_session_is_served_with_the_config_that_is_given(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    char heard[LONG];
    config.revisions = "2025-06-18";
    options.config = &config;
    CHECK(serve(server, &options, says, heard) == MCPW_OK);
    CHECK(strstr(heard, "\"protocolVersion\":\"2025-06-18\"") != NULL);
    mcpw_server_free(server);
}

static void too_many_workers_are_refused(void) {
    char heard[LONG];
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    options.workers = 1025;
    CHECK(serve(server, &options, "", heard) == MCPW_E_ARGUMENT);
    mcpw_server_free(server);
}

int main(void) {
    RUN(a_session_is_served_with_the_config_that_is_given);
    RUN(a_server_is_told_when_its_session_begins_and_ends);
    RUN(the_end_is_told_while_workers_still_live);
    RUN(too_many_workers_are_refused);
    return check_failures != 0;
}
