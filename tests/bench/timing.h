/* SPDX-License-Identifier: MIT */
/* The comparison of one class, and how it measures: short timed slices of all contenders in turn,
 * so that a change of the clock rate or a busy neighbour hits all of them alike, and the median of each. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include "corpus.h"
#include "peers.h"

enum { BENCH_MAX_CONTENDERS = 11 };

typedef enum bench_role { BENCH_DECODE, BENCH_ENCODE, BENCH_PASS_ON, BENCH_VALIDATE, BENCH_PEER } bench_role;

typedef struct bench_contender {
    const char *name;
    bench_role role;
    const bench_corpus *corpus;
    const bench_values *values; /* to encode */
    const bench_peer *peer;
    void *peer_state;
    mcpw_arena arena;
    mcpw_buffer buffer;
    void *out;
    size_t bytes;    /* that one pass handles */
    size_t repeats;  /* passes in a timed slice */
    double *seconds; /* of each slice */
    size_t slices;
    size_t allocator_calls; /* of ours, in all timed slices */
    double megabytes;       /* a second, the median; 0: it failed */
    double spread;          /* upper quartile of the slices' times over the lower: 1 on a quiet machine */
} bench_contender;

typedef struct bench_field {
    bench_corpus corpus;
    bench_values own;
    bench_values decoded;
    bench_contender contenders[BENCH_MAX_CONTENDERS];
    size_t count;
} bench_field;

/* Measures a class for at least this many seconds a contender. Prints why and returns false when the class
 * cannot be loaded. */
MCPW_NODISCARD bool bench_measure(bench_field *field, const bench_class *about, const char *folder,
                                  double seconds);

/* The speed of a role or of the peer of this name; 0 where there is none. */
double bench_speed(const bench_field *field, const char *name);

#endif
