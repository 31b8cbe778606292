/* SPDX-License-Identifier: MIT */
/*
 * Passes the load of one case through a session a given number of times, after a warm-up; of the case "make"
 * it makes a session that often. Run under an instruction counter with two numbers, the difference is what
 * the passes alone cost (session_instructions.py). Prints the number of calls in a pass. Without arguments it
 * names the cases.
 */
#include "session_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_PASSES = 3, EXIT_USAGE = 2, ARGUMENTS = 4, DECIMAL = 10 };

static bool run(const bench_case *about, unsigned long times) {
    const mcpw_allocator standard = {NULL, NULL};
    bench_inside inside;
    bool good = bench_inside_open(&inside, about, standard);
    for (unsigned long i = 0; good && i < WARM_UP_PASSES + times; i++) {
        good = bench_inside_pass(&inside);
    }
    bench_inside_close(&inside);
    return good;
}

/* The revision of its client makes no difference: it has not spoken yet. */
static int make(unsigned long times) {
    const mcpw_allocator standard = {NULL, NULL};
    const bench_case about = bench_case_at(0);
    printf("1\n");
    return bench_inside_make(&about, standard, WARM_UP_PASSES + times) ? 0 : 1;
}

int main(int argc, char **argv) {
    char *end = NULL;
    const unsigned long times = argc == ARGUMENTS ? strtoul(argv[3], &end, DECIMAL) : 0;
    if (argc == ARGUMENTS && *end == '\0' && end != argv[3] && strcmp(argv[1], "make") == 0) {
        return make(times);
    }
    if (argc == 1) {
        printf("make %s\n", bench_dialects[0].revision);
    }
    for (size_t i = 0; i < bench_case_count(); i++) {
        const bench_case about = bench_case_at(i);
        if (argc == 1) {
            printf("%s %s\n", about.name, about.dialect->revision);
        } else if (argc == ARGUMENTS && *end == '\0' && end != argv[3] && strcmp(argv[1], about.name) == 0 &&
                   strcmp(argv[2], about.dialect->revision) == 0) {
            printf("%d\n", BENCH_BATCH);
            return run(&about, times) ? 0 : 1;
        }
    }
    if (argc != 1) {
        fprintf(stderr, "usage: session_one CASE REVISION TIMES; without arguments it names the cases\n");
    }
    return argc == 1 ? 0 : EXIT_USAGE;
}
