/* SPDX-License-Identifier: MIT */
/*
 * The resources that a client watches, each once, whatever number of subscriptions it has to them. Handlers
 * see resources/subscribe and subscriptions/listen alike by this. listen.c reports changes.
 */
#include "uri_subscription.h"

#include "../revisions/extension.h"

static mcpw_subscribed_uri *find(const mcpw_session *session, mcpw_str uri) {
    const mcpw_hash_table *const all = &session->subscriptions.by_uri;
    return all->count == 0 ? NULL
                           : mcpw_table_find(all, mcpw_session_hash32(session, uri), uri,
                                             offsetof(mcpw_subscribed_uri, uri));
}

void mcpw_watched_free(mcpw_session *session) {
    if (session->subscriptions.by_uri.buckets != NULL && session->subscriptions.by_uri.count == 0) {
        mcpw_table_free(&session->subscriptions.by_uri, &session->config->allocator);
        session->subscriptions.by_uri = (mcpw_hash_table){0};
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
    if (!mcpw_table_reserve(&session->subscriptions.by_uri, &session->config->allocator)) {
        return MCPW_E_MEMORY;
    }
    mcpw_subscribed_uri *const w = mcpw_session_alloc(session, sizeof *w + uri.len + 1);
    if (w == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(w + 1, uri.ptr, uri.len);
    w->uri = (mcpw_str){(const char *)(w + 1), uri.len};
    w->count = 1;
    mcpw_table_put(&session->subscriptions.by_uri, &w->in_bucket, mcpw_session_hash32(session, uri));
    tell_of_begin(session, w);
    return MCPW_OK;
}

void mcpw_uri_subscription_end(mcpw_session *session, mcpw_str uri) {
    mcpw_subscribed_uri *const w = find(session, uri);
    if (w == NULL || --w->count != 0) {
        return;
    }
    mcpw_table_drop(&session->subscriptions.by_uri, &w->in_bucket);
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

void mcpw_filter_end_names(const mcpw_request *request, mcpw_filter *filter) {
    const mcpw_extensions *const set = request->session->config->extensions;
    if (set != NULL) {
        set->extended->end_filters(filter);
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
    mcpw_filter_end_names(request, filter);
}
