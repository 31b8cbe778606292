/* SPDX-License-Identifier: MIT */
/* Elicitations that a web page settles (mode "url"), and how long people may take to answer. */

#include "session_asking.h"

#define URL "{'mode':'url','message':'Log in','url':'https://example.com/'}"
#define URL_WITH_ID "{'mode':'url','message':'Log in','url':'https://example.com/','elicitationId':'mine'}"
#define AGREED "{'action':'accept'}"

/* The handle goes into the end's text. */
static mcpw_status ask_url(end *e, mcpw_request *request, const void *params) {
    const bool modern = is_modern(e->dispatch.revision);
    const mcpw_status status =
        ask(e, request, "log in", "elicitation/create", modern ? URL : URL_WITH_ID, NULL, 0);
    const mcpw_str id = mcpw_request_elicitation(request, "log in");
    (void)snprintf(e->text, sizeof e->text, "%.*s", (int)id.len, id.ptr != NULL ? id.ptr : "");
    CHECK(mcpw_request_elicitation(request, "something else").ptr == NULL);
    return status == MCPW_OK ? say_hello(e, request, params) : status;
}

static mcpw_status complete(end *e, const char *id) {
    return mcpw_session_elicitation_complete(e->session, mcpw_str_from(id));
}

static void a_handle_is_made_where_only_the_peers_revision_has_one(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_url);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':1,'method':'elicitation/create'");
    CHECK(e->text[0] != '\0');
    CHECK_HAS(line, fmt("'elicitationId':'%s'", e->text));
    say(e, "{'jsonrpc':'2.0','id':1,'result':" AGREED "}");
    CHECK_HAS(heard(e), "'id':'r','result':{'content'");
    CHECK(complete(e, e->text) == MCPW_OK); /* when the request is long gone */
    EXPECT(e,
           fmt("{'jsonrpc':'2.0','method':'notifications/elicitation/complete','params':{'elicitationId':'%s'"
               "}}",
               e->text));
    end_free(e);
}

static void every_input_request_has_a_handle_of_its_own(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_url);
    char first[HARNESS_ERROR];
    say_request(e, "1", "tools/call", "'name':'t'");
    run_to_idle(e);
    (void)snprintf(first, sizeof first, "%.100s", e->text);
    say_request(e, "2", "tools/call", "'name':'t'");
    CHECK(first[0] != '\0' && strcmp(first, e->text) != 0);
    end_free(e);
}

static void a_handle_of_the_handlers_stays(void) {
    end *const e = server_asking(HANDSHAKE, HANDSHAKE, ask_url);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'elicitationId':'mine'");
    CHECK_STRING(e->text, "mine");
    end_free(e);
}

static void without_handles_completion_is_nothing(void) {
    static const char *const handled[] = {HANDSHAKE, MODERN};
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        end *const e = server_asking(MODERN, handled[i], ask_url);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        const char *const line = heard(e);
        CHECK_HAS(line, "'inputRequests':{'log in':{'method':'elicitation/create'");
        CHECK(!has(line, "elicitationId"));
        CHECK_STRING(e->text, "");
        CHECK(complete(e, e->text) == MCPW_OK && complete(e, "mine") == MCPW_OK);
        EXPECT(e, "");
        end_free(e);
    }
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_asking(revision_at(i), MODERN, keep);
        CHECK(complete(e, NULL) == MCPW_OK);
        EXPECT(e, "");
        end_free(e);
    }
    end *const older = server_asking("2025-06-18", MODERN, keep);
    CHECK(complete(older, "mine") == MCPW_OK);
    EXPECT(older, "");
    end_free(older);
}

static void completion_waits_for_the_peer_to_read(void) {
    end *const e = server_of(HANDSHAKE, MODERN);
    e->config.max_output = 1;
    end_serve(e, "tools/call", keep);
    open_server(e);
    CHECK(complete(e, "x") == MCPW_OK);
    CHECK(complete(e, "y") == MCPW_E_FULL);
    run_to_idle(e);
    CHECK(complete(e, "x") == MCPW_OK);
    run_to_idle(e);
    mcpw_session_close(e->session);
    CHECK(complete(e, "x") == MCPW_E_CLOSED);
    end_free(e);
    end *const client = client_of(HANDSHAKE, MODERN);
    open_client(client);
    CHECK(complete(client, "x") == MCPW_E_STATE);
    end_free(client);
}

static void agree_to_url(end *e, const void *params) {
    (void)params;
    e->told++;
}

static mcpw_status give_agreement(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, AGREED);
}

static void two_ends_settle_a_url_in_every_revision_that_has_it(void) {
    static const char *const revisions[] = {HANDSHAKE, MODERN};
    for (int wire = 0; wire < 2; wire++) {
        for (int pair = 0; pair < 4; pair++) {
            end *const client = answering_client(MODERN, revisions[pair & 1], give_agreement);
            end *const server = server_of(MODERN, revisions[pair >> 1]);
            client->config.capabilities = mcpw_json_from("{\"elicitation\":{\"form\":{},\"url\":{}}}");
            if (pair % 2 == 0) {
                end_and_run_to_idle(client, "notifications/elicitation/complete", agree_to_url);
            }
            end_serve(server, "tools/call", ask_url);
            open_pair(client, server, revisions[wire]);
            CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
            pump(client, server, NULL);
            CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
            CHECK(complete(server, server->text) == MCPW_OK);
            pump(client, server, NULL);
            CHECK((client->told != 0) == (wire == 0 && pair % 2 == 0));
            end_free(client);
            end_free(server);
        }
    }
}

/* ---- Patience ---- */

static mcpw_status ask_for_a_minute(end *e, mcpw_request *request, const void *params) {
    enum { MINUTE = 60000 };
    mcpw_request_set_patience(request, MINUTE);
    return ask_elicit(e, request, params);
}

static mcpw_status ask_for_ever(end *e, mcpw_request *request, const void *params) {
    mcpw_request_set_patience(request, UINT64_MAX);
    return ask_elicit(e, request, params);
}

static mcpw_status ask_as_in_the_config(end *e, mcpw_request *request, const void *params) {
    mcpw_request_set_patience(request, 1);
    mcpw_request_set_patience(request, 0);
    return ask_elicit(e, request, params);
}

static void a_input_request_waits_as_long_as_its_request_is_patient(void) {
    static const struct {
        end_handler asks;
        uint64_t ask_timeout_ms;
        uint64_t expected;
    } cases[] = {{ask_for_a_minute, 0, 60000},
                 {ask_for_a_minute, 7200000, 60000},
                 {ask_elicit, 0, 600000},
                 {ask_elicit, 7200000, 7200000},
                 {ask_as_in_the_config, 7200000, 7200000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        end *const e = server_of(HANDSHAKE, MODERN);
        e->config.ask_timeout_ms = cases[i].ask_timeout_ms;
        end_serve(e, "tools/call", cases[i].asks);
        open_server(e);
        say_request(e, "'r'", "tools/call", "'name':'t'");
        run_to_idle(e);
        CHECK(mcpw_session_deadline(e->session) == cases[i].expected);
        mcpw_session_advance(e->session, cases[i].expected - 1);
        EXPECT(e, "");
        mcpw_session_advance(e->session, cases[i].expected);
        CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':1");
        CHECK_HAS(heard(e), "'id':'r','error':{'code':-32603");
        end_free(e);
    }
}

static void a_input_request_may_wait_for_ever(void) {
    end *const e = server_asking(HANDSHAKE, MODERN, ask_for_ever);
    say_request(e, "'r'", "tools/call", "'name':'t'");
    run_to_idle(e);
    mcpw_session_advance(e->session, UINT64_MAX - 1);
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'result':" ACCEPTED "}");
    CHECK_HAS(heard(e), "'id':'r','result':{'content'");
    end_free(e);
}

int main(void) {
    RUN(a_handle_is_made_where_only_the_peers_revision_has_one);
    RUN(every_input_request_has_a_handle_of_its_own);
    RUN(a_handle_of_the_handlers_stays);
    RUN(without_handles_completion_is_nothing);
    RUN(completion_waits_for_the_peer_to_read);
    RUN(two_ends_settle_a_url_in_every_revision_that_has_it);
    RUN(a_input_request_waits_as_long_as_its_request_is_patient);
    RUN(a_input_request_may_wait_for_ever);
    return check_end();
}
