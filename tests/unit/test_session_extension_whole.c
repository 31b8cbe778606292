/* SPDX-License-Identifier: MIT */
/* Nothing of an extension's messages is lost on the way through a gateway: between revisions, between
 * bindings and methods declared by hand, in progress and errors, over HTTP, and when memory runs out. */
#include <mcp/2026-07-28-skills.h>

#include "session_gateway.h"

#include "http_client_harness.h"
#include "http_harness.h"

/* A text that has a member of this value, whatever else it has. */
static bool has_member(mcpw_json object, const char *name, mcpw_json value) {
    mcpw_json found;
    return mcpw_json_get(object, name, &found) == MCPW_OK && mcpw_json_equal(found, value);
}

/* Whether an object has the strange member of this run. */
static bool is_strange(mcpw_json object) {
    const char *const all = q(fmt("{%s}", strange()));
    mcpw_json value;
    CHECK(mcpw_json_get(mcpw_json_of(all, strlen(all)), "org.x/n", &value) == MCPW_OK);
    return has_member(object, "org.x/n", value);
}

static bool text_is_strange(const char *text) { return is_strange(mcpw_json_of(text, strlen(text))); }

static bool meta_is_strange(const char *text) {
    mcpw_json meta;
    return mcpw_json_get(mcpw_json_of(text, strlen(text)), "_meta", &meta) == MCPW_OK && is_strange(meta);
}

/* ---- Progress ---- */

static char progressed[HARNESS_TEXT];
static double progress_of;

static void keep_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    (void)user, (void)session;
    progress_of = progress->progress;
    (void)snprintf(progressed, sizeof progressed, "%.*s", (int)progress->more.len,
                   progress->more.ptr != NULL ? progress->more.ptr : "");
}

static mcpw_status progress_and_answer(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const char *const more =
        q(fmt("{'_meta':{%s},'progressToken':0,'progress':9,'message':'m',%s}", strange(), strange()));
    const mcpw_progress progress = {.progress = 1, .more = mcpw_json_of(more, strlen(more))};
    const mcpw_progress plain = {.progress = 2};
    const mcpw_progress broken = {.progress = 3, .more = mcpw_json_of("[]", 2)};
    (void)call, (void)user;
    CHECK(mcpw_request_send_progress(request, &progress) == MCPW_OK);
    run_gateway();
    CHECK(progress_of == 1);
    CHECK(text_is_strange(progressed) && meta_is_strange(progressed));
    CHECK(strstr(progressed, "progressToken") == NULL && strstr(progressed, "message") == NULL);
    CHECK(mcpw_request_send_progress(request, &broken) == MCPW_E_TYPE);
    CHECK(mcpw_request_send_progress(request, &plain) == MCPW_OK);
    return mcpw_respond_json(request, mcpw_json_of("{}", 2), NULL);
}

static void progress_passes_whole(void) {
    const mcpw_call call = {.on_progress = keep_progress};
    make_gateway();
    it.of_server.methods[0].request = progress_and_answer;
    open_gateway();
    CHECK(mcpw_session_request_named(it.client->session, it.of_client.request, mcpw_json_of(NULL, 0), &call,
                                     keep_reply_text, it.client, NULL, NULL) == MCPW_OK);
    run_gateway();
    CHECK(it.client->out.count == 1 && it.client->out.status == MCPW_OK);
    CHECK(progress_of == 2);
    CHECK_STRING(progressed, "");
    close_gateway();
}

/* ---- Errors ---- */

static char remote_extra[HARNESS_TEXT];

static void keep_remote(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_members *const extra = &reply->remote.extra;
    keep_reply_text(user, session, reply);
    CHECK(check_that(extra->count == 1, __FILE__, __LINE__, trace));
    CHECK(extra->count == 1 && mcpw_str_is(extra->items[0].name, "org.x/n"));
    (void)snprintf(remote_extra, sizeof remote_extra, "{\"org.x/n\":%.*s}",
                   extra->count != 0 ? (int)extra->items[0].value.len : 0,
                   extra->count != 0 ? extra->items[0].value.ptr : "");
}

static mcpw_status fail_whole(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const char *const all = q(fmt("{%s}", strange()));
    mcpw_member member = {.name = MCPW_STR("org.x/n")};
    mcpw_rpc_error error = {.code = 4711, .message = MCPW_STR("no"), .extra = {&member, 1}};
    (void)call, (void)user;
    CHECK(mcpw_json_get(mcpw_json_of(all, strlen(all)), "org.x/n", &member.value) == MCPW_OK);
    return mcpw_respond_remote(request, &error);
}

static void errors_pass_whole(void) {
    for (int spied = 0; spied < 2; spied++) {
        make_gateway();
        it.of_server.methods[0].request = fail_whole;
        it.a.name = spied ? "A" : NULL;
        it.b.name = "B";
        open_gateway();
        CHECK(mcpw_session_request_named(it.client->session, it.of_client.request, mcpw_json_of(NULL, 0),
                                         NULL, keep_remote, it.client, NULL, NULL) == MCPW_OK);
        run_gateway();
        CHECK(it.client->out.count == 1 && it.client->out.code == 4711);
        CHECK(text_is_strange(remote_extra));
        close_gateway();
    }
}

/* ---- Between bindings and methods that were declared by hand ---- */

static char asked[HARNESS_TEXT];

static const char *skill(void) {
    return q(fmt("{'_meta':{%s},'skill':{'uri':'u','frontmatter':{'name':'n','description':'d',%s},"
                 "'resources':'dynamic',%s},'ttlMs':1,'cacheScope':'public',%s}",
                 strange(), strange(), strange(), strange()));
}

static mcpw_status answer_skill(mcpw_request *request) {
    const mcpw_json params = mcpw_request_params_text(request);
    const char *const text = skill();
    (void)snprintf(asked, sizeof asked, "%.*s", (int)params.len, params.ptr);
    return mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
}

typedef mcp_20260728_skills_get_skill_request_params skill_params;

static mcpw_status serve_typed(mcpw_request *request, const skill_params *params, void *user) {
    (void)params, (void)user;
    return answer_skill(request);
}

static mcpw_status serve_by_hand(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    (void)call, (void)user;
    return answer_skill(request);
}

static mcpw_status relay_typed(mcpw_request *request, const skill_params *params, void *user) {
    (void)params, (void)user;
    return mcpw_request_relay_named(request, "skills/get", mcpw_request_params_text(request),
                                    it.back->session);
}

/* An end with the extension for skills: by its bindings, or by hand. */
static end *with_skills(mcpw_role role, bool typed, bool relays) {
    static const mcp_20260728_skills_server_handlers serves = {.skills_get = serve_typed};
    static const mcp_20260728_skills_server_handlers passes = {.skills_get = relay_typed};
    const bool is_server = role == MCPW_ROLE_SERVER;
    const mcpw_extension_method method = {.name = "skills/get",
                                          .request = !is_server ? NULL
                                                     : relays   ? relay_request
                                                                : serve_by_hand};
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    if (typed) {
        extension = mcp_20260728_skills_extension;
        extension.handlers = is_server ? (relays ? &passes : &serves) : NULL;
    } else {
        extension.id = "io.modelcontextprotocol/skills";
        extension.methods = &method;
        extension.method_count = 1;
    }
    e->unchecked = true;
    if (is_server) {
        e->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{}}");
    }
    CHECK(mcpw_client_add_extension(&e->config, &extension, NULL) == MCPW_OK);
    return e;
}

static bool deep(const char *text, const char *first, const char *second) {
    mcpw_json value = mcpw_json_of(text, strlen(text));
    return mcpw_json_get(value, first, &value) == MCPW_OK &&
           (second == NULL || mcpw_json_get(value, second, &value) == MCPW_OK) && is_strange(value);
}

static void bindings_and_methods_by_hand_pass_each_other_whole(void) {
    for (unsigned kinds = 0; kinds < 16; kinds++) { /* a bit for each end that has bindings */
        make_gateway();
        it.server = with_skills(MCPW_ROLE_SERVER, (kinds & 1U) != 0, false);
        it.back = with_skills(MCPW_ROLE_CLIENT, (kinds & 2U) != 0, false);
        it.front = with_skills(MCPW_ROLE_SERVER, (kinds & 4U) != 0, true);
        it.client = with_skills(MCPW_ROLE_CLIENT, (kinds & 8U) != 0, false);
        open_extended(it.back, it.server);
        open_extended(it.client, it.front);
        CHECK(ask_named(it.client, "skills/get", fmt("{'_meta':{%s},'uri':'u',%s}", strange(), strange()),
                        NULL) == MCPW_OK);
        run_gateway();
        CHECK(check_that(it.client->out.status == MCPW_OK, __FILE__, __LINE__, fmt("kinds %u", kinds)));
        CHECK(text_is_strange(asked) && meta_is_strange(asked));
        CHECK(text_is_strange(it.client->out.text) && meta_is_strange(it.client->out.text));
        CHECK(deep(it.client->out.text, "skill", NULL));
        CHECK(deep(it.client->out.text, "skill", "frontmatter"));
        close_gateway();
    }
}

/* ---- Between revisions ---- */

static mcpw_status answer_task(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const char *const text =
        q(fmt("{'_meta':{%s},'taskId':'t','status':'working','createdAt':'2026-01-01T00:00:00Z',"
              "'lastUpdatedAt':'2026-01-01T00:00:00Z','ttl':null,%s}",
              strange(), strange()));
    (void)user;
    (void)snprintf(asked, sizeof asked, "%.*s", (int)call->params.len, call->params.ptr);
    return mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
}

/* The method is one of the core for the client, and one of an extension for the server. */
static void different_revisions_pass_it_whole(void) {
    const mcpw_extension_method passes = {.struct_size = sizeof passes,
                                          .name = "tasks/get",
                                          .request = relay_request,
                                          .scope = MCPW_SCOPE_BOTH};
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    make_gateway();
    it.server = end_make(MCPW_ROLE_SERVER, MODERN, MODERN);
    it.back = end_make(MCPW_ROLE_CLIENT, MODERN, MODERN);
    it.front = end_make(MCPW_ROLE_SERVER, HANDSHAKE, HANDSHAKE);
    it.client = end_make(MCPW_ROLE_CLIENT, HANDSHAKE, HANDSHAKE);
    const mcpw_extension_method serves = {.name = "tasks/get", .request = answer_task};
    const mcpw_extension_method sends = {.name = "tasks/get"};
    extension.id = "io.modelcontextprotocol/tasks";
    extension.method_count = 1;
    extension.methods = &serves;
    CHECK(mcpw_client_add_extension(&it.server->config, &extension, NULL) == MCPW_OK);
    extension.methods = &sends;
    CHECK(mcpw_client_add_extension(&it.back->config, &extension, NULL) == MCPW_OK);
    extension.methods = &passes;
    extension.declares = "tasks.requests.tools.call";
    CHECK(mcpw_client_add_extension(&it.front->config, &extension, NULL) == MCPW_OK);
    end_serve(it.front, "tools/list", list_one_tool);
    it.client->config.revisions = HANDSHAKE;
    open_extended(it.back, it.server);
    open_pair(it.client, it.front, HANDSHAKE);
    it.front->unchecked = it.client->unchecked = true;
    const char *const line = q(fmt("{'jsonrpc':'2.0','id':77,'method':'tasks/get','params':{'_meta':{%s},"
                                   "'taskId':'t',%s}}",
                                   strange(), strange()));
    CHECK(mcpw_session_feed(it.front->session, line, strlen(line)) == MCPW_OK);
    CHECK(mcpw_session_feed(it.front->session, "\n", 1) == MCPW_OK);
    while (carry(it.back, it.server, NULL) || carry(it.server, it.back, NULL)) {
    }
    const char *const said = heard(it.front);
    mcpw_json result = mcpw_json_of("{}", 2);
    CHECK_HAS(said, "'id':77");
    CHECK(mcpw_json_get(mcpw_json_of(said, strlen(said)), "result", &result) == MCPW_OK);
    mcpw_json meta = mcpw_json_of("{}", 2);
    CHECK(is_strange(result));
    CHECK(mcpw_json_get(result, "_meta", &meta) == MCPW_OK && is_strange(meta));
    CHECK(text_is_strange(asked) && meta_is_strange(asked));
    close_gateway();
}

/* ---- Over HTTP ---- */

typedef struct http_gateway {
    site site;
    web *web;
    sample front;
    sample back;
} http_gateway;

#define LOGGED "notifications/message"

static http_gateway over;

static mcpw_status relay_over_http(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    (void)user;
    return mcpw_request_relay_named(request, call->method.ptr, call->params, over.web->client->session);
}

static void notify_over_http(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    sample *const s = user;
    s->told++;
    CHECK(mcpw_session_received_for(session) != 0);
    CHECK(mcpw_session_relay_named(session, call->method.ptr, call->params, NULL, NULL) == MCPW_OK);
}

static void relay_log(end *e, const void *params) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int method = mcpw_method_number(revision, LOGGED, sizeof LOGGED - 1);
    over.back.told++;
    CHECK(mcpw_session_received_for(e->session) != 0);
    CHECK(mcpw_session_relay(e->session, revision, method, params, NULL, NULL) == MCPW_OK);
}

/* Answers server/discover, so that the client is open. */
static void open_web(web *w, const sample *s) {
    mcpw_http_call *call = NULL;
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    CHECK(web_next(w));
    call = w->call;
    web_answer(w, call, 200, JSON_TYPE,
               fmt("{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','supportedVersions':['" MODERN
                   "'],'capabilities':{'extensions':{'%s':{}}},'serverInfo':{'name':'s','version':'1'},"
                   "'ttlMs':0,'cacheScope':'private'}}",
                   s->id));
    CHECK(w->client->opened == 1 && w->client->open_status == MCPW_OK);
}

static void open_http_gateway(void) {
    memset(&over, 0, sizeof over);
    make_gateway();
    make_sample(&over.front, true);
    make_peer(&over.back, &over.front);
    over.front.methods[0].request = relay_over_http;
    over.back.methods[2].notification = notify_over_http;
    over.site.logs = true;
    CHECK(site_offer(&over.site));
    CHECK(mcpw_server_add_extension(over.site.tools, &over.front.extension, NULL) == MCPW_OK);
    CHECK(site_open(&over.site));
    over.web = web_make(MODERN);
    over.web->client->unchecked = true;
    CHECK(mcpw_client_add_extension(&over.web->client->config, &over.back.extension, NULL) == MCPW_OK);
    end_and_run_to_idle(over.web->client, LOGGED, relay_log);
    CHECK(web_start(over.web));
    open_web(over.web, &over.back);
}

static mcpw_http_exchange *ask_over_http_at(int id, const char *level) {
    const char *const body =
        fmt("{'jsonrpc':'2.0','id':%d,'method':'%s','params':{'_meta':{"
            "'io.modelcontextprotocol/protocolVersion':'" MODERN
            "','io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"
            "'io.modelcontextprotocol/logLevel':'%s',"
            "'io.modelcontextprotocol/clientCapabilities':{'extensions':{'%s':{}}},%s},'n':%d,%s}}",
            id, over.front.request, level, over.front.id, strange(), id, strange());
    return site_post(&over.site, fmt("Mcp-Method: %s", over.front.request), body, HTTP_TEXT);
}

static mcpw_http_exchange *ask_over_http(int id) { return ask_over_http_at(id, "error"); }

static void say_event(mcpw_http_call *call, const char *message) {
    CHECK(web_body(over.web, call, fmt("data: %s\n\n", message)));
}

/* Each notification is sent on the stream of its own request, though both are in flight. */
static void http_gateways_pass_notifications_with_their_request(void) {
    enum { COUNT = 2 };
    mcpw_http_exchange *fronts[COUNT];
    mcpw_http_call *backs[COUNT];
    response heard_of[COUNT];
    open_http_gateway();
    memset(heard_of, 0, sizeof heard_of);
    for (int i = 0; i < COUNT; i++) {
        fronts[i] = ask_over_http(i + 1);
        CHECK(web_next(over.web));
        backs[i] = over.web->call;
        CHECK_HAS(over.web->body, fmt("'n':%d", i + 1));
        CHECK_HAS(over.web->body, strange());
        web_head(over.web, backs[i], 200, EVENT_TYPE);
    }
    for (int i = COUNT; i-- > 0;) {
        say_event(backs[i], fmt("{'jsonrpc':'2.0','method':'%s','params':{'_meta':{%s},'of':%d,%s}}",
                                over.back.down, strange(), i + 1, strange()));
    }
    for (int i = 0; i < COUNT; i++) {
        site_take(fronts[i], heard_of + i);
        CHECK(!heard_of[i].ended);
        CHECK_HAS(heard_of[i].body, fmt("'of':%d,%s", i + 1, strange()));
        CHECK_HAS(heard_of[i].body, fmt("'_meta':{%s}", strange()));
        CHECK(strstr(heard_of[i].body, q(fmt("'of':%d", COUNT - i))) == NULL);
    }
    for (int i = 0; i < COUNT; i++) {
        say_event(backs[i], fmt("{'jsonrpc':'2.0','id':%d,'result':{'_meta':{%s},'resultType':'complete',"
                                "'is':%d,%s}}",
                                i + 2, strange(), i + 1, strange()));
        mcpw_http_call_end(backs[i], NULL);
        site_take(fronts[i], heard_of + i);
        CHECK(heard_of[i].ended);
        CHECK_HAS(heard_of[i].body, fmt("'is':%d,%s", i + 1, strange()));
        mcpw_http_close(fronts[i]);
    }
    CHECK(over.back.told == COUNT);
    web_free(over.web);
    site_stop(&over.site);
}

/* A log message is sent on the stream of its own request, and only if that wants its level. */
static void http_gateways_pass_log_messages_with_their_request(void) {
    static const char *const levels[] = {"debug", "info", "error"};
    enum { COUNT = sizeof levels / sizeof *levels };
    mcpw_http_exchange *fronts[COUNT];
    mcpw_http_call *backs[COUNT];
    response heard_of[COUNT];
    open_http_gateway();
    memset(heard_of, 0, sizeof heard_of);
    for (int i = 0; i < COUNT; i++) {
        fronts[i] = ask_over_http_at(i + 1, levels[i]);
        CHECK(web_next(over.web));
        backs[i] = over.web->call;
        web_head(over.web, backs[i], 200, EVENT_TYPE);
    }
    for (int i = COUNT; i-- > 0;) {
        say_event(backs[i],
                  fmt("{'jsonrpc':'2.0','method':'" LOGGED "','params':{'_meta':{%s},'level':'warning',"
                      "'data':{'of':%d,%s},%s}}",
                      strange(), i + 1, strange(), strange()));
    }
    CHECK(over.back.told == COUNT);
    for (int i = 0; i < COUNT; i++) {
        const bool is_wanted = strcmp(levels[i], "error") != 0;
        site_take(fronts[i], heard_of + i);
        CHECK((strstr(heard_of[i].body, q(fmt("'of':%d,%s", i + 1, strange()))) != NULL) == is_wanted);
        CHECK((strstr(heard_of[i].body, q(fmt("'_meta':{%s}", strange()))) != NULL) == is_wanted);
        for (int other = 1; other < COUNT; other++) {
            CHECK(strstr(heard_of[i].body, q(fmt("'of':%d,", (i + other) % COUNT + 1))) == NULL);
        }
        mcpw_http_close(fronts[i]);
    }
    web_free(over.web);
    site_stop(&over.site);
}

/* ---- Without memory ---- */

enum { MOST = 400, FEWEST = 3 };

/* Each allocation of one end of a gateway fails in turn. The client gets one response, or none because the
 * request was lost, and the next request passes. */
static void a_relay_without_memory_leaves_nothing_behind(void) {
    for (int which = 0; which < 2; which++) {
        int faults = 0;
        for (size_t at = 1; at < MOST; at++) {
            make_gateway();
            open_gateway();
            end *const poor = which == 0 ? it.front : it.back;
            it.is_poor = true;
            mcpw_session_trim(poor->session);
            poor->memory.stingy = true;
            poor->memory.failed = false;
            poor->memory.fail_at = poor->memory.calls + at;
            ask_gateway(fmt("{'_meta':{%s},%s}", strange(), strange()));
            const bool failed = poor->memory.calls >= poor->memory.fail_at;
            poor->memory.fail_at = 0;
            CHECK(it.client->out.count <= 1);
            CHECK(failed || it.client->out.status == MCPW_OK);
            faults += failed;
            memset(&it.client->out, 0, sizeof it.client->out);
            poor->memory.stingy = false;
            ask_gateway(fmt("{'_meta':{%s},%s}", strange(), strange()));
            CHECK(it.client->out.count == 1 && it.client->out.status == MCPW_OK);
            CHECK(text_is_strange(it.client->out.text));
            close_gateway();
            if (!failed) {
                break;
            }
        }
        CHECK(check_that(faults >= FEWEST && faults < MOST - 1, __FILE__, __LINE__, fmt("%d", faults)));
    }
}

int main(void) {
    RUN(progress_passes_whole);
    RUN(errors_pass_whole);
    RUN(bindings_and_methods_by_hand_pass_each_other_whole);
    RUN(different_revisions_pass_it_whole);
    RUN(http_gateways_pass_notifications_with_their_request);
    RUN(http_gateways_pass_log_messages_with_their_request);
    RUN(a_relay_without_memory_leaves_nothing_behind);
    return check_end();
}
