/* SPDX-License-Identifier: MIT */
/* Peers that send much and read little: what a session keeps for them is bounded, and nothing is lost. */
#include <mcpw/server.h>

#include "core/registry.h"
#include "session_harness.h"

enum { MOST_OUTPUT = 600 };

static mcpw_status read_one(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'contents':[{'uri':'a:b','text':'r'}]"));
}

static end *server_with(const char *speaks, size_t max_output) {
    end *const e = server_of(speaks, MODERN);
    e->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{\"subscribe\":true},\"logging\":{}}");
    e->config.max_output = max_output;
    end_serve(e, "tools/list", list_one_tool);
    end_serve(e, "resources/read", read_one);
    return e;
}

static size_t waiting(const end *e) {
    const char *bytes;
    return mcpw_session_output(e->session, &bytes);
}

/* Requests with ids from..to-1, as one text. */
static void say_many(end *e, const char *method, int from, int to, const char *end_of_line) {
    char text[HARNESS_TEXT] = "";
    size_t len = 0;
    char meta[HARNESS_ERROR];
    (void)snprintf(meta, sizeof meta, "%s", meta_of(e, CLIENT_CAPABILITIES, ""));
    for (int id = from; id < to; id++) {
        const char *const one = q(fmt("{'jsonrpc':'2.0','id':%d,'method':'%s','params':{%s}}%s", id, method,
                                      meta, id + 1 < to ? "\n" : end_of_line));
        memcpy(text + len, one, strlen(one));
        len += strlen(one);
        remember(e, mcpw_json_of(q(fmt("{'id':%d,'method':'%s'}", id, method)),
                                 strlen(q(fmt("{'id':%d,'method':'%s'}", id, method)))));
    }
    CHECK(mcpw_session_feed(e->session, text, len) == MCPW_OK);
}

static void what_is_fed_beyond_a_full_output_is_handled_when_it_is_read(void) {
    for (int i = 0; i < revision_count(); i++) {
        enum { COUNT = 40 };
        end *const e = server_with(revision_at(i), MOST_OUTPUT);
        open_server(e);
        say_many(e, "tools/list", 1, 1 + COUNT, "\n");
        CHECK(waiting(e) >= MOST_OUTPUT && waiting(e) < 2 * MOST_OUTPUT);
        CHECK(e->runs < COUNT);
        CHECK(!mcpw_session_wants_input(e->session));
        CHECK(mcpw_session_is_busy(e->session));
        for (int id = 1; id <= COUNT; id++) {
            CHECK_HAS(heard(e), fmt("'id':%d,", id));
            CHECK(waiting(e) < 2 * MOST_OUTPUT);
        }
        EXPECT(e, "");
        CHECK(e->runs == COUNT);
        CHECK(mcpw_session_wants_input(e->session));
        CHECK(!mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static void what_is_fed_while_input_is_held_comes_after_it(void) {
    end *const e = server_with(HANDSHAKE, MOST_OUTPUT);
    open_server(e);
    say_many(e, "tools/list", 1, 20, ""); /* its last line is not whole */
    say_many(e, "tools/list", 100, 101, "");
    CHECK(mcpw_session_feed(e->session, "\n", 1) == MCPW_OK);
    for (int id = 1; id < 19; id++) {
        CHECK_HAS(heard(e), fmt("'id':%d,", id));
    }
    CHECK_HAS(heard(e), "'code':-32700"); /* the two that became one line */
    EXPECT(e, "");
    CHECK(mcpw_session_wants_input(e->session));
    end_free(e);
}

static void input_that_ends_after_what_is_held_ends_when_that_is_handled(void) {
    end *const e = server_with(HANDSHAKE, MOST_OUTPUT);
    open_server(e);
    say_many(e, "tools/list", 1, 21, "");
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    CHECK(mcpw_session_end_input(e->session) == MCPW_E_CLOSED);
    CHECK(!mcpw_session_wants_input(e->session));
    for (int id = 1; id < 21; id++) { /* the last one has no end of line */
        CHECK_HAS(heard(e), fmt("'id':%d,", id));
    }
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_session_may_be_closed_while_input_is_held(void) {
    end *const e = server_with(HANDSHAKE, MOST_OUTPUT);
    open_server(e);
    say_many(e, "tools/list", 1, 21, "\n");
    mcpw_session_close(e->session);
    const int runs = e->runs;
    run_to_idle(e);
    CHECK(e->runs == runs);
    CHECK(mcpw_session_feed(e->session, "{}\n", 3) == MCPW_E_CLOSED);
    end_free(e);
}

static void input_that_cannot_be_held_is_handled_at_once(void) {
    end *const e = server_with(HANDSHAKE, MOST_OUTPUT);
    int id = 1;
    open_server(e);
    while (mcpw_session_wants_input(e->session)) {
        say_many(e, "tools/list", id, id + 1, "\n");
        id++;
    }
    const int before = e->runs;
    e->memory.fail_at = e->memory.calls + 1;
    say_many(e, "tools/list", id, id + 1, "\n");
    CHECK(e->memory.calls >= e->memory.fail_at);
    CHECK(e->runs == before + 1);
    for (int n = 1; n <= id; n++) {
        CHECK_HAS(heard(e), fmt("'id':%d,", n));
    }
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_whose_answers_grow_too_long_is_cut(void) {
    enum { COUNT = 60 };
    end *const e = server_with(BATCHING, MOST_OUTPUT);
    char text[HARNESS_TEXT] = "[";
    e->unchecked = true; /* one line with all answers */
    open_server(e);
    for (int id = 0; id < COUNT; id++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}", id != 0 ? "," : "", id);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "]");
    CHECK(say_bytes(e, text, strlen(text)) == MCPW_OK);
    CHECK(e->runs > 0 && e->runs < COUNT);
    const char *const line = heard(e);
    CHECK_HAS(line, "{'jsonrpc':'2.0','id':0,'result'");
    CHECK_HAS(line,
              "'id':59,'error':{'code':-32600,'message':'Invalid Request: the responses to this batch are "
              "too long'");
    end_free(e);
}

static void requests_that_hold_too_much_memory_are_refused(void) {
    enum { LARGE = 20000, ALLOWED = 60000 };
    end *const e = server_with(HANDSHAKE, 0);
    static char text[LARGE + HARNESS_ERROR];
    static char filler[LARGE + 1];
    e->config.max_request_bytes = ALLOWED;
    end_serve(e, "completion/complete", keep);
    open_server(e);
    memset(filler, 'x', LARGE);
    for (int id = 1; id <= 8; id++) {
        (void)snprintf(
            text, sizeof text,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"completion/complete\",\"params\":{\"ref\":{"
            "\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"%s\"}}}",
            id, filler);
        CHECK(say_bytes(e, text, strlen(text)) == MCPW_OK);
    }
    CHECK(e->runs >= 1 && e->runs <= ALLOWED / LARGE);
    CHECK_HAS(heard(e), "'error':{'code':-32600,'message':'Invalid Request: the requests in flight hold too "
                        "much memory'}");
    run_to_idle(e);
    say_request(e, "99", "tools/list", ""); /* a small one has its place, when one of them is gone */
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    say_request(e, "100", "tools/list", "");
    CHECK_HAS(heard(e), "'id':100,'result'");
    end_free(e);
}

static void one_request_larger_than_all_may_be_is_refused(void) {
    enum { LARGE = 40000 };
    end *const e = server_with(HANDSHAKE, 0);
    static char text[LARGE + HARNESS_ERROR];
    static char filler[LARGE + 1];
    e->config.max_request_bytes = LARGE / 2;
    open_server(e);
    memset(filler, 'x', LARGE);
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}",
                   filler);
    CHECK(say_bytes(e, text, strlen(text)) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':1,'error'");
    CHECK(e->runs == 0);
    end_free(e);
}

static mcpw_status read_text(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static void what_is_watched_is_bounded_by_its_bytes(void) {
    enum { ALLOWED = 60000, LARGE = 9000, COUNT = 6 };
    static const mcpw_resource resource = {.uri = "a:b", .name = "r", .read = read_text};
    static char uris[COUNT][LARGE + 1];
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    int granted = 0;
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    e->config.server = server;
    e->config.dispatch = NULL;
    e->config.max_request_bytes = ALLOWED;
    open_server(e);
    for (int round = 0; round < 2; round++) {
        for (int n = 0; n < COUNT; n++) {
            memset(uris[n], 'a' + n, LARGE);
            say_request(e, fmt("%d", n), "resources/subscribe", fmt("'uri':'%s:'", uris[n]));
            const bool refused = has(heard(e), "'error':{'code':-32602,'message':'Invalid params: too many");
            granted += !refused;
        }
        CHECK(granted > 1 &&
              granted < COUNT); /* the second time they are watched already, or still refused */
        for (int n = 0; n < COUNT && round == 0; n++) {
            say_request(e, fmt("%d", n), "resources/unsubscribe", fmt("'uri':'%s:'", uris[n]));
            CHECK_HAS(heard(e), "'result':{}");
        }
        granted = round == 0 ? 0 : granted;
    }
    end_free(e);
    mcpw_server_free(server);
}

static void progress_and_logs_are_left_out_while_the_output_is_full(void) {
    for (int i = 0; i < revision_count(); i++) {
        static const mcpw_json data = MCPW_JSON("\"text\"");
        end *const e = server_with(revision_at(i), MOST_OUTPUT);
        end_serve(e, "tools/call", keep);
        open_server(e);
        if (is_modern(e->speaks)) {
            say_request_as(e, "'k'", "tools/call", "'name':'t'", CLIENT_CAPABILITIES,
                           ",'progressToken':'p','io.modelcontextprotocol/logLevel':'debug'");
        } else {
            say(e, "{'jsonrpc':'2.0','id':'k','method':'tools/call','params':{'name':'t','_meta':{"
                   "'progressToken':'p'}}}");
        }
        for (int n = 1; n < 1000; n++) {
            CHECK(mcpw_request_progress(e->kept, n, 1000, NULL) == MCPW_OK);
            CHECK(mcpw_request_log(e->kept, MCPW_LOG_ERROR, NULL, data) == MCPW_OK);
        }
        CHECK(waiting(e) >= MOST_OUTPUT && waiting(e) < 2 * MOST_OUTPUT);
        run_to_idle(e);
        CHECK(mcpw_request_progress(e->kept, 1000, 1000, NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'progress':1000");
        end_free(e);
    }
}

static void a_notification_of_ours_is_refused_while_the_output_is_full(void) {
    end *const e = server_with(HANDSHAKE, MOST_OUTPUT);
    mcpw_error error = {0};
    open_server(e);
    static const char name[] = "notifications/tools/list_changed";
    const mcpw_revision *const own = e->speaks;
    const int method = mcpw_method_number(own, name, strlen(name));
    mcpw_status status = MCPW_OK;
    for (int n = 0; n < 100 && status == MCPW_OK; n++) {
        status = mcpw_session_notify(e->session, own, method, NULL, &error);
    }
    CHECK(status == MCPW_E_FULL);
    CHECK(error.code == MCPW_E_FULL);
    CHECK(waiting(e) < 2 * MOST_OUTPUT);
    run_to_idle(e);
    CHECK(mcpw_session_notify(e->session, own, method, NULL, &error) == MCPW_OK);
    end_free(e);
}

#define ALL_WANTED                                                                                           \
    "'notifications':{'toolsListChanged':true,'resourcesListChanged':true,"                                  \
    "'resourceSubscriptions':['a:b','c:d']}"

static void change_often(end *e) {
    enum { OFTEN = 500 };
    static const mcpw_str none = {NULL, 0};
    for (int n = 0; n < OFTEN; n++) {
        mcpw_session_changed(e->session, MCPW_CHANGE_TOOLS, none);
        mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("a:b"));
        mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("x:y"));
        mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCE, mcpw_str_from("c:d"));
    }
}

static void changes_are_told_late_and_once_but_never_lost(void) {
    end *const e = server_with(MODERN, MOST_OUTPUT);
    end_serve(e, "resources/list", read_one);
    open_server(e);
    say_request(e, "1", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    change_often(e);
    CHECK(waiting(e) < 2 * MOST_OUTPUT);
    int tools = 0;
    int first = 0;
    int second = 0;
    for (const char *line = heard(e); *line != '\0'; line = heard(e)) {
        tools += has(line, "tools/list_changed");
        first += has(line, "'uri':'a:b'");
        second += has(line, "'uri':'c:d'");
        CHECK(!has(line, "x:y"));
        CHECK_HAS(line, "'io.modelcontextprotocol/subscriptionId':1}");
    }
    CHECK(tools >= 2 && tools < 8);
    CHECK(first >= 2 && first < 8);
    CHECK(second >= 2 && second < 8);
    EXPECT(e, "");
    end_free(e);
}

static void a_subscription_that_ends_is_owed_nothing(void) {
    end *const e = server_with(MODERN, MOST_OUTPUT);
    end_serve(e, "resources/list", read_one);
    open_server(e);
    say_request(e, "1", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    change_often(e);
    const size_t before = waiting(e);
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'_meta':{},'requestId':1}}");
    CHECK(waiting(e) == before); /* held until the peer has read */
    run_to_idle(e);
    change_often(e);
    EXPECT(e, "");
    end_free(e);
}

int main(void) {
    RUN(what_is_fed_beyond_a_full_output_is_handled_when_it_is_read);
    RUN(what_is_fed_while_input_is_held_comes_after_it);
    RUN(input_that_ends_after_what_is_held_ends_when_that_is_handled);
    RUN(a_session_may_be_closed_while_input_is_held);
    RUN(input_that_cannot_be_held_is_handled_at_once);
    RUN(a_batch_whose_answers_grow_too_long_is_cut);
    RUN(requests_that_hold_too_much_memory_are_refused);
    RUN(one_request_larger_than_all_may_be_is_refused);
    RUN(what_is_watched_is_bounded_by_its_bytes);
    RUN(progress_and_logs_are_left_out_while_the_output_is_full);
    RUN(a_notification_of_ours_is_refused_while_the_output_is_full);
    RUN(changes_are_told_late_and_once_but_never_lost);
    RUN(a_subscription_that_ends_is_owed_nothing);
    return check_end();
}
