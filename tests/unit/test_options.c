/* SPDX-License-Identifier: MIT */
/* Leniencies, limits and the all-errors callback. */
#include <mcp/2026-07-28.h>

#include <stdlib.h>

#include "check.h"
#include "counting_allocator.h"

static mcpw_arena arena = MCPW_ARENA_INIT;
static mcpw_buffer buffer = MCPW_BUFFER_INIT;

static mcpw_options with(unsigned flags) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    return options;
}

static const char unknown_block[] =
    "{\"resultType\":\"complete\",\"content\":[{\"type\":\"video\",\"frames\":[1, 2]}]}";

static void an_unknown_alternative_is_refused(void) {
    mcp_20260728_call_tool_result r;
    mcpw_error e;
    CHECK(mcp_20260728_call_tool_result_decode(unknown_block, sizeof unknown_block - 1, &arena, &r, NULL,
                                               &e) == MCPW_E_UNION);
    CHECK_STRING(e.path, "/content/0");
}

static void an_unknown_alternative_is_kept_on_demand(void) {
    mcp_20260728_call_tool_result r;
    const mcpw_options options = with(MCPW_ALLOW_UNKNOWN);
    CHECK(mcp_20260728_call_tool_result_decode(unknown_block, sizeof unknown_block - 1, &arena, &r, &options,
                                               NULL) == MCPW_OK);
    CHECK(r.content.count == 1 && (int)r.content.items[0].kind == MCPW_UNKNOWN);
    CHECK_TEXT(r.content.items[0].as.unknown.ptr, r.content.items[0].as.unknown.len,
               "{\"type\":\"video\",\"frames\":[1, 2]}");
    buffer.len = 0;
    CHECK(mcp_20260728_call_tool_result_encode(&r, &buffer, &options, NULL) == MCPW_OK);
    CHECK(buffer.len > 0 && strstr(unknown_block, "video") != NULL);
}

static void a_known_alternative_that_is_broken_is_no_unknown_one(void) {
    static const char text[] = "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\"}]}";
    mcp_20260728_call_tool_result r;
    const mcpw_options options = with(MCPW_ALLOW_UNKNOWN);
    CHECK(mcp_20260728_call_tool_result_decode(text, sizeof text - 1, &arena, &r, &options, NULL) ==
          MCPW_E_MISSING);
}

/* {"type":"array"} must not pass as a number schema of a type that nobody knows. */
static void what_one_alternative_knows_is_unknown_to_none(void) {
    static const char text[] =
        "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"a\",\"title\":\"A\"}]}}";
    const unsigned flags[] = {0, MCPW_ALLOW_UNKNOWN};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        mcp_20260728_primitive_schema_definition d;
        const mcpw_options options = with(flags[i]);
        CHECK(mcp_20260728_primitive_schema_definition_decode(text, sizeof text - 1, &arena, &d, &options,
                                                              NULL) == MCPW_OK);
        CHECK(d.kind == MCP_20260728_PRIMITIVE_SCHEMA_DEFINITION_TITLED_MULTI_SELECT_ENUM_SCHEMA);
    }
}

static const char unknown_roles[] = "{\"audience\":[\"user\",\"auditor\"],\"priority\":1}";

static void an_unknown_enum_value_is_refused(void) {
    mcp_20260728_annotations a;
    mcpw_error e;
    CHECK(mcp_20260728_annotations_decode(unknown_roles, sizeof unknown_roles - 1, &arena, &a, NULL, &e) ==
          MCPW_E_VALUE);
    CHECK_STRING(e.path, "/audience/1");
}

static void an_unknown_enum_value_is_kept_and_written_back(void) {
    mcp_20260728_annotations a;
    const mcpw_options options = with(MCPW_ALLOW_UNKNOWN);
    CHECK(mcp_20260728_annotations_decode(unknown_roles, sizeof unknown_roles - 1, &arena, &a, &options,
                                          NULL) == MCPW_OK);
    CHECK(a.audience.count == 2 && (int)a.audience.items[1] == MCPW_UNKNOWN);
    buffer.len = 0;
    CHECK(mcp_20260728_annotations_encode(&a, &buffer, &options, NULL) == MCPW_OK);
    CHECK_TEXT(buffer.data, buffer.len, "{\"priority\":1,\"audience\":[\"user\",\"auditor\"]}");
}

static void null_is_no_absent_member(void) {
    static const char text[] = "{\"name\":\"n\",\"title\":null,\"inputSchema\":{\"type\":\"object\"}}";
    mcp_20260728_tool t;
    const mcpw_options options = with(MCPW_NULL_IS_ABSENT);
    CHECK(mcp_20260728_tool_decode(text, sizeof text - 1, &arena, &t, NULL, NULL) == MCPW_E_TYPE);
    CHECK(mcp_20260728_tool_decode(text, sizeof text - 1, &arena, &t, &options, NULL) == MCPW_OK);
    CHECK(t.title.ptr == NULL);
}

static void a_second_null_is_a_duplicate(void) {
    static const char text[] = "{\"cursor\":\"a\",\"cursor\":null}";
    const mcpw_options options = with(MCPW_NULL_IS_ABSENT);
    CHECK(mcpw_validate(mcpw_find_type("2025-11-25", "PaginatedRequestParams"), text, sizeof text - 1, &arena,
                        &options, NULL) == MCPW_E_DUPLICATE);
}

/* The rows of a struct end with a pattern of sixteen bytes of value 1. */
static void the_end_of_the_rows_is_no_member(void) {
    static const char few[] = "{\1\1\1null,\"title\":\"AAAA\",\"uri\":\"BBBB\",\"mimeType\":\"CC\"}";
    static const char all[] = "{\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1null}";
    const mcpw_options options = with(MCPW_NULL_IS_ABSENT);
    const mcpw_type *const type = mcpw_find_type("2025-11-25", "RequestParams");
    unsigned char *const out = malloc(mcpw_type_size(type));
    CHECK(mcpw_decode(type, few, sizeof few - 1, &arena, out, &options, NULL) == MCPW_E_SYNTAX);
    CHECK(mcpw_decode(type, all, sizeof all - 1, &arena, out, &options, NULL) == MCPW_E_SYNTAX);
    CHECK(mcpw_validate(type, few, sizeof few - 1, &arena, &options, NULL) == MCPW_E_SYNTAX);
    free(out);
}

static void the_place_after_an_unknown_member_is_its_object(void) {
    static const char text[] = "{\"uri\":\"a:b\",\"zzz\":1 x}";
    mcp_20260728_root r;
    mcpw_error e;
    CHECK(mcp_20260728_root_decode(text, sizeof text - 1, &arena, &r, NULL, &e) == MCPW_E_SYNTAX);
    CHECK_STRING(e.path, "");
}

static void null_for_a_required_member_stays_an_error(void) {
    static const char text[] = "{\"name\":null,\"inputSchema\":{\"type\":\"object\"}}";
    mcp_20260728_tool t;
    const mcpw_options options = with(MCPW_NULL_IS_ABSENT);
    CHECK(mcp_20260728_tool_decode(text, sizeof text - 1, &arena, &t, &options, NULL) == MCPW_E_TYPE);
}

static const char forgetful[] = "{\"tools\":[],\"ttlMs\":-5,\"cacheScope\":\"public\"}";

static void peer_defaults_fill_in_what_old_servers_leave_out(void) {
    mcp_20260728_list_tools_result r;
    const mcpw_options options = with(MCPW_PEER_DEFAULTS);
    CHECK(mcp_20260728_list_tools_result_decode(forgetful, sizeof forgetful - 1, &arena, &r, NULL, NULL) !=
          MCPW_OK);
    CHECK(mcp_20260728_list_tools_result_decode(forgetful, sizeof forgetful - 1, &arena, &r, &options,
                                                NULL) == MCPW_OK);
    CHECK(mcpw_str_is(r.result_type, "complete") && r.ttl_ms == 0);
    CHECK(mcpw_validate(&mcp_20260728_list_tools_result_table, forgetful, sizeof forgetful - 1, &arena,
                        &options, NULL) == MCPW_OK);
}

static mcpw_answered_request answers_call(void *user, const mcpw_id *id) {
    const mcpw_answered_request answer = {MCP_20260728_METHOD_TOOLS_CALL, false};
    (void)user;
    (void)id;
    return answer;
}

static void peer_defaults_select_the_result(void) {
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";
    const mcpw_options options = with(MCPW_PEER_DEFAULTS);
    mcpw_message m;
    CHECK(mcpw_message_decode(&mcp_20260728_revision, text, sizeof text - 1, &arena, answers_call, NULL, &m,
                              NULL, NULL) == MCPW_E_UNION);
    CHECK(mcpw_message_decode(&mcp_20260728_revision, text, sizeof text - 1, &arena, answers_call, NULL, &m,
                              &options, NULL) == MCPW_OK);
    const mcp_20260728_call_tool_result_response_result *const r = mcp_20260728_result_tools_call(&m);
    CHECK(r != NULL && r->kind == MCP_20260728_CALL_TOOL_RESULT_RESPONSE_RESULT_CALL_TOOL_RESULT);
}

static mcpw_status nested(unsigned levels, unsigned max_depth) {
    char text[4096];
    size_t n = 0;
    mcpw_json value;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_depth = max_depth;
    for (unsigned i = 0; i < levels; i++) {
        text[n++] = '[';
    }
    for (unsigned i = 0; i < levels; i++) {
        text[n++] = ']';
    }
    mcpw_arena_reset(&arena);
    return mcp_20260728_json_value_decode(text, n, &arena, &value, &options, NULL);
}

/* By name as by method, although InputRequiredResult, which comes first, would take it as well. */
static void peer_defaults_select_the_alternative(void) {
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":1,\"content\":[]}}";
    mcp_20260728_call_tool_result_response r;
    const mcpw_options options = with(MCPW_PEER_DEFAULTS);
    CHECK(mcp_20260728_call_tool_result_response_decode(text, sizeof text - 1, &arena, &r, &options, NULL) ==
          MCPW_OK);
    CHECK(r.result.kind == MCP_20260728_CALL_TOOL_RESULT_RESPONSE_RESULT_CALL_TOOL_RESULT);
}

static void depth_is_limited(void) {
    CHECK(nested(128, 0) == MCPW_OK);
    CHECK(nested(129, 0) == MCPW_E_DEPTH);
    CHECK(nested(3, 3) == MCPW_OK);
    CHECK(nested(4, 3) == MCPW_E_DEPTH);
    CHECK(nested(512, 512) == MCPW_OK);
    CHECK(nested(1, 513) == MCPW_E_ARGUMENT);
}

static void raw_values_count_towards_the_depth(void) {
    static const char text[] = "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":[[[1]]]}";
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcp_20260728_call_tool_result r;
    options.max_depth = 4;
    CHECK(mcp_20260728_call_tool_result_decode(text, sizeof text - 1, &arena, &r, &options, NULL) == MCPW_OK);
    options.max_depth = 3;
    CHECK(mcp_20260728_call_tool_result_decode(text, sizeof text - 1, &arena, &r, &options, NULL) ==
          MCPW_E_DEPTH);
}

static void the_length_of_a_text_is_limited(void) {
    static const char text[] = "{\"uri\":\"a:b\"}";
    mcp_20260728_root r;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_bytes = sizeof text - 1;
    CHECK(mcp_20260728_root_decode(text, sizeof text - 1, &arena, &r, &options, NULL) == MCPW_OK);
    options.max_bytes--;
    CHECK(mcp_20260728_root_decode(text, sizeof text - 1, &arena, &r, &options, NULL) == MCPW_E_SIZE);
}

static void elements_are_limited_all_together(void) {
    static const char text[] = "{\"roots\":[{\"uri\":\"a:b\",\"x\":1},{\"uri\":\"a:b\"}]}";
    mcp_20260728_list_roots_result r;
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_elements = 3;
    CHECK(mcp_20260728_list_roots_result_decode(text, sizeof text - 1, &arena, &r, &options, NULL) ==
          MCPW_OK);
    options.max_elements = 2;
    CHECK(mcp_20260728_list_roots_result_decode(text, sizeof text - 1, &arena, &r, &options, NULL) ==
          MCPW_E_ELEMENTS);
}

static void the_arena_is_limited(void) {
    static const char text[] = "{\"uri\":\"a:b\"}";
    mcp_20260728_root r;
    mcpw_arena small = MCPW_ARENA_INIT;
    small.limit = 64;
    CHECK(mcp_20260728_root_decode(text, sizeof text - 1, &small, &r, NULL, NULL) == MCPW_E_ARENA);
    mcpw_arena_free(&small);
}

/* Gives memory n times, then no more. */
typedef struct rationed {
    counting counted;
    size_t rations;
} rationed;

static void *rationed_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    rationed *const r = user;
    return new_size != 0 && r->counted.calls >= r->rations
               ? NULL
               : counting_resize(&r->counted, ptr, old_size, new_size);
}

static void memory_that_runs_out_is_a_status(void) {
    static const char text[] =
        "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"a\",\"annotations\":"
        "{\"priority\":1}}],\"x\":1,\"ttlMs\":0}";
    mcpw_status s = MCPW_E_MEMORY;
    for (size_t n = 0; n < 100 && s == MCPW_E_MEMORY; n++) {
        mcpw_arena faulty = MCPW_ARENA_INIT;
        rationed memory = {{0}, n};
        mcp_20260728_call_tool_result r;
        mcpw_error e;
        faulty.allocator.resize = rationed_resize;
        faulty.allocator.user = &memory;
        s = mcp_20260728_call_tool_result_decode(text, sizeof text - 1, &faulty, &r, NULL, &e);
        CHECK(s == MCPW_OK || (s == MCPW_E_MEMORY && e.code == s && r.content.items == NULL));
        CHECK(n != 0 || s == MCPW_E_MEMORY);
        mcpw_arena_free(&faulty);
        CHECK(memory.counted.in_use == 0);
    }
    CHECK(s == MCPW_OK);
}

static void enum_values_have_a_text(void) {
    const mcpw_str text = mcp_20260728_role_text(MCP_20260728_ROLE_ASSISTANT);
    CHECK_TEXT(text.ptr, text.len, "assistant");
    CHECK(mcp_20260728_role_from_text("user", 4) == MCP_20260728_ROLE_USER);
    CHECK((int)mcp_20260728_role_from_text("auditor", 7) == 0);
    CHECK(mcpw_enum_text(&mcp_20260728_revision, 0, MCPW_UNKNOWN).ptr == NULL);
}

static void the_text_may_go_after_decoding(void) {
    static const char text[] = "{\"uri\":\"a:b\",\"name\":\"\\u0041\",\"x\":[1]}";
    char *const copy = malloc(sizeof text);
    mcp_20260728_root r;
    memcpy(copy, text, sizeof text);
    CHECK(mcp_20260728_root_decode(copy, sizeof text - 1, &arena, &r, NULL, NULL) == MCPW_OK);
    CHECK(memcmp(copy, text, sizeof text) == 0);
    memset(copy, '#', sizeof text);
    free(copy);
    CHECK(mcpw_str_is(r.uri, "a:b") && r.uri.ptr[r.uri.len] == '\0' && mcpw_str_is(r.name, "A"));
    CHECK(r.extra.count == 1 && mcpw_str_is(r.extra.items[0].name, "x"));
}

static void a_failure_leaves_nothing_behind(void) {
    static const char text[] = "{\"uri\":\"a:b\",\"name\":5}";
    mcp_20260728_root r;
    const unsigned char *const before = (mcpw_arena_reset(&arena), arena.next);
    memset(&r, 0xff, sizeof r);
    CHECK(mcp_20260728_root_decode(text, sizeof text - 1, &arena, &r, NULL, NULL) == MCPW_E_TYPE);
    CHECK(arena.next == before && r.uri.ptr == NULL);
}

typedef struct seen {
    char paths[8][MCPW_ERROR_PATH_SIZE];
    size_t count;
    size_t stop_after;
} seen;

static bool diagnostic(void *user, const mcpw_error *error) {
    seen *const s = user;
    if (s->count < 8) {
        memcpy(s->paths[s->count], error->path, sizeof error->path);
    }
    s->count++;
    return s->count != s->stop_after;
}

static const char three_errors[] =
    "{\"resultType\":5,\"content\":[{\"type\":\"text\",\"text\":1},{\"type\":\"image\","
    "\"data\":\"\"}],\"isError\":true}";

static void all_errors_are_reported(void) {
    seen s = {{{0}}, 0, 0};
    mcpw_error first = {0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.on_error = diagnostic;
    options.user = &s;
    CHECK(mcpw_validate(&mcp_20260728_call_tool_result_table, three_errors, sizeof three_errors - 1, &arena,
                        &options, &first) == MCPW_E_TYPE);
    CHECK(s.count == 3);
    CHECK_STRING(s.paths[0], "/resultType");
    CHECK_STRING(s.paths[1], "/content/0/text");
    CHECK_STRING(s.paths[2], "/content/1");
    CHECK_STRING(first.path, "/resultType");
}

static void a_callback_can_stop(void) {
    seen s = {{{0}}, 0, 2};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.on_error = diagnostic;
    options.user = &s;
    CHECK(mcpw_validate(&mcp_20260728_call_tool_result_table, three_errors, sizeof three_errors - 1, &arena,
                        &options, NULL) == MCPW_E_TYPE);
    CHECK(s.count == 2);
}

/* Whether the member before was the tag of a union or any other. */
static void a_broken_name_is_described_alike_everywhere(void) {
    static const char *const texts[] = {
        "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",t\":1}]}",
        "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"\",t\":1}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mcp_20260728_call_tool_result r;
        mcpw_error e;
        CHECK(mcp_20260728_call_tool_result_decode(texts[i], strlen(texts[i]), &arena, &r, NULL, &e) ==
              MCPW_E_SYNTAX);
        CHECK_STRING(e.path, "/content/0");
        CHECK_STRING(e.message, "unexpected character 't'");
        CHECK(e.offset == strlen(texts[i]) - 7);
    }
}

static void broken_grammar_is_the_last_error(void) {
    static const char text[] = "{\"resultType\":5,\"content\":[}";
    seen s = {{{0}}, 0, 0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.on_error = diagnostic;
    options.user = &s;
    CHECK(mcpw_validate(&mcp_20260728_call_tool_result_table, text, sizeof text - 1, &arena, &options,
                        NULL) == MCPW_E_TYPE);
    CHECK(s.count == 2);
    CHECK_STRING(s.paths[1], "/content/0");
}

int main(void) {
    RUN(an_unknown_alternative_is_refused);
    RUN(an_unknown_alternative_is_kept_on_demand);
    RUN(a_known_alternative_that_is_broken_is_no_unknown_one);
    RUN(what_one_alternative_knows_is_unknown_to_none);
    RUN(an_unknown_enum_value_is_refused);
    RUN(an_unknown_enum_value_is_kept_and_written_back);
    RUN(null_is_no_absent_member);
    RUN(a_second_null_is_a_duplicate);
    RUN(the_end_of_the_rows_is_no_member);
    RUN(the_place_after_an_unknown_member_is_its_object);
    RUN(null_for_a_required_member_stays_an_error);
    RUN(peer_defaults_fill_in_what_old_servers_leave_out);
    RUN(peer_defaults_select_the_result);
    RUN(peer_defaults_select_the_alternative);
    RUN(depth_is_limited);
    RUN(raw_values_count_towards_the_depth);
    RUN(the_length_of_a_text_is_limited);
    RUN(elements_are_limited_all_together);
    RUN(the_arena_is_limited);
    RUN(memory_that_runs_out_is_a_status);
    RUN(enum_values_have_a_text);
    RUN(the_text_may_go_after_decoding);
    RUN(a_failure_leaves_nothing_behind);
    RUN(all_errors_are_reported);
    RUN(a_callback_can_stop);
    RUN(a_broken_name_is_described_alike_everywhere);
    RUN(broken_grammar_is_the_last_error);
    mcpw_buffer_free(&buffer);
    mcpw_arena_free(&arena);
    return check_end();
}
