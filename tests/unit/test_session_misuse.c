/* SPDX-License-Identifier: MIT */
/* Wrong uses of a session by a program, each with an error that says so, and rare turns of it. */

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/session.h>
#include <mcpw/server.h>

#include "session_harness.h"

static void refuse_config(const mcpw_session_config *config, const char *part) {
    mcpw_error error = {0};
    CHECK(mcpw_session_new(config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, part);
}

static void a_config_has_to_fit_its_dispatch(void) {
    end *const e = server_of(MODERN, MODERN);
    mcpw_session_config config = e->config;
    config.handlers = NULL;
    refuse_config(&config, "has no handlers");
    config = e->config;
    config.role = MCPW_ROLE_CLIENT;
    refuse_config(&config, "of the other role");
    config.role = (mcpw_role)0;
    refuse_config(&config, "has no role");
    config = e->config;
    config.struct_size = 1;
    refuse_config(&config, "MCPW_SESSION_CONFIG_INIT");
    refuse_config(NULL, "the config is NULL");
    config = e->config;
    config.version = NULL;
    refuse_config(&config, "name or version");
    end_free(e);
}

/* ---- Answers ---- */

static const char *wrong_because;

static mcpw_status answer_nothing(end *e, mcpw_request *request, const void *params) {
    mcpw_error error = {0};
    (void)e;
    (void)params;
    const mcpw_type *const type = mcpw_find_type(MODERN, "CallToolResult");
    CHECK(mcpw_respond(request, NULL, "", NULL) == MCPW_E_ARGUMENT);
    const mcpw_status status = mcpw_respond(request, type, NULL, &error);
    wrong_because = fmt("%s", error.message);
    return status;
}

static mcpw_status answer_no_text(end *e, mcpw_request *request, const void *params) {
    const mcpw_json none = {NULL, 0, 0};
    mcpw_error error = {0};
    (void)e;
    (void)params;
    const mcpw_status status = mcpw_respond_json(request, none, &error);
    wrong_because = fmt("%s", error.message);
    return status;
}

static mcpw_status answer_something_else(end *e, mcpw_request *request, const void *params) {
    mcpw_error error = {0};
    (void)params;
    const mcpw_type *const type = mcpw_revision_type(e->dispatch.revision, "Tool");
    const void *const value =
        decoded(type, "{'name':'t','inputSchema':{'type':'object'}}", mcpw_request_arena(request));
    const mcpw_status status = mcpw_respond(request, type, value, &error);
    wrong_because = fmt("%s", error.message);
    return status;
}

static void an_answer_that_is_none_is_an_internal_error(void) {
    static const struct {
        end_handler run;
        const char *because;
    } wrong[] = {{answer_nothing, "type or result is NULL"},
                 {answer_no_text, "the result is absent"},
                 {answer_something_else, "Tool"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        for (int i = 0; i < revision_count(); i++) {
            for (int turn = 0; turn < 4; turn++) {
                const bool calls = turn % 2 == 0;
                end *const e = server_of(revision_at(i), turn < 2 ? MODERN : revision_at(i));
                end_serve(e, calls ? "tools/call" : "tools/list", wrong[k].run);
                open_server(e);
                say_request(e, "1", calls ? "tools/call" : "tools/list", calls ? "'name':'t'" : "");
                CHECK_HAS(heard(e), "'id':1,'error':{'code':-32603");
                CHECK_HAS(wrong_because, wrong[k].because);
                CHECK(e->diagnostics[MCPW_DIAGNOSTIC_HANDLER] > 0);
                end_free(e);
            }
        }
    }
}

static const char *said;

static mcpw_status answer_said(end *e, mcpw_request *request, const void *params) {
    const mcpw_json result = mcpw_json_of(q(said), strlen(said));
    (void)e;
    (void)params;
    return mcpw_respond_json(request, result, NULL);
}

/* Members that the handler wrote stay, and missing ones are put in front. */
static void the_text_of_a_result_is_completed_where_it_lacks_something(void) {
    static const char *const pairs[][2] = {
        {"{ \n'resultType':'complete','ttlMs':7,'cacheScope':'public','tools':[]}",
         "{'resultType':'complete','ttlMs':7,'cacheScope':'public','tools':[]}"},
        {"{'tools':[],'ttlMs':7}", "{'resultType':'complete','cacheScope':'private','tools':[],'ttlMs':7}"},
        {"{ \t\r\n'tools':[]}", "{'resultType':'complete','ttlMs':0,'cacheScope':'private','tools':[]}"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        end *const e = server_of(MODERN, MODERN);
        end_serve(e, "tools/list", answer_said);
        open_server(e);
        said = pairs[i][0];
        say_request(e, "1", "tools/list", "");
        EXPECT(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", pairs[i][1]));
        end_free(e);
    }
}

/* A handler may say itself what mcpw_request_ask would. */
static mcpw_status answer_input_required(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *const type = mcpw_revision_type(e->dispatch.revision, "InputRequiredResult");
    (void)params;
    const void *const value =
        decoded(type, "{'resultType':'input_required','requestState':'s'}", mcpw_request_arena(request));
    return mcpw_respond(request, type, value, NULL);
}

static void any_alternative_of_the_response_is_an_answer(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/call", answer_input_required);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'result':{'resultType':'input_required','requestState':'s'}}");
    end_free(e);
}

static mcpw_status refuse_without_words(end *e, mcpw_request *request, const void *params) {
    const mcpw_json none = {NULL, 0, 0};
    (void)e;
    (void)params;
    return mcpw_respond_error(request, 5, NULL, none);
}

static mcpw_status refuse_the_whole(end *e, mcpw_request *request, const void *params) {
    static const mcpw_error why = {MCPW_E_VALUE, 0, "", "not today"};
    (void)e;
    (void)params;
    return mcpw_request_refuse(request, NULL, &why);
}

static void an_error_may_lack_words_or_place(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", refuse_without_words);
    end_serve(e, "tools/list", refuse_the_whole);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    EXPECT(e, "{'jsonrpc':'2.0','id':1,'error':{'code':5,'message':''}}");
    say_request(e, "2", "tools/list", "");
    EXPECT(e, "{'jsonrpc':'2.0','id':2,'error':{'code':-32602,'message':'Invalid params: not today',"
              "'data':{'path':''}}}");
    end_free(e);
}

/* ---- Input requests ---- */

static mcpw_status ask_for(end *e, mcpw_request *request, const char *method, const char *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, number));
    mcpw_result result = {NULL, NULL};
    return mcpw_request_ask(request, "q", revision, number,
                            decoded(type, params, mcpw_request_arena(request)), &result, NULL);
}

static mcpw_status ask_by_url(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_for(e, request, "elicitation/create",
                   is_modern(e->dispatch.revision)
                       ? "{'mode':'url','message':'m','url':'https://a'}"
                       : "{'mode':'url','message':'m','url':'https://a','elicitationId':'i'}");
}

static mcpw_status ask_with_tools(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return ask_for(e, request, "sampling/createMessage",
                   "{'messages':[],'maxTokens':1,'tools':[{'name':'t','inputSchema':{'type':'object'}}]}");
}

/* The params of an input request may need a capability beside that of its method. */
static void a_input_request_needs_the_capability_of_what_it_holds(void) {
    static const char some[] = "{'elicitation':{'form':{}},'sampling':{}}";
    static const char more[] = "{'elicitation':{'url':{}},'sampling':{'tools':{}}}";
    static const struct {
        end_handler run;
        const char *lacking;
    } input_requests[] = {{ask_by_url, "'requiredCapabilities':{'elicitation':{'url':{}}}"},
                          {ask_with_tools, "'requiredCapabilities':{'sampling':{'tools':{}}}"}};
    for (size_t k = 0; k < sizeof input_requests / sizeof *input_requests; k++) {
        for (int i = place_of(HANDSHAKE); i < revision_count(); i++) {
            for (int has_it = 0; has_it < 2; has_it++) {
                const char *const capabilities = has_it != 0 ? more : some;
                end *const e = server_of(revision_at(i), revision_at(i));
                end_serve(e, "tools/call", input_requests[k].run);
                open_server_as(e, capabilities);
                say_request_as(e, "1", "tools/call", "'name':'t'", capabilities, "");
                const char *const line = heard(e);
                if (has_it == 0) {
                    CHECK_HAS(line, input_requests[k].lacking);
                } else {
                    CHECK(!has(line, "'error'") && *line != '\0');
                }
                end_free(e);
            }
        }
    }
}

static mcpw_status ask_without_a_key(end *e, mcpw_request *request, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "roots/list", strlen("roots/list"));
    mcpw_result result = {NULL, ""};
    mcpw_error error = {0};
    (void)params;
    CHECK(mcpw_request_ask(request, "k", revision, 0, NULL, &result, &error) == MCPW_E_STATE);
    CHECK(mcpw_request_ask(request, NULL, revision, number, NULL, &result, &error) == MCPW_E_STATE);
    CHECK(result.value == NULL && error.code == MCPW_E_STATE);
    CHECK_HAS(error.message, "running handler of a server sends input requests, with a key");
    e->kept = request;
    mcpw_request_on_cancel(request, count_cancel, e);
    return MCPW_OK;
}

static void a_input_request_belongs_into_a_running_handler(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    mcpw_result result = {NULL, NULL};
    end_serve(e, "tools/call", ask_without_a_key);
    open_server(e);
    say_request(e, "1", "tools/call", "'name':'t'");
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "roots/list", strlen("roots/list"));
    CHECK(e->kept != NULL &&
          mcpw_request_ask(e->kept, "k", revision, number, NULL, &result, NULL) == MCPW_E_STATE);
    EXPECT(e, "");
    end_free(e);
}

static void a_client_s_handler_asks_nothing(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "roots/list", ask_without_a_key);
    open_client(e);
    say(e, "{'jsonrpc':'2.0','id':1,'method':'roots/list'}");
    CHECK(e->runs == 1);
    end_free(e);
}

/* ---- Notifications and log messages ---- */

static mcpw_status notify(end *e, const char *method, mcpw_error *error) {
    const mcpw_revision *const revision = e->dispatch.revision;
    return mcpw_session_notify(e->session, revision, mcpw_method_number(revision, method, strlen(method)),
                               NULL, error);
}

static void a_notification_needs_an_open_session_and_a_method(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    mcpw_error error = {0};
    end_start(e);
    CHECK(notify(e, "notifications/tools/list_changed", &error) == MCPW_E_STATE &&
          error.code == MCPW_E_STATE);
    open_server(e);
    CHECK(notify(e, "notifications/none", NULL) == MCPW_E_STATE);
    CHECK(notify(e, "notifications/roots/list_changed", &error) == MCPW_E_METHOD); /* the client's */
    CHECK(notify(e, "ping", &error) == MCPW_E_METHOD);
    CHECK_HAS(error.message, "ping is no notification of this end");
    mcpw_session_close(e->session);
    CHECK(notify(e, "notifications/tools/list_changed", &error) == MCPW_E_CLOSED);
    EXPECT(e, "");
    end_free(e);
}

static void a_log_message_needs_a_level_json_and_an_open_server(void) {
    static const mcpw_json one = MCPW_JSON("1");
    static const mcpw_json broken = MCPW_JSON("[1");
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end *const c = client_of(HANDSHAKE, HANDSHAKE);
    open_server(e);
    open_client(c);
    CHECK(mcpw_session_log(e->session, (mcpw_log_level)0, NULL, one) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_log(e->session, (mcpw_log_level)9, NULL, one) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_ERROR, NULL, broken) == MCPW_E_SYNTAX);
    CHECK(mcpw_session_log(c->session, MCPW_LOG_ERROR, NULL, one) == MCPW_E_STATE);
    EXPECT(e, "");
    mcpw_session_close(e->session);
    CHECK(mcpw_session_log(e->session, MCPW_LOG_ERROR, NULL, one) == MCPW_E_STATE);
    end_free(e);
    end_free(c);
}

static mcpw_status refuse_call(mcpw_request *request, const mcpw_tool_call *tool_call, void *user) {
    (void)tool_call;
    (void)user;
    return mcpw_respond_tool_error(request, "no");
}

/* ---- Strict ends ---- */

static void a_strict_server_knows_no_method_that_its_revision_lacks(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        e->config.flags = MCPW_STRICT;
        open_server(e);
        say_request(e, "1", "tools/guess", "");
        CHECK_HAS(heard(e), "'id':1,'error':{'code':-32601");
        end_free(e);
    }
}

/* ---- Progress where params have no _meta ---- */

/* Params of tasks name no _meta in 2025-11-25: the token goes there as one more member, and what the caller
 * has there, or beside it, stays. */
static void a_progress_token_joins_the_members_that_the_caller_has(void) {
    static const char *const given[] = {
        "'taskId':'t'",
        "'taskId':'t','x':2",
        "'taskId':'t','_meta':{'progressToken':'mine','k':1},'x':2",
        "'taskId':'t','_meta':5",
    };
    static const char *const wanted[] = {
        "{'taskId':'t','_meta':{'progressToken':3}}",
        "{'taskId':'t','_meta':{'progressToken':3},'x':2}",
        "{'taskId':'t','_meta':{'progressToken':3,'k':1},'x':2}",
        "{'taskId':'t','_meta':{'progressToken':3}}",
    };
    const mcpw_call how = {.on_progress = end_on_progress};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        end *const e = client_of(HANDSHAKE, HANDSHAKE);
        open_client_as(e, "{'tasks':{'list':{},'cancel':{}}}");
        CHECK(call_with(e, "tasks/get", given[i], &how) == MCPW_OK);
        EXPECT(e, fmt("{'jsonrpc':'2.0','id':3,'method':'tasks/get','params':%s}", wanted[i]));
        say(e,
            "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,'progress':1}}");
        CHECK(e->progressed == 1);
        end_free(e);
    }
}

/* ---- What a handler may look at ---- */

static mcpw_status look_around(end *e, mcpw_request *request, const void *params) {
    const mcpw_json broken = MCPW_JSON("[1");
    const mcpw_id id = mcpw_request_id(request);
    (void)params;
    CHECK(id.kind == MCPW_ID_STRING);
    CHECK_TEXT(id.as.string.ptr, id.as.string.len, "me");
    CHECK(mcpw_request_session(request) == e->session && mcpw_session_user(e->session) == e);
    CHECK(mcpw_request_set_state(request, broken) == MCPW_E_SYNTAX);
    CHECK(mcpw_request_state(request).ptr == NULL);
    return say_hello(e, request, "");
}

static void a_handler_may_look_around(void) {
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        end_serve(e, "tools/call", look_around);
        open_server(e);
        say_request(e, "'me'", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':'me','result'");
        end_free(e);
    }
}

/* ---- No revision in common ---- */

static void a_client_that_knows_nothing_that_the_server_knows_says_so(void) {
    end *const e = client_of(MODERN, MODERN);
    e->config.revisions = MODERN;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    run_to_idle(e);
    say(e, "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,'cacheScope':'private',"
           "'supportedVersions':['2030-01-01','2025-11-25'],'capabilities':{}}}");
    EXPECT(e, "");
    CHECK(e->opened == 1 && e->open_status == MCPW_E_VERSION);
    end_free(e);
}

static void a_closed_server_tells_of_no_change(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    mcpw_server *const registry = mcpw_server_new("s", "1", NULL);
    const mcpw_tool tool = {.name = "t", .call = refuse_call};
    CHECK(mcpw_server_add_tool(registry, &tool, NULL) == MCPW_OK);
    e->config.server = registry;
    open_server(e);
    mcpw_session_close(e->session);
    run_to_idle(e);
    CHECK(mcpw_server_remove_tool(registry, "t") == MCPW_OK);
    EXPECT(e, "");
    mcpw_session_free(e->session);
    e->session = NULL;
    mcpw_server_free(registry);
    end_free(e);
}

/* Servers declare logging. */
static void a_notification_that_is_declared_is_sent(void) {
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_of(revision_at(i), revision_at(i));
        const mcpw_revision *const revision = e->dispatch.revision;
        const int number =
            mcpw_method_number(revision, "notifications/message", strlen("notifications/message"));
        const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, number));
        mcpw_arena arena = MCPW_ARENA_INIT;
        open_server(e);
        run_to_idle(e);
        const void *const params = decoded(type, "{'level':'error','data':1}", &arena);
        CHECK(mcpw_session_notify(e->session, revision, number, params, NULL) == MCPW_OK);
        CHECK_HAS(heard(e), "'method':'notifications/message','params':{'level':'error','data':1}");
        mcpw_arena_free(&arena);
        end_free(e);
    }
}

static void a_server_of_a_revision_without_server_requests_is_told_so(void) {
    end *const e = server_of(MODERN, MODERN);
    end_serve(e, "tools/list", list_one_tool);
    open_server(e);
    CHECK(call(e, "roots/list", "") == MCPW_OK); /* it waits until it is known what the client speaks */
    say_request(e, "1", "tools/list", "");
    run_to_idle(e);
    CHECK(e->out.count == 1 && e->out.status == MCPW_E_METHOD);
    CHECK(call(e, "roots/list", "") == MCPW_E_METHOD);
    end_free(e);
}

int main(void) {
    RUN(a_config_has_to_fit_its_dispatch);
    RUN(an_answer_that_is_none_is_an_internal_error);
    RUN(the_text_of_a_result_is_completed_where_it_lacks_something);
    RUN(any_alternative_of_the_response_is_an_answer);
    RUN(an_error_may_lack_words_or_place);
    RUN(a_input_request_needs_the_capability_of_what_it_holds);
    RUN(a_input_request_belongs_into_a_running_handler);
    RUN(a_client_s_handler_asks_nothing);
    RUN(a_notification_needs_an_open_session_and_a_method);
    RUN(a_log_message_needs_a_level_json_and_an_open_server);
    RUN(a_strict_server_knows_no_method_that_its_revision_lacks);
    RUN(a_progress_token_joins_the_members_that_the_caller_has);
    RUN(a_handler_may_look_around);
    RUN(a_client_that_knows_nothing_that_the_server_knows_says_so);
    RUN(a_closed_server_tells_of_no_change);
    RUN(a_notification_that_is_declared_is_sent);
    RUN(a_server_of_a_revision_without_server_requests_is_told_so);
    return check_end();
}
