/* SPDX-License-Identifier: MIT */
/* A client over HTTP and responses that say no: what the program is told, and that it is not put in the
 * server's mouth. */
#include <mcpw/detail/session.h>

#include "http_client_harness.h"

#define CHALLENGE                                                                                            \
    "WWW-Authenticate: Bearer realm=\"r\", error=\"invalid_token\", error_description=\"It has expired\", "  \
    "resource_metadata=\"https://a.example/.well-known/x\", scope=\"a:b c\""

/* The last failure, as text. */
typedef struct told {
    int count;
    mcpw_status status;
    int http_status;
    bool has_token;
    char method[64];
    char text[WEB_TEXT];
} told;

static told last;

static void on_failure(void *user, const mcpw_http_failure *failure) {
    const mcpw_http_challenge *const c = &failure->challenge;
    (void)user;
    last.count++;
    last.status = failure->error->code;
    last.http_status = failure->http_status;
    last.has_token = failure->has_token;
    (void)snprintf(last.method, sizeof last.method, "%.*s", (int)failure->method.len, failure->method.ptr);
    (void)snprintf(last.text, sizeof last.text, "%.*s|%.*s|%.*s|%.*s|%.*s|%.*s|%.*s|%.*s", (int)c->scheme.len,
                   c->scheme.ptr, (int)c->realm.len, c->realm.ptr, (int)c->error.len, c->error.ptr,
                   (int)c->error_description.len, c->error_description.ptr, (int)c->resource_metadata.len,
                   c->resource_metadata.ptr, (int)c->scope.len, c->scope.ptr, (int)failure->location.len,
                   failure->location.ptr, (int)failure->body.len, failure->body.ptr);
}

static web *made(void) {
    web *const w = web_make(NULL);
    last = (told){.count = 0};
    w->config.on_failure = on_failure;
    return w;
}

/* Calls a tool, and answers that by a status. */
static void called(web *w, int status, const char *fields, const char *body) {
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_answer(w, w->call, status, fields, body);
}

static mcpw_str give_token(void *user, mcpw_str challenge) {
    (void)user;
    return challenge.ptr == NULL ? (mcpw_str)MCPW_STR("one") : (mcpw_str){NULL, 0};
}

static void a_401_says_what_to_do(void) {
    web *const w = made();
    web_open_modern(w);
    called(w, 401, CHALLENGE, "");
    CHECK(w->client->out.status == MCPW_E_UNAUTHORIZED && w->client->out.code == 0);
    CHECK_HAS(w->client->out.why, "HTTP status 401");
    CHECK_HAS(w->client->out.why, "no token was given (option \"token\")");
    CHECK_HAS(w->client->out.why, "It has expired");
    CHECK_HAS(w->client->out.why, "scope a:b c");
    CHECK_HAS(w->client->out.why, "https://a.example/.well-known/x");
    web_free(w);
}

static void a_401_to_a_token_says_that_it_was_refused(void) {
    web *const w = made();
    w->config.token = give_token;
    web_open_modern(w);
    called(w, 401, CHALLENGE, "");
    CHECK_HAS(w->client->out.why, "the token was refused: It has expired");
    CHECK(last.has_token);
    called(w, 403, "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"more\"", "");
    CHECK(w->client->out.status == MCPW_E_UNAUTHORIZED);
    CHECK_HAS(w->client->out.why, "the token is not sufficient: insufficient_scope; scope more");
    web_free(w);
}

static void a_field_of_the_programs_own_is_a_token_too(void) {
    const mcpw_http_field own = {MCPW_STR("authorization"), MCPW_STR("Basic eA==")};
    web *const w = made();
    w->config.fields = &own;
    w->config.field_count = 1;
    web_open_modern(w);
    called(w, 401, "", "");
    CHECK_HAS(w->client->out.why, "the token was refused");
    web_free(w);
}

static void words_of_the_server_are_escaped_and_cut(void) {
    char field[4096] = "WWW-Authenticate: Bearer error_description=\"\x1b[2J";
    web *const w = made();
    web_open_modern(w);
    memset(field + strlen(field), 'x', 3000);
    memcpy(field + sizeof field - 40, "\", scope=\"s\"", sizeof "\", scope=\"s\"");
    for (size_t i = 0; i < sizeof field - 40; i++) {
        field[i] = (char)(field[i] == '\0' ? 'x' : field[i]);
    }
    called(w, 401, field, "");
    CHECK_HAS(w->client->out.why, "\\x1b[2Jxxx");
    CHECK_HAS(w->client->out.why, "scope s");
    web_free(w);
}

static void a_program_reads_the_challenge(void) {
    web *const w = made();
    web_open_modern(w);
    called(w, 401, CHALLENGE, "sorry");
    CHECK(last.count == 1 && last.status == MCPW_E_UNAUTHORIZED && last.http_status == 401 &&
          !last.has_token);
    CHECK_STRING(last.method, "tools/call");
    CHECK_STRING(last.text,
                 "Bearer|r|invalid_token|It has expired|https://a.example/.well-known/x|a:b c||sorry");
    called(w, 301, "Location: /there", "");
    CHECK(last.count == 2 && last.status == MCPW_E_HTTP && last.http_status == 301);
    CHECK_STRING(last.text, "||||||/there|");
    EXPECT_REQUEST(w, "tools/call", "'name':'t'");
    web_break(w->call);
    CHECK(last.count == 3 && last.status == MCPW_E_CONNECTION && last.http_status == 0);
    web_free(w);
}

static void challenges_are_read_as_the_standard_has_them(void) {
    static const struct {
        const char *value;
        const char *scheme; /* NULL: there is none */
        const char *realm;
        const char *scope;
    } cases[] = {{"Bearer", "Bearer", "", ""},
                 {"bearer realm=x", "bearer", "x", ""},
                 {"Bearer scope=\"a\\\"b\\\\\"", "Bearer", "", "a\"b\\"},
                 {"Bearer  realm = \"x\" , scope=y", "Bearer", "x", "y"},
                 {"Basic realm=\"b\", Bearer realm=\"t\", scope=\"s\"", "Bearer", "t", "s"},
                 {"Basic realm=\"b\", DPoP algs=\"ES256\"", "Basic", "b", ""},
                 {"Bearer realm=\"never ends", "Bearer", "never ends", ""},
                 {"Bearer realm=\"x\\", "Bearer", "x\\", ""},
                 {"Bearer scope=one, scope=two", "Bearer", "", "one"},
                 {"Bearer SCOPE=\"big\"", "Bearer", "", "big"},
                 {"Bearer realm=, scope=z", "Bearer", "", "z"},
                 {"Negotiate YII==, Bearer scope=\"s\"", "Bearer", "", "s"},
                 {"Negotiate oY/b+w=, Bearer scope=\"s\"", "Bearer", "", "s"},
                 {"Negotiate oYGb , Bearer scope=\"s\"", "Bearer", "", "s"},
                 {"Negotiate YII==", "Negotiate", "", ""},
                 {"Negotiate, Bearer scope=\"s\"", "Bearer", "", "s"},
                 {",,,", NULL, NULL, NULL},
                 {"", NULL, NULL, NULL},
                 {"=x", NULL, NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_http_challenge c;
        const mcpw_status status = mcpw_http_challenge_read(mcpw_str_from(cases[i].value), &arena, &c);
        CHECK(status == (cases[i].scheme != NULL ? MCPW_OK : MCPW_E_NOT_FOUND));
        if (cases[i].scheme != NULL && status == MCPW_OK) {
            CHECK(mcpw_str_is(c.scheme, cases[i].scheme));
            CHECK(c.realm.len == strlen(cases[i].realm) &&
                  memcmp(c.realm.len != 0 ? c.realm.ptr : "", cases[i].realm, c.realm.len) == 0);
            CHECK(c.scope.len == strlen(cases[i].scope) &&
                  memcmp(c.scope.len != 0 ? c.scope.ptr : "", cases[i].scope, c.scope.len) == 0);
        }
        mcpw_arena_free(&arena);
    }
}

static void a_challenge_has_a_limit(void) {
    static char text[MCPW_MAX_CHALLENGE + 1];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_http_challenge c;
    memset(text, 'x', sizeof text);
    CHECK(mcpw_http_challenge_read((mcpw_str){text, sizeof text}, &arena, &c) == MCPW_E_SIZE);
    CHECK(mcpw_http_challenge_read((mcpw_str){text, sizeof text - 1}, &arena, &c) == MCPW_OK);
    mcpw_arena_free(&arena);
}

static void nothing_is_asked_after_a_401_to_the_first_request(void) {
    web *const w = made();
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "server/discover");
    web_answer(w, w->call, 401, CHALLENGE, "");
    EXPECT_NOTHING(w);
    CHECK(w->client->opened == 1 && w->client->open_status == MCPW_E_UNAUTHORIZED);
    web_free(w);
}

/* Neither a status nor a broken connection is an error of JSON-RPC. */
static void failures_of_the_transport_have_statuses_of_their_own(void) {
    static const struct {
        int status;
        const char *body;
        mcpw_status wanted;
        int64_t code;
    } cases[] = {
        {500, "oops", MCPW_E_HTTP, 0},
        {403, "", MCPW_E_HTTP, 0},
        {403, "{'jsonrpc':'2.0','id':2,'error':{'code':-32000,'message':'no'}}", MCPW_E_REMOTE, -32000},
        {500, "{'jsonrpc':'2.0','id':2,'error':{'code':-32000,'message':'no'}}", MCPW_E_REMOTE, -32000},
        {500, "{'error':'no'}", MCPW_E_HTTP, 0},
        {401, "{'jsonrpc':'2.0','id':2,'error':{'code':-32000,'message':'no'}}", MCPW_E_UNAUTHORIZED, 0},
        {0, "", MCPW_E_CONNECTION, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        web *const w = made();
        web_open_modern(w);
        EXPECT_REQUEST(w, "tools/call", "'name':'t'");
        if (cases[i].status != 0) {
            web_answer(w, w->call, cases[i].status, JSON_TYPE, cases[i].body);
        } else {
            web_break(w->call);
        }
        CHECK(w->client->out.status == cases[i].wanted && w->client->out.code == cases[i].code);
        CHECK(last.count == (cases[i].wanted == MCPW_E_REMOTE ? 0 : 1));
        web_free(w);
    }
}

static void an_endpoint_of_the_old_transport_is_named(void) {
    web *const w = made();
    CHECK(web_start(w));
    CHECK(mcpw_session_open(w->client->session) == MCPW_OK);
    EXPECT_ORDER(w, "POST", "server/discover");
    web_answer(w, w->call, 405, "", "");
    EXPECT_ORDER(w, "POST", "initialize");
    web_answer(w, w->call, 404, "Content-Type: text/html", "<h1>Not Found</h1>");
    CHECK(w->client->open_status == MCPW_E_HTTP);
    CHECK_HAS(last.method, "initialize");
    CHECK_HAS(w->client->open_why, "HTTP status 404");
    CHECK_HAS(w->client->open_why, "the older HTTP+SSE is not supported");
    web_free(w);
}

static void a_request_is_failed_once(void) {
    const mcpw_id id = {MCPW_ID_INTEGER, {.integer = 2}};
    const mcpw_error why = {.code = MCPW_E_CONNECTION, .message = "gone"};
    const mcpw_error none = {.code = MCPW_OK};
    web *const w = made();
    web_open_modern(w);
    CHECK(call(w->client, "tools/call", "'name':'t'") == MCPW_OK);
    CHECK(mcpw_session_fail(w->client->session, &id, &none) == MCPW_E_ARGUMENT);
    CHECK(mcpw_session_fail(w->client->session, &id, &why) == MCPW_OK);
    EXPECT_OUTCOME(w, MCPW_E_CONNECTION);
    CHECK_STRING(w->client->out.why, ": gone");
    CHECK(mcpw_session_fail(w->client->session, &id, &why) == MCPW_E_NOT_FOUND);
    web_free(w);
}

int main(void) {
    RUN(a_401_says_what_to_do);
    RUN(a_401_to_a_token_says_that_it_was_refused);
    RUN(a_field_of_the_programs_own_is_a_token_too);
    RUN(words_of_the_server_are_escaped_and_cut);
    RUN(a_program_reads_the_challenge);
    RUN(challenges_are_read_as_the_standard_has_them);
    RUN(a_challenge_has_a_limit);
    RUN(nothing_is_asked_after_a_401_to_the_first_request);
    RUN(failures_of_the_transport_have_statuses_of_their_own);
    RUN(an_endpoint_of_the_old_transport_is_named);
    RUN(a_request_is_failed_once);
    return check_end();
}
