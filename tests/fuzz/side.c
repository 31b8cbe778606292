/* SPDX-License-Identifier: MIT */
#include "side.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/frame.h>
#include <mcpw/json.h>

#define STATE_KEY "0123456789abcdef0123456789abcdef"

unsigned side_random(side *s) {
    s->seed = s->seed * 1103515245U + 12345U;
    return s->seed >> 16;
}

/* A value of the type, in the arena; NULL when the text is none. "%u" in the text takes a number. */
static const void *made(const mcpw_type *type, const char *text, unsigned number, mcpw_arena *arena) {
    enum { ROOM = 1024 };
    char room[ROOM];
    mcpw_options options = MCPW_OPTIONS_INIT;
    const char *const mark = strstr(text, "%u");
    void *const value = type != NULL ? mcpw_arena_alloc(arena, mcpw_type_size(type)) : NULL;
    if (value == NULL) {
        return NULL;
    }
    (void)snprintf(room, sizeof room, "%.*s", (int)(mark != NULL ? mark - text : (ptrdiff_t)strlen(text)),
                   text);
    if (mark != NULL) {
        const size_t used = strlen(room);
        (void)snprintf(room + used, sizeof room - used, "%u%s", number, mark + 2);
    }
    options.flags = MCPW_PEER_DEFAULTS;
    return mcpw_decode(type, room, strlen(room), arena, value, &options, NULL) == MCPW_OK ? value : NULL;
}

/* ---- sessions that come and go ---- */

/* A callback is about this session; returns which one the last was about. */
static mcpw_session *enter(side *s, mcpw_session *session) {
    mcpw_session *const before = s->session;
    if (s->served) {
        s->session = session;
    }
    return before;
}

static void exchange_visitor(side *s, const mcpw_session *from, mcpw_session *to) {
    for (size_t i = 0; i < SIDE_VISITORS; i++) {
        if (s->visitors[i] == from) {
            s->visitors[i] = to;
            return;
        }
    }
}

void side_meet(side *s, mcpw_session *session) { exchange_visitor(s, NULL, session); }

/* The further actions of a callback. */
static void meddle_in(side *s, mcpw_session *session) {
    mcpw_session *const before = enter(s, session);
    side_meddle(s);
    s->session = before;
}

/* ---- requests that are kept ---- */

static void leave_out(mcpw_request **list, size_t count, const mcpw_request *request) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] == request) {
            list[i] = NULL;
        }
    }
}

void side_unkeep(side *s, const mcpw_request *request) { leave_out(s->kept, SIDE_KEPT, request); }

void side_over(side *s, const mcpw_request *request) {
    side_unkeep(s, request);
    leave_out(s->running, s->running_count, request);
}

static void forget(void *user, mcpw_request *request) {
    side_over(user, request);
    meddle_in(user, mcpw_request_session(request));
}

/* Whether a request whose handler runs has been ended by a callback meanwhile. */
static bool is_over(const side *s, const mcpw_request *request) {
    for (size_t i = 0; i < s->running_count; i++) {
        if (s->running[i] == request) {
            return false;
        }
    }
    return true;
}

static bool keep(side *s, mcpw_request *request) {
    for (size_t i = 0; i < SIDE_KEPT && !is_over(s, request); i++) {
        if (s->kept[i] == NULL) {
            s->kept[i] = request;
            return true;
        }
    }
    return false;
}

/* ---- what handlers do ---- */

enum {
    DO_ANSWER,
    DO_KEEP,
    DO_ASK_ROOTS,
    DO_ASK_TWO,
    DO_PROGRESS,
    DO_REFUSE,
    DO_ERROR,
    DO_STATUS,
    DO_JSON,
    DO_STRUCTURED,
    DO_CLOSE,
    DO_CHANGE,
    DO_CALL,
    DO_TWICE,
    DO_BAD_RESULT,
    DO_TOOL_ERROR,
    DO_RICH,
    DO_ASK_RICH,
    DO_COUNT
};

static mcpw_status answer_with(side *s, mcpw_request *request, const char *text) {
    const mcpw_str method = mcpw_request_method(request);
    const mcpw_method *const entry =
        mcpw_method_entry(s->revision, mcpw_method_number(s->revision, method.ptr, method.len));
    mcpw_error error = {0};
    if (entry == NULL || mcpw_method_result(entry) == NULL) {
        return mcpw_respond_error(request, MCPW_RPC_METHOD_NOT_FOUND, "none", mcpw_json_from(NULL));
    }
    const void *const result = made(mcpw_method_result(entry), text, 1, mcpw_request_arena(request));
    return result != NULL ? mcpw_respond(request, mcpw_method_result(entry), result, &error) : MCPW_E_VALUE;
}

mcpw_status side_answer(side *s, mcpw_request *request) {
    return answer_with(s, request, side_result_text(mcpw_request_method(request)));
}

static mcpw_status ask_with(side *s, mcpw_request *request, const char *key, const char *method,
                            const char *text) {
    const int number = mcpw_method_number(s->revision, method, strlen(method));
    const mcpw_method *const entry = mcpw_method_entry(s->revision, number);
    mcpw_result result = {NULL, NULL};
    mcpw_error error = {0};
    if (entry == NULL) {
        return MCPW_E_CAPABILITY;
    }
    const void *const params = made(mcpw_method_params(entry), text, 1, mcpw_request_arena(request));
    const mcpw_status status = mcpw_request_ask(request, key, s->revision, number, params, &result, &error);
    FUZZ_ASSERT(status != MCPW_OK || (result.value != NULL && !s->forged));
    return status;
}

mcpw_status side_ask(side *s, mcpw_request *request, const char *key, const char *method) {
    return ask_with(s, request, key, method, side_params_text(mcpw_str_from(method)));
}

static mcpw_status ask_rich(side *s, mcpw_request *request) {
    static const char sampling[] =
        "{\"maxTokens\":1,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"audio\",\"data\":\"AAAA\","
        "\"mimeType\":\"a/b\"}}],\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}";
    static const char url[] =
        "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://x\",\"elicitationId\":\"e\"}";
    const mcpw_status first = ask_with(s, request, "s", "sampling/createMessage", sampling);
    const mcpw_status second = ask_with(s, request, "u", "elicitation/create", url);
    if (first == MCPW_PENDING || second == MCPW_PENDING) {
        return MCPW_PENDING;
    }
    return first != MCPW_OK ? first : second != MCPW_OK ? second : side_answer(s, request);
}

static mcpw_status ask_two(side *s, mcpw_request *request) {
    const mcpw_json state = MCPW_JSON("{\"step\":1}");
    const mcpw_status first = side_ask(s, request, "a", "elicitation/create");
    const mcpw_status second = side_ask(s, request, "b", "sampling/createMessage");
    (void)!mcpw_request_set_state(request, state);
    if (first == MCPW_PENDING || second == MCPW_PENDING) {
        return MCPW_PENDING;
    }
    const mcpw_json kept = mcpw_request_state(request);
    FUZZ_ASSERT(kept.ptr == NULL || (kept.len == state.len && memcmp(kept.ptr, state.ptr, kept.len) == 0));
    return first != MCPW_OK ? first : second != MCPW_OK ? second : side_answer(s, request);
}

static mcpw_status tell(side *s, mcpw_request *request) {
    const mcpw_json data = MCPW_JSON("{\n \"a\": [1, 2]}");
    (void)!mcpw_request_progress(request, 1, 2, "half");
    (void)!mcpw_request_log(request, MCPW_LOG_WARNING, "fuzz", data);
    (void)!mcpw_request_progress(request, 2, -1, NULL);
    (void)!mcpw_session_log(s->session, MCPW_LOG_DEBUG, NULL, data);
    return side_answer(s, request);
}

static mcpw_status refuse(mcpw_request *request) {
    mcpw_error why = {MCPW_E_VALUE, 0, "/a/b", "odd \"text\"\n"};
    return mcpw_request_refuse(request, "/arguments", &why);
}

static mcpw_status close_it(side *s, mcpw_request *request) {
    (void)request; /* gone with the session's close */
    mcpw_session_close(s->session);
    return MCPW_OK;
}

static mcpw_status twice(side *s, mcpw_request *request) {
    const mcpw_status status = mcpw_respond_json(request, mcpw_json_from("[]"), NULL);
    FUZZ_ASSERT(status != MCPW_OK); /* no result is an array */
    return side_answer(s, request);
}

static mcpw_status do_one(side *s, mcpw_request *request, unsigned what) {
    mcpw_json json = {NULL, 0, 0};
    switch (what % DO_COUNT) {
    case DO_KEEP:
        return keep(s, request) ? MCPW_OK : side_answer(s, request);
    case DO_ASK_ROOTS: {
        const mcpw_status status = side_ask(s, request, "r", "roots/list");
        return status == MCPW_OK ? side_answer(s, request) : status;
    }
    case DO_ASK_TWO:
        return ask_two(s, request);
    case DO_PROGRESS:
        return tell(s, request);
    case DO_REFUSE:
        return refuse(request);
    case DO_ERROR:
        return mcpw_respond_error(request, -32002, "not\nthere", mcpw_json_from("{\"a\":\r\n1}"));
    case DO_STATUS:
        return (mcpw_status)(side_random(s) % (MCPW_E_IO + 1U));
    case DO_JSON:
        json = mcpw_json_from(side_result_text(mcpw_request_method(request)));
        return mcpw_respond_json(request, json, NULL);
    case DO_STRUCTURED:
        return mcpw_respond_structured(request, mcpw_json_from("{\"x\":\n[true]}"));
    case DO_CLOSE:
        return close_it(s, request);
    case DO_CHANGE:
        side_change(s, side_random(s));
        return side_answer(s, request);
    case DO_CALL:
        side_request(s, (int)(side_random(s) % ((unsigned)mcpw_method_count(s->revision) + 1U)),
                     side_random(s));
        return side_answer(s, request);
    case DO_TWICE:
        return twice(s, request);
    case DO_BAD_RESULT:
        return mcpw_respond_json(request, mcpw_json_from("{\"content\":{},\"contents\":1,\"roots\":2}"),
                                 NULL);
    case DO_RICH:
        return answer_with(s, request, side_rich_result_text(mcpw_request_method(request)));
    case DO_ASK_RICH:
        return ask_rich(s, request);
    case DO_TOOL_ERROR:
        return mcpw_respond_tool_error(request, "no");
    default:
        return side_answer(s, request);
    }
}

static mcpw_status act(side *s, mcpw_request *request, unsigned what) {
    const size_t before = s->running_count;
    mcpw_session *const session = enter(s, mcpw_request_session(request));
    if (before < SIDE_RUNNING) {
        s->running[s->running_count++] = request;
    }
    side_unkeep(s, request); /* what asks is run again although it is kept */
    mcpw_request_on_cancel(request, forget, s);
    side_meddle(s);
    const mcpw_status status = do_one(s, request, what);
    side_meddle(s);
    s->running_count = before;
    s->session = session;
    return status;
}

static mcpw_status call_tool(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    int64_t n = 0;
    if (mcpw_json_get_int(call->arguments, "n", &n) == MCPW_OK) {
        return act(user, request, (unsigned)n);
    }
    const mcpw_str text = {call->arguments.ptr, call->arguments.len};
    return mcpw_respond_text(request, text);
}

static mcpw_status read_resource(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    side *const s = user;
    const mcpw_str id = mcpw_resource_variable(read, "id");
    if (id.ptr != NULL && id.len == 1) {
        return act(s, request, (unsigned char)id.ptr[0]);
    }
    if (read->variable_count == 0) {
        return mcpw_respond_resource_bytes(request, NULL, read->uri.ptr, read->uri.len);
    }
    return id.len > KNOWN_ID ? mcpw_respond_resource_not_found(request)
                             : mcpw_respond_resource_text(request, "text/plain", id);
}

static mcpw_status get_prompt(mcpw_request *request, const mcpw_prompt_get *get, void *user) {
    const mcpw_str who = mcpw_prompt_get_argument(request, get, "who");
    if (who.len == 1) {
        return act(user, request, (unsigned char)who.ptr[0]);
    }
    return mcpw_respond_prompt_text(request, who);
}

static mcpw_status complete(mcpw_request *request, const mcpw_completion *completion, void *user) {
    const mcpw_str values[] = {completion->value, completion->argument, completion->name};
    if (completion->value.len == 1) {
        return act(user, request, (unsigned char)completion->value.ptr[0]);
    }
    return mcpw_respond_completion(request, values, completion->value.len % 4);
}

/* ---- typed slots ---- */

/* A server's registries take what they know; the slots take the rest. */
static bool has_slot(const void *handlers, int method) {
    const side *const s = handlers;
    const mcpw_str name = mcpw_method_name(s->revision, method);
    return s->dispatch.role == MCPW_ROLE_CLIENT || s->dispatch.relays || (s->salt & 1U) != 0 ||
           mcpw_str_is(name, "ping") || (name.len > 6 && memcmp(name.ptr, "tasks/", 6) == 0);
}

/* Between two ends that pass on to each other what their peers ask. */
static mcpw_status pass_on(side *s, int method, mcpw_request *request, const void *params) {
    const size_t before = s->running_count;
    mcpw_status status = MCPW_OK;
    if (before < SIDE_RUNNING) {
        s->running[s->running_count++] = request;
    }
    mcpw_request_on_cancel(request, forget, s);
    side_meddle(s);
    if (!is_over(s, request)) {
        status = mcpw_request_relay(request, s->revision, method, params, s->relay_to->session);
    }
    side_meddle(s);
    s->running_count = before;
    return status;
}

static mcpw_status on_request(const void *handlers, int method, mcpw_request *request, const void *params,
                              void *user) {
    side *const s = user;
    (void)handlers;
    if (s->relay_to != NULL) {
        return pass_on(s, method, request, params);
    }
    (void)mcpw_request_can(request, "sampling");
    (void)mcpw_request_client_capabilities(request);
    return act(s, request, s->salt >> 1 == 0 ? DO_ANSWER : (s->salt >> 1) + (unsigned)method);
}

static void on_notification(const void *handlers, int method, mcpw_session *session, const void *params,
                            void *user) {
    (void)handlers;
    (void)method;
    (void)params;
    FUZZ_ASSERT(((side *)user)->served || ((side *)user)->session == session);
    meddle_in(user, session);
}

/* Reads all of a text, for the sanitizers. */
static void look_at(mcpw_str text) {
    volatile unsigned sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        sum += (unsigned char)text.ptr[i];
    }
}

static void on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *note) {
    side *const s = user;
    FUZZ_ASSERT(note->error != NULL && note->error->message[0] != '\0');
    if (getenv("MCPW_FUZZ_VERBOSE") != NULL) {
        (void)fprintf(stderr, "note %d of %s: %.*s: %s: %s\n", note->kind,
                      s->dispatch.role == MCPW_ROLE_CLIENT ? "client" : "server", (int)note->method.len,
                      note->method.ptr != NULL ? note->method.ptr : "", note->error->path,
                      note->error->message);
    }
    s->bad_diagnostics += note->kind == MCPW_DIAGNOSTIC_BAD_LINE || note->kind == MCPW_DIAGNOSTIC_BAD_MESSAGE;
    meddle_in(s, session);
    if (note->id != NULL && note->id->kind == MCPW_ID_STRING) { /* what is noted is still there */
        look_at(note->id->as.string);
    }
    look_at(note->method);
}

static void on_open(void *user, mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    FUZZ_ASSERT((status == MCPW_OK) == (error == NULL));
    meddle_in(user, session);
}

static void on_watch(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number) {
    FUZZ_ASSERT((*number != 0) != watched); /* 1 from when it is watched until it is no more */
    *number = 1;
    look_at(uri);
    meddle_in(user, session);
    look_at(uri);
}

static uint64_t clock_of(void *user) { return ((const side *)user)->now; }

static void on_close(void *user, mcpw_session *session) {
    FUZZ_ASSERT(mcpw_session_is_closed(session));
    meddle_in(user, session);
    exchange_visitor(user, session, NULL);
}

/* ---- requests of its own ---- */

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    side_call *const call = user;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    FUZZ_ASSERT(call->open); /* exactly once */
    call->open = false;
    if (getenv("MCPW_FUZZ_VERBOSE") != NULL) {
        (void)fprintf(stderr, "reply: %s\n", mcpw_status_name(reply->status));
    }
    if (reply->status == MCPW_OK) {
        FUZZ_ASSERT(reply->value != NULL && reply->type != NULL);
        mcpw_options options = MCPW_OPTIONS_INIT;
        options.flags = MCPW_ALLOW_UNKNOWN;
        FUZZ_SAME(mcpw_encode(reply->type, reply->value, &text, &options, NULL), MCPW_OK,
                  "encode of a reply");
        mcpw_buffer_free(&text);
    } else {
        FUZZ_ASSERT(reply->error != NULL && reply->value == NULL);
        FUZZ_SAME(reply->status, reply->error->code, "a reply and its record");
    }
    if ((side_random(call->of) & 15U) == 0) { /* from inside, too */
        side_cancel(call->of, side_random(call->of));
    }
    meddle_in(call->of, session);
    (void)mcpw_session_revision(session);
}

static void on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    const side_call *const call = user;
    (void)progress;
    meddle_in(call->of, session);
}

static side_call *free_call(side *s) {
    if (s->call_count < SIDE_CALLS) {
        side_call *const call = s->calls + s->call_count++;
        call->of = s;
        return call;
    }
    for (size_t i = 0; i < SIDE_CALLS; i++) {
        if (!s->calls[i].open) {
            return s->calls + i;
        }
    }
    return NULL;
}

void side_request(side *s, int method, unsigned n) {
    const mcpw_method *const entry = mcpw_method_entry(s->revision, method);
    const mcpw_str name = mcpw_method_name(s->revision, method);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_call how = {.on_progress = (side_random(s) & 1U) != 0 ? on_progress : NULL};
    if (entry == NULL) {
        return;
    }
    const void *const params = made(mcpw_method_params(entry), side_params_text(name), n % 32, &arena);
    if ((mcpw_method_flags(entry) & MCPW_METHOD_NOTIFICATION) != 0) {
        (void)!mcpw_session_notify(s->session, s->revision, method, params, &error);
    } else {
        side_call *const call = free_call(s);
        if (call != NULL) {
            call->open = true; /* a callback may want one, too */
            call->session = s->session;
            call->number = -1;
            const mcpw_status status = mcpw_session_request(s->session, s->revision, method, params, &how,
                                                            on_reply, call, &call->number, &error);
            FUZZ_ASSERT(call->open); /* never from inside */
            call->open = status == MCPW_OK;
            fuzz_check_error(status, &error);
        }
    }
    mcpw_arena_free(&arena);
}

void side_advance(side *s, uint64_t by) {
    if (s->session != NULL && !s->served) {
        s->now += by;
        mcpw_session_advance(s->session, s->now);
        FUZZ_ASSERT(mcpw_session_deadline(s->session) > s->now || s->depth != 0);
    }
}

void side_cancel(side *s, size_t which) {
    if (s->call_count == 0) {
        return;
    }
    side_call *const call = s->calls + which % s->call_count;
    if (call->open) {
        const int64_t number = call->number;
        const mcpw_status status = mcpw_session_cancel(call->session, number, "why\nnot");
        FUZZ_ASSERT(status != MCPW_OK || !call->open || call->number != number);
    } else if (s->session != NULL) {
        (void)!mcpw_session_cancel(s->session, (int64_t)which, NULL);
    }
}

void side_answer_kept(side *s, size_t which, unsigned how) {
    mcpw_request *const request = s->kept[which % SIDE_KEPT];
    if (request == NULL) {
        return;
    }
    s->kept[which % SIDE_KEPT] = NULL;
    (void)!mcpw_request_progress(request, 3, 4, "late");
    const mcpw_status status = (how & 1U) != 0 ? MCPW_E_VALUE : side_answer(s, request);
    if (status != MCPW_OK && status != MCPW_E_STATE) { /* then a callback has ended it */
        (void)!mcpw_respond_error(request, how, NULL, mcpw_json_from(NULL));
    }
}

void side_resume_kept(side *s, size_t which) {
    mcpw_request **const at = s->kept + which % SIDE_KEPT;
    mcpw_request *const request = *at;
    if (request != NULL) {
        *at = NULL;
        if (mcpw_request_resume(request) != MCPW_OK) {
            *at = request; /* it is as it was */
        }
    }
}

/* ---- registries ---- */

static mcpw_status call_typed(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)user;
    FUZZ_ASSERT(call->value != NULL);
    return mcpw_respond_structured(request, call->arguments);
}

/* A tool whose arguments have a type, and whose structured content has another that not all of them fit. */
static void add_typed_tool(side *s) {
    mcpw_tool tool;
    memset(&tool, 0, sizeof tool);
    tool.name = "typed";
    tool.output_schema = mcpw_json_from("{\"type\":\"object\"}");
    tool.arguments = mcpw_revision_type(s->revision, "ModelHint");
    tool.structured = mcpw_revision_type(s->revision, "Root");
    tool.call = call_typed;
    tool.user = s;
    (void)!mcpw_server_add_tool(s->server, &tool, NULL);
}

static const char echo_schema[] = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}";

static void add_tool(side *s, const char *name, const char *schema) {
    mcpw_tool tool;
    memset(&tool, 0, sizeof tool);
    tool.name = name;
    tool.title = "T";
    tool.input_schema = mcpw_json_from(schema);
    tool.call = call_tool;
    tool.user = s;
    (void)!mcpw_server_add_tool(s->server, &tool, NULL);
}

void side_change(side *s, unsigned how) {
    if (s->server == NULL) {
        return;
    }
    switch (how % 4) {
    case 0:
        mcpw_server_resource_updated(s->server, "x://fixed");
        break;
    case 1:
        (void)!mcpw_server_remove_prompt(s->server, "greet");
        break;
    default:
        if (s->tool_is_there) {
            (void)!mcpw_server_remove_tool(s->server, "more");
        } else {
            add_tool(s, "more", NULL);
        }
        s->tool_is_there = !s->tool_is_there;
        break;
    }
}

void side_exchange_tool(side *s) {
    if (s->server != NULL && mcpw_server_remove_tool(s->server, "echo") != MCPW_OK) {
        add_tool(s, "echo", echo_schema);
    }
}

static void fill_server(side *s) {
    static const mcpw_prompt_argument arguments[] = {{"who", "to greet", true}};
    mcpw_server_config config = MCPW_SERVER_CONFIG_INIT;
    mcpw_resource resource;
    mcpw_resource_template resources;
    mcpw_prompt prompt;
    memset(&resource, 0, sizeof resource);
    memset(&resources, 0, sizeof resources);
    memset(&prompt, 0, sizeof prompt);
    config.name = "fuzz";
    config.version = "1";
    config.instructions = "use\nit";
    config.page_size = 1;
    s->server = mcpw_server_new_with(&config, NULL);
    FUZZ_ASSERT(s->server != NULL);
    add_tool(s, "echo", echo_schema);
    add_tool(s, "raw", NULL);
    add_typed_tool(s);
    resource.uri = "x://fixed";
    resource.name = "fixed";
    resource.read = read_resource;
    resource.user = s;
    FUZZ_SAME(mcpw_server_add_resource(s->server, &resource, NULL), MCPW_OK, "resource");
    resources.uri_template = "x://y/{id}";
    resources.name = "family";
    resources.read = read_resource;
    resources.complete = complete;
    resources.user = s;
    FUZZ_SAME(mcpw_server_add_resource_template(s->server, &resources, NULL), MCPW_OK, "template");
    prompt.name = "greet";
    prompt.arguments = arguments;
    prompt.argument_count = 1;
    prompt.get = get_prompt;
    prompt.complete = complete;
    prompt.user = s;
    FUZZ_SAME(mcpw_server_add_prompt(s->server, &prompt, NULL), MCPW_OK, "prompt");
}

/* ---- what a client sends again ---- */

size_t side_retry(side *s, unsigned at, char *room, size_t size) {
    static const char retry[] =
        "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/"
        "call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"n\":%u},"
        "\"requestState\":%s,\"inputResponses\":{\"a\":{\"action\":\"accept\",\"content\":{\"a\":\"b\"}},"
        "\"b\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"a\"},\"model\":\"m\"},"
        "\"r\":{\"roots\":[]}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/"
        "clientCapabilities\":{\"sampling\":{},\"elicitation\":{},\"roots\":{}}}}}\n";
    char state[SIDE_STATE];
    const size_t len = strlen(s->state);
    memcpy(state, s->state, len + 1);
    if (len > 2 && (at & 0x0fU) != 0) { /* within its quotes */
        state[1 + (at * 31U) % (len - 2)] = (char)('A' + (char)(at % 26));
    }
    s->forged = len == 0 || strcmp(state, s->state) != 0;
    return (size_t)snprintf(room, size, retry, 1000 + at, (at & 0x10U) != 0 ? DO_ASK_ROOTS : DO_ASK_TWO,
                            len != 0 ? state : "\"none\"");
}

mcpw_str side_output(side *s) {
    mcpw_str out = {NULL, 0};
    out.len = mcpw_session_output(s->session, &out.ptr);
    FUZZ_ASSERT(s->checked <= out.len);
    const char *at = out.ptr != NULL ? out.ptr + s->checked : NULL;
    size_t left = out.len - s->checked;
    while (left != 0) {
        FUZZ_ASSERT(at != NULL);
        const char *const end = memchr(at, '\n', left);
        FUZZ_ASSERT(end != NULL);
        side_check(s, at, (size_t)(end - at));
        left -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    s->checked = out.len;
    return out;
}

void side_sent(side *s, size_t len) {
    s->checked -= len; /* more may be written while it is told */
    mcpw_session_sent(s->session, len);
}

/* ---- begin and end ---- */

void side_start(side *s, const side_config *config) {
    mcpw_session_config c = MCPW_SESSION_CONFIG_INIT;
    const mcpw_str key = MCPW_STR(STATE_KEY);
    const mcpw_dispatch dispatch = {.revision = config->revision,
                                    .role = config->role,
                                    .has = has_slot,
                                    .request = on_request,
                                    .notification = on_notification,
                                    .relays = config->relays};
    mcpw_error error = {0};
    memset(s, 0, sizeof *s);
    s->dispatch = dispatch;
    s->revision = config->revision;
    s->seed = config->seed;
    s->salt = config->seed >> 3;
    s->whole = config->whole;
    s->served = config->served;
    if (config->role == MCPW_ROLE_SERVER && config->beside == NULL && !config->relays) {
        fill_server(s);
    }
    c.max_output = config->max_output;
    c.role = config->role;
    c.allocator = config->allocator;
    c.name = "fuzz";
    c.version = "1";
    c.dispatch = &s->dispatch;
    c.handlers = s;
    c.user = s;
    c.server = s->server;
    c.revisions = config->revisions;
    c.flags = config->flags;
    c.max_requests = 16;
    c.max_message = 1 << 16;
    c.state_key = key;
    c.logs = (config->seed & 4U) != 0;
    c.lenient = (config->seed & 8U) != 0;
    c.on_diagnostic = on_diagnostic;
    c.on_open = on_open;
    c.on_close = on_close;
    c.on_watch = on_watch;
    c.clock = clock_of;
    s->endpoint = config->beside == NULL ? mcpw_endpoint_new(&c, &error) : NULL;
    mcpw_endpoint *const endpoint = config->beside != NULL ? config->beside->endpoint : s->endpoint;
    s->session = endpoint != NULL && !s->served ? mcpw_session_from(endpoint, s, &error) : NULL;
    FUZZ_SAME(s->session != NULL || (endpoint != NULL && s->served) ? MCPW_OK : error.code, MCPW_OK,
              error.message);
}

/* The last line of a session of its own. */
static void take_rest(side *s) {
    if (s->whole) {
        while (side_take(s, NULL, SIDE_CONTEXTS)) {
        }
        for (size_t i = 0; i < SIDE_CONTEXTS; i++) {
            FUZZ_ASSERT(s->contexts[i] != SIDE_GIVEN);
        }
    } else {
        (void)side_output(s);
    }
}

void side_end(side *s) {
    if (s->session != NULL) {
        mcpw_session_close(s->session);
    }
    for (size_t i = 0; i < s->call_count; i++) {
        FUZZ_ASSERT(!s->calls[i].open);
    }
    if (s->session != NULL) {
        take_rest(s);
    }
    mcpw_session_free(s->session);
    mcpw_endpoint_free(s->endpoint);
    for (size_t i = 0; i < SIDE_KEPT; i++) {
        FUZZ_ASSERT(s->kept[i] == NULL);
    }
    mcpw_server_free(s->server);
    free(s->line);
}
