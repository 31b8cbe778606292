/* SPDX-License-Identifier: MIT */
/* JSON Schemas in files of the user. */
#ifndef MCPWIRE_JSON_SCHEMA_H
#define MCPWIRE_JSON_SCHEMA_H

#include <mcpw/json.h>
#include <mcpw/pattern.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads and compiles the schema in a file; NULL: the error was printed. json_schema_free frees it. */
mcpw_schema *json_schema_open(const char *file, bool assert_formats);

/* A document that a schema refers to. */
typedef struct json_schema_document {
    const char *uri;
    mcpw_json text;
    mcpw_schema_dialect dialect; /* if the document names none */
} json_schema_document;

/* Compiles a text that refers to a document, which is the content of the file; NULL: the error in the
 * document was printed. */
mcpw_schema *json_schema_compile(const char *file, const char *schema, size_t len,
                                 const json_schema_document *document, bool assert_formats);

/* Compiles a self-contained text; NULL: error is set. */
mcpw_schema *json_schema_quietly(mcpw_json text, mcpw_error *error);

/* The bytes of a compiled schema. */
size_t json_schema_size(const mcpw_schema *schema);

void json_schema_free(mcpw_schema *schema);

/* Calls mcpw_schema_check. */
mcpw_status json_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error);

/* True if this command was built with JSON Schema. */
bool json_schema_works(void);

/* The engine for patterns; NULL: this command was built without one. */
const mcpw_pattern_engine *json_schema_patterns(void);

#endif
