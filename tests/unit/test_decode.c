/* SPDX-License-Identifier: MIT */
/* Decoding by table, where the oracle has no eye for it: numbers to the last bit, keys and texts at the edges
 * of what the reader looks at together, long strings, deep values. */
#include <mcp/2025-11-25.h>

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

enum { RANDOM_NUMBERS = 50000, MANTISSA_DIGITS = 16, LONG_TEXT = 100000, NEAR_END = 16000 };

static mcpw_arena arena = MCPW_ARENA_INIT;

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static mcpw_status decode_progress(const char *number, double *out) {
    char text[512];
    mcp_20251125_progress_notification_params params;
    const int len = snprintf(text, sizeof text, "{\"progressToken\":1,\"progress\":%s}", number);
    mcpw_status status;
    mcpw_arena_reset(&arena);
    status = mcp_20251125_progress_notification_params_decode(text, (size_t)len, &arena, &params, NULL, NULL);
    *out = params.progress;
    return status;
}

/* The fast way of the reader rounds once, whatever the machine's registers are: x87 would round twice. */
static void decimals_are_read_to_the_nearest_double(void) {
    uint64_t state = 4711;
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
        char number[64];
        double got = 0;
        double want;
        const uint64_t bits = next_random(&state);
        const unsigned long long mantissa = bits % UINT64_C(9007199254740992);
        const int fraction = (int)(bits >> 58) % MANTISSA_DIGITS + 1;
        unsigned long long power = 1;
        for (int k = 0; k < fraction; k++) {
            power *= 10;
        }
        (void)snprintf(number, sizeof number, "%llu.%0*llu", mantissa / power, fraction, mantissa % power);
        want = strtod(number, NULL);
        if (decode_progress(number, &got) != MCPW_OK || memcmp(&got, &want, sizeof got) != 0) {
            (void)fprintf(stderr, "%s: got %a, want %a\n", number, got, want);
            CHECK(memcmp(&got, &want, sizeof got) == 0);
            return;
        }
    }
}

/* Text longer than what is copied at once, with what is special at each place around the blocks. */
static void long_texts_are_read_whole(void) {
    static const char *const specials[] = {"\xe2\x82\xac", "\\u20ac", "\\n", "\xc3\xa9\\\""};
    static const char begin[] = "{\"method\":\"x\",\"name\":\"";
    enum { NEAR_BLOCK = 8192, AROUND = 40, STEP = 1920, BLOCKS = 5 };
    char *const text = malloc(LONG_TEXT);
    CHECK(text != NULL);
    for (size_t k = 0; text != NULL && k < sizeof specials / sizeof *specials; k++) {
        for (size_t block = 0; block < BLOCKS; block++) {
            const size_t middle = NEAR_BLOCK + block * STEP;
            for (size_t at = middle - AROUND; at < middle + AROUND; at++) {
                mcp_20251125_prompt prompt;
                const size_t end = middle + NEAR_BLOCK;
                size_t len = sizeof begin - 1;
                memset(text, 'a', LONG_TEXT);
                memcpy(text, begin, len);
                memcpy(text + at, specials[k], strlen(specials[k]));
                memcpy(text + end, "\"}", 2);
                len = end + 2;
                mcpw_arena_reset(&arena);
                CHECK(mcp_20251125_prompt_decode(text, len, &arena, &prompt, NULL, NULL) == MCPW_OK);
                CHECK(prompt.name.len == end - (sizeof begin - 1) - strlen(specials[k]) + (k == 2 ? 1U : 3U));
            }
        }
    }
    free(text);
}

/* Unknown members with long names and texts: skipped, not decoded. */
static void long_texts_are_skipped_whole(void) {
    char *const text = malloc(LONG_TEXT);
    CHECK(text != NULL);
    for (size_t shift = 0; text != NULL && shift < 64; shift++) {
        mcp_20251125_prompt prompt;
        size_t len = 0;
        len += (size_t)snprintf(text + len, LONG_TEXT - len, "{\"name\":\"n\",\"");
        memset(text + len, 'k', NEAR_END - len + shift);
        len = NEAR_END + shift;
        len += (size_t)snprintf(text + len, LONG_TEXT - len, "\\u0041\xc3\xa9\":[%*s1.5e-3 , \"",
                                (int)shift * 50, "");
        memset(text + len, 'v', NEAR_END);
        len += NEAR_END;
        len += (size_t)snprintf(text + len, LONG_TEXT - len, "\\ud83d\\ude00\xf0\x9f\x98\x80\"]%*s}",
                                (int)shift * 50, "");
        mcpw_arena_reset(&arena);
        CHECK(mcp_20251125_prompt_decode(text, len, &arena, &prompt, NULL, NULL) == MCPW_OK);
        CHECK(prompt.extra.count == 1 && prompt.extra.items[0].value.ptr[0] == '[');
    }
    free(text);
}

int main(void) {
    RUN(decimals_are_read_to_the_nearest_double);
    RUN(long_texts_are_read_whole);
    RUN(long_texts_are_skipped_whole);
    mcpw_arena_free(&arena);
    return check_end();
}
