/* SPDX-License-Identifier: MIT */
/*
 * A small world for logins: an MCP server, its metadata, two authorization servers, an identity provider, a
 * user and a clock, all in memory. It answers what a client asks, checks what a real server would check, and
 * keeps a log of it. No socket is opened.
 */
#ifndef MCPW_TESTS_OAUTH_WORLD_H
#define MCPW_TESTS_OAUTH_WORLD_H

#include <mcpw/oauth.h>

#include "check.h"
#include "words.h"

#include <sodium.h>
#include <stdlib.h>

#define WORLD_MCP "https://mcp.example.com/mcp"
#define WORLD_ORIGIN "https://mcp.example.com"
#define WORLD_AS "https://as.example.com"
#define WORLD_AS2 "https://as2.example.com"
#define WORLD_REDIRECT "http://127.0.0.1:8765/callback"
#define WORLD_CIMD "https://client.example.com/client.json"
#define WORLD_PRM_PATH WORLD_ORIGIN "/.well-known/oauth-protected-resource/mcp"
#define WORLD_PRM_ROOT WORLD_ORIGIN "/.well-known/oauth-protected-resource"

enum { WORLD_TEXT = 4096, WORLD_LOG = 1 << 16, WORLD_OVERRIDES = 8, WORLD_START_SECONDS = 1800000000 };

/* A response that stands in the place of the world's own. */
typedef struct world_override {
    const char *method; /* NULL: none */
    const char *url;
    int status;
    const char *body;
    const char *location;
} world_override;

/* An authorization server. */
typedef struct world_as {
    const char *issuer;
    const char *metadata_url; /* everything else is not found */
    const char *says_issuer;  /* in its metadata; NULL: issuer */
    const char *methods;      /* token_endpoint_auth_methods_supported, JSON; NULL: absent */
    const char *more;         /* further members of its metadata, each with a comma before it */
    bool no_registration;
    bool no_pkce;
    bool no_iss_support;           /* not advertised */
    const char *iss;               /* in redirects; NULL: issuer; "": none */
    const char *deny;              /* the `error` of redirects */
    const char *registered_method; /* in the answer of a registration; NULL: none */
    unsigned secret_expires_at;    /* of a registered client, in seconds; 0: never */
    const char *known_client;      /* pre-registered; with known_secret */
    const char *known_secret;
    int lifetime; /* of tokens, in seconds; 0: absent */
    bool issues_refresh;
    bool rotates;
    const char *refuse_refresh; /* the error of a refresh */
    const char *token_error;    /* the error of any other token request */
    const char *nonce;          /* which proofs must hold */
    bool changes_nonce;         /* with each answer, so that no proof ever holds it */
    bool ignores_scope;         /* grants nothing that was asked for */
} world_as;

typedef struct world {
    mcpw_oauth_config config;
    mcpw_oauth *oauth;
    mcpw_error error; /* of the last login or request that failed */
    uint64_t now;
    const char *prm_url;   /* NULL: no metadata of the resource */
    const char *prm_named; /* resource_metadata of a 401; NULL: not named */
    const char *resource;
    const char *prm_more; /* further members, each with a comma before it */
    unsigned current_as;  /* whose tokens the MCP server takes */
    const char *scope;    /* of a 401 */
    const char *needs;    /* a scope, else 403 */
    const char *mcp_nonce;
    bool has_both; /* a 403 has a challenge for DPoP, with the error, and one for Bearer */
    world_as as[2];
    world_override overrides[WORLD_OVERRIDES];
    bool is_user_away;
    bool is_silent;    /* nobody answers */
    bool lacks_memory; /* a redirect may find none, and comes again */

    char log[WORLD_LOG];
    size_t log_len;
    unsigned gets, registrations, authorizations, tokens, refreshes, calls, warnings;
    char challenge[WORLD_TEXT]; /* of PKCE */
    char redirect_state[WORLD_TEXT];
    char page[WORLD_TEXT];  /* the last URL that was opened */
    char form[WORLD_TEXT];  /* the last form at a token endpoint */
    char basic[WORLD_TEXT]; /* its Authorization */
    char proof[WORLD_TEXT]; /* its DPoP */
    char mcp_authorization[WORLD_TEXT];
    char mcp_proof[WORLD_TEXT];
    char registration[WORLD_TEXT];
    char asked[WORLD_TEXT];   /* scopes of the last authorization or grant */
    char granted[WORLD_TEXT]; /* scopes of the valid token */
    char token[WORLD_TEXT];   /* that is valid; empty: none */
    char refresh[WORLD_TEXT]; /* likewise */
    unsigned token_as;        /* who issued it */
    char warning[WORLD_TEXT];
    mcpw_arena arena;
} world;

static inline void world_note(world *w, const char *what, mcpw_str text) {
    const int n = snprintf(w->log + w->log_len, sizeof w->log - w->log_len, "%s %.*s\n", what, (int)text.len,
                           text.ptr != NULL ? text.ptr : "");
    w->log_len += n > 0 && (size_t)n < sizeof w->log - w->log_len ? (size_t)n : 0;
}

static inline bool world_saw(const world *w, const char *text) { return strstr(w->log, text) != NULL; }

/* Copies at most what there is room for. */
static inline void world_copy(char *to, mcpw_str text) {
    const size_t len = text.len < WORLD_TEXT - 1 ? text.len : WORLD_TEXT - 1;
    if (len != 0) {
        memcpy(to, text.ptr, len);
    }
    to[len] = '\0';
}

/* A parameter of a form; "" if there is none. Lives as long as the world. */
static inline const char *world_param(world *w, const char *form, const char *name) {
    mcpw_str value = {NULL, 0};
    size_t count = 0;
    const char *const mark = strchr(form, '?');
    const char *const query = mark != NULL ? mark + 1 : form;
    CHECK(mcpw_oauth_form_find(mcpw_str_from(query), name, &w->arena, &value, &count) == MCPW_OK);
    CHECK(count <= 1);
    return value.ptr != NULL ? value.ptr : "";
}

static inline bool world_has_param(world *w, const char *form, const char *name) {
    mcpw_str value = {NULL, 0};
    size_t count = 0;
    const char *const mark = strchr(form, '?');
    CHECK(mcpw_oauth_form_find(mcpw_str_from(mark != NULL ? mark + 1 : form), name, &w->arena, &value,
                               &count) == MCPW_OK);
    return count != 0;
}

static inline void world_on_warning(void *user, const char *message) {
    world *const w = user;
    w->warnings++;
    world_copy(w->warning, mcpw_str_from(message));
}

/* The usual world: metadata named in the 401, one authorization server that registers clients. */
static inline void world_init(world *w) {
    memset(w, 0, sizeof *w);
    w->config = (mcpw_oauth_config)MCPW_OAUTH_CONFIG_INIT;
    w->config.server_url = WORLD_MCP;
    w->config.redirect_uri = WORLD_REDIRECT;
    w->config.on_warning = world_on_warning;
    w->config.user = w;
    w->now = (uint64_t)WORLD_START_SECONDS * 1000;
    w->prm_url = w->prm_named = WORLD_PRM_PATH;
    w->resource = WORLD_MCP;
    for (unsigned i = 0; i < 2; i++) {
        w->as[i].issuer = i == 0 ? WORLD_AS : WORLD_AS2;
        w->as[i].metadata_url = i == 0 ? WORLD_AS "/.well-known/oauth-authorization-server"
                                       : WORLD_AS2 "/.well-known/oauth-authorization-server";
        w->as[i].methods = "[\"none\"]";
        w->as[i].lifetime = 3600;
    }
    w->arena = (mcpw_arena)MCPW_ARENA_INIT;
}

static inline void world_open(world *w) {
    w->oauth = mcpw_oauth_new(&w->config, &w->error);
    CHECK(w->oauth != NULL);
    if (w->oauth == NULL) {
        (void)fprintf(stderr, "%s\n", w->error.message);
        abort();
    }
    mcpw_oauth_advance(w->oauth, w->now);
}

static inline void world_close(world *w) {
    mcpw_oauth_free(w->oauth);
    mcpw_arena_free(&w->arena);
}

static inline void world_pass_time(world *w, uint64_t ms) {
    w->now += ms;
    mcpw_oauth_advance(w->oauth, w->now);
}

/* ---- Answers ------------------------------------------------------------------------------------------- */

typedef struct world_reply {
    int status;
    char body[WORLD_TEXT * 2];
    const char *location;
    const char *nonce;
} world_reply;

static inline void world_error(world_reply *r, int status, const char *code) {
    r->status = status;
    (void)snprintf(r->body, sizeof r->body, "{\"error\":\"%s\",\"error_description\":\"the reason\"}", code);
}

static inline void world_prm(const world *w, world_reply *r) {
    r->status = 200;
    (void)snprintf(r->body, sizeof r->body, "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"]%s}",
                   w->resource, w->as[w->current_as].issuer, w->prm_more != NULL ? w->prm_more : "");
}

static inline void world_metadata(const world_as *as, world_reply *r) {
    char methods[256] = "";
    char registration[256] = "";
    if (as->methods != NULL) {
        (void)snprintf(methods, sizeof methods, ",\"token_endpoint_auth_methods_supported\":%s", as->methods);
    }
    if (!as->no_registration) {
        (void)snprintf(registration, sizeof registration, ",\"registration_endpoint\":\"%s/register\"",
                       as->issuer);
    }
    r->status = 200;
    (void)snprintf(r->body, sizeof r->body,
                   "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":\"%s/"
                   "token\"%s%s%s%s%s}",
                   as->says_issuer != NULL ? as->says_issuer : as->issuer, as->issuer, as->issuer,
                   registration, methods,
                   as->no_pkce ? "" : ",\"code_challenge_methods_supported\":[\"plain\",\"S256\"]",
                   as->no_iss_support ? "" : ",\"authorization_response_iss_parameter_supported\":true",
                   as->more != NULL ? as->more : "");
}

static inline void world_register(world *w, const world_as *as, mcpw_str body, world_reply *r) {
    char method[128] = "";
    world_copy(w->registration, body);
    w->registrations++;
    if (as->registered_method != NULL) {
        (void)snprintf(method, sizeof method, ",\"token_endpoint_auth_method\":\"%s\"",
                       as->registered_method);
    }
    r->status = 201;
    (void)snprintf(r->body, sizeof r->body,
                   "{\"client_id\":\"registered-%s\",\"client_secret\":\"secret-of-%s\",\"client_secret_"
                   "expires_at\":%u%s}",
                   as == &w->as[0] ? "one" : "two", as == &w->as[0] ? "one" : "two", as->secret_expires_at,
                   method);
}

static inline void world_issue(world *w, unsigned as, world_reply *r) {
    const world_as *const s = &w->as[as];
    char scope[WORLD_TEXT] = "";
    char refresh[WORLD_TEXT] = "";
    char lifetime[64] = "";
    w->tokens++;
    w->token_as = as;
    (void)snprintf(w->token, sizeof w->token, "access-token-%u", w->tokens);
    if (s->issues_refresh && (w->refresh[0] == '\0' || s->rotates)) {
        (void)snprintf(w->refresh, sizeof w->refresh, "refresh-token-%u", w->tokens);
        (void)snprintf(refresh, sizeof refresh, ",\"refresh_token\":\"%.200s\"", w->refresh);
    }
    if (s->ignores_scope) {
        (void)snprintf(scope, sizeof scope, ",\"scope\":\"other\"");
        world_copy(w->granted, mcpw_str_from("other"));
    } else {
        memcpy(w->granted, w->asked, sizeof w->granted);
    }
    if (s->lifetime != 0) {
        (void)snprintf(lifetime, sizeof lifetime, ",\"expires_in\":%d", s->lifetime);
    }
    r->status = 200;
    (void)snprintf(r->body, sizeof r->body,
                   "{\"access_token\":\"%.200s\",\"token_type\":\"%s\"%s%.300s%.300s}", w->token,
                   w->config.dpop != NULL ? "DPoP" : "Bearer", lifetime, refresh, scope);
}

static inline void world_token(world *w, unsigned as, mcpw_str body, world_reply *r) {
    const world_as *const s = &w->as[as];
    mcpw_arena arena = MCPW_ARENA_INIT;
    world_copy(w->form, body);
    const char *const grant = world_param(w, w->form, "grant_type");
    const bool is_refresh = strcmp(grant, "refresh_token") == 0;
    if (s->changes_nonce) {
        static char nonce[32];
        (void)snprintf(nonce, sizeof nonce, "nonce-%u", (unsigned)w->log_len);
        world_error(r, 400, "use_dpop_nonce");
        r->nonce = nonce;
    } else if (s->nonce != NULL && strstr(w->proof, s->nonce) == NULL) {
        world_error(r, 400, "use_dpop_nonce");
        r->nonce = s->nonce;
    } else if (is_refresh && s->refuse_refresh != NULL) {
        world_error(r, 400, s->refuse_refresh);
    } else if (is_refresh && strcmp(world_param(w, w->form, "refresh_token"), w->refresh) != 0) {
        world_error(r, 400, "invalid_grant");
    } else if (!is_refresh && s->token_error != NULL) {
        world_error(r, 400, s->token_error);
    } else if (strcmp(grant, "authorization_code") == 0 &&
               !mcpw_str_is(
                   mcpw_oauth_digest(&arena, mcpw_str_from(world_param(w, w->form, "code_verifier"))),
                   w->challenge)) {
        world_error(r, 400, "invalid_grant");
    } else {
        w->refreshes += is_refresh ? 1 : 0;
        if (!is_refresh && strcmp(grant, "authorization_code") != 0) {
            world_copy(w->asked, mcpw_str_from(world_param(w, w->form, "scope")));
        }
        world_issue(w, as, r);
    }
    mcpw_arena_free(&arena);
}

static inline void world_answer(world *w, const char *method, mcpw_str url, mcpw_str body, world_reply *r) {
    char text[WORLD_TEXT];
    char place[WORLD_TEXT];
    memset(r, 0, sizeof *r);
    r->status = 404;
    (void)snprintf(r->body, sizeof r->body, "{}");
    world_copy(text, url);
    for (size_t i = 0; i < WORLD_OVERRIDES; i++) {
        const world_override *const o = &w->overrides[i];
        if (o->method != NULL && strcmp(o->method, method) == 0 && strcmp(o->url, text) == 0) {
            r->status = o->status;
            r->location = o->location;
            (void)snprintf(r->body, sizeof r->body, "%s", o->body != NULL ? o->body : "{}");
            return;
        }
    }
    if (w->prm_url != NULL && strcmp(text, w->prm_url) == 0) {
        world_prm(w, r);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (w->as[i].metadata_url != NULL && strcmp(text, w->as[i].metadata_url) == 0) {
            world_metadata(&w->as[i], r);
            return;
        }
        (void)snprintf(place, sizeof place, "%s/register", w->as[i].issuer);
        if (strcmp(text, place) == 0 && strcmp(method, "POST") == 0) {
            world_register(w, &w->as[i], body, r);
            return;
        }
        (void)snprintf(place, sizeof place, "%s/token", w->as[i].issuer);
        if (strcmp(text, place) == 0 && strcmp(method, "POST") == 0) {
            world_token(w, i, body, r);
            return;
        }
    }
}

static inline void world_send(world *w, const mcpw_oauth_order *order) {
    static world_reply reply;
    mcpw_http_field fields[2];
    size_t count = 0;
    CHECK(order->url.ptr != NULL && order->url.ptr[order->url.len] == '\0');
    w->gets += strcmp(order->method, "GET") == 0 ? 1 : 0;
    world_note(w, order->method, order->url);
    w->basic[0] = w->proof[0] = '\0';
    for (size_t i = 0; i < order->field_count; i++) {
        world_note(w, "  field", order->fields[i].value);
        if (mcpw_str_is(order->fields[i].name, "Authorization")) {
            world_copy(w->basic, order->fields[i].value);
        } else if (mcpw_str_is(order->fields[i].name, "DPoP")) {
            static unsigned char json[WORLD_TEXT];
            char text[WORLD_TEXT];
            size_t len = 0;
            world_copy(text, order->fields[i].value);
            char *const claims = strchr(text, '.') + 1;
            *strchr(claims, '.') = '\0';
            CHECK(sodium_base642bin(json, sizeof json - 1, claims, strlen(claims), NULL, &len, NULL,
                                    sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0);
            world_copy(w->proof, (mcpw_str){(const char *)json, len});
        }
    }
    if (order->body.ptr != NULL) {
        world_note(w, "  body", order->body);
    }
    if (w->is_silent) {
        return;
    }
    world_answer(w, order->method, order->url, order->body, &reply);
    if (reply.location != NULL) {
        fields[count++] = (mcpw_http_field){MCPW_STR_VALUE("location"), mcpw_str_from(reply.location)};
    }
    if (reply.nonce != NULL) {
        fields[count++] = (mcpw_http_field){MCPW_STR_VALUE("dpop-nonce"), mcpw_str_from(reply.nonce)};
    }
    mcpw_oauth_response(w->oauth, reply.status, fields, count, mcpw_str_from(reply.body));
}

/* The user grants access, and the browser comes back. */
static inline void world_visit(world *w, mcpw_str url) {
    char redirect[WORLD_TEXT * 3];
    world_copy(w->page, url);
    world_note(w, "OPEN", url);
    w->authorizations++;
    world_copy(w->challenge, mcpw_str_from(world_param(w, w->page, "code_challenge")));
    world_copy(w->redirect_state, mcpw_str_from(world_param(w, w->page, "state")));
    world_copy(w->asked, mcpw_str_from(world_param(w, w->page, "scope")));
    if (w->is_user_away) {
        return;
    }
    const unsigned as = strncmp(w->page, w->as[1].issuer, strlen(w->as[1].issuer)) == 0 ? 1 : 0;
    const world_as *const s = &w->as[as];
    mcpw_oauth_form form = mcpw_oauth_form_in(&w->arena);
    mcpw_oauth_form_put(&form, "state", mcpw_str_from(w->redirect_state));
    if (s->iss == NULL || s->iss[0] != '\0') {
        mcpw_oauth_form_put(&form, "iss", mcpw_str_from(s->iss != NULL ? s->iss : s->issuer));
    }
    if (s->deny != NULL) {
        mcpw_oauth_form_put(&form, "error", mcpw_str_from(s->deny));
        mcpw_oauth_form_put(&form, "error_description", mcpw_str_from("words of the server"));
    } else {
        mcpw_oauth_form_put(&form, "code", mcpw_str_from("the-code-of-the-user"));
    }
    (void)snprintf(redirect, sizeof redirect, "%s?%s", w->config.redirect_uri,
                   mcpw_oauth_form_end(&form).ptr);
    mcpw_status status = mcpw_oauth_redirected(w->oauth, mcpw_str_from(redirect), &w->error);
    if (w->lacks_memory && status == MCPW_E_MEMORY) {
        status = mcpw_oauth_redirected(w->oauth, mcpw_str_from(redirect), &w->error);
    }
    CHECK(status == MCPW_OK);
}

/* Drives a login to its end, or until it waits for somebody who does not come. */
static inline mcpw_oauth_step world_drive(world *w) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    for (unsigned i = 0; i < 200; i++) {
        const mcpw_oauth_step step = mcpw_oauth_next(w->oauth, &order, &w->error);
        if (step == MCPW_OAUTH_SEND) {
            world_send(w, &order);
        } else if (step == MCPW_OAUTH_OPEN) {
            world_visit(w, order.url);
        } else {
            return step;
        }
    }
    (void)check_that(false, __FILE__, __LINE__, "a login has an end");
    return MCPW_OAUTH_FAILED;
}

/* ---- The MCP server ------------------------------------------------------------------------------------ */

/* The status of a request with these fields, and its challenge. */
static inline int world_serve(world *w, const mcpw_oauth_pass *pass, char *challenge, const char **nonce) {
    char token[WORLD_TEXT * 2];
    const char *const scheme = w->config.dpop != NULL ? "DPoP" : "Bearer";
    w->mcp_authorization[0] = w->mcp_proof[0] = '\0';
    w->calls++;
    for (size_t i = 0; i < pass->field_count; i++) {
        world_copy(i == 0 ? w->mcp_authorization : w->mcp_proof, pass->fields[i].value);
    }
    world_note(w, "MCP", mcpw_str_from(w->mcp_authorization));
    (void)snprintf(token, sizeof token, "%s %.1000s", scheme, w->token);
    (void)snprintf(challenge, WORLD_TEXT, "%s realm=\"x\"%s%s%s%s%s%s", scheme,
                   w->scope != NULL ? ", scope=\"" : "", w->scope != NULL ? w->scope : "",
                   w->scope != NULL ? "\"" : "", w->prm_named != NULL ? ", resource_metadata=\"" : "",
                   w->prm_named != NULL ? w->prm_named : "", w->prm_named != NULL ? "\"" : "");
    if (w->token[0] == '\0' || w->token_as != w->current_as || strcmp(w->mcp_authorization, token) != 0) {
        return 401;
    }
    if (w->mcp_nonce != NULL) {
        static unsigned char json[WORLD_TEXT];
        size_t len = 0;
        char *const claims = strchr(w->mcp_proof, '.') + 1;
        *strchr(claims, '.') = '\0';
        (void)sodium_base642bin(json, sizeof json - 1, claims, strlen(claims), NULL, &len, NULL,
                                sodium_base64_VARIANT_URLSAFE_NO_PADDING);
        json[len] = '\0';
        if (strstr((const char *)json, w->mcp_nonce) == NULL) {
            (void)snprintf(challenge, WORLD_TEXT, "DPoP error=\"use_dpop_nonce\"");
            *nonce = w->mcp_nonce;
            return 401;
        }
    }
    if (w->needs != NULL && !mcpw_oauth_scope_has(mcpw_str_from(w->granted), mcpw_str_from(w->needs))) {
        (void)snprintf(challenge, WORLD_TEXT, "Bearer error=\"insufficient_scope\", scope=\"%s\"%s%s%s",
                       w->needs, w->prm_named != NULL ? ", resource_metadata=\"" : "",
                       w->prm_named != NULL ? w->prm_named : "", w->prm_named != NULL ? "\"" : "");
        if (w->has_both) {
            (void)snprintf(challenge, WORLD_TEXT,
                           "DPoP error=\"insufficient_scope\", scope=\"%s\", algs=\"ES256\", "
                           "Bearer resource_metadata=\"%s\", scope=\"%s\"",
                           w->needs, WORLD_PRM_PATH, w->needs);
        }
        return 403;
    }
    return 200;
}

/* One request to the MCP server, with all that it needs. Returns its status; 0: it failed, w->error says why.
 */
static inline int world_call(world *w) {
    static char challenge[WORLD_TEXT];
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    for (unsigned i = 0; i < 20; i++) {
        const char *nonce = NULL;
        const mcpw_status status =
            mcpw_oauth_fields(w->oauth, "POST", w->config.server_url, &pass, &w->error);
        if (status == MCPW_PENDING) {
            (void)world_drive(w);
            continue;
        }
        CHECK(status == MCPW_OK);
        const int answer = world_serve(w, &pass, challenge, &nonce);
        const bool has_challenge = answer != 200;
        switch (mcpw_oauth_answered(w->oauth, &pass, answer, mcpw_str_from(has_challenge ? challenge : NULL),
                                    mcpw_str_from(nonce), &w->error)) {
        case MCPW_OAUTH_ACCEPT:
            return answer;
        case MCPW_OAUTH_AGAIN:
            break;
        case MCPW_OAUTH_BEGIN:
            if (world_drive(w) != MCPW_OAUTH_DONE) {
                return 0;
            }
            break;
        default:
            return 0;
        }
    }
    (void)check_that(false, __FILE__, __LINE__, "a request has an end");
    return 0;
}

/* Whether any message so far holds a secret. */
static inline void world_check_secrets(const world *w) {
    static const char *const secrets[] = {"access-token-",   "refresh-token-", "the-code-of-the-user",
                                          "secret-of-",      "known-secret",   "id-token-of-the-user",
                                          "the.workload.jwt"};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        CHECK(strstr(w->error.message, secrets[i]) == NULL && strstr(w->error.path, secrets[i]) == NULL);
        CHECK(strstr(w->warning, secrets[i]) == NULL);
    }
    CHECK(w->redirect_state[0] == '\0' || strstr(w->error.message, w->redirect_state) == NULL);
}

/* A signer that signs nothing: "ES256" with a signature of zeros. */
static inline mcpw_status world_sign(void *self, mcpw_str input, unsigned char *out, size_t *len) {
    (void)input;
    *(unsigned *)self += 1;
    memset(out, 0, 64);
    *len = 64;
    return MCPW_OK;
}

#define WORLD_JWK "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\",\"y\":\"BBBB\"}"

#endif
