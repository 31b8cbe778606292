/* SPDX-License-Identifier: MIT */
#include "support/uri_template.h"

#include "check.h"

#include <time.h>

static mcpw_arena arena = MCPW_ARENA_INIT;

/* The values that a URI gives, joined by '|'; NULL when it does not match. */
static const char *match(const char *uri_template, const char *uri) {
    static char joined[4096];
    mcpw_uri_template t;
    mcpw_str values[MCPW_MAX_VARIABLES];
    size_t len = 0;
    CHECK(mcpw_uri_template_parse(&t, mcpw_str_from(uri_template), NULL) == MCPW_OK);
    if (mcpw_uri_template_match(&t, mcpw_str_from(uri), &arena, values) != MCPW_OK) {
        return NULL;
    }
    joined[0] = '\0';
    for (size_t i = 0; i < t.count; i++) {
        len += (size_t)snprintf(joined + len, sizeof joined - len, "%s%s", i != 0 ? "|" : "", values[i].ptr);
    }
    return joined;
}

#define CHECK_MATCH(uri_template, uri, want)                                                                 \
    do {                                                                                                     \
        const char *const got_ = match((uri_template), (uri));                                               \
        CHECK_TEXT(got_, got_ != NULL ? strlen(got_) : 0, (want));                                           \
    } while (0)
#define CHECK_NO_MATCH(uri_template, uri) CHECK(match((uri_template), (uri)) == NULL)

static void a_variable_is_what_stands_in_its_place(void) {
    CHECK_MATCH("test://template/{id}/data", "test://template/123/data", "123");
    CHECK_MATCH("a:{x}", "a:b-._~Z9", "b-._~Z9");
    CHECK_MATCH("{x}", "abc", "abc");
    CHECK_MATCH("a:{x}/{y}.{z}", "a:1/2.3", "1|2|3");
}

static void a_template_without_variables_is_one_uri(void) {
    CHECK_MATCH("a:b", "a:b", "");
    CHECK_NO_MATCH("a:b", "a:bc");
    CHECK_NO_MATCH("a:b", "a:");
}

static void literals_match_as_they_are(void) {
    CHECK_NO_MATCH("test://t/{id}", "TEST://t/1");
    CHECK_NO_MATCH("test://t/{id}/data", "test://t/1/dat");
    CHECK_NO_MATCH("test://t/{id}/data", "test://t/1/data/");
    CHECK_NO_MATCH("a%41:{id}", "aA:1");
    CHECK_NO_MATCH("a:{x}", "b:1");
    CHECK_NO_MATCH("a:{x}", "");
}

static void a_variable_is_never_empty(void) {
    CHECK_NO_MATCH("a:{x}", "a:");
    CHECK_NO_MATCH("a:{x}/b", "a:/b");
    CHECK_NO_MATCH("a:{+x}", "a:");
}

static void a_plain_variable_holds_no_reserved_character(void) {
    CHECK_NO_MATCH("file:///{path}", "file:///a/b");
    CHECK_NO_MATCH("a:{x}", "a:b?c");
    CHECK_NO_MATCH("a:{x}", "a:b c");
    CHECK_NO_MATCH("a:{x}", "a:\xc3\xa9");
}

static void a_reserved_variable_holds_slashes_too(void) {
    CHECK_MATCH("file:///{+path}", "file:///a/b?c#d", "a/b?c#d");
    CHECK_NO_MATCH("file:///{+path}", "file:///a b");
    CHECK_NO_MATCH("file:///{+path}", "file:///a{b}");
}

static void values_are_percent_decoded(void) {
    CHECK_MATCH("a:{x}", "a:b%20c%2fd", "b c/d");
    CHECK_MATCH("a:{x}", "a:%C3%a9", "\xc3\xa9");
    CHECK_MATCH("a:{+x}/b", "a:%2E%2e/b", "..");
}

static void escapes_that_are_no_text_do_not_match(void) {
    CHECK_NO_MATCH("a:{x}", "a:%");
    CHECK_NO_MATCH("a:{x}", "a:%4");
    CHECK_NO_MATCH("a:{x}", "a:%4g");
    CHECK_NO_MATCH("a:{x}", "a:b%00c");
    CHECK_NO_MATCH("a:{x}", "a:%ff");
    CHECK_NO_MATCH("a:{+x}", "a:%C3");
}

static void earlier_variables_take_as_little_as_they_can(void) {
    CHECK_MATCH("{a}-{b}", "1-2-3", "1|2-3");
    CHECK_MATCH("{+a}/{+b}", "x/y/z", "x|y/z");
}

static void a_variable_takes_more_where_the_rest_needs_it(void) {
    CHECK_MATCH("{+a}/{b}", "x/y/z", "x/y|z");
    CHECK_MATCH("{a}.tar", "x.tar.tar", "x.tar");
    CHECK_MATCH("{+a}/{b}/{+c}.x", "1/2//3/4/5.x", "1|2|/3/4/5");
    CHECK_MATCH("{+a}:{b}:{+c}/e", "1:/:2:3:/e/e", "1:/|2|3:/e");
    CHECK_NO_MATCH("{+a}/{b}.c", "x/y/z");
}

/* CVE-2026-0621: a match by backtracking takes exponential time. */
static void a_hostile_uri_costs_no_more_than_its_length(void) {
    static const char uri_template[] = "{+a}-{+b}-{+c}-{+d}-{+e}-{+f}-{+g}-{+h}-{+i}-{+j}-{+k}-{+l}-{+m}!";
    enum { LENGTH = 200000 };
    mcpw_uri_template t;
    mcpw_str values[MCPW_MAX_VARIABLES];
    char *const text = mcpw_arena_alloc(&arena, LENGTH);
    const mcpw_str uri = {text, LENGTH};
    memset(text, '-', LENGTH);
    const clock_t begin = clock();
    CHECK(mcpw_uri_template_parse(&t, mcpw_str_from(uri_template), NULL) == MCPW_OK);
    CHECK(mcpw_uri_template_match(&t, uri, &arena, values) == MCPW_E_NOT_FOUND);
    CHECK(clock() - begin < 5 * CLOCKS_PER_SEC);
}

static void check_refused(const char *uri_template, const char *want) {
    mcpw_uri_template t;
    mcpw_error error;
    CHECK(mcpw_uri_template_parse(&t, mcpw_str_from(uri_template), &error) == MCPW_E_FORMAT);
    CHECK_STRING(error.message, want);
}

static void what_cannot_be_matched_is_refused(void) {
    check_refused("a:{x", "URI template: a brace that is not closed at byte 2");
    check_refused("a:x}", "URI template: a character that no URI can hold at byte 3");
    check_refused("a:{}", "URI template: a variable without a name at byte 2");
    check_refused("a:{+}", "URI template: a variable without a name at byte 2");
    check_refused("a:{x*}",
                  "URI template: only {name} and {+name} are supported, not the expression at byte 2");
    check_refused("a:{?x}",
                  "URI template: only {name} and {+name} are supported, not the expression at byte 2");
    check_refused("a:{x,y}",
                  "URI template: only {name} and {+name} are supported, not the expression at byte 2");
    check_refused("a:{x:3}",
                  "URI template: only {name} and {+name} are supported, not the expression at byte 2");
    check_refused("a:{x}{y}",
                  "URI template: no text between two variables, so that no URI tells them apart, at byte 5");
    check_refused("a:{x}/{x}", "URI template: a variable that was used before at byte 6");
    check_refused("a:b c", "URI template: a character that no URI can hold at byte 3");
    check_refused("a:%4", "URI template: a character that no URI can hold at byte 2");
    check_refused("{a}.{b}.{c}.{d}.{e}.{f}.{g}.{h}.{i}.{j}.{k}.{l}.{m}.{n}.{o}.{p}.{q}",
                  "URI template: one variable too many at byte 64");
}

static void check_expanded(const char *uri_template, const char *want) {
    static const mcpw_uri_variable variables[] = {{MCPW_STR("x"), MCPW_STR("a b/\xc3\xa9%20")},
                                                  {MCPW_STR("y"), MCPW_STR("1")},
                                                  {MCPW_STR("none"), {NULL, 0}}};
    mcpw_str out = {NULL, 0};
    CHECK(mcpw_uri_template_expand(&arena, mcpw_str_from(uri_template), variables, 3, &out, NULL) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, want);
}

static void expanding_puts_escaped_values_in(void) {
    check_expanded("a:{x}/{y}", "a:a%20b%2F%C3%A9%2520/1");
    check_expanded("a:{+x}", "a:a%20b/%C3%A9%20");
    check_expanded("a:{none}b", "a:b");
    check_expanded("a:{other}b", "a:b");
    check_expanded("a:b", "a:b");
}

static void what_was_expanded_matches(void) {
    static const mcpw_uri_variable variable = {MCPW_STR("x"), MCPW_STR("100% /\"\n\xe2\x82\xac")};
    mcpw_str out = {NULL, 0};
    CHECK(mcpw_uri_template_expand(&arena, mcpw_str_from("a:{x}!"), &variable, 1, &out, NULL) == MCPW_OK);
    CHECK_MATCH("a:{x}!", out.ptr, variable.value.ptr);
}

static void a_template_that_is_none_does_not_expand(void) {
    mcpw_str out = {NULL, 0};
    mcpw_error error;
    CHECK(mcpw_uri_template_expand(&arena, mcpw_str_from("a:{/x}"), NULL, 0, &out, &error) == MCPW_E_FORMAT);
    CHECK(mcpw_uri_template_expand(NULL, mcpw_str_from("a:"), NULL, 0, &out, &error) == MCPW_E_ARGUMENT);
}

int main(void) {
    RUN(a_variable_is_what_stands_in_its_place);
    RUN(a_template_without_variables_is_one_uri);
    RUN(literals_match_as_they_are);
    RUN(a_variable_is_never_empty);
    RUN(a_plain_variable_holds_no_reserved_character);
    RUN(a_reserved_variable_holds_slashes_too);
    RUN(values_are_percent_decoded);
    RUN(escapes_that_are_no_text_do_not_match);
    RUN(earlier_variables_take_as_little_as_they_can);
    RUN(a_variable_takes_more_where_the_rest_needs_it);
    RUN(a_hostile_uri_costs_no_more_than_its_length);
    RUN(what_cannot_be_matched_is_refused);
    RUN(expanding_puts_escaped_values_in);
    RUN(what_was_expanded_matches);
    RUN(a_template_that_is_none_does_not_expand);
    mcpw_arena_free(&arena);
    return check_end();
}
