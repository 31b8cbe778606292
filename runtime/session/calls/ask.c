/* SPDX-License-Identifier: MIT */
/*
 * The server's end of input requests in the middle of a request; round.c has the client's. A handler asks by
 * key, and runs again when the answers are there. The revision decides how input requests travel. In
 * revisions with requests of servers, each input request is one. In the others (MCP 2026-07-28, "Multi
 * round-trip requests"), the request is answered input_required, and the client sends it again with the
 * responses. The responses of earlier rounds come back in requestState.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "ask.h"

#include "../core/form.h"
#include "../requests/respond.h"
#include "../requests/running.h"
#include "../revisions/capability.h"
#include "../revisions/judge.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"
#include "call.h"
#include "state.h"

enum { FIRST_BUCKETS = 16 };

static const mcpw_str handle_name = MCPW_STR(MCPW_NAME_ELICITATION_ID);

/* Members of what is sealed in a requestState. */
static const char answers_name[] = "a"; /* of the rounds so far, by key */
static const char own_name[] = "s";     /* the state that the handler set */

static mcpw_input_request *find(const mcpw_request *r, mcpw_str key) {
    return mcpw_table_find(&r->input.requests.by_key, mcpw_session_hash32(r->session, key), key,
                           offsetof(mcpw_input_request, key));
}

/* The client chooses how many answers it sends, so each has to be found in constant time. The buckets lie in
 * the request's memory. */
static bool make_room(mcpw_request *r) {
    mcpw_hash_table *const t = &r->input.requests.by_key;
    const uint32_t count = t->bucket_count != 0 ? 2 * t->bucket_count : FIRST_BUCKETS;
    if (t->count < t->bucket_count) {
        return true;
    }
    mcpw_hash_link **const buckets = mcpw_arena_alloc(&r->arena, count * sizeof *buckets);
    if (buckets != NULL) {
        memset((void *)buckets, 0, count * sizeof *buckets);
        mcpw_table_move(t, buckets, count);
    }
    return buckets != NULL;
}

static mcpw_input_request *add(mcpw_request *r, mcpw_str key) {
    mcpw_input_requests *const all = &r->input.requests;
    mcpw_input_request *const q = mcpw_arena_alloc(&r->arena, sizeof *q);
    const mcpw_str copy = mcpw_arena_str(&r->arena, key.ptr, key.len);
    if (q == NULL || copy.ptr == NULL || !make_room(r)) {
        return NULL;
    }
    memset(q, 0, sizeof *q);
    q->request = r;
    q->key = copy;
    all->end = all->end != NULL ? all->end : &all->first;
    *all->end = q;
    all->end = &q->next;
    mcpw_table_put(&all->by_key, &q->in_bucket, mcpw_session_hash32(r->session, copy));
    r->life.endings |= 1U << MCPW_ENDING_INPUT_REQUESTS;
    return q;
}

/* Reads answers by their keys. The first response stays, because it may be signed. `wanted` says that
 * they answer input requests of this request; of others that shows when the handler asks. */
static mcpw_status load_answers(mcpw_request *r, mcpw_json answers, bool wanted) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_str name;
    if (answers.ptr == NULL || mcpw_json_iterate(answers, &it) != MCPW_OK) {
        return MCPW_OK;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        if (mcpw_json_string(key, &r->arena, &name) != MCPW_OK || find(r, name) != NULL) {
            continue;
        }
        mcpw_input_request *const q = add(r, name);
        if (q == NULL) {
            return MCPW_E_MEMORY;
        }
        q->answer = value;
        q->wanted = wanted;
    }
    return MCPW_OK;
}

mcpw_status mcpw_ask_load(mcpw_request *r) {
    const mcpw_binding *const b = r->binding;
    const unsigned char *const params = r->message.value;
    mcpw_json content = no_json;
    mcpw_json part = no_json;
    mcpw_error error;
    mcpw_status status = MCPW_OK;
    r->input.loaded = true;
    const mcpw_str sealed = mcpw_load_str(params + b->state);
    if (sealed.ptr != NULL) {
        status = mcpw_state_open(r, sealed, &content, &error);
        const bool is_strange =
            status == MCPW_E_VALUE || status == MCPW_E_STATE; /* or this build cannot tell */
        if (is_strange && r->binding->handler != 0 && r->session->config->dispatch->relays) {
            r->input.strange_state = true;
            return MCPW_OK;
        }
        if (status != MCPW_OK) {
            return mcpw_request_refuse(r, "/requestState", &error);
        }
        if (mcpw_json_get(content, answers_name, &part) == MCPW_OK) {
            status = load_answers(r, part, true);
        }
        if (mcpw_json_get(content, own_name, &part) == MCPW_OK) {
            r->input.state = part;
        }
    }
    if (status == MCPW_OK && b->responses != MCPW_NO_OFFSET &&
        mcpw_load_list(params + b->responses).items != NULL) {
        const mcpw_field responses =
            mcpw_field_get(mcpw_field_of(r->message.type, params), MCPW_NAME_INPUT_RESPONSES);
        status = mcpw_field_text(responses, &r->arena, &part);
        status = status == MCPW_OK ? load_answers(r, part, false) : status;
    }
    return status == MCPW_OK ? MCPW_OK : MCPW_E_MEMORY;
}

/* A callback that got the report of a projection may have ended the request. */
static mcpw_status is_over(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_STATE, 0, "the request ended while its input request was projected");
}

static mcpw_status give_answer(mcpw_request *r, const mcpw_input_request *q, const mcpw_method *method,
                               const mcpw_method *asked, mcpw_result *result, mcpw_error *error) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    const mcpw_type *const from = q->task ? mcpw_method_task_result(method) : mcpw_method_result(method);
    const mcpw_type *const type = q->task ? mcpw_method_task_result(asked) : mcpw_method_result(asked);
    void *const value = mcpw_arena_alloc(&r->arena, mcpw_type_size(from));
    options.flags = r->session->config->flags;
    if (value == NULL) {
        return MCPW_E_MEMORY;
    }
    if (type == NULL || (result->type != NULL && result->type != type)) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the input request was answered by a %s",
                              mcpw_type_name(from));
    }
    mcpw_status status = mcpw_decode(from, q->answer.ptr, q->answer.len, &r->arena, value, &options, error);
    if (status == MCPW_OK) {
        status = mcpw_session_adapt(r->session, from, value, type, &r->arena, &result->value, error);
    }
    if (!r->life.in_flight) {
        status = is_over(error);
    }
    if (status != MCPW_OK) {
        result->value = NULL;
        return status;
    }
    result->type = type;
    return MCPW_OK;
}

/* Keeps an answer until the request ends: what it takes counts as memory of the request. */
static mcpw_status keep_answer(mcpw_request *r, mcpw_input_request *q, mcpw_arena *arena,
                               const mcpw_reply *reply) {
    mcpw_json text = no_json;
    const mcpw_status status =
        mcpw_field_text(mcpw_field_of(reply->type, reply->value), &r->session->scratch, &text);
    if (status != MCPW_OK) {
        return status;
    }
    if (!mcpw_request_charge_bytes(r, text.len)) {
        return MCPW_E_FULL;
    }
    const mcpw_str kept = mcpw_arena_str(arena, text.ptr, text.len);
    q->answer = (mcpw_json){kept.ptr, kept.len, 0};
    return kept.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* Why there is no answer. */
static void refuse(mcpw_input_request *q, mcpw_arena *arena, mcpw_status status, const mcpw_error *error) {
    q->answer = no_json;
    q->refused = mcpw_arena_alloc(arena, sizeof *q->refused);
    if (q->refused != NULL && error != NULL) {
        *q->refused = *error;
    } else if (q->refused != NULL) {
        mcpw_error_set(q->refused, status, 0, "%s",
                       status == MCPW_E_FULL ? "the requests in flight hold too much memory"
                                             : mcpw_status_text(status));
    }
}

static void on_answer(void *user, mcpw_session *session, const mcpw_reply *reply) {
    mcpw_input_request *const q = user;
    mcpw_request *const r = q->request;
    (void)session;
    q->number = 0;
    if (r == NULL) {
        return; /* the request has ended */
    }
    mcpw_arena *const arena = r->thread.detached ? &r->thread.detachment->answers : &r->arena;
    r->input.open--;
    const mcpw_status status = reply->status == MCPW_OK ? keep_answer(r, q, arena, reply) : reply->status;
    if (status != MCPW_OK) {
        refuse(q, arena, status, reply->status != MCPW_OK ? reply->error : NULL);
    }
    if (r->input.open != 0) {
        return;
    }
    if (r->life.running) {
        r->life.again = true;
    } else {
        mcpw_request_run(r);
    }
}

mcpw_status mcpw_input_request_adapt(mcpw_request *r, const mcpw_type *from, const void *value,
                                     const mcpw_type *to, const void **out, mcpw_error *error) {
    static const char complete[] = "notifications/elicitation/complete";
    if (from == to || mcpw_method_number(mcpw_type_revision(to), complete, sizeof complete - 1) == 0) {
        return mcpw_session_adapt(r->session, from, value, to, &r->arena, out, error);
    }
    mcpw_member made = {handle_name, no_json};
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_str id;
    mcpw_status status = mcpw_elicitation_id(r->session, &r->arena, &id);
    if (status == MCPW_OK) {
        mcpw_text_string(&text, id);
        status = mcpw_text_finish(&text, &r->arena, &made.value);
    }
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return mcpw_session_adapt_with(r->session, &made, from, value, to, &r->arena, out, error);
}

/* Brings an input request into the peer's revision, and keeps the handle that it may have there. */
static mcpw_status project(mcpw_request *r, mcpw_input_request *q, const mcpw_type *from, const mcpw_type *to,
                           const void **params, mcpw_error *error) {
    const mcpw_status status = mcpw_input_request_adapt(r, from, *params, to, params, error);
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_str id = mcpw_field_str(mcpw_field_get(mcpw_field_of(to, *params), handle_name.ptr));
    q->elicitation = mcpw_arena_str(&r->arena, id.ptr, id.len);
    return id.ptr == NULL || q->elicitation.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* Asks an input request: sends it, or keeps its text for the answer that asks for it. */
static mcpw_status put(mcpw_request *r, mcpw_input_request *q, const mcpw_type *from, const void *params,
                       mcpw_error *error) {
    const mcpw_revision *const revision = r->profile->revision;
    const mcpw_method *const method = mcpw_method_entry(revision, q->method);
    mcpw_status status = MCPW_OK;
    if (params != NULL && from != NULL && mcpw_method_params(method) != NULL) {
        status = project(r, q, from, mcpw_method_params(method), &params, error);
    }
    if (!r->life.in_flight) {
        return is_over(error);
    }
    if (status != MCPW_OK) {
        return status;
    }
    const mcpw_case asked = {.from = MCPW_ROLE_SERVER,
                             .kind = MCPW_MESSAGE_REQUEST,
                             .method = q->method,
                             .type = mcpw_method_params(method),
                             .value = params,
                             .declared = mcpw_request_declared(r)};
    mcpw_verdict verdict;
    if (!mcpw_judge(r->session, r->profile, MCPW_RULES_CAPABILITY, &asked, &verdict)) {
        r->client.lacking = verdict.capability;
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the client has not declared \"%s\"",
                              verdict.capability);
    }
    if ((mcpw_method_flags(method) & MCPW_METHOD_INPUT) != 0) {
        mcpw_buffer text = mcpw_buffer_in(&r->arena);
        if (params != NULL) {
            status = mcpw_encode(mcpw_method_params(method), params, &text, NULL, error);
            q->params = mcpw_buffer_take(&text);
        }
        return status;
    }
    const uint64_t patience = r->input.patience != 0 ? r->input.patience : r->session->config->ask_timeout_ms;
    const mcpw_call call = {.timeout_ms = patience, .max_timeout_ms = patience};
    const mcpw_send send = {.revision = revision,
                            .method = q->method,
                            .params = params,
                            .call = &call,
                            .on_reply = on_answer,
                            .user = q,
                            .context = r->origin.context};
    q->task = mcpw_call_is_task(r->session, revision, q->method, params);
    status = mcpw_call_send(r->session, &send, &q->number, error);
    r->input.open += status == MCPW_OK;
    return status;
}

/* Keeps why an input request cannot be asked, or has no good answer. The handler gets this status whenever it
 * asks again; the peer gets it if the handler returns it. */
static void remember_refusal(mcpw_request *r, mcpw_input_request *q, const mcpw_error *why) {
    q->refused = mcpw_arena_alloc(&r->arena, sizeof *why);
    if (q->refused != NULL) {
        *q->refused = *why;
    }
}

static mcpw_status ask_first(mcpw_request *r, mcpw_str key, int number, const mcpw_method *asked,
                             const void *params, mcpw_error *error) {
    mcpw_input_request *const q = add(r, key);
    if (q == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    q->method = number;
    q->wanted = true;
    mcpw_status status =
        mcpw_form_read(r->session, &q->form, &r->arena, mcpw_method_params(asked), params, error);
    status = status == MCPW_OK ? put(r, q, mcpw_method_params(asked), params, error) : status;
    if (status == MCPW_OK || status == MCPW_E_STATE) {
        return status == MCPW_OK ? MCPW_PENDING : status;
    }
    mcpw_explain(error, status);
    remember_refusal(r, q, error);
    /* An input request that cannot be asked is the handler's fault. */
    return status == MCPW_E_CAPABILITY ? status : mcpw_request_unsendable(r, status, error);
}

mcpw_status mcpw_ask_is_allowed(const mcpw_request *request, const char *key, mcpw_error *error) {
    if (request->thread.detached && mcpw_request_is_cancelled(request)) {
        const mcpw_status ended = mcpw_request_ended(request);
        return mcpw_error_set(error, ended, 0, "%s", mcpw_status_text(ended));
    }
    if (!request->life.in_flight || !request->life.running || !mcpw_is_server(request->session) ||
        key == NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0,
                              "only a running handler of a server sends input requests, with a key");
    }
    return MCPW_OK;
}

void mcpw_ask_refuse(mcpw_request *request, const char *key, const mcpw_error *why) {
    mcpw_input_request *const q = find(request, mcpw_str_from(key));
    if (q != NULL) {
        remember_refusal(request, q, why);
    }
}

/* The type of answer by which a method asks for input, made in the room; NULL when it has none. */
static const mcpw_type *asking_type(const mcpw_method *method, mcpw_type_room *room) {
    const mcpw_type *const response = mcpw_method_response(method);
    if (response == NULL) {
        return NULL;
    }
    const mcpw_revision *const revision = mcpw_type_revision(response);
    const mcpw_ref chosen = mcpw_type_ref(response);
    for (unsigned i = 0; i < mcpw_alternative_count(revision, chosen); i++) {
        const mcpw_ref ref = mcpw_alternative_at(revision, chosen, i);
        if (mcpw_slot_exists(mcpw_slot_named(revision, ref, "inputRequests"))) {
            return mcpw_type_make(room, revision, ref, "InputRequiredResult");
        }
    }
    return NULL;
}

/* Whether the peer's revision has an input request, as `entry`, and has it in the middle of this request. A
 * method that an extension adds has no response that asks for input. (MCP 2026-07-28, "Multi Round-Trip
 * Requests".) */
static mcpw_status check_asking(mcpw_request *r, const mcpw_revision *revision, int method,
                                const mcpw_method *entry, mcpw_error *error) {
    const mcpw_revision *const theirs = r->profile->revision;
    const mcpw_str asked = mcpw_method_name(revision, method);
    const mcpw_str name = mcpw_request_method(r);
    mcpw_type_room room;
    if (entry == NULL || (mcpw_method_flags(entry) & MCPW_METHOD_FROM_SERVER) == 0 ||
        (mcpw_method_flags(entry) & MCPW_METHOD_REQUEST) == 0) {
        r->client.lacking = mcpw_need_of(revision, method)->capability;
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "a server cannot send %.*s in %s", (int)asked.len,
                              asked.ptr, mcpw_revision_name(theirs));
    }
    if ((mcpw_method_flags(entry) & MCPW_METHOD_INPUT) == 0 ||
        (r->message.method != 0 &&
         asking_type(mcpw_method_entry(theirs, r->message.method), &room) != NULL)) {
        return MCPW_OK;
    }
    mcpw_error_set(error, MCPW_E_STATE, 0, "%.*s cannot be answered by input_required in %s", (int)name.len,
                   name.ptr, mcpw_revision_name(theirs));
    return mcpw_request_unsendable(r, MCPW_E_STATE, error);
}

MCPW_POSTED(posted_ask,
            mcpw_request_ask(request, a->text, a->revision, (int)a->number, a->value, a->out, a->error))

mcpw_status mcpw_request_ask(mcpw_request *request, const char *key, const mcpw_revision *revision,
                             int method, const void *params, mcpw_result *result, mcpw_error *error) {
    mcpw_error local;
    mcpw_error *const e = error != NULL ? error : &local;
    const mcpw_method *const asked = mcpw_method_entry(revision, method);
    const mcpw_str name = mcpw_method_name(revision, method);
    const mcpw_revision *const theirs = request->profile->revision;
    result->value = NULL;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_ask,
                              &(mcpw_post_args){.text = key,
                                                .revision = revision,
                                                .number = method,
                                                .value = params,
                                                .out = result,
                                                .error = error});
    }
    e->code = MCPW_OK;
    const mcpw_status allowed = mcpw_ask_is_allowed(request, asked != NULL ? key : NULL, e);
    if (allowed != MCPW_OK) {
        return allowed;
    }
    const int number = mcpw_method_number(theirs, name.ptr, name.len);
    const mcpw_method *const entry = mcpw_method_entry(theirs, number);
    mcpw_status status = check_asking(request, revision, method, entry, e);
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_call_wants(request->session, theirs, revision, method, params, result->type, e);
    if (status != MCPW_OK) {
        request->client.lacking = status == MCPW_E_CAPABILITY ? "tasks" : NULL;
        return status;
    }
    mcpw_input_request *const q = find(request, mcpw_str_from(key));
    if (q == NULL) {
        return ask_first(request, mcpw_str_from(key), number, asked, params, e);
    }
    q->wanted = true;
    if (q->refused != NULL) {
        *e = *q->refused;
        return e->code;
    }
    if (q->answer.ptr == NULL) {
        return MCPW_PENDING;
    }
    status =
        mcpw_form_read(request->session, &q->form, &request->arena, mcpw_method_params(asked), params, e);
    status = status == MCPW_OK ? mcpw_form_check(&q->form, &request->arena, q->answer, e) : status;
    status = status == MCPW_OK ? give_answer(request, q, entry, asked, result, e) : status;
    if (status != MCPW_OK && status != MCPW_E_STATE) {
        mcpw_explain(e, status);
        remember_refusal(request, q, e);
    }
    return status;
}

void mcpw_request_set_patience(mcpw_request *request, uint64_t patience_ms) {
    request->input.patience = patience_ms;
}

mcpw_str mcpw_request_elicitation(const mcpw_request *request, const char *key) {
    const mcpw_input_request *const q = find(request, mcpw_str_from(key));
    return q != NULL ? q->elicitation : no_str;
}

void mcpw_ask_forget(mcpw_request *r) {
    for (mcpw_input_request *q = r->input.requests.first; q != NULL; q = q->next) {
        const int64_t number = q->number;
        mcpw_form_free(&q->form);
        q->request = NULL;
        q->number = 0;
        mcpw_pending *const asked = number != 0 ? mcpw_pending_numbered(r->session, number) : NULL;
        if (asked != NULL) {
            asked->context = NULL; /* nothing belongs to the request any more */
            mcpw_ignore(mcpw_session_cancel(r->session, number, "no longer needed"));
        }
    }
}

mcpw_json mcpw_request_answers(mcpw_request *request) {
    mcpw_text text = {mcpw_buffer_in(&request->arena), MCPW_OK};
    bool any = false;
    mcpw_text_object(&text);
    for (const mcpw_input_request *q = request->input.requests.first; q != NULL; q = q->next) {
        if (q->answer.ptr != NULL) {
            any = true;
            mcpw_text_key_str(&text, q->key);
            mcpw_text_json(&text, q->answer);
        }
    }
    mcpw_text_object_end(&text);
    return any ? mcpw_text_get(&text) : no_json;
}

static mcpw_status put_state(mcpw_request *r, mcpw_text *text) {
    mcpw_text content = mcpw_session_text(r->session);
    mcpw_json json;
    mcpw_str sealed;
    mcpw_error error;
    bool any = false;
    mcpw_text_object(&content);
    mcpw_text_key(&content, answers_name);
    mcpw_text_object(&content);
    for (const mcpw_input_request *q = r->input.requests.first; q != NULL; q = q->next) {
        if (q->answer.ptr != NULL && q->wanted) {
            any = true;
            mcpw_text_key_str(&content, q->key);
            mcpw_text_json(&content, q->answer);
        }
    }
    mcpw_text_object_end(&content);
    if (r->input.state.ptr != NULL) {
        mcpw_text_member_json(&content, own_name, r->input.state);
    }
    mcpw_text_object_end(&content);
    mcpw_status status = mcpw_text_finish(&content, &r->arena, &json);
    if (status != MCPW_OK || (!any && r->input.state.ptr == NULL)) {
        return status;
    }
    status = mcpw_state_seal(r, json, &sealed, &error);
    if (status != MCPW_OK) {
        r->life.unsendable = true;
        mcpw_request_diagnose(r, NULL, &error);
        return status;
    }
    mcpw_text_member(text, MCPW_NAME_REQUEST_STATE, sealed);
    return MCPW_OK;
}

/* Optional params are written, too: some clients count on them. */
static void put_input_request(mcpw_text *text, const mcpw_revision *revision, const mcpw_input_request *q) {
    static const mcpw_json none = MCPW_JSON("{}");
    mcpw_text_key_str(text, q->key);
    mcpw_text_object(text);
    mcpw_text_member(text, "method", mcpw_method_name(revision, q->method));
    mcpw_text_member_json(text, "params", q->params.ptr != NULL ? q->params : none);
    mcpw_text_object_end(text);
}

mcpw_status mcpw_ask_settle(mcpw_request *r) {
    const mcpw_revision *const revision = r->profile->revision;
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_type_room room;
    mcpw_json result;
    mcpw_error error;
    bool any = r->input.open != 0;
    if (any) {
        return MCPW_OK; /* the handler runs again with the last answer */
    }
    mcpw_profile_begin_result(r->profile, &text);
    mcpw_text_member(&text, "resultType", mcpw_str_from("input_required"));
    mcpw_text_key(&text, "inputRequests");
    mcpw_text_object(&text);
    for (const mcpw_input_request *q = r->input.requests.first; q != NULL; q = q->next) {
        if (q->answer.ptr == NULL && q->refused == NULL) {
            any = true;
            put_input_request(&text, revision, q);
        }
    }
    mcpw_text_object_end(&text);
    const mcpw_type *const type = asking_type(mcpw_method_entry(revision, r->message.method), &room);
    if (!any || type == NULL) {
        mcpw_text_free(&text);
        mcpw_error_set(&error, MCPW_E_STATE, 0,
                       any ? "this method cannot ask for input in %s"
                           : "a handler returned MCPW_PENDING but sent no input request (%s)",
                       mcpw_revision_name(revision));
        r->life.unsendable = true;
        mcpw_request_diagnose(r, NULL, &error);
        return MCPW_E_STATE;
    }
    mcpw_status status = put_state(r, &text);
    mcpw_text_object_end(&text);
    if (status == MCPW_OK) {
        status = mcpw_text_finish(&text, &r->arena, &result);
    }
    mcpw_text_free(&text);
    return status == MCPW_OK ? mcpw_respond_raw(r, type, result, &error) : status;
}
