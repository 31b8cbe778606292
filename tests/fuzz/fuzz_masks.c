/* SPDX-License-Identifier: MIT */
/*
 * Long runs of bytes and raw values by every path of the processor: what wider registers find is what a loop
 * over the bytes finds, and what masks say of a value is what the scanner says, wherever it lies in a block.
 */
#include <mcpw/detail/text.h>

#include "fuzz.h"

#include "characters.h"
#include "masks_compare.h"
#include "runs.h"

enum { BLOCK = 64 };

static size_t plain_run(const unsigned char *text, size_t len) {
    size_t n = 0;
    while (n < len && !mcpw_is_special(text[n])) {
        n++;
    }
    return n;
}

static bool is_utf8(const unsigned char *text, size_t len) {
    size_t done = 0;
    unsigned n = 1;
    for (; done < len && n != 0; done += n) {
        n = mcpw_utf8_length(text + done, len - done);
    }
    return n != 0;
}

static void check_escapes(const mcpw_runs *runs, const unsigned char *text, size_t len) {
    for (size_t from = 0; from < len; from += MCPW_ESCAPE_STEP) {
        unsigned char got[MCPW_ESCAPED_STEP];
        unsigned char want[MCPW_ESCAPED_STEP];
        unsigned char *end = want;
        const size_t n = len - from < MCPW_ESCAPE_STEP ? len - from : MCPW_ESCAPE_STEP;
        for (size_t i = from; i < from + n; i++) {
            if (mcpw_needs_escape(text[i])) {
                end = mcpw_put_escape(end, text[i]);
            } else {
                *end++ = text[i];
            }
        }
        const size_t size = (size_t)(end - want);
        FUZZ_ASSERT(runs->escape(got, text + from, n) == got + size);
        FUZZ_ASSERT(memcmp(got, want, size) == 0);
    }
}

static void check_runs(const mcpw_runs *runs, const unsigned char *text, size_t len) {
    unsigned char *const copied = fuzz_alloc(len);
    FUZZ_ASSERT(runs->is_utf8(text, len) == is_utf8(text, len));
    check_escapes(runs, text, len);
    for (size_t from = 0; from < len; from++) {
        const size_t want = plain_run(text + from, len - from);
        FUZZ_ASSERT(runs->scan(text + from, text + len) == text + from + want);
        FUZZ_ASSERT(runs->copy(copied, text + from, len - from) == want);
        FUZZ_ASSERT(memcmp(copied, text + from, want) == 0);
        from += want;
    }
    free(copied);
}

/* The value, as it is and with up to a block of spaces behind its bracket. */
static void check_value(mcpw_skipper *skip, const unsigned char *text, size_t len, size_t spaces) {
    unsigned char *const moved = fuzz_alloc(len + spaces);
    bool valid = false;
    bool valid_moved = false;
    moved[0] = text[0];
    memset(moved + 1, ' ', spaces);
    memcpy(moved + 1 + spaces, text + 1, len - 1);
    FUZZ_ASSERT(masks_agree(skip, text, len, &valid));
    FUZZ_ASSERT(masks_agree(skip, moved, len + spaces, &valid_moved));
    FUZZ_ASSERT(valid == valid_moved);
    free(moved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    const mcpw_runs *const best = mcpw_runs_here();
    unsigned char *const text = (unsigned char *)fuzz_copy(h.text, h.len); /* nothing readable behind it */
    check_runs(&mcpw_runs_plain, text, h.len);
    check_runs(best, text, h.len);
    if (best->skip != NULL && h.len != 0 && (text[0] == '{' || text[0] == '[')) {
        check_value(best->skip, text, h.len, h.extra[0] % BLOCK);
    }
    free(text);
    return 0;
}
