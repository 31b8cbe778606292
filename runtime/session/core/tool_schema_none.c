/* SPDX-License-Identifier: MIT */
/* For libraries without <mcpw/schema.h>: no tool has a schema that is checked. */
#include "tool_schema.h"

bool mcpw_tool_schemas_work(void) { return false; }

mcpw_status mcpw_tool_schema_compile(const mcpw_pattern_engine *patterns, const mcpw_allocator *allocator,
                                     const char *member, mcpw_json text, mcpw_formats formats,
                                     mcpw_schema **out, mcpw_error *error) {
    (void)formats;
    (void)patterns;
    (void)allocator;
    (void)member;
    (void)text;
    (void)error;
    *out = NULL;
    return MCPW_OK;
}

void mcpw_tool_schema_free(mcpw_schema *schema) { (void)schema; }

size_t mcpw_tool_schema_size(const mcpw_schema *schema) {
    (void)schema;
    return 0;
}

mcpw_status mcpw_tool_schemas_make(const mcpw_server_config *config, const mcpw_tool *tool,
                                   mcpw_tool_schemas **out, mcpw_error *error) {
    (void)config;
    (void)tool;
    (void)error;
    *out = NULL;
    return MCPW_OK;
}

void mcpw_tool_schemas_unref(const mcpw_server_config *config, mcpw_tool_schemas *schemas) {
    (void)config;
    (void)schemas;
}

mcpw_status mcpw_tool_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                                   const mcpw_options *options, mcpw_error *error) {
    (void)schema;
    (void)value;
    (void)scratch;
    (void)options;
    (void)error;
    return MCPW_OK;
}
