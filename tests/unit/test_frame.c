/* SPDX-License-Identifier: MIT */
#include <mcpw/detail/framer.h>
#include <mcpw/frame.h>

#include "check.h"
#include "counting_allocator.h"

enum { LIMIT = 8, RANDOM_SPLITS = 2000 };

/* The output of a framer, in order: lines joined by '|', refusals as '!', losses as '?'. */
typedef struct heard {
    char text[4096];
    size_t len;
} heard;

static void hear(heard *h, const char *bytes, size_t len) {
    if (h->len + len + 1 < sizeof h->text) {
        memcpy(h->text + h->len, bytes, len);
        h->len += len;
        h->text[h->len++] = '|';
    }
}

/* Feeds one piece, from memory of exactly its size so that a sanitizer sees a read beyond it. */
static void feed(mcpw_framer *framer, const char *piece, size_t len, heard *h) {
    char *const copy = malloc(len != 0 ? len : 1);
    const char *at = copy;
    mcpw_str line = {NULL, 0};
    mcpw_status status = MCPW_OK;
    if (copy == NULL) {
        return;
    }
    memcpy(copy, piece, len);
    while (status != MCPW_PENDING) {
        status = mcpw_framer_next(framer, &at, &len, &line);
        if (status == MCPW_OK) {
            hear(h, line.ptr, line.len);
        } else if (status == MCPW_E_SIZE) {
            hear(h, "!", 1);
        } else if (status == MCPW_E_MEMORY) {
            hear(h, "?", 1);
        }
    }
    CHECK(len == 0);
    free(copy);
}

static void end(mcpw_framer *framer, heard *h) {
    mcpw_str line = {NULL, 0};
    const mcpw_status status = mcpw_framer_end(framer, &line);
    if (status == MCPW_OK) {
        hear(h, line.ptr, line.len);
    } else if (status != MCPW_PENDING) {
        hear(h, "?", 1);
    }
    CHECK(mcpw_framer_end(framer, &line) == MCPW_PENDING);
}

static const char sample[] =
    "one\ntwo\r\n\n\r\n\r\r\n12345678\n12345678\r\n123456789\nx\r123456\n1234567\r\r\n"
    "123456789abcdef\r\n\xff\xfe\x01\nlast\r";
static const char sample_lines[] = "one|two|\r|12345678|12345678|!|x\r123456|1234567\r|!|\xff\xfe\x01|last|";

static mcpw_framer limited(void) {
    mcpw_framer framer = MCPW_FRAMER_INIT;
    framer.limit = LIMIT;
    return framer;
}

static void any_two_pieces_give_the_same_lines(void) {
    for (size_t cut = 0; cut < sizeof sample; cut++) {
        mcpw_framer framer = limited();
        heard h = {{0}, 0};
        feed(&framer, sample, cut, &h);
        feed(&framer, sample + cut, sizeof sample - 1 - cut, &h);
        end(&framer, &h);
        CHECK_TEXT(h.text, h.len, sample_lines);
        mcpw_framer_free(&framer);
    }
}

static void pieces_of_any_one_size_give_the_same_lines(void) {
    for (size_t size = 1; size < sizeof sample; size++) {
        mcpw_framer framer = limited();
        heard h = {{0}, 0};
        for (size_t at = 0; at < sizeof sample - 1; at += size) {
            const size_t rest = sizeof sample - 1 - at;
            feed(&framer, sample + at, rest < size ? rest : size, &h);
        }
        end(&framer, &h);
        CHECK_TEXT(h.text, h.len, sample_lines);
        mcpw_framer_free(&framer);
    }
}

static void random_pieces_give_the_same_lines(void) {
    unsigned seed = 1;
    for (int round = 0; round < RANDOM_SPLITS; round++) {
        mcpw_framer framer = limited();
        heard h = {{0}, 0};
        size_t at = 0;
        while (at < sizeof sample - 1) {
            const size_t rest = sizeof sample - 1 - at;
            size_t size;
            seed = seed * 1103515245U + 12345U;
            size = (seed >> 16) % 9U;
            size = size < rest ? size : rest;
            feed(&framer, sample + at, size, &h);
            at += size;
        }
        end(&framer, &h);
        CHECK_TEXT(h.text, h.len, sample_lines);
        mcpw_framer_free(&framer);
    }
}

static void a_whole_line_is_not_copied(void) {
    mcpw_framer framer = MCPW_FRAMER_INIT;
    const char text[] = "{}\n{}\r\n";
    const char *at = text;
    size_t len = sizeof text - 1;
    mcpw_str line = {NULL, 0};
    CHECK(mcpw_framer_next(&framer, &at, &len, &line) == MCPW_OK && line.ptr == text && line.len == 2);
    CHECK(mcpw_framer_next(&framer, &at, &len, &line) == MCPW_OK && line.ptr == text + 3 && line.len == 2);
    CHECK(mcpw_framer_next(&framer, &at, &len, &line) == MCPW_PENDING && len == 0);
    CHECK(framer.kept.capacity == 0);
    mcpw_framer_free(&framer);
}

static void a_nul_byte_is_content(void) {
    mcpw_framer framer = MCPW_FRAMER_INIT;
    const char text[] = "a\0b\n";
    const char *at = text;
    size_t len = sizeof text - 1;
    mcpw_str line = {NULL, 0};
    CHECK(mcpw_framer_next(&framer, &at, &len, &line) == MCPW_OK);
    CHECK(line.len == 3 && memcmp(line.ptr, "a\0b", 3) == 0);
    mcpw_framer_free(&framer);
}

static void a_line_is_refused_as_soon_as_it_is_too_long(void) {
    mcpw_framer framer = limited();
    heard h = {{0}, 0};
    feed(&framer, "12345678", 8, &h);
    CHECK_TEXT(h.text, h.len, "");
    feed(&framer, "9", 1, &h);
    CHECK_TEXT(h.text, h.len, "!|");
    feed(&framer, "abcdefghijkl", 12, &h);
    end(&framer, &h);
    CHECK_TEXT(h.text, h.len, "!|");
    mcpw_framer_free(&framer);
}

static void no_more_than_the_limit_is_kept(void) {
    mcpw_framer framer = limited();
    heard h = {{0}, 0};
    for (int i = 0; i < 100; i++) {
        feed(&framer, "xxxx", 4, &h);
        CHECK(framer.kept.len <= LIMIT);
    }
    CHECK_TEXT(h.text, h.len, "!|");
    mcpw_framer_free(&framer);
}

static void lines_given_and_refused_are_counted(void) {
    mcpw_framer framer = limited();
    heard h = {{0}, 0};
    feed(&framer, "a\n\n\r\n123456789\nb\nc", 19, &h);
    CHECK(framer.line_number == 3);
    end(&framer, &h);
    CHECK(framer.line_number == 4);
    mcpw_framer_free(&framer);
}

static void the_end_of_input_leaves_the_framer_usable(void) {
    mcpw_framer framer = limited();
    heard h = {{0}, 0};
    feed(&framer, "123456789", 9, &h);
    end(&framer, &h);
    feed(&framer, "one", 3, &h);
    end(&framer, &h);
    feed(&framer, "two\n", 4, &h);
    CHECK_TEXT(h.text, h.len, "!|one|two|");
    mcpw_framer_free(&framer);
}

static void memory_of_a_very_long_line_is_given_back(void) {
    counting memory = {0};
    mcpw_framer framer = MCPW_FRAMER_INIT;
    heard h = {{0}, 0};
    static char block[1 << 16];
    framer.kept.allocator = counting_allocator(&memory);
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 128; i++) {
        feed(&framer, block, sizeof block, &h);
    }
    CHECK(memory.in_use >= 128 * sizeof block);
    feed(&framer, "\nnext", 5, &h);
    CHECK(memory.in_use < 128 * sizeof block / 8);
    mcpw_framer_free(&framer);
    CHECK(memory.in_use == 0);
}

static void a_steady_load_allocates_nothing(void) {
    counting memory = {0};
    mcpw_framer framer = MCPW_FRAMER_INIT;
    size_t before = 0;
    framer.kept.allocator = counting_allocator(&memory);
    for (int i = 0; i < 100; i++) {
        heard h = {{0}, 0};
        feed(&framer, "beginning", 9, &h);
        feed(&framer, " and end\n", 9, &h);
        CHECK_TEXT(h.text, h.len, "beginning and end|");
        before = i == 0 ? memory.calls : before;
    }
    CHECK(memory.calls == before);
    mcpw_framer_free(&framer);
}

/* Whichever allocation fails, only the line that needed it is lost, and it is lost once. */
static void a_line_is_lost_when_memory_runs_out_and_the_next_is_given(void) {
    static char block[600];
    memset(block, 'x', sizeof block);
    for (size_t fail_at = 1; fail_at <= 8; fail_at++) {
        counting memory = {.fail_at = fail_at};
        mcpw_framer framer = MCPW_FRAMER_INIT;
        heard h = {{0}, 0};
        framer.kept.allocator = counting_allocator(&memory);
        for (int i = 0; i < 4; i++) {
            feed(&framer, block, sizeof block, &h);
        }
        feed(&framer, "\n", 1, &h);
        if (memory.calls >= fail_at) {
            CHECK_TEXT(h.text, h.len, "?|");
        } else {
            CHECK(h.len == 4 * sizeof block + 1);
        }
        h.len = 0;
        memory.fail_at = 0;
        feed(&framer, "ne", 2, &h);
        feed(&framer, "xt\n", 3, &h);
        CHECK_TEXT(h.text, h.len, "next|");
        mcpw_framer_free(&framer);
        CHECK(memory.in_use == 0);
    }
}

static void a_line_whose_end_does_not_fit_is_over_all_the_same(void) {
    counting memory = {.fail_at = 2};
    mcpw_framer framer = MCPW_FRAMER_INIT;
    heard h = {{0}, 0};
    static char block[600];
    memset(block, 'x', sizeof block);
    memcpy(block + sizeof block - 6, "\nnext\n", 6);
    framer.kept.allocator = counting_allocator(&memory);
    feed(&framer, "beginning ", 10, &h);
    feed(&framer, block, sizeof block, &h);
    CHECK_TEXT(h.text, h.len, "?|next|");
    mcpw_framer_free(&framer);
}

int main(void) {
    RUN(any_two_pieces_give_the_same_lines);
    RUN(pieces_of_any_one_size_give_the_same_lines);
    RUN(random_pieces_give_the_same_lines);
    RUN(a_whole_line_is_not_copied);
    RUN(a_nul_byte_is_content);
    RUN(a_line_is_refused_as_soon_as_it_is_too_long);
    RUN(no_more_than_the_limit_is_kept);
    RUN(lines_given_and_refused_are_counted);
    RUN(the_end_of_input_leaves_the_framer_usable);
    RUN(memory_of_a_very_long_line_is_given_back);
    RUN(a_steady_load_allocates_nothing);
    RUN(a_line_is_lost_when_memory_runs_out_and_the_next_is_given);
    RUN(a_line_whose_end_does_not_fit_is_over_all_the_same);
    return check_end();
}
