/* SPDX-License-Identifier: MIT */
/* How long compiling a schema takes, and checking a value, parsing included: usage
 *     schema_bench ROUNDS SCHEMA VALUE [SCHEMA VALUE]...
 * For each pair a line: nanoseconds to compile, nanoseconds a check, and the verdict. */
#include <mcpw/pcre2.h>
#include <mcpw/schema.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static mcpw_json read_file(const char *path) {
    FILE *const file = fopen(path, "rb");
    mcpw_json text = {NULL, 0, 0};
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        (void)fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    const long len = ftell(file);
    char *const data = malloc((size_t)len + 1);
    rewind(file);
    if (data == NULL || fread(data, 1, (size_t)len, file) != (size_t)len) {
        exit(2);
    }
    (void)fclose(file);
    text.ptr = data;
    text.len = (size_t)len;
    return text;
}

static void measure(const char *schema_path, const char *value_path, int rounds) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_schema *schema = NULL;
    mcpw_error error;
    mcpw_status status = MCPW_OK;
    const mcpw_json text = read_file(schema_path);
    const mcpw_json value = read_file(value_path);
    const int compilations = rounds / 100 + 1;
    options.patterns = mcpw_pcre2();
    const double begin = now();
    for (int i = 0; i < compilations; i++) {
        mcpw_schema_free(schema);
        if (mcpw_schema_compile(text.ptr, text.len, &options, &schema, &error) != MCPW_OK) {
            (void)printf("%s: %s %s\n", schema_path, error.path, error.message);
            return;
        }
    }
    const double compiled = now();
    for (int i = 0; i < rounds; i++) {
        status = mcpw_schema_check(schema, value.ptr, value.len, &scratch, NULL, NULL);
    }
    const double checked = now();
    (void)printf("%s %.0f %.1f %s\n", schema_path, (compiled - begin) / compilations,
                 (checked - compiled) / rounds, mcpw_status_name(status));
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
    free((void *)(uintptr_t)text.ptr);
    free((void *)(uintptr_t)value.ptr);
}

int main(int argc, char **argv) {
    if (argc < 4 || argc % 2 != 0) {
        (void)fprintf(stderr, "usage: schema_bench ROUNDS SCHEMA VALUE [SCHEMA VALUE]...\n");
        return 2;
    }
    const long rounds = strtol(argv[1], NULL, 10);
    for (int i = 2; i + 1 < argc; i += 2) {
        measure(argv[i], argv[i + 1], (int)rounds);
    }
    return 0;
}
