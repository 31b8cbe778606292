/* SPDX-License-Identifier: MIT */
/* Access over HTTP: pages of other origins, and those who bear a token. */
#include "http_harness.h"

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"
#define PAGE "Origin: https://app.example\n"
#define ASKS "Access-Control-Request-Method: POST\n"

/* The whole response to a request without a body. */
static const response *ask(site *s, const char *method, const char *path, const char *lines) {
    mcpw_status status;
    return site_finish(site_begin(s, method, path, lines, &status));
}

static const response *list(site *s, const char *lines) {
    return site_finish(site_post(s, lines, LIST, HTTP_TEXT));
}

static bool has_line(const response *r, const char *line) {
    const char *const at = strstr(r->fields, line);
    return at != NULL && at[strlen(line)] == '\n';
}

static bool names(const response *r, const char *field) { return strstr(r->fields, field) != NULL; }

/* ---- Pages ---- */

static void share(site *s) {
    s->config.cors = true;
    s->config.origins = "https://app.example https://other.example";
    CHECK(site_start(s));
}

static void nothing_is_said_of_pages_unless_that_is_asked_for(void) {
    site s = {.config.origins = "https://app.example"};
    CHECK(site_start(&s));
    const response *r = list(&s, PAGE);
    CHECK(r->status == 200 && !names(r, "Access-Control") && !names(r, "Vary"));
    r = ask(&s, "OPTIONS", "/mcp", PAGE ASKS);
    CHECK(r->status == 405 && !names(r, "Access-Control"));
    site_stop(&s);
}

static void each_response_says_who_may_read_it(void) {
    static const struct {
        const char *lines;
        const char *body;
        int status;
    } rows[] = {{PAGE, LIST, 200},
                {PAGE, "nonsense", 400},
                {PAGE "Accept: text/html", LIST, 406},
                {PAGE "Content-Type: text/plain", LIST, 415},
                {PAGE "MCP-Protocol-Version: 2020-01-01", LIST, 400},
                {PAGE "Mcp-Method: nothing", LIST, 400}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        site s = {0};
        share(&s);
        const response *const r = site_finish(site_post(&s, rows[i].lines, rows[i].body, HTTP_TEXT));
        CHECK(r->status == rows[i].status);
        CHECK(has_line(r, "Access-Control-Allow-Origin: https://app.example"));
        CHECK(has_line(r, "Access-Control-Expose-Headers: DPoP-Nonce, Mcp-Session-Id, WWW-Authenticate"));
        CHECK(has_line(r, "Vary: Origin"));
        CHECK(!names(r, "Access-Control-Allow-Credentials"));
        site_stop(&s);
    }
}

static void caches_are_told_that_answers_differ(void) {
    site s = {0};
    share(&s);
    const response *const r = list(&s, "");
    CHECK(r->status == 200 && has_line(r, "Vary: Origin") && !names(r, "Access-Control"));
    site_stop(&s);
}

static void other_pages_get_nothing(void) {
    site s = {0};
    share(&s);
    const response *r = list(&s, "Origin: https://evil.example");
    CHECK(r->status == 403 && !names(r, "Access-Control"));
    r = ask(&s, "OPTIONS", "/mcp", "Origin: https://evil.example\n" ASKS);
    CHECK(r->status == 403 && !names(r, "Access-Control"));
    site_stop(&s);
}

static void every_origin_is_named_as_it_is(void) {
    site s = {.config.cors = true, .config.origins = "*"};
    CHECK(site_start(&s));
    CHECK(has_line(list(&s, PAGE), "Access-Control-Allow-Origin: https://app.example"));
    site_stop(&s);
}

static void what_is_asked_before_a_request_is_answered(void) {
    site s = {.config.cors_fields = "X-Mine X-Other"};
    share(&s);
    const response *const r =
        ask(&s, "OPTIONS", "/mcp",
            PAGE ASKS "Access-Control-Request-Headers: content-type, x-mine,mcp-param-region , x-evil, x-m");
    CHECK(r->status == 204 && r->len == 0 && r->ended);
    CHECK(has_line(r, "Access-Control-Allow-Origin: https://app.example"));
    CHECK(has_line(r, "Access-Control-Allow-Methods: GET, POST, DELETE") ||
          has_line(r, "Access-Control-Allow-Methods: GET, POST")); /* without libsodium */
    CHECK(has_line(r,
                   "Access-Control-Allow-Headers: accept, authorization, content-type, dpop, last-event-id, "
                   "mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-mine, mcp-param-region"));
    CHECK(has_line(r, "Access-Control-Max-Age: 600"));
    site_stop(&s);
}

/* ---- Tokens ---- */

static int asked;

static bool judge(void *user, const mcpw_http_exchange *exchange, mcpw_str token, mcpw_http_grant *grant) {
    CHECK(user != NULL && mcpw_str_is(mcpw_http_peer(exchange), "192.0.2.1"));
    CHECK(mcpw_str_is(mcpw_http_field_of(exchange, "Accept"), "application/json, text/event-stream"));
    asked++;
    if (mcpw_str_is(token, "good")) {
        grant->principal = (mcpw_str)MCPW_STR("carol");
        return true;
    }
    if (mcpw_str_is(token, "free")) {
        return true;
    }
    if (mcpw_str_is(token, "weak")) {
        grant->error = "insufficient_scope";
        grant->scope = "tools:call";
    } else if (token.ptr != NULL) {
        grant->error = "invalid_token";
        grant->description = "It is \"not\" known\r\nX: y";
    }
    return false;
}

static void guard(site *s) {
    s->config.authorize = judge;
    s->config.resource = "https://api.example/mcp";
    s->config.authorization_servers = "https://login.example https://second.example";
    s->config.scopes = "tools:call tools:list";
    asked = 0;
    CHECK(site_start(s));
}

#define AT "resource_metadata=\"https://api.example/.well-known/oauth-protected-resource/mcp\""

static void who_has_no_good_token_is_told_what_to_do(void) {
    static const struct {
        const char *lines;
        int status;
        const char *challenge;
    } rows[] = {
        {"", 401, "WWW-Authenticate: Bearer " AT},
        {"Authorization: Bearer bad", 401,
         "WWW-Authenticate: Bearer " AT
         ", error=\"invalid_token\", error_description=\"It is not knownX: y\""},
        {"Authorization: Bearer weak", 403,
         "WWW-Authenticate: Bearer " AT ", error=\"insufficient_scope\", scope=\"tools:call\""},
        {"Authorization: Basic Z29vZA==", 400, "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\""},
        {"Authorization: Bearer", 400, "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\""},
        {"Authorization: Bearer a b", 400, "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\""},
        {"Authorization: Bearer good\n+Authorization: Bearer bad", 400,
         "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        site s = {0};
        guard(&s);
        const response *const r = list(&s, rows[i].lines);
        CHECK(r->status == rows[i].status);
        CHECK(check_that(has_line(r, rows[i].challenge), __FILE__, __LINE__, r->fields));
        CHECK(site_has(r->body, "'error'"));
        site_stop(&s);
    }
}

static void who_is_let_in_is_known_to_handlers(void) {
    static const char *const tokens[][2] = {{"bearer  good", "localhost:8080 carol"},
                                            {"Bearer free", "localhost:8080 "}};
    for (size_t i = 0; i < 2; i++) {
        site s = {0};
        char lines[HTTP_TEXT];
        guard(&s);
        (void)snprintf(lines, sizeof lines, "Mcp-Method: tools/call\nMcp-Name: hello\nAuthorization: %s",
                       tokens[i][0]);
        const response *const r = site_finish(site_post(
            &s, lines, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'hello'}}",
            HTTP_TEXT));
        CHECK(r->status == 200);
        CHECK_STRING(s.heard, tokens[i][1]);
        site_stop(&s);
    }
}

static void nothing_is_asked_for_what_is_refused_before(void) {
    site s = {0};
    guard(&s);
    CHECK(list(&s, "Host: evil.example")->status == 403);
    CHECK(ask(&s, "POST", "/elsewhere", "")->status == 404);
    CHECK(asked == 0);
    site_stop(&s);
}

static void the_metadata_are_there_for_everyone(void) {
    static const char *const paths[] = {"/.well-known/oauth-protected-resource",
                                        "/.well-known/oauth-protected-resource/mcp",
                                        "/.well-known/oauth-protected-resource/mcp?x=1"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        site s = {0};
        guard(&s);
        const response *const r = ask(&s, "GET", paths[i], "");
        CHECK(r->status == 200 && has_line(r, "Content-Type: application/json"));
        CHECK(site_has(r->body, "{'resource':'https://api.example/mcp','authorization_servers':["
                                "'https://login.example','https://second.example'],'scopes_supported':["
                                "'tools:call','tools:list'],'bearer_methods_supported':['header']}"));
        site_stop(&s);
    }
    site s = {0};
    guard(&s);
    CHECK(ask(&s, "POST", paths[0], "")->status == 405);
    CHECK(ask(&s, "GET", "/.well-known/oauth-protected-resource/other", "")->status == 404);
    site_stop(&s);
}

static void a_page_may_read_the_metadata(void) {
    site s = {.config.cors = true, .config.origins = "https://app.example"};
    guard(&s);
    CHECK(has_line(ask(&s, "GET", "/.well-known/oauth-protected-resource", PAGE),
                   "Access-Control-Allow-Origin: https://app.example"));
    CHECK(has_line(list(&s, PAGE), "Access-Control-Allow-Origin: https://app.example"));
    site_stop(&s);
}

static void a_resource_is_a_url(void) {
    static const struct {
        const char *resource;
        const char *at; /* NULL: refused */
    } rows[] = {{"https://a.example", "\"https://a.example/.well-known/oauth-protected-resource\""},
                {"https://a.example/", "\"https://a.example/.well-known/oauth-protected-resource\""},
                {"http://a:8080/x/y", "\"http://a:8080/.well-known/oauth-protected-resource/x/y\""},
                {"a.example", NULL},
                {"https:///x", NULL},
                {"https://a\"b/x", NULL},
                {"", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        site s = {.config.authorize = judge, .config.resource = rows[i].resource};
        const bool started = site_start(&s);
        CHECK(started == (rows[i].at != NULL));
        if (started) {
            CHECK(names(list(&s, ""), rows[i].at));
        }
        site_stop(&s);
    }
}

/* ---- Memory ---- */

static bool fail_nth(size_t n) {
    site s = {.config.cors = true,
              .config.origins = "https://app.example",
              .config.authorize = judge,
              .config.resource = "https://api.example/mcp",
              .config.authorization_servers = "https://login.example"};
    s.memory.stingy = true;
    s.memory.fail_at = n;
    if (site_start(&s)) {
        (void)ask(&s, "OPTIONS", "/mcp",
                  PAGE ASKS "Access-Control-Request-Headers: mcp-param-a, mcp-param-b");
        (void)ask(&s, "GET", "/.well-known/oauth-protected-resource", PAGE);
        (void)list(&s, PAGE "Authorization: Bearer bad");
        const response *const r = list(&s, PAGE "Authorization: Bearer good");
        CHECK(r->status == 0 || r->status == 200 || r->status == 503);
    }
    const bool failed = s.memory.calls >= n;
    site_stop(&s);
    return failed;
}

static void any_allocation_may_fail(void) {
    enum { FEWEST = 20, MOST = 1000 };
    size_t n = 1;
    while (n < MOST && fail_nth(n)) {
        n++;
    }
    CHECK(n >= FEWEST && n < MOST);
}

int main(void) {
    RUN(nothing_is_said_of_pages_unless_that_is_asked_for);
    RUN(each_response_says_who_may_read_it);
    RUN(caches_are_told_that_answers_differ);
    RUN(other_pages_get_nothing);
    RUN(every_origin_is_named_as_it_is);
    RUN(what_is_asked_before_a_request_is_answered);
    RUN(who_has_no_good_token_is_told_what_to_do);
    RUN(who_is_let_in_is_known_to_handlers);
    RUN(nothing_is_asked_for_what_is_refused_before);
    RUN(the_metadata_are_there_for_everyone);
    RUN(a_page_may_read_the_metadata);
    RUN(a_resource_is_a_url);
    RUN(any_allocation_may_fail);
    return check_end();
}
