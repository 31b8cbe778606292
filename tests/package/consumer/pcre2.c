/* SPDX-License-Identifier: MIT */
/* A JSON Schema with a pattern. */
#include <mcpw/pcre2.h>
#include <mcpw/schema.h>

#include <stdio.h>

int main(void) {
    static const char text[] = "{\"pattern\":\"^a\"}";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_schema *schema = NULL;
    mcpw_error error;
    options.patterns = mcpw_pcre2();
    if (mcpw_schema_compile(text, sizeof text - 1, &options, &schema, &error) != MCPW_OK) {
        return 1;
    }
    if (mcpw_schema_check(schema, "\"b\"", 3, &scratch, NULL, &error) == MCPW_E_FORMAT) {
        printf("pattern '^a' refuses b\n");
    }
    mcpw_arena_free(&scratch);
    mcpw_schema_free(schema);
    return 0;
}
