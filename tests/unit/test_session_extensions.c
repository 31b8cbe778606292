/* SPDX-License-Identifier: MIT */
/* Extensions that are added to both ends, by hand: <mcpw/extension.h>. */
#include <mcpw/ask.h>
#include <mcpw/extension_kit.h>

#include "session_extending.h"

enum { ERROR_ROOM = 600 };

/* ---- Messages ---- */

static void both_ends_speak_it(void) {
    sample served;
    sample used;
    mcpw_error error;
    make_sample(&served, true);
    make_peer(&used, &served);
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    const unsigned value = nonce();
    CHECK(ask_named(client, used.request, fmt("{'nonce':%u,'_meta':{'org.x/trace':%u}}", value, value),
                    &error) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, fmt("'echo':%u,'server':%u", value, served.secret));
    CHECK_HAS(client->out.text, "'resultType':'complete'");
    CHECK(used.told == 1 && strcmp(used.got, q("{'half':1}")) == 0);
    const char *const up = q("{'value':7}");
    CHECK(mcpw_session_notify_named(client->session, used.up, mcpw_json_of(up, strlen(up)), &error) ==
          MCPW_OK);
    pump(client, server, NULL);
    CHECK(served.told == 1 && strcmp(served.got, up) == 0);
    end_free(client);
    end_free(server);
}

static void each_reads_the_settings_of_the_other(void) {
    sample served;
    sample used;
    make_sample(&served, true);
    make_peer(&used, &served);
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    const mcpw_json settings = mcpw_session_settings(client->session, served.id);
    CHECK(settings.len == strlen(served.settings) &&
          memcmp(settings.ptr, served.settings, settings.len) == 0);
    CHECK(mcpw_session_settings(client->session, "org.other/name").ptr == NULL);
    CHECK(strcmp(mcpw_session_extension(client->session, 0), served.id) == 0);
    CHECK(mcpw_session_extension(client->session, 1) == NULL);
    end_free(client);
    end_free(server);
}

static void a_client_without_it_is_refused(void) {
    sample served;
    make_sample(&served, true);
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    server->unchecked = true;
    server->config.revisions = MODERN;
    end_start(server);
    say_request(server, "1", served.request, "'nonce':1");
    const char *const line = heard(server);
    CHECK_HAS(line, "'code':-32021");
    CHECK_HAS(line, fmt("'requiredCapabilities':{'extensions':{'%s':{}}}", served.id));
    end_free(server);
}

static void a_server_without_it_is_not_asked(void) {
    sample used;
    mcpw_error error;
    make_sample(&used, false);
    end *const server = extended_end(MCPW_ROLE_SERVER, NULL);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    CHECK(ask_named(client, used.request, "{}", &error) == MCPW_E_CAPABILITY);
    CHECK_HAS(error.message, used.id);
    CHECK(mcpw_session_notify_named(client->session, used.up, mcpw_json_of("{}", 2), &error) ==
          MCPW_E_CAPABILITY);
    CHECK(*heard(client) == '\0');
    end_free(client);
    end_free(server);
}

static void what_is_not_added_leaves_no_trace(void) {
    sample absent;
    mcpw_error error;
    make_sample(&absent, true);
    end *const server = extended_end(MCPW_ROLE_SERVER, NULL);
    end *const client = extended_end(MCPW_ROLE_CLIENT, NULL);
    open_extended(client, server);
    CHECK(mcpw_session_settings(client->session, absent.id).ptr == NULL);
    const mcpw_json all = mcpw_session_peer_capabilities(client->session);
    CHECK(!has(fmt("%.*s", (int)all.len, all.ptr), "extensions"));
    CHECK(ask_named(client, absent.request, "{}", &error) == MCPW_E_METHOD);
    say_request(server, "9", absent.request, "'nonce':1");
    CHECK_HAS(heard(server), "'code':-32601");
    end_free(client);
    end_free(server);
}

static void revisions_without_extensions_do_not_know_it(void) {
    sample served;
    make_sample(&served, true);
    end *const server = end_make(MCPW_ROLE_SERVER, HANDSHAKE, HANDSHAKE);
    CHECK(mcpw_client_add_extension(&server->config, &served.extension, NULL) == MCPW_OK);
    open_server(server);
    server->unchecked = true;
    say_request(server, "9", served.request, "'nonce':1");
    CHECK_HAS(heard(server), "'code':-32601");
    end_free(server);
}

/* A request under way, and the value that its answer must have. */
typedef struct asked {
    unsigned value;
    unsigned secret;
    int answers;
} asked;

static void check_answer(void *user, mcpw_session *session, const mcpw_reply *reply) {
    asked *const a = user;
    (void)session;
    a->answers++;
    CHECK(reply->status == MCPW_OK);
    CHECK(has(fmt("%.*s", (int)reply->text.len, reply->text.ptr),
              fmt("'echo':%u,'server':%u", a->value, a->secret)));
}

static void two_stand_side_by_side_and_do_not_mix(void) {
    enum { COUNT = 24 };
    static asked all[COUNT];
    sample served[2];
    sample used[2];
    mcpw_error error;
    wire w = {7}; /* in pieces */
    for (int i = 0; i < 2; i++) {
        make_sample(served + i, true);
        make_peer(used + i, served + i);
    }
    end *const server = extended_end(MCPW_ROLE_SERVER, served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, used);
    CHECK(mcpw_client_add_extension(&server->config, &served[1].extension, &error) == MCPW_OK);
    CHECK(mcpw_client_add_extension(&client->config, &used[1].extension, &error) == MCPW_OK);
    open_extended(client, server);
    for (int i = 0; i < COUNT; i++) {
        all[i] = (asked){nonce(), served[i % 2].secret, 0};
        const char *const text = q(fmt("{'nonce':%u}", all[i].value));
        CHECK(mcpw_session_request_named(client->session, used[i % 2].request,
                                         mcpw_json_of(text, strlen(text)), NULL, check_answer, all + i, NULL,
                                         &error) == MCPW_OK);
    }
    pump(client, server, &w);
    for (int i = 0; i < COUNT; i++) {
        CHECK(all[i].answers == 1);
    }
    CHECK(used[0].told == COUNT / 2 && used[1].told == COUNT / 2);
    CHECK(mcpw_session_settings(client->session, served[1].id).len == strlen(served[1].settings));
    end_free(client);
    end_free(server);
}

/* ---- Input requests, which the protocol does not have in the middle of these ---- */

static mcpw_status asked_status;
static char asked_why[ERROR_ROOM];

static mcpw_status ask_by_struct(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const mcpw_revision *const revision = mcpw_find_revision(MODERN);
    const int number = mcpw_method_number(revision, "roots/list", 10);
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    (void)call;
    (void)user;
    asked_status = mcpw_request_ask(request, "k", revision, number, NULL, &result, &error);
    (void)snprintf(asked_why, sizeof asked_why, "%s", error.message);
    CHECK(result.value == NULL);
    return asked_status;
}

static mcpw_status ask_by_text(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    (void)call;
    (void)user;
    asked_status = mcpw_ask_json(request, "k", "roots/list", mcpw_json_of("{}", 2), &answer);
    (void)snprintf(asked_why, sizeof asked_why, "%s", answer.error.message);
    return asked_status;
}

static mcpw_status answer_by_asking(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    const char *const text = q("{'resultType':'input_required','requestState':'s'}");
    mcpw_error error = {0};
    (void)call;
    (void)user;
    asked_status = mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), &error);
    (void)snprintf(asked_why, sizeof asked_why, "%s", error.message);
    return asked_status;
}

static void handlers_cannot_ask_for_input(void) {
    mcpw_status (*const handlers[])(mcpw_request *, const mcpw_extension_call *,
                                    void *) = {ask_by_struct, ask_by_text, answer_by_asking};
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        sample served;
        sample used;
        mcpw_error error;
        make_sample(&served, true);
        make_peer(&used, &served);
        served.methods[0].request = handlers[i];
        end *const server = extended_end(MCPW_ROLE_SERVER, &served);
        end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
        client->config.capabilities = (mcpw_json)MCPW_JSON("{\"roots\":{}}");
        open_extended(client, server);
        CHECK(ask_named(client, used.request, "{}", &error) == MCPW_OK);
        pump(client, server, NULL);
        CHECK(asked_status == (handlers[i] == answer_by_asking ? MCPW_E_VALUE : MCPW_E_STATE));
        CHECK_HAS(asked_why, used.request);
        CHECK_HAS(asked_why, "cannot be answered by input_required");
        CHECK(client->out.status == MCPW_E_REMOTE && client->out.code == MCPW_RPC_INTERNAL_ERROR);
        CHECK(server->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
        end_free(client);
        end_free(server);
    }
}

static void a_result_that_asks_for_input_is_invalid(void) {
    sample used;
    mcpw_error error;
    make_sample(&used, false);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_client_as(client, fmt("{'extensions':{'%s':{}}}", used.id));
    client->unchecked = true;
    CHECK(ask_named(client, used.request, "{}", &error) == MCPW_OK);
    run_to_idle(client);
    say(client, "{'jsonrpc':'2.0','id':2,'result':{'resultType':'input_required','requestState':'s'}}");
    CHECK(client->out.count == 1 && client->out.status == MCPW_E_VALUE);
    CHECK_HAS(client->out.why, used.request);
    end_free(client);
}

/* ---- Schemas ---- */

static void texts_are_checked_by_their_schemas(void) {
    sample served;
    sample used;
    mcpw_error error;
    const char *const params =
        q("{'type':'object','properties':{'nonce':{'type':'integer'}},'required':['nonce']}");
    const char *const result = q("{'type':'object','properties':{'echo':{'maximum':10}}}");
    make_sample(&served, true);
    make_peer(&used, &served);
    served.methods[0].params_schema = mcpw_json_of(params, strlen(params));
    served.methods[0].result_schema = mcpw_json_of(result, strlen(result));
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    CHECK(ask_named(client, used.request, "{'nonce':'text'}", &error) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.status == MCPW_E_REMOTE && client->out.code == MCPW_RPC_INVALID_PARAMS);
    CHECK_HAS(client->out.why, "/nonce");
    CHECK(ask_named(client, used.request, "{'nonce':11}", &error) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.status == MCPW_E_REMOTE && client->out.code == MCPW_RPC_INTERNAL_ERROR);
    CHECK(ask_named(client, used.request, "{'nonce':10}", &error) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.status == MCPW_OK);
    end_free(client);
    end_free(server);
}

/* ---- Refusals ---- */

static mcpw_status add(mcpw_session_config *config, mcpw_extension extension, mcpw_error *error) {
    return mcpw_client_add_extension(config, &extension, error);
}

static mcpw_extension plain(const char *id) {
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = id;
    return extension;
}

static void ids_follow_the_grammar(void) {
    static const char *const good[] = {"a/b", "io.modelcontextprotocol/tasks", "com.my-org/x_y.z-1",
                                       "a1.b2/9"};
    static const char *const bad[] = {"",      "name",   "/name", "a/",        "a/b/c", "1a/b",
                                      "a-/b",  "a..b/c", ".a/b",  "a./b",      "a/-b",  "a/b.",
                                      "a b/c", "a/b c",  "a_b/c", "\xc3\xa4/b"};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK(add(&config, plain(good[i]), &error) == MCPW_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(add(&config, plain(bad[i]), &error) == MCPW_E_FORMAT);
        CHECK_HAS(error.message, bad[i]);
    }
    mcpw_extensions_free(config.extensions);
}

static void a_second_one_is_refused_and_nothing_of_it_stays(void) {
    sample first;
    sample second;
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    make_sample(&first, true);
    make_sample(&second, true);
    CHECK(add(&config, first.extension, &error) == MCPW_OK);
    CHECK(add(&config, first.extension, &error) == MCPW_E_DUPLICATE);
    CHECK_HAS(error.message, first.id);
    /* its last method is a request of the first, although it is a notification here */
    second.methods[2].name = first.request;
    CHECK(add(&config, second.extension, &error) == MCPW_E_DUPLICATE);
    CHECK_HAS(error.message, first.id);
    CHECK_HAS(error.message, second.id);
    CHECK_HAS(error.message, first.request);
    second.methods[2].name = second.down;
    CHECK(add(&config, second.extension, &error) == MCPW_OK);
    mcpw_extensions_free(config.extensions);
}

static void methods_of_the_protocol_are_refused(void) {
    static const char *const names[] = {"tools/call", "notifications/progress", "server/discover"};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sample s;
        make_sample(&s, true);
        s.methods[i].name = names[i];
        CHECK(add(&config, s.extension, &error) == MCPW_E_DUPLICATE);
        CHECK_HAS(error.message, s.id);
        CHECK_HAS(error.message, names[i]);
    }
    mcpw_extensions_free(config.extensions);
}

static void malformed_settings_and_schemas_are_refused(void) {
    static const char *const bad[] = {"[]", "1", "{", "{'a':}", "null"};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mcpw_extension extension = plain("a/b");
        extension.settings = mcpw_json_of(q(bad[i]), strlen(bad[i]));
        CHECK(add(&config, extension, &error) == MCPW_E_ARGUMENT);
        CHECK_HAS(error.message, "a/b");
    }
    sample s;
    make_sample(&s, true);
    s.methods[0].params_schema = mcpw_json_of(q("{'type':5}"), 10);
    CHECK(add(&config, s.extension, &error) == MCPW_E_ARGUMENT);
    CHECK_HAS(error.message, s.request);
    mcpw_extensions_free(config.extensions);
}

/* ---- Requirements ---- */

/* The error of an endpoint with these extensions, or NULL if it can be made. */
static const char *refusal(const mcpw_extension *extensions, size_t count) {
    static mcpw_error error;
    end *const e = extended_end(MCPW_ROLE_SERVER, NULL);
    for (size_t i = 0; i < count; i++) {
        CHECK(mcpw_client_add_extension(&e->config, extensions + i, &error) == MCPW_OK);
    }
    mcpw_session *const session = mcpw_session_new(&e->config, &error);
    const bool made = session != NULL;
    mcpw_session_free(session);
    end_free(e);
    return made ? NULL : error.message;
}

static bool never(void *user, mcpw_json capabilities, mcpw_error *why) {
    CHECK(mcpw_capabilities_have(capabilities, "tools") && user != NULL);
    mcpw_error_set(why, MCPW_E_STATE, 0, "no database");
    return false;
}

static void requirements_are_checked_when_serving_begins(void) {
    mcpw_extension both[2] = {plain("a.b/first"), plain("a.b/second")};
    both[0].needs = "a.b/second tools";
    CHECK(refusal(both, 2) == NULL); /* in any order */
    CHECK_HAS(refusal(both, 1), "a.b/first");
    CHECK_HAS(refusal(both, 1), "a.b/second");
    both[0].needs = "resources";
    CHECK_HAS(refusal(both, 2), "a.b/first");
    CHECK_HAS(refusal(both, 2), "resources");
    both[0].needs = NULL;
    both[0].is_met = never;
    both[0].user = both;
    CHECK_HAS(refusal(both, 2), "no database");
}

static void cycles_of_requirements_are_refused(void) {
    mcpw_extension three[3] = {plain("a.b/first"), plain("a.b/second"), plain("a.b/third")};
    three[0].needs = "a.b/second";
    three[1].needs = "a.b/third";
    CHECK(refusal(three, 3) == NULL);
    three[2].needs = "a.b/first";
    CHECK_HAS(refusal(three, 3), "a.b/third");
    CHECK_HAS(refusal(three, 3), "a.b/first");
    three[2].needs = "a.b/third";
    CHECK_HAS(refusal(three, 3), "cycle");
}

/* ---- Responses and notifications of authors ---- */

static mcpw_status answer_members(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_error error = {0};
    (void)call;
    (void)user;
    CHECK(mcpw_respond_members(request, mcpw_json_from("[]"), &error) != MCPW_OK);
    const mcpw_status status =
        mcpw_respond_members(request, mcpw_json_from(q("{'n':1,'deep':{'a':[]}}")), &error);
    CHECK(mcpw_respond_members(request, mcpw_json_from("{}"), &error) == MCPW_E_STATE); /* it was answered */
    return status;
}

static void members_of_an_author_are_a_result(void) {
    sample served;
    sample used;
    mcpw_error error;
    make_sample(&served, true);
    served.methods[0].request = answer_members;
    make_peer(&used, &served);
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    CHECK(ask_named(client, used.request, "{}", &error) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.count == 1 && client->out.status == MCPW_OK);
    CHECK_HAS(client->out.text, "'n':1,'deep':{'a':[]}");
    CHECK_HAS(client->out.text, "'resultType':'complete'");
    end_free(client);
    end_free(server);
}

static void a_notification_for_nobody_is_refused(void) {
    sample used;
    mcpw_error error = {0};
    make_sample(&used, false);
    end *const e = extended_end(MCPW_ROLE_CLIENT, &used);
    const int method =
        mcpw_method_number(e->dispatch.revision, "notifications/message", strlen("notifications/message"));
    end_start(e);
    CHECK(mcpw_session_relay(e->session, e->dispatch.revision, method, NULL, NULL, &error) == MCPW_E_CLOSED);
    CHECK_STRING(error.message, "there is nobody to notify");
    CHECK(mcpw_session_relay_named(e->session, used.down, mcpw_json_from("{}"), NULL, &error) ==
          MCPW_E_CLOSED);
    end_free(e);
}

int main(void) {
    RUN(members_of_an_author_are_a_result);
    RUN(a_notification_for_nobody_is_refused);
    RUN(both_ends_speak_it);
    RUN(each_reads_the_settings_of_the_other);
    RUN(a_client_without_it_is_refused);
    RUN(a_server_without_it_is_not_asked);
    RUN(what_is_not_added_leaves_no_trace);
    RUN(revisions_without_extensions_do_not_know_it);
    RUN(two_stand_side_by_side_and_do_not_mix);
    RUN(handlers_cannot_ask_for_input);
    RUN(a_result_that_asks_for_input_is_invalid);
    RUN(texts_are_checked_by_their_schemas);
    RUN(ids_follow_the_grammar);
    RUN(a_second_one_is_refused_and_nothing_of_it_stays);
    RUN(methods_of_the_protocol_are_refused);
    RUN(malformed_settings_and_schemas_are_refused);
    RUN(requirements_are_checked_when_serving_begins);
    RUN(cycles_of_requirements_are_refused);
    return check_end();
}
