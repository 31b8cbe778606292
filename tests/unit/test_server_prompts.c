/* SPDX-License-Identifier: MIT */
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "check.h"

#include "fake_request.h"

static const char newest[] = "2026-07-28";
static const char middle[] = "2025-11-25";

void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri) {
    (void)session;
    (void)change;
    (void)uri;
}

/* Answers with an argument. */
static mcpw_status say_argument(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    char text[256];
    const mcpw_str a = mcpw_prompt_get_argument(request, get, "a");
    (void)snprintf(text, sizeof text, "%.*s a=%s", (int)get->arguments.len, get->arguments.ptr,
                   a.ptr != NULL ? a.ptr : "absent");
    if (user != NULL) {
        CHECK(mcpw_server_remove_prompt(user, get->name.ptr) == MCPW_OK);
    }
    return mcpw_respond_prompt_text(request, mcpw_str_from(text));
}

/* Suggests what it was asked. */
static mcpw_status suggest(mcpw_request *request, const mcpw_completion *completion, void *user) {
    const mcpw_str context = {completion->context.ptr, completion->context.len};
    const mcpw_str values[] = {completion->name, completion->argument, completion->value, context};
    (void)user;
    return mcpw_respond_completion(request, values, context.ptr != NULL ? 4 : 3);
}

static mcpw_status suggest_many(mcpw_request *request, const mcpw_completion *completion, void *user) {
    static mcpw_str values[200];
    for (size_t i = 0; i < 200; i++) {
        values[i] = mcpw_str_from("v");
    }
    (void)completion;
    return mcpw_respond_completion(request, values, *(const size_t *)user);
}

static mcpw_status read_nothing(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_not_found(request);
}

static void add_prompt(mcpw_server *server, const char *name, mcpw_complete_handler complete, void *user) {
    static const mcpw_prompt_argument arguments[] = {{"a", "what", true}, {"b", NULL, false}};
    const mcpw_prompt prompt = {.name = name,
                                .description = "d",
                                .arguments = arguments,
                                .argument_count = 2,
                                .get = say_argument,
                                .complete = complete,
                                .user = user};
    CHECK(mcpw_server_add_prompt(server, &prompt, NULL) == MCPW_OK);
}

#define PROMPT_RESULT(text)                                                                                  \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"" text "\"}}]}"

static void prompts_are_listed_with_their_arguments(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_prompt plain = {.name = "q", .title = "Q", .get = say_argument};
    add_prompt(server, "p", NULL, NULL);
    CHECK(mcpw_server_add_prompt(server, &plain, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "prompts/list", NULL,
                 "{\"prompts\":[{\"name\":\"p\",\"description\":\"d\",\"arguments\":[{\"name\":\"a\","
                 "\"description\":\"what\",\"required\":true},{\"name\":\"b\"}]},"
                 "{\"name\":\"q\",\"title\":\"Q\"}]}");
    CHECK_RESULT(server, "2024-11-05", "prompts/list", NULL,
                 "{\"prompts\":[{\"name\":\"p\",\"description\":\"d\",\"arguments\":[{\"name\":\"a\","
                 "\"description\":\"what\",\"required\":true},{\"name\":\"b\"}]},"
                 "{\"name\":\"q\"}]}");
    mcpw_server_free(server);
}

static void check_refused(const mcpw_prompt *prompt, mcpw_status status, const char *path) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_error error;
    memset(&error, 0, sizeof error);
    CHECK(mcpw_server_add_prompt(server, prompt, &error) == status);
    CHECK_STRING(error.path, path);
    mcpw_server_free(server);
}

static void what_makes_no_prompt_is_refused(void) {
    static const mcpw_prompt_argument nameless = {NULL, "d", false};
    static const mcpw_prompt_argument twice[] = {{"a", NULL, false}, {"b", NULL, false}, {"a", NULL, true}};
    mcpw_prompt prompt = {.get = say_argument};
    check_refused(&prompt, MCPW_E_ARGUMENT, "/name");
    prompt.name = "p";
    prompt.argument_count = 1;
    check_refused(&prompt, MCPW_E_ARGUMENT, "");
    prompt.arguments = &nameless;
    check_refused(&prompt, MCPW_E_ARGUMENT, "/arguments");
    prompt.arguments = twice;
    prompt.argument_count = 3;
    check_refused(&prompt, MCPW_E_DUPLICATE, "/arguments");
    prompt.argument_count = 2;
    prompt.get = NULL;
    check_refused(&prompt, MCPW_E_ARGUMENT, "");
}

static void a_prompt_gets_its_arguments(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_prompt plain = {.name = "q", .get = say_argument};
    add_prompt(server, "p", NULL, NULL);
    CHECK(mcpw_server_add_prompt(server, &plain, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "prompts/get", "{\"name\":\"p\",\"arguments\":{\"a\":\"x\\ny\"}}",
                 PROMPT_RESULT("{\\\"a\\\":\\\"x\\\\ny\\\"} a=x\\ny"));
    CHECK_RESULT(server, newest, "prompts/get", "{\"name\":\"q\"}", PROMPT_RESULT("{} a=absent"));
    mcpw_server_free(server);
}

static void a_required_argument_that_is_missing_is_named(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_prompt(server, "p", NULL, NULL);
    CHECK_ERROR(server, middle, "prompts/get", "{\"name\":\"p\"}", -32602,
                "/arguments: missing required argument \"a\"");
    CHECK_ERROR(server, newest, "prompts/get", "{\"name\":\"p\",\"arguments\":{\"b\":\"\"}}", -32602,
                "/arguments: missing required argument \"a\"");
    mcpw_server_free(server);
}

static void an_unknown_prompt_is_named(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_prompt(server, "p", NULL, NULL);
    CHECK_ERROR(server, middle, "prompts/get", "{\"name\":\"q\"}", -32602, "Unknown prompt: q");
    mcpw_server_free(server);
}

static void a_prompt_may_remove_itself_while_it_runs(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_prompt(server, "p", NULL, server);
    CHECK_RESULT(server, middle, "prompts/get", "{\"name\":\"p\",\"arguments\":{\"a\":\"\"}}",
                 PROMPT_RESULT("{\\\"a\\\":\\\"\\\"} a="));
    CHECK_ERROR(server, middle, "prompts/get", "{\"name\":\"p\"}", -32602, "Unknown prompt: p");
    mcpw_server_free(server);
}

static void completions_are_asked_of_prompts_and_templates(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource_template t = {
        .uri_template = "a:{x}", .name = "t", .read = read_nothing, .complete = suggest};
    add_prompt(server, "p", suggest, NULL);
    CHECK(mcpw_server_add_resource_template(server, &t, NULL) == MCPW_OK);
    CHECK(mcpw_server_has(server, mcpw_str_from("completion/complete")));
    CHECK_RESULT(
        server, middle, "completion/complete",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"v\"},"
        "\"context\":{\"arguments\":{\"b\":\"c\"}}}",
        "{\"completion\":{\"values\":[\"p\",\"a\",\"v\",\"{\\\"b\\\":\\\"c\\\"}\"],\"total\":4,"
        "\"hasMore\":false}}");
    CHECK_RESULT(server, newest, "completion/complete",
                 "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"a:{x}\"},\"argument\":{\"name\":\"x\","
                 "\"value\":\"\"}}",
                 "{\"completion\":{\"values\":[\"a:{x}\",\"x\",\"\"],\"total\":3,\"hasMore\":false}}");
    CHECK_RESULT(server, "2024-11-05", "completion/complete",
                 "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"a:{x}\"},\"argument\":{\"name\":\"x\","
                 "\"value\":\"\"}}",
                 "{\"completion\":{\"values\":[\"a:{x}\",\"x\",\"\"],\"total\":3,\"hasMore\":false}}");
    mcpw_server_free(server);
}

static void what_suggests_nothing_has_no_values(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource resource = {.uri = "a:b", .name = "r", .read = read_nothing};
    add_prompt(server, "p", NULL, NULL);
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    CHECK(!mcpw_server_has(server, mcpw_str_from("completion/complete")));
    add_prompt(server, "q", suggest, NULL);
    CHECK_RESULT(
        server, middle, "completion/complete",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
        "{\"completion\":{\"values\":[],\"total\":0,\"hasMore\":false}}");
    CHECK_RESULT(
        server, middle, "completion/complete",
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"a:b\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
        "{\"completion\":{\"values\":[],\"total\":0,\"hasMore\":false}}");
    mcpw_server_free(server);
}

static void an_unknown_reference_is_named(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_prompt(server, "p", suggest, NULL);
    CHECK_ERROR(
        server, middle, "completion/complete",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"q\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
        -32602, "Unknown reference: q");
    CHECK_ERROR(
        server, newest, "completion/complete",
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}",
        -32602, "Unknown reference: p");
    mcpw_server_free(server);
}

static void at_most_a_hundred_values_are_sent(void) {
    static const char params[] =
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}}";
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    size_t count = 0;
    add_prompt(server, "p", suggest_many, &count);
    for (count = 100; count <= 101; count++) {
        mcpw_request r = fake_ask(server, middle, "completion/complete", params);
        mcpw_json completion = {NULL, 0, 0};
        mcpw_json values = {NULL, 0, 0};
        int64_t total = 0;
        bool more = false;
        CHECK(mcpw_json_get(mcpw_json_from(r.text), "completion", &completion) == MCPW_OK);
        CHECK(mcpw_json_get(completion, "values", &values) == MCPW_OK && mcpw_json_count(values) == 100);
        CHECK(mcpw_json_get_int(completion, "total", &total) == MCPW_OK && total == (int64_t)count);
        CHECK(mcpw_json_get_bool(completion, "hasMore", &more) == MCPW_OK && more == (count > 100));
        fake_free(&r);
    }
    mcpw_server_free(server);
}

int main(void) {
    if (mcpw_find_revision("2024-11-05") == NULL || mcpw_find_revision(newest) == NULL ||
        mcpw_find_revision(middle) == NULL) {
        (void)printf("skipped: the library lacks a revision\n");
        return CHECK_SKIPPED;
    }
    RUN(prompts_are_listed_with_their_arguments);
    RUN(what_makes_no_prompt_is_refused);
    RUN(a_prompt_gets_its_arguments);
    RUN(a_required_argument_that_is_missing_is_named);
    RUN(an_unknown_prompt_is_named);
    RUN(a_prompt_may_remove_itself_while_it_runs);
    RUN(completions_are_asked_of_prompts_and_templates);
    RUN(what_suggests_nothing_has_no_values);
    RUN(an_unknown_reference_is_named);
    RUN(at_most_a_hundred_values_are_sent);
    return check_end();
}
