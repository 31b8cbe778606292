/* SPDX-License-Identifier: MIT */
/* A client over HTTP: it schedules the calls and handles their responses. */
#include "client.h"

#include "attach.h"

#include "../core/fields.h"

enum {
    DEFAULT_RETRY = 1000,
    DEFAULT_RETRIES = 5,
    DEFAULT_TOOLS = 1 << 20,
    DEFAULT_RUNNING = 64,
    DEFAULT_QUEUED = 1024,
    DEFAULT_QUEUED_BYTES = 16 << 20,
    DEFAULT_FLOOR = 100,
    MOST_ID = 1024,        /* bytes of a session id */
    MOST_UNWANTED = 65536, /* bytes of a response body without a JSON-RPC response */
    AFTER_ANSWER = 2000    /* ms that a stream may stay open after the response */
};

void mcpw_http_call_set_user(mcpw_http_call *call, void *user) { call->user = user; }

void *mcpw_http_call_user(const mcpw_http_call *call) { return call->user; }

/* ---- The calls that may start -------------------------------------------------------------------------- */

static bool may_go(const mcpw_http_call *call) {
    const mcpw_http_client *const client = call->client;
    if (call->version.ptr != NULL || call->purpose == MCPW_CALL_REOPEN || call->purpose == MCPW_CALL_READY) {
        return true;
    }
    return !client->is_reopening && (client->barrier == NULL || client->barrier == call);
}

/* The messages under way that want no response. */
static size_t count_answers(const mcpw_http_client *client) {
    size_t count = 0;
    for (const mcpw_http_call *call = client->running.first; call != NULL; call = call->next) {
        count += call->is_queued ? 1 : 0;
    }
    return count;
}

/* At the limit of parallel calls, only the calls that the session depends on may start, and messages that
 * want no response: the requests under way may wait for the client's responses. */
static bool has_room(const mcpw_http_call *call, size_t answers) {
    const mcpw_http_client *const client = call->client;
    const size_t count = call->is_queued ? answers : client->running.count - answers;
    return call->purpose != MCPW_CALL_MESSAGE || count < client->config.max_running;
}

static mcpw_http_call *next_ready(const mcpw_http_client *client) {
    mcpw_http_call *call = client->ready.first;
    const size_t answers = call != NULL ? count_answers(client) : 0;
    while (call != NULL && !(may_go(call) && has_room(call, answers))) {
        call = call->next;
    }
    return call;
}

static void begin(mcpw_http_call *call, mcpw_http_order *order) {
    call->status = 0;
    call->due = call->client->barrier == call && call->purpose == MCPW_CALL_LISTEN ? call->due : 0;
    call->kind = MCPW_REPLY_OTHER;
    call->reply.len = 0;
    call->location.len = 0;
    call->challenge.len = 0;
    call->is_too_long = false;
    const mcpw_str last = mcpw_event_reader_id(&call->events);
    if (mcpw_client_keep(&call->last_id, last) != MCPW_OK) {
        call->last_id.len = 0;
    }
    mcpw_event_reader_restart(&call->events);
    mcpw_http_calls_put(call, &call->client->running);
    *order = (mcpw_http_order){call,   false, mcpw_http_calls_method(call), call->fields, call->field_count,
                               {"", 0}};
    if (order->method[0] == 'P') {
        order->body = (mcpw_str){call->body.data, call->body.len};
    }
}

mcpw_status mcpw_http_client_next(mcpw_http_client *client, mcpw_http_order *order, mcpw_error *error) {
    mcpw_http_call *call;
    if (client->given_up != NULL) {
        mcpw_http_calls_free_call(client->given_up);
        client->given_up = NULL;
    }
    mcpw_http_calls_take(client);
    if (client->why.code != MCPW_OK) {
        if (error != NULL) {
            *error = client->why;
        }
        return client->why.code;
    }
    call = client->dropped.first;
    if (call != NULL) {
        mcpw_client_take_off(call);
        client->given_up = call;
        *order = (mcpw_http_order){call, true, "", NULL, 0, {"", 0}};
        return MCPW_OK;
    }
    while ((call = next_ready(client)) != NULL) {
        if (mcpw_http_calls_write_head(call) == MCPW_OK) {
            begin(call, order);
            return MCPW_OK;
        }
        mcpw_http_calls_refuse(call, MCPW_E_MEMORY, "there is no memory for a request of HTTP",
                               (mcpw_str){NULL, 0});
    }
    return MCPW_PENDING;
}

/* ---- A response ---------------------------------------------------------------------------------------- */

static bool is_good(int status) { return status >= 200 && status < 300; }

static mcpw_reply_kind kind_of(mcpw_str type) {
    mcpw_str rest = type;
    mcpw_str name = {NULL, 0};
    if (!mcpw_header_part(&rest, ';', &name)) {
        return MCPW_REPLY_OTHER;
    }
    if (mcpw_header_is(name, MCPW_STR_VALUE("text/event-stream"))) {
        return MCPW_REPLY_EVENTS;
    }
    return mcpw_header_is(name, MCPW_STR_VALUE("application/json")) ? MCPW_REPLY_JSON : MCPW_REPLY_OTHER;
}

/* Stores the session id from the response. (MCP 2025-11-25, "Streamable HTTP", session management.) */
static void name_session(mcpw_http_call *call, mcpw_str id) {
    mcpw_http_client *const client = call->client;
    bool is_good_id = id.len != 0 && id.len <= MOST_ID;
    for (size_t i = 0; is_good_id && i < id.len; i++) {
        is_good_id = id.ptr[i] > ' ' && id.ptr[i] <= '~';
    }
    client->session_id.len = 0;
    client->session++;
    if (id.ptr == NULL) {
        return;
    }
    if (!is_good_id) {
        mcpw_http_calls_warn(client, "the server's Mcp-Session-Id is invalid, and is not used", id);
    } else if (mcpw_client_keep(&client->session_id, id) != MCPW_OK) {
        mcpw_http_calls_fail(client, MCPW_E_MEMORY, "no memory for the id of the session");
    }
}

/* Lets the waiting messages of the session go. */
static void pass(mcpw_http_call *call) {
    mcpw_http_client *const client = call->client;
    call->due = 0;
    if (client->barrier == call) {
        client->barrier = NULL;
    }
}

static bool opens_session(const mcpw_http_call *call) {
    return call->purpose == MCPW_CALL_REOPEN || mcpw_str_is(call->method, "initialize");
}

/* Keeps a field for an error response. */
static void keep_field(mcpw_buffer *to, const mcpw_http_field *fields, size_t field_count, mcpw_str name) {
    mcpw_str value;
    (void)mcpw_header_find(fields, field_count, name, &value);
    if (value.len > MCPW_MAX_CHALLENGE || mcpw_client_keep(to, value) != MCPW_OK) {
        to->len = 0;
    }
}

void mcpw_http_call_head(mcpw_http_call *call, int status, const mcpw_http_field *fields,
                         size_t field_count) {
    mcpw_str value;
    if (call->list != &call->client->running) {
        return;
    }
    call->status = status;
    if (call->purpose == MCPW_CALL_LISTEN) {
        pass(call);
    }
    (void)mcpw_header_find(fields, field_count, MCPW_STR_VALUE("Content-Type"), &value);
    call->kind = kind_of(value);
    if (!is_good(status) && call->kind == MCPW_REPLY_EVENTS) {
        call->kind = MCPW_REPLY_OTHER;
    }
    if (is_good(status) && opens_session(call)) {
        (void)mcpw_header_find(fields, field_count, MCPW_STR_VALUE("Mcp-Session-Id"), &value);
        name_session(call, value);
    }
    if (call->purpose == MCPW_CALL_LISTEN && is_good(status)) {
        call->was_reopened = false; /* this session exists */
    }
    if (is_good(status)) {
        call->was_challenged = false; /* a later request of this call needs the token of its time */
        call->token.len = 0;
    }
    keep_field(&call->location, fields, field_count, MCPW_STR_VALUE("Location"));
    keep_field(&call->challenge, fields, field_count, MCPW_STR_VALUE("WWW-Authenticate"));
}

bool mcpw_http_call_is_held(const mcpw_http_call *call) {
    const mcpw_http_client *const client = call->client;
    return call->list == &client->running && call->kind == MCPW_REPLY_EVENTS && mcpw_client_is_full(client);
}

/* Resets the retry counters after an event: a message resets both, an event with a new id resets the tries.
 */
static void count_event(mcpw_http_call *call, bool is_message) {
    const mcpw_str id = mcpw_event_reader_id(&call->events);
    const mcpw_str last = {call->last_id.data, call->last_id.len};
    if (is_message) {
        call->idle = 0;
    }
    if (is_message || (id.len != 0 && !mcpw_str_equal(id, last))) {
        call->tries = 0;
    }
}

static bool read_events(mcpw_http_call *call, const char *bytes, size_t len) {
    mcpw_str data;
    mcpw_status status;
    while ((status = mcpw_event_reader_next(&call->events, &bytes, &len, &data)) == MCPW_OK) {
        count_event(call, data.len != 0);
        if (data.len != 0) {
            mcpw_http_calls_receive(call, data);
        }
    }
    count_event(call, false);
    if (call->events.has_retry) {
        call->client->retry = call->events.retry_ms;
        call->events.has_retry = false;
    }
    call->is_too_long = status != MCPW_PENDING;
    return !call->is_too_long;
}

/* True if the response may contain a message for the session. */
static bool wants_answer(const mcpw_http_call *call) {
    return call->id.ptr != NULL || call->purpose == MCPW_CALL_LISTEN;
}

bool mcpw_http_call_body(mcpw_http_call *call, const void *bytes, size_t len) {
    if (call->list != &call->client->running || call->is_too_long) {
        return false;
    }
    if (call->kind == MCPW_REPLY_EVENTS) {
        return wants_answer(call) && read_events(call, bytes, len);
    }
    if (!wants_answer(call)) { /* the body of a response to a notification or to a response has no use */
        len = len < MOST_UNWANTED - call->reply.len ? len : MOST_UNWANTED - call->reply.len;
        return len != 0 && mcpw_buffer_append(&call->reply, bytes, len) == MCPW_OK;
    }
    call->is_too_long = len > call->client->config.max_message - call->reply.len ||
                        mcpw_buffer_append(&call->reply, bytes, len) != MCPW_OK;
    return !call->is_too_long;
}

/* ---- The end of a response ----------------------------------------------------------------------------- */

/* Asks the program for another token after a refusal, and repeats the call if it has one. */
static bool ask_for_token(mcpw_http_call *call) {
    const mcpw_http_client_config *const config = &call->client->config;
    if (call->status != MCPW_HTTP_UNAUTHORIZED || config->token == NULL || call->was_challenged) {
        return false;
    }
    const mcpw_str challenge = {call->challenge.len != 0 ? call->challenge.data : "", call->challenge.len};
    const mcpw_str token = config->token(config->user, challenge);
    if (token.ptr == NULL || mcpw_client_keep(&call->token, token) != MCPW_OK) {
        return false;
    }
    call->was_challenged = true;
    mcpw_http_calls_put(call, &call->client->ready);
    return true;
}

/* True if the server has lost the session of a call. */
static bool is_session_lost(const mcpw_http_call *call) {
    return call->status == MCPW_HTTP_NOT_FOUND && call->session != 0 && call->version.ptr == NULL &&
           !opens_session(call) && !call->was_reopened;
}

static void end_refused(mcpw_http_call *call) {
    const mcpw_json error = mcpw_http_calls_error_in(call);
    int64_t code = 0;
    if (error.ptr != NULL && mcpw_json_get_int(error, "code", &code) == MCPW_OK &&
        code == MCPW_RPC_HEADER_MISMATCH && call->version.ptr != NULL && !call->was_listed &&
        mcpw_str_is(call->method, "tools/call")) {
        mcpw_http_calls_list(call);
    } else if (error.ptr != NULL && call->id.ptr != NULL && !mcpw_http_calls_is_unauthorized(call)) {
        mcpw_http_calls_answer(call, error);
    } else {
        mcpw_http_calls_refuse_status(call);
    }
}

/* Ends the life of a call: mcpw_http_calls_free_call, or mcpw_http_calls_drop before its response is
 * complete. */
typedef void let_go(mcpw_http_call *call);

/* The server has accepted a message that wants no response. */
static void end_taken(mcpw_http_call *call, let_go *end) {
    mcpw_http_client *const client = call->client;
    const bool is_open = mcpw_str_is(call->method, "notifications/initialized");
    end(call);
    if (is_open) {
        mcpw_http_calls_listen(client);
    }
}

/* The program has no credentials for a call, so repeating it would not help. */
static bool lacks_credentials(const mcpw_error *error) {
    return error != NULL && error->code == MCPW_E_UNAUTHORIZED;
}

static void end_message(mcpw_http_call *call, const mcpw_error *error) {
    if (call->is_answered) {
        mcpw_http_calls_free_call(call);
    } else if (lacks_credentials(error)) {
        mcpw_http_calls_fail_call(call, error);
    } else if (call->is_too_long) {
        mcpw_http_calls_refuse(call, MCPW_E_SIZE, "the server's response is longer than max_message",
                               (mcpw_str){NULL, 0});
    } else if (call->status == 0 || (error != NULL && is_good(call->status))) {
        mcpw_http_calls_broken(call, error);
    } else if (is_session_lost(call)) {
        mcpw_http_calls_reopen(call);
    } else if (ask_for_token(call)) {
        return;
    } else if (!is_good(call->status)) {
        end_refused(call);
    } else if (call->id.ptr == NULL) {
        end_taken(call, mcpw_http_calls_free_call);
    } else if (call->kind == MCPW_REPLY_EVENTS) {
        mcpw_http_calls_broken(call, NULL);
    } else {
        mcpw_http_calls_receive(call, (mcpw_str){call->reply.data, call->reply.len});
        if (call->is_answered) {
            mcpw_http_calls_free_call(call);
        } else {
            mcpw_http_calls_refuse(call, MCPW_E_HTTP, "the server's response has no message",
                                   (mcpw_str){NULL, 0});
        }
    }
}

/* The server's own stream has ended. The client reads it again, unless the server has none. */
static void end_listen(mcpw_http_call *call, const mcpw_error *error) {
    pass(call);
    if (lacks_credentials(error)) {
        mcpw_http_calls_fail_call(call, error);
    } else if (is_session_lost(call)) {
        mcpw_http_calls_reopen(call);
    } else if (ask_for_token(call)) {
        return;
    } else if (call->status != 0 && !is_good(call->status)) {
        mcpw_http_calls_free_call(call); /* 405: the server has no such stream */
    } else if (call->tries >= call->client->config.max_retries) {
        mcpw_http_calls_warn(call->client, "the server's own stream is lost", (mcpw_str){NULL, 0});
        mcpw_http_calls_free_call(call);
    } else {
        mcpw_http_calls_put_off(call);
    }
}

/* Ends a call that the client made itself. The session does not know of it. */
static void end_own(mcpw_http_call *call, let_go *end) {
    mcpw_http_client *const client = call->client;
    const mcpw_purpose purpose = call->purpose;
    if (is_good(call->status) && call->kind == MCPW_REPLY_JSON) {
        mcpw_http_calls_receive(call, (mcpw_str){call->reply.data, call->reply.len});
    }
    const bool is_done = call->is_answered || (purpose == MCPW_CALL_READY && is_good(call->status));
    mcpw_http_call *const waits = call->waits;
    end(call);
    if (purpose == MCPW_CALL_LIST && waits != NULL) {
        if (is_done && client->cursor.len != 0) {
            mcpw_http_calls_list(waits);
        } else {
            mcpw_http_calls_put(waits, &client->ready);
        }
    } else if ((purpose == MCPW_CALL_REOPEN && !is_done) || purpose == MCPW_CALL_READY) {
        mcpw_http_calls_reopened(client, purpose == MCPW_CALL_READY && is_done);
    }
}

void mcpw_http_call_end(mcpw_http_call *call, const mcpw_error *error) {
    call->user = NULL;
    if (call->list != &call->client->running) {
        mcpw_http_calls_free_call(call);
    } else if (call->purpose == MCPW_CALL_MESSAGE) {
        end_message(call, error);
    } else if (call->purpose == MCPW_CALL_LISTEN) {
        end_listen(call, error);
    } else {
        end_own(call, mcpw_http_calls_free_call);
    }
}

/* ---- Time ---------------------------------------------------------------------------------------------- */

/* True if no time limit of the session ends a call. */
static bool is_limited(const mcpw_http_call *call) {
    return call->request == 0 && call->purpose != MCPW_CALL_LISTEN;
}

static uint64_t later(uint64_t now, uint64_t ms) { return ms < UINT64_MAX - now ? now + ms : UINT64_MAX; }

/* Sets the time to give up a call that is under way. A limit starts at the first clock value that the client
 * gets after the call began, and again after mcpw_session_hold. */
static void set_due(mcpw_http_call *call) {
    const mcpw_http_client *const client = call->client;
    const uint64_t patience = mcpw_session_patience(client->config.session);
    const uint64_t last = later(client->now, AFTER_ANSWER);
    if (is_limited(call) && (call->due == 0 || call->due == UINT64_MAX || patience == UINT64_MAX)) {
        call->due = later(client->now, patience);
    }
    if (call->is_answered && (call->due == 0 || call->due > last)) {
        call->due = last;
    }
}

/* Gives up a call: the server has not answered it in time, or has not ended its response. */
static void give_up(mcpw_http_call *call) {
    if (call->purpose != MCPW_CALL_MESSAGE) {
        end_own(call, mcpw_http_calls_drop);
    } else if (call->id.ptr == NULL && is_good(call->status)) {
        end_taken(call, mcpw_http_calls_drop);
    } else {
        if (!call->is_answered) {
            mcpw_http_calls_warn(call->client, "the server did not accept a message in time", call->method);
        }
        mcpw_http_calls_drop(call);
    }
}

void mcpw_http_client_advance(mcpw_http_client *client, uint64_t now) {
    client->now = now > client->now ? now : client->now;
    for (mcpw_http_call *call = client->waiting.first, *next; call != NULL; call = next) {
        next = call->next;
        if (call->due <= client->now) {
            mcpw_http_calls_put(call, &client->ready);
        }
    }
    for (mcpw_http_call *call = client->running.first, *next; call != NULL; call = next) {
        next = call->next;
        set_due(call);
        if (call->due == 0 || call->due > client->now) {
            continue;
        }
        if (call->purpose == MCPW_CALL_LISTEN) {
            pass(call);
        } else {
            give_up(call);
        }
    }
}

uint64_t mcpw_http_client_deadline(const mcpw_http_client *client) {
    uint64_t due = UINT64_MAX;
    for (const mcpw_http_call *call = client->waiting.first; call != NULL; call = call->next) {
        due = call->due < due ? call->due : due;
    }
    for (const mcpw_http_call *call = client->running.first; call != NULL; call = call->next) {
        const bool has_due = call->due != 0 || call->is_answered || is_limited(call);
        due = has_due && call->due < due ? call->due : due;
    }
    return due;
}

bool mcpw_http_client_is_idle(const mcpw_http_client *client) {
    return client->ready.first == NULL && client->running.first == NULL && client->dropped.first == NULL;
}

/* ---- Begin and end ------------------------------------------------------------------------------------- */

static mcpw_status copy_fields(mcpw_http_client *client, const mcpw_http_field *fields, mcpw_error *error) {
    const size_t count = client->config.field_count;
    mcpw_http_field *const copies = mcpw_arena_alloc(&client->memory, (count + 1) * sizeof *copies);
    if (copies == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (!mcpw_header_is_token(fields[i].name) || !mcpw_header_is_plain(fields[i].value)) {
            return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                                  "a field of the config cannot stand in a header");
        }
        copies[i].name = mcpw_arena_str(&client->memory, fields[i].name.ptr, fields[i].name.len);
        copies[i].value = mcpw_arena_str(&client->memory, fields[i].value.ptr, fields[i].value.len);
        if (copies[i].name.ptr == NULL || copies[i].value.ptr == NULL) {
            return MCPW_E_MEMORY;
        }
    }
    client->config.fields = copies;
    return MCPW_OK;
}

static size_t or_default(size_t value, size_t otherwise) { return value != 0 ? value : otherwise; }

static void set_limits(mcpw_http_client_config *config) {
    config->max_message = or_default(config->max_message, MCPW_DEFAULT_BYTES);
    config->max_tools = or_default(config->max_tools, DEFAULT_TOOLS);
    config->max_retries = config->max_retries != 0 ? config->max_retries : DEFAULT_RETRIES;
    config->max_running = or_default(config->max_running, DEFAULT_RUNNING);
    config->max_queued = or_default(config->max_queued, DEFAULT_QUEUED);
    config->max_queued_bytes = or_default(config->max_queued_bytes, DEFAULT_QUEUED_BYTES);
    config->retry_floor_ms = config->retry_floor_ms != 0 ? config->retry_floor_ms : DEFAULT_FLOOR;
}

mcpw_http_client *mcpw_http_client_new(const mcpw_http_client_config *given, mcpw_error *error) {
    mcpw_http_client_config own = MCPW_HTTP_CLIENT_CONFIG_INIT;
    const mcpw_http_client_config *const config = &own;
    if (!MCPW_TAKE(&own, on_failure, given) || config->session == NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                       "a client over HTTP needs a config with a session: see MCPW_HTTP_CLIENT_CONFIG_INIT");
        return NULL;
    }
    mcpw_http_client *const client = mcpw_resize(&config->allocator, NULL, 0, sizeof *client);
    mcpw_status status = MCPW_E_MEMORY;
    if (client != NULL) {
        memset(client, 0, sizeof *client);
        client->config = *config;
        set_limits(&client->config);
        client->retry = config->retry_ms != 0 ? config->retry_ms : DEFAULT_RETRY;
        client->memory = client->scratch = (mcpw_arena)MCPW_ARENA_INIT;
        client->memory.allocator = client->scratch.allocator = config->allocator;
        client->session_id = (mcpw_buffer)MCPW_BUFFER_INIT;
        client->session_id.allocator = config->allocator;
        client->initialize = client->initialized = client->written = client->session_id;
        client->filtered = client->cursor = client->session_id;
        status = copy_fields(client, config->fields, error);
    }
    if (status == MCPW_E_MEMORY) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a client over HTTP");
    }
    if (status != MCPW_OK) {
        mcpw_http_client_free(client);
        return NULL;
    }
    return client;
}

void mcpw_http_client_stop(mcpw_http_client *client) {
    if (client->is_ended) {
        return;
    }
    mcpw_http_calls_take(client);
    client->is_ended = true;
    client->is_reopening = false;
    client->barrier = NULL;
    mcpw_client_free_list(&client->waiting);
    for (mcpw_http_call *call = client->ready.first, *next; call != NULL; call = next) {
        next = call->next;
        if (call->id.ptr != NULL || call->purpose == MCPW_CALL_LISTEN) {
            mcpw_http_calls_free_call(call);
        }
    }
    for (mcpw_http_call *call = client->running.first, *next; call != NULL; call = next) {
        next = call->next;
        if (call->id.ptr != NULL || call->purpose == MCPW_CALL_LISTEN) {
            mcpw_http_calls_drop(call);
        }
    }
    if (client->session_id.len != 0) {
        mcpw_http_call *const call = mcpw_http_calls_call(client, MCPW_CALL_GOODBYE, (mcpw_str){NULL, 0});
        if (call != NULL) { /* without memory the server has to time the session out */
            mcpw_http_calls_put(call, &client->ready);
        }
    }
}

void mcpw_http_client_free(mcpw_http_client *client) {
    if (client == NULL) {
        return;
    }
    const mcpw_allocator allocator = client->config.allocator;
    mcpw_client_free_list(&client->ready);
    mcpw_client_free_list(&client->waiting);
    mcpw_client_free_list(&client->running);
    mcpw_client_free_list(&client->dropped);
    if (client->given_up != NULL) {
        mcpw_http_calls_free_call(client->given_up);
    }
    mcpw_http_calls_forget_tools(client);
    mcpw_buffer_free(&client->session_id);
    mcpw_buffer_free(&client->initialize);
    mcpw_buffer_free(&client->initialized);
    mcpw_buffer_free(&client->written);
    mcpw_buffer_free(&client->filtered);
    mcpw_buffer_free(&client->cursor);
    mcpw_arena_free(&client->scratch);
    mcpw_arena_free(&client->memory);
    (void)mcpw_resize(&allocator, client, sizeof *client, 0);
}
