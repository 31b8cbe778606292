/* SPDX-License-Identifier: MIT */
/* The port layer of whichever system this is: pipes, child processes, threads and waits. The program is its
 * own child, by the word after its name. */
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/client.h>
#include <mcpw/json.h>

#include "../../runtime/transport/transport_internal.h"
#include "check.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { BURST = 64, LARGE = 1 << 18, COMPLAINTS = 10000, SOON = 10000, SHORT = 20, WORKERS = 4 };

/* Arguments that a command line has to quote. */
static const char *const awkward[] = {
    "plain", "two words",      "",           "\"",         "\\",           "a\\\"b",  "trailing\\",
    "a b\\", "\\\\server\\c$", "tab\there",  "100%PATH%!", "'single'",     "^&|<>()", "\\\\\"\\",
    "*",     "new\nline",      "a \\\\\" b", "-",          "{\"a\":\"b\"}"};
enum { AWKWARD = sizeof awkward / sizeof *awkward };

/* This program: an emulator that MCPW_TEST_EMULATOR may name, its path, a word, arguments. */
static const char *words[AWKWARD + 4];

static const char *const *own(const char *word) {
    const char *const emulator = getenv("MCPW_TEST_EMULATOR");
    const size_t at = emulator != NULL ? 2 : 1;
    words[0] = emulator != NULL ? emulator : words[0];
    words[at] = word;
    words[at + 1] = NULL;
    return words;
}

/* ---- This program as a child --------------------------------------------------------------------------- */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str text = {NULL, 0};
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &text);
    return status == MCPW_OK ? mcpw_respond_text(request, text) : status;
}

static mcpw_status complain(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str done = MCPW_STR("done");
    (void)call;
    (void)user;
    for (int i = 0; i < COMPLAINTS; i++) {
        (void)fprintf(stderr, "%d: this is not how it should be\n", i);
    }
    return mcpw_respond_text(request, done);
}

static int serve(unsigned workers) {
    static const mcpw_tool tools[] = {{.name = "echo", .call = echo}, {.name = "complain", .call = complain}};
    mcpw_serve_options options = MCPW_SERVE_OPTIONS_INIT;
    mcpw_server *const server = mcpw_server_new("test", "1", NULL);
    mcpw_error error = {0};
    mcpw_status status = MCPW_OK;
    options.workers = workers;
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, &tools[i], &error);
    }
    status = status == MCPW_OK ? mcpw_serve_stdio_with(server, &options, &error) : status;
    mcpw_server_free(server);
    return status != MCPW_OK;
}

/* 0: each argument is as it was sent. */
static int compare_arguments(int argc, char **argv) {
    if (argc != AWKWARD + 2) {
        return argc;
    }
    for (int i = 0; i < AWKWARD; i++) {
        if (strcmp(argv[i + 2], awkward[i]) != 0) {
            (void)fprintf(stderr, "got %s, want %s\n", argv[i + 2], awkward[i]);
            return i + 1;
        }
    }
    return 0;
}

/* Neither reads nor ends. */
static int hang(void) {
    for (int i = 0; i < SOON; i++) {
        mcpw_os_sleep(SOON);
    }
    return 1;
}

static int be_child(int argc, char **argv) {
    return strcmp(argv[1], "serve") == 0     ? serve(0)
           : strcmp(argv[1], "workers") == 0 ? serve(WORKERS)
           : strcmp(argv[1], "hang") == 0    ? hang()
           : strcmp(argv[1], "exit") == 0    ? 3
                                             : compare_arguments(argc, argv);
}

/* ---- Children ------------------------------------------------------------------------------------------ */

static void count_line(void *user, mcpw_str line) {
    (void)line;
    ++*(int *)user;
}

static void show_line(void *user, mcpw_str line) {
    (void)user;
    (void)fprintf(stderr, "%.*s\n", (int)line.len, line.ptr);
}

static bool start(mcpw_child *child, const char *const *argv) {
    const mcpw_spawn spawn = {.argv = argv, .on_stderr = show_line};
    mcpw_error error = {0};
    const bool works = mcpw_child_start(child, &spawn, &error) == MCPW_OK;
    if (!works) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    CHECK(works);
    return works;
}

static void arguments_arrive_as_they_were_sent(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    int number = -1;
    const char **at = words;
    for (own("arguments"); *at != NULL;) {
        at++;
    }
    memcpy(at, awkward, sizeof awkward);
    at[AWKWARD] = NULL;
    if (start(&child, words)) {
        mcpw_child_stop(&child, SOON);
        CHECK(!mcpw_os_was_signalled(child.exit_status, &number) && number == 0);
    }
}

static void the_exit_status_is_that_of_the_child(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    int number = -1;
    if (start(&child, own("exit"))) {
        mcpw_child_stop(&child, SOON);
        CHECK(!mcpw_os_was_signalled(child.exit_status, &number) && number == 3);
        CHECK(child.pid == 0 && child.in < 0 && child.out < 0 && child.err < 0);
    }
}

static void a_child_that_hangs_is_ended(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    if (start(&child, own("hang"))) {
        CHECK(!mcpw_child_exited(&child));
        mcpw_child_stop(&child, SHORT);
        CHECK(child.pid == 0);
    }
}

static void a_missing_command_is_named_with_a_reason(void) {
    static const char *const argv[] = {"no-such-command-anywhere", NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO);
    CHECK(strstr(error.message, "cannot start 'no-such-command-anywhere': ") == error.message);
    CHECK(error.message[strlen(error.message) - 1] != '\n');
    CHECK(child.lines == NULL && child.pid == 0);
}

static void a_missing_folder_is_named(void) {
    const mcpw_spawn spawn = {.argv = own("exit"), .cwd = "no-such-folder"};
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO);
    CHECK(strstr(error.message, "in 'no-such-folder': ") != NULL);
}

/* ---- Clients and servers ------------------------------------------------------------------------------- */

static mcpw_client *connect(const char *word, int *lines) {
    const mcpw_spawn spawn = {.argv = own(word), .on_stderr = count_line, .user = lines};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    config.name = "test";
    config.version = "1";
    config.max_output = 2 * (size_t)BURST * LARGE;
    mcpw_client *const client = mcpw_client_start(&spawn, &config, &error);
    if (client == NULL) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    CHECK(client != NULL);
    return client;
}

static void count_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)session;
    *(int *)user += reply->status == MCPW_OK;
}

/* Sends so many calls of echo at once, each with len bytes, and waits for their replies. */
static int call_at_once(mcpw_client *client, int count, size_t len) {
    static const char begin[] = "{\"message\":\"";
    char *const arguments = malloc(sizeof begin + len + 2);
    int replies = 0;
    memcpy(arguments, begin, sizeof begin - 1);
    memset(arguments + sizeof begin - 1, 'x', len);
    memcpy(arguments + sizeof begin - 1 + len, "\"}", sizeof "\"}");
    const mcp_20251125_call_tool_request_params params = {
        .name = MCPW_STR("echo"), .arguments = {arguments, sizeof begin - 1 + len + 2, 0}};
    for (int i = 0; i < count; i++) {
        CHECK(mcpw_session_request(mcpw_client_session(client), &mcp_20251125_revision,
                                   MCP_20251125_METHOD_TOOLS_CALL, &params, NULL, count_reply, &replies, NULL,
                                   NULL) == MCPW_OK);
    }
    for (int i = 0; i < SOON / SHORT && replies < count; i++) {
        CHECK(mcpw_client_wait(client, SHORT, NULL) == MCPW_OK);
    }
    free(arguments);
    return replies;
}

static void many_calls_are_under_way_at_once(void) {
    int lines = 0;
    mcpw_client *const client = connect("serve", &lines);
    if (client != NULL) {
        CHECK(call_at_once(client, BURST, 10) == BURST);
        mcpw_client_free(client);
    }
}

/* Neither side reads before it has written what it has. */
static void two_full_pipes_do_not_block_each_other(void) {
    int lines = 0;
    mcpw_client *const client = connect("serve", &lines);
    if (client != NULL) {
        CHECK(call_at_once(client, BURST, LARGE) == BURST);
        mcpw_client_free(client);
    }
}

static void workers_answer(void) {
    int lines = 0;
    mcpw_client *const client = connect("workers", &lines);
    if (client != NULL) {
        CHECK(call_at_once(client, BURST, 10) == BURST);
        mcpw_client_free(client);
    }
}

static mcpw_status call_tool(mcpw_client *client, const char *name, const char *arguments, mcpw_str *text) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_result result = {NULL, NULL};
    static char kept[MCPW_ERROR_MESSAGE_SIZE];
    const mcp_20251125_call_tool_request_params params = {.name = mcpw_str_from(name),
                                                          .arguments = {arguments, strlen(arguments), 0}};
    const mcpw_status status = mcpw_client_request(
        client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_CALL, &params, NULL, &arena, &result, NULL);
    *text = (mcpw_str){kept, 0};
    if (status == MCPW_OK && result.value != NULL) {
        const mcp_20251125_call_tool_result *const got = result.value;
        if (got->content.count == 1 && got->content.items[0].as.text_content.text.len < sizeof kept) {
            text->len = got->content.items[0].as.text_content.text.len;
            memcpy(kept, got->content.items[0].as.text_content.text.ptr, text->len);
        }
    }
    mcpw_arena_free(&arena);
    return status;
}

static void bytes_arrive_as_they_were_sent(void) {
    static const char text[] = "gr\xC3\xBC\xC3\x9F\x65 \xE4\xB8\x96\xE7\x95\x8C \xF0\x9F\x90\xA7 \x1A";
    int lines = 0;
    mcpw_str got;
    mcpw_client *const client = connect("serve", &lines);
    if (client != NULL) {
        CHECK(call_tool(client, "echo",
                        "{\"message\":\"gr\xC3\xBC\xC3\x9F\x65 \xE4\xB8\x96\xE7\x95\x8C \xF0\x9F\x90\xA7 "
                        "\\u001a\"}",
                        &got) == MCPW_OK);
        CHECK_TEXT(got.ptr, got.len, text);
        mcpw_client_free(client);
    }
}

static void standard_error_is_read_meanwhile(void) {
    int lines = 0;
    mcpw_str got;
    mcpw_client *const client = connect("serve", &lines);
    if (client != NULL) {
        CHECK(call_tool(client, "complain", "{}", &got) == MCPW_OK);
        mcpw_client_free(client);
        CHECK(lines == COMPLAINTS);
    }
}

static void a_client_that_waits_gives_its_descriptors(void) {
    int lines = 0;
    mcpw_pollfd fds[MCPW_CLIENT_FDS];
    mcpw_client *const client = connect("serve", &lines);
    if (client != NULL) {
        const size_t count = mcpw_client_fds(client, fds);
        CHECK(count == 3); /* its input, standard error, its queue */
        for (size_t i = 0; i < count; i++) {
            CHECK(fds[i].fd > 0 && fds[i].events == MCPW_OS_IN);
        }
        mcpw_client_free(client);
    }
}

/* ---- Waits and threads --------------------------------------------------------------------------------- */

static void set_later(void *user) {
    mcpw_os_sleep(SHORT);
    mcpw_os_wakeup_set(user);
}

static void a_wakeup_ends_a_wait_until_it_is_cleared(void) {
    mcpw_os_wakeup wakeup;
    mcpw_os_thread thread;
    int number = 0;
    CHECK(mcpw_os_wakeup_begin(&wakeup, &number));
    mcpw_pollfd entry = {mcpw_os_wakeup_handle(&wakeup), MCPW_OS_IN, 0};
    CHECK(mcpw_os_wait(&entry, 1, 0, &number) == 0 && entry.revents == 0);
    CHECK(mcpw_os_thread_start(&thread, set_later, &wakeup) == 0);
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1 && entry.revents == MCPW_OS_IN);
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1);
    mcpw_os_thread_join(&thread);
    mcpw_os_wakeup_clear(&wakeup);
    CHECK(mcpw_os_wait(&entry, 1, 0, &number) == 0);
    mcpw_os_wakeup_end(&wakeup);
}

static void the_clock_goes_on(void) {
    const uint64_t before = mcpw_io_now();
    mcpw_os_sleep(2 * SHORT);
    CHECK(mcpw_io_now() >= before + SHORT);
}

static void set_flag(void *user) { *(bool *)user = true; }

static void post_later(void *user) {
    static bool is_done;
    mcpw_os_sleep(SHORT);
    CHECK(mcpw_queue_post(user, set_flag, &is_done) == MCPW_OK);
}

static void a_post_of_another_thread_wakes_the_queue(void) {
    mcpw_queue *const queue = mcpw_queue_new(NULL);
    mcpw_os_thread thread;
    bool is_done = false;
    int number = 0;
    mcpw_pollfd entry = {mcpw_queue_fd(queue), MCPW_OS_IN, 0};
    CHECK(mcpw_os_thread_start(&thread, post_later, queue) == 0);
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1);
    mcpw_os_thread_join(&thread);
    mcpw_queue_run(queue);
    CHECK(mcpw_os_wait(&entry, 1, 0, &number) == 0);
    CHECK(mcpw_queue_post(queue, set_flag, &is_done) == MCPW_OK);
    mcpw_queue_free(queue);
    CHECK(is_done);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        return be_child(argc, argv);
    }
    words[0] = argv[0];
    if (getenv("MCPW_TEST_EMULATOR") != NULL) {
        words[1] = argv[0];
    }
    RUN(arguments_arrive_as_they_were_sent);
    RUN(the_exit_status_is_that_of_the_child);
    RUN(a_child_that_hangs_is_ended);
    RUN(a_missing_command_is_named_with_a_reason);
    RUN(a_missing_folder_is_named);
    RUN(many_calls_are_under_way_at_once);
    RUN(two_full_pipes_do_not_block_each_other);
    RUN(workers_answer);
    RUN(bytes_arrive_as_they_were_sent);
    RUN(standard_error_is_read_meanwhile);
    RUN(a_client_that_waits_gives_its_descriptors);
    RUN(a_wakeup_ends_a_wait_until_it_is_cleared);
    RUN(the_clock_goes_on);
    RUN(a_post_of_another_thread_wakes_the_queue);
    return check_end();
}
