/* SPDX-License-Identifier: MIT */
/* A call becomes a task: because its client or its tool wants that, or because its handler says so. */
#include "keeper.h"

#include "clock.h"

/* ---- The record ---- */

/* The parts of a new record, which point into the request's memory. */
typedef struct draft {
    mcpw_request *request;
    mcpw_task_record record;
    mcpw_buffer text; /* of the record */
    mcpw_status status;
} draft;

static void set_part(draft *d, mcpw_task_part part, mcpw_json value) {
    d->record.parts[part] = (mcpw_str){value.ptr, value.len};
}

/* A copy of an object without some members. */
static mcpw_json without(draft *d, mcpw_json object, const char *const *but) {
    mcpw_buffer out = mcpw_buffer_in(mcpw_request_arena(d->request));
    mcpw_status status = mcpw_buffer_append(&out, "{", 1);
    status = status == MCPW_OK ? mcpw_json_append_members(&out, object, but) : status;
    status = status == MCPW_OK ? mcpw_buffer_append(&out, "}", 1) : status;
    d->status = d->status == MCPW_OK ? status : d->status;
    return mcpw_json_of(out.data, out.len);
}

/* Takes all that the handler needs to run again: what the client has sent, and what it has answered. */
static void take_request(draft *d) {
    static const char *const rounds[] = {"_meta", "task", "inputResponses", "requestState", NULL};
    static const char *const own[] = {"io.modelcontextprotocol/protocolVersion",
                                      "io.modelcontextprotocol/clientCapabilities",
                                      "io.modelcontextprotocol/clientInfo",
                                      "io.modelcontextprotocol/logLevel",
                                      "progressToken",
                                      NULL};
    mcpw_request *const request = d->request;
    const mcpw_json params = mcpw_request_params_text(request);
    const mcpw_json meta = mcpw_request_meta(request);
    set_part(d, MCPW_TASK_PARAMS, without(d, params, rounds));
    if (meta.ptr != NULL) {
        set_part(d, MCPW_TASK_META, without(d, meta, own));
    }
    set_part(d, MCPW_TASK_CAPABILITIES, mcpw_request_client_capabilities(request));
    set_part(d, MCPW_TASK_INFO, mcpw_request_client_info(request));
    set_part(d, MCPW_TASK_ANSWERS, mcpw_request_answers(request));
    set_part(d, MCPW_TASK_STATE, mcpw_request_state(request));
}

/* The time to live that the client asks for; 0: none. */
static uint64_t wanted_ttl(mcpw_json task) {
    int64_t ttl = 0;
    return task.ptr != NULL && mcpw_json_get_int(task, "ttl", &ttl) == MCPW_OK && ttl > 0 ? (uint64_t)ttl : 0;
}

static void set_times(const mcpw_task_keeper *keeper, draft *d, const mcpw_task_options *options,
                      mcpw_json task) {
    const mcpw_tasks_config *const c = &keeper->config;
    uint64_t ttl = options->ttl_ms != 0 ? options->ttl_ms : wanted_ttl(task);
    ttl = ttl != 0 ? ttl : c->ttl_ms;
    d->record.created_at = d->record.updated_at = mcpw_task_now(keeper);
    d->record.ttl_ms = ttl < c->max_ttl_ms ? ttl : c->max_ttl_ms;
    d->record.poll_interval_ms =
        options->poll_interval_ms != 0 ? options->poll_interval_ms : c->poll_interval_ms;
    d->record.parts[MCPW_TASK_MESSAGE] = mcpw_str_from(options->status_message);
}

static mcpw_status store_new(mcpw_task_keeper *keeper, draft *d, const char *id) {
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    mcpw_status status = d->status == MCPW_OK ? mcpw_task_record_write(&d->record, &d->text) : d->status;
    entry.id = mcpw_str_from(id);
    entry.principal = mcpw_request_principal(d->request);
    entry.version = 1;
    entry.expires_at = mcpw_task_record_expires_at(&d->record);
    entry.worker = mcpw_str_from(keeper->store->worker);
    entry.text = mcpw_keeper_text(&d->text);
    if (status == MCPW_OK && entry.text.len > keeper->config.max_record_bytes) {
        status = MCPW_E_SIZE;
    }
    return status == MCPW_OK ? keeper->store->create(keeper->store->self, &entry, &keeper->limits) : status;
}

/* ---- The answer ---- */

static mcpw_status respond(const draft *d, const char *id, bool core, mcpw_error *error) {
    mcpw_buffer out = mcpw_buffer_in(mcpw_request_arena(d->request));
    mcpw_json_writer w;
    mcpw_json result;
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    if (core) {
        mcpw_json_write_key(&w, "task");
        mcpw_json_write_object(&w);
    } else {
        mcpw_json_write_key(&w, "resultType");
        mcpw_json_write_string(&w, "task", sizeof "task" - 1);
    }
    mcpw_task_write(&w, mcpw_str_from(id), &d->record, core);
    if (core) {
        mcpw_json_write_close(&w);
    }
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return core ? mcpw_respond_json(d->request, result, error)
                : mcpw_respond_extension(d->request, mcpw_task_extension_id, result, error);
}

/* Why there is no task. */
static mcpw_status refuse(mcpw_request *request, mcpw_status status) {
    static const mcpw_json none = {NULL, 0, 0};
    const char *const why = status == MCPW_E_FULL   ? "Internal error: there are too many tasks"
                            : status == MCPW_E_SIZE ? "Internal error: the tasks are too large"
                                                    : "Internal error: the task could not be stored";
    return mcpw_respond_error(request, MCPW_RPC_INTERNAL_ERROR, why, none);
}

/* A client whose session stays gets the progress that it has asked for. */
static void follow(mcpw_task_keeper *keeper, mcpw_task_live *live, mcpw_session *session, mcpw_json meta) {
    mcpw_json token = {NULL, 0, 0};
    if (meta.ptr != NULL && mcpw_json_get(meta, "progressToken", &token) != MCPW_OK) {
        token.ptr = NULL;
    }
    mcpw_task_live_follow(keeper, live, session, token);
}

/* Makes a call a task, and answers it. MCPW_OK: it is answered, in this way or another. */
static mcpw_status create(mcpw_task_keeper *keeper, mcpw_request *request, const mcpw_task_options *options,
                          mcpw_json task, bool core) {
    mcpw_session *const session = mcpw_request_session(request);
    draft d = {.request = request, .text = mcpw_buffer_in(mcpw_request_arena(request))};
    char id[MCPW_TASK_ID_LEN + 1];
    mcpw_error error;
    mcpw_task_loop *const loop = mcpw_task_loop_of(keeper, session, &error);
    mcpw_status status = loop != NULL ? mcpw_tasks_new_id(id) : error.code;
    mcpw_task_live *const live = status == MCPW_OK ? mcpw_task_live_make(keeper, mcpw_str_from(id)) : NULL;
    if (live == NULL) {
        return refuse(request, MCPW_E_MEMORY);
    }
    take_request(&d);
    set_times(keeper, &d, options, task);
    status = store_new(keeper, &d, id);
    if (status == MCPW_E_IO) { /* the store may have it all the same, without telling its replicas */
        (void)keeper->store->remove(keeper->store->self, mcpw_str_from(id));
    }
    if (status != MCPW_OK) {
        mcpw_task_live_release(keeper, live);
        return refuse(request, status);
    }
    if (core) {
        follow(keeper, live, session, mcpw_request_meta(request));
    }
    live->loop = loop; /* so that nobody frees it */
    status = respond(&d, id, core, &error);
    live->loop = NULL;
    if (status != MCPW_OK) { /* the client has not got it */
        (void)keeper->store->remove(keeper->store->self, mcpw_str_from(id));
        mcpw_task_live_end(keeper, live);
        return status;
    }
    mcpw_task_enqueue(keeper, live, loop, mcpw_task_record_expires_at(&d.record));
    return MCPW_OK;
}

/* ---- Who decides ---- */

/* Whether the client takes tasks of the extension. Revisions with a handshake carry extensions, too, so a
 * client may declare this one there, but the answer of a call cannot be such a task. */
static bool takes_extension(mcpw_request *request) {
    return mcpw_task_has_extensions(mcpw_request_revision(request)) &&
           mcpw_request_settings(request, mcpw_task_extension_id).ptr != NULL;
}

static mcpw_status refuse_use(mcpw_request *request, mcpw_str name, const char *why) {
    static const mcpw_json none = {NULL, 0, 0};
    enum { MOST = 128 /* bytes of a tool's name */ };
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_METHOD, 0, "Method not found: the tool %.*s %s",
                   name.len < MOST ? (int)name.len : MOST, name.ptr, why);
    return mcpw_respond_error(request, MCPW_RPC_METHOD_NOT_FOUND, error.message, none);
}

/* The task that a client of the core asks for; absent: none. */
static mcpw_json asked_task(mcpw_request *request) {
    mcpw_json task = {NULL, 0, 0};
    if (mcpw_json_get(mcpw_request_params_text(request), "task", &task) != MCPW_OK ||
        mcpw_json_kind_of(task) != MCPW_JSON_OBJECT) {
        task.ptr = NULL;
    }
    return task;
}

static mcpw_status before_core_call(mcpw_task_keeper *keeper, mcpw_request *request, mcpw_str name,
                                    mcpw_task_use use) {
    static const mcpw_task_options none = MCPW_TASK_OPTIONS_INIT;
    const mcpw_json task = asked_task(request);
    if (task.ptr == NULL) {
        return use == MCPW_TASK_REQUIRED ? refuse_use(request, name, "runs as a task alone") : MCPW_OK;
    }
    return use == MCPW_TASK_FORBIDDEN ? refuse_use(request, name, "does not run as a task")
                                      : create(keeper, request, &none, task, true);
}

/* Gives a handler that runs as a task the state that it has set before it became one. */
static mcpw_status before_run(const mcpw_task_keeper *keeper, mcpw_request *request) {
    const mcpw_task_record *const record = keeper->starting;
    return record != NULL && record->parts[MCPW_TASK_STATE].ptr != NULL &&
                   record->parts[MCPW_TASK_SEALED].ptr == NULL
               ? mcpw_request_set_state(request, mcpw_task_json(record, MCPW_TASK_STATE))
               : MCPW_OK;
}

mcpw_status mcpw_task_before_tool(mcpw_request *request, mcpw_str name, mcpw_task_use use, void *user) {
    static const mcpw_json none = {NULL, 0, 0};
    static const mcpw_task_options defaults = MCPW_TASK_OPTIONS_INIT;
    mcpw_task_keeper *const keeper = user;
    const mcpw_revision *const revision = mcpw_request_revision(request);
    if (mcpw_task_loop_with(keeper, mcpw_request_session(request)) != NULL) {
        return before_run(keeper, request);
    }
    if (mcpw_task_is_core(revision)) {
        return before_core_call(keeper, request, name, use);
    }
    if (use == MCPW_TASK_FORBIDDEN || use == MCPW_TASK_OPTIONAL) {
        return MCPW_OK;
    }
    if (takes_extension(request)) {
        return create(keeper, request, &defaults, none, false);
    }
    if (use == MCPW_TASK_PREFERRED) {
        return MCPW_OK;
    }
    /* Revisions with a handshake that have no tasks know no such capability either. */
    return mcpw_request_can(request, "extensions.io.modelcontextprotocol/tasks") ||
                   !mcpw_task_has_extensions(revision)
               ? refuse_use(request, name, "runs as a task alone")
               : MCPW_E_CAPABILITY;
}

/* ---- Handlers ---- */

/* Whether a message is UTF-8, or absent. */
static bool is_text(const char *message) {
    const mcpw_str text = mcpw_str_from(message);
    size_t at = 0;
    unsigned length = 1;
    while (at < text.len && length != 0) {
        length = mcpw_utf8_length((const unsigned char *)text.ptr + at, text.len - at);
        at += length;
    }
    return length != 0;
}

typedef struct detaching {
    mcpw_request *request;
    const mcpw_task_options *options;
    mcpw_status status;
} detaching;

/* Whether the tool that is called allows tasks. */
static bool may_be_task(const mcpw_task_keeper *keeper, mcpw_request *request) {
    mcpw_str name;
    return mcpw_str_is(mcpw_request_method(request), "tools/call") &&
           mcpw_json_get_string(mcpw_request_params_text(request), "name", mcpw_request_arena(request),
                                &name) == MCPW_OK &&
           mcpw_server_tool_task(keeper->server, name) != MCPW_TASK_FORBIDDEN;
}

static mcpw_status detach(mcpw_request *request, const mcpw_task_options *given) {
    static const mcpw_json none = {NULL, 0, 0};
    mcpw_task_options options = MCPW_TASK_OPTIONS_INIT;
    mcpw_task_keeper *const keeper = mcpw_keeper_of(request);
    if (!MCPW_TAKE(&options, status_message, given)) {
        return MCPW_E_ARGUMENT;
    }
    if (!is_text(options.status_message)) {
        return MCPW_E_UTF8;
    }
    if (keeper == NULL) {
        return MCPW_E_STATE;
    }
    if (mcpw_task_loop_with(keeper, mcpw_request_session(request)) != NULL || !may_be_task(keeper, request) ||
        !takes_extension(request)) {
        return MCPW_OK; /* it is one, or cannot be one */
    }
    const mcpw_status status = create(keeper, request, &options, none, false);
    return status == MCPW_OK ? MCPW_PENDING : status;
}

static void run_detach(void *argument) {
    detaching *const d = argument;
    d->status = detach(d->request, d->options);
}

mcpw_status mcpw_request_detach_as_task(mcpw_request *request, const mcpw_task_options *options) {
    detaching d = {request, options, MCPW_E_STATE};
    const mcpw_status status =
        mcpw_request_run_at_home(request, "mcpw_request_detach_as_task", run_detach, &d);
    return status == MCPW_OK ? d.status : status;
}

mcpw_str mcpw_request_task(mcpw_request *request) {
    static const mcpw_str none = {NULL, 0};
    const mcpw_task_keeper *const keeper = mcpw_keeper_of(request);
    const mcpw_id id = mcpw_request_id(request);
    return keeper != NULL && mcpw_task_loop_with(keeper, mcpw_request_session(request)) != NULL &&
                   id.kind == MCPW_ID_STRING
               ? id.as.string
               : none;
}

/* ---- The state for people ---- */

typedef struct saying {
    mcpw_request *request;
    const char *message;
    mcpw_status status;
} saying;

static mcpw_status set_message(void *user, mcpw_task_record *record, mcpw_str *worker) {
    const saying *const s = user;
    (void)worker;
    record->parts[MCPW_TASK_MESSAGE] = mcpw_str_from(s->message);
    return MCPW_OK;
}

static void run_set_message(void *argument) {
    saying *const s = argument;
    mcpw_task_keeper *const keeper = mcpw_keeper_of(s->request);
    const mcpw_str id = mcpw_request_task(s->request);
    s->status = id.ptr != NULL ? mcpw_keeper_update(keeper, id, set_message, s) : MCPW_OK;
    s->status = s->status == MCPW_E_STATE ? MCPW_E_CANCELLED : s->status;
}

mcpw_status mcpw_request_set_task_message(mcpw_request *request, const char *message) {
    if (!is_text(message)) {
        return MCPW_E_UTF8;
    }
    saying s = {request, message, MCPW_E_STATE};
    const mcpw_status status =
        mcpw_request_run_at_home(request, "mcpw_request_set_task_message", run_set_message, &s);
    return status == MCPW_OK ? s.status : status;
}
