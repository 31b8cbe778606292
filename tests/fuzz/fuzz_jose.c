/* SPDX-License-Identifier: MIT */
/*
 * Keys, tokens and proofs of a server: whatever they are, they are taken or refused with a reason that shows
 * none of them, and a token is taken only if its claims fit the rules.
 *
 * The first byte says what the rest is: a token, a header and claims that the issuer has signed, a set of
 * keys, a DPoP proof, a header and claims that its holder has signed, a private key, or a script of an
 * issuer's answers for a verifier. Two texts are separated by a NUL.
 */
#include "fuzz.h"

#include "../unit/jose_vectors.h"

#include <mcpw/oauth_verifier.h>

#include <sodium.h>

enum { ROOM = 1 << 16, NOW = 1800000000, MS = 1000, MOST_STEPS = 64, TOKENS = 4, KINDS = 8, LEEWAY = 60 };

#define ISSUER "https://as.example.com"
#define RESOURCE "https://mcp.example.com/mcp"

static const char *const audiences[] = {RESOURCE};
static char made[ROOM];

static mcpw_oauth_rules rules(void) {
    mcpw_oauth_rules own = MCPW_OAUTH_RULES_INIT;
    own.issuer = ISSUER;
    own.audiences = audiences;
    own.audience_count = 1;
    return own;
}

static void check_error(const mcpw_error *error, mcpw_status status) {
    FUZZ_ASSERT(status != MCPW_OK && error->code == status);
    FUZZ_ASSERT(error->message[0] != '\0' && memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_ASSERT(strstr(error->message, "SECRET") == NULL);
}

/* ---- Signed texts -------------------------------------------------------------------------------------- */

static void add_base64(const void *bytes, size_t len) {
    const size_t at = strlen(made);
    (void)sodium_bin2base64(made + at, sizeof made - at, bytes, len,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* The JWS of a header and claims by the key of the vectors. Absent: they are too long. */
static mcpw_str sign(mcpw_str header, mcpw_str claims) {
    enum { MOST = ROOM / 4 };
    unsigned char signature[1024];
    size_t len = sizeof signature;
    mcpw_oauth_signer signer = MCPW_OAUTH_SIGNER_INIT;
    mcpw_oauth_key *const key = mcpw_oauth_key_read(mcpw_str_from(VECTOR_P256_PRIVATE), NULL, NULL, NULL);
    FUZZ_ASSERT(key != NULL && mcpw_oauth_key_signer(key, &signer) == MCPW_OK);
    made[0] = '\0';
    if (header.len > MOST || claims.len > MOST) {
        mcpw_oauth_key_free(key);
        return (mcpw_str){NULL, 0};
    }
    add_base64(header.ptr, header.len);
    (void)strcat(made, ".");
    add_base64(claims.ptr, claims.len);
    FUZZ_ASSERT(signer.sign(signer.self, mcpw_str_from(made), signature, &len) == MCPW_OK);
    (void)strcat(made, ".");
    add_base64(signature, len);
    mcpw_oauth_key_free(key);
    return mcpw_str_from(made);
}

static mcpw_str first_of(mcpw_str *rest) {
    const char *const end = rest->len != 0 ? memchr(rest->ptr, 0, rest->len) : NULL;
    const size_t len = end != NULL ? (size_t)(end - rest->ptr) : rest->len;
    const mcpw_str first = {rest->ptr, len};
    const size_t used = len + (end != NULL ? 1 : 0);
    *rest = (mcpw_str){rest->ptr + used, rest->len - used};
    return first;
}

/* ---- Tokens -------------------------------------------------------------------------------------------- */

static mcpw_str padded(mcpw_str text) { return text.ptr != NULL ? text : mcpw_str_from(""); }

static void check_token(mcpw_str token, const mcpw_oauth_jwks *keys, bool may_be_good) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_claims claims = MCPW_OAUTH_CLAIMS_INIT;
    const mcpw_oauth_rules own = rules();
    const mcpw_status status =
        mcpw_oauth_jwt_check(&own, keys, padded(token), (uint64_t)NOW * MS, &arena, &claims, &error);
    if (status == MCPW_OK) {
        FUZZ_ASSERT(may_be_good && mcpw_str_is(claims.issuer, ISSUER));
        FUZZ_ASSERT(claims.expires_at + (uint64_t)LEEWAY * MS > (uint64_t)NOW * MS);
    } else {
        FUZZ_ASSERT(status == MCPW_E_UNAUTHORIZED || status == MCPW_E_NOT_FOUND);
        check_error(&error, status);
    }
    mcpw_arena_free(&arena);
}

static void check_set(mcpw_str text) {
    mcpw_error error = {.code = MCPW_OK};
    mcpw_oauth_jwks *const keys = mcpw_oauth_jwks_read(text, NULL, &error);
    if (keys == NULL) {
        check_error(&error, error.code);
        return;
    }
    FUZZ_ASSERT(mcpw_oauth_jwks_count(keys) <= MCPW_OAUTH_MOST_KEYS);
    check_token(mcpw_str_from(VECTOR_ES256), keys, true);
    mcpw_oauth_jwks_free(keys);
}

static void check_key(mcpw_str text) {
    mcpw_error error = {.code = MCPW_OK};
    char *const copy = calloc(1, text.len + 1); /* a heap block, so that reads past it are found */
    memcpy(copy, padded(text).ptr, text.len);
    mcpw_oauth_key *const key = mcpw_oauth_key_read((mcpw_str){copy, text.len}, NULL, NULL, &error);
    if (key == NULL) {
        check_error(&error, error.code);
    } else {
        FUZZ_ASSERT(strstr(mcpw_oauth_key_public(key).ptr, "\"d\"") == NULL);
    }
    mcpw_oauth_key_free(key);
    free(copy);
}

/* ---- Proofs -------------------------------------------------------------------------------------------- */

static void check_proof(mcpw_str proof) {
    mcpw_error error = {.code = MCPW_OK};
    char thumbprint[MCPW_OAUTH_THUMBPRINT_SIZE] = "";
    mcpw_oauth_dpop_request request = MCPW_OAUTH_DPOP_REQUEST_INIT;
    mcpw_oauth_dpop *const dpop = mcpw_oauth_dpop_new(NULL, NULL);
    request.proof = padded(proof);
    request.method = mcpw_str_from("POST");
    request.url = mcpw_str_from(RESOURCE);
    const mcpw_status status = mcpw_oauth_dpop_check(dpop, &request, (uint64_t)NOW * MS, thumbprint, &error);
    if (status == MCPW_OK) {
        FUZZ_ASSERT(strlen(thumbprint) == sizeof thumbprint - 1);
        FUZZ_ASSERT(mcpw_oauth_dpop_check(dpop, &request, (uint64_t)NOW * MS, NULL, &error) ==
                    MCPW_E_UNAUTHORIZED);
    } else {
        FUZZ_ASSERT(status == MCPW_E_UNAUTHORIZED);
        check_error(&error, status);
    }
    mcpw_oauth_dpop_free(dpop);
}

/* ---- A verifier ---------------------------------------------------------------------------------------- */

typedef struct stage {
    fuzz_in in;
    mcpw_oauth_verifier *verifier;
    uint64_t now;
    bool waits[TOKENS];
} stage;

static void check_verdict(const mcpw_http_verdict *verdict) {
    FUZZ_ASSERT(verdict->outcome <= MCPW_HTTP_UNVERIFIABLE);
    if (verdict->outcome == MCPW_HTTP_VALID) {
        FUZZ_ASSERT(mcpw_str_is(verdict->issuer, ISSUER));
        FUZZ_ASSERT(verdict->subject.len != 0 || verdict->client_id.len != 0);
    } else {
        FUZZ_ASSERT(verdict->description != NULL && strstr(verdict->description, "SECRET") == NULL);
    }
}

static void judged(void *user, void *waiter, const mcpw_http_verdict *verdict) {
    bool *const waits = waiter;
    (void)user;
    FUZZ_ASSERT(*waits);
    *waits = false;
    check_verdict(verdict);
}

static void on_warning(void *user, const char *message) {
    (void)user;
    FUZZ_ASSERT(strstr(message, "SECRET") == NULL);
}

static void verify(stage *s, unsigned choice) {
    static const char *const tokens[] = {VECTOR_ES256, VECTOR_RS256, "SECRET-opaque", VECTOR_EDDSA};
    mcpw_http_verdict verdict = MCPW_HTTP_VERDICT_INIT;
    bool *const waits = &s->waits[choice % TOKENS];
    if (*waits) {
        mcpw_oauth_verifier_cancel(s->verifier, waits);
        *waits = false;
        return;
    }
    const mcpw_http_credentials credentials = {.struct_size = sizeof credentials,
                                               .scheme = MCPW_HTTP_BEARER,
                                               .token = mcpw_str_from(tokens[choice % TOKENS]),
                                               .method = mcpw_str_from("POST"),
                                               .url = mcpw_str_from(RESOURCE),
                                               .resource = mcpw_str_from(RESOURCE)};
    const mcpw_status status = mcpw_oauth_verifier_verify(s->verifier, waits, &credentials, s->now, &verdict);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_PENDING);
    *waits = status == MCPW_PENDING;
    if (status == MCPW_OK) {
        check_verdict(&verdict);
    }
}

/* The body of a response: one that means well, or bytes of the input. */
static mcpw_str body_of(stage *s, unsigned choice) {
    static const char *const bodies[] = {
        "{\"issuer\":\"" ISSUER "\",\"jwks_uri\":\"" ISSUER "/jwks\",\"introspection_endpoint\":\"" ISSUER
        "/i\"}",
        VECTOR_JWKS, "{\"active\":true,\"sub\":\"a\",\"aud\":\"" RESOURCE "\"}", "{\"active\":false}"};
    enum { COUNT = sizeof bodies / sizeof *bodies };
    return choice % (COUNT + 1) < COUNT ? mcpw_str_from(bodies[choice % (COUNT + 1)])
                                        : fuzz_take(&s->in, fuzz_size(&s->in) % ROOM);
}

static void respond(stage *s, unsigned choice) {
    enum { STATUS_SHIFT = 5 };
    static const int statuses[] = {200, 200, 200, 404, 500, 302, 401, 200};
    mcpw_oauth_fetch fetch = MCPW_OAUTH_FETCH_INIT;
    if (!mcpw_oauth_verifier_next(s->verifier, &fetch)) {
        return;
    }
    FUZZ_ASSERT(strncmp(fetch.url.ptr, "https://", sizeof "https://" - 1) == 0);
    FUZZ_ASSERT(fetch.body.ptr == NULL || strcmp(fetch.method, "POST") == 0);
    const mcpw_str body = body_of(s, choice);
    mcpw_oauth_verifier_response(s->verifier, fetch.number, statuses[choice >> STATUS_SHIFT], body);
    mcpw_oauth_verifier_response(s->verifier, fetch.number, 200, body); /* too late */
}

static void play(fuzz_in in) {
    enum { STEP = 1777 };
    stage s = {.in = in, .now = (uint64_t)NOW * MS};
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    config.issuer = ISSUER;
    config.client_id = "id";
    config.client_secret = "SECRET";
    config.max_cached = 2;
    config.max_waiting = TOKENS - 1;
    config.max_requests = 2;
    config.judged = judged;
    config.on_warning = on_warning;
    config.check = (fuzz_byte(&s.in) & 1U) != 0 ? MCPW_OAUTH_BY_INTROSPECTION : MCPW_OAUTH_BY_KEYS;
    s.verifier = mcpw_oauth_verifier_new(&config, NULL);
    FUZZ_ASSERT(s.verifier != NULL);
    for (unsigned step = 0; step < MOST_STEPS && s.in.left != 0; step++) {
        const unsigned choice = fuzz_byte(&s.in);
        if (choice % 3 == 0) {
            verify(&s, choice / 3);
        } else if (choice % 3 == 1) {
            respond(&s, fuzz_byte(&s.in));
        } else {
            s.now += (uint64_t)choice * STEP;
            mcpw_oauth_verifier_advance(s.verifier, s.now);
        }
    }
    s.now += (uint64_t)MS * MS; /* whatever is asked has an end */
    mcpw_oauth_verifier_advance(s.verifier, s.now);
    mcpw_oauth_verifier_free(s.verifier);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_in in = {data, size};
    FUZZ_ASSERT(sodium_init() >= 0);
    const unsigned kind = fuzz_byte(&in) % KINDS;
    mcpw_str rest = {(const char *)in.at, in.left};
    mcpw_oauth_jwks *const keys = mcpw_oauth_jwks_read(mcpw_str_from(VECTOR_JWKS), NULL, NULL);
    FUZZ_ASSERT(keys != NULL);
    if (kind == 0) {
        check_token(rest, keys, true);
    } else if (kind == 1 || kind == 4) {
        const mcpw_str header = first_of(&rest);
        const mcpw_str jws = sign(header, rest);
        if (kind == 1) {
            check_token(jws, keys, true);
        } else {
            check_proof(jws);
        }
    } else if (kind == 2) {
        check_set(rest);
    } else if (kind == 3) {
        check_proof(rest);
    } else if (kind == 5) {
        check_key(rest);
    } else {
        play(in);
    }
    mcpw_oauth_jwks_free(keys);
    return 0;
}
