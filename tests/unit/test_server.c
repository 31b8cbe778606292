/* SPDX-License-Identifier: MIT */
/* Tools, and what all registries have in common: definitions, lists, pages, changes. */
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "check.h"
#include "counting_allocator.h"

#include "fake_request.h"
#include "server/server_internal.h"

static const char oldest[] = "2024-11-05";
static const char newest[] = "2026-07-28";
static const char middle[] = "2025-11-25";

/* ---- What a session is told ---- */

enum { CHANGES = 4 };

typedef struct listener {
    size_t told[CHANGES];
    char uri[32];
    mcpw_server_link *leaves; /* a link that goes when this one is told */
    mcpw_server *adds_to;     /* a server that gets a prompt then */
} listener;

static mcpw_status answer_prompt(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)user;
    return mcpw_respond_prompt_text(request, get->name);
}

void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri) {
    listener *const l = (listener *)(void *)session;
    l->told[change]++;
    (void)snprintf(l->uri, sizeof l->uri, "%s", uri.ptr != NULL ? uri.ptr : "");
    if (l->leaves != NULL) {
        mcpw_server_detach(l->leaves);
    }
    if (l->adds_to != NULL) {
        mcpw_server *const server = l->adds_to;
        const mcpw_prompt prompt = {.name = "from inside", .get = answer_prompt};
        l->adds_to = NULL;
        CHECK(mcpw_server_add_prompt(server, &prompt, NULL) == MCPW_OK);
    }
}

static mcpw_server_link link_of(listener *l) {
    const mcpw_server_link link = {NULL, NULL, (mcpw_session *)(void *)l};
    return link;
}

/* ---- Handlers ---- */

static mcpw_status echo_arguments(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str text = {call->arguments.ptr, call->arguments.len};
    (void)user;
    return mcpw_respond_text(request, text);
}

static mcpw_status say_user(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    return mcpw_respond_text(request, mcpw_str_from(user));
}

static mcpw_status answer_structured(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_json value;
    (void)user;
    return mcpw_json_get(call->arguments, "value", &value) == MCPW_OK
               ? mcpw_respond_structured(request, value)
               : mcpw_respond_tool_error(request, "no value");
}

static mcpw_status add_tool_with(mcpw_server *server, const char *name, const char *more) {
    mcpw_tool tool;
    memset(&tool, 0, sizeof tool);
    tool.name = name;
    tool.call = echo_arguments;
    tool.more = mcpw_json_from(more);
    return mcpw_server_add_tool(server, &tool, NULL);
}

static void add_tool(mcpw_server *server, const char *name) {
    CHECK(add_tool_with(server, name, NULL) == MCPW_OK);
}

static mcpw_server *paged_server(size_t page_size) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = "s";
    config.page_size = page_size;
    config.check_schemas = MCPW_OFF; /* odd tools are among them */
    return mcpw_server_new_with(&config, NULL);
}

/* ---- The server ---- */

static void a_server_keeps_copies_of_its_config(void) {
    char name[] = "name";
    char version[] = "1";
    char info[] = "{\"title\":\"T\"}";
    char instructions[] = "use it";
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    config.name = name;
    config.version = version;
    config.info = mcpw_json_from(info);
    config.instructions = instructions;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    memset(name, 'x', 4);
    memset(version, 'x', 1);
    memset(info, 'x', 4);
    memset(instructions, 'x', 3);
    CHECK_STRING(mcpw_server_base_of(server)->config.name, "name");
    CHECK_STRING(mcpw_server_base_of(server)->config.version, "1");
    CHECK_STRING(mcpw_server_base_of(server)->config.instructions, "use it");
    CHECK_TEXT(mcpw_server_base_of(server)->config.info.ptr, mcpw_server_base_of(server)->config.info.len,
               "{\"title\":\"T\"}");
    mcpw_server_free(server);
}

/* Why no server is made of a config. */
static void refused(const mcpw_server_config *config, mcpw_status status, const char *wanted) {
    mcpw_error error = {0};
    CHECK(mcpw_server_new_with(config, &error) == NULL);
    CHECK(error.code == status);
    CHECK_STRING(error.message, wanted);
    CHECK(mcpw_server_new_with(config, NULL) == NULL);
}

static void a_config_that_cannot_be_used_makes_no_server(void) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_server_new(NULL, "1", NULL) == NULL);
    CHECK(mcpw_server_new(NULL, "1", &error) == NULL);
    CHECK(error.code == MCPW_E_ARGUMENT);
    CHECK_STRING(error.message, "a server's config is unusable: it has no name");
    refused(NULL, MCPW_E_ARGUMENT, "a server's config is unusable: it has no name");
    config.name = "s";
    config.info = mcpw_json_from("[]");
    refused(&config, MCPW_E_ARGUMENT, "a server's config is unusable: info is no JSON object");
    config.info = mcpw_json_from("{");
    refused(&config, MCPW_E_ARGUMENT, "a server's config is unusable: info is no JSON object");
    mcpw_server_free(NULL);
}

static void a_config_of_an_unknown_size_makes_no_server(void) {
    struct {
        mcpw_server_config config;
        size_t later; /* a member that this library does not know */
    } newer = {.config = MCPW_SERVER_CONFIG_INIT, .later = 1};
    newer.config.name = "s";
    newer.config.struct_size = 1;
    refused(&newer.config, MCPW_E_ARGUMENT, "a server's config is unusable: struct_size is wrong");
    newer.config.struct_size = sizeof newer;
    refused(&newer.config, MCPW_E_ARGUMENT, "a server's config is unusable: struct_size is wrong");
    newer.later = 0;
    mcpw_server *const server = mcpw_server_new_with(&newer.config, NULL);
    CHECK(server != NULL);
    mcpw_server_free(server);
}

static void without_memory_there_is_no_server(void) {
    mcpw_server *server = NULL;
    size_t failed = 0;
    while (server == NULL) {
        counting memory = {.fail_at = ++failed};
        mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
        mcpw_error error = {0};
        config.name = "s";
        config.version = "1";
        config.allocator = counting_allocator(&memory);
        server = mcpw_server_new_with(&config, &error);
        CHECK(server != NULL || error.code == MCPW_E_MEMORY);
        CHECK_STRING(error.message, server != NULL ? "" : mcpw_status_text(MCPW_E_MEMORY));
        mcpw_server_free(server);
        CHECK(memory.in_use == 0);
    }
    CHECK(failed > 3); /* the server and two texts */
}

static void a_server_has_the_methods_of_what_was_ever_registered(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    CHECK(!mcpw_server_has(server, mcpw_str_from("tools/list")));
    add_tool(server, "t");
    CHECK(mcpw_server_remove_tool(server, "t") == MCPW_OK);
    CHECK(mcpw_server_has(server, mcpw_str_from("tools/list")));
    CHECK(mcpw_server_has(server, mcpw_str_from("tools/call")));
    CHECK(!mcpw_server_has(server, mcpw_str_from("prompts/list")));
    CHECK(!mcpw_server_has(server, mcpw_str_from("resources/list")));
    CHECK(!mcpw_server_has(server, mcpw_str_from("completion/complete")));
    CHECK(!mcpw_server_has(server, mcpw_str_from("ping")));
    CHECK_RESULT(server, newest, "tools/list", NULL, "{\"tools\":[]}");
    mcpw_server_free(server);
}

/* ---- Definitions ---- */

static mcpw_status refused_tool(const mcpw_tool *tool, const char *path, const char *message) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_error error;
    memset(&error, 0, sizeof error);
    const mcpw_status status = mcpw_server_add_tool(server, tool, &error);
    CHECK(error.code == status);
    CHECK_STRING(error.path, path);
    CHECK_STRING(error.message, message);
    CHECK(!mcpw_server_has(server, mcpw_str_from("tools/list")));
    mcpw_server_free(server);
    return status;
}

static void a_tool_needs_a_name_of_the_grammar(void) {
    static const char rule[] = "expected 1 to 128 of A-Z a-z 0-9 _ - .";
    char name[130];
    mcpw_tool tool = {.call = echo_arguments};
    memset(name, 'n', sizeof name);
    CHECK(refused_tool(&tool, "/name", "it is missing") == MCPW_E_ARGUMENT);
    tool.name = "";
    CHECK(refused_tool(&tool, "/name", rule) == MCPW_E_ARGUMENT);
    tool.name = "a b";
    CHECK(refused_tool(&tool, "/name", rule) == MCPW_E_ARGUMENT);
    tool.name = name;
    name[129] = '\0';
    CHECK(refused_tool(&tool, "/name", rule) == MCPW_E_ARGUMENT);
    name[128] = '\0';
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    mcpw_server_free(server);
}

static void a_tool_needs_a_handler(void) {
    const mcpw_tool tool = {.name = "t"};
    CHECK(refused_tool(&tool, "", "server, tool or its call is NULL") == MCPW_E_ARGUMENT);
}

static void what_makes_no_tool_is_refused_with_its_place(void) {
    mcpw_tool tool = {.name = "t", .call = echo_arguments};
    tool.input_schema = mcpw_json_from("{\"type\":\"array\"}");
    CHECK(refused_tool(&tool, "/inputSchema/type", "expected \"object\", got \"array\"") == MCPW_E_VALUE);
    tool.input_schema = mcpw_json_from("{");
    CHECK(refused_tool(&tool, "/inputSchema", "text is not valid JSON") == MCPW_E_SYNTAX);
    tool.input_schema = mcpw_json_from("{}, \"x\":{}");
    CHECK(refused_tool(&tool, "/inputSchema", "text is not valid JSON") == MCPW_E_SYNTAX);
    tool.input_schema = mcpw_json_from(NULL);
    tool.description = "\xff";
    CHECK(refused_tool(&tool, "/description", "text is not valid UTF-8") == MCPW_E_UTF8);
    tool.description = NULL;
    tool.more = mcpw_json_from("[]");
    CHECK(refused_tool(&tool, "/more", "expected object") == MCPW_E_TYPE);
    tool.more = mcpw_json_from("{\"annotations\":{\"title\":1}}");
    CHECK(refused_tool(&tool, "/annotations/title", "expected string, got number") == MCPW_E_TYPE);
}

static void a_member_given_twice_is_refused(void) {
    const mcpw_tool tool = {.name = "t", .call = echo_arguments, .more = MCPW_JSON("{\"name\":\"u\"}")};
    CHECK(refused_tool(&tool, "/name", "member occurs twice") == MCPW_E_DUPLICATE);
}

static void a_name_is_registered_once(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_tool tool = {.name = "t", .call = echo_arguments};
    mcpw_error error;
    add_tool(server, "t");
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_E_DUPLICATE);
    CHECK_STRING(error.path, "/name");
    CHECK(mcpw_server_remove_tool(server, "u") == MCPW_E_NOT_FOUND);
    CHECK(mcpw_server_remove_tool(server, "t") == MCPW_OK);
    CHECK(mcpw_server_remove_tool(server, "t") == MCPW_E_NOT_FOUND);
    add_tool(server, "t");
    mcpw_server_free(server);
}

static void texts_of_a_definition_are_copied_and_escaped(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    char description[] = "say \"hi\"\n\xc3\xa9";
    char schema[] = "{ \"type\" :\n\"object\"}";
    mcpw_tool tool = {.name = "t", .description = description, .call = echo_arguments};
    tool.input_schema = mcpw_json_from(schema);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    memset(description, 'x', 3);
    memset(schema, 'x', 3);
    CHECK_RESULT(server, newest, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"description\":\"say \\\"hi\\\"\\n\xc3\xa9\","
                 "\"inputSchema\":{\"type\":\"object\"}}]}");
    mcpw_server_free(server);
}

/* ---- Lists ---- */

static void each_revision_sees_the_members_that_it_knows(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .title = "T", .call = echo_arguments};
    tool.output_schema = mcpw_json_from("{\"type\":\"object\"}");
    tool.more = mcpw_json_from("{\"annotations\":{\"readOnlyHint\":true},\"x-own\":1,\"_meta\":{\"a\":1},"
                               "\"execution\":{\"taskSupport\":\"optional\"}}");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, oldest, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"x-own\":1}]}");
    CHECK_RESULT(server, "2025-03-26", "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},"
                 "\"annotations\":{\"readOnlyHint\":true},\"x-own\":1}]}");
    CHECK_RESULT(server, "2025-06-18", "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},"
                 "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true},"
                 "\"_meta\":{\"a\":1},\"x-own\":1}]}");
    CHECK_RESULT(server, middle, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},"
                 "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true},"
                 "\"execution\":{\"taskSupport\":\"optional\"},\"_meta\":{\"a\":1},\"x-own\":1}]}");
    CHECK_RESULT(server, newest, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},"
                 "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true},"
                 "\"_meta\":{\"a\":1},\"x-own\":1}]}");
    mcpw_server_free(server);
}

static void an_optional_member_that_a_revision_cannot_say_is_left_out_there(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = echo_arguments};
    tool.output_schema = mcpw_json_from("{\"type\":\"array\"}");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}");
    mcpw_server_free(server);
}

/* A tool that only the newest revision can say: its input schema is an odd one. */
static void add_odd_tool(mcpw_server *server, const char *name) {
    mcpw_tool tool = {.name = name, .call = echo_arguments};
    tool.input_schema = mcpw_json_from("{\"type\":\"object\",\"properties\":\"none\"}");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
}

static void an_entry_that_a_revision_cannot_say_is_left_out_there(void) {
    mcpw_server *const server = paged_server(0);
    add_odd_tool(server, "t");
    for (int again = 0; again < 2; again++) {
        CHECK_RESULT(server, middle, "tools/list", NULL, "{\"tools\":[]}");
    }
    CHECK_RESULT(server, newest, "tools/list", NULL,
                 "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\","
                 "\"properties\":\"none\"}}]}");
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\"}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}]}");
    mcpw_server_free(server);
}

/* The names in a page, and its cursor in *next, which must be freed; NULL when there is none. */
static void check_page(mcpw_server *server, char **next, const char *want) {
    char params[128];
    char names[256] = "";
    mcpw_json tools;
    mcpw_json tool;
    mcpw_json_iter it;
    mcpw_str text;
    (void)snprintf(params, sizeof params, "{\"cursor\":\"%s\"}", *next != NULL ? *next : "");
    mcpw_request r = fake_ask(server, middle, "tools/list", *next != NULL ? params : NULL);
    free(*next);
    *next = NULL;
    CHECK(r.code == 0);
    const mcpw_json result = mcpw_json_from(r.text);
    CHECK(mcpw_json_get(result, "tools", &tools) == MCPW_OK && mcpw_json_iterate(tools, &it) == MCPW_OK);
    while (mcpw_json_next(&it, NULL, &tool)) {
        CHECK(mcpw_json_get_string(tool, "name", NULL, &text) == MCPW_OK);
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%.*s", (int)text.len, text.ptr);
    }
    CHECK_STRING(names, want);
    if (mcpw_json_get_string(result, "nextCursor", NULL, &text) == MCPW_OK) {
        *next = fake_copy(text.ptr, text.len);
    }
    fake_free(&r);
}

static void pages_follow_the_order_of_registration(void) {
    mcpw_server *const server = paged_server(2);
    char *next = NULL;
    add_tool(server, "d");
    add_tool(server, "b");
    add_tool(server, "e");
    add_tool(server, "a");
    check_page(server, &next, "db");
    check_page(server, &next, "ea");
    CHECK(next == NULL);
    add_tool(server, "c");
    check_page(server, &next, "db");
    check_page(server, &next, "ea");
    check_page(server, &next, "c");
    CHECK(next == NULL);
    mcpw_server_free(server);
}

static void changes_between_pages_skip_and_repeat_nothing(void) {
    mcpw_server *const server = paged_server(2);
    char *next = NULL;
    add_tool(server, "a");
    add_tool(server, "b");
    add_tool(server, "c");
    add_tool(server, "d");
    check_page(server, &next, "ab");
    CHECK(mcpw_server_remove_tool(server, "a") == MCPW_OK);
    CHECK(mcpw_server_remove_tool(server, "b") == MCPW_OK);
    add_tool(server, "b");
    check_page(server, &next, "cd");
    check_page(server, &next, "b");
    CHECK(next == NULL);
    mcpw_server_free(server);
}

static void a_list_that_was_emptied_goes_on_after_its_cursor(void) {
    mcpw_server *const server = paged_server(1);
    char *next = NULL;
    add_tool(server, "a");
    add_tool(server, "b");
    check_page(server, &next, "a");
    CHECK(mcpw_server_remove_tool(server, "a") == MCPW_OK);
    CHECK(mcpw_server_remove_tool(server, "b") == MCPW_OK);
    add_tool(server, "c");
    check_page(server, &next, "c");
    CHECK(next == NULL);
    mcpw_server_free(server);
}

static void entries_that_a_revision_lacks_make_no_empty_page(void) {
    mcpw_server *const server = paged_server(1);
    char *next = NULL;
    add_odd_tool(server, "x");
    add_tool(server, "a");
    add_odd_tool(server, "y");
    add_tool(server, "b");
    add_odd_tool(server, "z");
    check_page(server, &next, "a");
    check_page(server, &next, "b");
    CHECK(next == NULL);
    free(next);
    mcpw_server_free(server);
}

static void a_cursor_of_no_page_is_refused(void) {
    static const char message[] = "/cursor: the cursor does not belong to this list";
    mcpw_server *const server = paged_server(1);
    add_tool(server, "a");
    add_tool(server, "b");
    static const char *const cursors[] = {"{\"cursor\":\"\"}",
                                          "{\"cursor\":\"1\"}",
                                          "{\"cursor\":\"AAAAAAAAAAAA\"}", /* number 0 */
                                          "{\"cursor\":\"AAAAAAAAAAAJ\"}", /* a number that was never given */
                                          "{\"cursor\":\"AQAAAAAAAAAB\"}", /* of resources */
                                          "{\"cursor\":\"AAAAAAAAAAABAA==\"}"};
    for (size_t i = 0; i < sizeof cursors / sizeof cursors[0]; i++) {
        CHECK_ERROR(server, middle, "tools/list", cursors[i], -32602, message);
    }
    CHECK_RESULT(server, middle, "tools/list", "{\"cursor\":\"AAAAAAAAAAAB\"}",
                 "{\"tools\":[{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\"}}]}");
    mcpw_server_free(server);
}

static void many_entries_are_all_found(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    char name[16];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "t%d", i);
        add_tool(server, name);
    }
    for (int i = 0; i < 300; i += 2) {
        (void)snprintf(name, sizeof name, "t%d", i);
        CHECK(mcpw_server_remove_tool(server, name) == MCPW_OK);
    }
    for (int i = 0; i < 300; i++) {
        char params[32];
        (void)snprintf(params, sizeof params, "{\"name\":\"t%d\"}", i);
        mcpw_request r = fake_ask(server, middle, "tools/call", params);
        CHECK(r.code == (i % 2 == 0 ? -32602 : 0));
        fake_free(&r);
    }
    mcpw_server_free(server);
}

/* ---- tools/call ---- */

static void a_call_gets_its_arguments_raw(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_tool(server, "t");
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{\"n\": 1e3}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\": 1e3}\"}]}");
    CHECK_RESULT(server, newest, "tools/call", "{\"name\":\"t\"}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}]}");
    mcpw_server_free(server);
}

static void an_unknown_tool_is_named(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_tool(server, "t");
    CHECK_ERROR(server, middle, "tools/call", "{\"name\":\"u\"}", -32602, "Unknown tool: u");
    CHECK_ERROR(server, newest, "tools/call", "{\"name\":\"\"}", -32602, "Unknown tool: ");
    mcpw_server_free(server);
}

static mcpw_status add_numbers(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_type *const type = mcpw_find_type(middle, "ProgressNotificationParams");
    const mcpw_field fields = mcpw_field_of(type, call->value);
    double sum = 0;
    double total = 0;
    char text[32];
    (void)user;
    CHECK(mcpw_field_number(mcpw_field_get(fields, "progress"), &sum));
    CHECK(mcpw_field_number(mcpw_field_get(fields, "total"), &total));
    (void)snprintf(text, sizeof text, "%d", (int)(sum + total));
    return mcpw_respond_text(request, mcpw_str_from(text));
}

static void arguments_with_a_type_are_decoded_first(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "add", .call = add_numbers};
    tool.arguments = mcpw_find_type(middle, "ProgressNotificationParams");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "tools/call",
                 "{\"name\":\"add\",\"arguments\":{\"progressToken\":1,\"progress\":2,\"total\":3}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"5\"}]}");
    mcpw_server_free(server);
}

static void arguments_that_do_not_fit_are_told_to_the_model(void) {
    static const char *const later[] = {"2025-11-25", "2026-07-28"};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "add", .call = add_numbers};
    tool.arguments = mcpw_find_type(middle, "ProgressNotificationParams");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        CHECK_RESULT(
            server, later[i], "tools/call",
            "{\"name\":\"add\",\"arguments\":{\"progress\":\"2\",\"total\":[]}}",
            "{\"content\":[{\"type\":\"text\",\"text\":\"The arguments do not fit the tool's input schema:"
            "\\n/arguments/progress: expected number, got string"
            "\\n/arguments/total: expected number, got array"
            "\\n/arguments: missing required member \\\"progressToken\\\"\"}],\"isError\":true}");
    }
    mcpw_server_free(server);
}

static void arguments_that_do_not_fit_were_invalid_params_before(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "add", .call = add_numbers};
    tool.arguments = mcpw_find_type(middle, "ProgressNotificationParams");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    for (size_t i = 0; i < count && strcmp(mcpw_revision_name(revisions[i]), middle) < 0; i++) {
        CHECK_ERROR(server, mcpw_revision_name(revisions[i]), "tools/call",
                    "{\"name\":\"add\",\"arguments\":{\"progressToken\":1,\"progress\":\"2\"}}", -32602,
                    "/arguments/progress: expected number, got string");
        CHECK_ERROR(server, mcpw_revision_name(revisions[i]), "tools/call", "{\"name\":\"add\"}", -32602,
                    "/arguments: missing required member \"progressToken\"");
    }
    mcpw_server_free(server);
}

/* A model can use some twenty lines. */
static void the_text_about_arguments_is_bounded(void) {
    enum { BAD = 1000, ENTRY = 8 };
    static char params[128 + BAD * ENTRY];
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "complete", .call = add_numbers};
    tool.arguments = mcpw_find_type(middle, "CompleteResult");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    size_t len = (size_t)snprintf(params, sizeof params, "%s",
                                  "{\"name\":\"complete\",\"arguments\":{\"completion\":{\"values\":[0");
    for (int i = 1; i < BAD; i++) {
        len += (size_t)snprintf(params + len, sizeof params - len, ",%d", i);
    }
    (void)snprintf(params + len, sizeof params - len, "]}}}");
    mcpw_request r = fake_ask(server, middle, "tools/call", params);
    CHECK(r.code == 0 && strstr(r.text, "/arguments/completion/values/19: expected string") != NULL);
    CHECK(strstr(r.text, "values/20:") == NULL && strstr(r.text, "\\n...\"") != NULL);
    fake_free(&r);
    mcpw_server_free(server);
}

static void texts_are_escaped_and_must_be_utf8(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = say_user, .user = "a\"\\\n\x01\xe2\x82\xac"};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\"}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"a\\\"\\\\\\n\\u0001\xe2\x82\xac\"}]}");
    tool.name = "bad";
    tool.user = "\xc3";
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_ERROR(server, middle, "tools/call", "{\"name\":\"bad\"}", -32603, "text is not valid UTF-8");
    mcpw_server_free(server);
}

static void long_texts_are_answered_whole(void) {
    enum { LENGTH = 1 << 20 };
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    char *const text = malloc(LENGTH + 1);
    memset(text, '\n', LENGTH);
    text[LENGTH] = '\0';
    const mcpw_tool tool = {.name = "t", .call = say_user, .user = text};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    mcpw_request r = fake_ask(server, middle, "tools/call", "{\"name\":\"t\"}");
    CHECK(r.text != NULL && strlen(r.text) == 2 * LENGTH + strlen("{'content':[{'type':'text','text':''}]}"));
    fake_free(&r);
    free(text);
    mcpw_server_free(server);
}

static void structured_content_goes_where_the_revision_has_a_place(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_tool tool = {.name = "t", .call = answer_structured};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{\"value\":{\"a\":1}}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}],"
                 "\"structuredContent\":{\"a\":1}}");
    CHECK_RESULT(server, "2025-03-26", "tools/call", "{\"name\":\"t\",\"arguments\":{\"value\":{\"a\":1}}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]}");
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{\"value\":[1]}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}]}");
    CHECK_RESULT(server, newest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"value\":[1]}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}],\"structuredContent\":[1]}");
    CHECK_RESULT(server, middle, "tools/call", "{\"name\":\"t\"}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"no value\"}],\"isError\":true}");
    mcpw_server_free(server);
}

static void structured_content_that_breaks_its_type_never_leaves(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = answer_structured};
    tool.structured = mcpw_find_type(middle, "Implementation");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(server, oldest, "tools/call",
                 "{\"name\":\"t\",\"arguments\":{\"value\":{\"name\":\"n\",\"version\":\"1\"}}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"name\\\":\\\"n\\\",\\\"version\\\":"
                 "\\\"1\\\"}\"}]}");
    mcpw_request r = fake_ask(server, middle, "tools/call",
                              "{\"name\":\"t\",\"arguments\":{\"value\":{\"name\":\"n\",\"version\":1}}}");
    CHECK(r.code == -32603);
    CHECK_STRING(r.error.path, "/structuredContent/version");
    CHECK_STRING(r.error.message, "expected string, got number");
    fake_free(&r);
    mcpw_server_free(server);
}

static mcpw_status answer_struct(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_type *const type = mcpw_find_type(middle, "Implementation");
    void *const value = mcpw_arena_alloc(mcpw_request_arena(request), mcpw_type_size(type));
    CHECK(mcpw_decode(type, call->arguments.ptr, call->arguments.len, mcpw_request_arena(request), value,
                      NULL, NULL) == MCPW_OK);
    if (user != NULL) {
        memset(value, 0, mcpw_type_size(type));
    }
    return mcpw_respond_structured_value(request, value);
}

static void structs_are_structured_content_too(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = answer_struct};
    tool.structured = mcpw_find_type(middle, "Implementation");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    tool.name = "empty";
    tool.user = server;
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    tool.name = "untyped";
    tool.structured = NULL;
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_RESULT(
        server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{\"name\":\"n\",\"version\":\"1\"}}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"name\\\":\\\"n\\\",\\\"version\\\":\\\"1\\\"}\"}],"
        "\"structuredContent\":{\"name\":\"n\",\"version\":\"1\"}}");
    CHECK_ERROR(server, middle, "tools/call",
                "{\"name\":\"empty\",\"arguments\":{\"name\":\"n\",\"version\":\"1\"}}", -32603,
                "missing required member \"name\"");
    CHECK_ERROR(server, middle, "tools/call",
                "{\"name\":\"untyped\",\"arguments\":{\"name\":\"n\",\"version\":\"1\"}}", -32603,
                "the request is for no tool with a type of structured content");
    mcpw_server_free(server);
}

static mcpw_status remove_itself(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    CHECK(mcpw_server_remove_tool(user, call->name.ptr) == MCPW_OK);
    return mcpw_respond_structured(request, call->arguments);
}

/* ---- schemas ---- */

static const char weather[] = "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},"
                              "\"days\":{\"type\":\"integer\",\"maximum\":7,\"default\":3},"
                              "\"at\":{\"type\":\"object\",\"properties\":{\"unit\":{\"default\":\"C\"}}}},"
                              "\"required\":[\"city\"]}";

static mcpw_server *weather_server(mcpw_tool tool, mcpw_server_config config) {
    config.name = "s";
    config.version = "1";
    tool.name = "t";
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    return server;
}

static const mcpw_server_config plain = MCPW_SERVER_CONFIG_INIT;

static void arguments_that_break_the_schema_never_reach_the_handler(void) {
    const mcpw_tool tool = {.call = echo_arguments, .input_schema = mcpw_json_from(weather)};
    mcpw_server *const server = weather_server(tool, plain);
    CHECK_RESULT(server, newest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"city\":\"Bonn\"}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"city\\\":\\\"Bonn\\\"}\"}]}");
    CHECK_RESULT(
        server, newest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"city\":1,\"days\":\"x\"}}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"The arguments do not fit the tool's input "
        "schema:\\n/arguments/city: expected string, got number\\n/arguments/days: expected integer, "
        "got string\"}],\"isError\":true}");
    CHECK_ERROR(server, oldest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"city\":1,\"days\":\"x\"}}",
                -32602, "/arguments/city: expected string, got number");
    CHECK_ERROR(server, oldest, "tools/call", "{\"name\":\"t\"}", -32602,
                "/arguments: required member 'city' is missing");
    mcpw_server_free(server);
}

static void checks_of_schemas_can_be_turned_off(void) {
    const mcpw_tool tool = {.call = echo_arguments,
                            .input_schema = mcpw_json_from(weather),
                            .output_schema = mcpw_json_from(weather)};
    mcpw_server_config config = plain;
    config.check_schemas = MCPW_OFF;
    mcpw_server *const server = weather_server(tool, config);
    CHECK_RESULT(server, newest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"city\":1}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"city\\\":1}\"}]}");
    mcpw_server_free(server);
}

static void defaults_are_filled_in_where_that_is_wanted(void) {
    const mcpw_tool tool = {.call = echo_arguments, .input_schema = mcpw_json_from(weather)};
    mcpw_server_config config = plain;
    config.fill_defaults = true;
    mcpw_server *const server = weather_server(tool, config);
    CHECK_RESULT(server, newest, "tools/call", "{\"name\":\"t\",\"arguments\":{\"city\":\"Bonn\",\"at\":{}}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"city\\\":\\\"Bonn\\\",\\\"at\\\":{"
                 "\\\"unit\\\":\\\"C\\\"},\\\"days\\\":3}\"}]}");
    mcpw_server_free(server);
}

static void a_schema_that_is_none_is_no_tool(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = echo_arguments};
    mcpw_error error;
    tool.input_schema = mcpw_json_from("{\"type\":\"object\",\"properties\":{\"a\":{\"maxLength\":\"x\"}}}");
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_E_TYPE);
    CHECK_STRING(error.path, "/inputSchema/properties/a/maxLength");
    tool.input_schema = mcpw_json_from("{\"type\":\"object\"}");
    tool.output_schema = mcpw_json_from("{\"type\":\"object\",\"$ref\":\"#/none\"}");
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_E_NOT_FOUND);
    CHECK_STRING(error.path, "/outputSchema/$ref");
    tool.output_schema = mcpw_json_from(NULL);
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_OK); /* nothing of the others is left */
    mcpw_server_free(server);
}

static void structured_content_that_breaks_its_schema_never_leaves(void) {
    const mcpw_tool tool = {.call = answer_structured, .output_schema = mcpw_json_from(weather)};
    mcpw_server *const server = weather_server(tool, plain);
    CHECK_RESULT(server, newest, "tools/call",
                 "{\"name\":\"t\",\"arguments\":{\"value\":{\"city\":\"Bonn\"}}}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"city\\\":\\\"Bonn\\\"}\"}],"
                 "\"structuredContent\":{\"city\":\"Bonn\"}}");
    mcpw_request r = fake_ask(server, middle, "tools/call",
                              "{\"name\":\"t\",\"arguments\":{\"value\":{\"city\":\"Bonn\",\"days\":8}}}");
    CHECK(r.code == -32603);
    CHECK_STRING(r.error.path, "/structuredContent/days");
    fake_free(&r);
    mcpw_server_free(server);
}

static void who_promises_structured_content_gives_it(void) {
    const mcpw_tool tool = {.call = echo_arguments, .output_schema = mcpw_json_from(weather)};
    mcpw_server *const server = weather_server(tool, plain);
    CHECK_ERROR(server, middle, "tools/call", "{\"name\":\"t\"}", -32603,
                "the tool has an outputSchema: its result needs structured content");
    CHECK_RESULT(server, oldest, "tools/call", "{\"name\":\"t\"}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}]}"); /* it knows no such thing */
    mcpw_server_free(server);
}

static void the_schemas_of_a_tool_that_removes_itself_still_hold(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = remove_itself, .user = server};
    tool.output_schema = mcpw_json_from(weather);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    mcpw_request r = fake_ask(server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{}}");
    CHECK_STRING(r.error.path, "/structuredContent");
    fake_free(&r);
    mcpw_server_free(server);
}

/* Answers with a typed result, checked as a session checks it. */
static mcpw_status answer_typed(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_type *const type = mcpw_find_type(middle, "CallToolResult");
    void *const value = mcpw_arena_alloc(mcpw_request_arena(request), mcpw_type_size(type));
    mcpw_error error;
    (void)user;
    CHECK(mcpw_decode(type, call->arguments.ptr, call->arguments.len, mcpw_request_arena(request), value,
                      NULL, NULL) == MCPW_OK);
    const mcpw_status status = mcpw_tools_check_result(mcpw_request_entry(request), type, value, &error);
    return mcpw_respond_text(request, mcpw_str_from(status == MCPW_OK ? "fits" : error.path));
}

static void check_typed(mcpw_server *server, const char *result, const char *verdict) {
    char params[256];
    char want[256];
    (void)snprintf(params, sizeof params, "{\"name\":\"t\",\"arguments\":%s}", result);
    (void)snprintf(want, sizeof want, "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}", verdict);
    CHECK_RESULT(server, middle, "tools/call", params, want);
}

static void typed_results_are_checked_too(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = answer_typed};
    tool.structured = mcpw_find_type(middle, "Implementation");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    check_typed(server, "{\"content\":[],\"structuredContent\":{\"name\":\"n\",\"version\":\"1\"}}", "fits");
    check_typed(server, "{\"content\":[],\"structuredContent\":{\"name\":1}}", "/structuredContent/name");
    check_typed(server, "{\"content\":[],\"isError\":true,\"structuredContent\":{\"name\":1}}", "fits");
    check_typed(server, "{\"content\":[]}", "fits");
    CHECK(mcpw_tools_check_result(NULL, NULL, NULL, NULL) == MCPW_OK);
    mcpw_server_free(server);
}

static void a_tool_may_remove_itself_while_it_runs(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_tool tool = {.name = "t", .call = remove_itself, .user = server};
    tool.structured = mcpw_find_type(middle, "Implementation");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    mcpw_request r =
        fake_ask(server, middle, "tools/call", "{\"name\":\"t\",\"arguments\":{\"name\":\"n\"}}");
    CHECK_STRING(r.error.path, "/structuredContent");
    fake_free(&r);
    CHECK_ERROR(server, middle, "tools/call", "{\"name\":\"t\"}", -32602, "Unknown tool: t");
    mcpw_server_free(server);
}

static mcpw_status answer_nothing(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    static const mcpw_str text = {NULL, 0};
    static const mcpw_json json = {NULL, 0, 0};
    (void)user;
    CHECK(mcpw_respond_structured(request, json) != MCPW_OK);
    CHECK(mcpw_respond_structured_value(request, NULL) != MCPW_OK);
    CHECK(mcpw_respond_text(request, text) == MCPW_E_ARGUMENT);
    CHECK(mcpw_respond_completion(request, NULL, 1) == MCPW_E_ARGUMENT);
    CHECK(mcpw_respond_resource_bytes(request, "m", NULL, 1) == MCPW_E_ARGUMENT);
    CHECK(!request->answered);
    return mcpw_respond_tool_error(request, call->arguments.len != 0 ? NULL : "");
}

static void answers_need_something_to_say(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_tool tool = {.name = "t", .call = answer_nothing};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK_ERROR(server, middle, "tools/call", "{\"name\":\"t\"}", -32603, "a text is absent");
    mcpw_server_free(server);
}

static mcpw_status answer_as_a_tool(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_structured(request, mcpw_json_from("{}"));
}

/* Only tools promise structured content. */
static void a_resource_has_no_output_schema(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource resource = {.uri = "a:b", .name = "b", .read = answer_as_a_tool};
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    mcpw_request r = fake_ask(server, middle, "resources/read", "{\"uri\":\"a:b\"}");
    CHECK(r.answered);
    fake_free(&r);
    mcpw_server_free(server);
}

/* ---- Changes ---- */

static void every_session_hears_of_changes(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    listener a = {0};
    listener b = {0};
    mcpw_server_link first = link_of(&a);
    mcpw_server_link second = link_of(&b);
    mcpw_server_attach(server, &first);
    mcpw_server_attach(server, &second);
    add_tool(server, "t");
    CHECK(a.told[MCPW_CHANGE_TOOLS] == 1 && b.told[MCPW_CHANGE_TOOLS] == 1);
    mcpw_server_detach(&second);
    CHECK(mcpw_server_remove_tool(server, "t") == MCPW_OK);
    mcpw_server_resource_updated(server, "a:b");
    CHECK(a.told[MCPW_CHANGE_TOOLS] == 2 && b.told[MCPW_CHANGE_TOOLS] == 1);
    CHECK(a.told[MCPW_CHANGE_RESOURCE] == 1);
    CHECK_STRING(a.uri, "a:b");
    CHECK(add_tool_with(server, "u", "{\"name\":1}") != MCPW_OK);
    CHECK(a.told[MCPW_CHANGE_TOOLS] == 2);
    mcpw_server_free(server);
    CHECK(first.at == NULL);
}

static void sessions_may_go_while_they_are_told(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    listener listeners[3] = {{{0}, {0}, NULL, NULL}};
    mcpw_server_link links[3];
    for (size_t i = 0; i < 3; i++) {
        links[i] = link_of(listeners + i);
        mcpw_server_attach(server, links + i);
    }
    listeners[2].leaves = links + 2; /* the first that is told, itself */
    listeners[1].leaves = links + 0; /* the next one, the last */
    add_tool(server, "t");
    CHECK(listeners[2].told[MCPW_CHANGE_TOOLS] == 1);
    CHECK(listeners[1].told[MCPW_CHANGE_TOOLS] == 1);
    CHECK(listeners[0].told[MCPW_CHANGE_TOOLS] == 0);
    add_tool(server, "u");
    CHECK(listeners[1].told[MCPW_CHANGE_TOOLS] == 2);
    CHECK(listeners[2].told[MCPW_CHANGE_TOOLS] == 1);
    mcpw_server_free(server);
}

static void a_change_may_follow_from_a_change(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    listener listeners[2] = {{{0}, {0}, NULL, NULL}};
    mcpw_server_link links[2];
    for (size_t i = 0; i < 2; i++) {
        links[i] = link_of(listeners + i);
        mcpw_server_attach(server, links + i);
    }
    listeners[1].adds_to = server;
    add_tool(server, "t");
    for (size_t i = 0; i < 2; i++) {
        CHECK(listeners[i].told[MCPW_CHANGE_TOOLS] == 1);
        CHECK(listeners[i].told[MCPW_CHANGE_PROMPTS] == 1);
    }
    mcpw_server_free(server);
}

/* ---- Memory ---- */

/* Makes a server and lists what is in it; false when memory ran out on the way. */
static bool use_memory(counting *memory) {
    static const mcpw_prompt_argument argument = {.name = "a", .required = true};
    const mcpw_tool tool = {.name = "t", .call = echo_arguments};
    const mcpw_prompt prompt = {
        .name = "p", .arguments = &argument, .argument_count = 1, .get = answer_prompt};
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_error error;
    bool good = false;
    config.name = "s";
    config.version = "1";
    config.info = mcpw_json_from("{}");
    config.allocator = counting_allocator(memory);
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    if (server == NULL) {
        return false;
    }
    error.code = MCPW_OK;
    if (mcpw_server_add_tool(server, &tool, &error) == MCPW_OK &&
        mcpw_server_add_prompt(server, &prompt, &error) == MCPW_OK) {
        mcpw_request r = fake_ask(server, oldest, "tools/list", NULL);
        good = r.code == 0;
        fake_free(&r);
    } else {
        CHECK(error.code == MCPW_E_MEMORY);
    }
    mcpw_server_free(server);
    return good;
}

static void memory_comes_from_the_allocator_and_goes_back_to_it(void) {
    counting memory = {0};
    CHECK(use_memory(&memory));
    CHECK(memory.in_use == 0);
    const size_t calls = memory.calls;
    CHECK(calls > 10);
    for (size_t i = 1; i <= calls; i++) {
        counting failing = {.fail_at = i};
        (void)use_memory(&failing);
        CHECK(failing.in_use == 0);
    }
}

static void what_is_missing_is_an_argument(void) {
    const mcpw_tool tool = {.name = "t", .call = echo_arguments};
    const mcpw_resource resource = {.uri = "a:", .name = "n"};
    const mcpw_resource_template family = {.uri_template = "a:{b}", .name = "n"};
    const mcpw_prompt prompt = {.name = "p"};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_error error = {0};
    CHECK(mcpw_server_add_tool(NULL, &tool, &error) == MCPW_E_ARGUMENT && error.code == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_tool(server, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_resource(NULL, &resource, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_resource(server, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_resource(server, &resource, &error) == MCPW_E_ARGUMENT); /* no read */
    CHECK(mcpw_server_add_resource_template(NULL, &family, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_resource_template(server, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_resource_template(server, &family, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_prompt(NULL, &prompt, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_prompt(server, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_add_prompt(server, &prompt, &error) == MCPW_E_ARGUMENT); /* no get */
    CHECK(mcpw_server_remove_tool(NULL, "t") == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_remove_tool(server, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_server_remove_prompt(server, "p") == MCPW_E_NOT_FOUND);
    mcpw_server_resource_updated(NULL, "a:");
    mcpw_server_resource_updated(server, NULL);
    mcpw_server_free(server);
    mcpw_server_free(NULL);
}

/* A tool whose struct_size is 0 has all members of 1.0. */
static void the_last_member_of_a_tool_counts(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_tool tool = {.name = "t", .call = echo_arguments, .task = MCPW_TASK_REQUIRED};
    mcpw_error error = {0};
    CHECK(mcpw_server_add_tool(server, &tool, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.path, "/task");
    mcpw_server_free(server);
}

int main(void) {
    RUN(the_last_member_of_a_tool_counts);
    if (mcpw_find_revision(oldest) == NULL || mcpw_find_revision(newest) == NULL ||
        mcpw_find_revision(middle) == NULL || mcpw_find_revision("2025-03-26") == NULL ||
        mcpw_find_revision("2025-06-18") == NULL) {
        (void)printf("skipped: the library lacks a revision\n");
        return CHECK_SKIPPED;
    }
    RUN(a_server_keeps_copies_of_its_config);
    RUN(a_config_that_cannot_be_used_makes_no_server);
    RUN(a_config_of_an_unknown_size_makes_no_server);
    RUN(without_memory_there_is_no_server);
    RUN(a_server_has_the_methods_of_what_was_ever_registered);
    RUN(a_tool_needs_a_name_of_the_grammar);
    RUN(a_tool_needs_a_handler);
    RUN(what_makes_no_tool_is_refused_with_its_place);
    RUN(a_member_given_twice_is_refused);
    RUN(a_name_is_registered_once);
    RUN(texts_of_a_definition_are_copied_and_escaped);
    RUN(each_revision_sees_the_members_that_it_knows);
    RUN(an_optional_member_that_a_revision_cannot_say_is_left_out_there);
    RUN(an_entry_that_a_revision_cannot_say_is_left_out_there);
    RUN(pages_follow_the_order_of_registration);
    RUN(changes_between_pages_skip_and_repeat_nothing);
    RUN(a_list_that_was_emptied_goes_on_after_its_cursor);
    RUN(entries_that_a_revision_lacks_make_no_empty_page);
    RUN(a_cursor_of_no_page_is_refused);
    RUN(many_entries_are_all_found);
    RUN(a_call_gets_its_arguments_raw);
    RUN(an_unknown_tool_is_named);
    RUN(arguments_with_a_type_are_decoded_first);
    RUN(arguments_that_do_not_fit_are_told_to_the_model);
    RUN(arguments_that_do_not_fit_were_invalid_params_before);
    RUN(the_text_about_arguments_is_bounded);
    RUN(texts_are_escaped_and_must_be_utf8);
    RUN(long_texts_are_answered_whole);
    RUN(structured_content_goes_where_the_revision_has_a_place);
    RUN(structured_content_that_breaks_its_type_never_leaves);
    RUN(structs_are_structured_content_too);
    RUN(arguments_that_break_the_schema_never_reach_the_handler);
    RUN(checks_of_schemas_can_be_turned_off);
    RUN(defaults_are_filled_in_where_that_is_wanted);
    RUN(a_schema_that_is_none_is_no_tool);
    RUN(structured_content_that_breaks_its_schema_never_leaves);
    RUN(who_promises_structured_content_gives_it);
    RUN(the_schemas_of_a_tool_that_removes_itself_still_hold);
    RUN(typed_results_are_checked_too);
    RUN(a_tool_may_remove_itself_while_it_runs);
    RUN(answers_need_something_to_say);
    RUN(a_resource_has_no_output_schema);
    RUN(every_session_hears_of_changes);
    RUN(sessions_may_go_while_they_are_told);
    RUN(a_change_may_follow_from_a_change);
    RUN(memory_comes_from_the_allocator_and_goes_back_to_it);
    RUN(what_is_missing_is_an_argument);
    return check_end();
}
