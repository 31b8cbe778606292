/* SPDX-License-Identifier: MIT */
/* Tools that answer on their own: at once, from a table, or later. */
#include "fixture.h"

#include <mcpw/json.h>

#include <stdarg.h>
#include <stdio.h>

/* ms between notifications, and before the result: clients of the TypeScript SDK that read a notification and
 * the result at once lose the notification. */
enum { STEP_MS = 100, LONGEST_MS = 600000 };

#define TEXT(literal)                                                                                        \
    { .kind = MCP_CONTENT_BLOCK_TEXT_CONTENT, .as.text_content.text = MCPW_STR(literal) }
#define IMAGE                                                                                                \
    {                                                                                                        \
        .kind = MCP_CONTENT_BLOCK_IMAGE_CONTENT, .as.image_content = {                                       \
            .data = MCPW_STR(FIXTURE_PNG_BASE64),                                                            \
            .mime_type = MCPW_STR("image/png")                                                               \
        }                                                                                                    \
    }
#define SOUND                                                                                                \
    {                                                                                                        \
        .kind = MCP_CONTENT_BLOCK_AUDIO_CONTENT, .as.audio_content = {                                       \
            .data = MCPW_STR(FIXTURE_WAV_BASE64),                                                            \
            .mime_type = MCPW_STR("audio/wav")                                                               \
        }                                                                                                    \
    }
#define RESOURCE(address, type, body)                                                                        \
    {                                                                                                        \
        .kind = MCP_CONTENT_BLOCK_EMBEDDED_RESOURCE, .as.embedded_resource.resource = {                      \
            .kind = MCP_EMBEDDED_RESOURCE_RESOURCE_TEXT_RESOURCE_CONTENTS,                                   \
            .as.text_resource_contents = {.uri = MCPW_STR(address),                                          \
                                          .mime_type = MCPW_STR(type),                                       \
                                          .text = MCPW_STR(body)}                                            \
        }                                                                                                    \
    }

static const mcp_content_block simple_text[] = {TEXT("This is a simple text response for testing.")};
static const mcp_content_block image[] = {IMAGE};
static const mcp_content_block sound[] = {SOUND};
static const mcp_content_block resource[] = {
    RESOURCE("test://embedded-resource", "text/plain", "This is an embedded resource content.")};
static const mcp_content_block mixture[] = {
    TEXT("Multiple content types test:"), IMAGE,
    RESOURCE("test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}")};
static const mcp_content_block failure[] = {TEXT("This tool intentionally returns an error for testing")};
static const mcp_content_block nothing[] = {TEXT("Done")};

/* The constant result of a tool of the table. */
#define RESULT(blocks)                                                                                       \
    {                                                                                                        \
        .content = {(blocks), sizeof(blocks) / sizeof((blocks)[0]) }                                         \
    }
static const mcp_call_tool_result says_text = RESULT(simple_text);
static const mcp_call_tool_result says_image = RESULT(image);
static const mcp_call_tool_result says_sound = RESULT(sound);
static const mcp_call_tool_result says_resource = RESULT(resource);
static const mcp_call_tool_result says_mixture = RESULT(mixture);
static const mcp_call_tool_result says_done = RESULT(nothing);
static const mcp_call_tool_result fails = {.content = {failure, sizeof failure / sizeof failure[0]},
                                           .is_error = MCPW_BOOL(true)};

mcpw_status fixture_say(mcpw_request *request, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int len = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *const text = mcpw_arena_alloc(mcpw_request_arena(request), (size_t)len + 1);
    if (text == NULL) {
        return MCPW_E_MEMORY;
    }
    va_start(list, format);
    vsnprintf(text, (size_t)len + 1, format, list);
    va_end(list);
    return mcpw_respond_text(request, (mcpw_str){text, (size_t)len});
}

mcpw_status fixture_refuse(mcpw_request *request, const char *name, const char *why) {
    mcpw_error error = {.code = MCPW_E_TYPE};
    snprintf(error.path, sizeof error.path, "/%s", name);
    snprintf(error.message, sizeof error.message, "%s", why);
    return mcpw_request_refuse(request, "/arguments", &error);
}

static mcpw_status answer_result(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    return mcp_respond_tools_call(request, user, NULL);
}

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)user;
    mcpw_str message;
    if (mcpw_json_get_string(call->arguments, "message", mcpw_request_arena(request), &message) != MCPW_OK) {
        return fixture_refuse(request, "message", "expected a string");
    }
    return mcpw_respond_text(request, message);
}

static mcpw_status slow_turn(mcpw_request *request, unsigned turn, unsigned delay) {
    (void)turn;
    return fixture_say(request, "waited %u ms", delay);
}

static mcpw_status slow(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    int64_t ms;
    if (mcpw_json_get_int(call->arguments, "ms", &ms) != MCPW_OK || ms < 0 || ms > LONGEST_MS) {
        return fixture_refuse(request, "ms", "expected an integer from 0 to 600000");
    }
    return fixture_later(user, request, (unsigned)ms, slow_turn);
}

static mcpw_status log_turn(mcpw_request *request, unsigned turn, unsigned delay) {
    static const char *const messages[] = {"\"Tool execution started\"", "\"Tool processing data\"",
                                           "\"Tool execution completed\""};
    (void)delay;
    if (turn == sizeof messages / sizeof messages[0]) {
        return mcp_respond_tools_call(request, &says_done, NULL);
    }
    const mcpw_status status = mcpw_request_log(request, MCPW_LOG_INFO, NULL, mcpw_json_from(messages[turn]));
    return status == MCPW_OK ? MCPW_PENDING : status;
}

static mcpw_status logging(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    return fixture_later(user, request, STEP_MS, log_turn);
}

static mcpw_status log_once(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    const mcpw_status status =
        mcpw_request_log(request, MCPW_LOG_INFO, "fixture", mcpw_json_from("{\"text\":\"a log message\"}"));
    return status == MCPW_OK ? mcp_respond_tools_call(request, &says_done, NULL) : status;
}

static mcpw_status progress_turn(mcpw_request *request, unsigned turn, unsigned delay) {
    const double total = 100;
    const unsigned steps = 2;
    (void)delay;
    if (turn > steps) {
        return mcp_respond_tools_call(request, &says_done, NULL);
    }
    const mcpw_status status = mcpw_request_progress(request, total * turn / steps, total, NULL);
    return status == MCPW_OK ? MCPW_PENDING : status;
}

static mcpw_status progress(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    return fixture_later(user, request, STEP_MS, progress_turn);
}

static mcpw_status change_tools(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    const mcpw_status status = fixture_change_tools(user);
    return status == MCPW_OK ? fixture_say(request, "tools changed") : status;
}

static mcpw_status change_prompts(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    const mcpw_status status = fixture_change_prompts(user);
    return status == MCPW_OK ? fixture_say(request, "prompts changed") : status;
}

static mcpw_status update_resource(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const fixture *f = user;
    (void)call;
    mcpw_server_resource_updated(f->server, FIXTURE_WATCHED);
    return fixture_say(request, "resource updated");
}

static mcpw_status weather(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_structured(request, mcpw_json_from("{\"temperature\":22.5,\"sky\":\"clear\"}"));
}

/* Every keyword of JSON Schema that a server may use and that only passes through. */
#define ADDRESS_SCHEMA                                                                                       \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","                     \
    "\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\","                                \
    "\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"                    \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"             \
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"                                \
    "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"                                      \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"                       \
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":[\"contactMethod\"]},"    \
    "\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},"                               \
    "\"additionalProperties\":false}"
#define WEATHER_SCHEMA                                                                                       \
    "{\"type\":\"object\",\"properties\":{\"temperature\":{\"type\":\"number\"},"                            \
    "\"sky\":{\"type\":\"string\"}},\"required\":[\"temperature\",\"sky\"]}"
#define ECHO_SCHEMA                                                                                          \
    "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}"
#define REGION_SCHEMA                                                                                        \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","                                  \
    "\"x-mcp-header\":\"Region\"}}}"
#define SLOW_SCHEMA                                                                                          \
    "{\"type\":\"object\",\"properties\":{\"ms\":{\"type\":\"integer\",\"minimum\":0}},\"required\":["       \
    "\"ms\"]}"

/* Tools whose answer is always the same. */
static const struct {
    const char *name;
    const char *description;
    const mcp_call_tool_result *result;
    const char *scopes; /* NULL: none */
} answers[] = {
    /* first: tests call the first tool with {} */
    {"test_simple_text", "Answers with a text", &says_text, FIXTURE_SCOPE "tools:test_simple_text"},
    {"test_image_content", "Answers with an image", &says_image, NULL},
    {"test_audio_content", "Answers with a sound", &says_sound, NULL},
    {"test_embedded_resource", "Answers with a resource", &says_resource, NULL},
    {"test_multiple_content_types", "Answers with a text, an image and a resource", &says_mixture, NULL},
    {"test_error_handling", "Fails", &fails, NULL},
};

static const mcpw_tool tools[] = {
    {.name = "echo",
     .title = "Echo",
     .description = "Answers with the message",
     .input_schema = MCPW_JSON(ECHO_SCHEMA),
     .more = MCPW_JSON("{\"annotations\":{\"readOnlyHint\":true}}"),
     .call = echo},
    {.name = "test_slow",
     .description = "Answers after a while",
     .input_schema = MCPW_JSON(SLOW_SCHEMA),
     .call = slow},
    {.name = "test_tool_with_logging", .description = "Logs three messages", .call = logging},
    {.name = "test_logging_tool", .description = "Logs one message", .call = log_once},
    {.name = "test_tool_with_progress", .description = "Tells progress", .call = progress},
    {.name = "test_structured_content",
     .description = "Answers with structured content",
     .output_schema = MCPW_JSON(WEATHER_SCHEMA),
     .call = weather},
    {.name = "json_schema_2020_12_tool",
     .description = "Takes arguments of a schema that uses much of JSON Schema 2020-12",
     .input_schema = MCPW_JSON(ADDRESS_SCHEMA),
     .call = answer_result,
     .user = (void *)&says_done},
    {.name = "test_x_mcp_header",
     .description = "Takes an argument that a header repeats",
     .input_schema = MCPW_JSON(REGION_SCHEMA),
     .call = answer_result,
     .user = (void *)&says_done},
    {.name = "test_trigger_tool_change", .description = "Changes the list of tools", .call = change_tools},
    {.name = "test_trigger_prompt_change",
     .description = "Changes the list of prompts",
     .call = change_prompts},
    {.name = "test_trigger_resource_update",
     .description = "Changes the watched resource",
     .call = update_resource},
};

mcpw_status fixture_add_tools(fixture *f, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < sizeof answers / sizeof answers[0]; i++) {
        const mcpw_tool tool = {.name = answers[i].name,
                                .description = answers[i].description,
                                .call = answer_result,
                                .user = (void *)answers[i].result,
                                .scopes = answers[i].scopes};
        status = mcpw_server_add_tool(f->server, &tool, error);
    }
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof tools[0]; i++) {
        mcpw_tool tool = tools[i];
        tool.user = tool.user != NULL ? tool.user : f;
        status = mcpw_server_add_tool(f->server, &tool, error);
    }
    return status;
}

mcpw_status fixture_change_tools(fixture *f) {
    static const mcpw_tool comes_and_goes = {.name = "test_comes_and_goes",
                                             .description = "Is there only now and then",
                                             .call = answer_result,
                                             .user = (void *)&says_done};
    f->more_tools = !f->more_tools;
    return f->more_tools ? mcpw_server_add_tool(f->server, &comes_and_goes, NULL)
                         : mcpw_server_remove_tool(f->server, comes_and_goes.name);
}
