/* SPDX-License-Identifier: MIT */
#include "session_internal.h"

static const char subscription_name[] = "io.modelcontextprotocol/subscriptionId";

mcpw_status mcpw_notify_raw(mcpw_session *session, mcpw_dialect *dialect, mcpw_own method, mcpw_json params,
                            mcpw_error *error) {
    mcpw_message message = {0};
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method = dialect->number[method];
    message.raw = params;
    if (message.method == 0) {
        mcpw_error_set(error, MCPW_E_METHOD, 0, "%s has no such notification", dialect->revision->name);
        return MCPW_E_METHOD;
    }
    return mcpw_session_emit(session, dialect, &message, NULL, error);
}

/* Sends what a text holds as the params of a notification, and frees it. */
static mcpw_status notify_text(mcpw_session *session, mcpw_dialect *dialect, mcpw_own method,
                               mcpw_text *text) {
    mcpw_error error;
    mcpw_status status = text->status;
    if (status == MCPW_OK) {
        status = mcpw_notify_raw(session, dialect, method, mcpw_text_get(text), &error);
    }
    mcpw_text_free(text);
    return status;
}

/* What was declared at the handshake stays so, whatever is registered later. */
static bool declares(mcpw_session *session, mcpw_dialect *dialect, const char *capability,
                     mcpw_arena *arena) {
    mcpw_json own = session->declared;
    if (session->era == MCPW_ERA_LEGACY && own.ptr != NULL) {
        return mcpw_capability_in(own, capability);
    }
    return mcpw_capabilities(session, dialect, arena, &own) == MCPW_OK && mcpw_capability_in(own, capability);
}

static mcpw_own notification_of(mcpw_change change) {
    switch (change) {
    case MCPW_CHANGE_TOOLS:
        return MCPW_OWN_TOOLS_CHANGED;
    case MCPW_CHANGE_PROMPTS:
        return MCPW_OWN_PROMPTS_CHANGED;
    case MCPW_CHANGE_RESOURCES:
        return MCPW_OWN_RESOURCES_CHANGED;
    case MCPW_CHANGE_RESOURCE:
    default:
        return MCPW_OWN_RESOURCE_UPDATED;
    }
}

/* {"_meta":{subscriptionId},"uri":...}: whichever there is. */
static mcpw_status tell(mcpw_session *session, mcpw_dialect *dialect, mcpw_own method,
                        const mcpw_id *subscription, mcpw_str uri) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_put(&text, "{");
    if (subscription != NULL) {
        mcpw_text_put(&text, "\"_meta\":{");
        mcpw_text_key(&text, subscription_name);
        mcpw_text_id(&text, subscription);
        mcpw_text_put(&text, "}");
    }
    if (uri.ptr != NULL) {
        mcpw_text_key(&text, "uri");
        mcpw_text_string(&text, uri);
    }
    mcpw_text_put(&text, "}");
    return notify_text(session, dialect, method, &text);
}

static bool is_change(mcpw_own own, mcpw_change *out) {
    mcpw_change change = MCPW_CHANGE_TOOLS;
    while (change < MCPW_CHANGE_RESOURCE && notification_of(change) != own) {
        change++;
    }
    *out = change;
    return notification_of(change) == own;
}

/* Where log messages belong to requests: whether one that is under way wants those of a level. */
static bool is_wanted(const mcpw_session *session, mcpw_log_level level) {
    const mcpw_request *r = session->requests;
    while (r != NULL && (r->level == 0 || r->level > level)) {
        r = r->next;
    }
    return r != NULL;
}

static mcpw_str uri_in(const mcpw_method *method, const void *params) {
    return mcpw_field_str(mcpw_field_get(mcpw_field_of(method->params, params), "uri"));
}

/* Sends a notification, by its number in the peer's revision. */
static mcpw_status say(mcpw_session *session, const mcpw_revision *revision, const mcpw_method *from,
                       int number, const void *params, mcpw_error *error) {
    static const char listen[] = "subscriptions/listen";
    mcpw_dialect *const dialect = session->dialect;
    const mcpw_method *const entry = mcpw_method_entry(dialect->revision, number);
    mcpw_message message = {0};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_change change;
    mcpw_status status = MCPW_OK;
    arena.allocator = session->config.allocator;
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method = number;
    if ((entry->flags & MCPW_METHOD_SENDER_DECLARES) != 0 && entry->capability != NULL &&
        !declares(session, dialect, entry->capability, &arena)) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "this end has not declared \"%s\"", entry->capability);
        status = MCPW_E_CAPABILITY;
    }
    message.type = entry->params;
    message.value = params;
    if (status == MCPW_OK && params != NULL && from->params != entry->params) {
        status =
            mcpw_session_adapt(session, from->params, params, entry->params, &arena, &message.value, error);
    }
    if (status == MCPW_OK) {
        status = mcpw_dialect_params(session, dialect, message.method, message.value, NULL, &arena,
                                     &message.value, error);
    }
    if (status == MCPW_OK) {
        /* Elsewhere a change names the subscription that it is told to, which is nobody's here. */
        const bool by_subscription = mcpw_method_number(revision, listen, sizeof listen - 1) != 0 &&
                                     is_change(dialect->bindings[number].own, &change);
        status = by_subscription ? tell(session, dialect, notification_of(change), NULL, uri_in(from, params))
                                 : mcpw_session_emit(session, dialect, &message, NULL, error);
    }
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    mcpw_arena_free(&arena);
    return status;
}

mcpw_status mcpw_session_notify(mcpw_session *session, const mcpw_revision *revision, int method,
                                const void *params, mcpw_error *error) {
    mcpw_dialect *const dialect = session->dialect;
    const mcpw_method *const from = mcpw_method_entry(revision, method);
    const mcpw_str name = mcpw_method_name(revision, method);
    const unsigned sender = mcpw_is_server(session) ? MCPW_METHOD_FROM_SERVER : MCPW_METHOD_FROM_CLIENT;
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
    const int number = mcpw_method_number(dialect->revision, name.ptr, name.len);
    const mcpw_method *const entry = mcpw_method_entry(dialect->revision, number);
    if (entry == NULL || (entry->flags & sender) == 0 || (entry->flags & MCPW_METHOD_NOTIFICATION) == 0) {
        mcpw_error_set(error, MCPW_E_METHOD, 0, "%.*s is no notification of this end in %s", (int)name.len,
                       name.ptr, dialect->revision->name);
        return MCPW_E_METHOD;
    }
    mcpw_change change;
    if (dialect->modern && is_change(dialect->bindings[number].own, &change)) {
        mcpw_session_changed(session, change, uri_in(from, params));
        return MCPW_OK; /* told to the subscriptions that want it */
    }
    if (dialect->modern && dialect->bindings[number].own == MCPW_OWN_MESSAGE) {
        const mcpw_field level = mcpw_field_get(mcpw_field_of(from->params, params), "level");
        if (!is_wanted(session, mcpw_level_named(mcpw_field_enum_text(level)))) {
            return MCPW_OK;
        }
    }
    if (mcpw_session_is_full(session)) {
        mcpw_error_set(error, MCPW_E_FULL, 0, "%s", mcpw_status_text(MCPW_E_FULL));
        return MCPW_E_FULL;
    }
    return say(session, revision, from, number, params, error);
}

mcpw_status mcpw_notify_cancelled(mcpw_session *session, mcpw_pending *pending, const char *reason) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_put(&text, "{\"requestId\":");
    mcpw_text_int(&text, pending->id);
    if (reason != NULL) {
        mcpw_text_key(&text, "reason");
        mcpw_text_string(&text, mcpw_str_from(reason));
    }
    mcpw_text_put(&text, "}");
    return notify_text(session, session->dialect, MCPW_OWN_CANCELLED, &text);
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
        session->dialect->number[MCPW_OWN_ELICITED] == 0) {
        return MCPW_OK;
    }
    if (mcpw_session_is_full(session)) {
        return MCPW_E_FULL;
    }
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_put(&text, "{\"elicitationId\":");
    mcpw_text_string(&text, id);
    mcpw_text_put(&text, "}");
    return notify_text(session, session->dialect, MCPW_OWN_ELICITED, &text);
}

/* ---- Progress and log messages ---- */

mcpw_status mcpw_request_progress(mcpw_request *request, double progress, double total, const char *message) {
    mcpw_dialect *const dialect = request->dialect;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_far_progress(request, progress, total, message);
    }
    const mcpw_status ended = mcpw_request_ended(request);
    if (ended != MCPW_OK) {
        return ended;
    }
    const mcpw_method *const entry = mcpw_method_entry(dialect->revision, dialect->number[MCPW_OWN_PROGRESS]);
    if (request->token.kind == MCPW_ID_ABSENT || mcpw_session_is_full(request->session) ||
        (request->has_progress && !(progress > request->progress))) {
        return MCPW_OK;
    }
    mcpw_text text = mcpw_session_text(request->session);
    mcpw_text_put(&text, "{\"progressToken\":");
    mcpw_text_id(&text, &request->token);
    mcpw_text_key(&text, "progress");
    mcpw_text_number(&text, progress);
    if (total >= 0) {
        mcpw_text_key(&text, "total");
        mcpw_text_number(&text, total);
    }
    if (message != NULL && mcpw_row_named(dialect->revision, entry->params->ref, "message") != NULL) {
        mcpw_text_key(&text, "message");
        mcpw_text_string(&text, mcpw_str_from(message));
    }
    mcpw_text_put(&text, "}");
    const mcpw_status status = notify_text(request->session, dialect, MCPW_OWN_PROGRESS, &text);
    if (status == MCPW_OK) {
        request->has_progress = true;
        request->progress = progress;
    }
    return status;
}

/* By mcpw_log_level, which is the order of how grave they are; the tables hold them in the schema's order. */
static const char *const level_names[] = {NULL,    "debug",    "info",  "notice",   "warning",
                                          "error", "critical", "alert", "emergency"};

mcpw_str mcpw_level_name(mcpw_log_level level) {
    const bool is_level = level >= MCPW_LOG_DEBUG && level <= MCPW_LOG_EMERGENCY;
    return mcpw_str_from(is_level ? level_names[level] : NULL);
}

mcpw_log_level mcpw_level_named(mcpw_str name) {
    for (int level = MCPW_LOG_DEBUG; level <= MCPW_LOG_EMERGENCY; level++) {
        if (mcpw_str_is(name, level_names[level])) {
            return (mcpw_log_level)level;
        }
    }
    return (mcpw_log_level)0;
}

static mcpw_status log_to(mcpw_session *session, mcpw_dialect *dialect, mcpw_log_level level,
                          const char *logger, mcpw_json data) {
    if (mcpw_session_is_full(session)) {
        return MCPW_OK;
    }
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_put(&text, "{\"level\":\"");
    mcpw_text_put(&text, level_names[level]);
    mcpw_text_put(&text, "\"");
    if (logger != NULL) {
        mcpw_text_key(&text, "logger");
        mcpw_text_string(&text, mcpw_str_from(logger));
    }
    mcpw_text_key(&text, "data");
    mcpw_text_json(&text, data);
    mcpw_text_put(&text, "}");
    return notify_text(session, dialect, MCPW_OWN_MESSAGE, &text);
}

static mcpw_status check_log(mcpw_session *session, mcpw_log_level level, mcpw_json data) {
    if (!mcpw_is_server(session) || session->closed) {
        return MCPW_E_STATE;
    }
    if (!session->config.logs) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_CAPABILITY, 0,
                       "a log message was left out: this server does not say that it logs, see "
                       "mcpw_server_will_log");
        mcpw_session_note(session, MCPW_NOTE_HANDLER, NULL, no_str, &error);
        return MCPW_E_CAPABILITY;
    }
    if (level < MCPW_LOG_DEBUG || level > MCPW_LOG_EMERGENCY) {
        return MCPW_E_ARGUMENT;
    }
    return mcpw_json_check(data, 0, NULL);
}

mcpw_status mcpw_request_log(mcpw_request *request, mcpw_log_level level, const char *logger,
                             mcpw_json data) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_far_log(request, level, logger, data);
    }
    const mcpw_status ended = mcpw_request_ended(request);
    if (ended != MCPW_OK) {
        return ended;
    }
    const mcpw_status status = check_log(request->session, level, data);
    if (status != MCPW_OK) {
        return status; /* who was told may have ended the request */
    }
    const bool wanted = request->dialect->modern ? request->level != 0 && level >= request->level
                                                 : level >= request->session->level;
    return wanted ? log_to(request->session, request->dialect, level, logger, data) : MCPW_OK;
}

mcpw_status mcpw_session_log(mcpw_session *session, mcpw_log_level level, const char *logger,
                             mcpw_json data) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_log", NULL);
    }
    const mcpw_status status = check_log(session, level, data);
    if (status == MCPW_OK && session->era != MCPW_ERA_LEGACY) {
        return session->era == MCPW_ERA_MODERN ? MCPW_E_METHOD : MCPW_E_STATE;
    }
    return status == MCPW_OK && level >= session->level
               ? log_to(session, session->dialect, level, logger, data)
               : status;
}

mcpw_status mcpw_level_request(mcpw_request *request) {
    const mcpw_field params = mcpw_field_of(request->message.type, request->message.value);
    const mcpw_log_level level = mcpw_level_named(mcpw_field_enum_text(mcpw_field_get(params, "level")));
    if (level == 0) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_VALUE, 0, "no level of log messages");
        return mcpw_request_refuse(request, "/params/level", &error);
    }
    request->session->level = level;
    return mcpw_request_slot(request);
}

/* ---- Changes, told to clients that asked ---- */

static mcpw_watch *watch_of(const mcpw_filter *filter, mcpw_str uri) {
    mcpw_watch *watch = filter->uris;
    while (watch != NULL && !mcpw_str_equal(watch->uri, uri)) {
        watch = watch->next;
    }
    return watch;
}

static bool wants(const mcpw_filter *filter, mcpw_change change, mcpw_str uri) {
    switch (change) {
    case MCPW_CHANGE_TOOLS:
        return filter->tools;
    case MCPW_CHANGE_PROMPTS:
        return filter->prompts;
    case MCPW_CHANGE_RESOURCES:
        return filter->resources;
    case MCPW_CHANGE_RESOURCE:
    default:
        return watch_of(filter, uri) != NULL;
    }
}

/* Tells those who follow a filter, or notes that it is owed to them. */
static mcpw_status tell_or_owe(mcpw_session *session, mcpw_dialect *dialect, mcpw_filter *filter,
                               const mcpw_id *subscription, mcpw_change change, mcpw_str uri) {
    if (!mcpw_session_is_full(session)) {
        return tell(session, dialect, notification_of(change), subscription, uri);
    }
    session->owes = true;
    if (change == MCPW_CHANGE_RESOURCE) {
        watch_of(filter, uri)->owed = true;
    } else {
        filter->owed |= 1U << change;
    }
    return MCPW_OK;
}

static mcpw_status tell_owed_of(mcpw_session *session, mcpw_dialect *dialect, mcpw_filter *filter,
                                const mcpw_id *subscription) {
    const unsigned owed = filter->owed;
    mcpw_status status = MCPW_OK;
    filter->owed = 0;
    for (mcpw_change change = MCPW_CHANGE_TOOLS; owed != 0 && change < MCPW_CHANGE_RESOURCE; change++) {
        if ((owed & 1U << change) != 0) {
            const mcpw_status one = tell_or_owe(session, dialect, filter, subscription, change, no_str);
            status = one != MCPW_OK ? one : status;
        }
    }
    for (mcpw_watch *w = filter->uris; w != NULL; w = w->next) {
        if (w->owed && mcpw_session_is_full(session)) {
            session->owes = true;
            break;
        }
        if (w->owed) {
            const mcpw_status one = tell(session, dialect, MCPW_OWN_RESOURCE_UPDATED, subscription, w->uri);
            w->owed = false;
            status = one != MCPW_OK ? one : status;
        }
    }
    return status;
}

static void note_untold(mcpw_session *session, mcpw_status status) {
    if (status != MCPW_OK) {
        mcpw_error error;
        mcpw_error_set(&error, status, 0, "a client could not be told of a change: %s",
                       mcpw_status_text(status));
        mcpw_session_note(session, MCPW_NOTE_HANDLER, NULL, no_str, &error);
    }
}

void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri) {
    const mcpw_own method = notification_of(change);
    mcpw_status status = MCPW_OK;
    if (session->closed) {
        return;
    }
    const mcpw_method *const entry =
        mcpw_method_entry(session->dialect->revision, session->dialect->number[method]);
    if (session->era == MCPW_ERA_LEGACY && session->open && entry != NULL) {
        const bool declared = (entry->flags & MCPW_METHOD_SENDER_DECLARES) == 0 ||
                              entry->capability == NULL ||
                              mcpw_capability_in(session->declared, entry->capability);
        if (declared && (change != MCPW_CHANGE_RESOURCE || watch_of(&session->watched, uri) != NULL)) {
            status = tell_or_owe(session, session->dialect, &session->watched, NULL, change, uri);
        }
    }
    for (mcpw_request *r = session->requests; r != NULL; r = r->next) {
        if (r->filter != NULL && wants(r->filter, change, uri)) {
            const mcpw_status one = tell_or_owe(session, r->dialect, r->filter, &r->message.id, change, uri);
            status = one != MCPW_OK ? one : status;
        }
    }
    note_untold(session, status);
}
void mcpw_session_tell_owed(mcpw_session *session) {
    if (!session->owes || session->closed || mcpw_session_is_full(session)) {
        return;
    }
    session->owes = false;
    mcpw_status status = tell_owed_of(session, session->dialect, &session->watched, NULL);
    for (mcpw_request *r = session->requests; r != NULL; r = r->next) {
        const mcpw_status one =
            r->filter != NULL ? tell_owed_of(session, r->dialect, r->filter, &r->message.id) : MCPW_OK;
        status = one != MCPW_OK ? one : status;
    }
    note_untold(session, status);
}

static mcpw_status refuse_watches(mcpw_request *request) {
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, "Invalid params: too many subscriptions",
                              no_json);
}

/* resources/subscribe and unsubscribe. */
mcpw_status mcpw_watch_request(mcpw_request *request, bool watch) {
    mcpw_session *const session = request->session;
    const mcpw_str uri =
        mcpw_field_str(mcpw_field_get(mcpw_field_of(request->message.type, request->message.value), "uri"));
    mcpw_watch **at = &session->watched.uris;
    while (*at != NULL && !mcpw_str_equal((*at)->uri, uri)) {
        at = &(*at)->next;
    }
    if (watch && *at == NULL) {
        const size_t room = session->config.max_request_bytes;
        const size_t size = sizeof(mcpw_watch) + uri.len;
        if (session->watch_count >= session->config.max_requests || size > room ||
            session->held_bytes > room - size) {
            return refuse_watches(request);
        }
        mcpw_watch *const fresh = mcpw_session_alloc(session, size);
        if (fresh == NULL) {
            return MCPW_E_MEMORY;
        }
        memcpy(fresh + 1, uri.ptr, uri.len);
        fresh->uri.ptr = (const char *)(fresh + 1);
        fresh->uri.len = uri.len;
        *at = fresh;
        session->held_bytes += size;
        session->watch_count++;
        if (mcpw_watch_begin(session, uri) != MCPW_OK) {
            *at = NULL; /* it stands last, and nobody was called */
            session->held_bytes -= size;
            session->watch_count--;
            mcpw_session_release(session, fresh, size);
            return MCPW_E_MEMORY;
        }
    } else if (!watch && *at != NULL) {
        mcpw_watch *const old = *at;
        *at = old->next;
        session->held_bytes -= sizeof *old + old->uri.len;
        session->watch_count--;
        mcpw_session_release(session, old, sizeof *old + old->uri.len);
        mcpw_watch_end(session, uri);
    }
    return mcpw_respond_empty(request);
}

/* The handlers are told what is watched. One of them may end the subscription, or the session. */
static mcpw_status begin_watches(mcpw_request *r) {
    mcpw_status status = MCPW_OK;
    for (mcpw_watch *w = r->filter->uris; status == MCPW_OK && r->in_flight && w != NULL; w = w->next) {
        w->counted = true;
        status = mcpw_watch_begin(r->session, w->uri);
        w->counted = w->counted && status == MCPW_OK;
    }
    return status;
}

void mcpw_watch_free(mcpw_session *session) {
    while (session->watched.uris != NULL) {
        mcpw_watch *const old = session->watched.uris;
        session->watched.uris = old->next;
        mcpw_watch_end(session, old->uri);
        mcpw_session_release(session, old, sizeof *old + old->uri.len);
    }
}

/* ---- subscriptions/listen, server ---- */

static mcpw_status read_filter(mcpw_request *r, mcpw_field asked, mcpw_filter *filter) {
    mcpw_json own;
    const mcpw_status status = mcpw_capabilities(r->session, r->dialect, &r->arena, &own);
    if (status != MCPW_OK) {
        return status;
    }
    filter->tools = mcpw_field_bool(mcpw_field_get(asked, "toolsListChanged")) &&
                    mcpw_capability_in(own, "tools.listChanged");
    filter->prompts = mcpw_field_bool(mcpw_field_get(asked, "promptsListChanged")) &&
                      mcpw_capability_in(own, "prompts.listChanged");
    filter->resources = mcpw_field_bool(mcpw_field_get(asked, "resourcesListChanged")) &&
                        mcpw_capability_in(own, "resources.listChanged");
    const mcpw_field uris = mcpw_field_get(asked, "resourceSubscriptions");
    const size_t count = mcpw_capability_in(own, "resources.subscribe") ? mcpw_field_count(uris) : 0;
    for (size_t i = count; i-- > 0;) { /* each is put before the last: the order stays */
        mcpw_watch *const watch = mcpw_arena_alloc(&r->arena, sizeof *watch);
        if (watch == NULL) {
            return MCPW_E_MEMORY;
        }
        watch->owed = watch->counted = false;
        watch->uri = mcpw_field_str(mcpw_field_item(uris, i));
        watch->next = filter->uris;
        filter->uris = watch;
    }
    filter->count = count;
    return MCPW_OK;
}

static void put_flag(mcpw_text *text, const char *name, bool value) {
    if (value) {
        mcpw_text_key(text, name);
        mcpw_text_put(text, "true");
    }
}

/* What was asked for and is granted; the rest is left out. */
static void put_filter(mcpw_text *text, const mcpw_filter *filter) {
    mcpw_text_put(text, "{");
    put_flag(text, "toolsListChanged", filter->tools);
    put_flag(text, "promptsListChanged", filter->prompts);
    put_flag(text, "resourcesListChanged", filter->resources);
    if (filter->uris != NULL) {
        mcpw_text_key(text, "resourceSubscriptions");
        mcpw_text_put(text, "[");
        for (const mcpw_watch *w = filter->uris; w != NULL; w = w->next) {
            mcpw_text_comma(text);
            mcpw_text_string(text, w->uri);
        }
        mcpw_text_put(text, "]");
    }
    mcpw_text_put(text, "}");
}

mcpw_status mcpw_listen_begin(mcpw_request *r) {
    mcpw_filter *const filter = mcpw_arena_alloc(&r->arena, sizeof *filter);
    mcpw_text text = mcpw_session_text(r->session);
    if (filter == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(filter, 0, sizeof *filter);
    mcpw_status status = read_filter(
        r, mcpw_field_get(mcpw_field_of(r->message.type, r->message.value), "notifications"), filter);
    if (status != MCPW_OK) {
        return status;
    }
    if (filter->count > r->session->config.max_requests - r->session->watch_count ||
        !mcpw_request_charge(r)) {
        return refuse_watches(r);
    }
    mcpw_text_put(&text, "{\"_meta\":{");
    mcpw_text_key(&text, subscription_name);
    mcpw_text_id(&text, &r->message.id);
    mcpw_text_put(&text, "}");
    mcpw_text_key(&text, "notifications");
    put_filter(&text, filter);
    mcpw_text_put(&text, "}");
    status = notify_text(r->session, r->dialect, MCPW_OWN_ACKNOWLEDGED, &text);
    if (status == MCPW_OK) {
        r->filter = filter;
        r->session->watch_count += filter->count;
        status = begin_watches(r);
    }
    return status;
}

void mcpw_listen_end(mcpw_request *r) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_json result = no_json;
    mcpw_text_put(&text, "{\"_meta\":{");
    mcpw_text_key(&text, subscription_name);
    mcpw_text_id(&text, &r->message.id);
    mcpw_text_put(&text, "}}");
    mcpw_request_hold(r);
    mcpw_status status = mcpw_text_finish(&text, &r->arena, &result);
    status = status == MCPW_OK ? mcpw_respond_json(r, result, NULL) : status;
    if (status != MCPW_OK && r->in_flight) {
        mcpw_request_drop(r);
    }
    (void)mcpw_request_let(r);
}

/* ---- Being told, client ---- */

/* A struct of a method's params out of JSON text. */
static mcpw_status params_of(const mcpw_type *type, mcpw_text *text, mcpw_arena *arena, void **out,
                             mcpw_error *error) {
    const mcpw_json json = mcpw_text_get(text);
    *out = mcpw_arena_alloc(arena, type->size);
    return *out == NULL || json.ptr == NULL ? MCPW_E_MEMORY
                                            : mcpw_decode(type, json.ptr, json.len, arena, *out, NULL, error);
}

static mcpw_status listen_modern(mcpw_session *session, const mcpw_filter *filter, mcpw_send *send,
                                 int64_t *number, mcpw_error *error) {
    mcpw_dialect *const dialect = session->dialect;
    const mcpw_revision *const revision = dialect->revision;
    send->method = dialect->number[MCPW_OWN_LISTEN];
    send->listening = true;
    const mcpw_type *const type = mcpw_method_entry(revision, send->method)->params;
    const mcpw_row *const row = mcpw_row_named(revision, type->ref, "notifications");
    const mcpw_ref ref = row != NULL ? mcpw_row_value(revision, row) : type->ref;
    if (row == NULL || ref.kind != MCPW_KIND_STRUCT) {
        return MCPW_E_METHOD;
    }
    const mcpw_type part = {revision, "notifications", ref, revision->structs[ref.index].size};
    unsigned char *const params = mcpw_arena_alloc(&session->scratch, type->size);
    mcpw_text text = mcpw_session_text(session);
    void *value = NULL;
    put_filter(&text, filter);
    mcpw_status status =
        params != NULL ? params_of(&part, &text, &session->scratch, &value, error) : MCPW_E_MEMORY;
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        memset(params, 0, type->size);
        memcpy(params + row->offset, value, part.size);
        send->params = params;
        status = mcpw_call_send(session, send, number, error);
    }
    return status;
}

/* One resources/subscribe or unsubscribe. */
static mcpw_status send_watch(mcpw_session *session, mcpw_own own, mcpw_str uri, mcpw_on_reply on_reply,
                              void *user, mcpw_error *error) {
    mcpw_dialect *const dialect = session->dialect;
    mcpw_send send = {dialect->revision, dialect->number[own], NULL, NULL, on_reply, user, false, false};
    mcpw_text text = mcpw_session_text(session);
    void *value = NULL;
    mcpw_text_put(&text, "{\"uri\":");
    mcpw_text_string(&text, uri);
    mcpw_text_put(&text, "}");
    mcpw_status status = params_of(mcpw_method_entry(dialect->revision, send.method)->params, &text,
                                   &session->scratch, &value, error);
    mcpw_text_free(&text);
    send.params = value;
    return status == MCPW_OK ? mcpw_call_send(session, &send, NULL, error) : status;
}

static void on_subscribed(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_pending *const listener = mcpw_pending_numbered(session, (int64_t)(intptr_t)user);
    if (listener != NULL && reply->status != MCPW_OK) {
        mcpw_listen_cancel(listener); /* all or nothing */
        mcpw_pending_end(listener, reply);
    }
}

void mcpw_listen_cancel(mcpw_pending *pending) {
    mcpw_session *const session = pending->session;
    const mcpw_mark before = mcpw_arena_mark(&session->scratch);
    for (const mcpw_watch *w = pending->watched; w != NULL; w = w->next) {
        mcpw_ignore(send_watch(session, MCPW_OWN_UNSUBSCRIBE, w->uri, NULL, NULL, NULL));
    }
    mcpw_arena_rewind(&session->scratch, before);
}

void mcpw_listen_close(mcpw_session *session) {
    for (mcpw_pending *p = session->pending.oldest; p != NULL; p = p->next) {
        if (p->listening && p->kind == MCPW_PENDING_SENT) {
            mcpw_ignore(mcpw_notify_cancelled(session, p, NULL));
        }
    }
}

/* Lists tell of their changes unasked; what is watched is asked for one by one, under one number. */
static mcpw_status listen_legacy(mcpw_session *session, const mcpw_filter *filter, const mcpw_send *send,
                                 int64_t *number, mcpw_error *error) {
    mcpw_pending *const p = mcpw_pending_new(session);
    mcpw_status status = MCPW_OK;
    if (p == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_pending_take_number(p);
    p->listening = true;
    p->on_reply = send->on_reply;
    p->user = send->user;
    for (const mcpw_watch *w = filter->uris; status == MCPW_OK && w != NULL; w = w->next) {
        mcpw_watch *const kept = mcpw_arena_alloc(&p->arena, sizeof *kept);
        status = MCPW_E_MEMORY;
        if (kept != NULL) {
            kept->uri = mcpw_arena_str(&p->arena, w->uri.ptr, w->uri.len);
            kept->next = p->watched;
            p->watched = kept;
            status = kept->uri.ptr == NULL ? MCPW_E_MEMORY
                                           : send_watch(session, MCPW_OWN_SUBSCRIBE, w->uri, on_subscribed,
                                                        (void *)(intptr_t)p->number, error);
        }
    }
    if (status != MCPW_OK) {
        mcpw_pending_release(p);
    } else if (number != NULL) {
        *number = p->number;
    }
    return status;
}

mcpw_status mcpw_session_listen(mcpw_session *session, const mcpw_interest *interest, mcpw_on_reply on_end,
                                void *user, int64_t *number, mcpw_error *error) {
    mcpw_filter filter = {interest->tools, interest->prompts, interest->resources, NULL, 0, 0};
    mcpw_send send = {session->dialect->revision, 0, NULL, NULL, on_end, user, false, false};
    mcpw_status status = MCPW_OK;
    mcpw_error local;
    error = error != NULL ? error : &local;
    error->code = MCPW_OK;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_listen", error);
    }
    if (mcpw_is_server(session) || !session->open || session->closed) {
        mcpw_error_set(error, MCPW_E_STATE, 0, "a client listens when its session is open");
        return MCPW_E_STATE;
    }
    if (session->input_ended) {
        mcpw_error_set(error, MCPW_E_CLOSED, 0, "%s", mcpw_status_text(MCPW_E_CLOSED));
        return MCPW_E_CLOSED;
    }
    const mcpw_mark before = mcpw_arena_mark(&session->scratch); /* no line may come that would empty it */
    for (size_t i = interest->uri_count; status == MCPW_OK && i-- > 0;) {
        mcpw_watch *const watch = mcpw_arena_alloc(&session->scratch, sizeof *watch);
        status = watch != NULL ? MCPW_OK : MCPW_E_MEMORY;
        if (watch != NULL) {
            watch->uri = mcpw_str_from(interest->uris[i]);
            watch->next = filter.uris;
            filter.uris = watch;
        }
    }
    if (status == MCPW_OK && filter.uris != NULL &&
        !mcpw_declares(mcpw_peer_declared(session), "resources.subscribe")) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the server has not declared \"resources.subscribe\"");
        status = MCPW_E_CAPABILITY;
    }
    if (status == MCPW_OK) {
        status = session->dialect->number[MCPW_OWN_LISTEN] != 0
                     ? listen_modern(session, &filter, &send, number, error)
                     : listen_legacy(session, &filter, &send, number, error);
    }
    mcpw_arena_rewind(&session->scratch, before);
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    return status;
}
