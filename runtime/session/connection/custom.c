/* SPDX-License-Identifier: MIT */
/* Requests and notifications of extensions. The revision does not know their methods, so the message has
 * their params as text. Here they get the type that the extension states, and its handler. */
#include "custom.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>
#include <mcpw/extension_kit.h>

#include "../core/tool_schema.h"
#include "../requests/refuse.h"
#include "../revisions/declared.h"
#include "../revisions/extension_check.h"
#include "../support/print.h"

static bool is_received(const mcpw_session *session, const mcpw_custom *custom, unsigned kind) {
    const unsigned from = mcpw_is_server(session) ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    return (custom->flags & kind) != 0 && (custom->flags & from) != 0;
}

/* Whether a method is one of extensions in a revision, or one of its core. */
static bool is_in(const mcpw_profile *profile, const mcpw_custom *custom, int method) {
    return profile->takes_extensions ? custom->scope != MCPW_SCOPE_CORE
                                     : custom->scope != MCPW_SCOPE_EXTENSION && method != 0;
}

/* The method of a message, if this end serves it in this revision; else NULL. */
static const mcpw_custom *find(const mcpw_request *r, unsigned kind) {
    const mcpw_session *const session = r->session;
    const mcpw_custom *const custom =
        r->profile->customs != NULL
            ? mcpw_extensions_find(session->config->extensions, r->message.method_name)
            : NULL;
    return custom != NULL && is_in(r->profile, custom, r->message.method) &&
                   is_received(session, custom, kind) && mcpw_custom_is_served(session->endpoint, custom)
               ? custom
               : NULL;
}

/* Reads params that came as text by the type that the extension states. */
static mcpw_status read_params(mcpw_request *r, const mcpw_custom *custom, mcpw_error *error) {
    const mcpw_type *const type = mcpw_custom_params(custom, r->profile->revision);
    static const mcpw_json nothing = MCPW_JSON("{}");
    mcpw_json params = r->message.raw.ptr != NULL ? r->message.raw : nothing;
    mcpw_status status = MCPW_OK;
    if (r->message.method != 0 ||
        (r->message.raw.ptr == NULL && (custom->flags & MCPW_METHOD_REQUEST) == 0)) {
        return MCPW_OK; /* the revision's own tables have read it, or there is nothing */
    }
    if (type != NULL) {
        void *const value = mcpw_arena_alloc(&r->arena, mcpw_type_size(type));
        status = value != NULL
                     ? mcpw_decode(type, params.ptr, params.len, &r->arena, value,
                                   &r->session->endpoint->reading, error)
                     : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        r->message.type = type;
        r->message.value = value;
    }
    if (status == MCPW_OK && custom->params_schema != NULL) {
        status = mcpw_tool_schema_check(custom->params_schema, params, &r->session->scratch, NULL, error);
    }
    if (status != MCPW_OK) {
        r->message.type = NULL;
        r->message.value = NULL;
    }
    return status;
}

bool mcpw_custom_admits(mcpw_request *r) {
    const mcpw_custom *const custom = r->custom;
    const mcpw_extensions *const set = r->session->config->extensions;
    struct mcpw_schema *const schema = custom->params_schema;
    if ((schema == NULL ||
         mcpw_tool_schema_check(schema, r->message.raw, &r->session->scratch, NULL, NULL) == MCPW_OK) &&
        mcpw_request_declares(r, (size_t)(custom->extension - set->items), custom->extension->capability)) {
        r->binding = r->profile->customs + (custom - set->methods);
        return true;
    }
    r->custom = NULL;
    r->message.type = NULL;
    r->message.value = NULL;
    return false;
}

void mcpw_custom_take(mcpw_request *r, bool *admitted, mcpw_verdict *verdict) {
    mcpw_error error;
    const mcpw_custom *const custom = r->message.method == 0 ? find(r, MCPW_METHOD_REQUEST) : NULL;
    if (custom == NULL || !mcpw_is_server(r->session)) {
        return; /* servers make no requests in revisions with extensions */
    }
    r->custom = custom;
    r->binding = r->profile->customs + (custom - r->session->config->extensions->methods);
    *verdict = (mcpw_verdict){.reaction = MCPW_REACTION_REFUSE, .code = MCPW_RPC_INVALID_PARAMS};
    if (read_params(r, custom, &error) != MCPW_OK) {
        (void)mcpw_print_text(verdict->answer, sizeof verdict->answer, "Invalid params: /params%s: %.100s",
                              error.path, error.message);
        return;
    }
    *admitted = mcpw_declares(mcpw_request_declared(r), custom->extension->capability);
    if (!*admitted) {
        verdict->rule = MCPW_RULE_EXTENSION;
        verdict->capability = custom->extension->capability;
    }
}

bool mcpw_custom_is_of(mcpw_request *r) {
    if (r->custom == NULL && r->binding->own == MCPW_OWN_NONE && r->binding->handler == 0) {
        r->custom = find(r, MCPW_METHOD_REQUEST); /* the revision has it, because the extension brings that */
    }
    return r->custom != NULL;
}

/* ---- Handlers ---- */

static void *user_of(const mcpw_session *session, const mcpw_custom *custom) {
    return custom->extension->given.user != NULL ? custom->extension->given.user : session->user;
}

/* Runs on this thread or on a worker. */
static mcpw_status run_handler(mcpw_request *r, const void *what) {
    const mcpw_custom *const custom = r->custom;
    const mcpw_extension_call *const call = what;
    const mcpw_dispatch *const dispatch = mcpw_custom_dispatch(r->session->endpoint, custom);
    void *const user = user_of(r->session, custom);
    return dispatch != NULL
               ? dispatch->request(custom->extension->given.handlers, custom->number, r, call->value, user)
               : custom->request(r, call, user);
}

/* The params as text, if a handler that was declared by hand wants them. */
static mcpw_json text_of(mcpw_request *r) {
    mcpw_json text = r->message.raw;
    if (text.ptr == NULL && r->message.value != NULL &&
        mcpw_field_text(mcpw_field_of(r->message.type, r->message.value), &r->arena, &text) != MCPW_OK) {
        text = no_json;
    }
    return text;
}

static mcpw_extension_call call_of(mcpw_request *r, const mcpw_custom *custom) {
    return (mcpw_extension_call){r->message.method_name, text_of(r),
                                 custom->params != NULL ? r->message.value : NULL};
}

mcpw_status mcpw_custom_serve(mcpw_request *r) {
    mcpw_extension_call *const call = mcpw_arena_alloc(&r->arena, sizeof *call);
    if (call == NULL) {
        return MCPW_E_MEMORY;
    }
    *call = call_of(r, r->custom);
    return r->custom->on_session_thread ? run_handler(r, call) : mcpw_request_serve(r, run_handler, call);
}

bool mcpw_custom_take_notification(mcpw_request *r, bool *usable) {
    mcpw_error error;
    r->custom = find(r, MCPW_METHOD_NOTIFICATION);
    if (r->custom == NULL) {
        return false;
    }
    *usable = read_params(r, r->custom, &error) == MCPW_OK;
    if (!*usable) {
        mcpw_session_diagnose(r->session, MCPW_DIAGNOSTIC_BAD_MESSAGE, NULL, r->message.method_name, &error);
    }
    return true;
}

void mcpw_custom_notify_handler(mcpw_request *r) {
    mcpw_session *const session = r->session;
    const mcpw_custom *const custom = r->custom;
    const mcpw_extension_call call = call_of(r, custom);
    const mcpw_dispatch *const dispatch = mcpw_custom_dispatch(session->endpoint, custom);
    void *const user = user_of(session, custom);
    if (dispatch != NULL) {
        dispatch->notification(custom->extension->given.handlers, custom->number, session, call.value, user);
    } else {
        custom->notification(session, &call, user);
    }
}

/* ---- What is there ---- */

const char *mcpw_session_extension(const mcpw_session *session, size_t index) {
    const mcpw_extensions *const set = session->config->extensions;
    return set != NULL && index < set->count ? set->items[index].given.id : NULL;
}

const char *mcpw_session_middleware(const mcpw_session *session, size_t index) {
    const mcpw_extensions *const set = session->config->extensions;
    return set != NULL && index < set->middleware_count ? set->middleware[index].name : NULL;
}

/* The settings of an extension among capabilities; absent: it is not declared. */
static mcpw_json settings_in(mcpw_json capabilities, const char *id) {
    mcpw_json found = no_json;
    return capabilities.ptr != NULL && id != NULL &&
                   mcpw_json_get(capabilities, "extensions", &found) == MCPW_OK &&
                   mcpw_json_get(found, id, &found) == MCPW_OK
               ? found
               : no_json;
}

void *mcpw_request_extension_user(const mcpw_request *request, const char *id) {
    const mcpw_registered *const item = mcpw_extensions_by_id(request->session->config->extensions, id);
    return item != NULL ? item->given.user : NULL;
}

void *mcpw_session_extension_user(const mcpw_session *session, const char *id, const void *tag) {
    const mcpw_registered *const item = mcpw_extensions_by_id(session->config->extensions, id);
    return item != NULL && item->given.tag == tag ? item->given.user : NULL;
}

void **mcpw_session_extension_state(mcpw_session *session, const char *id) {
    const mcpw_extensions *const set = session->config->extensions;
    const mcpw_registered *const item = mcpw_extensions_by_id(set, id);
    if (item != NULL && session->states == NULL) {
        session->states = mcpw_session_room(session, set->count * sizeof *session->states);
    }
    return item != NULL && session->states != NULL ? session->states + (item - set->items) : NULL;
}

mcpw_json mcpw_session_settings(const mcpw_session *session, const char *id) {
    return settings_in(session->peer.capabilities, id);
}

mcpw_json mcpw_request_settings(mcpw_request *request, const char *id) {
    return settings_in(mcpw_request_client_capabilities(request), id);
}
