/* SPDX-License-Identifier: MIT */
/* A value that is projected to a union becomes the alternative that its text would be read as. */
#include <mcp/2025-11-25.h>

#include "projecting.h"
#include "tables.h"

enum { ROOM = 4096 };

static mcpw_arena arena = MCPW_ARENA_INIT;

/* The alternative of the union `to` that the value of a text becomes; what the text itself is read as has to
 * be the same one. 0 when it is refused. */
static int chosen(mcpw_type from, mcpw_type to, const char *text) {
    static _Alignas(max_align_t) unsigned char value[ROOM];
    static _Alignas(max_align_t) unsigned char out[ROOM];
    static _Alignas(max_align_t) unsigned char read[ROOM];
    mcpw_options unknown = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    int32_t kind = 0;
    int32_t wanted = 0;
    unknown.flags = MCPW_ALLOW_UNKNOWN;
    mcpw_arena_reset(&arena);
    CHECK(mcpw_decode(&from, text, strlen(text), &arena, value, &unknown, &error) == MCPW_OK);
    const mcpw_status status = mcpw_project(&from, value, &to, &arena, out, NULL, &error);
    if (!check_that(status == MCPW_OK, __FILE__, __LINE__, text)) {
        (void)fprintf(stderr, "  %s\n", error.message);
    }
    CHECK(mcpw_decode(&to, text, strlen(text), &arena, read, NULL, &error) == MCPW_OK);
    memcpy(&kind, out, sizeof kind);
    memcpy(&wanted, read, sizeof wanted);
    CHECK(kind == wanted);
    return kind;
}

static mcpw_type row_type(const mcpw_type *type, const char *name, size_t size) {
    const mcpw_row *const row =
        mcpw_find_row(type->revision, type->revision->structs + type->ref.index, name, strlen(name));
    const mcpw_type member = {type->revision, name, mcpw_row_value(type->revision, row), (uint32_t)size};
    return member;
}

static void a_tag_among_the_other_members_may_have_escapes(void) {
    const mcpw_type from = *part_of(REV_C, "elicitation/create params");
    const mcpw_type to = *part_of(REV_D, "elicitation/create params");
    CHECK(chosen(from, to,
                 "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}},"
                 "\"mode\":\"url\",\"url\":\"u:\",\"elicitationId\":\"1\"}") ==
          MCP_20251125_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_URL_PARAMS);
    CHECK(chosen(from, to,
                 "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}},"
                 "\"mode\":\"\\u0075rl\",\"url\":\"u:\",\"elicitationId\":\"1\"}") ==
          MCP_20251125_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_URL_PARAMS);
}

static void the_entries_of_a_map_are_members(void) {
    const mcpw_type from =
        row_type(&mcp_20251125_get_prompt_request_params_table, "arguments", sizeof(mcpw_members));
    const mcpw_type to = row_type(&mcp_20251125_embedded_resource_table, "resource",
                                  sizeof(mcp_20251125_embedded_resource_resource));
    CHECK(chosen(from, to, "{\"uri\":\"u:\",\"blob\":\"YQ==\"}") ==
          MCP_20251125_EMBEDDED_RESOURCE_RESOURCE_BLOB_RESOURCE_CONTENTS);
    CHECK(chosen(from, to, "{\"uri\":\"u:\",\"text\":\"t\"}") ==
          MCP_20251125_EMBEDDED_RESOURCE_RESOURCE_TEXT_RESOURCE_CONTENTS);
}

static void a_string_is_a_tag_by_its_value(void) {
    const mcpw_type from =
        row_type(&mcp_20251125_get_prompt_request_params_table, "arguments", sizeof(mcpw_members));
    const mcpw_type to =
        row_type(&mcp_20251125_prompt_message_table, "content", sizeof(mcp_20251125_content_block));
    CHECK(chosen(from, to, "{\"data\":\"YQ==\",\"mimeType\":\"i/x\",\"type\":\"image\"}") ==
          MCP_20251125_CONTENT_BLOCK_IMAGE_CONTENT);
}

static void what_has_no_mark_of_any_alternative_is_refused(void) {
    static _Alignas(max_align_t) unsigned char out[ROOM];
    const mcpw_type from =
        row_type(&mcp_20251125_get_prompt_request_params_table, "arguments", sizeof(mcpw_members));
    const mcpw_type to = row_type(&mcp_20251125_embedded_resource_table, "resource",
                                  sizeof(mcp_20251125_embedded_resource_resource));
    const char text[] = "{\"uri\":\"u:\"}";
    mcpw_members value = {NULL, 0};
    mcpw_error error = {0};
    mcpw_arena_reset(&arena);
    CHECK(mcpw_decode(&from, text, strlen(text), &arena, &value, NULL, &error) == MCPW_OK);
    CHECK(mcpw_project(&from, &value, &to, &arena, out, NULL, &error) == MCPW_E_PROJECTION);
}

static void where_the_first_member_decides_it_does_so_in_a_value_too(void) {
    const mcpw_type from =
        row_type(&mcp_20251125_get_prompt_request_params_table, "arguments", sizeof(mcpw_members));
    const mcpw_type to = row_type(&mcp_20251125_embedded_resource_table, "resource",
                                  sizeof(mcp_20251125_embedded_resource_resource));
    CHECK(chosen(from, to, "{\"uri\":\"u:\",\"blob\":\"YQ==\",\"text\":\"t\"}") ==
          MCP_20251125_EMBEDDED_RESOURCE_RESOURCE_BLOB_RESOURCE_CONTENTS);
    CHECK(chosen(from, to, "{\"uri\":\"u:\",\"text\":\"t\",\"blob\":\"YQ==\"}") ==
          MCP_20251125_EMBEDDED_RESOURCE_RESOURCE_TEXT_RESOURCE_CONTENTS);
}

int main(void) {
    if (!all_revisions()) {
        (void)printf("skipped: not every revision is built\n");
        return CHECK_SKIPPED;
    }
    RUN(a_tag_among_the_other_members_may_have_escapes);
    RUN(the_entries_of_a_map_are_members);
    RUN(a_string_is_a_tag_by_its_value);
    RUN(what_has_no_mark_of_any_alternative_is_refused);
    RUN(where_the_first_member_decides_it_does_so_in_a_value_too);
    mcpw_arena_free(&arena);
    return check_end();
}
