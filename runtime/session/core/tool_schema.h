/* SPDX-License-Identifier: MIT */
/* The schemas of a tool, compiled: what its arguments and its structured content are checked by. A library
 * built without <mcpw/schema.h> has none (tool_schema_none.c), and checks nothing. */
#ifndef MCPW_TOOL_SCHEMA_H
#define MCPW_TOOL_SCHEMA_H

#include <mcpw/schema.h>
#include <mcpw/server.h>

/* The meaning of "format": an assertion in forms of elicitations, where MCP names the formats. */
typedef enum mcpw_formats { MCPW_FORMATS_SAY_NOTHING, MCPW_FORMATS_HOLD } mcpw_formats;

/* Whether this library compiles schemas. */
bool mcpw_tool_schemas_work(void);
/* Compiles a schema. member is where the paths of errors begin. */
MCPW_NODISCARD mcpw_status mcpw_tool_schema_compile(const mcpw_pattern_engine *patterns,
                                                    const mcpw_allocator *allocator, const char *member,
                                                    mcpw_json text, mcpw_formats formats, mcpw_schema **out,
                                                    mcpw_error *error);
void mcpw_tool_schema_free(mcpw_schema *schema);
/* The bytes that it takes. */
size_t mcpw_tool_schema_size(const mcpw_schema *schema);

/* Shared by a tool's entry and the requests under way, which may outlive the entry. */
typedef struct mcpw_tool_schemas {
    unsigned uses;
    mcpw_schema *input; /* NULL: any arguments */
    mcpw_schema *output;
} mcpw_tool_schemas;

/* Compiles what a tool has; *out is NULL where that is nothing. Errors are those of mcpw_schema_compile,
 * their paths beginning with /inputSchema or /outputSchema. */
MCPW_NODISCARD mcpw_status mcpw_tool_schemas_make(const mcpw_server_config *config, const mcpw_tool *tool,
                                                  mcpw_tool_schemas **out, mcpw_error *error);
/* One use less; NULL does nothing. */
void mcpw_tool_schemas_unref(const mcpw_server_config *config, mcpw_tool_schemas *schemas);
/* Whether a schema accepts a value. */
MCPW_NODISCARD mcpw_status mcpw_tool_schema_check(const mcpw_schema *schema, mcpw_json value,
                                                  mcpw_arena *scratch, const mcpw_options *options,
                                                  mcpw_error *error);

#endif
