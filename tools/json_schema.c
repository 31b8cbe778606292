/* SPDX-License-Identifier: MIT */
#include "json_schema.h"

#include "input.h"
#include "tool.h"

#include <string.h>

/* Removes the document's URI from the end of a message, because the user knows the file by its name. */
static void leave_out(char *message, const char *uri) {
    static const char before[] = ", in ";
    const size_t uri_len = strlen(uri);
    const size_t end_len = sizeof before - 1 + uri_len;
    const size_t len = strlen(message);
    char *const end = len > end_len ? message + (len - end_len) : NULL;
    if (end != NULL && memcmp(end, before, sizeof before - 1) == 0 &&
        strcmp(end + sizeof before - 1, uri) == 0) {
        *end = '\0';
    }
}

/* given: the document that the schema refers to; NULL: none. */
static mcpw_schema *compile(const char *file, const char *text, size_t len, const mcpw_schema_options *how,
                            const json_schema_document *given, bool assert_formats) {
    mcpw_schema_options options = *how;
    mcpw_schema *schema = NULL;
    mcpw_error error;
    options.flags = assert_formats ? MCPW_SCHEMA_ASSERT_FORMATS : 0;
    options.patterns = json_schema_patterns();
    if (mcpw_schema_compile(text, len, &options, &schema, &error) != MCPW_OK) {
        leave_out(error.message, given != NULL ? given->uri : "");
        tool_complain("%s is not a schema: %s%s%s", file, error.path, error.path[0] != '\0' ? ": " : "",
                      error.message);
    }
    return schema;
}

mcpw_schema *json_schema_open(const char *file, bool assert_formats) {
    const mcpw_schema_options plain = MCPW_SCHEMA_OPTIONS_INIT;
    char why[INPUT_REASON_SIZE];
    mcpw_schema *schema = NULL;
    input in;
    input_value text;
    if (input_open(&in, file, MCPW_SCHEMA_DEFAULT_BYTES) && input_whole(&in, &text) != INPUT_FAILED) {
        if (text.too_long) {
            tool_complain("%s is longer than a schema may be", file);
        } else {
            schema = compile(file, text.text, text.len, &plain, NULL, assert_formats);
        }
    } else {
        input_reason(&in, why);
        tool_complain("%s: %s", file, why);
    }
    input_close(&in);
    return schema;
}

static mcpw_status give_document(void *user, const char *uri, mcpw_json *document) {
    const json_schema_document *const known = user;
    *document = known->text;
    return strcmp(uri, known->uri) == 0 ? MCPW_OK : MCPW_E_NOT_FOUND;
}

mcpw_schema *json_schema_compile(const char *file, const char *schema, size_t len,
                                 const json_schema_document *document, bool assert_formats) {
    json_schema_document given = *document;
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.resolve = give_document;
    options.user = &given;
    options.dialect = document->dialect;
    return compile(file, schema, len, &options, document, assert_formats);
}
