/* SPDX-License-Identifier: MIT */
/* A schema that a user names by its file. */
#ifndef MCPWIRE_JSON_SCHEMA_H
#define MCPWIRE_JSON_SCHEMA_H

#include <mcpw/json.h>
#include <mcpw/pattern.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads and compiles the schema in a file, formats asserted or not; NULL after saying why there is none. Give
 * it back with json_schema_free. */
mcpw_schema *json_schema_open(const char *file, bool assert_formats);

/* A document that a schema refers to. */
typedef struct json_schema_document {
    const char *uri;
    mcpw_json text;
    mcpw_schema_dialect dialect; /* where it names none */
} json_schema_document;

/* Compiles a text that refers to a document, which is what the file holds; NULL after saying what is wrong
 * with that. */
mcpw_schema *json_schema_compile(const char *file, const char *schema, size_t len,
                                 const json_schema_document *document, bool assert_formats);

/* Compiles a text that stands by itself; NULL with error filled in. */
mcpw_schema *json_schema_quietly(mcpw_json text, mcpw_error *error);

/* The bytes that a schema takes. */
size_t json_schema_size(const mcpw_schema *schema);

void json_schema_free(mcpw_schema *schema);

/* mcpw_schema_check */
mcpw_status json_schema_check(const mcpw_schema *schema, mcpw_json value, mcpw_arena *scratch,
                              const mcpw_options *options, mcpw_error *error);

/* Whether this command was built with JSON Schema. */
bool json_schema_works(void);

/* The engine for patterns; NULL: this command was built without. */
const mcpw_pattern_engine *json_schema_patterns(void);

#endif
