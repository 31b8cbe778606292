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

/* A pattern that every text has, which takes more steps than a match may on many a's that ! follows. */
#define HOSTILE "^(?:((a+)+)+c|[^]*)$"

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

static void test_characters_that_are_spelled_wrong(void) {
    NO_PATTERN("\\u{}");
    NO_PATTERN("\\u{41");
    NO_PATTERN("\\u{4g}");
    NO_PATTERN("\\u{110000}");
    NO_PATTERN("\\u{d800}");
    NO_PATTERN("\\u12");
    NO_PATTERN("\\u12g4");
    NO_PATTERN("\\xg0");
    NO_PATTERN("\\uD83Dx");
    NO_PATTERN("\\uD83D\\u0041");
    NO_PATTERN("\\uD83D\\uE000");
    NO_PATTERN("\\uD83D\\u12");
    NO_PATTERN("\\uDC32");
    NO_PATTERN("\\c");
    NO_PATTERN("\\c1");
    NO_PATTERN("[\\");
    NO_PATTERN("[\\p]");
    NO_PATTERN("[\\q]");
    NO_PATTERN("\\p{L");
    NO_PATTERN("\\p{}");
    NO_PATTERN("\\p");
    NO_PATTERN("\\_");
    NO_PATTERN("\\\xc3\xa9");
}

static void test_a_nul_is_no_octal_escape(void) {
    MATCHES("^\\0?a$", "a");
    MATCHES("^[\\0a]$", "a");
    NO_PATTERN("\\07");
}

static void test_escapes_in_classes(void) {
    MATCHES("^[a\\-c]+$", "a-c");
    DIFFERS("^[a\\-c]$", "b");
    MATCHES("^[\\n\\]\\/]+$", "\n]/");
    MATCHES("^[\\u0041\\cC\\D\\W]+$", "A\x03.");
    MATCHES("^[^\\d]$", "x");
    DIFFERS("^[^\\d]$", "1");
}

static void test_references_to_groups(void) {
    MATCHES("^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", "abcdefghijj");
    NO_PATTERN("\\k");
    NO_PATTERN("\\kn");
    NO_PATTERN("(?<n>a)\\k<n");
    NO_PATTERN("\\k{n}");
}

static void test_words_begin_and_end(void) {
    MATCHES("\\bab\\b", "x ab y");
    DIFFERS("\\Bab", "x ab y");
    MATCHES("^(?=a)(?!b)(?:a)(?<=a)(?<!b)$", "a");
}

static void test_quantifiers_in_braces(void) {
    MATCHES("^a{2}$", "aa");
    MATCHES("^a{2,}$", "aaa");
    MATCHES("^a{2,13}$", "aaaaaaaaaaaaa");
    DIFFERS("^a{2,3}$", "aaaa");
    MATCHES("^a{2,3}?$", "aa");
    MATCHES("^a{2,x}$", "a{2,x}");
    MATCHES("^a{2$", "a{2");
    MATCHES("^a{12$", "a{12");
    MATCHES("^a+?b*?c??{$", "ab{");
    MATCHES("^a+{$", "a{");
    NO_PATTERN("a?{2}");
    NO_PATTERN("a**");
    NO_PATTERN("a???");
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
    CHECK_ERROR("/pattern", "pattern ( is not a regular expression");
}

static void test_patterns_have_a_limit(void) {
    enum { MANY = 4097 };
    static char text[64 * MANY] = "{\"patternProperties\":{\"a\":true";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    size_t len = strlen(text);
    for (int i = 1; i < MANY; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, ",\"a%d\":true", i);
    }
    (void)snprintf(text + len, sizeof text - len, "}}");
    CHECK(compile_status(text, &options) == MCPW_E_ELEMENTS);
    CHECK_ERROR("/patternProperties/a4096", "too many patterns");
}

static void test_long_texts_are_paid_for(void) {
    static char text[1 << 18] = "{\"$defs\":{\"k\":{\"pattern\":\"^\"}},\"allOf\":[true";
    static char value[1 << 16];
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    size_t len = strlen(text);
    options.patterns = mcpw_pcre2();
    for (int i = 0; i < 6000; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, ",{\"$ref\":\"#/$defs/k\"}");
    }
    (void)snprintf(text + len, sizeof text - len, "]}");
    memset(value, 'x', sizeof value - 1);
    value[0] = '"';
    value[sizeof value - 2] = '"';
    mcpw_schema *const schema = schema_of(text, &options);
    CHECK(value_status(schema, value) == MCPW_E_WORK);
    mcpw_schema_free(schema);
}

static void test_the_format_regex_is_asked_of_the_engine(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    mcpw_schema *schema = schema_of("{\"format\":\"regex\"}", &options);
    CHECK(value_status(schema, "\"(\"") == MCPW_OK);
    mcpw_schema_free(schema);
    options.patterns = mcpw_pcre2();
    schema = schema_of("{\"format\":\"regex\"}", &options);
    CHECK(value_status(schema, "\"(a)\"") == MCPW_OK);
    CHECK(value_status(schema, "\"(\"") == MCPW_E_FORMAT);
    mcpw_schema_free(schema);
}

/* How many allocations of a check end it when they fail. */
static size_t needed_allocations(const char *text, const mcpw_schema_options *options) {
    static const char value[] = "\"^(a|b)+$\"";
    mcpw_schema *const schema = schema_of(text, options);
    size_t needed = 0;
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
        mcpw_arena scratch = MCPW_ARENA_INIT;
        scratch.allocator = counting_allocator(&c);
        const mcpw_status status =
            mcpw_schema_check(schema, value, sizeof value - 1, &scratch, NULL, &schema_error);
        done = c.calls < c.fail_at; /* no allocation is left to fail */
        needed += status == MCPW_E_MEMORY;
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
        mcpw_arena_free(&scratch);
        CHECK(c.in_use == 0);
    }
    mcpw_schema_free(schema);
    return needed;
}

static void test_the_format_regex_takes_memory_from_scratch(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    options.patterns = mcpw_pcre2();
    CHECK(needed_allocations("{\"format\":\"regex\"}", &options) >
          needed_allocations("{\"minLength\":1}", &options));
}

static void test_the_format_regex_is_paid_for(void) {
    enum { TIMES = 20000 };
    static char text[32 * TIMES] = "{\"$defs\":{\"k\":{\"format\":\"regex\"}},\"allOf\":[true";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    char *to = text + strlen(text);
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    options.patterns = mcpw_pcre2();
    for (int i = 0; i < TIMES; i++) {
        to += sprintf(to, ",{\"$ref\":\"#/$defs/k\"}");
    }
    (void)sprintf(to, "]}");
    mcpw_schema *const schema = schema_of(text, &options);
    CHECK(value_status(schema, "\"a\"") == MCPW_E_WORK);
    mcpw_schema_free(schema);
}

/* A name that costs more than a match may ends the check, not only that member. */
static void test_a_hostile_name_ends_the_check(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    mcpw_schema *const schema =
        schema_of("{\"patternProperties\":{\"^((a+)+)+$\":{},\"b\":false}}", &options);
    CHECK(value_status(schema, "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\":1}") == MCPW_E_WORK);
    mcpw_schema_free(schema);
}

/* Lines of x, each place of which takes as many steps as there are x after it. */
static char *lines_of_x(size_t lines, size_t len, const char *before, const char *end) {
    char *const text = malloc(lines * (len + strlen(before)) + strlen(end) + 1);
    char *to = text;
    for (size_t i = 0; i < lines && text != NULL; i++, to += len) {
        to = (char *)memcpy(to, before, strlen(before)) + strlen(before);
        memset(to, 'x', len);
    }
    CHECK(text != NULL);
    return text != NULL ? strcpy(to, end), text : NULL;
}

static void check_lines(size_t lines, size_t len, const char *before, const char *end, mcpw_status expected) {
    char *const text = lines_of_x(lines, len, before, end);
    CHECK(match_status("(?:x|z)+!", text) == expected);
    free(text);
}

static void test_all_places_of_a_text_share_the_steps_of_a_match(void) {
    check_lines(1, 300, "\n", "\n!", MCPW_E_VALUE);
    check_lines(1, 3000, "\n", "\n!", MCPW_E_WORK);
    check_lines(10, 1000, "\n", "\n!", MCPW_E_WORK);
    check_lines(100, 4000, "\n", "\n!", MCPW_E_WORK);
}

static void test_a_match_is_found_after_places_that_take_many_steps(void) {
    check_lines(1, 300, "\n", "\xc3\xa9xz!", MCPW_OK);
    check_lines(200, 30, "\xf0\x9f\x90\xb2\xc3\xa9", "x!", MCPW_OK);
    check_lines(200, 30, "\xf0\x9f\x90\xb2\xc3\xa9", "!", MCPW_OK);
    check_lines(200, 30, "\xf0\x9f\x90\xb2\xc3\xa9", "\xc3\xa9!", MCPW_E_VALUE);
    CHECK(match_status("\xc3\xa9!", "\xc3\xa9\xc3\xa9\xc3\xa9!") == MCPW_OK);
}

/* A search for ordinary words takes work that grows with the text, and so do its steps. */
static void test_long_texts_of_words_are_searched(void) {
    enum { WORDS = 20000 };
    static char value[WORDS * 16] = "\"";
    static const char *const words[] = {"it", "extraordinarily", "is", "long", "nevertheless"};
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    char *to = value + 1;
    options.patterns = mcpw_pcre2();
    for (size_t i = 0; i < WORDS; i++) {
        to += sprintf(to, "%s ", words[i % (sizeof words / sizeof *words)]);
    }
    (void)strcpy(to, "\"");
    mcpw_schema *const schema = schema_of("{\"not\":{\"pattern\":\"[a-z]+q[0-9]\"}}", &options);
    CHECK(value_status(schema, value) == MCPW_OK);
    mcpw_schema_free(schema);
}

/* The last match is given up, and no step after it finds that there is no work left. */
static void test_what_fitted_before_a_match_is_given_up_is_no_verdict(void) {
    static const char *const schemas[] = {
        "{\"oneOf\":[{\"type\":\"string\"},{\"pattern\":\"" HOSTILE "\"}]}",
        "{\"items\":{\"oneOf\":[{\"type\":\"string\"},{\"pattern\":\"" HOSTILE "\"}]}}",
        "{\"contains\":{\"pattern\":\"" HOSTILE "\"},\"maxContains\":1}",
        "{\"contains\":{\"pattern\":\"" HOSTILE "\"},\"minContains\":0,\"maxContains\":1}",
        "{\"unevaluatedItems\":{\"oneOf\":[{\"type\":\"string\"},{\"pattern\":\"" HOSTILE "\"}]}}",
    };
    static const char text[] = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        char value[sizeof text + sizeof "[1,]"];
        mcpw_schema *const schema = schema_of(schemas[i], &options);
        (void)snprintf(value, sizeof value, i == 0 ? "%s" : "[1,%s]", text);
        CHECK(value_status(schema, value) == MCPW_E_WORK);
        CHECK(schema_error.code == MCPW_E_WORK);
        mcpw_schema_free(schema);
    }
}

/* PCRE2's machine code has a stack of its own: what goes deeper is matched without it. */
static void test_a_match_that_goes_deep(void) {
    static char text[200001];
    memset(text, 'a', sizeof text - 1);
    const mcpw_status status = match_status("^(?:(a)|(b))*$", text);
    CHECK(status == MCPW_OK || status == MCPW_E_WORK || status == MCPW_E_MEMORY);
}

static void test_checking_without_memory(void) {
    static const char value[] = "{\"p\":\"abab\",\"c\":[1,2,{}]}";
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    bool done = false;
    options.patterns = mcpw_pcre2();
    mcpw_schema *const schema = schema_of("{\"properties\":{\"p\":{\"pattern\":\"^(a|b)+$\"}},"
                                          "\"patternProperties\":{\"^c\":{\"uniqueItems\":true}}}",
                                          &options);
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
        mcpw_arena scratch = MCPW_ARENA_INIT;
        scratch.allocator = counting_allocator(&c);
        const mcpw_status status =
            mcpw_schema_check(schema, value, sizeof value - 1, &scratch, NULL, &schema_error);
        done = status == MCPW_OK;
        CHECK(done || status == MCPW_E_MEMORY);
        mcpw_arena_free(&scratch);
        CHECK(c.in_use == 0);
    }
    mcpw_schema_free(schema);
}

static void test_memory_is_the_callers(void) {
    static const char text[] = "{\"pattern\":\"^(a|b)+$\",\"patternProperties\":{\"c\":{},\"d\":{}}}";
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
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

/* An engine that has nothing but a count of how often each pattern is freed. */
enum { COUNTED = 64 };
typedef struct counted_pattern {
    int made;
    int freed;
} counted_pattern;
static counted_pattern counted[COUNTED];

static mcpw_status count_compile(const char *text, size_t len, const mcpw_allocator *allocator, void **out,
                                 char *message) {
    counted_pattern *p = counted;
    (void)text;
    (void)len;
    (void)allocator;
    (void)message;
    while (p->made != 0) {
        p++;
    }
    p->made = 1;
    *out = p;
    return MCPW_OK;
}

static void count_free(void *compiled) { ((counted_pattern *)compiled)->freed++; }

/* The text of a pattern needs memory of its own after the pattern is made; and so does the list of many. */
static void test_patterns_are_freed_once_when_memory_runs_out(void) {
    static const mcpw_pattern_engine engine = {.compile = count_compile, .free = count_free};
    static char text[1 << 14] = "{\"pattern\":\"";
    size_t len = strlen(text);
    memset(text + len, 'x', 6000);
    len += 6000;
    len += (size_t)snprintf(text + len, sizeof text - len, "\",\"patternProperties\":{\"a\":{}");
    for (int i = 0; i < 40; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, ",\"a%d\":{}", i);
    }
    len += (size_t)snprintf(text + len, sizeof text - len, "}}");
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
        mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
        mcpw_schema *schema = NULL;
        memset(counted, 0, sizeof counted);
        options.patterns = &engine;
        options.allocator = counting_allocator(&c);
        const mcpw_status status = mcpw_schema_compile(text, len, &options, &schema, NULL);
        done = c.calls < fail_at; /* no allocation is left to fail */
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
        mcpw_schema_free(schema);
        for (size_t i = 0; i < COUNTED; i++) {
            CHECK(counted[i].freed == counted[i].made);
        }
        CHECK(c.in_use == 0);
    }
}

static void test_of_two_errors_the_first_is_told(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    CHECK(compile_status("{\"minLength\":-1,\"pattern\":\"(\"}", &options) == MCPW_E_VALUE);
    CHECK_STRING(schema_error.path, "/minLength");
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

/* A part that is repeated by a count is copied as often, so that a short pattern could take any memory. */
static void test_patterns_that_repeat_too_much(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.patterns = mcpw_pcre2();
    CHECK(compile_status("{\"pattern\":\"(?:(?:ab|cd){60}x){60}\"}", &options) == MCPW_E_SIZE);
    CHECK_ERROR("/pattern", "pattern (?:(?:ab|cd){60}x){60} repeats too much");
    CHECK(compile_status("{\"pattern\":\"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.]){1,127}$\"}",
                         &options) == MCPW_OK);
}

int main(void) {
    RUN(test_classes_are_ascii);
    RUN(test_spaces_are_those_of_unicode);
    RUN(test_the_end_is_the_end);
    RUN(test_escapes);
    RUN(test_characters_that_are_spelled_wrong);
    RUN(test_a_nul_is_no_octal_escape);
    RUN(test_escapes_in_classes);
    RUN(test_references_to_groups);
    RUN(test_words_begin_and_end);
    RUN(test_quantifiers_in_braces);
    RUN(test_properties_have_long_names);
    RUN(test_what_pcre2_alone_knows_is_refused);
    RUN(test_hostile_patterns_cost_bounded_work);
    RUN(test_hostile_matches_together_cost_bounded_work);
    RUN(test_schemas_with_patterns);
    RUN(test_patterns_have_a_limit);
    RUN(test_patterns_that_repeat_too_much);
    RUN(test_long_texts_are_paid_for);
    RUN(test_the_format_regex_is_asked_of_the_engine);
    RUN(test_the_format_regex_takes_memory_from_scratch);
    RUN(test_the_format_regex_is_paid_for);
    RUN(test_a_hostile_name_ends_the_check);
    RUN(test_all_places_of_a_text_share_the_steps_of_a_match);
    RUN(test_a_match_is_found_after_places_that_take_many_steps);
    RUN(test_long_texts_of_words_are_searched);
    RUN(test_what_fitted_before_a_match_is_given_up_is_no_verdict);
    RUN(test_a_match_that_goes_deep);
    RUN(test_checking_without_memory);
    RUN(test_memory_is_the_callers);
    RUN(test_patterns_are_freed_once_when_memory_runs_out);
    RUN(test_of_two_errors_the_first_is_told);
    RUN(test_a_second_match_allocates_nothing);
    return check_end();
}
