/* SPDX-License-Identifier: MIT */
#include "tool_schema.h"

bool mcpw_tool_schemas_work(void) { return true; }

mcpw_status mcpw_tool_schema_compile(const mcpw_pattern_engine *patterns, const mcpw_allocator *allocator,
                                     const char *member, mcpw_json text, mcpw_formats formats,
                                     mcpw_schema **out, mcpw_error *error) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = patterns;
    options.allocator = *allocator;
    options.flags = formats == MCPW_FORMATS_HOLD ? MCPW_SCHEMA_ASSERT_FORMATS : 0U;
    const mcpw_status status = mcpw_schema_compile(text.ptr, text.len, &options, out, error);
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, member, strlen(member));
    }
    return status;
}

void mcpw_tool_schema_free(mcpw_schema *schema) { mcpw_schema_free(schema); }

size_t mcpw_tool_schema_size(const mcpw_schema *schema) { return mcpw_schema_size(schema); }

/* Absent: nothing is to be checked. */
static mcpw_status compile(const mcpw_server_config *config, const char *member, mcpw_json text,
                           mcpw_schema **out, mcpw_error *error) {
    return text.ptr != NULL ? mcpw_tool_schema_compile(config->patterns, &config->allocator, member, text,
                                                       MCPW_FORMATS_SAY_NOTHING, out, error)
                            : MCPW_OK;
}

mcpw_status mcpw_tool_schemas_make(const mcpw_server_config *config, const mcpw_tool *tool,
                                   mcpw_tool_schemas **out, mcpw_error *error) {
    *out = NULL;
    if (config->check_schemas == MCPW_OFF ||
        (tool->input_schema.ptr == NULL && tool->output_schema.ptr == NULL)) {
        return MCPW_OK;
    }
    mcpw_tool_schemas *const made = mcpw_resize(&config->allocator, NULL, 0, sizeof *made);
    if (made == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    *made = (mcpw_tool_schemas){1, NULL, NULL};
    mcpw_status status = compile(config, "inputSchema", tool->input_schema, &made->input, error);
    if (status == MCPW_OK) {
        status = compile(config, "outputSchema", tool->output_schema, &made->output, error);
    }
    if (status != MCPW_OK) {
        mcpw_tool_schemas_unref(config, made);
        return status;
    }
    *out = made;
    return MCPW_OK;
}

void mcpw_tool_schemas_unref(const mcpw_server_config *config, mcpw_tool_schemas *schemas) {
    if (schemas == NULL || --schemas->uses != 0) {
        return;
    }
    mcpw_schema_free(schemas->input);
    mcpw_schema_free(schemas->output);
    (void)mcpw_resize(&config->allocator, schemas, sizeof *schemas, 0);
}

mcpw_status mcpw_tool_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                                   const mcpw_options *options, mcpw_error *error) {
    return mcpw_schema_check(schema, value.ptr, value.len, scratch, options, error);
}
