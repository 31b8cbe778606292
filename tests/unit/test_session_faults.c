/* SPDX-License-Identifier: MIT */
/* Two ends that talk while each allocation of one of them fails in turn, each thing in an arena being an
 * allocation of its own: nothing breaks or leaks, each call is told once, and both go on afterwards. */

#include "core/core.h"
#include "session_harness.h"

#include <mcpw/server.h>

/* A scene whose ends allocate less than FEWEST times tests nothing. The fewest are without libsodium, where
 * rounds end at once. */
enum { FEWEST = 6, MANY = 12, MOST = 3000, LIMIT_STEP = 32, LARGEST_LIMIT = 6000 };

/* The messages between two ends, one of which is short of memory. */
typedef struct scene {
    const char *name;
    void (*prepare)(end *client, end *server); /* before they open */
    void (*play)(end *client, end *server);
    const char *alive; /* a method that is answered at the end, without params */
} scene;

static int calls_made;

static void try_call(end *client, const char *method, const char *members) {
    const mcpw_call how = {.on_progress = end_on_progress};
    calls_made += call_with(client, method, members, &how) == MCPW_OK;
}

/* ---- Input requests, progress, log messages, subscriptions ---- */

static mcpw_status ask(end *e, mcpw_request *request, const char *key, const char *method,
                       const char *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, method, strlen(method));
    const void *const value =
        decoded(mcpw_method_params(mcpw_method_entry(revision, number)), params, mcpw_request_arena(request));
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    if (value == NULL) {
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = mcpw_request_ask(request, key, revision, number, value, &result, &error);
    CHECK((result.value != NULL) == (status == MCPW_OK));
    CHECK(status == MCPW_OK || status == MCPW_PENDING || error.code == status);
    return status;
}

static mcpw_status worst_of(mcpw_status a, mcpw_status b) {
    return a == MCPW_OK || (a == MCPW_PENDING && b != MCPW_OK) ? b : a;
}

/* Two input requests in a first round, one in a second, and a state from round to round. */
static mcpw_status ask_in_rounds(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json state = MCPW_JSON("{\"k\":1}");
    (void)params;
    mcpw_status status =
        worst_of(ask(e, request, "s", "sampling/createMessage",
                     "{'messages':[{'role':'user','content':{'type':'text','text':'h'}}],'maxTokens':5}"),
                 ask(e, request, "r", "roots/list",
                     is_modern(e->dispatch.revision) ? "{}" : "{'_meta':{'a':'\\u0041'}}"));
    if (status == MCPW_PENDING) {
        const mcpw_status kept = mcpw_request_set_state(request, state);
        return kept == MCPW_OK ? status : kept;
    }
    if (status == MCPW_OK) {
        status = ask(e, request, "t", "sampling/createMessage", "{'messages':[],'maxTokens':6}");
    }
    if (status == MCPW_OK) {
        status = mcpw_request_progress(request, 1, 2, "m");
    }
    if (status == MCPW_OK) {
        status = mcpw_request_log(request, MCPW_LOG_ERROR, "l", state);
    }
    return status == MCPW_OK ? answer(e, request,
                                      "{'content':[{'type':'audio','data':'YWI=','mimeType':'a'}],"
                                      "'structuredContent':{'a':1}}")
                             : status;
}

static mcpw_status sample(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'role':'assistant','content':{'type':'text','text':'yo'},'model':'m'}");
}

static mcpw_status roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'roots':[{'uri':'file:///a'}]}");
}

static mcpw_status decline(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json data = MCPW_JSON("[1]");
    (void)e;
    (void)params;
    return mcpw_respond_error(request, 5, "not now", data);
}

/* A result as text, without the members that the session puts in. */
static mcpw_status list_by_text(end *e, mcpw_request *request, const void *params) {
    static const mcpw_json tools = MCPW_JSON("{\"tools\":[]}");
    (void)e;
    (void)params;
    return mcpw_respond_json(request, tools, NULL);
}

static void prepare_rounds(end *client, end *server) {
    end_serve(client, "sampling/createMessage", sample);
    end_serve(client, "roots/list", roots);
    end_serve(server, "tools/call", ask_in_rounds);
    end_serve(server, "tools/list", list_by_text);
}

static void play_rounds(end *client, end *server) {
    try_call(client, "tools/call", "'name':'t','arguments':{'a':[1]}");
    pump(client, server, NULL);
    try_call(client, "tools/list", NULL);
    pump(client, server, NULL);
}

static void prepare_refusal(end *client, end *server) {
    end_serve(client, "sampling/createMessage", decline);
    end_serve(client, "roots/list", roots);
    end_serve(server, "tools/call", ask_in_rounds);
    end_serve(server, "tools/list", list_one_tool);
}

/* ---- What a server registers ---- */

static mcpw_status call_tool(mcpw_request *request, const mcpw_tool_call *tool_call, void *user) {
    static const mcpw_json structured = MCPW_JSON("{\"name\":\"\\u0041\",\"version\":\"1\"}");
    const char kind = tool_call->name.ptr[0];
    (void)user;
    return kind == 's'   ? mcpw_respond_structured(request, structured)
           : kind == 'v' ? mcpw_respond_structured_value(request, tool_call->value)
           : kind == 'e'
               ? mcpw_respond_tool_error(request, "went \"wrong\"")
               : mcpw_respond_text(request, (mcpw_str){tool_call->arguments.ptr, tool_call->arguments.len});
}

static mcpw_status read_resource(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    const mcpw_str variable = mcpw_resource_variable(read, "v");
    (void)user;
    return variable.ptr == NULL ? mcpw_respond_resource_text(request, NULL, read->uri)
           : variable.len == 1 && variable.ptr[0] == '0'
               ? mcpw_respond_resource_not_found(request)
               : mcpw_respond_resource_bytes(request, NULL, variable.ptr, variable.len);
}

static mcpw_status get_prompt(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    static const mcpw_json result =
        MCPW_JSON("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"t\"}}]}");
    (void)user;
    (void)mcpw_prompt_get_argument(request, get, "a");
    return mcpw_respond_json(request, result, NULL);
}

static mcpw_status complete(mcpw_request *request, const mcpw_completion *completion, void *user) {
    static const mcpw_json result = MCPW_JSON("{\"completion\":{\"values\":[\"x\"]}}");
    (void)completion;
    (void)user;
    return mcpw_respond_json(request, result, NULL);
}

static bool add_all(mcpw_server *registry) {
    static const char *const names[] = {"text", "structured", "value", "error"};
    static const mcpw_prompt_argument argument = {"a", "d", true};
    const mcpw_type *const type = mcpw_find_type(HANDSHAKE, "Implementation");
    const mcpw_resource resource = {
        .uri = "a:b", .name = "r", .mime_type = "text/plain", .read = read_resource};
    const mcpw_resource_template family = {.uri_template = "t:{v}",
                                           .name = "f",
                                           .mime_type = "a/b",
                                           .read = read_resource,
                                           .complete = complete};
    const mcpw_prompt prompt = {
        .name = "p", .arguments = &argument, .argument_count = 1, .get = get_prompt, .complete = complete};
    bool good = mcpw_server_add_resource(registry, &resource, NULL) == MCPW_OK &&
                mcpw_server_add_resource_template(registry, &family, NULL) == MCPW_OK &&
                mcpw_server_add_prompt(registry, &prompt, NULL) == MCPW_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const mcpw_tool tool = {.name = names[i],
                                .title = "T",
                                .more = MCPW_JSON("{\"icons\":[{\"src\":\"https://a/b\"}],\"x\":1}"),
                                .arguments = names[i][0] == 'v' ? type : NULL,
                                .structured = names[i][0] != 't' ? type : NULL,
                                .call = call_tool};
        good = good && mcpw_server_add_tool(registry, &tool, NULL) == MCPW_OK;
    }
    return good;
}

static void prepare_registry(end *client, end *server) {
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    (void)client;
    config.name = "s";
    config.version = "1";
    config.info = (mcpw_json)MCPW_JSON("{\"title\":\"t\"}");
    config.instructions = "i";
    config.page_size = 3;
    config.allocator = counting_allocator(&server->memory);
    server->config.server = mcpw_server_new_with(&config, NULL);
    server->config.dispatch = NULL;
    CHECK(server->config.server != NULL && add_all(server->config.server));
}

static void play_registry(end *client, end *server) {
    static const char *const uris[] = {"a:b", "t:%41"};
    static const struct {
        const char *method;
        const char *members;
    } calls[] = {
        {"tools/list", "'cursor':'none'"},
        {"tools/call", "'name':'text','arguments':{'a':'\\u0041'}"},
        {"tools/call", "'name':'structured'"},
        {"tools/call", "'name':'value','arguments':{'name':'n','version':'\\u0041'}"},
        {"tools/call", "'name':'value','arguments':{'name':5}"},
        {"tools/call", "'name':'error'"},
        {"tools/call", "'name':'missing'"},
        {"prompts/list", NULL},
        {"prompts/get", "'name':'p','arguments':{'a':'\\u0041'}"},
        {"prompts/get", "'name':'p'"},
        {"resources/list", NULL},
        {"resources/templates/list", NULL},
        {"resources/read", "'uri':'a:b'"},
        {"resources/read", "'uri':'t:%41'"},
        {"resources/read", "'uri':'t:0'"},
        {"resources/read", "'uri':'z:z'"},
        {"completion/complete",
         "'ref':{'type':'ref/prompt','name':'p'},'argument':{'name':'a','value':'\\u0041'}"},
        {"completion/complete",
         "'ref':{'type':'ref/resource','uri':'t:{v}'},'argument':{'name':'v','value':''}"},
        {"completion/complete", "'ref':{'type':'ref/prompt','name':'q'},'argument':{'name':'a','value':''}"},
    };
    const mcpw_tool more = {.name = "more", .call = call_tool};
    const mcpw_interest interest = {
        .tools = true, .prompts = true, .resources = true, .uris = uris, .uri_count = 2};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        try_call(client, calls[i].method, calls[i].members);
        pump(client, server, NULL);
    }
    calls_made += mcpw_session_listen(client->session, &interest, end_on_reply, client, &client->number,
                                      NULL) == MCPW_OK;
    pump(client, server, NULL);
    if (mcpw_server_add_tool(server->config.server, &more, NULL) == MCPW_OK) {
        CHECK(mcpw_server_remove_tool(server->config.server, "more") == MCPW_OK);
    }
    mcpw_server_resource_updated(server->config.server, "a:b");
    pump(client, server, NULL);
    (void)!mcpw_session_cancel(client->session, client->number, NULL);
    pump(client, server, NULL);
}

/* ---- Forms ---- */

static mcpw_status ask_form(end *e, mcpw_request *request, const void *params) {
    const mcpw_status status = ask(e, request, "f", "elicitation/create",
                                   "{'message':'m','requestedSchema':{'type':'object','properties':{"
                                   "'n':{'type':'integer','default':5},'s':{'type':'string'}}}}");
    return status == MCPW_OK ? say_hello(e, request, params) : status;
}

static mcpw_status fill_in(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'action':'accept','content':{'s':'\\u0041'}}");
}

static void prepare_form(end *client, end *server) {
    client->config.fill_forms = true;
    end_serve(client, "elicitation/create", fill_in);
    end_serve(server, "tools/call", ask_form);
    end_serve(server, "tools/list", list_by_text);
}

static void play_form(end *client, end *server) {
    try_call(client, "tools/call", "'name':'t'");
    pump(client, server, NULL);
    try_call(client, "tools/list", NULL);
    pump(client, server, NULL);
}

/* ---- What a client has listed ---- */

static mcpw_status list_with_schemas(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request,
                  "{'tools':[{'name':'t','inputSchema':{'type':'object'},"
                  "'outputSchema':{'type':'object','required':['a']}}]}");
}

static mcpw_status answer_structured(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'content':[],'structuredContent':{'a':'\\u0041'}}");
}

static void prepare_listed(end *client, end *server) {
    client->config.check_arguments = true;
    end_serve(server, "tools/list", list_with_schemas);
    end_serve(server, "tools/call", answer_structured);
}

static void play_listed(end *client, end *server) {
    for (int i = 0; i < 2; i++) {
        try_call(client, "tools/list", NULL);
        pump(client, server, NULL);
        try_call(client, "tools/call", "'name':'t','arguments':{'a':'\\u0041'}");
        pump(client, server, NULL);
    }
}

/* ---- Lines that are no messages, and batches ---- */

static void prepare_lines(end *client, end *server) {
    (void)client;
    end_serve(server, "tools/list", list_one_tool);
}

static void play_lines(end *client, end *server) {
    static const char *const lines[] = {
        "{",
        "5",
        "{'jsonrpc':'2.0','id':'a','method':'none'}",
        "[{'jsonrpc':'2.0','id':'b','method':'ping'},{'jsonrpc':'2.0','id':'c','method':'none'},7]",
        "[]",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *const line = q(lines[i]);
        (void)!say_bytes(server, line, strlen(line));
        run_to_idle(server);
    }
    for (int i = 0; i < MANY; i++) { /* more at once than the session keeps room for */
        try_call(client, "tools/list", NULL);
    }
    pump(client, server, NULL);
}

/* ---- Each allocation in turn ---- */

static void go_on(const scene *s, end *client, end *server, size_t n) {
    const int before = client->out.count;
    calls_made += call(client, s->alive, NULL) == MCPW_OK;
    pump(client, server, NULL);
    if (!check_that(client->out.count == before + 1 && client->out.status == MCPW_OK, __FILE__, __LINE__,
                    "both go on")) {
        (void)fprintf(stderr, "  %s, %s, allocation %zu: %s\n", s->name, mcpw_revision_name(client->speaks),
                      n, client->out.why);
    }
}

static void finish(end *client, end *server) {
    mcpw_session_free(server->session);
    server->session = NULL;
    mcpw_server_free(server->config.server);
    end_free(client);
    end_free(server);
}

/* Whether there was an n-th allocation to fail. */
static bool fail_nth(const scene *s, const char *speaks, bool of_server, size_t n) {
    end *const client = client_of(MODERN, is_modern(mcpw_find_revision(speaks)) ? HANDSHAKE : MODERN);
    end *const server = server_of(MODERN, HANDSHAKE);
    end *const poor = of_server ? server : client;
    calls_made = 0;
    s->prepare(client, server);
    poor->memory.stingy = true;
    open_pair(client, server, speaks);
    poor->memory.fail_at = poor->memory.calls + n;
    s->play(client, server);
    const bool failed = poor->memory.calls >= poor->memory.fail_at;
    poor->memory.fail_at = 0;
    poor->memory.stingy = false;
    if (!mcpw_session_is_closed(client->session) && !mcpw_session_is_closed(server->session)) {
        go_on(s, client, server, n);
    }
    mcpw_session_close(client->session);
    if (!check_that(client->out.count == calls_made, __FILE__, __LINE__, "each call is told once")) {
        (void)fprintf(stderr, "  %s, %s, allocation %zu: %d of %d\n", s->name, speaks, n, client->out.count,
                      calls_made);
    }
    finish(client, server);
    return failed;
}

static void survive(const scene *s) {
    for (int i = 0; i < revision_count(); i++) {
        size_t tried = 0;
        for (int of_server = 0; of_server < 2; of_server++) {
            size_t n = 1;
            while (n < MOST && fail_nth(s, revision_at(i), of_server != 0, n)) {
                n++;
            }
            CHECK(n < MOST);
            tried += n;
        }
        CHECK(tried >= FEWEST);
    }
}

static void limit_requests(mcpw_session *session, size_t limit) {
    mcpw_request *const lists[] = {session->served.idle, session->served.bare};
    ((mcpw_session_config *)session->config)->max_request_bytes = limit;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (mcpw_request *r = lists[i]; r != NULL; r = r->place.next) {
            mcpw_arena_free(&r->arena);
            r->arena.limit = limit;
        }
    }
}

/* Every call is answered, whatever the memory that a request may have, from none to enough. */
static void answer_within_limits(const scene *s) {
    for (int i = 0; i < revision_count(); i++) {
        for (size_t limit = 1; limit < LARGEST_LIMIT; limit += LIMIT_STEP) {
            end *const client = client_of(MODERN, HANDSHAKE);
            end *const server = server_of(MODERN, HANDSHAKE);
            calls_made = 0;
            s->prepare(client, server);
            open_pair(client, server, revision_at(i));
            limit_requests(client->session, limit); /* as if the configs had said so, but for the opening */
            limit_requests(server->session, limit);
            s->play(client, server);
            if (!check_that(client->out.count == calls_made, __FILE__, __LINE__, "each call is answered")) {
                (void)fprintf(stderr, "  %s, %s, %zu bytes: %d of %d\n", s->name, revision_at(i), limit,
                              client->out.count, calls_made);
            }
            finish(client, server);
        }
    }
}

static const scene rounds = {"rounds", prepare_rounds, play_rounds, "tools/list"};
static const scene refusal = {"refusal", prepare_refusal, play_rounds, "tools/list"};
static const scene registry = {"registry", prepare_registry, play_registry, "tools/list"};
static const scene form = {"form", prepare_form, play_form, "tools/list"};
static const scene listed = {"listed", prepare_listed, play_listed, "tools/list"};
static const scene lines = {"lines", prepare_lines, play_lines, "tools/list"};

static void rounds_of_input_requests_survive_any_failing_allocation(void) { survive(&rounds); }

static void a_refused_input_request_survives_any_failing_allocation(void) { survive(&refusal); }

static void registries_survive_any_failing_allocation(void) { survive(&registry); }

static void forms_survive_any_failing_allocation(void) { survive(&form); }

static void listed_tools_survive_any_failing_allocation(void) { survive(&listed); }

static void lines_that_cannot_be_read_and_batches_survive_any_failing_allocation(void) { survive(&lines); }

static void each_call_is_answered_within_any_limit(void) {
    answer_within_limits(&rounds);
    answer_within_limits(&refusal);
    answer_within_limits(&registry);
    answer_within_limits(&form);
    answer_within_limits(&listed);
    answer_within_limits(&lines);
}

int main(void) {
    RUN(rounds_of_input_requests_survive_any_failing_allocation);
    RUN(a_refused_input_request_survives_any_failing_allocation);
    RUN(registries_survive_any_failing_allocation);
    RUN(forms_survive_any_failing_allocation);
    RUN(listed_tools_survive_any_failing_allocation);
    RUN(lines_that_cannot_be_read_and_batches_survive_any_failing_allocation);
    RUN(each_call_is_answered_within_any_limit);
    return check_end();
}
