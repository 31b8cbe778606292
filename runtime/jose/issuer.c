/* SPDX-License-Identifier: MIT */
/* The issuer's metadata, and requests to it. (RFC 8414, section 3; OpenID Connect Discovery 1.0, section 4.)
 */
#include "verifier.h"

enum { OK = 200, ERRORS = 400, SERVER_ERRORS = 500, FORMS = 3, QUICKER = 10 };

static const mcpw_str none = {NULL, 0};

mcpw_jose_request *mcpw_jose_order(mcpw_oauth_verifier *own, mcpw_jose_purpose purpose, mcpw_str url) {
    /* The first slot is for metadata and keys, so that introspections cannot use up all slots. */
    const size_t first = purpose == MCPW_JOSE_FOR_INTROSPECTION ? 1 : 0;
    const size_t end = purpose == MCPW_JOSE_FOR_INTROSPECTION ? own->request_count : 1;
    for (size_t i = first; i < end; i++) {
        mcpw_jose_request *const request = &own->requests[i];
        if (request->number == 0) {
            request->url = mcpw_arena_str(&request->memory, url.ptr, url.len);
            if (request->url.ptr == NULL) {
                mcpw_jose_drop(request);
                return NULL;
            }
            request->number = ++own->last_number;
            request->until = own->now + own->config.deadline_ms;
            request->purpose = purpose;
            request->is_sent = false;
            return request;
        }
    }
    return NULL;
}

void mcpw_jose_drop(mcpw_jose_request *request) {
    mcpw_arena_free(&request->memory);
    request->number = 0;
    request->url = none;
    request->body = none;
}

/* ---- Fetches ------------------------------------------------------------------------------------------- */

/* The well-known URL number `candidate`. Absent: there are no more, or no memory. */
static mcpw_str candidate_url(mcpw_oauth_verifier *own) {
    static const mcpw_str oauth_form = MCPW_STR("/.well-known/oauth-authorization-server");
    static const mcpw_str openid_form = MCPW_STR("/.well-known/openid-configuration");
    mcpw_str path = own->issuer.path;
    path.len -= path.len != 0 && path.ptr[path.len - 1] == '/' ? 1 : 0;
    const unsigned count = path.len != 0 ? FORMS : FORMS - 1;
    if (own->candidate >= count) {
        return none;
    }
    const mcpw_str form = own->candidate == 0 ? oauth_form : openid_form;
    const bool is_after = own->candidate == FORMS - 1;
    return mcpw_oauth_join(&own->scratch, (const mcpw_str[]){own->issuer.origin, is_after ? path : form,
                                                             is_after ? form : path, none});
}

bool mcpw_jose_may_fetch(const mcpw_oauth_verifier *own) {
    const uint64_t interval =
        own->keys != NULL ? own->config.min_refetch_ms : own->config.min_refetch_ms / QUICKER;
    return !own->is_fetching &&
           (own->tried_at == 0 || own->now < own->tried_at || own->now - own->tried_at >= interval);
}

void mcpw_jose_end_fetch(mcpw_oauth_verifier *own, bool has_failed) {
    own->is_fetching = false;
    own->has_failed = has_failed;
    own->candidate = 0;
    if (has_failed && own->config.jwks_uri == NULL && own->config.introspection_endpoint == NULL) {
        own->endpoint = none; /* it may have moved */
        mcpw_arena_reset(&own->found);
    }
}

void mcpw_jose_fetch(mcpw_oauth_verifier *own) {
    const bool has_endpoint = own->endpoint.ptr != NULL;
    own->is_fetching = true;
    own->tried_at = own->now;
    const mcpw_str url = has_endpoint ? own->endpoint : candidate_url(own);
    if (url.ptr == NULL ||
        mcpw_jose_order(own, has_endpoint ? MCPW_JOSE_FOR_KEYS : MCPW_JOSE_FOR_METADATA, url) == NULL) {
        mcpw_jose_end_fetch(own, true);
    }
}

/* ---- Metadata ------------------------------------------------------------------------------------------ */

static void fail(mcpw_oauth_verifier *own, const char *why) {
    mcpw_jose_warn(own, "the metadata of the issuer %s cannot be used: %s", own->config.issuer, why);
    mcpw_jose_end_fetch(own, true);
}

/* Takes the URL that the metadata name. */
static void take_endpoint(mcpw_oauth_verifier *own, const mcpw_jose_json_metadata *metadata) {
    const bool is_by_keys = own->config.check == MCPW_OAUTH_BY_KEYS;
    const mcpw_str url_text = is_by_keys ? metadata->jwks_uri : metadata->introspection_endpoint;
    mcpw_oauth_url url;
    if (!mcpw_str_is(metadata->issuer, own->config.issuer)) {
        fail(own, "they are from another issuer");
        return;
    }
    if (url_text.ptr == NULL || !mcpw_oauth_url_read(url_text, &url) ||
        !(url.is_https || (mcpw_oauth_url_is_loopback(&url) && mcpw_oauth_url_is_loopback(&own->issuer)))) {
        fail(own, is_by_keys ? "they lack jwks_uri, an https URL"
                             : "they lack introspection_endpoint, an https URL");
        return;
    }
    mcpw_arena_reset(&own->found);
    own->endpoint = mcpw_arena_str(&own->found, url_text.ptr, url_text.len);
    const bool is_ordered = own->endpoint.ptr != NULL &&
                            (!is_by_keys || mcpw_jose_order(own, MCPW_JOSE_FOR_KEYS, own->endpoint) != NULL);
    if (!is_ordered) {
        fail(own, mcpw_status_text(MCPW_E_MEMORY));
    } else if (!is_by_keys) {
        mcpw_jose_end_fetch(own, false);
    }
}

void mcpw_jose_take_metadata(mcpw_oauth_verifier *own, int status, mcpw_str body, const char *why) {
    mcpw_jose_json_metadata metadata;
    mcpw_error error = {.code = MCPW_OK};
    if (status >= ERRORS && status < SERVER_ERRORS) {
        own->candidate++;
        const mcpw_str url = candidate_url(own);
        if (url.ptr == NULL || mcpw_jose_order(own, MCPW_JOSE_FOR_METADATA, url) == NULL) {
            fail(own, "there are none at the well-known URLs");
        }
    } else if (status != OK) {
        (void)mcpw_error_set(&error, MCPW_E_HTTP, 0, status != 0 ? "HTTP status %d" : "%.0d%s", status, why);
        fail(own, error.message);
    } else if (mcpw_jose_decode(&mcpw_jose_json_metadata_table, body, &own->scratch, &metadata, &error) !=
               MCPW_OK) {
        fail(own, error.message);
    } else {
        take_endpoint(own, &metadata);
    }
}
