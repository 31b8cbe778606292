/* SPDX-License-Identifier: MIT */
/* An extension that adds alternatives to unions of the protocol. A value with one of them is sent where both
 * ends have declared the extension, and nowhere else. */
#include <mcp/2026-07-28-marks.h>

#include "session_harness.h"

#define EXTENSION "extensions.org.example/marks"
#define DECLARED "{'extensions':{'org.example/marks':{}}}"
#define MARK "{'type':'mark','name':'m'}"
#define MARKED "{'resultType':'complete','content':[" MARK "]}"
#define PLAIN "{'resultType':'complete','content':[{'type':'text','text':'hello'}]}"

static mcpw_status mark(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->status = answer(e, request, MARKED);
    return e->status;
}

static mcpw_status mark_by_text(end *e, mcpw_request *request, const void *params) {
    const char *const text = q(MARKED);
    (void)params;
    e->status = mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
    return e->status;
}

static mcpw_status say_plainly(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, PLAIN);
}

static mcpw_status complete_nothing(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'resultType':'complete','completion':{'values':[]}}");
}

/* An end whose code was generated for the extension, which it declares or not. */
static end *with_marks(mcpw_role role, mcpw_library *library, const char *declares) {
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_library_init(library);
    CHECK(mcpw_library_add(library, &mcp_20260728_marks_revision, NULL) == MCPW_OK);
    e->config.library = library;
    e->config.declares = declares;
    e->dispatch.revision = e->speaks = &mcp_20260728_marks_revision;
    return e;
}

static end *server_with(mcpw_library *library, const char *declares, end_handler call_tool) {
    end *const e = with_marks(MCPW_ROLE_SERVER, library, declares);
    end_serve(e, "tools/call", call_tool);
    open_server(e);
    return e;
}

static void call_tool(end *e, const char *declared) {
    say_request_as(e, "1", "tools/call", "'name':'t'", declared, "");
}

static void a_value_goes_to_a_client_that_has_declared_it(void) {
    static const end_handler handlers[] = {mark, mark_by_text};
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        mcpw_library library;
        end *const e = server_with(&library, EXTENSION, handlers[i]);
        call_tool(e, DECLARED);
        CHECK_HAS(heard(e), "'id':1,'result':{");
        CHECK(e->status == MCPW_OK);
        call_tool(e, DECLARED);
        CHECK_HAS(heard(e), "'content':[" MARK "]");
        end_free(e);
    }
}

static void a_client_that_has_not_declared_it_is_told_what_it_lacks(void) {
    static const end_handler handlers[] = {mark, mark_by_text};
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        mcpw_library library;
        end *const e = server_with(&library, EXTENSION, handlers[i]);
        call_tool(e, "{}");
        EXPECT(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32021,'message':"
                  "'Missing required client capability: " EXTENSION
                  "','data':{'requiredCapabilities':" DECLARED "}}}");
        CHECK(e->status == MCPW_E_CAPABILITY);
        end_free(e);
    }
}

static void a_server_that_has_not_declared_it_sends_nothing_of_it(void) {
    mcpw_library library;
    end *const e = server_with(&library, NULL, mark);
    e->unchecked = true;
    call_tool(e, DECLARED);
    const char *const line = heard(e);
    CHECK_HAS(line, "'error':{'code':-32603");
    CHECK(strstr(line, "mark") == NULL || strstr(line, "'type'") == NULL);
    CHECK(e->status == MCPW_E_CAPABILITY);
    end_free(e);
}

static void other_values_go_to_everybody(void) {
    mcpw_library library;
    end *const e = server_with(&library, EXTENSION, say_plainly);
    call_tool(e, "{}");
    CHECK_HAS(heard(e), "'content':[{'type':'text','text':'hello'}]");
    end_free(e);
}

static void a_method_that_nobody_knows_is_unknown(void) {
    mcpw_library library;
    end *const e = server_with(&library, EXTENSION, say_plainly);
    say_request_as(e, "1", "marks/none", "", "{}", "");
    CHECK_HAS(heard(e), "'error':{'code':-32601");
    end_free(e);
}

/* The requests of a client, with each of the two declaring the extension or not. */
static mcpw_status asked(const char *client_declares, const char *server_declares, const char *params) {
    mcpw_library of_client;
    mcpw_library of_server;
    end *const client = with_marks(MCPW_ROLE_CLIENT, &of_client, client_declares);
    end *const server = with_marks(MCPW_ROLE_SERVER, &of_server, server_declares);
    end_serve(server, "completion/complete", complete_nothing);
    client->unchecked = server->unchecked = true;
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    const mcpw_status status = call(client, "completion/complete", params);
    pump(client, server, NULL);
    CHECK(server->runs == (status == MCPW_OK ? 1 : 0));
    end_free(client);
    end_free(server);
    return status;
}

static void a_request_has_it_where_both_have_declared_it(void) {
    static const char marked[] = "'ref':{'type':'ref/mark','name':'m'},'argument':{'name':'a','value':'v'}";
    static const char plain[] = "'ref':{'type':'ref/prompt','name':'m'},'argument':{'name':'a','value':'v'}";
    CHECK(asked(EXTENSION, EXTENSION, marked) == MCPW_OK);
    CHECK(asked(NULL, EXTENSION, marked) == MCPW_E_CAPABILITY);
    CHECK(asked(EXTENSION, NULL, marked) == MCPW_E_CAPABILITY);
    CHECK(asked(NULL, NULL, plain) == MCPW_OK);
}

int main(void) {
    RUN(a_value_goes_to_a_client_that_has_declared_it);
    RUN(a_client_that_has_not_declared_it_is_told_what_it_lacks);
    RUN(a_server_that_has_not_declared_it_sends_nothing_of_it);
    RUN(other_values_go_to_everybody);
    RUN(a_method_that_nobody_knows_is_unknown);
    RUN(a_request_has_it_where_both_have_declared_it);
    return check_end();
}
