/* SPDX-License-Identifier: MIT */
/* Capabilities below those that slots bring, declared by name in place of JSON by hand. */

#include "session_harness.h"

static mcpw_status refuse(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)request;
    (void)params;
    return MCPW_E_CANCELLED;
}

static end *client_declaring(const char *speaks, const char *declares) {
    end *const e = client_of(speaks, speaks);
    end_serve(e, "elicitation/create", refuse);
    end_serve(e, "sampling/createMessage", refuse);
    e->config.declares = declares;
    e->config.revisions = speaks;
    return e;
}

/* The first message of a client has its capabilities. */
static const char *first_words(end *e) {
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    return heard(e);
}

static void names_are_declared_below_what_slots_bring(void) {
    end *const e = client_declaring(HANDSHAKE, "elicitation.form elicitation.url sampling.tools "
                                               "tasks.requests.sampling.createMessage tasks.cancel");
    CHECK_HAS(first_words(e), "'capabilities':{'sampling':{'tools':{}},'elicitation':{'form':{},'url':{}},"
                              "'tasks':{'cancel':{},'requests':{'sampling':{'createMessage':{}}}}}");
    end_free(e);
}

/* Names that share their beginning are members of one object, in whatever order they are given. */
static void names_with_a_common_beginning_share_an_object(void) {
    end *const e = client_declaring(HANDSHAKE, "tasks.requests.sampling.createMessage tasks.list "
                                               "tasks.requests.elicitation.create");
    CHECK_HAS(first_words(e),
              "'tasks':{'list':{},'requests':{'elicitation':{'create':{}},'sampling':{'createMessage':{}}}}");
    end_free(e);
}

static void a_revision_is_told_what_it_knows(void) {
    end *const old = client_of("2025-06-18", HANDSHAKE);
    end_serve(old, "elicitation/create", refuse);
    old->config.declares = "elicitation.url, sampling.tools";
    old->config.revisions = "2025-06-18 " HANDSHAKE;
    old->unchecked = true;
    end_start(old);
    CHECK(mcpw_session_open(old->session) == MCPW_OK);
    CHECK_HAS(heard(old), "'capabilities':{'sampling':{'tools':{}},'elicitation':{'url':{}}}");
    end_free(old);
    end *const e = client_declaring("2025-06-18", NULL);
    e->config.declares = "roots.listChanged";
    CHECK_HAS(first_words(e), "'roots':{'listChanged':true},'sampling':{},'elicitation':{}");
    end_free(e);
}

static void modern_requests_carry_what_is_declared(void) {
    end *const e = client_declaring(MODERN, "elicitation.url");
    CHECK_HAS(first_words(e),
              "'io.modelcontextprotocol/clientCapabilities':{'sampling':{},'elicitation':{'url':{}}}");
    end_free(e);
}

static void json_and_names_go_together(void) {
    end *const e = client_declaring(HANDSHAKE, "elicitation.url");
    e->config.capabilities =
        (mcpw_json)MCPW_JSON("{\"elicitation\":{\"url\":{\"a\":1},\"form\":{}},\"experimental\":{\"x\":{}}}");
    CHECK_HAS(first_words(e), "'capabilities':{'experimental':{'x':{}},'sampling':{},"
                              "'elicitation':{'form':{},'url':{}}}");
    end_free(e);
}

static void a_server_declares_that_it_makes_tasks(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", keep);
    e->config.declares = "tasks.requests.tools.call";
    end_start(e);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'" HANDSHAKE
           "','capabilities':{},'clientInfo':{'name':'c','version':'1'}}}");
    CHECK_HAS(heard(e), "'tasks':{'requests':{'tools':{'call':{}}}}");
    end_free(e);
}

static void a_name_that_no_spoken_revision_knows_is_refused(void) {
    static const char *const wrong[] = {"sampling.tool",
                                        "elicitation.url.",
                                        ".",
                                        "tasks.requests.tools.call",
                                        "elicitation.url sampling..tools",
                                        "experimental.x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        end *const e = client_declaring(HANDSHAKE, wrong[i]);
        mcpw_error error = {0};
        CHECK(mcpw_session_new(&e->config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
        CHECK_HAS(error.message, "no revision that is spoken has a capability ");
        end_free(e);
    }
    end *const e = client_declaring(MODERN, "tasks.list"); /* gone */
    mcpw_error error = {0};
    CHECK(mcpw_session_new(&e->config, &error) == NULL);
    CHECK_STRING(error.message, q("no revision that is spoken has a capability 'tasks.list' of a client"));
    end_free(e);
}

static void no_names_declare_nothing(void) {
    end *const e = client_declaring(HANDSHAKE, " , ");
    CHECK_HAS(first_words(e), "'capabilities':{'sampling':{},'elicitation':{}}");
    end_free(e);
}

int main(void) {
    RUN(names_are_declared_below_what_slots_bring);
    RUN(names_with_a_common_beginning_share_an_object);
    RUN(a_revision_is_told_what_it_knows);
    RUN(modern_requests_carry_what_is_declared);
    RUN(json_and_names_go_together);
    RUN(a_server_declares_that_it_makes_tasks);
    RUN(a_name_that_no_spoken_revision_knows_is_refused);
    RUN(no_names_declare_nothing);
    return check_end();
}
