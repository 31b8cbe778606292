/* SPDX-License-Identifier: MIT */
/* Replaces json_schema.c in a command without JSON Schema. */
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
