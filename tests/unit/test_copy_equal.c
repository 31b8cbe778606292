/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>

#include "check.h"

#if defined(MCPW_WITH_20251125)
#include <mcp/2025-11-25.h>

#include "counting_allocator.h"

static const mcpw_type *const result_type = &mcp_20251125_call_tool_result_table;
static const mcpw_type *const elicit_type = &mcp_20251125_elicit_result_table;

static const char rich_text[] =
    "{\"content\":[{\"type\":\"text\",\"text\":\"h\\u00e9\",\"annotations\":{\"audience\":[\"user\"],"
    "\"priority\":0.5}},"
    "{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":\"a:b\",\"size\":12,\"x-odd\":{\"k\":[1]}}],"
    "\"structuredContent\":{\"a\":1},\"isError\":false,\"_meta\":{},\"extra\":\"kept\"}";

static const char elicit_text[] =
    "{\"action\":\"accept\",\"content\":{\"s\":\"x\",\"n\":1.5,\"b\":true,\"l\":[\"p\",\"q\"]}}";

static void decode(const mcpw_type *type, const char *text, mcpw_arena *arena, void *out) {
    mcpw_error error;
    memset(&error, 0, sizeof error);
    CHECK(mcpw_decode(type, text, strlen(text), arena, out, NULL, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
}

static bool equal_texts(const mcpw_type *type, const char *a, const char *b) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    void *const x = mcpw_arena_alloc(&arena, mcpw_type_size(type));
    void *const y = mcpw_arena_alloc(&arena, mcpw_type_size(type));
    decode(type, a, &arena, x);
    decode(type, b, &arena, y);
    const bool equal = mcpw_equal(type, x, y);
    CHECK(equal == mcpw_equal(type, y, x));
    mcpw_arena_free(&arena);
    return equal;
}

/* The copy must not need the memory that it was copied from. */
static void check_copy(const mcpw_type *type, const char *text) {
    mcpw_arena first = MCPW_ARENA_INIT;
    mcpw_arena second = MCPW_ARENA_INIT;
    mcpw_buffer before = MCPW_BUFFER_INIT;
    mcpw_buffer after = MCPW_BUFFER_INIT;
    void *const value = mcpw_arena_alloc(&first, mcpw_type_size(type));
    void *const copy = mcpw_arena_alloc(&second, mcpw_type_size(type));
    decode(type, text, &first, value);
    CHECK(mcpw_encode(type, value, &before, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_copy(type, value, &second, copy, NULL) == MCPW_OK);
    CHECK(mcpw_equal(type, value, copy));
    mcpw_arena_free(&first);
    CHECK(mcpw_encode(type, copy, &after, NULL, NULL) == MCPW_OK);
    CHECK(before.len == after.len && memcmp(before.data, after.data, before.len) == 0);
    mcpw_arena_free(&second);
    mcpw_buffer_free(&before);
    mcpw_buffer_free(&after);
}

static void copies_stand_alone(void) {
    check_copy(result_type, rich_text);
    check_copy(elicit_type, elicit_text);
    check_copy(&mcp_20251125_request_id_table, "\"id\"");
    check_copy(&mcp_20251125_request_id_table, "5");
    check_copy(&mcp_20251125_get_prompt_request_params_table,
               "{\"name\":\"n\",\"arguments\":{\"a\":\"1\",\"b\":\"2\"}}");
}

static void copied_strings_are_terminated(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_str text = {"abcdef", 3};
    mcpw_str copy;
    CHECK(mcpw_copy(&mcp_20251125_cursor_table, &text, &arena, &copy, NULL) == MCPW_OK);
    CHECK(copy.len == 3 && strcmp(copy.ptr, "abc") == 0);
    mcpw_arena_free(&arena);
}

static void unknown_values_are_copied(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    char raw[] = "{\"type\":\"new\"}";
    mcp_20251125_content_block block;
    mcp_20251125_content_block copy;
    memset(&block, 0, sizeof block);
    block.kind = MCP_20251125_CONTENT_BLOCK_UNKNOWN;
    block.as.unknown = mcpw_json_from(raw);
    CHECK(mcpw_copy(&mcp_20251125_content_block_table, &block, &arena, &copy, NULL) == MCPW_OK);
    CHECK(mcpw_equal(&mcp_20251125_content_block_table, &block, &copy));
    memset(raw, ' ', sizeof raw - 1);
    CHECK_TEXT(copy.as.unknown.ptr, copy.as.unknown.len, "{\"type\":\"new\"}");
    mcpw_arena_free(&arena);
}

static void a_failed_copy_is_zeroed(void) {
    mcpw_arena source = MCPW_ARENA_INIT;
    mcp_20251125_call_tool_result value;
    mcp_20251125_call_tool_result zero;
    memset(&zero, 0, sizeof zero);
    decode(result_type, rich_text, &source, &value);
    mcpw_status status = MCPW_E_MEMORY;
    for (size_t limit = 1; status != MCPW_OK && limit < 40000; limit += 97) {
        counting c = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcp_20251125_call_tool_result copy;
        mcpw_error error;
        arena.allocator = counting_allocator(&c);
        arena.limit = limit;
        status = mcpw_copy(result_type, &value, &arena, &copy, &error);
        if (status != MCPW_OK) {
            CHECK(status == MCPW_E_ARENA && error.code == status && memcmp(&copy, &zero, sizeof copy) == 0);
        }
        mcpw_arena_free(&arena);
        CHECK(c.in_use == 0);
    }
    CHECK(status == MCPW_OK);
    mcpw_arena_free(&source);
}

static void broken_values_are_not_copied(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20251125_content_block block;
    mcp_20251125_call_tool_result value;
    memset(&block, 0, sizeof block);
    memset(&value, 0, sizeof value);
    block.kind = (mcp_20251125_content_block_kind)99;
    CHECK(mcpw_copy(&mcp_20251125_content_block_table, &block, &arena, &block, NULL) == MCPW_E_ARGUMENT);
    block.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text.ptr = "longer than any";
    block.as.text_content.text.len = SIZE_MAX;
    CHECK(mcpw_copy(&mcp_20251125_content_block_table, &block, &arena, &block, NULL) == MCPW_E_ARENA);
    value.content.count = 5;
    CHECK(mcpw_copy(result_type, &value, &arena, &value, NULL) == MCPW_E_ARGUMENT);
    mcpw_arena_free(&arena);
}

static void equal_values_are_equal(void) {
    CHECK(equal_texts(result_type, rich_text, rich_text));
    CHECK(equal_texts(elicit_type, elicit_text, elicit_text));
}

static void order_and_spelling_do_not_matter(void) {
    CHECK(equal_texts(result_type, "{\"content\":[],\"a\":1,\"b\":{\"x\":1,\"y\":2}}",
                      "{\"b\":{\"y\":2.0,\"x\":1e0},\"content\":[],\"\\u0061\":1.0}"));
    CHECK(equal_texts(elicit_type, "{\"action\":\"accept\",\"content\":{\"a\":\"1\",\"b\":2,\"c\":3}}",
                      "{\"content\":{\"c\":3,\"a\":\"\\u0031\",\"b\":2.0},\"action\":\"accept\"}"));
}

/* More members than are compared pair by pair, in a map and beyond the type, two of them of one name. */
static void many_members_may_stand_in_any_order(void) {
    enum { COUNT = 50, SIZE = 64 * COUNT };
    char a[SIZE] = "{\"action\":\"accept\",\"content\":{";
    char b[SIZE] = "{\"x0\":0,\"twice\":1,";
    for (int i = 0; i < COUNT; i++) {
        (void)sprintf(a + strlen(a), "%s\"k%d\":%d", i != 0 ? "," : "", i, i);
        (void)sprintf(b + strlen(b), "\"x%d\":%d,", COUNT - i, COUNT - i);
    }
    strcat(a, "},");
    strcat(b, "\"twice\":2,\"content\":{");
    for (int i = 0; i < COUNT; i++) {
        (void)sprintf(a + strlen(a), "\"x%d\":%d,", i, i);
        (void)sprintf(b + strlen(b), "\"k%d\":%d,", COUNT - 1 - i, COUNT - 1 - i);
    }
    b[strlen(b) - 1] = '}';
    (void)sprintf(a + strlen(a), "\"twice\":1,\"twice\":2,\"x%d\":%d}", COUNT, COUNT);
    strcat(b, ",\"action\":\"accept\"}");
    CHECK(equal_texts(elicit_type, a, b));
    memcpy(strstr(b, "\"twice\":2"), "\"twice\":3", strlen("\"twice\":3"));
    CHECK(!equal_texts(elicit_type, a, b));
    memcpy(strstr(b, "\"twice\":1"), "\"twice\":3", strlen("\"twice\":3"));
    memcpy(strstr(b, "\"twice\":3,\"content"), "\"twice\":1,\"content", strlen("\"twice\":1"));
    CHECK(!equal_texts(elicit_type, a, b));
}

static void every_difference_counts(void) {
    static const char base[] = "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"isError\":true,\"x\":1}";
    static const char *const others[] = {
        "{\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"isError\":true,\"x\":1}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"isError\":false,\"x\":1}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"x\":1}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"isError\":true,\"x\":2}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"isError\":true,\"y\":1}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"isError\":true}",
        "{\"content\":[],\"isError\":true,\"x\":1}",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\",\"_meta\":{}}],\"isError\":true,\"x\":1}",
        "{\"content\":[{\"type\":\"image\",\"data\":\"\",\"mimeType\":\"a\"}],\"isError\":true,\"x\":1}",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(!equal_texts(result_type, base, others[i]));
    }
    CHECK(!equal_texts(&mcp_20251125_request_id_table, "1", "\"1\""));
    CHECK(!equal_texts(elicit_type, "{\"action\":\"accept\",\"content\":{\"a\":\"1\"}}",
                       "{\"action\":\"accept\",\"content\":{\"a\":1}}"));
}

/* A decoded value and one that keeps an alternative as text are the same JSON. */
static void different_forms_of_one_value_are_equal(void) {
    const mcpw_type *const type = &mcp_20251125_content_block_table;
    mcp_20251125_content_block known;
    mcp_20251125_content_block raw;
    memset(&known, 0, sizeof known);
    memset(&raw, 0, sizeof raw);
    known.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    known.as.text_content.text = mcpw_str_from("a");
    raw.kind = MCP_20251125_CONTENT_BLOCK_UNKNOWN;
    raw.as.unknown = mcpw_json_from("{\"text\":\"a\",\"type\":\"text\"}");
    CHECK(mcpw_equal(type, &known, &raw));
    raw.as.unknown = mcpw_json_from("{\"text\":\"b\",\"type\":\"text\"}");
    CHECK(!mcpw_equal(type, &known, &raw));
}

/* A count without items is refused by encode; comparing must not follow it. */
static void a_count_without_items_is_equal_to_nothing(void) {
    mcp_20251125_call_tool_result list = {0};
    mcp_20251125_get_prompt_request_params map = {0};
    list.content.count = 1;
    map.name = mcpw_str_from("n");
    map.arguments.count = 2;
    CHECK(!mcpw_equal(result_type, &list, &list));
    CHECK(!mcpw_equal(&mcp_20251125_get_prompt_request_params_table, &map, &map));
    map.arguments.count = 0;
    map.extra.count = 1;
    CHECK(!mcpw_equal(&mcp_20251125_get_prompt_request_params_table, &map, &map));
}

static void broken_raw_values_are_equal_to_nothing(void) {
    mcp_20251125_tool a;
    memset(&a, 0, sizeof a);
    a.name = mcpw_str_from("x");
    a.input_schema = mcpw_json_from("{");
    CHECK(!mcpw_equal(&mcp_20251125_tool_table, &a, &a));
    a.input_schema = mcpw_json_from("{}");
    CHECK(mcpw_equal(&mcp_20251125_tool_table, &a, &a));
}

/* NULL is not followed, wherever it stands. */
static void lists_and_maps_without_items_are_not_copied(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_type *const type = &mcp_20251125_get_prompt_request_params_table;
    mcp_20251125_get_prompt_request_params params = {0};
    mcp_20251125_get_prompt_request_params copy;
    mcp_20251125_content_block block = {0};
    params.name = mcpw_str_from("n");
    params.arguments.count = 2;
    CHECK(mcpw_copy(type, &params, &arena, &copy, NULL) == MCPW_E_ARGUMENT);
    params.arguments.count = 0;
    params.extra.count = 1;
    CHECK(mcpw_copy(type, &params, &arena, &copy, NULL) == MCPW_E_ARGUMENT);
    block.kind = (mcp_20251125_content_block_kind)-5;
    CHECK(mcpw_copy(&mcp_20251125_content_block_table, &block, &arena, &block, NULL) == MCPW_E_ARGUMENT);
    mcpw_arena_free(&arena);
}

static void an_absent_value_is_copied_as_absent(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcp_20251125_content_block block = {0};
    const mcpw_id id = {0};
    mcp_20251125_content_block block_copy;
    mcpw_id id_copy;
    CHECK(mcpw_copy(&mcp_20251125_content_block_table, &block, &arena, &block_copy, NULL) == MCPW_OK);
    CHECK(block_copy.kind == 0);
    CHECK(mcpw_copy(&mcp_20251125_request_id_table, &id, &arena, &id_copy, NULL) == MCPW_OK);
    CHECK(id_copy.kind == MCPW_ID_ABSENT);
    CHECK(mcpw_equal(&mcp_20251125_request_id_table, &id, &id_copy));
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(copies_stand_alone);
    RUN(copied_strings_are_terminated);
    RUN(unknown_values_are_copied);
    RUN(a_failed_copy_is_zeroed);
    RUN(broken_values_are_not_copied);
    RUN(equal_values_are_equal);
    RUN(order_and_spelling_do_not_matter);
    RUN(many_members_may_stand_in_any_order);
    RUN(every_difference_counts);
    RUN(different_forms_of_one_value_are_equal);
    RUN(a_count_without_items_is_equal_to_nothing);
    RUN(broken_raw_values_are_equal_to_nothing);
    RUN(lists_and_maps_without_items_are_not_copied);
    RUN(an_absent_value_is_copied_as_absent);
    return check_end();
}
#else
int main(void) {
    (void)printf("skipped: revision 2025-11-25 is not built\n");
    return CHECK_SKIPPED;
}
#endif
