/* SPDX-License-Identifier: MIT */
/* A client, the two ends of a gateway, and a server, with an extension of random names and values. */
#ifndef MCPW_TESTS_SESSION_GATEWAY_H
#define MCPW_TESTS_SESSION_GATEWAY_H

#include "session_extending.h"

/* Members that nobody knows, of a number that no double holds and of a key with an escape. */
#define STRANGE "'org.x/n':{'deep':[9007199254740993,1.50e2,null,{'\\u0061':'%s'}]}"

/* The parties. `front` has the client, `back` the server. */
typedef struct gateway {
    end *client;
    end *front;
    end *back;
    end *server;
    sample of_client;
    sample of_front;
    sample of_back;
    sample of_server;
    char secret[NAME];
    spy a; /* middleware of both ends of the gateway */
    spy b;
    bool is_poor; /* notifications may be lost for lack of memory */
} gateway;

static gateway it;

static inline const char *strange(void) { return fmt(STRANGE, it.secret); }

/* ---- The gateway ---- */

static inline mcpw_status relay_request(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    (void)user;
    return mcpw_request_relay_named(request, call->method.ptr, call->params,
                                    it.back != NULL ? it.back->session : NULL);
}

static inline void relay_notification(mcpw_session *session, const mcpw_extension_call *call, void *user) {
    const bool from_client = session == it.front->session;
    sample *const s = user;
    s->told++;
    const mcpw_status status = mcpw_session_relay_named(
        session, call->method.ptr, call->params, from_client ? it.back->session : it.front->session, NULL);
    CHECK(status == MCPW_OK || (it.is_poor && status == MCPW_E_MEMORY));
}

/* ---- The ends ---- */

/* Answers with the params, and says a notification before that. */
static inline mcpw_status answer_all(mcpw_request *request, const mcpw_extension_call *call, void *user) {
    sample *const s = user;
    (void)snprintf(s->got, sizeof s->got, "%.*s", (int)call->params.len, call->params.ptr);
    const char *const note = q(fmt("{'_meta':{%s},'half':1,%s}", strange(), strange()));
    CHECK(mcpw_request_notify_named(request, s->down, mcpw_json_of(note, strlen(note)), NULL) == MCPW_OK);
    const char *const text = q(fmt("{'_meta':{%s},'ok':true,%s}", strange(), strange()));
    return mcpw_respond_json(request, mcpw_json_of(text, strlen(text)), NULL);
}

/* An end that does not check its lines: the revision does not know the methods. */
static inline end *party(mcpw_role role, sample *s) {
    end *const e = extended_end(role, s);
    e->unchecked = true;
    return e;
}

static inline bool run_once(void) {
    bool any = carry(it.client, it.front, NULL);
    any = carry(it.back, it.server, NULL) || any;
    any = carry(it.server, it.back, NULL) || any;
    return carry(it.front, it.client, NULL) || any;
}

static inline void run_gateway(void) {
    while (run_once()) {
    }
}

static inline void make_gateway(void) {
    memset(&it, 0, sizeof it);
    (void)snprintf(it.secret, sizeof it.secret, "%u-%u", nonce(), nonce());
    make_sample(&it.of_server, true);
    make_peer(&it.of_client, &it.of_server);
    make_peer(&it.of_front, &it.of_server);
    make_peer(&it.of_back, &it.of_server);
    it.of_front.methods[0].request = relay_request;
    it.of_front.methods[1].notification = relay_notification;
    it.of_front.methods[2].notification = NULL;
    it.of_back.methods[2].notification = relay_notification;
    it.of_server.methods[0].request = answer_all;
}

/* The server's end comes first, and then what the gateway declares is what that server has declared. */
static inline void open_gateway(void) {
    static char capabilities[HARNESS_TEXT];
    it.server = party(MCPW_ROLE_SERVER, &it.of_server);
    it.back = party(MCPW_ROLE_CLIENT, &it.of_back);
    it.client = party(MCPW_ROLE_CLIENT, &it.of_client);
    open_extended(it.back, it.server);
    const mcpw_json theirs = mcpw_session_peer_capabilities(it.back->session);
    (void)snprintf(capabilities, sizeof capabilities, "%.*s", (int)theirs.len, theirs.ptr);
    it.of_front.extension.settings = mcpw_json_of(NULL, 0);
    it.front = party(MCPW_ROLE_SERVER, &it.of_front);
    it.front->config.capabilities = mcpw_json_of(capabilities, strlen(capabilities));
    if (it.a.name != NULL) {
        put_spy(it.front, &it.a, MCPW_PASS_ALL);
        put_spy(it.front, &it.b, MCPW_PASS_ALL);
    }
    open_extended(it.client, it.front);
}

static inline void close_gateway(void) {
    end *const all[] = {it.client, it.front, it.back, it.server};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        end_free(all[i]);
    }
}

static inline void ask_gateway(const char *params) {
    mcpw_error error;
    CHECK(ask_named(it.client, it.of_client.request, params, &error) == MCPW_OK);
    run_gateway();
}

#endif
