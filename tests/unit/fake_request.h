/* SPDX-License-Identifier: MIT */
/* Requests without a session, so that registries are tested alone: what was answered is kept as text. */
#ifndef MCPW_TESTS_FAKE_REQUEST_H
#define MCPW_TESTS_FAKE_REQUEST_H

#include "core/registry.h"
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>

#include <stdio.h>
#include <stdlib.h>

struct mcpw_request {
    mcpw_arena arena;
    const mcpw_revision *revision;
    const mcpw_method *method;
    const void *params;
    const void *entry;
    bool tells_entry;
    bool answered;
    bool unsendable;
    int64_t code; /* of an error; 0: a result */
    char *text;   /* the result, or the error's message */
    char *data;
    mcpw_error error; /* what could not be sent */
};

static inline char *fake_copy(const char *text, size_t len) {
    char *const copy = malloc(len + 1);
    if (copy != NULL) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

static inline mcpw_status fake_answer(mcpw_request *r, int64_t code, const char *text, size_t len) {
    if (r->answered) {
        return MCPW_E_STATE;
    }
    r->answered = true;
    r->code = code;
    r->text = fake_copy(text, len);
    return MCPW_OK;
}

/* There are no threads. */
bool mcpw_request_is_cross_thread(const mcpw_request *request) {
    (void)request;
    return false;
}

mcpw_status mcpw_post_call(mcpw_request *request, const char *name,
                           mcpw_status (*run)(mcpw_request *request, const mcpw_post_args *args),
                           const mcpw_post_args *args) {
    (void)request;
    (void)name;
    (void)run;
    (void)args;
    return MCPW_E_STATE;
}

mcpw_server *mcpw_request_server(const mcpw_request *request) {
    (void)request;
    return NULL;
}

void mcpw_session_diagnose_misuse_of(mcpw_session *session, const char *function) {
    (void)session;
    (void)function;
}

mcpw_status mcpw_request_serve(mcpw_request *request,
                               mcpw_status (*run)(mcpw_request *request, const void *what),
                               const void *what) {
    return run(request, what);
}

mcpw_status mcpw_request_unsendable(mcpw_request *request, mcpw_status status, mcpw_error *why) {
    request->unsendable = true;
    request->error = *why;
    return status;
}

/* Checks the result as a session would, with the members that a session puts in. */
mcpw_status mcpw_respond_json(mcpw_request *request, mcpw_json result, mcpw_error *error) {
    static const char filled[] = "{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",";
    mcpw_error local;
    mcpw_error *const e = error != NULL ? error : &local;
    char *const whole = malloc(sizeof filled + result.len);
    memcpy(whole, filled, sizeof filled - 1);
    memcpy(whole + sizeof filled - 1, result.ptr + 1, result.len - 1);
    const bool modern = mcpw_revision_number(request->revision) >= 20260728;
    const mcpw_status status = modern
                                   ? mcpw_validate(mcpw_method_result(request->method), whole,
                                                   sizeof filled + result.len - 2, &request->arena, NULL, e)
                                   : mcpw_validate(mcpw_method_result(request->method), result.ptr,
                                                   result.len, &request->arena, NULL, e);
    free(whole);
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "%s: %s\n  %.*s\n", e->path, e->message, (int)result.len, result.ptr);
        return mcpw_request_unsendable(request, status, e);
    }
    return fake_answer(request, 0, result.ptr, result.len);
}

/* A session does not look at these: here they are checked, that they need no look. */
void mcpw_written_begin(mcpw_written *written, mcpw_request *request, const char *type, size_t size) {
    (void)type; /* whether it fits shows when it is checked */
    (void)size;
    written->request = request;
    written->text = (mcpw_text){mcpw_buffer_in(&request->arena), MCPW_OK};
    written->error.code = MCPW_OK;
    mcpw_text_object(&written->text);
}

mcpw_status mcpw_written_end(mcpw_written *written) {
    mcpw_request *const request = written->request;
    mcpw_text_object_end(&written->text);
    const mcpw_status status = written->text.status;
    if (status != MCPW_OK && written->error.code != status) {
        mcpw_error_set(&written->error, status, 0, "%s", mcpw_status_text(status));
    }
    return status == MCPW_OK ? mcpw_respond_json(request, mcpw_buffer_take(&written->text.buffer), NULL)
                             : mcpw_request_unsendable(request, status, &written->error);
}

mcpw_status mcpw_respond_error(mcpw_request *request, int64_t code, const char *message, mcpw_json data) {
    if (data.ptr != NULL) {
        request->data = fake_copy(data.ptr, data.len);
    }
    return fake_answer(request, code, message, strlen(message));
}

mcpw_status mcpw_request_refuse(mcpw_request *request, const char *prefix, const mcpw_error *why) {
    char text[MCPW_ERROR_PATH_SIZE + MCPW_ERROR_MESSAGE_SIZE + 64];
    (void)snprintf(text, sizeof text, "%s%s: %s", prefix, why->path, why->message);
    return fake_answer(request, MCPW_RPC_INVALID_PARAMS, text, strlen(text));
}

const void *mcpw_request_params(const mcpw_request *request, const mcpw_type **type) {
    *type = mcpw_method_params(request->method);
    return request->params;
}

mcpw_arena *mcpw_request_arena(mcpw_request *request) { return &request->arena; }
const mcpw_revision *mcpw_request_revision(const mcpw_request *request) { return request->revision; }
/* Nobody watches anything here. */
bool mcpw_session_watches(mcpw_session *session, mcpw_str uri) {
    (void)session;
    (void)uri;
    return false;
}

void mcpw_request_set_entry(mcpw_request *request, const void *entry) { request->entry = entry; }
const void *mcpw_request_entry(const mcpw_request *request) { return request->entry; }
void mcpw_request_tell_entry(mcpw_request *request) { request->tells_entry = true; }
bool mcpw_request_is_answered(const mcpw_request *request) { return request->answered; }

/* ---- A peer ---- */

static const char modern_meta[] = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                                  "\"io.modelcontextprotocol/clientCapabilities\":{}}";

/* Memory that is full of what was never written, so that whoever reads it goes wrong. */
static inline void *fake_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    enum { NEVER_WRITTEN = 0xa5 };
    (void)user;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    char *const bytes = realloc(ptr, new_size);
    CHECK(bytes != NULL);
    if (new_size > old_size) {
        memset(bytes + old_size, NEVER_WRITTEN, new_size - old_size);
    }
    return bytes;
}

/* Begins a request of a revision; params as JSON, NULL for none. */
static inline mcpw_request fake_request(const char *revision, const char *method, const char *params) {
    mcpw_request r;
    const mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    char text[4096];
    memset(&r, 0, sizeof r);
    memset(&error, 0, sizeof error);
    r.arena = arena;
    r.arena.allocator.resize = fake_resize;
    r.revision = mcpw_find_revision(revision);
    r.method = mcpw_method_entry(r.revision, mcpw_method_number(r.revision, method, strlen(method)));
    if (mcpw_revision_number(r.revision) >= 20260728) {
        const char *const rest = params != NULL ? params + 1 : "}";
        (void)snprintf(text, sizeof text, "%s%s%s", modern_meta, *rest == '}' ? "" : ",", rest);
        params = text;
    }
    if (params != NULL) {
        void *const value = mcpw_arena_alloc(&r.arena, mcpw_type_size(mcpw_method_params(r.method)));
        CHECK(mcpw_decode(mcpw_method_params(r.method), params, strlen(params), &r.arena, value, NULL,
                          &error) == MCPW_OK);
        CHECK_STRING(error.message, "");
        r.params = value;
    }
    return r;
}

/* The request answered by the server; what a handler returns becomes an error as a session makes it. */
static inline mcpw_request fake_ask(mcpw_server *server, const char *revision, const char *method,
                                    const char *params) {
    mcpw_request r = fake_request(revision, method, params);
    const mcpw_served_method *const served = mcpw_server_method(server, mcpw_str_from(method));
    const mcpw_status status = served != NULL ? mcpw_server_handle(server, &r, served) : MCPW_E_METHOD;
    if (status != MCPW_OK && !r.answered) {
        const bool peers = !r.unsendable && status >= MCPW_E_SYNTAX && status <= MCPW_E_METHOD;
        const char *const text = r.unsendable ? r.error.message : mcpw_status_name(status);
        (void)fake_answer(&r, peers ? MCPW_RPC_INVALID_PARAMS : MCPW_RPC_INTERNAL_ERROR, text, strlen(text));
    }
    CHECK(r.answered);
    if (r.tells_entry) {
        mcpw_provider_of(server)->ended(server, r.entry);
    }
    return r;
}

static inline void fake_free(mcpw_request *r) {
    mcpw_arena_free(&r->arena);
    free(r->text);
    free(r->data);
}

/* Asks, and checks the result, or the message of the error with this code. */
static inline void fake_check(mcpw_server *server, const char *revision, const char *method,
                              const char *params, int64_t code, const char *want, const char *file,
                              int line) {
    mcpw_request r = fake_ask(server, revision, method, params);
    (void)check_text(r.text, r.text != NULL ? strlen(r.text) : 0, want, file, line);
    (void)check_that(r.code == code, file, line, "the code of the answer");
    fake_free(&r);
}

#define CHECK_RESULT(server, revision, method, params, want)                                                 \
    fake_check((server), (revision), (method), (params), 0, (want), __FILE__, __LINE__)
#define CHECK_ERROR(server, revision, method, params, code, want)                                            \
    fake_check((server), (revision), (method), (params), (code), (want), __FILE__, __LINE__)

#endif
