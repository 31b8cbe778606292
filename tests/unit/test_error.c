/* SPDX-License-Identifier: MIT */
#include <mcpw/codec.h>
#include <mcpw/error.h>

#include "characters.h"
#include "check.h"
#include "error_text.h"
#include "printable.h"

static mcpw_error record(void) {
    mcpw_error e;
    memset(&e, 'x', sizeof e);
    mcpw_error_set(&e, MCPW_E_TYPE, 7, "expected %s, got %s", "object", "array");
    return e;
}

static void setting_fills_the_record(void) {
    const mcpw_error e = record();
    CHECK(e.code == MCPW_E_TYPE && e.offset == 7);
    CHECK_STRING(e.path, "");
    CHECK_STRING(e.message, "expected object, got array");
}

static void a_missing_record_is_no_error(void) {
    mcpw_error_set(NULL, MCPW_E_TYPE, 0, "%s", "x");
    mcpw_error_prepend_key(NULL, "a", 1);
    mcpw_error_prepend_index(NULL, 1);
}

static void a_long_message_is_cut_between_characters(void) {
    char text[400];
    mcpw_error e;
    for (size_t i = 0; i < sizeof text - 1; i += 3) {
        memcpy(text + i, "\xe2\x82\xac", 3);
    }
    text[sizeof text - 1] = '\0';
    mcpw_error_set(&e, MCPW_E_VALUE, 0, "%s", text);
    CHECK(strlen(e.message) == (MCPW_ERROR_MESSAGE_SIZE - 1) / 3 * 3);
}

static void a_path_grows_from_the_inside_out(void) {
    mcpw_error e = record();
    mcpw_error_prepend_key(&e, "name", 4);
    mcpw_error_prepend_index(&e, 12);
    mcpw_error_prepend_key(&e, "tools", 5);
    CHECK_STRING(e.path, "/tools/12/name");
}

static void pointer_characters_are_escaped(void) {
    mcpw_error e = record();
    mcpw_error_prepend_key(&e, "a/b~c", 5);
    CHECK_STRING(e.path, "/a~1b~0c");
}

static void the_largest_index_fits(void) {
    mcpw_error e = record();
    mcpw_error_prepend_index(&e, (size_t)UINT64_C(18446744073709551615));
    mcpw_error_prepend_index(&e, 0);
    CHECK(strncmp(e.path, "/0/", 3) == 0);
}

static void harmful_bytes_are_spelt_out(void) {
    mcpw_error e = record();
    mcpw_error_prepend_key(&e, "\x1b[31m\n\xff\xc2\x9b\xc3\xa9", 11);
    CHECK_STRING(e.path, "/\\x1b[31m\\x0a\\xff\\xc2\\x9b\xc3\xa9");
    mcpw_error_set(&e, MCPW_E_TYPE, 0, "turns the direction of writing");
    mcpw_error_prepend_key(&e, "\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\xb0", 11);
    CHECK_STRING(e.path, "/\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xd8\\x9c\xe2\x80\xb0");
}

static void a_long_path_is_cut_at_its_left_once(void) {
    mcpw_error e = record();
    mcpw_error_prepend_key(&e, "innermost", 9);
    for (int i = 0; i < 100; i++) {
        mcpw_error_prepend_key(&e, "segment", 7);
    }
    const size_t len = strlen(e.path);
    CHECK(len == MCPW_ERROR_PATH_SIZE - 1);
    CHECK(strncmp(e.path, "...", 3) == 0 && strstr(e.path + 1, "...") == NULL);
    CHECK(strcmp(e.path + len - 10, "/innermost") == 0);
    const mcpw_error cut = e;
    mcpw_error_prepend_key(&e, "key", 3);
    mcpw_error_prepend_index(&e, 1);
    CHECK_STRING(e.path, cut.path);
}

static void a_key_longer_than_the_path_keeps_its_end(void) {
    char key[2000];
    mcpw_error e = record();
    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = 'z';
    mcpw_error_prepend_key(&e, key, sizeof key);
    CHECK(strlen(e.path) == MCPW_ERROR_PATH_SIZE - 1 && strncmp(e.path, "...k", 4) == 0);
    CHECK(e.path[MCPW_ERROR_PATH_SIZE - 2] == 'z');
}

static char *put(char *to, const char *text) {
    const size_t len = strlen(text);
    memcpy(to, text, len);
    return to + len;
}

/* Keys of so many escapes, some of which stand for several bytes and some of which the path escapes in its
 * own way, are shown as their plain text would be. */
static void keys_with_escapes_are_shown_undone(void) {
    static const struct {
        const char *escape;
        const char *plain;
    } parts[] = {
        {"\\u0061", "a"},
        {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
        {"\\/", "/"},
        {"\\\"", "\""},
        {"\\u20ac", "\xe2\x82\xac"},
        {"b", "b"},
        {"\\u00e9", "\xc3\xa9"},
        {"~", "~"},
        {"\\n", "\n"},
        {"\xc3\xa9", "\xc3\xa9"},
        {"\\\\", "\\"},
    };
    enum { PARTS = sizeof parts / sizeof *parts, MOST = 1500, ROOM = 20000 };
    static const char *const before =
        "{\"name\":\"n\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"";
    const mcpw_type *const type = mcpw_find_type("2025-11-25", "Tool");
    for (size_t count = 1; count < MOST; count += count < 300 ? 1 : 37) {
        for (size_t same = 0; same <= PARTS; same++) { /* all of one kind, or of all kinds */
            static char text[ROOM];
            static char key[ROOM];
            mcpw_arena arena = MCPW_ARENA_INIT;
            mcpw_error want = record();
            mcpw_error got = record();
            char *t = put(text, before);
            char *k = key;
            for (size_t i = 0; i < count; i++) {
                const size_t part = same < PARTS ? same : i % PARTS;
                t = put(t, parts[part].escape);
                k = put(k, parts[part].plain);
            }
            t = put(t, "\":5}}}");
            mcpw_error_prepend_key(&want, key, (size_t)(k - key));
            mcpw_error_prepend_key(&want, "properties", 10);
            mcpw_error_prepend_key(&want, "inputSchema", 11);
            CHECK(mcpw_validate(type, text, (size_t)(t - text), &arena, NULL, &got) == MCPW_E_UNION);
            CHECK_STRING(got.path, want.path);
            CHECK(got.offset == (size_t)(t - text) - 4);
            mcpw_arena_free(&arena);
        }
    }
}

static void every_path_length_is_handled(void) {
    for (size_t first = 0; first < 260; first++) {
        char key[300];
        mcpw_error e = record();
        memset(key, 'k', sizeof key);
        mcpw_error_prepend_key(&e, key, first);
        mcpw_error_prepend_key(&e, "\xe2\x82\xac\xe2\x82\xac", 6);
        mcpw_error_prepend_index(&e, 5);
        const size_t len = strlen(e.path);
        CHECK(len < MCPW_ERROR_PATH_SIZE);
        CHECK(mcpw_utf8_length((const unsigned char *)e.path + (e.path[0] == '.' ? 3 : 0), len) != 0);
        CHECK(e.path[len - 1] == (first == 0 ? '/' : 'k'));
    }
}

static void an_excerpt_is_short_and_printable(void) {
    char out[MCPW_EXCERPT_SIZE];
    CHECK_STRING(mcpw_excerpt(out, "\"a\tb\"", 5), "\"a\\x09b\"");
    const char *const sixty = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddd\xc3\xa9"
                              "eeeeeeeeeeeeeeeeeee";
    CHECK_STRING(mcpw_excerpt(out, sixty, strlen(sixty)), "aaaaaaaaaabbbbbbbbbbccccccccccddddddddd...");
    CHECK_STRING(mcpw_excerpt(out, "", 0), "");
}

static void utf8_is_checked_exactly(void) {
    static const struct {
        const char *text;
        unsigned want;
    } cases[] = {
        {"a", 1},
        {"\xc2\x80", 2},
        {"\xc1\xbf", 0},
        {"\xe0\xa0\x80", 3},
        {"\xe0\x9f\xbf", 0},
        {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0},
        {"\xf0\x90\x80\x80", 4},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
        {"", 0},
        {"\x80", 0},
        {"\xc3", 0},
        {"\xe2\x82", 0},
        {"\xe2\x82(", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(mcpw_utf8_length((const unsigned char *)cases[i].text, strlen(cases[i].text)) == cases[i].want);
    }
}

static void every_status_has_a_name_and_a_text(void) {
    CHECK_STRING(mcpw_status_name(MCPW_OK), "MCPW_OK");
    CHECK_STRING(mcpw_status_name(MCPW_E_NOT_FOUND), "MCPW_E_NOT_FOUND");
    CHECK_STRING(mcpw_status_text(MCPW_E_SYNTAX), "text is not valid JSON");
#define NAMED(name, number, text)                                                                            \
    CHECK_STRING(mcpw_status_name((mcpw_status)(number)), "MCPW_" #name);                                    \
    CHECK_STRING(mcpw_status_text(MCPW_##name), text);
    MCPW_STATUS_LIST(NAMED)
#undef NAMED
    CHECK(mcpw_status_name((mcpw_status)999) != NULL && mcpw_status_text((mcpw_status)999) != NULL);
}

int main(void) {
    RUN(setting_fills_the_record);
    RUN(a_missing_record_is_no_error);
    RUN(a_long_message_is_cut_between_characters);
    RUN(a_path_grows_from_the_inside_out);
    RUN(pointer_characters_are_escaped);
    RUN(the_largest_index_fits);
    RUN(harmful_bytes_are_spelt_out);
    RUN(a_long_path_is_cut_at_its_left_once);
    RUN(a_key_longer_than_the_path_keeps_its_end);
    RUN(keys_with_escapes_are_shown_undone);
    RUN(every_path_length_is_handled);
    RUN(an_excerpt_is_short_and_printable);
    RUN(utf8_is_checked_exactly);
    RUN(every_status_has_a_name_and_a_text);
    return check_end();
}
