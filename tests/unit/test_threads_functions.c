/* SPDX-License-Identifier: MIT */
/* Each function that takes a request does on another thread what it does on the session's own. Handlers run
 * on a worker here, and say by their answer what they found. */
#include "thread_stage.h"

#include <mcp/2025-11-25.h>
#include <mcpw/apps.h>

/* A stage whose handlers run on a worker. */
typedef struct hall {
    stage *s;
    mcpw_workers *workers;
} hall;

static hall open_hall(stage *s) {
    mcpw_error error = {0};
    hall h = {s, mcpw_workers_new(1, &error)};
    stage_begin(s);
    CHECK(h.workers != NULL && mcpw_session_set_workers(s->session, h.workers) == MCPW_OK);
    stage_open(s);
    return h;
}

static void close_hall(hall h) {
    mcpw_io_end(&h.s->io);
    mcpw_session_free(h.s->session);
    h.s->session = NULL;
    mcpw_workers_free(h.workers);
    stage_free(h.s);
}

/* Calls a tool of this handler, which must be answered so. */
static void check_tool(mcpw_status (*call)(mcpw_request *request, const mcpw_tool_call *call, void *user),
                       const char *answer) {
    stage *const s = stage_new();
    stage_tool(s, "t", call);
    const hall h = open_hall(s);
    stage_call(s, 1, "t");
    AWAIT(s, answer);
    CHECK(s->diagnostics == 0);
    close_hall(h);
}

/* ---- Answers ---- */

static mcpw_status give_struct(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_20251125_text_content text = {.text = MCPW_STR("a struct")};
    const mcp_20251125_content_block block = {.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT,
                                              .as.text_content = text};
    const mcp_20251125_call_tool_result result = {.content = {&block, 1}};
    mcpw_error error = {0};
    (void)call;
    (void)user;
    return mcpw_respond(request, &mcp_20251125_call_tool_result_table, &result, &error);
}

static void a_struct_is_an_answer(void) { check_tool(give_struct, "'text':'a struct'"); }

static mcpw_status give_error(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_json data = MCPW_JSON("[1,2]");
    (void)call;
    (void)user;
    return mcpw_respond_error(request, -32000, "out of paper", data);
}

static void an_error_is_an_answer(void) {
    check_tool(give_error, "'error':{'code':-32000,'message':'out of paper','data':[1,2]}");
}

static mcpw_status refuse(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_error error = {0};
    (void)user;
    (void)call;
    error.code = MCPW_E_MISSING;
    (void)snprintf(error.path, sizeof error.path, "/absent");
    (void)snprintf(error.message, sizeof error.message, "is needed");
    return mcpw_request_refuse(request, "/arguments", &error);
}

static void wrong_arguments_are_refused(void) { check_tool(refuse, "/arguments/absent: is needed"); }

static mcpw_status give_structured(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcp_20251125_implementation value = {.name = MCPW_STR("n"), .version = MCPW_STR("1")};
    (void)call;
    (void)user;
    return mcpw_respond_structured_value(request, &value);
}

static void a_structured_value_is_an_answer(void) {
    stage *const s = stage_new();
    const mcpw_tool tool = {
        .name = "t", .call = give_structured, .structured = &mcp_20251125_implementation_table};
    mcpw_error error = {0};
    CHECK(mcpw_server_add_tool(s->server, &tool, &error) == MCPW_OK);
    const hall h = open_hall(s);
    stage_call(s, 1, "t");
    AWAIT(s, "'structuredContent':{'name':'n','version':'1'}");
    close_hall(h);
}

static mcpw_status give_bytes(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    static const char bytes[] = {0, 1, 2};
    (void)read;
    (void)user;
    return mcpw_respond_resource_bytes(request, "application/octet-stream", bytes, sizeof bytes);
}

static void bytes_of_a_resource_are_an_answer(void) {
    stage *const s = stage_new();
    const mcpw_resource resource = {.uri = "x:1", .name = "x", .read = give_bytes};
    mcpw_error error = {0};
    CHECK(mcpw_server_add_resource(s->server, &resource, &error) == MCPW_OK);
    const hall h = open_hall(s);
    stage_say(s, "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'x:1'}}");
    AWAIT(s, "'blob':'AAEC'");
    close_hall(h);
}

static mcpw_status give_page(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_page(request, mcpw_str_from("<p>made</p>"));
}

static void pages_are_answers(void) {
    stage *const s = stage_new();
    const mcpw_page made = {.uri = "ui://made", .name = "made", .read = give_page};
    const mcpw_page kept = {.uri = "ui://kept", .name = "kept", .html = MCPW_STR("<p>kept</p>")};
    CHECK(mcpw_server_add_apps(s->server, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_page(s->server, &made, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_page(s->server, &kept, NULL) == MCPW_OK);
    const hall h = open_hall(s);
    stage_say(s, "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'ui://made'}}");
    AWAIT(s, "'text':'<p>made</p>'");
    stage_say(s, "{'jsonrpc':'2.0','id':2,'method':'resources/read','params':{'uri':'ui://kept'}}");
    AWAIT(s, "'text':'<p>kept</p>'");
    close_hall(h);
}

/* ---- What is known of the client ---- */

static mcpw_status tell_capabilities(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    const mcpw_json all = mcpw_request_client_capabilities(request);
    const bool known = mcpw_request_can(request, "elicitation") && !mcpw_request_can(request, "sampling") &&
                       mcpw_capabilities_have(all, "elicitation");
    return mcpw_respond_text(request, mcpw_str_from(known ? "it elicits" : "nothing is known"));
}

static void the_clients_capabilities_are_known(void) { check_tool(tell_capabilities, "it elicits"); }

/* ---- State ---- */

static mcpw_status keep_state(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_json state = MCPW_JSON("{\"step\":2}");
    int64_t step = 0;
    (void)call;
    (void)user;
    mcpw_status status = mcpw_request_set_state(request, state);
    status = status == MCPW_OK ? mcpw_json_get_int(mcpw_request_state(request), "step", &step) : status;
    return status == MCPW_OK && step == 2 ? mcpw_respond_text(request, mcpw_str_from("kept")) : status;
}

static void a_state_is_kept(void) { check_tool(keep_state, "'text':'kept'"); }

int main(void) {
    RUN(a_struct_is_an_answer);
    RUN(an_error_is_an_answer);
    RUN(wrong_arguments_are_refused);
    RUN(a_structured_value_is_an_answer);
    RUN(bytes_of_a_resource_are_an_answer);
    RUN(pages_are_answers);
    RUN(the_clients_capabilities_are_known);
    RUN(a_state_is_kept);
    return check_failures != 0;
}
