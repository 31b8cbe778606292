/* SPDX-License-Identifier: MIT */
#include "runs.h"

#if defined(MCPW_HAS_PATHS)
#include "characters.h"
#include "lane_avx2.h"
#include "runs.inc"

const mcpw_runs mcpw_runs_avx2 = {MCPW_LANE_NAME, scan, copy};
#endif
