/* SPDX-License-Identifier: MIT */
/*
 * Decodes, encodes or validates a class of the corpus a given number of times, after a warm-up. Run under an
 * instruction counter with two numbers, the difference is what the passes alone cost (see instructions.py).
 * Prints the built path, the bytes of a pass and the number of messages.
 */
#include "corpus.h"
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP_PASSES = 3, EXIT_USAGE = 2, EXIT_SKIPPED = 77, DECIMAL = 10 };

static bool decode_times(const bench_corpus *corpus, unsigned long times) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    void *const out = malloc(bench_value_size(corpus));
    bool good = out != NULL;
    for (unsigned long i = 0; good && i < WARM_UP_PASSES + times; i++) {
        good = bench_decode(corpus, &arena, out);
    }
    free(out);
    mcpw_arena_free(&arena);
    return good;
}

static bool validate_times(const bench_corpus *corpus, unsigned long times) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    bool good = true;
    for (unsigned long i = 0; good && i < WARM_UP_PASSES + times; i++) {
        good = bench_validate(corpus, &arena);
    }
    mcpw_arena_free(&arena);
    return good;
}

static bool encode_times(const bench_corpus *corpus, unsigned long times, bench_origin origin) {
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    bench_values values;
    size_t bytes = 0;
    bool good = bench_values_make(&values, corpus, origin);
    for (unsigned long i = 0; good && i < WARM_UP_PASSES + times; i++) {
        good = bench_encode(corpus, &values, &buffer, &bytes);
    }
    mcpw_buffer_free(&buffer);
    bench_values_free(&values, corpus);
    return good;
}

int main(int argc, char **argv) {
    const char *const what = argc == 5 ? argv[4] : "decode";
    const bool passes_on = strcmp(what, "pass-on") == 0;
    const bool encodes = passes_on || strcmp(what, "encode") == 0;
    const bool validates = strcmp(what, "validate") == 0;
    const bool asked = argc == 4 || encodes || validates;
    const bench_class *const about = asked ? bench_find_class(argv[2]) : NULL;
    char *end = NULL;
    const unsigned long times = asked ? strtoul(argv[3], &end, DECIMAL) : 0;
    if (about == NULL || end == argv[3] || *end != '\0') {
        fprintf(stderr, "usage: one CORPUS_DIR CLASS TIMES [encode|pass-on|validate]\n");
        return EXIT_USAGE;
    }
    if (!bench_class_built(about)) {
        printf("skipped: the library was built without %s\n", about->revision);
        return EXIT_SKIPPED;
    }
    bench_corpus corpus;
    if (!bench_corpus_load(&corpus, about, argv[1])) {
        return EXIT_USAGE;
    }
    const bool good = encodes     ? encode_times(&corpus, times, passes_on ? BENCH_DECODED : BENCH_OWN)
                      : validates ? validate_times(&corpus, times)
                                  : decode_times(&corpus, times);
    printf("%s %zu %zu\n", mcpw_runs_here()->name, corpus.bytes, corpus.count);
    bench_corpus_free(&corpus);
    return good ? 0 : 1;
}
