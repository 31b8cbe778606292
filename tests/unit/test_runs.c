/* SPDX-License-Identifier: MIT */
/* Long runs of bytes on the path at hand: copying and scanning stop at the first special byte, wherever it
 * is, read nothing behind the text, and write nothing behind its length. */
#include "check.h"

#include "characters.h"
#include "runs.h"

#include <stdlib.h>

enum { MOST = 600, GUARD = 64, STEP = 7 };

static const unsigned char specials[] = {'"', '\\', 0, 0x1f, 0x80, 0xff};
static const unsigned char plains[] = {' ', '!', '#', '[', ']', '~', 0x7f};

/* A text of its very length, so that a tool that watches memory sees what is read behind it. */
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

int main(void) {
    RUN(plain_texts_of_every_length_are_copied);
    RUN(the_first_special_byte_ends_a_run);
    RUN(every_byte_is_special_or_not_as_a_single_one);
    return check_end();
}
