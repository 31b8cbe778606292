/* SPDX-License-Identifier: MIT */
/* Raw values that were checked when they were decoded are not checked again when they are written, and
 * nothing else passes for one of them. */
#include <mcp/2025-11-25.h>
#include <mcpw/codec.h>

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

static mcpw_status encode(const params *value, const mcpw_arena *checked, unsigned flags, unsigned depth,
                          mcpw_buffer *out) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.checked = checked;
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
    scene s = open_scene(MCPW_KEEP_CHECKED);
    CHECK(encode(&s.value, &s.arena, 0, 0, &s.out) == MCPW_OK);
    CHECK_TEXT(s.out.data, s.out.len, s.text);
    close_scene(&s);
}

static void it_is_not_checked_again(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    spoil(&s.value);
    CHECK(encode(&s.value, &s.arena, 0, 0, &s.out) == MCPW_OK);
    CHECK(encode(&s.value, NULL, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void it_is_checked_where_decoding_was_not_asked_to_keep_it_in_mind(void) {
    scene s = open_scene(0);
    spoil(&s.value);
    CHECK(encode(&s.value, &s.arena, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void a_part_of_it_is_checked(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    params part = s.value;
    part.arguments.len--;
    CHECK(encode(&part, &s.arena, 0, 0, &s.out) == MCPW_E_SYNTAX);
    part = s.value;
    part.arguments.ptr++;
    part.arguments.len--;
    CHECK(encode(&part, &s.arena, 0, 0, &s.out) != MCPW_OK);
    close_scene(&s);
}

static void what_lies_elsewhere_is_checked(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    params other = s.value;
    char copy[2 * LONG];
    memcpy(copy, s.value.arguments.ptr, s.value.arguments.len);
    copy[SPOILED] = '\n';
    other.arguments.ptr = copy;
    CHECK(encode(&other, &s.arena, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void what_nests_too_deeply_is_refused(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    CHECK(encode(&s.value, &s.arena, 0, 1, &s.out) == MCPW_E_DEPTH);
    CHECK(encode(&s.value, &s.arena, 0, 2, &s.out) == MCPW_OK);
    close_scene(&s);
}

static void strictly_everything_is_checked(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    spoil(&s.value);
    CHECK(encode(&s.value, &s.arena, MCPW_STRICT, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void a_reset_forgets(void) {
    scene s = open_scene(MCPW_KEEP_CHECKED);
    spoil(&s.value);
    mcpw_arena_reset(&s.arena);
    CHECK(encode(&s.value, &s.arena, 0, 0, &s.out) == MCPW_E_SYNTAX);
    close_scene(&s);
}

static void decoding_that_fails_leaves_nothing_known(void) {
    scene s = open_scene(0);
    mcpw_options options = MCPW_OPTIONS_INIT;
    params other;
    char broken[2 * LONG];
    const size_t len = strlen(s.text);
    options.flags = MCPW_KEEP_CHECKED;
    memcpy(broken, s.text, len);
    broken[len - 1] = ']';
    CHECK(mcpw_decode(type(), broken, len, &s.arena, &other, &options, NULL) != MCPW_OK);
    CHECK(s.arena.known == NULL);
    close_scene(&s);
}

static void line_breaks_are_left_out_all_the_same(void) {
    scene s = open_scene(0);
    params value;
    char text[3 * LONG];
    (void)snprintf(text, sizeof text, "{\"name\":\"t\",\"arguments\":{\n%s", strstr(s.text, "\"a\""));
    decode(text, MCPW_KEEP_CHECKED, &s.arena, &value);
    CHECK(encode(&value, &s.arena, 0, 0, &s.out) == MCPW_OK);
    CHECK_TEXT(s.out.data, s.out.len, s.text);
    close_scene(&s);
}

/* Nearly all: one that finds no place near its own is checked again. */
static void many_values_of_one_arena_are_known(void) {
    enum { MANY = 1000, UNKNOWN = 10 };
    static params values[MANY];
    scene s = open_scene(0);
    for (int i = 0; i < MANY; i++) {
        decode(s.text, MCPW_KEEP_CHECKED, &s.arena, values + i);
    }
    int known = 0;
    for (int i = 0; i < MANY; i++) {
        spoil(values + i);
        known += encode(values + i, &s.arena, 0, 0, &s.out) == MCPW_OK;
    }
    CHECK(known >= MANY - UNKNOWN);
    close_scene(&s);
}

/* A tool with an inputSchema of LONG bytes and more, of which the revision says what it must be. */
static void what_has_a_shape_is_not_checked_again(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcp_20251125_tool tool;
    char filler[LONG + 1];
    char text[2 * LONG];
    memset(filler, 'x', LONG);
    filler[LONG] = '\0';
    (void)snprintf(text, sizeof text,
                   "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"title\":\"%s\"}}", filler);
    options.flags = MCPW_KEEP_CHECKED;
    CHECK(mcp_20251125_tool_decode(text, strlen(text), &arena, &tool, &options, NULL) == MCPW_OK);
    ((char *)(uintptr_t)tool.input_schema.ptr)[LONG / 2] = '\n';
    CHECK(mcp_20251125_tool_encode(&tool, &out, NULL, NULL) == MCPW_E_SYNTAX);
    options = (mcpw_options)MCPW_OPTIONS_INIT;
    options.checked = &arena;
    CHECK(mcp_20251125_tool_encode(&tool, &out, &options, NULL) == MCPW_OK);
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(what_was_decoded_is_written_as_it_was);
    RUN(it_is_not_checked_again);
    RUN(it_is_checked_where_decoding_was_not_asked_to_keep_it_in_mind);
    RUN(a_part_of_it_is_checked);
    RUN(what_lies_elsewhere_is_checked);
    RUN(what_nests_too_deeply_is_refused);
    RUN(strictly_everything_is_checked);
    RUN(a_reset_forgets);
    RUN(decoding_that_fails_leaves_nothing_known);
    RUN(line_breaks_are_left_out_all_the_same);
    RUN(many_values_of_one_arena_are_known);
    RUN(what_has_a_shape_is_not_checked_again);
    return check_failures != 0;
}
