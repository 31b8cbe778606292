/* SPDX-License-Identifier: MIT */
/* Access tokens that are JWTs. (RFC 7519, section 7.2; RFC 8725; RFC 9068, section 4.) */
#include "jose.h"

/* A proof, a logout token and the like are no access tokens, even if the same key has signed them. */
static bool is_type(const mcpw_oauth_rules *rules, mcpw_str typ) {
    if (rules->type != NULL) {
        return mcpw_jose_has_type(typ, rules->type);
    }
    return typ.ptr == NULL || mcpw_jose_has_type(typ, "at+jwt") || mcpw_jose_has_type(typ, "JWT");
}

mcpw_status mcpw_oauth_jwt_check(const mcpw_oauth_rules *rules, const mcpw_oauth_jwks *keys, mcpw_str token,
                                 uint64_t unix_ms, mcpw_arena *arena, mcpw_oauth_claims *claims,
                                 mcpw_error *error) {
    mcpw_oauth_rules own;
    mcpw_jose_jws jws;
    mcpw_jose_json_claims found;
    mcpw_error inner = {.code = MCPW_OK};
    mcpw_status status = mcpw_jose_take_rules(&own, rules, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (arena == NULL || claims == NULL || !MCPW_HAS_ALL(claims, all)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", mcpw_status_text(MCPW_E_ARGUMENT));
    }
    arena->status = MCPW_OK;
    status = mcpw_jose_jws_read("token", token, own.max_token, own.algorithms, arena, &jws, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (!is_type(&own, jws.header.typ)) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the token has another type (typ)");
    }
    const mcpw_jose_public_key *const key = mcpw_jose_find(keys, jws.header.kid, jws.algorithm);
    if (key == NULL) {
        return mcpw_error_set(error, MCPW_E_NOT_FOUND, 0, "no key of the issuer fits the token%s",
                              jws.header.kid.ptr == NULL ? ", which names none (kid)" : "");
    }
    if (!mcpw_jose_verify(jws.algorithm, key->key, jws.input, jws.signature)) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the signature of the token is wrong");
    }
    status = mcpw_jose_decode(&mcpw_jose_json_claims_table, jws.payload, arena, &found, &inner);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status == MCPW_E_MEMORY ? status : MCPW_E_UNAUTHORIZED, 0,
                              "the claims of the token: %s", inner.message);
    }
    claims->all = (mcpw_json){jws.payload.ptr, jws.payload.len, 0};
    return mcpw_jose_judge(&own, &found, false, unix_ms, claims, error);
}
