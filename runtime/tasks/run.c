/* SPDX-License-Identifier: MIT */
/* Tasks run as requests of inner sessions. */
#include "keeper.h"

#include <mcpw/envelope.h>
#include <mcpw/policy.h>

static const mcpw_str no_worker = {NULL, 0};
static const mcpw_str no_text = {NULL, 0};

static void hand_over(mcpw_task_loop *loop) {
    if (!loop->inside && !loop->handed_over) {
        loop->handed_over = mcpw_session_hand_over(loop->inner, &loop->job);
    }
}

/* ---- Outcomes ---- */

typedef struct outcome {
    mcpw_json result; /* one of the two is absent */
    mcpw_json error;
} outcome;

static void set_part(mcpw_task_record *record, mcpw_task_part part, mcpw_json value) {
    record->parts[part] = (mcpw_str){value.ptr, value.len};
}

static bool is_asking(mcpw_json result) {
    mcpw_str type;
    return mcpw_json_get_string(result, "resultType", NULL, &type) == MCPW_OK &&
           mcpw_str_is(type, "input_required");
}

/* The task waits for input. Nothing of its run is left but the record. */
static void ask(mcpw_task_record *record, mcpw_json result) {
    static const mcpw_json nothing =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The task asks for input but names none\"}");
    mcpw_json questions;
    mcpw_json sealed = {NULL, 0, 0};
    if (mcpw_json_get(result, "inputRequests", &questions) != MCPW_OK || mcpw_json_count(questions) == 0) {
        mcpw_keeper_fail(record, nothing);
        return;
    }
    if (mcpw_json_get(result, "requestState", &sealed) != MCPW_OK) {
        sealed.ptr = NULL;
    }
    record->status = MCPW_RECORD_INPUT_REQUIRED;
    set_part(record, MCPW_TASK_QUESTIONS, questions);
    set_part(record, MCPW_TASK_SEALED, sealed);
}

static mcpw_status apply(void *user, mcpw_task_record *record, mcpw_str *worker) {
    const outcome *const o = user;
    *worker = no_worker;
    if (o->result.ptr == NULL) {
        mcpw_keeper_fail(record, o->error);
    } else if (is_asking(o->result)) {
        ask(record, o->result);
    } else {
        bool is_error = false;
        record->is_tool_error = mcpw_json_get_bool(o->result, "isError", &is_error) == MCPW_OK && is_error;
        record->status = MCPW_RECORD_COMPLETED;
        set_part(record, MCPW_TASK_RESULT, o->result);
    }
    return MCPW_OK;
}

/* The run of a task has ended. */
static void leave(mcpw_task_live *live) {
    live->loop->running -= live->is_running;
    mcpw_task_place_leave(live);
    live->loop = NULL;
    live->is_running = false;
}

/* Keeps the response of a run until the store is there again. The task counts as running meanwhile, so
 * max_running bounds what is kept. */
static bool keep(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_str text) {
    if (text.len == 0 || mcpw_buffer_append(&live->unsaved, text.ptr, text.len) != MCPW_OK) {
        return false;
    }
    keeper->unsaved++;
    return true;
}

/* text: the response, which the outcome refers to; empty if it is a constant. */
static void end_run(mcpw_task_keeper *keeper, mcpw_task_live *live, outcome *o, mcpw_str text) {
    /* It keeps its loop, so that nobody takes it for lost while its outcome is stored. */
    const mcpw_status status = mcpw_keeper_update(keeper, mcpw_str_from(live->id), apply, o);
    if (status == MCPW_E_IO && keep(keeper, live, text)) {
        return;
    }
    leave(live);
    if (status != MCPW_OK) {
        mcpw_task_lost(keeper, live); /* what could not be stored is lost, which its next reader finds */
    } else if (o->result.ptr != NULL && is_asking(o->result)) {
        mcpw_task_live_release(keeper, live);
    } else {
        mcpw_task_live_end(keeper, live);
    }
}

/* A run has ended with a response. Without a text it was lost for lack of memory. */
static void finished(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_str text) {
    static const mcpw_json no_memory =
        MCPW_JSON("{\"code\":-32603,\"message\":\"Internal error: out of memory\"}");
    mcpw_message_envelope envelope;
    outcome o = {.error = no_memory};
    if (text.len != 0 &&
        mcpw_envelope_read(&envelope, mcpw_json_of(text.ptr, text.len), 0, NULL) == MCPW_OK) {
        o = (outcome){envelope.at[MCPW_AT_RESULT], envelope.at[MCPW_AT_ERROR]};
    } else {
        text = no_text;
    }
    end_run(keeper, live, &o, text);
}

void mcpw_task_save_kept(mcpw_task_keeper *keeper, mcpw_str id) {
    mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    mcpw_task_loop *const loop = live != NULL ? live->loop : NULL;
    if (loop != NULL && live->unsaved.len != 0) {
        mcpw_buffer taken = live->unsaved; /* storing it runs other requests, which may come here, too */
        live->unsaved = (mcpw_buffer)MCPW_BUFFER_INIT;
        live->unsaved.allocator = keeper->config.allocator;
        keeper->unsaved--;
        finished(keeper, live, mcpw_keeper_text(&taken));
        mcpw_buffer_free(&taken);
        hand_over(loop); /* others may have their turn */
    }
}

void mcpw_task_save_last(mcpw_task_keeper *keeper, const mcpw_task_live *live) {
    mcpw_message_envelope envelope;
    const mcpw_json text = mcpw_json_of(live->unsaved.data, live->unsaved.len);
    if (mcpw_envelope_read(&envelope, text, 0, NULL) == MCPW_OK) {
        outcome o = {envelope.at[MCPW_AT_RESULT], envelope.at[MCPW_AT_ERROR]};
        const mcpw_status status = mcpw_keeper_update(keeper, mcpw_str_from(live->id), apply, &o);
        (void)status; /* if the store is gone, nobody can do more */
    }
}

/* ---- Progress ---- */

/* Passes the progress of a task on to its client, whose token is good for the task's life. */
static void progressed(mcpw_task_loop *loop, mcpw_str text) {
    static const char *const but[] = {"progressToken", "_meta", NULL};
    mcpw_task_keeper *const keeper = loop->keeper;
    mcpw_message_envelope envelope;
    mcpw_str id;
    if (mcpw_envelope_read(&envelope, mcpw_json_of(text.ptr, text.len), 0, NULL) != MCPW_OK ||
        mcpw_json_get_string(envelope.at[MCPW_AT_PARAMS], "progressToken", NULL, &id) != MCPW_OK) {
        return;
    }
    const mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    if (live == NULL || live->client == NULL || live->token.ptr == NULL) {
        return;
    }
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_json_writer w;
    mcpw_json meta;
    out.allocator = keeper->config.allocator;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "progressToken");
    mcpw_json_write_raw(&w, live->token);
    mcpw_json_write_key(&w, "_meta");
    mcpw_task_write_related(&w, id);
    mcpw_json_write_close(&w);
    mcpw_task_tell_more(keeper, live, "notifications/progress", &out, mcpw_json_write_end(&w, &meta),
                        envelope.at[MCPW_AT_PARAMS], but);
}

/* Takes the messages of the inner session. Each is copied, because it lives only until the next call. */
static bool take_messages(mcpw_task_loop *loop) {
    mcpw_outgoing message;
    bool any = false;
    while (mcpw_session_next_message(loop->inner, &message)) {
        mcpw_buffer copy = MCPW_BUFFER_INIT;
        copy.allocator = loop->keeper->config.allocator;
        const mcpw_message_kind kind = message.kind;
        const bool is_progress = mcpw_str_is(message.method, "notifications/progress");
        const bool is_log = mcpw_str_is(message.method, "notifications/message");
        const bool is_response = kind == MCPW_MESSAGE_RESULT || kind == MCPW_MESSAGE_ERROR;
        mcpw_task_live *const live = mcpw_task_place_of(loop, message.context);
        const bool is_lost = message.text.ptr != NULL &&
                             mcpw_buffer_append(&copy, message.text.ptr, message.text.len) != MCPW_OK;
        any = true;
        if (message.is_last) {
            mcpw_task_place_give(loop, message.context);
        }
        if (live != NULL && (is_response || message.is_last)) {
            finished(loop->keeper, live, is_response && !is_lost ? mcpw_keeper_text(&copy) : no_text);
        } else if (is_progress && !is_lost) {
            progressed(loop, mcpw_keeper_text(&copy));
        } else if (is_log && !is_lost) {
            mcpw_task_logged(loop->keeper, live, mcpw_keeper_text(&copy));
        }
        mcpw_buffer_free(&copy);
    }
    return any;
}

/* ---- Starting ---- */

/* Text that is put together. */
typedef struct text {
    mcpw_buffer buffer;
    mcpw_status status;
} text;

static void put(text *t, const char *words, size_t len) {
    t->status = t->status == MCPW_OK ? mcpw_buffer_append(&t->buffer, words, len) : t->status;
}

static void put_words(text *t, const char *words) { put(t, words, strlen(words)); }

static void put_part(text *t, const char *before, const mcpw_task_record *record, mcpw_task_part part) {
    if (record->parts[part].ptr != NULL) {
        put_words(t, before);
        put(t, record->parts[part].ptr, record->parts[part].len);
    }
}

static void put_members(text *t, mcpw_json object) {
    static const char *const all[] = {NULL};
    t->status = t->status == MCPW_OK ? mcpw_json_append_members(&t->buffer, object, all) : t->status;
}

/* The call of a task, as its client would make it in the revision of inner sessions. */
static void put_call(text *t, const mcpw_task_live *live, const mcpw_task_record *record, const char *wire) {
    static const mcpw_json none = MCPW_JSON("{}");
    const mcpw_json capabilities = mcpw_task_json(record, MCPW_TASK_CAPABILITIES);
    put_words(t, "{\"jsonrpc\":\"2.0\",\"id\":\"");
    put_words(t, live->id);
    put_words(t, "\",\"method\":\"tools/call\",\"params\":{");
    put_members(t, mcpw_task_json(record, MCPW_TASK_PARAMS));
    put_part(t, ",\"inputResponses\":", record, MCPW_TASK_ANSWERS);
    put_part(t, ",\"requestState\":", record, MCPW_TASK_SEALED);
    put_words(t, ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"");
    put_words(t, wire);
    put_words(t, "\",\"io.modelcontextprotocol/clientCapabilities\":");
    put(t, capabilities.ptr != NULL ? capabilities.ptr : none.ptr,
        capabilities.ptr != NULL ? capabilities.len : none.len);
    put_part(t, ",\"io.modelcontextprotocol/clientInfo\":", record, MCPW_TASK_INFO);
    if (live->token.ptr != NULL) {
        put_words(t, ",\"progressToken\":\"");
        put_words(t, live->id);
        put_words(t, "\"");
    }
    if (live->client != NULL) { /* whose session has the level of log messages that it wants */
        put_words(t, ",\"io.modelcontextprotocol/logLevel\":\"debug\"");
    }
    put_members(t, mcpw_task_json(record, MCPW_TASK_META));
    put_words(t, "}}}");
}

/* Whether all JSON of a record is JSON, whoever has written it. */
static bool is_sound(const mcpw_task_record *record) {
    for (mcpw_task_part part = MCPW_TASK_PARAMS; part < MCPW_TASK_MESSAGE; part++) {
        const mcpw_json json = mcpw_task_json(record, part);
        if (json.ptr != NULL && mcpw_json_check(json, 0, NULL) != MCPW_OK) {
            return false;
        }
    }
    return mcpw_json_count(mcpw_task_json(record, MCPW_TASK_PARAMS)) != 0;
}

static mcpw_status give(mcpw_task_loop *loop, mcpw_task_live *live, const mcpw_task_copy *copy) {
    mcpw_task_keeper *const keeper = loop->keeper;
    text t = {MCPW_BUFFER_INIT, MCPW_OK};
    t.buffer.allocator = keeper->config.allocator;
    if (!is_sound(&copy->record)) {
        return MCPW_E_FORMAT;
    }
    put_call(&t, live, &copy->record, mcpw_revision_wire(keeper->revision));
    void *const place = t.status == MCPW_OK ? mcpw_task_place_take(loop, live) : NULL;
    mcpw_status status = t.status == MCPW_OK && place == NULL ? MCPW_E_MEMORY : t.status;
    status = status == MCPW_OK ? mcpw_session_set_principal(loop->inner, copy->entry.principal) : status;
    if (status == MCPW_OK) {
        keeper->starting = &copy->record;
        status = mcpw_session_receive(loop->inner, t.buffer.data, t.buffer.len, place);
        keeper->starting = NULL;
    }
    if (status != MCPW_OK) { /* the place does not come out */
        mcpw_task_place_give(loop, place);
    }
    mcpw_buffer_free(&t.buffer);
    return status;
}

/* MCPW_E_IO: the store has failed, and the task is not started. Any other fault is an outcome of the task. */
static mcpw_status start(mcpw_task_loop *loop, mcpw_task_live *live) {
    static const mcpw_json error =
        MCPW_JSON("{\"code\":-32603,\"message\":\"The task could not be started\"}");
    mcpw_task_keeper *const keeper = loop->keeper;
    const mcpw_str id = mcpw_str_from(live->id);
    mcpw_task_copy copy;
    mcpw_status status = mcpw_keeper_read(keeper, id, NULL, &copy);
    if (status == MCPW_E_IO) {
        mcpw_task_copy_free(&copy);
        return status;
    }
    const bool is_ours = status == MCPW_OK && copy.record.status == MCPW_RECORD_WORKING &&
                         mcpw_str_is(copy.entry.worker, keeper->store->worker);
    if (status == MCPW_OK && is_ours) {
        live->is_running = true;
        loop->running++;
        status = give(loop, live, &copy);
    }
    mcpw_task_copy_free(&copy);
    if (status != MCPW_OK && status != MCPW_E_NOT_FOUND) {
        outcome o = {.error = error};
        end_run(keeper, live, &o, no_text);
    } else if (status != MCPW_OK || !is_ours) { /* it was cancelled before its turn, or has expired */
        leave(live);
        mcpw_task_lost(keeper, live);
    }
    return MCPW_OK;
}

/* Puts a task back to the front of those that wait for their turn. */
static void put_back(mcpw_task_loop *loop, mcpw_task_live *live) {
    live->next_queued = loop->queued;
    loop->queued_end = loop->queued != NULL ? loop->queued_end : &live->next_queued;
    loop->queued = live;
    loop->queued_count++;
    live->is_queued = true;
}

static bool start_next(mcpw_task_loop *loop) {
    mcpw_task_live *const live = loop->queued;
    if (live == NULL || loop->running >= loop->keeper->config.max_running) {
        return false;
    }
    loop->queued = live->next_queued;
    loop->queued_end = loop->queued != NULL ? loop->queued_end : &loop->queued;
    loop->queued_count--;
    live->is_queued = false;
    if (start(loop, live) == MCPW_E_IO) {
        put_back(loop, live); /* the store tells when it is there again */
        return false;
    }
    return true;
}

void mcpw_task_pump(mcpw_task_loop *loop) {
    if (loop->inside) {
        return;
    }
    loop->inside = true;
    bool goes_on = true;
    while (goes_on) {
        const bool has_taken = take_messages(loop);
        goes_on = start_next(loop) || has_taken;
    }
    loop->inside = false;
}

void mcpw_task_job(mcpw_job *job) {
    mcpw_task_loop *const loop = MCPW_TASK_LOOP_OF(job, job);
    loop->handed_over = false;
    mcpw_task_pump(loop);
}

void mcpw_task_go_on(mcpw_task_keeper *keeper) {
    for (mcpw_task_loop *loop = keeper->loops; loop != NULL; loop = loop->next) {
        if (loop->queue != NULL && loop->queued != NULL) {
            hand_over(loop);
        }
    }
}

void mcpw_task_on_output(void *user, mcpw_session *session) {
    (void)session;
    hand_over(user);
}

/* Takes those out of the queue that have expired. The limits of the store do not count them. */
static void sweep(mcpw_task_keeper *keeper, mcpw_task_loop *loop) {
    const uint64_t now = mcpw_task_now(keeper);
    mcpw_task_live *expired = NULL;
    mcpw_task_live **at = &loop->queued;
    while (*at != NULL) {
        mcpw_task_live *const live = *at;
        if (live->expires_at <= now) {
            *at = live->next_queued;
            live->next_queued = expired;
            expired = live;
            loop->queued_count--;
        } else {
            at = &live->next_queued;
        }
    }
    loop->queued_end = at;
    while (expired != NULL) { /* nobody frees them, because they have a loop */
        mcpw_task_live *const live = expired;
        expired = live->next_queued;
        live->is_queued = false;
        leave(live);
        mcpw_task_lost(keeper, live);
    }
}

void mcpw_task_enqueue(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_task_loop *loop,
                       uint64_t expires_at) {
    enum { FEW = 256 };
    if (loop->queued_count >= FEW && loop->queued_count >= loop->most_queued) {
        sweep(keeper, loop);
        loop->most_queued = 2 * loop->queued_count;
    }
    live->expires_at = expires_at;
    live->loop = loop;
    live->is_queued = true;
    live->next_queued = NULL;
    *loop->queued_end = live;
    loop->queued_end = &live->next_queued;
    loop->queued_count++;
    hand_over(loop);
    if (loop->queue == NULL) {
        mcpw_task_pump(loop);
    }
}

/* ---- Stopping ---- */

void mcpw_task_stop(mcpw_task_keeper *keeper, mcpw_str id) {
    mcpw_task_live *const live = mcpw_task_live_find(keeper, id);
    mcpw_task_loop *const loop = live != NULL ? live->loop : NULL;
    text t = {MCPW_BUFFER_INIT, MCPW_OK};
    if (loop == NULL || !live->is_running) {
        return; /* one that waits for its turn finds out by its record */
    }
    t.buffer.allocator = keeper->config.allocator;
    put_words(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"");
    put_words(&t, live->id);
    put_words(&t, "\"}}");
    if (t.status == MCPW_OK) {
        const mcpw_status status = mcpw_session_receive(loop->inner, t.buffer.data, t.buffer.len, NULL);
        (void)status; /* what goes on comes to nothing */
    }
    mcpw_buffer_free(&t.buffer);
    leave(live);
    mcpw_task_live_end(keeper, live);
    hand_over(loop);
}
