/* SPDX-License-Identifier: MIT */
/* The bindings of methods that extensions add. */
#include "extension_bind.h"

#include <assert.h>

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "endpoint.h"
#include "extension.h"
#include "extension_check.h"

static mcpw_status bind_custom(mcpw_endpoint *endpoint, mcpw_profile *profile, const mcpw_custom *custom,
                               mcpw_binding *b, mcpw_error *error) {
    const mcpw_type *const params = mcpw_custom_params(custom, profile->revision);
    const mcpw_revision *const revision = params != NULL ? mcpw_type_revision(params) : profile->revision;
    mcpw_binding_set_params(b, revision, params);
    b->result_meta = MCPW_NO_OFFSET;
    mcpw_status status = mcpw_binding_set_result(endpoint, b, profile->revision,
                                                 mcpw_revision_type(profile->revision, "Result"));
    b->plain = custom->result == NULL && custom->result_schema == NULL;
    status =
        status == MCPW_OK ? mcpw_binding_set_fill_text(endpoint, profile, b, profile->self != NULL) : status;
    if (status == MCPW_OK && !mcpw_endpoint_serves(endpoint)) {
        status = mcpw_profile_make_meta_text(endpoint, profile);
    }
    if (status == MCPW_OK && !mcpw_endpoint_serves(endpoint) && b->meta != MCPW_NO_OFFSET &&
        b->meta_ref.kind == MCPW_KIND_STRUCT) {
        status = mcpw_profile_make_meta(endpoint, profile, revision, b, error);
    }
    return status;
}

/* Whether params of a request are read with the message: by a type of the tables that it is read by, which
 * has the revision in its _meta. */
static bool is_read_with_message(const mcpw_endpoint *endpoint, const mcpw_profile *profile, size_t i) {
    const mcpw_custom *const custom = endpoint->config.extensions->methods + i;
    const mcpw_binding *const b = profile->customs + i;
    const mcpw_type *const params = mcpw_custom_params(custom, profile->revision);
    return (custom->flags & MCPW_METHOD_REQUEST) != 0 && (custom->flags & MCPW_METHOD_FROM_CLIENT) != 0 &&
           custom->scope != MCPW_SCOPE_CORE && params != NULL &&
           mcpw_type_revision(params) == profile->revision && b->meta_ref.kind == MCPW_KIND_STRUCT &&
           b->version != MCPW_NO_OFFSET && mcpw_custom_is_served(endpoint, custom) &&
           mcpw_method_number(profile->revision, custom->name.ptr, custom->name.len) == 0;
}

/* Names the requests whose params are read with the message, where each request names its revision. */
static mcpw_status bind_added(mcpw_endpoint *endpoint, mcpw_profile *profile) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    mcpw_added_method *const added = mcpw_arena_alloc(&endpoint->memory, set->method_count * sizeof *added);
    uint8_t *const customs = mcpw_arena_alloc(&endpoint->memory, set->method_count);
    static_assert(MCPW_MAX_EXTENSION_METHODS <= UINT8_MAX + 1, "a byte holds the place of a method");
    if (added == NULL || customs == NULL) {
        return MCPW_E_MEMORY;
    }
    for (size_t i = 0; i < set->method_count; i++) {
        const mcpw_custom *const custom = set->methods + i;
        if (is_read_with_message(endpoint, profile, i)) {
            customs[profile->added_count] = (uint8_t)i;
            added[profile->added_count++] =
                (mcpw_added_method){custom->name, mcpw_custom_params(custom, profile->revision)};
        }
    }
    profile->added = added;
    profile->added_customs = customs;
    return MCPW_OK;
}

mcpw_status mcpw_extensions_bind(mcpw_endpoint *endpoint, mcpw_profile *profile, mcpw_error *error) {
    const mcpw_extensions *const set = endpoint->config.extensions;
    mcpw_status status = MCPW_OK;
    profile->takes_extensions = mcpw_extensions_are_in(profile->revision);
    if (set->method_count == 0 || !mcpw_extensions_take(set, profile)) {
        return MCPW_OK;
    }
    const size_t size = set->method_count * sizeof *profile->customs;
    profile->customs = mcpw_arena_alloc(&endpoint->memory, size);
    if (profile->customs == NULL) {
        return MCPW_E_MEMORY;
    }
    memset(profile->customs, 0, size);
    for (size_t i = 0; status == MCPW_OK && i < set->method_count; i++) {
        status = bind_custom(endpoint, profile, set->methods + i, profile->customs + i, error);
    }
    return status == MCPW_OK && profile->modern && mcpw_endpoint_serves(endpoint)
               ? bind_added(endpoint, profile)
               : status;
}
