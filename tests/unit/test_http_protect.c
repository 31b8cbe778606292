/* SPDX-License-Identifier: MIT */
/* A protected server: challenges, and verdicts that come at once or later. */
#include "protect_harness.h"

/* ---- Challenges ---- */

static void a_request_without_a_token_is_told_where_to_get_one(void) {
    fixture f;
    prepare(&f);
    f.protect.scopes = "mcp";
    start(&f);
    const response *const r = list(&f, "");
    CHECK(r->status == 401 && f.stub.asked == 0 && f.site.sessions == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT ", scope=\"mcp\""));
    site_stop(&f.site);
}

#define OF_NOBODY                                                                                            \
    "WWW-Authenticate: Bearer " AT                                                                           \
    ", error=\"invalid_token\", error_description=\"the token names no issuer, "                             \
    "or neither a subject nor a client\", scope=\"mcp\""

static void each_verdict_has_its_status_and_challenge(void) {
    static const struct {
        const char *credentials;
        int status;
        const char *challenge;
    } rows[] = {
        {BEARER("bad"), 401,
         "WWW-Authenticate: Bearer " AT ", error=\"invalid_token\", error_description=\"it is not good\", "
         "scope=\"mcp\""},
        {BEARER("/mcp"), 200, NULL}, /* no subject, but a client */
        {BEARER("anyone/mcp"), 401, OF_NOBODY},
        {BEARER("anywhere/mcp"), 401, OF_NOBODY},
        {BEARER("elsewhere/mcp"), 401, OF_NOBODY},
        {BEARER("down"), 503, NULL},
        {BEARER("broken"), 503, NULL},
        {BEARER("alice"), 403,
         "WWW-Authenticate: Bearer " AT ", error=\"insufficient_scope\", scope=\"mcp\""},
        {BEARER("alice/mcp"), 200, NULL},
        {DPOP("alice/mcp"), 401, "WWW-Authenticate: Bearer " AT ", scope=\"mcp\""},
        {"Authorization: Basic eA==", 400,
         "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\", scope=\"mcp\""},
        {BEARER("a b"), 400, "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\", scope=\"mcp\""},
        {BEARER("alice/mcp") "\n+Authorization: Bearer bad", 400,
         "WWW-Authenticate: Bearer " AT ", error=\"invalid_request\", scope=\"mcp\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        prepare(&f);
        f.protect.scopes = "mcp";
        start(&f);
        const response *const r = list(&f, rows[i].credentials);
        CHECK(check_that(r->status == rows[i].status, __FILE__, __LINE__, rows[i].credentials));
        CHECK(rows[i].challenge == NULL || has_line(r, rows[i].challenge));
        CHECK(rows[i].challenge != NULL || strstr(r->fields, "WWW-Authenticate") == NULL);
        site_stop(&f.site);
    }
}

static void proofs_are_demanded_with_their_algorithms(void) {
    static const struct {
        const char *credentials;
        const char *challenges[2];
        bool has_nonce;
    } rows[] = {
        {"", {"WWW-Authenticate: Bearer " AT, "WWW-Authenticate: DPoP " AT ", algs=\"ES256 EdDSA\""}, false},
        {DPOP("proof"),
         {"WWW-Authenticate: DPoP " AT
          ", error=\"invalid_dpop_proof\", error_description=\"it is not good\", "
          "algs=\"ES256 EdDSA\"",
          "WWW-Authenticate: Bearer " AT},
         false},
        {DPOP("nonce"),
         {"WWW-Authenticate: DPoP " AT ", error=\"use_dpop_nonce\", error_description=\"it is not good\", "
          "algs=\"ES256 EdDSA\"",
          "WWW-Authenticate: Bearer " AT},
         true},
        {BEARER("bad"),
         {"WWW-Authenticate: Bearer " AT ", error=\"invalid_token\", error_description=\"it is not good\"",
          "WWW-Authenticate: DPoP " AT ", algs=\"ES256 EdDSA\""},
         false},
        {"Authorization: DPoP alice",
         {"WWW-Authenticate: DPoP " AT
          ", error=\"invalid_dpop_proof\", error_description=\"a request has one "
          "proof, in the field DPoP\", algs=\"ES256 EdDSA\"",
          "WWW-Authenticate: Bearer " AT},
         false},
        {DPOP("alice") "\n+DPoP: proof-2",
         {"WWW-Authenticate: DPoP " AT
          ", error=\"invalid_dpop_proof\", error_description=\"a request has one "
          "proof, in the field DPoP\", algs=\"ES256 EdDSA\"",
          "WWW-Authenticate: Bearer " AT},
         false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        prepare(&f);
        f.stub.verifier.dpop_algorithms = "ES256 EdDSA";
        start(&f);
        const response *const r = list(&f, rows[i].credentials);
        CHECK(r->status == 401 && f.site.sessions == 0);
        CHECK(has_line(r, rows[i].challenges[0]) && has_line(r, rows[i].challenges[1]));
        CHECK((strstr(r->fields, "DPoP-Nonce: n-1\n") != NULL) == rows[i].has_nonce);
        site_stop(&f.site);
    }
}

static void a_verifier_gets_scheme_method_url_and_proof(void) {
    fixture f;
    prepare(&f);
    f.stub.verifier.dpop_algorithms = "ES256";
    start(&f);
    CHECK(list(&f, DPOP("alice"))->status == 200);
    CHECK_STRING(f.stub.seen, "2 POST https://api.example/mcp https://api.example/mcp proof-1");
    CHECK(list(&f, BEARER("alice") "\nDPoP: proof-1")->status == 200);
    CHECK_STRING(f.stub.seen, "1 POST https://api.example/mcp https://api.example/mcp ");
    site_stop(&f.site);
}

static void bearer_tokens_are_refused_if_proofs_are_required(void) {
    fixture f;
    prepare(&f);
    f.stub.verifier.dpop_algorithms = "ES256";
    f.stub.verifier.dpop_required = true;
    start(&f);
    const response *r = list(&f, BEARER("alice"));
    CHECK(r->status == 401 && f.stub.asked == 0);
    CHECK(has_line(r, "WWW-Authenticate: DPoP " AT ", error=\"invalid_token\", error_description=\"the token "
                      "must come with a proof, by the scheme DPoP\", algs=\"ES256\""));
    CHECK(strstr(r->fields, "Bearer") == NULL);
    r = list(&f, "");
    CHECK(has_line(r, "WWW-Authenticate: DPoP " AT ", algs=\"ES256\""));
    site_stop(&f.site);
}

static void the_metadata_name_resource_issuers_and_proofs(void) {
    fixture f;
    mcpw_status status;
    prepare(&f);
    f.protect.scopes = "mcp";
    f.stub.verifier.dpop_algorithms = "ES256";
    start(&f);
    const response *const r =
        site_finish(site_begin(&f.site, "GET", "/.well-known/oauth-protected-resource/mcp", "", &status));
    CHECK(r->status == 200);
    CHECK(site_has(r->body, "{'resource':'https://api.example/mcp','authorization_servers':['" ISSUER
                            "','" OTHER_ISSUER "'],'scopes_supported':['mcp'],'bearer_methods_supported':["
                            "'header'],'dpop_signing_alg_values_supported':['ES256'],"
                            "'dpop_bound_access_tokens_required':false}"));
    site_stop(&f.site);
}

static void a_token_in_the_url_is_not_read(void) {
    fixture f;
    mcpw_status status;
    begin(&f);
    mcpw_http_exchange *const e = site_begin(&f.site, "POST", "/mcp?access_token=alice", "", &status);
    CHECK(site_finish(e)->status == 401 && f.stub.asked == 0);
    site_stop(&f.site);
}

static void a_protection_must_be_whole(void) {
    static const mcpw_http_scope cycle[] = {{"a", "b"}, {"b", "c x"}, {"c", "a"}};
    static const mcpw_http_scope self[] = {{"a", "a"}};
    static const mcpw_http_scope two_words[] = {{"a b", "c"}};
    static const mcpw_http_method_scopes quoted[] = {{"tools/call", "a\"b"}};
    static const mcpw_http_method_scopes unnamed[] = {{NULL, "a"}};
    for (int i = 0; i < 17; i++) {
        fixture f;
        prepare(&f);
        f.protect.resource = i == 0   ? NULL
                             : i == 1 ? "http://api.example/mcp"
                             : i == 2 ? "https://api.example/mcp?x"
                             : i == 3 ? "https://api.example/mcp#x"
                             : i == 4 ? "https://user@api.example/mcp"
                                      : f.protect.resource;
        f.protect.authorization_servers = i == 5 ? NULL : i == 6 ? " " : f.protect.authorization_servers;
        f.protect.verifier = i == 7 ? NULL : f.protect.verifier;
        f.stub.verifier.verify = i == 8 ? NULL : verify;
        f.protect.contains = i == 9 ? cycle : i == 10 ? self : i == 11 ? two_words : f.protect.contains;
        f.protect.contain_count = i == 9 ? 3 : i == 10 || i == 11 ? 1 : f.protect.contain_count;
        f.protect.methods = i == 12 ? quoted : i == 13 ? unnamed : f.protect.methods;
        f.protect.method_count = i == 12 || i == 13 ? 1 : f.protect.method_count;
        f.protect.scopes = i == 14 ? "mcp offline_access" : NULL;
        f.site.config.scopes = i == 15 ? "mcp" : NULL;
        f.protect.contain_count = i == 16 ? MCPW_HTTP_MOST_SCOPES + 1 : f.protect.contain_count;
        CHECK(check_that(!site_start(&f.site), __FILE__, __LINE__, f.protect.resource));
        site_stop(&f.site);
    }
    fixture f;
    prepare(&f);
    f.protect.resource = "http://localhost:8080/mcp";
    CHECK(site_start(&f.site));
    site_stop(&f.site);
}

/* ---- Verdicts that come later ---- */

static mcpw_http_exchange *post_slowly(fixture *f, const char *token, const char *body) {
    char lines[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s", token);
    return site_post(&f->site, lines, body, 7);
}

static void a_verdict_may_come_after_the_body(void) {
    fixture f;
    response r = {0};
    begin(&f);
    mcpw_http_exchange *const e = post_slowly(&f, "~alice", LIST);
    site_take(e, &r);
    CHECK(r.status == 0 && f.stub.pending_count == 1 && f.site.sessions == 0);
    settle(&f.stub);
    CHECK(mcpw_http_ready(f.site.http) == e);
    site_take(e, &r);
    CHECK(r.status == 200 && r.ended && strstr(r.body, "guarded") != NULL);
    mcpw_http_close(e);
    CHECK(f.stub.cancelled == 0);
    site_stop(&f.site);
}

/* The subject is a part of the token, which lives until the verdict was given. */
static mcpw_http_credentials kept;

static mcpw_status keep(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *c,
                        mcpw_http_verdict *verdict) {
    (void)self, (void)exchange, (void)verdict;
    kept = *c;
    return MCPW_PENDING;
}

static void a_late_verdict_may_point_into_the_credentials(void) {
    fixture f;
    prepare(&f);
    f.stub.verifier.verify = keep;
    start(&f);
    mcpw_http_exchange *const e =
        site_post(&f.site, "Mcp-Method: tools/call\nMcp-Name: guarded\n" BEARER("alice.rest"),
                  "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'guarded'}}", HTTP_TEXT);
    mcpw_http_verdict v = MCPW_HTTP_VERDICT_INIT;
    v.outcome = MCPW_HTTP_VALID;
    v.issuer = mcpw_str_from(ISSUER);
    v.subject = (mcpw_str){kept.token.ptr, strlen("alice")};
    v.scopes = mcpw_str_from("writer");
    mcpw_http_verified(e, &v);
    CHECK(site_finish(e)->status == 200);
    CHECK_STRING(access_heard, ISSUER "|alice||writer|0|" ISSUER " alice|000");
    site_stop(&f.site);
}

static void a_verdict_may_come_before_the_body(void) {
    static const char *const tokens[] = {"~alice", "~bad"};
    for (int i = 0; i < 2; i++) {
        fixture f;
        char lines[HTTP_TEXT];
        char body[HTTP_TEXT];
        mcpw_status status;
        begin(&f);
        (void)snprintf(lines, sizeof lines, "Authorization: Bearer %s", tokens[i]);
        site_write(body, sizeof body, LIST);
        mcpw_http_exchange *const e = site_begin(&f.site, "POST", "/mcp", lines, &status);
        mcpw_http_body(e, body, 5);
        settle(&f.stub);
        mcpw_http_body(e, body + 5, strlen(body) - 5);
        mcpw_http_body_end(e);
        CHECK(site_finish(e)->status == (i == 0 ? 200 : 401));
        CHECK(f.stub.cancelled == 0);
        site_stop(&f.site);
    }
}

static void a_late_refusal_is_a_challenge(void) {
    fixture f;
    begin(&f);
    mcpw_http_exchange *const e = post_slowly(&f, "~bad", LIST);
    settle(&f.stub);
    const response *const r = site_finish(e);
    CHECK(r->status == 401 && f.site.sessions == 0);
    CHECK(has_line(r, "WWW-Authenticate: Bearer " AT
                      ", error=\"invalid_token\", error_description=\"it is not good\""));
    site_stop(&f.site);
}

static void a_verdict_that_does_not_come_is_given_up(void) {
    fixture f;
    begin(&f);
    mcpw_http_exchange *const e = post_slowly(&f, "~alice", LIST);
    mcpw_http_advance(f.site.http, TIMEOUT - 1);
    CHECK(mcpw_http_ready(f.site.http) == NULL && f.stub.cancelled == 0);
    CHECK(mcpw_http_deadline(f.site.http) == TIMEOUT);
    mcpw_http_advance(f.site.http, TIMEOUT);
    CHECK(f.stub.cancelled == 1);
    const response *const r = site_finish(e);
    CHECK(r->status == 503 && strstr(r->body, "not verified in time") != NULL);
    site_stop(&f.site);
}

static void the_body_has_its_own_deadline(void) {
    fixture f;
    mcpw_status status;
    prepare(&f);
    f.protect.verify_timeout_ms = WAITS_LONG;
    start(&f);
    mcpw_http_exchange *const e = site_begin(&f.site, "POST", "/mcp", BEARER("~alice"), &status);
    mcpw_http_advance(f.site.http, 30000);
    CHECK(f.stub.cancelled == 1 && site_finish(e)->status == 408);
    site_stop(&f.site);
}

static void a_verifier_learns_that_the_peer_has_gone(void) {
    fixture f;
    begin(&f);
    mcpw_http_exchange *const e = post_slowly(&f, "~alice", LIST);
    mcpw_http_close(e);
    CHECK(f.stub.cancelled == 1 && f.stub.pending[0] == NULL);
    site_stop(&f.site);
}

static void a_server_that_stops_gives_up_its_verdicts(void) {
    fixture f;
    begin(&f);
    mcpw_http_exchange *const e = post_slowly(&f, "~alice", LIST);
    mcpw_http_server_stop(f.site.http);
    CHECK(f.stub.cancelled == 1 && site_finish(e)->status == 503);
    site_stop(&f.site);
}

static void a_server_that_is_freed_gives_up_its_verdicts(void) {
    fixture f;
    begin(&f);
    CHECK(post_slowly(&f, "~alice", LIST) != NULL);
    site_stop(&f.site);
    CHECK(f.stub.cancelled == 1);
}

static void few_requests_wait_for_a_verdict(void) {
    fixture f;
    prepare(&f);
    f.protect.max_waiting = 2;
    start(&f);
    mcpw_http_exchange *const a = post_slowly(&f, "~a", LIST);
    mcpw_http_exchange *const b = post_slowly(&f, "~b", LIST);
    CHECK(site_finish(post_slowly(&f, "~c", LIST))->status == 503 && f.stub.cancelled == 1);
    CHECK(site_finish(post_slowly(&f, "d", LIST))->status == 200); /* at once */
    settle(&f.stub);
    CHECK(site_finish(a)->status == 200 && site_finish(b)->status == 200);
    CHECK(site_finish(post_slowly(&f, "e", LIST))->status == 200);
    mcpw_http_exchange *const c = post_slowly(&f, "~c", LIST);
    settle(&f.stub);
    CHECK(site_finish(c)->status == 200);
    site_stop(&f.site);
}

static void few_bytes_wait_for_a_verdict(void) {
    static const char some[100] = "";
    fixture f;
    mcpw_status status;
    prepare(&f);
    f.protect.max_waiting_bytes = 150;
    start(&f);
    mcpw_http_exchange *const a = site_begin(&f.site, "POST", "/mcp", BEARER("~a"), &status);
    mcpw_http_exchange *const b = site_begin(&f.site, "POST", "/mcp", BEARER("~b"), &status);
    mcpw_http_body(a, some, sizeof some);
    mcpw_http_body(b, some, sizeof some);
    CHECK(site_finish(b)->status == 503 && f.stub.cancelled == 1);
    mcpw_http_close(a);
    mcpw_http_exchange *const c = site_begin(&f.site, "POST", "/mcp", BEARER("~c"), &status);
    mcpw_http_body(c, some, sizeof some); /* the bytes of the others do not count any more */
    settle(&f.stub);
    mcpw_http_body(c, some, sizeof some); /* nor do these, after the verdict */
    mcpw_http_body_end(c);
    CHECK(site_finish(c)->status == 400); /* it is not JSON */
    site_stop(&f.site);
}

/* A piece of a body that could not be kept does not count. */
static void bytes_without_memory_do_not_wait(void) {
    static const char some[100] = "";
    fixture f;
    mcpw_status status;
    prepare(&f);
    f.protect.max_waiting_bytes = 150;
    start(&f);
    mcpw_http_exchange *const a = site_begin(&f.site, "POST", "/mcp", BEARER("~a"), &status);
    f.site.memory.fail_at = f.site.memory.calls + 1;
    mcpw_http_body(a, some, sizeof some);
    CHECK(f.site.memory.calls >= f.site.memory.fail_at && site_finish(a)->status == 503);
    mcpw_http_exchange *const b = site_begin(&f.site, "POST", "/mcp", BEARER("~b"), &status);
    mcpw_http_body(b, some, sizeof some);
    settle(&f.stub);
    mcpw_http_body_end(b);
    CHECK(site_finish(b)->status == 400); /* it is not JSON */
    site_stop(&f.site);
}

/* ---- Secrets and memory ---- */

static void no_response_repeats_a_token(void) {
    static const char *const credentials[] = {BEARER(SECRET),
                                              BEARER("~" SECRET),
                                              DPOP(SECRET),
                                              "Authorization: Basic " SECRET,
                                              BEARER(SECRET) "\n+Authorization: Bearer " SECRET,
                                              "Authorization: " SECRET,
                                              BEARER(SECRET " " SECRET)};
    for (size_t i = 0; i < sizeof credentials / sizeof *credentials; i++) {
        fixture f;
        begin(&f);
        mcpw_http_exchange *const e = site_post(&f.site, credentials[i], "nonsense", HTTP_TEXT);
        mcpw_http_advance(f.site.http, TIMEOUT);
        const response *const r = site_finish(e);
        CHECK(r->status >= 400);
        CHECK(strstr(r->fields, SECRET) == NULL && strstr(r->body, SECRET) == NULL);
        site_stop(&f.site);
    }
}

static bool fail_nth(size_t n) {
    fixture f;
    prepare(&f);
    f.stub.verifier.dpop_algorithms = "ES256";
    f.site.memory.stingy = true;
    f.site.memory.fail_at = n;
    if (site_start(&f.site)) {
        (void)list(&f, "");
        (void)read_uri(&f, BEARER("alice/resources:read"), "test://template/1/data");
        mcpw_http_exchange *const e = post_slowly(&f, "~alice", LIST);
        settle(&f.stub);
        const response *const r = site_finish(e);
        CHECK(r->status == 0 || r->status == 200 || r->status == 503);
    }
    const bool failed = f.site.memory.calls >= n;
    site_stop(&f.site);
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
    RUN(a_request_without_a_token_is_told_where_to_get_one);
    RUN(each_verdict_has_its_status_and_challenge);
    RUN(proofs_are_demanded_with_their_algorithms);
    RUN(a_verifier_gets_scheme_method_url_and_proof);
    RUN(bearer_tokens_are_refused_if_proofs_are_required);
    RUN(the_metadata_name_resource_issuers_and_proofs);
    RUN(a_token_in_the_url_is_not_read);
    RUN(a_protection_must_be_whole);
    RUN(a_verdict_may_come_after_the_body);
    RUN(a_late_verdict_may_point_into_the_credentials);
    RUN(a_verdict_may_come_before_the_body);
    RUN(a_late_refusal_is_a_challenge);
    RUN(a_verdict_that_does_not_come_is_given_up);
    RUN(the_body_has_its_own_deadline);
    RUN(a_verifier_learns_that_the_peer_has_gone);
    RUN(a_server_that_stops_gives_up_its_verdicts);
    RUN(a_server_that_is_freed_gives_up_its_verdicts);
    RUN(few_requests_wait_for_a_verdict);
    RUN(few_bytes_wait_for_a_verdict);
    RUN(bytes_without_memory_do_not_wait);
    RUN(no_response_repeats_a_token);
    RUN(any_allocation_may_fail);
    return check_end();
}
