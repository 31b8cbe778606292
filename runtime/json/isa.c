/* SPDX-License-Identifier: MIT */
/* Chooses the way of looking at long runs that is the processor's best. */
#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
/* AMD's processors before Zen 3 have slow PEXT and PDEP. */
static bool has_masks(void) {
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
           !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

const mcpw_runs *mcpw_runs_here(void) {
    if (!__builtin_cpu_supports("avx2")) {
        return &mcpw_runs_plain;
    }
    if (!has_masks()) {
        return &mcpw_runs_avx2;
    }
    return has_avx512() ? &mcpw_runs_avx512 : &mcpw_runs_masks;
}
#else
const mcpw_runs *mcpw_runs_here(void) { return &mcpw_runs_plain; }
#endif
