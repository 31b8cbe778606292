/* SPDX-License-Identifier: MIT */
/*
 * Requests of the peer's: their memory, how they are found, what they say, and how they end. The parts of a
 * request are notified of its end by its endings.
 */
#include <mcpw/detail/reflect.h>
#include <mcpw/detail/session.h>

#include "request.h"

#include "../revisions/capability.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"
#include "known_meta.h"
#include "outbound.h"

/* The peer chooses the ids, so the hash is one that it cannot foresee. */
static uint32_t hash_of(const mcpw_session *session, const mcpw_id *id) {
    return (uint32_t)(mcpw_session_hash_id(session, id) >> 32);
}

static mcpw_request *request_of(const mcpw_hash_link *link) {
    return MCPW_HOLDER_OF(link, mcpw_request, place.by_id);
}

/* ---- The objects ---- */

mcpw_request *mcpw_request_take(mcpw_session *session) {
    mcpw_request **const idle = session->served.idle != NULL ? &session->served.idle : &session->served.bare;
    mcpw_request *r = *idle;
    if (r != NULL) {
        session->served.idle_count -= idle == &session->served.idle ? 1 : 0;
        session->served.kept_bytes -= r->arena.total;
        r->place.spare = r->arena.total;
        *idle = r->place.next;
        r->place.next = NULL;
        return r;
    }
    r = mcpw_session_alloc(session, sizeof *r);
    if (r != NULL) {
        r->session = session;
        r->arena = (mcpw_arena)MCPW_ARENA_INIT;
        r->arena.allocator = session->config->allocator;
        r->arena.limit = session->config->max_request_bytes;
    }
    return r;
}

static void free_all(mcpw_session *session, mcpw_request *first) {
    while (first != NULL) {
        mcpw_request *const r = first;
        first = r->place.next;
        mcpw_arena_free(&r->arena);
        mcpw_session_release(session, r, sizeof *r);
    }
}

void mcpw_requests_free(mcpw_session *session) {
    for (const mcpw_request *r = session->served.idle; r != NULL; r = r->place.next) {
        session->served.kept_bytes -= r->arena.total;
    }
    free_all(session, session->served.idle);
    free_all(session, session->served.bare);
    session->served.idle = session->served.bare = NULL;
    session->served.idle_count = 0;
    if (session->served.by_id.bucket_count > MCPW_TABLE_FEW && session->served.in_flight == NULL) {
        mcpw_table_free(&session->served.by_id, &session->config->allocator);
        mcpw_table_init(&session->served.by_id, session->served.few, MCPW_TABLE_FEW);
    }
}

/* Whether a free request keeps its memory. The first does whatever the limits are, so that in the long run a
 * request allocates nothing. */
static bool keeps_memory(const mcpw_session *session, size_t size) {
    const size_t room = session->config->max_request_bytes < MCPW_KEPT_BYTES
                            ? session->config->max_request_bytes
                            : MCPW_KEPT_BYTES;
    return session->served.idle_count == 0 ||
           (session->served.idle_count < MCPW_KEPT_IDLE && session->served.kept_bytes + size <= room);
}

void mcpw_request_release(mcpw_request *r) {
    mcpw_session *const session = r->session;
    if (r->thread.detachment != NULL) {
        mcpw_arena_free(&r->thread.detachment->answers);
    }
    mcpw_known_meta_unref(r->known_meta);
    mcpw_arena_tidy(&r->arena);
    const bool bare = !keeps_memory(session, r->arena.total);
    if (bare) {
        mcpw_arena_free(&r->arena);
    } else {
        session->served.idle_count++;
        session->served.kept_bytes += r->arena.total;
    }
    enum { KEPT = offsetof(mcpw_request, cancel.on_cancel) };
    mcpw_clear((char *)r + KEPT, sizeof *r - KEPT);
    mcpw_request **const idle = bare ? &session->served.bare : &session->served.idle;
    r->place.next = *idle;
    *idle = r;
}

mcpw_request *mcpw_request_find(mcpw_session *session, const mcpw_id *id) {
    if (id->kind == MCPW_ID_ABSENT || session->served.by_id.count == 0) {
        return NULL;
    }
    const mcpw_hash_link *link = mcpw_table_first(&session->served.by_id, hash_of(session, id));
    while (link != NULL && !mcpw_id_equal(&request_of(link)->message.id, id)) {
        link = link->next;
    }
    return link != NULL ? request_of(link) : NULL;
}

/* The bytes that a request is charged with: its memory, but not what an earlier one has left it. */
static size_t weight_of(const mcpw_request *r) {
    const size_t used = mcpw_arena_used(&r->arena);
    const size_t least = used > MCPW_LEAST_BYTES ? used : MCPW_LEAST_BYTES;
    return r->place.spare == 0 || least > r->arena.total ? r->arena.total : least;
}

void mcpw_request_link(mcpw_request *r) {
    mcpw_session *const session = r->session;
    r->place.next = session->served.in_flight;
    r->place.at = &session->served.in_flight;
    if (r->place.next != NULL) {
        r->place.next->place.at = &r->place.next;
    }
    session->served.in_flight = r;
    session->served.count++;
    r->place.charged = weight_of(r);
    r->place.spare = r->arena.total - r->place.charged;
    session->served.held_bytes += r->place.charged;
    session->served.kept_bytes += r->place.spare;
    r->life.in_flight = true;
    r->thread.guarded = session->threads.executor != NULL;
    if (r->origin.round == NULL) {
        (void)mcpw_table_reserve(&session->served.by_id, &session->config->allocator);
        mcpw_table_put(&session->served.by_id, &r->place.by_id, hash_of(session, &r->message.id));
    }
}

static void unlink_out(mcpw_request *r) {
    mcpw_session *const session = r->session;
    *r->place.at = r->place.next;
    if (r->place.next != NULL) {
        r->place.next->place.at = r->place.at;
    }
    if (r->origin.round == NULL) {
        mcpw_table_drop(&session->served.by_id, &r->place.by_id);
    }
    session->served.count--;
    session->served.held_bytes -= r->place.charged;
    session->served.kept_bytes -= r->place.spare;
    r->life.in_flight = false;
}

/* ---- Walks ---- */

static void come_to(mcpw_request_walk *walk, mcpw_request *next) {
    walk->next = next;
    if (next != NULL) {
        next->life.endings |= 1U << MCPW_ENDING_WALK;
    }
}

static void leave_step(mcpw_request_walk *walk) {
    if (walk->at != NULL) {
        (void)mcpw_request_unref(walk->at);
        walk->at = NULL;
    }
}

mcpw_request *mcpw_request_walk_begin(mcpw_request_walk *walk, mcpw_session *session) {
    *walk = (mcpw_request_walk){session->walk, session, NULL, session->served.in_flight};
    session->walk = walk;
    return mcpw_request_walk_next(walk);
}

mcpw_request *mcpw_request_walk_next(mcpw_request_walk *walk) {
    leave_step(walk);
    walk->at = walk->next;
    if (walk->at != NULL) {
        mcpw_request_ref(walk->at);
        come_to(walk, walk->at->place.next);
    }
    return walk->at;
}

void mcpw_request_walk_end(mcpw_request_walk *walk) {
    leave_step(walk);
    walk->session->walk = walk->outer;
}

void mcpw_request_walk_skip(mcpw_request *r) {
    for (mcpw_request_walk *walk = r->session->walk; walk != NULL; walk = walk->outer) {
        if (walk->next == r) {
            come_to(walk, r->place.next);
        }
    }
}

/* ---- Ends ---- */

void mcpw_request_finish(mcpw_request *r) {
    mcpw_batch *const batch = r->origin.batch;
    const unsigned endings = r->life.endings;
    unlink_out(r);
    for (unsigned rest = endings; rest != 0; rest &= rest - 1) {
        r->session->callbacks->ended[mcpw_lowest_bit(rest)](r);
    }
    r->origin.batch = NULL;
    r->life.answered = true;
    mcpw_batch_done(r->session, batch);
    if (r->life.holds == 0) {
        mcpw_request_release(r);
    }
}

void mcpw_request_drop(mcpw_request *r) {
    mcpw_request_ref(r);
    r->life.cancelled = true;
    mcpw_request_flag_cancelled(r);
    if (r->cancel.on_cancel != NULL) {
        void (*const on_cancel)(void *, mcpw_request *) = r->cancel.on_cancel;
        r->cancel.on_cancel = NULL;
        on_cancel(r->cancel.user, r);
    }
    if (r->life.in_flight) {
        if (r->thread.detached) { /* it counts until that thread has it no longer */
            r->life.is_left = true;
            r->session->served.count++;
            r->session->served.held_bytes += r->place.charged;
        }
        if (r->origin.batch == NULL) {
            mcpw_outbound_silence(r->session, r->origin.context);
        }
        mcpw_request_finish(r);
    }
    (void)mcpw_request_unref(r);
}

mcpw_request *mcpw_request_with(const mcpw_session *session, const void *context) {
    mcpw_request *r = session->served.in_flight;
    while (r != NULL && r->origin.context != context) {
        r = r->place.next;
    }
    return r;
}

void mcpw_requests_drop(mcpw_session *session, const void *context) {
    for (mcpw_request *r = mcpw_request_with(session, context); r != NULL;
         r = mcpw_request_with(session, context)) {
        mcpw_request_drop(r); /* it is out of the list, whatever its callback does */
    }
}

/* ---- Limits ---- */

static bool fits(const mcpw_session *session, size_t more) {
    return more <= session->config->max_request_bytes &&
           session->served.held_bytes <= session->config->max_request_bytes - more;
}

bool mcpw_request_charge_bytes(mcpw_request *r, size_t more) {
    if (!fits(r->session, more)) {
        return false;
    }
    r->place.charged += more;
    r->session->served.held_bytes += more;
    return true;
}

bool mcpw_request_charge(mcpw_request *r) {
    const size_t weight = weight_of(r);
    return mcpw_request_charge_bytes(r, weight > r->place.charged ? weight - r->place.charged : 0);
}

const char *mcpw_request_excess(const mcpw_session *session, const mcpw_request *r) {
    if (session->served.count >= session->config->max_requests) {
        return "too many requests in flight";
    }
    return session->served.count != 0 && !fits(session, weight_of(r))
               ? "the requests in flight hold too much memory"
               : NULL;
}

void mcpw_request_diagnose(mcpw_request *r, const mcpw_type *type, const mcpw_error *error) {
    mcpw_diagnostic diagnostic = {.kind = MCPW_DIAGNOSTIC_HANDLER, .id = &r->message.id, .error = error};
    diagnostic.type = type != NULL ? mcpw_type_name(type) : NULL;
    diagnostic.method = mcpw_request_method(r);
    if (r->message.type != NULL && r->message.value != NULL) {
        const mcpw_field params = mcpw_field_of(r->message.type, r->message.value);
        diagnostic.subject = mcpw_field_str(mcpw_field_get(params, "name"));
        diagnostic.subject = diagnostic.subject.ptr != NULL ? diagnostic.subject
                                                            : mcpw_field_str(mcpw_field_get(params, "uri"));
    }
    mcpw_session_emit_diagnostic(r->session, &diagnostic);
}

/* ---- What handlers ask of a request ---- */

mcpw_session *mcpw_request_session(const mcpw_request *request) { return request->session; }

mcpw_arena *mcpw_request_arena(mcpw_request *request) { return &request->arena; }

const void *mcpw_request_params(const mcpw_request *request, const mcpw_type **type) {
    *type = request->message.type;
    return request->message.value;
}

const mcpw_revision *mcpw_request_revision(const mcpw_request *request) { return request->profile->revision; }

mcpw_str mcpw_request_method(const mcpw_request *request) {
    return request->message.method_name.ptr != NULL
               ? request->message.method_name
               : mcpw_method_name(request->profile->revision, request->message.method);
}

mcpw_str mcpw_request_principal(const mcpw_request *request) { return request->origin.principal; }

mcpw_id mcpw_request_id(const mcpw_request *request) { return request->message.id; }

static mcpw_field meta_of(const mcpw_request *request) {
    return mcpw_field_get(mcpw_field_of(request->message.type, request->message.value), MCPW_NAME_META);
}

/* The text of a member; absent when there is none, or no memory. */
static mcpw_json text_of(mcpw_request *request, mcpw_field field) {
    mcpw_json text = no_json;
    return field.at != NULL && mcpw_field_text(field, &request->arena, &text) == MCPW_OK ? text : no_json;
}

mcpw_declared mcpw_request_declared(mcpw_request *request) {
    if (!request->profile->modern) {
        return mcpw_peer_declared(request->session);
    }
    if (request->client.declared.ptr == NULL) {
        request->client.declared =
            text_of(request, mcpw_field_get(meta_of(request), MCPW_META_CLIENT_CAPABILITIES));
    }
    const mcpw_declared declared = {request->client.declared, NULL};
    return declared;
}

bool mcpw_request_declares(mcpw_request *request, size_t extension, const char *capability) {
    bool declared = false;
    if (!mcpw_known_meta_says(request->known_meta, extension, &declared)) {
        declared = mcpw_declares(mcpw_request_declared(request), capability);
        mcpw_known_meta_learn(request->known_meta, extension, declared);
    }
    return declared;
}

static mcpw_status posted_client_capabilities(mcpw_request *request, const mcpw_post_args *a) {
    *(mcpw_json *)a->out = mcpw_request_client_capabilities(request);
    return MCPW_OK;
}

mcpw_json mcpw_request_client_capabilities(mcpw_request *request) {
    if (mcpw_request_is_elsewhere(request)) {
        mcpw_json capabilities = no_json;
        mcpw_ignore(mcpw_post_call(request, __func__, posted_client_capabilities,
                                   &(mcpw_post_args){.out = &capabilities})); /* absent then */
        return capabilities;
    }
    return mcpw_request_declared(request).text;
}

mcpw_json mcpw_request_client_info(mcpw_request *request) {
    return request->profile->modern
               ? text_of(request, mcpw_field_get(meta_of(request), MCPW_META_CLIENT_INFO))
               : request->session->peer.info;
}

mcpw_json mcpw_request_meta(mcpw_request *request) {
    const mcpw_members *const extra = mcpw_extra_of(request->message.type, request->message.value);
    const mcpw_field meta = meta_of(request);
    for (size_t i = 0; meta.at == NULL && extra != NULL && i < extra->count; i++) {
        if (mcpw_str_is(extra->items[i].name, MCPW_NAME_META)) {
            return extra->items[i].value; /* older revisions name it in the params of no method */
        }
    }
    return text_of(request, meta);
}

mcpw_json mcpw_request_params_text(mcpw_request *request) {
    const mcpw_message *const m = &request->message;
    return m->raw.ptr != NULL || m->value == NULL ? m->raw
                                                  : text_of(request, mcpw_field_of(m->type, m->value));
}

MCPW_POSTED(posted_can, mcpw_request_can(request, a->text) ? MCPW_OK : MCPW_E_CAPABILITY)

bool mcpw_request_can(mcpw_request *request, const char *capability) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_can, &(mcpw_post_args){.text = capability}) ==
               MCPW_OK;
    }
    const bool can = mcpw_declares(mcpw_request_declared(request), capability);
    if (!can) {
        request->client.lacking = mcpw_arena_str(&request->arena, capability, strlen(capability)).ptr;
    }
    return can;
}

static mcpw_status posted_on_cancel(mcpw_request *request, const mcpw_post_args *a) {
    mcpw_request_on_cancel(request, a->on_cancel, a->out);
    return MCPW_OK;
}

void mcpw_request_on_cancel(mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                            void *user) {
    if (mcpw_request_is_elsewhere(request)) {
        const mcpw_post_args args = {.on_cancel = on_cancel, .out = user};
        mcpw_ignore(
            mcpw_post_call(request, __func__, posted_on_cancel, &args)); /* the session reports misuse */
        return;
    }
    if (request->thread.detached && on_cancel != NULL && mcpw_request_is_cancelled(request)) {
        on_cancel(user, request); /* the thread that has it could not know */
        return;
    }
    request->cancel.on_cancel = on_cancel;
    request->cancel.user = user;
}

void mcpw_request_set_entry(mcpw_request *request, const void *entry) { request->entry = entry; }

const void *mcpw_request_entry(const mcpw_request *request) { return request->entry; }

bool mcpw_request_is_answered(const mcpw_request *request) {
    return request->life.answered || !request->life.in_flight;
}

void mcpw_request_tell_entry(mcpw_request *request) { request->life.endings |= 1U << MCPW_ENDING_ENTRY; }

mcpw_json mcpw_request_state(const mcpw_request *request) { return request->input.state; }

MCPW_POSTED(posted_set_state, mcpw_request_set_state(request, a->json))

mcpw_status mcpw_request_set_state(mcpw_request *request, mcpw_json state) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_set_state, &(mcpw_post_args){.json = state});
    }
    const mcpw_status status = mcpw_json_check(state, 0, NULL);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str copy = mcpw_arena_str(&request->arena, state.ptr, state.len);
    if (copy.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    request->input.state.ptr = copy.ptr;
    request->input.state.len = copy.len;
    return MCPW_OK;
}

void *mcpw_request_context(const mcpw_request *request) { return request->origin.context; }
