/* SPDX-License-Identifier: MIT */
/* Reads lines "type<TAB>value" and says of each whether the generated type takes the value, and what it
 * writes of it after having read it. */
#include <mcpw/detail/catalogue.h>

#include <app.h>

#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 4096, LARGEST_VALUE = 1024 };

static void answer(const mcpw_type *type, const char *text) {
    union {
        char bytes[LARGEST_VALUE];
        double alignment;
        const void *pointer;
    } value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    if (mcpw_decode(type, text, strlen(text), &arena, &value, NULL, &error) != MCPW_OK) {
        printf("no %s: %s\n", error.path, error.message);
    } else if (mcpw_encode(type, &value, &out, NULL, &error) != MCPW_OK) {
        printf("lost %s: %s\n", error.path, error.message);
    } else {
        printf("yes %.*s\n", (int)out.len, out.data);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

int main(void) {
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *const tab = strchr(line, '\t');
        const mcpw_type *type = NULL;
        line[strcspn(line, "\n")] = '\0';
        if (tab != NULL) {
            *tab = '\0';
            type = mcpw_revision_type(&app_revision, line);
        }
        if (type == NULL) {
            return 1;
        }
        answer(type, tab + 1);
    }
    return 0;
}
