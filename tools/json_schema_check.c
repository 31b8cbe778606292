/* SPDX-License-Identifier: MIT */
/* The functions of json_schema.h that need no files and print nothing. */
#include "json_schema.h"

mcpw_schema *json_schema_quietly(mcpw_json text, mcpw_error *error) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_schema *schema = NULL;
    options.patterns = json_schema_patterns();
    return mcpw_schema_compile(text.ptr, text.len, &options, &schema, error) == MCPW_OK ? schema : NULL;
}

size_t json_schema_size(const mcpw_schema *schema) { return mcpw_schema_size(schema); }

bool json_schema_works(void) { return true; }

void json_schema_free(mcpw_schema *schema) { mcpw_schema_free(schema); }

mcpw_status json_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error) {
    return mcpw_schema_check(schema, value.ptr, value.len, scratch, options, error);
}
