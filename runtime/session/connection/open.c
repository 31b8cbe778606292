/* SPDX-License-Identifier: MIT */
/* Negotiation of the revision: initialize and server/discover, at both ends. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/error.h>

#include "open.h"

#include "../calls/call.h"
#include "../core/threads.h"
#include "../requests/outbound.h"
#include "../requests/respond.h"
#include "../revisions/capability.h"
#include "../revisions/profile.h"
#include "../support/wire_names.h"

/* Members by which the two ends say who they are. */
static const char supported_versions[] = "supportedVersions";
static const char client_info[] = "clientInfo";
static const char server_info[] = "serverInfo";
static const char instructions_name[] = "instructions";

/* ---- Server ---- */

static mcpw_json keep_field(mcpw_session *session, mcpw_field field) {
    mcpw_json text;
    if (field.at == NULL || mcpw_field_text(field, &session->scratch, &text) != MCPW_OK) {
        return no_json;
    }
    return mcpw_session_keep(session, text);
}

/* Keeps what is known of the client as params without a handshake carry it, for the params that come in
 * another revision. */
static mcpw_status remember_client(mcpw_session *session, const mcpw_revision *revision, mcpw_json info,
                                   mcpw_json capabilities) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_json version;
    mcpw_text_string(&text, mcpw_str_from(mcpw_revision_wire(revision)));
    version = mcpw_session_keep(session, mcpw_text_get(&text));
    mcpw_text_free(&text);
    if (version.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_session_set_value(session, MCPW_META_PROTOCOL_VERSION, version);
    mcpw_session_set_value(session, MCPW_META_CLIENT_INFO, info);
    mcpw_session_set_value(session, MCPW_META_CLIENT_CAPABILITIES, capabilities);
    return MCPW_OK;
}

/* Keeps what this end offers, as the peer gets it now. */
static mcpw_status keep_own_capabilities(mcpw_session *session, const mcpw_profile *profile, mcpw_json *out) {
    mcpw_json text;
    const mcpw_status status = mcpw_capabilities(session->endpoint, profile, &session->scratch, &text);
    *out = status == MCPW_OK ? mcpw_session_keep(session, text) : no_json;
    return status == MCPW_OK && out->ptr == NULL ? MCPW_E_MEMORY : status;
}

static void put_instructions(const mcpw_session *session, mcpw_text *text) {
    if (session->config->instructions != NULL) {
        mcpw_text_member(text, instructions_name, mcpw_str_from(session->config->instructions));
    }
}

/* The name and version of an Implementation, without its other members. */
static mcpw_status shorten(mcpw_session *session, mcpw_field info, mcpw_json *out) {
    static const char *const members[] = {"name", "version"};
    mcpw_text text = mcpw_session_text(session);
    mcpw_text_object(&text);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        mcpw_text_member(&text, members[i], mcpw_field_str(mcpw_field_get(info, members[i])));
    }
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, &session->scratch, out);
}

/* Keeps what the peer says it is. If that is too long, only its name and version are kept. MCPW_E_SIZE: these
 * are too long as well, and nothing is kept. */
static mcpw_status keep_info(mcpw_session *session, mcpw_field info) {
    mcpw_json text = no_json;
    session->peer.info = no_json;
    if (info.at == NULL) {
        return MCPW_OK;
    }
    mcpw_status status = mcpw_field_text(info, &session->scratch, &text);
    if (status == MCPW_OK && text.len > MCPW_MAX_PEER_INFO) {
        status = shorten(session, info, &text);
    }
    if (status != MCPW_OK) {
        return status;
    }
    if (text.len > MCPW_MAX_PEER_INFO) {
        return MCPW_E_SIZE;
    }
    session->peer.info = mcpw_session_keep(session, text);
    return session->peer.info.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

/* Keeps what initialize said of the client, and what this end declares to it. MCPW_E_SIZE: a member of the
 * params is too long, nothing is kept, and *why says so. */
static mcpw_status keep_client(mcpw_session *session, const mcpw_profile *profile, mcpw_field params,
                               const char **why) {
    const mcpw_kept *const before = session->kept;
    *why = "Invalid params: /params/clientInfo: too long";
    mcpw_status status = keep_info(session, mcpw_field_get(params, client_info));
    if (status == MCPW_OK) {
        *why = "Invalid params: /params/capabilities: too long";
        status =
            mcpw_declared_keep(session, keep_field(session, mcpw_field_get(params, MCPW_NAME_CAPABILITIES)));
    }
    if (status == MCPW_OK) {
        status = remember_client(session, profile->revision, session->peer.info, session->peer.capabilities);
    }
    if (status == MCPW_OK) {
        status = keep_own_capabilities(session, profile, &session->declared);
    }
    if (status == MCPW_E_SIZE) {
        mcpw_session_forget(session, before); /* so that repeating it takes no more memory */
        session->peer.info = session->peer.capabilities = no_json;
    }
    return status;
}

/* Writes the capabilities and who this is. The object is left open. */
static mcpw_status put_self(mcpw_request *r, mcpw_text *text, mcpw_json *self) {
    mcpw_json capabilities;
    mcpw_status status = mcpw_capabilities(r->session->endpoint, r->profile, &r->arena, &capabilities);
    if (status == MCPW_OK) {
        status = mcpw_implementation(r->session->endpoint, r->profile->revision, &r->arena, self);
    }
    if (status == MCPW_OK) {
        mcpw_text_member_json(text, MCPW_NAME_CAPABILITIES, capabilities);
    }
    return status;
}

static mcpw_status respond_text(mcpw_request *r, mcpw_text *text) {
    mcpw_json result;
    const mcpw_status status = mcpw_text_finish(text, &r->arena, &result);
    return status == MCPW_OK ? mcpw_respond_json(r, result, NULL) : status;
}

mcpw_status mcpw_open_initialize(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const mcpw_field params = mcpw_field_of(r->message.type, r->message.value);
    mcpw_text text = mcpw_session_text(session);
    mcpw_json self = no_json;
    const char *why = NULL;
    mcpw_status status = keep_client(session, r->profile, params, &why);
    if (status == MCPW_E_SIZE) {
        return mcpw_respond_error(r, MCPW_RPC_INVALID_PARAMS, why, no_json);
    }
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_text_object(&text);
    mcpw_text_member(&text, MCPW_NAME_PROTOCOL_VERSION, r->profile->name);
    status = put_self(r, &text, &self);
    mcpw_text_member_json(&text, server_info, self);
    put_instructions(session, &text);
    mcpw_text_object_end(&text);
    if (status == MCPW_OK) {
        session->era = MCPW_ERA_LEGACY;
        session->profile = r->profile;
        session->open = false; /* until initialized comes */
        status = respond_text(r, &text);
        if (status != MCPW_OK) {
            session->era = MCPW_ERA_UNKNOWN; /* it may be tried again */
        }
    }
    mcpw_text_free(&text);
    if (status == MCPW_OK && session->config->on_open != NULL) {
        session->config->on_open(session->user, session, MCPW_OK, NULL);
    }
    return status;
}

mcpw_status mcpw_session_restore(mcpw_session *session, mcpw_str revision, mcpw_json params) {
    const mcpw_profile *const profile = mcpw_profile_named(session, revision);
    const char *why = NULL;
    if (!mcpw_is_server(session) || session->era != MCPW_ERA_UNKNOWN || session->closed) {
        return MCPW_E_STATE;
    }
    if (profile == NULL || profile->modern) {
        return MCPW_E_VERSION;
    }
    const mcpw_type *const type =
        mcpw_method_params(mcpw_method_entry(profile->revision, profile->number[MCPW_OWN_INITIALIZE]));
    void *const value = mcpw_arena_alloc(&session->scratch, mcpw_type_size(type));
    mcpw_status status = value == NULL ? MCPW_E_MEMORY
                                       : mcpw_decode(type, params.ptr, params.len, &session->scratch, value,
                                                     &session->endpoint->reading, NULL);
    if (status == MCPW_OK) {
        status = keep_client(session, profile, mcpw_field_of(type, value), &why);
    }
    if (status == MCPW_OK) {
        session->era = MCPW_ERA_LEGACY;
        session->profile = profile;
    }
    mcpw_arena_tidy(&session->scratch);
    if (status == MCPW_OK && session->config->on_open != NULL) {
        session->config->on_open(session->user, session, MCPW_OK, NULL);
    }
    return status;
}

mcpw_status mcpw_open_discover(mcpw_request *r) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_json self = no_json;
    mcpw_text_object(&text);
    mcpw_text_key(&text, supported_versions);
    mcpw_profile_names(r->session, &text);
    mcpw_status status = put_self(r, &text, &self);
    put_instructions(r->session, &text);
    mcpw_text_key(&text, MCPW_NAME_META);
    mcpw_text_object(&text);
    mcpw_text_member_json(&text, MCPW_META_SERVER_INFO, self);
    mcpw_text_object_end(&text);
    mcpw_text_object_end(&text);
    if (status == MCPW_OK) {
        status = respond_text(r, &text);
    }
    mcpw_text_free(&text);
    return status;
}

/* ---- Client ---- */

/*
 * server/discover goes first. A server that does not answer it within discover_timeout_ms may have a
 * handshake and be silent, or be slow to start: initialize is tried, too, and from then on both are under
 * way.
 *
 *   initialize succeeds                  a revision with a handshake, whatever the other answer is: a server
 *                                        that has both has chosen that one now
 *   initialize is refused                the answer to server/discover counts, if it comes within another
 *                                        discover_timeout_ms
 *   initialize is answered with -32022   the server has no handshake: server/discover is sent again
 */

static void begin_initialize(mcpw_session *session);
static void discover(mcpw_session *session, const mcpw_profile *profile);

enum { MOST_PROBES = 4 /* requests of server/discover; a server that answers -32022 to each is given up */ };

/* Drops a request of the negotiation, whose response is no longer needed. */
static void drop(mcpw_session *session, int64_t *number) {
    mcpw_pending *const p = *number != 0 ? mcpw_pending_numbered(session, *number) : NULL;
    *number = 0;
    if (p != NULL) {
        mcpw_pending_release(p);
    }
}

void mcpw_open_done(mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    session->negotiation.under_way = false;
    session->negotiation.due = UINT64_MAX;
    session->open = status == MCPW_OK;
    drop(session, &session->negotiation.probe);
    drop(session, &session->negotiation.handshake);
    if (session->config->on_open != NULL) {
        session->config->on_open(session->user, session, status, status != MCPW_OK ? error : NULL);
    }
    if (status == MCPW_OK) {
        mcpw_call_flush(session);
    } else {
        mcpw_session_close(session);
    }
}

static void fail(mcpw_session *session, mcpw_status status, const char *why) {
    mcpw_error error;
    mcpw_error_set(&error, status, 0, "%s", why);
    mcpw_open_done(session, status, &error);
}

/* Keeps what the server says about its use, if that is not too long. */
static void keep_instructions(mcpw_session *session, mcpw_str text) {
    session->peer.instructions = no_str;
    if (text.len > MCPW_MAX_INSTRUCTIONS) {
        mcpw_error error;
        mcpw_error_set(&error, MCPW_E_SIZE, 0, "the server's instructions are left out: they have %zu bytes",
                       text.len);
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_BAD_MESSAGE, NULL, no_str, &error);
        return;
    }
    const mcpw_json kept = mcpw_session_keep(session, (mcpw_json){text.ptr, text.len, 0});
    session->peer.instructions = (mcpw_str){kept.ptr, kept.len};
}

static void remember_server(mcpw_session *session, mcpw_field result, mcpw_field info) {
    mcpw_ignore(keep_info(session, info)); /* who the server is decides nothing */
    /* A failure shows when the server is settled on. */
    mcpw_ignore(
        mcpw_declared_keep(session, keep_field(session, mcpw_field_get(result, MCPW_NAME_CAPABILITIES))));
    keep_instructions(session, mcpw_field_str(mcpw_field_get(result, instructions_name)));
}

static bool settle(mcpw_session *session, const mcpw_profile *profile) {
    mcpw_json info;
    mcpw_json capabilities;
    /* Every server states its capabilities. They are absent only when there was no memory for them. */
    mcpw_status status = session->peer.index != NULL                              ? MCPW_OK
                         : session->peer.capabilities.len > MCPW_MAX_CAPABILITIES ? MCPW_E_SIZE
                                                                                  : MCPW_E_MEMORY;
    if (status == MCPW_OK && profile->modern) {
        status = mcpw_implementation(session->endpoint, profile->revision, &session->scratch, &info);
        info = status == MCPW_OK ? mcpw_session_keep(session, info) : no_json;
        status = status == MCPW_OK && info.ptr == NULL ? MCPW_E_MEMORY : status;
        status = status == MCPW_OK ? keep_own_capabilities(session, profile, &capabilities) : status;
        status = status == MCPW_OK ? remember_client(session, profile->revision, info, capabilities) : status;
        session->declared = status == MCPW_OK ? capabilities : no_json;
    }
    if (status != MCPW_OK) {
        fail(session, status, mcpw_status_text(status));
        return false;
    }
    session->profile = profile;
    session->era = profile->modern ? MCPW_ERA_MODERN : MCPW_ERA_LEGACY;
    return true;
}

/* The server has answered server/discover, so it is spoken to without a handshake. */
static void adopt(mcpw_session *session, const mcpw_profile *profile) {
    if (settle(session, profile)) {
        mcpw_open_done(session, MCPW_OK, NULL);
    }
}

/* The newest revision of an era that both ends have; NULL: none. */
static const mcpw_profile *common(mcpw_session *session, mcpw_json names, bool modern) {
    const mcpw_profile *best = NULL;
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_str name;
    if (names.ptr == NULL || mcpw_json_iterate(names, &it) != MCPW_OK) {
        return NULL;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (mcpw_json_string(item, &session->scratch, &name) == MCPW_OK) {
            const mcpw_profile *const d = mcpw_profile_named(session, name);
            best = d != NULL && d->modern == modern && (best == NULL || d > best) ? d : best;
        }
    }
    return best;
}

/* Whether a reply says that the server has no such revision; names are those that it has. */
static bool is_unsupported(mcpw_session *session, const mcpw_reply *reply, mcpw_json *names) {
    const mcpw_profile *const modern = mcpw_profile_newest(session, true);
    *names = no_json;
    if (modern == NULL || reply->status != MCPW_E_REMOTE ||
        reply->remote.code != mcpw_protocol_code(modern->revision, MCPW_CODE_UNSUPPORTED_VERSION)) {
        return false;
    }
    mcpw_ignore(mcpw_json_get(reply->remote.data, "supported", names));
    return true;
}

/* initialize was refused. The answer to server/discover may be late. This error is reported if it does not
 * come. */
static void on_refused(mcpw_session *session, const mcpw_reply *reply) {
    mcpw_json names;
    const mcpw_profile *const other =
        is_unsupported(session, reply, &names) ? common(session, names, true) : NULL;
    if (session->negotiation.found != NULL && reply->status != MCPW_E_CLOSED) {
        adopt(session, session->negotiation.found);
    } else if (other != NULL && session->negotiation.probes < MOST_PROBES) {
        drop(session, &session->negotiation.probe);
        discover(session, other);
    } else if (session->negotiation.probe != 0 &&
               (reply->status == MCPW_E_REMOTE || reply->status == MCPW_E_HTTP)) {
        session->negotiation.refusal = mcpw_session_room(session, sizeof *session->negotiation.refusal);
        if (session->negotiation.refusal != NULL) {
            *session->negotiation.refusal = *reply->error;
        }
        session->negotiation.due = mcpw_later(session->now, session->config->discover_timeout_ms);
    } else {
        mcpw_open_done(session, reply->status, reply->error);
    }
}

static void refuse_revision(mcpw_session *session, mcpw_str name) {
    char excerpt[MCPW_EXCERPT_SIZE];
    mcpw_error error;
    (void)mcpw_excerpt(excerpt, name.ptr != NULL ? name.ptr : "", name.len);
    mcpw_error_set(&error, MCPW_E_VERSION, 0,
                   "the server answered initialize with revision %s, which this client lacks", excerpt);
    mcpw_open_done(session, MCPW_E_VERSION, &error);
}

static void on_initialized(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)user;
    session->negotiation.handshake = 0;
    if (!session->negotiation.under_way) {
        return;
    }
    if (reply->status != MCPW_OK) {
        on_refused(session, reply);
        return;
    }
    const mcpw_field result = mcpw_field_of(reply->type, reply->value);
    const mcpw_profile *const profile =
        mcpw_profile_named(session, mcpw_field_str(mcpw_field_get(result, MCPW_NAME_PROTOCOL_VERSION)));
    if (profile == NULL || profile->modern) {
        refuse_revision(session, mcpw_field_str(mcpw_field_get(result, MCPW_NAME_PROTOCOL_VERSION)));
        return;
    }
    remember_server(session, result, mcpw_field_get(result, server_info));
    if (session->negotiation.under_way && settle(session, profile)) {
        mcpw_error error;
        const mcpw_status status =
            mcpw_notify_raw(session, profile, MCPW_OWN_INITIALIZED, no_json, &mcpw_no_route, &error);
        mcpw_open_done(session, status, &error);
    }
}

/* Sends a request of the negotiation with these params. */
static mcpw_status ask(mcpw_session *session, const mcpw_profile *profile, mcpw_own own, mcpw_json params,
                       uint64_t timeout, mcpw_on_reply on_reply, int64_t *sent, mcpw_error *error) {
    const int number = profile->number[own];
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(profile->revision, number));
    const mcpw_call call = {.timeout_ms = timeout, .max_timeout_ms = timeout};
    mcpw_send send = {.revision = profile->revision,
                      .method = number,
                      .call = &call,
                      .on_reply = on_reply,
                      .user = (void *)(uintptr_t)profile,
                      .unguarded = true};
    mcpw_status status = MCPW_OK;
    session->profile = profile;
    if (params.ptr != NULL) {
        void *const value = mcpw_arena_alloc(&session->scratch, mcpw_type_size(type));
        if (value == NULL) {
            return MCPW_E_MEMORY;
        }
        status = mcpw_decode(type, params.ptr, params.len, &session->scratch, value, NULL, error);
        send.params = value;
    }
    return status == MCPW_OK ? mcpw_call_send(session, &send, sent, error) : status;
}

static void begin_initialize(mcpw_session *session) {
    const mcpw_profile *const profile = mcpw_profile_newest(session, false);
    mcpw_text text = mcpw_session_text(session);
    mcpw_json part = no_json;
    mcpw_json params = no_json;
    mcpw_error error;
    session->negotiation.due = UINT64_MAX;
    session->negotiation.tried_handshake = true;
    if (profile == NULL) {
        fail(session, MCPW_E_VERSION,
             "the server has no revision without a handshake, and this client has no other");
        return;
    }
    mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    mcpw_text_object(&text);
    mcpw_text_member(&text, MCPW_NAME_PROTOCOL_VERSION, profile->name);
    mcpw_status status = keep_own_capabilities(session, profile, &session->declared);
    mcpw_text_member_json(&text, MCPW_NAME_CAPABILITIES, session->declared);
    if (status == MCPW_OK) {
        status = mcpw_implementation(session->endpoint, profile->revision, &session->scratch, &part);
        mcpw_text_member_json(&text, client_info, part);
    }
    mcpw_text_object_end(&text);
    if (status == MCPW_OK) {
        status = mcpw_text_finish(&text, &session->scratch, &params);
    }
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        status = ask(session, profile, MCPW_OWN_INITIALIZE, params, session->config->request_timeout_ms,
                     on_initialized, &session->negotiation.handshake, &error);
    }
    if (status != MCPW_OK) {
        mcpw_open_done(session, status, &error);
    }
}

/* The server knows revisions without a handshake, but not the one that was tried. */
static void on_unsupported(mcpw_session *session, mcpw_json names) {
    const mcpw_profile *const other = common(session, names, true);
    if (other != NULL && session->negotiation.probes < MOST_PROBES) {
        discover(session, other); /* it may be the same: a gateway whose server was not ready yet */
    } else if (session->negotiation.handshake != 0) {
        return; /* the answer to it decides */
    } else if (!session->negotiation.tried_handshake && common(session, names, false) != NULL) {
        begin_initialize(session);
    } else {
        fail(session, MCPW_E_VERSION, "the server speaks none of this client's revisions");
    }
}

static void on_discovery(mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_field result = mcpw_field_of(reply->type, reply->value);
    const mcpw_field info = mcpw_field_get(mcpw_field_get(result, MCPW_NAME_META), MCPW_META_SERVER_INFO);
    mcpw_json names = no_json;
    const mcpw_status status =
        mcpw_field_text(mcpw_field_get(result, supported_versions), &session->scratch, &names);
    const mcpw_profile *const profile = status == MCPW_OK ? common(session, names, true) : NULL;
    if (profile != NULL) {
        remember_server(session, result, info);
    }
    if (!session->negotiation.under_way) {
        return; /* a callback that got the server's instructions has closed the session */
    }
    if (profile != NULL && session->negotiation.handshake == 0) {
        adopt(session, profile);
    } else if (profile != NULL) {
        session->negotiation.found = profile;
        session->negotiation.due = mcpw_later(session->now, session->config->discover_timeout_ms);
    } else if (!session->negotiation.tried_handshake) {
        begin_initialize(session);
    } else if (session->negotiation.handshake == 0) {
        fail(session, MCPW_E_VERSION, "the server speaks none of this client's revisions");
    }
}

static void on_discovered(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_profile *const probed = user;
    mcpw_json names;
    session->negotiation.probe = 0;
    if (!session->negotiation.under_way) {
        return;
    }
    if (reply->status == MCPW_OK) {
        on_discovery(session, reply);
    } else if (is_unsupported(session, reply, &names)) {
        on_unsupported(session, names);
    } else if (reply->status != MCPW_E_CLOSED && session->negotiation.handshake != 0) {
        return; /* the answer to initialize decides */
    } else if (reply->status == MCPW_E_CLOSED || reply->status == MCPW_E_CANCELLED ||
               reply->status == MCPW_E_UNAUTHORIZED || session->negotiation.tried_handshake ||
               mcpw_profile_newest(session, false) == NULL ||
               (reply->status == MCPW_E_REMOTE &&
                reply->remote.code == mcpw_protocol_code(probed->revision, MCPW_CODE_MISSING_CAPABILITY))) {
        const bool refused = session->negotiation.refusal != NULL && reply->status != MCPW_E_CLOSED;
        const mcpw_error *const error = refused ? session->negotiation.refusal : reply->error;
        mcpw_open_done(session, error->code, error);
    } else {
        begin_initialize(session);
    }
}

static void discover(mcpw_session *session, const mcpw_profile *profile) {
    const bool can_fall_back =
        !session->negotiation.tried_handshake && mcpw_profile_newest(session, false) != NULL;
    const uint64_t patience = session->config->request_timeout_ms;
    const uint64_t until_then = can_fall_back ? session->config->discover_timeout_ms : 0;
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    session->negotiation.probes++;
    session->negotiation.due = can_fall_back ? mcpw_later(session->now, until_then) : UINT64_MAX;
    const mcpw_status status =
        ask(session, profile, MCPW_OWN_DISCOVER, no_json, mcpw_later(until_then, patience), on_discovered,
            &session->negotiation.probe, &error);
    if (status != MCPW_OK) {
        mcpw_open_done(session, status, &error);
    }
}

void mcpw_open_overdue(mcpw_session *session) {
    session->negotiation.due = UINT64_MAX;
    if (session->negotiation.found != NULL) {
        adopt(session, session->negotiation.found);
    } else if (session->negotiation.refusal != NULL) {
        mcpw_open_done(session, session->negotiation.refusal->code, session->negotiation.refusal);
    } else {
        begin_initialize(session);
    }
}

mcpw_status mcpw_session_open(mcpw_session *session) {
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_open", NULL);
    }
    const mcpw_profile *const modern = mcpw_profile_newest(session, true);
    if (mcpw_is_server(session) || session->negotiation.under_way || session->open || session->closed) {
        return MCPW_E_STATE;
    }
    session->negotiation.under_way = true;
    if (modern != NULL) {
        discover(session, modern);
    } else {
        begin_initialize(session);
    }
    return session->closed ? MCPW_E_STATE : MCPW_OK;
}
