/* SPDX-License-Identifier: MIT */
/* Replaces json_schema_check.c in a command without JSON Schema. */
#include "json_schema.h"

mcpw_schema *json_schema_quietly(mcpw_json text, mcpw_error *error) {
    (void)text;
    mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "this mcpwire was built without JSON Schema");
    return NULL;
}

size_t json_schema_size(const mcpw_schema *schema) {
    (void)schema;
    return 0;
}

bool json_schema_works(void) { return false; }

void json_schema_free(mcpw_schema *schema) { (void)schema; }

mcpw_status json_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error) {
    (void)schema;
    (void)value;
    (void)scratch;
    (void)options;
    (void)error;
    return MCPW_E_ARGUMENT;
}
