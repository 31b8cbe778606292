/* SPDX-License-Identifier: MIT */
/* Subscribers to changes, at the server: resources/subscribe, and subscriptions/listen (2026-07-28). */
#include "listen.h"

#include <mcpw/detail/catalogue.h>

#include "../requests/outbound.h"
#include "../requests/respond.h"
#include "../revisions/capability.h"
#include "../revisions/extension.h"
#include "../support/pieces.h"
#include "../support/wire_names.h"
#include "uri_subscription.h"

#define SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"
static const char subscription_name[] = SUBSCRIPTION;
static const char filter_name[] = "notifications";
static const char uri_name[] = "uri";

/* ---- Changes, told to clients that asked ---- */

/* How each change is told, and what a client asks for to be told. */
typedef struct change_names {
    mcpw_own told;
    const char *filter;
    const char *capability;
} change_names;

static const change_names changes[] = {
    [MCPW_CHANGE_TOOLS] = {MCPW_OWN_TOOLS_CHANGED, "toolsListChanged", "tools.listChanged"},
    [MCPW_CHANGE_PROMPTS] = {MCPW_OWN_PROMPTS_CHANGED, "promptsListChanged", "prompts.listChanged"},
    [MCPW_CHANGE_RESOURCES] = {MCPW_OWN_RESOURCES_CHANGED, "resourcesListChanged", "resources.listChanged"},
    [MCPW_CHANGE_RESOURCE] = {MCPW_OWN_RESOURCE_UPDATED, "resourceSubscriptions", "resources.subscribe"}};

bool mcpw_is_change(mcpw_own own, mcpw_change *out) {
    mcpw_change change = MCPW_CHANGE_TOOLS;
    while (change < MCPW_CHANGE_RESOURCE && changes[change].told != own) {
        change++;
    }
    *out = change;
    return changes[change].told == own;
}

mcpw_str mcpw_change_uri(const mcpw_method *method, const void *params) {
    return mcpw_field_str(mcpw_field_get(mcpw_field_of(mcpw_method_params(method), params), uri_name));
}

/* Writes the member that says which subscription something is about. */
static void put_subscription(mcpw_text *text, const mcpw_request *subscription) {
    mcpw_text_key(text, MCPW_NAME_META);
    mcpw_text_object(text);
    mcpw_text_key(text, subscription_name);
    mcpw_text_id(text, &subscription->message.id);
    mcpw_text_object_end(text);
}

/* Sends a notification with its subscription and its resource, where there are such. */
static mcpw_status tell(mcpw_session *session, const mcpw_profile *profile, mcpw_own method,
                        const mcpw_request *subscription, mcpw_str uri) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_object(&text);
    if (subscription != NULL) {
        put_subscription(&text, subscription);
    }
    if (uri.ptr != NULL) {
        mcpw_text_member(&text, uri_name, uri);
    }
    mcpw_text_object_end(&text);
    const mcpw_route route = {NULL, subscription != NULL ? subscription->origin.context : NULL, false, 0};
    return mcpw_notify_text(session, profile, method, &text, &route);
}

mcpw_status mcpw_tell_change(mcpw_session *session, const mcpw_profile *profile, mcpw_change change,
                             mcpw_str uri) {
    return tell(session, profile, changes[change].told, NULL, uri);
}

static mcpw_uri_subscription *subscription_of(const mcpw_filter *filter, mcpw_str uri) {
    mcpw_uri_subscription *watch = filter->uris;
    while (watch != NULL && !mcpw_str_equal(watch->uri, uri)) {
        watch = watch->next;
    }
    return watch;
}

static bool wants(const mcpw_filter *filter, mcpw_change change, mcpw_str uri) {
    return change != MCPW_CHANGE_RESOURCE ? (filter->lists & 1U << change) != 0
                                          : subscription_of(filter, uri) != NULL;
}

/* Notes that those who follow a filter, and want a change, are owed it. */
static void owe(mcpw_session *session, mcpw_filter *filter, mcpw_change change, mcpw_str uri) {
    session->subscriptions.owes = true;
    if (change == MCPW_CHANGE_RESOURCE) {
        subscription_of(filter, uri)->owed = true;
    } else {
        filter->owed |= 1U << change;
    }
}

/* Whether somebody still follows a filter: a middleware that sees what is told may close the session. */
static bool is_followed(const mcpw_session *session, const mcpw_request *subscription) {
    return !session->closed && (subscription == NULL || subscription->life.in_flight);
}

/* A change ceases to be owed before it is told, so a walk within this one, or one that begins again, tells
 * nothing twice. */
static mcpw_status tell_owed_lists(mcpw_session *session, const mcpw_profile *profile, mcpw_filter *filter,
                                   const mcpw_request *subscription) {
    mcpw_status status = MCPW_OK;
    for (mcpw_change change = MCPW_CHANGE_TOOLS;
         change < MCPW_CHANGE_RESOURCE && is_followed(session, subscription); change++) {
        if ((filter->owed & 1U << change) == 0) {
            continue;
        }
        if (mcpw_session_is_full(session)) {
            session->subscriptions.owes = true;
            break;
        }
        filter->owed &= ~(1U << change);
        const mcpw_status one = tell(session, profile, changes[change].told, subscription, no_str);
        status = one != MCPW_OK ? one : status;
    }
    return status;
}

static mcpw_status tell_owed_uris(mcpw_session *session, const mcpw_profile *profile,
                                  const mcpw_filter *filter, const mcpw_request *subscription) {
    mcpw_status status = MCPW_OK;
    mcpw_uri_subscription *w = filter->uris;
    while (w != NULL && is_followed(session, subscription)) {
        if (!w->owed) {
            w = w->next;
            continue;
        }
        if (mcpw_session_is_full(session)) {
            session->subscriptions.owes = true;
            break;
        }
        const unsigned ended = session->subscriptions.ended;
        w->owed = false;
        const mcpw_status one = tell(session, profile, MCPW_OWN_RESOURCE_UPDATED, subscription, w->uri);
        status = one != MCPW_OK ? one : status;
        w = is_followed(session, subscription) && session->subscriptions.ended == ended ? w->next
                                                                                        : filter->uris;
    }
    return status;
}

/* The subscription is held. */
static mcpw_status tell_owed_of(mcpw_session *session, const mcpw_profile *profile, mcpw_filter *filter,
                                const mcpw_request *subscription) {
    const mcpw_status lists =
        filter->owed != 0 ? tell_owed_lists(session, profile, filter, subscription) : MCPW_OK;
    const mcpw_status uris = tell_owed_uris(session, profile, filter, subscription);
    return uris != MCPW_OK ? uris : lists;
}

static void diagnose_untold(mcpw_session *session, mcpw_status status) {
    if (status != MCPW_OK && !session->closed) {
        mcpw_error error;
        mcpw_error_set(&error, status, 0, "a client could not be notified of a change: %s",
                       mcpw_status_text(status));
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_HANDLER, NULL, no_str, &error);
    }
}

static void owe_all(mcpw_filter *filter) {
    for (mcpw_uri_subscription *w = filter->uris; w != NULL; w = w->next) {
        w->owed = true;
    }
}

/* Every resource that is watched has changed. */
static void all_changed(mcpw_session *session) {
    owe_all(&session->subscriptions.watched);
    for (mcpw_request *r = session->served.in_flight; r != NULL; r = r->place.next) {
        if (r->filter != NULL) {
            owe_all(r->filter);
        }
    }
    session->subscriptions.owes = true;
    mcpw_session_emit_owed_diagnostics(session);
}

void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri) {
    const mcpw_own method = changes[change].told;
    if (session->closed) {
        return;
    }
    if (change == MCPW_CHANGE_RESOURCE && uri.len == 0) {
        all_changed(session);
        return;
    }
    const mcpw_method *const entry =
        mcpw_method_entry(session->profile->revision, session->profile->number[method]);
    if (session->era == MCPW_ERA_LEGACY && session->open && entry != NULL) {
        const mcpw_need *const need =
            mcpw_need_of(session->profile->revision, session->profile->number[method]);
        const bool declared = !need->by_sender || mcpw_capability_in(session->declared, need->capability);
        if (declared && (change != MCPW_CHANGE_RESOURCE ||
                         subscription_of(&session->subscriptions.watched, uri) != NULL)) {
            owe(session, &session->subscriptions.watched, change, uri);
        }
    }
    for (mcpw_request *r = session->served.in_flight; r != NULL; r = r->place.next) {
        if (r->filter != NULL && wants(r->filter, change, uri)) {
            owe(session, r->filter, change, uri);
        }
    }
    mcpw_session_emit_owed_diagnostics(session);
}

void mcpw_session_emit_owed_diagnostics(mcpw_session *session) {
    if (!session->subscriptions.owes || session->closed || mcpw_session_is_full(session)) {
        return;
    }
    session->subscriptions.owes = false;
    mcpw_status status = tell_owed_of(session, session->profile, &session->subscriptions.watched, NULL);
    mcpw_request_walk walk;
    for (mcpw_request *r = mcpw_request_walk_begin(&walk, session); r != NULL;
         r = mcpw_request_walk_next(&walk)) {
        const mcpw_status one = r->filter != NULL ? tell_owed_of(session, r->profile, r->filter, r) : MCPW_OK;
        status = one != MCPW_OK ? one : status;
    }
    mcpw_request_walk_end(&walk);
    diagnose_untold(session, status);
}

bool mcpw_filter_names(const mcpw_filter *filter, const mcpw_topic *topic, mcpw_str name) {
    const mcpw_named *n = filter->named;
    while (n != NULL && (n->topic != topic || !mcpw_str_equal(n->name, name))) {
        n = n->next;
    }
    return n != NULL;
}

void mcpw_subscription_params(const mcpw_request *subscription, mcpw_json params, mcpw_text *text) {
    mcpw_json meta = no_json;
    mcpw_text_object(text);
    mcpw_text_key(text, MCPW_NAME_META);
    mcpw_text_object(text);
    mcpw_text_key(text, subscription_name);
    mcpw_text_id(text, &subscription->message.id);
    if (mcpw_json_get(params, MCPW_NAME_META, &meta) == MCPW_OK) {
        mcpw_text_rest(text, meta, (mcpw_json)MCPW_JSON(MCPW_PIECE_ALONE(SUBSCRIPTION)));
    }
    mcpw_text_object_end(text);
    mcpw_text_rest(text, params, (mcpw_json)MCPW_JSON(MCPW_PIECE_ALONE(MCPW_NAME_META)));
    mcpw_text_object_end(text);
}

static mcpw_status tell_params(mcpw_request *subscription, int method, mcpw_json params) {
    mcpw_session *const session = subscription->session;
    const mcpw_route route = {NULL, subscription->origin.context, false, 0};
    mcpw_text text = mcpw_session_text(session);
    mcpw_error error;
    mcpw_subscription_params(subscription, params, &text);
    mcpw_status status = text.status;
    if (status == MCPW_OK) {
        status =
            mcpw_notify_number(session, subscription->profile, method, mcpw_text_get(&text), &route, &error);
    }
    mcpw_text_free(&text);
    return status;
}

mcpw_status mcpw_report_topic(mcpw_session *session, const mcpw_topic *topic, mcpw_str name,
                              mcpw_json params) {
    mcpw_status status = MCPW_OK;
    mcpw_request_walk walk;
    mcpw_request *r = mcpw_request_walk_begin(&walk, session);
    while (status == MCPW_OK && r != NULL) {
        if (r->filter != NULL && mcpw_filter_names(r->filter, topic, name)) {
            status = tell_params(r, topic->method, params);
        }
        r = mcpw_request_walk_next(&walk);
    }
    mcpw_request_walk_end(&walk);
    return status;
}

/* ---- resources/subscribe and unsubscribe ---- */

static mcpw_status refuse_watches(mcpw_request *request) {
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, "Invalid params: too many subscriptions",
                              no_json);
}

static mcpw_status add_subscription(mcpw_session *session, mcpw_str uri, mcpw_uri_subscription **at) {
    const size_t room = session->config->max_request_bytes;
    const size_t size = sizeof(mcpw_uri_subscription) + uri.len;
    if (session->subscriptions.count >= session->config->max_requests || size > room ||
        session->served.held_bytes > room - size) {
        return MCPW_E_FULL;
    }
    mcpw_uri_subscription *const fresh = mcpw_session_alloc(session, size);
    if (fresh == NULL) {
        return MCPW_E_MEMORY;
    }
    if (uri.len != 0) {
        memcpy(fresh + 1, uri.ptr, uri.len);
    }
    fresh->uri.ptr = (const char *)(fresh + 1);
    fresh->uri.len = uri.len;
    *at = fresh;
    session->served.held_bytes += size;
    session->subscriptions.count++;
    if (mcpw_uri_subscription_begin(session, uri) != MCPW_OK) {
        *at = NULL; /* it is still the last, because no callback ran */
        session->served.held_bytes -= size;
        session->subscriptions.count--;
        mcpw_session_release(session, fresh, size);
        return MCPW_E_MEMORY;
    }
    return MCPW_OK;
}

mcpw_status mcpw_session_subscribe(mcpw_session *session, mcpw_str uri, bool watch) {
    mcpw_uri_subscription **at = &session->subscriptions.watched.uris;
    while (*at != NULL && !mcpw_str_equal((*at)->uri, uri)) {
        at = &(*at)->next;
    }
    mcpw_uri_subscription *const old = *at;
    if (watch) {
        return old == NULL ? add_subscription(session, uri, at) : MCPW_OK;
    }
    if (old != NULL) {
        *at = old->next;
        session->subscriptions.ended++;
        session->served.held_bytes -= sizeof *old + old->uri.len;
        session->subscriptions.count--;
        mcpw_uri_subscription_end(session, old->uri);
        mcpw_session_release(session, old, sizeof *old + old->uri.len);
    }
    return MCPW_OK;
}

bool mcpw_session_is_subscribed(const mcpw_session *session, mcpw_str uri) {
    return subscription_of(&session->subscriptions.watched, uri) != NULL;
}

size_t mcpw_session_subscribed_bytes(const mcpw_session *session) {
    size_t bytes = 0;
    for (const mcpw_uri_subscription *w = session->subscriptions.watched.uris; w != NULL; w = w->next) {
        bytes += sizeof *w + w->uri.len;
    }
    return bytes;
}

mcpw_status mcpw_watch_request(mcpw_request *request, bool watch) {
    const mcpw_str uri = mcpw_field_str(
        mcpw_field_get(mcpw_field_of(request->message.type, request->message.value), uri_name));
    const mcpw_status status = mcpw_session_subscribe(request->session, uri, watch);
    if (status == MCPW_E_FULL) {
        return refuse_watches(request);
    }
    return status == MCPW_OK ? mcpw_respond_empty(request) : status;
}

void mcpw_uri_subscriptions_free(mcpw_session *session) {
    while (session->subscriptions.watched.uris != NULL) {
        mcpw_uri_subscription *const old = session->subscriptions.watched.uris;
        session->subscriptions.watched.uris = old->next;
        mcpw_uri_subscription_end(session, old->uri);
        mcpw_session_release(session, old, sizeof *old + old->uri.len);
    }
}

/* ---- subscriptions/listen ---- */

/* Tells the handlers what is watched. One of them may end the subscription, or the session. */
static mcpw_status begin_watches(mcpw_request *r) {
    mcpw_status status = MCPW_OK;
    for (mcpw_uri_subscription *w = r->filter->uris; status == MCPW_OK && r->life.in_flight && w != NULL;
         w = w->next) {
        w->counted = true;
        status = mcpw_uri_subscription_begin(r->session, w->uri);
        w->counted = w->counted && status == MCPW_OK;
    }
    return status;
}

/* The names that extensions allow in a filter, as far as this end has declared them; the client has, or it
 * would have been refused. */
static mcpw_status read_names(mcpw_request *r, mcpw_json own, mcpw_field asked, mcpw_filter *filter) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(r->profile->revision);
    for (unsigned t = 0; t < protocol->topic_count; t++) {
        const mcpw_topic *const topic = protocol->topics + t;
        const mcpw_field names = mcpw_field_get(asked, topic->filter);
        const size_t count = mcpw_capability_in(own, topic->capability) ? mcpw_field_count(names) : 0;
        for (size_t i = count; i-- > 0;) {
            mcpw_named *const named = mcpw_arena_alloc(&r->arena, sizeof *named);
            if (named == NULL) {
                return MCPW_E_MEMORY;
            }
            named->topic = topic;
            named->added = NULL;
            named->name = mcpw_field_str(mcpw_field_item(names, i));
            named->next = filter->named;
            filter->named = named;
        }
        filter->count += count;
    }
    return MCPW_OK;
}

static mcpw_status read_filter(mcpw_request *r, mcpw_field asked, mcpw_filter *filter) {
    mcpw_json own;
    const mcpw_status status = mcpw_capabilities(r->session->endpoint, r->profile, &r->arena, &own);
    if (status != MCPW_OK) {
        return status;
    }
    for (mcpw_change change = MCPW_CHANGE_TOOLS; change < MCPW_CHANGE_RESOURCE; change++) {
        if (mcpw_field_bool(mcpw_field_get(asked, changes[change].filter)) &&
            mcpw_capability_in(own, changes[change].capability)) {
            filter->lists |= 1U << change;
        }
    }
    const change_names *const updates = changes + MCPW_CHANGE_RESOURCE;
    const mcpw_field uris = mcpw_field_get(asked, updates->filter);
    const size_t count = mcpw_capability_in(own, updates->capability) ? mcpw_field_count(uris) : 0;
    for (size_t i = count; i-- > 0;) { /* each is put before those already there, so the order stays */
        mcpw_uri_subscription *const watch = mcpw_arena_alloc(&r->arena, sizeof *watch);
        if (watch == NULL) {
            return MCPW_E_MEMORY;
        }
        watch->owed = watch->counted = false;
        watch->uri = mcpw_field_str(mcpw_field_item(uris, i));
        watch->next = filter->uris;
        filter->uris = watch;
    }
    filter->count = count;
    const mcpw_status named = read_names(r, own, asked, filter);
    const mcpw_extensions *const set = r->session->config->extensions;
    return named == MCPW_OK && set != NULL ? set->extended->read_filters(r, asked, filter) : named;
}

/* "taskIds":["1","2"], of each topic. */
static void put_names(mcpw_text *text, const mcpw_named *named) {
    const mcpw_topic *open = NULL;
    for (; named != NULL; named = named->next) {
        if (named->topic != open) {
            if (open != NULL) {
                mcpw_text_array_end(text);
            }
            open = named->topic;
            mcpw_text_key(text, open->filter);
            mcpw_text_array(text);
        }
        mcpw_text_string(text, named->name);
    }
    if (open != NULL) {
        mcpw_text_array_end(text);
    }
}

/* Writes what was asked for and is granted. */
void mcpw_filter_put(mcpw_text *text, const mcpw_filter *filter) {
    mcpw_text_object(text);
    for (mcpw_change change = MCPW_CHANGE_TOOLS; change < MCPW_CHANGE_RESOURCE; change++) {
        if ((filter->lists & 1U << change) != 0) {
            mcpw_text_key(text, changes[change].filter);
            mcpw_text_bool(text, true);
        }
    }
    if (filter->uris != NULL) {
        mcpw_text_key(text, changes[MCPW_CHANGE_RESOURCE].filter);
        mcpw_text_array(text);
        for (const mcpw_uri_subscription *w = filter->uris; w != NULL; w = w->next) {
            mcpw_text_string(text, w->uri);
        }
        mcpw_text_array_end(text);
    }
    put_names(text, filter->named);
    mcpw_text_object_end(text);
}

/* Acknowledges a filter, which is the subscription's from then on. */
static mcpw_status acknowledge(mcpw_request *r, mcpw_filter *filter) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_text_object(&text);
    put_subscription(&text, r);
    mcpw_text_key(&text, filter_name);
    mcpw_filter_put(&text, filter);
    mcpw_text_object_end(&text);
    const mcpw_route route = mcpw_route_of(r);
    const mcpw_status status = mcpw_notify_text(r->session, r->profile, MCPW_OWN_ACKNOWLEDGED, &text, &route);
    if (status == MCPW_OK) {
        r->filter = filter;
        r->life.endings |= 1U << MCPW_ENDING_FILTER;
        r->session->subscriptions.count += filter->count;
    }
    return status;
}

mcpw_status mcpw_listen_begin(mcpw_request *r) {
    mcpw_filter *const filter = mcpw_arena_alloc(&r->arena, sizeof *filter);
    if (filter == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(filter, 0, sizeof *filter);
    mcpw_status status =
        read_filter(r, mcpw_field_get(mcpw_field_of(r->message.type, r->message.value), filter_name), filter);
    const bool has_room = status != MCPW_OK || (filter->count <= r->session->config->max_requests -
                                                                     r->session->subscriptions.count &&
                                                mcpw_request_charge(r));
    if (status == MCPW_OK && has_room) {
        status = acknowledge(r, filter);
    }
    if (r->filter == NULL) {
        mcpw_filter_end_names(r, filter);
        return has_room ? status : refuse_watches(r);
    }
    return begin_watches(r);
}

void mcpw_listen_end(mcpw_request *r) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_json result = no_json;
    mcpw_text_object(&text);
    put_subscription(&text, r);
    mcpw_text_object_end(&text);
    mcpw_request_ref(r);
    mcpw_status status = mcpw_text_finish(&text, &r->arena, &result);
    status = status == MCPW_OK ? mcpw_respond_json(r, result, NULL) : status;
    if (status != MCPW_OK && r->life.in_flight) {
        mcpw_request_drop(r);
    }
    (void)mcpw_request_unref(r);
}
