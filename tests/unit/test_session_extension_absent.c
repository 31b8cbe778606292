/* SPDX-License-Identifier: MIT */
/* Extensions that are not added, or not used, leave no trace: a conversation is byte for byte that of a
 * server without extensions and middleware. */
#include "session_extending.h"

enum { CONVERSATION = 1 << 16 };

static mcpw_status log_and_answer(end *e, mcpw_request *request, const void *params) {
    CHECK(mcpw_request_log(request, MCPW_LOG_ERROR, "l", mcpw_json_of("{\"n\":1.50}", 10)) == MCPW_OK);
    CHECK(mcpw_request_progress(request, 1, 2, "half") == MCPW_OK);
    (void)params;
    return answer(e, request,
                  "{'content':[{'type':'text','text':'\\u00e4\\n','_meta':{'a/b':[1e2]}}],'_meta':{'c/d':1},"
                  "'structuredContent':{'z':9007199254740993},'extra':null}");
}

static mcpw_status fail(end *e, mcpw_request *request, const void *params) {
    (void)e;
    (void)params;
    return mcpw_respond_error(request, 5, "no", mcpw_json_of("{\"x\":[]}", 8));
}

/* How the server is made. */
typedef enum made { WITHOUT, WITH_MIDDLEWARE, WITH_EXTENSION } made;

static const mcpw_middleware idle = {.name = "idle", .passes = MCPW_PASS_ALL};

static end *make(made how, const char *revision, const sample *s) {
    end *const e = server_of(revision, revision);
    e->config.send_server_info = MCPW_ON;
    e->unchecked = true;
    end_serve(e, "tools/list", list_one_tool);
    end_serve(e, "tools/call", log_and_answer);
    end_serve(e, "prompts/get", fail);
    if (how == WITH_MIDDLEWARE) {
        CHECK(mcpw_client_add_middleware(&e->config, &idle, NULL) == MCPW_OK);
    } else if (how == WITH_EXTENSION) {
        CHECK(mcpw_client_add_extension(&e->config, &s->extension, NULL) == MCPW_OK);
    }
    return e;
}

static void take_all(end *e, char *all) {
    for (const char *line = heard(e); *line != '\0'; line = heard(e)) {
        const size_t len = strlen(all);
        CHECK(len + strlen(line) + 2 < CONVERSATION);
        (void)snprintf(all + len, CONVERSATION - len, "%s\n", line);
    }
}

/* All that the server says in a conversation, with a method that none of its extensions has. */
static const char *conversation(made how, const char *revision, const sample *s) {
    static char all[3][CONVERSATION];
    static const char *const requests[][2] = {
        {"server/discover", ""},
        {"tools/list", ""},
        {"tools/call", "'name':'t','arguments':{'a':1}"},
        {"tools/call", "'name':5"},
        {"prompts/get", "'name':'p'"},
        {"prompts/list", ""},
        {"resources/read", "'uri':'x:y'"},
        {"ping", ""},
        {"acme/unknown", "'a':{}"},
        {"subscriptions/listen", "'notifications':{'toolsListChanged':true}"},
    };
    char *const out = all[how];
    end *const e = make(how, revision, s);
    out[0] = '\0';
    end_start(e);
    if (!is_modern(e->speaks)) {
        say_initialize_as(e, CLIENT_CAPABILITIES);
        take_all(e, out);
        say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        say_request_as(e, fmt("%d", (int)i), requests[i][0], requests[i][1], CLIENT_CAPABILITIES,
                       ",'io.modelcontextprotocol/logLevel':'debug','progressToken':3");
        take_all(e, out);
    }
    say(e, "{'jsonrpc':'2.0','method':'notifications/acme/unknown','params':{}}");
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':9}}");
    say(e, "{'jsonrpc':'2.0','id':77,'method':");
    mcpw_session_close(e->session);
    take_all(e, out);
    end_free(e);
    return out;
}

static void a_middleware_that_does_nothing_changes_no_byte(void) {
    static const char *const revisions[] = {OLDEST, HANDSHAKE, MODERN};
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        const char *const without = conversation(WITHOUT, revisions[i], NULL);
        CHECK(strlen(without) > HARNESS_ERROR);
        CHECK_STRING(conversation(WITH_MIDDLEWARE, revisions[i], NULL), without);
    }
}

/* An extension is announced, and that is all that a client notices that has not declared it. */
static void an_extension_changes_its_declaration_alone(void) {
    static const char *const revisions[] = {OLDEST, HANDSHAKE, MODERN};
    static char text[CONVERSATION];
    sample s;
    make_sample(&s, true);
    for (size_t i = 0; i < sizeof revisions / sizeof *revisions; i++) {
        const char *const without = conversation(WITHOUT, revisions[i], NULL);
        (void)snprintf(text, sizeof text, "%s", conversation(WITH_EXTENSION, revisions[i], &s));
        const char *const declared = fmt(",\"extensions\":{\"%s\":%s}", s.id, s.settings);
        char *const at = strstr(text, declared);
        CHECK((at != NULL) == (strcmp(revisions[i], MODERN) == 0));
        if (at != NULL) {
            memmove(at, at + strlen(declared), strlen(at + strlen(declared)) + 1);
        }
        CHECK_STRING(text, without);
    }
}

/* The set of a config that has been refused everything is an empty set. */
static void what_was_refused_leaves_no_trace(void) {
    const char *const without = conversation(WITHOUT, MODERN, NULL);
    static char expected[CONVERSATION];
    static char text[CONVERSATION];
    mcpw_extension bad = MCPW_EXTENSION_INIT;
    (void)snprintf(expected, sizeof expected, "%s", without);
    end *const e = make(WITHOUT, MODERN, NULL);
    bad.id = "no-slash";
    CHECK(mcpw_client_add_extension(&e->config, &bad, NULL) == MCPW_E_FORMAT);
    end_start(e);
    say_request(e, "0", "server/discover", "");
    text[0] = '\0';
    take_all(e, text);
    CHECK(strncmp(text, expected, strlen(text)) == 0 && strlen(text) > 2);
    CHECK(mcpw_session_extension(e->session, 0) == NULL && mcpw_session_middleware(e->session, 0) == NULL);
    end_free(e);
}

int main(void) {
    RUN(a_middleware_that_does_nothing_changes_no_byte);
    RUN(an_extension_changes_its_declaration_alone);
    RUN(what_was_refused_leaves_no_trace);
    return check_end();
}
