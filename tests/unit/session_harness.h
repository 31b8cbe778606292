/* SPDX-License-Identifier: MIT */
/*
 * One end of a session, and a scripted peer for it: lines are said to it and its lines are heard. Every line
 * that it writes is validated, strictly, against the revision that its peer speaks, and against the rules
 * about who may say what. Its handlers are functions by method name, in any revision that the test names, so
 * that one behaviour can be run for each pair of revisions.
 *
 * In the texts of tests ' stands for ". A test that fails while a line is checked is named with that line.
 */
#ifndef MCPW_TESTS_SESSION_HARNESS_H
#define MCPW_TESTS_SESSION_HARNESS_H

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/extension.h>
#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/session.h>

#include "check.h"
#include "counting_allocator.h"

#include <stdarg.h>
#include <stdint.h>

enum { HARNESS_SLOTS = 16, HARNESS_TEXT = 1 << 16, HARNESS_DIAGNOSTICS = 9, HARNESS_ERROR = 512 };

/* The revisions that the library holds, oldest first; those with a handshake stand before the others. */
static inline int revision_count(void) {
    size_t count = 0;
    (void)mcpw_revisions(&count);
    return (int)count;
}

static inline const char *revision_at(int index) {
    size_t count = 0;
    return mcpw_revision_name(mcpw_revisions(&count)[index]);
}

static inline int legacy_count(void) {
    int count = 0;
    while (count < revision_count() &&
           mcpw_method_number(mcpw_find_revision(revision_at(count)), "initialize", 10) != 0) {
        count++;
    }
    return count;
}

/* The place of a revision among them. */
static inline int place_of(const char *name) {
    int at = 0;
    while (at < revision_count() && strcmp(revision_at(at), name) != 0) {
        at++;
    }
    return at;
}

/* The newest revision that the library holds. */
static inline const char *newest_revision(void) { return revision_at(revision_count() - 1); }

#define OLDEST "2024-11-05"
#define BATCHING "2025-03-26"
#define ELICITING "2025-06-18"
#define HANDSHAKE "2025-11-25"
#define MODERN "2026-07-28"

#define CLIENT_CAPABILITIES "{'sampling':{},'elicitation':{'form':{},'url':{}},'roots':{'listChanged':true}}"

typedef struct end end;
typedef mcpw_status (*end_handler)(end *e, mcpw_request *request, const void *params);
typedef void (*end_listener)(end *e, const void *params);

typedef struct end_slot {
    const char *method;
    end_handler run;   /* of a request */
    end_listener told; /* of a notification */
} end_slot;

/* A request that was said to an end, so that its answer can be checked by its method. */
typedef struct known {
    struct known *next;
    char *id; /* as JSON text */
    char *method;
    bool task;
} known;

/* How a request of an end's came out, the last one. */
typedef struct outcome {
    int count;
    mcpw_status status;
    int64_t code;
    char text[HARNESS_TEXT]; /* of the result, or of the error's data */
    char why[HARNESS_ERROR];
} outcome;

struct end {
    mcpw_session *session;
    mcpw_endpoint *endpoint; /* of the session; NULL: it has one of its own */
    mcpw_session_config config;
    mcpw_dispatch dispatch;
    end_slot slots[HARNESS_SLOTS];
    counting memory;
    const mcpw_revision *speaks; /* what its peer speaks, by which its lines are checked */
    bool unchecked;              /* its lines are meant to be broken, or checked by the test */
    known *knowns;
    char line[HARNESS_TEXT * 4];
    int diagnostics[HARNESS_DIAGNOSTICS];
    char last_diagnostic[HARNESS_ERROR];
    int opened;
    mcpw_status open_status;
    char open_why[HARNESS_ERROR];
    int closed;
    outcome out;
    int progressed;
    mcpw_progress progress;
    /* for handlers of tests */
    mcpw_request *kept;
    int runs;
    int cancels;
    int told;
    mcpw_status status;
    int64_t number;
    uint64_t time; /* of told_time */
    char text[HARNESS_TEXT];
};

/* ---- Text ---- */

/* The text with " for ', in one of a few rooms that are used in turn. */
static inline const char *q(const char *text) {
    enum { ROOMS = 8 };
    static char rooms[ROOMS][HARNESS_TEXT];
    static unsigned at = 0;
    char *const room = rooms[at++ % ROOMS];
    size_t len = strlen(text);
    len = len < HARNESS_TEXT ? len : HARNESS_TEXT - 1U;
    for (size_t i = 0; i < len; i++) {
        room[i] = text[i];
        if (text[i] == '\'') {
            room[i] = '"';
        }
    }
    room[len] = '\0';
    return room;
}

__attribute__((format(printf, 1, 2))) static inline const char *fmt(const char *format, ...) {
    enum { ROOMS = 8 };
    static char rooms[ROOMS][HARNESS_TEXT];
    static unsigned at = 0;
    char *const room = rooms[at++ % ROOMS];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(room, HARNESS_TEXT, format, arguments);
    va_end(arguments);
    return room;
}

static inline bool has(const char *text, const char *part) { return strstr(text, q(part)) != NULL; }

static inline bool check_has(const char *text, const char *part, const char *file, int line) {
    if (!has(text, part)) {
        (void)fprintf(stderr, "%s:%d: %s: got     %s\n", file, line, check_test, text);
        (void)fprintf(stderr, "%s:%d: %s: without %s\n", file, line, check_test, q(part));
        check_failures++;
        return false;
    }
    return true;
}

#define CHECK_HAS(text, part) ((void)check_has((text), (part), __FILE__, __LINE__))
/* The next output of an end is exactly this line; "" is silence. */
#define EXPECT(e, text)                                                                                      \
    do {                                                                                                     \
        const char *const said_ = heard(e);                                                                  \
        CHECK_STRING(said_, q(text));                                                                        \
    } while (0)

static inline char *copy_text(const char *text, size_t len) {
    char *const copy = malloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static inline bool is_modern(const mcpw_revision *revision) {
    return mcpw_method_number(revision, "initialize", strlen("initialize")) == 0;
}

/* ---- What an end does ---- */

static inline const end_slot *slot_of(const end *e, mcpw_str method) {
    for (int i = 0; i < HARNESS_SLOTS && e->slots[i].method != NULL; i++) {
        if (strlen(e->slots[i].method) == method.len &&
            memcmp(e->slots[i].method, method.ptr, method.len) == 0) {
            return e->slots + i;
        }
    }
    return NULL;
}

static inline bool end_has(const void *handlers, int method) {
    const end *const e = handlers;
    return slot_of(e, mcpw_method_name(e->dispatch.revision, method)) != NULL;
}

static inline mcpw_status end_request(const void *handlers, int method, mcpw_request *request,
                                      const void *params, void *user) {
    end *const e = user;
    const end_slot *const slot = slot_of(handlers, mcpw_method_name(e->dispatch.revision, method));
    CHECK(slot != NULL && slot->run != NULL);
    e->runs++;
    return slot != NULL && slot->run != NULL ? slot->run(e, request, params) : MCPW_E_METHOD;
}

static inline void end_notification(const void *handlers, int method, mcpw_session *session,
                                    const void *params, void *user) {
    end *const e = user;
    const end_slot *const slot = slot_of(handlers, mcpw_method_name(e->dispatch.revision, method));
    CHECK(slot != NULL && slot->told != NULL && session == e->session);
    e->told++;
    if (slot != NULL && slot->told != NULL) {
        slot->told(e, params);
    }
}

static inline void end_on_open(void *user, mcpw_session *session, mcpw_status status,
                               const mcpw_error *error) {
    end *const e = user;
    CHECK(e->session == NULL || e->session == session);
    CHECK((error == NULL) == (status == MCPW_OK));
    CHECK(error == NULL || error->code == status);
    e->opened++;
    e->open_status = status;
    (void)snprintf(e->open_why, sizeof e->open_why, "%s", error != NULL ? error->message : "");
}

static inline void end_on_close(void *user, mcpw_session *session) {
    (void)session;
    ((end *)user)->closed++;
}

static inline void end_on_diagnostic(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    end *const e = user;
    (void)session;
    CHECK(diagnostic->error != NULL);
    e->diagnostics[diagnostic->kind]++;
    (void)snprintf(e->last_diagnostic, sizeof e->last_diagnostic, "%s: %s", diagnostic->error->path,
                   diagnostic->error->message);
}

/* The time of day, as a test says it. */
static inline uint64_t told_time(void *user) { return ((const end *)user)->time; }

/* A new end, not opened. speaks: what its peer will speak; handled: the revision of its handlers. */
static inline end *end_make(mcpw_role role, const char *speaks, const char *handled) {
    end *const e = calloc(1, sizeof *e);
    const mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    e->config = config;
    e->config.role = role;
    e->config.name = "name";
    e->config.version = "1";
    e->config.logs = role == MCPW_ROLE_SERVER;
    e->config.send_server_info = MCPW_OFF; /* most tests look at results as handlers make them */
    e->speaks = mcpw_find_revision(speaks);
    e->dispatch.revision = mcpw_find_revision(handled);
    e->dispatch.role = role;
    e->dispatch.has = end_has;
    e->dispatch.request = end_request;
    e->dispatch.notification = end_notification;
    e->config.dispatch = &e->dispatch;
    e->config.handlers = e;
    e->config.user = e;
    e->config.on_open = end_on_open;
    e->config.on_close = end_on_close;
    e->config.on_diagnostic = end_on_diagnostic;
    e->config.allocator = counting_allocator(&e->memory);
    return e;
}

static inline void end_serve(end *e, const char *method, end_handler run) {
    int i = 0;
    while (e->slots[i].method != NULL) {
        i++;
    }
    e->slots[i] = (end_slot){method, run, NULL};
}

static inline void end_and_run_to_idle(end *e, const char *method, end_listener told) {
    int i = 0;
    while (e->slots[i].method != NULL) {
        i++;
    }
    e->slots[i] = (end_slot){method, NULL, told};
}

static inline void end_start(end *e) {
    mcpw_error error = {0};
    e->session = e->endpoint != NULL ? mcpw_session_from(e->endpoint, e, &error)
                                     : mcpw_session_new(&e->config, &error);
    if (!check_that(e->session != NULL, __FILE__, __LINE__, error.message)) {
        exit(1);
    }
}

/* ---- Its lines ---- */

static inline void remember(end *e, mcpw_json message) {
    mcpw_json method = {NULL, 0, 0};
    mcpw_json id = {NULL, 0, 0};
    mcpw_json params = {NULL, 0, 0};
    mcpw_json task = {NULL, 0, 0};
    if (mcpw_json_get(message, "method", &method) != MCPW_OK ||
        mcpw_json_get(message, "id", &id) != MCPW_OK || method.len < 2) {
        return;
    }
    known *const k = calloc(1, sizeof *k);
    k->id = copy_text(id.ptr, id.len);
    k->method = copy_text(method.ptr + 1, method.len - 2);
    k->task = mcpw_json_get(message, "params", &params) == MCPW_OK &&
              mcpw_json_get(params, "task", &task) == MCPW_OK;
    k->next = e->knowns;
    e->knowns = k;
}

static inline void forget_knowns(end *e) {
    while (e->knowns != NULL) {
        known *const k = e->knowns;
        e->knowns = k->next;
        free(k->id);
        free(k->method);
        free(k);
    }
}

typedef struct end_lookup {
    const end *e;
    const mcpw_revision *revision;
} end_lookup;

static inline mcpw_answered_request end_resolve(void *user, const mcpw_id *id) {
    const end_lookup *const lookup = user;
    mcpw_answered_request answer = {0, false};
    for (const known *k = lookup->e->knowns; k != NULL; k = k->next) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        const mcpw_json text = mcpw_json_of(k->id, strlen(k->id));
        mcpw_str string = {NULL, 0};
        int64_t integer = 0;
        bool same = false;
        if (id->kind == MCPW_ID_STRING && mcpw_json_string(text, &arena, &string) == MCPW_OK) {
            same = string.len == id->as.string.len && memcmp(string.ptr, id->as.string.ptr, string.len) == 0;
        } else if (id->kind == MCPW_ID_INTEGER && mcpw_json_int(text, &integer) == MCPW_OK) {
            same = integer == id->as.integer;
        }
        mcpw_arena_free(&arena);
        if (same) {
            answer.method = mcpw_method_number(lookup->revision, k->method, strlen(k->method));
            answer.task = k->task;
            break;
        }
    }
    return answer;
}

/* The allowed output of an end: a message of its peer's revision, of a kind and method that are its to send.
 */
static inline void check_line(const end *e, mcpw_str line) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_envelope envelope = {0};
    mcpw_error error = {0};
    end_lookup lookup = {e, e->speaks};
    const bool server = e->config.role == MCPW_ROLE_SERVER;
    const unsigned sender = server ? MCPW_METHOD_FROM_SERVER : MCPW_METHOD_FROM_CLIENT;
    options.flags = MCPW_STRICT;
    CHECK(memchr(line.ptr, '\r', line.len) == NULL);
    if (mcpw_message_validate(e->speaks, line.ptr, line.len, &scratch, end_resolve, &lookup, &envelope,
                              &options, &error) != MCPW_OK) {
        (void)fprintf(stderr, "%s: not a message of %s: %s: %s\n%.*s\n", check_test,
                      mcpw_revision_name(e->speaks), error.path, error.message, (int)line.len, line.ptr);
        check_failures++;
    } else if (envelope.kind == MCPW_MESSAGE_REQUEST || envelope.kind == MCPW_MESSAGE_NOTIFICATION) {
        const mcpw_method *const method = mcpw_method_entry(e->speaks, envelope.method);
        const bool may =
            method != NULL && (mcpw_method_flags(method) & sender) != 0 &&
            (envelope.kind != MCPW_MESSAGE_REQUEST || (mcpw_method_flags(method) & MCPW_METHOD_INPUT) == 0);
        (void)check_that(may, __FILE__, __LINE__, "this end may not send this method");
    } else if (is_modern(e->speaks) && !server) {
        (void)check_that(false, __FILE__, __LINE__, "a client of a revision without server requests answers");
    }
    mcpw_arena_free(&scratch);
}

/* The next line that an end says, "" when it says none. It is valid until the next one. */
static inline const char *heard(end *e) {
    const char *bytes = NULL;
    const size_t len = mcpw_session_output(e->session, &bytes);
    e->line[0] = '\0';
    if (len == 0) {
        return e->line;
    }
    const char *const lf = memchr(bytes, '\n', len);
    CHECK(lf != NULL);
    const size_t size = lf != NULL ? (size_t)(lf - bytes) : len;
    if (size < sizeof e->line) {
        memcpy(e->line, bytes, size);
        e->line[size] = '\0';
    }
    mcpw_session_sent(e->session, size + 1);
    const mcpw_str line = {e->line, size};
    if (!e->unchecked) {
        check_line(e, line);
    }
    return e->line;
}

static inline void run_to_idle(end *e) {
    while (*heard(e) != '\0') {
    }
}

static inline mcpw_status say_bytes(end *e, const char *bytes, size_t len) {
    const mcpw_json message = mcpw_json_of(bytes, len);
    if (mcpw_json_kind_of(message) == MCPW_JSON_ARRAY) {
        mcpw_json_iter it;
        mcpw_json item;
        if (mcpw_json_iterate(message, &it) == MCPW_OK) {
            while (mcpw_json_next(&it, NULL, &item)) {
                remember(e, item);
            }
        }
    } else if (mcpw_json_kind_of(message) == MCPW_JSON_OBJECT) {
        remember(e, message);
    }
    const mcpw_status status = mcpw_session_feed(e->session, bytes, len);
    return status == MCPW_OK ? mcpw_session_feed(e->session, "\n", 1) : status;
}

/* Says one line to an end. */
static inline void say(end *e, const char *line) {
    const char *const text = q(line);
    const mcpw_status status = say_bytes(e, text, strlen(text));
    CHECK(status == MCPW_OK || (status == MCPW_E_CLOSED && mcpw_session_is_closed(e->session)));
}

/* The _meta of a request in the revision that is spoken, as the first member, with a comma; "" if none. */
static inline const char *meta_of(const end *e, const char *capabilities, const char *more) {
    return is_modern(e->speaks) ? fmt("'_meta':{'io.modelcontextprotocol/protocolVersion':'%s',"
                                      "'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"
                                      "'io.modelcontextprotocol/clientCapabilities':%s%s}",
                                      mcpw_revision_wire(e->speaks), capabilities, more)
                                : "";
}

/* Says a request in the revision that is spoken, to a server: id and members of params are JSON. */
static inline void say_request_as(end *e, const char *id, const char *method, const char *members,
                                  const char *capabilities, const char *more_meta) {
    const char *const meta = meta_of(e, capabilities, more_meta);
    say(e, fmt("{'jsonrpc':'2.0','id':%s,'method':'%s','params':{%s%s%s}}", id, method, meta,
               *meta != '\0' && *members != '\0' ? "," : "", members));
}

static inline void say_request(end *e, const char *id, const char *method, const char *members) {
    say_request_as(e, id, method, members, CLIENT_CAPABILITIES, "");
}

/* ---- Opening ---- */

static inline void say_initialize_as(end *e, const char *capabilities) {
    say(e, fmt("{'jsonrpc':'2.0','id':'open','method':'initialize','params':{'protocolVersion':'%s',"
               "'capabilities':%s,'clientInfo':{'name':'c','version':'1'}}}",
               mcpw_revision_wire(e->speaks), capabilities));
}

/* Opens a server end in the revision that its peer speaks. */
static inline void open_server_as(end *e, const char *capabilities) {
    if (e->session == NULL) {
        end_start(e);
    }
    if (is_modern(e->speaks)) {
        return;
    }
    say_initialize_as(e, capabilities);
    CHECK_HAS(heard(e), fmt("'protocolVersion':'%s'", mcpw_revision_wire(e->speaks)));
    say(e, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static inline end *server_of(const char *speaks, const char *handled) {
    return end_make(MCPW_ROLE_SERVER, speaks, handled);
}

static inline void open_server(end *e) { open_server_as(e, CLIENT_CAPABILITIES); }

static inline end *client_of(const char *speaks, const char *handled) {
    return end_make(MCPW_ROLE_CLIENT, speaks, handled);
}

#define SERVER_CAPABILITIES                                                                                  \
    "{'tools':{'listChanged':true},'prompts':{'listChanged':true},"                                          \
    "'resources':{'subscribe':true,'listChanged':true},'logging':{},'completions':{}}"

/* Opens a client end against a server that speaks its peer's revision alone. */
static inline void open_client_as(end *e, const char *capabilities) {
    const mcpw_revision *const speaks = e->speaks;
    if (e->session == NULL) {
        end_start(e);
    }
    e->speaks = mcpw_find_revision(MODERN);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':1,'method':'server/discover'");
    if (is_modern(speaks)) {
        say(e, fmt("{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,"
                   "'cacheScope':'private','supportedVersions':['%s'],'capabilities':%s}}",
                   mcpw_revision_wire(speaks), capabilities));
        EXPECT(e, "");
    } else {
        say(e, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'Method not found'}}");
        e->speaks = mcpw_find_revision(HANDSHAKE);
        CHECK_HAS(heard(e), "'id':2,'method':'initialize'");
        e->speaks = speaks;
        say(e, fmt("{'jsonrpc':'2.0','id':2,'result':{'protocolVersion':'%s','capabilities':%s,"
                   "'serverInfo':{'name':'s','version':'1'}}}",
                   mcpw_revision_wire(speaks), capabilities));
        CHECK_HAS(heard(e), "'method':'notifications/initialized'");
    }
    e->speaks = speaks;
    CHECK(e->opened == 1 && e->open_status == MCPW_OK);
}

static inline void open_client(end *e) { open_client_as(e, SERVER_CAPABILITIES); }

/* ---- Answers and requests by text ---- */

static inline const mcpw_type *result_type(const mcpw_revision *revision, mcpw_str method) {
    const mcpw_method *const entry =
        mcpw_method_entry(revision, mcpw_method_number(revision, method.ptr, method.len));
    return entry != NULL ? mcpw_method_result(entry) : NULL;
}

static inline const void *decoded(const mcpw_type *type, const char *text, mcpw_arena *arena) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    const char *const json = q(text);
    void *const value = mcpw_arena_alloc(arena, mcpw_type_size(type));
    options.flags = MCPW_PEER_DEFAULTS;
    if (value == NULL) {
        return NULL;
    }
    if (mcpw_decode(type, json, strlen(json), arena, value, &options, &error) != MCPW_OK) {
        if (error.code != MCPW_E_MEMORY && error.code != MCPW_E_ARENA) {
            (void)fprintf(stderr, "%s: %s: %s: %s\n%s\n", check_test, mcpw_type_name(type), error.path,
                          error.message, json);
            check_failures++;
        }
        return NULL;
    }
    return value;
}

/* A result of a list or of a resource's content, with what the handlers' revision wants in it. */
static inline const char *cacheable(const end *e, const char *members) {
    return fmt("{%s%s}", is_modern(e->dispatch.revision) ? "'ttlMs':5,'cacheScope':'public'," : "", members);
}

/* Answers a request with a result of the handlers' revision. */
static inline mcpw_status answer(end *e, mcpw_request *request, const char *result) {
    const mcpw_type *const type = result_type(e->dispatch.revision, mcpw_request_method(request));
    const void *const value = decoded(type, result, mcpw_request_arena(request));
    return value != NULL ? mcpw_respond(request, type, value, NULL) : MCPW_E_MEMORY;
}

static inline void end_on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)session;
    e->out.count++;
    e->out.status = reply->status;
    e->out.code = reply->remote.code;
    e->out.text[0] = '\0';
    e->out.why[0] = '\0';
    if (reply->status == MCPW_OK) {
        mcpw_buffer text = MCPW_BUFFER_INIT;
        mcpw_error error = {0};
        CHECK(reply->value != NULL && reply->type != NULL);
        CHECK(mcpw_encode(reply->type, reply->value, &text, NULL, &error) == MCPW_OK);
        (void)snprintf(e->out.text, sizeof e->out.text, "%.*s", (int)text.len, text.data);
        mcpw_buffer_free(&text);
        return;
    }
    CHECK(reply->error != NULL && reply->error->code == reply->status && reply->value == NULL);
    if (reply->error != NULL) {
        (void)snprintf(e->out.why, sizeof e->out.why, "%s: %s", reply->error->path, reply->error->message);
    }
    if (reply->remote.data.ptr != NULL) {
        (void)snprintf(e->out.text, sizeof e->out.text, "%.*s", (int)reply->remote.data.len,
                       reply->remote.data.ptr);
    }
}

static inline void end_on_progress(void *user, mcpw_session *session, const mcpw_progress *progress) {
    end *const e = user;
    (void)session;
    e->progressed++;
    e->progress = *progress;
}

/* Makes a request of the handlers' revision, with zeroed params where members is NULL. */
static inline mcpw_status call_with(end *e, const char *method, const char *members, const mcpw_call *how) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, method, strlen(method));
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    mcpw_arena arena = MCPW_ARENA_INIT;
    const void *params = NULL;
    mcpw_error error = {0};
    if (members != NULL && entry != NULL) {
        const char *const meta = is_modern(revision)
                                     ? fmt("'_meta':{'io.modelcontextprotocol/protocolVersion':'x',"
                                           "'io.modelcontextprotocol/clientCapabilities':{}}%s",
                                           *members != '\0' ? "," : "")
                                     : "";
        params = decoded(mcpw_method_params(entry), fmt("{%s%s}", meta, members), &arena);
    }
    const mcpw_status status =
        mcpw_session_request(e->session, revision, number, params, how, end_on_reply, e, &e->number, &error);
    CHECK(status == MCPW_OK || error.code == status);
    mcpw_arena_free(&arena);
    return status;
}

static inline mcpw_status call(end *e, const char *method, const char *members) {
    return call_with(e, method, members, NULL);
}

/* ---- Two ends ---- */

/* How bytes travel between two ends. */
typedef struct wire {
    unsigned seed; /* 0: all at once; 1: byte by byte; else random pieces */
} wire;

static inline size_t piece_of(wire *w, size_t len) {
    enum { LARGEST = 40 };
    if (w == NULL || w->seed == 0) {
        return len;
    }
    if (w->seed == 1) {
        return 1;
    }
    w->seed = w->seed * 1103515245U + 12345U;
    const size_t piece = 1 + (w->seed >> 16) % LARGEST;
    return piece < len ? piece : len;
}

static inline bool carry(end *from, end *to, wire *w) {
    bool any = false;
    for (const char *line = heard(from); *line != '\0'; line = heard(from)) {
        const mcpw_json message = mcpw_json_of(line, strlen(line));
        size_t at = 0;
        any = true;
        remember(to, message);
        while (at < message.len) {
            const size_t piece = piece_of(w, message.len - at);
            if (mcpw_session_feed(to->session, line + at, piece) == MCPW_E_CLOSED) {
                return any;
            }
            at += piece;
        }
        (void)!mcpw_session_feed(to->session, "\n", 1);
    }
    return any;
}

/* Carries lines both ways until both are silent. */
static inline void pump(end *a, end *b, wire *w) {
    enum { ROUNDS = 100 };
    int rounds = 0;
    while ((carry(a, b, w) || carry(b, a, w)) && rounds < ROUNDS) {
        rounds++;
    }
    CHECK(rounds < ROUNDS);
}

/* Opens a client and a server with each other; speaks: the one revision that the server knows. */
static inline void open_pair(end *client, end *server, const char *speaks) {
    const mcpw_revision *const revision = mcpw_find_revision(speaks);
    server->config.revisions = speaks;
    client->unchecked = server->unchecked = true;
    end_start(server);
    end_start(client);
    CHECK(mcpw_session_open(client->session) == MCPW_OK);
    pump(client, server, NULL);
    client->speaks = server->speaks = revision;
    client->unchecked = server->unchecked = false;
    CHECK(client->opened == 1 && client->open_status == MCPW_OK);
    CHECK(mcpw_session_revision(client->session) == revision);
}

/* Ends it; what it held is given back. */
static inline void end_free(end *e) {
    mcpw_session_free(e->session);
    mcpw_extensions_free(e->config.extensions);
    CHECK(e->memory.in_use == 0);
    forget_knowns(e);
    free(e);
}

/* ---- Handlers ---- */

static inline mcpw_status say_hello(end *e, mcpw_request *request, const void *params) {
    CHECK(params != NULL);
    return answer(e, request, "{'content':[{'type':'text','text':'hello'}]}");
}

static inline mcpw_status list_one_tool(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'tools':[{'name':'t','inputSchema':{'type':'object'}}]"));
}

static inline void count_cancel(void *user, mcpw_request *request) {
    end *const e = user;
    if (request == e->kept) {
        e->kept = NULL;
    }
    e->cancels++;
}

/* Keeps the request, to be answered by the test. */
static inline mcpw_status keep(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->kept = request;
    mcpw_request_on_cancel(request, count_cancel, e);
    return MCPW_OK;
}

#endif
