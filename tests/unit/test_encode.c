/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>

#include "check.h"

#if defined(MCPW_WITH_20251125)
#include <mcp/2025-11-25.h>

#include <math.h>
#include <stdlib.h>

#include "counting_allocator.h"

static mcpw_error last_error;

/* The status, with the text (and a NUL) in out. */
static mcpw_status encode_with(const mcpw_type *type, const void *value, unsigned flags, mcpw_buffer *out) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    options.flags = flags;
    memset(&last_error, 0, sizeof last_error);
    const mcpw_status status = mcpw_encode(type, value, out, &options, &last_error);
    CHECK(mcpw_validate_value(type, value, &scratch, &options, NULL) == status);
    CHECK(mcpw_encode(type, value, out, &options, NULL) == status); /* the record is optional */
    if (status == MCPW_OK) {
        out->len /= 2;
    }
    mcpw_arena_free(&scratch);
    return status;
}

static void check_text_of(const mcpw_type *type, const void *value, unsigned flags, const char *want) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(encode_with(type, value, flags, &out) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, want);
    mcpw_buffer_free(&out);
}

static void check_refusal(const mcpw_type *type, const void *value, unsigned flags, mcpw_status want,
                          const char *path, const char *message) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_buffer_append(&out, "before", 6) == MCPW_OK);
    CHECK(encode_with(type, value, flags, &out) == want);
    CHECK_TEXT(out.data, out.len, "before");
    CHECK(last_error.code == want && last_error.offset == 0);
    CHECK_STRING(last_error.path, path);
    CHECK_STRING(last_error.message, message);
    mcpw_buffer_free(&out);
}

static const mcpw_type *const tool_type = &mcp_20251125_tool_table;
static const mcpw_type *const progress_type = &mcp_20251125_progress_notification_params_table;
static const mcpw_type *const annotations_type = &mcp_20251125_annotations_table;
static const mcpw_type *const result_type = &mcp_20251125_call_tool_result_table;
static const mcpw_type *const prompt_type = &mcp_20251125_get_prompt_request_params_table;
static const mcpw_type *const level_type = &mcp_20251125_set_level_request_params_table;

static mcp_20251125_tool small_tool(void) {
    mcp_20251125_tool tool;
    memset(&tool, 0, sizeof tool);
    tool.name = mcpw_str_from("t");
    tool.input_schema = mcpw_json_from("{\"type\":\"object\"}");
    return tool;
}

static mcp_20251125_progress_notification_params small_progress(void) {
    mcp_20251125_progress_notification_params p;
    memset(&p, 0, sizeof p);
    p.progress_token.kind = MCPW_ID_INTEGER;
    p.progress_token.as.integer = 1;
    p.progress = 0.5;
    return p;
}

/* ---- what is written ---- */

static void static_data_can_be_written(void) {
    static const mcp_20251125_annotations value = {
        .priority = MCPW_DOUBLE(0.25),
        .last_modified = MCPW_STR("2025-01-01T00:00:00Z"),
    };
    check_text_of(annotations_type, &value, 0,
                  "{\"priority\":0.25,\"lastModified\":\"2025-01-01T00:00:00Z\"}");
}

static void an_empty_object_has_no_members(void) {
    static const mcp_20251125_annotations value = {.priority = {false, 0}};
    check_text_of(annotations_type, &value, 0, "{}");
}

static void members_stand_in_wire_order(void) {
    mcp_20251125_tool tool = small_tool();
    static const mcp_20251125_tool_annotations hints = {.read_only_hint = MCPW_BOOL(true),
                                                        .open_world_hint = MCPW_BOOL(false)};
    tool.annotations = &hints;
    tool.title = mcpw_str_from("T");
    tool.meta = mcpw_json_from("{\"k\":1}");
    check_text_of(tool_type, &tool, 0,
                  "{\"name\":\"t\",\"title\":\"T\",\"inputSchema\":{\"type\":\"object\"},"
                  "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false},\"_meta\":{\"k\":1}}");
}

static void ids_keep_their_kind(void) {
    mcp_20251125_progress_notification_params p = small_progress();
    check_text_of(progress_type, &p, 0, "{\"progressToken\":1,\"progress\":0.5}");
    p.progress_token.kind = MCPW_ID_STRING;
    p.progress_token.as.string = mcpw_str_from("1");
    check_text_of(progress_type, &p, 0, "{\"progressToken\":\"1\",\"progress\":0.5}");
}

static void enums_constants_and_unions_are_written(void) {
    static const mcp_20251125_role roles[] = {MCP_20251125_ROLE_USER, MCP_20251125_ROLE_ASSISTANT};
    static const mcp_20251125_annotations diagnostics = {.audience = {roles, 2}};
    mcp_20251125_content_block block;
    mcp_20251125_call_tool_result result;
    memset(&block, 0, sizeof block);
    memset(&result, 0, sizeof result);
    block.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = mcpw_str_from("hi");
    block.as.text_content.annotations = &diagnostics;
    result.content.items = &block;
    result.content.count = 1;
    check_text_of(result_type, &result, 0,
                  "{\"content\":[{\"type\":\"text\",\"text\":\"hi\","
                  "\"annotations\":{\"audience\":[\"user\",\"assistant\"]}}]}");
}

static void an_empty_array_is_not_absent(void) {
    static const mcp_20251125_content_block none;
    mcp_20251125_call_tool_result result;
    memset(&result, 0, sizeof result);
    result.content.items = &none;
    check_text_of(result_type, &result, 0, "{\"content\":[]}");
}

static void maps_are_objects(void) {
    static const mcp_20251125_str_entry entries[] = {{MCPW_STR("a"), MCPW_STR("1")},
                                                     {MCPW_STR("b\""), MCPW_STR("")}};
    mcp_20251125_get_prompt_request_params p;
    memset(&p, 0, sizeof p);
    p.name = mcpw_str_from("x");
    p.arguments.items = entries;
    p.arguments.count = 2;
    check_text_of(prompt_type, &p, 0, "{\"name\":\"x\",\"arguments\":{\"a\":\"1\",\"b\\\"\":\"\"}}");
}

static void extra_members_are_written_back(void) {
    static const mcpw_member extra[] = {{MCPW_STR("x-a"), MCPW_JSON("[1, 2]")},
                                        {MCPW_STR("x-b"), MCPW_JSON("null")}};
    mcp_20251125_progress_notification_params p = small_progress();
    p.extra.items = extra;
    p.extra.count = 2;
    check_text_of(progress_type, &p, 0, "{\"progressToken\":1,\"progress\":0.5,\"x-a\":[1, 2],\"x-b\":null}");
}

static void raw_values_lose_their_line_breaks(void) {
    mcp_20251125_tool tool = small_tool();
    tool.input_schema = mcpw_json_from("{\r\n  \"type\": \"object\",\n  \"title\": \"a\\n \\\" b\"\n}\n");
    check_text_of(tool_type, &tool, 0,
                  "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"title\":\"a\\n \\\" b\"}}");
}

/* ---- strings ---- */

/* The expected text of a string, one byte at a time. */
static size_t expected_string(char *out, const char *text, size_t len) {
    size_t n = 0;
    out[n++] = '"';
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        const char *const named = c != 0 ? strchr("\bb\tt\nn\ff\rr\"\"\\\\", c) : NULL;
        if (c < 0x20 || c == '"' || c == '\\') {
            n += named != NULL ? (size_t)sprintf(out + n, "\\%c", named[1])
                               : (size_t)sprintf(out + n, "\\u%04x", c);
        } else {
            out[n++] = text[i];
        }
    }
    out[n++] = '"';
    return n;
}

/* Every length around the vector widths, every place in it, every kind of byte; in memory of exactly that
 * size, so that a read beyond it is noticed. */
static void strings_are_escaped_wherever_they_need_it(void) {
    static const char *const inserts[] = {"",
                                          "\"",
                                          "\\",
                                          "\n",
                                          "\x01",
                                          "\x1f",
                                          "\x7f",
                                          "\xc3\xa9",
                                          "\xe2\x82\xac",
                                          "\xf0\x9f\x98\x80",
                                          "\"\"\"",
                                          "\xed\x9f\xbf\n"};
    const mcpw_type *const type = &mcp_20251125_cursor_table;
    for (size_t len = 0; len < 150; len += len < 40 ? 1 : 7) {
        for (size_t k = 0; k < sizeof inserts / sizeof *inserts; k++) {
            for (size_t at = 0; at <= len; at += len < 40 ? 1 : 11) {
                char want[1500];
                mcpw_buffer out = MCPW_BUFFER_INIT;
                const size_t extra = strlen(inserts[k]);
                char *const text = malloc(len + extra + (len + extra == 0));
                memset(text, 'a', len + extra);
                memcpy(text + at, inserts[k], extra);
                const mcpw_str value = {text, len + extra};
                CHECK(mcpw_encode(type, &value, &out, NULL, NULL) == MCPW_OK);
                const size_t n = expected_string(want, text, len + extra);
                CHECK(out.len == n && memcmp(out.data, want, n) == 0);
                mcpw_buffer_free(&out);
                free(text);
            }
        }
    }
}

static void strings_of_escapes_alone_get_their_room(void) {
    enum { LEN = 100000 };
    char *const text = malloc(LEN);
    mcpw_buffer out = MCPW_BUFFER_INIT;
    memset(text, 1, LEN);
    const mcpw_str value = {text, LEN};
    CHECK(mcpw_encode(&mcp_20251125_cursor_table, &value, &out, NULL, NULL) == MCPW_OK);
    CHECK(out.len == 6 * (size_t)LEN + 2);
    mcpw_buffer_free(&out);
    free(text);
}

static void invalid_utf8_is_refused_wherever_it_stands(void) {
    static const char *const bad[] = {"\xff",     "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xc0\x80", "\x80"};
    for (size_t len = 0; len < 80; len++) {
        for (size_t k = 0; k < 2 * sizeof bad / sizeof *bad; k++) {
            mcpw_buffer out = MCPW_BUFFER_INIT;
            const size_t extra = strlen(bad[k / 2]);
            const size_t behind = k % 2 * 5;
            char *const text = malloc(len + extra + behind);
            memset(text, 'a', len + extra + behind);
            memcpy(text + len, bad[k / 2], extra);
            const mcpw_str value = {text, len + extra + behind};
            CHECK(mcpw_encode(&mcp_20251125_cursor_table, &value, &out, NULL, NULL) == MCPW_E_UTF8);
            mcpw_buffer_free(&out);
            free(text);
        }
    }
}

/* ---- what is refused ---- */

static void a_missing_member_names_its_object(void) {
    mcp_20251125_tool tool = small_tool();
    tool.name.ptr = NULL;
    check_refusal(tool_type, &tool, 0, MCPW_E_MISSING, "", "missing required member \"name\"");
}

static void a_list_without_items_is_there_when_it_says_so(void) {
    static const mcp_20251125_call_tool_result none = {
        .content = {MCPW_EMPTY(mcp_20251125_content_block), 0}};
    mcp_20251125_call_tool_result absent;
    memset(&absent, 0, sizeof absent);
    check_text_of(result_type, &none, 0, "{\"content\":[]}");
    check_refusal(result_type, &absent, 0, MCPW_E_MISSING, "",
                  "missing required member \"content\" (an empty list has the items MCPW_EMPTY, not NULL)");
}

static void an_error_has_the_path_of_its_place(void) {
    static const mcp_20251125_annotations diagnostics = {.priority = MCPW_DOUBLE(2)};
    mcp_20251125_content_block blocks[2];
    mcp_20251125_call_tool_result result;
    memset(&blocks, 0, sizeof blocks);
    memset(&result, 0, sizeof result);
    blocks[0].kind = blocks[1].kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    blocks[0].as.text_content.text = blocks[1].as.text_content.text = mcpw_str_from("x");
    blocks[1].as.text_content.annotations = &diagnostics;
    result.content.items = blocks;
    result.content.count = 2;
    check_refusal(result_type, &result, 0, MCPW_E_RANGE, "/content/1/annotations/priority",
                  "expected at least 0 and at most 1");
}

static void bounds_include_their_ends(void) {
    mcp_20251125_annotations value = {.priority = MCPW_DOUBLE(1)};
    check_text_of(annotations_type, &value, 0, "{\"priority\":1}");
    value.priority.value = 0;
    check_text_of(annotations_type, &value, 0, "{\"priority\":0}");
    value.priority.value = 1.0000000000000002;
    check_refusal(annotations_type, &value, 0, MCPW_E_RANGE, "/priority",
                  "expected at least 0 and at most 1");
}

static void numbers_have_to_be_finite(void) {
    mcp_20251125_progress_notification_params p = small_progress();
    p.progress = (double)NAN;
    check_refusal(progress_type, &p, 0, MCPW_E_VALUE, "/progress", "number is not finite");
    p.progress = -HUGE_VAL;
    check_refusal(progress_type, &p, 0, MCPW_E_VALUE, "/progress", "number is not finite");
}

static void an_enum_outside_its_range_is_refused(void) {
    mcp_20251125_set_level_request_params p;
    memset(&p, 0, sizeof p);
    p.level = (mcp_20251125_logging_level)99;
    check_refusal(level_type, &p, 0, MCPW_E_VALUE, "/level", "99 is no value of LoggingLevel, which has 8");
    p.level = (mcp_20251125_logging_level)0;
    check_refusal(level_type, &p, 0, MCPW_E_MISSING, "", "missing required member \"level\"");
}

static void a_union_kind_outside_its_range_is_refused(void) {
    mcp_20251125_content_block block;
    memset(&block, 0, sizeof block);
    block.kind = (mcp_20251125_content_block_kind)77;
    check_refusal(&mcp_20251125_content_block_table, &block, 0, MCPW_E_UNION, "",
                  "77 is no kind of ContentBlock, which has 5");
    block.kind = (mcp_20251125_content_block_kind)0;
    check_refusal(&mcp_20251125_content_block_table, &block, 0, MCPW_E_MISSING, "", "value is absent");
}

static void an_item_that_is_absent_is_refused(void) {
    static const mcp_20251125_content_block blocks[1] = {{0}};
    mcp_20251125_call_tool_result result = {0};
    result.content.items = blocks;
    result.content.count = 1;
    check_refusal(result_type, &result, 0, MCPW_E_MISSING, "/content/0", "value is absent");
}

static void null_is_no_progress_token(void) {
    mcp_20251125_progress_notification_params p = small_progress();
    p.progress_token.kind = MCPW_ID_NULL;
    check_refusal(progress_type, &p, 0, MCPW_E_TYPE, "/progressToken", "expected string or integer");
}

static void a_count_without_items_is_refused(void) {
    mcp_20251125_call_tool_result result;
    memset(&result, 0, sizeof result);
    result.content.count = 3;
    check_refusal(result_type, &result, 0, MCPW_E_ARGUMENT, "/content",
                  "items are NULL but the count is not 0");
}

static void an_extra_member_that_the_type_names_is_refused(void) {
    static const mcpw_member extra[] = {{MCPW_STR("progress"), MCPW_JSON("9")}};
    mcp_20251125_progress_notification_params p = small_progress();
    p.extra.items = extra;
    p.extra.count = 1;
    check_refusal(progress_type, &p, 0, MCPW_E_DUPLICATE, "/progress",
                  "the type names this member, so extra may not hold it");
}

static void extra_members_that_repeat_are_refused_under_strict(void) {
    static const mcpw_member extra[] = {
        {MCPW_STR("a"), MCPW_JSON("1")}, {MCPW_STR("b"), MCPW_JSON("1")}, {MCPW_STR("a"), MCPW_JSON("2")}};
    mcp_20251125_progress_notification_params p = small_progress();
    p.extra.items = extra;
    p.extra.count = 3;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(encode_with(progress_type, &p, 0, &out) == MCPW_OK);
    mcpw_buffer_free(&out);
    check_refusal(progress_type, &p, MCPW_STRICT, MCPW_E_DUPLICATE, "", "member occurs twice");
}

static void map_keys_that_repeat_are_refused(void) {
    enum { COUNT = 1000 };
    static char names[COUNT][16];
    static mcp_20251125_str_entry entries[COUNT];
    mcp_20251125_get_prompt_request_params p;
    memset(&p, 0, sizeof p);
    p.name = mcpw_str_from("x");
    p.arguments.items = entries;
    p.arguments.count = COUNT;
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(names[i], sizeof names[i], "k%d", i);
        entries[i].key = mcpw_str_from(names[i]);
        entries[i].value = mcpw_str_from("");
    }
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(mcpw_encode(prompt_type, &p, &out, NULL, NULL) == MCPW_OK);
    mcpw_buffer_free(&out);
    entries[COUNT - 1].key = entries[3].key;
    check_refusal(prompt_type, &p, 0, MCPW_E_DUPLICATE, "/arguments", "member occurs twice");
}

static void raw_text_that_is_no_json_is_refused(void) {
    static const char *const bad[] = {"{\"type\":\"object\"",
                                      "{\"type\":\"object\"},\"x\":{}",
                                      "{\"type\":\"object\"}\n{}",
                                      "",
                                      "{\"type\":\"object\",\"title\":\"a\nb\"}",
                                      "{'a':1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mcp_20251125_tool tool = small_tool();
        mcpw_buffer out = MCPW_BUFFER_INIT;
        tool.input_schema = mcpw_json_from(bad[i]);
        CHECK(encode_with(tool_type, &tool, 0, &out) == MCPW_E_SYNTAX);
        CHECK(strncmp(last_error.path, "/inputSchema", 12) == 0);
        CHECK(out.len == 0);
        mcpw_buffer_free(&out);
    }
}

static void shaped_text_is_held_against_its_shape(void) {
    mcp_20251125_tool tool = small_tool();
    mcpw_buffer out = MCPW_BUFFER_INIT;
    tool.input_schema = mcpw_json_from("{\"type\":\"array\"}");
    CHECK(encode_with(tool_type, &tool, 0, &out) == MCPW_E_VALUE);
    CHECK_STRING(last_error.path, "/inputSchema/type");
    tool.input_schema = mcpw_json_from("[]");
    CHECK(encode_with(tool_type, &tool, 0, &out) == MCPW_E_TYPE);
    CHECK_STRING(last_error.path, "/inputSchema");
    mcpw_buffer_free(&out);
}

static void depth_is_limited(void) {
    mcp_20251125_progress_notification_params p = small_progress();
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    p.meta = mcpw_json_from("{\"a\":[]}");
    options.max_depth = 3;
    CHECK(mcpw_encode(progress_type, &p, &out, &options, NULL) == MCPW_OK);
    options.max_depth = 2;
    CHECK(mcpw_encode(progress_type, &p, &out, &options, NULL) == MCPW_E_DEPTH);
    options.max_depth = MCPW_MAX_DEPTH + 1;
    CHECK(mcpw_encode(progress_type, &p, &out, &options, NULL) == MCPW_E_ARGUMENT);
    mcpw_buffer_free(&out);
}

static void formats_are_checked_under_strict_alone(void) {
    static const mcp_20251125_annotations value = {.last_modified = MCPW_STR("yesterday")};
    mcpw_buffer out = MCPW_BUFFER_INIT;
    check_text_of(annotations_type, &value, 0, "{\"lastModified\":\"yesterday\"}");
    CHECK(encode_with(annotations_type, &value, MCPW_STRICT, &out) == MCPW_E_FORMAT);
    CHECK_STRING(last_error.path, "/lastModified");
    mcpw_buffer_free(&out);
}

/* ---- unknown values ---- */

static void unknown_alternatives_need_the_flag(void) {
    mcp_20251125_content_block block;
    memset(&block, 0, sizeof block);
    block.kind = MCP_20251125_CONTENT_BLOCK_UNKNOWN;
    block.as.unknown = mcpw_json_from("{\"type\":\"hologram\"}");
    check_text_of(&mcp_20251125_content_block_table, &block, MCPW_ALLOW_UNKNOWN, "{\"type\":\"hologram\"}");
    check_refusal(&mcp_20251125_content_block_table, &block, 0, MCPW_E_UNION, "",
                  "no known \"type\" for a ContentBlock, which only MCPW_ALLOW_UNKNOWN writes: "
                  "{\"type\":\"hologram\"}");
}

static void an_unknown_enum_value_is_written_from_extra(void) {
    static const mcpw_member extra[] = {{MCPW_STR("level"), MCPW_JSON("\"whisper\"")}};
    mcp_20251125_set_level_request_params p;
    memset(&p, 0, sizeof p);
    p.level = MCP_20251125_LOGGING_LEVEL_UNKNOWN;
    check_refusal(level_type, &p, MCPW_ALLOW_UNKNOWN, MCPW_E_VALUE, "/level",
                  "an unknown value needs its text among the extra members");
    p.extra.items = extra;
    p.extra.count = 1;
    check_text_of(level_type, &p, MCPW_ALLOW_UNKNOWN, "{\"level\":\"whisper\"}");
    check_refusal(level_type, &p, 0, MCPW_E_VALUE, "/level", "255 is no value of LoggingLevel, which has 8");
}

static void a_list_with_an_unknown_enum_value_is_written_from_extra(void) {
    static const mcp_20251125_role roles[] = {MCP_20251125_ROLE_USER, MCP_20251125_ROLE_UNKNOWN};
    static const mcpw_member extra[] = {{MCPW_STR("audience"), MCPW_JSON("[\"user\",\"robot\"]")}};
    mcp_20251125_annotations value = {.audience = {roles, 2}, .extra = {extra, 1}};
    check_text_of(annotations_type, &value, MCPW_ALLOW_UNKNOWN, "{\"audience\":[\"user\",\"robot\"]}");
}

static void what_was_decoded_leniently_is_written_back(void) {
    static const char text[] = "{\"priority\":1,\"audience\":[\"user\",\"robot\"],\"x\":1}";
    mcp_20251125_annotations value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_ALLOW_UNKNOWN;
    CHECK(mcpw_decode(annotations_type, text, sizeof text - 1, &arena, &value, &options, NULL) == MCPW_OK);
    check_text_of(annotations_type, &value, MCPW_ALLOW_UNKNOWN,
                  "{\"priority\":1,\"audience\":[\"user\",\"robot\"],\"x\":1}");
    mcpw_arena_free(&arena);
}

/* ---- memory ---- */

static void every_failed_allocation_is_reported(void) {
    static char long_text[5000];
    mcp_20251125_tool tool = small_tool();
    memset(long_text, '\n', sizeof long_text);
    tool.description.ptr = long_text;
    tool.description.len = sizeof long_text;
    mcpw_status status = MCPW_E_MEMORY;
    for (size_t fail_at = 1; status != MCPW_OK && fail_at < 50; fail_at++) {
        counting c = {.fail_at = fail_at};
        mcpw_buffer out = MCPW_BUFFER_INIT;
        out.allocator = counting_allocator(&c);
        status = mcpw_encode(tool_type, &tool, &out, NULL, NULL);
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
        mcpw_buffer_free(&out);
        CHECK(c.in_use == 0);
        CHECK(fail_at > 2 || status == MCPW_E_MEMORY);
    }
    CHECK(status == MCPW_OK);
}

static void a_steady_load_allocates_nothing(void) {
    counting c = {0};
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const mcp_20251125_tool tool = small_tool();
    out.allocator = counting_allocator(&c);
    CHECK(mcpw_encode(tool_type, &tool, &out, NULL, NULL) == MCPW_OK);
    const size_t calls = c.calls;
    for (int i = 0; i < 10; i++) {
        out.len = 0;
        CHECK(mcpw_encode(tool_type, &tool, &out, NULL, NULL) == MCPW_OK);
    }
    CHECK(c.calls == calls);
    mcpw_buffer_free(&out);
}

static void validating_leaves_the_scratch_as_it_was(void) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    const mcp_20251125_tool tool = small_tool();
    const mcpw_str kept = mcpw_arena_str(&scratch, "kept", 4);
    const unsigned char *const next = scratch.next;
    CHECK(mcpw_validate_value(tool_type, &tool, &scratch, NULL, NULL) == MCPW_OK);
    CHECK(scratch.next == next && mcpw_str_is(kept, "kept"));
    scratch.limit = scratch.total;
    while (mcpw_arena_alloc(&scratch, 1) != NULL) { /* until what is left is too little for a value */
    }
    CHECK(mcpw_validate_value(tool_type, &tool, &scratch, NULL, NULL) == MCPW_E_ARENA);
    mcpw_arena_free(&scratch);
}

static void missing_arguments_are_refused(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    const mcp_20251125_tool tool = small_tool();
    CHECK(mcpw_encode(NULL, &tool, &out, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_encode(tool_type, NULL, &out, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_encode(tool_type, &tool, NULL, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_validate_value(tool_type, &tool, NULL, NULL, NULL) == MCPW_E_ARGUMENT);
}

static void structs_and_lists_count_as_levels(void) {
    mcp_20251125_content_block block;
    mcp_20251125_call_tool_result result;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    memset(&block, 0, sizeof block);
    memset(&result, 0, sizeof result);
    block.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    block.as.text_content.text = mcpw_str_from("t");
    result.content.items = &block;
    result.content.count = 1;
    for (unsigned depth = 1; depth < 3; depth++) {
        options.max_depth = depth;
        CHECK(mcpw_encode(result_type, &result, &out, &options, &last_error) == MCPW_E_DEPTH);
        CHECK_STRING(last_error.path, depth == 1 ? "/content" : "/content/0");
    }
    options.max_depth = 3;
    CHECK(mcpw_encode(result_type, &result, &out, &options, &last_error) == MCPW_OK);
    mcpw_buffer_free(&out);
}

static void what_a_list_holds_must_be_there(void) {
    static const mcpw_str names[2] = {MCPW_STR("a"), {NULL, 0}};
    const mcp_20251125_sampling_message message = {0};
    mcp_20251125_create_message_request_params params;
    memset(&params, 0, sizeof params);
    params.messages.items = &message;
    params.stop_sequences.items = names;
    params.stop_sequences.count = 2;
    check_refusal(&mcp_20251125_create_message_request_params_table, &params, 0, MCPW_E_MISSING,
                  "/stopSequences/1", "value is absent");
    params.messages.count = 1;
    check_refusal(&mcp_20251125_create_message_request_params_table, &params, 0, MCPW_E_MISSING,
                  "/messages/0", "missing required member \"role\"");
}

static void a_value_that_is_absent_as_a_whole_is_refused(void) {
    const mcpw_id id = {0};
    const mcpw_str text = {NULL, 0};
    const mcp_20251125_logging_level level = (mcp_20251125_logging_level)0;
    check_refusal(&mcp_20251125_request_id_table, &id, 0, MCPW_E_MISSING, "", "value is absent");
    check_refusal(&mcp_20251125_cursor_table, &text, 0, MCPW_E_MISSING, "", "value is absent");
    check_refusal(&mcp_20251125_logging_level_table, &level, 0, MCPW_E_MISSING, "", "value is absent");
}

static void an_unknown_enum_value_has_no_text_as_a_whole(void) {
    const mcp_20251125_logging_level level = MCP_20251125_LOGGING_LEVEL_UNKNOWN;
    check_refusal(&mcp_20251125_logging_level_table, &level, MCPW_ALLOW_UNKNOWN, MCPW_E_VALUE, "",
                  "an unknown value has no text here");
}

static void names_of_entries_are_utf8(void) {
    mcp_20251125_str_entry entry = {mcpw_str_from("\xff"), mcpw_str_from("1")};
    mcp_20251125_get_prompt_request_params params;
    memset(&params, 0, sizeof params);
    params.name = mcpw_str_from("n");
    params.arguments.items = &entry;
    params.arguments.count = 1;
    check_refusal(prompt_type, &params, 0, MCPW_E_UTF8, "/arguments/\\xff", "text is not valid UTF-8");
}

static void entries_of_a_map_need_a_name_and_a_value(void) {
    mcp_20251125_str_entry entries[2];
    mcp_20251125_get_prompt_request_params params;
    memset(&params, 0, sizeof params);
    memset(&entries, 0, sizeof entries);
    params.name = mcpw_str_from("n");
    params.arguments.items = entries;
    params.arguments.count = 2;
    entries[0].key = mcpw_str_from("a");
    entries[0].value = mcpw_str_from("1");
    entries[1].value = mcpw_str_from("2");
    check_refusal(prompt_type, &params, 0, MCPW_E_ARGUMENT, "/arguments", "the entry has no name");
    entries[1].key = mcpw_str_from("b");
    entries[1].value = mcpw_str_from(NULL);
    check_refusal(prompt_type, &params, 0, MCPW_E_MISSING, "/arguments/b", "value is absent");
}

int main(void) {
    RUN(static_data_can_be_written);
    RUN(an_empty_object_has_no_members);
    RUN(members_stand_in_wire_order);
    RUN(ids_keep_their_kind);
    RUN(enums_constants_and_unions_are_written);
    RUN(an_empty_array_is_not_absent);
    RUN(maps_are_objects);
    RUN(extra_members_are_written_back);
    RUN(raw_values_lose_their_line_breaks);
    RUN(strings_are_escaped_wherever_they_need_it);
    RUN(strings_of_escapes_alone_get_their_room);
    RUN(invalid_utf8_is_refused_wherever_it_stands);
    RUN(a_missing_member_names_its_object);
    RUN(a_list_without_items_is_there_when_it_says_so);
    RUN(an_error_has_the_path_of_its_place);
    RUN(bounds_include_their_ends);
    RUN(numbers_have_to_be_finite);
    RUN(an_enum_outside_its_range_is_refused);
    RUN(a_union_kind_outside_its_range_is_refused);
    RUN(an_item_that_is_absent_is_refused);
    RUN(null_is_no_progress_token);
    RUN(a_count_without_items_is_refused);
    RUN(an_extra_member_that_the_type_names_is_refused);
    RUN(extra_members_that_repeat_are_refused_under_strict);
    RUN(map_keys_that_repeat_are_refused);
    RUN(raw_text_that_is_no_json_is_refused);
    RUN(shaped_text_is_held_against_its_shape);
    RUN(depth_is_limited);
    RUN(formats_are_checked_under_strict_alone);
    RUN(unknown_alternatives_need_the_flag);
    RUN(an_unknown_enum_value_is_written_from_extra);
    RUN(a_list_with_an_unknown_enum_value_is_written_from_extra);
    RUN(what_was_decoded_leniently_is_written_back);
    RUN(every_failed_allocation_is_reported);
    RUN(a_steady_load_allocates_nothing);
    RUN(validating_leaves_the_scratch_as_it_was);
    RUN(missing_arguments_are_refused);
    RUN(structs_and_lists_count_as_levels);
    RUN(what_a_list_holds_must_be_there);
    RUN(a_value_that_is_absent_as_a_whole_is_refused);
    RUN(an_unknown_enum_value_has_no_text_as_a_whole);
    RUN(entries_of_a_map_need_a_name_and_a_value);
    RUN(names_of_entries_are_utf8);
    return check_end();
}
#else
int main(void) {
    (void)printf("skipped: revision 2025-11-25 is not built\n");
    return CHECK_SKIPPED;
}
#endif
