/* SPDX-License-Identifier: MIT */
/* In place of the library's isa.c: MCPW_TEST_ISA names the way to take (plain, avx2);
 * without it the best one is. A program ends with 77 where the processor, or the build, does not have it. */
#define mcpw_runs_here best_runs
#include "../../runtime/json/isa.c"
#undef mcpw_runs_here

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SKIPPED = 77 };

static const mcpw_runs *named(const char *name) {
    const mcpw_runs *const best = best_runs();
    if (strcmp(name, "plain") == 0) {
        return &mcpw_runs_plain;
    }
#if defined(MCPW_HAS_ISA_VARIANTS)
    if (strcmp(name, "avx2") == 0 && best != &mcpw_runs_plain) {
        return &mcpw_runs_avx2;
    }
#endif
    (void)fprintf(stderr, "skipped: no path %s here: the best is %s\n", name, best->name);
    exit(EXIT_SKIPPED);
}

const mcpw_runs *mcpw_runs_here(void) {
    static const mcpw_runs *chosen = NULL;
    if (chosen == NULL) {
        const char *const name = getenv("MCPW_TEST_ISA");
        chosen = name != NULL ? named(name) : best_runs();
    }
    return chosen;
}
