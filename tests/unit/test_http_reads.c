/* SPDX-License-Identifier: MIT */
/*
 * How often the text of a request is read: the linker puts counters before the functions that read JSON text
 * (CMakeLists.txt has the list). A tool checks its arguments by its own schema, once; that comes on top and
 * is not counted here.
 */
#include <mcpw/detail/remembered.h>
#include <mcpw/envelope.h>
#include <mcpw/frame.h>
#include <mcpw/http.h>
#include <mcpw/server.h>

#include <stdlib.h>

#include "check.h"

static size_t bytes_read;

/* ---- Counters ---- */

mcpw_status __real_mcpw_envelope_read(mcpw_message_envelope *out, mcpw_json text, unsigned depth,
                                      mcpw_error *error);
mcpw_status __real_mcpw_json_check(mcpw_json text, unsigned depth, mcpw_error *error);
mcpw_status __real_mcpw_json_get(mcpw_json text, const char *name, mcpw_json *out);
bool __real_mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item);
size_t __real_mcpw_json_count(mcpw_json text);
mcpw_status __real_mcpw_json_string(mcpw_json text, mcpw_arena *arena, mcpw_str *out);
mcpw_status __real_mcpw_json_int(mcpw_json text, int64_t *out);
mcpw_status __real_mcpw_json_get_string(mcpw_json text, const char *name, mcpw_arena *arena, mcpw_str *out);
mcpw_status __real_mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len,
                                                  mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                                  mcpw_message *out, const mcpw_options *options,
                                                  mcpw_error *error, mcpw_remembered *remembered);
mcpw_status __real_mcpw_message_validate(const mcpw_revision *revision, const char *text, size_t len,
                                         mcpw_arena *scratch, mcpw_resolve resolve, void *user,
                                         mcpw_envelope *found, const mcpw_options *options,
                                         mcpw_error *error);
mcpw_status __real_mcpw_decode(const mcpw_type *type, const char *text, size_t len, mcpw_arena *arena,
                               void *out, const mcpw_options *options, mcpw_error *error);
mcpw_status __real_mcpw_validate(const mcpw_type *type, const char *text, size_t len, mcpw_arena *scratch,
                                 const mcpw_options *options, mcpw_error *error);

mcpw_status __wrap_mcpw_envelope_read(mcpw_message_envelope *out, mcpw_json text, unsigned depth,
                                      mcpw_error *error) {
    bytes_read += text.len;
    return __real_mcpw_envelope_read(out, text, depth, error);
}

mcpw_status __wrap_mcpw_json_check(mcpw_json text, unsigned depth, mcpw_error *error) {
    bytes_read += text.len;
    return __real_mcpw_json_check(text, depth, error);
}

mcpw_status __wrap_mcpw_json_get(mcpw_json text, const char *name, mcpw_json *out) {
    const mcpw_status status = __real_mcpw_json_get(text, name, out);
    bytes_read += status == MCPW_OK ? (size_t)(out->ptr + out->len - text.ptr) : text.len;
    return status;
}

mcpw_status __wrap_mcpw_json_get_string(mcpw_json text, const char *name, mcpw_arena *arena, mcpw_str *out) {
    bytes_read += text.len;
    return __real_mcpw_json_get_string(text, name, arena, out);
}

bool __wrap_mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item) {
    const char *const from = it->next;
    const bool is_one = __real_mcpw_json_next(it, key, item);
    bytes_read += is_one ? (size_t)(it->next - from) : 1;
    return is_one;
}

size_t __wrap_mcpw_json_count(mcpw_json text) {
    bytes_read += text.len;
    return __real_mcpw_json_count(text);
}

mcpw_status __wrap_mcpw_json_string(mcpw_json text, mcpw_arena *arena, mcpw_str *out) {
    bytes_read += text.len;
    return __real_mcpw_json_string(text, arena, out);
}

mcpw_status __wrap_mcpw_json_int(mcpw_json text, int64_t *out) {
    bytes_read += text.len;
    return __real_mcpw_json_int(text, out);
}

mcpw_status __wrap_mcpw_message_decode_remembered(const mcpw_revision *revision, const char *text, size_t len,
                                                  mcpw_arena *arena, mcpw_resolve resolve, void *user,
                                                  mcpw_message *out, const mcpw_options *options,
                                                  mcpw_error *error, mcpw_remembered *remembered) {
    bytes_read += len;
    return __real_mcpw_message_decode_remembered(revision, text, len, arena, resolve, user, out, options,
                                                 error, remembered);
}

mcpw_status __wrap_mcpw_message_validate(const mcpw_revision *revision, const char *text, size_t len,
                                         mcpw_arena *scratch, mcpw_resolve resolve, void *user,
                                         mcpw_envelope *found, const mcpw_options *options,
                                         mcpw_error *error) {
    bytes_read += len;
    return __real_mcpw_message_validate(revision, text, len, scratch, resolve, user, found, options, error);
}

mcpw_status __wrap_mcpw_decode(const mcpw_type *type, const char *text, size_t len, mcpw_arena *arena,
                               void *out, const mcpw_options *options, mcpw_error *error) {
    bytes_read += len;
    return __real_mcpw_decode(type, text, len, arena, out, options, error);
}

mcpw_status __wrap_mcpw_validate(const mcpw_type *type, const char *text, size_t len, mcpw_arena *scratch,
                                 const mcpw_options *options, mcpw_error *error) {
    bytes_read += len;
    return __real_mcpw_validate(type, text, len, scratch, options, error);
}

/* ---- A server ---- */

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"reads\",\"version\":\"1.0.0\"},"                     \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

enum { ARGUMENT = 3000 };

static mcpw_status answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

typedef struct stage {
    mcpw_server *server;
    mcpw_endpoint *endpoint;
    char call[ARGUMENT + 1000];
    size_t len;
} stage;

static void set_up(stage *s) {
    static const mcpw_tool tool = {
        .name = "take", .input_schema = MCPW_JSON("{\"type\":\"object\"}"), .call = answer};
    mcpw_server_config about = MCPW_SERVER_CONFIG_INIT;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    about.name = "reads";
    about.version = "1.0.0";
    s->server = mcpw_server_new_with(&about, NULL);
    CHECK(s->server != NULL && mcpw_server_add_tool(s->server, &tool, &error) == MCPW_OK);
    config.role = MCPW_ROLE_SERVER;
    config.server = s->server;
    s->endpoint = mcpw_endpoint_new(&config, &error);
    CHECK(s->endpoint != NULL);
    char text[ARGUMENT + 1];
    memset(text, 'x', ARGUMENT);
    text[ARGUMENT] = '\0';
    s->len = (size_t)snprintf(s->call, sizeof s->call,
                              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                              "\"take\",\"arguments\":{\"text\":\"%s\",\"more\":[1,2,3]}," META "}}",
                              text);
}

static void tear_down(stage *s) {
    mcpw_endpoint_free(s->endpoint);
    mcpw_server_free(s->server);
}

static bool is_at_most(double most, const stage *s) {
    const double times = (double)bytes_read / (double)s->len;
    if (times < 0.9 || times > most) { /* fewer than the text has: nothing was counted */
        (void)fprintf(stderr, "read %.2f times, %.2f is the most\n", times, most);
        return false;
    }
    return true;
}

/* ---- Tests ---- */

static size_t feed(mcpw_session *session, const stage *s) {
    const char *out;
    bytes_read = 0;
    CHECK(mcpw_session_feed(session, s->call, s->len) == MCPW_OK &&
          mcpw_session_feed(session, "\n", 1) == MCPW_OK);
    const size_t counted = bytes_read;
    const size_t len = mcpw_session_output(session, &out);
    CHECK(len > 0 && strstr(out, "done") != NULL);
    mcpw_session_sent(session, len);
    return counted;
}

static void over_stdio_a_request_is_read_twice_and_once_where_the_revision_is_known(void) {
    stage s;
    set_up(&s);
    mcpw_session *const session = mcpw_session_from(s.endpoint, NULL, NULL);
    CHECK(session != NULL);
    if (session != NULL) {
        bytes_read = feed(session, &s);
        CHECK(is_at_most(2.1, &s));
        bytes_read = feed(session, &s);
        CHECK(is_at_most(1.1, &s));
    }
    mcpw_session_free(session);
    tear_down(&s);
}

static void over_http_a_request_is_read_twice(void) {
    static const mcpw_http_field fields[] = {
        {MCPW_STR("Host"), MCPW_STR("127.0.0.1:8080")},
        {MCPW_STR("Accept"), MCPW_STR("application/json, text/event-stream")},
        {MCPW_STR("Content-Type"), MCPW_STR("application/json")},
        {MCPW_STR("MCP-Protocol-Version"), MCPW_STR("2026-07-28")},
        {MCPW_STR("Mcp-Method"), MCPW_STR("tools/call")},
        {MCPW_STR("Mcp-Name"), MCPW_STR("take")},
    };
    const mcpw_http_request request = {
        MCPW_STR_VALUE("POST"), MCPW_STR_VALUE("/mcp"), fields, 6, {NULL, 0}, {NULL, 0}};
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    mcpw_http_exchange *exchange = NULL;
    mcpw_error error;
    stage s;
    set_up(&s);
    config.endpoint = s.endpoint;
    mcpw_http_server *const http = mcpw_http_server_new(&config, &error);
    CHECK(http != NULL && mcpw_http_begin(http, &request, &s, &exchange) == MCPW_OK);
    if (exchange != NULL) {
        mcpw_http_output output;
        mcpw_http_body(exchange, s.call, s.len);
        bytes_read = 0;
        mcpw_http_body_end(exchange);
        CHECK(is_at_most(2.1, &s));
        CHECK(mcpw_http_next(exchange, &output) && output.status == 200);
        mcpw_http_close(exchange);
    }
    mcpw_http_server_free(http);
    tear_down(&s);
}

int main(void) {
    RUN(over_stdio_a_request_is_read_twice_and_once_where_the_revision_is_known);
    RUN(over_http_a_request_is_read_twice);
    return check_end();
}
