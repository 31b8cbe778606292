/* SPDX-License-Identifier: MIT */
/* Long runs by AVX2. */
#include "masks.h"
#include "runs.h"

#if defined(MCPW_HAS_PATHS)
#include "lane_avx2.h"
#include "lane_runs.h"

MCPW_LANE_TARGET static const unsigned char *scan(const unsigned char *p, const unsigned char *end) {
    return mcpw_lane_scan(p, end);
}

MCPW_LANE_TARGET static size_t copy(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_lane_copy(to, from, n);
}

MCPW_LANE_TARGET static bool is_utf8(const unsigned char *text, size_t n) {
    return mcpw_lane_is_utf8(text, n);
}

MCPW_LANE_TARGET static unsigned char *escape(unsigned char *to, const unsigned char *from, size_t n) {
    return mcpw_lane_escape(to, from, n);
}

enum { MASKS_FROM = 8192 }; /* measured: below so many bytes the plain way is as fast */

const mcpw_runs mcpw_runs_avx2 = {MCPW_LANE_NAME, scan, copy, is_utf8, escape, NULL, SIZE_MAX};
const mcpw_runs mcpw_runs_masks = {"masks", scan, copy, is_utf8, escape, mcpw_masks_avx2, MASKS_FROM};
#endif
