/* SPDX-License-Identifier: MIT */
/* Handlers: which are called, what they get, and what becomes of what they answer, in every revision. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/session.h>
#include <mcpw/server.h>

#include "session_harness.h"

static end *server_calling(const char *speaks, const char *handled, end_handler call) {
    end *const e = server_of(speaks, handled);
    end_serve(e, "tools/call", call);
    open_server(e);
    return e;
}

/* ---- Which are called ---- */

static void a_slot_is_called_and_an_empty_one_is_not_found(void) {
    static const char *const empty[] = {"tools/list", "prompts/list", "resources/list",
                                        "resources/templates/list"};
    for (int i = 0; i < revision_count(); i++) {
        for (int k = 0; k < revision_count(); k++) {
            end *const e = server_calling(revision_at(i), revision_at(k), say_hello);
            say_request(e, "1", "tools/call", "'name':'t','arguments':{'a':1}");
            CHECK_HAS(heard(e), "'content':[{'type':'text','text':'hello'}]");
            for (size_t n = 0; n < sizeof empty / sizeof *empty; n++) {
                say_request(e, fmt("'e%d'", (int)n), empty[n], "");
                CHECK_HAS(heard(e), "'error':{'code':-32601");
            }
            CHECK(e->runs == 1);
            end_free(e);
        }
    }
}

static void capabilities_are_those_of_the_slots(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        end_serve(e, "prompts/list", keep);
        end_serve(e, "completion/complete", keep);
        end_start(e);
        if (is_modern(e->speaks)) {
            say_request(e, "1", "server/discover", "");
        } else {
            say_initialize_as(e, "{}");
        }
        const char *const line = heard(e);
        CHECK_HAS(line, "'prompts':{");
        CHECK(!has(line, "'tools'") && !has(line, "'resources'"));
        CHECK(has(line, "'completions':{}") == (i >= 1)); /* 2024-11-05 has no word for it */
        end_free(e);
    }
}

static mcpw_status want_params(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return list_one_tool(e, request, params);
}

/* Params that the peer's revision lets out and that of the handlers wants are there all the same. */
static void handlers_that_are_owed_params_get_them(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        end_serve(e, "tools/list", want_params);
        open_server(e);
        say(e, "{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
        CHECK_HAS(heard(e), "'id':1,'result':{'tools':[");
        end_free(e);
    }
}

static mcpw_status typed_call_2025(mcpw_request *request, const mcp_20251125_call_tool_request_params *params,
                                   void *user) {
    end *const e = user;
    mcp_20251125_content_block block = {0};
    mcp_20251125_call_tool_result result = {0};
    mcpw_str a = {NULL, 0};
    CHECK_TEXT(params->name.ptr, params->name.len, "t");
    CHECK(mcpw_json_get_string(params->arguments, "a", mcpw_request_arena(request), &a) == MCPW_OK);
    e->runs++;
    block.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = a;
    result.content.items = &block;
    result.content.count = 1;
    return mcp_20251125_respond_tools_call(request, &result, NULL);
}

static mcpw_status typed_call_2026(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                                   void *user) {
    end *const e = user;
    mcp_20260728_content_block block = {0};
    mcp_20260728_call_tool_result result = {0};
    mcpw_str a = {NULL, 0};
    CHECK_TEXT(params->name.ptr, params->name.len, "t");
    CHECK(mcpw_json_get_string(params->arguments, "a", mcpw_request_arena(request), &a) == MCPW_OK);
    CHECK_TEXT(params->meta.protocol_version.ptr, params->meta.protocol_version.len,
               mcpw_revision_name(e->speaks));
    e->runs++;
    block.kind = MCP_20260728_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = a;
    result.content.items = &block;
    result.content.count = 1;
    return mcp_20260728_respond_tools_call(request, &result, NULL);
}

static void generated_slots_serve_every_revision(void) {
    static const mcp_20251125_server_handlers older = {.tools_call = typed_call_2025};
    static const mcp_20260728_server_handlers newer = {.tools_call = typed_call_2026};
    for (int i = 0; i < revision_count(); i++) {
        for (int k = 0; k < 2; k++) {
            end *const e = server_of(revision_at(i), k ? MODERN : HANDSHAKE);
            e->config.dispatch = k ? &mcp_20260728_server_dispatch : &mcp_20251125_server_dispatch;
            e->config.handlers = k ? (const void *)&newer : (const void *)&older;
            open_server(e);
            say_request(e, "1", "tools/call", "'name':'t','arguments':{'a':'x'}");
            CHECK_HAS(heard(e), "'content':[{'type':'text','text':'x'}]");
            CHECK(e->runs == 1);
            end_free(e);
        }
    }
}

static void hear_roots(end *e, const void *params) {
    (void)params;
    (void)e;
}
static void notifications_come_to_their_slots(void) {
    for (int i = 0; i < legacy_count(); i++) {
        for (int k = 0; k < legacy_count(); k++) {
            end *const e = server_of(revision_at(i), revision_at(k));
            end_and_run_to_idle(e, "notifications/roots/list_changed", hear_roots);
            end_and_run_to_idle(e, "notifications/initialized", hear_roots);
            open_server(e);
            CHECK(e->told == 1);
            say(e, "{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}");
            say(e,
                "{'jsonrpc':'2.0','method':'notifications/roots/list_changed','params':{'_meta':{'a':1}}}");
            CHECK(e->told == 3);
            end_free(e);
        }
    }
}

/* ---- Answers ---- */

static void an_answer_may_come_later(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, keep);
        say_request(e, "1", "tools/call", "'name':'t'");
        EXPECT(e, "");
        CHECK(mcpw_session_is_busy(e->session));
        say_request(e, "2", "tools/list", "");
        CHECK_HAS(heard(e), "'id':2,'error'");
        CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), "'id':1,'result':{");
        CHECK(!mcpw_session_is_busy(e->session));
        end_free(e);
    }
}

static mcpw_status fail_with_code(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("{\"k\":[1]}");
    (void)params;
    return mcpw_respond_error(request, e->number, "no \"such\" thing", data);
}

static void an_error_keeps_code_message_and_data(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, fail_with_code);
        e->number = 4711;
        say_request(e, "'x'", "tools/call", "'name':'t'");
        EXPECT(e, "{'jsonrpc':'2.0','id':'x','error':{'code':4711,'message':'no \\'such\\' thing',"
                  "'data':{'k':[1]}}}");
        end_free(e);
    }
}

static void a_code_that_a_revision_forbids_is_replaced(void) {
    static const struct {
        const char *revision;
        int64_t code;
        int64_t sent;
    } cases[] = {{MODERN, -32002, -32602},    {MODERN, -32042, -32603},    {MODERN, -32021, -32021},
                 {HANDSHAKE, -32002, -32002}, {HANDSHAKE, -32021, -32600}, {HANDSHAKE, -32022, -32602},
                 {OLDEST, -32020, -32600},    {OLDEST, -32601, -32601}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        end *const e = server_calling(cases[i].revision, MODERN, fail_with_code);
        e->number = cases[i].code;
        e->unchecked = true; /* the data of a typed error is not what this is about */
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), fmt("'error':{'code':%lld,", (long long)cases[i].sent));
        end_free(e);
    }
}

static mcpw_status answer_and_fail(end *e, mcpw_request *request, const void *params) {
    (void)params;
    CHECK(answer(e, request, "{'content':[]}") == MCPW_OK);
    return MCPW_E_IO;
}

static void a_failure_after_the_answer_is_only_noted(void) {
    end *const e = server_calling(HANDSHAKE, MODERN, answer_and_fail);
    say_request(e, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(e), "'result'");
    EXPECT(e, "");
    CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
    end_free(e);
}

static mcpw_status answer_twice(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json none = {NULL, 0, 0};
    static const mcpw_json result = MCPW_JSON("{\"content\":[]}");
    mcpw_error error = {0};
    (void)params;
    CHECK(answer(e, request, "{'content':[]}") == MCPW_OK);
    CHECK(mcpw_respond_json(request, result, &error) == MCPW_E_STATE && error.code == MCPW_E_STATE);
    CHECK(mcpw_respond_error(request, 1, "x", none) == MCPW_E_STATE);
    CHECK(mcpw_request_progress(request, 1, 1, NULL) == MCPW_E_STATE);
    CHECK(mcpw_request_log(request, MCPW_LOG_ERROR, NULL, result) == MCPW_E_STATE);
    return MCPW_OK;
}

static void a_request_is_answered_once(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, answer_twice);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'result'");
        EXPECT(e, "");
        end_free(e);
    }
}

static mcpw_status answer_badly(end *e, mcpw_request *request, const void *params) {
    mcp_20260728_call_tool_result result = {0};
    mcpw_error error = {0};
    (void)params;
    result.structured_content = (mcpw_json)MCPW_JSON("{\n\"a\":}");
    result.content.items = (const void *)"";
    const mcpw_status status = mcp_20260728_respond_tools_call(request, &result, &error);
    CHECK(status != MCPW_OK && error.code == status);
    return e->number != 0 ? answer(e, request, "{'content':[]}") : status;
}

static void a_result_that_cannot_be_sent_is_an_internal_error(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, answer_badly);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] >= 1);
        end_free(e);
    }
}

static void another_result_may_follow_one_that_cannot_be_sent(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, answer_badly);
        e->number = 1;
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'result':{");
        EXPECT(e, "");
        end_free(e);
    }
}

static mcpw_status return_status(end *e, mcpw_request *request, const void *params) {
    (void)request;
    (void)params;
    return e->status;
}

static void a_status_says_what_is_answered(void) {
    static const struct {
        mcpw_status status;
        int code;
    } cases[] = {{MCPW_E_SYNTAX, -32602},   {MCPW_E_VALUE, -32602},   {MCPW_E_MISSING, -32602},
                 {MCPW_E_FORMAT, -32602},   {MCPW_E_METHOD, -32602},  {MCPW_E_MEMORY, -32603},
                 {MCPW_E_STATE, -32603},    {MCPW_E_REMOTE, -32603},  {MCPW_E_IO, -32603},
                 {MCPW_PENDING, -32603},    {MCPW_E_TIMEOUT, -32603}, {MCPW_E_CAPABILITY, -32603},
                 {MCPW_E_CANCELLED, -32603}};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            end *const e = server_calling(revision_at(i), MODERN, return_status);
            e->status = cases[k].status;
            say_request(e, "1", "tools/call", "'name':'t'");
            CHECK_HAS(heard(e), fmt("'id':1,'error':{'code':%d,", cases[k].code));
            CHECK(!mcpw_session_is_busy(e->session));
            end_free(e);
        }
    }
}

static mcpw_status need_sampling(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    return mcpw_request_can(request, "sampling") ? MCPW_E_IO : MCPW_E_CAPABILITY;
}

static void a_missing_capability_is_said_as_the_revision_says(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        end_serve(e, "tools/call", need_sampling);
        open_server_as(e, "{}");
        say_request_as(e, "1", "tools/call", "'name':'t'", "{}", "");
        const char *const line = heard(e);
        CHECK_HAS(line, is_modern(e->speaks) ? "'code':-32021" : "'code':-32600");
        CHECK_HAS(line, "'data':{'requiredCapabilities':{'sampling':{}}}");
        end_free(e);
    }
}

static mcpw_status look_at_client(end *e, mcpw_request *request, const void *params) {
    const mcpw_json meta = mcpw_request_meta(request);
    const mcpw_json info = mcpw_request_client_info(request);
    mcpw_json own = {NULL, 0, 0};
    (void)params;
    CHECK_TEXT(info.ptr, info.len, q("{'name':'c','version':'1'}"));
    CHECK(mcpw_json_get(meta, "x.y/z", &own) == MCPW_OK);
    CHECK_TEXT(own.ptr, own.len, "[1]");
    return answer(e, request, "{'content':[]}");
}

static void the_client_and_the_meta_of_a_request_are_reached_in_every_revision(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), HANDSHAKE, look_at_client);
        if (is_modern(e->speaks)) {
            say_request_as(e, "1", "tools/call", "'name':'t'", "{}", ",'x.y/z':[1]");
        } else {
            say_request(e, "1", "tools/call", "'name':'t','_meta':{'x.y/z':[1],'progressToken':7}");
        }
        CHECK_HAS(heard(e), "'id':1,'result'");
        CHECK(e->runs == 1);
        end_free(e);
    }
}

static mcpw_status look_at_no_meta(end *e, mcpw_request *request, const void *params) {
    (void)params;
    CHECK(mcpw_request_meta(request).ptr == NULL);
    return answer(e, request, "{'content':[]}");
}

static void a_request_may_have_no_meta(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_calling(revision_at(i), HANDSHAKE, look_at_no_meta);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':1,'result'");
        end_free(e);
    }
}

/* Capabilities of a client with about that many bytes. */
static const char *large_capabilities(size_t size) {
    static char text[HARNESS_TEXT];
    size_t len = (size_t)snprintf(text, sizeof text, "{\"sampling\":{},\"experimental\":{");
    for (int i = 0; len + 32 < size; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s\"k%d\":{\"a\":{\"b\":false}}",
                                i != 0 ? "," : "", i);
    }
    (void)snprintf(text + len, sizeof text - len, "}}");
    return text;
}

static mcpw_status look_at_capabilities(end *e, mcpw_request *request, const void *params) {
    (void)params;
    CHECK(mcpw_request_can(request, "sampling") && !mcpw_request_can(request, "roots"));
    CHECK(mcpw_request_can(request, "experimental.k0") && mcpw_request_can(request, "experimental.k99.a"));
    CHECK(!mcpw_request_can(request, "experimental.k99.a.b")); /* false */
    CHECK(!mcpw_request_can(request, "experimental.k99.a.b.c") && !mcpw_request_can(request, "k99"));
    CHECK(!mcpw_request_can(request, "a.b.c.d.e.f.g.h.i.j"));
    return answer(e, request, "{'content':[]}");
}

static void each_of_many_capabilities_is_found(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), HANDSHAKE);
        const char *const capabilities = large_capabilities(20000);
        end_serve(e, "tools/call", look_at_capabilities);
        open_server_as(e, capabilities);
        say_request_as(e, "1", "tools/call", "'name':'t'", capabilities, "");
        CHECK_HAS(heard(e), "'id':1,'result'");
        CHECK(e->runs == 1);
        end_free(e);
    }
}

static mcpw_status refuse_argument(end *e, mcpw_request *request, const void *params) {
    const mcpw_error why = {MCPW_E_TYPE, 0, "/a/b", "expected string"};
    (void)e;
    (void)params;
    return mcpw_request_refuse(request, "/arguments", &why);
}

static void a_refusal_names_the_place(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, refuse_argument);
        say_request(e, "1", "tools/call", "'name':'t'");
        const char *const line = heard(e);
        if (i < 3) {
            CHECK_HAS(line,
                      "'id':1,'error':{'code':-32602,'message':"
                      "'Invalid params: /arguments/a/b: expected string','data':{'path':'/arguments/a/b'}}}");
        } else { /* a model can mend its arguments */
            CHECK_HAS(line,
                      "'content':[{'type':'text','text':'Invalid params: /arguments/a/b: expected string'}],"
                      "'isError':true}}");
        }
        end_free(e);
    }
}

static mcpw_status refuse_name(end *e, mcpw_request *request, const void *params) {
    const mcpw_error why = {MCPW_E_TYPE, 0, "/name", "no such tool"};
    (void)e;
    (void)params;
    return mcpw_request_refuse(request, NULL, &why);
}

static void a_refusal_of_something_else_stays_an_error(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, refuse_name);
        say_request(e, "1", "tools/call", "'name':'t'");
        EXPECT(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32602,'message':"
                  "'Invalid params: /name: no such tool','data':{'path':'/name'}}}");
        end_free(e);
    }
}

static mcpw_status find_no_argument(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    int64_t wanted = 0;
    (void)request;
    (void)user;
    return mcpw_json_get_int(call->arguments, "count", &wanted);
}

static void a_tool_that_returns_a_codec_status_blames_its_arguments(void) {
    static const mcpw_tool tool = {.name = "t", .call = find_no_argument};
    for (int i = 0; i < revision_count(); i++) {
        mcpw_server *const server = mcpw_server_new("s", "1", NULL);
        end *const e = server_of(revision_at(i), MODERN);
        CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
        e->config.server = server;
        open_server(e);
        say_request(e, "1", "tools/call", "'name':'t','arguments':{'count':'x'}");
        CHECK_HAS(heard(e), i < 3 ? "'error':{'code':-32602,'message':'Invalid params: " : "'isError':true");
        end_free(e);
        mcpw_server_free(server);
    }
}

static mcpw_status say_from_registry(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from("from the registry"));
}

static void a_slot_comes_before_the_registry_beside_it(void) {
    static const mcpw_tool tool = {.name = "t", .call = say_from_registry};
    for (int i = 0; i < revision_count(); i++) {
        for (int filled = 0; filled < 2; filled++) {
            mcpw_server *const server = mcpw_server_new("s", "1", NULL);
            end *const e = server_of(revision_at(i), MODERN);
            CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
            e->config.server = server;
            if (filled != 0) {
                end_serve(e, "tools/call", say_hello);
            }
            open_server(e);
            say_request(e, "1", "tools/list", "");
            CHECK_HAS(heard(e), "'tools':[{'name':'t'");
            say_request(e, "2", "tools/call", "'name':'t','arguments':{}");
            CHECK_HAS(heard(e), filled != 0 ? "'text':'hello'" : "'text':'from the registry'");
            end_free(e);
            mcpw_server_free(server);
        }
    }
}

static mcpw_status answer_json(end *e, mcpw_request *request, const void *params) {
    const size_t len = strlen(e->text);
    char *const text = malloc(len != 0 ? len : 1); /* nothing lies beyond it */
    const mcpw_json json = mcpw_json_of(memcpy(text, q(e->text), len), len);
    mcpw_error error = {0};
    (void)params;
    e->status = mcpw_respond_json(request, json, &error);
    free(text);
    return e->status;
}

static void the_text_of_a_result_gets_what_its_revision_wants(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        e->config.cache_ttl_ms = 7;
        e->config.cache_public = true;
        end_serve(e, "tools/list", answer_json);
        open_server(e);
        (void)snprintf(e->text, sizeof e->text, "%s", " { 'tools' : [] } ");
        say_request(e, "1", "tools/list", "");
        const char *const line = heard(e);
        CHECK(has(line, "'ttlMs':7") == is_modern(e->speaks));
        CHECK(has(line, "'cacheScope':'public'") == is_modern(e->speaks));
        CHECK(has(line, "'resultType':'complete'") == is_modern(e->speaks));
        (void)snprintf(e->text, sizeof e->text, "%s", "{'tools':[],'x':'resultType'}");
        say_request(e, "2", "tools/list", "");
        CHECK_HAS(heard(e), "'id':2,'result'");
        end_free(e);
    }
}

static mcpw_status answer_text(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)user;
    return mcpw_respond_json(request, call->arguments, NULL);
}

/* However a tool answers, structured content has the type that it promised. */
static void the_text_of_a_tool_s_result_is_checked(void) {
    static const struct {
        const char *result;
        const char *answer;
    } cases[] = {
        {"{'content':[],'structuredContent':{'name':'n','version':'1'}}", "'id':1,'result'"},
        {"{'content':[],'structuredContent':{'name':'n'}}", "'id':1,'error':{'code':-32603"},
        {"{'content':[],'isError':true,'structuredContent':{'name':'n'}}", "'id':1,'result'"},
        {"{'content':[]}", "'id':1,'result'"},
    };
    const mcpw_tool tool = {
        .name = "t", .call = answer_text, .structured = mcpw_find_type(HANDSHAKE, "Implementation")};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mcpw_server *const server = mcpw_server_new("s", "1", NULL);
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
        e->config.server = server;
        open_server(e);
        say_request(e, "1", "tools/call", fmt("'name':'t','arguments':%s", cases[i].result));
        CHECK_HAS(heard(e), cases[i].answer);
        end_free(e);
        mcpw_server_free(server);
    }
}

static void the_text_of_a_result_is_checked(void) {
    static const char *const texts[] = {"{'tools':5}", "{}", "[]",           "5", "{'tools':[]", "", " ",
                                        "{",           "{ ", "{'tools':[]}}"};
    for (int i = 0; i < revision_count(); i++) {
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            end *const e = server_of(revision_at(i), MODERN);
            end_serve(e, "tools/list", answer_json);
            open_server(e);
            (void)snprintf(e->text, sizeof e->text, "%s", texts[k]);
            say_request(e, "1", "tools/list", "");
            CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
            CHECK(e->status != MCPW_OK);
            end_free(e);
        }
    }
}

static mcpw_status answer_of_other_method(end *e, mcpw_request *request, const void *params) {
    const mcp_20260728_complete_result result = {0};
    mcpw_error error = {0};
    (void)params;
    e->status = mcp_20260728_respond_completion_complete(request, &result, &error);
    CHECK(e->status == MCPW_E_ARGUMENT || e->status == MCPW_E_PROJECTION);
    return e->status;
}

static void the_result_of_another_method_is_refused(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, answer_of_other_method);
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'error':{'code':-32603");
        end_free(e);
    }
}

/* ---- Projection ---- */

static mcpw_status answer_with_everything(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(
        e, request,
        "{'content':[{'type':'text','text':'t','annotations':{'lastModified':'2025-01-01T00:00:00Z'}},"
        "{'type':'audio','data':'AAAA','mimeType':'audio/wav'},"
        "{'type':'resource_link','uri':'file:///a','name':'n','title':'T'},"
        "{'type':'resource','resource':{'uri':'file:///a','text':'x','_meta':{'k':1}}}],"
        "'structuredContent':{'a':1},'isError':false,'_meta':{'k':2}}");
}

/* The harness validates each line against the peer's revision; strictly, unknown members included. */
static void nothing_newer_is_sent_to_an_older_peer(void) {
    for (int i = 0; i < revision_count(); i++) {
        for (int k = place_of(ELICITING); k < revision_count(); k++) {
            end *const e = server_calling(revision_at(i), revision_at(k), answer_with_everything);
            say_request(e, "1", "tools/call", "'name':'t'");
            const char *const line = heard(e);
            CHECK_HAS(line, "'id':1,'result':{");
            CHECK(has(line, "'type':'audio'") == (i >= 1));
            CHECK(has(line, "'type':'resource_link'") == (i >= 2));
            CHECK(has(line, "'structuredContent'") == (i >= 2));
            CHECK(has(line, "'lastModified'") == (i >= 2));
            CHECK(has(line, "'resultType'") == (i >= 4));
            CHECK(has(line, "[audio: audio/wav, 3 bytes]") == (i < 1));
            CHECK(has(line, "[resource: n, file:///a]") == (i < 2));
            CHECK(i >= 2 || e->diagnostics[MCPW_DIAGNOSTIC_DROPPED] > 0);
            end_free(e);
        }
    }
}

static mcpw_status list_rich_tools(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request,
                  cacheable(e, "'nextCursor':'n','tools':[{'name':'t','title':'T','description':'d',"
                               "'inputSchema':{'type':'object','properties':{}},"
                               "'outputSchema':{'type':'object'},'annotations':{'readOnlyHint':true},"
                               "'icons':[{'src':'data:,x'}],'_meta':{'m':1}}]"));
}

static void lists_of_tools_lose_what_a_peer_does_not_know(void) {
    for (int i = 0; i < revision_count(); i++) {
        for (int k = place_of(HANDSHAKE); k < revision_count(); k++) {
            end *const e = server_of(revision_at(i), revision_at(k));
            end_serve(e, "tools/list", list_rich_tools);
            open_server(e);
            say_request(e, "1", "tools/list", "");
            const char *const line = heard(e);
            CHECK_HAS(line, "'nextCursor':'n'");
            CHECK(has(line, "'annotations'") == (i >= 1));
            CHECK(has(line, "'title':'T'") == (i >= 2));
            CHECK(has(line, "'outputSchema'") == (i >= 2));
            CHECK(has(line, "'icons'") == (i >= 3));
            CHECK(has(line, "'ttlMs'") == (i >= 4));
            end_free(e);
        }
    }
}

static mcpw_status echo_arguments(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *type = NULL;
    const void *const sent = mcpw_request_params(request, &type);
    (void)params;
    CHECK(sent != NULL && type != NULL && mcpw_type_revision(type) == e->speaks);
    CHECK(mcpw_request_revision(request) == e->speaks);
    return say_hello(e, request, params);
}

static mcpw_status prompt(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'messages':[{'role':'user','content':{'type':'text','text':'p'}}]}");
}

static mcpw_status resource(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'contents':[{'uri':'a:b','text':'r'}]"));
}

static mcpw_status complete(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'completion':{'values':['c']}}");
}

/* Caller, wire and handlers in any revisions: each call arrives and its answer comes back. */
static void every_caller_reaches_every_handler_over_every_revision(void) {
    static const struct {
        const char *method;
        const char *members;
        const char *result;
    } calls[] = {{"tools/call", "'name':'t','arguments':{'a':1}", "'text':'hello'"},
                 {"tools/list", "", "'name':'t'"},
                 {"tools/list", NULL, "'name':'t'"},
                 {"prompts/get", "'name':'p','arguments':{'x':'y'}", "'text':'p'"},
                 {"resources/read", "'uri':'a:b'", "'text':'r'"},
                 {"completion/complete",
                  "'ref':{'type':'ref/prompt','name':'p'},'argument':{'name':'x','value':''}",
                  "'values':['c']"}};
    for (int wire = 0; wire < revision_count(); wire++) {
        for (int caller = 0; caller < revision_count(); caller++) {
            for (int handler = 0; handler < revision_count(); handler++) {
                end *const client = client_of(MODERN, revision_at(caller));
                end *const server = server_of(MODERN, revision_at(handler));
                end_serve(server, "tools/call", echo_arguments);
                end_serve(server, "tools/list", list_one_tool);
                end_serve(server, "prompts/get", prompt);
                end_serve(server, "resources/read", resource);
                end_serve(server, "completion/complete", complete);
                open_pair(client, server, revision_at(wire));
                for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
                    client->out.count = 0;
                    const mcpw_status status = call(client, calls[i].method, calls[i].members);
                    if (!check_that(status == MCPW_OK, __FILE__, __LINE__, calls[i].method)) {
                        continue;
                    }
                    pump(client, server, NULL);
                    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
                    CHECK_HAS(client->out.text, calls[i].result);
                }
                end_free(client);
                end_free(server);
            }
        }
    }
}

static mcpw_status answer_with_task(mcpw_request *request,
                                    const mcp_20251125_call_tool_request_params *params, void *user) {
    mcp_20251125_create_task_result result = {0};
    mcpw_error error = {0};
    (void)params;
    result.task.task_id = (mcpw_str)MCPW_STR("id");
    result.task.status = MCP_20251125_TASK_STATUS_WORKING;
    result.task.created_at = (mcpw_str)MCPW_STR("2025-01-01T00:00:00Z");
    result.task.last_updated_at = (mcpw_str)MCPW_STR("2025-01-01T00:00:00Z");
    result.task.ttl.kind = MCP_20251125_TASK_TTL_NULL;
    ((end *)user)->status = mcp_20251125_respond_tools_call_task(request, &result, &error);
    return ((end *)user)->status;
}

static void a_task_is_a_result_only_where_the_request_has_one(void) {
    static const mcp_20251125_server_handlers handlers = {.tools_call = answer_with_task};
    for (int i = 0; i < revision_count(); i++) {
        end *const client = client_of(MODERN, HANDSHAKE);
        end *const server = server_of(MODERN, HANDSHAKE);
        server->config.dispatch = &mcp_20251125_server_dispatch;
        server->config.handlers = &handlers;
        server->config.capabilities =
            (mcpw_json)MCPW_JSON("{\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}");
        open_pair(client, server, revision_at(i));
        const mcpw_status status = call(client, "tools/call", "'name':'t','task':{'ttl':5}");
        pump(client, server, NULL);
        if (i == 3) {
            CHECK(status == MCPW_OK && client->out.status == MCPW_OK);
            CHECK_HAS(client->out.text, "'taskId':'id'");
        } else if (status == MCPW_OK) {
            CHECK(client->out.count == 1 && client->out.code == -32603 &&
                  server->status == MCPW_E_PROJECTION);
        }
        end_free(client);
        end_free(server);
    }
}

static void the_session_answers_ping_in_every_revision_that_has_it(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_calling(revision_at(i), MODERN, say_hello);
        say(e, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
        EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{}}");
        say(e, "{'jsonrpc':'2.0','id':2,'method':'ping','params':{'_meta':{'progressToken':1}}}");
        EXPECT(e, "{'jsonrpc':'2.0','id':2,'result':{}}");
        end_free(e);
    }
}

int main(void) {
    RUN(a_slot_is_called_and_an_empty_one_is_not_found);
    RUN(capabilities_are_those_of_the_slots);
    RUN(handlers_that_are_owed_params_get_them);
    RUN(generated_slots_serve_every_revision);
    RUN(notifications_come_to_their_slots);
    RUN(an_answer_may_come_later);
    RUN(an_error_keeps_code_message_and_data);
    RUN(a_code_that_a_revision_forbids_is_replaced);
    RUN(a_failure_after_the_answer_is_only_noted);
    RUN(a_request_is_answered_once);
    RUN(a_result_that_cannot_be_sent_is_an_internal_error);
    RUN(another_result_may_follow_one_that_cannot_be_sent);
    RUN(a_status_says_what_is_answered);
    RUN(a_missing_capability_is_said_as_the_revision_says);
    RUN(the_client_and_the_meta_of_a_request_are_reached_in_every_revision);
    RUN(a_request_may_have_no_meta);
    RUN(each_of_many_capabilities_is_found);
    RUN(a_refusal_names_the_place);
    RUN(a_refusal_of_something_else_stays_an_error);
    RUN(a_tool_that_returns_a_codec_status_blames_its_arguments);
    RUN(a_slot_comes_before_the_registry_beside_it);
    RUN(the_text_of_a_result_gets_what_its_revision_wants);
    RUN(the_text_of_a_result_is_checked);
    RUN(the_text_of_a_tool_s_result_is_checked);
    RUN(the_result_of_another_method_is_refused);
    RUN(nothing_newer_is_sent_to_an_older_peer);
    RUN(lists_of_tools_lose_what_a_peer_does_not_know);
    RUN(every_caller_reaches_every_handler_over_every_revision);
    RUN(a_task_is_a_result_only_where_the_request_has_one);
    RUN(the_session_answers_ping_in_every_revision_that_has_it);
    return check_end();
}
