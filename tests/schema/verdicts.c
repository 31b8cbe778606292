/* SPDX-License-Identifier: MIT */
/* For tests/schema/oracle.py: each line of the input is {"schema": ..., "values": [...]}; for each a line
 * comes back with a letter a value: 1 it fits, 0 it does not, ? the check was given up; or "no: " and why the
 * schema is none. The argument names the dialect of schemas without "$schema": 1, 2 or 3. */
#include <mcpw/json.h>
#include <mcpw/pcre2.h>
#include <mcpw/schema.h>

#include <stdio.h>
#include <stdlib.h>

static char verdict(mcpw_status status) {
    switch (status) {
    case MCPW_OK:
        return '1';
    case MCPW_E_WORK:
    case MCPW_E_DEPTH:
    case MCPW_E_MEMORY:
    case MCPW_E_SYNTAX:
        return '?';
    default:
        return '0';
    }
}

static void answer(const mcpw_schema_options *options, mcpw_json line, mcpw_arena *scratch) {
    mcpw_json text = {NULL, 0, 0};
    mcpw_json values = {NULL, 0, 0};
    mcpw_json value;
    mcpw_json_iter it;
    mcpw_schema *schema = NULL;
    mcpw_error error;
    if (mcpw_json_get(line, "schema", &text) != MCPW_OK ||
        mcpw_json_get(line, "values", &values) != MCPW_OK || mcpw_json_iterate(values, &it) != MCPW_OK) {
        (void)puts("no: line is not understood");
        return;
    }
    if (mcpw_schema_compile(text.ptr, text.len, options, &schema, &error) != MCPW_OK) {
        (void)printf("no: %s %s\n", error.path, error.message);
        return;
    }
    while (mcpw_json_next(&it, NULL, &value)) {
        (void)putchar(verdict(mcpw_schema_check(schema, value.ptr, value.len, scratch, NULL, NULL)));
    }
    (void)putchar('\n');
    mcpw_schema_free(schema);
}

int main(int argc, char **argv) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    char *line = NULL;
    size_t room = 0;
    ssize_t len = 0;
    options.patterns = mcpw_pcre2();
    options.dialect = argc > 1 ? (mcpw_schema_dialect)(argv[1][0] - '0') : MCPW_SCHEMA_2020_12;
    while ((len = getline(&line, &room, stdin)) > 0) {
        const mcpw_json text = mcpw_json_of(line, (size_t)len);
        answer(&options, text, &scratch);
    }
    free(line);
    mcpw_arena_free(&scratch);
    return 0;
}
