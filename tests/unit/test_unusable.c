/* SPDX-License-Identifier: MIT */
/* Structs that a caller has not filled in right: encode names the place, copy refuses what it cannot follow,
 * and nothing is written. */
#include <mcp/2025-11-25.h>

#include <mcpw/detail/table.h>

#include "check.h"

static mcpw_arena arena = MCPW_ARENA_INIT;
static mcpw_buffer buffer = MCPW_BUFFER_INIT;

/* place: the path, or for a member that is missing, the name that the message has to say. */
static void refuses(const mcpw_type *type, const void *value, mcpw_status status, const char *place) {
    mcpw_error e = {0};
    buffer.len = 0;
    CHECK(mcpw_encode(type, value, &buffer, NULL, &e) == status);
    CHECK(buffer.len == 0);
    if (place[0] == '/' || place[0] == '\0') {
        CHECK_STRING(e.path, place);
    } else {
        CHECK(strstr(e.message, place) != NULL);
    }
    CHECK(mcpw_validate_value(type, value, &arena, NULL, &e) == status);
}

static void a_tool(mcpw_status status, const char *path, mcp_20251125_tool tool) {
    refuses(&mcp_20251125_tool_table, &tool, status, path);
}

#define NAMED .name = MCPW_STR("n"), .input_schema = MCPW_JSON("{\"type\":\"object\"}")

static void required_members_are_named(void) {
    mcp_20251125_call_tool_request request = {.params = {.name = MCPW_STR("n")}};
    mcp_20251125_prompt_message message = {.role = MCP_20251125_ROLE_USER};
    a_tool(MCPW_E_MISSING, "\"name\"", (mcp_20251125_tool){.input_schema = MCPW_JSON("{}")});
    a_tool(MCPW_E_MISSING, "\"inputSchema\"", (mcp_20251125_tool){.name = MCPW_STR("n")});
    refuses(&mcp_20251125_call_tool_request_table, &request, MCPW_E_MISSING, "\"id\"");
    refuses(&mcp_20251125_prompt_message_table, &message, MCPW_E_MISSING, "\"content\"");
    message.role = (mcp_20251125_role)0;
    refuses(&mcp_20251125_prompt_message_table, &message, MCPW_E_MISSING, "\"role\"");
}

static void ids_are_whole(void) {
    mcp_20251125_call_tool_request request = {.params = {.name = MCPW_STR("n")}};
    request.id.kind = MCPW_ID_STRING;
    refuses(&mcp_20251125_call_tool_request_table, &request, MCPW_E_MISSING, "/id");
    request.id.kind = (mcpw_id_kind)9;
    CHECK(mcpw_encode(&mcp_20251125_call_tool_request_table, &request, &buffer, NULL, NULL) != MCPW_OK);
}

static void enums_and_kinds_are_in_range(void) {
    mcp_20251125_prompt_message message = {.role = (mcp_20251125_role)7};
    mcp_20251125_prompt_message copy;
    refuses(&mcp_20251125_prompt_message_table, &message, MCPW_E_VALUE, "/role");
    message.role = MCP_20251125_ROLE_USER;
    message.content.kind = (mcp_20251125_content_block_kind)77;
    CHECK(mcpw_encode(&mcp_20251125_prompt_message_table, &message, &buffer, NULL, NULL) != MCPW_OK);
    CHECK(mcpw_copy(&mcp_20251125_prompt_message_table, &message, &arena, &copy, NULL) == MCPW_E_ARGUMENT);
    CHECK(!mcpw_equal(&mcp_20251125_prompt_message_table, &message, &message));
}

static void numbers_keep_their_bounds(void) {
    mcp_20251125_annotations annotations = {.priority = MCPW_DOUBLE(1.5)};
    refuses(&mcp_20251125_annotations_table, &annotations, MCPW_E_RANGE, "/priority");
    annotations.priority.value = -1;
    refuses(&mcp_20251125_annotations_table, &annotations, MCPW_E_RANGE, "/priority");
}

static void extra_members_have_names_that_the_type_lacks(void) {
    const mcpw_member known = {MCPW_STR("name"), MCPW_JSON("1")};
    const mcpw_member nameless = {{NULL, 0}, MCPW_JSON("1")};
    const mcpw_member empty = {MCPW_STR("x"), {NULL, 0, 0}};
    const mcpw_member broken = {MCPW_STR("x"), MCPW_JSON("1},{")};
    a_tool(MCPW_E_DUPLICATE, "/name", (mcp_20251125_tool){NAMED, .extra = {&known, 1}});
    a_tool(MCPW_E_ARGUMENT, "", (mcp_20251125_tool){NAMED, .extra = {&nameless, 1}});
    a_tool(MCPW_E_ARGUMENT, "", (mcp_20251125_tool){NAMED, .extra = {NULL, 1}});
    CHECK(mcpw_encode(&mcp_20251125_tool_table, &(mcp_20251125_tool){NAMED, .extra = {&empty, 1}}, &buffer,
                      NULL, NULL) != MCPW_OK);
    a_tool(MCPW_E_SYNTAX, "/x", (mcp_20251125_tool){NAMED, .extra = {&broken, 1}});
}

static void map_entries_have_names_and_values(void) {
    mcp_20251125_get_prompt_request_params params = {.name = MCPW_STR("n")};
    mcp_20251125_get_prompt_request_params copy;
    params.arguments.count = 1;
    CHECK(mcpw_encode(&mcp_20251125_get_prompt_request_params_table, &params, &buffer, NULL, NULL) !=
          MCPW_OK);
    CHECK(mcpw_copy(&mcp_20251125_get_prompt_request_params_table, &params, &arena, &copy, NULL) ==
          MCPW_E_ARGUMENT);
}

static void pointers_that_are_missing_are_told(void) {
    const mcpw_type *const type = &mcp_20251125_tool_table;
    const mcp_20251125_tool tool = {NAMED};
    mcp_20251125_tool copy;
    CHECK(mcpw_copy(NULL, &tool, &arena, &copy, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_copy(type, NULL, &arena, &copy, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_copy(type, &tool, NULL, &copy, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_copy(type, &tool, &arena, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_encode(NULL, &tool, &buffer, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_encode(type, NULL, &buffer, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_encode(type, &tool, NULL, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(!mcpw_equal(NULL, &tool, &tool) && !mcpw_equal(type, NULL, &tool) &&
          !mcpw_equal(type, &tool, NULL));
    CHECK(mcpw_method_number(NULL, "ping", 4) == 0);
    CHECK(mcpw_method_number(&mcp_20251125_revision, NULL, 4) == 0);
    CHECK(mcpw_method_number(&mcp_20251125_revision, "ping", 0) == 0);
    CHECK(mcpw_method_number(&mcp_20251125_revision, "ping", MCPW_MAX_KEY + 1) == 0);
    CHECK(mcpw_method_entry(NULL, 1) == NULL && mcpw_method_entry(&mcp_20251125_revision, 0) == NULL);
    CHECK(mcpw_enum_text(NULL, 0, 1).ptr == NULL);
    CHECK(mcpw_enum_text(&mcp_20251125_revision, UINT16_MAX, 1).ptr == NULL);
    CHECK(mcpw_enum_value_of(NULL, 0, "x", 1) == 0);
    CHECK(mcpw_enum_value_of(&mcp_20251125_revision, 0, NULL, 1) == 0);
    CHECK(mcpw_enum_value_of(&mcp_20251125_revision, UINT16_MAX, "x", 1) == 0);
}

int main(void) {
    RUN(required_members_are_named);
    RUN(ids_are_whole);
    RUN(enums_and_kinds_are_in_range);
    RUN(numbers_keep_their_bounds);
    RUN(extra_members_have_names_that_the_type_lacks);
    RUN(map_entries_have_names_and_values);
    RUN(pointers_that_are_missing_are_told);
    mcpw_arena_free(&arena);
    mcpw_buffer_free(&buffer);
    return check_end();
}
