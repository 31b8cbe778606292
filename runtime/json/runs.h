/* SPDX-License-Identifier: MIT */
/*
 * What is asked about long runs of bytes. Where the processor has wider registers than the program was
 * compiled for, they answer. Which they are is looked up when a long run is met and never before, so that
 * short messages do not pay for it. Short runs are looked at by blocks (block.h).
 */
#ifndef MCPW_RUNS_H
#define MCPW_RUNS_H

#include <mcpw/base.h>

#include <stdbool.h>

/* See masks.h. */
typedef size_t mcpw_skipper(const unsigned char *from, size_t len, unsigned char *to, unsigned depth,
                            size_t *copied);

enum { MCPW_ESCAPE_STEP = 64, MCPW_ESCAPED_STEP = 7 * MCPW_ESCAPE_STEP };

typedef struct mcpw_runs {
    const char *name;

    /* The first special byte (see block.h) in p..end, or the end. */
    const unsigned char *(*scan)(const unsigned char *p, const unsigned char *end);

    /* Copies n bytes up to the first that is special; returns how many come before it. `to` has room for n:
     * what is written behind those that count are bytes of the source, too. */
    size_t (*copy)(unsigned char *to, const unsigned char *from, size_t n);

    /* Whether n bytes are UTF-8. */
    bool (*is_utf8)(const unsigned char *text, size_t n);

    /* Copies n bytes, at most MCPW_ESCAPE_STEP, as they stand between quotes: what cannot stand there as it
     * is becomes an escape. Returns the place behind them; as many as MCPW_ESCAPED_STEP may be written. */
    unsigned char *(*escape)(unsigned char *to, const unsigned char *from, size_t n);

    /* Of an array or object; NULL where the processor has no fast instructions for it. */
    mcpw_skipper *skip;
    size_t skips_from; /* bytes of a text from which on that pays */
} mcpw_runs;

/* The best way of this processor (path.c; a test may link a function of its own). */
const mcpw_runs *mcpw_runs_here(void);

/* The registers that the program was compiled for (runs_plain.c). */
extern const mcpw_runs mcpw_runs_plain;

/* Whether there is more than one way. */
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(MCPW_NO_SIMD) &&            \
    !defined(MCPW_SMALL)
#define MCPW_HAS_ISA_VARIANTS 1
extern const mcpw_runs mcpw_runs_avx2;   /* runs_avx2.c */
extern const mcpw_runs mcpw_runs_masks;  /* the same with masks */
extern const mcpw_runs mcpw_runs_avx512; /* masks and copies by wider registers (runs_avx512.c) */
#endif

#endif
