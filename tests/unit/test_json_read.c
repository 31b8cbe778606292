/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#include <stdlib.h>

#include "check.h"

/* The text in memory of exactly its size, so that a read past its end is noticed. */
static mcpw_json tight(const char *text, size_t len) {
    char *const copy = malloc(len + (len == 0));
    if (copy != NULL && len != 0) {
        memcpy(copy, text, len);
    }
    const mcpw_json json = mcpw_json_of(copy, len);
    return json;
}

static void release(mcpw_json json) { free((void *)(uintptr_t)json.ptr); }

static mcpw_status check_bytes(const char *text, size_t len) {
    const mcpw_json json = tight(text, len);
    const mcpw_status status = mcpw_json_check(json, 0, NULL);
    release(json);
    return status;
}

static void valid_texts_are_accepted(void) {
    static const char *const texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-1.5e+10",
        "1E5",
        "\"\"",
        "\"a\\u00e9\\ud83d\\ude00\\/\\b\"",
        "[]",
        "{}",
        " [ 1 , 2 ] ",
        "{\"a\":{\"b\":[[],{}]},\"c\":null}",
        "\"\xc3\xa9\xf0\x9f\x98\x80\"",
        "\t\r\n 1\n",
        "\"a string that is longer than one lane of any vector, and then some more of it\"",
        "{\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(check_bytes(texts[i], strlen(texts[i])) == MCPW_OK);
    }
}

static void invalid_texts_are_refused(void) {
    static const char *const texts[] = {
        "",
        " ",
        "nul",
        "nulll",
        "truefalse",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u12",
        "\"a\nb\"",
        "'a'",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "{1:2}",
        "[}",
        "{]",
        "[1}",
        "{\"a\":1]",
        "1 2",
        "[]x",
        "//",
        "[1]/**/",
        "\xef\xbb\xbf[]",
        "\"\\",
        "\"\\u",
        "-a",
        "tru",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(check_bytes(texts[i], strlen(texts[i])) == MCPW_E_SYNTAX);
    }
    CHECK(check_bytes("1\0", 2) == MCPW_E_SYNTAX);
}

static void text_that_is_not_unicode_is_refused(void) {
    static const char *const texts[] = {
        "\"\xff\"",
        "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"",
        "\"\xc3",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud83d\\ud83d\"",
        "\"0123456789012345678901234567890123456789\x80\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(check_bytes(texts[i], strlen(texts[i])) == MCPW_E_UTF8);
    }
}

static void every_prefix_of_a_value_is_safe(void) {
    static const char text[] =
        "{\"key\":[1.5e-3,true,null,\"\\ud83d\\ude00 \xe2\x82\xac and a long run of plain text\"]}";
    for (size_t len = 0; len < sizeof text - 1; len++) {
        CHECK(check_bytes(text, len) != MCPW_OK);
    }
    CHECK(check_bytes(text, sizeof text - 1) == MCPW_OK);
}

static void depth_is_limited(void) {
    char text[2 * MCPW_MAX_DEPTH + 2];
    mcpw_error error;
    for (size_t i = 0; i <= MCPW_MAX_DEPTH; i++) {
        text[i] = '[';
        text[2 * MCPW_MAX_DEPTH + 1 - i] = ']';
    }
    const mcpw_json too_deep = mcpw_json_of(text, 2 * MCPW_MAX_DEPTH + 2);
    const mcpw_json deepest = mcpw_json_of(text + 1, 2 * MCPW_MAX_DEPTH);
    CHECK(mcpw_json_check(too_deep, MCPW_MAX_DEPTH, NULL) == MCPW_E_DEPTH);
    CHECK(mcpw_json_check(deepest, MCPW_MAX_DEPTH, NULL) == MCPW_OK);
    CHECK(mcpw_json_check(deepest, 0, &error) == MCPW_E_DEPTH && error.offset == MCPW_DEFAULT_DEPTH);
    CHECK(mcpw_json_check(deepest, MCPW_MAX_DEPTH + 1, NULL) == MCPW_E_ARGUMENT);
}

static void an_error_names_its_place(void) {
    mcpw_error error;
    CHECK(mcpw_json_check(mcpw_json_from("[1,x]"), 0, &error) == MCPW_E_SYNTAX);
    CHECK(error.code == MCPW_E_SYNTAX && error.offset == 3);
    CHECK(mcpw_json_check(mcpw_json_from("[1] 2"), 0, &error) == MCPW_E_SYNTAX && error.offset == 4);
}

static void kinds_follow_the_first_byte(void) {
    CHECK(mcpw_json_kind_of(mcpw_json_from("{}")) == MCPW_JSON_OBJECT);
    CHECK(mcpw_json_kind_of(mcpw_json_from(" []")) == MCPW_JSON_ARRAY);
    CHECK(mcpw_json_kind_of(mcpw_json_from("\"\"")) == MCPW_JSON_STRING);
    CHECK(mcpw_json_kind_of(mcpw_json_from("-1")) == MCPW_JSON_NUMBER);
    CHECK(mcpw_json_kind_of(mcpw_json_from("true")) == MCPW_JSON_BOOLEAN);
    CHECK(mcpw_json_kind_of(mcpw_json_from("null")) == MCPW_JSON_NULL);
    CHECK(mcpw_json_kind_of(mcpw_json_from("")) == MCPW_JSON_ABSENT);
    CHECK(mcpw_json_kind_of(mcpw_json_from(NULL)) == MCPW_JSON_ABSENT);
}

static void members_are_found_by_name(void) {
    const mcpw_json object = mcpw_json_from("{\"a\":1,\"b\":{\"a\":2}, \"\\u0063\\u00e9\" : [3] ,\"a\":4}");
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_get(object, "a", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "1");
    CHECK(mcpw_json_get(object, "c\xc3\xa9", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "[3]");
    CHECK(mcpw_json_get(object, "c", &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(object, "c\xc3\xa9x", &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(mcpw_json_from("[]"), "a", &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_get(mcpw_json_from("3"), "a", &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_get(mcpw_json_from("{\"x\":tru}"), "a", &out) == MCPW_E_SYNTAX);
    CHECK(mcpw_json_get(mcpw_json_from(NULL), "a", &out) == MCPW_E_SYNTAX);
}

/* A name may hold what no name in a text does as it stands. */
static void names_are_no_text_of_json(void) {
    const mcpw_json object = mcpw_json_from("{\"a\\\"b\":1,\"\\\\n\":2,\"\\n\":3,\"\":4}");
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_get(object, "a\"b", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "1");
    CHECK(mcpw_json_get(object, "\\n", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "2");
    CHECK(mcpw_json_get(object, "\n", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "3");
    CHECK(mcpw_json_get(object, "", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "4");
    CHECK(mcpw_json_get(object, "a\\\"b", &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(mcpw_json_from("{\"a\"b\":1}"), "a\"b", &out) == MCPW_E_SYNTAX);
    CHECK(mcpw_json_get(mcpw_json_from("{\"\xff\":1}"), "\xff", &out) == MCPW_E_UTF8);
    CHECK(mcpw_json_get(mcpw_json_from("{\"a\" 1}"), "a", &out) == MCPW_E_SYNTAX);
    CHECK(mcpw_json_get(mcpw_json_from("{\"a\":}"), "a", &out) == MCPW_E_SYNTAX);
}

/* Only the object's own members count, whatever its values hold. */
static void a_member_may_be_an_object_with_members(void) {
    const mcpw_json object =
        mcpw_json_from("{\"first\":{\"in\":{\"deep\":[{\"last\":1}]},\"last\":2}, \"list\":[{\"in\":3},"
                       "{}],\"text\":\"{\\\"in\\\":4}\",\"last\" : { \"a\" : { } , \"b\" : [ ] } }");
    mcpw_json out = {NULL, 0, 0};
    mcpw_json inner = {NULL, 0, 0};
    CHECK(mcpw_json_get(object, "in", &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(object, "deep", &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(object, "first", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "{\"in\":{\"deep\":[{\"last\":1}]},\"last\":2}");
    CHECK(mcpw_json_get(out, "in", &inner) == MCPW_OK);
    CHECK_TEXT(inner.ptr, inner.len, "{\"deep\":[{\"last\":1}]}");
    CHECK(mcpw_json_get(out, "last", &inner) == MCPW_OK);
    CHECK_TEXT(inner.ptr, inner.len, "2");
    CHECK(mcpw_json_get(out, "list", &inner) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_get(object, "last", &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "{ \"a\" : { } , \"b\" : [ ] }");
    CHECK(mcpw_json_get(out, "b", &inner) == MCPW_OK);
    CHECK_TEXT(inner.ptr, inner.len, "[ ]");
    CHECK(mcpw_json_count(object) == 4 && mcpw_json_count(out) == 2);
    CHECK(mcpw_json_get(mcpw_json_from("{\"first\":{\"in\":1,},\"last\":2}"), "last", &out) == MCPW_E_SYNTAX);
}

static void items_are_found_by_place(void) {
    const mcpw_json array = mcpw_json_from("[1,[2,3],\"x\"]");
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_json_at(array, 1, &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "[2,3]");
    CHECK(mcpw_json_at(array, 3, &out) == MCPW_E_NOT_FOUND);
    CHECK(mcpw_json_at(mcpw_json_from("{}"), 0, &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_at(mcpw_json_from("7"), 0, &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_at(mcpw_json_from(" "), 0, &out) != MCPW_OK);
}

static void counting_needs_whole_values(void) {
    CHECK(mcpw_json_count(mcpw_json_from("[1,2,3]")) == 3);
    CHECK(mcpw_json_count(mcpw_json_from("{\"a\":1,\"b\":2}")) == 2);
    CHECK(mcpw_json_count(mcpw_json_from("[]")) == 0);
    CHECK(mcpw_json_count(mcpw_json_from("[1,2")) == 0);
    CHECK(mcpw_json_count(mcpw_json_from("[1,2] x")) == 0);
    CHECK(mcpw_json_count(mcpw_json_from("\"abc\"")) == 0);
}

static void integers_are_read_by_value(void) {
    int64_t out = 0;
    CHECK(mcpw_json_int(mcpw_json_from("1e3"), &out) == MCPW_OK && out == 1000);
    CHECK(mcpw_json_int(mcpw_json_from(" -1.0 "), &out) == MCPW_OK && out == -1);
    CHECK(mcpw_json_int(mcpw_json_from("1.5"), &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_int(mcpw_json_from("99999999999999999999"), &out) == MCPW_E_OVERFLOW);
    CHECK(mcpw_json_int(mcpw_json_from("\"1\""), &out) == MCPW_E_TYPE);
    CHECK(mcpw_json_int(mcpw_json_from("1x"), &out) == MCPW_E_SYNTAX);
}

static void other_scalars_are_read(void) {
    bool b = false;
    double d = 0;
    CHECK(mcpw_json_bool(mcpw_json_from("true"), &b) == MCPW_OK && b);
    CHECK(mcpw_json_bool(mcpw_json_from("truth"), &b) == MCPW_E_SYNTAX);
    CHECK(mcpw_json_bool(mcpw_json_from("1"), &b) == MCPW_E_TYPE);
    CHECK(mcpw_json_double(mcpw_json_from("2.5"), &d) == MCPW_OK && d == 2.5);
    CHECK(mcpw_json_double(mcpw_json_from("1e999"), &d) == MCPW_E_OVERFLOW);
    CHECK(mcpw_json_double(mcpw_json_from("null"), &d) == MCPW_E_TYPE);
}

static void a_plain_string_points_into_the_text(void) {
    const mcpw_json json = mcpw_json_from("\"abc\"");
    mcpw_str out = {NULL, 0};
    CHECK(mcpw_json_string(json, NULL, &out) == MCPW_OK && out.ptr == json.ptr + 1 && out.len == 3);
}

static void an_escaped_string_goes_into_the_arena(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str out = {NULL, 0};
    const mcpw_json json =
        mcpw_json_from("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\xc3\xa9\"");
    CHECK(mcpw_json_string(json, NULL, &out) == MCPW_E_ARGUMENT);
    CHECK(mcpw_json_string(json, &arena, &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9");
    CHECK(out.ptr[out.len] == '\0');
    CHECK(mcpw_json_string(mcpw_json_from("\"a\\u0000b\""), &arena, &out) == MCPW_OK && out.len == 3 &&
          out.ptr[1] == 0);
    mcpw_arena_free(&arena);
}

static void members_are_read_with_their_type(void) {
    const mcpw_json object = mcpw_json_from("{\"b\":true,\"i\":7,\"d\":0.5,\"s\":\"x\"}");
    bool b = false;
    int64_t i = 0;
    double d = 0;
    mcpw_str s = {NULL, 0};
    CHECK(mcpw_json_get_bool(object, "b", &b) == MCPW_OK && b);
    CHECK(mcpw_json_get_int(object, "i", &i) == MCPW_OK && i == 7);
    CHECK(mcpw_json_get_double(object, "d", &d) == MCPW_OK && d == 0.5);
    CHECK(mcpw_json_get_string(object, "s", NULL, &s) == MCPW_OK && mcpw_str_is(s, "x"));
    CHECK(mcpw_json_get_int(object, "s", &i) == MCPW_E_TYPE);
    CHECK(mcpw_json_get_int(object, "none", &i) == MCPW_E_NOT_FOUND);
}

static void iterating_visits_everything_in_order(void) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json item = {NULL, 0, 0};
    CHECK(mcpw_json_iterate(mcpw_json_from(" { \"a\" : 1 , \"b\" : [ ] } "), &it) == MCPW_OK);
    CHECK(mcpw_json_next(&it, &key, &item));
    CHECK_TEXT(key.ptr, key.len, "\"a\"");
    CHECK_TEXT(item.ptr, item.len, "1");
    CHECK(mcpw_json_next(&it, &key, &item));
    CHECK_TEXT(item.ptr, item.len, "[ ]");
    CHECK(!mcpw_json_next(&it, &key, &item) && it.status == MCPW_OK);
    CHECK(!mcpw_json_next(&it, &key, &item));
}

static void iterating_tells_an_end_from_a_break(void) {
    static const char *const broken[] = {"[1,2",       "[1,]",    "[1 2]", "[1}", "[1]]",
                                         "{\"a\":1,}", "{\"a\"}", "[\"x]", "[,]"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        mcpw_json_iter it;
        mcpw_json item = {NULL, 0, 0};
        CHECK(mcpw_json_iterate(mcpw_json_from(broken[i]), &it) == MCPW_OK);
        while (mcpw_json_next(&it, NULL, &item)) {
        }
        CHECK(it.status == MCPW_E_SYNTAX);
    }
}

int main(void) {
    RUN(valid_texts_are_accepted);
    RUN(invalid_texts_are_refused);
    RUN(text_that_is_not_unicode_is_refused);
    RUN(every_prefix_of_a_value_is_safe);
    RUN(depth_is_limited);
    RUN(an_error_names_its_place);
    RUN(kinds_follow_the_first_byte);
    RUN(members_are_found_by_name);
    RUN(names_are_no_text_of_json);
    RUN(a_member_may_be_an_object_with_members);
    RUN(items_are_found_by_place);
    RUN(counting_needs_whole_values);
    RUN(integers_are_read_by_value);
    RUN(other_scalars_are_read);
    RUN(a_plain_string_points_into_the_text);
    RUN(an_escaped_string_goes_into_the_arena);
    RUN(members_are_read_with_their_type);
    RUN(iterating_visits_everything_in_order);
    RUN(iterating_tells_an_end_from_a_break);
    return check_end();
}
