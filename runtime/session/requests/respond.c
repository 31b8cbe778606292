/* SPDX-License-Identifier: MIT */
/* Answers to the peer's requests: results in its revision, and errors. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/plan.h>
#include <mcpw/detail/sealed.h>
#include <mcpw/extension_kit.h>

#include "respond.h"

#include "../core/form.h"
#include "../revisions/capability.h"
#include "../revisions/judge.h"
#include "../revisions/overlaid.h"
#include "../revisions/plans.h"
#include "../revisions/profile.h"
#include "../support/pieces.h"
#include "../support/wire_names.h"
#include "outbound.h"
#include "passage.h"

/* The code for extensions and middleware, at an end that has some. */
static const mcpw_extended *extended_of(const mcpw_request *r) {
    return r->session->config->extensions->extended;
}

static mcpw_status is_over(mcpw_status status, mcpw_error *error) {
    return mcpw_error_set(error, status, 0, "the request has been answered or cancelled already");
}

static mcpw_status gone(const mcpw_request *r, mcpw_error *error) {
    const mcpw_status status = mcpw_request_ended(r);
    return status == MCPW_OK ? MCPW_OK : is_over(status, error);
}

/* An answer that cannot be sent is the handler's fault, and so is the status that it returns then. */
mcpw_status mcpw_request_unsendable(mcpw_request *r, mcpw_status status, mcpw_error *error) {
    if (status != MCPW_OK) {
        r->life.unsendable = true;
        mcpw_request_ref(r); /* the diagnostic points into it */
        mcpw_request_diagnose(r, r->binding->result, error);
        return mcpw_request_unref(r) ? status : is_over(MCPW_E_STATE, error);
    }
    return status;
}

static const mcpw_method *method_of(const mcpw_request *r) {
    return mcpw_method_entry(r->profile->revision, r->message.method);
}

/* The type in the peer's revision that stands for the handler's. */
static const mcpw_type *counterpart(const mcpw_request *r, const mcpw_type *type, mcpw_error *error) {
    const mcpw_method *const method = method_of(r);
    const mcpw_revision *const revision = mcpw_type_revision(type);
    if (revision == r->profile->revision) {
        if (type == mcpw_method_result(method) || type == mcpw_method_task_result(method) ||
            mcpw_profile_is_response(method, type)) {
            return type;
        }
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s is no result of this method", mcpw_type_name(type));
        return NULL;
    }
    const mcpw_method *const theirs =
        mcpw_method_entry(revision, mcpw_method_in(revision, r->profile->revision, r->message.method));
    const mcpw_type *const target =
        theirs == NULL                            ? NULL
        : type == mcpw_method_result(theirs)      ? mcpw_method_result(method)
        : type == mcpw_method_task_result(theirs) ? mcpw_method_task_result(method)
        : mcpw_profile_is_response(theirs, type)  ? mcpw_profile_response(method, mcpw_type_name(type))
                                                  : NULL;
    if (target == NULL) {
        mcpw_error_set(error, MCPW_E_PROJECTION, 0, "%s of %s cannot be expressed in %s",
                       mcpw_type_name(type), mcpw_revision_name(revision),
                       mcpw_revision_name(r->profile->revision));
    }
    return target;
}

static mcpw_status emit(mcpw_request *r, const mcpw_type *type, const void *value, mcpw_json raw,
                        mcpw_error *error) {
    mcpw_message message = {0};
    message.kind = MCPW_MESSAGE_RESULT;
    message.id = r->message.id;
    message.type = type;
    message.value = value;
    message.raw = raw;
    const mcpw_route route = mcpw_route_last(r);
    const mcpw_status status = mcpw_session_emit(r->session, r->profile, &message, &route, error);
    if (status == MCPW_OK) {
        mcpw_request_finish(r);
    }
    return status;
}

static char *put_text(char *to, const char *from, size_t len) {
    memcpy(to, from, len);
    return to + len;
}

#define PUT(to, literal) put_text((to), (literal), sizeof(literal) - 1)

static mcpw_buffer *output_for(const mcpw_request *r) {
    return r->origin.batch != NULL ? &r->origin.batch->text : &r->session->outgoing.text;
}

/* Begins to write an answer, with the first members of its result, each with a comma after it, and with room
 * for the rest of it. */
static inline mcpw_status open_result(const mcpw_request *r, mcpw_buffer *out, mcpw_json first, size_t rest) {
    static const char head[] = MCPW_PIECE_ANSWER;
    static const char before[] = MCPW_PIECE_RESULT;
    const size_t after_id = sizeof before + first.len + rest;
    mcpw_status status = mcpw_text_room(out, sizeof head + MCPW_INT_ROOM + after_id);
    if (status != MCPW_OK) {
        return status;
    }
    char *p = PUT(out->data + out->len, head);
    if (r->message.id.kind == MCPW_ID_INTEGER) {
        p = mcpw_text_put_int(p, r->message.id.as.integer);
    } else {
        out->len = (size_t)(p - out->data);
        status = mcpw_json_append_string(out, r->message.id.as.string);
        status = status == MCPW_OK ? mcpw_text_room(out, after_id) : status;
        if (status != MCPW_OK) {
            return status;
        }
        p = out->data + out->len;
    }
    p = PUT(p, before);
    p = first.len != 0 ? put_text(p, first.ptr, first.len) : p;
    out->len = (size_t)(p - out->data);
    return MCPW_OK;
}

/* Ends an answer that begins there by the brackets that are still open. If the status is not MCPW_OK it is
 * taken back. */
static inline mcpw_status close_result(mcpw_request *r, mcpw_buffer *out, size_t begin, mcpw_str brackets,
                                       mcpw_status status) {
    status = status == MCPW_OK ? mcpw_text_room(out, brackets.len + 1) : status;
    if (status == MCPW_OK) {
        const mcpw_route route = mcpw_route_last(r);
        char *const p = put_text(out->data + out->len, brackets.ptr, brackets.len);
        *p = mcpw_outbound_terminator(r->session, r->origin.batch);
        out->len = (size_t)(p + 1 - out->data);
        status = mcpw_outbound_address(r->session, &route, MCPW_MESSAGE_RESULT, no_str, 0);
    }
    if (status != MCPW_OK) {
        out->len = begin;
        return status;
    }
    mcpw_request_finish(r);
    return MCPW_OK;
}

/* Sends a result that has no _meta, with one that names this program. The text of that is copied, and the
 * result written after it. */
static mcpw_status emit_signed(mcpw_request *r, const mcpw_type *type, const void *value, mcpw_error *error) {
    static const mcpw_str bracket = MCPW_STR(MCPW_PIECE_ANSWER_END);
    mcpw_buffer *const out = output_for(r);
    const size_t begin = out->len;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN;
    options.max_depth = MCPW_DEFAULT_DEPTH - 1; /* the message is one level */
    error->code = MCPW_OK;
    mcpw_status status = open_result(r, out, r->profile->self_meta, 0);
    if (status == MCPW_OK) {
        const size_t comma = --out->len; /* where the result's brace goes */
        status = mcpw_encode(type, value, out, &options, error);
        if (status == MCPW_OK) {
            out->data[comma] = ',';
        } else {
            mcpw_error_prepend_key(error, "result", sizeof "result" - 1);
        }
    }
    status = close_result(r, out, begin, bracket, status);
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
    }
    return status;
}

enum { META, RESULT_TYPE, OWN_NAMES };

/* Whether the text of a result needs nothing but the fills and _meta, which are written in front of it. The
 * first `known` of these names are known not to be in it. */
static bool is_plain_text(const mcpw_request *r, mcpw_json result, size_t known) {
    const mcpw_binding *const b = r->binding;
    mcpw_str names[OWN_NAMES + MCPW_RESULT_VALUES] = {
        [META] = MCPW_STR(MCPW_NAME_META), [RESULT_TYPE] = MCPW_STR("resultType")};
    if (!b->plain || r->life.indirect) {
        return false;
    }
    size_t count = OWN_NAMES;
    for (unsigned i = 0; i < b->fill_count; i++) {
        const mcpw_str name = r->session->values[b->fills[i].value].name;
        if (!mcpw_str_equal(name, names[RESULT_TYPE])) {
            names[count++] = name;
        }
    }
    return mcpw_sealed_lacks(result, MCPW_DEFAULT_DEPTH - 1, names + known, count - known);
}

static mcpw_status answer_plain_text(mcpw_request *r, mcpw_json result, mcpw_error *error) {
    static const mcpw_str bracket = MCPW_STR(MCPW_PIECE_ANSWER_END);
    mcpw_buffer *const out = output_for(r);
    const size_t begin = out->len;
    error->code = MCPW_OK;
    mcpw_status status = open_result(r, out, r->binding->fill_text, result.len);
    if (status == MCPW_OK) {
        (void)put_text(out->data + out->len, result.ptr + 1, result.len - 1);
        out->len += result.len - 1;
    }
    status = close_result(r, out, begin, bracket, status);
    if (status != MCPW_OK) {
        mcpw_explain(error, status);
        return mcpw_request_unsendable(r, status, error);
    }
    return MCPW_OK;
}

static mcpw_status answer_round(mcpw_request *r, const mcpw_type *type, const void *value,
                                mcpw_error *error) {
    mcpw_json text;
    mcpw_field field = mcpw_field_of(type, value);
    const mcpw_status status = mcpw_field_text(field, &r->arena, &text);
    if (status != MCPW_OK) {
        return mcpw_error_set(error, status, 0, "%s: %s", mcpw_type_name(type), mcpw_status_text(status));
    }
    r->origin.round->callbacks->answer(r, text);
    return MCPW_OK;
}

/* Brings the result into the peer's revision. A callback that gets the report of dropped members may end the
 * request: MCPW_E_STATE. */
static mcpw_status adapt(mcpw_request *r, const mcpw_type *type, const mcpw_type *target, const void **result,
                         mcpw_error *error) {
    mcpw_request_ref(r);
    const mcpw_plan *const plan =
        type == r->binding->says && target == r->binding->result ? r->binding->of_result : NULL;
    const mcpw_status status =
        mcpw_session_adapt_by(r->session, plan, type, *result, target, &r->arena, result, error);
    if (!mcpw_request_unref(r)) {
        return is_over(MCPW_E_STATE, error);
    }
    return status == MCPW_OK ? MCPW_OK : mcpw_request_unsendable(r, status, error);
}

/* A result that only an extension has is one of servers that have declared that, and goes to such clients. */
static mcpw_status check_extension(mcpw_request *r, const mcpw_type *type, const void *result,
                                   mcpw_error *error) {
    const mcpw_case message = {.from = MCPW_ROLE_SERVER,
                               .kind = MCPW_MESSAGE_RESULT,
                               .method = r->message.method,
                               .type = type,
                               .value = result};
    mcpw_verdict verdict;
    if (mcpw_judge(r->session, r->profile, MCPW_RULES_EXTENSION, &message, &verdict)) {
        return MCPW_OK; /* it is of no extension */
    }
    const mcpw_json own = mcpw_capabilities_declared(r->session, r->profile, &r->arena);
    if (own.ptr == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return mcpw_request_unsendable(r, MCPW_E_MEMORY, error);
    }
    if (!mcpw_capability_in(own, verdict.capability)) {
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "this end has not declared \"%s\"", verdict.capability);
        return mcpw_request_unsendable(r, MCPW_E_CAPABILITY, error);
    }
    if (mcpw_declares(mcpw_request_declared(r), verdict.capability)) {
        return MCPW_OK;
    }
    r->client.lacking = verdict.capability;
    return mcpw_error_set(error, MCPW_E_CAPABILITY, 0, "%s", verdict.text);
}

/* A value that only an extension allows goes to clients that have declared it, as such a result does. */
static mcpw_status check_value(mcpw_request *r, const mcpw_type *type, const void *value, mcpw_json text,
                               mcpw_error *error) {
    if (!r->profile->has_extensions) {
        return MCPW_OK;
    }
    const mcpw_overlaid_value out = {MCPW_MESSAGE_RESULT,     r->message.method, type, value, text,
                                     mcpw_request_declared(r)};
    const char *capability = NULL;
    bool by_peer = false;
    const mcpw_status status =
        mcpw_overlaid_check(r->session, r->profile, &out, &capability, &by_peer, error);
    if (status != MCPW_OK && by_peer) {
        r->client.lacking = capability;
        return status;
    }
    return status == MCPW_OK ? MCPW_OK : mcpw_request_unsendable(r, status, error);
}

/* A filled in form is sent as text, because defaults may be put into it. */
static mcpw_status answer_form_text(mcpw_request *r, mcpw_json answer, mcpw_error *error) {
    const mcpw_status status = mcpw_form_answer(r, &answer, error);
    return status == MCPW_OK ? mcpw_respond_raw(r, r->binding->result, answer, error)
                             : mcpw_request_unsendable(r, status, error);
}

static mcpw_status answer_form(mcpw_request *r, const mcpw_type *type, const void *result,
                               mcpw_error *error) {
    mcpw_json text;
    const mcpw_status status = mcpw_field_text(mcpw_field_of(type, result), &r->arena, &text);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s: %s", mcpw_type_name(type), mcpw_status_text(status));
        return mcpw_request_unsendable(r, status, error);
    }
    return answer_form_text(r, text, error);
}

/* Sends a result of the peer's revision, with its fills and with this program in its _meta. */
static mcpw_status send_result(mcpw_request *r, const mcpw_type *type, const void *result,
                               mcpw_error *error) {
    bool bare = false;
    result = type == r->binding->result
                 ? mcpw_profile_result(r->profile, r->binding, type, result, &r->arena, &bare)
                 : mcpw_profile_signed(r->profile, type, result, &r->arena, &bare);
    if (mcpw_passage_is_open(r->passage)) {
        return extended_of(r)->pass_value(r, type, result, bare, error);
    }
    const mcpw_status status = r->origin.round != NULL ? answer_round(r, type, result, error)
                               : bare                  ? emit_signed(r, type, result, error)
                                                       : emit(r, type, result, no_json, error);
    return status == MCPW_OK ? MCPW_OK : mcpw_request_unsendable(r, status, error);
}

mcpw_status mcpw_respond_received(mcpw_request *request, const mcpw_type *type, const void *result,
                                  mcpw_error *error) {
    mcpw_error local;
    mcpw_error *const e = error != NULL ? error : &local;
    mcpw_status status = gone(request, e);
    if (status != MCPW_OK) {
        return status;
    }
    if (type == NULL || result == NULL) {
        mcpw_error_set(e, MCPW_E_ARGUMENT, 0, "type or result is NULL");
        return mcpw_request_unsendable(request, MCPW_E_ARGUMENT, e);
    }
    const mcpw_binding *const b = request->binding;
    if (request->custom != NULL && request->message.method == 0) {
        return extended_of(request)->respond(request, type, result, e);
    }
    const mcpw_type *const target =
        type == b->says && b->result != NULL ? b->result : counterpart(request, type, e);
    if (target == NULL) {
        return mcpw_request_unsendable(request, e->code, e);
    }
    if (target != request->binding->result) {
        status = check_extension(request, type, result, e);
        if (status != MCPW_OK) {
            return status;
        }
    }
    if (request->entry != NULL) {
        status =
            mcpw_provider_of(request->session->config->server)->check_result(request->entry, type, result, e);
    }
    if (status == MCPW_OK && type != target) {
        status = adapt(request, type, target, &result, e);
        if (status != MCPW_OK) {
            return status;
        }
    }
    if (status == MCPW_OK) {
        status = check_value(request, target, result, no_json, e);
        if (status != MCPW_OK) {
            return status;
        }
    }
    if (status == MCPW_OK && request->form.schema != NULL && target == b->result) {
        return answer_form(request, target, result, e);
    }
    return status == MCPW_OK ? send_result(request, target, result, e)
                             : mcpw_request_unsendable(request, status, e);
}

MCPW_POSTED(posted_respond, mcpw_respond(request, a->type, a->value, a->error))

mcpw_status mcpw_respond(mcpw_request *request, const mcpw_type *type, const void *result,
                         mcpw_error *error) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_respond,
                              &(mcpw_post_args){.type = type, .value = result, .error = error});
    }
    return mcpw_respond_received(request, type, result, error);
}

/* The members that a result's text lacks. */
typedef struct lacks {
    unsigned fills; /* the fills that it lacks, a bit for each */
    bool meta;
    mcpw_json into; /* _meta that is there but does not name this program */
} lacks;

static const char meta_key[] = "\"" MCPW_NAME_META "\"";

/* A key with escapes may spell any name. Then nothing is put in, because it could stand there twice. */
static void look_at_member(const mcpw_request *r, mcpw_json key, mcpw_json value, lacks *l) {
    const mcpw_binding *const b = r->binding;
    mcpw_json info;
    if (memchr(key.ptr, '\\', key.len) != NULL) {
        l->meta = false;
    } else if (key.len == sizeof meta_key - 1 && memcmp(key.ptr, meta_key, key.len) == 0) {
        const bool lacks_info = l->meta && mcpw_json_kind_of(value) == MCPW_JSON_OBJECT &&
                                mcpw_json_get(value, MCPW_META_SERVER_INFO, &info) != MCPW_OK;
        l->meta = false;
        l->into = lacks_info ? value : no_json;
    }
    for (unsigned i = 0; i < b->fill_count; i++) {
        const mcpw_str name = r->session->values[b->fills[i].value].name;
        if (key.len == name.len + 2 && memcmp(key.ptr + 1, name.ptr, name.len) == 0) {
            l->fills &= ~(1U << i);
        }
    }
}

static lacks look_at(const mcpw_request *r, mcpw_json_iter *it) {
    const mcpw_binding *const b = r->binding;
    lacks l = {(1U << b->fill_count) - 1U, r->profile->self != NULL, no_json};
    mcpw_json key;
    mcpw_json value;
    while (mcpw_json_next(it, &key, &value)) {
        look_at_member(r, key, value, &l);
    }
    return l;
}

static void put_lacking(const mcpw_request *r, const lacks *l, mcpw_text *text) {
    const mcpw_binding *const b = r->binding;
    if (l->meta) {
        mcpw_text_key(text, MCPW_NAME_META);
        mcpw_text_object(text);
        mcpw_text_json(text, r->profile->self_text);
        mcpw_text_object_end(text);
    }
    for (unsigned i = 0; i < b->fill_count; i++) {
        const mcpw_member *const fill = r->session->values + b->fills[i].value;
        if ((l->fills & 1U << i) != 0) {
            mcpw_text_key_str(text, fill->name);
            mcpw_text_json(text, fill->value);
        }
    }
}

/* The place of the next member of a copied object, or the end of the object. A comma is put before a member
 * where one is due. */
static const char *before_member(mcpw_text *text, const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) {
        at++;
    }
    if (at < end && *at != '}') {
        mcpw_text_comma(text);
    }
    return at;
}

/* The text of a result with the fills that it lacks, and with this program in its _meta. */
static mcpw_status fill_text(mcpw_request *r, mcpw_json result, mcpw_json *out) {
    mcpw_json_iter it;
    *out = result;
    if ((r->binding->fill_count == 0 && r->profile->self == NULL) ||
        mcpw_json_iterate(result, &it) != MCPW_OK || it.kind != MCPW_JSON_OBJECT) {
        return MCPW_OK; /* what is wrong with it shows when it is encoded */
    }
    const lacks l = look_at(r, &it);
    if (l.fills == 0 && !l.meta && l.into.ptr == NULL) {
        return MCPW_OK;
    }
    mcpw_text text = {mcpw_buffer_in(&r->arena), MCPW_OK};
    const char *const end = result.ptr + result.len;
    const char *rest = (const char *)memchr(result.ptr, '{', result.len) + 1;
    text.status = mcpw_buffer_reserve(&text.buffer, result.len + r->profile->self_text.len);
    mcpw_text_object(&text);
    put_lacking(r, &l, &text);
    rest = before_member(&text, rest, end);
    if (l.into.ptr != NULL) {
        const char *const inside = l.into.ptr + 1;
        mcpw_text_raw(&text, rest, (size_t)(inside - rest));
        mcpw_text_json(&text, r->profile->self_text);
        rest = before_member(&text, inside, end);
    }
    mcpw_text_raw(&text, rest, (size_t)(end - rest));
    *out = mcpw_text_get(&text);
    return text.status;
}

mcpw_status mcpw_result_fill(mcpw_request *request, mcpw_json *result) {
    return fill_text(request, *result, result);
}

mcpw_status mcpw_respond_raw(mcpw_request *request, const mcpw_type *type, mcpw_json result,
                             mcpw_error *error) {
    mcpw_error local;
    mcpw_error *const e = error != NULL ? error : &local;
    mcpw_status status = gone(request, e);
    if (status != MCPW_OK) {
        return status;
    }
    status = check_value(request, type, NULL, result, e);
    if (status != MCPW_OK) {
        return status;
    }
    if (mcpw_passage_is_open(request->passage)) {
        return extended_of(request)->pass_text(request, type, result, e);
    }
    if (request->origin.round != NULL) {
        status = mcpw_validate(type, result.ptr, result.len, &request->arena, NULL, e);
        if (status == MCPW_OK) {
            request->origin.round->callbacks->answer(request, result);
        }
    } else {
        status = emit(request, type, NULL, result, e);
    }
    return status == MCPW_OK ? MCPW_OK : mcpw_request_unsendable(request, status, e);
}

/* A request that carried a task is answered by the task, or by the method's own result. */
static const mcpw_type *type_of_text(const mcpw_request *r, mcpw_json result) {
    static const char task[] = "task";
    const mcpw_method *const method = method_of(r);
    const mcpw_type *const type = method != NULL ? mcpw_method_task_result(method) : NULL;
    mcpw_json found;
    return type != NULL &&
                   mcpw_field_get(mcpw_field_of(r->message.type, r->message.value), task).at != NULL &&
                   mcpw_json_get(result, task, &found) == MCPW_OK
               ? type
               : r->binding->result;
}

/* Answers by a text, in which the first `known` of the names that mcpwire adds are known not to be. */
static mcpw_status answer_text(mcpw_request *request, mcpw_json result, size_t known, mcpw_error *e) {
    mcpw_status status = gone(request, e);
    if (status != MCPW_OK) {
        return status;
    }
    if (result.ptr == NULL) {
        mcpw_error_set(e, MCPW_E_ARGUMENT, 0, "the result is absent");
        return mcpw_request_unsendable(request, MCPW_E_ARGUMENT, e);
    }
    if (is_plain_text(request, result, known)) {
        return answer_plain_text(request, result, e);
    }
    status = fill_text(request, result, &result);
    if (status != MCPW_OK) {
        mcpw_error_set(e, status, 0, "%s", mcpw_status_text(status));
        return mcpw_request_unsendable(request, status, e);
    }
    if (request->entry != NULL) {
        status = mcpw_provider_of(request->session->config->server)->check_text(request->entry, result, e);
    } else if (request->custom != NULL && request->message.method == 0) {
        status = extended_of(request)->check_text(request, result, e);
    }
    if (status != MCPW_OK) {
        return mcpw_request_unsendable(request, status, e);
    }
    if (request->form.schema != NULL) {
        return answer_form_text(request, result, e);
    }
    return mcpw_respond_raw(request, type_of_text(request, result), result, e);
}

MCPW_POSTED(posted_respond_json, mcpw_respond_json(request, a->json, a->error))

mcpw_status mcpw_respond_json(mcpw_request *request, mcpw_json result, mcpw_error *error) {
    mcpw_error local;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_respond_json,
                              &(mcpw_post_args){.json = result, .error = error});
    }
    return answer_text(request, result, 0, error != NULL ? error : &local);
}

MCPW_POSTED(posted_respond_members, mcpw_respond_members(request, a->json, a->error))

mcpw_status mcpw_respond_members(mcpw_request *request, mcpw_json members, mcpw_error *error) {
    mcpw_error local;
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, __func__, posted_respond_members,
                              &(mcpw_post_args){.json = members, .error = error});
    }
    return answer_text(request, members, OWN_NAMES, error != NULL ? error : &local);
}

/* Whether the request's answer may be of the type of this name, written as it goes. */
static mcpw_status may_write(mcpw_request *r, const char *type, mcpw_error *error) {
    const mcpw_status status = gone(r, error);
    if (status != MCPW_OK) {
        return status;
    }
    const char *const wanted =
        r->binding->result != NULL ? mcpw_type_name(r->binding->result) : "another type";
    if (strcmp(wanted, type) == 0) {
        return MCPW_OK;
    }
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s is no result of this method, which has %s", type, wanted);
    return mcpw_request_unsendable(r, MCPW_E_ARGUMENT, error);
}

static void refuse_to_write(mcpw_written *w) {
    w->out = NULL;
    w->passing = false;
    w->text.buffer.len = 0;
}

/* A round of input takes no result that is written. */
MCPW_NOINLINE static void refuse_in_round(mcpw_written *w, mcpw_request *r, const char *type) {
    w->text.status =
        mcpw_error_set(&w->error, MCPW_E_ARGUMENT, 0, "%s cannot answer an input request like this", type);
    w->text.status = mcpw_request_unsendable(r, w->text.status, &w->error);
    refuse_to_write(w);
}

void mcpw_written_begin(mcpw_written *w, mcpw_request *r, const char *type, size_t size) {
    w->request = r;
    w->error.code = MCPW_OK;
    w->text.status = may_write(r, type, &w->error);
    if (w->text.status != MCPW_OK) {
        refuse_to_write(w);
        return;
    }
    if (r->life.indirect) {
        if (r->origin.round != NULL) {
            refuse_in_round(w, r, type);
        } else {
            extended_of(r)->begin_written(w, r);
        }
        return;
    }
    w->out = output_for(r);
    w->begin = w->out->len;
    w->text.buffer = *w->out;
    w->text.status = open_result(r, &w->text.buffer, r->binding->fill_text, size);
}

mcpw_status mcpw_written_end(mcpw_written *w) {
    static const mcpw_str brackets = MCPW_STR(MCPW_PIECE_RESULT_END);
    if (w->out == NULL) {
        return w->passing ? extended_of(w->request)->end_written(w) : w->text.status;
    }
    *w->out = w->text.buffer;
    const mcpw_status status = close_result(w->request, w->out, w->begin, brackets, w->text.status);
    if (status != MCPW_OK) {
        mcpw_explain(&w->error, status);
        return mcpw_request_unsendable(w->request, status, &w->error);
    }
    return MCPW_OK;
}

mcpw_status mcpw_respond_empty(mcpw_request *request) {
    static const mcpw_json empty = MCPW_JSON("{}");
    return mcpw_respond_json(request, empty, NULL);
}

/* ---- Errors ---- */

MCPW_POSTED(posted_respond_remote, mcpw_respond_remote(request, a->value))

/* `name` is the function that the program has called. */
static mcpw_status respond_remote(mcpw_request *request, const mcpw_rpc_error *given, const char *name) {
    if (mcpw_request_is_elsewhere(request)) {
        return mcpw_post_call(request, name, posted_respond_remote, &(mcpw_post_args){.value = given});
    }
    mcpw_message answer = {.kind = MCPW_MESSAGE_ERROR, .error = *given};
    mcpw_error error;
    mcpw_status status = gone(request, &error);
    if (status != MCPW_OK) {
        return status;
    }
    if (given->code >= INT32_MIN && given->code <= INT32_MAX) {
        answer.error.code = mcpw_protocol_code_in(request->profile->revision, (int32_t)given->code);
    }
    if (mcpw_passage_is_open(request->passage)) {
        return extended_of(request)->pass_error(request, &answer.error);
    }
    if (request->origin.round != NULL) {
        request->origin.round->callbacks->refuse(request, answer.error.message);
        return MCPW_OK;
    }
    answer.id = request->message.id;
    const mcpw_route route = mcpw_route_last(request);
    status = mcpw_session_emit(request->session, request->profile, &answer, &route, &error);
    if (status != MCPW_OK) {
        return mcpw_request_unsendable(request, status, &error);
    }
    mcpw_request_finish(request);
    return MCPW_OK;
}

mcpw_status mcpw_respond_remote(mcpw_request *request, const mcpw_rpc_error *error) {
    return respond_remote(request, error, __func__);
}

mcpw_status mcpw_respond_error(mcpw_request *request, int64_t code, const char *message, mcpw_json data) {
    const mcpw_rpc_error error = {
        .code = code, .message = mcpw_str_from(message != NULL ? message : ""), .data = data};
    return respond_remote(request, &error, __func__);
}
