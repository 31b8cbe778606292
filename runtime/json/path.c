/* SPDX-License-Identifier: MIT */
/* Which of the ways to look at long runs is the processor's best. */
#include "runs.h"

#if defined(MCPW_HAS_PATHS)
const mcpw_runs *mcpw_runs_number(unsigned index) {
    __builtin_cpu_init();
    return index == 0                                     ? &mcpw_runs_plain
           : index == 1 && __builtin_cpu_supports("avx2") ? &mcpw_runs_avx2
                                                          : NULL;
}

const mcpw_runs *mcpw_runs_here(void) {
    return __builtin_cpu_supports("avx2") ? &mcpw_runs_avx2 : &mcpw_runs_plain;
}
#else
const mcpw_runs *mcpw_runs_number(unsigned index) { return index == 0 ? &mcpw_runs_plain : NULL; }

const mcpw_runs *mcpw_runs_here(void) { return &mcpw_runs_plain; }
#endif
