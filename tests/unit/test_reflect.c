/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>

#include <mcp/2025-11-25.h>

#include "check.h"

static const char revision[] = "2025-11-25";
static mcpw_arena arena = MCPW_ARENA_INIT;

static mcpw_field read_as(const char *name, const char *text, unsigned flags) {
    const mcpw_type *const type = mcpw_find_type(revision, name);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    memset(&error, 0, sizeof error);
    options.flags = flags;
    void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(type));
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

/* If resultType selects one alternative alone, nothing but that is stored. */
static void a_union_of_one_alternative_is_that(void) {
    const mcpw_revision *const modern = mcpw_find_revision("2026-07-28");
    static const char text[] =
        "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":\"private\",\"tools\":[]}";
    if (modern == NULL) {
        return;
    }
    const mcpw_method *const method =
        mcpw_method_entry(modern, mcpw_method_number(modern, "tools/list", strlen("tools/list")));
    const mcpw_type *const type = mcpw_method_response(method);
    void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(type));
    double ttl = 0;
    CHECK(mcpw_type_ref(type).kind == MCPW_KIND_UNION);
    CHECK(mcpw_decode(type, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_field_number(mcpw_field_get(mcpw_field_of(type, value), "ttlMs"), &ttl) && ttl == 5);
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
    mcpw_json text = {NULL, 0, 0};
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
    mcpw_json text = {NULL, 0, 0};
    CHECK(mcpw_field_text(arguments, &arena, &text) == MCPW_OK);
    CHECK(text.ptr == mcpw_field_json(arguments).ptr);
}

static void a_text_leaves_no_gap_in_the_arena(void) {
    const mcpw_field params = read_as("CallToolRequestParams", "{\"name\":\"0123456789abcdef\"}", 0);
    mcpw_json text = {NULL, 0, 0};
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
    mcpw_json text = {NULL, 0, 0};
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
    const mcpw_slot slot = mcpw_type_slot(type, "isError");
    char longest[MCPW_MAX_KEY + 2];
    double number = 0;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(mcpw_slot_exists(slot) && mcpw_field_at(type, NULL, slot).at == NULL);
    CHECK(!mcpw_slot_exists(mcpw_type_slot(NULL, "isError")) &&
          !mcpw_slot_exists(mcpw_type_slot(type, longest)));
    CHECK(mcpw_field_enum_text(nothing).ptr == NULL && !mcpw_field_bool(nothing));
    CHECK(!mcpw_field_number(nothing, &number) && mcpw_field_count(nothing) == 0);
    CHECK(mcpw_field_alternative(nothing, NULL).at == NULL && mcpw_field_item(nothing, 0).at == NULL);
    CHECK(mcpw_field_get(nothing, "a").at == NULL && mcpw_field_str(nothing).ptr == NULL);
    CHECK(mcpw_field_json(nothing).ptr == NULL && mcpw_field_id(nothing).kind == MCPW_ID_ABSENT);
}

/* ---- where members lie ---- */

static void a_slot_tells_where_a_member_lies(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_result_table;
    const mcpw_slot slot = mcpw_type_slot(type, "content");
    CHECK(slot.ref.kind == MCPW_KIND_ARRAY && slot.required);
    CHECK(slot.offset == offsetof(mcp_20251125_call_tool_result, content));
    CHECK(slot.size == sizeof(((mcp_20251125_call_tool_result *)NULL)->content));
    CHECK(!mcpw_type_slot(type, "isError").required);
    CHECK(!mcpw_slot_exists(mcpw_type_slot(type, "content2")) && !mcpw_slot_exists(mcpw_type_slot(type, "")));
}

static void a_member_is_written_by_its_slot(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_result_table;
    const mcpw_slot slot = mcpw_type_slot(type, "isError");
    const mcpw_opt_bool yes = MCPW_BOOL(true);
    mcp_20251125_call_tool_result result;
    memset(&result, 0, sizeof result);
    CHECK(slot.ref.kind == MCPW_KIND_OPT_BOOLEAN);
    CHECK(!mcpw_ref_is_present(mcpw_type_revision(type), slot.ref, &result.is_error));
    memcpy((unsigned char *)&result + slot.offset, &yes, slot.size);
    CHECK(mcpw_ref_is_present(mcpw_type_revision(type), slot.ref, &result.is_error));
    CHECK(mcpw_field_bool(mcpw_field_at(type, &result, slot)));
}

static void text_and_raw_members_are_read_by_their_slots(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_request_params_table;
    const mcpw_slot name = mcpw_type_slot(type, "name");
    const mcpw_slot arguments = mcpw_type_slot(type, "arguments");
    mcp_20251125_call_tool_request_params params;
    memset(&params, 0, sizeof params);
    CHECK(mcpw_slot_str(&params, name).ptr == NULL && mcpw_slot_json(&params, arguments).ptr == NULL);
    params.name = mcpw_str_from("t");
    params.arguments = mcpw_json_from("{}");
    check_str(mcpw_slot_str(&params, name), "t");
    CHECK(mcpw_slot_json(&params, arguments).ptr == params.arguments.ptr);
    CHECK(mcpw_slot_json(&params, name).ptr == NULL && mcpw_slot_str(&params, arguments).ptr == NULL);
    CHECK(mcpw_slot_str(NULL, name).ptr == NULL && mcpw_slot_json(NULL, arguments).ptr == NULL);
    CHECK(mcpw_slot_str(&params, mcpw_type_slot(type, "none")).ptr == NULL);
}

static void the_slots_of_a_struct_are_its_members(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_request_params_table;
    const mcpw_revision *const of = mcpw_type_revision(type);
    const mcpw_ref ref = mcpw_type_ref(type);
    unsigned count = 0;
    unsigned required = 0;
    for (mcpw_slot slot = mcpw_slot_at(of, ref, 0); mcpw_slot_exists(slot);
         slot = mcpw_slot_at(of, ref, ++count)) {
        required += slot.required;
    }
    CHECK(count == 4 && required == 1); /* name, arguments, task, _meta */
    CHECK(!mcpw_slot_exists(mcpw_slot_at(of, mcpw_type_slot(type, "name").ref, 0)));
}

static void members_of_a_struct_behind_a_pointer_have_slots(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_request_params_table;
    const mcpw_slot meta = mcpw_type_slot(type, "_meta");
    const mcpw_revision *const of = mcpw_type_revision(type);
    CHECK(meta.ref.kind == MCPW_KIND_STRUCT_PTR && meta.size == sizeof(void *));
    CHECK(mcpw_slot_named(of, meta.ref, "progressToken").ref.kind == MCPW_KIND_ID);
    CHECK(mcpw_ref_plain(meta.ref).kind == MCPW_KIND_STRUCT);
    CHECK(mcpw_ref_size(of, mcpw_ref_plain(meta.ref)) == sizeof(mcp_20251125_call_tool_request_params_meta));
}

static void unnamed_members_are_found(void) {
    static const char text[] = "{\"content\":[],\"odd\":7}";
    const mcpw_type *const type = &mcp_20251125_call_tool_result_table;
    mcp_20251125_call_tool_result result;
    CHECK(mcpw_decode(type, text, strlen(text), &arena, &result, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_extra_of(type, &result) == &result.extra && result.extra.count == 1);
    CHECK(mcpw_extra_at(mcpw_type_revision(type), mcpw_type_ref(type)) ==
          offsetof(mcp_20251125_call_tool_result, extra));
    CHECK(mcpw_extra_of(NULL, &result) == NULL && mcpw_extra_of(type, NULL) == NULL);
    CHECK(mcpw_extra_of(&mcp_20251125_content_block_table, &result) == NULL);
}

/* ---- types ---- */

static void a_union_tells_its_alternatives(void) {
    const mcpw_type *const type = &mcp_20251125_content_block_table;
    const mcpw_revision *const of = mcpw_type_revision(type);
    const mcpw_ref ref = mcpw_type_ref(type);
    const mcpw_ref text = mcpw_type_ref(&mcp_20251125_text_content_table);
    CHECK(mcpw_alternative_count(of, ref) == 5);
    CHECK(mcpw_ref_same(mcpw_alternative_at(of, ref, 0), text));
    CHECK(!mcpw_ref_same(mcpw_alternative_at(of, ref, 1), text));
    CHECK(mcpw_alternative_at(of, ref, 5).kind == MCPW_KIND_END);
    CHECK(mcpw_alternative_count(of, text) == 0);
}

static void a_type_without_a_handle_gets_one(void) {
    static const char text[] = "{\"progressToken\":7}";
    const mcpw_slot meta = mcpw_type_slot(&mcp_20251125_call_tool_request_params_table, "_meta");
    mcpw_type_room room;
    const mcpw_type *const type =
        mcpw_type_make(&room, &mcp_20251125_revision, mcpw_ref_plain(meta.ref), "_meta");
    mcp_20251125_call_tool_request_params_meta value;
    CHECK_STRING(mcpw_type_name(type), "_meta");
    CHECK(mcpw_type_revision(type) == &mcp_20251125_revision && mcpw_type_size(type) == sizeof value);
    CHECK(mcpw_decode(type, text, strlen(text), &arena, &value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_field_id(mcpw_field_get(mcpw_field_of(type, &value), "progressToken")).as.integer == 7);
}

/* ---- handles ---- */

static void a_handle_tells_name_revision_and_size(void) {
    const mcpw_type *const type = mcpw_find_type(revision, "Tool");
    CHECK(type == &mcp_20251125_tool_table);
    CHECK_STRING(mcpw_type_name(type), "Tool");
    CHECK_STRING(mcpw_revision_name(mcpw_type_revision(type)), revision);
    CHECK(mcpw_revision_number(mcpw_type_revision(type)) == 20251125);
    CHECK(mcpw_type_size(type) == sizeof(mcp_20251125_tool));
    CHECK(!mcpw_revision_has_batches(mcpw_type_revision(type)));
}

static void definitions_stand_in_the_order_of_their_names(void) {
    const size_t count = mcpw_type_count(&mcp_20251125_revision);
    CHECK(count > 100 && mcpw_type_at(&mcp_20251125_revision, count) == NULL);
    for (size_t i = 1; i < count; i++) {
        CHECK(strcmp(mcpw_type_name(mcpw_type_at(&mcp_20251125_revision, i - 1)),
                     mcpw_type_name(mcpw_type_at(&mcp_20251125_revision, i))) < 0);
    }
}

static void a_revision_tells_the_digest_of_its_schema(void) {
    CHECK(strcmp(mcpw_revision_sha256(&mcp_20251125_revision), MCP_20251125_SCHEMA_SHA256) == 0);
    CHECK(strlen(mcpw_revision_sha256(&mcp_20251125_revision)) == 64);
}

static void a_method_tells_its_types(void) {
    const mcpw_method *const call = mcpw_method_entry(&mcp_20251125_revision, MCP_20251125_METHOD_TOOLS_CALL);
    CHECK(mcpw_method_params(call) == &mcp_20251125_call_tool_request_params_table);
    CHECK(mcpw_method_result(call) == &mcp_20251125_call_tool_result_table);
    CHECK(mcpw_method_task_result(call) == &mcp_20251125_create_task_result_table);
    CHECK((mcpw_method_flags(call) & MCPW_METHOD_REQUEST) != 0 && mcpw_method_flags(NULL) == 0);
    CHECK(mcpw_method_count(&mcp_20251125_revision) >= MCP_20251125_METHOD_TOOLS_CALL);
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
    RUN(a_slot_tells_where_a_member_lies);
    RUN(a_member_is_written_by_its_slot);
    RUN(text_and_raw_members_are_read_by_their_slots);
    RUN(the_slots_of_a_struct_are_its_members);
    RUN(members_of_a_struct_behind_a_pointer_have_slots);
    RUN(unnamed_members_are_found);
    RUN(a_union_tells_its_alternatives);
    RUN(a_type_without_a_handle_gets_one);
    RUN(a_handle_tells_name_revision_and_size);
    RUN(definitions_stand_in_the_order_of_their_names);
    RUN(a_revision_tells_the_digest_of_its_schema);
    RUN(a_method_tells_its_types);
    mcpw_arena_free(&arena);
    return check_end();
}
