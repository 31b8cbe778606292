/* SPDX-License-Identifier: MIT */
/* A gateway passes on the requests and notifications of an extension, and loses nothing of them: a client,
 * the two ends of the gateway, and a server, with random names and values. */
#include <mcp/2026-07-28-skills.h>

#include "session_gateway.h"

#include <mcpw/detail/field.h>

/* ---- The server ---- */

static mcpw_status answer_by_error(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const char *const text = q(fmt("{%s}", strange()));
    (void)call;
    (void)user;
    return mcpw_respond_error(request, 4711, it.secret, mcpw_json_of(text, strlen(text)));
}

static mcpw_request *kept;

static void forget_kept(void *user, mcpw_request *request) {
    (void)user;
    CHECK(request == kept);
    kept = NULL;
}

static mcpw_status keep_it(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    (void)call;
    (void)user;
    kept = request;
    CHECK(mcpw_request_progress(request, 1, 2, it.secret) == MCPW_OK);
    mcpw_request_on_cancel(request, forget_kept, NULL);
    return MCPW_OK;
}

/* ---- Messages ---- */

static void requests_results_and_notifications_pass_whole(void) {
    make_gateway();
    open_gateway();
    ask_gateway(fmt("{'_meta':{%s},'zone':'z',%s}", strange(), strange()));
    CHECK(it.client->out.count == 1 && it.client->out.status == MCPW_OK);
    CHECK_HAS(it.of_server.got, fmt("'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'"));
    CHECK_HAS(it.of_server.got, fmt(",%s},'zone':'z',%s}", strange(), strange()));
    CHECK_HAS(it.client->out.text, fmt("'_meta':{%s},'ok':true,%s}", strange(), strange()));
    CHECK_STRING(it.of_client.got, q(fmt("{'_meta':{%s},'half':1,%s}", strange(), strange())));
    CHECK(it.of_client.told == 1 && it.of_back.told == 1);
    const char *const up = q(fmt("{'_meta':{%s},'up':1,%s}", strange(), strange()));
    CHECK(mcpw_session_notify_named(it.client->session, it.of_client.up, mcpw_json_of(up, strlen(up)),
                                    NULL) == MCPW_OK);
    run_gateway();
    CHECK(it.of_server.told == 1);
    CHECK_STRING(it.of_server.got, q(fmt("{'_meta':{%s},'up':1,%s}", strange(), strange())));
    close_gateway();
}

static void errors_pass_with_code_and_data(void) {
    make_gateway();
    it.of_server.methods[0].request = answer_by_error;
    open_gateway();
    ask_gateway("{}");
    CHECK(it.client->out.status == MCPW_E_REMOTE && it.client->out.code == 4711);
    CHECK_HAS(it.client->out.why, it.secret);
    CHECK_STRING(it.client->out.text, q(fmt("{%s}", strange())));
    close_gateway();
}

static void settings_of_the_server_reach_the_client(void) {
    make_gateway();
    open_gateway();
    const mcpw_json settings = mcpw_session_settings(it.client->session, it.of_client.id);
    CHECK_TEXT(settings.ptr, settings.len, it.of_server.settings);
    close_gateway();
}

static void progress_and_cancellation_pass(void) {
    const mcpw_call call = {.on_progress = end_on_progress};
    int64_t number = 0;
    make_gateway();
    it.of_server.methods[0].request = keep_it;
    open_gateway();
    CHECK(mcpw_session_request_named(it.client->session, it.of_client.request, mcpw_json_of(NULL, 0), &call,
                                     keep_reply_text, it.client, &number, NULL) == MCPW_OK);
    run_gateway();
    CHECK(it.client->progressed == 1 && it.client->out.count == 0);
    CHECK(kept != NULL);
    CHECK(mcpw_session_cancel(it.client->session, number, "enough") == MCPW_OK);
    run_gateway();
    CHECK(kept == NULL && it.client->out.status == MCPW_E_CANCELLED);
    close_gateway();
}

static void middleware_of_a_gateway_sees_both_ways(void) {
    make_gateway();
    trace[0] = '\0';
    it.a.name = "A";
    it.b.name = "B";
    open_gateway();
    ask_gateway(fmt("{'_meta':{%s},%s}", strange(), strange()));
    CHECK_TRACE("A B A B B' A' B' A'"); /* the notification passes while the request waits */
    CHECK_HAS(it.of_server.got, strange());
    CHECK_HAS(it.client->out.text, fmt("'_meta':{%s},'ok':true,%s}", strange(), strange()));
    close_gateway();
}

/* ---- With generated types ---- */

static mcpw_status relay_skill(mcpw_request *request,
                               const mcp_20260728_skills_get_skill_request_params *params, void *user) {
    (void)user;
    return mcpw_request_relay(request, &mcp_20260728_skills_revision,
                              mcpw_method_number(&mcp_20260728_skills_revision, "skills/get", 10), params,
                              it.back->session);
}

static mcpw_status get_skill(mcpw_request *request,
                             const mcp_20260728_skills_get_skill_request_params *params, void *user) {
    sample *const s = user;
    const mcpw_type *const type = &mcp_20260728_skills_get_skill_request_params_table;
    mcpw_json text = mcpw_json_of(NULL, 0);
    CHECK(mcpw_field_text(mcpw_field_of(type, params), mcpw_request_arena(request), &text) == MCPW_OK);
    (void)snprintf(s->got, sizeof s->got, "%.*s", (int)text.len, text.ptr);
    const char *const skill = q(fmt("{'_meta':{%s},'skill':{'uri':'u','frontmatter':{'name':'n',"
                                    "'description':'d',%s},'resources':'dynamic',%s},'ttlMs':1,"
                                    "'cacheScope':'public',%s}",
                                    strange(), strange(), strange(), strange()));
    return mcpw_respond_json(request, mcpw_json_of(skill, strlen(skill)), NULL);
}

static end *with_skills(mcpw_role role, const mcp_20260728_skills_server_handlers *handlers) {
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_extension extension = mcp_20260728_skills_extension;
    extension.handlers = handlers;
    extension.user = &it.of_server;
    e->unchecked = true;
    if (role == MCPW_ROLE_SERVER) {
        e->config.capabilities = (mcpw_json)MCPW_JSON("{\"resources\":{}}");
    }
    CHECK(mcpw_client_add_extension(&e->config, &extension, NULL) == MCPW_OK);
    return e;
}

static void messages_with_types_pass_whole(void) {
    static const mcp_20260728_skills_server_handlers relays = {.skills_get = relay_skill};
    static const mcp_20260728_skills_server_handlers serves = {.skills_get = get_skill};
    mcpw_error error = {0};
    make_gateway();
    it.server = with_skills(MCPW_ROLE_SERVER, &serves);
    it.back = with_skills(MCPW_ROLE_CLIENT, NULL);
    it.front = with_skills(MCPW_ROLE_SERVER, &relays);
    it.client = with_skills(MCPW_ROLE_CLIENT, NULL);
    open_extended(it.back, it.server);
    open_extended(it.client, it.front);
    CHECK(ask_named(it.client, "skills/get", fmt("{'_meta':{%s},'uri':'u',%s}", strange(), strange()),
                    &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    run_gateway();
    CHECK(it.client->out.count == 1 && it.client->out.status == MCPW_OK);
    CHECK_HAS(it.of_server.got, fmt("%s},'uri':'u',%s}", strange(), strange()));
    CHECK_HAS(it.client->out.text, fmt("'_meta':{%s}", strange()));
    CHECK_HAS(it.client->out.text, fmt("'description':'d',%s}", strange()));
    CHECK_HAS(it.client->out.text, fmt("'resources':'dynamic',%s}", strange()));
    CHECK_HAS(it.client->out.text, fmt("'cacheScope':'public',%s", strange()));
    close_gateway();
}

/* ---- Nobody there ---- */

static void a_server_without_it_is_not_asked(void) {
    make_gateway();
    open_gateway();
    end_free(it.back);
    end_free(it.server);
    sample other;
    make_sample(&other, true);
    it.server = party(MCPW_ROLE_SERVER, &other);
    it.back = party(MCPW_ROLE_CLIENT, &it.of_back);
    open_extended(it.back, it.server);
    ask_gateway("{}");
    CHECK(it.client->out.status == MCPW_E_REMOTE && it.client->out.code == MCPW_RPC_METHOD_NOT_FOUND);
    CHECK_HAS(it.client->out.why, it.of_client.id);
    close_gateway();
}

static void a_gateway_that_has_not_added_it_at_one_end_refuses(void) {
    make_gateway();
    open_gateway();
    end_free(it.back);
    end_free(it.server);
    it.server = party(MCPW_ROLE_SERVER, &it.of_server);
    it.back = party(MCPW_ROLE_CLIENT, NULL);
    open_extended(it.back, it.server);
    ask_gateway("{}");
    CHECK(it.client->out.status == MCPW_E_REMOTE && it.client->out.code == MCPW_RPC_METHOD_NOT_FOUND);
    CHECK_HAS(it.client->out.why, it.of_client.request);
    close_gateway();
}

static void a_gateway_without_a_server_refuses(void) {
    make_gateway();
    open_gateway();
    mcpw_session_close(it.back->session);
    ask_gateway("{}");
    CHECK(it.client->out.status == MCPW_E_REMOTE && it.client->out.code == MCPW_RPC_INTERNAL_ERROR);
    end *const back = it.back;
    it.back = NULL;
    CHECK(ask_named(it.client, it.of_client.request, "{}", NULL) == MCPW_OK);
    pump(it.client, it.front, NULL);
    CHECK(it.client->out.count == 2 && it.client->out.code == MCPW_RPC_INTERNAL_ERROR);
    it.back = back;
    close_gateway();
}

/* In a revision without a handshake a server knows only from requests what its client has declared. */
static void a_notification_waits_for_no_client(void) {
    mcpw_error error;
    make_gateway();
    open_gateway();
    CHECK(mcpw_session_notify_named(it.front->session, it.of_front.down, mcpw_json_of("{}", 2), &error) ==
          MCPW_E_CAPABILITY);
    CHECK_HAS(error.message, it.of_front.id);
    say_request(it.front, "1", "tools/list", ""); /* whose client declares no extension */
    CHECK(mcpw_session_notify_named(it.front->session, it.of_front.down, mcpw_json_of("{}", 2), &error) ==
          MCPW_E_CAPABILITY);
    run_to_idle(it.front);
    close_gateway();
}

int main(void) {
    RUN(requests_results_and_notifications_pass_whole);
    RUN(errors_pass_with_code_and_data);
    RUN(settings_of_the_server_reach_the_client);
    RUN(progress_and_cancellation_pass);
    RUN(middleware_of_a_gateway_sees_both_ways);
    RUN(messages_with_types_pass_whole);
    RUN(a_server_without_it_is_not_asked);
    RUN(a_gateway_that_has_not_added_it_at_one_end_refuses);
    RUN(a_gateway_without_a_server_refuses);
    RUN(a_notification_waits_for_no_client);
    return check_end();
}
