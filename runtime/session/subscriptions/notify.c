/* SPDX-License-Identifier: MIT */
/* Notifications that this end sends by their number, whatever the peer's revision makes of them. */
#include "listen.h"

#include <mcpw/detail/catalogue.h>

#include "../core/level.h"
#include "../core/threads.h"
#include "../requests/outbound.h"
#include "../revisions/capability.h"
#include "../revisions/extension.h"
#include "../revisions/judge.h"
#include "../revisions/overlaid.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"

/* Whether a request wants log messages of a level, if they belong to requests. */
static bool wants(const mcpw_request *r, mcpw_log_level level) {
    return r->reports.level != 0 && r->reports.level <= level;
}

/* The same of any request in flight. */
static bool is_wanted(const mcpw_session *session, mcpw_log_level level) {
    const mcpw_request *r = session->served.in_flight;
    while (r != NULL && !wants(r, level)) {
        r = r->place.next;
    }
    return r != NULL;
}

/* Sends a notification, by its number in the peer's revision. */
static mcpw_status say(mcpw_session *session, const mcpw_revision *revision, const mcpw_method *from,
                       int number, const void *params, const mcpw_route *route, mcpw_error *error) {
    static const char listen[] = "subscriptions/listen";
    const mcpw_profile *const profile = session->profile;
    const mcpw_method *const entry = mcpw_method_entry(profile->revision, number);
    mcpw_message message = {0};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_change change;
    mcpw_status status = MCPW_OK;
    arena.allocator = session->config->allocator;
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method = number;
    mcpw_case judged = {.from = session->config->role, .kind = MCPW_MESSAGE_NOTIFICATION, .method = number};
    mcpw_verdict verdict;
    const bool needs_capability = mcpw_need_of(profile->revision, number)->capability != NULL;
    if (needs_capability) {
        judged.declared.text = mcpw_capabilities_declared(session, profile, &arena);
    }
    if (needs_capability && !mcpw_judge(session, profile, MCPW_RULES_CAPABILITY, &judged, &verdict)) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "this end has not declared \"%s\"", verdict.capability);
        status = MCPW_E_CAPABILITY;
    }
    message.type = mcpw_method_params(entry);
    message.value = params;
    if (status == MCPW_OK && params != NULL && mcpw_method_params(from) != mcpw_method_params(entry)) {
        status = mcpw_session_adapt(session, mcpw_method_params(from), params, mcpw_method_params(entry),
                                    &arena, &message.value, error);
    }
    if (status == MCPW_OK && message.value != NULL && profile->has_extensions) {
        const mcpw_overlaid_value out = {
            MCPW_MESSAGE_NOTIFICATION,  number, message.type, message.value, {NULL, 0, 0},
            mcpw_peer_declared(session)};
        const char *capability = NULL;
        bool by_peer = false;
        status = mcpw_overlaid_check(session, profile, &out, &capability, &by_peer, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_profile_params(session, profile, message.method, message.value, NULL, &arena,
                                     &message.value);
    }
    if (status == MCPW_OK) {
        /* In other revisions a change names its subscription. None here has that name. */
        const bool by_subscription = mcpw_method_number(revision, listen, sizeof listen - 1) != 0 &&
                                     mcpw_is_change(profile->bindings[number].own, &change);
        status = by_subscription ? mcpw_tell_change(session, profile, change, mcpw_change_uri(from, params))
                                 : mcpw_session_emit(session, profile, &message, route, error);
    }
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    mcpw_arena_free(&arena);
    return status;
}

/* Sends a notification to the subscriptions that name what it is about. */
static mcpw_status say_to_subscriptions(mcpw_session *session, const mcpw_topic *topic, const mcpw_type *from,
                                        const void *params, mcpw_error *error) {
    const mcpw_profile *const profile = session->profile;
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(profile->revision, topic->method));
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json text;
    arena.allocator = session->config->allocator;
    if (mcpw_session_is_full(session)) {
        return mcpw_error_set(error, MCPW_E_FULL, 0, "%s", mcpw_status_text(MCPW_E_FULL));
    }
    mcpw_status status = params != NULL ? MCPW_OK : MCPW_E_ARGUMENT;
    if (status == MCPW_OK && from != type) {
        status = mcpw_session_adapt(session, from, params, type, &arena, &params, error);
    }
    const mcpw_field field = mcpw_field_of(type, params);
    status = status == MCPW_OK ? mcpw_field_text(field, &arena, &text) : status;
    if (status == MCPW_OK) {
        status =
            mcpw_report_topic(session, topic, mcpw_field_str(mcpw_field_get(field, topic->member)), text);
    }
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    mcpw_arena_free(&arena);
    return status;
}

mcpw_status mcpw_session_notify(mcpw_session *session, const mcpw_revision *revision, int method,
                                const void *params, mcpw_error *error) {
    return mcpw_session_notify_about(session, NULL, revision, method, params, error);
}

mcpw_status mcpw_session_notify_about(mcpw_session *session, const mcpw_request *about,
                                      const mcpw_revision *revision, int method, const void *params,
                                      mcpw_error *error) {
    const mcpw_profile *const profile = session->profile;
    const mcpw_method *const from = mcpw_method_entry(revision, method);
    const mcpw_str name = mcpw_method_name(revision, method);
    mcpw_error local;
    error = error != NULL ? error : &local;
    error->code = MCPW_OK;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_notify", error);
    }
    if (session->closed || session->era == MCPW_ERA_UNKNOWN || from == NULL) {
        mcpw_error_set(error, session->closed ? MCPW_E_CLOSED : MCPW_E_STATE, 0,
                       "a notification is sent in an open session, by its method's number");
        return session->closed ? MCPW_E_CLOSED : MCPW_E_STATE;
    }
    const int number = mcpw_method_in(profile->revision, revision, method);
    const mcpw_method *const entry = mcpw_method_entry(profile->revision, number);
    const mcpw_extensions *const set = session->config->extensions;
    const mcpw_custom *const custom =
        set != NULL && number == 0 ? set->extended->numbered(session, revision, method) : NULL;
    if (custom != NULL) {
        return set->extended->notify(session, custom, params, error);
    }
    const mcpw_case message = {
        .from = session->config->role, .kind = MCPW_MESSAGE_NOTIFICATION, .method = number};
    if (entry == NULL || (mcpw_method_flags(entry) & MCPW_METHOD_NOTIFICATION) == 0 ||
        !mcpw_judge(session, profile, MCPW_RULES_DIRECTION, &message, NULL)) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "%.*s is no notification of this end in %s",
                              (int)name.len, name.ptr, mcpw_revision_name(profile->revision));
    }
    const mcpw_topic *const topic = mcpw_topic_of(profile->revision, number);
    if (topic != NULL) {
        return say_to_subscriptions(session, topic, mcpw_method_params(from), params, error);
    }
    mcpw_change change;
    if (profile->modern && mcpw_is_change(profile->bindings[number].own, &change)) {
        const mcpw_str uri = mcpw_change_uri(from, params);
        if (change != MCPW_CHANGE_RESOURCE || uri.len != 0) {
            mcpw_session_changed(session, change, uri);
        }
        return MCPW_OK; /* the subscriptions that want it are notified */
    }
    const bool is_log = profile->bindings[number].own == MCPW_OWN_MESSAGE;
    if (profile->modern && is_log) {
        const mcpw_field level = mcpw_field_get(mcpw_field_of(mcpw_method_params(from), params), "level");
        const mcpw_log_level said = mcpw_level_named(mcpw_field_enum_text(level));
        if (about != NULL ? !wants(about, said) : !is_wanted(session, said)) {
            return MCPW_OK;
        }
    }
    if (mcpw_session_is_full(session)) {
        return mcpw_error_set(error, MCPW_E_FULL, 0, "%s", mcpw_status_text(MCPW_E_FULL));
    }
    const mcpw_route route = about != NULL && is_log ? mcpw_route_of(about) : mcpw_no_route;
    return say(session, revision, from, number, params, &route, error);
}

mcpw_status mcpw_session_elicitation_complete(mcpw_session *session, mcpw_str id) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_elicitation_complete", NULL);
    }
    if (!mcpw_is_server(session)) {
        return MCPW_E_STATE;
    }
    if (session->closed) {
        return MCPW_E_CLOSED;
    }
    if (id.ptr == NULL || session->era != MCPW_ERA_LEGACY ||
        session->profile->number[MCPW_OWN_ELICITED] == 0) {
        return MCPW_OK;
    }
    if (mcpw_session_is_full(session)) {
        return MCPW_E_FULL;
    }
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_object(&text);
    mcpw_text_member(&text, MCPW_NAME_ELICITATION_ID, id);
    mcpw_text_object_end(&text);
    return mcpw_notify_text(session, session->profile, MCPW_OWN_ELICITED, &text, &mcpw_no_route);
}
