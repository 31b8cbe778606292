/* SPDX-License-Identifier: MIT */
/* Long runs of bytes on the path at hand: copying and scanning stop at the first special byte, wherever it
 * is, read nothing past the text, and write nothing past its length. UTF-8 and escapes are as in the
 * functions for single characters. */
#include <mcpw/error.h>

#include "check.h"

#include "characters.h"
#include "runs.h"

#include <stdlib.h>

enum { MOST = 600, GUARD = 64, STEP = 7 };

static const unsigned char specials[] = {'"', '\\', 0, 0x1f, 0x80, 0xff};
static const unsigned char plains[] = {' ', '!', '#', '[', ']', '~', 0x7f};

/* A text of its very length, so that a tool that watches memory sees what is read past it. */
static unsigned char *plain_text(size_t n) {
    unsigned char *const text = malloc(n + (n == 0));
    for (size_t i = 0; text != NULL && i < n; i++) {
        text[i] = plains[i % sizeof plains];
    }
    return text;
}

static bool copies(const unsigned char *text, size_t n, size_t want) {
    unsigned char to[MOST + GUARD];
    memset(to, 'g', sizeof to);
    bool good = mcpw_runs_here()->copy(to, text, n) == want && memcmp(to, text, want) == 0;
    for (size_t i = n; good && i < n + GUARD; i++) {
        good = to[i] == 'g';
    }
    if (n >= MCPW_RUN_LEAST && n <= MCPW_RUN_MOST) { /* which stays within n bytes, too */
        unsigned char *const exact = malloc(n);
        good = good && exact != NULL && mcpw_runs_here()->plain(exact, text, n) == (want == n) &&
               (want != n || memcmp(exact, text, n) == 0);
        free(exact);
    }
    return good && mcpw_runs_here()->scan(text, text + n) == text + want;
}

static void plain_texts_of_every_length_are_copied(void) {
    for (size_t n = 0; n <= MOST; n++) {
        unsigned char *const text = plain_text(n);
        CHECK(text != NULL && copies(text, n, n));
        free(text);
    }
}

static void the_first_special_byte_ends_a_run(void) {
    for (size_t n = 1; n <= MOST; n += STEP) {
        unsigned char *const text = plain_text(n);
        for (size_t at = 0; text != NULL && at < n; at++) {
            const unsigned char before = text[at];
            text[at] = specials[(n + at) % sizeof specials];
            text[n - 1] = at % 2 != 0 ? '"' : text[n - 1];
            CHECK(copies(text, n, at));
            text[at] = before;
            text[n - 1] = plains[(n - 1) % sizeof plains];
        }
        free(text);
    }
}

static void every_byte_is_special_or_not_as_a_single_one(void) {
    for (unsigned c = 0; c <= UINT8_MAX; c++) {
        unsigned char text[GUARD];
        memset(text, 'x', sizeof text);
        text[1] = (unsigned char)c;
        CHECK(copies(text, sizeof text, mcpw_is_special((unsigned char)c) ? 1 : sizeof text));
    }
}

/* The text between quotes, character by character; SIZE_MAX: the text is no UTF-8. */
static size_t put_by_characters(unsigned char *to, const unsigned char *text, size_t n) {
    unsigned char *const start = to;
    for (size_t i = 0; i < n;) {
        const unsigned len = mcpw_utf8_length(text + i, n - i);
        if (len == 0) {
            return SIZE_MAX;
        }
        if (mcpw_needs_escape(text[i])) {
            to = mcpw_put_escape(to, text[i]);
        } else {
            memcpy(to, text + i, len);
            to += len;
        }
        i += len;
    }
    return (size_t)(to - start);
}

/* The same by the path at hand, with no more room than is due wherever it stops. */
static size_t put_by_path(unsigned char *to, const unsigned char *text, size_t n, size_t room) {
    unsigned char *const start = to;
    const unsigned char *const end = text + n;
    while (text != end) {
        const unsigned char *const limit = to + (end - text) + room;
        const unsigned char *const from = text;
        text = mcpw_runs_here()->put(&to, text, end, limit);
        if (text == NULL) {
            return SIZE_MAX;
        }
        CHECK(text > from && to <= limit + MCPW_PUT_SLACK);
    }
    return (size_t)(to - start);
}

static bool puts_alike(const unsigned char *text, size_t n) {
    static unsigned char want[MOST * MCPW_ESCAPE_SIZE + MCPW_PUT_SLACK];
    static unsigned char got[MOST * MCPW_ESCAPE_SIZE + 2 * MCPW_PUT_SLACK];
    const size_t size = put_by_characters(want, text, n);
    bool alike = true;
    for (size_t room = 0; alike && room <= GUARD; room += GUARD) {
        alike = put_by_path(got, text, n, room) == size && (size == SIZE_MAX || memcmp(got, want, size) == 0);
    }
    return alike;
}

/* A text of its very length that ends in n bytes. */
static bool judges_utf8(size_t before, const unsigned char *bytes, size_t n, size_t behind) {
    const size_t len = before + n + behind;
    unsigned char *const text = plain_text(len);
    if (text == NULL) {
        return false;
    }
    memcpy(text + before, bytes, n);
    const bool good = puts_alike(text, len);
    free(text);
    return good;
}

static void every_pair_of_bytes_begins_utf8_or_does_not(void) {
    for (unsigned first = 0x80; first <= UINT8_MAX; first++) {
        for (unsigned second = 0; second <= UINT8_MAX; second++) {
            const unsigned char bytes[] = {(unsigned char)first, (unsigned char)second, 0x80, 0xbf};
            CHECK(judges_utf8(GUARD - 1, bytes, 2, 1)); /* across two lanes */
            CHECK(judges_utf8(GUARD - 2, bytes, 3, 1));
            CHECK(judges_utf8(GUARD - 3, bytes, 4, 1));
            CHECK(judges_utf8(1, bytes, 4, 0));
        }
    }
}

static void characters_are_utf8_wherever_they_are_and_not_cut_off(void) {
    static const unsigned char characters[][MCPW_CHARACTER_SIZE] = {{0xc2, 0x80},
                                                                    {0xe0, 0xa0, 0x80},
                                                                    {0xed, 0x9f, 0xbf},
                                                                    {0xf0, 0x90, 0x80, 0x80},
                                                                    {0xf4, 0x8f, 0xbf, 0xbf}};
    for (size_t at = 0; at <= 3 * GUARD; at++) {
        for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
            const unsigned char *const c = characters[i];
            const size_t size = mcpw_utf8_sequence(c, MCPW_CHARACTER_SIZE);
            for (size_t n = 1; n <= size; n++) {
                CHECK(judges_utf8(at, c, n, 0));
                CHECK(judges_utf8(at, c, n, GUARD));
                CHECK(judges_utf8(at, c + size - n, n, GUARD)); /* its end alone */
            }
        }
    }
}

static void every_byte_becomes_an_escape_or_stays(void) {
    for (unsigned c = 0; c <= UINT8_MAX; c++) {
        for (size_t n = 1; n <= 2 * GUARD; n++) {
            unsigned char *const text = plain_text(n);
            CHECK(text != NULL);
            text[n - 1] = (unsigned char)c;
            text[n / 2] = (unsigned char)(c * STEP);
            CHECK(puts_alike(text, n));
            free(text);
        }
    }
}

static void a_text_of_nothing_but_escapes_has_room(void) {
    unsigned char text[MOST];
    memset(text, '"', sizeof text);
    CHECK(puts_alike(text, sizeof text));
    memset(text, 1, sizeof text);
    CHECK(puts_alike(text, sizeof text));
    CHECK(puts_alike(text, 0));
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* Pieces that are plain, escapes, characters of every length and, in one text of a few, broken ones. */
static void fill_random(unsigned char *text, size_t n, unsigned *state) {
    static const char pieces[][GUARD / 4] = {
        "plain",        "plainest text",    "\"",   "\\",           "\n",  "\x01", "\xc3\xa9",
        "\xe6\x97\xa5", "\xf0\x9f\x98\x80", "\x7f", "\xed\xa0\x80", "\xc3"};
    const unsigned broken = next_random(state) % 4 == 0 ? 0 : 2; /* of them, how many are left out */
    for (size_t i = 0; i < n;) {
        const char *const piece = pieces[next_random(state) % (sizeof pieces / sizeof pieces[0] - broken)];
        size_t len = strlen(piece);
        len = len < n - i || broken == 0 ? len : 1;
        len = len < n - i ? len : n - i;
        memcpy(text + i, len == 1 && broken != 0 ? "x" : piece, len);
        i += len;
    }
}

static void random_texts_of_every_length_at_every_place(void) {
    enum { LONGEST = 200, ROUNDS = 4 };
    unsigned state = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t n = 0; n <= LONGEST; n++) {
            for (size_t at = 0; at < GUARD; at++) {
                unsigned char *const memory = malloc(at + n + 1);
                CHECK(memory != NULL);
                fill_random(memory + at, n, &state);
                CHECK(puts_alike(memory + at, n));
                free(memory);
            }
        }
    }
}

int main(void) {
    RUN(plain_texts_of_every_length_are_copied);
    RUN(the_first_special_byte_ends_a_run);
    RUN(every_byte_is_special_or_not_as_a_single_one);
    RUN(every_pair_of_bytes_begins_utf8_or_does_not);
    RUN(characters_are_utf8_wherever_they_are_and_not_cut_off);
    RUN(every_byte_becomes_an_escape_or_stays);
    RUN(a_text_of_nothing_but_escapes_has_room);
    RUN(random_texts_of_every_length_at_every_place);
    return check_end();
}
