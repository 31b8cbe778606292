/* SPDX-License-Identifier: MIT */
/* Requirements of extensions, malformed settings, and additions that fail: nothing of them stays. */
#include <mcpw/server.h>

#include "session_extending.h"

enum { MOST_ALLOCATIONS = 400 };

static mcpw_extension plain(const char *id, const char *needs) {
    mcpw_extension extension = MCPW_EXTENSION_INIT;
    extension.id = id;
    extension.needs = needs;
    return extension;
}

/* ---- Requirements ---- */

/* The error of a server with these extensions and capabilities; NULL: its endpoint can be made. */
static const char *refusal(const mcpw_extension *extensions, size_t count, const char *capabilities) {
    static mcpw_error error;
    const char *const text = q(capabilities);
    end *const e = extended_end(MCPW_ROLE_SERVER, NULL);
    e->config.capabilities = mcpw_json_of(text, strlen(text));
    for (size_t i = 0; i < count; i++) {
        CHECK(mcpw_client_add_extension(&e->config, extensions + i, &error) == MCPW_OK);
    }
    error.code = MCPW_OK;
    mcpw_session *const session = mcpw_session_new(&e->config, &error);
    const bool made = session != NULL;
    mcpw_session_free(session);
    end_free(e);
    return made ? NULL : error.message;
}

static void requirements_are_followed_to_their_end(void) {
    const mcpw_extension three[3] = {plain("a.b/first", "a.b/second"), plain("a.b/second", "a.b/third"),
                                     plain("a.b/third", "resources.subscribe")};
    const mcpw_extension reversed[3] = {three[2], three[1], three[0]};
    CHECK(refusal(three, 3, "{'resources':{'subscribe':true}}") == NULL);
    CHECK(refusal(reversed, 3, "{'resources':{'subscribe':true}}") == NULL);
    const char *why = refusal(three, 3, "{'resources':{}}");
    CHECK_HAS(why, "a.b/third");
    CHECK_HAS(why, "'resources.subscribe'");
    why = refusal(three, 2, "{'resources':{'subscribe':true}}");
    CHECK_HAS(why, "a.b/second");
    CHECK_HAS(why, "'a.b/third'");
}

static void an_object_counts_if_present_and_a_flag_if_true(void) {
    static const struct {
        const char *needs;
        const char *capabilities;
        bool is_met;
    } cases[] = {
        {"prompts", "{'prompts':{}}", true},
        {"prompts", "{'prompts':{'listChanged':false}}", true},
        {"prompts", "{'completions':{}}", false},
        {"prompts.listChanged", "{'prompts':{'listChanged':true}}", true},
        {"prompts.listChanged", "{'prompts':{'listChanged':false}}", false},
        {"prompts.listChanged", "{'prompts':{}}", false},
        {"prompts  completions", "{'prompts':{},'completions':{}}", true},
        {"prompts completions", "{'prompts':{}}", false},
        {"experimental.org", "{'experimental':{'org':{}}}", true},
        {"", "{}", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mcpw_extension one = plain("a.b/one", cases[i].needs);
        const char *const why = refusal(&one, 1, cases[i].capabilities);
        CHECK((why == NULL) == cases[i].is_met);
        CHECK(why == NULL || has(why, "a.b/one"));
    }
}

static bool is_there;

static bool ask_whether(void *user, mcpw_json capabilities, mcpw_error *why) {
    CHECK(mcpw_json_kind_of(capabilities) == MCPW_JSON_OBJECT && user == &is_there);
    mcpw_error_set(why, MCPW_E_STATE, 0, "the database is down");
    return is_there;
}

static void a_function_may_require_more(void) {
    mcpw_extension one = plain("a.b/one", NULL);
    one.is_met = ask_whether;
    one.user = &is_there;
    is_there = true;
    CHECK(refusal(&one, 1, "{}") == NULL);
    is_there = false;
    CHECK_HAS(refusal(&one, 1, "{}"), "a.b/one cannot be served: the database is down");
}

/* The configuration is checked as a whole and stays as it is. Other requirements can only fail at run time,
 * and then the handler says so. */
static mcpw_status lacks_something(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    (void)request;
    (void)call;
    (void)user;
    return MCPW_E_STATE;
}

static void a_requirement_that_fails_at_run_time_is_an_internal_error(void) {
    sample served;
    sample used;
    make_sample(&served, true);
    make_peer(&used, &served);
    served.methods[0].request = lacks_something;
    end *const server = extended_end(MCPW_ROLE_SERVER, &served);
    end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
    open_extended(client, server);
    CHECK(ask_named(client, used.request, "{}", NULL) == MCPW_OK);
    pump(client, server, NULL);
    CHECK(client->out.status == MCPW_E_REMOTE && client->out.code == MCPW_RPC_INTERNAL_ERROR);
    CHECK(server->diagnostics[MCPW_DIAGNOSTIC_HANDLER] == 1);
    end_free(client);
    end_free(server);
}

/* ---- Settings ---- */

static const char *const malformed[] = {"5", "'x'", "[]", "true", "false", "null", "[{}]"};

static void a_client_with_malformed_settings_is_refused(void) {
    sample served;
    make_sample(&served, true);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        end *const server = extended_end(MCPW_ROLE_SERVER, &served);
        server->unchecked = true;
        server->config.revisions = MODERN;
        end_start(server);
        say_request_as(server, "1", served.request, "'nonce':1",
                       fmt("{'extensions':{'%s':%s}}", served.id, malformed[i]), "");
        CHECK_HAS(heard(server), "'code':-32602");
        say_request_as(server, "2", served.request, "'nonce':1", fmt("{'extensions':{'%s':{}}}", served.id),
                       "");
        CHECK_HAS(heard(server), "'method':"); /* the session goes on */
        CHECK_HAS(heard(server), "'id':2,'result':");
        end_free(server);
    }
}

static void a_server_with_malformed_settings_is_not_opened(void) {
    sample used;
    make_sample(&used, false);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        end *const client = extended_end(MCPW_ROLE_CLIENT, &used);
        client->unchecked = true;
        client->config.revisions = MODERN;
        end_start(client);
        CHECK(mcpw_session_open(client->session) == MCPW_OK);
        run_to_idle(client);
        say(client,
            fmt("{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,'cacheScope':"
                "'private','supportedVersions':['2026-07-28'],'capabilities':{'extensions':{'%s':%s}}}}",
                used.id, malformed[i]));
        CHECK(client->opened == 1 && client->open_status != MCPW_OK);
        CHECK(mcpw_session_settings(client->session, used.id).ptr == NULL);
        end_free(client);
    }
}

static void settings_in_the_capabilities_are_those_of_an_extension_without_any(void) {
    mcpw_extension one = plain("a.b/one", NULL);
    mcpw_error error;
    end *const server = extended_end(MCPW_ROLE_SERVER, NULL);
    end *const client = extended_end(MCPW_ROLE_CLIENT, NULL);
    const char *const text = q("{'extensions':{'a.b/one':{'x':1e2},'c.d/other':{'y':[]}},'z':{}}");
    server->config.capabilities = mcpw_json_of(text, strlen(text));
    CHECK(mcpw_client_add_extension(&server->config, &one, &error) == MCPW_OK);
    open_extended(client, server);
    const mcpw_json settings = mcpw_session_settings(client->session, "a.b/one");
    CHECK_TEXT(settings.ptr, settings.len, q("{'x':1e2}"));
    const mcpw_json other = mcpw_session_settings(client->session, "c.d/other");
    CHECK_TEXT(other.ptr, other.len, q("{'y':[]}"));
    end_free(client);
    end_free(server);
    one.settings = (mcpw_json)MCPW_JSON("{}");
    CHECK_HAS(refusal(&one, 1, "{'extensions':{'a.b/one':{}}}"), "settings of its own");
    CHECK(refusal(&one, 1, "{'extensions':{'c.d/other':{}}}") == NULL);
    one.settings = mcpw_json_of(NULL, 0);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        CHECK_HAS(refusal(&one, 1, fmt("{'extensions':{'a.b/one':%s}}", malformed[i])), "a.b/one");
    }
}

/* ---- Nothing half-registered ---- */

static const mcpw_middleware idle = {.name = "idle"};

/* An extension with all that can be registered. */
static void make_full(sample *s) {
    make_sample(s, true);
    s->extension.needs = "tools";
    s->extension.middleware = &idle;
    s->extension.middleware_count = 1;
    s->methods[0].params_schema = (mcpw_json)MCPW_JSON("{\"type\":\"object\",\"maxProperties\":9}");
    s->methods[0].result_schema = (mcpw_json)MCPW_JSON("{\"type\":\"object\",\"maxProperties\":9}");
}

/* Such an extension was added once, after so many others. */
static void check_added(end *server, const sample *s, size_t at) {
    CHECK(strcmp(mcpw_session_extension(server->session, at), s->id) == 0);
    CHECK(mcpw_session_extension(server->session, at + 1) == NULL);
    CHECK(strcmp(mcpw_session_middleware(server->session, 0), "idle") == 0);
    CHECK(mcpw_session_middleware(server->session, 1) == NULL);
}

static void a_client_without_memory_adds_all_of_it_or_nothing(void) {
    const mcpw_extension first = plain("a.b/first", NULL);
    sample s;
    size_t n = 1;
    mcpw_status status = MCPW_E_MEMORY;
    make_full(&s);
    for (; n < MOST_ALLOCATIONS && status != MCPW_OK; n++) {
        end *const e = extended_end(MCPW_ROLE_SERVER, NULL);
        mcpw_error error;
        CHECK(mcpw_client_add_extension(&e->config, &first, &error) == MCPW_OK); /* which makes the set */
        e->memory.stingy = true;
        e->memory.fail_at = e->memory.calls + n;
        status = mcpw_client_add_extension(&e->config, &s.extension, &error);
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY || status == MCPW_E_ARGUMENT);
        e->memory.fail_at = 0;
        if (status != MCPW_OK) {
            CHECK(mcpw_client_add_extension(&e->config, &s.extension, &error) == MCPW_OK);
        }
        end_start(e);
        check_added(e, &s, 1);
        end_free(e);
    }
    CHECK(n > 2 && n < MOST_ALLOCATIONS);
}

static void a_set_that_cannot_be_made_is_none(void) {
    end *const e = extended_end(MCPW_ROLE_SERVER, NULL);
    const mcpw_extension first = plain("a.b/first", NULL);
    e->memory.fail_at = e->memory.calls + 1;
    CHECK(mcpw_client_add_extension(&e->config, &first, NULL) == MCPW_E_MEMORY);
    CHECK(e->config.extensions == NULL);
    e->memory.fail_at = e->memory.calls + 1;
    CHECK(mcpw_client_add_middleware(&e->config, &idle, NULL) == MCPW_E_MEMORY);
    CHECK(e->config.extensions == NULL);
    end_free(e);
}

static void a_server_without_memory_adds_all_of_it_or_nothing(void) {
    const mcpw_extension first = plain("a.b/first", NULL);
    sample s;
    size_t n = 1;
    mcpw_status status = MCPW_E_MEMORY;
    make_full(&s);
    for (; n < MOST_ALLOCATIONS && status != MCPW_OK; n++) {
        counting memory = {0};
        mcpw_error error;
        mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
        config.name = config.version = "1";
        config.allocator = counting_allocator(&memory);
        mcpw_server *const server = mcpw_server_new_with(&config, &error);
        CHECK(server != NULL && mcpw_server_add_extension(server, &first, &error) == MCPW_OK);
        memory.stingy = true;
        memory.fail_at = memory.calls + n;
        s.extension.needs = NULL;
        status = mcpw_server_add_extension(server, &s.extension, &error);
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY || status == MCPW_E_ARGUMENT);
        memory.fail_at = 0;
        if (status != MCPW_OK) {
            CHECK(mcpw_server_add_extension(server, &s.extension, &error) == MCPW_OK);
        }
        CHECK(mcpw_server_add_extension(server, &s.extension, &error) == MCPW_E_DUPLICATE);
        mcpw_server_free(server);
        CHECK(memory.in_use == 0);
    }
    CHECK(n > 2 && n < MOST_ALLOCATIONS);
}

static void an_endpoint_without_memory_is_none(void) {
    sample s;
    size_t n = 1;
    bool made = false;
    make_full(&s);
    for (; n < MOST_ALLOCATIONS && !made; n++) {
        end *const e = extended_end(MCPW_ROLE_SERVER, &s);
        mcpw_error error;
        e->memory.stingy = true;
        e->memory.fail_at = e->memory.calls + n;
        mcpw_session *session = mcpw_session_new(&e->config, &error);
        made = session != NULL;
        CHECK(made || error.code == MCPW_E_MEMORY);
        e->memory.fail_at = 0;
        mcpw_session_free(session);
        session = mcpw_session_new(&e->config, &error); /* the set is as it was */
        CHECK(session != NULL && strcmp(mcpw_session_extension(session, 0), s.id) == 0);
        mcpw_session_free(session);
        end_free(e);
    }
    CHECK(n > 2 && n < MOST_ALLOCATIONS);
}

/* Each refusal of an addition, after which the same extension can be added as it should be. */
static void nothing_stays_after_a_refusal(void) {
    sample s;
    mcpw_error error;
    const mcpw_middleware two[2] = {idle, {.name = NULL}}; /* the second is refused */
    make_full(&s);
    end *const e = extended_end(MCPW_ROLE_SERVER, NULL);
    for (int fault = 0; fault < 6; fault++) {
        sample bad;
        make_full(&bad);
        bad.extension.id = fault == 0 ? "no-slash" : s.id;
        bad.extension.settings = fault == 1 ? (mcpw_json)MCPW_JSON("[]") : bad.extension.settings;
        bad.methods[2].name = fault == 2 ? "tools/call" : fault == 3 ? bad.methods[0].name : bad.down;
        bad.extension.middleware = two;
        bad.extension.middleware_count = fault == 4 ? 2 : 1;
        bad.methods[1].params_schema =
            fault == 5 ? (mcpw_json)MCPW_JSON("{\"type\":5}") : bad.methods[1].params_schema;
        CHECK(mcpw_client_add_extension(&e->config, &bad.extension, &error) != MCPW_OK);
        CHECK(fault == 0 || has(error.message, s.id) || fault == 4 || has(error.message, bad.up));
    }
    CHECK(mcpw_client_add_extension(&e->config, &s.extension, &error) == MCPW_OK);
    end_start(e);
    check_added(e, &s, 0);
    end_free(e);
}

int main(void) {
    RUN(requirements_are_followed_to_their_end);
    RUN(an_object_counts_if_present_and_a_flag_if_true);
    RUN(a_function_may_require_more);
    RUN(a_requirement_that_fails_at_run_time_is_an_internal_error);
    RUN(a_client_with_malformed_settings_is_refused);
    RUN(a_server_with_malformed_settings_is_not_opened);
    RUN(settings_in_the_capabilities_are_those_of_an_extension_without_any);
    RUN(a_client_without_memory_adds_all_of_it_or_nothing);
    RUN(a_set_that_cannot_be_made_is_none);
    RUN(a_server_without_memory_adds_all_of_it_or_nothing);
    RUN(an_endpoint_without_memory_is_none);
    RUN(nothing_stays_after_a_refusal);
    return check_end();
}
