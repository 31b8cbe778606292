/* SPDX-License-Identifier: MIT */
/*
 * Questions about long runs of bytes. If the processor has wider registers than the program was compiled for,
 * they answer. They are looked up when a long run is met and never before, so that short messages do not pay
 * for it. Short runs are looked at by blocks (block.h).
 */
#ifndef MCPW_RUNS_H
#define MCPW_RUNS_H

#include <mcpw/base.h>

#include <stdbool.h>

typedef size_t mcpw_copier(unsigned char *to, const unsigned char *from, size_t n);

enum { MCPW_PUT_SLACK = 512 }; /* a block of nothing but long escapes, and a copy of a block */

enum { MCPW_RUN_LEAST = 64, MCPW_RUN_MOST = 512 }; /* bytes of a run that is copied before it is looked at */

typedef struct mcpw_runs {
    const char *name;

    /* The first special byte (see block.h) in p..end, or the end. */
    const unsigned char *(*scan)(const unsigned char *p, const unsigned char *end);

    /* Copies n bytes up to the first that is special; returns how many come before it. `to` has room for n:
     * what is written after those that count are bytes of the source, too. */
    mcpw_copier *copy;

    /* Copies n bytes, MCPW_RUN_LEAST to MCPW_RUN_MOST, and returns whether none of them is special. */
    bool (*plain)(unsigned char *to, const unsigned char *from, size_t n);

    /* Writes the text from..end as it stands between quotes: UTF-8 as it is, and escapes. Returns how far it
     * came; NULL: that is no UTF-8. It stops before the end where what is left, as it is, would pass limit;
     * it takes a byte at least where that holds at the start. *to moves past what was written, beyond which
     * MCPW_PUT_SLACK bytes past the limit may be written, too. */
    const unsigned char *(*put)(unsigned char **to, const unsigned char *from, const unsigned char *end,
                                const unsigned char *limit);
} mcpw_runs;

/* The best way of this processor (isa.c; a test may link a function of its own). */
const mcpw_runs *mcpw_runs_here(void);

/* The registers that the program was compiled for (runs_plain.c). */
extern const mcpw_runs mcpw_runs_plain;

/* Whether there is more than one way. */
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(MCPW_NO_SIMD) &&            \
    !defined(MCPW_SMALL)
#define MCPW_HAS_ISA_VARIANTS 1
extern const mcpw_runs mcpw_runs_avx2; /* runs_avx2.c */
#endif

#endif
