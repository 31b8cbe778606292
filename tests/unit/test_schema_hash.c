/* SPDX-License-Identifier: MIT */
/* Hashes of names are the same on every machine: what collides on one is found by the tests of another. */
#include "../schema/tape.h"

#include "check.h"

static void a_text_has_one_hash(void) {
    static const struct {
        const char *text;
        uint32_t hash;
    } cases[] = {{"", 0xfb04e882},
                 {"a", 0x5064a784},
                 {"abc", 0xf47fdb37},
                 {"abcd", 0xae091175},
                 {"abcdefg", 0xf1529f52},
                 {"abcdefgh", 0x3c0ce6eb},
                 {"additionalProperties", 0x05d30477}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(mcpw_hash_text(cases[i].text, strlen(cases[i].text)) == cases[i].hash);
    }
}

static void each_byte_of_a_half_word_counts(void) {
    char text[] = "abcdefg";
    const uint32_t before = mcpw_hash_text(text, sizeof text - 1);
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        text[i] ^= 1;
        CHECK(mcpw_hash_text(text, sizeof text - 1) != before);
        text[i] ^= 1;
    }
}

int main(void) {
    RUN(a_text_has_one_hash);
    RUN(each_byte_of_a_half_word_counts);
    return check_end();
}
