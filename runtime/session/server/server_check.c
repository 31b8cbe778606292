/* SPDX-License-Identifier: MIT */
/* Structured content, and what the tool that gives it has promised. */
#include "server_internal.h"

static mcpw_status is_missing(mcpw_error *error) {
    mcpw_error_set(error, MCPW_E_MISSING, 0,
                   "the tool has an outputSchema: its result needs structured content");
    return MCPW_E_MISSING;
}

mcpw_status mcpw_server_check_structured(const mcpw_serving *serving, mcpw_json value, mcpw_error *error) {
    const mcpw_schema *const schema =
        serving != NULL && serving->schemas != NULL ? serving->schemas->output : NULL;
    mcpw_status status = MCPW_OK;
    if (value.ptr == NULL) {
        return schema != NULL ? is_missing(error) : MCPW_OK;
    }
    if (schema != NULL) {
        status = mcpw_tool_schema_check(schema, value, serving->arena, NULL, error);
    }
    if (status == MCPW_OK && serving != NULL && serving->structured != NULL) {
        status = mcpw_validate(serving->structured, value.ptr, value.len, serving->arena, NULL, error);
    }
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, "structuredContent", strlen("structuredContent"));
    }
    return status;
}
