/* SPDX-License-Identifier: MIT */
/* Results of methods that extensions add. The revision does not know the methods, so their results are sent
 * as text. */
#include "custom_result.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "../core/tool_schema.h"
#include "../revisions/extension.h"

/* The result of a method of an extension, with the required members that a session fills in. */
static mcpw_status fill_custom(mcpw_request *r, const mcpw_type *type, const void *result,
                               unsigned char **out) {
    const mcpw_revision *const revision = mcpw_type_revision(type);
    unsigned char *const copy = mcpw_arena_alloc(&r->arena, mcpw_type_size(type));
    mcpw_status status = copy != NULL ? MCPW_OK : r->arena.status;
    *out = copy;
    if (copy != NULL) {
        memcpy(copy, result, mcpw_type_size(type));
    }
    for (size_t i = 0; status == MCPW_OK && i < r->session->endpoint->value_count; i++) {
        const mcpw_member *const value = r->session->endpoint->values + i;
        const mcpw_slot slot = mcpw_type_slot(type, value->name.ptr);
        mcpw_type_room room;
        if (mcpw_slot_exists(slot) && slot.required && slot.size != 0 &&
            !mcpw_ref_is_present(revision, slot.ref, copy + slot.offset)) {
            status = mcpw_decode(mcpw_type_make(&room, revision, slot.ref, ""), value->value.ptr,
                                 value->value.len, &r->arena, copy + slot.offset, NULL, NULL);
        }
    }
    return status;
}

mcpw_status mcpw_custom_result(mcpw_request *r, const mcpw_type *type, const void *result, mcpw_json *out,
                               mcpw_error *error) {
    unsigned char *filled = NULL;
    *out = no_json;
    if (type != r->custom->result) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s is no result of this method",
                              mcpw_type_name(type));
    }
    mcpw_status status = fill_custom(r, type, result, &filled);
    status = status == MCPW_OK ? mcpw_field_text(mcpw_field_of(type, filled), &r->arena, out) : status;
    return status == MCPW_OK
               ? MCPW_OK
               : mcpw_error_set(error, status, 0, "%s: %s", mcpw_type_name(type), mcpw_status_text(status));
}

bool mcpw_custom_is_final(mcpw_json result) {
    static const mcpw_json asking = MCPW_JSON("\"input_required\"");
    mcpw_json found;
    return mcpw_json_get(result, "resultType", &found) != MCPW_OK || !mcpw_json_equal(found, asking);
}

mcpw_status mcpw_custom_check(mcpw_request *r, mcpw_json result, mcpw_error *error) {
    const mcpw_custom *const custom = r->custom;
    mcpw_status status = mcpw_json_kind_of(result) == MCPW_JSON_OBJECT
                             ? MCPW_OK
                             : mcpw_error_set(error, MCPW_E_TYPE, 0, "the result is no JSON object");
    if (status == MCPW_OK && !mcpw_custom_is_final(result)) {
        status = mcpw_error_set(error, MCPW_E_VALUE, 0, "%.*s cannot be answered by input_required",
                                (int)custom->name.len, custom->name.ptr);
    }
    if (status == MCPW_OK && custom->result != NULL) {
        status = mcpw_validate(custom->result, result.ptr, result.len, &r->arena, NULL, error);
    }
    if (status == MCPW_OK && custom->result_schema != NULL) {
        status = mcpw_tool_schema_check(custom->result_schema, result, &r->arena, NULL, error);
    }
    return status;
}
