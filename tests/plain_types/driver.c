/* SPDX-License-Identifier: MIT */
/* Reads lines "type<TAB>value" and says of each whether the generated type takes the value, and what it
 * writes of it after having read it. "beyond": it has written past the end of its memory. */
#include <mcpw/detail/catalogue.h>

#include <app.h>

#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 15, LARGEST_VALUE = 1024, SLACK = 1100, GUARD = 512, MARK = 0xa5 };

/* Whether a value that takes len bytes stays within its memory, whatever the size of the memory: with less
 * than it needs it fails, and nothing is written past the end. */
static bool stays_within(const mcpw_type *type, const void *value, size_t len, const mcpw_options *options) {
    static char room[LONGEST_LINE * 2 + SLACK + GUARD];
    bool stays = len <= (size_t)LONGEST_LINE * 2;
    for (size_t size = len > SLACK ? len - SLACK : 0; stays && size < len + SLACK; size++) {
        mcpw_buffer out;
        mcpw_buffer_use(&out, room, size);
        memset(room + size, MARK, GUARD);
        const mcpw_status status = mcpw_encode(type, value, &out, options, NULL);
        for (size_t i = 0; i < GUARD; i++) {
            stays = stays && (unsigned char)room[size + i] == MARK;
        }
        stays = stays && (status != MCPW_OK || (out.len == len && len <= size));
    }
    return stays;
}

static void answer(const mcpw_type *type, const char *text) {
    union {
        char bytes[LARGEST_VALUE];
        double alignment;
        const void *pointer;
    } value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    options.max_depth = MCPW_MAX_DEPTH;
    if (mcpw_decode(type, text, strlen(text), &arena, &value, &options, &error) != MCPW_OK) {
        printf("no %s: %s\n", error.path, error.message);
    } else if (mcpw_encode(type, &value, &out, &options, &error) != MCPW_OK) {
        printf("lost %s: %s\n", error.path, error.message);
    } else if (!stays_within(type, &value, out.len, &options)) {
        printf("beyond\n");
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
