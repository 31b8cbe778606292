/* SPDX-License-Identifier: MIT */
#include <mcpw/server.h>

#include "check.h"

static mcpw_arena arena = MCPW_ARENA_INIT;

static void check_both(const char *bytes, const char *text) {
    const mcpw_str encoded = mcpw_base64_encode(&arena, bytes, strlen(bytes));
    mcpw_str decoded = {NULL, 0};
    CHECK_TEXT(encoded.ptr, encoded.len, text);
    CHECK(encoded.ptr[encoded.len] == '\0');
    CHECK(mcpw_base64_decode(&arena, mcpw_str_from(text), &decoded) == MCPW_OK);
    CHECK_TEXT(decoded.ptr, decoded.len, bytes);
}

static void the_examples_of_the_rfc_hold(void) {
    check_both("", "");
    check_both("f", "Zg==");
    check_both("fo", "Zm8=");
    check_both("foo", "Zm9v");
    check_both("foob", "Zm9vYg==");
    check_both("fooba", "Zm9vYmE=");
    check_both("foobar", "Zm9vYmFy");
}

static void every_byte_survives(void) {
    unsigned char bytes[256 + 2];
    for (size_t len = 0; len <= sizeof bytes; len++) {
        mcpw_str decoded = {NULL, 0};
        for (size_t i = 0; i < len; i++) {
            bytes[i] = (unsigned char)(255 - i);
        }
        const mcpw_str text = mcpw_base64_encode(&arena, bytes, len);
        CHECK(text.len == (len + 2) / 3 * 4);
        CHECK(mcpw_base64_decode(&arena, text, &decoded) == MCPW_OK);
        CHECK(decoded.len == len && memcmp(decoded.ptr, bytes, len) == 0);
    }
}

static void other_texts_are_refused(void) {
    static const char *const texts[] = {
        "Z",    "Zg",       "Zg=",  "=",     "====",  "Z===", "Zg==Zg==", "Zm9v ", "Zm9\n", "Zm-v",
        "Zm_v", "Zm9v====", "Z=g=", "Zm9v=", "\"m9v", "Zm9{", "Zm9\x80",  "*m9v",  "Zm8 ",  " Zm8"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        mcpw_str out = {NULL, 0};
        CHECK(mcpw_base64_decode(&arena, mcpw_str_from(texts[i]), &out) == MCPW_E_FORMAT);
        CHECK(out.ptr == NULL);
    }
}

static void bits_that_stand_for_nothing_must_be_zero(void) {
    mcpw_str out = {NULL, 0};
    CHECK(mcpw_base64_decode(&arena, mcpw_str_from("Zh=="), &out) == MCPW_E_FORMAT);
    CHECK(mcpw_base64_decode(&arena, mcpw_str_from("Zm9="), &out) == MCPW_E_FORMAT);
}

static void a_refused_text_takes_no_memory(void) {
    mcpw_str out = {NULL, 0};
    const char *const before = mcpw_arena_alloc(&arena, 16);
    CHECK(mcpw_base64_decode(&arena, mcpw_str_from("Zm9v*m9v"), &out) == MCPW_E_FORMAT);
    const char *const after = mcpw_arena_alloc(&arena, 16);
    CHECK(after == before + 16);
}

static void what_finds_no_room_is_reported(void) {
    mcpw_arena small = MCPW_ARENA_INIT;
    mcpw_str out = {NULL, 0};
    small.limit = 1;
    CHECK(mcpw_base64_encode(&small, "f", 1).ptr == NULL);
    CHECK(mcpw_base64_decode(&small, mcpw_str_from("Zg=="), &out) == MCPW_E_ARENA);
    CHECK(mcpw_base64_encode(&small, NULL, 1).ptr == NULL);
    CHECK(mcpw_base64_decode(&small, out, &out) == MCPW_E_ARGUMENT);
}

static void what_is_missing_is_an_argument(void) {
    mcpw_str out = {NULL, 0};
    CHECK(mcpw_base64_encode(NULL, "f", 1).ptr == NULL);
    CHECK(mcpw_base64_decode(NULL, mcpw_str_from("Zg=="), &out) == MCPW_E_ARGUMENT);
    CHECK(mcpw_base64_decode(&arena, mcpw_str_from("Zg=="), NULL) == MCPW_E_ARGUMENT);
    CHECK_TEXT(mcpw_base64_encode(&arena, NULL, 0).ptr, 0, "");
}

int main(void) {
    RUN(the_examples_of_the_rfc_hold);
    RUN(every_byte_survives);
    RUN(other_texts_are_refused);
    RUN(bits_that_stand_for_nothing_must_be_zero);
    RUN(a_refused_text_takes_no_memory);
    RUN(what_finds_no_room_is_reported);
    RUN(what_is_missing_is_an_argument);
    mcpw_arena_free(&arena);
    return check_end();
}
