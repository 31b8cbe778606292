/* SPDX-License-Identifier: MIT */
/* A build without strict checks, names, texts, stdio and malloc: what a program notices of it. */
#include <mcp/2026-07-28.h>

#include <mcpw/json.h>

#include "check.h"

enum { MEMORY = 1 << 16 };

static unsigned char memory[MEMORY];
static unsigned char room[MEMORY];

static const char text[] = "{\"type\":\"text\",\"text\":\"t\",\"annotations\":{\"priority\":0.5}}";

static mcpw_arena fixed_arena(void) {
    mcpw_arena arena;
    CHECK(mcpw_arena_use(&arena, memory, sizeof memory) == MCPW_OK);
    return arena;
}

static void strict_is_refused(void) {
    mcpw_arena arena = fixed_arena();
    mcpw_buffer out;
    mcpw_error error;
    mcp_20260728_text_content content;
    mcpw_message message;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_buffer_use(&out, room, sizeof room);
    options.flags = MCPW_STRICT;
    memset(&content, 0, sizeof content);
    content.text = mcpw_str_from("t");
    CHECK(mcp_20260728_text_content_decode(text, sizeof text - 1, &arena, &content, &options, &error) ==
          MCPW_E_ARGUMENT);
    CHECK(mcp_20260728_text_content_validate(text, sizeof text - 1, &arena, &options, &error) ==
          MCPW_E_ARGUMENT);
    CHECK(mcp_20260728_text_content_encode(&content, &out, &options, &error) == MCPW_E_ARGUMENT);
    CHECK(mcpw_message_decode(&mcp_20260728_revision, text, sizeof text - 1, &arena, NULL, NULL, &message,
                              &options, &error) == MCPW_E_ARGUMENT);
}

static void errors_have_a_code_and_a_place_and_no_text(void) {
    static const char wrong[] = "{\"type\":\"text\",\"text\":\"t\",\"annotations\":{\"priority\":5}}";
    mcpw_arena arena = fixed_arena();
    mcpw_error error;
    CHECK(mcp_20260728_text_content_validate(wrong, sizeof wrong - 1, &arena, NULL, &error) == MCPW_E_RANGE);
    CHECK(error.code == MCPW_E_RANGE);
    CHECK(error.offset == sizeof wrong - 4);
    CHECK_STRING(error.path, "/annotations/priority");
    CHECK_STRING(error.message, "");
    CHECK_STRING(mcpw_status_text(MCPW_E_RANGE), "");
}

static void no_type_has_a_name(void) { CHECK(mcpw_find_type("2026-07-28", "Tool") == NULL); }

static void memory_has_to_be_given(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    mcp_20260728_text_content content;
    CHECK(mcp_20260728_text_content_decode(text, sizeof text - 1, &arena, &content, NULL, &error) ==
          MCPW_E_MEMORY);
    CHECK(mcpw_buffer_reserve(&out, 1) == MCPW_E_MEMORY);
    mcpw_arena_free(&arena);
    mcpw_buffer_free(&out);
}

static void a_value_survives_the_round_trip(void) {
    mcpw_arena arena = fixed_arena();
    mcpw_buffer out;
    mcpw_error error;
    mcp_20260728_text_content content;
    mcpw_buffer_use(&out, room, sizeof room);
    CHECK(mcp_20260728_text_content_decode(text, sizeof text - 1, &arena, &content, NULL, &error) == MCPW_OK);
    CHECK(mcp_20260728_text_content_encode(&content, &out, NULL, &error) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, text);
}

/* Members in another order are sorted elsewhere, which takes memory. */
static void members_in_any_order_are_equal(void) {
    char forth[1024] = "{";
    char back[1024] = "{";
    size_t used = 1;
    size_t back_used = 1;
    for (int i = 0; i < 40; i++) {
        const char a = (char)('0' + i / 10);
        const char b = (char)('0' + i % 10);
        const char member[] = {'"', a, b, '"', ':', a, ','};
        const char other[] = {'"',
                              (char)('0' + (39 - i) / 10),
                              (char)('0' + (39 - i) % 10),
                              '"',
                              ':',
                              (char)('0' + (39 - i) / 10),
                              ','};
        memcpy(forth + used, member, sizeof member);
        memcpy(back + back_used, other, sizeof other);
        used += sizeof member;
        back_used += sizeof other;
    }
    forth[used - 1] = '}';
    back[back_used - 1] = '}';
    const mcpw_json x = {forth, used, 0};
    mcpw_json y = {back, back_used, 0};
    CHECK(mcpw_json_equal(x, y));
    back[back_used - 2] = '7';
    CHECK(!mcpw_json_equal(x, y));
}

/* Numbers that a double cannot tell from a bound are compared with the schema's text of it. */
static void bounds_are_as_exact_as_ever(void) {
    static const struct {
        const char *text;
        mcpw_status status;
    } cases[] = {
        {"{\"priority\":0}", MCPW_OK},
        {"{\"priority\":1}", MCPW_OK},
        {"{\"priority\":1.0e0}", MCPW_OK},
        {"{\"priority\":1.00000000000000000000001}", MCPW_E_RANGE},
        {"{\"priority\":-1e-400}", MCPW_E_RANGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mcpw_arena arena = fixed_arena();
        mcpw_error error;
        const size_t len = strlen(cases[i].text);
        CHECK(mcp_20260728_annotations_validate(cases[i].text, len, &arena, NULL, &error) == cases[i].status);
    }
}

int main(void) {
    RUN(strict_is_refused);
    RUN(errors_have_a_code_and_a_place_and_no_text);
    RUN(no_type_has_a_name);
    RUN(memory_has_to_be_given);
    RUN(a_value_survives_the_round_trip);
    RUN(members_in_any_order_are_equal);
    RUN(bounds_are_as_exact_as_ever);
    return check_end();
}
