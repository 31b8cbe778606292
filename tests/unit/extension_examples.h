/* SPDX-License-Identifier: MIT */
/* Examples of an extension's types: each is read by its type and written again. */
#ifndef EXTENSION_EXAMPLES_H
#define EXTENSION_EXAMPLES_H

#include "session_harness.h"

/* A value, with ' for ", its members in the order in which they are written. */
typedef struct example {
    const mcpw_type *type;
    const char *text;
} example;

/* A valid value is written as it was read. */
static inline void check_round_trip(const example *each) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    const char *const json = q(each->text);
    void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(each->type));
    CHECK(value != NULL &&
          mcpw_decode(each->type, json, strlen(json), &arena, value, NULL, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(mcpw_encode(each->type, value, &out, NULL, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK_TEXT(out.data, out.len, json);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

static inline void check_refused(const example *each) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const char *const json = q(each->text);
    if (mcpw_validate(each->type, json, strlen(json), &arena, NULL, NULL) == MCPW_OK) {
        (void)fprintf(stderr, "%s: %s takes %s\n", check_test, mcpw_type_name(each->type), json);
        check_failures++;
    }
    mcpw_arena_free(&arena);
}

#endif
