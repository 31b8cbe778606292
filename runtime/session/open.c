/* SPDX-License-Identifier: MIT */
#include "session_internal.h"

/* ---- Server ---- */

static mcpw_json keep_field(mcpw_session *session, mcpw_field field) {
    mcpw_json text;
    if (field.at == NULL || mcpw_field_text(field, &session->memory, &text) != MCPW_OK) {
        return no_json;
    }
    return text;
}

/* The client, as params of a revision without a handshake carry it: for params that come in another. */
static mcpw_status remember_client(mcpw_session *session, const mcpw_revision *revision, mcpw_json info,
                                   mcpw_json capabilities) {
    mcpw_text text = mcpw_session_text(session);
    mcpw_json version;
    mcpw_text_string(&text, mcpw_str_from(revision->name));
    const mcpw_status status = mcpw_text_finish(&text, &session->memory, &version);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_session_set_value(session, "io.modelcontextprotocol/protocolVersion", version);
    mcpw_session_set_value(session, "io.modelcontextprotocol/clientInfo", info);
    mcpw_session_set_value(session, "io.modelcontextprotocol/clientCapabilities", capabilities);
    return MCPW_OK;
}

static void put_instructions(const mcpw_session *session, mcpw_text *text) {
    if (session->config.instructions != NULL) {
        mcpw_text_key(text, "instructions");
        mcpw_text_string(text, mcpw_str_from(session->config.instructions));
    }
}

/* {..., "capabilities":...} and who this is; the text is left open. */
static mcpw_status put_self(mcpw_request *r, mcpw_text *text, mcpw_json *self) {
    mcpw_json capabilities;
    mcpw_status status = mcpw_capabilities(r->session, r->dialect, &r->arena, &capabilities);
    if (status == MCPW_OK) {
        status = mcpw_implementation(r->session, r->dialect->revision, &r->arena, self);
    }
    if (status == MCPW_OK) {
        mcpw_text_key(text, "capabilities");
        mcpw_text_json(text, capabilities);
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
    if (r->batch != NULL) {
        return mcpw_respond_error(r, MCPW_RPC_INVALID_REQUEST,
                                  "Invalid Request: initialize stands in no batch", no_json);
    }
    session->peer_info = keep_field(session, mcpw_field_get(params, "clientInfo"));
    session->peer_capabilities = keep_field(session, mcpw_field_get(params, "capabilities"));
    if (session->peer_info.ptr == NULL || session->peer_capabilities.ptr == NULL) {
        return MCPW_E_MEMORY;
    }
    mcpw_status status =
        remember_client(session, r->dialect->revision, session->peer_info, session->peer_capabilities);
    mcpw_text_put(&text, "{\"protocolVersion\":");
    mcpw_text_string(&text, mcpw_str_from(r->dialect->revision->name));
    status = status == MCPW_OK ? put_self(r, &text, &self) : status;
    status = status == MCPW_OK ? mcpw_capabilities(session, r->dialect, &session->memory, &session->declared)
                               : status;
    mcpw_text_key(&text, "serverInfo");
    mcpw_text_json(&text, self);
    put_instructions(session, &text);
    mcpw_text_put(&text, "}");
    if (status == MCPW_OK) {
        session->era = MCPW_ERA_LEGACY;
        session->dialect = r->dialect;
        session->open = false; /* until initialized */
        status = respond_text(r, &text);
        if (status != MCPW_OK) {
            session->era = MCPW_ERA_UNKNOWN; /* it may be tried again */
        }
    }
    mcpw_text_free(&text);
    if (status == MCPW_OK && session->config.on_open != NULL) {
        session->config.on_open(session->config.user, session, MCPW_OK, NULL);
    }
    return status;
}

mcpw_status mcpw_open_discover(mcpw_request *r) {
    mcpw_text text = mcpw_session_text(r->session);
    mcpw_json self = no_json;
    mcpw_text_put(&text, "{\"supportedVersions\":");
    mcpw_dialect_names(r->session, &text);
    mcpw_status status = put_self(r, &text, &self);
    put_instructions(r->session, &text);
    mcpw_text_key(&text, "_meta");
    mcpw_text_put(&text, "{\"io.modelcontextprotocol/serverInfo\":");
    mcpw_text_json(&text, self);
    mcpw_text_put(&text, "}}");
    if (status == MCPW_OK) {
        status = respond_text(r, &text);
    }
    mcpw_text_free(&text);
    return status;
}

/* ---- Client ---- */

static void begin_initialize(mcpw_session *session);
static void discover(mcpw_session *session, mcpw_dialect *dialect);

void mcpw_open_done(mcpw_session *session, mcpw_status status, const mcpw_error *error) {
    session->opening = false;
    session->open = status == MCPW_OK;
    if (session->config.on_open != NULL) {
        session->config.on_open(session->config.user, session, status, status != MCPW_OK ? error : NULL);
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

static void remember_server(mcpw_session *session, mcpw_field result, mcpw_field info) {
    mcpw_str text = mcpw_field_str(mcpw_field_get(result, "instructions"));
    session->peer_capabilities = keep_field(session, mcpw_field_get(result, "capabilities"));
    session->peer_info = keep_field(session, info);
    if (text.ptr != NULL) {
        session->instructions = mcpw_arena_str(&session->memory, text.ptr, text.len);
    }
}

static bool settle(mcpw_session *session, mcpw_dialect *dialect) {
    mcpw_json info;
    mcpw_json capabilities;
    /* Every server tells its capabilities: they are absent when there was no memory for them. */
    mcpw_status status =
        session->peer_capabilities.ptr != NULL ? mcpw_dialect_bind(session, dialect) : MCPW_E_MEMORY;
    if (status == MCPW_OK && dialect->modern) {
        status = mcpw_implementation(session, dialect->revision, &session->memory, &info);
        status =
            status == MCPW_OK ? mcpw_capabilities(session, dialect, &session->memory, &capabilities) : status;
        status = status == MCPW_OK ? remember_client(session, dialect->revision, info, capabilities) : status;
    }
    if (status != MCPW_OK) {
        fail(session, status, mcpw_status_text(status));
        return false;
    }
    session->dialect = dialect;
    session->era = dialect->modern ? MCPW_ERA_MODERN : MCPW_ERA_LEGACY;
    return true;
}

static void on_initialized(void *user, mcpw_session *session, const mcpw_reply *reply) {
    (void)user;
    if (reply->status != MCPW_OK) {
        mcpw_open_done(session, reply->status, reply->error);
        return;
    }
    const mcpw_field result = mcpw_field_of(reply->type, reply->value);
    mcpw_dialect *const dialect =
        mcpw_dialect_named(session, mcpw_field_str(mcpw_field_get(result, "protocolVersion")));
    if (dialect == NULL || dialect->modern) {
        fail(session, MCPW_E_VERSION,
             "the server answered initialize with a revision that this client lacks");
        return;
    }
    remember_server(session, result, mcpw_field_get(result, "serverInfo"));
    if (settle(session, dialect)) {
        mcpw_error error;
        const mcpw_status status = mcpw_notify_raw(session, dialect, MCPW_OWN_INITIALIZED, no_json, &error);
        mcpw_open_done(session, status, &error);
    }
}

/* Sends a request of the negotiation, its params given as text. */
static mcpw_status ask(mcpw_session *session, mcpw_dialect *dialect, mcpw_own own, mcpw_json params,
                       uint64_t timeout, mcpw_on_reply on_reply, mcpw_error *error) {
    const int number = dialect->number[own];
    const mcpw_type *const type = mcpw_method_entry(dialect->revision, number)->params;
    const mcpw_call call = {timeout, timeout, NULL};
    mcpw_send send = {dialect->revision, number, NULL, &call, on_reply, NULL, true, false};
    mcpw_status status = mcpw_dialect_bind(session, dialect);
    session->dialect = dialect;
    if (status == MCPW_OK && params.ptr != NULL) {
        void *const value = mcpw_arena_alloc(&session->scratch, type->size);
        if (value == NULL) {
            return MCPW_E_MEMORY;
        }
        status = mcpw_decode(type, params.ptr, params.len, &session->scratch, value, NULL, error);
        send.params = value;
    }
    return status == MCPW_OK ? mcpw_call_send(session, &send, NULL, error) : status;
}

static void begin_initialize(mcpw_session *session) {
    mcpw_dialect *const dialect = mcpw_dialect_newest(session, false);
    mcpw_text text = mcpw_session_text(session);
    mcpw_json part = no_json;
    mcpw_json params = no_json;
    mcpw_error error;
    if (dialect == NULL) {
        fail(session, MCPW_E_VERSION,
             "the server speaks no revision without a handshake, and this client no other");
        return;
    }
    mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    mcpw_status status = mcpw_dialect_bind(session, dialect);
    mcpw_text_put(&text, "{\"protocolVersion\":");
    mcpw_text_string(&text, mcpw_str_from(dialect->revision->name));
    if (status == MCPW_OK) {
        status = mcpw_capabilities(session, dialect, &session->scratch, &part);
        mcpw_text_key(&text, "capabilities");
        mcpw_text_json(&text, part);
    }
    if (status == MCPW_OK) {
        status = mcpw_implementation(session, dialect->revision, &session->scratch, &part);
        mcpw_text_key(&text, "clientInfo");
        mcpw_text_json(&text, part);
    }
    mcpw_text_put(&text, "}");
    if (status == MCPW_OK) {
        status = mcpw_text_finish(&text, &session->scratch, &params);
    }
    mcpw_text_free(&text);
    if (status == MCPW_OK) {
        status = ask(session, dialect, MCPW_OWN_INITIALIZE, params, session->config.request_timeout,
                     on_initialized, &error);
    }
    if (status != MCPW_OK) {
        mcpw_open_done(session, status, &error);
    }
}

/* The newest revision without a handshake that both ends have; NULL: none. */
static mcpw_dialect *common(mcpw_session *session, mcpw_json names, bool modern) {
    mcpw_dialect *best = NULL;
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_str name;
    if (names.ptr == NULL || mcpw_json_iterate(names, &it) != MCPW_OK) {
        return NULL;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (mcpw_json_string(item, &session->scratch, &name) == MCPW_OK) {
            mcpw_dialect *const d = mcpw_dialect_named(session, name);
            best = d != NULL && d->modern == modern && (best == NULL || d > best) ? d : best;
        }
    }
    return best;
}

/* The server knows revisions without a handshake, but not the one that was tried. */
static void on_unsupported(mcpw_session *session, const mcpw_reply *reply) {
    mcpw_json names = no_json;
    mcpw_ignore(mcpw_json_get(reply->remote.data, "supported", &names));
    mcpw_dialect *const other = common(session, names, true);
    if (other != NULL && other != session->dialect) {
        discover(session, other);
    } else if (common(session, names, false) != NULL) {
        begin_initialize(session);
    } else {
        fail(session, MCPW_E_VERSION, "the server speaks none of this client's revisions");
    }
}

static void on_discovered(void *user, mcpw_session *session, const mcpw_reply *reply) {
    const mcpw_revision *const revision = session->dialect->revision;
    (void)user;
    if (reply->status == MCPW_OK) {
        const mcpw_field result = mcpw_field_of(reply->type, reply->value);
        const mcpw_field info =
            mcpw_field_get(mcpw_field_get(result, "_meta"), "io.modelcontextprotocol/serverInfo");
        mcpw_json names = no_json;
        const mcpw_status status =
            mcpw_field_text(mcpw_field_get(result, "supportedVersions"), &session->scratch, &names);
        mcpw_dialect *const dialect = status == MCPW_OK ? common(session, names, true) : NULL;
        if (dialect == NULL) {
            begin_initialize(session);
            return;
        }
        remember_server(session, result, info);
        if (settle(session, dialect)) {
            mcpw_open_done(session, MCPW_OK, NULL);
        }
        return;
    }
    if (reply->status == MCPW_E_REMOTE &&
        reply->remote.code == revision->role_codes[MCPW_CODE_UNSUPPORTED_VERSION]) {
        on_unsupported(session, reply);
    } else if (reply->status == MCPW_E_CLOSED || reply->status == MCPW_E_CANCELLED ||
               mcpw_dialect_newest(session, false) == NULL ||
               (reply->status == MCPW_E_REMOTE &&
                reply->remote.code == revision->role_codes[MCPW_CODE_MISSING_CAPABILITY])) {
        mcpw_open_done(session, reply->status, reply->error);
    } else {
        begin_initialize(session);
    }
}

static void discover(mcpw_session *session, mcpw_dialect *dialect) {
    const bool can_fall_back = mcpw_dialect_newest(session, false) != NULL;
    mcpw_error error;
    mcpw_error_set(&error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    const mcpw_status status =
        ask(session, dialect, MCPW_OWN_DISCOVER, no_json,
            can_fall_back ? session->config.discover_timeout : session->config.request_timeout, on_discovered,
            &error);
    if (status != MCPW_OK) {
        mcpw_open_done(session, status, &error);
    }
}

mcpw_status mcpw_session_open(mcpw_session *session) {
    mcpw_dialect *const modern = mcpw_dialect_newest(session, true);
    if (mcpw_is_server(session) || session->opening || session->open || session->closed) {
        return MCPW_E_STATE;
    }
    session->opening = true;
    if (modern != NULL) {
        discover(session, modern);
    } else {
        begin_initialize(session);
    }
    return session->closed ? MCPW_E_STATE : MCPW_OK;
}
