/* SPDX-License-Identifier: MIT */
/* Masks by AVX2. */
#include "masks.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
#include "mask_block_avx2.h"

#include "masks_skip.inc"

MCPW_MASK_BLOCK_TARGET size_t mcpw_masks_avx2(const unsigned char *from, size_t len, unsigned char *to,
                                              unsigned depth, size_t *copied) {
    return skip_by_masks(from, len, to, depth, copied);
}
#endif
