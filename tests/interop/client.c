/* SPDX-License-Identifier: MIT */
/* Usage: client PEER --expect REVISION [--revisions "R ..."] -- LINK. See client.h. */
#include "client.h"

#include <mcp/2025-11-25/client.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>

enum { IN_FLIGHT = 32, PATIENCE_MS = 5000, STEP_MS = 20, MAX_PAGES = 100 };

typedef struct run {
    const peer *peer;
    const char *revision;
    bool modern; /* no handshake */
    mcpw_client *client;
    mcpw_arena arena; /* of the check that runs */
    heard heard;
    const char *check; /* its name */
} run;

/* ---- Checks -------------------------------------------------------------------------------------------- */

/* Ends the program when a check fails, saying where and why. */
#define REQUIRE(r, condition, ...)                                                                           \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("not ok %s\nFAILED at %s:%d: %s: ", (r)->check, __FILE__, __LINE__, #condition);          \
            printf(__VA_ARGS__);                                                                             \
            printf("\n");                                                                                    \
            mcpw_client_free((r)->client);                                                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static void begin(run *r, const char *check) {
    mcpw_arena_reset(&r->arena);
    r->check = check;
}

static void passed(const run *r) {
    printf("ok %s\n", r->check);
    fflush(stdout);
}

/* Lets things happen until *count is at least least. */
static void wait_for(run *r, const size_t *count, size_t least) {
    mcpw_error error = {.message = ""};
    for (int waited = 0; *count < least; waited += STEP_MS) {
        REQUIRE(r, waited < PATIENCE_MS, "%zu of %zu came", *count, least);
        REQUIRE(r, mcpw_client_wait(r->client, STEP_MS, &error) == MCPW_OK, "%s", error.message);
    }
}

static mcp_call_tool_request_params tool_params(const char *name, const char *arguments) {
    return (mcp_call_tool_request_params){.name = mcpw_str_from(name),
                                          .arguments = mcpw_json_from(arguments)};
}

static const mcp_call_tool_result *call_tool(run *r, const char *name, const char *arguments) {
    const mcp_call_tool_request_params params = tool_params(name, arguments);
    const mcp_call_tool_result *result;
    mcpw_error error = {.message = ""};
    REQUIRE(r, mcp_call_tools_call(r->client, &params, NULL, &r->arena, &result, &error) == MCPW_OK,
            "%s: %s %s", name, error.path, error.message);
    return result;
}

/* A tool's result as JSON. */
static mcpw_str result_text(run *r, const mcp_call_tool_result *result) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_error error = {.message = ""};
    REQUIRE(r, mcp_call_tool_result_encode(result, &text, NULL, &error) == MCPW_OK, "%s %s", error.path,
            error.message);
    const mcpw_str copy = mcpw_arena_str(&r->arena, text.data, text.len);
    mcpw_buffer_free(&text);
    return copy;
}

static bool holds(mcpw_str text, const char *part) {
    return text.ptr != NULL && strstr(text.ptr, part) != NULL;
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* Goes through all pages of a list and marks which of the wanted names it holds. */
#define LIST_ALL(r, call, result_type, items_of, name_of, wanted)                                            \
    do {                                                                                                     \
        mcpw_str cursor = {NULL, 0};                                                                         \
        size_t found = 0;                                                                                    \
        size_t pages = 0;                                                                                    \
        do {                                                                                                 \
            const mcp_paginated_request_params params = {.cursor = cursor};                                  \
            const result_type *result;                                                                       \
            mcpw_error error = {.message = ""};                                                              \
            REQUIRE(r, call((r)->client, &params, NULL, &(r)->arena, &result, &error) == MCPW_OK, "%s %s",   \
                    error.path, error.message);                                                              \
            for (size_t i = 0; i < result->items_of.count; i++) {                                            \
                found += is_one_of(result->items_of.items[i].name_of, wanted);                               \
            }                                                                                                \
            cursor = result->next_cursor;                                                                    \
            pages++;                                                                                         \
        } while (cursor.ptr != NULL && pages < MAX_PAGES);                                                   \
        REQUIRE(r, found == count_of(wanted), "%zu of %zu found on %zu page(s)", found, count_of(wanted),    \
                pages);                                                                                      \
    } while (0)

static size_t count_of(const char *const *names) {
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    return count;
}

static bool is_one_of(mcpw_str name, const char *const *names) {
    for (size_t i = 0; names[i] != NULL; i++) {
        if (mcpw_str_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

static void check_lists(run *r) {
    const char *const uris[] = {r->peer->uri, NULL};
    const char *const templates[] = {r->peer->uri_template, NULL};
    begin(r, "list prompts");
    LIST_ALL(r, mcp_call_prompts_list, mcp_list_prompts_result, prompts, name, r->peer->prompts);
    passed(r);
    begin(r, "list resources");
    LIST_ALL(r, mcp_call_resources_list, mcp_list_resources_result, resources, uri, uris);
    passed(r);
    begin(r, "list resource templates");
    LIST_ALL(r, mcp_call_resources_templates_list, mcp_list_resource_templates_result, resource_templates,
             uri_template, templates);
    passed(r);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

static void check_cases(run *r) {
    for (size_t i = 0; i < r->peer->case_count; i++) {
        const tool_case *const c = &r->peer->cases[i];
        if (c->since != NULL && strcmp(r->revision, c->since) < 0) {
            continue;
        }
        begin(r, c->what);
        const mcp_call_tool_result *const result = call_tool(r, c->tool, c->arguments);
        const mcpw_str text = result_text(r, result);
        REQUIRE(r, holds(text, c->expected), "%s is not in %s", c->expected, text.ptr);
        REQUIRE(r, (result->is_error.set && result->is_error.value) == c->is_error, "%s", text.ptr);
        passed(r);
    }
}

static void check_unknown_tool(run *r) {
    mcpw_error error = {.message = ""};
    begin(r, "unknown tool");
    const mcp_call_tool_request_params params = tool_params("no_such_tool", NULL);
    const mcp_call_tool_result *result;
    const mcpw_status status = mcp_call_tools_call(r->client, &params, NULL, &r->arena, &result, &error);
    if (r->peer->unknown_is_error) {
        REQUIRE(r, status == MCPW_E_REMOTE, "%s %s", mcpw_status_name(status), error.message);
        REQUIRE(r, strstr(error.message, "no_such_tool") != NULL, "%s", error.message);
    } else {
        REQUIRE(r, status == MCPW_OK && result->is_error.value, "%s", mcpw_status_name(status));
    }
    passed(r);
}

static void check_unknown_resource(run *r) {
    mcpw_error error = {.message = ""};
    begin(r, "unknown resource");
    const mcp_read_resource_request_params read = {.uri = MCPW_STR("test://no-such-resource")};
    const mcp_read_resource_result *contents;
    REQUIRE(r, mcp_call_resources_read(r->client, &read, NULL, &r->arena, &contents, &error) == MCPW_E_REMOTE,
            "%s", error.message);
    passed(r);
}

static void read_resource(run *r, const char *uri, const char *expected) {
    const mcp_read_resource_request_params params = {.uri = mcpw_str_from(uri)};
    const mcp_read_resource_result *result;
    mcpw_error error = {.message = ""};
    REQUIRE(r, mcp_call_resources_read(r->client, &params, NULL, &r->arena, &result, &error) == MCPW_OK,
            "%s %s", error.path, error.message);
    REQUIRE(r, result->contents.count == 1, "%zu contents", result->contents.count);
    const mcp_read_resource_result_contents_item *const one = &result->contents.items[0];
    REQUIRE(r, one->kind == MCP_READ_RESOURCE_RESULT_CONTENTS_ITEM_TEXT_RESOURCE_CONTENTS, "kind %d",
            (int)one->kind);
    REQUIRE(r, mcpw_str_is(one->as.text_resource_contents.uri, uri), "%s",
            one->as.text_resource_contents.uri.ptr);
    REQUIRE(r, holds(one->as.text_resource_contents.text, expected), "%s",
            one->as.text_resource_contents.text.ptr);
}

static void check_reads(run *r) {
    begin(r, "read a resource");
    read_resource(r, r->peer->uri, r->peer->uri_text);
    passed(r);
    begin(r, "read a resource of a template");
    read_resource(r, r->peer->template_uri, r->peer->template_text);
    passed(r);
}

static void check_prompts(run *r) {
    const char *const *const a = r->peer->prompt_arguments;
    const mcp_str_entry arguments[] = {{mcpw_str_from(a[0]), mcpw_str_from(a[1])},
                                       {mcpw_str_from(a[2]), mcpw_str_from(a[3])}};
    const mcp_get_prompt_request_params params = {.name = mcpw_str_from(r->peer->prompt),
                                                  .arguments = {arguments, 2}};
    const mcp_get_prompt_result *result;
    mcpw_error error = {.message = ""};
    begin(r, "get a prompt");
    REQUIRE(r, mcp_call_prompts_get(r->client, &params, NULL, &r->arena, &result, &error) == MCPW_OK, "%s %s",
            error.path, error.message);
    REQUIRE(r, result->messages.count == 1, "%zu messages", result->messages.count);
    const mcpw_str text = result->messages.items[0].content.as.text_content.text;
    REQUIRE(r, mcpw_str_is(text, r->peer->prompt_text), "%s", text.ptr);
    passed(r);

    begin(r, "complete");
    const mcp_complete_request_params complete = {
        .ref = {.kind = MCP_COMPLETE_REQUEST_PARAMS_REF_PROMPT_REFERENCE,
                .as.prompt_reference.name = mcpw_str_from(r->peer->completed_prompt)},
        .argument = {.name = mcpw_str_from(r->peer->completed_argument),
                     .value = mcpw_str_from(r->peer->completed_start)}};
    const mcp_complete_result *completed;
    REQUIRE(
        r, mcp_call_completion_complete(r->client, &complete, NULL, &r->arena, &completed, &error) == MCPW_OK,
        "%s %s", error.path, error.message);
    REQUIRE(r, completed->completion.values.count > 0, "no values");
    REQUIRE(r, mcpw_str_is(completed->completion.values.items[0], r->peer->completed_value), "%s",
            completed->completion.values.items[0].ptr);
    passed(r);
}

/* The parts that only revisions with a handshake have; the types are those of the last of them. */
static void check_legacy(run *r) {
    const mcp_20251125_empty_result *result;
    mcpw_error error = {.message = ""};
    begin(r, "ping");
    REQUIRE(r, mcp_20251125_call_ping(r->client, NULL, NULL, &r->arena, &result, &error) == MCPW_OK, "%s",
            error.message);
    passed(r);
}

static void check_logs(run *r) {
    mcp_call_tool_request_params params = tool_params(r->peer->log_tool, NULL);
    const mcp_call_tool_result *result;
    mcpw_error error = {.message = ""};
    begin(r, "log");
    if (r->modern) {
        params.meta.log_level = MCP_LOGGING_LEVEL_DEBUG;
    } else {
        const mcp_20251125_set_level_request_params level = {.level = MCP_20251125_LOGGING_LEVEL_DEBUG};
        const mcp_20251125_empty_result *set;
        REQUIRE(r,
                mcp_20251125_call_logging_set_level(r->client, &level, NULL, &r->arena, &set, &error) ==
                    MCPW_OK,
                "%s", error.message);
    }
    r->heard.logs = 0;
    REQUIRE(r, mcp_call_tools_call(r->client, &params, NULL, &r->arena, &result, &error) == MCPW_OK, "%s %s",
            error.path, error.message);
    wait_for(r, &r->heard.logs, 1);
    REQUIRE(r, strstr(r->heard.last_log, r->peer->log_text) != NULL, "%s", r->heard.last_log);
    passed(r);
}

/* ---- Things that take their time ----------------------------------------------------------------------- */

static void check_progress(run *r) {
    const mcp_call_tool_request_params params =
        tool_params(r->peer->progress_tool, r->peer->progress_arguments);
    const mcpw_call call = {.on_progress = hear_progress};
    const mcp_call_tool_result *result;
    mcpw_error error = {.message = ""};
    begin(r, "progress");
    REQUIRE(r, mcp_call_tools_call(r->client, &params, &call, &r->arena, &result, &error) == MCPW_OK, "%s",
            error.message);
    REQUIRE(r, r->heard.progress == r->peer->progress_count, "told %zu times", r->heard.progress);
    REQUIRE(r, r->heard.last_progress == r->peer->progress_total, "%g", r->heard.last_progress);
    REQUIRE(r, r->heard.last_total == r->peer->progress_total, "%g", r->heard.last_total);
    passed(r);
}

/* How a request ended that was not waited for. */
typedef struct outcome {
    run *run;
    size_t *ended;
    mcpw_status status;
    char text[KEPT_TEXT];
} outcome;

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    outcome *const o = user;
    const mcp_call_tool_result *const result = mcp_reply_tools_call(reply);
    (void)session;
    o->status = reply->status;
    (*o->ended)++;
    if (result != NULL && result->content.count > 0) {
        const mcpw_str text = result->content.items[0].as.text_content.text;
        snprintf(o->text, sizeof o->text, "%.*s", (int)text.len, text.ptr);
    }
}

static void check_cancel(run *r) {
    const mcp_call_tool_request_params params = tool_params(r->peer->slow_tool, r->peer->slow_arguments);
    size_t ended = 0;
    outcome out = {.run = r, .ended = &ended};
    int64_t number = 0;
    mcpw_error error = {.message = ""};
    begin(r, "cancel");
    mcpw_session *const session = mcpw_client_session(r->client);
    REQUIRE(r, mcp_request_tools_call(session, &params, NULL, on_reply, &out, &number, &error) == MCPW_OK,
            "%s", error.message);
    REQUIRE(r, mcpw_client_wait(r->client, 2 * STEP_MS, &error) == MCPW_OK, "%s", error.message);
    REQUIRE(r, ended == 0, "ended before it was cancelled");
    REQUIRE(r, mcpw_session_cancel(session, number, "changed my mind") == MCPW_OK, "not cancelled");
    REQUIRE(r, ended == 1 && out.status == MCPW_E_CANCELLED, "%s", mcpw_status_name(out.status));
    REQUIRE(r, mcpw_session_cancel(session, number, NULL) == MCPW_E_NOT_FOUND, "cancelled twice");
    (void)call_tool(r, "echo", "{\"message\":\"still here\"}");
    passed(r);
}

static void check_in_flight(run *r) {
    static outcome out[IN_FLIGHT];
    size_t ended = 0;
    mcpw_error error = {.message = ""};
    begin(r, "32 calls in flight");
    for (int i = 0; i < IN_FLIGHT; i++) {
        char arguments[KEPT_TEXT];
        snprintf(arguments, sizeof arguments, "{\"message\":\"number %d\"}", i);
        const mcp_call_tool_request_params params = tool_params("echo", arguments);
        out[i] = (outcome){.run = r, .ended = &ended};
        REQUIRE(r,
                mcp_request_tools_call(mcpw_client_session(r->client), &params, NULL, on_reply, &out[i], NULL,
                                       &error) == MCPW_OK,
                "%s", error.message);
    }
    wait_for(r, &ended, IN_FLIGHT);
    for (int i = 0; i < IN_FLIGHT; i++) {
        char message[KEPT_TEXT];
        char expected[2 * KEPT_TEXT];
        snprintf(message, sizeof message, "number %d", i);
        const int split = (int)(strstr(r->peer->echo_format, "%s") - r->peer->echo_format);
        snprintf(expected, sizeof expected, "%.*s%s", split, r->peer->echo_format, message);
        REQUIRE(r, out[i].status == MCPW_OK, "%d: %s", i, mcpw_status_name(out[i].status));
        REQUIRE(r, strcmp(out[i].text, expected) == 0, "%d: %s", i, out[i].text);
    }
    passed(r);
}

static void on_end(void *user, mcpw_session *session, const mcpw_reply *reply) {
    size_t *const ended = user;
    (void)session;
    (void)reply;
    (*ended)++;
}

static void check_listen(run *r) {
    const char *const uris[] = {r->peer->watched_uri};
    const mcpw_interest interest = {.tools = true, .uris = uris, .uri_count = 1};
    size_t ended = 0;
    int64_t number = 0;
    mcpw_error error = {.message = ""};
    begin(r, "listen");
    mcpw_session *const session = mcpw_client_session(r->client);
    REQUIRE(r, mcpw_session_listen(session, &interest, on_end, &ended, &number, &error) == MCPW_OK, "%s",
            error.message);
    REQUIRE(r, mcpw_client_wait(r->client, 5 * STEP_MS, &error) == MCPW_OK, "%s", error.message);
    REQUIRE(r, ended == 0, "refused");
    (void)call_tool(r, r->peer->update_tool, NULL);
    wait_for(r, &r->heard.updates, 1);
    REQUIRE(r, strcmp(r->heard.last_uri, r->peer->watched_uri) == 0, "%s", r->heard.last_uri);
    if (r->peer->quiet_tool != NULL) {
        (void)call_tool(r, r->peer->quiet_tool, NULL);
    }
    REQUIRE(r, mcpw_session_cancel(session, number, NULL) == MCPW_OK, "not ended");
    REQUIRE(r, ended == 1, "on_end was called %zu times", ended);
    const size_t before = r->heard.updates;
    if (r->peer->quiet_tool == NULL && r->modern) {
        (void)call_tool(r, r->peer->update_tool, NULL);
        REQUIRE(r, mcpw_client_wait(r->client, 5 * STEP_MS, &error) == MCPW_OK, "%s", error.message);
        REQUIRE(r, r->heard.updates == before, "%zu updates after the end", r->heard.updates - before);
    }
    passed(r);
}

/* ---- The run ------------------------------------------------------------------------------------------- */

static void on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *note) {
    (void)user;
    (void)session;
    if (note->kind != MCPW_DIAGNOSTIC_DROPPED) {
        fprintf(stderr, "client: note %d: %.*s: %s %s\n", (int)note->kind, (int)note->method.len,
                note->method.ptr != NULL ? note->method.ptr : "",
                note->error != NULL ? note->error->path : "",
                note->error != NULL ? note->error->message : "");
    }
}

static void check_connect(run *r, const char *revisions, char **link) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {.message = ""};
    mcpw_str name;
    config.name = "mcpwire-interop";
    config.version = "1.0.0";
    config.revisions = revisions;
    config.dispatch = &mcp_client_dispatch;
    config.handlers = &client_handlers;
    config.user = &r->heard;
    config.on_diagnostic = on_diagnostic;
    begin(r, "connect");
    r->client = client_open(link, &config, &error);
    REQUIRE(r, r->client != NULL, "%s %s", error.path, error.message);
    const mcpw_session *const session = mcpw_client_session(r->client);
    const char *const spoken = mcpw_revision_name(mcpw_session_revision(session));
    REQUIRE(r, strcmp(spoken, r->revision) == 0, "%s", spoken);
    REQUIRE(r, mcpw_json_get_string(mcpw_session_peer_info(session), "name", &r->arena, &name) == MCPW_OK,
            "no name");
    REQUIRE(r,
            name.len == strlen(r->peer->server_name) && memcmp(name.ptr, r->peer->server_name, name.len) == 0,
            "%.*s", (int)name.len, name.ptr);
    REQUIRE(r, r->peer->is_small || mcpw_session_instructions(session).len > 0, "no instructions");
    passed(r);
}

static void check_tools(run *r) {
    begin(r, "list tools");
    LIST_ALL(r, mcp_call_tools_list, mcp_list_tools_result, tools, name, r->peer->tools);
    passed(r);
    check_cases(r);
    check_unknown_tool(r);
    check_progress(r);
    check_in_flight(r);
}

static void check_all(run *r) {
    check_lists(r);
    check_unknown_resource(r);
    check_reads(r);
    check_prompts(r);
    check_cancel(r);
    check_logs(r);
    check_listen(r);
}

static bool read_arguments(int argc, char **argv, run *r, const char **revisions, char ***link) {
    int i = 2;
    for (size_t k = 0; argc > 1 && k < peer_count; k++) {
        r->peer = strcmp(argv[1], peers[k].name) == 0 ? &peers[k] : r->peer;
    }
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
        if (strcmp(argv[i], "--expect") == 0) {
            r->revision = argv[i + 1];
        } else if (strcmp(argv[i], "--revisions") == 0) {
            *revisions = argv[i + 1];
        }
    }
    *link = argv + (i + 1 < argc ? i + 1 : argc);
    return r->peer != NULL && r->revision != NULL && **link != NULL;
}

int main(int argc, char **argv) {
    run r = {.arena = MCPW_ARENA_INIT};
    const char *revisions = NULL;
    char **link = NULL;
    if (!read_arguments(argc, argv, &r, &revisions, &link)) {
        fprintf(stderr, "usage: %s PEER --expect REVISION [--revisions \"R ...\"] -- %s\n", argv[0],
                client_link);
        return 2;
    }
    r.modern = strcmp(r.revision, "2026-07-28") >= 0;
    check_connect(&r, revisions, link);
    check_tools(&r);
    if (!r.peer->is_small) {
        check_all(&r);
    }
    if (!r.modern) {
        check_legacy(&r);
    }
    begin(&r, "close");
    const uint64_t started = mcpw_io_now();
    mcpw_client_free(r.client);
    r.client = NULL;
    const uint64_t took = mcpw_io_now() - started;
    REQUIRE(&r, took < PATIENCE_MS, "took %d ms", (int)took);
    passed(&r);
    mcpw_arena_free(&r.arena);
    return 0;
}
