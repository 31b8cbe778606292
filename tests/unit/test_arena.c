/* SPDX-License-Identifier: MIT */
#include "arena_internal.h"
#include "check.h"
#include "counting_allocator.h"

static mcpw_arena counted_arena(counting *c) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = counting_allocator(c);
    return arena;
}

static void allocations_are_aligned_and_distinct(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    unsigned char *last = NULL;
    for (size_t size = 0; size < 300; size++) {
        unsigned char *const p = mcpw_arena_alloc(&arena, size);
        CHECK(p != NULL && (uintptr_t)p % MCPW_ARENA_ALIGN == 0 && p != last);
        memset(p, 0xa5, size);
        last = p;
    }
    mcpw_arena_free(&arena);
}

static void a_zeroed_arena_works(void) {
    mcpw_arena arena;
    memset(&arena, 0, sizeof arena);
    CHECK(mcpw_arena_alloc(&arena, 10) != NULL);
    mcpw_arena_free(&arena);
}

static void a_large_request_gets_a_block_of_its_own(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    CHECK(mcpw_arena_alloc(&arena, 1000000) != NULL);
    CHECK(c.calls == 1);
    mcpw_arena_free(&arena);
}

static void a_steady_load_settles_after_one_reset(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    size_t settled = 0;
    for (int message = 0; message < 5; message++) {
        for (int i = 0; i < 500; i++) {
            CHECK(mcpw_arena_alloc(&arena, 100) != NULL);
        }
        mcpw_arena_reset(&arena);
        if (message == 0) {
            settled = c.calls;
        }
    }
    CHECK(c.calls == settled);
    mcpw_arena_free(&arena);
}

static void free_gives_everything_back(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    for (int i = 0; i < 100; i++) {
        CHECK(mcpw_arena_alloc(&arena, 1000) != NULL);
    }
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
    CHECK(mcpw_arena_alloc(&arena, 1) != NULL);
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
}

static void the_limit_is_kept(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    arena.limit = 10000;
    size_t got = 0;
    while (mcpw_arena_alloc(&arena, 100) != NULL) {
        got++;
    }
    CHECK(got > 50);
    CHECK(c.in_use <= arena.limit);
    CHECK(mcpw_arena_status(&arena) == MCPW_E_ARENA);
    mcpw_arena_free(&arena);
}

static void sizes_that_overflow_are_refused(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    CHECK(mcpw_arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(mcpw_arena_alloc(&arena, SIZE_MAX - 40) == NULL);
    CHECK(mcpw_arena_alloc(&arena, 1) != NULL);
    CHECK(mcpw_arena_alloc(&arena, SIZE_MAX) == NULL);
    mcpw_arena_free(&arena);
}

static void a_failed_allocation_is_an_error(void) {
    counting c = {.fail_at = 1};
    mcpw_arena arena = counted_arena(&c);
    c.fail_at = 1;
    void *const p = mcpw_arena_alloc(&arena, 10);
    CHECK(p != NULL || mcpw_arena_status(&arena) == MCPW_E_MEMORY);
    c.fail_at = c.calls + 1;
    arena.limit = 1 << 20;
    CHECK(mcpw_arena_alloc(&arena, 100000) != NULL || mcpw_arena_status(&arena) == MCPW_E_MEMORY);
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
}

static void a_rewind_keeps_what_came_before(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    const mcpw_str kept = mcpw_arena_str(&arena, "kept", 4);
    const mcpw_mark mark = mcpw_arena_mark(&arena);
    for (int i = 0; i < 200; i++) {
        memset(mcpw_arena_bump(&arena, 100), 0xff, 100);
    }
    const size_t calls = c.calls;
    mcpw_arena_rewind(&arena, mark);
    CHECK_STRING(kept.ptr, "kept");
    for (int i = 0; i < 200; i++) {
        CHECK(mcpw_arena_bump(&arena, 100) != NULL);
    }
    CHECK(c.calls == calls);
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
}

static void an_empty_arena_can_be_rewound_to(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    const mcpw_mark mark = mcpw_arena_mark(&arena);
    unsigned char *const first = mcpw_arena_bump(&arena, 5000);
    CHECK(mcpw_arena_bump(&arena, 50000) != NULL);
    mcpw_arena_rewind(&arena, mark);
    CHECK(mcpw_arena_bump(&arena, 16) == first);
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
}

static void spare_blocks_make_way_for_the_limit(void) {
    counting c = {0};
    mcpw_arena arena = counted_arena(&c);
    arena.limit = 40000;
    CHECK(mcpw_arena_bump(&arena, 16) != NULL);
    const mcpw_mark mark = mcpw_arena_mark(&arena);
    CHECK(mcpw_arena_bump(&arena, 20000) != NULL);
    mcpw_arena_rewind(&arena, mark);
    CHECK(mcpw_arena_bump(&arena, 30000) != NULL);
    mcpw_arena_free(&arena);
    CHECK(c.in_use == 0);
}

static void copied_text_is_terminated(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_str text = mcpw_arena_str(&arena, "abcdef", 3);
    CHECK(text.len == 3 && strcmp(text.ptr, "abc") == 0);
    CHECK(mcpw_arena_str(&arena, "", 0).ptr != NULL);
    CHECK(mcpw_arena_str(&arena, NULL, 0).ptr == NULL);
    CHECK(mcpw_arena_status(&arena) == MCPW_OK);
    CHECK(mcpw_arena_str(&arena, "", SIZE_MAX).ptr == NULL);
    CHECK(mcpw_arena_status(&arena) == MCPW_E_ARENA);
    mcpw_arena_free(&arena);
}

static void a_buffer_grows_and_keeps_its_bytes(void) {
    counting c = {0};
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    buffer.allocator = counting_allocator(&c);
    for (int i = 0; i < 10000; i++) {
        const char byte = (char)('a' + i % 26);
        CHECK(mcpw_buffer_append(&buffer, &byte, 1) == MCPW_OK);
    }
    CHECK(buffer.len == 10000 && buffer.data[9999] == (char)('a' + 9999 % 26) && buffer.data[27] == 'b');
    CHECK(c.calls < 20);
    mcpw_buffer_free(&buffer);
    CHECK(c.in_use == 0 && buffer.data == NULL && buffer.len == 0);
}

static void a_buffer_that_cannot_grow_is_unchanged(void) {
    counting c = {.fail_at = 2};
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    buffer.allocator = counting_allocator(&c);
    CHECK(mcpw_buffer_append(&buffer, "abc", 3) == MCPW_OK);
    CHECK(mcpw_buffer_reserve(&buffer, 100000) == MCPW_E_MEMORY);
    CHECK(mcpw_buffer_reserve(&buffer, SIZE_MAX - 1) == MCPW_E_MEMORY);
    CHECK_TEXT(buffer.data, buffer.len, "abc");
    mcpw_buffer_free(&buffer);
    CHECK(c.in_use == 0);
}

static void what_is_used_is_what_was_allocated_and_not_the_block(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    CHECK(mcpw_arena_used(&arena) == 0);
    CHECK(mcpw_arena_alloc(&arena, 1) != NULL);
    const size_t first = mcpw_arena_used(&arena);
    const mcpw_mark mark = mcpw_arena_mark(&arena);
    CHECK(first < arena.total);
    CHECK(mcpw_arena_alloc(&arena, MCPW_ARENA_ALIGN) != NULL);
    CHECK(mcpw_arena_used(&arena) == first + MCPW_ARENA_ALIGN);
    mcpw_arena_rewind(&arena, mark);
    CHECK(mcpw_arena_used(&arena) == first);
    mcpw_arena_free(&arena);
    CHECK(mcpw_arena_used(&arena) == 0);
}

static void memory_is_resized_by_the_allocator_that_is_given(void) {
    counting c = {0};
    const mcpw_allocator allocator = counting_allocator(&c);
    char *text = mcpw_resize(&allocator, NULL, 0, sizeof "text");
    CHECK(text != NULL && c.in_use == sizeof "text");
    memcpy(text, "text", sizeof "text");
    text = mcpw_resize(&allocator, text, sizeof "text", 100);
    CHECK(text != NULL && strcmp(text, "text") == 0 && c.in_use == 100);
    c.fail_at = c.calls + 1;
    CHECK(mcpw_resize(&allocator, text, 100, 200) == NULL);
    CHECK(strcmp(text, "text") == 0 && c.in_use == 100);
    CHECK(mcpw_resize(&allocator, text, 100, 0) == NULL);
    CHECK(c.in_use == 0);
}

static void without_an_allocator_memory_is_resized_by_malloc(void) {
    const mcpw_allocator none = {NULL, NULL};
    char *text = mcpw_resize(&none, NULL, 0, sizeof "text");
    CHECK(text != NULL);
    memcpy(text, "text", sizeof "text");
    text = mcpw_resize(&none, text, sizeof "text", 100);
    CHECK(text != NULL && strcmp(text, "text") == 0);
    CHECK(mcpw_resize(&none, text, 100, 0) == NULL);
}

int main(void) {
    RUN(allocations_are_aligned_and_distinct);
    RUN(a_zeroed_arena_works);
    RUN(a_large_request_gets_a_block_of_its_own);
    RUN(a_steady_load_settles_after_one_reset);
    RUN(free_gives_everything_back);
    RUN(the_limit_is_kept);
    RUN(sizes_that_overflow_are_refused);
    RUN(a_failed_allocation_is_an_error);
    RUN(a_rewind_keeps_what_came_before);
    RUN(an_empty_arena_can_be_rewound_to);
    RUN(spare_blocks_make_way_for_the_limit);
    RUN(copied_text_is_terminated);
    RUN(a_buffer_grows_and_keeps_its_bytes);
    RUN(a_buffer_that_cannot_grow_is_unchanged);
    RUN(what_is_used_is_what_was_allocated_and_not_the_block);
    RUN(memory_is_resized_by_the_allocator_that_is_given);
    RUN(without_an_allocator_memory_is_resized_by_malloc);
    return check_end();
}
