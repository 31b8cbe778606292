/* SPDX-License-Identifier: MIT */
/* The rules for claims of access tokens. (RFC 7519, section 4.1; RFC 8725, section 3.) */
#include "jose.h"

#include "../oauth/oauth.h"

enum { LEEWAY_MS = 60000, MOST_TOKEN = 16384, MOST_LEEWAY_MS = 3600000 };

mcpw_status mcpw_jose_take_rules(mcpw_oauth_rules *own, const mcpw_oauth_rules *given, mcpw_error *error) {
    *own = (mcpw_oauth_rules)MCPW_OAUTH_RULES_INIT;
    if (given == NULL || !MCPW_TAKE(own, max_token, given) || own->issuer == NULL || own->audiences == NULL ||
        own->audience_count == 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "the rules for tokens lack the issuer or an audience");
    }
    own->algorithms = own->algorithms != NULL ? own->algorithms : mcpw_jose_default_algorithms();
    own->leeway_ms = own->leeway_ms != 0 ? own->leeway_ms : LEEWAY_MS;
    own->max_token = own->max_token != 0 ? own->max_token : MOST_TOKEN;
    if (!mcpw_jose_is_list(own->algorithms) || own->leeway_ms > MOST_LEEWAY_MS) {
        return mcpw_error_set(
            error, MCPW_E_ARGUMENT, 0,
            "the rules for tokens have an unknown algorithm, or a leeway of more than an hour");
    }
    return MCPW_OK;
}

static bool is_audience(const mcpw_oauth_rules *rules, mcpw_str name) {
    for (size_t i = 0; i < rules->audience_count; i++) {
        if (mcpw_str_is(name, rules->audiences[i])) {
            return true;
        }
    }
    return false;
}

static bool has_audience(const mcpw_oauth_rules *rules, const mcpw_jose_json_claims_aud *aud) {
    if (aud->kind == MCPW_JOSE_JSON_CLAIMS_AUD_STRING) {
        return is_audience(rules, aud->as.string);
    }
    bool has = false;
    for (size_t i = 0; aud->kind == MCPW_JOSE_JSON_CLAIMS_AUD_STRING_LIST && i < aud->as.string_list.count;
         i++) {
        has = has || is_audience(rules, aud->as.string_list.items[i]);
    }
    return has;
}

/* The reason why a token is not valid at a time; NULL: it is. */
static const char *refusal(const mcpw_oauth_rules *rules, const mcpw_jose_json_claims *claims,
                           bool is_introspected, double now) {
    const double leeway = (double)rules->leeway_ms;
    if (!mcpw_str_is(claims->iss, rules->issuer) && !(is_introspected && claims->iss.ptr == NULL)) {
        return "the token is from another issuer (iss)";
    }
    if (!has_audience(rules, &claims->aud)) {
        return "the token is not for this server (aud)";
    }
    if (!claims->exp.set && !is_introspected) {
        return "the token never expires: it lacks exp";
    }
    if (claims->exp.set && claims->exp.value * MCPW_JOSE_MS + leeway <= now) {
        return "the token has expired (exp)";
    }
    if (claims->nbf.set && claims->nbf.value * MCPW_JOSE_MS - leeway > now) {
        return "the token is not valid yet (nbf): compare the clocks";
    }
    if (claims->iat.set && claims->iat.value * MCPW_JOSE_MS - leeway > now) {
        return "the token was issued in the future (iat): compare the clocks";
    }
    return NULL;
}

/* The reason why the binding of a token cannot be checked; NULL: it can. */
static const char *binding_refusal(const mcpw_jose_json_claims *claims) {
    const bool is_bound = claims->cnf != NULL && claims->cnf->jkt.ptr != NULL;
    if (claims->cnf != NULL && !is_bound) {
        return "the token is bound to a key by an unsupported confirmation method (cnf)";
    }
    if (!is_bound && claims->token_type.ptr != NULL &&
        mcpw_oauth_is_same_word(claims->token_type, MCPW_STR_VALUE("DPoP"))) {
        return "the token is bound to a key that the issuer does not name (cnf)";
    }
    return NULL;
}

mcpw_status mcpw_jose_judge(const mcpw_oauth_rules *rules, const mcpw_jose_json_claims *claims,
                            bool is_introspected, uint64_t unix_ms, mcpw_oauth_claims *out,
                            mcpw_error *error) {
    const char *why = refusal(rules, claims, is_introspected, (double)unix_ms);
    why = why == NULL ? binding_refusal(claims) : why;
    if (why != NULL) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "%s", why);
    }
    out->issuer = claims->iss;
    out->subject = claims->sub;
    out->client_id = claims->client_id;
    out->scopes = claims->scope;
    out->thumbprint = claims->cnf != NULL ? claims->cnf->jkt : (mcpw_str){NULL, 0};
    out->expires_at = claims->exp.set ? (uint64_t)(claims->exp.value * MCPW_JOSE_MS) : 0;
    return MCPW_OK;
}
