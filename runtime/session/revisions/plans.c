/* SPDX-License-Identifier: MIT */
/* Plans between the revision that an endpoint's handlers are written for and those of its peers. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/plan.h>
#include <mcpw/detail/reflect.h>

#include "plans.h"

#include "../support/wire_names.h"
#include "profile.h"

/* ---- Once for an endpoint ---- */

static bool is_value(const mcpw_endpoint *endpoint, const char *name) {
    size_t i = 0;
    while (i < endpoint->value_count && !mcpw_str_is(endpoint->values[i].name, name)) {
        i++;
    }
    return i < endpoint->value_count;
}

/* Whether the drop of a member is not reported: by design only one side has it. mcpw_session_adapt does
 * the same. */
static bool is_silent(void *user, const char *name, bool root) {
    static const char prefix[] = "io.modelcontextprotocol/";
    return is_value(user, name) || (root && strcmp(name, MCPW_NAME_META) == 0) ||
           strncmp(name, prefix, sizeof prefix - 1) == 0;
}

/* Makes a plan between structs of two revisions. Without one, values are projected one by one. */
static mcpw_status make_plan(mcpw_endpoint *endpoint, const mcpw_type *from, const mcpw_type *to,
                             const mcpw_plan **like, const mcpw_plan **out) {
    mcpw_member values[MCPW_VALUES] = {{MCPW_STR(MCPW_META_PROTOCOL_VERSION), {NULL, 0, 0}},
                                       {MCPW_STR(MCPW_META_CLIENT_INFO), {NULL, 0, 0}},
                                       {MCPW_STR(MCPW_META_CLIENT_CAPABILITIES), {NULL, 0, 0}}};
    const size_t later = MCPW_VALUES - MCPW_RESULT_VALUES; /* they come with the client */
    mcpw_plan_options options = {0};
    if (from == NULL || to == NULL || mcpw_type_ref(from).kind != MCPW_KIND_STRUCT ||
        mcpw_type_ref(to).kind != MCPW_KIND_STRUCT) {
        return MCPW_OK;
    }
    memcpy(values + later, endpoint->values, endpoint->value_count * sizeof *values);
    options.values = (mcpw_members){values, later + endpoint->value_count};
    options.is_silent = is_silent;
    options.user = endpoint;
    options.kept = MCPW_NAME_META;
    options.like = *like;
    const mcpw_status status = mcpw_plan_make(from, to, &options, &endpoint->memory, out);
    *like = *out;
    return status;
}

mcpw_status mcpw_plans_bind(mcpw_endpoint *endpoint, mcpw_profile *profile) {
    const mcpw_dispatch *const dispatch = endpoint->config.dispatch;
    const mcpw_plan *of_params = NULL;
    const mcpw_plan *of_results = NULL;
    mcpw_status status = MCPW_OK;
    for (int number = 1; status == MCPW_OK && number <= mcpw_method_count(profile->revision); number++) {
        mcpw_binding *const b = profile->bindings + number;
        if (b->handler == 0) {
            continue;
        }
        const mcpw_method *const ours = mcpw_method_entry(dispatch->revision, b->handler);
        b->wants = mcpw_method_params(ours);
        b->says = mcpw_method_result(ours);
        if (dispatch->revision != profile->revision) {
            const mcpw_type *const params = mcpw_method_params(mcpw_method_entry(profile->revision, number));
            status = make_plan(endpoint, params, b->wants, &of_params, &b->of_params);
            status = status == MCPW_OK ? make_plan(endpoint, b->says, b->result, &of_results, &b->of_result)
                                       : status;
        }
    }
    return status;
}

/* ---- For a session ---- */

/* The part of plans that depends on the values of a session's client. */
struct mcpw_made {
    mcpw_arena arena;
    const mcpw_type *type;
    void *value;
};

/* NULL when something of it is not known yet, or memory runs out. */
static struct mcpw_made *make(mcpw_session *session, const mcpw_type *type) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    struct mcpw_made *made = mcpw_session_alloc(session, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    options.values = (mcpw_members){session->values, session->value_count};
    made->arena = (mcpw_arena)MCPW_ARENA_INIT;
    made->arena.allocator = session->config->allocator;
    made->type = type;
    made->value = mcpw_arena_alloc(&made->arena, mcpw_type_size(type));
    if (made->value == NULL ||
        mcpw_project_values(type, &made->arena, made->value, &options, NULL) != MCPW_OK) {
        mcpw_arena_free(&made->arena);
        mcpw_session_release(session, made, sizeof *made);
        return NULL;
    }
    return made;
}

static const void *made_for(mcpw_session *session, const mcpw_type *type) {
    if (type != NULL && session->made == NULL) {
        session->made = make(session, type);
    }
    const struct mcpw_made *const made = session->made;
    return type != NULL && made != NULL && mcpw_type_revision(type) == mcpw_type_revision(made->type) &&
                   mcpw_ref_same(mcpw_type_ref(type), mcpw_type_ref(made->type))
               ? made->value
               : NULL;
}

mcpw_status mcpw_session_adapt_by(mcpw_session *session, const mcpw_plan *plan, const mcpw_type *from,
                                  const void *value, const mcpw_type *to, mcpw_arena *arena, const void **out,
                                  mcpw_error *error) {
    const void *said = NULL;
    if (plan != NULL &&
        mcpw_plan_follow(plan, value, made_for(session, mcpw_plan_needs(plan)), arena, &said)) {
        *out = said;
        return MCPW_OK;
    }
    return mcpw_session_adapt(session, from, value, to, arena, out, error);
}

void mcpw_plans_trim(mcpw_session *session) {
    struct mcpw_made *const made = session->made;
    if (made != NULL && session->served.in_flight == NULL) {
        mcpw_arena_free(&made->arena);
        mcpw_session_release(session, made, sizeof *made);
        session->made = NULL;
    }
}
