/* SPDX-License-Identifier: MIT */
/* A client that waits, against servers that this program is itself when it is started with a word after its
 * name, and against small shell scripts that misbehave. */
#define _POSIX_C_SOURCE 200809L
#include <mcp/2025-11-25.h>
#include <mcp/2025-11-25/client.h>
#include <mcpw/json.h>

#include "../../runtime/transport/transport_internal.h"
#include "check.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BURST = 64, LARGE = 3000000, SOON = 5000, SHORT = 60, LONG_LINE = 1 << 16, COMPLAINTS = 10000 };

/* This program as a server: its path and "serve", after the emulator that MCPW_TEST_EMULATOR may name. */
static const char *serve_words[4];
static const char *const *serve_argv = serve_words;

/* ---- The server ---------------------------------------------------------------------------------------- */

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str text = {NULL, 0};
    (void)user;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &text) != MCPW_OK) {
        return MCPW_E_MISSING;
    }
    return mcpw_respond_text(request, text);
}

static void on_cancel(void *user, mcpw_request *request) {
    (void)user;
    (void)request;
}

/* Never answers. */
static mcpw_status hang(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    mcpw_request_on_cancel(request, on_cancel, NULL);
    return MCPW_OK;
}

static mcpw_status leave(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)request;
    (void)call;
    (void)user;
    (void)fprintf(stderr, "leaving now\nfor\a good");
    exit(9);
}

/* Writes more to standard error than a pipe holds. */
static mcpw_status complain(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str done = MCPW_STR("done");
    (void)call;
    (void)user;
    for (int i = 0; i < COMPLAINTS; i++) {
        (void)fprintf(stderr, "%d: this is not how it should be\n", i);
    }
    return mcpw_respond_text(request, done);
}

static mcpw_status tell_progress(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str done = MCPW_STR("done");
    (void)call;
    (void)user;
    if (mcpw_request_progress(request, 1, 2, "half") != MCPW_OK) {
        return MCPW_E_STATE;
    }
    return mcpw_respond_text(request, done);
}

static mcpw_server *new_server(void) {
    static const mcpw_tool tools[] = {
        {.name = "echo", .call = echo},
        {.name = "hang", .call = hang},
        {.name = "leave", .call = leave},
        {.name = "complain", .call = complain},
        {.name = "progress", .call = tell_progress},
    };
    mcpw_server *const server = mcpw_server_new("test", "1", NULL);
    if (server != NULL) {
        mcpw_server_will_log(server);
    }
    for (size_t i = 0; server != NULL && i < sizeof tools / sizeof *tools; i++) {
        if (mcpw_server_add_tool(server, &tools[i], NULL) != MCPW_OK) {
            abort();
        }
    }
    return server;
}

static int serve(void) {
    mcpw_server *const server = new_server();
    mcpw_error error;
    const mcpw_status status = mcpw_serve_stdio(server, &error);
    mcpw_server_free(server);
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    return status != MCPW_OK;
}

/* ---- Helpers ------------------------------------------------------------------------------------------- */

static void ignore_line(void *user, mcpw_str line) {
    (void)user;
    (void)line;
}

static mcpw_session_config config(void) {
    mcpw_session_config c = MCPW_SESSION_CONFIG_INIT;
    c.name = "test";
    c.version = "1";
    return c;
}

static mcpw_client *start(mcpw_error *error) {
    const mcpw_spawn spawn = {.argv = serve_argv, .on_stderr = ignore_line};
    const mcpw_session_config c = config();
    mcpw_client *const client = mcpw_client_start(&spawn, &c, error);
    CHECK(client != NULL);
    return client;
}

static mcpw_client *start_shell(const char *script, const mcpw_session_config *c, mcpw_error *error) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const mcpw_spawn spawn = {.argv = argv, .on_stderr = ignore_line};
    return mcpw_client_start(&spawn, c, error);
}

static mcpw_status call_tool(mcpw_client *client, const char *name, mcpw_json arguments,
                             const mcpw_call *call, mcpw_arena *arena, mcpw_str *text, mcpw_error *error) {
    const mcp_20251125_call_tool_request_params params = {.name = mcpw_str_from(name),
                                                          .arguments = arguments};
    const mcp_20251125_call_tool_result *result = NULL;
    const mcpw_status status = mcp_20251125_call_tools_call(client, &params, call, arena, &result, error);
    CHECK((status == MCPW_OK) == (result != NULL));
    if (result != NULL && result->content.count == 1) {
        *text = result->content.items[0].as.text_content.text;
    }
    return status;
}

static int open_descriptors(void) {
    DIR *const folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return count;
}

/* ---- Requests ------------------------------------------------------------------------------------------ */

static void a_call_waits_for_its_result(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    const mcpw_json two = MCPW_JSON("{\"message\":\"two\"}");
    mcpw_client *const client = start(NULL);
    mcpw_str first = {NULL, 0};
    mcpw_str second = {NULL, 0};
    CHECK(call_tool(client, "echo", one, NULL, &arena, &first, NULL) == MCPW_OK);
    CHECK(call_tool(client, "echo", two, NULL, &arena, &second, NULL) == MCPW_OK);
    CHECK_TEXT(first.ptr, first.len, "one");
    CHECK_TEXT(second.ptr, second.len, "two");
    CHECK(mcpw_client_child(client) != NULL && mcpw_client_child(client)->pid > 0);
    CHECK(mcpw_session_revision(mcpw_client_session(client)) != NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_large_message_goes_both_ways(void) {
    static char arguments[LARGE];
    const char begin[] = "{\"message\":\"";
    const mcpw_json json = mcpw_json_of(arguments, sizeof arguments);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_client *const client = start(NULL);
    mcpw_str text = {NULL, 0};
    memset(arguments, 'x', sizeof arguments);
    memcpy(arguments, begin, sizeof begin - 1);
    memcpy(arguments + sizeof arguments - 2, "\"}", 2);
    CHECK(call_tool(client, "echo", json, NULL, &arena, &text, NULL) == MCPW_OK);
    CHECK(text.len == sizeof arguments - sizeof begin + 1 - 2);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void an_error_of_the_servers_is_told(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    mcpw_str text;
    CHECK(call_tool(client, "no such tool", none, NULL, &arena, &text, &error) == MCPW_E_REMOTE);
    CHECK(error.code == MCPW_E_REMOTE);
    CHECK(strstr(error.message, "the server answered -32602: ") == error.message);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void an_error_of_the_servers_keeps_all_of_its_members(void) {
    static const char answer[] =
        "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
        "\"cacheScope\":\"private\",\"capabilities\":{\"tools\":{}}}}'; read a; "
        "echo "
        "'{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32099,\"message\":\"odd\",\"data\":{\"a\":[1]},"
        "\"hint\":[2]}}'; "
        "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}'; cat >/dev/null";
    const mcpw_session_config c = config();
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_client *const client = start_shell(answer, &c, NULL);
    mcpw_str text;
    CHECK(mcpw_client_remote_error(client) == NULL && mcpw_client_remote_error(NULL) == NULL);
    CHECK(call_tool(client, "t", none, NULL, &arena, &text, NULL) == MCPW_E_REMOTE);
    const mcpw_rpc_error *const remote = mcpw_client_remote_error(client);
    CHECK(remote != NULL);
    if (remote != NULL) {
        CHECK(remote->code == -32099);
        CHECK_TEXT(remote->message.ptr, remote->message.len, "odd");
        CHECK_TEXT(remote->data.ptr, remote->data.len, "{\"a\":[1]}");
        CHECK(remote->extra.count == 1 && mcpw_str_is(remote->extra.items[0].name, "hint"));
        CHECK_TEXT(remote->extra.items[0].value.ptr, remote->extra.items[0].value.len, "[2]");
    }
    CHECK(call_tool(client, "t", none, NULL, &arena, &text, NULL) == MCPW_OK);
    CHECK(mcpw_client_remote_error(client) == NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_call_that_takes_too_long_fails(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_call call = {.timeout_ms = SHORT};
    const mcpw_json none = MCPW_JSON("{}");
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    mcpw_str text = {NULL, 0};
    CHECK(call_tool(client, "hang", none, &call, &arena, &text, &error) == MCPW_E_TIMEOUT);
    CHECK(call_tool(client, "echo", one, NULL, &arena, &text, &error) == MCPW_OK);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

/* The session learns what time it is before it sets a timeout, however long it was left alone. */
static void a_call_after_a_pause_has_all_its_time(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_call call = {.timeout_ms = SHORT * 8};
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    const struct timespec pause = {0, 600000000};
    mcpw_client *const client = start(NULL);
    mcpw_str text = {NULL, 0};
    (void)nanosleep(&pause, NULL);
    CHECK(call_tool(client, "echo", one, &call, &arena, &text, NULL) == MCPW_OK);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_result_needs_an_arena(void) {
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    mcpw_result result = {NULL, NULL};
    CHECK(mcpw_client_request(client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_LIST, NULL, NULL,
                              NULL, &result, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.message, "a result needs an arena to live in");
    CHECK(mcpw_client_request(client, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_LIST, NULL, NULL,
                              NULL, NULL, &error) == MCPW_OK);
    CHECK(mcpw_client_request(NULL, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_LIST, NULL, NULL, NULL,
                              NULL, &error) == MCPW_E_ARGUMENT);
    mcpw_client_free(client);
}

static mcpw_client *asking; /* the client of the test below */
static mcpw_status inner;

static void ask_inside(void *user, mcpw_session *session, const mcpw_progress *progress) {
    (void)user;
    (void)session;
    CHECK(progress->progress == 1);
    inner = mcpw_client_request(asking, &mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_LIST, NULL, NULL,
                                NULL, NULL, NULL);
}

static void a_callback_cannot_wait(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_call call = {.on_progress = ask_inside};
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_str text = {NULL, 0};
    asking = start(NULL);
    inner = MCPW_OK;
    CHECK(call_tool(asking, "progress", none, &call, &arena, &text, NULL) == MCPW_OK);
    CHECK(inner == MCPW_E_STATE);
    mcpw_client_free(asking);
    mcpw_arena_free(&arena);
}

static void count_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)session;
    *(int *)user += reply->status == MCPW_OK;
}

static void what_comes_while_waiting_is_handled(void) {
    mcpw_client *const client = start(NULL);
    int replies = 0;
    for (int i = 0; i < BURST; i++) {
        CHECK(mcpw_session_request(mcpw_client_session(client), &mcp_20251125_revision,
                                   MCP_20251125_METHOD_TOOLS_LIST, NULL, NULL, count_reply, &replies, NULL,
                                   NULL) == MCPW_OK);
    }
    for (int i = 0; i < SOON / SHORT && replies < BURST; i++) {
        CHECK(mcpw_client_wait(client, SHORT, NULL) == MCPW_OK);
    }
    CHECK(replies == BURST);
    mcpw_client_free(client);
}

static void waiting_takes_its_time(void) {
    mcpw_client *const client = start(NULL);
    const uint64_t begin = mcpw_io_now();
    CHECK(mcpw_client_wait(client, 0, NULL) == MCPW_OK);
    CHECK(mcpw_client_wait(client, SHORT, NULL) == MCPW_OK);
    CHECK(mcpw_io_now() - begin >= SHORT && mcpw_io_now() - begin < SOON);
    mcpw_client_free(client);
}

static void standard_error_is_read_while_a_call_waits(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_call call = {.timeout_ms = SOON};
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_client *const client = start(NULL);
    mcpw_str text = {NULL, 0};
    CHECK(call_tool(client, "complain", none, &call, &arena, &text, NULL) == MCPW_OK);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

/* ---- Servers that end ---------------------------------------------------------------------------------- */

static void a_command_that_is_missing_is_named(void) {
    const char *const argv[] = {"mcpw-no-such-server", NULL};
    const mcpw_spawn spawn = {.argv = argv};
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(mcpw_client_start(&spawn, &c, &error) == NULL && error.code == MCPW_E_IO);
    CHECK_STRING(error.message, "cannot start 'mcpw-no-such-server': No such file or directory");
}

static void a_server_that_ends_at_once_says_why(void) {
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(start_shell("echo first >&2; echo 'no key: set KEY' >&2; exit 3", &c, &error) == NULL);
    CHECK(error.code == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server exited with status 3: no key: set KEY");
}

/* A server of 2025-11-25 that reads a first request, exits when that is server/discover, and writes a line to
 * a file whenever it is started. */
#define OLD_SERVER                                                                                           \
    "echo start >>\"$STARTS\"; read -r a; case \"$a\" in *server/discover*) echo 'what?' >&2; exit 3;; "     \
    "esac; "                                                                                                 \
    "echo "                                                                                                  \
    "'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"     \
    "\"serverInfo\":{\"name\":\"old\",\"version\":\"1\"}}}'; cat >/dev/null"

/* Starts a script whose starts are counted, and returns how often it was started. */
static int count_starts(const char *script, const mcpw_session_config *c, mcpw_client **client,
                        mcpw_error *error) {
    char name[] = "/tmp/mcpw-starts-XXXXXX";
    char line[SHORT];
    int count = 0;
    const int descriptor = mkstemp(name);
    CHECK(descriptor >= 0 && setenv("STARTS", name, 1) == 0);
    *client = start_shell(script, c, error);
    FILE *const file = fdopen(descriptor, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        count++;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    (void)unlink(name);
    return count;
}

static void a_server_that_exits_when_asked_for_its_revision_is_started_again(void) {
    const mcpw_session_config c = config();
    mcpw_client *client = NULL;
    CHECK(count_starts(OLD_SERVER, &c, &client, NULL) == 2);
    CHECK(client != NULL);
    CHECK_STRING(mcpw_revision_name(mcpw_session_revision(mcpw_client_session(client))), "2025-11-25");
    mcpw_client_free(client);
}

static void a_server_that_has_read_nothing_is_not_started_again(void) {
    const mcpw_session_config c = config();
    mcpw_client *client = NULL;
    mcpw_error error = {0};
    CHECK(count_starts("echo start >>\"$STARTS\"; exit 3", &c, &client, &error) == 1);
    CHECK(client == NULL);
    CHECK_STRING(error.message, "the server exited with status 3");
}

static void a_client_that_speaks_no_older_revision_starts_no_server_again(void) {
    mcpw_session_config c = config();
    mcpw_client *client = NULL;
    mcpw_error error = {0};
    c.revisions = "2026-07-28";
    CHECK(count_starts(OLD_SERVER, &c, &client, &error) == 1);
    CHECK(client == NULL);
    CHECK_STRING(error.message, "the server exited with status 3: what?");
}

static void a_server_that_always_exits_is_started_twice(void) {
    const mcpw_session_config c = config();
    mcpw_client *client = NULL;
    mcpw_error error = {0};
    CHECK(count_starts("echo start >>\"$STARTS\"; read -r a; exit 4", &c, &client, &error) == 2);
    CHECK(client == NULL);
    CHECK_STRING(error.message, "the server exited with status 4");
}

static void a_server_that_was_killed_is_told_so(void) {
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(start_shell("kill -9 $$", &c, &error) == NULL && error.code == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server was ended by signal 9");
}

static void a_server_that_only_closes_its_output_is_told_so(void) {
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(start_shell("exec >&-; cat >/dev/null", &c, &error) == NULL && error.code == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server has closed the connection");
}

static void a_server_that_never_answers_is_given_up(void) {
    mcpw_session_config c = config();
    mcpw_error error = {0};
    c.discover_timeout_ms = SHORT;
    c.request_timeout_ms = SHORT;
    CHECK(start_shell("cat >/dev/null", &c, &error) == NULL && error.code == MCPW_E_TIMEOUT);
}

static void a_server_that_talks_nonsense_first_is_understood(void) {
    const char *const argv[] = {"sh",          "-c",          "echo starting up; echo; exec \"$@\"",
                                "sh",          serve_argv[0], serve_argv[1],
                                serve_argv[2], NULL};
    const mcpw_spawn spawn = {.argv = argv};
    const mcpw_session_config c = config();
    mcpw_client *const client = mcpw_client_start(&spawn, &c, NULL);
    CHECK(client != NULL);
    mcpw_client_free(client);
}

static void a_server_that_ends_in_a_call_says_why_then_and_later(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    mcpw_error later = {0};
    mcpw_str text;
    CHECK(call_tool(client, "leave", none, NULL, &arena, &text, &error) == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server exited with status 9: for\\x07 good");
    CHECK(call_tool(client, "echo", none, NULL, &arena, &text, &later) == MCPW_E_CLOSED);
    CHECK_STRING(later.message, error.message);
    CHECK(mcpw_client_wait(client, SOON, &later) == MCPW_E_CLOSED);
    CHECK(mcpw_client_child(client) == NULL);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_server_that_ends_between_calls_is_noticed(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json none = MCPW_JSON("{}");
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    mcpw_str text;
    CHECK(kill((pid_t)mcpw_client_child(client)->pid, SIGKILL) == 0);
    CHECK(call_tool(client, "echo", none, NULL, &arena, &text, &error) == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server was ended by signal 9");
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void a_wait_ends_with_the_server(void) {
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    CHECK(kill((pid_t)mcpw_client_child(client)->pid, SIGKILL) == 0);
    CHECK(mcpw_client_wait(client, SOON, &error) == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "the server was ended by signal 9");
    mcpw_client_free(client);
}

static void a_loop_of_the_callers_looks_at_standard_error_too(void) {
    mcpw_client *const client = start(NULL);
    struct pollfd polled[MCPW_CLIENT_FDS];
    const size_t count = mcpw_client_fds(client, polled);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found = found || polled[i].fd == mcpw_client_child(client)->err;
    }
    CHECK(found);
    mcpw_client_free(client);
}

static void nothing_is_left_behind(void) {
    const mcpw_session_config c = config();
    const int before = open_descriptors();
    mcpw_client_free(start(NULL));
    CHECK(start_shell("exit 1", &c, NULL) == NULL);
    mcpw_client_free(NULL);
    CHECK(open_descriptors() == before);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1);
}

static void a_client_needs_a_config(void) {
    const char *const argv[] = {"cat", NULL};
    const mcpw_spawn spawn = {.argv = argv};
    const mcpw_session_config nameless = MCPW_SESSION_CONFIG_INIT;
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(mcpw_client_start(&spawn, NULL, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_start(&spawn, &nameless, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_start(NULL, &c, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_attach(-1, -1, &c, &error) == NULL && error.code == MCPW_E_ARGUMENT);
}

static void what_is_wrong_with_the_config_is_told_when_it_is_sent(void) {
    mcpw_session_config c = config();
    mcpw_error error = {0};
    c.capabilities = (mcpw_json)MCPW_JSON("{\"experimental\":5}");
    CHECK(start_shell("cat", &c, &error) == NULL);
    CHECK(strstr(error.path, "experimental") != NULL);
}

/* ---- Without a child, and without a client ------------------------------------------------------------- */

static void a_client_works_on_a_socket(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    const mcpw_session_config c = config();
    mcpw_client *client;
    mcpw_str text = {NULL, 0};
    int ends[2] = {-1, -1};
    int status = -1;
    pid_t pid;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        _exit(dup2(ends[1], STDIN_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0 || close(ends[1]) != 0 ||
              serve() != 0);
    }
    (void)close(ends[1]);
    client = mcpw_client_attach(ends[0], ends[0], &c, NULL);
    CHECK(client != NULL && mcpw_client_child(client) == NULL);
    CHECK(call_tool(client, "echo", one, NULL, &arena, &text, NULL) == MCPW_OK);
    CHECK_TEXT(text.ptr, text.len, "one");
    mcpw_client_free(client);
    CHECK(close(ends[0]) == 0); /* it was left open */
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    mcpw_arena_free(&arena);
}

/* Whether the next line that the child writes holds this. */
static bool answers(const mcpw_child *child, const char *part) {
    char line[LONG_LINE];
    size_t len = 0;
    while (len < sizeof line - 1 && read(child->in, line + len, 1) == 1 && line[len] != '\n') {
        len++;
    }
    line[len] = '\0';
    return strstr(line, part) != NULL;
}

static void a_server_on_standard_input_ends_with_it(void) {
    const mcpw_spawn spawn = {.argv = serve_argv};
    mcpw_child child = MCPW_CHILD_INIT;
    const char text[] = "{not JSON\n\r\n{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\r\n"
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}";
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    CHECK(write(child.out, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    CHECK(answers(&child, "-32700"));
    CHECK(answers(&child, "\"id\":\"p\",\"result\":{}"));
    (void)close(child.out);
    child.out = -1;
    CHECK(answers(&child, "\"id\":2,\"result\":{}"));
    mcpw_child_stop(&child, SOON);
    CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 0);
}

/* Its client goes without reading: no signal ends it. */
static void a_server_survives_a_client_that_does_not_read(void) {
    const mcpw_spawn spawn = {.argv = serve_argv};
    mcpw_child child = MCPW_CHILD_INIT;
    const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    (void)close(child.in);
    child.in = -1;
    CHECK(write(child.out, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    mcpw_child_stop(&child, SOON);
    CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 0);
}

/* ---- What may be left out, and what cannot be had ---- */

static void a_result_may_be_left_out(void) {
    const mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("echo"),
                                                          .arguments = MCPW_JSON("{\"message\":\"m\"}")};
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    mcpw_client *const client = start(NULL);
    const int method = mcpw_method_number(revision, "tools/call", strlen("tools/call"));
    CHECK(mcpw_client_request(client, revision, method, &params, NULL, NULL, NULL, NULL) == MCPW_OK);
    mcpw_client_free(client);
}

static void an_arena_without_room_is_an_error(void) {
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    mcpw_client *const client = start(NULL);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str text = {NULL, 0};
    mcpw_error error = {0};
    size_t limit = 1;
    mcpw_status status = MCPW_E_ARENA;
    for (; status != MCPW_OK && limit < LONG_LINE; limit += 64) {
        arena.limit = limit;
        status = call_tool(client, "echo", one, NULL, &arena, &text, &error);
        CHECK(status == MCPW_OK || (status == MCPW_E_ARENA && error.code == status));
        mcpw_arena_free(&arena);
    }
    CHECK(status == MCPW_OK && limit > 64 + 1);
    mcpw_client_free(client);
}

static void an_error_record_may_be_left_out(void) {
    const mcpw_session_config c = config();
    const mcpw_json one = MCPW_JSON("{\"message\":\"one\"}");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str text = {NULL, 0};
    CHECK(start_shell("exit 3", &c, NULL) == NULL);
    CHECK(start_shell("cat >/dev/null", NULL, NULL) == NULL);
    CHECK(mcpw_client_attach(0, 1, NULL, NULL) == NULL);
    mcpw_client *const client = start(NULL);
    CHECK(call_tool(client, "missing", one, NULL, &arena, &text, NULL) == MCPW_E_REMOTE);
    CHECK(call_tool(client, "leave", one, NULL, &arena, &text, NULL) == MCPW_E_CLOSED);
    CHECK(mcpw_client_wait(client, 0, NULL) == MCPW_E_CLOSED);
    mcpw_client_free(client);
    mcpw_arena_free(&arena);
}

static void what_does_not_fit_the_revision_is_refused_before_it_is_sent(void) {
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    mcpw_client *const client = start(NULL);
    mcpw_error error = {0};
    CHECK(mcpw_client_request(client, revision, 0, NULL, NULL, NULL, NULL, &error) != MCPW_OK);
    CHECK(error.code != MCPW_OK);
    mcpw_client_free(client);
}

/* ---- What not every revision has ---- */

static mcpw_client *start_speaking(const char *revision) {
    const mcpw_spawn spawn = {.argv = serve_argv, .on_stderr = ignore_line};
    mcpw_session_config c = config();
    c.revisions = revision;
    mcpw_client *const client = mcpw_client_start(&spawn, &c, NULL);
    CHECK(client != NULL);
    return client;
}

static void a_ping_waits_for_its_answer(void) {
    mcpw_client *const old = start_speaking("2025-11-25");
    mcpw_client *const modern = start_speaking("2026-07-28");
    mcpw_error error = {0};
    CHECK(mcpw_client_ping(old, SOON, &error) == MCPW_OK);
    CHECK(mcpw_client_ping(modern, SOON, &error) == MCPW_E_METHOD && error.code == MCPW_E_METHOD);
    CHECK(mcpw_client_ping(NULL, 0, &error) == MCPW_E_ARGUMENT);
    mcpw_client_free(old);
    mcpw_client_free(modern);
}

static void a_level_of_log_messages_is_said_in_each_revision(void) {
    mcpw_client *const old = start_speaking("2025-11-25");
    mcpw_client *const modern = start_speaking("2026-07-28");
    mcpw_error error = {0};
    CHECK(mcpw_client_set_log_level(old, MCPW_LOG_WARNING, &error) == MCPW_OK);
    CHECK(mcpw_client_set_log_level(modern, MCPW_LOG_WARNING, &error) == MCPW_OK);
    CHECK(mcpw_client_set_log_level(old, (mcpw_log_level)0, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_set_log_level(NULL, MCPW_LOG_INFO, &error) == MCPW_E_ARGUMENT);
    mcpw_client_free(old);
    mcpw_client_free(modern);
}

static void no_client_has_nothing(void) {
    mcpw_error error = {0};
    CHECK(mcpw_client_session(NULL) == NULL && mcpw_client_child(NULL) == NULL);
    CHECK(mcpw_client_wait(NULL, 0, &error) == MCPW_E_ARGUMENT && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_work(NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_client_request(NULL, NULL, 1, NULL, NULL, NULL, NULL, &error) == MCPW_E_ARGUMENT);
}

static void a_config_without_its_size_is_refused(void) {
    mcpw_session_config c = config();
    mcpw_error error = {0};
    c.struct_size = 1;
    CHECK(start_shell("cat", &c, &error) == NULL && error.code == MCPW_E_ARGUMENT);
}

/* The last message of a server may be long, may move the cursor, may not be UTF-8. */
static void last_words_are_made_plain(void) {
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    CHECK(start_shell("printf 'a\\033[2J\\177b\\377c\\303\\251' >&2; exit 1", &c, &error) == NULL);
    CHECK_STRING(error.message, "the server exited with status 1: a\\x1b[2J\\x7fb\\xffc\xc3\xa9");
    CHECK(start_shell("printf 'a\\302\\233\\342\\200\\256' >&2; exit 1", &c, &error) == NULL);
    CHECK_STRING(error.message, "the server exited with status 1: a\\xc2\\x9b\\xe2\\x80\\xae");
    CHECK(start_shell("printf 'begin%0300dend' 1 >&2; exit 1", &c, &error) == NULL);
    CHECK(strstr(error.message, "status 1: begin000") != NULL && strstr(error.message, "end") == NULL);
    CHECK(start_shell("exit 1", &c, &error) == NULL);
    CHECK_STRING(error.message, "the server exited with status 1");
}

/* If the system reaps children, their exit status is unknown. */
static void a_server_that_the_system_reaped_has_ended(void) {
    const mcpw_session_config c = config();
    mcpw_error error = {0};
    struct sigaction reap;
    struct sigaction before;
    memset(&reap, 0, sizeof reap);
    reap.sa_handler = SIG_IGN;
    (void)sigaction(SIGCHLD, &reap, &before);
    CHECK(start_shell("echo bye >&2; exit 3", &c, &error) == NULL && error.code == MCPW_E_CLOSED);
    (void)sigaction(SIGCHLD, &before, NULL);
    CHECK_STRING(error.message, "the server has ended: bye");
}

/* ---- Serving ---- */

static void serving_needs_a_server(void) {
    mcpw_error error = {0};
    CHECK(mcpw_serve_stdio(NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "mcpw_server_new") != NULL);
    CHECK(mcpw_serve_stdio(NULL, NULL) == MCPW_E_ARGUMENT);
}

static void a_server_that_cannot_say_its_version_does_not_serve(void) {
    mcpw_server_config c = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error = {0};
    c.name = "s";
    mcpw_server *const server = mcpw_server_new_with(&c, NULL);
    CHECK(server != NULL && mcpw_serve_stdio(server, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "version") != NULL);
    CHECK(mcpw_serve_stdio(server, NULL) == MCPW_E_ARGUMENT);
    mcpw_server_free(server);
}

static void a_server_without_standard_input_says_so(void) {
    mcpw_server *const server = new_server();
    const int before = dup(STDIN_FILENO);
    mcpw_error error = {0};
    (void)close(STDIN_FILENO);
    CHECK(mcpw_serve_stdio(server, &error) == MCPW_E_IO);
    CHECK(dup2(before, STDIN_FILENO) == STDIN_FILENO && close(before) == 0);
    CHECK_STRING(error.message, "the descriptor for input cannot be used: Bad file descriptor");
    mcpw_server_free(server);
}

int main(int argc, char **argv) {
    const char *const emulator = getenv("MCPW_TEST_EMULATOR");
    if (argc > 1) {
        return serve();
    }
    serve_words[0] = emulator != NULL ? emulator : "";
    serve_words[1] = argv[0];
    serve_words[2] = "serve";
    serve_argv = emulator != NULL ? serve_words : serve_words + 1;
    if (access("/bin/sh", X_OK) != 0) {
        (void)fprintf(stderr, "skipped: no /bin/sh\n");
        return CHECK_SKIPPED;
    }
    RUN(a_call_waits_for_its_result);
    RUN(a_large_message_goes_both_ways);
    RUN(an_error_of_the_servers_is_told);
    RUN(an_error_of_the_servers_keeps_all_of_its_members);
    RUN(a_call_that_takes_too_long_fails);
    RUN(a_call_after_a_pause_has_all_its_time);
    RUN(a_result_needs_an_arena);
    RUN(a_callback_cannot_wait);
    RUN(what_comes_while_waiting_is_handled);
    RUN(waiting_takes_its_time);
    RUN(standard_error_is_read_while_a_call_waits);
    RUN(a_command_that_is_missing_is_named);
    RUN(a_server_that_ends_at_once_says_why);
    RUN(a_server_that_exits_when_asked_for_its_revision_is_started_again);
    RUN(a_server_that_has_read_nothing_is_not_started_again);
    RUN(a_client_that_speaks_no_older_revision_starts_no_server_again);
    RUN(a_server_that_always_exits_is_started_twice);
    RUN(a_server_that_was_killed_is_told_so);
    RUN(a_server_that_only_closes_its_output_is_told_so);
    RUN(a_server_that_never_answers_is_given_up);
    RUN(a_server_that_talks_nonsense_first_is_understood);
    RUN(a_server_that_ends_in_a_call_says_why_then_and_later);
    RUN(a_server_that_ends_between_calls_is_noticed);
    RUN(a_wait_ends_with_the_server);
    RUN(a_loop_of_the_callers_looks_at_standard_error_too);
    RUN(nothing_is_left_behind);
    RUN(a_client_needs_a_config);
    RUN(what_is_wrong_with_the_config_is_told_when_it_is_sent);
    RUN(a_client_works_on_a_socket);
    RUN(a_server_on_standard_input_ends_with_it);
    RUN(a_server_survives_a_client_that_does_not_read);
    RUN(a_result_may_be_left_out);
    RUN(an_arena_without_room_is_an_error);
    RUN(an_error_record_may_be_left_out);
    RUN(what_does_not_fit_the_revision_is_refused_before_it_is_sent);
    RUN(a_ping_waits_for_its_answer);
    RUN(a_level_of_log_messages_is_said_in_each_revision);
    RUN(no_client_has_nothing);
    RUN(a_config_without_its_size_is_refused);
    RUN(last_words_are_made_plain);
    RUN(a_server_that_the_system_reaped_has_ended);
    RUN(serving_needs_a_server);
    RUN(a_server_that_cannot_say_its_version_does_not_serve);
    RUN(a_server_without_standard_input_says_so);
    return check_end();
}
