/* SPDX-License-Identifier: MIT */
/* Names are looked for in a text that was checked before, without checking it again. */
#include <mcp/2025-11-25.h>
#include <mcpw/detail/sealed.h>
#include <mcpw/json.h>
#include <mcpw/limits.h>

#include "check.h"

#include <stdlib.h>

enum { ROOM = 256 };

#if defined(MCPW_SMALL)
enum { KNOWS = 0 }; /* the small library saves bytes rather than time, and says nothing */
#else
enum { KNOWS = 1 };
#endif

static const mcpw_str names[] = {MCPW_STR("_meta"), MCPW_STR("resultType")};

/* A text as a writer makes it. */
static mcpw_json sealed(char out[ROOM], const char *text) {
    mcpw_json_writer w;
    mcpw_json value = {NULL, 0, 0};
    mcpw_json_write_begin(&w, out, ROOM);
    mcpw_json_write_raw(&w, mcpw_json_from(text));
    CHECK(mcpw_json_write_end(&w, &value) == MCPW_OK);
    return value;
}

static bool lacks(const char *text) {
    char out[ROOM];
    return mcpw_sealed_lacks(sealed(out, text), MCPW_DEFAULT_DEPTH, names, 2);
}

static void an_object_without_the_names_is_known(void) {
    CHECK(lacks("{\"a\":1}") == KNOWS);
    CHECK(
        lacks(
            "{\"meta\":\"a text that is longer than any block of bytes\",\"b\":[true,null],\"c\":-1.5e3}") ==
        KNOWS);
    CHECK(lacks("{\"a\":{\"_meta\":{\"resultType\":\"}\"}},\"b\":[[],{}],\"c\":\"\\\"_meta\\\":1\"}") ==
          KNOWS);
    CHECK(lacks("{\"a\":\"caf\\u00e9 \\\\\",\"b\":\"\xc3\xa9\",\"\":\"\"}") == KNOWS);
}

static void one_with_a_name_is_not(void) {
    CHECK(!lacks("{\"_meta\":1}"));
    CHECK(!lacks("{\"a\":\"\\\\\",\"resultType\":\"x\"}"));
    CHECK(!lacks("{\"a\":[1,{\"b\":\"]\"}],\"b\":2,\"_meta\":{}}"));
}

/* They may spell any name. */
static void a_name_that_is_not_plain_counts_as_one_of_them(void) {
    CHECK(!lacks("{\"\\u005fmeta\":1}"));
    CHECK(!lacks("{\"a\":1,\"\xc3\xa9\":1}"));
}

static void nothing_is_said_of_other_values(void) {
    char out[ROOM];
    CHECK(!lacks("{}") && !lacks("[1]") && !lacks("\"a\"") && !lacks("1"));
    CHECK(!mcpw_sealed_lacks(mcpw_json_from(NULL), MCPW_DEFAULT_DEPTH, names, 2));
    CHECK(!mcpw_sealed_lacks(mcpw_json_from("{\"a\":1}"), MCPW_DEFAULT_DEPTH, names, 2));
    const mcpw_json value = sealed(out, "{\"a\":[1]}");
    CHECK(mcpw_sealed_lacks(value, MCPW_DEFAULT_DEPTH, names, 2) == KNOWS);
    CHECK(!mcpw_sealed_lacks(value, 1, names, 2));
}

/* No program may change such a text. If one does, nothing beyond its end is read, as a sanitizer sees. */
static void a_text_that_was_changed_is_read_to_its_end_at_most(void) {
    static const char spoilers[] = "\"\\{[}],:a\xc3";
    static const char text[] = "{\"a\":\"bcd\",\"e\":[{\"f\":\"g\"}],\"h\":12}";
    for (size_t at = 1; at < sizeof text - 1; at++) {
        for (size_t i = 0; i < sizeof spoilers - 1; i++) {
            char *const out = malloc(sizeof text - 1);
            mcpw_json_writer w;
            mcpw_json value = {NULL, 0, 0};
            mcpw_json_write_begin(&w, out, sizeof text - 1);
            mcpw_json_write_raw(&w, mcpw_json_from(text));
            CHECK(mcpw_json_write_end(&w, &value) == MCPW_OK);
            out[at] = spoilers[i];
            (void)mcpw_sealed_lacks(value, MCPW_DEFAULT_DEPTH, names, 2);
            free(out);
        }
    }
}

/* Decoding keeps the white space of a raw value. */
static void a_value_that_was_decoded_with_blanks_is_not_misread(void) {
    static const char text[] = "{\"name\":\"t\",\"arguments\":{\"a\": "
                               "\"x,\",\":[\":1,\"_meta\":{\"evil\":1},\"b\":\"],\",\":z\":1}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcp_20251125_call_tool_request_params params;
    const mcpw_status status =
        mcp_20251125_call_tool_request_params_decode(text, sizeof text - 1, &arena, &params, NULL, NULL);
    CHECK(status == MCPW_OK);
    if (status == MCPW_OK) {
        CHECK(!mcpw_sealed_lacks(params.arguments, MCPW_DEFAULT_DEPTH, names, 2));
    }
    mcpw_arena_free(&arena);
}

int main(void) {
    RUN(an_object_without_the_names_is_known);
    RUN(one_with_a_name_is_not);
    RUN(a_name_that_is_not_plain_counts_as_one_of_them);
    RUN(nothing_is_said_of_other_values);
    RUN(a_text_that_was_changed_is_read_to_its_end_at_most);
    RUN(a_value_that_was_decoded_with_blanks_is_not_misread);
    return check_failures != 0;
}
