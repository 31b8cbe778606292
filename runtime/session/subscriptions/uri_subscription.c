/* SPDX-License-Identifier: MIT */
/*
 * The resources that a client watches, each once, whatever number of subscriptions it has to them. Handlers
 * see resources/subscribe and subscriptions/listen alike by this. listen.c reports changes.
 */
#include "uri_subscription.h"

/* The place of a URI in the table; NULL: there is no table yet. The peer chooses the URIs, so the hash is one
 * that it cannot foresee. */
static mcpw_subscribed_uri **place_of(mcpw_session *session, mcpw_str uri) {
    if (session->subscriptions.by_uri == NULL) {
        return NULL;
    }
    mcpw_subscribed_uri **at =
        session->subscriptions.by_uri + (mcpw_session_hash(session, uri) >> 32) % MCPW_SUBSCRIPTION_BUCKETS;
    while (*at != NULL && !mcpw_str_equal((*at)->uri, uri)) {
        at = &(*at)->next;
    }
    return at;
}

static mcpw_subscribed_uri *find(mcpw_session *session, mcpw_str uri) {
    mcpw_subscribed_uri **const at = place_of(session, uri);
    return at != NULL ? *at : NULL;
}

static bool make_buckets(mcpw_session *session) {
    if (session->subscriptions.by_uri == NULL) {
        session->subscriptions.by_uri =
            mcpw_session_alloc(session, MCPW_SUBSCRIPTION_BUCKETS * sizeof(mcpw_subscribed_uri *));
    }
    return session->subscriptions.by_uri != NULL;
}

void mcpw_watched_free(mcpw_session *session) {
    size_t used = 0;
    for (size_t i = 0; session->subscriptions.by_uri != NULL && i < MCPW_SUBSCRIPTION_BUCKETS; i++) {
        used += session->subscriptions.by_uri[i] != NULL;
    }
    if (session->subscriptions.by_uri != NULL && used == 0) {
        mcpw_session_release(session, session->subscriptions.by_uri,
                             MCPW_SUBSCRIPTION_BUCKETS * sizeof(mcpw_subscribed_uri *));
        session->subscriptions.by_uri = NULL;
    }
}

bool mcpw_session_watches(mcpw_session *session, mcpw_str uri) { return find(session, uri) != NULL; }

static bool is_told(const mcpw_session *session) {
    return session->config->on_watch != NULL ||
           (session->config->server != NULL &&
            mcpw_server_base_of(session->config->server)->config.on_watch != NULL);
}

static void release(mcpw_session *session, mcpw_subscribed_uri *w) {
    mcpw_session_release(session, w, sizeof *w + w->uri.len + 1);
}

/* A handler may end a subscription that it is called for, and look at it until it returns. */
static void tell_of_begin(mcpw_session *session, mcpw_subscribed_uri *w) {
    w->telling = true;
    if (session->config->server != NULL) {
        mcpw_provider_of(session->config->server)->watched(session->config->server, session, w->uri, true);
    }
    if (!w->ended && session->config->on_watch != NULL) {
        session->config->on_watch(session->user, session, w->uri, true, &w->number);
    }
    w->telling = false;
    if (w->ended) {
        release(session, w);
    }
}

mcpw_status mcpw_uri_subscription_begin(mcpw_session *session, mcpw_str uri) {
    mcpw_subscribed_uri *const known = find(session, uri);
    if (known != NULL) {
        known->count++;
        return MCPW_OK;
    }
    if (!is_told(session)) {
        return MCPW_OK;
    }
    if (!make_buckets(session)) {
        return MCPW_E_MEMORY;
    }
    mcpw_subscribed_uri *const w = mcpw_session_alloc(session, sizeof *w + uri.len + 1);
    if (w == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(w + 1, uri.ptr, uri.len);
    w->uri = (mcpw_str){(const char *)(w + 1), uri.len};
    w->count = 1;
    *place_of(session, uri) = w;
    tell_of_begin(session, w);
    return MCPW_OK;
}

void mcpw_uri_subscription_end(mcpw_session *session, mcpw_str uri) {
    mcpw_subscribed_uri **const at = place_of(session, uri);
    mcpw_subscribed_uri *const w = at != NULL ? *at : NULL;
    if (w == NULL || --w->count != 0) {
        return;
    }
    *at = w->next;
    if (session->config->on_watch != NULL) {
        session->config->on_watch(session->user, session, w->uri, false, &w->number);
    }
    if (session->config->server != NULL) {
        mcpw_provider_of(session->config->server)->watched(session->config->server, session, w->uri, false);
    }
    w->ended = true;
    if (!w->telling) {
        release(session, w);
    }
}

void mcpw_filter_end(mcpw_request *request) {
    mcpw_session *const session = request->session;
    mcpw_filter *const filter = request->filter;
    session->subscriptions.count -= filter->count;
    filter->count = 0;
    for (mcpw_uri_subscription *w = filter->uris; w != NULL; w = w->next) {
        if (w->counted) {
            w->counted = false;
            mcpw_uri_subscription_end(session, w->uri);
        }
    }
}
