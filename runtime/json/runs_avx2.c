/* SPDX-License-Identifier: MIT */
/* Long runs by AVX2. */
#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
#include "block_avx2.h"
#include "block_runs.h"
#include "put_avx2.h"

MCPW_BLOCK_TARGET static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_block_scan(p, end);
}

MCPW_BLOCK_TARGET static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_block_copy(to, from, n);
}

MCPW_BLOCK_TARGET static bool plain(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_put_plain(to, from, n);
}

MCPW_BLOCK_TARGET static const unsigned char *put(unsigned char **to, const unsigned char *from,
                                                  const unsigned char *end, const unsigned char *limit) {
    return mcpw_put(to, from, end, limit, copy);
}

const mcpw_runs mcpw_runs_avx2 = {MCPW_BLOCK_NAME, scan, copy, plain, put};
#endif
