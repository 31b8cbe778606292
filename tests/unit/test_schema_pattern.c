/* SPDX-License-Identifier: MIT */
/* Patterns by PCRE2, as ECMA-262 means them. */
#include "schema_harness.h"

#include <mcpw/pcre2.h>

#include "counting_allocator.h"

static mcpw_status match_status(const char *pattern, const char *text) {
    static const mcpw_allocator plain = {NULL, NULL};
    mcpw_arena scratch = MCPW_ARENA_INIT;
    char message[MCPW_ERROR_MESSAGE_SIZE];
    void *compiled = NULL;
    mcpw_status status = mcpw_pcre2()->compile(pattern, strlen(pattern), &plain, &compiled, message);
    if (status == MCPW_OK) {
        status = mcpw_pcre2()->match(compiled, text, strlen(text), 1000000, &scratch);
        mcpw_pcre2()->free(compiled);
    }
    mcpw_arena_free(&scratch);
    return status;
}

#define MATCHES(pattern, text) CHECK(match_status((pattern), (text)) == MCPW_OK)
#define DIFFERS(pattern, text) CHECK(match_status((pattern), (text)) == MCPW_E_VALUE)
#define NO_PATTERN(pattern) CHECK(match_status((pattern), "") == MCPW_E_FORMAT)

static void test_classes_are_ascii(void) {
    MATCHES("^\\d$", "7");
    DIFFERS("^\\d$", "\xd9\xa7"); /* U+0667 */
    DIFFERS("^\\w$", "\xc3\xa9");
    MATCHES("^\\W$", "\xc3\xa9");
    MATCHES("^[\\w-]+$", "a-b");
}

static void test_spaces_are_those_of_unicode(void) {
    MATCHES("^\\s$", "\xc2\xa0");
    MATCHES("^\\s$", "\xef\xbb\xbf");
    DIFFERS("^\\S$", "\xe3\x80\x80");
    MATCHES("^[\\s]$", "\xe2\x80\xa8");
    MATCHES("^[\\S]$", "\xc3\xa9");
    DIFFERS("^[\\S]$", "\t");
}

static void test_the_end_is_the_end(void) {
    DIFFERS("^abc$", "abc\n");
    DIFFERS("^.$", "\xe2\x80\xa8");
    MATCHES("^.$", "\xf0\x9f\x90\xb2");
}

static void test_escapes(void) {
    MATCHES("^\\cC$", "\x03");
    MATCHES("^\\u0041$", "A");
    MATCHES("^\\uD83D\\uDC32$", "\xf0\x9f\x90\xb2");
    MATCHES("^\\u{1F432}*$", "\xf0\x9f\x90\xb2\xf0\x9f\x90\xb2");
    MATCHES("^\\x41\\t\\/\\-$", "A\t/-");
    MATCHES("^[\\b]$", "\b");
    MATCHES("^(a)\\1$", "aa");
    MATCHES("^(?<n>a)\\k<n>$", "aa");
    NO_PATTERN("a\\Z");
    NO_PATTERN("\\a");
    NO_PATTERN("\\ud800");
    NO_PATTERN("\\x4");
    NO_PATTERN("\\");
}

static void test_properties_have_long_names(void) {
    MATCHES("^\\p{Letter}+$", "\xc3\xa9t\xc3\xa9");
    MATCHES("^\\p{Uppercase_Letter}$", "\xc3\x89");
    MATCHES("^\\p{gc=Nd}$", "\xd9\xa7");
    MATCHES("^[\\P{L}]$", "1");
    MATCHES("^\\p{Script=Greek}$", "\xce\xb1");
    NO_PATTERN("\\p{Nothing}");
    NO_PATTERN("\\pL");
}

static void test_what_pcre2_alone_knows_is_refused(void) {
    NO_PATTERN("a++");
    NO_PATTERN("a{2}+");
    NO_PATTERN("(?i)a");
    NO_PATTERN("(?>a)");
    NO_PATTERN("(*ACCEPT)");
    NO_PATTERN("(a");
    NO_PATTERN("[a");
    MATCHES("^a{,2}$", "a{,2}");
    MATCHES("^[[:alpha:]]$", "a]");
    MATCHES("^[^]$", "x");
    DIFFERS("[]", "x");
}

static void test_hostile_patterns_cost_bounded_work(void) {
    const mcpw_status status =
        match_status("^((a+)+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    CHECK(status == MCPW_E_WORK || status == MCPW_E_VALUE);
    CHECK(match_status("^(a|a)*\\1$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab") != MCPW_OK);
}

/* Many texts, each of which costs nearly as much as one may. */
static void test_hostile_matches_together_cost_bounded_work(void) {
    static char value[1 << 20] = "[\"\"";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    mcpw_schema *const schema = schema_of("{\"items\":{\"pattern\":\"^((a+)+)+$|^\"}}", &options);
    char *to = value + strlen(value);
    for (int i = 0; i < 20000; i++) {
        static const char item[] = ",\"aaaaaaaaaaaaaaaab\"";
        memcpy(to, item, sizeof item);
        to += sizeof item - 1;
    }
    memcpy(to, "]", 2);
    CHECK(value_status(schema, value) == MCPW_E_WORK);
    mcpw_schema_free(schema);
}

static void test_schemas_with_patterns(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    mcpw_schema *const schema = schema_of("{\"properties\":{\"a\":{\"pattern\":\"^[a-z]+$\"}},"
                                          "\"patternProperties\":{\"^x-\":{\"type\":\"string\"}},"
                                          "\"additionalProperties\":false}",
                                          &options);
    CHECK(value_status(schema, "{\"a\":\"abc\",\"x-1\":\"\"}") == MCPW_OK);
    CHECK(value_status(schema, "{\"a\":\"aBc\"}") == MCPW_E_FORMAT);
    CHECK_ERROR("/a", "string does not match the pattern ^[a-z]+$");
    CHECK(value_status(schema, "{\"x-1\":1}") == MCPW_E_TYPE);
    CHECK(value_status(schema, "{\"y-1\":\"\"}") == MCPW_E_UNEXPECTED);
    mcpw_schema_free(schema);
    CHECK(compile_status("{\"pattern\":\"(\"}", &options) == MCPW_E_FORMAT);
    CHECK_ERROR("/pattern", "pattern ( is no regular expression");
}

static void test_memory_is_the_callers(void) {
    static const char text[] = "{\"pattern\":\"^(a|b)+$\",\"patternProperties\":{\"c\":{},\"d\":{}}}";
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at};
        mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
        mcpw_schema *schema = NULL;
        options.patterns = mcpw_pcre2();
        options.allocator = counting_allocator(&c);
        done = mcpw_schema_compile(text, sizeof text - 1, &options, &schema, &schema_error) == MCPW_OK;
        CHECK(done || schema_error.code == MCPW_E_MEMORY);
        mcpw_schema_free(schema);
        CHECK(c.in_use == 0);
    }
}

static void test_a_second_match_allocates_nothing(void) {
    counting c = {0};
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    options.patterns = mcpw_pcre2();
    mcpw_schema *const schema = schema_of("{\"items\":{\"pattern\":\"^(a|b)+$\"}}", &options);
    scratch.allocator = counting_allocator(&c);
    CHECK(mcpw_schema_check(schema, "[\"abab\"]", 8, &scratch, NULL, NULL) == MCPW_OK);
    const size_t calls = c.calls;
    CHECK(mcpw_schema_check(schema, "[\"abab\"]", 8, &scratch, NULL, NULL) == MCPW_OK);
    CHECK(c.calls == calls);
    mcpw_arena_free(&scratch);
    mcpw_schema_free(schema);
}

int main(void) {
    RUN(test_classes_are_ascii);
    RUN(test_spaces_are_those_of_unicode);
    RUN(test_the_end_is_the_end);
    RUN(test_escapes);
    RUN(test_properties_have_long_names);
    RUN(test_what_pcre2_alone_knows_is_refused);
    RUN(test_hostile_patterns_cost_bounded_work);
    RUN(test_hostile_matches_together_cost_bounded_work);
    RUN(test_schemas_with_patterns);
    RUN(test_memory_is_the_callers);
    RUN(test_a_second_match_allocates_nothing);
    return check_end();
}
