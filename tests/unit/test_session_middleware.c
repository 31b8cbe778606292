/* SPDX-License-Identifier: MIT */
/* Middleware at both ends, for messages of the protocol and of extensions: <mcpw/extension.h>. */
#include <mcpw/detail/field.h>
#include <mcpw/detail/session.h>
#include <mcpw/extension.h>

#include "session_extending.h"

static mcpw_status hello(end *e, mcpw_request *request, const void *params) {
    note("h");
    return say_hello(e, request, params);
}

static mcpw_status slow(end *e, mcpw_request *request, const void *params) {
    note("h");
    return keep(e, request, params);
}

static mcpw_status with_progress(end *e, mcpw_request *request, const void *params) {
    CHECK(mcpw_request_progress(request, 1, 2, "half") == MCPW_OK);
    note("p");
    return hello(e, request, params);
}

typedef struct pair {
    end *client;
    end *server;
    spy a;
    spy b;
} pair;

static void begin(pair *p) {
    trace[0] = '\0';
    *p = (pair){client_of(MODERN, MODERN), server_of(MODERN, MODERN), {.name = "A"}, {.name = "B"}};
    end_serve(p->server, "tools/call", hello);
    end_serve(p->server, "tools/list", list_one_tool);
}

static void go(pair *p) { open_pair(p->client, p->server, MODERN); }

static void call_t(pair *p) {
    CHECK(call(p->client, "tools/call", "'name':'t'") == MCPW_OK);
    pump(p->client, p->server, NULL);
    mcpw_session_advance(p->client->session, 1);
}

static void finish(pair *p) {
    CHECK(p->a.entered == p->a.ended && p->b.entered == p->b.ended);
    end_free(p->client);
    end_free(p->server);
}

/* ---- The order ---- */

static void received_requests_pass_in_the_order_of_registration(void) {
    pair p;
    begin(&p);
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.server, &p.b, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    CHECK_TRACE(""); /* server/discover is the session's own */
    call_t(&p);
    CHECK_TRACE("A B h B' A'");
    CHECK(p.client->out.status == MCPW_OK);
    CHECK_HAS(p.client->out.text, "hello");
    CHECK(strcmp(mcpw_session_middleware(p.server->session, 1), "B") == 0);
    CHECK(mcpw_session_middleware(p.server->session, 2) == NULL);
    finish(&p);
}

static void the_program_decides_the_order(void) {
    pair p;
    begin(&p);
    put_spy(p.server, &p.b, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK_TRACE("B A h A' B'");
    finish(&p);
}

static void sent_requests_pass_likewise(void) {
    pair p;
    begin(&p);
    put_spy(p.client, &p.a, MCPW_PASS_SENT_REQUESTS);
    put_spy(p.client, &p.b, MCPW_PASS_SENT_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK_TRACE("A B h B' A'");
    CHECK(p.client->out.count == 1 && p.client->out.status == MCPW_OK);
    finish(&p);
}

static void each_message_of_a_stream_passes_when_it_is_made(void) {
    const mcpw_call how = {.on_progress = end_on_progress};
    pair p;
    begin(&p);
    p.server->slots[0].run = with_progress;
    put_spy(p.server, &p.a, MCPW_PASS_SENT_NOTIFICATIONS);
    put_spy(p.client, &p.b, MCPW_PASS_RECEIVED_NOTIFICATIONS);
    go(&p);
    CHECK(call_with(p.client, "tools/call", "'name':'t'", &how) == MCPW_OK);
    pump(p.client, p.server, NULL);
    CHECK_TRACE("A A' p h B B'");
    CHECK(p.client->progressed == 1 && p.client->out.status == MCPW_OK);
    finish(&p);
}

/* ---- What they may do ---- */

static mcpw_status answer_early(mcpw_passage *passage) {
    const char *const text = q("{'content':[{'type':'text','text':'early'}],'resultType':'complete'}");
    return mcpw_passage_set_result(passage, mcpw_json_of(text, strlen(text)), NULL);
}

static void an_early_answer_skips_the_handler(void) {
    pair p;
    begin(&p);
    p.b.before = answer_early;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.server, &p.b, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK_TRACE("A B A'");
    CHECK_HAS(p.client->out.text, "early");
    finish(&p);
}

static void a_client_answers_early_without_the_server(void) {
    pair p;
    begin(&p);
    p.b.before = answer_early;
    put_spy(p.client, &p.a, MCPW_PASS_SENT_REQUESTS);
    put_spy(p.client, &p.b, MCPW_PASS_SENT_REQUESTS);
    go(&p);
    CHECK(call(p.client, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK(p.client->out.count == 0); /* never inside the call */
    CHECK(mcpw_session_deadline(p.client->session) == 0);
    CHECK(*heard(p.client) == '\0');
    mcpw_session_advance(p.client->session, 1);
    CHECK_TRACE("A B A'");
    CHECK(p.client->out.count == 1 && p.client->out.status == MCPW_OK);
    CHECK_HAS(p.client->out.text, "early");
    finish(&p);
}

static mcpw_status refuse(mcpw_passage *passage) {
    return mcpw_passage_set_error(passage, 77, "not today", mcpw_json_of("{\"x\":1}", 7));
}

static void an_error_replaces_a_result(void) {
    pair p;
    begin(&p);
    p.a.after = refuse;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK(p.client->out.status == MCPW_E_REMOTE && p.client->out.code == 77);
    CHECK_HAS(p.client->out.text, "'x':1");
    finish(&p);
}

static mcpw_status see_error(mcpw_passage *passage) {
    CHECK(mcpw_passage_error(passage) != NULL &&
          mcpw_passage_error(passage)->code == MCPW_RPC_INTERNAL_ERROR);
    CHECK(mcpw_passage_result(passage).ptr == NULL);
    return answer_early(passage);
}

static mcpw_status fail_at_once(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)request;
    (void)params;
    return MCPW_E_IO;
}

static void a_result_replaces_an_error(void) {
    pair p;
    begin(&p);
    p.server->slots[0].run = fail_at_once;
    p.a.after = see_error;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK(p.client->out.status == MCPW_OK);
    CHECK_HAS(p.client->out.text, "early");
    finish(&p);
}

static mcpw_status fail_before(mcpw_passage *passage) {
    (void)passage;
    return MCPW_E_IO;
}

static void one_that_fails_fails_the_request(void) {
    pair p;
    begin(&p);
    p.b.before = fail_before;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.server, &p.b, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK_TRACE("A B A'");
    CHECK(p.client->out.code == MCPW_RPC_INTERNAL_ERROR);
    finish(&p);
    begin(&p);
    p.a.after = fail_before;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK(p.client->out.code == MCPW_RPC_INTERNAL_ERROR);
    finish(&p);
}

static mcpw_status rename_tool(mcpw_passage *passage) {
    const mcpw_json params = mcpw_passage_params(passage);
    const mcpw_type *type = NULL;
    char text[HARNESS_ERROR * 4];
    mcpw_json meta;
    CHECK(mcpw_passage_value(passage, &type) != NULL && type != NULL);
    CHECK(mcpw_json_get(params, "_meta", &meta) == MCPW_OK);
    (void)snprintf(text, sizeof text, "{\"_meta\":%.*s,\"name\":\"renamed\"}", (int)meta.len, meta.ptr);
    CHECK(mcpw_passage_set_params(passage, mcpw_json_of("{\"name\":5}", 10), NULL) != MCPW_OK);
    return mcpw_passage_set_params(passage, mcpw_json_of(text, strlen(text)), NULL);
}

static mcpw_status name_tool(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *const type = mcpw_method_params(
        mcpw_method_entry(e->dispatch.revision, mcpw_method_number(e->dispatch.revision, "tools/call", 10)));
    const mcpw_str name = mcpw_field_str(mcpw_field_get(mcpw_field_of(type, params), "name"));
    (void)snprintf(e->text, sizeof e->text, "%.*s", (int)name.len, name.ptr);
    return hello(e, request, params);
}

static void params_are_changed_and_checked(void) {
    pair p;
    begin(&p);
    p.server->slots[0].run = name_tool;
    p.a.before = rename_tool;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK(strcmp(p.server->text, "renamed") == 0);
    CHECK(p.client->out.status == MCPW_OK);
    finish(&p);
}

static mcpw_status drop(mcpw_passage *passage) {
    CHECK(mcpw_passage_kind(passage) == MCPW_MESSAGE_NOTIFICATION);
    mcpw_passage_drop(passage);
    return MCPW_OK;
}

static void notifications_are_dropped(void) {
    const mcpw_call how = {.on_progress = end_on_progress};
    pair p;
    begin(&p);
    p.server->slots[0].run = with_progress;
    p.a.before = drop;
    put_spy(p.server, &p.a, MCPW_PASS_SENT_NOTIFICATIONS);
    go(&p);
    CHECK(call_with(p.client, "tools/call", "'name':'t'", &how) == MCPW_OK);
    pump(p.client, p.server, NULL);
    CHECK(p.client->progressed == 0 && p.client->out.status == MCPW_OK);
    finish(&p);
}

static mcpw_status refuse_second(mcpw_passage *passage) {
    static const char method[] = "resources/subscribe";
    const mcpw_json params = mcpw_passage_params(passage);
    const bool is_second = mcpw_str_is(mcpw_passage_method(passage), method) &&
                           has(fmt("%.*s", (int)params.len, params.ptr), "'c:d'");
    return is_second ? MCPW_E_IO : MCPW_OK;
}

static void a_listener_that_is_refused_in_part_watches_nothing(void) {
    static const char *const uris[] = {"a:b", "c:d"};
    static const mcpw_interest interest = {.uris = uris, .uri_count = 2};
    spy s = {.name = "S", .before = refuse_second};
    end *const e = client_of(HANDSHAKE, MODERN);
    put_spy(e, &s, MCPW_PASS_SENT_REQUESTS);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, &interest, end_on_reply, e, NULL, NULL) == MCPW_E_IO);
    CHECK_HAS(heard(e), "'method':'resources/subscribe','params':{'uri':'a:b'}");
    CHECK_HAS(heard(e), "'method':'resources/unsubscribe','params':{'uri':'a:b'}");
    EXPECT(e, "");
    CHECK(e->out.count == 0);
    end_free(e);
}

/* ---- What they leave alone ---- */

static char secret[32];

/* Gives a message back as it is. */
static mcpw_status same_params(mcpw_passage *passage) {
    return mcpw_passage_set_params(passage, mcpw_passage_params(passage), NULL);
}

static mcpw_status same_result(mcpw_passage *passage) {
    return mcpw_passage_set_result(passage, mcpw_passage_result(passage), NULL);
}

static mcpw_status echo_nonce(end *e, mcpw_request *request, const void *params) {
    const mcpw_json meta = mcpw_request_meta(request);
    const mcpw_type *type = NULL;
    const void *const value = mcpw_request_params(request, &type);
    mcpw_json text;
    (void)params;
    CHECK(mcpw_field_text(mcpw_field_of(type, value), mcpw_request_arena(request), &text) == MCPW_OK);
    CHECK(has(fmt("%.*s", (int)meta.len, meta.ptr), fmt("'org.x/deep':{'n':['%s']}", secret)));
    CHECK(has(fmt("%.*s", (int)text.len, text.ptr), fmt("'org.x/unknown':'%s'", secret)));
    CHECK(has(fmt("%.*s", (int)text.len, text.ptr), fmt("'arguments':{'a':'%s'}", secret)));
    return answer(
        e, request,
        fmt("{'content':[{'type':'text','text':'t','_meta':{'org.x/c':'%s'}}],'_meta':{'org.x/r':'%s'},"
            "'org.x/more':{'n':'%s'}}",
            secret, secret, secret));
}

static void nothing_is_lost_on_the_way(void) {
    pair p;
    begin(&p);
    (void)snprintf(secret, sizeof secret, "%p", (void *)p.client);
    p.server->slots[0].run = echo_nonce;
    p.a.before = p.b.before = same_params;
    p.a.after = p.b.after = same_result;
    put_spy(p.server, &p.a, MCPW_PASS_ALL);
    put_spy(p.client, &p.b, MCPW_PASS_ALL);
    go(&p);
    const mcpw_revision *const revision = p.client->dispatch.revision;
    const int number = mcpw_method_number(revision, "tools/call", 10);
    mcpw_arena arena = MCPW_ARENA_INIT;
    const void *const params =
        decoded(mcpw_method_params(mcpw_method_entry(revision, number)),
                fmt("{'_meta':{'io.modelcontextprotocol/protocolVersion':'x',"
                    "'io.modelcontextprotocol/clientCapabilities':{},'org.x/deep':{'n':['%s']}},"
                    "'name':'t','arguments':{'a':'%s'},'org.x/unknown':'%s'}",
                    secret, secret, secret),
                &arena);
    CHECK(mcpw_session_request(p.client->session, revision, number, params, NULL, end_on_reply, p.client,
                               NULL, NULL) == MCPW_OK);
    pump(p.client, p.server, NULL);
    CHECK(p.client->out.status == MCPW_OK);
    CHECK_HAS(p.client->out.text, fmt("'org.x/c':'%s'", secret));
    CHECK_HAS(p.client->out.text, fmt("'org.x/r':'%s'", secret));
    CHECK_HAS(p.client->out.text, fmt("'org.x/more':{'n':'%s'}", secret));
    mcpw_arena_free(&arena);
    finish(&p);
}

static void concurrent_requests_have_states_of_their_own(void) {
    enum { COUNT = 20 };
    mcpw_request *kept[COUNT];
    pair p;
    begin(&p);
    p.server->slots[0].run = keep;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.client, &p.b, MCPW_PASS_SENT_REQUESTS);
    go(&p);
    for (int i = 0; i < COUNT; i++) {
        CHECK(call(p.client, "tools/call", "'name':'t'") == MCPW_OK);
        pump(p.client, p.server, NULL);
        kept[i] = p.server->kept;
    }
    CHECK(p.a.entered == COUNT && p.a.ended == 0);
    for (int i = COUNT - 1; i >= 0; i--) {
        const char *const text = q(fmt("{'content':[{'type':'text','text':'%d'}]}", i));
        CHECK(mcpw_respond_json(kept[i], mcpw_json_of(text, strlen(text)), NULL) == MCPW_OK);
        pump(p.client, p.server, NULL);
        CHECK(p.client->out.status == MCPW_OK);
        CHECK_HAS(p.client->out.text, fmt("'text':'%d'", i));
    }
    CHECK(p.a.ended == COUNT && p.b.ended == COUNT);
    finish(&p);
}

/* ---- How they end ---- */

static void they_are_cleaned_up_when_a_request_is_cancelled(void) {
    pair p;
    begin(&p);
    p.server->slots[0].run = slow;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.client, &p.b, MCPW_PASS_SENT_REQUESTS);
    go(&p);
    call_t(&p);
    CHECK(p.a.entered == 1 && p.a.ended == 0 && p.b.ended == 0);
    CHECK(mcpw_session_cancel(p.client->session, p.client->number, NULL) == MCPW_OK);
    CHECK(p.b.ended == 1);
    pump(p.client, p.server, NULL);
    CHECK(p.a.ended == 1);
    CHECK_TRACE("B A h");
    finish(&p);
}

static void they_are_cleaned_up_when_a_session_ends(void) {
    pair p;
    begin(&p);
    p.server->slots[0].run = slow;
    put_spy(p.server, &p.a, MCPW_PASS_RECEIVED_REQUESTS);
    put_spy(p.client, &p.b, MCPW_PASS_SENT_REQUESTS);
    go(&p);
    call_t(&p);
    mcpw_session_close(p.server->session);
    mcpw_session_close(p.client->session);
    CHECK(p.a.ended == 1 && p.b.ended == 1);
    finish(&p);
}

static void what_is_refused_does_not_pass(void) {
    pair p;
    begin(&p);
    put_spy(p.server, &p.a, MCPW_PASS_ALL);
    go(&p);
    p.server->unchecked = true;
    trace[0] = '\0';
    say_request(p.server, "1", "tools/call", "'name':5");
    CHECK_HAS(heard(p.server), "-32602");
    say_request(p.server, "2", "no/such", "");
    CHECK_HAS(heard(p.server), "-32601");
    CHECK_TRACE("");
    finish(&p);
}

int main(void) {
    RUN(received_requests_pass_in_the_order_of_registration);
    RUN(the_program_decides_the_order);
    RUN(sent_requests_pass_likewise);
    RUN(each_message_of_a_stream_passes_when_it_is_made);
    RUN(an_early_answer_skips_the_handler);
    RUN(a_client_answers_early_without_the_server);
    RUN(an_error_replaces_a_result);
    RUN(a_result_replaces_an_error);
    RUN(one_that_fails_fails_the_request);
    RUN(params_are_changed_and_checked);
    RUN(notifications_are_dropped);
    RUN(a_listener_that_is_refused_in_part_watches_nothing);
    RUN(nothing_is_lost_on_the_way);
    RUN(concurrent_requests_have_states_of_their_own);
    RUN(they_are_cleaned_up_when_a_request_is_cancelled);
    RUN(they_are_cleaned_up_when_a_session_ends);
    RUN(what_is_refused_does_not_pass);
    return check_end();
}
