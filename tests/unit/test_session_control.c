/* SPDX-License-Identifier: MIT */
/* Ping, the level of log messages and changed roots, for code of any revision. */
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/session.h>

#include "session_harness.h"

static mcpw_status refuse(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)request;
    (void)params;
    return MCPW_E_CANCELLED;
}

static void a_ping_reaches_every_revision_that_has_one(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(mcpw_session_ping(e->session, NULL, end_on_reply, e, NULL, NULL) == MCPW_OK);
        EXPECT(e, "{'jsonrpc':'2.0','id':3,'method':'ping'}");
        say(e, "{'jsonrpc':'2.0','id':3,'result':{}}");
        CHECK(e->out.count == 1 && e->out.status == MCPW_OK);
        end_free(e);
    }
}

static void a_server_pings_too(void) {
    end *const e = server_of(HANDSHAKE, MODERN);
    open_server(e);
    CHECK(mcpw_session_ping(e->session, NULL, end_on_reply, e, NULL, NULL) == MCPW_OK);
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
    end_free(e);
}

static void a_revision_without_ping_says_so(void) {
    end *const e = client_of(MODERN, MODERN);
    mcpw_error error = {0};
    open_client(e);
    CHECK(mcpw_session_ping(e->session, NULL, end_on_reply, e, NULL, &error) == MCPW_E_METHOD);
    CHECK_STRING(error.message, MODERN " has no ping");
    EXPECT(e, "");
    end_free(e);
}

static void a_client_of_revisions_without_ping_needs_no_negotiation_to_know(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.revisions = MODERN;
    end_start(e);
    CHECK(mcpw_session_ping(e->session, NULL, end_on_reply, e, NULL, NULL) == MCPW_E_METHOD);
    EXPECT(e, "");
    end_free(e);
}

static void a_ping_before_the_negotiation_waits_for_it(void) {
    for (int modern = 0; modern < 2; modern++) {
        end *const e = client_of(modern != 0 ? MODERN : HANDSHAKE, MODERN);
        end_start(e);
        CHECK(mcpw_session_ping(e->session, NULL, end_on_reply, e, NULL, NULL) == MCPW_OK);
        e->unchecked = true;
        CHECK(mcpw_session_open(e->session) == MCPW_OK);
        CHECK_HAS(heard(e), "server/discover");
        if (modern != 0) {
            say(e,
                "{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
                "'supportedVersions':['" MODERN "'],'capabilities':{}}}");
            EXPECT(e, "");
            CHECK(e->out.count == 1 && e->out.status == MCPW_E_METHOD);
        } else {
            say(e, "{'jsonrpc':'2.0','id':2,'error':{'code':-32601,'message':'no'}}");
            CHECK_HAS(heard(e), "'id':3,'method':'initialize'");
            say(e, "{'jsonrpc':'2.0','id':3,'result':{'protocolVersion':'" HANDSHAKE
                   "','capabilities':{},'serverInfo':{'name':'s','version':'1'}}}");
            CHECK_HAS(heard(e), "notifications/initialized");
            CHECK_HAS(heard(e), "'method':'ping'");
        }
        end_free(e);
    }
}

static void a_level_is_a_request_where_there_is_one(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        open_client(e);
        CHECK(mcpw_session_set_log_level(e->session, MCPW_LOG_WARNING, NULL) == MCPW_OK);
        EXPECT(e, "{'jsonrpc':'2.0','id':3,'method':'logging/setLevel','params':{'level':'warning'}}");
        end_free(e);
    }
}

static void a_level_goes_with_every_request_where_there_is_none(void) {
    end *const e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    CHECK(!has(heard(e), "logLevel"));
    CHECK(mcpw_session_set_log_level(e->session, MCPW_LOG_EMERGENCY, NULL) == MCPW_OK);
    EXPECT(e, "");
    CHECK(call(e, "tools/list", NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/logLevel':'emergency'");
    CHECK(mcpw_session_set_log_level(e->session, MCPW_LOG_INFO, NULL) == MCPW_OK);
    CHECK(call(e, "tools/list", "") == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/logLevel':'info'");
    end_free(e);
}

static void a_level_that_a_request_names_itself_stays(void) {
    const mcp_20260728_paginated_request_params params = {
        .meta = {.protocol_version = MCPW_STR("x"), .log_level = MCP_20260728_LOGGING_LEVEL_ALERT}};
    end *const e = client_of(MODERN, MODERN);
    open_client(e);
    CHECK(mcpw_session_set_log_level(e->session, MCPW_LOG_DEBUG, NULL) == MCPW_OK);
    CHECK(mcp_20260728_request_tools_list(e->session, &params, NULL, NULL, NULL, NULL, NULL) == MCPW_OK);
    CHECK_HAS(heard(e), "'io.modelcontextprotocol/logLevel':'alert'");
    end_free(e);
}

static void what_is_no_level_is_refused(void) {
    end *const e = client_of(MODERN, MODERN);
    end *const server = server_of(MODERN, MODERN);
    mcpw_error error = {0};
    open_client(e);
    open_server(server);
    CHECK(mcpw_session_set_log_level(e->session, (mcpw_log_level)0, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_set_log_level(e->session, (mcpw_log_level)9, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_set_log_level(server->session, MCPW_LOG_INFO, &error) == MCPW_E_ARGUMENT);
    end_free(e);
    end_free(server);
}

static void a_server_that_does_not_log_is_not_asked(void) {
    end *const e = client_of(HANDSHAKE, MODERN);
    open_client_as(e, "{'tools':{}}");
    CHECK(mcpw_session_set_log_level(e->session, MCPW_LOG_INFO, NULL) == MCPW_E_CAPABILITY);
    EXPECT(e, "");
    end_free(e);
}

static void changed_roots_are_told_where_the_revision_has_it(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = client_of(revision_at(i), MODERN);
        mcpw_error error = {0};
        end_serve(e, "roots/list", refuse);
        end_start(e);
        CHECK(mcpw_session_roots_changed(e->session, &error) == MCPW_E_STATE);
        open_client(e);
        const mcpw_status status = mcpw_session_roots_changed(e->session, &error);
        if (i < legacy_count()) {
            CHECK(status == MCPW_OK);
            EXPECT(e, "{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}");
        } else {
            CHECK(status == MCPW_E_METHOD);
            CHECK_STRING(error.message, fmt("%s has no notifications/roots/list_changed", revision_at(i)));
        }
        end_free(e);
    }
}

static void changes_of_roots_that_were_not_declared_are_not_told(void) {
    end *const e = client_of(HANDSHAKE, MODERN);
    open_client(e);
    CHECK(mcpw_session_roots_changed(e->session, NULL) == MCPW_E_CAPABILITY);
    EXPECT(e, "");
    end_free(e);
}

int main(void) {
    RUN(a_ping_reaches_every_revision_that_has_one);
    RUN(a_server_pings_too);
    RUN(a_revision_without_ping_says_so);
    RUN(a_client_of_revisions_without_ping_needs_no_negotiation_to_know);
    RUN(a_ping_before_the_negotiation_waits_for_it);
    RUN(a_level_is_a_request_where_there_is_one);
    RUN(a_level_goes_with_every_request_where_there_is_none);
    RUN(a_level_that_a_request_names_itself_stays);
    RUN(what_is_no_level_is_refused);
    RUN(a_server_that_does_not_log_is_not_asked);
    RUN(changed_roots_are_told_where_the_revision_has_it);
    RUN(changes_of_roots_that_were_not_declared_are_not_told);
    return check_end();
}
