/* SPDX-License-Identifier: MIT */
/* The negotiation of the revision. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include "session_harness.h"

/* ---- Servers ---- */

static end *server_speaking(const char *speaks) {
    end *const e = server_of(speaks, HANDSHAKE);
    end_serve(e, "tools/list", list_one_tool);
    end_start(e);
    return e;
}

static void initialize_selects_each_revision(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_speaking(revision_at(i));
        say_initialize_as(e, "{}");
        EXPECT(e, fmt("{'jsonrpc':'2.0','id':'open','result':{'protocolVersion':'%s','capabilities':"
                      "{'logging':{},'tools':{'listChanged':true}},"
                      "'serverInfo':{'name':'name','version':'1'}}}",
                      revision_at(i)));
        CHECK(mcpw_session_revision(e->session) == e->speaks);
        CHECK(e->opened == 1 && e->open_status == MCPW_OK);
        end_free(e);
    }
}

static void an_unknown_version_is_offered_the_newest_with_a_handshake(void) {
    static const char *const asked[] = {"2024-10-07", "2026-07-28", "2099-01-01", "", "x"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        end *const e = server_speaking(HANDSHAKE);
        say(e, fmt("{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'%s',"
                   "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}",
                   asked[i]));
        CHECK_HAS(heard(e), "'result':{'protocolVersion':'2025-11-25'");
        end_free(e);
    }
}

static void a_server_offers_the_newest_of_those_that_it_is_to_speak(void) {
    end *const e = server_of(BATCHING, HANDSHAKE);
    e->config.revisions = "2024-11-05 2025-03-26";
    end_start(e);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
           "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}");
    CHECK_HAS(heard(e), "'result':{'protocolVersion':'2025-03-26'");
    end_free(e);
}

static void only_ping_is_served_before_initialize(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':0,'method':'ping'}");
    EXPECT(e, "{'jsonrpc':'2.0','id':0,'result':{}}");
    say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602,'message':'Invalid params: send initialize first");
    CHECK(e->runs == 0 && mcpw_session_revision(e->session) == NULL);
    end_free(e);
}

static void initialize_works_after_a_refused_request(void) {
    end *const e = server_speaking(BATCHING);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
    CHECK_HAS(heard(e), "'error'");
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'protocolVersion':'2025-03-26'");
    end_free(e);
}

static void a_second_initialize_is_refused_and_changes_nothing(void) {
    end *const e = server_speaking(BATCHING);
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'result'");
    say(e, "{'jsonrpc':'2.0','id':2,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
           "'capabilities':{},'clientInfo':{'name':'other','version':'1'}}}");
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32600");
    CHECK(mcpw_session_revision(e->session) == e->speaks && e->opened == 1);
    CHECK_TEXT(mcpw_session_peer_info(e->session).ptr, mcpw_session_peer_info(e->session).len,
               q("{'name':'c','version':'1'}"));
    end_free(e);
}

static void a_client_that_never_says_initialized_is_served(void) {
    end *const e = server_speaking(HANDSHAKE);
    say_initialize_as(e, "{}");
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':2,'method':'tools/list'}");
    CHECK_HAS(heard(e), "'id':2,'result':{'tools':[");
    end_free(e);
}

static void a_server_s_own_requests_wait_for_initialized(void) {
    end *const e = server_speaking(HANDSHAKE);
    say_initialize_as(e, CLIENT_CAPABILITIES);
    run_to_idle(e);
    CHECK(call(e, "roots/list", NULL) == MCPW_OK);
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    CHECK_HAS(heard(e), "'method':'roots/list'");
    end_free(e);
}

static void an_initialized_before_initialize_opens_nothing(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    say_initialize_as(e, CLIENT_CAPABILITIES);
    run_to_idle(e);
    CHECK(call(e, "roots/list", NULL) == MCPW_OK);
    EXPECT(e, "");
    end_free(e);
}

static void close_on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    ((end *)user)->status = reply->status;
    mcpw_session_close(session);
}

static void what_a_server_waited_with_may_close_it_when_it_fails(void) {
    end *const e = server_speaking(HANDSHAKE);
    CHECK(mcp_20251125_request_roots_list(e->session, NULL, NULL, close_on_reply, e, NULL, NULL) == MCPW_OK);
    say_initialize_as(e, "{}");
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':2,'method':'tools/list'}");
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32603");
    EXPECT(e, "");
    CHECK(e->status == MCPW_E_CAPABILITY && e->closed == 1 && e->runs == 0);
    end_free(e);
}

static void initialize_with_broken_params_is_refused_and_may_be_repeated(void) {
    end *const e = server_speaking(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25'}}");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'result'");
    end_free(e);
}

static void discover_tells_what_is_spoken(void) {
    end *const e = server_of(MODERN, HANDSHAKE);
    e->config.instructions = "Use it.";
    end_serve(e, "tools/list", list_one_tool);
    end_start(e);
    say_request(e, "'probe'", "server/discover", "");
    const char *const line = heard(e);
    CHECK_HAS(line, "'id':'probe','result':{");
    CHECK_HAS(line, fmt("'supportedVersions':['%s'", newest_revision()));
    CHECK_HAS(line, "'resultType':'complete'");
    CHECK_HAS(line, "'instructions':'Use it.'");
    CHECK_HAS(line, "'io.modelcontextprotocol/serverInfo':{'name':'name','version':'1'}");
    CHECK_HAS(line, "'tools':{'listChanged':true}");
    end_free(e);
}

static void a_first_modern_request_needs_no_discovery(void) {
    end *const e = server_speaking(MODERN);
    say_request(e, "0", "tools/list", "");
    CHECK_HAS(heard(e), "'id':0,'result':{");
    CHECK(mcpw_session_revision(e->session) == e->speaks);
    end_free(e);
}

static void missing_members_of_meta_are_invalid_params(void) {
    static const char *const missing[] = {
        "{}", "{'_meta':{}}", "{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}",
        "{'_meta':{'io.modelcontextprotocol/clientCapabilities':{}}}"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        end *const e = server_speaking(MODERN);
        say_request(e, "1", "tools/list", "");
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','id':2,'method':'tools/list','params':%s}", missing[i]));
        const char *const line = heard(e);
        CHECK_HAS(line, "'id':2,'error':{'code':-32602");
        CHECK_HAS(line, "_meta");
        CHECK(e->runs == 1);
        end_free(e);
    }
}

static void an_unknown_version_in_meta_names_those_that_are_supported(void) {
    end *const e = server_speaking(MODERN);
    char supported[HARNESS_ERROR] = "'data':{'supported':[";
    for (int i = revision_count() - 1; i >= 0; i--) {
        const size_t len = strlen(supported);
        (void)snprintf(supported + len, sizeof supported - len, "'%s'%s", revision_at(i),
                       i > 0 ? "," : "],'requested':'2099-01-01'}");
    }
    for (int round = 0; round < 2; round++) { /* as the first message, and later */
        say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
               "'io.modelcontextprotocol/protocolVersion':'2099-01-01',"
               "'io.modelcontextprotocol/clientCapabilities':{}}}}");
        const char *const line = heard(e);
        CHECK_HAS(line, "'id':1,'error':{'code':-32022");
        CHECK_HAS(line, supported);
        say_request(e, "2", "tools/list", "");
        CHECK_HAS(heard(e), "'id':2,'result'");
    }
    end_free(e);
}

static void initialize_is_served_after_a_modern_probe_in_one_process(void) {
    end *const e = server_speaking(MODERN);
    say_request(e, "1", "server/discover", "");
    CHECK_HAS(heard(e), "'result'");
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'protocolVersion':'2025-11-25'");
    say(e, "{'jsonrpc':'2.0','id':2,'method':'tools/list'}");
    CHECK_HAS(heard(e), "'id':2,'result':{'tools'");
    end_free(e);
}

static void a_server_without_modern_revisions_knows_no_discovery(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.revisions = HANDSHAKE " " OLDEST;
    end_start(e);
    e->speaks = mcpw_find_revision(MODERN);
    say_request(e, "1", "server/discover", "");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-326");
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'protocolVersion':'2025-11-25'");
    end_free(e);
}

static void a_server_of_modern_revisions_alone_refuses_initialize(void) {
    end *const e = server_of(MODERN, MODERN);
    e->config.revisions = MODERN;
    end_start(e);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
           "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32");
    say(e, "{'jsonrpc':'2.0','id':2,'method':'ping'}");
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32601");
    end_free(e);
}

static void info_and_capabilities_of_the_config_are_cut_to_the_revision(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), HANDSHAKE);
        e->config.info = (mcpw_json)MCPW_JSON("{\"title\":\"T\",\"websiteUrl\":\"https://x\"}");
        e->config.capabilities =
            (mcpw_json)MCPW_JSON("{\"experimental\":{\"a\":{}},\"extensions\":{\"b.c/d\":{}}}");
        end_start(e);
        if (is_modern(e->speaks)) {
            say_request(e, "1", "server/discover", "");
        } else {
            say_initialize_as(e, "{}");
        }
        const char *const line = heard(e);
        CHECK_HAS(line, "'experimental':{'a':{}}");
        CHECK(has(line, "'title'") == (i >= 2));
        CHECK(has(line, "'websiteUrl'") == (i >= 3));
        CHECK(has(line, "'extensions'") == (i >= 4));
        end_free(e);
    }
}

/* ---- Clients ---- */

static end *client_opening(const char *revisions) {
    end *const e = client_of(MODERN, MODERN);
    e->config.revisions = revisions;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    return e;
}

static void a_client_probes_and_settles_on_a_modern_server(void) {
    end *const e = client_opening(NULL);
    EXPECT(e, fmt("{'jsonrpc':'2.0','id':1,'method':'server/discover','params':{'_meta':{"
                  "'io.modelcontextprotocol/protocolVersion':'%s',"
                  "'io.modelcontextprotocol/clientInfo':{'name':'name','version':'1'},"
                  "'io.modelcontextprotocol/clientCapabilities':{}}}}",
                  newest_revision()));
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
           "'supportedVersions':['2026-07-28'],'capabilities':{'tools':{}},'instructions':'Do.',"
           "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'2'}}}}");
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
    CHECK(mcpw_session_revision(e->session) == e->speaks);
    CHECK_TEXT(mcpw_session_instructions(e->session).ptr, mcpw_session_instructions(e->session).len, "Do.");
    CHECK_TEXT(mcpw_session_peer_info(e->session).ptr, mcpw_session_peer_info(e->session).len,
               q("{'name':'s','version':'2'}"));
    end_free(e);
}

static void a_discovery_without_resultType_and_ttlMs_is_still_one(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    say(e, "{'result':{'supportedVersions':['2026-07-28'],'capabilities':{},'cacheScope':'private'},'jsonrpc'"
           ":'2.0','id':1}");
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
    end_free(e);
}

/* Any error that is no modern one means a server with a handshake. */
static void other_errors_fall_back_to_initialize(void) {
    static const int codes[] = {-32601, -32600, -32602, -32603, -32000, -32700, 1};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        end *const e = client_opening(NULL);
        run_to_idle(e);
        e->speaks = mcpw_find_revision(HANDSHAKE);
        say(e, fmt("{'jsonrpc':'2.0','id':1,'error':{'code':%d,'message':'no'}}", codes[i]));
        EXPECT(e, "{'jsonrpc':'2.0','id':2,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
                  "'capabilities':{},'clientInfo':{'name':'name','version':'1'}}}");
        CHECK(e->opened == 0);
        end_free(e);
    }
}

static void silence_falls_back_to_initialize(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.discover_timeout_ms = 100;
    end_start(e);
    mcpw_session_advance(e->session, 1000);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    CHECK(mcpw_session_deadline(e->session) == 1100);
    mcpw_session_advance(e->session, 1099);
    EXPECT(e, "");
    e->speaks = mcpw_find_revision(HANDSHAKE);
    mcpw_session_advance(e->session, 1100);
    CHECK_HAS(heard(e), "'id':2,'method':'initialize'");
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'late'}}");
    EXPECT(e, "");
    CHECK(e->opened == 0);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
           "'serverInfo':{'name':'s','version':'1'}}}");
    CHECK_HAS(heard(e), "notifications/initialized");
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
    end_free(e);
}

static void a_server_that_is_started_by_a_package_runner_has_ten_seconds(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    CHECK(mcpw_session_deadline(e->session) == 10000);
    end_free(e);
}

#define DISCOVERED(id)                                                                                       \
    "{'jsonrpc':'2.0','id':" id ",'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"       \
    "'supportedVersions':['2026-07-28'],'capabilities':{'tools':{}},'instructions':'Do.',"                   \
    "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'slow','version':'2'}}}}"
#define UNSUPPORTED(id, versions)                                                                            \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':-32022,'message':'Unsupported protocol version',"          \
    "'data':{'supported':[" versions "],'requested':'2025-11-25'}}}"
#define REFUSED(id) "{'jsonrpc':'2.0','id':" id ",'error':{'code':-32601,'message':'no initialize'}}"

/* A client whose server is silent for so long that server/discover and initialize are both under way. */
static end *client_of_slow_server(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.discover_timeout_ms = 100;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':1,'method':'server/discover'");
    e->speaks = mcpw_find_revision(HANDSHAKE);
    mcpw_session_advance(e->session, 100);
    CHECK_HAS(heard(e), "'id':2,'method':'initialize'");
    EXPECT(e, "");
    e->speaks = mcpw_find_revision(MODERN);
    return e;
}

static void check_found(end *e) {
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
    CHECK(mcpw_session_revision(e->session) == mcpw_find_revision(MODERN));
    CHECK_TEXT(mcpw_session_instructions(e->session).ptr, mcpw_session_instructions(e->session).len, "Do.");
    CHECK_TEXT(mcpw_session_peer_info(e->session).ptr, mcpw_session_peer_info(e->session).len,
               q("{'name':'slow','version':'2'}"));
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/protocolVersion':'2026-07-28'");
    end_free(e);
}

static void a_late_discovery_counts_once_initialize_is_refused(void) {
    end *const before = client_of_slow_server();
    say(before, DISCOVERED("1"));
    CHECK(before->opened == 0); /* a server that has both would choose by initialize */
    say(before, REFUSED("2"));
    check_found(before);
    end *const after = client_of_slow_server();
    say(after, REFUSED("2"));
    EXPECT(after, "");
    CHECK(after->opened == 0);
    say(after, DISCOVERED("1"));
    check_found(after);
}

static void a_late_discovery_counts_where_initialize_is_not_answered(void) {
    end *const e = client_of_slow_server();
    say(e, DISCOVERED("1"));
    CHECK(e->opened == 0 && mcpw_session_deadline(e->session) == 200);
    mcpw_session_advance(e->session, 200);
    check_found(e);
}

static void an_initialize_that_succeeds_stays(void) {
    for (int discovered_first = 0; discovered_first < 2; discovered_first++) {
        end *const e = client_of_slow_server();
        if (discovered_first != 0) {
            say(e, DISCOVERED("1"));
        }
        say(e, "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-06-18','capabilities':{},"
               "'serverInfo':{'name':'s','version':'1'}}}");
        e->speaks = mcpw_find_revision("2025-06-18");
        EXPECT(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
        if (discovered_first == 0) {
            say(e, DISCOVERED("1"));
        }
        EXPECT(e, "");
        CHECK(e->opened == 1 && e->open_status == MCPW_OK);
        CHECK(mcpw_session_revision(e->session) == e->speaks);
        CHECK(mcpw_session_instructions(e->session).ptr == NULL);
        end_free(e);
    }
}

static void a_refused_initialize_is_told_when_no_discovery_comes(void) {
    end *const e = client_of_slow_server();
    mcpw_session_advance(e->session, 150);
    say(e, REFUSED("2"));
    CHECK(e->opened == 0 && mcpw_session_deadline(e->session) == 250);
    mcpw_session_advance(e->session, 250);
    CHECK(e->opened == 1 && e->open_status == MCPW_E_REMOTE && e->closed == 1);
    EXPECT(e, "");
    end_free(e);
}

static void a_discovery_that_fails_after_initialize_was_refused_ends_it(void) {
    end *const e = client_of_slow_server();
    say(e, REFUSED("2"));
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no discovery'}}");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_REMOTE && e->closed == 1);
    end_free(e);
}

static void a_late_discovery_of_unknown_revisions_alone_ends_it_once_initialize_is_refused(void) {
    for (int refused_first = 0; refused_first < 2; refused_first++) {
        end *const e = client_of_slow_server();
        if (refused_first != 0) {
            say(e, REFUSED("2"));
        }
        say(e, "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
               "'supportedVersions':['2099-01-01'],'capabilities':{}}}");
        CHECK(e->opened == refused_first); /* the answer to initialize decides where it is still to come */
        if (refused_first == 0) {
            say(e, REFUSED("2"));
        }
        EXPECT(e, "");
        CHECK(e->opened == 1 && e->closed == 1);
        CHECK(e->open_status == (refused_first != 0 ? MCPW_E_VERSION : MCPW_E_REMOTE));
        end_free(e);
    }
}

static void a_server_without_a_handshake_is_probed_again(void) {
    for (int early = 0; early < 2; early++) { /* its first discovery was lost, or not understood */
        end *const e = early == 0 ? client_of_slow_server() : client_opening(NULL);
        if (early != 0) {
            run_to_idle(e);
            e->speaks = mcpw_find_revision(HANDSHAKE);
            say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32603,'message':'not yet'}}");
            CHECK_HAS(heard(e), "'id':2,'method':'initialize'");
            e->speaks = mcpw_find_revision(MODERN);
        }
        say(e, UNSUPPORTED("2", "'2026-07-28'"));
        CHECK_HAS(heard(e), "'id':3,'method':'server/discover'");
        CHECK(e->opened == 0);
        say(e, DISCOVERED("3"));
        check_found(e);
    }
}

static void a_server_that_answers_every_probe_with_unsupported_is_let_be(void) {
    enum { MANY = 100 };
    end *const e = client_of_slow_server();
    int rounds = 0;
    say(e, UNSUPPORTED("2", "'2026-07-28'"));
    while (e->opened == 0 && rounds < MANY) {
        CHECK_HAS(heard(e), "'method':'server/discover'");
        say(e, fmt(UNSUPPORTED("%d", "'2026-07-28'"), 3 + rounds++));
    }
    CHECK(e->opened == 1 && e->open_status == MCPW_E_VERSION && rounds < 4);
    end_free(e);
}

static void an_unsupported_version_that_comes_late_leaves_it_to_initialize(void) {
    end *const e = client_of_slow_server();
    say(e, UNSUPPORTED("1", "'2025-11-25'"));
    EXPECT(e, "");
    CHECK(e->opened == 0);
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
           "'serverInfo':{'name':'s','version':'1'}}}");
    CHECK_HAS(heard(e), "notifications/initialized");
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
    end_free(e);
}

static void a_slow_server_that_goes_fails_everything_once(void) {
    end *const e = client_of_slow_server();
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
    CHECK(e->opened == 1 && e->open_status == MCPW_E_CLOSED && e->closed == 1);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
    end_free(e);
}

static void a_broken_discovery_falls_back_to_initialize(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'supportedVersions':'2026-07-28'}}");
    CHECK_HAS(heard(e), "'method':'initialize'");
    end_free(e);
}

static void a_discovery_of_unknown_revisions_alone_falls_back_where_that_may_help(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    e->speaks = mcpw_find_revision(HANDSHAKE);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,'message':'no','data':{"
           "'supported':['2025-06-18'],'requested':'2026-07-28'}}}");
    CHECK_HAS(heard(e), "'method':'initialize'");
    end_free(e);
}

static void an_unsupported_version_without_a_common_one_ends_it(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,'message':'no','data':{"
           "'supported':['2099-01-01'],'requested':'2026-07-28'}}}");
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_VERSION && e->closed == 1);
    end_free(e);
}

static void a_missing_capability_is_no_reason_to_fall_back(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32021,'message':'no','data':{"
           "'requiredCapabilities':{'sampling':{}}}}}");
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_REMOTE);
    end_free(e);
}

static void a_client_without_modern_revisions_does_not_probe(void) {
    end *const e = client_of(BATCHING, HANDSHAKE);
    e->config.revisions = "2024-11-05,2025-03-26";
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':1,'method':'initialize','params':{'protocolVersion':'2025-03-26'");
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2024-11-05','capabilities':{},"
           "'serverInfo':{'name':'s','version':'1'}}}");
    EXPECT(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    CHECK(mcpw_session_revision(e->session) == mcpw_find_revision(OLDEST));
    end_free(e);
}

static void a_client_of_modern_revisions_alone_does_not_fall_back(void) {
    end *const e = client_opening(MODERN);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no'}}");
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_REMOTE && mcpw_session_is_closed(e->session));
    end_free(e);
}

static void an_answer_with_a_revision_that_the_client_lacks_ends_it(void) {
    static const char *const answers[] = {"2024-10-07", "2026-07-28", "2024-11-05"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        end *const e = client_of(HANDSHAKE, HANDSHAKE);
        e->config.revisions = "2025-06-18 2025-11-25";
        end_start(e);
        CHECK(mcpw_session_open(e->session) == MCPW_OK);
        run_to_idle(e);
        say(e, fmt("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'%s','capabilities':{},"
                   "'serverInfo':{'name':'s','version':'1'}}}",
                   answers[i]));
        EXPECT(e, "");
        CHECK(e->opened == 1 && e->open_status == MCPW_E_VERSION && e->closed == 1);
        end_free(e);
    }
}

static void a_refused_initialize_ends_it(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.revisions = HANDSHAKE;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32602,'message':'Unsupported protocol version'}}");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_REMOTE && e->closed == 1);
    end_free(e);
}

static void requests_made_before_the_session_is_open_wait(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        end_start(e);
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        EXPECT(e, "");
        CHECK(e->out.count == 0);
        end_free(e);
    }
}

static void what_waits_is_sent_in_order_when_the_session_is_open(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    CHECK(call(e, "tools/list", "'cursor':'1'") == MCPW_OK);
    CHECK(call(e, "tools/list", "'cursor':'2'") == MCPW_OK);
    EXPECT(e, "");
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'supportedVersions':['2026-07-28'],"
           "'cacheScope':'private','capabilities':{'tools':{}}}}");
    CHECK_HAS(heard(e), "'id':2,'method':'tools/list','params':{");
    const char *const second = heard(e);
    CHECK_HAS(second, "'id':3,");
    CHECK_HAS(second, "'cursor':'2'");
    CHECK_HAS(second, "'io.modelcontextprotocol/protocolVersion':'2026-07-28'");
    say(e, "{'jsonrpc':'2.0','id':3,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
           "'tools':[]}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
    end_free(e);
}

static void what_waits_fails_where_the_server_lacks_the_capability(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'supportedVersions':['2026-07-28'],"
           "'cacheScope':'private','capabilities':{}}}");
    EXPECT(e, "");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CAPABILITY);
    end_free(e);
}

static void a_server_that_goes_while_it_is_opened_fails_everything_once(void) {
    for (int step = 0; step < 2; step++) {
        end *const e = client_opening(NULL);
        run_to_idle(e);
        CHECK(call(e, "tools/list", NULL) == MCPW_OK);
        if (step == 1) {
            e->speaks = mcpw_find_revision(HANDSHAKE);
            say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no'}}");
            CHECK_HAS(heard(e), "'initialize'");
        }
        CHECK(mcpw_session_end_input(e->session) == MCPW_OK);
        CHECK(e->opened == 1 && e->open_status == MCPW_E_CLOSED);
        CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
        CHECK(e->closed == 1 && mcpw_session_is_closed(e->session));
        EXPECT(e, "");
        end_free(e);
    }
}

static void a_client_that_closes_while_it_is_opened_is_told_once(void) {
    end *const e = client_opening(NULL);
    run_to_idle(e);
    mcpw_session_close(e->session);
    CHECK(e->opened == 1 && e->open_status == MCPW_E_CLOSED && e->closed == 1);
    EXPECT(e, "");
    end_free(e);
}

static void a_session_is_opened_once(void) {
    end *const e = client_opening(NULL);
    CHECK(mcpw_session_open(e->session) == MCPW_E_STATE);
    end_free(e);
    end *const server = server_of(MODERN, MODERN);
    end_start(server);
    CHECK(mcpw_session_open(server->session) == MCPW_E_STATE);
    end_free(server);
}

static void a_server_that_pings_before_it_answers_is_answered(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.revisions = HANDSHAKE;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{}}");
    end_free(e);
}

static void every_pair_of_revisions_comes_to_what_both_know(void) {
    for (int i = 0; i < revision_count(); i++) {
        for (int k = 0; k < revision_count(); k++) {
            end *const client = client_of(revision_at(i), revision_at(k));
            end *const server = server_of(revision_at(i), revision_at(k));
            open_pair(client, server, revision_at(i));
            end_free(client);
            end_free(server);
        }
    }
}

/* ---- Configs ---- */

static void a_config_that_cannot_be_used_is_refused_with_the_reason(void) {
    static const struct {
        const char *revisions;
        const char *name;
        mcpw_json capabilities;
        mcpw_str key;
        mcpw_status status;
    } cases[] = {{"2025-11-25 1999-01-01", "n", {NULL, 0, 0}, {NULL, 0}, MCPW_E_VERSION},
                 {" ", "n", {NULL, 0, 0}, {NULL, 0}, MCPW_E_VERSION},
                 {NULL, NULL, {NULL, 0, 0}, {NULL, 0}, MCPW_E_ARGUMENT},
                 {NULL, "n", MCPW_JSON("[]"), {NULL, 0}, MCPW_E_ARGUMENT},
                 {NULL, "n", MCPW_JSON("{"), {NULL, 0}, MCPW_E_ARGUMENT},
                 {NULL, "n", {NULL, 0, 0}, MCPW_STR("short"), MCPW_E_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        end *const e = server_of(MODERN, MODERN);
        mcpw_error error = {0};
        e->config.revisions = cases[i].revisions;
        e->config.name = cases[i].name;
        e->config.capabilities = cases[i].capabilities;
        e->config.state_key = cases[i].key;
        e->session = mcpw_session_new(&e->config, &error);
        CHECK(e->session == NULL && error.code == cases[i].status && error.message[0] != '\0');
        CHECK(e->closed == 0);
        end_free(e);
    }
}

int main(void) {
    RUN(initialize_selects_each_revision);
    RUN(an_unknown_version_is_offered_the_newest_with_a_handshake);
    RUN(a_server_offers_the_newest_of_those_that_it_is_to_speak);
    RUN(only_ping_is_served_before_initialize);
    RUN(initialize_works_after_a_refused_request);
    RUN(a_second_initialize_is_refused_and_changes_nothing);
    RUN(a_client_that_never_says_initialized_is_served);
    RUN(a_server_s_own_requests_wait_for_initialized);
    RUN(an_initialized_before_initialize_opens_nothing);
    RUN(what_a_server_waited_with_may_close_it_when_it_fails);
    RUN(initialize_with_broken_params_is_refused_and_may_be_repeated);
    RUN(discover_tells_what_is_spoken);
    RUN(a_first_modern_request_needs_no_discovery);
    RUN(missing_members_of_meta_are_invalid_params);
    RUN(an_unknown_version_in_meta_names_those_that_are_supported);
    RUN(initialize_is_served_after_a_modern_probe_in_one_process);
    RUN(a_server_without_modern_revisions_knows_no_discovery);
    RUN(a_server_of_modern_revisions_alone_refuses_initialize);
    RUN(info_and_capabilities_of_the_config_are_cut_to_the_revision);
    RUN(a_client_probes_and_settles_on_a_modern_server);
    RUN(a_discovery_without_resultType_and_ttlMs_is_still_one);
    RUN(other_errors_fall_back_to_initialize);
    RUN(silence_falls_back_to_initialize);
    RUN(a_server_that_is_started_by_a_package_runner_has_ten_seconds);
    RUN(a_late_discovery_counts_once_initialize_is_refused);
    RUN(a_late_discovery_counts_where_initialize_is_not_answered);
    RUN(an_initialize_that_succeeds_stays);
    RUN(a_refused_initialize_is_told_when_no_discovery_comes);
    RUN(a_discovery_that_fails_after_initialize_was_refused_ends_it);
    RUN(a_late_discovery_of_unknown_revisions_alone_ends_it_once_initialize_is_refused);
    RUN(a_server_without_a_handshake_is_probed_again);
    RUN(a_server_that_answers_every_probe_with_unsupported_is_let_be);
    RUN(an_unsupported_version_that_comes_late_leaves_it_to_initialize);
    RUN(a_slow_server_that_goes_fails_everything_once);
    RUN(a_broken_discovery_falls_back_to_initialize);
    RUN(a_discovery_of_unknown_revisions_alone_falls_back_where_that_may_help);
    RUN(an_unsupported_version_without_a_common_one_ends_it);
    RUN(a_missing_capability_is_no_reason_to_fall_back);
    RUN(a_client_without_modern_revisions_does_not_probe);
    RUN(a_client_of_modern_revisions_alone_does_not_fall_back);
    RUN(an_answer_with_a_revision_that_the_client_lacks_ends_it);
    RUN(a_refused_initialize_ends_it);
    RUN(requests_made_before_the_session_is_open_wait);
    RUN(what_waits_is_sent_in_order_when_the_session_is_open);
    RUN(what_waits_fails_where_the_server_lacks_the_capability);
    RUN(a_server_that_goes_while_it_is_opened_fails_everything_once);
    RUN(a_client_that_closes_while_it_is_opened_is_told_once);
    RUN(a_session_is_opened_once);
    RUN(a_server_that_pings_before_it_answers_is_answered);
    RUN(every_pair_of_revisions_comes_to_what_both_know);
    RUN(a_config_that_cannot_be_used_is_refused_with_the_reason);
    return check_end();
}
