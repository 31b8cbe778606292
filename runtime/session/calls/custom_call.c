/* SPDX-License-Identifier: MIT */
/* Messages of extensions on their way out. The revision does not know their methods, so they are sent as
 * text. */
#include "custom_call.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../core/level.h"
#include "../core/tool_schema.h"
#include "../requests/custom_result.h"
#include "../requests/outbound.h"
#include "../requests/request.h"
#include "../revisions/profile.h"
#include "../support/pieces.h"
#include "../support/wire_names.h"

const mcpw_custom *mcpw_custom_numbered(const mcpw_session *session, const mcpw_revision *revision,
                                        int method) {
    const mcpw_extensions *const set = session->config->extensions;
    for (size_t i = 0; set != NULL && i < set->method_count; i++) {
        const mcpw_custom *const custom = set->methods + i;
        if (custom->number == method && method != 0 && custom->extension->given.revision == revision) {
            return custom;
        }
    }
    return NULL;
}

static const mcpw_binding *binding_of(const mcpw_session *session, const mcpw_profile *profile,
                                      const mcpw_custom *custom) {
    return profile->customs + (custom - session->config->extensions->methods);
}

mcpw_status mcpw_custom_may_send(const mcpw_session *session, const mcpw_profile *profile,
                                 const mcpw_custom *custom, unsigned kind, mcpw_declared declared,
                                 mcpw_error *error) {
    const unsigned from = mcpw_is_server(session) ? MCPW_METHOD_FROM_SERVER : MCPW_METHOD_FROM_CLIENT;
    const bool asks_client = kind == MCPW_METHOD_REQUEST && mcpw_is_server(session);
    if (!profile->takes_extensions || asks_client || (custom->flags & kind) == 0 ||
        (custom->flags & from) == 0) {
        return mcpw_error_set(error, MCPW_E_METHOD, 0, "this end sends no %s \"%.*s\" in %s",
                              kind == MCPW_METHOD_REQUEST ? "request" : "notification", (int)custom->name.len,
                              custom->name.ptr, mcpw_revision_name(profile->revision));
    }
    if (!mcpw_declares(declared, custom->extension->capability)) {
        return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "the peer has not declared \"%s\"",
                              custom->extension->capability);
    }
    return MCPW_OK;
}

/* ---- Params ---- */

static const char level_name[] = "io.modelcontextprotocol/logLevel";

static bool lacks(mcpw_json object, const char *name) {
    mcpw_json found;
    return object.ptr == NULL || mcpw_json_get(object, name, &found) != MCPW_OK;
}

/* Writes the _meta of a request: the members that the revision requires, the token, and the caller's. */
static void put_meta(const mcpw_session *session, mcpw_json own, mcpw_json callers, const mcpw_id *token,
                     mcpw_text *text) {
    mcpw_text so_far = mcpw_session_text(session);
    mcpw_text_object(&so_far);
    mcpw_text_rest(&so_far, own, no_json);
    if (token != NULL) {
        mcpw_text_key(&so_far, MCPW_NAME_PROGRESS_TOKEN);
        mcpw_text_id(&so_far, token);
    }
    if (session->level != 0 && !mcpw_is_server(session) && lacks(callers, level_name)) {
        mcpw_text_member(&so_far, level_name, mcpw_level_name(session->level));
    }
    mcpw_text_object_end(&so_far);
    const mcpw_json ours = mcpw_text_get(&so_far);
    mcpw_text_key(text, MCPW_NAME_META);
    mcpw_text_object(text);
    mcpw_text_rest(text, ours, no_json);
    if (callers.ptr != NULL) {
        mcpw_text_rest(text, callers, ours);
    }
    mcpw_text_object_end(text);
    mcpw_text_free(&so_far);
}

static mcpw_status text_with_meta(const mcpw_session *session, const mcpw_profile *profile, mcpw_json params,
                                  const mcpw_id *token, mcpw_arena *arena, mcpw_json *out) {
    static const mcpw_json but = MCPW_JSON(MCPW_PIECE_ALONE(MCPW_NAME_META));
    static const mcpw_json nothing = MCPW_JSON("{}");
    mcpw_json callers = no_json;
    mcpw_text text = mcpw_session_text(session);
    if (params.ptr != NULL && mcpw_json_get(params, MCPW_NAME_META, &callers) != MCPW_OK) {
        callers = no_json;
    }
    mcpw_text_object(&text);
    put_meta(session, profile->own_meta.ptr != NULL ? profile->own_meta : nothing, callers, token, &text);
    if (params.ptr != NULL) {
        mcpw_text_rest(&text, params, but);
    }
    mcpw_text_object_end(&text);
    return mcpw_text_finish(&text, arena, out);
}

mcpw_status mcpw_params_with_meta(const mcpw_session *session, const mcpw_profile *profile, mcpw_json params,
                                  mcpw_arena *arena, mcpw_json *out) {
    *out = params;
    return profile->own_meta.ptr != NULL ? text_with_meta(session, profile, params, NULL, arena, out)
                                         : MCPW_OK;
}

static mcpw_status typed_text(const mcpw_session *session, const mcpw_profile *profile,
                              const mcpw_custom *custom, const void *params, const mcpw_id *token,
                              mcpw_arena *arena, mcpw_json *out, mcpw_error *error) {
    const mcpw_type *const type = custom->params;
    mcpw_status status =
        mcpw_profile_params_by(session, mcpw_type_revision(type), binding_of(session, profile, custom), type,
                               params, token, arena, &params);
    *out = no_json;
    if (status != MCPW_OK || params == NULL) {
        return status;
    }
    mcpw_buffer buffer = mcpw_buffer_in(arena);
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN;
    status = mcpw_encode(type, params, &buffer, &options, error);
    *out = status == MCPW_OK ? mcpw_buffer_take(&buffer) : no_json;
    return status;
}

mcpw_status mcpw_custom_text(const mcpw_session *session, const mcpw_profile *profile,
                             const mcpw_custom *custom, const mcpw_custom_given *given, const mcpw_id *token,
                             mcpw_arena *arena, mcpw_json *out, mcpw_error *error) {
    static const mcpw_json nothing = MCPW_JSON("{}");
    const bool is_request = (custom->flags & MCPW_METHOD_REQUEST) != 0;
    mcpw_status status = MCPW_OK;
    if (given->text.ptr != NULL) {
        status = mcpw_json_check(given->text, 0, error);
        if (status == MCPW_OK && mcpw_json_kind_of(given->text) != MCPW_JSON_OBJECT) {
            status = mcpw_error_set(error, MCPW_E_TYPE, 0, "the params are no JSON object");
        }
    }
    if (status == MCPW_OK && custom->params != NULL && given->text.ptr == NULL) {
        status = typed_text(session, profile, custom, given->value, token, arena, out, error);
    } else if (status == MCPW_OK && is_request) {
        status = text_with_meta(session, profile, given->text, token, arena, out);
    } else if (status == MCPW_OK) {
        *out = given->text;
    }
    const mcpw_json checked = out->ptr != NULL ? *out : nothing;
    if (status == MCPW_OK && custom->params != NULL && given->text.ptr != NULL) {
        status = mcpw_validate(custom->params, checked.ptr, checked.len, arena, NULL, error);
    }
    if (status == MCPW_OK && custom->params_schema != NULL) {
        status = mcpw_tool_schema_check(custom->params_schema, checked, arena, NULL, error);
    }
    return status;
}

mcpw_status mcpw_custom_read(const mcpw_session *session, const mcpw_custom *custom, mcpw_json result,
                             mcpw_arena *arena, mcpw_reply *reply, mcpw_error *error) {
    mcpw_status status = mcpw_custom_is_final(result)
                             ? MCPW_OK
                             : mcpw_error_set(error, MCPW_E_VALUE, 0,
                                              "the result asks for input, which %.*s "
                                              "cannot",
                                              (int)custom->name.len, custom->name.ptr);
    reply->text = result;
    if (status == MCPW_OK && custom->result_schema != NULL) {
        status = mcpw_tool_schema_check(custom->result_schema, result, arena, NULL, error);
    }
    if (status == MCPW_OK && custom->result != NULL) {
        void *const value = mcpw_arena_alloc(arena, mcpw_type_size(custom->result));
        status = value != NULL
                     ? mcpw_decode(custom->result, result.ptr, result.len, arena, value,
                                   &session->endpoint->reading, error)
                     : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        reply->type = custom->result;
        reply->value = value;
    }
    return status;
}

/* ---- Notifications ---- */

mcpw_status mcpw_custom_notify(mcpw_session *session, const mcpw_profile *profile, const mcpw_custom *custom,
                               const mcpw_custom_given *given, mcpw_declared declared,
                               const mcpw_route *route, mcpw_error *error) {
    mcpw_message message = {0};
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = session->config->allocator;
    if (mcpw_session_is_full(session)) {
        return mcpw_error_set(error, MCPW_E_FULL, 0, "%s", mcpw_status_text(MCPW_E_FULL));
    }
    mcpw_status status =
        mcpw_custom_may_send(session, profile, custom, MCPW_METHOD_NOTIFICATION, declared, error);
    message.kind = MCPW_MESSAGE_NOTIFICATION;
    message.method_name = custom->name;
    if (status == MCPW_OK) {
        status = mcpw_custom_text(session, profile, custom, given, NULL, &arena, &message.raw, error);
    }
    if (status == MCPW_OK && !session->input_ended) {
        status = mcpw_session_emit(session, profile, &message, route, error);
    }
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    mcpw_arena_free(&arena);
    return status;
}

const mcpw_custom *mcpw_custom_named(const mcpw_session *session, const char *method, mcpw_error *error) {
    const mcpw_custom *const custom =
        method != NULL ? mcpw_extensions_find(session->config->extensions, mcpw_str_from(method)) : NULL;
    if (custom == NULL) {
        mcpw_error_set(error, MCPW_E_METHOD, 0, "no extension of this end has a method \"%s\"",
                       method != NULL ? method : "");
    }
    return custom;
}

/* A request in flight whose client has declared an extension; NULL: there is none. A subscription's stream is
 * for what it names alone, and a request on another thread is that thread's to read. */
static mcpw_request *declaring(const mcpw_session *session, const mcpw_custom *custom) {
    mcpw_request *r = session->served.in_flight;
    while (r != NULL && (r->life.answered || r->filter != NULL || r->thread.detached ||
                         !mcpw_declares(mcpw_request_declared(r), custom->extension->capability))) {
        r = r->place.next;
    }
    return r;
}

mcpw_status mcpw_custom_notify_alone(mcpw_session *session, const mcpw_custom *custom,
                                     const mcpw_custom_given *given, mcpw_error *error) {
    mcpw_request *const r =
        mcpw_is_server(session) && session->profile->modern ? declaring(session, custom) : NULL;
    const mcpw_route route = r != NULL ? mcpw_route_of(r) : mcpw_no_route;
    return mcpw_custom_notify(session, session->profile, custom, given,
                              r != NULL ? mcpw_request_declared(r) : mcpw_peer_declared(session), &route,
                              error);
}

mcpw_status mcpw_session_notify_named(mcpw_session *session, const char *method, mcpw_json params,
                                      mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    error->code = MCPW_OK;
    if (mcpw_session_is_away(session)) {
        return mcpw_session_misused(session, "mcpw_session_notify_named", error);
    }
    if (session->closed || session->era == MCPW_ERA_UNKNOWN) {
        return mcpw_error_set(error, session->closed ? MCPW_E_CLOSED : MCPW_E_STATE, 0,
                              "a notification can be sent only in an open session");
    }
    const mcpw_custom *const custom = mcpw_custom_named(session, method, error);
    return custom != NULL
               ? mcpw_custom_notify_alone(session, custom, &(mcpw_custom_given){.text = params}, error)
               : MCPW_E_METHOD;
}

MCPW_POSTED(posted_notify, mcpw_request_notify_named(request, a->text, a->json, a->error))

mcpw_status mcpw_request_notify_named(mcpw_request *request, const char *method, mcpw_json params,
                                      mcpw_error *error) {
    mcpw_error local;
    error = error != NULL ? error : &local;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_notify,
                              &(mcpw_post_args){.text = method, .json = params, .error = error});
    }
    error->code = MCPW_OK;
    const mcpw_status status = mcpw_request_ended(request);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "the request has been answered or cancelled already");
    }
    const mcpw_route route = mcpw_route_of(request);
    const mcpw_custom *const custom = mcpw_custom_named(request->session, method, error);
    return custom != NULL ? mcpw_custom_notify(request->session, request->profile, custom,
                                               &(mcpw_custom_given){.text = params},
                                               mcpw_request_declared(request), &route, error)
                          : MCPW_E_METHOD;
}
