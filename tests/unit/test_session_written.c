/* SPDX-License-Identifier: MIT */
/* The answers that <mcpw/server.h> writes itself, which the session sends as they are: they fit the schema of
 * every revision (the harness checks each line), stand where an answer stands, and answer no other method. */

#include <mcpw/server.h>

#include "session_harness.h"

static mcpw_status say_text(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    return mcpw_respond_text(request, mcpw_str_from("a \"quoted\" text"));
}

static mcpw_status say_resource(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    return mcpw_respond_resource_text(request, "text/plain", mcpw_str_from("r"));
}

static mcpw_status say_prompt(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    return mcpw_respond_prompt_text(request, mcpw_str_from("p"));
}

static mcpw_status say_twice(end *e, mcpw_request *request, const void *params) {
    const mcpw_status status = say_text(e, request, params);
    CHECK(mcpw_respond_text(request, mcpw_str_from("again")) == MCPW_E_STATE);
    return status;
}

static end *server(const char *speaks, const char *method, end_handler run) {
    end *const e = server_of(speaks, MODERN);
    end_serve(e, method, run);
    open_server(e);
    return e;
}

static void each_revision_gets_what_its_results_hold(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server(revision_at(i), "tools/call", say_text);
        const char *const more = i >= legacy_count() ? "'resultType':'complete'," : "";
        say_request(e, "1", "tools/call", "'name':'t'");
        EXPECT(e, fmt("{'jsonrpc':'2.0','id':1,'result':{%s'content':[{'type':'text','text':'a \\'quoted\\' "
                      "text'}]}}",
                      more));
        end_free(e);
    }
}

static void resources_and_prompts_are_answered_in_each_revision(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const resources = server(revision_at(i), "resources/read", say_resource);
        end *const prompts = server(revision_at(i), "prompts/get", say_prompt);
        say_request(resources, "'a'", "resources/read", "'uri':'x:y'");
        CHECK_HAS(heard(resources), "'id':'a','result':{");
        say_request(prompts, "-1", "prompts/get", "'name':'p'");
        CHECK_HAS(heard(prompts), "'id':-1,'result':{");
        end_free(resources);
        end_free(prompts);
    }
}

static void an_answer_to_another_method_is_not_sent(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server(revision_at(i), "prompts/get", say_text);
        say_request(e, "1", "prompts/get", "'name':'p'");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
        CHECK_HAS(e->last_diagnostic,
                  "CallToolResult is no result of this method, which has GetPromptResult");
        end_free(e);
    }
}

static void a_second_answer_is_refused(void) {
    end *const e = server(MODERN, "tools/call", say_twice);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'id':1,'result'");
    EXPECT(e, "");
    end_free(e);
}

static void a_batch_holds_them(void) {
    end *const e = server(BATCHING, "tools/call", say_text);
    e->unchecked = true;
    say(e, "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'t'}},"
           "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'t'}}]");
    const char *const line = heard(e);
    const mcpw_json all = mcpw_json_of(line, strlen(line));
    CHECK(mcpw_json_count(all) == 2);
    CHECK_HAS(line, "[{'jsonrpc':'2.0','id':1,'result':{'content':");
    CHECK_HAS(line, "},{'jsonrpc':'2.0','id':2,'result':{'content':");
    end_free(e);
}

int main(void) {
    RUN(each_revision_gets_what_its_results_hold);
    RUN(resources_and_prompts_are_answered_in_each_revision);
    RUN(an_answer_to_another_method_is_not_sent);
    RUN(a_second_answer_is_refused);
    RUN(a_batch_holds_them);
    return check_end();
}
