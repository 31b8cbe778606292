/* SPDX-License-Identifier: MIT */
/* Changes, told to those who asked: subscriptions/listen in 2026-07-28, resources/subscribe before. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/server.h>

#include "core/registry.h"
#include "session_harness.h"

static mcpw_status read_one(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'contents':[{'uri':'a:b','text':'r'}]"));
}

static mcpw_status list_resources(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'resources':[]"));
}

static mcpw_status subscribe(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    static const mcpw_json empty = MCPW_JSON("{}");
    return mcpw_respond_json(request, empty, NULL);
}

/* Tools and resources, no prompts. Its resources can be watched by what it declares. */
static end *server_changing(const char *speaks) {
    end *const e = server_of(speaks, MODERN);
    e->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{\"subscribe\":true}}");
    end_serve(e, "tools/list", list_one_tool);
    end_serve(e, "resources/read", read_one);
    end_serve(e, "resources/list", list_resources);
    open_server(e);
    return e;
}

static void changed(end *e, mcpw_change change, const char *uri) {
    mcpw_session_changed(e->session, change, mcpw_str_from(uri));
}

static void change_all(end *e) {
    static const mcpw_str none = {NULL, 0};
    mcpw_session_changed(e->session, MCPW_CHANGE_TOOLS, none);
    mcpw_session_changed(e->session, MCPW_CHANGE_PROMPTS, none);
    mcpw_session_changed(e->session, MCPW_CHANGE_RESOURCES, none);
    changed(e, MCPW_CHANGE_RESOURCE, "a:b");
}

#define ALL_WANTED                                                                                           \
    "'notifications':{'toolsListChanged':true,'promptsListChanged':true,'resourcesListChanged':true,"        \
    "'resourceSubscriptions':['a:b','c:d']}"

static void a_subscription_is_acknowledged_with_what_is_offered(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "'listen:0'", "subscriptions/listen", ALL_WANTED);
    EXPECT(e, "{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{"
              "'_meta':{'io.modelcontextprotocol/subscriptionId':'listen:0'},"
              "'notifications':{'toolsListChanged':true,'resourcesListChanged':true,"
              "'resourceSubscriptions':['a:b','c:d']}}}");
    EXPECT(e, "");
    end_free(e);
}

static void nothing_is_granted_where_nothing_is_offered(void) {
    end *const e = server_of(MODERN, MODERN);
    open_server(e);
    say_request(e, "1", "subscriptions/listen", ALL_WANTED);
    CHECK_HAS(heard(e), "'notifications':{}");
    change_all(e);
    EXPECT(e, "");
    end_free(e);
}

static void changes_carry_the_id_in_its_type(void) {
    static const char *const ids[] = {"7", "'7'", "0", "''"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        end *const e = server_changing(MODERN);
        say_request(e, ids[i], "subscriptions/listen", ALL_WANTED);
        run_to_idle(e);
        change_all(e);
        const char *const meta =
            fmt("'params':{'_meta':{'io.modelcontextprotocol/subscriptionId':%s}", ids[i]);
        const char *line = heard(e);
        CHECK_HAS(line, "'method':'notifications/tools/list_changed'");
        CHECK_HAS(line, meta);
        line = heard(e);
        CHECK_HAS(line, "'method':'notifications/resources/list_changed'");
        CHECK_HAS(line, meta);
        line = heard(e);
        CHECK_HAS(line, "'method':'notifications/resources/updated'");
        CHECK_HAS(line, meta);
        CHECK_HAS(line, "'uri':'a:b'");
        EXPECT(e, "");
        end_free(e);
    }
}

static void only_who_asked_is_told(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "1", "subscriptions/listen", "'notifications':{'toolsListChanged':true}");
    say_request(e, "2", "subscriptions/listen", "'notifications':{'resourceSubscriptions':['a:b']}");
    say_request(e, "3", "subscriptions/listen", "'notifications':{}");
    run_to_idle(e);
    change_all(e);
    const char *line = heard(e);
    CHECK_HAS(line, "tools/list_changed");
    CHECK_HAS(line, "'io.modelcontextprotocol/subscriptionId':1}");
    line = heard(e);
    CHECK_HAS(line, "resources/updated");
    CHECK_HAS(line, "'io.modelcontextprotocol/subscriptionId':2}");
    EXPECT(e, "");
    changed(e, MCPW_CHANGE_RESOURCE, "x:y");
    EXPECT(e, "");
    end_free(e);
}

static void nobody_is_told_who_did_not_ask(void) {
    end *const e = server_changing(MODERN);
    change_all(e);
    EXPECT(e, "");
    say_request(e, "1", "tools/list", "");
    run_to_idle(e);
    change_all(e);
    EXPECT(e, "");
    end_free(e);
}

/* A server with slots alone tells of changes by the generated calls. */
static void notifications_of_changes_go_by_subscription(void) {
    end *const e = server_changing(MODERN);
    mcp_20260728_resource_updated_notification_params updated = {0};
    mcp_20251125_resource_updated_notification_params older = {0};
    updated.uri = older.uri = (mcpw_str)MCPW_STR("a:b");
    say_request(e, "1", "tools/list", "");
    run_to_idle(e);
    CHECK(mcp_20260728_notify_tools_list_changed(e->session, NULL, NULL) == MCPW_OK);
    CHECK(mcp_20260728_notify_resources_updated(e->session, &updated, NULL) == MCPW_OK);
    EXPECT(e, "");
    say_request(e, "2", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    CHECK(mcp_20260728_notify_tools_list_changed(e->session, NULL, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'method':'notifications/tools/list_changed','params':{'_meta':{"
                        "'io.modelcontextprotocol/subscriptionId':2}}");
    CHECK(mcp_20260728_notify_resources_updated(e->session, &updated, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/subscriptionId':2},'uri':'a:b'");
    CHECK(mcp_20251125_notify_resources_updated(e->session, &older, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/subscriptionId':2},'uri':'a:b'");
    EXPECT(e, "");
    end_free(e);
}

static void an_update_of_no_resource_is_told_to_nobody(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_changing(revision_at(i));
        if (is_modern(e->speaks)) {
            say_request(e, "2", "subscriptions/listen", ALL_WANTED);
            run_to_idle(e);
        }
        (void)!mcp_20260728_notify_resources_updated(e->session, NULL, NULL);
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_cancelled_subscription_ends_without_an_answer(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "'s'", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    CHECK(mcpw_session_is_busy(e->session));
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'s'}}");
    EXPECT(e, "");
    change_all(e);
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void closing_ends_a_subscription_with_its_result(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "5", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    mcpw_session_close(e->session);
    CHECK_HAS(heard(e), "{'jsonrpc':'2.0','id':5,'result':{");
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_subscription_ends_with_the_input_and_nothing_is_written(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "5", "subscriptions/listen", ALL_WANTED);
    run_to_idle(e);
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    EXPECT(e, "");
    CHECK(!mcpw_session_is_busy(e->session));
    end_free(e);
}

static void a_subscription_without_a_filter_is_refused(void) {
    end *const e = server_changing(MODERN);
    say_request(e, "5", "subscriptions/listen", "");
    CHECK_HAS(heard(e), "'id':5,'error':{'code':-32602");
    say_request(e, "6", "subscriptions/listen", "'notifications':{'resourceSubscriptions':[5]}");
    CHECK_HAS(heard(e), "'id':6,'error':{'code':-32602");
    end_free(e);
}

/* ---- Before 2026-07-28 ---- */

static void lists_tell_of_changes_unasked_where_there_is_a_handshake(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_changing(revision_at(i));
        changed(e, MCPW_CHANGE_TOOLS, "");
        CHECK_HAS(heard(e), "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'");
        changed(e, MCPW_CHANGE_RESOURCE, "a:b");
        EXPECT(e, "");
        end_free(e);
    }
}

static void nothing_is_told_before_the_session_is_open(void) {
    end *const e = server_of(HANDSHAKE, MODERN);
    end_serve(e, "tools/list", list_one_tool);
    end_start(e);
    changed(e, MCPW_CHANGE_TOOLS, "");
    EXPECT(e, "");
    say_initialize_as(e, "{}");
    run_to_idle(e);
    changed(e, MCPW_CHANGE_TOOLS, "");
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    changed(e, MCPW_CHANGE_TOOLS, "");
    CHECK_HAS(heard(e), "tools/list_changed");
    end_free(e);
}

static void a_server_declares_what_it_notifies_of(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/list", list_one_tool);
    open_server(e);
    CHECK(mcp_20251125_notify_tools_list_changed(e->session, NULL, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "tools/list_changed");
    CHECK(mcp_20251125_notify_prompts_list_changed(e->session, NULL, NULL) == MCPW_E_CAPABILITY);
    EXPECT(e, "");
    end_free(e);
}

static void a_notification_of_another_end_or_revision_is_refused(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    open_server(e);
    CHECK(mcp_20251125_notify_roots_list_changed(e->session, NULL, NULL) == MCPW_E_METHOD);
    CHECK(mcpw_session_notify(e->session, &mcp_20260728_revision,
                              MCP_20260728_METHOD_NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED, NULL,
                              NULL) == MCPW_E_METHOD);
    CHECK(mcpw_session_notify(e->session, &mcp_20251125_revision, MCP_20251125_METHOD_PING, NULL, NULL) ==
          MCPW_E_METHOD);
    CHECK(mcpw_session_notify(e->session, &mcp_20251125_revision, 999, NULL, NULL) != MCPW_OK);
    EXPECT(e, "");
    end_free(e);
}

/* ---- The client's end ---- */

static void hear_change(end *e, const void *params) {
    (void)params;
    (void)e;
}

static const mcpw_interest *interest_in(bool tools, const char *const *uris, size_t count) {
    static mcpw_interest interest;
    interest = (mcpw_interest){.tools = tools, .uris = uris, .uri_count = count};
    return &interest;
}

static const char *const watched[] = {"a:b", "c:d"};

static void a_client_listens_by_subscription(void) {
    end *const e = client_of(MODERN, MODERN);
    end_and_run_to_idle(e, "notifications/tools/list_changed", hear_change);
    end_and_run_to_idle(e, "notifications/resources/updated", hear_change);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, interest_in(true, watched, 2), end_on_reply, e, &e->number, NULL) ==
          MCPW_OK);
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':2,'method':'subscriptions/listen'");
    CHECK_HAS(line, "'notifications':{'toolsListChanged':true,'resourceSubscriptions':['a:b','c:d']}");
    CHECK(mcpw_session_deadline(e->session) == UINT64_MAX);
    mcpw_session_advance(e->session, 10000000);
    CHECK(e->out.count == 0);
    say(e, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{'_meta':{"
           "'io.modelcontextprotocol/subscriptionId':2}}}");
    say(e, "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'a:b','_meta':{"
           "'io.modelcontextprotocol/subscriptionId':2}}}");
    CHECK(e->told == 2);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete','_meta':{"
           "'io.modelcontextprotocol/subscriptionId':2}}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static void a_client_gives_up_listening(void) {
    end *const e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, interest_in(true, NULL, 0), end_on_reply, e, &e->number, NULL) ==
          MCPW_OK);
    run_to_idle(e);
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':2");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    end_free(e);
}

static void a_server_may_end_a_subscription_by_cancelling_it(void) {
    end *const e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, interest_in(true, NULL, 0), end_on_reply, e, &e->number, NULL) ==
          MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
    CHECK_HAS(e->out.why, "the server has ended the subscription");
    CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_E_NOT_FOUND);
    end_free(e);
}

static void a_server_cancels_no_other_request_of_a_client(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d}}",
                   is_modern(e->speaks) ? 2 : 3));
        EXPECT(e, "");
        CHECK(e->out.count == 0);
        end_free(e);
    }
}

static void a_client_that_closes_ends_its_subscriptions(void) {
    end *const e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, interest_in(true, NULL, 0), end_on_reply, e, NULL, NULL) ==
          MCPW_OK);
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    run_to_idle(e);
    mcpw_session_close(e->session);
    CHECK(e->out.count == 2 && e->out.status == MCPW_E_CLOSED);
    CHECK_HAS(heard(e), "'method':'notifications/cancelled','params':{'requestId':2}");
    EXPECT(e, "");
    end_free(e);
}

static void a_client_listens_by_subscribing_where_there_is_a_handshake(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        end_and_run_to_idle(e, "notifications/resources/updated", hear_change);
        open_client(e);
        CHECK(mcpw_session_listen(e->session, interest_in(true, watched, 2), end_on_reply, e, &e->number,
                                  NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'resources/subscribe','params':{'uri':'a:b'}");
        CHECK_HAS(heard(e), "'method':'resources/subscribe','params':{'uri':'c:d'}");
        EXPECT(e, "");
        say(e, "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'a:b'}}");
        CHECK(e->told == 1 && e->out.count == 0);
        CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'resources/unsubscribe'");
        CHECK_HAS(heard(e), "'method':'resources/unsubscribe'");
        EXPECT(e, "");
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CANCELLED);
        end_free(e);
    }
}

static void what_another_listener_watches_stays_subscribed(void) {
    for (int i = 0; i < legacy_count(); i++) {
        int64_t other = 0;
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(mcpw_session_listen(e->session, interest_in(false, watched, 2), end_on_reply, e, &e->number,
                                  NULL) == MCPW_OK);
        CHECK(mcpw_session_listen(e->session, interest_in(false, watched, 1), end_on_reply, e, &other,
                                  NULL) == MCPW_OK);
        run_to_idle(e);
        CHECK(mcpw_session_cancel(e->session, e->number, NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'resources/unsubscribe','params':{'uri':'c:d'}");
        EXPECT(e, "");
        CHECK(mcpw_session_cancel(e->session, other, NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'resources/unsubscribe','params':{'uri':'a:b'}");
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_refused_subscription_ends_the_listening(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    open_client(e);
    CHECK(mcpw_session_listen(e->session, interest_in(false, watched, 1), end_on_reply, e, &e->number,
                              NULL) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':4,'error':{'code':-32602,'message':'no'}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_REMOTE && e->out.code == -32602);
    end_free(e);
}

static void watching_needs_the_capability_and_an_open_session(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        end_start(e);
        CHECK(mcpw_session_listen(e->session, interest_in(true, NULL, 0), end_on_reply, e, NULL, NULL) ==
              MCPW_E_STATE);
        open_client_as(e, "{'resources':{}}");
        CHECK(mcpw_session_listen(e->session, interest_in(true, watched, 1), end_on_reply, e, NULL, NULL) ==
              MCPW_E_CAPABILITY);
        EXPECT(e, "");
        CHECK(e->out.count == 0);
        end_free(e);
    }
}

static void what_is_listened_to_is_told_closed(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(mcpw_session_listen(e->session, interest_in(true, watched, 2), end_on_reply, e, NULL, NULL) ==
              MCPW_OK);
        CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
        end_free(e);
    }
}

/* A program may listen and give up for as long as it likes, though its peer says nothing. */
static void listening_leaves_no_memory_behind(void) {
    static const char *const uris[] = {"a:b", "c:d"};
    static const mcpw_interest interest = {.tools = true, .uris = uris, .uri_count = 2};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        size_t in_use = 0;
        open_client(e);
        for (int k = 0; k < 200; k++) {
            int64_t number = 0;
            in_use = k == 20 ? e->memory.in_use : in_use;
            CHECK(mcpw_session_listen(e->session, &interest, NULL, NULL, &number, NULL) == MCPW_OK);
            CHECK(mcpw_session_cancel(e->session, number, NULL) == MCPW_OK);
            run_to_idle(e);
            mcpw_session_advance(e->session, (uint64_t)k * 1000000); /* what was sent for it has timed out */
            run_to_idle(e);
        }
        CHECK(e->memory.in_use == in_use);
        end_free(e);
    }
}

static void listen_again(void *user, mcpw_session *session, const mcpw_reply *reply) {
    static const mcpw_interest interest = {.tools = true};
    end *const e = user;
    mcpw_error error = {0};
    CHECK(reply->status == MCPW_E_CLOSED);
    if (++e->runs == 1) {
        CHECK(mcpw_session_listen(session, &interest, listen_again, e, NULL, &error) == MCPW_E_CLOSED);
        CHECK(error.code == MCPW_E_CLOSED);
    }
}

static void nobody_listens_to_who_says_no_more(void) {
    static const mcpw_interest interest = {.tools = true};
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(mcpw_session_listen(e->session, &interest, listen_again, e, NULL, NULL) == MCPW_OK);
        CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
        CHECK(e->runs == 1);
        end_free(e);
    }
}

static mcpw_status call_nothing(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from(""));
}

/* A handshake says once what there is. */
static void what_was_not_declared_is_not_told_of(void) {
    static const mcpw_tool tool = {.name = "t", .call = call_nothing};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.server = server;
    open_server(e);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    EXPECT(e, "");
    end_free(e);
    mcpw_server_free(server);
}

static void two_ends_tell_each_other_in_every_revision(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const client = client_of(MODERN, HANDSHAKE);
        end *const server = server_of(MODERN, HANDSHAKE);
        end_and_run_to_idle(client, "notifications/resources/updated", hear_change);
        end_and_run_to_idle(client, "notifications/tools/list_changed", hear_change);
        end_serve(server, "resources/subscribe", subscribe);
        end_serve(server, "resources/unsubscribe", subscribe);
        end_serve(server, "resources/read", read_one);
        end_serve(server, "tools/list", list_one_tool);
        server->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{\"subscribe\":true}}");
        open_pair(client, server, revision_at(i));
        CHECK(mcpw_session_listen(client->session, interest_in(true, watched, 1), end_on_reply, client,
                                  &client->number, NULL) == MCPW_OK);
        pump(client, server, NULL);
        CHECK(mcp_20251125_notify_tools_list_changed(server->session, NULL, NULL) == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->told == 1 && client->out.count == 0);
        CHECK(mcpw_session_cancel(client->session, client->number, NULL) == MCPW_OK);
        pump(client, server, NULL);
        CHECK(client->out.count == 1 && !mcpw_session_is_busy(server->session));
        end_free(client);
        end_free(server);
    }
}

int main(void) {
    RUN(a_subscription_is_acknowledged_with_what_is_offered);
    RUN(nothing_is_granted_where_nothing_is_offered);
    RUN(changes_carry_the_id_in_its_type);
    RUN(only_who_asked_is_told);
    RUN(nobody_is_told_who_did_not_ask);
    RUN(notifications_of_changes_go_by_subscription);
    RUN(an_update_of_no_resource_is_told_to_nobody);
    RUN(a_cancelled_subscription_ends_without_an_answer);
    RUN(closing_ends_a_subscription_with_its_result);
    RUN(a_subscription_ends_with_the_input_and_nothing_is_written);
    RUN(a_subscription_without_a_filter_is_refused);
    RUN(lists_tell_of_changes_unasked_where_there_is_a_handshake);
    RUN(nothing_is_told_before_the_session_is_open);
    RUN(a_server_declares_what_it_notifies_of);
    RUN(a_notification_of_another_end_or_revision_is_refused);
    RUN(a_client_listens_by_subscription);
    RUN(a_client_gives_up_listening);
    RUN(a_server_may_end_a_subscription_by_cancelling_it);
    RUN(a_server_cancels_no_other_request_of_a_client);
    RUN(a_client_that_closes_ends_its_subscriptions);
    RUN(a_client_listens_by_subscribing_where_there_is_a_handshake);
    RUN(what_another_listener_watches_stays_subscribed);
    RUN(a_refused_subscription_ends_the_listening);
    RUN(watching_needs_the_capability_and_an_open_session);
    RUN(what_is_listened_to_is_told_closed);
    RUN(listening_leaves_no_memory_behind);
    RUN(nobody_listens_to_who_says_no_more);
    RUN(what_was_not_declared_is_not_told_of);
    RUN(two_ends_tell_each_other_in_every_revision);
    return check_end();
}
