/* SPDX-License-Identifier: MIT */
/* In the place of the library's random bytes, so that an input does the same whenever it is run. */
#include "fuzz.h"

#include <mcpw/system.h>

static unsigned state;

void fuzz_seed_random(unsigned seed) { state = seed; }

mcpw_status mcpw_random(void *bytes, size_t len) {
    unsigned char *const out = bytes;
    for (size_t i = 0; i < len; i++) {
        state = state * 1103515245U + 12345U;
        out[i] = (unsigned char)(state >> 16);
    }
    return MCPW_OK;
}
