/* SPDX-License-Identifier: MIT */
/* A client refuses faults of its server, unless its config lets them pass: then they are mended, and noted.
 */
#include <mcpw/detail/session.h>

#include "session_harness.h"

#define GOOD_TOOL "{'name':'t','inputSchema':{'type':'object'}}"

/* A client, lenient or not, that has asked a server of 2025-11-25 for something, and its answer: %s is the id
 * of the request. */
static end *answered(bool lenient, const char *method, const char *members, const char *answer) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.lenient = lenient;
    open_client(e);
    CHECK(call(e, method, members) == MCPW_OK);
    CHECK(strstr(heard(e), "\"id\":3") != NULL);
    say(e, answer);
    return e;
}

static void each_fault_is_refused_or_mended(void) {
    static const struct {
        const char *method;
        const char *members;
        const char *answer;
        mcpw_status strict;
        int diagnostics; /* of a lenient client */
        const char *result;
    } cases[] = {
        {"tools/list", "", "{'jsonrpc':'2.0','id':3,'result':{'tools':[],'nextCursor':null}}", MCPW_E_TYPE, 0,
         "'tools':[]"},
        {"tools/list", "", "{'jsonrpc':'2.0','id':3,'result':{'tools':[{'name':'t','inputSchema':{}}]}}",
         MCPW_E_MISSING, 1, GOOD_TOOL},
        {"tools/list", "", "{'jsonrpc':'2.0','id':3,'result':{'tools':[{'name':'t'}]}}", MCPW_E_MISSING, 1,
         GOOD_TOOL},
        {"tools/list", "",
         "{'jsonrpc':'2.0','id':3,'result':{'tools':[{'name':'t','inputSchema':{'type':'object','required':"
         "true}}]}}",
         MCPW_E_TYPE, 1, GOOD_TOOL},
        {"tools/list", "", "{'jsonrpc':'2.0','id':3,'result':{'tools':[7," GOOD_TOOL "]}}", MCPW_E_TYPE, 1,
         GOOD_TOOL},
        {"tools/list", "",
         "{'jsonrpc':'2.0','id':3,'result':{'tools':[{'name':'t','title':1,'icons':2,'inputSchema':{'type':"
         "'object'}}]}}",
         MCPW_E_TYPE, 2, GOOD_TOOL},
        {"prompts/list", "",
         "{'jsonrpc':'2.0','id':3,'result':{'prompts':[{'title':'x'},{'name':'p','arguments':1}]}}",
         MCPW_E_MISSING, 2, "'prompts':[{'name':'p'}]"},
        {"resources/list", "",
         "{'jsonrpc':'2.0','id':3,'result':{'resources':[{'uri':'a:b','name':'r','size':'x'}]}}", MCPW_E_TYPE,
         1, "{'name':'r','uri':'a:b'}"},
        {"tools/call", "'name':'t'", "{'jsonrpc':'2.0','id':3,'result':{'content':[],'isError':null}}",
         MCPW_E_TYPE, 0, "'content':[]"},
        {"tools/call", "'name':'t'", "{'jsonrpc':'2.0','id':3,'result':{'structuredContent':{}}}",
         MCPW_E_MISSING, 1, "'content':[]"},
        {"tools/call", "'name':'t'", "{'jsonrpc':'2.0','id':3,'error':null,'result':{'content':[]}}",
         MCPW_E_TYPE, 1, "'content':[]"},
        {"tools/call", "'name':'t'", "{'jsonrpc':'2.0','id':'3','result':{'content':[]}}", MCPW_PENDING, 1,
         "'content':[]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        end *const strict = answered(false, cases[i].method, cases[i].members, cases[i].answer);
        const int wanted = cases[i].strict != MCPW_PENDING ? 1 : 0;
        CHECK(
            check_that(strict->out.count == wanted && (wanted == 0 || strict->out.status == cases[i].strict),
                       __FILE__, __LINE__, cases[i].answer));
        CHECK(strict->diagnostics[MCPW_DIAGNOSTIC_TOLERATED] == 0);
        end_free(strict);
        end *const e = answered(true, cases[i].method, cases[i].members, cases[i].answer);
        CHECK(check_that(e->out.count == 1 && e->out.status == MCPW_OK, __FILE__, __LINE__, cases[i].answer));
        CHECK_HAS(e->out.text, cases[i].result);
        CHECK(check_that(e->diagnostics[MCPW_DIAGNOSTIC_TOLERATED] == cases[i].diagnostics, __FILE__,
                         __LINE__, cases[i].answer));
        end_free(e);
    }
}

/* A fault that cannot be mended fails as without leniency, and so does a value that was asked for. */
static void faults_of_what_was_asked_for_are_not_mended(void) {
    static const char *const answers[] = {
        "{'jsonrpc':'2.0','id':3,'result':{'content':'said'}}",
        "{'jsonrpc':'2.0','id':3,'result':{'content':[],'isError':'no'}}",
        "{'jsonrpc':'2.0','id':3,'result':{'content':[],'structuredContent':[]}}",
        "{'jsonrpc':'2.0','id':3,'result':[]}",
        "{'jsonrpc':'2.0','id':3,'result':{'content':[{'type':'text'}]}}"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        end *const e = answered(true, "tools/call", "'name':'t'", answers[i]);
        CHECK(check_that(e->out.count == 1 && e->out.status != MCPW_OK && e->out.status != MCPW_E_REMOTE,
                         __FILE__, __LINE__, answers[i]));
        end_free(e);
    }
}

static void a_list_of_many_faults_is_given_up(void) {
    char item[4096] = "{'name':'t','inputSchema':{'type':'object'}";
    for (int i = 0; i < 40; i++) {
        (void)snprintf(item + strlen(item), sizeof item - strlen(item), ",'annotations':%d", i);
    }
    end *const e = answered(true, "tools/list", "",
                            fmt("{'jsonrpc':'2.0','id':3,'result':{'tools':[%s},%s]}}", item, GOOD_TOOL));
    CHECK(e->out.status == MCPW_OK);
    CHECK_HAS(e->out.text, GOOD_TOOL);
    end_free(e);
}

static void ids_are_mended_where_they_say_one_number(void) {
    static const char *const ids[] = {"'03'", "' 3'", "'3.0'", "'-3'", "'x'", "''", "'99999999999999999999'",
                                      "null", "4"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        end *const e = answered(true, "tools/call", "'name':'t'",
                                fmt("{'jsonrpc':'2.0','id':%s,'result':{'content':[]}}", ids[i]));
        CHECK(check_that(e->out.count == 0, __FILE__, __LINE__, ids[i]));
        end_free(e);
    }
}

static void what_is_not_declared_is_asked_for(void) {
    static const char *const methods[] = {"tools/list", "prompts/list", "resources/list"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (int lenient = 0; lenient < 2; lenient++) {
            end *const e = client_of(HANDSHAKE, HANDSHAKE);
            e->config.lenient = lenient != 0;
            open_client_as(e, "{}");
            CHECK(call(e, methods[i], "") == (lenient != 0 ? MCPW_OK : MCPW_E_CAPABILITY));
            CHECK(e->diagnostics[MCPW_DIAGNOSTIC_TOLERATED] == lenient);
            end_free(e);
        }
    }
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.lenient = true;
    open_client_as(e, "{}");
    CHECK(call(e, "logging/setLevel", "'level':'info'") == MCPW_E_CAPABILITY);
    CHECK(call(e, "resources/subscribe", "'uri':'a:b'") == MCPW_E_CAPABILITY);
    end_free(e);
}

static void a_handshake_is_mended(void) {
    static const char *const members[] = {"'capabilities':null,'serverInfo':{'name':'s','version':'1'}",
                                          "'serverInfo':{'name':'s','version':'1'}", "'capabilities':{}",
                                          "'capabilities':{},'serverInfo':7,'instructions':[]"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        for (int lenient = 0; lenient < 2; lenient++) {
            end *const e = client_of(HANDSHAKE, HANDSHAKE);
            e->config.lenient = lenient != 0;
            e->config.revisions = HANDSHAKE;
            end_start(e);
            CHECK(mcpw_session_open(e->session) == MCPW_OK);
            CHECK_HAS(heard(e), "'id':1,'method':'initialize'");
            say(e, fmt("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25',%s}}", members[i]));
            CHECK((e->open_status == MCPW_OK) == (lenient != 0));
            (void)heard(e);
            end_free(e);
        }
    }
}

/* An answer without what 2026-07-28 adds to each result is read by its defaults, and mended beyond that. */
static void lists_of_the_newest_revision_are_mended(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.lenient = true;
    open_client(e);
    CHECK(call(e, "tools/list", "") == MCPW_OK);
    CHECK(strstr(heard(e), "\"id\":2") != NULL);
    say(e, "{'jsonrpc':'2.0','id':2,'result':{'tools':[{'name':'t','inputSchema':{}}],'ttlMs':0,"
           "'cacheScope':'private'}}");
    CHECK(e->out.status == MCPW_OK);
    CHECK_HAS(e->out.text, GOOD_TOOL);
    end_free(e);
}

static void close_on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->kind == MCPW_DIAGNOSTIC_TOLERATED) {
        mcpw_session_close(session);
    }
}

static void a_note_may_end_the_session(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.lenient = true;
    e->config.on_diagnostic = close_on_diagnostic;
    open_client(e);
    CHECK(call(e, "tools/list", "") == MCPW_OK);
    (void)heard(e);
    say(e, "{'jsonrpc':'2.0','id':3,'result':{'tools':[{'name':'t'},{'name':'u'}]}}");
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_CLOSED);
    end_free(e);
    end *const other = client_of(HANDSHAKE, HANDSHAKE);
    other->config.lenient = true;
    other->config.on_diagnostic = close_on_diagnostic;
    open_client(other);
    CHECK(call(other, "tools/call", "'name':'t'") == MCPW_OK);
    (void)heard(other);
    say(other, "{'jsonrpc':'2.0','id':'3','result':{'content':[]}}");
    CHECK(other->out.count == 1 && other->out.status == MCPW_E_CLOSED);
    end_free(other);
}

static void a_server_is_not_lenient(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.lenient = true;
    end_start(e);
    CHECK(!mcpw_session_is_lenient(e->session));
    end_free(e);
}

int main(void) {
    RUN(each_fault_is_refused_or_mended);
    RUN(faults_of_what_was_asked_for_are_not_mended);
    RUN(a_list_of_many_faults_is_given_up);
    RUN(ids_are_mended_where_they_say_one_number);
    RUN(what_is_not_declared_is_asked_for);
    RUN(a_handshake_is_mended);
    RUN(lists_of_the_newest_revision_are_mended);
    RUN(a_note_may_end_the_session);
    RUN(a_server_is_not_lenient);
    return check_end();
}
