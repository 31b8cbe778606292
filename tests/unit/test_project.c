/* SPDX-License-Identifier: MIT */
#include "changed_tables.h"
#include "projecting.h"

#include "counting_allocator.h"

#include <math.h>

#if defined(MCPW_WITH_20251125) && defined(MCPW_WITH_20241105) && defined(MCPW_WITH_20260728) &&             \
    defined(MCPW_WITH_20250618) && defined(MCPW_WITH_20250326)
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>

enum { MOST_ROOM = 4096, ROOM_STEP = 40 };

/* Items of lists that are empty, which is not absent. */
static const mcp_20251125_content_block no_block;
static const mcp_20251125_sampling_message no_message;

/* The same in arenas of any size: where the room is not enough that is the error, the struct is zeroed and
 * nothing is told; else all is as with room enough. */
static void project_in_little_room(const mcpw_type *from, const void *value, const mcpw_type *to,
                                   mcpw_project_options options, const outcome *whole) {
    unsigned char *const out = calloc(1, to->size);
    const unsigned char *const zeros = calloc(1, to->size);
    for (size_t limit = 1; limit < MOST_ROOM; limit += ROOM_STEP) {
        counting memory = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        outcome o;
        memset(&o, 0, sizeof o);
        options.user = &o;
        arena.allocator = counting_allocator(&memory);
        arena.limit = limit;
        memset(out, 'x', to->size);
        const mcpw_status status = mcpw_project(from, value, to, &arena, out, &options, &o.error);
        CHECK(status == whole->status || status == MCPW_E_ARENA);
        CHECK(status == MCPW_OK || (o.error.code == status && memcmp(out, zeros, to->size) == 0));
        CHECK_STRING(o.told, status == MCPW_OK ? whole->told : "");
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
    }
    free(out);
    free((void *)zeros);
}

/* Projects a value that is there and encodes what comes out. */
static outcome project_value(const mcpw_type *from, const void *value, const mcpw_type *to,
                             const mcpw_project_options *given) {
    outcome o;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options unknown = MCPW_OPTIONS_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    memset(&o, 0, sizeof o);
    o.text = (mcpw_buffer)MCPW_BUFFER_INIT;
    if (given != NULL) {
        options = *given;
    }
    options.on_drop = tell;
    options.user = &o;
    unknown.flags = MCPW_ALLOW_UNKNOWN;
    void *const out = calloc(1, to->size);
    o.status = mcpw_project(from, value, to, &arena, out, &options, &o.error);
    if (o.status == MCPW_OK) {
        CHECK(mcpw_encode(to, out, &o.text, &unknown, &o.error) == MCPW_OK);
    }
    free(out);
    mcpw_arena_free(&arena);
    project_in_little_room(from, value, to, options, &o);
    return o;
}

static outcome project_text(const char *from, const char *to, const char *part, const char *text,
                            const mcpw_project_options *options) {
    const mcpw_type *const type = part_of(from, part);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options unknown = MCPW_OPTIONS_INIT;
    mcpw_error error;
    memset(&error, 0, sizeof error);
    unknown.flags = MCPW_ALLOW_UNKNOWN;
    void *const value = calloc(1, type->size);
    CHECK(mcpw_decode(type, text, strlen(text), &arena, value, &unknown, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    const outcome o = project_value(type, value, part_of(to, part), options);
    free(value);
    mcpw_arena_free(&arena);
    return o;
}

static outcome plain(const char *from, const char *to, const char *part, const char *text) {
    return project_text(from, to, part, text, NULL);
}

static outcome filled(const char *from, const char *to, const char *part, const char *text) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values = all_values();
    return project_text(from, to, part, text, &options);
}

/* ---- members ---- */

static void what_the_target_requires_comes_from_the_values(void) {
    SAYS(filled(REV_D, REV_E, "tools/call result", "{\"content\":[]}"),
         "{\"resultType\":\"complete\",\"content\":[]}", "");
    SAYS(filled(REV_D, REV_E, "tools/list result", "{\"tools\":[]}"),
         "{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}", "");
}

static void what_comes_from_the_values_is_told(void) {
    static const char text[] = "{\"name\":\"x\",\"_meta\":{}}";
    const mcpw_type *const from = part_of(REV_D, "tools/call params");
    const mcpw_type *const to = part_of(REV_E, "tools/call params");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    outcome o;
    memset(&o, 0, sizeof o);
    options.values = all_values();
    options.on_fill = tell;
    options.user = &o;
    void *const value = calloc(1, from->size);
    void *const out = calloc(1, to->size);
    CHECK(mcpw_decode(from, text, sizeof text - 1, &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_project(from, value, to, &arena, out, &options, NULL) == MCPW_OK);
    CHECK_STRING(o.told, "/_meta/io.modelcontextprotocol~1protocolVersion "
                         "/_meta/io.modelcontextprotocol~1clientCapabilities "
                         "/_meta/io.modelcontextprotocol~1clientInfo ");
    free(value);
    free(out);
    mcpw_arena_free(&arena);
}

static void an_absent_struct_is_made_of_the_values(void) {
    SAYS(filled(REV_D, REV_E, "tools/call params", "{\"name\":\"x\"}"),
         "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
         "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
         "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}},\"name\":\"x\"}",
         "");
}

static void a_struct_that_is_there_is_completed(void) {
    SAYS(filled(REV_D, REV_E, "tools/call params",
                "{\"_meta\":{\"progressToken\":1,\"io.modelcontextprotocol/protocolVersion\":\"own\","
                "\"k\":[2]},\"name\":\"x\",\"arguments\":{\"a\":1}}"),
         "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"own\","
         "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
         "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}},\"progressToken\":1,\"k\":[2]},"
         "\"name\":\"x\",\"arguments\":{\"a\":1}}",
         "");
}

static void values_do_not_fill_what_lacks_nothing(void) {
    static const mcpw_member title = {MCPW_STR("title"), MCPW_JSON("\"T\"")};
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values.items = &title;
    options.values.count = 1;
    SAYS(project_text(REV_C, REV_D, "tools/list result",
                      "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}", &options),
         "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}", "");
}

static void without_values_the_projection_is_refused(void) {
    REFUSES(plain(REV_D, REV_E, "tools/call params", "{\"name\":\"x\"}"), MCPW_E_PROJECTION,
            "/_meta/io.modelcontextprotocol~1protocolVersion", REV_E);
    REFUSES(plain(REV_D, REV_E, "tools/call result", "{\"content\":[]}"), MCPW_E_PROJECTION, "/resultType",
            "requires");
}

static void a_value_that_does_not_fit_is_refused(void) {
    static const mcpw_member wrong = {MCPW_STR("resultType"), MCPW_JSON("5")};
    static const mcpw_member broken = {MCPW_STR("resultType"), MCPW_JSON("\"open")};
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.values.items = &wrong;
    options.values.count = 1;
    REFUSES(project_text(REV_D, REV_E, "tools/call result", "{\"content\":[]}", &options), MCPW_E_PROJECTION,
            "/resultType", "expected string");
    options.values.items = &broken;
    REFUSES(project_text(REV_D, REV_E, "tools/call result", "{\"content\":[]}", &options), MCPW_E_SYNTAX,
            "/resultType", "unexpected end");
}

static void what_the_target_lacks_is_dropped_and_told(void) {
    SAYS(
        plain(REV_E, REV_B, "tools/list result",
              "{\"resultType\":\"complete\",\"ttlMs\":1,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"a\","
              "\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{},"
              "\"icons\":[{\"src\":\"s\"}],\"annotations\":{\"title\":\"q\"}}]}"),
        "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"title\":\"q\"}}"
        "]}",
        "/resultType /tools/0/title /tools/0/outputSchema /tools/0/icons /ttlMs /cacheScope ");
    SAYS(plain(REV_D, REV_A, "initialize params",
               "{\"protocolVersion\":\"v\",\"capabilities\":{\"roots\":{\"listChanged\":true},"
               "\"elicitation\":{\"url\":{}},\"experimental\":{\"e\":{\"a\":1}}},"
               "\"clientInfo\":{\"name\":\"n\",\"title\":\"t\",\"version\":\"1\"}}"),
         "{\"protocolVersion\":\"v\",\"capabilities\":{\"experimental\":{\"e\":{\"a\":1}},"
         "\"roots\":{\"listChanged\":true}},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}",
         "/capabilities/elicitation /clientInfo/title ");
}

static void a_member_is_kept_as_text_where_the_options_name_it(void) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.kept = "_meta";
    SAYS(project_text(REV_E, REV_A, "tools/call params",
                      "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"v\","
                      "\"io.modelcontextprotocol/clientCapabilities\":{},\"a\\\"b\":{\"n\":1.50e2},\"c\":[]},"
                      "\"name\":\"x\",\"other\":1}",
                      &options),
         "{\"name\":\"x\",\"other\":1,\"_meta\":{\"a\\\"b\":{\"n\":1.50e2},\"c\":[]}}", "");
    SAYS(project_text(REV_D, REV_A, "tools/call result",
                      "{\"content\":[{\"type\":\"text\",\"text\":\"x\",\"_meta\":{\"a\":[1]}},"
                      "{\"type\":\"text\",\"text\":\"y\"}]}",
                      &options),
         "{\"content\":[{\"type\":\"text\",\"text\":\"x\",\"_meta\":{\"a\":[1]}},"
         "{\"type\":\"text\",\"text\":\"y\"}]}",
         "");
    /* Nothing is kept that a struct of the source names. Without the option nothing is. */
    SAYS(project_text(REV_E, REV_A, "tools/call params",
                      "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"v\","
                      "\"io.modelcontextprotocol/clientCapabilities\":{}},\"name\":\"x\"}",
                      &options),
         "{\"name\":\"x\"}", "/_meta ");
    SAYS(plain(REV_D, REV_A, "tools/call result",
               "{\"content\":[{\"type\":\"text\",\"text\":\"x\",\"_meta\":{\"a\":[1]}}]}"),
         "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}", "/content/0/_meta ");
}

static void nothing_is_told_of_a_projection_that_fails(void) {
    outcome o = plain(REV_D, REV_C, "elicitation/create params",
                      "{\"task\":{},\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\","
                      "\"properties\":{\"m\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
                      "\"enum\":[]}}}}}");
    CHECK_STRING(o.told, "");
    REFUSES(o, MCPW_E_PROJECTION, "/requestedSchema/properties/m", "UntitledMultiSelectEnumSchema");
}

static void kept_members_that_the_target_names_become_members(void) {
    SAYS(plain(REV_A, REV_D, "tools/list result",
               "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"title\":\"T\","
               "\"icons\":5,\"other\":{\"k\":[1]}}]}"),
         "{\"tools\":[{\"name\":\"a\",\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},"
         "\"other\":{\"k\":[1]}}]}",
         "/tools/0/icons ");
    SAYS(filled(REV_A, REV_E, "tools/call params",
                "{\"name\":\"x\",\"_meta\":{\"progressToken\":1.5,\"k\":2}}"),
         "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
         "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
         "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}},\"k\":2},\"name\":\"x\"}",
         "/_meta/progressToken ");
}

static void of_a_kept_member_that_occurs_twice_the_first_counts(void) {
    SAYS(plain(REV_A, REV_D, "tools/list result",
               "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"title\":\"1\","
               "\"title\":\"2\"}]}"),
         "{\"tools\":[{\"name\":\"a\",\"title\":\"1\",\"inputSchema\":{\"type\":\"object\"}}]}",
         "/tools/0/title ");
}

static void a_struct_becomes_text_where_the_target_keeps_text(void) {
    SAYS(
        plain(REV_E, REV_A, "tools/call result",
              "{\"resultType\":\"complete\",\"content\":[],\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"
              "{\"name\":\"s\",\"version\":\"2\"},\"k\":null}}"),
        "{\"content\":[],\"_meta\":{\"io.modelcontextprotocol/"
        "serverInfo\":{\"name\":\"s\",\"version\":\"2\"},"
        "\"k\":null}}",
        "/resultType ");
}

static void open_text_that_does_not_fit_is_dropped_where_it_is_optional(void) {
    SAYS(plain(REV_E, REV_D, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":[1]}"),
         "{\"content\":[]}", "/resultType /structuredContent ");
    SAYS(plain(REV_E, REV_D, "tools/call result",
               "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":{\"a\":1}}"),
         "{\"content\":[],\"structuredContent\":{\"a\":1}}", "/resultType ");
}

static void open_text_that_does_not_fit_is_refused_where_it_is_required(void) {
    REFUSES(plain(REV_E, REV_D, "tools/list result",
                  "{\"resultType\":\"complete\",\"ttlMs\":1,\"cacheScope\":\"public\",\"tools\":[{\"name\":"
                  "\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"x\":5}}}]}"),
            MCPW_E_PROJECTION, "/tools/0/inputSchema/properties/x", "matches none");
}

static void methods_of_the_legacy_revisions_come_across(void) {
    SAYS(plain(
             REV_D, REV_A, "completion/complete params",
             "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\",\"title\":\"t\"},\"argument\":{\"name\":\"a\","
             "\"value\":\"v\"},\"context\":{\"arguments\":{\"x\":\"y\"}}}"),
         "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"v\"}}",
         "/ref/title /context ");
    SAYS(plain(REV_A, REV_D, "completion/complete params",
               "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"u\"},\"argument\":{\"name\":\"a\","
               "\"value\":\"v\"}}"),
         "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"u\"},\"argument\":{\"name\":\"a\",\"value\":\"v\"}}",
         "");
    SAYS(plain(REV_D, REV_A, "logging/setLevel params", "{\"level\":\"warning\"}"), "{\"level\":\"warning\"}",
         "");
    SAYS(plain(REV_E, REV_A, "notifications/message params",
               "{\"level\":\"error\",\"data\":null,\"_meta\":{\"k\":1}}"),
         "{\"level\":\"error\",\"data\":null}", "/_meta ");
    SAYS(plain(REV_E, REV_D, "notifications/cancelled params", "{\"requestId\":\"7\",\"reason\":\"r\"}"),
         "{\"requestId\":\"7\",\"reason\":\"r\"}", "");
}

/* ---- unions ---- */

static void alternatives_are_matched_by_what_tells_them_apart(void) {
    static const char blocks[] =
        "{\"content\":[{\"type\":\"text\",\"text\":\"t\"},{\"type\":\"image\",\"data\":\"aa\",\"mimeType\":"
        "\"i/x\"},{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"text\":\"x\"}},"
        "{\"type\":\"resource\",\"resource\":{\"uri\":\"u\",\"blob\":\"aa\"}}]}";
    SAYS(plain(REV_D, REV_A, "tools/call result", blocks), blocks, "");
    SAYS(plain(REV_A, REV_D, "tools/call result", blocks), blocks, "");
}

static void a_member_of_another_alternative_does_not_mislead(void) {
    SAYS(plain(REV_D, REV_A, "resources/read result",
               "{\"contents\":[{\"uri\":\"u\",\"blob\":\"aa\",\"text\":\"t\"}]}"),
         "{\"contents\":[{\"uri\":\"u\",\"blob\":\"aa\",\"text\":\"t\"}]}", "");
}

static void form_input_requests_come_across(void) {
    static const char form[] =
        "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":"
        "\"integer\",\"minimum\":1.5},\"c\":{\"type\":\"string\",\"enum\":[\"x\"],\"enumNames\":[\"X\"]},"
        "\"d\":{\"type\":\"string\",\"enum\":[\"q\"]},\"e\":{\"type\":\"string\",\"format\":\"email\"},"
        "\"f\":{\"type\":\"boolean\",\"default\":true}}}}";
    SAYS(plain(REV_D, REV_C, "elicitation/create params", form), form, "");
    SAYS(plain(REV_C, REV_E, "elicitation/create params", form), form, "");
    SAYS(plain(REV_E, REV_D, "elicitation/create params", form), form, "");
}

static void alternatives_are_found_by_members_that_only_the_target_knows(void) {
    const mcpw_type *const from = part_of(REV_C, "elicitation/create params");
    static const char text[] =
        "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
        "\"string\",\"oneOf\":[{\"const\":\"c\",\"title\":\"t\"}]}}}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20251125_elicit_request_params out;
    void *const value = calloc(1, from->size);
    CHECK(mcpw_decode(from, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_project(from, value, part_of(REV_D, "elicitation/create params"), &arena, &out, NULL, NULL) ==
          MCPW_OK);
    CHECK(out.kind == MCP_20251125_ELICIT_REQUEST_PARAMS_ELICIT_REQUEST_FORM_PARAMS &&
          out.as.elicit_request_form_params.requested_schema.properties.count == 1 &&
          out.as.elicit_request_form_params.requested_schema.properties.items[0].value.kind ==
              MCP_20251125_PRIMITIVE_SCHEMA_DEFINITION_TITLED_SINGLE_SELECT_ENUM_SCHEMA);
    free(value);
    mcpw_arena_free(&arena);
}

static void what_no_alternative_says_is_refused_by_name(void) {
    REFUSES(plain(REV_D, REV_A, "tools/call result",
                  "{\"content\":[{\"type\":\"text\",\"text\":\"t\"},{\"type\":\"audio\",\"data\":\"aa\","
                  "\"mimeType\":\"a/x\"}]}"),
            MCPW_E_PROJECTION, "/content/1", "AudioContent cannot be expressed in revision 2024-11-05");
    REFUSES(plain(REV_D, REV_C, "elicitation/create params",
                  "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"u\",\"elicitationId\":\"1\"}"),
            MCPW_E_PROJECTION, "", "ElicitRequestURLParams");
    REFUSES(
        plain(REV_D, REV_C, "sampling/createMessage params",
              "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"tool_use\",\"id\":\"1\",\"name\":"
              "\"n\",\"input\":{}}}],\"maxTokens\":1}"),
        MCPW_E_PROJECTION, "/messages/0/content", "ToolUseContent");
}

/* A question with choices must not become one for free text, though that would be valid. */
static void an_alternative_keeps_what_tells_it_apart(void) {
    REFUSES(
        plain(REV_D, REV_C, "elicitation/create params",
              "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
              "\"string\",\"oneOf\":[{\"const\":\"c\",\"title\":\"t\"}]}}}}"),
        MCPW_E_PROJECTION, "/requestedSchema/properties/a", "TitledSingleSelectEnumSchema");
}

static void a_list_of_one_is_its_item_where_no_list_may_be(void) {
    SAYS(plain(REV_D, REV_C, "sampling/createMessage result",
               "{\"role\":\"user\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}"),
         "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"x\"},\"model\":\"m\"}", "");
    REFUSES(plain(REV_D, REV_C, "sampling/createMessage result",
                  "{\"role\":\"user\",\"model\":\"m\",\"content\":[]}"),
            MCPW_E_PROJECTION, "/content", "array cannot be expressed");
    SAYS(plain(REV_D, REV_E, "sampling/createMessage result",
               "{\"role\":\"user\",\"model\":\"m\",\"content\":[]}"),
         "{\"role\":\"user\",\"content\":[],\"model\":\"m\"}", "");
}

static void a_result_becomes_the_response_that_its_tag_selects(void) {
    const mcpw_revision *const e = mcpw_find_revision(REV_E);
    const mcpw_type *const response =
        mcpw_method_entry(e, mcpw_method_number(e, "tools/call", strlen("tools/call")))->response;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcp_20251125_call_tool_result result;
    static const mcpw_member odd = {MCPW_STR("resultType"), MCPW_JSON("\"odd\"")};
    memset(&result, 0, sizeof result);
    result.content.items = &no_block;
    options.values = all_values();
    SAYS(project_value(&mcp_20251125_call_tool_result_table, &result, response, &options),
         "{\"resultType\":\"complete\",\"content\":[]}", "");
    options.values.items = &odd;
    options.values.count = 1;
    REFUSES(project_value(&mcp_20251125_call_tool_result_table, &result, response, &options),
            MCPW_E_PROJECTION, "", "CallToolResult cannot be expressed");
}

/* ---- what the source does not know itself ---- */

static void unknown_alternatives_are_known_to_those_who_know_them(void) {
    static const char text[] = "{\"content\":[{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":\"u\"},"
                               "{\"type\":\"hologram\",\"x\":1}]}";
    const mcpw_type *const from = part_of(REV_A, "tools/call result");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options unknown = MCPW_OPTIONS_INIT;
    mcp_20251125_call_tool_result out;
    void *const value = calloc(1, from->size);
    unknown.flags = MCPW_ALLOW_UNKNOWN;
    CHECK(mcpw_decode(from, text, strlen(text), &arena, value, &unknown, NULL) == MCPW_OK);
    CHECK(mcpw_project(from, value, &mcp_20251125_call_tool_result_table, &arena, &out, NULL, NULL) ==
          MCPW_OK);
    CHECK(out.content.count == 2 && out.content.items[0].kind == MCP_20251125_CONTENT_BLOCK_RESOURCE_LINK &&
          out.content.items[1].kind == MCP_20251125_CONTENT_BLOCK_UNKNOWN);
    free(value);
    mcpw_arena_free(&arena);
    SAYS(plain(REV_A, REV_B, "tools/call result", text), text, "");
}

static void unknown_enum_values_keep_their_text(void) {
    static const char text[] =
        "{\"content\":[{\"type\":\"text\",\"text\":\"t\",\"annotations\":{\"priority\":1,"
        "\"audience\":[\"user\",\"robot\"]}}]}";
    SAYS(plain(REV_D, REV_E, "notifications/message params", "{\"data\":1,\"level\":\"odd\"}"),
         "{\"data\":1,\"level\":\"odd\"}", "");
    SAYS(plain(REV_D, REV_A, "tools/call result", text), text, "");
}

static void an_unknown_enum_value_without_text_is_refused(void) {
    mcp_20251125_logging_message_notification_params params;
    memset(&params, 0, sizeof params);
    params.level = MCP_20251125_LOGGING_LEVEL_UNKNOWN;
    params.data = mcpw_json_from("1");
    REFUSES(project_value(&mcp_20251125_logging_message_notification_params_table, &params,
                          part_of(REV_E, "notifications/message params"), NULL),
            MCPW_E_VALUE, "/level", "among the extra members");
}

/* ---- tables that differ in ways that no two revisions do yet ---- */

static void enum_values_are_matched_by_text(void) {
    static changed c;
    const mcpw_type *const type = &mcp_20251125_prompt_message_table;
    change(&c, type);
    mcpw_enum *const e = c.enums + type_of(&c, "role")->index;
    const mcpw_enum_value first = c.enum_values[e->first];
    c.enum_values[e->first] = c.enum_values[e->first + 1];
    c.enum_values[e->first + 1] = first;
    mcp_20251125_prompt_message message;
    memset(&message, 0, sizeof message);
    message.role = MCP_20251125_ROLE_USER;
    message.content.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    message.content.as.text_content.text = mcpw_str_from("t");
    static const char text[] = "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"t\"}}";
    SAYS(project_value(type, &message, &c.type, NULL), text, "");
    e->count = 1;
    SAYS(project_value(type, &message, &c.type, NULL), text, "");
    message.role = MCP_20251125_ROLE_ASSISTANT;
    REFUSES(project_value(type, &message, &c.type, NULL), MCPW_E_PROJECTION, "/role",
            "assistant cannot be expressed");
}

static outcome project_number(changed *c, int64_t value) {
    mcp_20251125_create_message_request_params params;
    memset(&params, 0, sizeof params);
    params.messages.items = &no_message;
    params.max_tokens = value;
    return project_value(&mcp_20251125_create_message_request_params_table, &params, &c->type, NULL);
}

static void integers_become_numbers_where_that_is_exact(void) {
    static changed c;
    change(&c, &mcp_20251125_create_message_request_params_table);
    type_of(&c, "maxTokens")->kind = MCPW_KIND_NUMBER;
    SAYS(project_number(&c, 1000), "{\"messages\":[],\"maxTokens\":1000}", "");
    SAYS(project_number(&c, -(INT64_C(1) << 53)), "{\"messages\":[],\"maxTokens\":-9007199254740992}", "");
    REFUSES(project_number(&c, (INT64_C(1) << 53) + 1), MCPW_E_PROJECTION, "/maxTokens", "not exact");
    REFUSES(project_number(&c, INT64_MAX), MCPW_E_PROJECTION, "/maxTokens", "not exact");
}

static outcome project_temperature(changed *c, double value) {
    mcp_20251125_create_message_request_params params;
    memset(&params, 0, sizeof params);
    params.messages.items = &no_message;
    params.temperature.set = true;
    params.temperature.value = value;
    return project_value(&mcp_20251125_create_message_request_params_table, &params, &c->type, NULL);
}

static void numbers_become_integers_where_that_is_exact(void) {
    static changed c;
    change(&c, &mcp_20251125_create_message_request_params_table);
    type_of(&c, "temperature")->kind = MCPW_KIND_OPT_INTEGER;
    SAYS(project_temperature(&c, -2.0), "{\"messages\":[],\"temperature\":-2,\"maxTokens\":0}", "");
    REFUSES(project_temperature(&c, 0.5), MCPW_E_PROJECTION, "/temperature", "no integer");
    REFUSES(project_temperature(&c, 9223372036854775808.0), MCPW_E_PROJECTION, "/temperature", "no integer");
    REFUSES(project_temperature(&c, (double)NAN), MCPW_E_PROJECTION, "/temperature", "no integer");
}

static void kinds_that_have_nothing_in_common_go_through_text(void) {
    static changed c;
    change(&c, &mcp_20251125_create_message_request_params_table);
    type_of(&c, "temperature")->kind = MCPW_KIND_JSON;
    SAYS(project_temperature(&c, 0.5), "{\"messages\":[],\"temperature\":0.5,\"maxTokens\":0}", "");
}

static void bounds_of_the_target_hold(void) {
    mcp_20251125_annotations annotations;
    memset(&annotations, 0, sizeof annotations);
    annotations.priority.set = true;
    annotations.priority.value = 1;
    SAYS(project_value(&mcp_20251125_annotations_table, &annotations, mcpw_find_type(REV_E, "Annotations"),
                       NULL),
         "{\"priority\":1}", "");
    annotations.priority.value = 1.5;
    REFUSES(project_value(&mcp_20251125_annotations_table, &annotations, mcpw_find_type(REV_E, "Annotations"),
                          NULL),
            MCPW_E_RANGE, "/priority", "expected at least 0 and at most 1");
}

static void bounds_of_integers_strings_and_lists_hold(void) {
    static changed c;
    const mcp_20251125_sampling_message messages[4] = {0};
    mcpw_str names[4] = {MCPW_STR("a"), MCPW_STR("b"), MCPW_STR("c"), MCPW_STR("d")};
    mcp_20251125_create_message_request_params params;
    const mcpw_type *const type = &mcp_20251125_create_message_request_params_table;
    memset(&params, 0, sizeof params);
    change(&c, type);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    type_of(&c, "systemPrompt")->check = OWN_CHECK;
    type_of(&c, "stopSequences")->check = OWN_CHECK;
    params.messages.items = messages;
    params.stop_sequences.items = names;
    params.stop_sequences.count = 3;
    params.max_tokens = 3;
    params.system_prompt = mcpw_str_from("\xc3\xa9\xc3\xa9");
    SAYS(project_value(type, &params, &c.type, NULL),
         "{\"messages\":[],\"systemPrompt\":\"\xc3\xa9\xc3\xa9\",\"maxTokens\":3,\"stopSequences\":[\"a\","
         "\"b\",\"c\"]}",
         "");
    params.max_tokens = 4;
    REFUSES(project_value(type, &params, &c.type, NULL), MCPW_E_RANGE, "/maxTokens", "at most");
    params.max_tokens = 3;
    params.stop_sequences.count = 4;
    REFUSES(project_value(type, &params, &c.type, NULL), MCPW_E_LENGTH, "/stopSequences", "at most");
    params.stop_sequences.count = 2;
    params.system_prompt = mcpw_str_from("a");
    REFUSES(project_value(type, &params, &c.type, NULL), MCPW_E_LENGTH, "/systemPrompt", "at least");
}

/* ---- values that are broken ---- */

static void broken_text_is_reported(void) {
    mcp_20251125_tool tool;
    mcpw_member title = {MCPW_STR("execution"), MCPW_JSON("{\"a\":")};
    const mcpw_type *const to = mcpw_find_type(REV_E, "Tool");
    memset(&tool, 0, sizeof tool);
    tool.name = mcpw_str_from("t");
    tool.input_schema = mcpw_json_from("{\"type\":\"object\"");
    REFUSES(project_value(&mcp_20251125_tool_table, &tool, to, NULL), MCPW_E_SYNTAX, "/inputSchema",
            "expected ','");
    tool.input_schema = mcpw_json_from("{\"type\":\"object\"}");
    tool.output_schema = mcpw_json_from("nothing");
    REFUSES(project_value(&mcp_20251125_tool_table, &tool, to, NULL), MCPW_E_SYNTAX, "/outputSchema",
            "not valid JSON");
    const mcpw_type *const older = mcpw_find_type(REV_A, "Tool");
    void *const value = calloc(1, older->size);
    mcpw_arena arena = MCPW_ARENA_INIT;
    static const char text[] = "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"x\":1}";
    CHECK(mcpw_decode(older, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    const mcpw_struct *const s = older->revision->structs + older->ref.index;
    mcpw_members *const extra =
        (mcpw_members *)(void *)((char *)value + mcpw_extra_offset(older->revision, s));
    extra->items = &title;
    REFUSES(project_value(older, value, &mcp_20251125_tool_table, NULL), MCPW_E_SYNTAX, "/execution",
            "unexpected end");
    extra->items = NULL;
    REFUSES(project_value(older, value, &mcp_20251125_tool_table, NULL), MCPW_E_ARGUMENT, "",
            "extra is NULL");
    extra->items = &title;
    title.name.ptr = NULL;
    REFUSES(project_value(older, value, &mcp_20251125_tool_table, NULL), MCPW_E_ARGUMENT, "", "no name");
    free(value);
    mcpw_arena_free(&arena);
}

static void broken_structs_are_reported(void) {
    const mcpw_type *const type = &mcp_20251125_call_tool_result_table;
    const mcpw_type *const to = mcpw_find_type(REV_C, "CallToolResult");
    mcp_20251125_call_tool_result result;
    mcp_20251125_content_block block;
    memset(&result, 0, sizeof result);
    memset(&block, 0, sizeof block);
    REFUSES(project_value(type, &result, to, NULL), MCPW_E_PROJECTION, "/content", "lacks");
    result.content.count = 5;
    REFUSES(project_value(type, &result, to, NULL), MCPW_E_ARGUMENT, "/content", "NULL");
    result.content.count = 1;
    result.content.items = &block;
    REFUSES(project_value(type, &result, to, NULL), MCPW_E_MISSING, "/content/0", "absent");
    block.kind = (mcp_20251125_content_block_kind)99;
    REFUSES(project_value(type, &result, to, NULL), MCPW_E_UNION, "/content/0", "99 is no kind");
    block.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    REFUSES(project_value(type, &result, to, NULL), MCPW_E_PROJECTION, "/content/0/text", "lacks");
    mcp_20251125_prompt_message message;
    memset(&message, 0, sizeof message);
    message.role = (mcp_20251125_role)77;
    REFUSES(project_value(&mcp_20251125_prompt_message_table, &message,
                          mcpw_find_type(REV_C, "PromptMessage"), NULL),
            MCPW_E_VALUE, "/role", "77 is no value of Role");
    const mcp_20251125_str_entry nameless = {{NULL, 0}, MCPW_STR("v")};
    mcp_20251125_get_prompt_request_params params;
    memset(&params, 0, sizeof params);
    params.name = mcpw_str_from("n");
    params.arguments.items = &nameless;
    params.arguments.count = 1;
    REFUSES(project_value(&mcp_20251125_get_prompt_request_params_table, &params,
                          part_of(REV_C, "prompts/get params"), NULL),
            MCPW_E_ARGUMENT, "/arguments", "the entry has no name");
}

static void text_that_is_nested_too_deeply_is_reported(void) {
    enum { LEVELS = 200 };
    char text[2 * LEVELS];
    mcp_20251125_call_tool_result result;
    memset(&result, 0, sizeof result);
    memset(text, '[', LEVELS);
    memset(text + LEVELS, ']', LEVELS);
    result.content.items = &no_block;
    result.structured_content = mcpw_json_of(text, sizeof text);
    REFUSES(project_value(&mcp_20251125_call_tool_result_table, &result,
                          mcpw_find_type(REV_C, "CallToolResult"), NULL),
            MCPW_E_DEPTH, "/structuredContent", "nesting");
}

/* ---- substitutes ---- */

typedef struct asked {
    char path[64];
    char alternative[64];
    char target[64];
    char value[128];
    const char *answer;
    mcpw_status status;
} asked;

static mcpw_status answer(void *user, const mcpw_unsayable *what, mcpw_arena *arena, mcpw_json *out) {
    asked *const a = user;
    (void)arena;
    (void)snprintf(a->path, sizeof a->path, "%s", what->path);
    (void)snprintf(a->alternative, sizeof a->alternative, "%s", what->alternative);
    (void)snprintf(a->target, sizeof a->target, "%s %s", what->target->revision->name, what->target->name);
    (void)snprintf(a->value, sizeof a->value, "%.*s", (int)what->value.len, what->value.ptr);
    *out = mcpw_json_from(a->answer);
    return a->status;
}

static const char with_audio[] = "{\"content\":[{\"type\":\"audio\",\"data\":\"aa\",\"mimeType\":\"a/x\"}]}";

static mcpw_status substitute(asked *a, char *text, size_t size, mcpw_error *error) {
    const mcpw_type *const from = &mcp_20251125_call_tool_result_table;
    const mcpw_type *const to = mcpw_find_type(REV_A, "CallToolResult");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcp_20251125_call_tool_result value;
    void *const out = calloc(1, to->size);
    options.substitute = answer;
    options.user = a;
    CHECK(mcpw_decode(from, with_audio, strlen(with_audio), &arena, &value, NULL, NULL) == MCPW_OK);
    const mcpw_status status = mcpw_project(from, &value, to, &arena, out, &options, error);
    if (status == MCPW_OK) {
        CHECK(mcpw_encode(to, out, &buffer, NULL, NULL) == MCPW_OK);
        (void)snprintf(text, size, "%.*s", (int)buffer.len, buffer.data);
    }
    free(out);
    mcpw_buffer_free(&buffer);
    mcpw_arena_free(&arena);
    return status;
}

static void a_substitute_takes_the_place_of_what_the_target_lacks(void) {
    asked a = {"", "", "", "", "{\"type\":\"text\",\"text\":\"s\"}", MCPW_OK};
    char text[128] = "";
    CHECK(substitute(&a, text, sizeof text, NULL) == MCPW_OK);
    CHECK_STRING(text, "{\"content\":[{\"type\":\"text\",\"text\":\"s\"}]}");
    CHECK_STRING(a.path, "/content/0");
    CHECK_STRING(a.alternative, "AudioContent");
    CHECK_STRING(a.target, "2024-11-05 CallToolResult.content[]");
    CHECK_STRING(a.value, "{\"type\":\"audio\",\"data\":\"aa\",\"mimeType\":\"a/x\"}");
}

static void a_substitute_has_to_fit(void) {
    asked a = {"", "", "", "", "{\"type\":\"text\"}", MCPW_OK};
    mcpw_error error;
    CHECK(substitute(&a, NULL, 0, &error) != MCPW_OK);
    CHECK_STRING(error.path, "/content/0");
    a.status = MCPW_E_NOT_FOUND;
    CHECK(substitute(&a, NULL, 0, &error) == MCPW_E_PROJECTION);
    CHECK_STRING(error.path, "/content/0");
    a.status = MCPW_E_MEMORY;
    CHECK(substitute(&a, NULL, 0, &error) == MCPW_E_MEMORY);
}

/* ---- the call itself ---- */

static void the_same_type_is_copied_as_it_is(void) {
    mcp_20251125_call_tool_result value;
    mcp_20251125_call_tool_result out;
    mcpw_arena arena = MCPW_ARENA_INIT;
    CHECK(mcpw_decode(&mcp_20251125_call_tool_result_table, with_audio, strlen(with_audio), &arena, &value,
                      NULL, NULL) == MCPW_OK);
    CHECK(mcpw_project(&mcp_20251125_call_tool_result_table, &value, &mcp_20251125_call_tool_result_table,
                       &arena, &out, NULL, NULL) == MCPW_OK);
    CHECK(out.content.items == value.content.items && out.content.count == 1);
    mcpw_arena_free(&arena);
}

static void texts_are_shared_with_the_source(void) {
    mcp_20251125_cancelled_notification_params value;
    mcp_20260728_cancelled_notification_params out;
    mcpw_arena arena = MCPW_ARENA_INIT;
    memset(&value, 0, sizeof value);
    value.request_id.kind = MCPW_ID_INTEGER;
    value.reason = mcpw_str_from("because");
    CHECK(mcpw_project(&mcp_20251125_cancelled_notification_params_table, &value,
                       &mcp_20260728_cancelled_notification_params_table, &arena, &out, NULL,
                       NULL) == MCPW_OK);
    CHECK(out.reason.ptr == value.reason.ptr);
    mcpw_arena_free(&arena);
}

static void success_leaves_the_error_record_alone(void) {
    mcpw_error error;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20251125_call_tool_result out;
    mcp_20260728_call_tool_result value;
    static const char text[] = "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":5}";
    memset(&error, 0, sizeof error);
    error.code = MCPW_E_IO;
    CHECK(mcpw_decode(&mcp_20260728_call_tool_result_table, text, strlen(text), &arena, &value, NULL, NULL) ==
          MCPW_OK);
    CHECK(mcpw_project(&mcp_20260728_call_tool_result_table, &value, &mcp_20251125_call_tool_result_table,
                       &arena, &out, NULL, &error) == MCPW_OK);
    CHECK(error.code == MCPW_E_IO);
    CHECK_STRING(error.message, "");
    mcpw_arena_free(&arena);
}

static void wrong_arguments_are_refused(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_project_options options;
    mcpw_error error;
    mcpw_str text = MCPW_STR("x");
    const mcpw_type *const type = &mcp_20251125_cursor_table;
    memset(&options, 0, sizeof options);
    options.struct_size = 1;
    CHECK(mcpw_project(type, &text, type, &arena, &text, &options, &error) == MCPW_E_ARGUMENT);
    CHECK(strstr(error.message, "MCPW_PROJECT_INIT") != NULL);
    CHECK(mcpw_project(type, NULL, type, &arena, &text, NULL, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_project(NULL, &text, type, &arena, &text, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_project(type, &text, NULL, &arena, &text, NULL, NULL) == MCPW_E_ARGUMENT);
    mcpw_arena_free(&arena);
}

/* Whatever allocation fails: no leak, an error, and a zeroed struct. */
static void memory_that_runs_out_is_reported(void) {
    static const char text[] =
        "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"title\":\"T\",\"icons\":5,"
        "\"other\":{\"k\":[1]},\"execution\":{\"taskSupport\":\"optional\"}}],\"_meta\":{\"a\":\"\\u0041\"}}";
    const mcpw_type *const from = part_of(REV_A, "tools/list result");
    const mcpw_type *const to = part_of(REV_D, "tools/list result");
    mcpw_arena source = MCPW_ARENA_INIT;
    void *const value = calloc(1, from->size);
    unsigned char *const out = malloc(to->size);
    unsigned char *const zeros = calloc(1, to->size);
    mcpw_status status = MCPW_E_MEMORY;
    CHECK(mcpw_decode(from, text, strlen(text), &source, value, NULL, NULL) == MCPW_OK);
    for (size_t limit = 1; status != MCPW_OK && limit < 100000; limit += 61) {
        counting c = {0};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_project_options options = MCPW_PROJECT_INIT;
        outcome o;
        memset(&o, 0, sizeof o);
        options.on_drop = tell;
        options.user = &o;
        arena.allocator = counting_allocator(&c);
        arena.limit = limit;
        memset(out, 'x', to->size);
        status = mcpw_project(from, value, to, &arena, out, &options, &o.error);
        if (status != MCPW_OK) {
            CHECK(status == MCPW_E_ARENA && o.error.code == status && memcmp(out, zeros, to->size) == 0);
        }
        mcpw_arena_free(&arena);
        CHECK(c.in_use == 0);
    }
    CHECK(status == MCPW_OK);
    free(value);
    free(out);
    free(zeros);
    mcpw_arena_free(&source);
}

static void what_does_not_fit_is_dropped_whatever_its_kind(void) {
    SAYS(plain(REV_A, REV_D, "resources/list result",
               "{\"resources\":[{\"uri\":\"a:\",\"name\":\"n\",\"title\":5}]}"),
         "{\"resources\":[{\"name\":\"n\",\"uri\":\"a:\"}]}", "/resources/0/title ");
    SAYS(plain(REV_A, REV_D, "tools/list result",
               "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":7}]}"),
         "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}", "/tools/0/annotations ");
}

static void an_unknown_enum_value_alone_has_no_text(void) {
    const mcp_20251125_logging_level level = MCP_20251125_LOGGING_LEVEL_UNKNOWN;
    REFUSES(
        project_value(&mcp_20251125_logging_level_table, &level, mcpw_find_type(REV_E, "LoggingLevel"), NULL),
        MCPW_E_VALUE, "", "no text here");
}

static void numbers_that_are_none_are_refused(void) {
    mcp_20251125_annotations annotations;
    memset(&annotations, 0, sizeof annotations);
    annotations.priority.set = true;
    annotations.priority.value = (double)NAN;
    REFUSES(project_value(&mcp_20251125_annotations_table, &annotations, mcpw_find_type(REV_E, "Annotations"),
                          NULL),
            MCPW_E_VALUE, "/priority", "not finite");
}

int main(void) {
    RUN(what_the_target_requires_comes_from_the_values);
    RUN(what_comes_from_the_values_is_told);
    RUN(an_absent_struct_is_made_of_the_values);
    RUN(a_struct_that_is_there_is_completed);
    RUN(values_do_not_fill_what_lacks_nothing);
    RUN(without_values_the_projection_is_refused);
    RUN(a_value_that_does_not_fit_is_refused);
    RUN(what_the_target_lacks_is_dropped_and_told);
    RUN(a_member_is_kept_as_text_where_the_options_name_it);
    RUN(nothing_is_told_of_a_projection_that_fails);
    RUN(kept_members_that_the_target_names_become_members);
    RUN(of_a_kept_member_that_occurs_twice_the_first_counts);
    RUN(a_struct_becomes_text_where_the_target_keeps_text);
    RUN(open_text_that_does_not_fit_is_dropped_where_it_is_optional);
    RUN(open_text_that_does_not_fit_is_refused_where_it_is_required);
    RUN(methods_of_the_legacy_revisions_come_across);
    RUN(alternatives_are_matched_by_what_tells_them_apart);
    RUN(a_member_of_another_alternative_does_not_mislead);
    RUN(form_input_requests_come_across);
    RUN(alternatives_are_found_by_members_that_only_the_target_knows);
    RUN(what_no_alternative_says_is_refused_by_name);
    RUN(an_alternative_keeps_what_tells_it_apart);
    RUN(a_list_of_one_is_its_item_where_no_list_may_be);
    RUN(a_result_becomes_the_response_that_its_tag_selects);
    RUN(unknown_alternatives_are_known_to_those_who_know_them);
    RUN(unknown_enum_values_keep_their_text);
    RUN(an_unknown_enum_value_without_text_is_refused);
    RUN(enum_values_are_matched_by_text);
    RUN(integers_become_numbers_where_that_is_exact);
    RUN(numbers_become_integers_where_that_is_exact);
    RUN(kinds_that_have_nothing_in_common_go_through_text);
    RUN(bounds_of_the_target_hold);
    RUN(bounds_of_integers_strings_and_lists_hold);
    RUN(broken_text_is_reported);
    RUN(broken_structs_are_reported);
    RUN(text_that_is_nested_too_deeply_is_reported);
    RUN(a_substitute_takes_the_place_of_what_the_target_lacks);
    RUN(a_substitute_has_to_fit);
    RUN(the_same_type_is_copied_as_it_is);
    RUN(texts_are_shared_with_the_source);
    RUN(success_leaves_the_error_record_alone);
    RUN(wrong_arguments_are_refused);
    RUN(memory_that_runs_out_is_reported);
    RUN(what_does_not_fit_is_dropped_whatever_its_kind);
    RUN(an_unknown_enum_value_alone_has_no_text);
    RUN(numbers_that_are_none_are_refused);
    return check_end();
}
#else
int main(void) {
    (void)printf("skipped: not every revision is built\n");
    return CHECK_SKIPPED;
}
#endif
