/* SPDX-License-Identifier: MIT */
/*
 * Subscriptions of a client: by subscriptions/listen or by resources/subscribe, whichever the revision has.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "subscribe.h"

#include "../calls/call.h"
#include "../core/threads.h"
#include "../requests/outbound.h"
#include "../revisions/declared.h"
#include "../revisions/extension.h"
#include "listen.h"

/* Makes a struct of a method's params out of JSON text. */
static mcpw_status params_of(const mcpw_type *type, mcpw_text *text, mcpw_arena *arena, void **out,
                             mcpw_error *error) {
    const mcpw_json json = mcpw_text_get(text);
    *out = mcpw_arena_alloc(arena, mcpw_type_size(type));
    return *out == NULL || json.ptr == NULL ? MCPW_E_MEMORY
                                            : mcpw_decode(type, json.ptr, json.len, arena, *out, NULL, error);
}

static mcpw_status listen_modern(mcpw_session *session, const mcpw_filter *filter, mcpw_send *send,
                                 int64_t *number, mcpw_error *error) {
    const mcpw_profile *const profile = session->profile;
    const mcpw_revision *const revision = profile->revision;
    send->method = profile->number[MCPW_OWN_LISTEN];
    send->listening = true;
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(revision, send->method));
    const mcpw_slot slot = mcpw_type_slot(type, "notifications");
    if (slot.ref.kind != MCPW_KIND_STRUCT) {
        return MCPW_E_METHOD;
    }
    mcpw_type_room room;
    const mcpw_type *const part = mcpw_type_make(&room, revision, slot.ref, "notifications");
    unsigned char *const params = mcpw_arena_alloc(&session->scratch, mcpw_type_size(type));
    mcpw_text text = mcpw_session_text(session);
    void *value = NULL;
    mcpw_filter_put(&text, filter);
    mcpw_status status =
        params != NULL ? params_of(part, &text, &session->scratch, &value, error) : MCPW_E_MEMORY;
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        memset(params, 0, mcpw_type_size(type));
        memcpy(params + slot.offset, value, mcpw_type_size(part));
        send->params = params;
        status = mcpw_call_send(session, send, number, error);
    }
    return status;
}

/* Sends one resources/subscribe or unsubscribe. */
static mcpw_status send_watch(mcpw_session *session, mcpw_own own, mcpw_str uri, mcpw_on_reply on_reply,
                              void *user, mcpw_error *error) {
    const mcpw_profile *const profile = session->profile;
    mcpw_send send = {
        .revision = profile->revision, .method = profile->number[own], .on_reply = on_reply, .user = user};
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(profile->revision, send.method));
    const mcpw_slot slot = mcpw_type_slot(type, "uri");
    const bool has_uri = slot.ref.kind == MCPW_KIND_STRING;
    unsigned char *const params = has_uri ? mcpw_arena_alloc(&session->scratch, mcpw_type_size(type)) : NULL;
    if (params == NULL) {
        return has_uri ? MCPW_E_MEMORY : MCPW_E_METHOD;
    }
    memset(params, 0, mcpw_type_size(type));
    memcpy(params + slot.offset, &uri, sizeof uri);
    send.params = params;
    return mcpw_call_send(session, &send, NULL, error);
}

/* Whether a listener of the session has a resource in its list. */
static bool is_listened_to(const mcpw_session *session, mcpw_str uri) {
    for (const mcpw_pending *p = session->pending.oldest; p != NULL; p = p->place.next) {
        for (const mcpw_uri_subscription *w = p->watched; w != NULL; w = w->next) {
            if (mcpw_str_equal(w->uri, uri)) {
                return true;
            }
        }
    }
    return false;
}

/* Gives up what is watched where each resource has a request of its own. A middleware that sees these
 * requests may end the listener, so its list is taken with the memory that it lies in. To the server all
 * listeners are one, so what another still listens to is kept. */
static void give_up_watches(mcpw_pending *pending) {
    mcpw_session *const session = pending->session;
    const mcpw_uri_subscription *w = pending->watched;
    mcpw_arena memory = pending->arena;
    pending->watched = NULL;
    pending->arena = (mcpw_arena)MCPW_ARENA_INIT;
    pending->arena.allocator = session->config->allocator;
    const mcpw_mark before = mcpw_arena_mark(&session->scratch);
    for (; w != NULL; w = w->next) {
        if (!is_listened_to(session, w->uri)) {
            mcpw_ignore(send_watch(session, MCPW_OWN_UNSUBSCRIBE, w->uri, NULL, NULL, NULL));
        }
    }
    mcpw_arena_rewind(&session->scratch, before);
    mcpw_arena_free(&memory);
}

static void on_subscribed(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const int64_t number = (int64_t)(intptr_t)user;
    mcpw_pending *const listener = mcpw_pending_numbered(session, number);
    if (listener == NULL || reply->status == MCPW_OK) {
        return;
    }
    give_up_watches(listener); /* all or nothing */
    if (mcpw_pending_numbered(session, number) == listener) {
        mcpw_pending_end(listener, reply);
    }
}

void mcpw_listen_close(mcpw_session *session) {
    for (mcpw_pending *p = session->pending.oldest; p != NULL; p = p->place.next) {
        if (p->traits.listening && p->kind == MCPW_PENDING_SENT) {
            mcpw_ignore(mcpw_notify_cancelled(session, p, NULL));
        }
    }
}

/* Subscribes to a resource for a listener, which a middleware may end meanwhile. */
static mcpw_status watch(mcpw_pending *p, mcpw_str uri, mcpw_error *error) {
    mcpw_session *const session = p->session;
    const int64_t number = p->number;
    mcpw_uri_subscription *const kept = mcpw_arena_alloc(&p->arena, sizeof *kept);
    if (kept == NULL) {
        return MCPW_E_MEMORY;
    }
    kept->uri = mcpw_arena_str(&p->arena, uri.ptr, uri.len);
    kept->next = p->watched;
    if (kept->uri.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    p->watched = kept;
    const mcpw_status status =
        send_watch(session, MCPW_OWN_SUBSCRIBE, uri, on_subscribed, (void *)(intptr_t)number, error);
    if (mcpw_pending_numbered(session, number) != p) {
        return status != MCPW_OK ? status : MCPW_E_CLOSED;
    }
    if (status != MCPW_OK) {
        p->watched = kept->next; /* there is nothing to give up */
    }
    return status;
}

/* Servers report changes of their lists unasked. Resources are subscribed to one by one, under one number.
 */
static mcpw_status listen_legacy(mcpw_session *session, const mcpw_filter *filter, const mcpw_send *send,
                                 int64_t *number, mcpw_error *error) {
    mcpw_pending *const p = mcpw_pending_new(session);
    mcpw_status status = MCPW_OK;
    if (p == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_pending_take_number(p);
    const int64_t own = p->number;
    p->traits.listening = true;
    p->callbacks.cancelled = give_up_watches;
    for (const mcpw_uri_subscription *w = filter->uris; status == MCPW_OK && w != NULL; w = w->next) {
        status = watch(p, w->uri, error);
    }
    if (status != MCPW_OK) {
        if (mcpw_pending_numbered(session, own) == p) {
            give_up_watches(p); /* all or nothing */
        }
        if (mcpw_pending_numbered(session, own) == p) {
            mcpw_pending_release(p);
        }
        return status;
    }
    p->callbacks.on_reply = send->on_reply; /* only now: a call that fails never calls it */
    p->callbacks.user = send->user;
    if (number != NULL) {
        *number = own;
    }
    return MCPW_OK;
}

static const mcpw_topic *topic_of_filter(const mcpw_session *session, const char *filter) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(session->profile->revision);
    unsigned i = 0;
    while (i < protocol->topic_count && strcmp(protocol->topics[i].filter, filter) != 0) {
        i++;
    }
    if (i < protocol->topic_count) {
        return protocol->topics + i;
    }
    const mcpw_extensions *const set = session->config->extensions;
    return set != NULL ? set->extended->topic(session, filter) : NULL;
}

/* Whether the peer has declared the extension of a topic that no table of the revision has. */
static bool is_open_to(const mcpw_session *session, const mcpw_topic *topic) {
    return topic->method != 0 || mcpw_declares(mcpw_peer_declared(session), topic->capability);
}

/* The resources that extensions name. Whether both ends have declared them is looked at when it is sent. */
static mcpw_status take_names(mcpw_session *session, const mcpw_interest *interest, mcpw_filter *filter,
                              mcpw_error *error) {
    for (size_t n = interest->named_count; n-- > 0;) {
        const mcpw_named_interest *const wanted = interest->named + n;
        const mcpw_topic *const topic = topic_of_filter(session, wanted->filter);
        if (topic == NULL) {
            return mcpw_error_set(error, MCPW_E_METHOD, 0, "nothing can be named by \"%s\" in %s",
                                  wanted->filter, mcpw_revision_name(session->profile->revision));
        }
        if (!is_open_to(session, topic)) {
            return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the peer has not declared \"%s\"",
                                  topic->capability);
        }
        for (size_t i = wanted->name_count; i-- > 0;) {
            mcpw_named *const named = mcpw_arena_alloc(&session->scratch, sizeof *named);
            if (named == NULL) {
                return MCPW_E_MEMORY;
            }
            *named = (mcpw_named){filter->named, topic, mcpw_str_from(wanted->names[i]), NULL};
            filter->named = named;
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_session_listen(mcpw_session *session, const mcpw_interest *interest, mcpw_on_reply on_end,
                                void *user, int64_t *number, mcpw_error *error) {
    mcpw_filter filter = {.lists = (unsigned)interest->tools << MCPW_CHANGE_TOOLS |
                                   (unsigned)interest->prompts << MCPW_CHANGE_PROMPTS |
                                   (unsigned)interest->resources << MCPW_CHANGE_RESOURCES};
    mcpw_send send = {.revision = session->profile->revision, .on_reply = on_end, .user = user};
    mcpw_status status = MCPW_OK;
    mcpw_error local;
    error = error != NULL ? error : &local;
    error->code = MCPW_OK;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_listen", error);
    }
    if (mcpw_is_server(session) || !session->open || session->closed) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "a client subscribes when its session is open");
    }
    if (session->input_ended) {
        return mcpw_error_set(error, MCPW_E_CLOSED, 0, "%s", mcpw_status_text(MCPW_E_CLOSED));
    }
    const mcpw_mark before =
        mcpw_arena_mark(&session->scratch); /* no message may come in between, which would empty it */
    for (size_t i = interest->uri_count; status == MCPW_OK && i-- > 0;) {
        mcpw_uri_subscription *const watch = mcpw_arena_alloc(&session->scratch, sizeof *watch);
        status = watch != NULL ? MCPW_OK : MCPW_E_MEMORY;
        if (watch != NULL) {
            watch->uri = mcpw_str_from(interest->uris[i]);
            watch->next = filter.uris;
            filter.uris = watch;
        }
    }
    status = status == MCPW_OK ? take_names(session, interest, &filter, error) : status;
    if (status == MCPW_OK && filter.uris != NULL &&
        !mcpw_declares(mcpw_peer_declared(session), "resources.subscribe")) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the server has not declared \"resources.subscribe\"");
        status = MCPW_E_CAPABILITY;
    }
    if (status == MCPW_OK) {
        status = session->profile->number[MCPW_OWN_LISTEN] != 0
                     ? listen_modern(session, &filter, &send, number, error)
                     : listen_legacy(session, &filter, &send, number, error);
    }
    mcpw_arena_rewind(&session->scratch, before);
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    return status;
}
