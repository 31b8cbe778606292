/* SPDX-License-Identifier: MIT */
/* Requests of this end whose result an extension may take: it may hold them back, add to their params, and
 * take their result, after which they go on until it ends them. */
#include "taker.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../revisions/extension.h"

static void *user_of(const mcpw_session *session, const mcpw_added_result *taker) {
    void *const user = taker->extension->given.user;
    return user != NULL ? user : session->user;
}

static mcpw_str name_of(const mcpw_type *type, const void *params) {
    return type != NULL && params != NULL
               ? mcpw_field_str(mcpw_field_get(mcpw_field_of(type, params), "name"))
               : no_str;
}

bool mcpw_taker_holds(mcpw_pending *p, const void *params) {
    const mcpw_added_result *const taker = p->taker;
    const mcpw_type *const type = mcpw_method_params(mcpw_method_entry(p->asked.revision, p->asked.method));
    return taker->given.held != NULL &&
           taker->given.held(p->session, p->number, name_of(type, params), user_of(p->session, taker));
}

/* ---- Members for the params ---- */

static mcpw_status put_member(mcpw_pending *p, const mcpw_type *type, unsigned char *params, mcpw_str name,
                              mcpw_json value, mcpw_error *error) {
    const mcpw_slot slot = mcpw_type_slot(type, name.ptr);
    mcpw_type_room room;
    if (!mcpw_slot_exists(slot)) {
        char excerpt[MCPW_EXCERPT_SIZE];
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s adds a member \"%s\", which %s does not have",
                              p->taker->extension->given.id, mcpw_excerpt(excerpt, name.ptr, name.len),
                              mcpw_type_name(type));
    }
    return mcpw_decode(mcpw_type_make(&room, mcpw_type_revision(type), slot.ref, name.ptr), value.ptr,
                       value.len, &p->arena, params + slot.offset, NULL, error);
}

/* Puts members into a copy of the params. */
static mcpw_status put_members(mcpw_pending *p, const mcpw_type *type, mcpw_json members, const void **params,
                               mcpw_error *error) {
    unsigned char *const copy = mcpw_arena_alloc(&p->arena, mcpw_type_size(type));
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    mcpw_str name = no_str;
    mcpw_status status = mcpw_json_check(members, 0, error);
    if (copy == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    memcpy(copy, *params, mcpw_type_size(type));
    if (status == MCPW_OK &&
        (mcpw_json_kind_of(members) != MCPW_JSON_OBJECT || mcpw_json_iterate(members, &it) != MCPW_OK)) {
        status = mcpw_error_set(error, MCPW_E_TYPE, 0, "the members that %s adds are no object",
                                p->taker->extension->given.id);
    }
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &value)) {
        status = mcpw_json_string(key, &p->arena, &name);
        name = status == MCPW_OK ? mcpw_arena_str(&p->arena, name.ptr, name.len) : name; /* ends with NUL */
        status = name.ptr == NULL    ? MCPW_E_MEMORY
                 : status == MCPW_OK ? put_member(p, type, copy, name, value, error)
                                     : status;
    }
    if (status == MCPW_OK) {
        *params = copy;
    }
    return status;
}

mcpw_status mcpw_taker_add_members(mcpw_pending *p, const mcpw_type *type, const void **params,
                                   mcpw_error *error) {
    const mcpw_extension_result *const given = &p->taker->given;
    const int64_t number = p->number;
    mcpw_json members = no_json;
    if (given->adding == NULL || *params == NULL) {
        return MCPW_OK;
    }
    const mcpw_status status = given->adding(p->session, p->number, name_of(type, *params), &members,
                                             user_of(p->session, p->taker), error);
    return status == MCPW_OK && members.ptr != NULL && p->number == number
               ? put_members(p, type, members, params, error)
               : status;
}

/* ---- Its result ---- */

static void cancelled(mcpw_pending *p) {
    const mcpw_extension_result *const given = &p->taker->given;
    if (given->cancelled != NULL) {
        given->cancelled(p->session, p->number, user_of(p->session, p->taker));
    }
}

void mcpw_taker_keep(mcpw_pending *p) {
    p->kind = MCPW_PENDING_SENT;
    p->callbacks.cancelled = cancelled;
    p->call.timeout_ms = UINT64_MAX; /* progress does not change it */
    p->clock.due_at_last = UINT64_MAX;
    mcpw_pending_set_due(p, UINT64_MAX);
}

void mcpw_taker_take(mcpw_pending *p, mcpw_json result) {
    const mcpw_added_result *const taker = p->taker;
    mcpw_pending_drop_id(p);
    mcpw_taker_keep(p);
    taker->given.taken(p->session, p->number, result, user_of(p->session, taker));
}

void mcpw_taker_take_value(mcpw_pending *p, const mcpw_type *type, const void *value, mcpw_arena *arena) {
    mcpw_json result;
    const mcpw_status status = mcpw_field_text(mcpw_field_of(type, value), arena, &result);
    if (status == MCPW_OK) {
        mcpw_taker_take(p, result);
    } else {
        mcpw_pending_fail(p, status, mcpw_status_text(status));
    }
}

void mcpw_taker_end_state(mcpw_pending *p) {
    const mcpw_added_result *const taker = p->taker;
    void *const state = p->state;
    p->state = NULL;
    if (taker->given.ended != NULL) {
        taker->given.ended(p->session, state, user_of(p->session, taker));
    }
}
