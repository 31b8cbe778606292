/* SPDX-License-Identifier: MIT */
/* The calls of a server's code about the resources that its clients watch. */
#include <mcpw/server.h>

#include "session_harness.h"

/* Every URI that begins (+) or ends (-) to be watched, with the number that was kept with it. */
static char told[HARNESS_ERROR];
static int64_t next_number;

static void put_told(mcpw_str uri, bool watched, int64_t number) {
    const size_t len = strlen(told);
    (void)snprintf(told + len, sizeof told - len, "%c%.*s#%d ", watched ? '+' : '-', (int)uri.len, uri.ptr,
                   (int)number);
}

static void on_watch(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number) {
    const end *const e = user;
    CHECK(e->session == session);
    if (watched) {
        CHECK(*number == 0);
        *number = ++next_number;
    }
    put_told(uri, watched, *number);
}

static mcpw_status list_resources(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'resources':[]"));
}

static mcpw_status subscribe(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json empty = MCPW_JSON("{}");
    (void)e;
    (void)params;
    return mcpw_respond_json(request, empty, NULL);
}

static end *watching(const char *speaks, const char *handled) {
    end *const e = server_of(speaks, handled);
    told[0] = '\0';
    next_number = 0;
    e->config.on_watch = on_watch;
    end_serve(e, "resources/list", list_resources);
    return e;
}

static void say_listen(end *e, const char *id, const char *uris) {
    say_request(e, id, "subscriptions/listen", fmt("'notifications':{'resourceSubscriptions':[%s]}", uris));
    CHECK_HAS(heard(e), "'method':'notifications/subscriptions/acknowledged'");
}

static void say_cancelled(end *e, const char *id) {
    say(e, fmt("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%s}}", id));
}

static void say_watch(end *e, const char *id, const char *method, const char *uri) {
    say_request(e, id, method, fmt("'uri':'%s'", uri));
    CHECK_HAS(heard(e), "'result':{}");
}

static void subscribing_is_told_once_for_each_resource(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = watching(revision_at(i), MODERN);
        open_server(e);
        say_watch(e, "1", "resources/subscribe", "a:b");
        say_watch(e, "2", "resources/subscribe", "a:b");
        say_watch(e, "3", "resources/subscribe", "c:d");
        say_watch(e, "4", "resources/unsubscribe", "a:b");
        say_watch(e, "5", "resources/unsubscribe", "a:b");
        CHECK_STRING(told, "+a:b#1 +c:d#2 -a:b#1 ");
        end_free(e);
    }
}

static void several_subscriptions_to_a_resource_are_told_once(void) {
    end *const e = watching(MODERN, MODERN);
    open_server(e);
    say_listen(e, "1", "'a:b','c:d','a:b'");
    say_listen(e, "2", "'a:b'");
    say_cancelled(e, "1");
    CHECK_STRING(told, "+a:b#1 +c:d#2 -c:d#2 ");
    say_cancelled(e, "2");
    CHECK_STRING(told, "+a:b#1 +c:d#2 -c:d#2 -a:b#1 ");
    end_free(e);
}

static void each_of_many_is_told_once(void) {
    enum { MANY = 600 }; /* more than there are buckets */
    end *const e = watching(HANDSHAKE, MODERN);
    e->config.max_requests = MANY;
    open_server(e);
    for (int i = 0; i < MANY; i++) {
        const char *const uri = fmt("a:%d", i);
        told[0] = '\0';
        say_watch(e, "1", "resources/subscribe", uri);
        CHECK_STRING(told, fmt("+%s#%d ", uri, i + 1));
    }
    for (int i = 0; i < MANY; i++) {
        const char *const uri = fmt("a:%d", i);
        told[0] = '\0';
        say_watch(e, "1", "resources/unsubscribe", uri);
        CHECK_STRING(told, fmt("-%s#%d ", uri, i + 1));
    }
    end_free(e);
}

static void what_finds_no_memory_is_not_watched(void) {
    char subscription[HARNESS_ERROR];
    bool failed = true;
    size_t failures = 0;
    for (size_t n = 1; failed && n < 50; n++) {
        end *const e = watching(HANDSHAKE, MODERN);
        open_server(e);
        e->memory.stingy = true;
        e->memory.fail_at = e->memory.calls + n;
        (void)snprintf(subscription, sizeof subscription, "%s",
                       q("{'jsonrpc':'2.0','id':1,'method':'resources/subscribe','params':{'uri':'a:b'}}"));
        const mcpw_status status = say_bytes(e, subscription, strlen(subscription));
        failed = e->memory.calls >= e->memory.fail_at;
        e->memory.fail_at = 0;
        const bool watched = has(heard(e), "'result':{}");
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
        CHECK(watched || failed);
        CHECK_STRING(told, watched ? "+a:b#1 " : "");
        failures += failed && !watched;
        told[0] = '\0';
        say_watch(e, "2", "resources/subscribe", "a:b");
        CHECK_STRING(told, watched ? "" : "+a:b#1 ");
        end_free(e);
    }
    CHECK(!failed && failures >= 2);
}

static void the_end_of_a_session_ends_what_is_watched(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = watching(revision_at(i), MODERN);
        open_server(e);
        if (is_modern(e->speaks)) {
            say_listen(e, "1", "'a:b'");
        } else {
            say_watch(e, "1", "resources/subscribe", "a:b");
        }
        mcpw_session_close(e->session);
        CHECK_STRING(told, "+a:b#1 -a:b#1 ");
        end_free(e);
        CHECK_STRING(told, "+a:b#1 -a:b#1 ");
    }
}

/* A program that answers resources/subscribe knows the resources by it. */
static void a_slot_for_subscribing_comes_first(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = watching(revision_at(i), HANDSHAKE);
        end_serve(e, "resources/subscribe", subscribe);
        end_serve(e, "resources/unsubscribe", subscribe);
        open_server(e);
        if (is_modern(e->speaks)) {
            say_listen(e, "1", "'a:b'");
            CHECK(e->runs == 0);
            CHECK_STRING(told, "+a:b#1 ");
        } else {
            say_watch(e, "1", "resources/subscribe", "a:b");
            say_watch(e, "2", "resources/unsubscribe", "a:b");
            CHECK(e->runs == 2);
            CHECK_STRING(told, "");
        }
        told[0] = '\0';
        end_free(e);
    }
}

static void without_resources_nothing_can_be_watched(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        e->config.on_watch = on_watch;
        end_serve(e, "tools/list", list_one_tool);
        open_server(e);
        say_request(e, "1", "resources/subscribe", "'uri':'a:b'");
        CHECK_HAS(heard(e), "'code':-32601");
        end_free(e);
    }
}

static void close_when_told(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number) {
    (void)user;
    put_told(uri, watched, *number);
    mcpw_session_close(session);
    CHECK_STRING(uri.ptr, "a:b"); /* it lives during the call all the same */
}

static void a_session_may_be_closed_when_a_watch_is_told(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = watching(revision_at(i), MODERN);
        e->config.on_watch = close_when_told;
        e->unchecked = true;
        open_server(e);
        if (is_modern(e->speaks)) {
            say_request(e, "1", "subscriptions/listen",
                        "'notifications':{'resourceSubscriptions':['a:b','c:d']}");
        } else {
            say_request(e, "1", "resources/subscribe", "'uri':'a:b'");
        }
        CHECK(mcpw_session_is_closed(e->session));
        end_free(e);
        CHECK_STRING(told, "+a:b#0 -a:b#0 ");
    }
}

static bool no_notifications(const void *handlers, int method) {
    (void)handlers;
    (void)method;
    return false;
}

static void what_a_dispatch_does_not_send_is_not_advertised(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = watching(revision_at(i), MODERN);
        e->dispatch.sends = no_notifications;
        e->config.logs = false;
        end_start(e);
        if (is_modern(e->speaks)) {
            say_request(e, "1", "server/discover", "");
        } else {
            say_initialize_as(e, "{}");
        }
        CHECK_HAS(heard(e), "'capabilities':{'resources':{}");
        end_free(e);
    }
}

/* ---- Registries ---- */

static mcpw_status read_nothing(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    return mcpw_respond_resource_text(request, NULL, read->uri);
}

static void on_server_watch(void *user, mcpw_server *server, mcpw_str uri, bool watched) {
    CHECK(user == &next_number && server != NULL);
    put_told(uri, watched, 0);
}

static void a_registry_is_told_once_for_all_its_clients(void) {
    static const mcpw_resource resource = {.uri = "a:b", .name = "r", .read = read_nothing};
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    told[0] = '\0';
    config.name = "s";
    config.version = "1";
    config.on_watch = on_server_watch;
    config.user = &next_number;
    mcpw_server *const server = mcpw_server_new_with(&config, NULL);
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    end *const ends[] = {server_of(HANDSHAKE, HANDSHAKE), server_of(MODERN, MODERN)};
    for (int i = 0; i < 2; i++) {
        ends[i]->config.server = server;
        open_server(ends[i]);
    }
    say_watch(ends[0], "1", "resources/subscribe", "a:b");
    say_listen(ends[1], "1", "'a:b','c:d'");
    CHECK_STRING(told, "+a:b#0 +c:d#0 ");
    end_free(ends[0]);
    CHECK_STRING(told, "+a:b#0 +c:d#0 ");
    end_free(ends[1]);
    CHECK_STRING(told, "+a:b#0 +c:d#0 -a:b#0 -c:d#0 ");
    mcpw_server_free(server);
}

int main(void) {
    RUN(subscribing_is_told_once_for_each_resource);
    RUN(several_subscriptions_to_a_resource_are_told_once);
    RUN(each_of_many_is_told_once);
    RUN(what_finds_no_memory_is_not_watched);
    RUN(the_end_of_a_session_ends_what_is_watched);
    RUN(a_slot_for_subscribing_comes_first);
    RUN(without_resources_nothing_can_be_watched);
    RUN(a_session_may_be_closed_when_a_watch_is_told);
    RUN(what_a_dispatch_does_not_send_is_not_advertised);
    RUN(a_registry_is_told_once_for_all_its_clients);
    return check_end();
}
