/* SPDX-License-Identifier: MIT */
/* DPoP proofs: each rule refuses what breaks it, and no proof is taken twice. */
#include "jose_forge.h"
#include "jose_rfc.h"
#include "jose_vectors.h"

static mcpw_oauth_key *key;
static mcpw_error error;
static mcpw_oauth_dpop *dpop;
static char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE];

static void open_with(const mcpw_oauth_dpop_config *config) {
    dpop = mcpw_oauth_dpop_new(config, &error);
    CHECK(dpop != NULL);
}

static mcpw_oauth_dpop_request request_of(const char *proof) {
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    request.proof = mcpw_str_from(proof);
    request.method = mcpw_str_from("POST");
    request.url = mcpw_str_from(FORGE_RESOURCE);
    request.token = mcpw_str_from("token");
    request.thumbprint = mcpw_oauth_key_thumbprint(key);
    return request;
}

static mcpw_status check_at(const mcpw_oauth_dpop_request *request, uint64_t seconds) {
    error = (mcpw_error){.code = MCPW_OK};
    const mcpw_status status = mcpw_oauth_dpop_check(dpop, request, seconds * FORGE_MS, thumbprint, &error);
    CHECK(status == MCPW_OK || (error.code == status && error.message[0] != '\0'));
    CHECK(status == MCPW_OK || strstr(error.message, "eyJ") == NULL);
    return status;
}

static mcpw_status check(const char *proof) {
    const mcpw_oauth_dpop_request request = request_of(proof);
    return check_at(&request, FORGE_NOW);
}

static bool refused(const char *proof, const char *word) {
    const mcpw_status status = check(proof);
    return status == MCPW_E_UNAUTHORIZED && strstr(error.message, word) != NULL;
}

/* The SHA-256 of "token". */
#define ATH "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A"
#define CLAIMS(id, method, url, iat, more)                                                                   \
    "{\"jti\":\"" id "\",\"htm\":\"" method "\",\"htu\":\"" url "\",\"iat\":" iat more "}"
#define GOOD(id) CLAIMS(id, "POST", FORGE_RESOURCE, "1800000000", ",\"ath\":\"" ATH "\"")

static const char *proof_of(const mcpw_oauth_key *by, const char *claims) {
    char header[FORGE_ROOM];
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   mcpw_oauth_key_public(by).ptr);
    return forge(by, header, claims);
}

static void a_proof_gives_its_key(void) {
    open_with(NULL);
    CHECK(check(proof_of(key, GOOD("1"))) == MCPW_OK);
    CHECK_STRING(thumbprint, mcpw_oauth_key_thumbprint(key).ptr);
    mcpw_oauth_dpop_free(dpop);
}

static void examples_of_the_rfc_are_taken(void) {
    open_with(NULL);
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    request.proof = mcpw_str_from(RFC9449_PROOF);
    request.method = mcpw_str_from("POST");
    request.url = mcpw_str_from("https://server.example.com/token");
    CHECK(check_at(&request, 1562262616) == MCPW_OK);
    CHECK_STRING(thumbprint, RFC9449_THUMBPRINT);
    request.proof = mcpw_str_from(RFC9449_RESOURCE_PROOF);
    request.method = mcpw_str_from("GET");
    request.url = mcpw_str_from("https://resource.example.org/protectedresource");
    request.token = mcpw_str_from(RFC9449_TOKEN);
    request.thumbprint = mcpw_str_from(RFC9449_THUMBPRINT);
    CHECK(check_at(&request, 1562262618) == MCPW_OK);
    mcpw_oauth_dpop_free(dpop);
}

static void a_proof_of_another_library_is_taken(void) {
    open_with(NULL);
    mcpw_oauth_dpop_request request = request_of(VECTOR_PROOF);
    request.token = mcpw_str_from(VECTOR_PROOF_TOKEN);
    request.thumbprint = mcpw_str_from(VECTOR_P256_THUMBPRINT);
    CHECK(check_at(&request, FORGE_NOW) == MCPW_OK);
    mcpw_oauth_dpop_free(dpop);
}

/* ---- The header ---------------------------------------------------------------------------------------- */

static void a_header_must_be_that_of_a_proof(void) {
    char header[FORGE_ROOM];
    const char *const jwk = mcpw_oauth_key_public(key).ptr;
    open_with(NULL);
    (void)snprintf(header, sizeof header, "{\"typ\":\"JWT\",\"alg\":\"ES256\",\"jwk\":%s}", jwk);
    CHECK(refused(forge(key, header, GOOD("1")), "typ"));
    (void)snprintf(header, sizeof header, "{\"alg\":\"ES256\",\"jwk\":%s}", jwk);
    CHECK(refused(forge(key, header, GOOD("1")), "typ"));
    CHECK(refused(forge(key, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\"}", GOOD("1")), "jwk"));
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"none\",\"jwk\":%s}", jwk);
    CHECK(refused(forge(NULL, header, GOOD("1")), "algorithm"));
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"RS256\",\"jwk\":%s}", jwk);
    CHECK(refused(forge(key, header, GOOD("1")), "algorithm"));
    (void)snprintf(header, sizeof header,
                   "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"crit\":[\"a\"],\"jwk\":%s}", jwk);
    CHECK(refused(forge(key, header, GOOD("1")), "crit"));
    mcpw_oauth_dpop_free(dpop);
}

static void a_private_key_in_a_proof_is_refused(void) {
    char header[FORGE_ROOM];
    mcpw_oauth_key *const known = forge_key(VECTOR_P256_PRIVATE, NULL);
    open_with(NULL);
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   VECTOR_P256_PRIVATE);
    CHECK(refused(forge(known, header, GOOD("1")), "private"));
    (void)snprintf(header, sizeof header,
                   "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}");
    CHECK(refused(forge(known, header, GOOD("1")), "private"));
    mcpw_oauth_dpop_free(dpop);
    mcpw_oauth_key_free(known);
}

static void a_wrong_signature_is_refused(void) {
    char header[FORGE_ROOM];
    open_with(NULL);
    (void)snprintf(header, sizeof header, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":%s}",
                   VECTOR_P256_PUBLIC);
    CHECK(refused(forge(key, header, GOOD("1")), "signature"));
    mcpw_oauth_dpop_free(dpop);
}

/* ---- Claims -------------------------------------------------------------------------------------------- */

static void a_proof_is_for_one_request(void) {
    open_with(NULL);
    CHECK(refused(proof_of(key, CLAIMS("1", "GET", FORGE_RESOURCE, "1800000000", ",\"ath\":\"" ATH "\"")),
                  "htm"));
    CHECK(refused(proof_of(key, CLAIMS("2", "post", FORGE_RESOURCE, "1800000000", ",\"ath\":\"" ATH "\"")),
                  "htm"));
    CHECK(refused(proof_of(key, CLAIMS("3", "POST", "https://mcp.example.com/", "1800000000", "")), "htu"));
    CHECK(refused(proof_of(key, CLAIMS("4", "POST", FORGE_RESOURCE, "1800000000", "")), "ath"));
    CHECK(refused(proof_of(key, CLAIMS("5", "POST", FORGE_RESOURCE, "1800000000", ",\"ath\":\"x\"")), "ath"));
    CHECK(refused(proof_of(key, CLAIMS("", "POST", FORGE_RESOURCE, "1800000000", ",\"ath\":\"" ATH "\"")),
                  "jti"));
    CHECK(refused(proof_of(key, "{\"htm\":\"POST\"}"), "claims"));
    mcpw_oauth_dpop_free(dpop);
}

static void urls_are_compared_in_one_form(void) {
    static const struct {
        const char *proof;
        const char *request;
        bool is_same;
    } rows[] = {
        {"https://MCP.example.com/mcp", FORGE_RESOURCE, true},
        {"HTTPS://mcp.example.com:443/mcp", FORGE_RESOURCE, true},
        {"https://mcp.example.com/mcp?a=b#c", FORGE_RESOURCE, true},
        {"https://mcp.example.com/m%63p", FORGE_RESOURCE, true},
        {"https://mcp.example.com", "https://mcp.example.com/?a", true},
        {"https://mcp.example.com/a%2fb", "https://mcp.example.com/a%2Fb", true},
        {"https://mcp.example.com/a%2fb", "https://mcp.example.com/a/b", false},
        {"https://mcp.example.com/%41%5a%7a%30%39%2d%2e%5f%7e", "https://mcp.example.com/AZz09-._~", true},
        {"https://mcp.example.com/%40%5b%60%7b%2f%3a", "https://mcp.example.com/@a", false},
        {"https://mcp.example.com/a%zz", "https://mcp.example.com/a%zz", true},
        {"https://mcp.example.com/a%6", "https://mcp.example.com/a%6", true},
        {"https://mcp.example.com/a%6z", "https://mcp.example.com/a%6", false},
        {"https://mcp.example.com/MCP", FORGE_RESOURCE, false},
        {"https://mcp.example.com/mcp/", FORGE_RESOURCE, false},
        {"https://mcp.example.com/mc", FORGE_RESOURCE, false},
        {"https://mcp.example.com:8443/mcp", FORGE_RESOURCE, false},
        {"http://mcp.example.com/mcp", FORGE_RESOURCE, false},
        {"https://evil.example.com/mcp", FORGE_RESOURCE, false},
        {"mcp", FORGE_RESOURCE, false},
    };
    open_with(NULL);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char claims[FORGE_ROOM];
        (void)snprintf(claims, sizeof claims,
                       "{\"jti\":\"%u\",\"htm\":\"POST\",\"htu\":\"%s\",\"iat\":1800000000,\"ath\":\"" ATH
                       "\"}",
                       i, rows[i].proof);
        mcpw_oauth_dpop_request request = request_of(proof_of(key, claims));
        request.url = mcpw_str_from(rows[i].request);
        CHECK((check_at(&request, FORGE_NOW) == MCPW_OK) == rows[i].is_same);
    }
    mcpw_oauth_dpop_free(dpop);
}

static void a_proof_has_a_short_life(void) {
    open_with(NULL);
    const mcpw_oauth_dpop_request request = request_of(proof_of(key, GOOD("1")));
    CHECK(check_at(&request, FORGE_NOW - 61) == MCPW_E_UNAUTHORIZED &&
          strstr(error.message, "clocks") != NULL);
    CHECK(check_at(&request, FORGE_NOW + 61) == MCPW_E_UNAUTHORIZED);
    CHECK(check_at(&request, FORGE_NOW + 300) == MCPW_E_UNAUTHORIZED); /* five minutes */
    CHECK(check_at(&request, FORGE_NOW - 60) == MCPW_OK);
    mcpw_oauth_dpop_free(dpop);
}

static void a_proof_is_by_the_key_of_the_token(void) {
    mcpw_oauth_key *const other = mcpw_oauth_key_new(NULL, NULL);
    open_with(NULL);
    CHECK(refused(proof_of(other, GOOD("1")), "jkt"));
    mcpw_oauth_dpop_free(dpop);
    mcpw_oauth_key_free(other);
}

/* ---- Replay -------------------------------------------------------------------------------------------- */

static void a_proof_is_taken_once(void) {
    char proof[FORGE_ROOM];
    open_with(NULL);
    (void)snprintf(proof, sizeof proof, "%s", proof_of(key, GOOD("1")));
    CHECK(check(proof) == MCPW_OK);
    CHECK(refused(proof, "jti"));
    CHECK(refused(proof_of(key, GOOD("1")), "jti")); /* another signature, the same id */
    mcpw_oauth_dpop_request request = request_of(proof);
    CHECK(check_at(&request, FORGE_NOW + 60) == MCPW_E_UNAUTHORIZED); /* to the end of its life */
    CHECK(strstr(error.message, "jti") != NULL);
    CHECK(check(proof_of(key, GOOD("2"))) == MCPW_OK);
    mcpw_oauth_dpop_free(dpop);
}

/* Checks a proof by a key, with a number as its id. */
static mcpw_status check_numbered(mcpw_oauth_key *by, unsigned number) {
    char claims[FORGE_ROOM];
    (void)snprintf(claims, sizeof claims,
                   "{\"jti\":\"%u\",\"htm\":\"POST\",\"htu\":\"" FORGE_RESOURCE
                   "\",\"iat\":1800000000,\"ath\":\"" ATH "\"}",
                   number);
    mcpw_oauth_dpop_request request = request_of(proof_of(by, claims));
    request.thumbprint = mcpw_oauth_key_thumbprint(by);
    return check_at(&request, FORGE_NOW);
}

static void only_so_many_proofs_are_remembered(void) {
    enum { MOST = 100, KEYS = 8 };
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    unsigned taken = 0;
    config.max_remembered = MOST;
    open_with(&config);
    for (unsigned k = 0; k < KEYS; k++) {
        mcpw_oauth_key *const one = mcpw_oauth_key_new(NULL, NULL);
        for (unsigned i = 0; i < MOST; i++) {
            const mcpw_status status = check_numbered(one, i);
            CHECK(status == MCPW_OK || status == MCPW_E_FULL);
            taken += status == MCPW_OK ? 1 : 0;
        }
        mcpw_oauth_key_free(one);
    }
    CHECK(taken == MOST);
    /* until they are too old */
    const mcpw_oauth_dpop_request later =
        request_of(proof_of(key, CLAIMS("1", "POST", FORGE_RESOURCE, "1800000090", ",\"ath\":\"" ATH "\"")));
    CHECK(check_at(&later, FORGE_NOW + 90) == MCPW_OK);
    CHECK(check_at(&later, FORGE_NOW + 90) == MCPW_E_UNAUTHORIZED);
    mcpw_oauth_dpop_free(dpop);
}

static void a_client_with_many_proofs_leaves_room_for_others(void) {
    enum { MOST = 100, OTHERS = 5 };
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    unsigned refusals = 0;
    config.max_remembered = MOST;
    open_with(&config);
    for (unsigned i = 0; i < MOST; i++) {
        CHECK(check_numbered(key, i) == (i < MOST / 2 ? MCPW_OK : MCPW_E_FULL));
    }
    CHECK(strstr(error.message, "too many") != NULL);
    for (unsigned k = 0; k < OTHERS; k++) {
        mcpw_oauth_key *const other = mcpw_oauth_key_new(NULL, NULL);
        refusals += check_numbered(other, 0) != MCPW_OK ? 1 : 0;
        CHECK(check_numbered(other, 0) !=
              MCPW_OK); /* it is remembered, or refused because of the first key */
        mcpw_oauth_key_free(other);
    }
    CHECK(refusals <= 1); /* a key may share a part with the first one, but seldom does */
    mcpw_oauth_dpop_free(dpop);
}

/* ---- Nonces -------------------------------------------------------------------------------------------- */

static mcpw_status check_nonce(const char *id, const char *nonce, uint64_t seconds) {
    char claims[FORGE_ROOM];
    (void)snprintf(claims, sizeof claims,
                   "{\"jti\":\"%s\",\"htm\":\"POST\",\"htu\":\"" FORGE_RESOURCE
                   "\",\"iat\":%llu,\"ath\":\"" ATH "\",\"nonce\":\"%s\"}",
                   id, (unsigned long long)seconds, nonce);
    const mcpw_oauth_dpop_request request = request_of(proof_of(key, claims));
    return check_at(&request, seconds);
}

static void a_nonce_is_ours_and_new(void) {
    static const unsigned char shared[32] = {7};
    char nonce[MCPW_OAUTH_NONCE_BYTES] = "";
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    config.nonce_ms = 10000;
    config.nonce_key = shared;
    open_with(&config);
    mcpw_oauth_dpop *const other = mcpw_oauth_dpop_new(&config, NULL); /* of another process */
    CHECK(check(proof_of(key, GOOD("1"))) == MCPW_E_MISSING);
    CHECK(mcpw_oauth_dpop_nonce(other, UINT64_C(1800000000000), nonce) == MCPW_OK);
    CHECK(check_nonce("2", nonce, FORGE_NOW) == MCPW_OK);
    CHECK(check_nonce("3", nonce, FORGE_NOW + 10) == MCPW_OK);
    CHECK(check_nonce("4", nonce, FORGE_NOW + 11) == MCPW_E_MISSING);
    CHECK(check_nonce("5", "abc", FORGE_NOW) == MCPW_E_MISSING);
    nonce[20] = nonce[20] == 'A' ? 'B' : 'A';
    CHECK(check_nonce("6", nonce, FORGE_NOW) == MCPW_E_MISSING);
    mcpw_oauth_dpop_free(other);
    mcpw_oauth_dpop_free(dpop);
    open_with(NULL);
    CHECK(mcpw_oauth_dpop_nonce(dpop, 1, nonce) == MCPW_E_STATE);
    mcpw_oauth_dpop_free(dpop);
}

static void configs_that_cannot_be_used_are_refused(void) {
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    config.algorithms = "HS256";
    CHECK(mcpw_oauth_dpop_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
    config.algorithms = "ES256";
    config.window_ms = 3600001;
    CHECK(mcpw_oauth_dpop_new(&config, &error) == NULL && error.code == MCPW_E_ARGUMENT);
}

static void a_long_proof_is_refused(void) {
    mcpw_oauth_dpop_config config = MCPW_OAUTH_DPOP_CONFIG_INIT;
    const char *const proof = proof_of(key, GOOD("1"));
    config.max_proof = strlen(proof) - 1;
    open_with(&config);
    CHECK(refused(proof, "limit"));
    mcpw_oauth_dpop_free(dpop);
}

int main(void) {
    key = mcpw_oauth_key_new(NULL, NULL);
    RUN(a_proof_gives_its_key);
    RUN(examples_of_the_rfc_are_taken);
    RUN(a_proof_of_another_library_is_taken);
    RUN(a_header_must_be_that_of_a_proof);
    RUN(a_private_key_in_a_proof_is_refused);
    RUN(a_wrong_signature_is_refused);
    RUN(a_proof_is_for_one_request);
    RUN(urls_are_compared_in_one_form);
    RUN(a_proof_has_a_short_life);
    RUN(a_proof_is_by_the_key_of_the_token);
    RUN(a_proof_is_taken_once);
    RUN(only_so_many_proofs_are_remembered);
    RUN(a_client_with_many_proofs_leaves_room_for_others);
    RUN(a_nonce_is_ours_and_new);
    RUN(configs_that_cannot_be_used_are_refused);
    RUN(a_long_proof_is_refused);
    mcpw_oauth_key_free(key);
    return check_end();
}
