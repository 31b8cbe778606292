/* SPDX-License-Identifier: MIT */
/* Extensions and middleware for tests. Names and values are random, so that nothing in the library can know
 * them. */
#ifndef MCPW_TESTS_SESSION_EXTENDING_H
#define MCPW_TESTS_SESSION_EXTENDING_H

#include "session_harness.h"

#include <time.h>

/* ---- Middleware that leaves a trace ---- */

enum { TRACE = 4096 };

static char trace[TRACE];

static inline void note(const char *what) {
    const size_t len = strlen(trace);
    (void)snprintf(trace + len, sizeof trace - len, "%s%s", len != 0 ? " " : "", what);
}

/* A middleware that leaves its name where it is, and does something in one place. */
typedef struct spy {
    const char *name;
    mcpw_status (*before)(mcpw_passage *passage);
    mcpw_status (*after)(mcpw_passage *passage);
    int entered;
    int ended;
} spy;

static inline void note_of(const spy *s, const char *what) {
    char text[HARNESS_ERROR];
    (void)snprintf(text, sizeof text, "%s%s", s->name, what);
    note(text);
}

static inline mcpw_status spy_before(mcpw_passage *passage, void *user) {
    spy *const s = user;
    note_of(s, "");
    s->entered++;
    CHECK(*mcpw_passage_state(passage) == NULL);
    *mcpw_passage_state(passage) = s;
    return s->before != NULL ? s->before(passage) : MCPW_OK;
}

static inline mcpw_status spy_after(mcpw_passage *passage, void *user) {
    spy *const s = user;
    note_of(s, "'");
    CHECK(*mcpw_passage_state(passage) == s);
    return s->after != NULL ? s->after(passage) : MCPW_OK;
}

static inline void spy_ended(mcpw_passage *passage, void *user) {
    spy *const s = user;
    CHECK(*mcpw_passage_state(passage) == s);
    s->ended++;
}

static inline void put_spy(end *e, spy *s, unsigned passes) {
    const mcpw_middleware middleware = {.name = s->name,
                                        .passes = passes,
                                        .before = spy_before,
                                        .after = spy_after,
                                        .ended = spy_ended,
                                        .user = s};
    mcpw_error error;
    CHECK(mcpw_client_add_middleware(&e->config, &middleware, &error) == MCPW_OK);
}

#define CHECK_TRACE(text) CHECK_STRING(trace, text)

/* ---- Extensions with random names ---- */

enum { NAME = 64 };

/* A value that no other run has. */
static inline unsigned nonce(void) {
    static unsigned made = 0;
    const unsigned seed = (unsigned)time(NULL) ^ (unsigned)(uintptr_t)&made ^ (unsigned)clock();
    return seed * 2654435761U + ++made * 40503U;
}

/* An extension with a request and a notification in each direction. */
typedef struct sample {
    char id[NAME];
    char request[NAME];
    char up[NAME];   /* a notification of clients */
    char down[NAME]; /* of servers */
    char settings[NAME];
    mcpw_extension_method methods[3];
    mcpw_extension extension;
    unsigned secret;
    int told;
    char got[HARNESS_TEXT];
} sample;

static inline mcpw_status answer_echo(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    sample *const s = user;
    mcpw_json given;
    mcpw_error error;
    CHECK(mcpw_str_is(call->method, s->request) && call->value == NULL);
    CHECK(mcpw_json_get(call->params, "nonce", &given) == MCPW_OK);
    const mcpw_status sent =
        mcpw_request_notify_named(request, s->down, mcpw_json_of(q("{'half':1}"), 10), &error);
    CHECK(sent == MCPW_OK);
    const char *const text = q(fmt("{'echo':%.*s,'server':%u}", (int)given.len, given.ptr, s->secret));
    return mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
}

static inline void sample_take(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    sample *const s = user;
    (void)session;
    s->told++;
    (void)snprintf(s->got, sizeof s->got, "%.*s", (int)call->params.len, call->params.ptr);
}

static inline void make_sample(sample *s, bool serves) {
    *s = (sample){.secret = nonce()};
    const unsigned tag = nonce();
    (void)snprintf(s->id, sizeof s->id, "org.x%u/e%u", tag, tag);
    (void)snprintf(s->request, sizeof s->request, "x%u/echo", tag);
    (void)snprintf(s->up, sizeof s->up, "notifications/x%u/up", tag);
    (void)snprintf(s->down, sizeof s->down, "notifications/x%u/down", tag);
    (void)snprintf(s->settings, sizeof s->settings, "{\"secret\":%u}", s->secret);
    s->extension = (mcpw_extension)MCPW_EXTENSION_INIT;
    s->extension.id = s->id;
    s->extension.settings = mcpw_json_of(s->settings, strlen(s->settings));
    s->extension.methods = s->methods;
    s->extension.method_count = 3;
    s->extension.user = s;
    s->methods[0] = (mcpw_extension_method){.name = s->request, .request = serves ? answer_echo : NULL};
    s->methods[1] = (mcpw_extension_method){.name = s->up,
                                            .from = MCPW_ROLE_CLIENT,
                                            .is_notification = true,
                                            .notification = serves ? sample_take : NULL};
    s->methods[2] = (mcpw_extension_method){
        .name = s->down, .is_notification = true, .notification = serves ? NULL : sample_take};
}

/* The same extension as the other end has it. */
static inline void make_peer(sample *s, const sample *of) {
    make_sample(s, false);
    memcpy(s->id, of->id, sizeof s->id);
    memcpy(s->request, of->request, sizeof s->request);
    memcpy(s->up, of->up, sizeof s->up);
    memcpy(s->down, of->down, sizeof s->down);
}

static inline end *extended_end(mcpw_role role, const sample *s) {
    end *const e = end_make(role, MODERN, MODERN);
    mcpw_error error;
    if (role == MCPW_ROLE_SERVER) {
        end_serve(e, "tools/list", list_one_tool);
    }
    if (s != NULL) {
        CHECK(mcpw_client_add_extension(&e->config, &s->extension, &error) == MCPW_OK);
    }
    return e;
}

static inline void open_extended(end *client, end *server) {
    open_pair(client, server, MODERN);
    client->unchecked = server->unchecked = true; /* the revision does not know the methods */
}

static inline void keep_reply_text(void *user, mcpw_session *session, const mcpw_reply *reply) {
    end *const e = user;
    (void)session;
    e->out.count++;
    e->out.status = reply->status;
    e->out.code = reply->remote.code;
    (void)snprintf(e->out.text, sizeof e->out.text, "%.*s",
                   reply->status == MCPW_OK ? (int)reply->text.len : (int)reply->remote.data.len,
                   reply->status == MCPW_OK ? reply->text.ptr : reply->remote.data.ptr);
    (void)snprintf(e->out.why, sizeof e->out.why, "%s", reply->error != NULL ? reply->error->message : "");
}

static inline mcpw_status ask_named(end *e, const char *method, const char *params, mcpw_error *error) {
    const char *const text = q(params);
    return mcpw_session_request_named(e->session, method, mcpw_json_of(text, strlen(text)), NULL,
                                      keep_reply_text, e, NULL, error);
}

#endif
