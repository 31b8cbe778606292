/* SPDX-License-Identifier: MIT */
/*
 * Long runs of bytes by every path of the processor: what wider registers find is what a loop over the bytes
 * finds.
 */
#include <mcpw/error.h>

#include "fuzz.h"

#include "characters.h"
#include "runs.h"

static size_t plain_run(const unsigned char *text, size_t len) {
    size_t n = 0;
    while (n < len && !mcpw_is_special(text[n])) {
        n++;
    }
    return n;
}

/* The text between quotes, character by character; SIZE_MAX: the text is no UTF-8. */
static size_t put_by_characters(unsigned char *to, const unsigned char *text, size_t len) {
    unsigned char *const start = to;
    unsigned n = 1;
    for (size_t done = 0; done < len; done += n) {
        n = mcpw_utf8_length(text + done, len - done);
        if (n == 0) {
            return SIZE_MAX;
        }
        if (mcpw_needs_escape(text[done])) {
            to = mcpw_put_escape(to, text[done]);
            continue;
        }
        memcpy(to, text + done, n);
        to += n;
    }
    return (size_t)(to - start);
}

static void check_put(const mcpw_runs *runs, const unsigned char *text, size_t len) {
    const size_t room = len * MCPW_ESCAPE_SIZE + MCPW_PUT_SLACK;
    unsigned char *const want = fuzz_alloc(room);
    unsigned char *const got = fuzz_alloc(room);
    const size_t size = put_by_characters(want, text, len);
    const unsigned char *from = text;
    unsigned char *to = got;
    while (from != NULL && from != text + len) {
        from = runs->put(&to, from, text + len, to + (text + len - from));
    }
    FUZZ_ASSERT((from == NULL) == (size == SIZE_MAX));
    FUZZ_ASSERT(from == NULL || ((size_t)(to - got) == size && memcmp(got, want, size) == 0));
    free(want);
    free(got);
}

static void check_runs(const mcpw_runs *runs, const unsigned char *text, size_t len) {
    unsigned char *const copied = fuzz_alloc(len);
    check_put(runs, text, len);
    for (size_t from = 0; from < len; from++) {
        const size_t want = plain_run(text + from, len - from);
        FUZZ_ASSERT(runs->scan(text + from, text + len) == text + from + want);
        FUZZ_ASSERT(runs->copy(copied, text + from, len - from) == want);
        FUZZ_ASSERT(memcmp(copied, text + from, want) == 0);
        if (len - from >= MCPW_RUN_LEAST && len - from <= MCPW_RUN_MOST) {
            FUZZ_ASSERT(runs->plain(copied, text + from, len - from) == (want == len - from));
        }
        from += want;
    }
    free(copied);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    unsigned char *const text = (unsigned char *)fuzz_copy(h.text, h.len); /* nothing readable past it */
    check_runs(&mcpw_runs_plain, text, h.len);
    check_runs(mcpw_runs_here(), text, h.len);
    free(text);
    return 0;
}
