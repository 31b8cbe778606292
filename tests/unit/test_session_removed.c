/* SPDX-License-Identifier: MIT */
/* Entries that are removed while a request for them is under way: they take no more, and this one goes on. */

#include <mcpw/server.h>

#include "session_asking.h"

/* Asks in its first run, answers in its second. */
static mcpw_status ask_once(end *e, mcpw_request *request) {
    e->runs++;
    mcpw_request_on_cancel(request, count_cancel, e);
    return ask(e, request, "q", "roots/list", NULL, NULL, 0);
}

static mcpw_status call_tool(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_status status = ask_once(user, request);
    CHECK_STRING(call->name.ptr, "t");
    CHECK(call->value != NULL);
    return status == MCPW_OK ? mcpw_respond_structured(request, call->arguments) : status;
}

static mcpw_status read_resource(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    const mcpw_status status = ask_once(user, request);
    return status == MCPW_OK ? mcpw_respond_resource_text(request, NULL, read->uri) : status;
}

static mcpw_status get_prompt(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    const mcpw_status status = ask_once(user, request);
    return status == MCPW_OK ? mcpw_respond_prompt_text(request, get->name) : status;
}

static mcpw_status complete(mcpw_request *request, const mcpw_completion *completion, void *user) {
    const mcpw_status status = ask_once(user, request);
    return status == MCPW_OK ? mcpw_respond_completion(request, &completion->value, 1) : status;
}

static mcpw_server *server_with_all(end *e) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_type *const type = mcpw_find_type(HANDSHAKE, "ModelHint");
    const mcpw_tool tool = {.name = "t", .arguments = type, .structured = type, .call = call_tool, .user = e};
    const mcpw_resource resource = {.uri = "x:r", .name = "r", .read = read_resource, .user = e};
    const mcpw_resource_template family = {
        .uri_template = "y:{id}", .name = "f", .read = read_resource, .user = e};
    const mcpw_prompt prompt = {.name = "p", .get = get_prompt, .complete = complete, .user = e};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource_template(server, &family, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_prompt(server, &prompt, NULL) == MCPW_OK);
    return server;
}

static mcpw_status remove_tool(mcpw_server *server) { return mcpw_server_remove_tool(server, "t"); }
static mcpw_status remove_resource(mcpw_server *server) { return mcpw_server_remove_resource(server, "x:r"); }
static mcpw_status remove_family(mcpw_server *server) {
    return mcpw_server_remove_resource_template(server, "y:{id}");
}
static mcpw_status remove_prompt(mcpw_server *server) { return mcpw_server_remove_prompt(server, "p"); }

static const struct {
    const char *method;
    const char *members;
    mcpw_status (*remove)(mcpw_server *server);
    const char *answer;
} kinds[] = {{"tools/call", "'name':'t','arguments':{'name':'n'}", remove_tool, "{'name':'n'}"},
             {"resources/read", "'uri':'x:r'", remove_resource, "'text':'x:r'"},
             {"resources/read", "'uri':'y:1'", remove_family, "'text':'y:1'"},
             {"prompts/get", "'name':'p'", remove_prompt, "'text':'p'"},
             {"completion/complete",
              "'ref':{'type':'ref/prompt','name':'p'},'argument':{'name':'a','value':'v'}", remove_prompt,
              "'values':['v']"}};

static end *asked_for(size_t kind, const char *revision, mcpw_server **server) {
    end *const e = server_of(revision, MODERN);
    *server = server_with_all(e);
    e->config.server = *server;
    open_server(e);
    say_request(e, "'r'", kinds[kind].method, kinds[kind].members);
    CHECK_HAS(heard(e), "'id':1,'method':'roots/list'");
    CHECK(kinds[kind].remove(*server) == MCPW_OK);
    run_to_idle(e); /* the list has changed */
    return e;
}

static void what_is_under_way_goes_on_when_it_is_removed(void) {
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (int i = 0; i < legacy_count(); i++) {
            mcpw_server *server = NULL;
            end *const e = asked_for(kind, revision_at(i), &server);
            say(e, "{'jsonrpc':'2.0','id':1,'result':" ROOTED "}");
            const char *const line = heard(e);
            CHECK_HAS(line, "'id':'r','result':{");
            CHECK_HAS(line, kind != 0 || i >= 2 /* a text alone before 2025-06-18 */
                                ? kinds[kind].answer
                                : "\\\"name\\\":\\\"n\\\"");
            CHECK(e->runs == 2 && e->cancels == 0);
            say_request(e, "'s'", kinds[kind].method, kinds[kind].members); /* but no other */
            CHECK_HAS(heard(e), "'id':'s','error':{'code':-32");
            CHECK(e->runs == 2);
            end_free(e);
            mcpw_server_free(server);
        }
    }
}

static void what_is_under_way_and_removed_is_cancelled_as_ever(void) {
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        mcpw_server *server = NULL;
        end *const e = asked_for(kind, HANDSHAKE, &server);
        say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'r'}}");
        CHECK(e->runs == 1 && e->cancels == 1 && !mcpw_session_is_busy(e->session));
        end_free(e);
        mcpw_server_free(server);
    }
}

/* One that is added under the same name is another. */
static void what_is_under_way_is_not_taken_over_by_what_replaces_it(void) {
    end other = {0};
    mcpw_server *server = NULL;
    end *const e = asked_for(0, HANDSHAKE, &server);
    const mcpw_tool tool = {.name = "t", .call = call_tool, .user = &other};
    CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'result':" ROOTED "}");
    CHECK_HAS(heard(e), "'id':'r','result':{");
    CHECK(e->runs == 2 && other.runs == 0);
    end_free(e);
    mcpw_server_free(server);
}

int main(void) {
    RUN(what_is_under_way_goes_on_when_it_is_removed);
    RUN(what_is_under_way_and_removed_is_cancelled_as_ever);
    RUN(what_is_under_way_is_not_taken_over_by_what_replaces_it);
    return check_end();
}
