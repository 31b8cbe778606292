/* SPDX-License-Identifier: MIT */
/* A JSON Schema, compiled once, and values checked against it. */
#include <mcpw/schema.h>

#include <stdio.h>

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\",\"minLength\":1},"
    "\"units\":{\"enum\":[\"celsius\",\"kelvin\"]},\"day\":{\"$ref\":\"https://example.org/day.json\"}},"
    "\"required\":[\"city\"],\"additionalProperties\":false}";

/* Documents that the schema refers to. */
static mcpw_status find_document(void *user, const char *uri, mcpw_json *document) {
    (void)user;
    if (strcmp(uri, "https://example.org/day.json") != 0) {
        return MCPW_E_NOT_FOUND;
    }
    *document = mcpw_json_from("{\"type\":\"integer\",\"minimum\":1,\"maximum\":14}");
    return MCPW_OK;
}

/* Called for each error. */
static bool print_error(void *user, const mcpw_error *error) {
    (void)user;
    printf("%s: %s\n", error->path[0] != '\0' ? error->path : "the value", error->message);
    return true; /* go on */
}

int main(void) {
    mcpw_schema *schema = NULL;
    mcpw_error error;
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.resolve = find_document;
    if (mcpw_schema_compile(schema_text, sizeof schema_text - 1, &options, &schema, &error) != MCPW_OK) {
        printf("no schema: %s: %s\n", error.path, error.message);
        return 1;
    }

    static const char value[] = "{\"units\":\"rankine\",\"day\":0,\"place\":\"here\"}";
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options all = MCPW_OPTIONS_INIT;
    all.on_error = print_error;
    const mcpw_status status = mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &all, &error);

    printf("%s\n", mcpw_status_name(status));
    mcpw_arena_free(&scratch);
    mcpw_schema_free(schema);
    return 0;
}
