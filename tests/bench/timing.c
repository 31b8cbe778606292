/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include "counting.h"

#include <stdio.h>
#include <time.h>

static const double slice_seconds = 0.002;
static const double bytes_per_megabyte = 1e6;
enum { WARM_UP_PASSES = 5, LEAST_SLICES = 15 };

static const bench_peer *const peers[] = {
#if defined(HAVE_JSON_C)
    &bench_peer_json_c,
#endif
#if defined(HAVE_RAPIDJSON)
    &bench_peer_rapidjson,
#endif
#if defined(HAVE_CJSON)
    &bench_peer_cjson,
#endif
#if defined(HAVE_SIMDJSON)
    &bench_peer_simdjson,
#endif
#if defined(HAVE_YYJSON)
    &bench_peer_yyjson,
    &bench_peer_yyjson_writing,
#endif
    NULL};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool run_peer(bench_contender *c) {
    size_t total = 0;
    for (size_t i = 0; i < c->corpus->count; i++) {
        const size_t bytes = c->peer->run(c->peer_state, i, c->corpus->texts[i]);
        if (bytes == 0) {
            fprintf(stderr, "%s: %s fails on line %zu\n", c->corpus->about->name, c->name, i + 1);
            return false;
        }
        total += bytes;
    }
    c->bytes = total;
    return true;
}

static bool pass(bench_contender *c) {
    switch (c->role) {
    case BENCH_DECODE:
        return bench_decode(c->corpus, &c->arena, c->out);
    case BENCH_ENCODE:
    case BENCH_PASS_ON:
        return bench_encode(c->corpus, c->values, &c->buffer, &c->bytes);
    case BENCH_VALIDATE:
        return bench_validate(c->corpus, &c->arena);
    default:
        return run_peer(c);
    }
}

static bool slice(bench_contender *c, double *elapsed) {
    const double start = now();
    for (size_t i = 0; i < c->repeats; i++) {
        if (!pass(c)) {
            return false;
        }
    }
    *elapsed = now() - start;
    return true;
}

static bool add(bench_field *field, const char *name, bench_role role, const bench_peer *peer) {
    bench_contender *const c = field->contenders + field->count++;
    *c = (bench_contender){.name = name,
                           .role = role,
                           .corpus = &field->corpus,
                           .values = role == BENCH_PASS_ON ? &field->decoded : &field->own,
                           .peer = peer,
                           .arena = MCPW_ARENA_INIT,
                           .buffer = MCPW_BUFFER_INIT,
                           .bytes = field->corpus.bytes,
                           .repeats = 1};
    c->arena.allocator = bench_counting_allocator(&c->allocator_calls);
    c->buffer.allocator = c->arena.allocator;
    c->out = malloc(bench_value_size(&field->corpus));
    if (peer != NULL) {
        c->peer_state = peer->open(field->corpus.texts, field->corpus.count);
    }
    return c->out != NULL && (peer == NULL || c->peer_state != NULL);
}

static bool enter(bench_field *field) {
    bool good = add(field, "decode", BENCH_DECODE, NULL) && add(field, "encode", BENCH_ENCODE, NULL) &&
                add(field, "pass on", BENCH_PASS_ON, NULL) && add(field, "validate", BENCH_VALIDATE, NULL);
    for (size_t i = 0; good && peers[i] != NULL; i++) {
        good = add(field, peers[i]->name, BENCH_PEER, peers[i]);
    }
    return good;
}

/* Warms up and finds how many passes make a slice. A contender that fails stays out: repeats 0. */
static void prepare(bench_contender *c) {
    double elapsed = 0;
    for (int i = 0; i < WARM_UP_PASSES; i++) {
        if (!slice(c, &elapsed)) {
            c->repeats = 0;
            return;
        }
    }
    if (elapsed < slice_seconds) {
        c->repeats = (size_t)(slice_seconds / (elapsed > 0 ? elapsed : 1e-9)) + 1;
    }
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_median(bench_contender *c) {
    if (c->repeats == 0 || c->slices == 0) {
        c->megabytes = 0;
        return;
    }
    qsort(c->seconds, c->slices, sizeof *c->seconds, by_size);
    const double bytes = (double)c->bytes * (double)c->repeats;
    c->megabytes = bytes / c->seconds[c->slices / 2] / bytes_per_megabyte;
    c->spread = c->seconds[c->slices * 3 / 4] / c->seconds[c->slices / 4];
}

static bool run(bench_field *field, double seconds) {
    size_t rounds = (size_t)(seconds / slice_seconds) + 1;
    rounds = rounds < LEAST_SLICES ? LEAST_SLICES : rounds;
    for (size_t k = 0; k < field->count; k++) {
        bench_contender *const c = field->contenders + k;
        prepare(c);
        c->allocator_calls = 0;
        c->seconds = calloc(rounds, sizeof *c->seconds);
        if (c->seconds == NULL) {
            return false;
        }
    }
    for (size_t round = 0; round < rounds; round++) {
        for (size_t k = 0; k < field->count; k++) {
            bench_contender *const c = field->contenders + k;
            if (c->repeats > 0 && slice(c, c->seconds + c->slices)) {
                c->slices++;
            }
        }
    }
    return true;
}

/* Keeps the figures and gives everything else back. */
static void finish(bench_field *field) {
    for (size_t k = 0; k < field->count; k++) {
        bench_contender *const c = field->contenders + k;
        const size_t calls = c->allocator_calls;
        take_median(c);
        mcpw_arena_free(&c->arena);
        mcpw_buffer_free(&c->buffer);
        c->allocator_calls = calls;
        if (c->peer_state != NULL) {
            c->peer->close(c->peer_state);
        }
        free(c->out);
        free(c->seconds);
        c->seconds = NULL;
    }
    bench_values_free(&field->own, &field->corpus);
    bench_values_free(&field->decoded, &field->corpus);
}

bool bench_measure(bench_field *field, const bench_class *about, const char *folder, double seconds) {
    memset(field, 0, sizeof *field);
    if (!bench_corpus_load(&field->corpus, about, folder)) {
        return false;
    }
    const bool good = bench_values_make(&field->own, &field->corpus, BENCH_OWN) &&
                      bench_values_make(&field->decoded, &field->corpus, BENCH_DECODED) && enter(field) &&
                      run(field, seconds);
    finish(field);
    if (!good) {
        fprintf(stderr, "%s: not measured\n", about->name);
        bench_corpus_free(&field->corpus);
    }
    return good;
}

double bench_speed(const bench_field *field, const char *name) {
    for (size_t k = 0; k < field->count; k++) {
        if (strcmp(field->contenders[k].name, name) == 0) {
            return field->contenders[k].megabytes;
        }
    }
    return 0;
}
