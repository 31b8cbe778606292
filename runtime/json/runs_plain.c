/* SPDX-License-Identifier: MIT */
/* Long runs by the blocks that every processor of the kind has. */
#include "block_runs.h"
#include "runs.h"

static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_block_scan(p, end);
}

static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_block_copy(to, from, n);
}

static bool plain(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_block_copy(to, from, n) == n;
}

static const unsigned char *put(unsigned char **to, const unsigned char *from, const unsigned char *end,
                                const unsigned char *limit) {
    return mcpw_block_put(to, from, end, limit);
}

const mcpw_runs mcpw_runs_plain = {MCPW_BLOCK_NAME, scan, copy, plain, put};
