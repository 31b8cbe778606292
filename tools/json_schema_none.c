/* SPDX-License-Identifier: MIT */
/* json_schema.h in a command whose library has no JSON Schema. */
#include "json_schema.h"

#include "tool.h"

mcpw_schema *json_schema_open(const char *file, bool assert_formats) {
    (void)file;
    (void)assert_formats;
    tool_complain("this mcpwire was built without JSON Schema (MCPW_WITH_SCHEMA)");
    return NULL;
}

mcpw_schema *json_schema_compile(const char *file, const char *schema, size_t len,
                                 const json_schema_document *document, bool assert_formats) {
    (void)schema;
    (void)len;
    (void)document;
    return json_schema_open(file, assert_formats);
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

const mcpw_pattern_engine *json_schema_patterns(void) { return NULL; }
