/* SPDX-License-Identifier: MIT */
#include "characters.h"
#include "lane.h"
#include "runs.h"

#define MCPW_LANE_TARGET
#include "runs.inc"

const mcpw_runs mcpw_runs_plain = {MCPW_LANE_NAME, scan, copy};
