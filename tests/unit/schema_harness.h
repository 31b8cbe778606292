/* SPDX-License-Identifier: MIT */
/* Schemas and values as string literals, for the tests of <mcpw/schema.h>. */
#ifndef MCPW_TESTS_SCHEMA_HARNESS_H
#define MCPW_TESTS_SCHEMA_HARNESS_H

#include <mcpw/schema.h>

#include "check.h"

static mcpw_error schema_error;

/* Compiles a schema that has to be one. */
static inline mcpw_schema *schema_of(const char *text, const mcpw_schema_options *options) {
    mcpw_schema *schema = NULL;
    schema_error.message[0] = '\0';
    if (mcpw_schema_compile(text, strlen(text), options, &schema, &schema_error) != MCPW_OK) {
        (void)fprintf(stderr, "%s: %s: %s %s\n", check_test, text, schema_error.path, schema_error.message);
        check_failures++;
    }
    return schema;
}

/* Checks a value against a compiled schema. */
static inline mcpw_status value_status(const mcpw_schema *schema, const char *value) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    memset(&schema_error, 0, sizeof schema_error);
    const mcpw_status status =
        schema == NULL ? MCPW_E_ARGUMENT
                       : mcpw_schema_check(schema, value, strlen(value), &scratch, NULL, &schema_error);
    mcpw_arena_free(&scratch);
    return status;
}

/* The same for both as texts. */
static inline mcpw_status status_of(const char *text, const char *value) {
    mcpw_schema *const schema = schema_of(text, NULL);
    const mcpw_status status = value_status(schema, value);
    mcpw_schema_free(schema);
    return status;
}

/* Why a text is no schema. */
static inline mcpw_status compile_status(const char *text, const mcpw_schema_options *options) {
    mcpw_schema *schema = NULL;
    memset(&schema_error, 0, sizeof schema_error);
    const mcpw_status status = mcpw_schema_compile(text, strlen(text), options, &schema, &schema_error);
    CHECK((status == MCPW_OK) == (schema != NULL));
    mcpw_schema_free(schema);
    return status;
}

#define CHECK_FITS(schema, value) CHECK(status_of((schema), (value)) == MCPW_OK)
#define CHECK_REFUSED(schema, value, status) CHECK(status_of((schema), (value)) == (status))
#define CHECK_ERROR(want_path, want_message)                                                                 \
    do {                                                                                                     \
        CHECK_STRING(schema_error.path, (want_path));                                                        \
        CHECK_STRING(schema_error.message, (want_message));                                                  \
    } while (0)

#endif
