/* SPDX-License-Identifier: MIT */
/*
 * A steady load allocates nothing: once every message of a class has been seen, decoding, validating and
 * encoding them again calls neither the given allocator nor, behind its back, the C library's.
 */
#include "corpus.h"
#include "counting.h"
#include "libc_calls.h"

#include <stdio.h>

enum { WARM_UP_PASSES = 3, COUNTED_PASSES = 4, EXIT_USAGE = 2, EXIT_SKIPPED = 77 };

typedef struct load {
    const bench_corpus *corpus;
    const bench_values *values;
    mcpw_arena arena;
    mcpw_buffer buffer;
    void *out;
} load;

static bool decode(load *l) { return bench_decode(l->corpus, &l->arena, l->out); }

static bool validate(load *l) { return bench_validate(l->corpus, &l->arena); }

static bool encode(load *l) {
    size_t bytes = 0;
    return bench_encode(l->corpus, l->values, &l->buffer, &bytes);
}

static bool repeat(load *l, bool (*pass)(load *l), int times) {
    bool good = true;
    for (int i = 0; good && i < times; i++) {
        good = pass(l);
    }
    return good;
}

/* Runs one operation in steady state and tells whether nothing was allocated. */
static bool expect_none(load *l, const char *what, bool (*pass)(load *l), const size_t *calls) {
    if (!repeat(l, pass, WARM_UP_PASSES)) {
        return false;
    }
    const size_t given = *calls;
    const size_t libc = bench_libc_calls();
    if (!repeat(l, pass, COUNTED_PASSES)) {
        return false;
    }
    const size_t behind = bench_libc_calls() - libc;
    const size_t messages = l->corpus->count * COUNTED_PASSES;
    printf("%s %s: %zu calls of the allocator and %zu of malloc in %zu messages\n", l->corpus->about->name,
           what, *calls - given, behind, messages);
    return *calls == given && behind == 0;
}

static bool check_class(const bench_class *about, const char *folder) {
    size_t calls = 0;
    bench_corpus corpus;
    bench_values values;
    if (!bench_corpus_load(&corpus, about, folder)) {
        return false;
    }
    load l = {&corpus, &values, MCPW_ARENA_INIT, MCPW_BUFFER_INIT, malloc(bench_value_size(&corpus))};
    l.arena.allocator = bench_counting_allocator(&calls);
    l.buffer.allocator = l.arena.allocator;
    bool good = l.out != NULL && bench_values_make(&values, &corpus, BENCH_OWN);
    if (good) {
        const bool decoded = expect_none(&l, "decode", decode, &calls);
        const bool validated = expect_none(&l, "validate", validate, &calls);
        const bool encoded = expect_none(&l, "encode", encode, &calls);
        good = decoded && validated && encoded && calls > 0; /* 0 calls at all: nothing was counted */
    }
    mcpw_arena_free(&l.arena);
    mcpw_buffer_free(&l.buffer);
    bench_values_free(&values, &corpus);
    free(l.out);
    bench_corpus_free(&corpus);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: allocations CORPUS_DIR\n");
        return EXIT_USAGE;
    }
    bool good = true;
    size_t checked = 0;
    for (size_t i = 0; i < bench_class_count; i++) {
        if (!bench_class_built(bench_classes + i)) {
            printf("skipped: %s, the library was built without %s\n", bench_classes[i].name,
                   bench_classes[i].revision);
            continue;
        }
        good = check_class(bench_classes + i, argv[1]) && good;
        checked++;
    }
    if (checked == 0) {
        return EXIT_SKIPPED;
    }
    return good ? 0 : 1;
}
