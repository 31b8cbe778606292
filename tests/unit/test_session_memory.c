/* SPDX-License-Identifier: MIT */
/* A session whose memory runs out at any point: nothing breaks, nothing leaks, and it goes on afterwards; and
 * one that runs on allocates nothing. */
#include <mcp/2024-11-05.h>
#include <mcp/2025-03-26.h>
#include <mcp/2025-06-18.h>
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/detail/catalogue.h>

#include "core/registry.h"
#include "session_harness.h"

enum { MOST = 5000 };

static const void *answer_of(end *e, const char *text, mcpw_arena *arena, const mcpw_type **type) {
    *type = mcpw_revision_type(e->dispatch.revision, "ElicitResult");
    return decoded(*type, text, arena);
}

static mcpw_status ask_and_tell(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("[1,2]");
    static const mcpw_json state = MCPW_JSON("{\"k\":1}");
    const mcpw_revision *const revision = e->dispatch.revision;
    const mcpw_type *const type = mcpw_revision_type(revision, "CreateMessageRequestParams");
    const void *const input_request =
        decoded(type, "{'messages':[],'maxTokens':1}", mcpw_request_arena(request));
    mcpw_result result = {NULL, NULL};
    (void)params;
    if (input_request == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_status status = mcpw_request_progress(request, 1, 2, "m");
    status = status == MCPW_OK ? mcpw_request_log(request, MCPW_LOG_ERROR, "l", data) : status;
    status = status == MCPW_OK ? mcpw_request_set_state(request, state) : status;
    if (status == MCPW_OK) {
        mcpw_error error = {0};
        status = mcpw_request_ask(request, "q", revision,
                                  mcpw_method_number(revision, "sampling/createMessage", 22), input_request,
                                  &result, &error);
        CHECK(status == MCPW_OK || status == MCPW_PENDING || error.code == status);
    }
    if (status == MCPW_OK) {
        status =
            answer(e, request, "{'content':[{'type':'text','text':'hello'}],'structuredContent':{'a':1}}");
    }
    return status;
}

static mcpw_status list(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'tools':[{'name':'t','inputSchema':{'type':'object'}}]"));
}

static const char sampled[] = "{'role':'assistant','content':{'type':'text','text':'yo'},'model':'m'}";

/* Feeds a line, whatever becomes of it. */
static void try_line(end *e, const char *line) {
    const char *const text = q(line);
    (void)!say_bytes(e, text, strlen(text));
}

static void try_request(end *e, const char *id, const char *method, const char *members, const char *more) {
    const char *const meta = meta_of(e, CLIENT_CAPABILITIES, more);
    try_line(e, fmt("{'jsonrpc':'2.0','id':%s,'method':'%s','params':{%s%s%s}}", id, method, meta,
                    *meta != '\0' && *members != '\0' ? "," : "", members));
}

static void initialize(end *e) {
    try_line(e, fmt("{'jsonrpc':'2.0','id':'open','method':'initialize','params':{'protocolVersion':'%s',"
                    "'capabilities':%s,'clientInfo':{'name':'c','version':'1'}}}",
                    mcpw_revision_name(e->speaks), CLIENT_CAPABILITIES));
    try_line(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static void serve_script(end *e) {
    const bool modern = is_modern(e->speaks);
    if (!modern) {
        initialize(e);
        run_to_idle(e);
    } else {
        try_request(e, "'d'", "server/discover", "", "");
        try_request(e, "'l'", "subscriptions/listen", "'notifications':{'toolsListChanged':true}", "");
    }
    try_request(e, "1", "tools/list", "", "");
    try_request(e, "2", "tools/call",
                modern ? "'name':'t'"
                       : "'name':'t','arguments':{'a':'\\u00e9'},'_meta':{'progressToken':'p'}",
                ",'progressToken':'p','io.modelcontextprotocol/logLevel':'debug'");
    for (const char *line = heard(e); *line != '\0'; line = heard(e)) {
        if (has(line, "'method':'sampling/createMessage'") && !modern) {
            try_line(e, fmt("{'jsonrpc':'2.0','id':1,'result':%s}", sampled));
        }
    }
    if (modern) {
        try_request(e, "3", "tools/call", fmt("'name':'t','inputResponses':{'q':%s}", sampled), "");
    }
    mcpw_session_changed(e->session, MCPW_CHANGE_TOOLS, (mcpw_str){NULL, 0});
    try_line(e, "{broken");
    try_line(e, "{'jsonrpc':'2.0','id':9,'method':'tools/call','params':{'name':5}}");
    try_line(e, "[{'jsonrpc':'2.0','id':10,'method':'ping'},{'jsonrpc':'2.0','id':11,'method':'ping'}]");
    try_line(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
    run_to_idle(e);
}

/* Stingy: each thing in an arena is an allocation of its own. */
static void servers_survive(bool stingy) {
    for (int i = 0; i < revision_count(); i++) {
        for (int handled = place_of(HANDSHAKE); handled < revision_count(); handled++) {
            size_t n = 1;
            bool failed = true;
            for (; failed && n < MOST; n++) {
                end *const e = server_of(revision_at(i), revision_at(handled));
                mcpw_error error = {0};
                e->config.instructions = "i";
                e->config.info = (mcpw_json)MCPW_JSON("{\"title\":\"t\"}");
                end_serve(e, "tools/call", ask_and_tell);
                end_serve(e, "tools/list", list);
                e->memory.fail_at = n;
                e->memory.stingy = stingy;
                e->session = mcpw_session_new(&e->config, &error);
                if (e->session == NULL) {
                    CHECK(error.code == MCPW_E_MEMORY);
                    end_free(e);
                    continue;
                }
                serve_script(e);
                failed = e->memory.calls >= n;
                e->memory.fail_at = 0;
                e->memory.stingy = false;
                if (mcpw_session_revision(e->session) == NULL && !is_modern(e->speaks)) {
                    initialize(e);
                    run_to_idle(e);
                }
                say_request(e, "'alive'", "tools/list", "");
                if (!check_has(heard(e), "'id':'alive','result'", __FILE__, __LINE__)) {
                    (void)fprintf(stderr, "%s, allocation %zu\n", revision_at(i), n);
                }
                end_free(e);
            }
            CHECK(n > 10 && n < MOST);
        }
    }
}

static void a_server_survives_any_failing_allocation(void) {
    servers_survive(false);
    servers_survive(true);
}

static mcpw_status elicit(end *e, mcpw_request *request, const void *params) {
    const mcpw_type *type = NULL;
    (void)params;
    const void *const value = answer_of(e, "{'action':'decline'}", mcpw_request_arena(request), &type);
    return value != NULL ? mcpw_respond(request, type, value, NULL) : MCPW_E_MEMORY;
}

static mcpw_status roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'roots':[{'uri':'file:///a'}]}");
}

static int calls_made;

static void try_call(end *e, const char *method, const char *members) {
    const mcpw_call how = {.on_progress = end_on_progress};
    calls_made += call_with(e, method, members, &how) == MCPW_OK;
}

/* Answers what a client says as a server of the revision would. */
static void play_server(end *e) {
    for (const char *line = heard(e); *line != '\0'; line = heard(e)) {
        const mcpw_json message = mcpw_json_of(line, strlen(line));
        int64_t id = 0;
        if (mcpw_json_get_int(message, "id", &id) != MCPW_OK) {
            continue;
        }
        const char *result = "{'content':[],'resultType':'complete'}";
        if (has(line, "'server/discover'")) {
            if (!is_modern(e->speaks)) {
                try_line(e, fmt("{'jsonrpc':'2.0','id':%d,'error':{'code':-32601,'message':'no'}}", (int)id));
                continue;
            }
            result = "{'supportedVersions':['2026-07-28'],'cacheScope':'private','instructions':'i',"
                     "'capabilities':" SERVER_CAPABILITIES "}";
        } else if (has(line, "'initialize'")) {
            result = fmt("{'protocolVersion':'%s','capabilities':" SERVER_CAPABILITIES
                         ",'serverInfo':{'name':'s','version':'1'}}",
                         mcpw_revision_name(e->speaks));
        } else if (has(line, "'tools/list'")) {
            result =
                "{'tools':[{'name':'t','inputSchema':{'type':'object'}}],'ttlMs':0,'cacheScope':'private',"
                "'resultType':'complete'}";
        } else if (has(line, "'tools/call'")) {
            try_line(e, fmt("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':%d,"
                            "'progress':1}}",
                            (int)id));
            if (is_modern(e->speaks) && !has(line, "inputResponses")) {
                result =
                    "{'resultType':'input_required','requestState':'s','inputRequests':{"
                    "'r':{'method':'roots/list','params':{}},'e':{'method':'elicitation/create','params':{"
                    "'message':'m','requestedSchema':{'type':'object','properties':{}}}}}}";
            } else if (!is_modern(e->speaks)) {
                try_line(e, "{'jsonrpc':'2.0','id':77,'method':'roots/list'}");
            }
        } else if (has(line, "'subscriptions/listen'")) {
            continue;
        }
        try_line(e, fmt("{'jsonrpc':'2.0','id':%d,'result':%s}", (int)id, result));
    }
}

static void clients_survive(bool stingy) {
    static const char *const uris[] = {"a:b"};
    const mcpw_interest interest = {.tools = true, .uris = uris, .uri_count = 1};
    for (int i = 0; i < revision_count(); i++) {
        for (int handled = place_of(HANDSHAKE); handled < revision_count(); handled++) {
            size_t n = 1;
            bool failed = true;
            for (; failed && n < MOST; n++) {
                end *const e = client_of(revision_at(i), revision_at(handled));
                mcpw_error error = {0};
                calls_made = 0;
                e->unchecked = true; /* while it is not known what is spoken */
                end_serve(e, "elicitation/create", elicit);
                end_serve(e, "roots/list", roots);
                e->memory.fail_at = n;
                e->memory.stingy = e->memory.refused = stingy; /* the session itself is large, and needed */
                e->session = mcpw_session_new(&e->config, &error);
                if (e->session == NULL) {
                    CHECK(error.code == MCPW_E_MEMORY);
                    end_free(e);
                    continue;
                }
                try_call(e, "tools/list", NULL);
                (void)!mcpw_session_open(e->session);
                play_server(e);
                e->unchecked = mcpw_session_revision(e->session) != e->speaks;
                try_call(e, "tools/call", "'name':'t','arguments':{'a':1}");
                play_server(e);
                if (mcpw_session_listen(e->session, &interest, end_on_reply, e, &e->number, &error) ==
                    MCPW_OK) {
                    calls_made++;
                }
                play_server(e);
                (void)!mcpw_session_cancel(e->session, e->number, "r");
                try_call(e, "tools/list", NULL);
                (void)!mcpw_session_cancel(e->session, e->number, "r");
                play_server(e);
                failed = e->memory.calls >= n;
                e->memory.fail_at = 0;
                e->memory.stingy = false;
                if (!mcpw_session_is_closed(e->session) && e->opened == 1) {
                    const int before = e->out.count;
                    try_call(e, "tools/list", NULL);
                    play_server(e);
                    CHECK(e->out.count == before + 1 && e->out.status == MCPW_OK);
                }
                mcpw_session_close(e->session);
                if (!check_that(e->out.count == calls_made, __FILE__, __LINE__, "each is told once")) {
                    (void)fprintf(stderr, "%s, allocation %zu: %d of %d\n", revision_at(i), n, e->out.count,
                                  calls_made);
                }
                CHECK(e->closed == 1);
                end_free(e);
            }
            CHECK(n > 10 && n < MOST);
        }
    }
}

static void a_client_survives_any_failing_allocation(void) {
    clients_survive(false);
    clients_survive(true);
}

static const char tool_text[] = "hello";

static mcpw_status typed_call(mcpw_request *request, const mcp_20260728_call_tool_request_params *params,
                              void *user) {
    mcp_20260728_content_block block = {0};
    mcp_20260728_call_tool_result result = {0};
    (void)params;
    ((end *)user)->runs++;
    block.kind = MCP_20260728_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = mcpw_str_from(tool_text);
    result.content.items = &block;
    result.content.count = 1;
    return mcp_20260728_respond_tools_call(request, &result, NULL);
}

static void count_results(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)session;
    ((end *)user)->out.count += reply->status == MCPW_OK;
}

static void one_call(end *client, end *server) {
    mcp_20260728_call_tool_request_params params = {0};
    const char *bytes = NULL;
    params.name = (mcpw_str)MCPW_STR("t");
    params.arguments = (mcpw_json)MCPW_JSON("{\"message\":\"hello\",\"list\":[1,2,3]}");
    CHECK(mcp_20260728_request_tools_call(client->session, &params, NULL, count_results, client, NULL,
                                          NULL) == MCPW_OK);
    size_t len = mcpw_session_output(client->session, &bytes);
    CHECK(mcpw_session_feed(server->session, bytes, len) == MCPW_OK);
    mcpw_session_sent(client->session, len);
    len = mcpw_session_output(server->session, &bytes);
    CHECK(mcpw_session_feed(client->session, bytes, len) == MCPW_OK);
    mcpw_session_sent(server->session, len);
}

static void a_call_allocates_nothing_in_the_long_run(void) {
    static const mcp_20260728_server_handlers handlers = {.tools_call = typed_call};
    enum { WARM = 20, COUNT = 500 };
    for (int i = 0; i < revision_count(); i++) {
        end *const client = client_of(MODERN, MODERN);
        end *const server = server_of(MODERN, MODERN);
        server->config.dispatch = &mcp_20260728_server_dispatch;
        server->config.handlers = &handlers;
        open_pair(client, server, revision_at(i));
        for (int k = 0; k < WARM; k++) {
            one_call(client, server);
        }
        const size_t client_calls = client->memory.calls;
        const size_t server_calls = server->memory.calls;
        const size_t in_use = client->memory.in_use + server->memory.in_use;
        for (int k = 0; k < COUNT; k++) {
            one_call(client, server);
        }
        CHECK(client->out.count == WARM + COUNT);
        CHECK(client->memory.calls == client_calls);
        CHECK(server->memory.calls == server_calls);
        CHECK(client->memory.in_use + server->memory.in_use == in_use);
        end_free(client);
        end_free(server);
    }
}

/* Whatever is asked again and again, a session does not grow. */
static void a_long_session_does_not_grow(void) {
    static const char *const uris[] = {"a:b"};
    const mcpw_interest interest = {.tools = true, .uris = uris, .uri_count = 1};
    enum { WARM = 20, COUNT = 300 };
    for (int i = 0; i < revision_count(); i++) {
        end *const client = client_of(MODERN, MODERN);
        end *const server = server_of(MODERN, HANDSHAKE);
        size_t in_use = 0;
        end_serve(server, "tools/call", ask_and_tell);
        end_serve(server, "tools/list", list);
        end_serve(client, "roots/list", roots);
        open_pair(client, server, revision_at(i));
        for (int k = 0; k < WARM + COUNT; k++) {
            CHECK(call(client, "tools/list", NULL) == MCPW_OK);
            CHECK(call(client, "tools/call", "'name':'t'") == MCPW_OK);
            if (mcpw_session_listen(client->session, &interest, end_on_reply, client, &client->number,
                                    NULL) == MCPW_OK) {
                pump(client, server, NULL);
                CHECK(mcpw_session_cancel(client->session, client->number, NULL) == MCPW_OK);
            }
            pump(client, server, NULL);
            forget_knowns(client);
            forget_knowns(server);
            if (k == WARM) {
                in_use = client->memory.in_use + server->memory.in_use;
            }
        }
        CHECK(client->memory.in_use + server->memory.in_use <= in_use);
        end_free(client);
        end_free(server);
    }
}

int main(void) {
    RUN(a_server_survives_any_failing_allocation);
    RUN(a_client_survives_any_failing_allocation);
    RUN(a_call_allocates_nothing_in_the_long_run);
    RUN(a_long_session_does_not_grow);
    return check_end();
}
