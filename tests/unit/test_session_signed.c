/* SPDX-License-Identifier: MIT */
/* 2026-07-28: every result says in its _meta which server made it, beside what the handler has put there. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/server.h>

#include "session_harness.h"

#define SELF "'io.modelcontextprotocol/serverInfo':{'name':'name','version':'1'}"

static end *signing(const char *speaks, const char *handled, const char *method, end_handler run) {
    end *const e = server_of(speaks, handled);
    e->config.send_server_info = MCPW_ON;
    e->config.info = (mcpw_json)MCPW_JSON("{\"title\":\"told by server/discover\"}");
    if (method != NULL) {
        end_serve(e, method, run);
    }
    open_server(e);
    return e;
}

static const char *said;

static mcpw_status answer_said(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, said);
}

static mcpw_status answer_said_as_text(end *e, mcpw_request *request, const void *params) {
    const mcpw_json result = mcpw_json_of(q(said), strlen(said));
    (void)e;
    (void)params;
    return mcpw_respond_json(request, result, NULL);
}

static void expect_content(end *e, const char *meta) {
    const char *const line = heard(e);
    mcpw_json found = mcpw_json_of(line, strlen(line));
    CHECK(mcpw_json_get(found, "result", &found) == MCPW_OK &&
          mcpw_json_get(found, "_meta", &found) == MCPW_OK);
    CHECK_TEXT(found.ptr, found.len, q(meta));
}

static void a_typed_result_names_its_server(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = signing(MODERN, revision_at(i), "tools/call", answer_said);
        said = "{'content':[]}";
        say_request(e, "1", "tools/call", "'name':'t'");
        expect_content(e, "{" SELF "}");
        end_free(e);
    }
}

static void what_a_handler_puts_beside_it_stays(void) {
    static const char *const metas[][2] = {
        {"{'a.b/c':1}", "{" SELF ",'a.b/c':1}"},
        {"{'io.modelcontextprotocol/serverInfo':{'name':'other','version':'2'}}",
         "{'io.modelcontextprotocol/serverInfo':{'name':'other','version':'2'}}"},
        {"{}", "{" SELF "}"},
        {"{ \n}", "{" SELF "}"},
    };
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        for (int as_text = 0; as_text < 2; as_text++) {
            end *const e =
                signing(MODERN, MODERN, "tools/call", as_text != 0 ? answer_said_as_text : answer_said);
            said = fmt("{'content':[],'_meta':%s,'x':[]}", metas[i][0]);
            say_request(e, "1", "tools/call", "'name':'t'");
            expect_content(e, metas[i][1]);
            end_free(e);
        }
    }
}

static void the_text_of_a_result_is_signed(void) {
    static const char *const texts[] = {"{'content':[]}", "{ \n 'content':[]}",
                                        "{'resultType':'complete','content':[]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        end *const e = signing(MODERN, MODERN, "tools/call", answer_said_as_text);
        said = texts[i];
        say_request(e, "1", "tools/call", "'name':'t'");
        expect_content(e, "{" SELF "}");
        end_free(e);
    }
}

static mcpw_status say_text(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("text"));
}

/* It may be any member, _meta too, which must not stand there twice. */
static void a_text_with_an_escaped_key_is_left_unsigned(void) {
    end *const e = signing(MODERN, MODERN, "tools/call", answer_said_as_text);
    said = "{'content':[],'\\u005fmeta':{'a.b/c':1}}";
    say_request(e, "1", "tools/call", "'name':'t'");
    const char *const line = heard(e);
    CHECK_HAS(line, "'\\u005fmeta':{'a.b/c':1}");
    CHECK(!has(line, "serverInfo"));
    end_free(e);
}

static void what_registries_answer_is_signed(void) {
    static const mcpw_tool tool = {.name = "t", .call = say_text};
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    end *const e = server_of(MODERN, MODERN);
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    e->config.send_server_info = MCPW_ON;
    e->config.server = server;
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    expect_content(e, "{" SELF "}");
    say_request(e, "2", "tools/list", "");
    expect_content(e, "{" SELF "}");
    end_free(e);
    mcpw_server_free(server);
}

static void broken_params_of_what_a_registry_serves_are_no_unknown_method(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    end *const e = server_of(MODERN, MODERN);
    CHECK(mcpw_server_add_tool(server, &(mcpw_tool){.name = "t", .call = say_text}, NULL) == MCPW_OK);
    e->config.server = server;
    open_server(e);
    say_request(e, "1", "tools/call", "'name':5");
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32602");
    say_request(e, "2", "prompts/get", "'name':5"); /* it has none */
    CHECK_HAS(heard(e), "'id':2,'error':{'code':-32601");
    end_free(e);
    mcpw_server_free(server);
}

/* Its path begins with the result, whatever is put in beside it. */
static mcpw_status answer_what_lacks_members(end *e, mcpw_request *request, const void *params) {
    mcp_20260728_call_tool_result result = {0};
    mcpw_error error = {0};
    (void)params;
    e->status = mcpw_respond(request, result_type(e->dispatch.revision, mcpw_request_method(request)),
                             &result, &error);
    CHECK(error.code == e->status && strncmp(error.path, "/result", 7) == 0);
    return e->status;
}

static void an_error_in_a_signed_result_is_told_with_its_path(void) {
    end *const e = signing(MODERN, MODERN, "tools/call", answer_what_lacks_members);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK(e->status == MCPW_E_MISSING);
    CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
    EXPECT(e, "");
    end_free(e);
}

static mcpw_status ask_for_roots(end *e, mcpw_request *request, const void *params) {
    mcpw_result result = {0};
    (void)params;
    const mcpw_revision *const revision = mcpw_find_revision(HANDSHAKE);
    (void)e;
    return mcpw_request_ask(request, "q", revision, mcpw_method_number(revision, "roots/list", 10), NULL,
                            &result, NULL);
}

static void a_input_request_is_signed(void) {
    end *const e = signing(MODERN, HANDSHAKE, "tools/call", ask_for_roots);
    say_request(e, "1", "tools/call", "'name':'t'");
    expect_content(e, "{" SELF "}");
    end_free(e);
}

static void the_end_of_a_subscription_is_signed(void) {
    end *const e = signing(MODERN, MODERN, "tools/list", list_one_tool);
    say_request(e, "7", "subscriptions/listen", "'notifications':{'toolsListChanged':true}");
    CHECK_HAS(heard(e), "acknowledged");
    mcpw_session_close(e->session);
    expect_content(e, "{" SELF ",'io.modelcontextprotocol/subscriptionId':7}");
    end_free(e);
}

static void discovery_tells_all_of_it_whatever_the_config_says(void) {
    for (int omit = 0; omit < 2; omit++) {
        end *const e = server_of(MODERN, MODERN);
        e->config.info = (mcpw_json)MCPW_JSON("{\"title\":\"T\"}");
        e->config.send_server_info = omit != 0 ? MCPW_OFF : MCPW_ON;
        open_server(e);
        say_request(e, "1", "server/discover", "");
        expect_content(e, "{'io.modelcontextprotocol/serverInfo':{'name':'name','version':'1','title':'T'}}");
        end_free(e);
    }
}

static void the_config_can_leave_it_out(void) {
    end *const e = server_of(MODERN, MODERN);
    CHECK(e->config.send_server_info == MCPW_OFF);
    end_serve(e, "tools/call", say_hello);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK(!has(heard(e), "serverInfo"));
    end_free(e);
}

static void results_with_a_handshake_have_none(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = signing(revision_at(i), MODERN, "tools/call", say_hello);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK(!has(heard(e), "serverInfo"));
        end_free(e);
    }
}

int main(void) {
    RUN(a_typed_result_names_its_server);
    RUN(what_a_handler_puts_beside_it_stays);
    RUN(the_text_of_a_result_is_signed);
    RUN(a_text_with_an_escaped_key_is_left_unsigned);
    RUN(what_registries_answer_is_signed);
    RUN(broken_params_of_what_a_registry_serves_are_no_unknown_method);
    RUN(an_error_in_a_signed_result_is_told_with_its_path);
    RUN(a_input_request_is_signed);
    RUN(the_end_of_a_subscription_is_signed);
    RUN(discovery_tells_all_of_it_whatever_the_config_says);
    RUN(the_config_can_leave_it_out);
    RUN(results_with_a_handshake_have_none);
    return check_end();
}
