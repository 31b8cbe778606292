/* SPDX-License-Identifier: MIT */
/* Whatever allocation fails at a protected server: nobody is let in, a request is refused or served, no
 * response repeats a token, and the next request is served. Verdicts that name nobody let nobody in. */
#include "protect_harness.h"

enum { MOST = 1000, FEWEST = 4 };

static bool is_one_of(const response *r, int status) {
    CHECK(strstr(r->fields, SECRET) == NULL && strstr(r->body, SECRET) == NULL);
    const bool is = r->status == status || r->status == 0 || r->status == 500 || r->status == 503;
    return check_that(is, __FILE__, __LINE__, r->body);
}

static void be_refused(fixture *f) {
    (void)is_one_of(list(f, ""), 401);
    (void)is_one_of(list(f, BEARER("bad")), 401);
    (void)is_one_of(list(f, DPOP("nonce")), 401);
    (void)is_one_of(list(f, DPOP("proof")), 401);
    (void)is_one_of(list(f, BEARER(SECRET " " SECRET)), 400);
    (void)is_one_of(list(f, BEARER("down")), 503);
}

static void lack_scopes(fixture *f) {
    (void)is_one_of(call_tool(f, BEARER(SECRET "/tools:call"), "guarded"), 403);
    (void)is_one_of(call_tool(f, BEARER(SECRET "/more"), "other"), 403);
    (void)is_one_of(read_uri(f, BEARER(SECRET "/resources:read"), "test://template/1/data"), 403);
    CHECK(calls == 0);
}

static void be_served(fixture *f) {
    (void)is_one_of(call_tool(f, BEARER("alice/tools:call,tools:guarded"), "guarded"), 200);
    (void)is_one_of(call_tool(f, DPOP("alice/tools:call,extras"), "other"), 200);
    (void)is_one_of(read_uri(f, BEARER("alice/writer"), "test://template/a%20b/data"), 200);
    (void)is_one_of(read_uri(f, BEARER("alice/resources:read,resources:static"), "test://static"), 200);
}

static void be_anonymous(fixture *f) {
    (void)is_one_of(call_tool(f, "", "hello"), 200);
    (void)is_one_of(call_tool(f, "", "guarded"), 401);
}

static void each_is_told(void (*run)(fixture *f), const char *anonymous) {
    bool failed = true;
    size_t n = 1;
    for (; failed && n < MOST; n++) {
        static fixture f;
        prepare(&f);
        f.stub.verifier.dpop_algorithms = "ES256";
        f.protect.anonymous_scopes = anonymous;
        f.site.memory.stingy = true;
        start(&f);
        f.site.memory.fail_at = f.site.memory.calls + n;
        run(&f);
        failed = f.site.memory.calls >= f.site.memory.fail_at;
        f.site.memory.fail_at = 0;
        CHECK(list(&f, BEARER("alice"))->status == 200);
        site_stop(&f.site);
    }
    CHECK(n > FEWEST && n < MOST);
}

static void a_refusal_lacks_memory(void) { each_is_told(be_refused, NULL); }
static void a_check_of_scopes_lacks_memory(void) { each_is_told(lack_scopes, NULL); }
static void a_token_is_held_or_refused(void) { each_is_told(be_served, NULL); }
static void a_request_without_a_token_lacks_memory(void) { each_is_told(be_anonymous, "tools:call"); }

/* ---- Verdicts that name nobody ------------------------------------------------------------------------- */

static mcpw_http_verdict given;

static mcpw_status give(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *c,
                        mcpw_http_verdict *verdict) {
    (void)self, (void)exchange, (void)c;
    *verdict = given;
    return MCPW_OK;
}

static int status_of(const char *issuer, const char *subject, const char *client) {
    fixture f;
    prepare(&f);
    f.stub.verifier.verify = give;
    given = (mcpw_http_verdict)MCPW_HTTP_VERDICT_INIT;
    given.outcome = MCPW_HTTP_VALID;
    given.issuer = mcpw_str_from(issuer);
    given.subject = mcpw_str_from(subject);
    given.client_id = mcpw_str_from(client);
    start(&f);
    const int status = list(&f, BEARER("any"))->status;
    site_stop(&f.site);
    return status;
}

static void a_verdict_names_an_issuer_and_somebody(void) {
    CHECK(status_of(ISSUER, "ann", NULL) == 200 && status_of(ISSUER, NULL, "client") == 200);
    CHECK(status_of(ISSUER, NULL, NULL) == 401 && status_of(ISSUER, "", "") == 401);
    CHECK(status_of(NULL, "ann", "client") == 401 && status_of("", "ann", "client") == 401);
    CHECK(status_of("https://a b", "ann", NULL) == 401 && status_of("https://a\x7f", "ann", NULL) == 401);
}

static void a_late_verdict_that_is_not_initialised_lets_nobody_in(void) {
    fixture f;
    begin(&f);
    mcpw_http_exchange *const e = site_post(&f.site, BEARER("~alice"), LIST, HTTP_TEXT);
    mcpw_http_verdict bad = MCPW_HTTP_VERDICT_INIT;
    CHECK(f.stub.pending_count == 1);
    (void)!decide("alice", &bad);
    bad.struct_size = 1;
    mcpw_http_verified(f.stub.pending[0], &bad);
    CHECK(site_finish(e)->status == 503 && calls == 0);
    site_stop(&f.site);
}

int main(void) {
    RUN(a_refusal_lacks_memory);
    RUN(a_check_of_scopes_lacks_memory);
    RUN(a_token_is_held_or_refused);
    RUN(a_request_without_a_token_lacks_memory);
    RUN(a_verdict_names_an_issuer_and_somebody);
    RUN(a_late_verdict_that_is_not_initialised_lets_nobody_in);
    return check_end();
}
