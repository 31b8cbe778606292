/* SPDX-License-Identifier: MIT */
/* Mistakes for which other servers got advisories, by their classes. None of them can be made here. The table
 * in SECURITY.md names more tests of each class. */
#include "http_sessions.h"

#include <mcpw/system.h>

enum { RANDOM_BYTES = 24 };

static unsigned char next_byte; /* of the bytes that are no longer random */

/* Stands in the place of the library's own. */
mcpw_status mcpw_random(void *bytes, size_t len) {
    unsigned char *const out = bytes;
    for (size_t i = 0; i < len; i++) {
        out[i] = next_byte++;
    }
    return MCPW_OK;
}

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"
#define CALL "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'hello'}}"
#define CALLS "Mcp-Method: tools/call\nMcp-Name: hello\n"
#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool admit(void *user, const mcpw_http_exchange *exchange, mcpw_str token, mcpw_http_grant *grant) {
    (void)user;
    (void)exchange;
    grant->principal = (mcpw_str)MCPW_STR("carol");
    return mcpw_str_is(token, "good");
}

/* The status of a call, and whether its handler ran. */
static int call_with(const mcpw_http_config *config, const char *lines, bool *ran) {
    char all[HTTP_TEXT];
    site s = {.config = *config};
    CHECK(site_start(&s));
    (void)snprintf(all, sizeof all, CALLS "%s", lines);
    const int status = site_finish(site_post(&s, all, CALL, HTTP_TEXT))->status;
    *ran = s.heard[0] != '\0';
    site_stop(&s);
    return status;
}

/* ---- DNS rebinding (CVE-2025-66414, CVE-2025-66416, CVE-2026-34742, CVE-2026-35568, CVE-2026-42559,
 * CVE-2026-63118) ---- */

static void dns_rebinding_a_server_at_its_defaults_runs_nothing_for_a_foreign_name(void) {
    static const char *const lines[] = {"Host: evil.example",
                                        "Host: evil.example:8080",
                                        "Host: 192.0.2.7:8080",
                                        "Host: localhost.evil.example",
                                        "Origin: http://evil.example",
                                        "Origin: null",
                                        "Host: evil.example\nOrigin: http://evil.example"};
    const mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    bool ran = false;
    CHECK(call_with(&config, "", &ran) == 200 && ran);
    for (size_t i = 0; i < COUNT(lines); i++) {
        CHECK(call_with(&config, lines[i], &ran) == 403 && !ran);
    }
}

/* ---- Cross-site POST (CVE-2026-33252) ---- */

/* A page may send these types without asking first. */
static const char *const simple_types[] = {"Content-Type: text/plain",
                                           "Content-Type: text/plain; application/json",
                                           "Content-Type: application/x-www-form-urlencoded",
                                           "Content-Type: multipart/form-data; boundary=x",
                                           "Content-Type:",
                                           "Content-Type:-"};

static void cross_site_posts_of_simple_types_are_refused_with_and_without_a_token(void) {
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    char lines[HTTP_TEXT];
    bool ran = false;
    for (size_t i = 0; i < COUNT(simple_types); i++) {
        CHECK(call_with(&config, simple_types[i], &ran) == 415 && !ran);
    }
    config.authorize = admit;
    CHECK(call_with(&config, "Authorization: Bearer good", &ran) == 200 && ran);
    for (size_t i = 0; i < COUNT(simple_types); i++) {
        (void)snprintf(lines, sizeof lines, "Authorization: Bearer good\n%s", simple_types[i]);
        CHECK(call_with(&config, lines, &ran) == 415 && !ran);
    }
}

static void cross_site_posts_with_a_good_token_need_an_allowed_origin(void) {
    mcpw_http_config config = MCPW_HTTP_CONFIG_INIT;
    bool ran = false;
    config.authorize = admit;
    CHECK(call_with(&config, "Authorization: Bearer good\nOrigin: https://evil.example", &ran) == 403 &&
          !ran);
    config.origins = "https://app.example";
    CHECK(call_with(&config, "Authorization: Bearer good\nOrigin: https://evil.example", &ran) == 403 &&
          !ran);
    CHECK(call_with(&config, "Authorization: Bearer good\nOrigin: https://app.example", &ran) == 200 && ran);
}

/* ---- Wildcard CORS (CVE-2026-34237) ---- */

static void wildcard_cors_is_never_sent(void) {
    static const char *const origins[] = {"*", "https://app.example"};
    static const char *const methods[] = {"OPTIONS", "GET", "DELETE", "POST"};
    for (size_t i = 0; i < COUNT(origins); i++) {
        for (size_t m = 0; m < COUNT(methods); m++) {
            mcpw_status status;
            site s = {.config.cors = true, .config.origins = origins[i]};
            CHECK(site_start(&s));
            const response *const r = site_finish(
                site_begin(&s, methods[m], "/mcp",
                           "Origin: https://app.example\nAccess-Control-Request-Method: POST", &status));
            CHECK(strstr(r->fields, "Access-Control-Allow-Origin: *") == NULL);
            CHECK(strstr(r->fields, "Access-Control-Allow-Credentials") == NULL);
            CHECK(m != 0 || strstr(r->fields, "Allow-Origin: https://app.example\n") != NULL);
            site_stop(&s);
        }
    }
}

/* ---- Sessions (CVE-2025-6515, CVE-2026-25536, CVE-2026-33946, CVE-2026-52869, CVE-2026-67431), and the
 * tasks in them (CVE-2026-52870) ---- */

static void session_hijacking_an_id_is_made_of_random_bytes_alone(void) {
    static site s;
    visitor v;
    unsigned char expected[RANDOM_BYTES];
    mcpw_arena arena = MCPW_ARENA_INIT;
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    next_byte = 100;
    CHECK(mcpw_random(expected, sizeof expected) == MCPW_OK);
    next_byte = 100;
    visitor_open(&s, &v, "2025-11-25");
    const mcpw_str text = mcpw_base64_encode(&arena, expected, sizeof expected);
    CHECK_TEXT(v.id, strlen(v.id), text.ptr != NULL ? text.ptr : "");
    mcpw_arena_free(&arena);
    site_stop(&s);
}

static void session_hijacking_another_principal_reads_and_ends_nothing(void) {
    static site s;
    visitor v;
    response r = {0};
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    visitor_open(&s, &v, "2025-11-25");
    mcpw_http_exchange *const stream = visitor_get(&v, NULL);
    site_take(stream, &r);
    s.principal = "mallory";
    CHECK(visitor_say(&v, CALL_TOOL("hello"))->status == 404 && s.heard[0] == '\0');
    CHECK(site_finish(visitor_get(&v, NULL))->status == 404);
    CHECK(site_finish(visitor_get(&v, "0-0"))->status == 404);
    CHECK(visitor_leave(&v)->status == 404);
    site_take(stream, &r);
    CHECK(!r.ended); /* nobody took it over */
    s.principal = NULL;
    CHECK(visitor_say(&v, CALL_TOOL("hello"))->status == 200);
    mcpw_http_close(stream);
    site_stop(&s);
}

/* Two clients use the same request ids and progress tokens at the same time. */
static void session_hijacking_answers_reach_the_client_that_asked(void) {
    static site s;
    visitor a;
    visitor b;
    response of_a = {0};
    response of_b = {0};
    memset(&s, 0, sizeof s);
    CHECK(site_start(&s));
    visitor_open(&s, &a, "2025-11-25");
    visitor_open(&s, &b, "2025-11-25");
    mcpw_http_exchange *const first = visitor_post(&a, CALL_TOOL("keep"));
    mcpw_http_exchange *const second = visitor_post(&b, CALL_TOOL("keep"));
    CHECK(mcpw_respond_text(s.kept[1], MCPW_STR_VALUE("for b")) == MCPW_OK);
    CHECK(mcpw_respond_text(s.kept[0], MCPW_STR_VALUE("for a")) == MCPW_OK);
    site_take(first, &of_a);
    site_take(second, &of_b);
    CHECK(site_has(of_a.body, "'for a'") && !site_has(of_a.body, "'for b'"));
    CHECK(site_has(of_b.body, "'for b'") && !site_has(of_b.body, "'for a'"));
    mcpw_http_close(first);
    mcpw_http_close(second);
    site_stop(&s);
}

/* ---- Floods of sessions (CVE-2026-59951, CVE-2026-63128, CVE-2026-67430) ---- */

static void session_floods_a_broken_initialize_takes_no_place(void) {
    static const char *const broken[] = {
        "{'jsonrpc':'2.0','id':0,'method':'initialize'}",
        "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}",
        "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':7,'capabilities':{},"
        "'clientInfo':{'name':'c','version':'1'}}}",
        "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
        "'capabilities':{},'clientInfo':{'name':'c'}}}",
        "{'jsonrpc':'2.0','method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{},"
        "'clientInfo':{'name':'c','version':'1'}}}",
        "{'jsonrpc':'2.0','id':0,'method':'initialize',"};
    static site s;
    visitor v;
    memset(&s, 0, sizeof s);
    s.config.max_sessions = 1;
    CHECK(site_start(&s));
    for (size_t i = 0; i < COUNT(broken); i++) {
        (void)visitor_open_by(&s, &v, broken[i]);
        CHECK(v.id[0] == '\0');
    }
    visitor_open(&s, &v, "2025-11-25");
    CHECK(visitor_open_by(&s, &v, INITIALIZE("2025-11-25")) == 503);
    site_stop(&s);
}

/* ---- Floods of bytes (CVE-2026-63658, CVE-2026-67432) ---- */

static void body_floods_end_while_they_come(void) {
    enum { MOST = 1000, PIECE = 100 };
    char piece[PIECE];
    response r = {0};
    mcpw_status status;
    size_t sent = 0;
    site s = {.config.max_body = MOST};
    memset(piece, ' ', sizeof piece);
    CHECK(site_start(&s));
    mcpw_http_exchange *const e = site_begin(&s, "POST", "/mcp", "Mcp-Method: tools/list", &status);
    for (; r.status == 0 && sent < 2 * MOST; sent += PIECE) { /* no length was given */
        mcpw_http_body(e, piece, sizeof piece);
        site_take(e, &r);
    }
    CHECK(r.status == 413 && sent == MOST + PIECE);
    const size_t before = s.memory.in_use;
    mcpw_http_body(e, piece, sizeof piece);
    CHECK(s.memory.in_use == before);
    mcpw_http_close(e);
    site_stop(&s);
}

/* ---- Keys of JSON (CVE-2026-27896, GHSA-q382-vc8q-7jhj) ---- */

static void json_keys_have_one_spelling(void) {
    static const struct {
        const char *lines;
        const char *body;
    } rows[] = {
        {"", "{'jsonrpc':'2.0','id':1,'Method':'tools/list','params':{$M}}"},
        {"", "{'jsonrpc':'2.0','id':1,'method\\u0000x':'tools/list','params':{$M}}"},
        {"", "{'jsonrpc':'2.0','id':1,'method\\u0000':'tools/list','params':{$M}}"},
        {"", "{'jsonrpc':'2.0','id':1,'m\\u0065thod':'tools/list','method':'tools/list','params':{$M}}"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list','method':'tools/call','params':{$M}}"},
        {"", "{'jsonrpc':'2.0','id':1,'method':'tools/list\\u0000','params':{$M}}"},
        {CALLS, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'Name':'hello'}}"},
        {CALLS, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name\\u0000':'hello'}}"},
        {CALLS, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'hello\\u0000x'}}"},
        {CALLS, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'hello',"
                "'n\\u0061me':'hello'}}"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        site s = {0};
        CHECK(site_start(&s));
        const response *const r = site_finish(site_post(&s, rows[i].lines, rows[i].body, HTTP_TEXT));
        if (!site_has(r->body, "'error'") || s.heard[0] != '\0') {
            (void)fprintf(stderr, "%s\n%d %s\n", rows[i].body, r->status, r->body);
            CHECK(false);
        }
        site_stop(&s);
    }
}

int main(void) {
    RUN(dns_rebinding_a_server_at_its_defaults_runs_nothing_for_a_foreign_name);
    RUN(cross_site_posts_of_simple_types_are_refused_with_and_without_a_token);
    RUN(cross_site_posts_with_a_good_token_need_an_allowed_origin);
    RUN(wildcard_cors_is_never_sent);
    RUN(session_hijacking_an_id_is_made_of_random_bytes_alone);
    RUN(session_hijacking_another_principal_reads_and_ends_nothing);
    RUN(session_hijacking_answers_reach_the_client_that_asked);
    RUN(session_floods_a_broken_initialize_takes_no_place);
    RUN(body_floods_end_while_they_come);
    RUN(json_keys_have_one_spelling);
    return check_end();
}
