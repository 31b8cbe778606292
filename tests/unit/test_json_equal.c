/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#include <stdlib.h>

#include "check.h"

static bool equal(const char *a, const char *b) {
    const bool forward = mcpw_json_equal(mcpw_json_from(a), mcpw_json_from(b));
    CHECK(forward == mcpw_json_equal(mcpw_json_from(b), mcpw_json_from(a)));
    return forward;
}

static void numbers_are_equal_by_value(void) {
    CHECK(equal("1", "1.0"));
    CHECK(equal("1e2", "100"));
    CHECK(!equal("1e100000000000000000", "1e1000000000000000000"));
    CHECK(equal("-0", "0"));
    CHECK(!equal("9007199254740993", "9007199254740992"));
    CHECK(!equal("0.1", "0.1000000000000000000001"));
}

static void strings_are_equal_by_code_point(void) {
    CHECK(equal("\"\\u00e9\\/\\n\"", "\"\xc3\xa9/\\u000a\""));
    CHECK(equal("\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""));
    CHECK(!equal("\"a\"", "\"A\""));
    CHECK(!equal("\"a\"", "\"a\\u0000\""));
}

/* The initialisers make a value as well, which can be passed and assigned. */
static void literals_are_values(void) {
    mcpw_str name = {NULL, 0};
    name = MCPW_STR_VALUE("n");
    CHECK(mcpw_str_is(name, "n"));
    CHECK(mcpw_json_equal(MCPW_JSON_VALUE("[1]"), MCPW_JSON_VALUE("[1.0]")));
}

static void types_are_not_mixed(void) {
    CHECK(!equal("1", "\"1\""));
    CHECK(!equal("null", "false"));
    CHECK(!equal("true", "false"));
    CHECK(!equal("[]", "{}"));
}

static void arrays_keep_their_order(void) {
    CHECK(equal("[1, 2,[3 ]]", "[1.0,2,[3]]"));
    CHECK(!equal("[1,2]", "[2,1]"));
    CHECK(!equal("[1,2]", "[1,2,3]"));
}

static void members_may_stand_in_any_order(void) {
    CHECK(equal("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"b\":{\"d\":3,\"c\":2},\"a\":1}"));
    CHECK(equal("{\"a\":1,\"\\u0062\":2}", "{\"b\":2,\"a\":1}"));
    CHECK(!equal("{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}"));
    CHECK(!equal("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}"));
    CHECK(!equal("{\"a\":1}", "{\"a\":1,\"b\":2}"));
}

static void repeated_names_pair_up_in_order(void) {
    CHECK(equal("{\"a\":1,\"a\":2,\"b\":3}", "{\"b\":3,\"a\":1,\"a\":2}"));
    CHECK(!equal("{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}"));
    CHECK(!equal("{\"a\":1,\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"b\":2}"));
}

/* Enough members to be sorted: plain, escaped and repeated names, one the beginning of another, NUL and
 * characters beyond ASCII among them. */
static void many_members_may_stand_in_any_order(void) {
    enum { COUNT = 300, SIZE = 64 * COUNT };
    static const char *const names[] = {"a%d",        "\\u0061%d", "a%d\\u0000",
                                        "\xc3\xa9%d", "\\u00e8%d", "a\\\"%d"};
    char a[SIZE] = "{\"first\":0";
    char b[SIZE] = "{";
    char c[SIZE] = "{";
    for (int i = 0; i < COUNT; i++) {
        char name[32];
        char member[64];
        (void)snprintf(name, sizeof name, names[i % 6], i / 2); // NOLINT: each takes one number
        (void)snprintf(member, sizeof member, ",\"%s\":[%d]", name, i);
        strcat(a, member);
    }
    for (int i = COUNT; i-- > 0;) { /* two in a row may have the same name: they stay in their order */
        char name[32];
        const int at = i ^ 1;
        (void)snprintf(name, sizeof name, names[at % 6], at / 2);
        (void)sprintf(b + strlen(b), "\"%s\":[%d],", name, at);
        (void)sprintf(c + strlen(c), "\"%s\":[%d],", name, at == COUNT / 2 ? -1 : at);
    }
    strcat(a, "}");
    strcat(b, "\"first\":0.0}");
    strcat(c, "\"first\":0}");
    CHECK(equal(a, b));
    CHECK(!equal(a, c));
    memcpy(strstr(b, "first"), "fIrst", 5);
    CHECK(!equal(a, b));
}

static void broken_text_is_equal_to_nothing(void) {
    CHECK(!equal("[1", "[1"));
    CHECK(!equal("1 x", "1 x"));
    CHECK(!equal("1", "1 x"));
    CHECK(equal(" 1 ", "1"));
    CHECK(mcpw_json_equal(mcpw_json_from(NULL), mcpw_json_from(NULL)));
    CHECK(!equal("null", NULL));
}

/* Two members in another order at each level: twice the work at each would never end. */
static void nesting_does_not_multiply_the_work(void) {
    enum { LEVELS = 200, SIZE = 16 * LEVELS };
    char a[SIZE] = "";
    char b[SIZE] = "";
    for (int i = 0; i < LEVELS; i++) {
        strcat(a, "{\"y\":0,\"x\":");
        strcat(b, "{\"x\":");
    }
    strcat(a, "1");
    strcat(b, "1");
    for (int i = 0; i < LEVELS; i++) {
        strcat(a, "}");
        strcat(b, ",\"y\":0}");
    }
    CHECK(equal(a, b));
}

int main(void) {
    RUN(numbers_are_equal_by_value);
    RUN(strings_are_equal_by_code_point);
    RUN(types_are_not_mixed);
    RUN(literals_are_values);
    RUN(arrays_keep_their_order);
    RUN(members_may_stand_in_any_order);
    RUN(repeated_names_pair_up_in_order);
    RUN(many_members_may_stand_in_any_order);
    RUN(broken_text_is_equal_to_nothing);
    RUN(nesting_does_not_multiply_the_work);
    return check_end();
}
