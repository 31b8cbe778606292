/* SPDX-License-Identifier: MIT */
/* Whatever allocation fails during a login: the program learns that memory ran out, nothing leaks, no message
 * holds a secret, and the next login works. */
#include "counting_allocator.h"
#include "oauth.h"
#include "oauth_world.h"

enum { MOST = 5000, FEWEST = 10, AN_HOUR = 3600000, PAUSE = 60000 };

static world w;
static counting memory;
static unsigned signatures;
static mcpw_oauth_signer signer;

/* Each call begins without spare memory, so that the blocks of the last one do not hide what fails. */
static void lose_spare_memory(bool are_fields_used) {
    mcpw_arena_free(&w.oauth->scratch);
    if (!are_fields_used) {
        mcpw_arena_free(&w.oauth->shown);
    }
}

static bool has_run_out(void) {
    world_check_secrets(&w);
    return check_that(memory.failed && w.error.code == MCPW_E_MEMORY, __FILE__, __LINE__, w.error.message);
}

/* Drives a login; false: memory ran out. */
static bool drive(void) {
    mcpw_oauth_order order = MCPW_OAUTH_ORDER_INIT;
    for (unsigned i = 0; i < 100; i++) {
        lose_spare_memory(true);
        mcpw_arena_free(&w.oauth->ordered);
        const mcpw_oauth_step step = mcpw_oauth_next(w.oauth, &order, &w.error);
        lose_spare_memory(true);
        if (step == MCPW_OAUTH_SEND) {
            world_send(&w, &order);
        } else if (step == MCPW_OAUTH_OPEN) {
            world_visit(&w, order.url);
        } else {
            CHECK(step == MCPW_OAUTH_DONE || has_run_out());
            return step == MCPW_OAUTH_DONE;
        }
    }
    return check_that(false, __FILE__, __LINE__, "a login has an end");
}

/* One request to the MCP server; false: memory ran out. */
static bool request(void) {
    static char challenge[WORLD_TEXT];
    mcpw_oauth_pass pass = MCPW_OAUTH_PASS_INIT;
    for (unsigned i = 0; i < 20; i++) {
        const char *nonce = NULL;
        lose_spare_memory(false);
        const mcpw_status status = mcpw_oauth_fields(w.oauth, "POST", w.config.server_url, &pass, &w.error);
        if (status == MCPW_PENDING) {
            if (!drive()) {
                return false;
            }
            continue;
        }
        if (status != MCPW_OK) {
            CHECK(has_run_out());
            return false;
        }
        const int answer = world_serve(&w, &pass, challenge, &nonce);
        lose_spare_memory(true);
        const mcpw_oauth_action action =
            mcpw_oauth_answered(w.oauth, &pass, answer, mcpw_str_from(answer != 200 ? challenge : NULL),
                                mcpw_str_from(nonce), &w.error);
        if (action == MCPW_OAUTH_ACCEPT) {
            return true;
        }
        if (action != MCPW_OAUTH_AGAIN && action != MCPW_OAUTH_BEGIN) {
            CHECK(has_run_out());
            return false;
        }
        if (action == MCPW_OAUTH_BEGIN && !drive()) {
            return false;
        }
    }
    return check_that(false, __FILE__, __LINE__, "a request has an end");
}

/* A life of a client: a login, a token that expires, a scope that is missing, another server. */
static void live(void) {
    w.oauth = mcpw_oauth_new(&w.config, &w.error);
    if (w.oauth == NULL) {
        CHECK(has_run_out());
        return;
    }
    mcpw_oauth_advance(w.oauth, w.now);
    (void)request();
    world_pass_time(&w, AN_HOUR);
    (void)request();
    if (w.config.grant == MCPW_OAUTH_CODE) {
        w.needs = "more";
        (void)request();
        w.needs = NULL;
    }
    world_pass_time(&w, PAUSE); /* a login without a user is not tried again before that */
    w.token[0] = '\0';
    (void)request();
    memory.fail_at = 0;
    world_pass_time(&w, AN_HOUR);
    mcpw_oauth_begin(w.oauth, true);
    CHECK(request());
}

/* Lives once for each allocation, which fails. */
static void each_fails_once(void (*prepare)(void), bool is_stingy) {
    bool has_failed = true;
    size_t n = 1;
    for (; has_failed && n < MOST; n++) {
        memory =
            (counting){.fail_at = n, .stingy = is_stingy, .refused = true}; /* the client itself is large */
        world_init(&w);
        w.lacks_memory = true;
        w.config.allocator = counting_allocator(&memory);
        w.as[0].issues_refresh = w.as[0].rotates = true;
        prepare();
        live();
        has_failed = memory.calls >= n;
        world_check_secrets(&w);
        world_close(&w);
        CHECK(memory.in_use == 0);
    }
    CHECK(n > FEWEST && n < MOST);
}

static void each_is_told(void (*prepare)(void)) {
    each_fails_once(prepare, false);
    each_fails_once(prepare, true);
}

static void know_a_client(const mcpw_oauth_credential *known, const char *methods) {
    w.config.issuer = WORLD_AS;
    w.config.credentials = known;
    w.config.credential_count = 1;
    w.as[0].methods = methods;
}

static void with_a_registered_client(void) {
    w.scope = "a b";
    w.as[0].methods = "[\"client_secret_basic\"]";
    w.as[0].registered_method = "client_secret_basic";
    w.as[0].more = ",\"scopes_supported\":[\"a\",\"b\",\"more\",\"offline_access\"]";
}

static void with_metadata_elsewhere(void) {
    w.overrides[0] = (world_override){"GET", WORLD_PRM_PATH, 302, NULL, "moved?to=there"};
    w.overrides[1] =
        (world_override){"GET", WORLD_ORIGIN "/.well-known/oauth-protected-resource/moved?to=there", 200,
                         "{\"resource\":\"" WORLD_MCP "\",\"authorization_servers\":[\"" WORLD_AS
                         "\"],\"scopes_supported\":[\"a\",\"b\"]}",
                         NULL};
    w.config.client_metadata_url = WORLD_CIMD;
    w.as[0].more = ",\"client_id_metadata_document_supported\":true";
}

static void without_metadata(void) {
    w.prm_url = w.prm_named = NULL;
    w.as[0].issuer = WORLD_ORIGIN;
    w.as[0].metadata_url = NULL;
}

static void with_a_secret(void) {
    static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
    know_a_client(&known, "[\"client_secret_basic\"]");
    w.config.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
    w.scope = "mcp:basic";
}

static void with_a_signed_assertion(void) {
    static const mcpw_oauth_credential known = {.client_id = "known"};
    know_a_client(&known, "[\"private_key_jwt\"]");
    signer.public_key = NULL;
    signer.key_id = "key-1";
    w.config.signer = &signer;
    w.config.grant = MCPW_OAUTH_CLIENT_CREDENTIALS;
}

static void with_an_identity_provider(void) {
    static const mcpw_oauth_credential known = {.client_id = "known", .client_secret = "known-secret"};
    know_a_client(&known, "[\"client_secret_basic\"]");
    w.config.grant = MCPW_OAUTH_ID_JAG;
    w.config.idp_token_endpoint = "https://idp.example.com/token";
    w.config.idp_client_id = "idp-client";
    w.config.idp_id_token = "id-token-of-the-user";
    w.overrides[0] = (world_override){"POST", "https://idp.example.com/token", 200,
                                      "{\"access_token\":\"the.id.jag\",\"issued_token_type\":"
                                      "\"urn:ietf:params:oauth:token-type:id-jag\",\"token_type\":\"N_A\"}",
                                      NULL};
}

static void with_an_assertion(void) {
    w.config.grant = MCPW_OAUTH_JWT_BEARER;
    w.config.issuer = WORLD_AS;
    w.config.assertion = "the.workload.jwt";
}

static void with_a_key(void) {
    signer.public_key = WORLD_JWK;
    w.config.dpop = &signer;
    w.as[0].nonce = "nonce-of-the-as";
    w.mcp_nonce = "nonce-of-the-mcp-server";
}

static void memory_runs_out_with_a_registered_client(void) { each_is_told(with_a_registered_client); }
static void memory_runs_out_with_metadata_elsewhere(void) { each_is_told(with_metadata_elsewhere); }
static void memory_runs_out_without_metadata(void) { each_is_told(without_metadata); }
static void memory_runs_out_with_a_secret(void) { each_is_told(with_a_secret); }
static void memory_runs_out_with_a_signed_assertion(void) { each_is_told(with_a_signed_assertion); }
static void memory_runs_out_with_an_identity_provider(void) { each_is_told(with_an_identity_provider); }
static void memory_runs_out_with_an_assertion(void) { each_is_told(with_an_assertion); }
static void memory_runs_out_with_a_key(void) { each_is_told(with_a_key); }

int main(void) {
    signer = (mcpw_oauth_signer)MCPW_OAUTH_SIGNER_INIT;
    signer.self = &signatures;
    signer.algorithm = "ES256";
    signer.sign = world_sign;
    RUN(memory_runs_out_with_a_registered_client);
    RUN(memory_runs_out_with_metadata_elsewhere);
    RUN(memory_runs_out_without_metadata);
    RUN(memory_runs_out_with_a_secret);
    RUN(memory_runs_out_with_a_signed_assertion);
    RUN(memory_runs_out_with_an_identity_provider);
    RUN(memory_runs_out_with_an_assertion);
    RUN(memory_runs_out_with_a_key);
    return check_end();
}
