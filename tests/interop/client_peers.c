/* SPDX-License-Identifier: MIT */
/* The expected behaviour of the servers. */
#include "client.h"

/* @modelcontextprotocol/server-everything, on the TypeScript SDK 1.x. */
static const tool_case everything[] = {
    {"call: echo", "echo", "{\"message\":\"Gr\\u00fc\\u00dfe \\ud83c\\udf0d\"}",
     "Echo: Gr\u00fc\u00dfe \U0001F30D", false, NULL},
    {"call: numbers", "get-sum", "{\"a\":2,\"b\":40}", "The sum of 2 and 40 is 42.", false, NULL},
    {"call: image", "get-tiny-image", NULL, "image/png", false, NULL},
    {"call: annotations", "get-annotated-message", "{\"messageType\":\"error\"}", "Error: Operation failed",
     false, NULL},
    {"call: structured content", "get-structured-content", "{\"location\":\"Chicago\"}",
     "\"structuredContent\":{\"temperature\":36", false, "2025-06-18"},
    {"call: a resource", "get-resource-reference", "{\"resourceType\":\"Text\",\"resourceId\":1}",
     "demo://resource/dynamic/text/1", false, NULL},
    {"call: resource links", "get-resource-links", "{\"count\":2}", "\"type\":\"resource_link\"", false,
     "2025-06-18"},
    {"call: bad arguments are an error of the tool", "echo", "{}", "Input validation error", true, NULL},
    {"sampling", "trigger-sampling-request", "{\"prompt\":\"hi\"}",
     "heard: Resource trigger-sampling-request context: hi", false, NULL},
    {"elicitation", "trigger-elicitation-request", NULL, "Ada", false, "2025-06-18"},
    {"roots", "get-roots-list", NULL, "URI: file:///home", false, NULL},
};

/* server_v2.mjs, on the TypeScript SDK 2.x, and everything_server. */
static const tool_case v2[] = {
    {"call: text", "test_simple_text", NULL, "This is a simple text response for testing.", false, NULL},
    {"call: echo", "echo", "{\"message\":\"Gr\\u00fc\\u00dfe \\ud83c\\udf0d\"}", "Gr\u00fc\u00dfe \U0001F30D",
     false, NULL},
    {"call: image", "test_image_content", NULL, "image/png", false, NULL},
    {"call: audio", "test_audio_content", NULL, "audio/wav", false, "2025-03-26"},
    {"call: embedded resource", "test_embedded_resource", NULL, "This is an embedded resource content.",
     false, NULL},
    {"call: several contents", "test_multiple_content_types", NULL, "test://mixed-content-resource", false,
     NULL},
    {"call: an error of the tool", "test_error_handling", NULL, "intentionally returns an error", true, NULL},
    {"sampling", "test_sampling", "{\"prompt\":\"hi\"}", "LLM response: heard: hi", false, NULL},
    {"roots", "test_input_required_result_list_roots", NULL, "Roots: file:///work, file:///home", false,
     NULL},
    {"elicitation: accepted", "test_elicitation", "{\"message\":\"Who are you?\"}",
     "action=accept, content={\\\"username\\\":\\\"ada\\\"", false, "2025-06-18"},
    {"elicitation: declined", "test_elicitation", "{\"message\":\"Go away?\"}", "action=decline, content={}",
     false, "2025-06-18"},
    {"input rounds: one question", "test_input_required_result_elicitation", NULL, "Hello, Ada!", false,
     "2025-06-18"},
    {"input rounds: with state", "test_input_required_result_request_state", NULL, "state-ok", false,
     "2025-06-18"},
    {"input rounds: three questions at once", "test_input_required_result_multiple_inputs", NULL,
     "Ada, Paris, 2 root(s)", false, "2025-06-18"},
    {"input rounds: one after the other", "test_input_required_result_multi_round", NULL, "Ada likes green",
     false, "2025-06-18"},
};

/* The entries of servers with the names of fixture.c. */
#define FIXTURE                                                                                              \
    .tools = {"test_simple_text", "echo", "test_slow"},                                                      \
    .prompts = {"test_simple_prompt", "test_prompt_with_arguments", "test_prompt_with_image"},               \
    .uri_template = "test://template/{id}/data", .uri = "test://static-text",                                \
    .uri_text = "This is the content of the static text resource.",                                          \
    .template_uri = "test://template/123/data", .template_text = "Data for ID: 123",                         \
    .prompt = "test_prompt_with_arguments", .prompt_arguments = {"arg1", "hello", "arg2", "world"},          \
    .prompt_text = "Prompt with arguments: arg1='hello', arg2='world'",                                      \
    .completed_prompt = "test_prompt_with_arguments", .completed_argument = "arg1",                          \
    .completed_start = "par", .completed_value = "paris", .progress_tool = "test_tool_with_progress",        \
    .progress_arguments = NULL, .progress_count = 3, .progress_total = 100, .slow_tool = "test_slow",        \
    .slow_arguments = "{\"ms\":20000}", .echo_format = "%s", .watched_uri = "test://watched-resource",       \
    .update_tool = "test_trigger_resource_update", .quiet_tool = NULL, .log_tool = "test_tool_with_logging", \
    .log_text = "Tool execution completed", .unknown_is_error = true

/* peer_python.py with either SDK, peer_go, peer_rust. */
static const tool_case small[] = {
    {"call: echo", "echo", "{\"message\":\"Gr\\u00fc\\u00dfe \\ud83c\\udf0d\"}", "Gr\u00fc\u00dfe \U0001F30D",
     false, NULL},
};
#define SMALL                                                                                                \
    .is_small = true, .cases = small, .case_count = sizeof small / sizeof small[0],                          \
    .tools = {"echo", "test_tool_with_progress"}, .progress_tool = "test_tool_with_progress",                \
    .progress_count = 3, .progress_total = 100, .echo_format = "%s"

const peer peers[] = {
    {.name = "everything",
     .server_name = "mcp-servers/everything",
     .cases = everything,
     .case_count = sizeof everything / sizeof everything[0],
     .tools = {"echo", "get-sum", "trigger-sampling-request"},
     .prompts = {"simple-prompt", "args-prompt", "completable-prompt"},
     .uri_template = "demo://resource/dynamic/text/{resourceId}",
     .uri = "demo://resource/static/document/features.md",
     .uri_text = "# Everything Server - Features",
     .template_uri = "demo://resource/dynamic/text/5",
     .template_text = "Resource 5: This is a plaintext resource",
     .prompt = "args-prompt",
     .prompt_arguments = {"city", "Rome", "state", "Lazio"},
     .prompt_text = "What's weather in Rome, Lazio?",
     .completed_prompt = "completable-prompt",
     .completed_argument = "department",
     .completed_start = "E",
     .completed_value = "Engineering",
     .progress_tool = "trigger-long-running-operation",
     .progress_arguments = "{\"duration\":0.4,\"steps\":4}",
     .progress_count = 4,
     .progress_total = 4,
     .slow_tool = "trigger-long-running-operation",
     .slow_arguments = "{\"duration\":2,\"steps\":1}",
     .echo_format = "Echo: %s",
     .watched_uri = "demo://resource/dynamic/text/5",
     .update_tool = "toggle-subscriber-updates",
     .quiet_tool = "toggle-subscriber-updates",
     .log_tool = "toggle-simulated-logging",
     .log_text = "message",
     .unknown_is_error = false},
    {.name = "v2", .server_name = "server-v2", .cases = v2, .case_count = sizeof v2 / sizeof v2[0], FIXTURE},
    {.name = "ours",
     .server_name = "mcpwire-everything",
     .cases = v2,
     .case_count = sizeof v2 / sizeof v2[0],
     FIXTURE},
    {.name = "python_v1", .server_name = "peer-python-v1", .unknown_is_error = false, SMALL},
    {.name = "python_v2", .server_name = "peer-python-v2", .unknown_is_error = false, SMALL},
    {.name = "go", .server_name = "peer-go", .unknown_is_error = true, SMALL},
    {.name = "rust", .server_name = "peer-rust", .unknown_is_error = true, SMALL},
};

const size_t peer_count = sizeof peers / sizeof peers[0];
