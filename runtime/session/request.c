/* SPDX-License-Identifier: MIT */
#include "session_internal.h"

bool mcpw_id_equal(const mcpw_id *a, const mcpw_id *b) {
    if (a->kind != b->kind) {
        return false;
    }
    return a->kind == MCPW_ID_STRING ? mcpw_str_equal(a->as.string, b->as.string)
                                     : a->as.integer == b->as.integer;
}

/* The peer chooses the ids: where the session lies, which it does not know, keeps it from choosing those that
 * fall into one bucket. */
static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */

static uint64_t hash_begin(const mcpw_session *session, mcpw_id_kind kind) {
    return ((uint64_t)(uintptr_t)session + (uint64_t)kind) * odd;
}

static uint64_t hash_end(uint64_t hash) { return (hash ^ hash >> 32) * odd; }

uint64_t mcpw_session_hash(const mcpw_session *session, mcpw_str text) {
    uint64_t hash = hash_begin(session, MCPW_ID_STRING);
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ hash >> 32 ^ (unsigned char)text.ptr[i]) * odd;
    }
    return hash_end(hash);
}

static unsigned bucket_of(const mcpw_session *session, const mcpw_id *id) {
    const uint64_t hash = id->kind == MCPW_ID_STRING
                              ? mcpw_session_hash(session, id->as.string)
                              : hash_end((hash_begin(session, id->kind) ^ (uint64_t)id->as.integer) * odd);
    return (unsigned)(hash >> 56) % MCPW_BUCKETS;
}

/* ---- The objects ---- */

mcpw_request *mcpw_request_take(mcpw_session *session) {
    mcpw_request **const idle = session->idle != NULL ? &session->idle : &session->bare;
    mcpw_request *r = *idle;
    if (r != NULL) {
        session->idle_count -= idle == &session->idle ? 1 : 0;
        session->kept_bytes -= r->arena.total;
        r->spare = r->arena.total;
        *idle = r->next;
        r->next = NULL;
        return r;
    }
    r = mcpw_session_alloc(session, sizeof *r);
    if (r != NULL) {
        r->session = session;
        r->arena = (mcpw_arena)MCPW_ARENA_INIT;
        r->arena.allocator = session->config.allocator;
        r->arena.limit = session->config.max_request_bytes;
    }
    return r;
}

/* The first keeps its memory whatever the limits are, so that a request allocates nothing in the long run. */
static bool keeps_memory(const mcpw_session *session, size_t size) {
    const size_t room = session->config.max_request_bytes < MCPW_KEPT_BYTES
                            ? session->config.max_request_bytes
                            : MCPW_KEPT_BYTES;
    return session->idle_count == 0 ||
           (session->idle_count < MCPW_KEPT_IDLE && session->kept_bytes + size <= room);
}

void mcpw_request_release(mcpw_request *r) {
    mcpw_session *const session = r->session;
    if (r->detachment != NULL) {
        mcpw_arena_free(&r->detachment->answers);
    }
    mcpw_arena_tidy(&r->arena);
    const bool bare = !keeps_memory(session, r->arena.total);
    if (bare) {
        mcpw_arena_free(&r->arena);
    } else {
        session->idle_count++;
        session->kept_bytes += r->arena.total;
    }
    mcpw_clear((char *)r + offsetof(mcpw_request, entry), sizeof *r - offsetof(mcpw_request, entry));
    mcpw_request **const idle = bare ? &session->bare : &session->idle;
    r->next = *idle;
    *idle = r;
}

mcpw_request *mcpw_request_find(mcpw_session *session, const mcpw_id *id) {
    if (id->kind == MCPW_ID_ABSENT || session->requests == NULL) {
        return NULL;
    }
    mcpw_request *r = session->by_id[bucket_of(session, id)];
    while (r != NULL && !mcpw_id_equal(&r->message.id, id)) {
        r = r->next_in_bucket;
    }
    return r;
}

/* What a request is charged with: its memory, but not what an earlier one has left it. */
static size_t weight_of(const mcpw_request *r) {
    const size_t used = mcpw_arena_used(&r->arena);
    const size_t least = used > MCPW_LEAST_BYTES ? used : MCPW_LEAST_BYTES;
    return r->spare == 0 || least > r->arena.total ? r->arena.total : least;
}

static void link_in(mcpw_request *r) {
    mcpw_session *const session = r->session;
    r->next = session->requests;
    r->at = &session->requests;
    if (r->next != NULL) {
        r->next->at = &r->next;
    }
    session->requests = r;
    session->request_count++;
    r->charged = weight_of(r);
    r->spare = r->arena.total - r->charged;
    session->held_bytes += r->charged;
    session->kept_bytes += r->spare;
    r->in_flight = true;
    r->guarded = session->executor != NULL;
    if (r->round == NULL) {
        mcpw_request **const bucket = session->by_id + bucket_of(session, &r->message.id);
        r->next_in_bucket = *bucket;
        *bucket = r;
    }
}

static void unlink_out(mcpw_request *r) {
    mcpw_session *const session = r->session;
    *r->at = r->next;
    if (r->next != NULL) {
        r->next->at = r->at;
    }
    if (r->round == NULL) {
        mcpw_request **at = session->by_id + bucket_of(session, &r->message.id);
        while (*at != r) {
            at = &(*at)->next_in_bucket;
        }
        *at = r->next_in_bucket;
    }
    session->request_count--;
    session->held_bytes -= r->charged;
    session->kept_bytes -= r->spare;
    r->in_flight = false;
}

void mcpw_request_finish(mcpw_request *r) {
    mcpw_batch *const batch = r->batch;
    unlink_out(r);
    if (r->questions.first != NULL) {
        mcpw_ask_forget(r);
    }
    if (r->relay != NULL || r->carried != NULL) {
        mcpw_relay_ended(r);
    }
    if (r->filter != NULL) {
        mcpw_filter_end(r->session, r->filter);
    }
    r->batch = NULL;
    r->answered = true;
    mcpw_batch_done(r->session, batch);
    if (r->holds == 0) {
        mcpw_request_release(r);
    }
}

void mcpw_request_drop(mcpw_request *r) {
    mcpw_request_hold(r);
    r->cancelled = true;
    mcpw_request_flag_cancelled(r);
    if (r->on_cancel != NULL) {
        void (*const on_cancel)(void *, mcpw_request *) = r->on_cancel;
        r->on_cancel = NULL;
        on_cancel(r->cancel_user, r);
    }
    if (r->in_flight) {
        mcpw_request_finish(r);
    }
    (void)mcpw_request_let(r);
}

/* ---- From arrival to handler ---- */

/* Older revisions name _meta in the generic Request alone: there it is among the members that the params of a
 * method do not name. */
static void read_unnamed_meta(mcpw_request *r) {
    const mcpw_members *const extra = mcpw_extra_of(r->message.type, r->message.value);
    mcpw_json token;
    for (size_t i = 0; extra != NULL && i < extra->count; i++) {
        if (!mcpw_str_is(extra->items[i].name, "_meta") ||
            mcpw_json_get(extra->items[i].value, "progressToken", &token) != MCPW_OK) {
            continue;
        }
        if (mcpw_json_string(token, &r->arena, &r->token.as.string) == MCPW_OK) {
            r->token.kind = MCPW_ID_STRING;
        } else if (mcpw_json_int(token, &r->token.as.integer) == MCPW_OK) {
            r->token.kind = MCPW_ID_INTEGER;
        }
    }
}

static void read_meta(mcpw_request *r) {
    const mcpw_binding *const b = r->binding;
    const unsigned char *meta = r->message.value;
    if (b->meta == MCPW_NO_OFFSET || meta == NULL) {
        read_unnamed_meta(r);
        return;
    }
    meta += b->meta;
    if (b->meta_ref.kind == MCPW_KIND_STRUCT_PTR) {
        meta = mcpw_load_pointer(meta);
        if (meta == NULL) {
            return;
        }
    }
    if (b->token != MCPW_NO_OFFSET) {
        memcpy(&r->token, meta + b->token, sizeof r->token);
    }
    if (b->level != MCPW_NO_OFFSET && mcpw_load_kind(meta + b->level) != 0) {
        r->level = mcpw_level_named(
            mcpw_enum_text(r->dialect->revision, b->level_enum, mcpw_load_kind(meta + b->level)));
    }
}

static mcpw_status not_found(mcpw_request *r) {
    char message[MCPW_MESSAGE_ROOM];
    char name[MCPW_EXCERPT_SIZE];
    const mcpw_str method = mcpw_request_method(r);
    (void)snprintf(message, sizeof message, "Method not found: %s",
                   mcpw_excerpt(name, method.ptr, method.len));
    return mcpw_respond_error(r, MCPW_RPC_METHOD_NOT_FOUND, message, no_json);
}

/* The client goes on as if initialized: so may this end. False when a callback has ended the request. */
static bool go_on(mcpw_request *r) {
    if (!r->session->open) {
        r->session->open = true;
        mcpw_request_hold(r);
        mcpw_call_flush(r->session);
        return mcpw_request_let(r);
    }
    return true;
}

/* Whether a request has its place at this point; else it is answered. */
static bool has_place(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const mcpw_own own = r->binding->own;
    if (!mcpw_is_server(session)) {
        return true;
    }
    if (r->dialect->modern) {
        if (session->era == MCPW_ERA_UNKNOWN && r->message.method != 0) {
            session->era = MCPW_ERA_MODERN;
        }
        session->dialect = r->dialect;
        return own == MCPW_OWN_DISCOVER || go_on(r); /* initialize may follow a probe */
    }
    if (own == MCPW_OWN_INITIALIZE) {
        if (session->era != MCPW_ERA_LEGACY) {
            return true;
        }
        mcpw_ignore(
            mcpw_respond_error(r, MCPW_RPC_INVALID_REQUEST, "Invalid Request: already initialized", no_json));
        return false;
    }
    if (own == MCPW_OWN_PING) {
        return true;
    }
    if (session->era != MCPW_ERA_LEGACY) {
        mcpw_ignore(mcpw_respond_error(r, MCPW_RPC_INVALID_PARAMS,
                                       "Invalid params: send initialize first, or name a protocol version in "
                                       "params._meta[\"io.modelcontextprotocol/protocolVersion\"]",
                                       no_json));
        return false;
    }
    return go_on(r);
}

static bool fits(const mcpw_session *session, size_t more) {
    return more <= session->config.max_request_bytes &&
           session->held_bytes <= session->config.max_request_bytes - more;
}

bool mcpw_request_charge(mcpw_request *r) {
    const size_t weight = weight_of(r);
    const size_t more = weight > r->charged ? weight - r->charged : 0;
    if (!fits(r->session, more)) {
        return false;
    }
    r->charged += more;
    r->session->held_bytes += more;
    return true;
}

const char *mcpw_request_excess(const mcpw_session *session, const mcpw_request *r) {
    if (session->request_count >= session->config.max_requests) {
        return "too many requests in flight";
    }
    return session->request_count != 0 && !fits(session, weight_of(r))
               ? "the requests in flight hold too much memory"
               : NULL;
}

void mcpw_request_arrive(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const char *why = mcpw_request_excess(session, r);
    r->binding = r->dialect->bindings + r->message.method;
    if (mcpw_request_find(session, &r->message.id) != NULL) {
        why = "a request with this id is in flight";
    } else if (why == NULL && r->batch != NULL && r->batch->text.len >= session->config.max_output) {
        why = "the answers to this batch have grown too long";
    }
    if (why != NULL) {
        char message[MCPW_MESSAGE_ROOM];
        mcpw_error error;
        (void)snprintf(message, sizeof message, "Invalid Request: %s", why);
        mcpw_error_set(&error, MCPW_E_MESSAGE, 0, "%s", message);
        mcpw_session_note(session, MCPW_NOTE_OUT_OF_ORDER, &r->message.id, r->message.method_name, &error);
        mcpw_answer_broken(session, r->dialect, &r->message.id, MCPW_RPC_INVALID_REQUEST, message, no_json,
                           r->batch);
        mcpw_request_release(r);
        return;
    }
    if (r->batch != NULL) {
        r->batch->waiting++;
    }
    link_in(r);
    if (session->principal.ptr != NULL) {
        r->principal = mcpw_arena_str(&r->arena, session->principal.ptr, session->principal.len);
        if (r->principal.ptr == NULL) {
            mcpw_respond_status(r, MCPW_E_MEMORY);
            return;
        }
    }
    if (has_place(r)) {
        read_meta(r);
        mcpw_request_run(r);
    }
}

/* A question of the server's, within a round of input. */
void mcpw_request_enter(mcpw_request *r) {
    r->binding = r->dialect->bindings + r->message.method;
    link_in(r);
    mcpw_request_run(r);
}

/* On this thread or a worker. */
static mcpw_status run_slot(mcpw_request *r, const void *params) {
    const mcpw_session_config *const c = &r->session->config;
    return c->dispatch->request(c->handlers, r->binding->handler, r, params, c->user);
}

static mcpw_status call_slot(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const mcpw_method *const target =
        mcpw_method_entry(session->config.dispatch->revision, r->binding->handler);
    const mcpw_type *const type = r->dialect->revision->methods[r->message.method - 1].params;
    const void *params = r->message.value;
    mcpw_error error;
    if (params == NULL && (target->flags & MCPW_METHOD_PARAMS_REQUIRED) != 0 && type != NULL) {
        /* Only this side's revision wants them: its handlers count on them. */
        void *const none = mcpw_arena_alloc(&r->arena, type->size);
        if (none == NULL) {
            return MCPW_E_MEMORY;
        }
        params = memset(none, 0, type->size);
    }
    if (params != NULL && target->params != NULL) {
        const mcpw_status status =
            r->round != NULL
                ? mcpw_question_adapt(r, type, params, target->params, &params, &error)
                : mcpw_session_adapt(session, type, params, target->params, &r->arena, &params, &error);
        if (!r->in_flight) {
            return MCPW_OK; /* who was told of what is dropped has closed the session */
        }
        if (status != MCPW_OK) {
            return mcpw_request_refuse(r, "/params", &error);
        }
    }
    return mcpw_request_serve(r, run_slot, params);
}

static bool is_sessions_own(const mcpw_session *session, mcpw_own own) {
    return own == MCPW_OWN_INITIALIZE || own == MCPW_OWN_DISCOVER || own == MCPW_OWN_PING ||
           own == MCPW_OWN_LISTEN || (own == MCPW_OWN_SET_LEVEL && session->config.logs);
}

/* Whether it begins or ends to watch a resource, and the session does that. */
static bool is_watched_here(const mcpw_session *session, mcpw_own own) {
    return (own == MCPW_OWN_SUBSCRIBE || own == MCPW_OWN_UNSUBSCRIBE) && mcpw_is_server(session) &&
           mcpw_capability_in(session->declared, "resources.subscribe");
}

bool mcpw_request_is_served(mcpw_session *session, const mcpw_dialect *dialect, int method) {
    const mcpw_method *const entry = mcpw_method_entry(dialect->revision, method);
    const unsigned receiver = mcpw_is_server(session) ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    if (entry == NULL || (entry->flags & receiver) == 0 || dialect->bindings == NULL) {
        return false;
    }
    const mcpw_binding *const binding = dialect->bindings + method;
    return is_sessions_own(session, binding->own) || binding->handler != 0 ||
           is_watched_here(session, binding->own) ||
           (mcpw_is_server(session) && session->config.server != NULL &&
            mcpw_server_has(session->config.server, mcpw_method_name(dialect->revision, method)));
}

static mcpw_status dispatch(mcpw_request *r) {
    mcpw_session *const session = r->session;
    mcpw_server *const server = mcpw_is_server(session) ? session->config.server : NULL;
    const mcpw_str name = mcpw_request_method(r);
    const mcpw_method *const method = mcpw_method_entry(r->dialect->revision, r->message.method);
    const unsigned receiver = mcpw_is_server(session) ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    if (method == NULL || (method->flags & receiver) == 0) {
        return not_found(r);
    }
    switch (r->binding->own) {
    case MCPW_OWN_INITIALIZE:
        return mcpw_open_initialize(r);
    case MCPW_OWN_DISCOVER:
        return mcpw_open_discover(r);
    case MCPW_OWN_PING:
        return mcpw_respond_empty(r);
    case MCPW_OWN_LISTEN:
        return mcpw_listen_begin(r);
    case MCPW_OWN_SET_LEVEL:
        return session->config.logs ? mcpw_level_request(r) : not_found(r);
    default:
        break;
    }
    if (r->binding->handler != 0) {
        return call_slot(r);
    }
    const bool is_watch = r->binding->own == MCPW_OWN_SUBSCRIBE || r->binding->own == MCPW_OWN_UNSUBSCRIBE;
    const mcpw_served_method *const registered = server != NULL ? mcpw_server_method(server, name) : NULL;
    if ((is_watch && registered != NULL) || is_watched_here(session, r->binding->own)) {
        return mcpw_watch_request(r, r->binding->own == MCPW_OWN_SUBSCRIBE);
    }
    return registered != NULL ? mcpw_server_handle(server, r, registered) : not_found(r);
}

mcpw_status mcpw_request_slot(mcpw_request *r) {
    return r->binding->handler != 0 ? call_slot(r) : mcpw_respond_empty(r);
}

/* Whether its last answer came while its handler ran. */
static bool runs_again(const mcpw_request *r, mcpw_status status) {
    return r->again && !r->answered && (status == MCPW_PENDING || status == MCPW_OK);
}

/* Calls its handler until it has seen all answers. False: another thread has the request now. */
static inline bool call_handler(mcpw_request *r, mcpw_status *status) {
    do {
        r->again = false;
        r->unsendable = false;
        *status = mcpw_ask_load(r);
        *status = *status == MCPW_OK && !r->answered ? dispatch(r) : *status;
        if (r->detachment != NULL && mcpw_request_is_handed_over(r, status)) {
            return false;
        }
    } while (runs_again(r, *status));
    return true;
}

/* What follows from the status that its handler has returned. */
static void conclude(mcpw_request *r, mcpw_status status) {
    if (!r->answered && status == MCPW_PENDING) {
        status = mcpw_ask_settle(r);
    }
    if (!r->answered && status != MCPW_OK) {
        mcpw_respond_status(r, status);
    } else if (r->answered && status != MCPW_OK && status != MCPW_PENDING &&
               (r->detachment == NULL || !mcpw_request_is_cancelled(r))) {
        mcpw_error error;
        mcpw_error_set(&error, status, 0, "a handler failed after it had answered: %s",
                       mcpw_status_text(status));
        mcpw_session_note(r->session, MCPW_NOTE_HANDLER, &r->message.id, mcpw_request_method(r), &error);
    }
    r->running = false;
    (void)mcpw_request_let(r);
}

void mcpw_request_run(mcpw_request *r) {
    mcpw_status status;
    if (r->cancelled || r->session->closing) {
        return;
    }
    mcpw_request_hold(r);
    r->running = true;
    if (call_handler(r, &status)) {
        conclude(r, status);
    }
}

void mcpw_request_settle(mcpw_request *r, mcpw_status status) {
    if (!runs_again(r, status) || call_handler(r, &status)) {
        conclude(r, status);
    }
}

mcpw_status mcpw_request_resume(mcpw_request *request) {
    if (mcpw_request_is_elsewhere(request)) {
        return request->detached ? MCPW_E_STATE
                                 : mcpw_session_misused(request->session, "mcpw_request_resume", NULL);
    }
    if (!request->in_flight || request->cancelled || request->running || request->open_questions != 0 ||
        request->filter != NULL || request->session->closing) {
        return MCPW_E_STATE;
    }
    mcpw_request_run(request);
    return MCPW_OK;
}

/* ---- What handlers ask of a request ---- */

mcpw_session *mcpw_request_session(const mcpw_request *request) { return request->session; }

mcpw_arena *mcpw_request_arena(mcpw_request *request) { return &request->arena; }

const void *mcpw_request_params(const mcpw_request *request, const mcpw_type **type) {
    *type = request->message.type;
    return request->message.value;
}

const mcpw_revision *mcpw_request_revision(const mcpw_request *request) { return request->dialect->revision; }

mcpw_str mcpw_request_method(const mcpw_request *request) {
    return request->message.method_name.ptr != NULL
               ? request->message.method_name
               : mcpw_method_name(request->dialect->revision, request->message.method);
}

mcpw_str mcpw_request_principal(const mcpw_request *request) { return request->principal; }

mcpw_id mcpw_request_id(const mcpw_request *request) { return request->message.id; }

static mcpw_field meta_of(const mcpw_request *request) {
    return mcpw_field_get(mcpw_field_of(request->message.type, request->message.value), "_meta");
}

/* The text of a member; absent when there is none, or no memory. */
static mcpw_json text_of(mcpw_request *request, mcpw_field field) {
    mcpw_json text = no_json;
    return field.at != NULL && mcpw_field_text(field, &request->arena, &text) == MCPW_OK ? text : no_json;
}

mcpw_declared mcpw_request_declared(mcpw_request *request) {
    if (!request->dialect->modern) {
        return mcpw_peer_declared(request->session);
    }
    if (request->declared.ptr == NULL) {
        request->declared =
            text_of(request, mcpw_field_get(meta_of(request), "io.modelcontextprotocol/clientCapabilities"));
    }
    const mcpw_declared declared = {request->declared, NULL};
    return declared;
}

mcpw_json mcpw_request_client_capabilities(mcpw_request *request) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_far_client_capabilities(request);
    }
    return mcpw_request_declared(request).text;
}

mcpw_json mcpw_request_client_info(mcpw_request *request) {
    return request->dialect->modern
               ? text_of(request, mcpw_field_get(meta_of(request), "io.modelcontextprotocol/clientInfo"))
               : request->session->peer_info;
}

mcpw_json mcpw_request_meta(mcpw_request *request) {
    const mcpw_members *const extra = mcpw_extra_of(request->message.type, request->message.value);
    const mcpw_field meta = meta_of(request);
    for (size_t i = 0; meta.at == NULL && extra != NULL && i < extra->count; i++) {
        if (mcpw_str_is(extra->items[i].name, "_meta")) {
            return extra->items[i].value; /* older revisions name it in no method's params */
        }
    }
    return text_of(request, meta);
}

bool mcpw_request_can(mcpw_request *request, const char *capability) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_far_can(request, capability);
    }
    const bool can = mcpw_declares(mcpw_request_declared(request), capability);
    if (!can) {
        request->lacking = mcpw_arena_str(&request->arena, capability, strlen(capability)).ptr;
    }
    return can;
}

void mcpw_request_on_cancel(mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                            void *user) {
    if (mcpw_request_is_elsewhere(request)) {
        mcpw_far_on_cancel(request, on_cancel, user);
        return;
    }
    if (request->detached && on_cancel != NULL && mcpw_request_is_cancelled(request)) {
        on_cancel(user, request); /* who has it could not know */
        return;
    }
    request->on_cancel = on_cancel;
    request->cancel_user = user;
}

void mcpw_request_set_entry(mcpw_request *request, const void *entry) { request->entry = entry; }

const void *mcpw_request_entry(const mcpw_request *request) { return request->entry; }

mcpw_json mcpw_request_state(const mcpw_request *request) { return request->state; }

mcpw_status mcpw_request_set_state(mcpw_request *request, mcpw_json state) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_far_set_state(request, state);
    }
    const mcpw_status status = mcpw_json_check(state, 0, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str copy = mcpw_arena_str(&request->arena, state.ptr, state.len);
    if (copy.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    request->state.ptr = copy.ptr;
    request->state.len = copy.len;
    request->state_set = true;
    return MCPW_OK;
}
