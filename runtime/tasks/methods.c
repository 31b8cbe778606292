/* SPDX-License-Identifier: MIT */
/* The requests of clients about tasks. */
#include "keeper.h"

#include <mcpw/ask.h>
#include <mcpw/codec.h>
#include <mcpw/project.h>

#include <stdlib.h>

static const mcpw_json no_json = {NULL, 0, 0};
static const mcpw_str no_str = {NULL, 0};

/* ---- Errors ---- */

static mcpw_status refuse(mcpw_request *request, const char *why) {
    return mcpw_respond_error(request, MCPW_RPC_INVALID_PARAMS, why, no_json);
}

/* Answers that a record cannot be had. A task of somebody else is answered like an unknown one. */
static mcpw_status no_task(mcpw_request *request, mcpw_status status) {
    switch (status) {
    case MCPW_E_NOT_FOUND:
        return refuse(request, "Invalid params: there is no such task");
    case MCPW_E_FORMAT:
    case MCPW_E_VERSION:
    case MCPW_E_SIZE:
        return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR,
                                  "Internal error: the record of the task cannot be read", no_json);
    case MCPW_E_MEMORY:
        return status;
    default:
        return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR,
                                  "Internal error: the store of tasks does not answer", no_json);
    }
}

/* The id in the params. If there is none, the request is answered. */
static bool take_id(mcpw_request *request, const mcpw_extension_call *call, mcpw_str *id,
                    mcpw_status *status) {
    const mcpw_status found = call->params.ptr != NULL ? mcpw_json_get_string(call->params, "taskId",
                                                                              mcpw_request_arena(request), id)
                                                       : MCPW_E_NOT_FOUND;
    *status = MCPW_OK;
    if (found != MCPW_OK) {
        *status = found == MCPW_E_MEMORY ? found : refuse(request, "Invalid params: taskId is no string");
    }
    return found == MCPW_OK;
}

/* ---- Answers ---- */

static void begin(mcpw_request *request, mcpw_buffer *out, mcpw_json_writer *w) {
    *out = mcpw_buffer_in(mcpw_request_arena(request));
    mcpw_json_write_into(w, out);
    mcpw_json_write_object(w);
}

/* The same with room for a task, so that its text seldom grows: without that the writer fails by itself. */
static void begin_task(mcpw_request *request, const mcpw_task_copy *copy, mcpw_buffer *out,
                       mcpw_json_writer *w) {
    enum { HEAD = 512 };
    *out = mcpw_buffer_in(mcpw_request_arena(request));
    const mcpw_status status = mcpw_buffer_reserve(out, HEAD + copy->record.parts[MCPW_TASK_RESULT].len);
    (void)status;
    mcpw_json_write_into(w, out);
    mcpw_json_write_object(w);
}

static mcpw_status end(mcpw_request *request, mcpw_json_writer *w) {
    mcpw_json result;
    mcpw_json_write_close(w);
    const mcpw_status status = mcpw_json_write_end(w, &result);
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : status;
}

static mcpw_status respond_empty(mcpw_request *request) {
    static const mcpw_json empty = MCPW_JSON("{}");
    return mcpw_respond_json(request, empty, NULL);
}

/* Whether tasks are in the core of a request's revision. The one that inner sessions speak has none there. */
static bool is_core(const mcpw_task_keeper *keeper, const mcpw_request *request) {
    const mcpw_revision *const revision = mcpw_request_revision(request);
    return revision != keeper->revision && mcpw_task_is_core(revision);
}

/* Writes a task in a form, as a result. */
static mcpw_status write_task(mcpw_request *request, const mcpw_task_copy *copy, bool core, mcpw_json *out) {
    mcpw_buffer text;
    mcpw_json_writer w;
    begin_task(request, copy, &text, &w);
    if (core) {
        mcpw_task_write(&w, copy->entry.id, &copy->record, true);
    } else {
        mcpw_task_write_detailed(&w, copy->entry.id, &copy->record);
    }
    mcpw_json_write_close(&w);
    return mcpw_json_write_end(&w, out);
}

static mcpw_status respond_task(const mcpw_task_keeper *keeper, mcpw_request *request,
                                const mcpw_task_copy *copy) {
    mcpw_json result;
    const mcpw_status status = write_task(request, copy, is_core(keeper, request), &result);
    return status == MCPW_OK ? mcpw_respond_members(request, result, NULL) : status;
}

/* ---- tasks/get ---- */

static mcpw_status get(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_copy copy;
    mcpw_str id;
    mcpw_status status;
    mcpw_task_pump_alone(keeper);
    if (!take_id(request, call, &id, &status)) {
        return status;
    }
    mcpw_task_save(keeper, id);
    const bool core = is_core(keeper, request);
    status = mcpw_keeper_look(keeper, id, core, request, &copy);
    if (status != MCPW_OK) {
        return no_task(request, status);
    }
    if (copy.view != NULL) {
        return mcpw_respond_members(request, copy.view->text, NULL);
    }
    mcpw_json result;
    status = write_task(request, &copy, core, &result);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_task_view_keep(&keeper->views, id, core, copy.entry.version, result);
    return mcpw_respond_members(request, result, NULL);
}

/* ---- tasks/update, and what answers input requests in the core ---- */

/* Answers to the input requests of a task. */
typedef struct answering {
    const mcpw_task_keeper *keeper;
    mcpw_request *request;
    mcpw_json responses; /* an object by key */
    bool is_whole;       /* nothing is asked any more: the task runs again */
    uint64_t expires_at; /* of the task */
} answering;

/* An input request of a task. */
typedef struct question {
    mcpw_str name;
    mcpw_json key; /* the name as it is written */
    mcpw_json request;
    mcpw_json response; /* absent: there is none */
} question;

/* All of them, and an index by name, so that time does not grow with each pair of a question and a response.
 */
typedef struct questions {
    question *all;
    question **by_name;
    size_t count;
} questions;

static int compare(mcpw_str a, mcpw_str b) {
    const size_t least = a.len < b.len ? a.len : b.len;
    const int order = least != 0 ? memcmp(a.ptr, b.ptr, least) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_questions(const void *a, const void *b) {
    return compare((*(question *const *)a)->name, (*(question *const *)b)->name);
}

static int compare_name(const void *name, const void *other) {
    return compare(*(const mcpw_str *)name, (*(question *const *)other)->name);
}

static mcpw_status read_questions(mcpw_json object, mcpw_arena *arena, questions *out) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json request;
    const size_t count = mcpw_json_count(object);
    *out = (questions){mcpw_arena_alloc(arena, count * sizeof *out->all),
                       mcpw_arena_alloc(arena, count * sizeof(question *)), 0};
    if (count != 0 && (out->all == NULL || out->by_name == NULL)) {
        return MCPW_E_MEMORY;
    }
    mcpw_status status = mcpw_json_iterate(object, &it);
    while (status == MCPW_OK && out->count < count && mcpw_json_next(&it, &key, &request)) {
        question *const one = out->all + out->count;
        *one = (question){.key = key, .request = request, .response = no_json};
        status = mcpw_json_string(key, arena, &one->name);
        out->by_name[out->count++] = one;
    }
    if (out->count > 1) {
        qsort((void *)out->by_name, out->count, sizeof(question *), compare_questions);
    }
    return status;
}

/* Gives each question its first response. Other responses count for nothing. */
static mcpw_status match(mcpw_json responses, mcpw_arena *arena, const questions *asked) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json response;
    mcpw_status status = mcpw_json_iterate(responses, &it);
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &response)) {
        const mcpw_mark before = mcpw_arena_mark(arena);
        mcpw_str name;
        status = mcpw_json_string(key, arena, &name);
        question *const *const found =
            status == MCPW_OK && asked->count != 0
                ? bsearch(&name, (const void *)asked->by_name, asked->count, sizeof *found, compare_name)
                : NULL;
        if (found != NULL && (*found)->response.ptr == NULL) {
            (*found)->response = response;
        }
        mcpw_arena_rewind(arena, before);
    }
    return status == MCPW_OK ? it.status : status;
}

static mcpw_status append(mcpw_buffer *out, mcpw_json key, mcpw_json value) {
    mcpw_status status = out->len > 1 ? mcpw_buffer_append(out, ",", 1) : MCPW_OK;
    status = status == MCPW_OK ? mcpw_buffer_append(out, key.ptr, key.len) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(out, ":", 1) : status;
    return status == MCPW_OK ? mcpw_buffer_append(out, value.ptr, value.len) : status;
}

/* Moves each input request that has a response now from those that are open to those that are answered. */
static mcpw_status answer_open(void *user, mcpw_task_record *record, mcpw_str *worker) {
    answering *const a = user;
    mcpw_arena *const arena = mcpw_request_arena(a->request);
    mcpw_buffer answers = mcpw_buffer_in(arena);
    mcpw_buffer open = mcpw_buffer_in(arena);
    questions asked;
    bool any = false;
    if (record->status != MCPW_RECORD_INPUT_REQUIRED) {
        return MCPW_E_CANCELLED; /* nothing is to be written */
    }
    mcpw_status status = read_questions(mcpw_task_json(record, MCPW_TASK_QUESTIONS), arena, &asked);
    status = status == MCPW_OK ? match(a->responses, arena, &asked) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&answers, "{", 1) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&open, "{", 1) : status;
    if (status == MCPW_OK) {
        status = mcpw_json_append_members(&answers, mcpw_task_json(record, MCPW_TASK_ANSWERS), NULL);
    }
    for (size_t i = 0; status == MCPW_OK && i < asked.count; i++) {
        const question *const one = asked.all + i;
        any = any || one->response.ptr != NULL;
        status = one->response.ptr != NULL ? append(&answers, one->key, one->response)
                                           : append(&open, one->key, one->request);
    }
    a->is_whole = open.len == 1;
    a->expires_at = mcpw_task_record_expires_at(record);
    status = status == MCPW_OK ? mcpw_buffer_append(&answers, "}", 1) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&open, "}", 1) : status;
    if (status != MCPW_OK || !any) {
        return status != MCPW_OK ? status : MCPW_E_CANCELLED;
    }
    record->parts[MCPW_TASK_ANSWERS] = mcpw_keeper_text(&answers);
    record->parts[MCPW_TASK_QUESTIONS] = a->is_whole ? no_str : mcpw_keeper_text(&open);
    record->status = a->is_whole ? MCPW_RECORD_WORKING : MCPW_RECORD_INPUT_REQUIRED;
    *worker = a->is_whole ? mcpw_str_from(a->keeper->store->worker) : *worker;
    return MCPW_OK;
}

/* Takes responses. MCPW_OK also if they answer nothing. */
static mcpw_status take_responses(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id,
                                  mcpw_json responses) {
    answering a = {.keeper = keeper, .request = request, .responses = responses};
    mcpw_error error;
    mcpw_task_loop *const loop = mcpw_task_loop_of(keeper, mcpw_request_session(request), &error);
    mcpw_task_live *const live = loop != NULL ? mcpw_task_live_make(keeper, id) : NULL;
    if (live == NULL) {
        return loop != NULL && id.len != MCPW_TASK_ID_LEN ? MCPW_E_NOT_FOUND : MCPW_E_MEMORY;
    }
    if (live->loop != NULL) {
        return MCPW_OK; /* it runs, so it asks nothing */
    }
    live->loop = loop; /* it will, so that nobody takes it for lost */
    const mcpw_status status = mcpw_keeper_update(keeper, id, answer_open, &a);
    live->loop = NULL;
    if (status == MCPW_OK && a.is_whole) {
        mcpw_task_enqueue(keeper, live, loop, a.expires_at);
    } else {
        mcpw_task_live_release(keeper, live);
    }
    return status == MCPW_E_STATE || status == MCPW_E_CANCELLED ? MCPW_OK : status;
}

static mcpw_status update(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_copy copy;
    mcpw_json responses = no_json;
    mcpw_str id;
    mcpw_status status;
    mcpw_task_pump_alone(keeper);
    if (!take_id(request, call, &id, &status)) {
        return status;
    }
    mcpw_task_save(keeper, id);
    if (mcpw_json_get(call->params, "inputResponses", &responses) != MCPW_OK ||
        mcpw_json_kind_of(responses) != MCPW_JSON_OBJECT) {
        return refuse(request, "Invalid params: inputResponses is no object");
    }
    status = mcpw_keeper_read_own(keeper, id, request, &copy);
    if (status == MCPW_OK && copy.record.status == MCPW_RECORD_INPUT_REQUIRED) {
        status = take_responses(keeper, request, id, responses);
    }
    return status == MCPW_OK ? respond_empty(request) : no_task(request, status);
}

/* ---- tasks/cancel ---- */

static mcpw_status set_cancelled(void *user, mcpw_task_record *record, mcpw_str *worker) {
    (void)user;
    record->status = MCPW_RECORD_CANCELLED;
    *worker = no_str;
    return MCPW_OK;
}

static mcpw_status cancel(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_task_keeper *const keeper = user;
    const bool core = is_core(keeper, request);
    mcpw_task_copy copy;
    mcpw_str id;
    mcpw_status status;
    mcpw_task_pump_alone(keeper);
    if (!take_id(request, call, &id, &status)) {
        return status;
    }
    mcpw_task_save(keeper, id);
    status = mcpw_keeper_read_own(keeper, id, request, &copy);
    if (status != MCPW_OK) {
        return no_task(request, status);
    }
    status = mcpw_keeper_update(keeper, id, set_cancelled, NULL);
    if (status == MCPW_OK) {
        mcpw_task_stop(keeper, id);
    } else if (status == MCPW_E_STATE && core) {
        return refuse(request, "Invalid params: the task has ended already");
    } else if (status != MCPW_E_STATE) {
        return no_task(request, status);
    }
    if (!core) {
        return respond_empty(request);
    }
    status = mcpw_keeper_read_own(keeper, id, request, &copy);
    return status == MCPW_OK ? respond_task(keeper, request, &copy) : no_task(request, status);
}

/* ---- tasks/result ---- */

/* Brings the result of the inner session's revision into that of a client. */
static mcpw_status project(mcpw_request *request, const mcpw_task_keeper *keeper, mcpw_json *result,
                           mcpw_error *error) {
    static const char name[] = "CallToolResult";
    mcpw_arena *const arena = mcpw_request_arena(request);
    const mcpw_type *const from = mcpw_revision_type(keeper->revision, name);
    const mcpw_type *const to = mcpw_revision_type(mcpw_request_revision(request), name);
    void *const value = from != NULL ? mcpw_arena_alloc(arena, mcpw_type_size(from)) : NULL;
    void *const out = to != NULL ? mcpw_arena_alloc(arena, mcpw_type_size(to)) : NULL;
    mcpw_buffer text = mcpw_buffer_in(arena);
    if (value == NULL || out == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    mcpw_status status = mcpw_decode(from, result->ptr, result->len, arena, value, NULL, error);
    status = status == MCPW_OK ? mcpw_project(from, value, to, arena, out, NULL, error) : status;
    status = status == MCPW_OK ? mcpw_encode(to, out, &text, NULL, error) : status;
    *result = mcpw_json_of(text.data, text.len);
    return status;
}

static mcpw_status respond_result(mcpw_request *request, const mcpw_task_keeper *keeper,
                                  const mcpw_task_copy *copy) {
    static const char *const but[] = {"_meta", "resultType", NULL};
    mcpw_json result = mcpw_task_json(&copy->record, MCPW_TASK_RESULT);
    mcpw_buffer out;
    mcpw_json_writer w;
    mcpw_json head;
    mcpw_error error;
    if (project(request, keeper, &result, &error) != MCPW_OK) {
        return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR,
                                  "Internal error: the result cannot be expressed in this revision", no_json);
    }
    begin(request, &out, &w);
    mcpw_json_write_key(&w, "_meta");
    mcpw_task_write_related(&w, copy->entry.id);
    mcpw_json_write_close(&w);
    mcpw_status status = mcpw_json_write_end(&w, &head);
    out.len -= status == MCPW_OK; /* the brace, after which the members of the result come */
    status = status == MCPW_OK ? mcpw_json_append_members(&out, result, but) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&out, "}", 1) : status;
    return status == MCPW_OK ? mcpw_respond_json(request, mcpw_json_of(out.data, out.len), NULL) : status;
}

static mcpw_status respond_failure(mcpw_request *request, const mcpw_task_copy *copy) {
    const mcpw_json error = mcpw_task_json(&copy->record, MCPW_TASK_ERROR);
    int64_t code = MCPW_RPC_INTERNAL_ERROR;
    mcpw_str message = no_str;
    mcpw_json data = no_json;
    mcpw_arena *const arena = mcpw_request_arena(request);
    if (mcpw_json_get_int(error, "code", &code) != MCPW_OK ||
        mcpw_json_get_string(error, "message", arena, &message) != MCPW_OK) {
        return no_task(request, MCPW_E_FORMAT);
    }
    if (mcpw_json_get(error, "data", &data) != MCPW_OK) {
        data = no_json;
    }
    const mcpw_str copied = mcpw_arena_str(arena, message.ptr, message.len);
    return copied.ptr != NULL ? mcpw_respond_error(request, code, copied.ptr, data) : MCPW_E_MEMORY;
}

/* Takes a waiter out of the list of its task, and frees it. */
static void drop_waiter(mcpw_task_keeper *keeper, mcpw_task_waiter *waiter) {
    mcpw_task_live *const live = mcpw_task_live_find(keeper, mcpw_str_from(waiter->id));
    mcpw_task_waiter **at = live != NULL ? &live->waiters : NULL;
    while (at != NULL && *at != waiter && *at != NULL) {
        at = &(*at)->next;
    }
    if (at != NULL && *at != NULL) {
        mcpw_task_waiter_unlink(live, at);
    }
    (void)mcpw_resize(&keeper->config.allocator, waiter, sizeof *waiter, 0);
    if (live != NULL) {
        mcpw_task_live_release(keeper, live);
    }
}

static void forget_waiter(void *user, mcpw_request *request) {
    mcpw_task_waiter *const waiter = user;
    (void)request;
    drop_waiter(waiter->keeper, waiter);
}

/* Keeps a request until the task changes; with `asks`, until its client has answered, or the task has ended.
 */
static mcpw_status keep_request(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id, bool asks) {
    mcpw_error error;
    /* the loop takes changes of other processes */
    const bool has_loop = mcpw_task_loop_of(keeper, mcpw_request_session(request), &error) != NULL;
    mcpw_task_live *const live = has_loop ? mcpw_task_live_make(keeper, id) : NULL;
    mcpw_task_waiter *const waiter =
        live != NULL ? mcpw_resize(&keeper->config.allocator, NULL, 0, sizeof *waiter) : NULL;
    if (waiter == NULL) {
        if (live != NULL) {
            mcpw_task_live_release(keeper, live);
        }
        return MCPW_E_MEMORY;
    }
    *waiter = (mcpw_task_waiter){.request = request, .keeper = keeper, .pass = keeper->pass, .asks = asks};
    memcpy(waiter->id, live->id, sizeof waiter->id);
    *live->waiters_end = waiter;
    live->waiters_end = &waiter->next;
    mcpw_request_on_cancel(request, forget_waiter, waiter);
    return MCPW_OK;
}

/* The request of a task whose client is asked; NULL: there is none. `request` NULL stands for any. */
static mcpw_task_waiter *find_asker(const mcpw_task_keeper *keeper, mcpw_str id,
                                    const mcpw_request *request) {
    const mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    mcpw_task_waiter *waiter = live != NULL ? live->waiters : NULL;
    while (waiter != NULL && (!waiter->asks || (request != NULL && waiter->request != request))) {
        waiter = waiter->next;
    }
    return waiter;
}

/* The client of a request has answered, so it runs again. */
static void end_asking(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id) {
    mcpw_task_waiter *const waiter = find_asker(keeper, id, request);
    if (waiter != NULL) {
        mcpw_request_on_cancel(request, NULL, NULL);
        drop_waiter(keeper, waiter);
    }
}

/* The params of an input request with the task that they belong to. */
static mcpw_json related(mcpw_request *request, mcpw_str id, mcpw_json params) {
    static const char *const but[] = {"_meta", NULL};
    mcpw_buffer out;
    mcpw_json_writer w;
    mcpw_json head;
    begin(request, &out, &w);
    mcpw_json_write_key(&w, "_meta");
    mcpw_task_write_related(&w, id);
    mcpw_json_write_close(&w);
    mcpw_status status = mcpw_json_write_end(&w, &head);
    out.len -= status == MCPW_OK;
    status = status == MCPW_OK ? mcpw_json_append_members(&out, params, but) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&out, "}", 1) : status;
    return status == MCPW_OK ? mcpw_json_of(out.data, out.len) : no_json;
}

/* Sends one input request of a task to its client. */
static mcpw_status ask_one(mcpw_request *request, mcpw_str id, mcpw_json key, mcpw_json question,
                           mcpw_buffer *responses) {
    mcpw_arena *const arena = mcpw_request_arena(request);
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    mcpw_json params = no_json;
    mcpw_str name;
    mcpw_str method;
    if (mcpw_json_string(key, arena, &name) != MCPW_OK ||
        mcpw_json_get_string(question, "method", arena, &method) != MCPW_OK) {
        return MCPW_E_FORMAT;
    }
    if (mcpw_json_get(question, "params", &params) != MCPW_OK) {
        params = no_json;
    }
    const mcpw_str key_text = mcpw_arena_str(arena, name.ptr, name.len);
    const mcpw_str method_text = mcpw_arena_str(arena, method.ptr, method.len);
    params = related(request, id, params);
    if (key_text.ptr == NULL || method_text.ptr == NULL || params.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = mcpw_ask_json(request, key_text.ptr, method_text.ptr, params, &answer);
    return status == MCPW_OK ? append(responses, key, answer.result) : status;
}

static mcpw_status set_refused(void *user, mcpw_task_record *record, mcpw_str *worker) {
    static const mcpw_json refused =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The client did not answer an input request of the task\"}");
    (void)user;
    mcpw_keeper_fail(record, refused);
    *worker = no_str;
    return MCPW_OK;
}

/* Asks the client for the input of the task. MCPW_OK: the task has the answers. MCPW_E_REMOTE: the client
 * does not give them. */
static mcpw_status ask_all(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id,
                           const mcpw_task_copy *copy) {
    mcpw_buffer responses = mcpw_buffer_in(mcpw_request_arena(request));
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json question;
    bool is_pending = false;
    mcpw_status status = mcpw_json_iterate(mcpw_task_json(&copy->record, MCPW_TASK_QUESTIONS), &it);
    status = status == MCPW_OK ? mcpw_buffer_append(&responses, "{", 1) : status;
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &question)) {
        status = ask_one(request, id, key, question, &responses);
        is_pending = is_pending || status == MCPW_PENDING;
        status = status == MCPW_PENDING ? MCPW_OK : status;
    }
    if (status == MCPW_E_MEMORY || (status == MCPW_OK && is_pending)) {
        return status == MCPW_OK ? MCPW_PENDING : status;
    }
    if (status != MCPW_OK) {
        return MCPW_E_REMOTE;
    }
    status = mcpw_buffer_append(&responses, "}", 1);
    return status == MCPW_OK
               ? take_responses(keeper, request, id, mcpw_json_of(responses.data, responses.len))
               : status;
}

/* Answers a request for the result of a task, or keeps it until the task has ended. */
static mcpw_status respond_outcome(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id,
                                   const mcpw_task_copy *copy) {
    switch (copy->record.status) {
    case MCPW_RECORD_COMPLETED:
        return respond_result(request, keeper, copy);
    case MCPW_RECORD_FAILED:
        return respond_failure(request, copy);
    case MCPW_RECORD_CANCELLED:
        return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR, "The task was cancelled", no_json);
    case MCPW_RECORD_WORKING:
    case MCPW_RECORD_INPUT_REQUIRED:
    case MCPW_RECORD_STATUS_COUNT:
    default:
        return keep_request(keeper, request, id, false);
    }
}

void mcpw_task_answer(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id) {
    mcpw_task_copy copy;
    mcpw_status status = mcpw_keeper_read_own(keeper, id, request, &copy);
    status = status == MCPW_OK ? respond_outcome(keeper, request, id, &copy) : no_task(request, status);
    if (status != MCPW_OK) { /* a short error may have the memory that the outcome lacked */
        status = mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR,
                                    "Internal error: the outcome of the task cannot be sent", no_json);
        (void)status; /* else the client waits until it gives up */
    }
}

/* The client of a request has refused an input request of a task. The task fails, unless another client is
 * asked as well. */
static mcpw_status take_refusal(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str id, bool *waits) {
    *waits = find_asker(keeper, id, NULL) != NULL;
    if (*waits) {
        return keep_request(keeper, request, id, false);
    }
    const mcpw_status status = mcpw_keeper_update(keeper, id, set_refused, NULL);
    return status == MCPW_E_STATE ? MCPW_OK : status;
}

static mcpw_status result(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_task_keeper *const keeper = user;
    mcpw_task_copy copy;
    mcpw_str id;
    mcpw_status status;
    bool waits = false;
    mcpw_task_pump_alone(keeper);
    if (!take_id(request, call, &id, &status)) {
        return status;
    }
    end_asking(keeper, request, id);
    mcpw_task_save(keeper, id);
    status = mcpw_keeper_read_own(keeper, id, request, &copy);
    while (status == MCPW_OK && copy.record.status == MCPW_RECORD_INPUT_REQUIRED) {
        const uint64_t version = copy.entry.version;
        status = ask_all(keeper, request, id, &copy);
        if (status == MCPW_PENDING) {
            status = keep_request(keeper, request, id, true);
            return status == MCPW_OK ? MCPW_PENDING : status;
        }
        status = status == MCPW_E_REMOTE ? take_refusal(keeper, request, id, &waits) : status;
        if (waits) {
            return status;
        }
        status = status == MCPW_OK ? mcpw_keeper_read_own(keeper, id, request, &copy) : status;
        if (status == MCPW_OK && copy.entry.version == version) {
            status = MCPW_E_STATE; /* the store has kept neither answers nor the failure */
        }
    }
    return status == MCPW_OK ? respond_outcome(keeper, request, id, &copy) : no_task(request, status);
}

/* ---- tasks/list ---- */

typedef struct page {
    mcpw_json_writer *w;
    mcpw_arena *arena;
    mcpw_str last; /* the id of the last one that is in it */
    size_t room;
    bool has_more;
    mcpw_status status;
} page;

static void add_to_page(void *user, const mcpw_task_entry *entry) {
    page *const p = user;
    mcpw_task_record record;
    if (p->room == 0) {
        p->has_more = true;
        return;
    }
    p->room--;
    p->last = mcpw_arena_str(p->arena, entry->id.ptr, entry->id.len);
    p->status = p->last.ptr != NULL ? p->status : MCPW_E_MEMORY;
    if (mcpw_task_record_read(entry->text, &record) == MCPW_OK) {
        mcpw_json_write_object(p->w);
        mcpw_task_write(p->w, entry->id, &record, true);
        mcpw_json_write_close(p->w);
    }
}

static mcpw_status list(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    mcpw_task_keeper *const keeper = user;
    const mcpw_str principal = mcpw_request_principal(request);
    mcpw_json cursor = no_json;
    mcpw_str after = no_str;
    mcpw_buffer out;
    mcpw_json_writer w;
    page p = {.w = &w, .arena = mcpw_request_arena(request), .room = keeper->config.page_size};
    mcpw_task_pump_alone(keeper);
    if (principal.ptr == NULL) {
        return mcpw_respond_error(request, MCPW_RPC_METHOD_NOT_FOUND,
                                  "Method not found: tasks are listed for known users alone", no_json);
    }
    if (call->params.ptr != NULL && mcpw_json_get(call->params, "cursor", &cursor) == MCPW_OK &&
        mcpw_json_string(cursor, p.arena, &after) != MCPW_OK) {
        return refuse(request, "Invalid params: the cursor is no string");
    }
    begin(request, &out, &w);
    mcpw_json_write_key(&w, "tasks");
    mcpw_json_write_array(&w);
    mcpw_status status = keeper->store->list(keeper->store->self, principal, after, p.room + 1,
                                             keeper->config.max_record_bytes, add_to_page, &p);
    if (status == MCPW_E_NOT_FOUND) {
        return refuse(request, "Invalid params: the cursor is unknown");
    }
    if (status == MCPW_E_IO && p.last.ptr != NULL) { /* the store had no time for all of them */
        p.has_more = true;
        status = MCPW_OK;
    }
    mcpw_json_write_close(&w);
    if (p.has_more && p.last.ptr != NULL) {
        mcpw_json_write_key(&w, "nextCursor");
        mcpw_json_write_string(&w, p.last.ptr, p.last.len);
    }
    status = status == MCPW_OK ? p.status : status;
    return status == MCPW_OK ? end(request, &w) : no_task(request, status);
}

/* tasks/list stands last, because it is announced only where clients have names. */
const mcpw_extension_method mcpw_task_methods[MCPW_TASK_METHODS] = {
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "tasks/get",
     .request = get,
     .scope = MCPW_SCOPE_BOTH,
     .on_session_thread = true},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "tasks/update",
     .request = update,
     .on_session_thread = true},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "tasks/cancel",
     .request = cancel,
     .scope = MCPW_SCOPE_BOTH,
     .on_session_thread = true},
    {.struct_size = sizeof(mcpw_extension_method), .name = "notifications/tasks", .is_notification = true},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "tasks/result",
     .request = result,
     .scope = MCPW_SCOPE_CORE,
     .on_session_thread = true},
    {.struct_size = sizeof(mcpw_extension_method),
     .name = "tasks/list",
     .request = list,
     .scope = MCPW_SCOPE_CORE,
     .on_session_thread = true}};
