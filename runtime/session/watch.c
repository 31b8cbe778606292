/* SPDX-License-Identifier: MIT */
/*
 * Which resources a client watches, each once whatever number of subscriptions it has to them: the handlers'
 * view of resources/subscribe and of subscriptions/listen. Who is told of a change is the matter of listen.c.
 */
#include "watch.h"

/* The peer chooses the URIs, but not where the session lies. */
static mcpw_watched **bucket_of(mcpw_session *session, mcpw_str uri) {
    return session->watched_by_uri + (mcpw_session_hash(session, uri) >> 56) % MCPW_BUCKETS;
}

static mcpw_watched **place_of(mcpw_session *session, mcpw_str uri) {
    mcpw_watched **at = bucket_of(session, uri);
    while (*at != NULL && !mcpw_str_equal((*at)->uri, uri)) {
        at = &(*at)->next;
    }
    return at;
}

bool mcpw_session_watches(mcpw_session *session, mcpw_str uri) { return *place_of(session, uri) != NULL; }

static bool is_told(const mcpw_session *session) {
    return session->config.on_watch != NULL ||
           (session->config.server != NULL &&
            mcpw_server_base_of(session->config.server)->config.on_watch != NULL);
}

mcpw_status mcpw_watch_begin(mcpw_session *session, mcpw_str uri) {
    mcpw_watched **const at = place_of(session, uri);
    if (*at != NULL) {
        (*at)->count++;
        return MCPW_OK;
    }
    if (!is_told(session)) {
        return MCPW_OK;
    }
    mcpw_watched *const w = mcpw_session_alloc(session, sizeof *w + uri.len + 1);
    if (w == NULL) {
        return MCPW_E_MEMORY;
    }
    memcpy(w + 1, uri.ptr, uri.len);
    w->uri = (mcpw_str){(const char *)(w + 1), uri.len};
    w->count = 1;
    *at = w;
    if (session->config.server != NULL) {
        mcpw_provider_of(session->config.server)->watched(session->config.server, session, w->uri, true);
    }
    mcpw_watched *const still = *place_of(session, uri); /* the callback may have ended it */
    if (still != NULL && session->config.on_watch != NULL) {
        session->config.on_watch(session->config.user, session, still->uri, true, &still->number);
    }
    return MCPW_OK;
}

void mcpw_watch_end(mcpw_session *session, mcpw_str uri) {
    mcpw_watched **const at = place_of(session, uri);
    mcpw_watched *const w = *at;
    if (w == NULL || --w->count != 0) {
        return;
    }
    *at = w->next;
    if (session->config.on_watch != NULL) {
        session->config.on_watch(session->config.user, session, w->uri, false, &w->number);
    }
    if (session->config.server != NULL) {
        mcpw_provider_of(session->config.server)->watched(session->config.server, session, w->uri, false);
    }
    mcpw_session_release(session, w, sizeof *w + w->uri.len + 1);
}

void mcpw_filter_end(mcpw_request *request) {
    mcpw_session *const session = request->session;
    mcpw_filter *const filter = request->filter;
    session->watch_count -= filter->count;
    filter->count = 0;
    for (mcpw_watch *w = filter->uris; w != NULL; w = w->next) {
        if (w->counted) {
            w->counted = false;
            mcpw_watch_end(session, w->uri);
        }
    }
}
