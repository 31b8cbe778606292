/* SPDX-License-Identifier: MIT */
/*
 * How often the text of a request is read: the linker puts counters before the functions that read JSON text
 * (CMakeLists.txt has the list). A tool checks its arguments by its own schema, once; that comes on top and
 * is not counted here.
 */
#include <mcpw/detail/remembered.h>
#include <mcpw/envelope.h>
#include <mcpw/frame.h>

#include <stdlib.h>

#include "http_sessions.h"

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

/* ---- Messages ---- */

enum { LONG = 3000 };

/* Writes a message, in which $T stands for a long text, and $M for a complete _meta. */
static const char *write_message(char *to, const char *message) {
    char long_text[LONG + 1];
    char text[HTTP_TEXT];
    const char *const at = strstr(message, "$T");
    memset(long_text, 'x', LONG);
    long_text[LONG] = '\0';
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - message), message, long_text, at + 2);
    site_write(to, HTTP_TEXT, text);
    return to;
}

#define CALL(meta)                                                                                           \
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'take','arguments':{'text':'$T',"        \
    "'more':[1,2,3]}" meta "}}"

static mcpw_status answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

static bool start(site *s) { return site_start(s) && site_add(s, "take", answer, NULL); }

static bool is_at_most(double most, const char *message) {
    const double times = (double)bytes_read / (double)strlen(message);
    if (times < 0.9 || times > most) { /* fewer than the text has: nothing was counted */
        (void)fprintf(stderr, "read %.2f times, %.2f is the most\n", times, most);
        return false;
    }
    return true;
}

/* ---- Tests ---- */

static void feed(mcpw_session *session, const char *message) {
    const char *out;
    bytes_read = 0;
    CHECK(mcpw_session_feed(session, message, strlen(message)) == MCPW_OK &&
          mcpw_session_feed(session, "\n", 1) == MCPW_OK);
    const size_t counted = bytes_read;
    const size_t len = mcpw_session_output(session, &out);
    CHECK(len > 0 && strstr(out, "done") != NULL);
    mcpw_session_sent(session, len);
    bytes_read = counted;
}

/* Posts a message and checks that it is answered; the header has such lines besides the usual ones. */
static void post(site *s, const char *lines, const char *message) {
    bytes_read = 0;
    mcpw_http_exchange *const exchange = site_post(s, lines, message, HTTP_TEXT);
    const size_t counted = bytes_read;
    CHECK(site_finish(exchange)->status == 200);
    bytes_read = counted;
}

static void over_stdio_a_request_is_read_twice_and_once_where_the_revision_is_known(void) {
    static site s;
    char call[HTTP_TEXT];
    CHECK(start(&s));
    mcpw_session *const session = mcpw_session_from(s.endpoint, NULL, NULL);
    CHECK(session != NULL);
    if (session != NULL) {
        feed(session, write_message(call, CALL(",$M")));
        CHECK(is_at_most(2.1, call));
        feed(session, call);
        CHECK(is_at_most(1.1, call));
    }
    mcpw_session_free(session);
    site_stop(&s);
}

static void over_http_a_request_is_read_twice(void) {
    static site s;
    char call[HTTP_TEXT];
    CHECK(start(&s));
    post(&s, "Mcp-Method: tools/call\nMcp-Name: take", write_message(call, CALL(",$M")));
    CHECK(is_at_most(2.1, call));
    site_stop(&s);
}

static void over_http_a_request_in_a_session_is_read_twice(void) {
    static site s;
    visitor v;
    char call[HTTP_TEXT];
    CHECK(start(&s));
    visitor_open(&s, &v, "2025-11-25");
    post(&s, v.lines, write_message(call, CALL("")));
    CHECK(is_at_most(2.1, call));
    site_stop(&s);
}

static void over_http_initialize_is_read_twice(void) {
    static site s;
    char initialize[HTTP_TEXT];
    CHECK(start(&s));
    post(&s, "Mcp-Method:-\nMCP-Protocol-Version:-",
         write_message(initialize,
                       "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':"
                       "'2025-11-25','capabilities':{},'clientInfo':{'name':'$T','version':'1'}}}"));
    CHECK(is_at_most(2.1, initialize));
    site_stop(&s);
}

int main(void) {
    RUN(over_stdio_a_request_is_read_twice_and_once_where_the_revision_is_known);
    RUN(over_http_a_request_is_read_twice);
    if (keeps_sessions()) {
        RUN(over_http_a_request_in_a_session_is_read_twice);
        RUN(over_http_initialize_is_read_twice);
    }
    return check_end();
}
