/* SPDX-License-Identifier: MIT */
/* Chooses the way of looking at long runs that is the processor's best. */
#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
const mcpw_runs *mcpw_runs_here(void) {
    return __builtin_cpu_supports("avx2") ? &mcpw_runs_avx2 : &mcpw_runs_plain;
}
#else
const mcpw_runs *mcpw_runs_here(void) { return &mcpw_runs_plain; }
#endif
