/* SPDX-License-Identifier: MIT */
#include <mcpw/message.h>

#include "check.h"

#if defined(MCPW_WITH_20251125) && defined(MCPW_WITH_20250326)
#include <mcp/2025-03-26.h>
#include <mcp/2025-11-25.h>

static const mcpw_revision *const revision = &mcp_20251125_revision;
static mcpw_error last_error;

static mcpw_message message_of(mcpw_message_kind kind) {
    mcpw_message m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    return m;
}

static mcpw_message request_of(int method) {
    mcpw_message m = message_of(MCPW_MESSAGE_REQUEST);
    m.method = method;
    m.id.kind = MCPW_ID_INTEGER;
    m.id.as.integer = 7;
    return m;
}

static void check_written(const mcpw_message *m, const char *want) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    memset(&last_error, 0, sizeof last_error);
    CHECK(mcpw_message_encode(revision, m, &out, NULL, &last_error) == MCPW_OK);
    CHECK_STRING(last_error.message, "");
    CHECK_TEXT(out.data, out.len, want);
    mcpw_buffer_free(&out);
}

static void check_refused_by(const mcpw_revision *by, const mcpw_message *m, unsigned flags, mcpw_status want,
                             const char *path, const char *why) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    CHECK(mcpw_message_encode(by, m, &out, &options, &last_error) == want);
    CHECK_STRING(last_error.path, path);
    CHECK_STRING(last_error.message, why);
    CHECK(out.len == 0);
    mcpw_buffer_free(&out);
}

static void check_refused(const mcpw_message *m, mcpw_status want, const char *path, const char *why) {
    check_refused_by(revision, m, 0, want, path, why);
}

static void a_request_takes_its_type_from_the_catalogue(void) {
    static const mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("add"),
                                                                 .arguments = MCPW_JSON("{\"a\":1}")};
    mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    m.value = &params;
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\","
                      "\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1}}}");
}

static void a_method_may_be_given_by_name(void) {
    mcpw_message m = request_of(0);
    m.method_name = mcpw_str_from("ping");
    m.id.kind = MCPW_ID_STRING;
    m.id.as.string = mcpw_str_from("a\"b");
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"ping\"}");
}

static void a_notification_has_no_id(void) {
    mcpw_message m = message_of(MCPW_MESSAGE_NOTIFICATION);
    m.method = MCP_20251125_METHOD_NOTIFICATIONS_INITIALIZED;
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    m.id.kind = MCPW_ID_INTEGER;
    check_refused(&m, MCPW_E_MESSAGE, "", "a notification carries no id");
}

static void an_unknown_method_takes_an_object(void) {
    mcpw_message m = request_of(0);
    m.method_name = mcpw_str_from("x/y");
    m.raw = mcpw_json_from("{\"k\":[]}");
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x/y\",\"params\":{\"k\":[]}}");
    check_refused_by(revision, &m, MCPW_STRICT, MCPW_E_METHOD, "", "method is unknown to the revision");
    m.raw = mcpw_json_from("[]");
    check_refused(&m, MCPW_E_TYPE, "/params", "expected object, got array");
}

static void raw_params_are_held_against_their_type(void) {
    mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    m.raw = mcpw_json_from("{\"name\":\"add\"}");
    check_written(&m,
                  "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"add\"}}");
    m.raw = mcpw_json_from("{\"name\":1}");
    check_refused(&m, MCPW_E_TYPE, "/params/name", "expected string, got number");
}

static void required_params_are_required(void) {
    const mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    check_refused(&m, MCPW_E_MISSING, "", "missing required member \"params\"");
}

static void an_error_in_the_params_has_its_path(void) {
    static const mcp_20251125_call_tool_request_params params = {.arguments = MCPW_JSON("{}")};
    mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    m.value = &params;
    check_refused(&m, MCPW_E_MISSING, "/params", "missing required member \"name\"");
}

static void a_result_is_written_by_its_type(void) {
    static const mcp_20251125_content_block no_block; /* an empty list is not NULL */
    static const mcp_20251125_call_tool_result result = {.content = {&no_block, 0}};
    mcpw_message m = message_of(MCPW_MESSAGE_RESULT);
    m.id.kind = MCPW_ID_INTEGER;
    m.type = &mcp_20251125_call_tool_result_table;
    m.value = &result;
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"content\":[]}}");
    m.type = NULL;
    check_refused(&m, MCPW_E_ARGUMENT, "", "the message's value has no type");
    m.value = NULL;
    m.raw = mcpw_json_from("{}");
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
    m.raw = mcpw_json_from(NULL);
    check_refused(&m, MCPW_E_MISSING, "", "missing required member \"result\"");
}

static void an_error_may_have_any_id(void) {
    mcpw_message m = message_of(MCPW_MESSAGE_ERROR);
    m.error.code = -32700;
    m.error.message = mcpw_str_from("no");
    m.error.data = mcpw_json_from("[1]");
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"no\",\"data\":[1]}}");
    m.error.data = mcpw_json_from(NULL);
    m.id.kind = MCPW_ID_NULL;
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}");
    m.error.message = mcpw_str_from(NULL);
    check_refused(&m, MCPW_E_MISSING, "/error", "missing required member \"message\"");
}

static void extra_members_of_the_envelope_are_kept(void) {
    static const mcpw_member good = {MCPW_STR("trace"), MCPW_JSON("\"t\"")};
    static const mcpw_member bad = {MCPW_STR("id"), MCPW_JSON("8")};
    mcpw_message m = request_of(MCP_20251125_METHOD_PING);
    m.extra.items = &good;
    m.extra.count = 1;
    check_written(&m, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"trace\":\"t\"}");
    m.extra.items = &bad;
    check_refused(&m, MCPW_E_DUPLICATE, "/id", "JSON-RPC names this member, so extra may not hold it");
}

static void inconsistent_messages_are_refused(void) {
    static const mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("x")};
    mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    m.value = &params;
    m.method_name = mcpw_str_from("ping");
    check_refused(&m, MCPW_E_ARGUMENT, "", "the method's number and name are those of two methods");
    m.method_name = mcpw_str_from(NULL);
    m.raw = mcpw_json_from("{}");
    check_refused(&m, MCPW_E_ARGUMENT, "", "a message has a value or raw text, not both");
    m.raw = mcpw_json_from(NULL);
    m.type = &mcp_20251125_tool_table;
    check_refused(&m, MCPW_E_ARGUMENT, "", "the value's type is not that of the method's params");
    m.type = &mcp_20250326_tool_table;
    check_refused(&m, MCPW_E_ARGUMENT, "", "the value's type is of another revision");
    m = request_of(99);
    check_refused(&m, MCPW_E_ARGUMENT, "", "the revision has no method of that number");
    m = request_of(0);
    check_refused(&m, MCPW_E_ARGUMENT, "", "a request or notification names its method");
    m = message_of(MCPW_MESSAGE_NONE);
    check_refused(&m, MCPW_E_MESSAGE, "", "the message has no kind");
}

static void the_message_rule_is_kept(void) {
    mcpw_message m = request_of(MCP_20251125_METHOD_PING);
    m.id.kind = MCPW_ID_NULL;
    check_refused(&m, MCPW_E_MESSAGE, "", "a request's id is a string or an integer");
    m = request_of(MCP_20251125_METHOD_NOTIFICATIONS_INITIALIZED);
    check_refused(&m, MCPW_E_MESSAGE, "", "a notification carries no id");
    m = message_of(MCPW_MESSAGE_NOTIFICATION);
    m.method = MCP_20251125_METHOD_PING;
    check_refused(&m, MCPW_E_MESSAGE, "", "a request needs an id");
    m = message_of(MCPW_MESSAGE_RESULT);
    check_refused(&m, MCPW_E_MESSAGE, "", "a result carries the id of its request");
}

static void batches_exist_in_one_revision(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_message calls[2];
    mcpw_message batch = message_of(MCPW_MESSAGE_BATCH);
    calls[0] = calls[1] = request_of(0);
    calls[0].method_name = calls[1].method_name = mcpw_str_from("ping");
    batch.batch = calls;
    batch.batch_count = 2;
    CHECK(mcpw_message_encode(&mcp_20250326_revision, &batch, &out, NULL, NULL) == MCPW_OK);
    CHECK_TEXT(out.data, out.len,
               "[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"},"
               "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}]");
    mcpw_buffer_free(&out);
    check_refused(&batch, MCPW_E_MESSAGE, "", "this revision has no batches");
    batch.batch_count = 0;
    check_refused_by(&mcp_20250326_revision, &batch, 0, MCPW_E_MESSAGE, "", "a batch is not empty");
}

static void a_batch_holds_one_side_alone(void) {
    mcpw_message items[2];
    mcpw_message batch = message_of(MCPW_MESSAGE_BATCH);
    items[0] = request_of(0);
    items[0].method_name = mcpw_str_from("ping");
    items[1] = message_of(MCPW_MESSAGE_RESULT);
    items[1].id = items[0].id;
    items[1].raw = mcpw_json_from("{}");
    batch.batch = items;
    batch.batch_count = 2;
    check_refused_by(&mcp_20250326_revision, &batch, 0, MCPW_E_MESSAGE, "",
                     "a batch holds requests or responses, not both");
    items[1] = batch;
    check_refused_by(&mcp_20250326_revision, &batch, 0, MCPW_E_MESSAGE, "/1",
                     "a batch cannot contain a batch");
}

static void what_was_decoded_is_written_back(void) {
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/"
        "call\",\"params\":{\"name\":\"n\",\"arguments\":{\"a\":[1]}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
        "progress\",\"params\":{\"progressToken\":\"t\",\"progress\":1.5}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"anything\":true},\"more\":null}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\",\"data\":{}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"unknown/method\",\"params\":{}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_message m;
        CHECK(mcpw_message_decode(revision, texts[i], strlen(texts[i]), &arena, NULL, NULL, &m, NULL, NULL) ==
              MCPW_OK);
        check_written(&m, texts[i]);
        mcpw_arena_free(&arena);
    }
}

static void what_has_a_count_needs_items(void) {
    mcpw_message m = request_of(MCP_20251125_METHOD_PING);
    mcpw_message batch = message_of(MCPW_MESSAGE_BATCH);
    m.extra.count = 1;
    check_refused(&m, MCPW_E_ARGUMENT, "", "extra is NULL but its count is not 0");
    batch.batch_count = 1;
    check_refused_by(&mcp_20250326_revision, &batch, 0, MCPW_E_ARGUMENT, "",
                     "batch is NULL but its count is not 0");
    m = request_of(MCP_20251125_METHOD_PING);
    m.id.kind = MCPW_ID_STRING;
    m.id.as.string = mcpw_str_from(NULL);
    check_refused(&m, MCPW_E_ARGUMENT, "/id", "the id is a string, but absent");
}

static void missing_arguments_are_refused(void) {
    const mcpw_message m = request_of(MCP_20251125_METHOD_PING);
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_message_encode(NULL, &m, &out, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_message_encode(revision, NULL, &out, NULL, &last_error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_message_encode(revision, &m, NULL, NULL, &last_error) == MCPW_E_ARGUMENT);
    CHECK_STRING(last_error.message, "revision, message or buffer is NULL");
}

static void depth_counts_the_message_too(void) {
    static const mcp_20251125_call_tool_request_params params = {.name = MCPW_STR("n")};
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_message m = request_of(MCP_20251125_METHOD_TOOLS_CALL);
    mcpw_message batch = message_of(MCPW_MESSAGE_BATCH);
    m.value = &params;
    options.max_depth = 1;
    CHECK(mcpw_message_encode(revision, &m, &out, &options, &last_error) == MCPW_E_DEPTH);
    CHECK_STRING(last_error.path, "/params");
    m = request_of(0);
    m.method_name = mcpw_str_from("ping");
    batch.batch = &m;
    batch.batch_count = 1;
    CHECK(mcpw_message_encode(&mcp_20250326_revision, &batch, &out, &options, &last_error) == MCPW_E_DEPTH);
    CHECK_STRING(last_error.path, "/0");
    mcpw_buffer_free(&out);
}

/* A method that travels inside a result alone is unknown as a message, and taken like any unknown one. */
static void a_method_of_input_requests_is_unknown_as_a_message(void) {
    mcpw_message m = request_of(0);
    const mcpw_revision *const modern = mcpw_find_revision("2026-07-28");
    mcpw_buffer out = MCPW_BUFFER_INIT;
    if (modern == NULL) {
        return;
    }
    m.method = mcpw_method_number(modern, "roots/list", strlen("roots/list"));
    m.raw = mcpw_json_from("{\"anything\":1}");
    CHECK(mcpw_message_encode(modern, &m, &out, NULL, &last_error) == MCPW_OK);
    CHECK_TEXT(out.data, out.len,
               "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\",\"params\":{\"anything\":1}}");
    mcpw_buffer_free(&out);
    m.kind = MCPW_MESSAGE_NOTIFICATION;
    m.id.kind = MCPW_ID_ABSENT;
    CHECK(mcpw_message_encode(modern, &m, &out, NULL, &last_error) == MCPW_OK);
    mcpw_buffer_free(&out);
}

static void broken_text_is_refused_wherever_it_stands(void) {
    mcpw_message m = request_of(0);
    m.method_name = mcpw_str_from("a\xff");
    check_refused(&m, MCPW_E_UTF8, "/method", "text is not valid UTF-8");
    m = message_of(MCPW_MESSAGE_ERROR);
    m.id.kind = MCPW_ID_INTEGER;
    m.error.message = mcpw_str_from("\xff");
    check_refused(&m, MCPW_E_UTF8, "/error/message", "text is not valid UTF-8");
    m = request_of(MCP_20251125_METHOD_PING);
    m.id.kind = MCPW_ID_STRING;
    m.id.as.string = mcpw_str_from("\xff");
    check_refused(&m, MCPW_E_UTF8, "/id", "text is not valid UTF-8");
}

int main(void) {
    RUN(a_request_takes_its_type_from_the_catalogue);
    RUN(a_method_may_be_given_by_name);
    RUN(a_notification_has_no_id);
    RUN(an_unknown_method_takes_an_object);
    RUN(raw_params_are_held_against_their_type);
    RUN(required_params_are_required);
    RUN(an_error_in_the_params_has_its_path);
    RUN(a_result_is_written_by_its_type);
    RUN(an_error_may_have_any_id);
    RUN(extra_members_of_the_envelope_are_kept);
    RUN(inconsistent_messages_are_refused);
    RUN(the_message_rule_is_kept);
    RUN(batches_exist_in_one_revision);
    RUN(a_batch_holds_one_side_alone);
    RUN(what_was_decoded_is_written_back);
    RUN(what_has_a_count_needs_items);
    RUN(missing_arguments_are_refused);
    RUN(depth_counts_the_message_too);
    RUN(a_method_of_input_requests_is_unknown_as_a_message);
    RUN(broken_text_is_refused_wherever_it_stands);
    return check_end();
}
#else
int main(void) {
    (void)printf("skipped: revisions 2025-03-26 and 2025-11-25 are not both built\n");
    return CHECK_SKIPPED;
}
#endif
