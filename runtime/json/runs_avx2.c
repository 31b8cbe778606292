/* SPDX-License-Identifier: MIT */
/* Long runs by AVX2. */
#include "masks.h"
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

MCPW_BLOCK_TARGET static const unsigned char *put(unsigned char **to, const unsigned char *from,
                                                  const unsigned char *end, const unsigned char *limit) {
    return mcpw_put(to, from, end, limit, copy);
}

enum { MASKS_FROM = 8192 }; /* measured: below so many bytes the plain way is as fast */

const mcpw_runs mcpw_runs_avx2 = {MCPW_BLOCK_NAME, scan, copy, put, NULL, SIZE_MAX};
const mcpw_runs mcpw_runs_masks = {"masks", scan, copy, put, mcpw_masks_avx2, MASKS_FROM};
#endif
