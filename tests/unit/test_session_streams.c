/* SPDX-License-Identifier: MIT */
/* Whole messages in and out, each with the stream that it belongs to: what a transport with many streams
 * needs. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/session.h>
#include <mcpw/server.h>

#include "session_harness.h"

enum { KEPT = 4, STREAMS = 8 };

/* The transport's own: what it keeps of a stream. */
typedef struct stream {
    int messages;
    int lasts; /* how often the session said that nothing follows */
    char text[HARNESS_ERROR];
} stream;

typedef struct stage {
    end *e;
    stream streams[STREAMS];
    stream own; /* of the session: messages that belong to nothing */
} stage;

static mcpw_request *kept[KEPT];
static int kept_count;

static mcpw_status keep_it(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    kept[kept_count++] = request;
    return MCPW_OK;
}

static stage *begin(const char *speaks, const char *method, end_handler run) {
    stage *const s = calloc(1, sizeof *s);
    s->e = server_of(speaks, MODERN);
    kept_count = 0;
    end_serve(s->e, method, run);
    end_start(s->e);
    return s;
}

static void finish(stage *s) {
    end_free(s->e);
    free(s);
}

/* Takes out all that waits, each message to its stream. */
static void take_all(stage *s) {
    mcpw_outgoing out;
    while (mcpw_session_next_message(s->e->session, &out)) {
        stream *const to = out.context != NULL ? out.context : &s->own;
        CHECK(out.context == NULL || (to >= s->streams && to < s->streams + STREAMS));
        CHECK((out.text.ptr == NULL) == (out.kind == MCPW_MESSAGE_NONE));
        CHECK((out.code != 0) == (out.kind == MCPW_MESSAGE_ERROR));
        CHECK(out.code == 0 || strstr(out.text.ptr, fmt("\"code\":%lld", (long long)out.code)) != NULL);
        to->lasts += out.is_last && out.context != NULL;
        if (out.text.ptr != NULL) {
            CHECK(out.text.ptr[out.text.len] == '\0');
            CHECK(memchr(out.text.ptr, '\n', out.text.len) == NULL);
            to->messages++;
            (void)snprintf(to->text, sizeof to->text, "%s", out.text.ptr);
        }
    }
}

static void receive(stage *s, int stream, const char *text) {
    const char *const json = q(text);
    remember(s->e, mcpw_json_from(json));
    CHECK(mcpw_session_receive(s->e->session, json, strlen(json), s->streams + stream) == MCPW_OK);
}

static void request(stage *s, int stream, const char *method, const char *params) {
    const char *const meta =
        meta_of(s->e, CLIENT_CAPABILITIES, ",'progressToken':7,'io.modelcontextprotocol/logLevel':'debug'");
    receive(s, stream,
            fmt("{'jsonrpc':'2.0','id':%d,'method':'%s','params':{%s%s%s}}", stream, method, meta,
                *meta != '\0' && *params != '\0' ? "," : "", params));
}

static void open_stage(stage *s) {
    if (!is_modern(s->e->speaks)) {
        receive(s, 0,
                fmt("{'jsonrpc':'2.0','id':'open','method':'initialize','params':{'protocolVersion':'%s',"
                    "'capabilities':%s,'clientInfo':{'name':'c','version':'1'}}}",
                    mcpw_revision_name(s->e->speaks), CLIENT_CAPABILITIES));
        receive(s, 0, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
        take_all(s);
        CHECK(s->streams[0].messages == 1 && s->streams[0].lasts == 2);
        memset(s->streams, 0, sizeof s->streams);
    }
}

/* ---- Answers ---- */

static void each_answer_goes_to_the_stream_of_its_request(void) {
    for (int i = 0; i < revision_count(); i++) {
        stage *const s = begin(revision_at(i), "tools/list", keep_it);
        open_stage(s);
        request(s, 1, "tools/list", "");
        request(s, 2, "tools/list", "");
        CHECK(kept_count == 2);
        CHECK(mcpw_request_context(kept[0]) == s->streams + 1);
        CHECK(mcpw_request_context(kept[1]) == s->streams + 2);
        CHECK(answer(s->e, kept[1], cacheable(s->e, "'tools':[]")) == MCPW_OK);
        take_all(s);
        CHECK(s->streams[1].messages == 0 && s->streams[2].messages == 1 && s->streams[2].lasts == 1);
        CHECK_HAS(s->streams[2].text, "'id':2,'result'");
        CHECK(answer(s->e, kept[0], cacheable(s->e, "'tools':[]")) == MCPW_OK);
        take_all(s);
        CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1 && s->own.messages == 0);
        CHECK_HAS(s->streams[1].text, "'id':1,'result'");
        finish(s);
    }
}

static void count_outputs(void *user, mcpw_session *session) {
    CHECK(session != NULL);
    ++*(int *)user;
}

static void who_begins_to_speak_is_told_of(void) {
    int told = 0;
    stage *const s = begin(MODERN, "tools/list", keep_it);
    mcpw_session_on_output(s->e->session, count_outputs, &told);
    request(s, 1, "tools/list", "");
    request(s, 2, "tools/list", "");
    CHECK(told == 0);
    CHECK(answer(s->e, kept[0], cacheable(s->e, "'tools':[]")) == MCPW_OK);
    CHECK(answer(s->e, kept[1], cacheable(s->e, "'tools':[]")) == MCPW_OK);
    CHECK(told == 1); /* the second waits behind the first */
    take_all(s);
    receive(s, 3, "{broken");
    CHECK(told == 2);
    mcpw_session_on_output(s->e->session, NULL, NULL);
    take_all(s);
    receive(s, 4, "{broken");
    CHECK(told == 2);
    finish(s);
}

static void who_is_closed_is_told_of(void) {
    int told = 0;
    stage *const s = begin(MODERN, "tools/list", keep_it);
    mcpw_session_on_output(s->e->session, count_outputs, &told);
    mcpw_session_close(s->e->session);
    CHECK(told == 1);
    mcpw_session_close(s->e->session);
    CHECK(told == 1);
    mcpw_session_on_output(s->e->session, NULL, NULL);
    finish(s);
}

static void what_cannot_be_read_is_answered_on_its_stream(void) {
    stage *const s = begin(MODERN, "tools/list", keep_it);
    receive(s, 1, "{broken");
    receive(s, 2, "{'jsonrpc':'2.0','id':2,'method':'no/such'}");
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1);
    CHECK_HAS(s->streams[1].text, "'code':-32700");
    CHECK(s->streams[2].messages == 1 && s->streams[2].lasts == 1);
    finish(s);
}

static void what_has_no_answer_ends_without_a_text(void) {
    stage *const s = begin(HANDSHAKE, "tools/list", keep_it);
    open_stage(s);
    receive(s, 1, "{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}");
    receive(s, 2, "{'jsonrpc':'2.0','id':5,'result':{}}");
    request(s, 3, "tools/list", "");
    receive(s, 4, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':3}}");
    take_all(s);
    for (int i = 1; i <= 4; i++) {
        CHECK(s->streams[i].messages == 0 && s->streams[i].lasts == 1);
    }
    finish(s);
}

static void a_message_that_is_too_long_is_answered(void) {
    stage *const s = begin(MODERN, "tools/list", keep_it);
    const size_t size = s->e->config.max_message != 0 ? s->e->config.max_message : MCPW_DEFAULT_BYTES;
    char *const text = calloc(1, size + 1);
    CHECK(mcpw_session_receive(s->e->session, text, size + 1, s->streams + 1) == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1);
    CHECK_HAS(s->streams[1].text, "too long");
    free(text);
    finish(s);
}

static void a_batch_is_answered_as_one_message(void) {
    stage *const s = begin(BATCHING, "tools/list", keep_it);
    open_stage(s);
    s->e->unchecked = true;
    receive(s, 1,
            "[{'jsonrpc':'2.0','id':1,'method':'ping'},{'jsonrpc':'2.0','id':2,'method':'tools/list'}]");
    receive(s, 2, "[{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}]");
    take_all(s);
    CHECK(s->streams[1].messages == 0 && s->streams[1].lasts == 0);
    CHECK(s->streams[2].messages == 0 && s->streams[2].lasts == 1);
    CHECK(answer(s->e, kept[0], cacheable(s->e, "'tools':[]")) == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1 && s->streams[1].text[0] == '[');
    finish(s);
}

/* ---- What else is said of a request ---- */

static mcpw_status tell_and_keep(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("\"working\"");
    (void)!mcpw_request_progress(request, 1, 2, "m"); /* what comes of it shows where it goes */
    (void)!mcpw_request_log(request, MCPW_LOG_ERROR, NULL, data);
    return keep_it(e, request, params);
}

static void progress_and_log_messages_go_with_their_request(void) {
    for (int i = 0; i < revision_count(); i++) {
        stage *const s = begin(revision_at(i), "tools/call", tell_and_keep);
        open_stage(s);
        request(s, 1, "tools/call",
                is_modern(s->e->speaks) ? "'name':'t'" : "'name':'t','_meta':{'progressToken':1}");
        take_all(s);
        CHECK(s->streams[1].messages == 2 && s->streams[1].lasts == 0 && s->own.messages == 0);
        CHECK(answer(s->e, kept[0], "{'content':[]}") == MCPW_OK);
        take_all(s);
        CHECK(s->streams[1].messages == 3 && s->streams[1].lasts == 1);
        finish(s);
    }
}

static mcpw_status ask(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const mcpw_type *const type = mcpw_revision_type(revision, "CreateMessageRequestParams");
    const void *const input_request =
        decoded(type, "{'messages':[],'maxTokens':1}", mcpw_request_arena(request));
    mcpw_result result = {NULL, NULL};
    (void)params;
    return mcpw_request_ask(request, "q", revision,
                            mcpw_method_number(revision, "sampling/createMessage", 22), input_request,
                            &result, NULL);
}

static void a_input_request_goes_with_the_request_that_asks_it(void) {
    stage *const s = begin(HANDSHAKE, "tools/call", ask);
    open_stage(s);
    request(s, 1, "tools/call", "'name':'t'");
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 0 && s->own.messages == 0);
    CHECK_HAS(s->streams[1].text, "'method':'sampling/createMessage'");
    receive(s, 2, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1);
    CHECK_HAS(s->own.text, "notifications/cancelled"); /* its stream has ended */
    finish(s);
}

static void a_change_goes_to_its_subscription(void) {
    stage *const s = begin(MODERN, "tools/list", keep_it);
    request(s, 1, "subscriptions/listen", "'notifications':{'toolsListChanged':true}");
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 0);
    CHECK_HAS(s->streams[1].text, "notifications/subscriptions/acknowledged");
    CHECK(mcpw_session_notify(
              s->e->session, s->e->dispatch.revision,
              mcpw_method_number(s->e->dispatch.revision, "notifications/tools/list_changed", 32), NULL,
              NULL) == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].messages == 2 && s->own.messages == 0);
    mcpw_session_close(s->e->session);
    take_all(s);
    CHECK(s->streams[1].messages == 3 && s->streams[1].lasts == 1);
    CHECK_HAS(s->streams[1].text, "'id':1,'result'");
    finish(s);
}

static void the_end_of_input_gives_the_stream_of_a_subscription_back(void) {
    stage *const s = begin(MODERN, "tools/list", keep_it);
    request(s, 1, "subscriptions/listen", "'notifications':{'toolsListChanged':true}");
    take_all(s);
    CHECK(mcpw_session_end_input(s->e->session) == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].messages == 1 && s->streams[1].lasts == 1);
    finish(s);
}

static void what_belongs_to_no_request_goes_to_none(void) {
    static const mcpw_json data = MCPW_JSON("\"up\"");
    stage *const s = begin(HANDSHAKE, "tools/list", keep_it);
    open_stage(s);
    CHECK(mcpw_session_log(s->e->session, MCPW_LOG_ERROR, NULL, data) == MCPW_OK);
    take_all(s);
    CHECK(s->own.messages == 1);
    finish(s);
}

/* ---- Streams that are gone ---- */

static void an_abandoned_request_is_cancelled_and_not_heard_of_again(void) {
    stage *const s = begin(MODERN, "tools/call", tell_and_keep);
    request(s, 1, "tools/call", "'name':'t'");
    request(s, 2, "tools/call", "'name':'t'");
    mcpw_session_abandon(s->e->session, s->streams + 1);
    CHECK(answer(s->e, kept[1], "{'content':[]}") == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].messages == 0 && s->streams[1].lasts == 0);
    CHECK(s->streams[2].messages == 3 && s->streams[2].lasts == 1);
    CHECK(!mcpw_session_is_busy(s->e->session));
    mcpw_session_abandon(s->e->session, NULL);
    finish(s);
}

static void *abandoned; /* by the next note */

/* A callback that a message causes may give up the stream that the message came on. */
static void abandon_first(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    end_on_diagnostic(user, session, diagnostic);
    mcpw_session_abandon(session, abandoned);
}

static stage *begin_to_abandon(const char *speaks) {
    stage *const s = calloc(1, sizeof *s);
    s->e = server_of(speaks, MODERN);
    kept_count = 0;
    end_serve(s->e, "tools/call", keep_it);
    s->e->config.on_diagnostic = abandon_first;
    abandoned = s->streams + 1;
    end_start(s->e);
    return s;
}

static void a_stream_that_is_abandoned_while_its_message_is_read_hears_nothing(void) {
    stage *const s = begin_to_abandon(MODERN);
    receive(s, 1, "{'no':'message'}");
    receive(s, 2, "{'jsonrpc':'2.0','id':2,'method':'no/such','params':{}}");
    take_all(s);
    CHECK(s->streams[1].messages == 0 && s->streams[1].lasts == 0 && s->own.messages == 0);
    CHECK(s->streams[2].messages == 1 && s->streams[2].lasts == 1);
    finish(s);
}

static void the_rest_of_a_batch_goes_with_its_stream(void) {
    stage *const s = begin_to_abandon("2025-03-26");
    open_stage(s);
    memset(s->streams, 0, sizeof s->streams);
    receive(s, 1,
            "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}},{'no':'message'},"
            "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'t'}}]");
    CHECK(kept_count == 1 && !mcpw_session_is_busy(s->e->session));
    take_all(s);
    CHECK(s->streams[1].messages == 0 && s->streams[1].lasts == 0 && s->own.messages == 0);
    finish(s);
}

/* ---- Limits ---- */

static void what_has_no_room_is_not_taken(void) {
    stage *const s = calloc(1, sizeof *s);
    const char *const line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    s->e = server_of(HANDSHAKE, MODERN);
    s->e->config.max_output = 1;
    end_start(s->e);
    CHECK(mcpw_session_receive(s->e->session, line, strlen(line), s->streams + 1) == MCPW_OK);
    CHECK(!mcpw_session_wants_input(s->e->session));
    CHECK(mcpw_session_receive(s->e->session, line, strlen(line), s->streams + 2) == MCPW_E_FULL);
    take_all(s);
    CHECK(mcpw_session_wants_input(s->e->session));
    CHECK(mcpw_session_receive(s->e->session, line, strlen(line), s->streams + 2) == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].lasts == 1 && s->streams[2].lasts == 1);
    finish(s);
}

/* Whatever allocation fails: a context that was taken comes back once. */
static void a_context_comes_back_once_whatever_fails(void) {
    enum { MOST = 200 };
    bool failed = true;
    for (size_t n = 1; failed && n < MOST; n++) {
        stage *const s = begin(MODERN, "tools/call", tell_and_keep);
        mcpw_status taken[STREAMS] = {MCPW_OK};
        s->e->unchecked = true;
        s->e->memory.fail_at = s->e->memory.calls + n;
        for (int i = 1; i < KEPT; i++) {
            const char *const text =
                q(fmt("{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{%s,'name':'t'}}", i,
                      meta_of(s->e, CLIENT_CAPABILITIES, ",'progressToken':7")));
            remember(s->e, mcpw_json_from(text));
            taken[i] = mcpw_session_receive(s->e->session, text, strlen(text), s->streams + i);
        }
        for (int i = 0; i < kept_count; i++) {
            if (answer(s->e, kept[i], "{'content':[]}") != MCPW_OK) {
                CHECK(mcpw_respond_error(kept[i], MCPW_RPC_INTERNAL_ERROR, "e", (mcpw_json){NULL, 0, 0}) ==
                      MCPW_OK);
            }
        }
        failed = s->e->memory.calls >= s->e->memory.fail_at;
        s->e->memory.fail_at = 0;
        take_all(s);
        for (int i = 1; i < KEPT; i++) {
            CHECK(s->streams[i].lasts == (taken[i] == MCPW_OK));
        }
        finish(s);
    }
}

/* However many streams there were, the session keeps no more than those that are open need. */
static void streams_come_and_go(void) {
    enum { TURNS = 400, WARM = 100 };
    stage *const s = begin(MODERN, "tools/call", tell_and_keep);
    size_t in_use = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        request(s, 1 + turn % 2, "tools/call", "'name':'t'");
        if (turn % 3 != 0) {
            take_all(s); /* else what was said waits behind the next */
        }
        if (kept_count == 2) {
            CHECK(answer(s->e, kept[0], "{'content':[]}") == MCPW_OK);
            kept[0] = kept[1];
            kept_count = 1;
        }
        forget_knowns(s->e);
        remember(s->e, mcpw_json_from(q(fmt("{'id':%d,'method':'tools/call'}", 1 + turn % 2))));
        in_use = turn == WARM ? s->e->memory.in_use : in_use;
    }
    CHECK(answer(s->e, kept[0], "{'content':[]}") == MCPW_OK);
    take_all(s);
    CHECK(s->streams[1].lasts == TURNS / 2 && s->streams[2].lasts == TURNS / 2);
    CHECK(s->streams[1].messages == 3 * TURNS / 2 && s->streams[2].messages == 3 * TURNS / 2);
    CHECK(s->e->memory.in_use <= in_use);
    finish(s);
}

/* ---- One stream of bytes ---- */

static void a_session_is_read_in_one_way(void) {
    stage *const s = begin(MODERN, "tools/list", keep_it);
    mcpw_outgoing out;
    CHECK(mcpw_session_feed(s->e->session, "", 0) == MCPW_OK);
    CHECK(mcpw_session_receive(s->e->session, "{}", 2, NULL) == MCPW_E_STATE);
    say_request(s->e, "1", "no/such", "");
    CHECK(!mcpw_session_next_message(s->e->session, &out));
    mcpw_session_abandon(s->e->session, s->streams);
    CHECK_HAS(heard(s->e), "'id':1,'error'");
    finish(s);
}

/* A client speaks first: what it said before its bytes are asked for is among them. */
static void what_was_said_before_becomes_lines(void) {
    end *const e = client_of(MODERN, MODERN);
    mcpw_outgoing out;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK(mcpw_session_next_message(e->session, &out) && out.kind == MCPW_MESSAGE_REQUEST);
    CHECK(mcpw_str_is(out.method, "server/discover") && out.context == NULL);
    CHECK(strstr(out.text.ptr, fmt("\"id\":%lld", (long long)out.request)) != NULL);
    CHECK(mcpw_session_ping(e->session, NULL, NULL, NULL, NULL, NULL) != MCPW_E_MEMORY);
    CHECK_STRING(heard(e), ""); /* that one is in the transport's hand */
    end_free(e);
    end *const other = client_of(MODERN, MODERN);
    end_start(other);
    CHECK(mcpw_session_open(other->session) == MCPW_OK);
    CHECK_HAS(heard(other), "'method':'server/discover'");
    end_free(other);
}

static mcpw_status receive_inside(end *e, mcpw_request *request, const void *params) {
    (void)request;
    (void)params;
    e->status = mcpw_session_receive(e->session, "{}", 2, NULL);
    return MCPW_E_STATE;
}

static void a_callback_cannot_receive(void) {
    stage *const s = begin(MODERN, "tools/list", receive_inside);
    request(s, 1, "tools/list", "");
    CHECK(s->e->status == MCPW_E_STATE);
    mcpw_session_close(s->e->session);
    CHECK(mcpw_session_receive(s->e->session, "{}", 2, NULL) == MCPW_E_CLOSED);
    finish(s);
}

int main(void) {
    RUN(each_answer_goes_to_the_stream_of_its_request);
    RUN(who_begins_to_speak_is_told_of);
    RUN(who_is_closed_is_told_of);
    RUN(what_cannot_be_read_is_answered_on_its_stream);
    RUN(what_has_no_answer_ends_without_a_text);
    RUN(a_message_that_is_too_long_is_answered);
    RUN(a_batch_is_answered_as_one_message);
    RUN(progress_and_log_messages_go_with_their_request);
    RUN(a_input_request_goes_with_the_request_that_asks_it);
    RUN(a_change_goes_to_its_subscription);
    RUN(the_end_of_input_gives_the_stream_of_a_subscription_back);
    RUN(what_belongs_to_no_request_goes_to_none);
    RUN(an_abandoned_request_is_cancelled_and_not_heard_of_again);
    RUN(a_stream_that_is_abandoned_while_its_message_is_read_hears_nothing);
    RUN(the_rest_of_a_batch_goes_with_its_stream);
    RUN(what_has_no_room_is_not_taken);
    RUN(a_context_comes_back_once_whatever_fails);
    RUN(streams_come_and_go);
    RUN(a_session_is_read_in_one_way);
    RUN(what_was_said_before_becomes_lines);
    RUN(a_callback_cannot_receive);
    return check_end();
}
