/* SPDX-License-Identifier: MIT */
/* Raw values that were checked when they were decoded or built are not checked again when they are written,
 * and nothing else passes for one of them. */
#include <mcp/2025-11-25.h>
#include <mcpw/codec.h>
#include <mcpw/json.h>
#include <mcpw/message.h>

#include "check.h"

enum { LONG = 400, SPOILED = 10 };

typedef mcp_20251125_call_tool_request_params params;

static const mcpw_type *type(void) { return &mcp_20251125_call_tool_request_params_table; }

/* {"name":"t","arguments":{"a":"xxx..."}} with arguments of LONG bytes and more. */
static const char *text_of(char text[2 * LONG]) {
    char filler[LONG + 1];
    memset(filler, 'x', LONG);
    filler[LONG] = '\0';
    (void)snprintf(text, 2 * LONG, "{\"name\":\"t\",\"arguments\":{\"a\":\"%s\"}}", filler);
    return text;
}

static void decode(const char *text, unsigned flags, mcpw_arena *arena, params *out) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    CHECK(mcpw_decode(type(), text, strlen(text), arena, out, &options, NULL) == MCPW_OK);
}

static mcpw_status encode(const params *value, unsigned flags, unsigned depth, mcpw_buffer *out) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    options.max_depth = depth;
    out->len = 0;
    return mcpw_encode(type(), value, out, &options, NULL);
}

/* Breaks the text that a decoded value lies in, which no program may do: what is not looked at again is
 * written as it is. */
static void spoil(const params *value) { ((char *)(uintptr_t)value->arguments.ptr)[SPOILED] = '\n'; }

typedef struct scene {
    mcpw_arena arena;
    mcpw_buffer out;
    params value;
    char text[2 * LONG];
} scene;

static scene open_scene(unsigned flags) {
    scene s = {.arena = MCPW_ARENA_INIT, .out = MCPW_BUFFER_INIT};
    decode(text_of(s.text), flags, &s.arena, &s.value);
    return s;
}

static void close_scene(scene *s) {
    mcpw_arena_free(&s->arena);
    mcpw_buffer_free(&s->out);
}

static void what_was_decoded_is_written_as_it_was(void) {
    scene s = open_scene(0);
    CHECK(encode(&s.value, 0, 0, &s.out) == MCPW_OK);
    CHECK_TEXT(s.out.data, s.out.len, s.text);
    close_scene(&s);
}

static void it_is_not_checked_again(void) {
    scene s = open_scene(0);
    spoil(&s.value);
    CHECK(encode(&s.value, 0, 0, &s.out) == MCPW_OK);
    s.value.arguments.seal = 0;
    CHECK(encode(&s.value, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

/* A seal of one value says nothing of another, nor does any other number. */
static void a_seal_that_is_not_its_own_is_none(void) {
    scene s = open_scene(0);
    scene t = open_scene(0);
    const uint64_t own = s.value.arguments.seal;
    CHECK(own != 0 && own != t.value.arguments.seal);
    spoil(&s.value);
    for (unsigned bit = 0; bit < 64; bit++) {
        s.value.arguments.seal = own ^ (UINT64_C(1) << bit);
        CHECK(encode(&s.value, 0, 0, &s.out) == MCPW_E_SYNTAX);
    }
    s.value.arguments.seal = t.value.arguments.seal;
    CHECK(encode(&s.value, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
    close_scene(&t);
}

static void a_part_of_it_is_checked(void) {
    scene s = open_scene(0);
    params part = s.value;
    part.arguments.len--;
    CHECK(encode(&part, 0, 0, &s.out) == MCPW_E_SYNTAX);
    part = s.value;
    part.arguments.ptr++;
    part.arguments.len--;
    CHECK(encode(&part, 0, 0, &s.out) != MCPW_OK);
    close_scene(&s);
}

static void what_lies_elsewhere_is_checked(void) {
    scene s = open_scene(0);
    params other = s.value;
    char copy[2 * LONG];
    memcpy(copy, s.value.arguments.ptr, s.value.arguments.len);
    copy[SPOILED] = '\n';
    other.arguments.ptr = copy;
    CHECK(encode(&other, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void what_it_is_as_params_is_checked(void) {
    scene s = open_scene(0);
    mcpw_message m;
    memset(&m, 0, sizeof m);
    m.kind = MCPW_MESSAGE_REQUEST;
    m.method = MCP_20251125_METHOD_TOOLS_CALL;
    m.id.kind = MCPW_ID_INTEGER;
    m.raw = s.value.arguments; /* an object without the name of a tool */
    CHECK(mcpw_message_encode(&mcp_20251125_revision, &m, &s.out, NULL, NULL) == MCPW_E_MISSING);
    close_scene(&s);
}

static void what_nests_too_deeply_is_refused(void) {
    scene s = open_scene(0);
    CHECK(encode(&s.value, 0, 1, &s.out) == MCPW_E_DEPTH);
    CHECK(encode(&s.value, 0, 2, &s.out) == MCPW_OK);
    close_scene(&s);
}

static void strictly_everything_is_checked(void) {
    scene s = open_scene(0);
    spoil(&s.value);
    CHECK(encode(&s.value, MCPW_STRICT, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void line_breaks_are_left_out_all_the_same(void) {
    scene s = open_scene(0);
    params value;
    char text[3 * LONG];
    (void)snprintf(text, sizeof text, "{\"name\":\"t\",\"arguments\":{\n%s", strstr(s.text, "\"a\""));
    decode(text, 0, &s.arena, &value);
    CHECK(encode(&value, 0, 0, &s.out) == MCPW_OK);
    CHECK_TEXT(s.out.data, s.out.len, s.text);
    close_scene(&s);
}

static void lenient_reading_vouches_for_no_shape(void) {
    const char *const text = "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcp_20251125_tool tool;
    options.flags = MCPW_ALLOW_UNKNOWN;
    CHECK(mcp_20251125_tool_decode(text, strlen(text), &arena, &tool, &options, NULL) == MCPW_OK);
    ((char *)(uintptr_t)tool.input_schema.ptr)[1] = '\n';
    CHECK(mcp_20251125_tool_encode(&tool, &out, NULL, NULL) != MCPW_OK);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

/* A value of a shape is known as that shape alone. */
static void what_has_a_shape_is_not_checked_again(void) {
    const char *const text = "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"title\":\"x\"}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_20251125_tool tool;
    CHECK(mcp_20251125_tool_decode(text, strlen(text), &arena, &tool, NULL, NULL) == MCPW_OK);
    ((char *)(uintptr_t)tool.input_schema.ptr)[1] = '\n';
    CHECK(mcp_20251125_tool_encode(&tool, &out, NULL, NULL) == MCPW_OK);
    params other = {.name = MCPW_STR("t"), .arguments = tool.input_schema};
    CHECK(encode(&other, 0, 0, &out) == MCPW_E_SYNTAX);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

static void a_copy_is_known_as_the_value_was(void) {
    scene s = open_scene(0);
    params copy = s.value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    CHECK(mcpw_copy(type(), &s.value, &arena, &copy, NULL) == MCPW_OK);
    CHECK(copy.arguments.ptr != s.value.arguments.ptr);
    spoil(&copy);
    CHECK(encode(&copy, 0, 0, &s.out) == MCPW_OK);
    s.value.arguments.len--;
    CHECK(mcpw_copy(type(), &s.value, &arena, &copy, NULL) == MCPW_OK);
    CHECK(encode(&copy, 0, 0, &s.out) == MCPW_E_SYNTAX);
    mcpw_arena_free(&arena);
    close_scene(&s);
}

/* Builds {"a":"x","b":VALUE} in data. */
static mcpw_json build(char *data, size_t size, mcpw_json value) {
    mcpw_json_writer w;
    mcpw_json out = {NULL, 0, 0};
    mcpw_json_write_begin(&w, data, size);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "a");
    mcpw_json_write_string(&w, "x", 1);
    mcpw_json_write_key(&w, "b");
    mcpw_json_write_raw(&w, value);
    mcpw_json_write_close(&w);
    CHECK(mcpw_json_write_end(&w, &out) == MCPW_OK);
    return out;
}

static void what_was_built_is_not_checked_again(void) {
    char text[LONG];
    mcpw_buffer out = MCPW_BUFFER_INIT;
    params value = {.name = MCPW_STR("t"), .arguments = build(text, sizeof text, (mcpw_json)MCPW_JSON("1"))};
    CHECK(value.arguments.seal != 0);
    CHECK(encode(&value, 0, 0, &out) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, "{\"name\":\"t\",\"arguments\":{\"a\":\"x\",\"b\":1}}");
    CHECK(encode(&value, 0, 1, &out) == MCPW_E_DEPTH);
    mcpw_buffer_free(&out);
}

/* Built of what was built: it nests one level more, and whoever may open only as many is refused. */
static void levels_of_what_was_built_add_up(void) {
    char inner[LONG];
    char outer[2 * LONG];
    mcpw_buffer out = MCPW_BUFFER_INIT;
    params value = {.name = MCPW_STR("t")};
    value.arguments = build(outer, sizeof outer, build(inner, sizeof inner, (mcpw_json)MCPW_JSON("[1]")));
    CHECK(encode(&value, 0, 4, &out) == MCPW_OK);
    CHECK(encode(&value, 0, 3, &out) == MCPW_E_DEPTH);
    mcpw_buffer_free(&out);
}

static void what_a_program_wrote_itself_is_checked(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    params value = {.name = MCPW_STR("t"), .arguments = MCPW_JSON("{\"a\":}")};
    CHECK(encode(&value, 0, 0, &out) == MCPW_E_SYNTAX);
    mcpw_buffer_free(&out);
}

int main(void) {
    RUN(what_was_decoded_is_written_as_it_was);
    RUN(it_is_not_checked_again);
    RUN(a_seal_that_is_not_its_own_is_none);
    RUN(a_part_of_it_is_checked);
    RUN(what_lies_elsewhere_is_checked);
    RUN(what_it_is_as_params_is_checked);
    RUN(what_nests_too_deeply_is_refused);
    RUN(strictly_everything_is_checked);
    RUN(line_breaks_are_left_out_all_the_same);
    RUN(lenient_reading_vouches_for_no_shape);
    RUN(what_has_a_shape_is_not_checked_again);
    RUN(a_copy_is_known_as_the_value_was);
    RUN(what_was_built_is_not_checked_again);
    RUN(levels_of_what_was_built_add_up);
    RUN(what_a_program_wrote_itself_is_checked);
    return check_failures != 0;
}
