/* SPDX-License-Identifier: MIT */
/* A protected server over HTTP, with a verifier of its own. */
#ifndef MCPW_TESTS_PROTECT_HARNESS_H
#define MCPW_TESTS_PROTECT_HARNESS_H

#include <mcpw/http_protect.h>

#include "http_sessions.h"

#define ISSUER "https://login.example"
#define OTHER_ISSUER "https://other.example"
#define AT "resource_metadata=\"https://api.example/.well-known/oauth-protected-resource/mcp\""
#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"
#define SECRET "s3cret"

enum { PENDING_MOST = 8, LIFETIME = 5000, TIMEOUT = 10000, WAITS_LONG = 60000 };

/* A verifier for tests. A token is "SUBJECT/SCOPE,SCOPE". A mark may precede it: '~' for a
 * verdict that comes later, '@' for another issuer, '!' for a grant that ends soon. Some words have a
 * meaning. */
typedef struct stub {
    mcpw_http_verifier verifier;
    mcpw_http_exchange *pending[PENDING_MOST];
    char tokens[PENDING_MOST][VISITOR_LINE];
    int pending_count;
    int asked;
    int cancelled;
    char token[VISITOR_LINE]; /* the last one; verdicts point into it */
    char seen[HTTP_TEXT];     /* the last credentials, without the token */
} stub;

static inline mcpw_status decide(const char *token, mcpw_http_verdict *v) {
    static char scopes[VISITOR_LINE];
    static const struct {
        const char *word;
        mcpw_http_outcome outcome;
    } words[] = {{"bad", MCPW_HTTP_INVALID_TOKEN},
                 {"proof", MCPW_HTTP_INVALID_PROOF},
                 {"nonce", MCPW_HTTP_NEEDS_NONCE},
                 {"down", MCPW_HTTP_UNVERIFIABLE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(token, words[i].word) == 0) {
            v->outcome = words[i].outcome;
            v->description = "it is not good";
            v->dpop_nonce = v->outcome == MCPW_HTTP_NEEDS_NONCE ? (mcpw_str)MCPW_STR("n-1") : v->dpop_nonce;
            return MCPW_OK;
        }
    }
    const char *const name = token + strspn(token, "~@!");
    const size_t len = strcspn(name, "/");
    (void)snprintf(scopes, sizeof scopes, "%s", name[len] == '/' ? name + len + 1 : "");
    for (char *c = scopes; *c != '\0'; c++) {
        *c = *c == ',' ? ' ' : *c;
    }
    v->outcome = MCPW_HTTP_VALID;
    v->issuer = mcpw_str_from(strchr(token, '@') != NULL ? OTHER_ISSUER : ISSUER);
    v->subject = (mcpw_str){name, len};
    v->client_id = (mcpw_str)MCPW_STR("client");
    v->scopes = mcpw_str_from(scopes);
    v->expires_at = 1800000000000;
    v->lifetime_ms = strchr(token, '!') != NULL ? LIFETIME : 0;
    if (strncmp(token, "anyone", sizeof "anyone" - 1) == 0) { /* neither a subject nor a client */
        v->subject = v->client_id = (mcpw_str){NULL, 0};
    } else if (strncmp(token, "anywhere", sizeof "anywhere" - 1) == 0) {
        v->issuer = (mcpw_str){NULL, 0};
    } else if (strncmp(token, "elsewhere", sizeof "elsewhere" - 1) == 0) {
        v->issuer = (mcpw_str)MCPW_STR(ISSUER " " ISSUER); /* a principal has a space after its issuer */
    }
    return strcmp(token, "broken") == 0 ? MCPW_E_IO : MCPW_OK;
}

static inline mcpw_status verify(void *self, mcpw_http_exchange *exchange, const mcpw_http_credentials *c,
                                 mcpw_http_verdict *verdict) {
    stub *const s = self;
    char *const token = s->token;
    (void)snprintf(token, sizeof s->token, "%.*s", (int)c->token.len, c->token.ptr);
    (void)snprintf(s->seen, sizeof s->seen, "%d %.*s %.*s %.*s %.*s", (int)c->scheme, (int)c->method.len,
                   c->method.ptr, (int)c->url.len, c->url.ptr, (int)c->resource.len, c->resource.ptr,
                   (int)c->proof.len, c->proof.ptr != NULL ? c->proof.ptr : "");
    CHECK(c->struct_size == sizeof *c && mcpw_str_is(mcpw_http_peer(exchange), "192.0.2.1"));
    s->asked++;
    if (token[0] == '~') {
        (void)snprintf(s->tokens[s->pending_count], VISITOR_LINE, "%s", token);
        s->pending[s->pending_count++] = exchange;
        return MCPW_PENDING;
    }
    return decide(token, verdict);
}

static inline void cancel(void *self, mcpw_http_exchange *exchange) {
    stub *const s = self;
    s->cancelled++;
    for (int i = 0; i < s->pending_count; i++) {
        s->pending[i] = s->pending[i] == exchange ? NULL : s->pending[i];
    }
}

/* Gives the pending verdicts. */
static inline void settle(stub *s) {
    const int count = s->pending_count;
    s->pending_count = 0;
    for (int i = 0; i < count; i++) {
        mcpw_http_verdict v = MCPW_HTTP_VERDICT_INIT;
        if (s->pending[i] != NULL) {
            (void)!decide(s->tokens[i] + (strcmp(s->tokens[i], "~bad") == 0), &v);
            mcpw_http_verified(s->pending[i], &v);
        }
    }
}

/* ---- The server ---- */

static char access_heard[HTTP_TEXT];

static inline void hear(const mcpw_request *request) {
    const mcpw_http_access *const a = mcpw_http_access_of(request);
    const mcpw_str principal = mcpw_request_principal(request);
    const mcpw_http_exchange *const e = mcpw_http_exchange_of(request);
    if (a == NULL) {
        (void)snprintf(access_heard, sizeof access_heard, "none");
        return;
    }
    (void)snprintf(access_heard, sizeof access_heard, "%.*s|%.*s|%.*s|%.*s|%lld|%.*s|%d%d%d",
                   (int)a->issuer.len, a->issuer.len != 0 ? a->issuer.ptr : "", (int)a->subject.len,
                   a->subject.len != 0 ? a->subject.ptr : "", (int)a->client_id.len,
                   a->client_id.len != 0 ? a->client_id.ptr : "", (int)a->scopes.len,
                   a->scopes.len != 0 ? a->scopes.ptr : "", (long long)a->expires_at, (int)principal.len,
                   principal.len != 0 ? principal.ptr : "",
                   mcpw_http_field_of(e, "authorization").ptr != NULL,
                   mcpw_http_field_of(e, "DPoP").ptr != NULL, mcpw_http_field_of(e, "Cookie").ptr != NULL);
}

static int calls;

static inline mcpw_status answer(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call, (void)user;
    calls++;
    hear(request);
    return mcpw_respond_text(
        request, mcpw_str_from(mcpw_http_has_scope(request, "extra") ? "with extra" : "without extra"));
}

static inline mcpw_status answer_read(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)user;
    calls++;
    return mcpw_respond_resource_text(request, "text/plain", read->uri);
}

static inline mcpw_status answer_prompt(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    (void)get, (void)user;
    calls++;
    return mcpw_respond_prompt_text(request, MCPW_STR_VALUE("hi"));
}

static inline mcpw_status complete(mcpw_request *request, const mcpw_completion *completion, void *user) {
    const mcpw_str value = MCPW_STR("one");
    (void)completion, (void)user;
    calls++;
    return mcpw_respond_completion(request, &value, 1);
}

static inline void offer(site *s) {
    const mcpw_tool guarded = {.name = "guarded", .call = answer, .user = s, .scopes = "tools:guarded"};
    const mcpw_tool other = {.name = "other", .call = answer, .user = s, .scopes = "extras"};
    const mcpw_resource resource = {
        .uri = "test://static", .name = "static", .read = answer_read, .scopes = "resources:static"};
    const mcpw_resource_template family = {.uri_template = "test://template/{id}/data",
                                           .name = "template",
                                           .read = answer_read,
                                           .complete = complete,
                                           .scopes = "resources:any resources:template:{id}"};
    const mcpw_prompt prompt = {
        .name = "hi", .get = answer_prompt, .complete = complete, .scopes = "prompts:hi"};
    CHECK(mcpw_server_add_tool(s->tools, &guarded, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_tool(s->tools, &other, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource(s->tools, &resource, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_resource_template(s->tools, &family, NULL) == MCPW_OK);
    CHECK(mcpw_server_add_prompt(s->tools, &prompt, NULL) == MCPW_OK);
    calls = 0;
}

typedef struct fixture {
    site site;
    stub stub;
    mcpw_http_protect protect;
} fixture;

static const mcpw_http_method_scopes method_scopes[] = {
    {"tools/call", "tools:call"}, {"resources/read", "resources:read"}, {"prompts/get", "prompts:get"}};
static const mcpw_http_scope broader[] = {
    {"admin", "writer extra"}, {"writer", "tools:* resources:*"}, {"tools:all", "tools:*"}};

static inline void prepare(fixture *f) {
    memset(f, 0, sizeof *f);
    f->stub.verifier = (mcpw_http_verifier)MCPW_HTTP_VERIFIER_INIT;
    f->stub.verifier.self = &f->stub;
    f->stub.verifier.verify = verify;
    f->stub.verifier.cancel = cancel;
    f->protect = (mcpw_http_protect)MCPW_HTTP_PROTECT_INIT;
    f->protect.resource = "https://api.example/mcp";
    f->protect.authorization_servers = ISSUER " " OTHER_ISSUER;
    f->protect.verifier = &f->stub.verifier;
    f->protect.methods = method_scopes;
    f->protect.method_count = sizeof method_scopes / sizeof *method_scopes;
    f->protect.contains = broader;
    f->protect.contain_count = sizeof broader / sizeof *broader;
    f->site.config.protect = &f->protect;
}

static inline void start(fixture *f) {
    CHECK(site_start(&f->site));
    offer(&f->site);
}

static inline void begin(fixture *f) {
    prepare(f);
    start(f);
}

/* ---- Requests ---- */

/* The response to a message that may repeat its method and name in the header. */
static inline const response *say(fixture *f, const char *credentials, const char *lines, const char *body) {
    char all[2 * HTTP_TEXT];
    (void)snprintf(all, sizeof all, "%s%s%s", lines, *lines != '\0' && *credentials != '\0' ? "\n" : "",
                   credentials);
    return site_finish(site_post(&f->site, all, body, HTTP_TEXT));
}

static inline const response *list(fixture *f, const char *credentials) {
    return say(f, credentials, "", LIST);
}

static inline const response *call_tool(fixture *f, const char *credentials, const char *tool) {
    char lines[HTTP_TEXT];
    char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: tools/call\nMcp-Name: %s", tool);
    (void)snprintf(body, sizeof body,
                   "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{$M,'name':'%s'}}", tool);
    return say(f, credentials, lines, body);
}

static inline const response *read_uri(fixture *f, const char *credentials, const char *uri) {
    char lines[HTTP_TEXT];
    char body[HTTP_TEXT];
    (void)snprintf(lines, sizeof lines, "Mcp-Method: resources/read\nMcp-Name: %s", uri);
    (void)snprintf(body, sizeof body,
                   "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{$M,'uri':'%s'}}", uri);
    return say(f, credentials, lines, body);
}

static inline bool has_line(const response *r, const char *line) {
    const char *const at = strstr(r->fields, line);
    const bool has = at != NULL && (at == r->fields || at[-1] == '\n') && at[strlen(line)] == '\n';
    return check_that(has, __FILE__, __LINE__, r->fields);
}

#define BEARER(token) "Authorization: Bearer " token
#define DPOP(token) "Authorization: DPoP " token "\nDPoP: proof-1"

#endif
