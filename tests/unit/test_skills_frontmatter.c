/* SPDX-License-Identifier: MIT */
/* The front matter of SKILL.md as JSON: what it becomes, and what is refused. */
#include <mcpw/json.h>
#include <mcpw/skills.h>

#include "check.h"
#include "counting_allocator.h"

#include <stdlib.h>

enum { TEXT = 1 << 18 };

typedef struct sample {
    const char *yaml;
    const char *json; /* ' stands for " */
} sample;

static const char *quoted(const char *text) {
    static char out[TEXT];
    (void)snprintf(out, sizeof out, "%s", text);
    for (char *c = out; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    return out;
}

/* The front matter of the lines between the two marks. */
static mcpw_status parse(const char *yaml, mcpw_arena *arena, mcpw_json *out, mcpw_error *error) {
    static char file[TEXT];
    (void)snprintf(file, sizeof file, "---\n%s---\nbody\n", yaml);
    return mcpw_skill_frontmatter(file, strlen(file), arena, out, error);
}

static void check_json(const char *yaml, const char *json) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_json out = {NULL, 0, 0};
    CHECK(parse(yaml, &arena, &out, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK_TEXT(out.ptr, out.len, quoted(json));
    CHECK(out.ptr == NULL || mcpw_json_check(out, 0, NULL) == MCPW_OK);
    mcpw_arena_free(&arena);
}

static void check_refused(const char *yaml, mcpw_status status, const char *message) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_json out = {NULL, 0, 0};
    const mcpw_status got = parse(yaml, &arena, &out, &error);
    CHECK(got == status && error.code == status && out.ptr == NULL);
    CHECK_STRING(error.message, message);
    mcpw_arena_free(&arena);
}

static void mappings_and_sequences_are_objects_and_arrays(void) {
    check_json("name: pdf\ndescription: Fills in forms.\n", "{'name':'pdf','description':'Fills in forms.'}");
    check_json("a:\n  b: [x, {c: d}]\n  e:\n  - f\n  - - g\n", "{'a':{'b':['x',{'c':'d'}],'e':['f',['g']]}}");
    check_json("{a: {}, b: []}\n", "{'a':{},'b':[]}");
    check_json("&anchor\na: &other b\n", "{'a':'b'}");
}

static void scalars_have_the_types_of_the_core_schema(void) {
    static const sample samples[] = {
        {"", "null"},
        {"~", "null"},
        {"null", "null"},
        {"Null", "null"},
        {"NULL", "null"},
        {"nUll", "'nUll'"},
        {"true", "true"},
        {"True", "true"},
        {"FALSE", "false"},
        {"yes", "'yes'"},
        {"on", "'on'"},
        {"0", "0"},
        {"-12", "-12"},
        {"+7", "7"},
        {"007", "7"},
        {"-0", "-0"},
        {"0o17", "15"},
        {"0x1F", "31"},
        {"0xfF", "255"},
        {"0o8", "'0o8'"},
        {"1_000", "'1_000'"},
        {"12:30", "'12:30'"},
        {"1.50", "1.50"},
        {".5", "0.5"},
        {"-.5e3", "-0.5e3"},
        {"+1.", "1"},
        {"1.e2", "1e2"},
        {"1e3", "1e3"},
        {"1E-3", "1E-3"},
        {"1e", "'1e'"},
        {".", "'.'"},
        {"..", "'..'"},
        {"1.2.3", "'1.2.3'"},
        {"007.5", "7.5"},
        {"\"1\"", "'1'"},
        {"!!str 1", "'1'"},
        {"! 1", "'1'"},
        {"!!int 1", "1"},
        {"!!float 1", "1"},
        {"!!null ~", "null"},
        {"!!bool true", "true"},
        {"2026-07-28", "'2026-07-28'"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"0xffffffffffffffff", "18446744073709551615"},
        {"\"a\\0b\\u00e9\"", "'a\\u0000b\xC3\xA9'"},
        {"|\n  line\n  next\n", "'line\\nnext\\n'"},
        {">-\n  folded\n  text\n", "'folded text'"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char yaml[128];
        char json[128];
        (void)snprintf(yaml, sizeof yaml, "v: %s\n", samples[i].yaml);
        (void)snprintf(json, sizeof json, "{'v':%s}", samples[i].json);
        check_json(yaml, json);
    }
}

static void yaml_without_a_counterpart_in_json_is_refused(void) {
    static const char no_json[] = "line 2 of SKILL.md: a value has no counterpart in JSON";
    static const char no_key[] = "line 2 of SKILL.md: a key is no string; quotes make it one";
    check_refused("v: .inf\n", MCPW_E_FORMAT, no_json);
    check_refused("v: -.Inf\n", MCPW_E_FORMAT, no_json);
    check_refused("v: .NaN\n", MCPW_E_FORMAT, no_json);
    check_refused("v: !!binary AAAA\n", MCPW_E_FORMAT, no_json);
    check_refused("v: !!int x\n", MCPW_E_FORMAT, no_json);
    check_refused("v: !own x\n", MCPW_E_FORMAT, no_json);
    check_refused("v: !!set {a}\n", MCPW_E_FORMAT, no_json);
    check_refused("1: v\n", MCPW_E_FORMAT, no_key);
    check_refused("true: v\n", MCPW_E_FORMAT, no_key);
    check_refused("? [a]\n: v\n", MCPW_E_FORMAT, no_key);
    check_refused("a: 1\na: 2\n", MCPW_E_DUPLICATE, "line 3 of SKILL.md: a key stands twice in one mapping");
    check_refused("\"a\\0b\": 2\n", MCPW_E_FORMAT, "line 2 of SKILL.md: a key contains a NUL");
    check_refused("v: 0x10000000000000000\n", MCPW_E_OVERFLOW, "line 2 of SKILL.md: a number is too large");
    check_refused("- a\n", MCPW_E_FORMAT, "line 2 of SKILL.md: the front matter is no mapping");
    check_refused("text\n", MCPW_E_FORMAT, "line 2 of SKILL.md: the front matter is no mapping");
    check_refused("", MCPW_E_FORMAT, "the front matter is no mapping");
    check_refused("# nothing\n", MCPW_E_FORMAT, "the front matter is no mapping");
    check_refused("a: 1\n--- # more\nb: 2\n", MCPW_E_FORMAT,
                  "line 3 of SKILL.md: the front matter has two documents");
    check_refused("a: [\n", MCPW_E_FORMAT, "line 3 of SKILL.md: did not find expected node content");
    check_refused("a: \xff\n", MCPW_E_UTF8, "the front matter is no text: invalid leading UTF-8 octet");
}

static void bombs_end_in_one_text(void) {
    static char yaml[TEXT];
    check_refused("a: &a [x]\nb: [*a, *a]\n", MCPW_E_FORMAT, "line 3 of SKILL.md: aliases are not supported");
    memcpy(yaml, "a: ", 3);
    memset(yaml + 3, '[', 60000);
    memcpy(yaml + 60003, "\n", 2);
    check_refused(yaml, MCPW_E_DEPTH, "line 2 of SKILL.md: the front matter is nested too deeply");
    size_t len = 0;
    for (int i = 0; i < 3000; i++) {
        len += (size_t)snprintf(yaml + len, sizeof yaml - len, "k%d: v\n", i);
    }
    check_refused(yaml, MCPW_E_ELEMENTS, "line 2049 of SKILL.md: the front matter has too many values");
    memset(yaml, 'a', 70000);
    memcpy(yaml, "a: ", 3);
    memcpy(yaml + 70000, "\n", 2);
    check_refused(yaml, MCPW_E_SIZE, "the front matter has more than 65536 bytes");
}

static void check_cut(const char *file, const char *json, const char *message) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_json out = {NULL, 0, 0};
    const mcpw_status status = mcpw_skill_frontmatter(file, strlen(file), &arena, &out, &error);
    CHECK((status == MCPW_OK) == (json != NULL));
    CHECK_STRING(error.message, message);
    CHECK_TEXT(out.ptr != NULL ? out.ptr : "", out.len, json != NULL ? quoted(json) : "");
    mcpw_arena_free(&arena);
}

static void front_matter_stands_between_two_lines(void) {
    static const char no_begin[] = "SKILL.md does not begin with a line \"---\"";
    static const char no_end[] = "the front matter has no closing line \"---\"";
    check_cut("---\na: 1\n---", "{'a':1}", "");
    check_cut("---\r\na: 1\r\n--- \t\r\nbody", "{'a':1}", "");
    check_cut("\xEF\xBB\xBF---\na: 1\n---\n", "{'a':1}", "");
    check_cut("---\na: '---'\n---\n", "{'a':'---'}", "");
    check_cut("", NULL, no_begin);
    check_cut("--", NULL, no_begin);
    check_cut("----\na: 1\n---\n", NULL, no_begin);
    check_cut("\n---\na: 1\n---\n", NULL, no_begin);
    check_cut("---", NULL, no_end);
    check_cut("---\na: 1\n ---\n", NULL, no_end);
}

static void a_digest_is_that_of_the_bytes(void) {
    char digest[MCPW_SKILL_DIGEST_SIZE];
    mcpw_skill_digest("abc", 3, digest); /* FIPS 180-4, appendix B.1 */
    CHECK_STRING(digest, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    mcpw_skill_digest(NULL, 0, digest);
    CHECK_STRING(digest, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void without_memory_there_is_none(void) {
    static const char file[] = "---\nname: a\nlist: [1, 2]\n---\n";
    bool is_done = false;
    for (size_t at = 1; !is_done && at < 100; at++) {
        counting memory = {.fail_at = at, .stingy = true};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_error error = {MCPW_OK, 0, "", ""};
        mcpw_json out = {NULL, 0, 0};
        arena.allocator = counting_allocator(&memory);
        const mcpw_status status = mcpw_skill_frontmatter(file, sizeof file - 1, &arena, &out, &error);
        is_done = memory.calls < at;
        CHECK(is_done ? status == MCPW_OK : status == MCPW_OK || status == MCPW_E_MEMORY);
        CHECK((status == MCPW_OK) == (out.ptr != NULL));
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
    }
    CHECK(is_done);
}

int main(void) {
    RUN(mappings_and_sequences_are_objects_and_arrays);
    RUN(scalars_have_the_types_of_the_core_schema);
    RUN(yaml_without_a_counterpart_in_json_is_refused);
    RUN(bombs_end_in_one_text);
    RUN(front_matter_stands_between_two_lines);
    RUN(a_digest_is_that_of_the_bytes);
    RUN(without_memory_there_is_none);
    return check_end();
}
