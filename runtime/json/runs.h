/* SPDX-License-Identifier: MIT */
/*
 * What is asked about long runs of bytes. Where the processor has wider registers than the program was
 * compiled for, they answer: which they are is looked up when a long run is met, never before, so that short
 * messages do not pay for it. Short runs are looked at by lanes (lane.h).
 */
#ifndef MCPW_RUNS_H
#define MCPW_RUNS_H

#include <mcpw/base.h>

#include <stdbool.h>

typedef struct mcpw_runs {
    const char *name;

    /* The first special byte (see lane.h) in p..end, or the end. */
    const unsigned char *(*scan)(const unsigned char *p, const unsigned char *end);

    /* Copies n bytes up to the first that is special; returns how many come before it. `to` has room for n:
     * what is written behind those that count are bytes of the source, too. */
    size_t (*copy)(unsigned char *to, const unsigned char *from, size_t n);
} mcpw_runs;

/* The way of this processor (path.c). */
const mcpw_runs *mcpw_runs_here(void);

/* The ways that this build has, without those that the processor lacks, from the plainest to the best; NULL
 * behind the last. For tests: a program may bring a path.c of its own. */
const mcpw_runs *mcpw_runs_number(unsigned index);

/* The registers that the program was compiled for (runs_plain.c). */
extern const mcpw_runs mcpw_runs_plain;

/* Whether there is more than one way. */
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(MCPW_NO_SIMD) &&            \
    !defined(MCPW_SMALL)
#define MCPW_HAS_PATHS 1
extern const mcpw_runs mcpw_runs_avx2; /* runs_avx2.c */
#endif

#endif
