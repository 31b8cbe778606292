/* SPDX-License-Identifier: MIT */
/* Sessions of one endpoint: what they share, what each has for itself, and what one of them costs. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/detail/field.h>
#include <mcpw/detail/session.h>
#include <mcpw/server.h>

#include "session_harness.h"

#include <pthread.h>

enum { MOST_BYTES = 2048, THREADS = 4, TURNS = 50 };

static mcpw_status list(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'tools':[{'name':'t','inputSchema':{'type':'object'}}]"));
}

/* An end whose config is an endpoint's, and one more of the same. */
static end *sharing(const char *speaks) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, "tools/list", list);
    e->config.info = (mcpw_json)MCPW_JSON("{\"title\":\"T\"}");
    e->config.instructions = "use it";
    e->endpoint = mcpw_endpoint_new(&e->config, NULL);
    CHECK(e->endpoint != NULL);
    return e;
}

static end *another(const end *of) {
    end *const e = server_of(mcpw_revision_name(of->speaks), MODERN);
    end_serve(e, "tools/list", list);
    e->endpoint = of->endpoint;
    return e;
}

static void each_session_has_its_own_client(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const a = sharing(revision_at(i));
        end *const b = another(a);
        open_server(a);
        open_server(b);
        say_request(a, "1", "tools/list", "");
        say_request(b, "1", "tools/list", "");
        CHECK_HAS(heard(a), "'id':1,'result'");
        CHECK_HAS(heard(b), "'id':1,'result'");
        CHECK(mcpw_session_user(b->session) == b);
        mcpw_endpoint_free(a->endpoint);
        end_free(b);
        end_free(a);
    }
}

static void it_lives_until_its_last_session_is_gone(void) {
    end *const e = sharing(MODERN);
    open_server(e);
    mcpw_endpoint_free(e->endpoint);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'id':1,'result'");
    end_free(e); /* which looks whether all memory was given back */
}

static mcpw_status list_for_alice(end *e, mcpw_request *request, const void *params) {
    CHECK(mcpw_str_is(mcpw_request_principal(request), "alice"));
    return list(e, request, params);
}

static void the_principal_of_its_config_may_go(void) {
    char principal[] = "alice";
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/list", list_for_alice);
    e->config.principal = mcpw_str_from(principal);
    e->endpoint = mcpw_endpoint_new(&e->config, NULL);
    memset(principal, 'x', sizeof principal - 1);
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'id':1,'result'");
    mcpw_endpoint_free(e->endpoint);
    end_free(e);
}

static void one_with_a_config_that_is_no_good_is_refused(void) {
    end *const e = server_of(MODERN, MODERN);
    mcpw_error error = {0};
    e->config.revisions = "1999-01-01";
    CHECK(mcpw_endpoint_new(&e->config, &error) == NULL);
    CHECK(error.code == MCPW_E_VERSION);
    CHECK(mcpw_endpoint_new(NULL, &error) == NULL);
    CHECK(mcpw_session_from(NULL, NULL, &error) == NULL);
    CHECK(error.code == MCPW_E_ARGUMENT);
    mcpw_endpoint_free(NULL);
    end_free(e);
}

/* The memory for the facts about the peer is not counted: its texts, about as
 * long as the peer wrote them. */
static size_t remembered(const mcpw_session *session) {
    return mcpw_session_peer_capabilities(session).len + mcpw_session_peer_info(session).len;
}

static void a_session_costs_two_kilobytes_at_rest(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = sharing(revision_at(i));
        const size_t before = e->memory.in_use;
        end_start(e);
        CHECK(e->memory.in_use - before <= MOST_BYTES);
        mcpw_session_free(e->session);
        e->session = NULL;
        CHECK(e->memory.in_use == before);
        open_server(e);
        for (int turn = 0; turn < TURNS; turn++) {
            say_request(e, fmt("%d", turn), "tools/list", "");
        }
        run_to_idle(e);
        mcpw_session_trim(e->session);
        const size_t left = e->memory.in_use - before;
        if (!check_that(left <= MOST_BYTES + remembered(e->session), __FILE__, __LINE__,
                        "it rests in 2 KiB")) {
            (void)fprintf(stderr, "%s: %zu bytes\n", revision_at(i), left);
        }
        say_request(e, "'again'", "tools/list", "");
        CHECK_HAS(heard(e), "'id':'again','result'");
        mcpw_endpoint_free(e->endpoint);
        end_free(e);
    }
}

static void a_client_rests_in_two_kilobytes(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const client = client_of(MODERN, MODERN);
        end *const server = server_of(MODERN, MODERN);
        client->endpoint = mcpw_endpoint_new(&client->config, NULL);
        const size_t before = client->memory.in_use;
        end_serve(server, "tools/list", list);
        open_pair(client, server, revision_at(i));
        CHECK(call(client, "tools/list", "") == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
        mcpw_session_trim(client->session);
        const size_t left = client->memory.in_use - before;
        if (!check_that(left <= MOST_BYTES + remembered(client->session), __FILE__, __LINE__,
                        "it rests in 2 KiB")) {
            (void)fprintf(stderr, "%s: %zu bytes, remembered %zu\n", revision_at(i), left,
                          remembered(client->session));
        }
        CHECK(call(client, "tools/list", "") == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->out.count == 2 && client->out.status == MCPW_OK);
        mcpw_endpoint_free(client->endpoint);
        end_free(client);
        end_free(server);
    }
}

static mcpw_request *kept;

static mcpw_status keep_it(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    kept = request;
    return MCPW_OK;
}

static void what_is_under_way_is_left_alone(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/list", keep_it);
    open_server(e);
    for (int turn = 0; turn < TURNS; turn++) {
        say_request(e, fmt("%d", turn), "tools/list", "");
    }
    mcpw_session_trim(e->session);
    CHECK(answer(e, kept, cacheable(e, "'tools':[]")) == MCPW_OK);
    mcpw_session_trim(e->session); /* what waits to be sent stays */
    CHECK_HAS(heard(e), fmt("'id':%d,'result'", TURNS - 1));
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':0,%s}}",
               meta_of(e, CLIENT_CAPABILITIES, "")));
    mcpw_session_trim(e->session);
    CHECK(mcpw_session_is_busy(e->session));
    e->unchecked = true;
    end_free(e);
}

static const void *kept_params;

static mcpw_status keep_with_params(end *e, mcpw_request *request, const void *params) {
    kept_params = params;
    return keep_it(e, request, params);
}

/* For a client that has declared it once, at the handshake. */
static bool names_its_client(const void *params) {
    const mcpw_revision *const revision = mcpw_find_revision(MODERN);
    const mcpw_type *const type =
        mcpw_method_params(mcpw_method_entry(revision, mcpw_method_number(revision, "tools/list", 10)));
    const mcpw_field meta = mcpw_field_get(mcpw_field_of(type, params), "_meta");
    const mcpw_field info = mcpw_field_get(meta, "io.modelcontextprotocol/clientInfo");
    return mcpw_field_str(mcpw_field_get(info, "name")).len != 0;
}

static void what_params_say_of_the_client_outlives_a_trim(void) {
    end *const e = server_of(HANDSHAKE, MODERN);
    end_serve(e, "tools/list", keep_with_params);
    open_server(e);
    for (int turn = 0; turn < 2; turn++) {
        say_request(e, fmt("%d", turn + 1), "tools/list", "");
        const size_t before = e->memory.in_use;
        mcpw_session_trim(e->session);
        CHECK(names_its_client(kept_params));
        CHECK(answer(e, kept, cacheable(e, "'tools':[]")) == MCPW_OK);
        mcpw_session_trim(e->session);
        CHECK(e->memory.in_use < before);
        CHECK_HAS(heard(e), fmt("'id':%d,'result'", turn + 1));
    }
    end_free(e);
}

static mcpw_status trim_and_answer(end *e, mcpw_request *request, const void *params) {
    (void)params;
    mcpw_session_trim(e->session);
    return answer(e, request, cacheable(e, "'tools':[]"));
}

static void a_handler_that_trims_its_session_still_has_its_request(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/list", trim_and_answer);
    open_server(e);
    say_request(e, "7", "tools/list", "");
    CHECK_HAS(heard(e), "'id':7,'result'");
    end_free(e);
}

/* ---- Registries ---- */

static mcpw_status call_tool(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("done"));
}

/* The endpoint does not change; what a server offers may, and each session tells its client. */
static void a_tool_that_is_added_is_told_by_every_session(void) {
    const mcpw_tool tool = {.name = "late", .call = call_tool};
    const mcpw_tool first = {.name = "first", .call = call_tool};
    end *const a = server_of(HANDSHAKE, HANDSHAKE);
    end *const b = server_of(HANDSHAKE, HANDSHAKE);
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    CHECK(mcpw_server_add_tool(server, &first, NULL) == MCPW_OK);
    a->config.server = server;
    a->config.dispatch = NULL;
    a->endpoint = b->endpoint = mcpw_endpoint_new(&a->config, NULL);
    open_server(a);
    open_server(b);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    EXPECT(a, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{}}");
    EXPECT(b, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{}}");
    say_request(b, "1", "tools/call", "'name':'late'");
    CHECK_HAS(heard(b), "'text':'done'");
    mcpw_endpoint_free(a->endpoint);
    mcpw_session_free(a->session);
    mcpw_session_free(b->session);
    a->session = b->session = NULL;
    mcpw_server_free(server);
    end_free(b);
    end_free(a);
}

static void a_kind_of_thing_that_comes_later_is_served_where_there_is_no_handshake(void) {
    const mcpw_tool tool = {.name = "late", .call = call_tool};
    end *const e = server_of(MODERN, MODERN);
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    e->config.server = server;
    e->config.dispatch = NULL;
    open_server(e);
    say_request(e, "1", "tools/list", "");
    CHECK_HAS(heard(e), "'code':-32601");
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    say_request(e, "2", "tools/list", "");
    CHECK_HAS(heard(e), "'name':'late'");
    mcpw_session_free(e->session);
    e->session = NULL;
    mcpw_server_free(server);
    end_free(e);
}

/* ---- Threads ---- */

static mcpw_status list_tools(mcpw_request *request, const void *params, void *user) {
    static const mcpw_json none = MCPW_JSON("{\"tools\":[]}");
    (void)params;
    ++*(int *)user;
    return mcpw_respond_json(request, none, NULL);
}

static bool has_list(const void *handlers, int method) {
    const mcpw_revision *const revision = mcpw_find_revision(MODERN);
    (void)handlers;
    return mcpw_str_is(mcpw_method_name(revision, method), "tools/list");
}

static mcpw_status run_list(const void *handlers, int method, mcpw_request *request, const void *params,
                            void *user) {
    (void)handlers;
    (void)method;
    return list_tools(request, params, user);
}

/* Each thread has sessions of its own, of an endpoint that all of them share. */
static void *serve_some(void *endpoint) {
    static const char line[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";
    intptr_t answered = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        int served = 0;
        const char *bytes = NULL;
        mcpw_session *const session = mcpw_session_from(endpoint, &served, NULL);
        if (session != NULL && mcpw_session_feed(session, line, sizeof line - 1) == MCPW_OK) {
            answered += served == 1 && mcpw_session_output(session, &bytes) != 0;
        }
        mcpw_session_free(session);
    }
    return (void *)answered;
}

static void threads_share_an_endpoint(void) {
    const mcpw_dispatch dispatch = {.revision = mcpw_find_revision(MODERN),
                                    .role = MCPW_ROLE_SERVER,
                                    .has = has_list,
                                    .request = run_list};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    pthread_t threads[THREADS];
    config.role = MCPW_ROLE_SERVER;
    config.name = "name";
    config.version = "1";
    config.dispatch = &dispatch;
    config.handlers = &dispatch;
    mcpw_endpoint *const endpoint = mcpw_endpoint_new(&config, NULL);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(threads + i, NULL, serve_some, endpoint) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *answered = NULL;
        CHECK(pthread_join(threads[i], &answered) == 0);
        CHECK((intptr_t)answered == TURNS);
    }
    mcpw_endpoint_free(endpoint);
}

int main(void) {
    RUN(each_session_has_its_own_client);
    RUN(it_lives_until_its_last_session_is_gone);
    RUN(the_principal_of_its_config_may_go);
    RUN(one_with_a_config_that_is_no_good_is_refused);
    RUN(a_session_costs_two_kilobytes_at_rest);
    RUN(a_client_rests_in_two_kilobytes);
    RUN(what_is_under_way_is_left_alone);
    RUN(what_params_say_of_the_client_outlives_a_trim);
    RUN(a_handler_that_trims_its_session_still_has_its_request);
    RUN(a_tool_that_is_added_is_told_by_every_session);
    RUN(a_kind_of_thing_that_comes_later_is_served_where_there_is_no_handshake);
    RUN(threads_share_an_endpoint);
    return check_end();
}
