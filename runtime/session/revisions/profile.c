/* SPDX-License-Identifier: MIT */
/* A revision as a session speaks it: what it works out from its tables, and what it puts into params and
 * results. */
#include "profile.h"

#include "../core/level.h"
#include "../support/pieces.h"
#include "../support/wire_names.h"
#include "capability.h"

#include <mcpw/adapt.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

const mcpw_profile *mcpw_profile_named(const mcpw_session *session, mcpw_str revision) {
    for (size_t i = 0; i < session->endpoint->profile_count; i++) {
        if (mcpw_str_equal(revision, session->endpoint->profiles[i].name)) {
            return session->endpoint->profiles + i;
        }
    }
    return NULL;
}

const mcpw_profile *mcpw_profile_newest(const mcpw_session *session, bool modern) {
    for (size_t i = session->endpoint->profile_count; i-- > 0;) {
        if (session->endpoint->profiles[i].modern == modern) {
            return session->endpoint->profiles + i;
        }
    }
    return NULL;
}

void mcpw_profile_names(const mcpw_session *session, mcpw_text *out) {
    mcpw_text_array(out);
    for (size_t i = session->endpoint->profile_count; i-- > 0;) {
        mcpw_text_string(out, session->endpoint->profiles[i].name);
    }
    mcpw_text_array_end(out);
}

/* ---- What each method's params and result hold ---- */

uint16_t mcpw_profile_place_of(const mcpw_revision *revision, mcpw_ref ref, const char *name, mcpw_kind kind,
                               uint16_t *index) {
    const mcpw_slot slot = mcpw_slot_named(revision, ref, name);
    if (slot.ref.kind != kind) {
        return MCPW_NO_OFFSET;
    }
    if (index != NULL) {
        *index = slot.ref.index;
    }
    return slot.offset;
}

bool mcpw_profile_is_response(const mcpw_method *method, const mcpw_type *type) {
    const mcpw_type *const response = mcpw_method_response(method);
    if (response == NULL) {
        return false;
    }
    const mcpw_revision *const revision = mcpw_type_revision(response);
    const mcpw_ref chosen = mcpw_type_ref(response);
    unsigned i = mcpw_alternative_count(revision, chosen);
    while (i > 0 && !mcpw_ref_same(mcpw_alternative_at(revision, chosen, i - 1), mcpw_type_ref(type))) {
        i--;
    }
    return i > 0;
}

const mcpw_type *mcpw_profile_response(const mcpw_method *method, const char *name) {
    const mcpw_type *const response = mcpw_method_response(method);
    const mcpw_type *const found =
        response != NULL && name != NULL ? mcpw_revision_type(mcpw_type_revision(response), name) : NULL;
    return found != NULL && mcpw_profile_is_response(method, found) ? found : NULL;
}

uint16_t mcpw_profile_self_place(const mcpw_profile *profile, const mcpw_type *result) {
    uint16_t index = 0;
    const uint16_t at = profile->self != NULL && result != NULL
                            ? mcpw_profile_place_of(profile->revision, mcpw_type_ref(result), MCPW_NAME_META,
                                                    MCPW_KIND_STRUCT_PTR, &index)
                            : MCPW_NO_OFFSET;
    return index == profile->self_ref.index ? at : MCPW_NO_OFFSET;
}

void mcpw_profile_begin_result(const mcpw_profile *profile, mcpw_text *text) {
    mcpw_text_object(text);
    if (profile->self != NULL) {
        mcpw_text_key(text, MCPW_NAME_META);
        mcpw_text_object(text);
        mcpw_text_json(text, profile->self_text);
        mcpw_text_object_end(text);
    }
}

/* ---- Values that no table holds ---- */

typedef struct drops {
    mcpw_session *session;
    const char *type;
} drops;

/* Whether a path names such a value. By design only one side has it, so its drop is not reported. */
static bool is_value(const mcpw_session *session, const char *path) {
    const char *const last = strrchr(path, '/');
    const mcpw_str name = mcpw_str_from(last != NULL ? last + 1 : path);
    for (size_t i = 0; i < session->value_count; i++) {
        if (mcpw_str_equal(session->values[i].name, name)) {
            return true;
        }
    }
    return strcmp(path, "/_meta") == 0 ||
           strncmp(path, "/_meta/io.modelcontextprotocol", sizeof "/_meta/io.modelcontextprotocol" - 1) == 0;
}

static void note_drop(void *user, const char *path) {
    const drops *const d = user;
    const mcpw_str method = {NULL, 0};
    mcpw_error error;
    if (is_value(d->session, path)) {
        return;
    }
    mcpw_error_set(&error, MCPW_E_PROJECTION, 0, "%s: left out, the other revision has no such member",
                   d->type);
    (void)strncat(error.path, path, sizeof error.path - 1);
    mcpw_session_diagnose(d->session, MCPW_DIAGNOSTIC_DROPPED, NULL, method, &error);
}

void mcpw_session_set_value(mcpw_session *session, const char *name, mcpw_json value) {
    size_t i = 0;
    while (i < session->value_count && !mcpw_str_is(session->values[i].name, name)) {
        i++;
    }
    if (i == MCPW_VALUES) {
        return;
    }
    session->values[i].name = mcpw_str_from(name);
    session->values[i].value = value;
    session->value_count += i == session->value_count;
}

static mcpw_status adapt_by(mcpw_session *session, mcpw_members values, const mcpw_type *from,
                            const void *value, const mcpw_type *to, mcpw_arena *arena, const void **out,
                            mcpw_error *error) {
    drops d = {session, mcpw_type_name(from)};
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values = values;
    options.on_drop = session->config->on_diagnostic != NULL ? note_drop : NULL;
    options.user = &d;
    options.kept = MCPW_NAME_META;
    return mcpw_adapt(from, value, to, &options, arena, out, error);
}

mcpw_status mcpw_session_adapt(mcpw_session *session, const mcpw_type *from, const void *value,
                               const mcpw_type *to, mcpw_arena *arena, const void **out, mcpw_error *error) {
    const mcpw_members values = {session->values, session->value_count};
    return adapt_by(session, values, from, value, to, arena, out, error);
}

mcpw_status mcpw_session_adapt_with(mcpw_session *session, const mcpw_member *more, const mcpw_type *from,
                                    const void *value, const mcpw_type *to, mcpw_arena *arena,
                                    const void **out, mcpw_error *error) {
    mcpw_member items[MCPW_VALUES + 1];
    const mcpw_members values = {items, session->value_count + 1};
    memcpy(items, session->values, session->value_count * sizeof *items);
    items[session->value_count] = *more;
    return adapt_by(session, values, from, value, to, arena, out, error);
}

/* ---- Putting in what a revision wants ---- */

/* The caller's members of _meta stay, except for the required ones. Those are the session's. */
static void overlay(const mcpw_revision *revision, mcpw_ref ref, const unsigned char *callers,
                    unsigned char *meta) {
    mcpw_slot slot = mcpw_slot_at(revision, ref, 0);
    for (unsigned i = 0; mcpw_slot_exists(slot); slot = mcpw_slot_at(revision, ref, ++i)) {
        if (!slot.required && slot.size != 0 &&
            mcpw_ref_is_present(revision, slot.ref, callers + slot.offset)) {
            memcpy(meta + slot.offset, callers + slot.offset, slot.size);
        }
    }
    const uint16_t extra = mcpw_extra_at(revision, ref);
    if (extra != MCPW_NO_OFFSET) {
        memcpy(meta + extra, callers + extra, sizeof(mcpw_members));
    }
}

/* Adds a progress token to params whose revision names no _meta in them. It goes into _meta as one more
 * member, beside what the caller has there. */
static mcpw_status add_unnamed_token(const mcpw_type *type, const void *params, const mcpw_id *token,
                                     mcpw_arena *arena, const void **out) {
    static const mcpw_json token_alone = MCPW_JSON(MCPW_PIECE_ALONE(MCPW_NAME_PROGRESS_TOKEN));
    mcpw_text text = {mcpw_buffer_in(arena), MCPW_OK};
    mcpw_members *const copy = mcpw_arena_alloc(arena, mcpw_type_size(type));
    if (copy == NULL) {
        return arena->status;
    }
    memset(copy, 0, mcpw_type_size(type));
    if (params != NULL) {
        memcpy(copy, params, mcpw_type_size(type));
    }
    mcpw_members *const extra = (mcpw_members *)mcpw_extra_of(type, copy);
    if (extra == NULL) {
        return MCPW_OK;
    }
    mcpw_member *const items = mcpw_arena_alloc(arena, (extra->count + 1) * sizeof *items);
    size_t count = 1;
    mcpw_text_object(&text);
    mcpw_text_key(&text, MCPW_NAME_PROGRESS_TOKEN);
    mcpw_text_id(&text, token);
    for (size_t i = 0; items != NULL && i < extra->count; i++) {
        if (!mcpw_str_is(extra->items[i].name, MCPW_NAME_META)) {
            items[count++] = extra->items[i];
        } else { /* without the caller's own token, such as that of a request it relays */
            mcpw_text_rest(&text, extra->items[i].value, token_alone);
        }
    }
    mcpw_text_object_end(&text);
    if (items == NULL || text.status != MCPW_OK) {
        return MCPW_E_MEMORY;
    }
    items[0] = (mcpw_member){MCPW_STR(MCPW_NAME_META), mcpw_buffer_take(&text.buffer)};
    *extra = (mcpw_members){items, count};
    *out = copy;
    return MCPW_OK;
}

mcpw_status mcpw_profile_params_by(const mcpw_session *session, const mcpw_revision *revision,
                                   const mcpw_binding *b, const mcpw_type *type, const void *params,
                                   const mcpw_id *token, mcpw_arena *arena, const void **out) {
    const bool inlined = b->meta != MCPW_NO_OFFSET && b->meta_ref.kind == MCPW_KIND_STRUCT;
    *out = params;
    if (b->meta == MCPW_NO_OFFSET && token != NULL && type != NULL) {
        return add_unnamed_token(type, params, token, arena, out);
    }
    if (b->meta == MCPW_NO_OFFSET || (!inlined && token == NULL)) {
        return MCPW_OK;
    }
    if (inlined && b->own_meta == NULL) { /* a server's request, which says nothing more of its sender */
        return MCPW_OK;
    }
    unsigned char *const copy = mcpw_arena_alloc(arena, mcpw_type_size(type));
    unsigned char *const meta = inlined ? copy + b->meta : mcpw_arena_alloc(arena, b->meta_size);
    const unsigned char *callers = NULL;
    if (copy == NULL || meta == NULL) {
        return MCPW_E_MEMORY;
    }
    if (params != NULL) {
        memcpy(copy, params, mcpw_type_size(type));
        callers = (const unsigned char *)params + b->meta;
        callers = inlined ? callers : mcpw_load_pointer(callers);
    } else {
        memset(copy, 0, mcpw_type_size(type));
    }
    if (inlined) {
        memcpy(meta, b->own_meta, b->meta_size);
        if (callers != NULL) {
            overlay(revision, b->meta_ref, callers, meta);
        }
    } else {
        if (callers != NULL) {
            memcpy(meta, callers, b->meta_size);
        } else {
            memset(meta, 0, b->meta_size);
        }
        memcpy(copy + b->meta, &meta, sizeof meta);
    }
    if (token != NULL && b->token != MCPW_NO_OFFSET) {
        memcpy(meta + b->token, token, sizeof *token);
    }
    if (session->level != 0 && b->level != MCPW_NO_OFFSET && mcpw_load_kind(meta + b->level) == 0) {
        const mcpw_str name = mcpw_level_name(session->level);
        const int32_t value = mcpw_enum_value_of(revision, b->level_enum, name.ptr, name.len);
        memcpy(meta + b->level, &value, sizeof value);
    }
    *out = copy;
    return MCPW_OK;
}

mcpw_status mcpw_profile_params(const mcpw_session *session, const mcpw_profile *profile, int method,
                                const void *params, const mcpw_id *token, mcpw_arena *arena,
                                const void **out) {
    return mcpw_profile_params_by(session, profile->revision, profile->bindings + method,
                                  mcpw_method_params(mcpw_method_entry(profile->revision, method)), params,
                                  token, arena, out);
}

static bool is_filled(const mcpw_revision *revision, const mcpw_fill *fill, const unsigned char *at) {
    if (fill->ref.kind == MCPW_KIND_INTEGER) {
        static const unsigned char zero[sizeof(int64_t)] = {0};
        return memcmp(at, zero, sizeof zero) != 0;
    }
    return mcpw_ref_is_present(revision, fill->ref, at);
}

/* Puts this program into the _meta that a handler has made. `copy` is a copy of the result that may be
 * changed; NULL: there is none yet. */
static const void *sign(const mcpw_profile *profile, const mcpw_type *type, const void *result,
                        unsigned char *copy, uint16_t at, mcpw_arena *arena, bool *bare) {
    const unsigned char *const from = copy != NULL ? copy : result;
    const unsigned char *const meta = mcpw_load_pointer(from + at);
    *bare = meta == NULL;
    if (meta == NULL || mcpw_load_pointer(meta + profile->self_at) != NULL) {
        return from;
    }
    unsigned char *const both = mcpw_arena_alloc(arena, profile->self_size);
    if (both != NULL && copy == NULL) {
        copy = mcpw_arena_alloc(arena, mcpw_type_size(type));
        if (copy != NULL) {
            memcpy(copy, result, mcpw_type_size(type));
        }
    }
    if (both == NULL || copy == NULL) {
        return from;
    }
    memcpy(both, meta, profile->self_size);
    memcpy(both + profile->self_at, (const unsigned char *)profile->self + profile->self_at, sizeof(void *));
    memcpy(copy + at, &both, sizeof both);
    return copy;
}

/* The place of the _meta of a value: a union has that of its alternative. */
static uint16_t meta_place(const mcpw_profile *profile, const mcpw_type *type, const void *value) {
    const uint16_t at = mcpw_profile_self_place(profile, type);
    if (at != MCPW_NO_OFFSET || profile->self == NULL) {
        return at;
    }
    const mcpw_field held = mcpw_field_alternative(mcpw_field_of(type, value), NULL);
    const uintptr_t inside = (uintptr_t)held.at - (uintptr_t)value; /* less than its size, if it lies there */
    mcpw_type_room room;
    if (held.at == NULL || inside >= mcpw_type_size(type)) {
        return MCPW_NO_OFFSET;
    }
    const uint16_t of_held =
        mcpw_profile_self_place(profile, mcpw_type_make(&room, profile->revision, held.ref, ""));
    return of_held != MCPW_NO_OFFSET ? (uint16_t)(inside + of_held) : MCPW_NO_OFFSET;
}

const void *mcpw_profile_signed(const mcpw_profile *profile, const mcpw_type *type, const void *result,
                                mcpw_arena *arena, bool *bare) {
    const uint16_t at = meta_place(profile, type, result);
    *bare = false;
    return at != MCPW_NO_OFFSET ? sign(profile, type, result, NULL, at, arena, bare) : result;
}

const void *mcpw_profile_result(const mcpw_profile *profile, const mcpw_binding *binding,
                                const mcpw_type *type, const void *result, mcpw_arena *arena, bool *bare) {
    unsigned char *copy = NULL;
    *bare = false;
    for (unsigned i = 0; i < binding->fill_count; i++) {
        const mcpw_fill *const fill = binding->fills + i;
        if (is_filled(mcpw_type_revision(type), fill, (const unsigned char *)result + fill->offset)) {
            continue;
        }
        if (copy == NULL) {
            copy = mcpw_arena_alloc(arena, mcpw_type_size(type));
            if (copy == NULL) {
                return result; /* encoding it reports what is missing */
            }
            memcpy(copy, result, mcpw_type_size(type));
        }
        memcpy(copy + fill->offset, fill->bytes, fill->size);
    }
    return binding->result_meta != MCPW_NO_OFFSET
               ? sign(profile, type, result, copy, binding->result_meta, arena, bare)
           : copy != NULL          ? copy
           : profile->self != NULL ? mcpw_profile_signed(profile, type, result, arena, bare)
                                   : result;
}
