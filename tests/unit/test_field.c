/* SPDX-License-Identifier: MIT */
#include "field.h"

#include "check.h"

static const char revision[] = "2025-11-25";
static mcpw_arena arena = MCPW_ARENA_INIT;

static mcpw_field read_as(const char *name, const char *text, unsigned flags) {
    const mcpw_type *const type = mcpw_find_type(revision, name);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    memset(&error, 0, sizeof error);
    options.flags = flags;
    void *const value = mcpw_arena_alloc(&arena, type->size);
    CHECK(mcpw_decode(type, text, strlen(text), &arena, value, &options, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    return mcpw_field_of(type, value);
}

static void check_str(mcpw_str got, const char *want) { CHECK_TEXT(got.ptr, got.len, want); }

static void members_are_found_by_wire_name(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"t\",\"arguments\":{\"a\":1}}", 0);
    check_str(mcpw_field_str(mcpw_field_get(params, "name")), "t");
    const mcpw_json arguments = mcpw_field_json(mcpw_field_get(params, "arguments"));
    CHECK_TEXT(arguments.ptr, arguments.len, "{\"a\":1}");
}

static void absent_and_unknown_members_are_nothing(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"t\",\"odd\":\"x\"}", 0);
    CHECK(mcpw_field_get(params, "arguments").at == NULL);
    CHECK(mcpw_field_get(params, "odd").at == NULL);
    CHECK(mcpw_field_get(params, "").at == NULL);
    CHECK(mcpw_field_get(mcpw_field_get(params, "_meta"), "progressToken").at == NULL);
    CHECK(mcpw_field_of(NULL, NULL).at == NULL);
}

static void a_value_of_another_kind_is_absent(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"t\"}", 0);
    const mcpw_field name = mcpw_field_get(params, "name");
    double number = 0;
    CHECK(mcpw_field_json(name).ptr == NULL);
    CHECK(mcpw_field_id(name).kind == MCPW_ID_ABSENT);
    CHECK(!mcpw_field_bool(name));
    CHECK(!mcpw_field_number(name, &number));
    CHECK(mcpw_field_enum_text(name).ptr == NULL);
    CHECK(mcpw_field_count(name) == 0);
    CHECK(mcpw_field_get(name, "x").at == NULL);
    CHECK(mcpw_field_alternative(name, NULL).at == NULL);
    CHECK(mcpw_field_str(params).ptr == NULL);
}

static void pointers_to_structs_are_followed(void) {
    const mcpw_field params =
        read_as("CallToolRequestParams", "{\"name\":\"t\",\"_meta\":{\"progressToken\":7}}", 0);
    const mcpw_id token = mcpw_field_id(mcpw_field_get(mcpw_field_get(params, "_meta"), "progressToken"));
    CHECK(token.kind == MCPW_ID_INTEGER && token.as.integer == 7);
}

static void numbers_and_booleans_are_read(void) {
    const mcpw_field progress =
        read_as("ProgressNotificationParams", "{\"progressToken\":\"p\",\"progress\":1.5,\"total\":3}", 0);
    const mcpw_field result = read_as("CallToolResult", "{\"content\":[],\"isError\":true}", 0);
    double number = 0;
    CHECK(mcpw_field_number(mcpw_field_get(progress, "progress"), &number) && number == 1.5);
    CHECK(mcpw_field_number(mcpw_field_get(progress, "total"), &number) && number == 3);
    CHECK(mcpw_field_bool(mcpw_field_get(result, "isError")));
}

static void items_and_alternatives_are_reached(void) {
    const mcpw_field result =
        read_as("CallToolResult",
                "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"data\":\"\","
                "\"mimeType\":\"m\",\"annotations\":{\"audience\":[\"user\",\"assistant\"]}}]}",
                0);
    const mcpw_field content = mcpw_field_get(result, "content");
    const char *name = NULL;
    CHECK(mcpw_field_count(content) == 2);
    const mcpw_field image = mcpw_field_alternative(mcpw_field_item(content, 1), &name);
    CHECK_STRING(name, "ImageContent");
    check_str(mcpw_field_str(mcpw_field_get(image, "mimeType")), "m");
    check_str(mcpw_field_enum_text(mcpw_field_get(image, "type")), "image");
    const mcpw_field audience = mcpw_field_get(mcpw_field_get(image, "annotations"), "audience");
    check_str(mcpw_field_enum_text(mcpw_field_item(audience, 1)), "assistant");
    CHECK(mcpw_field_item(content, 2).at == NULL);
}

static void members_of_a_union_are_those_of_its_alternative(void) {
    const mcpw_field params = read_as(
        "CompleteRequestParams",
        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"v\"}}",
        0);
    check_str(mcpw_field_str(mcpw_field_get(mcpw_field_get(params, "ref"), "name")), "p");
}

/* Where resultType selects one alternative alone, nothing but that is stored. */
static void a_union_of_one_alternative_is_that(void) {
    const mcpw_revision *const modern = mcpw_find_revision("2026-07-28");
    static const char text[] =
        "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":\"private\",\"tools\":[]}";
    if (modern == NULL) {
        return;
    }
    const mcpw_method *const method =
        mcpw_method_entry(modern, mcpw_method_number(modern, "tools/list", strlen("tools/list")));
    void *const value = mcpw_arena_alloc(&arena, method->response->size);
    double ttl = 0;
    CHECK(method->response->ref.kind == MCPW_KIND_UNION);
    CHECK(mcpw_decode(method->response, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_field_number(mcpw_field_get(mcpw_field_of(method->response, value), "ttlMs"), &ttl) &&
          ttl == 5);
}

static void keys_of_a_map_are_found(void) {
    const mcpw_field params =
        read_as("GetPromptRequestParams", "{\"name\":\"p\",\"arguments\":{\"a\":\"1\",\"b\":\"2\"}}", 0);
    const mcpw_field arguments = mcpw_field_get(params, "arguments");
    check_str(mcpw_field_str(mcpw_field_get(arguments, "b")), "2");
    CHECK(mcpw_field_count(arguments) == 2);
    check_str(mcpw_field_str(mcpw_field_item(arguments, 0)), "1");
    CHECK(mcpw_field_get(arguments, "c").at == NULL);
}

static void an_unknown_alternative_is_raw(void) {
    const mcpw_field result =
        read_as("CallToolResult", "{\"content\":[{\"type\":\"smell\"}]}", MCPW_ALLOW_UNKNOWN);
    const char *name = "";
    const mcpw_field block =
        mcpw_field_alternative(mcpw_field_item(mcpw_field_get(result, "content"), 0), &name);
    const mcpw_json text = mcpw_field_json(block);
    CHECK(name == NULL);
    CHECK_TEXT(text.ptr, text.len, "{\"type\":\"smell\"}");
}

static void the_text_of_a_value_is_its_json(void) {
    const mcpw_field params = read_as("GetPromptRequestParams",
                                      "{\"name\":\"p\\u000a\", \"arguments\":{\"a\":\"1\"},\"odd\":[1]}", 0);
    mcpw_json text = {NULL, 0};
    CHECK(mcpw_field_text(mcpw_field_get(params, "name"), &arena, &text) == MCPW_OK);
    CHECK_TEXT(text.ptr, text.len, "\"p\\n\"");
    CHECK(mcpw_field_text(mcpw_field_get(params, "arguments"), &arena, &text) == MCPW_OK);
    CHECK_TEXT(text.ptr, text.len, "{\"a\":\"1\"}");
    CHECK(mcpw_field_text(params, &arena, &text) == MCPW_OK);
    CHECK_TEXT(text.ptr, text.len, "{\"name\":\"p\\n\",\"arguments\":{\"a\":\"1\"},\"odd\":[1]}");
    CHECK(mcpw_field_text(mcpw_field_get(params, "_meta"), &arena, &text) == MCPW_E_NOT_FOUND);
}

static void the_text_of_a_raw_value_is_not_copied(void) {
    const mcpw_field params =
        read_as("CallToolRequestParams", "{\"name\":\"t\",\"arguments\":{\"a\": 1}}", 0);
    const mcpw_field arguments = mcpw_field_get(params, "arguments");
    mcpw_json text = {NULL, 0};
    CHECK(mcpw_field_text(arguments, &arena, &text) == MCPW_OK);
    CHECK(text.ptr == mcpw_field_json(arguments).ptr);
}

static void a_text_leaves_no_gap_in_the_arena(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"0123456789abcdef\"}", 0);
    mcpw_json text = {NULL, 0};
    CHECK(mcpw_field_text(mcpw_field_get(params, "name"), &arena, &text) == MCPW_OK);
    const char *const next = mcpw_arena_alloc(&arena, 1);
    CHECK(next == text.ptr + 32);
}

static void *no_memory(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    (void)ptr;
    (void)old_size;
    (void)new_size;
    return NULL;
}

static void a_text_that_finds_no_room_says_why(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"t\"}", 0);
    mcpw_arena small = MCPW_ARENA_INIT;
    mcpw_json text = {NULL, 0};
    small.allocator.resize = no_memory;
    CHECK(mcpw_field_text(params, &small, &text) == MCPW_E_MEMORY);
    CHECK(text.ptr == NULL);
    small.limit = 1;
    CHECK(mcpw_field_text(params, &small, &text) == MCPW_E_ARENA);
}

static void a_kind_that_no_alternative_has_is_nothing(void) {
    const mcpw_field result =
        read_as("CallToolResult", "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}", 0);
    const mcpw_field block = mcpw_field_item(mcpw_field_get(result, "content"), 0);
    *(int32_t *)(uintptr_t)block.at = 99;
    CHECK(mcpw_field_alternative(block, NULL).at == NULL);
    *(int32_t *)(uintptr_t)block.at = -1;
    CHECK(mcpw_field_alternative(block, NULL).at == NULL);
    CHECK(mcpw_field_get(block, "text").at == NULL);
}

static void integers_are_numbers_required_or_not(void) {
    const mcpw_field link = read_as("Resource", "{\"uri\":\"a:\",\"name\":\"n\",\"size\":12}", 0);
    const mcpw_field params = read_as("CreateMessageRequestParams", "{\"messages\":[],\"maxTokens\":7}", 0);
    double number = 0;
    CHECK(mcpw_field_number(mcpw_field_get(link, "size"), &number) && number == 12);
    CHECK(mcpw_field_number(mcpw_field_get(params, "maxTokens"), &number) && number == 7);
}

static void of_nothing_comes_nothing(void) {
    const mcpw_type *const type = mcpw_find_type(revision, "CallToolResult");
    const mcpw_field nothing = mcpw_field_of(NULL, NULL);
    const mcpw_row *const row = mcpw_field_row(type, "isError");
    char longest[MCPW_MAX_KEY + 2];
    double number = 0;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(row != NULL && mcpw_field_at(type, NULL, row).at == NULL);
    CHECK(mcpw_field_row(NULL, "isError") == NULL && mcpw_field_row(type, longest) == NULL);
    CHECK(mcpw_field_enum_text(nothing).ptr == NULL && !mcpw_field_bool(nothing));
    CHECK(!mcpw_field_number(nothing, &number) && mcpw_field_count(nothing) == 0);
    CHECK(mcpw_field_alternative(nothing, NULL).at == NULL && mcpw_field_item(nothing, 0).at == NULL);
    CHECK(mcpw_field_get(nothing, "a").at == NULL && mcpw_field_str(nothing).ptr == NULL);
    CHECK(mcpw_field_json(nothing).ptr == NULL && mcpw_field_id(nothing).kind == MCPW_ID_ABSENT);
}

int main(void) {
    if (mcpw_find_revision(revision) == NULL) {
        (void)printf("skipped: the library lacks revision %s\n", revision);
        return CHECK_SKIPPED;
    }
    RUN(members_are_found_by_wire_name);
    RUN(absent_and_unknown_members_are_nothing);
    RUN(a_value_of_another_kind_is_absent);
    RUN(pointers_to_structs_are_followed);
    RUN(numbers_and_booleans_are_read);
    RUN(items_and_alternatives_are_reached);
    RUN(members_of_a_union_are_those_of_its_alternative);
    RUN(a_union_of_one_alternative_is_that);
    RUN(keys_of_a_map_are_found);
    RUN(an_unknown_alternative_is_raw);
    RUN(the_text_of_a_value_is_its_json);
    RUN(the_text_of_a_raw_value_is_not_copied);
    RUN(a_text_leaves_no_gap_in_the_arena);
    RUN(a_text_that_finds_no_room_says_why);
    RUN(a_kind_that_no_alternative_has_is_nothing);
    RUN(integers_are_numbers_required_or_not);
    RUN(of_nothing_comes_nothing);
    mcpw_arena_free(&arena);
    return check_end();
}
