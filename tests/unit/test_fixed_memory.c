/* SPDX-License-Identifier: MIT */
/* Arenas and buffers over memory that is the caller's: no allocator, no growth. */
#include <mcp/2025-11-25.h>

#include "check.h"

enum { MEMORY = 4096, GUARD = 64 };

static unsigned char memory[MEMORY + GUARD];

static void what_fits_is_decoded_again_and_again(void) {
    static const char text[] = "{\"name\":\"n\",\"arguments\":{\"a\":1}}";
    mcpw_arena arena;
    CHECK(mcpw_arena_use(&arena, memory, MEMORY) == MCPW_OK);
    for (int i = 0; i < 1000; i++) {
        mcp_20251125_call_tool_request_params params;
        CHECK(mcp_20251125_call_tool_request_params_decode(text, sizeof text - 1, &arena, &params, NULL,
                                                           NULL) == MCPW_OK);
        CHECK((const unsigned char *)params.name.ptr >= memory &&
              (const unsigned char *)params.name.ptr < memory + MEMORY);
        mcpw_arena_reset(&arena);
    }
}

static void an_arena_gives_out_its_memory_and_no_byte_more(void) {
    mcpw_arena arena;
    unsigned char *last = memory;
    memset(memory, 0, sizeof memory);
    CHECK(mcpw_arena_use(&arena, memory + 1, MEMORY - 1) == MCPW_OK);
    for (void *p = mcpw_arena_alloc(&arena, 16); p != NULL; p = mcpw_arena_alloc(&arena, 16)) {
        memset(p, 0xff, 16);
        last = p;
    }
    CHECK(arena.status == MCPW_E_ARENA);
    CHECK(last + 32 > memory + MEMORY && last + 16 <= memory + MEMORY);
    CHECK(memory[0] == 0 && memory[MEMORY] == 0);
}

static void what_does_not_fit_is_an_error(void) {
    char text[MEMORY] = "[\"";
    mcpw_arena arena;
    mcpw_error error;
    memset(text + 2, 'x', sizeof text - 4);
    memcpy(text + sizeof text - 2, "\"]", 2);
    CHECK(mcpw_arena_use(&arena, memory, MEMORY) == MCPW_OK);
    const mcpw_type *const any = mcpw_find_type("2026-07-28", "JSONArray");
    CHECK(any == NULL || mcpw_validate(any, text, sizeof text, &arena, NULL, &error) == MCPW_E_ARENA);
}

static void hardly_any_memory_is_refused(void) {
    mcpw_arena arena;
    CHECK(mcpw_arena_use(&arena, memory, 16) == MCPW_E_ARGUMENT);
    CHECK(mcpw_arena_use(&arena, NULL, MEMORY) == MCPW_E_ARGUMENT);
}

static void a_freed_arena_has_nothing_left(void) {
    mcpw_arena arena;
    CHECK(mcpw_arena_use(&arena, memory, MEMORY) == MCPW_OK);
    mcpw_arena_free(&arena);
    CHECK(mcpw_arena_alloc(&arena, 1) == NULL);
    CHECK(mcpw_arena_use(&arena, memory, MEMORY) == MCPW_OK);
    CHECK(mcpw_arena_alloc(&arena, 1) != NULL);
}

static void a_buffer_holds_what_fits(void) {
    mcpw_buffer buffer;
    mcpw_buffer_use(&buffer, memory, MEMORY);
    CHECK(mcpw_buffer_append(&buffer, "abc", 3) == MCPW_OK);
    CHECK_TEXT((const char *)memory, 3, "abc");
    CHECK(mcpw_buffer_reserve(&buffer, MEMORY) == MCPW_E_MEMORY);
    CHECK(buffer.len == 3);
    mcpw_buffer_free(&buffer);
    CHECK(buffer.data == NULL);
}

static void a_value_is_encoded_into_it(void) {
    mcpw_buffer buffer;
    mcp_20251125_text_content content;
    memset(&content, 0, sizeof content);
    content.text = mcpw_str_from("t");
    mcpw_buffer_use(&buffer, memory, MEMORY);
    CHECK(mcp_20251125_text_content_encode(&content, &buffer, NULL, NULL) == MCPW_OK);
    CHECK_TEXT(buffer.data, buffer.len, "{\"type\":\"text\",\"text\":\"t\"}");
    mcpw_buffer_use(&buffer, memory, GUARD);
    CHECK(mcp_20251125_text_content_encode(&content, &buffer, NULL, NULL) == MCPW_E_MEMORY);
}

int main(void) {
    RUN(what_fits_is_decoded_again_and_again);
    RUN(an_arena_gives_out_its_memory_and_no_byte_more);
    RUN(what_does_not_fit_is_an_error);
    RUN(hardly_any_memory_is_refused);
    RUN(a_freed_arena_has_nothing_left);
    RUN(a_buffer_holds_what_fits);
    RUN(a_value_is_encoded_into_it);
    return check_end();
}
