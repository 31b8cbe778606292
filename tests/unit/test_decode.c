/* SPDX-License-Identifier: MIT */
/* Decoding by table, where the oracle has no eye for it: numbers to the last bit, keys and texts at the edges
 * of what the reader looks at together, long strings, deep values. */
#include <mcp/2025-11-25.h>

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

enum { RANDOM_NUMBERS = 50000, MANTISSA_DIGITS = 16, LONG_TEXT = 100000 };

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

int main(void) {
    RUN(decimals_are_read_to_the_nearest_double);
    mcpw_arena_free(&arena);
    return check_end();
}
