/* SPDX-License-Identifier: MIT */
/* Changes of a server that any thread tells: they wake its loop, come once, and outlive no session. */
#include "thread_stage.h"

enum { REPORTERS = 3, ROUNDS = 40, AGAIN = 50, MOST_WAITING = 1024 };

static mcpw_status read_it(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static mcpw_status get_it(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)user;
    return mcpw_respond_prompt_text(request, get->name);
}

static mcpw_status answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("a"));
}

/* Its client watches these resources only where it can be told of that. */
static void ignore_watch(void *user, mcpw_server *server, mcpw_str uri, bool watched) {
    (void)user;
    (void)server;
    (void)uri;
    (void)watched;
}

static void offer(mcpw_server *server) {
    const mcpw_tool tool = {.name = "t", .call = answer};
    const mcpw_prompt prompt = {.name = "p", .get = get_it};
    const mcpw_resource_template family = {.uri_template = "x:{n}", .name = "x", .read = read_it};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_prompt(server, &prompt, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource_template(server, &family, NULL) == MCPW_OK);
}

static mcpw_server *server_of_all(void) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = "changes";
    config.version = "1";
    config.on_watch = ignore_watch;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    offer(server);
    return server;
}

/* A session whose client watches x:1 and x:2. */
static stage *stage_watching(void) {
    stage *const s = stage_new();
    mcpw_server_free(s->server);
    s->server = server_of_all();
    s->config.server = s->server;
    stage_begin(s);
    stage_open(s);
    stage_say(s, "{'jsonrpc':'2.0','id':'w1','method':'resources/subscribe','params':{'uri':'x:1'}}");
    stage_say(s, "{'jsonrpc':'2.0','id':'w2','method':'resources/subscribe','params':{'uri':'x:2'}}");
    AWAIT(s, "'id':'w2'");
    return s;
}

static void *tell_all_kinds(void *argument) {
    mcpw_server *const server = argument;
    mcpw_server_resource_updated(server, "x:1");
    mcpw_server_tools_changed(server);
    mcpw_server_prompts_changed(server);
    mcpw_server_resources_changed(server);
    return NULL;
}

static void run_elsewhere(void *(*work)(void *), void *argument) {
    pthread_t thread;
    stage_start(&thread, work, argument);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void changes_of_every_kind_are_told_from_another_thread(void) {
    stage *const s = stage_watching();
    run_elsewhere(tell_all_kinds, s->server);
    AWAIT(s, "'method':'notifications/resources/updated','params':{'uri':'x:1'}");
    AWAIT(s, "'method':'notifications/tools/list_changed'");
    AWAIT(s, "'method':'notifications/prompts/list_changed'");
    AWAIT(s, "'method':'notifications/resources/list_changed'");
    CHECK(s->diagnostics == 0);
    stage_free(s);
}

/* A step that waits as long as it takes ends when another thread tells of a change. */
static void *tell_late(void *argument) {
    (void)poll(NULL, 0, 2 * STAGE_STEP);
    mcpw_server_resource_updated(argument, "x:1");
    return NULL;
}

static void a_loop_that_waits_is_woken(void) {
    stage *const s = stage_watching();
    pthread_t thread;
    stage_start(&thread, tell_late, s->server);
    while (stage_count(s, "'uri':'x:1'") == 0) {
        CHECK(mcpw_io_step(&s->io, -1, NULL) == MCPW_OK);
        stage_hear(s);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    stage_free(s);
}

static void *tell_again(void *argument) {
    for (int i = 0; i < AGAIN; i++) {
        mcpw_server_resource_updated(argument, "x:1");
        mcpw_server_resource_updated(argument, "x:2");
        mcpw_server_tools_changed(argument);
    }
    return NULL;
}

static void a_change_that_waits_is_told_once(void) {
    stage *const s = stage_watching();
    run_elsewhere(tell_again, s->server);
    AWAIT(s, "'uri':'x:2'");
    (void)stage_step(s);
    CHECK(stage_count(s, "'uri':'x:1'") == 1 && stage_count(s, "'uri':'x:2'") == 1);
    CHECK(stage_count(s, "tools/list_changed") == 1);
    stage_free(s);
}

static void *tell_too_many(void *argument) {
    char uri[STAGE_LINE];
    for (int i = 0; i <= MOST_WAITING; i++) {
        (void)snprintf(uri, sizeof uri, "x:other%d", i);
        mcpw_server_resource_updated(argument, uri);
    }
    mcpw_server_tools_changed(argument);
    return NULL;
}

static void of_too_many_changes_every_watched_resource_is_told(void) {
    stage *const s = stage_watching();
    run_elsewhere(tell_too_many, s->server);
    AWAIT(s, "'uri':'x:1'");
    AWAIT(s, "'uri':'x:2'");
    AWAIT(s, "tools/list_changed");
    CHECK(stage_count(s, "resources/updated") == 2);
    stage_free(s);
}

static void *tell_one_fewer(void *argument) {
    char uri[STAGE_LINE];
    for (int i = 0; i < MOST_WAITING; i++) {
        (void)snprintf(uri, sizeof uri, "x:other%d", i);
        mcpw_server_resource_updated(argument, uri);
    }
    return NULL;
}

static void as_many_changes_as_may_wait_tell_nothing_else(void) {
    stage *const s = stage_watching();
    run_elsewhere(tell_one_fewer, s->server);
    stage_say(s, "{'jsonrpc':'2.0','id':'p','method':'ping'}");
    AWAIT(s, "'id':'p'");
    CHECK(stage_count(s, "resources/updated") == 0);
    stage_free(s);
}

/* On the server's thread a handler's change is told before its answer. */
static mcpw_status change_and_answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    mcpw_request_resource_updated(request, "x:1");
    return mcpw_respond_text(request, mcpw_str_from("changed"));
}

static void a_handler_tells_before_it_answers(void) {
    stage *const s = stage_watching();
    stage_tool(s, "change", change_and_answer);
    stage_call(s, 1, "change");
    AWAIT(s, "'text':'changed'");
    const char *const update = strstr(s->text, "\"uri\":\"x:1\"");
    const char *const answered = strstr(s->text, "\"text\":\"changed\"");
    CHECK(update != NULL && answered != NULL && update < answered);
    stage_free(s);
}

static void a_worker_tells_by_its_request(void) {
    stage *const s = stage_watching();
    mcpw_workers *const workers = mcpw_workers_new(2, NULL);
    CHECK(mcpw_session_set_workers(s->session, workers) == MCPW_OK);
    stage_tool(s, "change", change_and_answer);
    stage_call(s, 1, "change");
    AWAIT(s, "'text':'changed'");
    AWAIT(s, "'uri':'x:1'");
    CHECK(s->diagnostics == 0);
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session);
    s->session = NULL;
    mcpw_workers_free(workers);
    stage_free(s);
}

/* ---- Sessions that come and go ---- */

typedef struct reporter {
    mcpw_server *server;
    atomic_bool *stop;
    pthread_t thread;
} reporter;

static void *tell_on_and_on(void *argument) {
    const reporter *const t = argument;
    char uri[STAGE_LINE];
    for (int i = 0; !atomic_load(t->stop); i++) {
        (void)snprintf(uri, sizeof uri, "x:%d", i % (2 * MOST_WAITING));
        mcpw_server_resource_updated(t->server, uri);
        mcpw_server_resource_updated(t->server, "x:1");
        mcpw_server_tools_changed(t->server);
        mcpw_server_prompts_changed(t->server);
        mcpw_server_resources_changed(t->server);
    }
    return NULL;
}

static void start_reporters(reporter reporters[REPORTERS], mcpw_server *server, atomic_bool *stop) {
    atomic_store(stop, false);
    for (int i = 0; i < REPORTERS; i++) {
        reporters[i].server = server;
        reporters[i].stop = stop;
        stage_start(&reporters[i].thread, tell_on_and_on, &reporters[i]);
    }
}

static void stop_reporters(reporter reporters[REPORTERS], atomic_bool *stop) {
    atomic_store(stop, true);
    for (int i = 0; i < REPORTERS; i++) {
        CHECK(pthread_join(reporters[i].thread, NULL) == 0);
    }
}

static void say_to(int fd, const char *text) {
    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

/* One client of a server on a queue: it opens, watches, hears for a while, and goes. */
static void serve_one(mcpw_server *server, mcpw_queue *queue, int steps) {
    static const char opens[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"x:1\"}}\n";
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_io io = MCPW_IO_INIT;
    char heard[STAGE_LINE];
    int ends[2] = {-1, -1};
    config.role = MCPW_ROLE_SERVER;
    config.server = server;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    say_to(ends[1], opens);
    mcpw_session *const session = mcpw_session_new(&config, NULL);
    CHECK(mcpw_session_set_queue(session, queue) == MCPW_OK);
    CHECK(mcpw_io_begin(&io, session, ends[0], ends[0], NULL) == MCPW_OK);
    for (int i = 0; i < steps; i++) {
        CHECK(mcpw_io_step(&io, 1, NULL) == MCPW_OK);
        (void)recv(ends[1], heard, sizeof heard, MSG_DONTWAIT);
    }
    mcpw_io_end(&io);
    mcpw_session_free(session);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void sessions_may_come_and_go_while_threads_tell(void) {
    mcpw_server *const server = server_of_all();
    reporter reporters[REPORTERS];
    atomic_bool stop;
    start_reporters(reporters, server, &stop); /* nobody is served yet */
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    CHECK(mcpw_server_set_queue(server, queue) == MCPW_OK);
    for (int i = 0; i < ROUNDS; i++) {
        serve_one(server, queue, i % 8);
    }
    mcpw_server_unset_queue(server, queue);
    mcpw_queue_free(queue);
    stop_reporters(reporters, &stop); /* nobody is served any more */
    mcpw_server_free(server);
}

enum { IN, OUT, LONG = 1 << 16 };

/* Puts pipes in the place of standard input and output; what was there before is put into `before`. */
static void take_standard(int before[2], int from[2], int to[2]) {
    before[IN] = dup(STDIN_FILENO);
    before[OUT] = dup(STDOUT_FILENO);
    CHECK(pipe(from) == 0 && pipe(to) == 0);
    CHECK(dup2(from[IN], STDIN_FILENO) == STDIN_FILENO && dup2(to[OUT], STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(from[IN]);
    (void)close(to[OUT]);
}

static void give_standard(const int before[2]) {
    CHECK(dup2(before[IN], STDIN_FILENO) == STDIN_FILENO);
    CHECK(dup2(before[OUT], STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(before[IN]);
    (void)close(before[OUT]);
}

/* The client of the server on standard input: it goes once it has heard of the change. */
typedef struct pipes {
    int to;
    int from;
    bool heard;
} pipes;

static void *be_client(void *argument) {
    static const char watches[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
        "\"io.modelcontextprotocol/clientCapabilities\":{}},"
        "\"notifications\":{\"resourceSubscriptions\":[\"x:1\"]}}}\n";
    pipes *const p = argument;
    char heard[LONG];
    size_t len = 0;
    ssize_t got = 1;
    bool done = write(p->to, watches, sizeof watches - 1) != (ssize_t)sizeof watches - 1;
    while (!done && got > 0 && len + 1 < sizeof heard) {
        got = read(p->from, heard + len, sizeof heard - 1 - len);
        len += got > 0 ? (size_t)got : 0;
        heard[len] = '\0';
        p->heard = strstr(heard, "notifications/resources/updated") != NULL;
        done = p->heard;
    }
    (void)close(p->to);
    (void)close(p->from);
    return NULL;
}

/* The one call has one thread for its loop, and no workers: it knows of no other. */
static void the_server_of_one_call_is_woken_by_threads_that_it_does_not_know(void) {
    mcpw_server *const server = server_of_all();
    for (int round = 0; round < REPORTERS; round++) {
        reporter reporters[REPORTERS];
        atomic_bool stop;
        int before[2];
        int from[2] = {-1, -1};
        int to[2] = {-1, -1};
        pthread_t client;
        start_reporters(reporters, server, &stop);
        take_standard(before, from, to);
        pipes p = {from[OUT], to[IN], false};
        stage_start(&client, be_client, &p);
        const mcpw_status status = mcpw_serve_stdio(server, NULL);
        give_standard(before);
        CHECK(pthread_join(client, NULL) == 0);
        CHECK(p.heard && (status == MCPW_OK || status == MCPW_E_CLOSED));
        stop_reporters(reporters, &stop);
    }
    mcpw_server_free(server);
}

static void a_server_that_nobody_uses_is_told_in_vain(void) {
    mcpw_server *const server = server_of_all();
    mcpw_server_tools_changed(server);
    mcpw_server_resource_updated(server, "x:1");
    mcpw_server_resource_updated(server, "");
    mcpw_server_resource_updated(server, NULL);
    mcpw_server_resource_updated(NULL, "x:1");
    mcpw_server_tools_changed(NULL);
    mcpw_server_unset_queue(server, NULL);
    CHECK(mcpw_server_set_queue(server, NULL) == MCPW_E_ARGUMENT);
    mcpw_server_free(server);
}

static void what_waits_when_the_last_loop_goes_is_dropped(void) {
    stage *const s = stage_watching();
    run_elsewhere(tell_all_kinds, s->server);
    mcpw_io_end(&s->io);
    mcpw_session_free(s->session);
    stage_begin(s);
    stage_open(s);
    CHECK(stage_count(s, "list_changed'") == 0);
    stage_free(s);
}

int main(void) {
    RUN(changes_of_every_kind_are_told_from_another_thread);
    RUN(a_loop_that_waits_is_woken);
    RUN(a_change_that_waits_is_told_once);
    RUN(of_too_many_changes_every_watched_resource_is_told);
    RUN(as_many_changes_as_may_wait_tell_nothing_else);
    RUN(a_handler_tells_before_it_answers);
    RUN(a_worker_tells_by_its_request);
    RUN(sessions_may_come_and_go_while_threads_tell);
    RUN(the_server_of_one_call_is_woken_by_threads_that_it_does_not_know);
    RUN(a_server_that_nobody_uses_is_told_in_vain);
    RUN(what_waits_when_the_last_loop_goes_is_dropped);
    return check_failures != 0;
}
