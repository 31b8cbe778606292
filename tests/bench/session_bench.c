/* SPDX-License-Identifier: MIT */
/*
 * The session bench: an echo tool, called over pipes as a client calls it. Our server, by a registry and by a
 * typed slot, beside a process that parses nothing but the id and, where it is installed, the TypeScript SDK.
 * The servers take turns in short laps, so that a busy machine hits all of them alike; figures are medians,
 * ratios the medians of each round's ratio; with --tell best, for a machine that is never quiet, the best
 * tenth of the laps. Every answer is checked, after the clock has stopped.
 */
#define _POSIX_C_SOURCE 200809L
#include "session_peer.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_ROUNDS = 99,
    DEFAULT_ROUNDS = 45,
    MANY = 64,
    WARM_UP_CALLS = 2000,
    LEAST_CALLS = 64,
    CAPTURE_ROOM = 64 << 20,
    MOST_CALLS = CAPTURE_ROOM / 320, /* an answer has fewer bytes */
    MOST_ARGUMENTS = 4,
    EXIT_USAGE = 2
};

static const double default_lap = 0.03; /* seconds */
static const double us = 1e6;
static const double ms = 1e3;
static const double megabyte = 1024.0; /* in kilobytes */
static const double half = 0.5;
static const double tenth = 0.1;

typedef enum peer_kind { PEER_MCPWIRE, PEER_TYPED, PEER_BARE, PEER_TYPESCRIPT, PEER_COUNT } peer_kind;

typedef enum figure {
    FIGURE_MANY,     /* calls a second, 64 in flight */
    FIGURE_CPU,      /* of the server, microseconds a call, 64 in flight */
    FIGURE_TOGETHER, /* as FIGURE_MANY, requests written together */
    FIGURE_TOGETHER_CPU,
    FIGURE_ONE, /* calls a second, 1 in flight */
    FIGURE_START,
    FIGURE_COUNT
} figure;

typedef enum load { LOAD_ONE, LOAD_MANY, LOAD_TOGETHER, LOAD_COUNT } load;

typedef struct peer {
    const char *title;
    const char *arguments[MOST_ARGUMENTS];
    const char *missing; /* why it is left out; NULL: it takes part */
    bool echoes;
    bench_process process;
    long next_id;
    size_t calls[LOAD_COUNT]; /* in a lap */
    double figures[FIGURE_COUNT][MOST_ROUNDS];
    bench_memory memory;
} peer;

typedef struct bench {
    peer peers[PEER_COUNT];
    bench_capture capture;
    size_t rounds;
    double lap;
    bool best; /* tell the best tenth in place of the median */
} bench;

/* ---- Measuring ---- */

static char *const *argv_of(const peer *p) { return (char *const *)(uintptr_t)p->arguments; }

/* One lap, checked. */
static bool lap(bench *b, peer *p, const bench_dialect *dialect, load how, size_t calls, bench_lap *out) {
    if (p->next_id > BENCH_LAST_ID - (long)calls) {
        p->next_id = BENCH_FIRST_ID;
    }
    const long first = p->next_id;
    p->next_id += (long)calls;
    return bench_drive(&p->process, dialect, first, calls, how == LOAD_ONE ? 1 : MANY, how == LOAD_TOGETHER,
                       &b->capture, out) &&
           bench_check_answers(b->capture.bytes, b->capture.len, first, calls, p->echoes);
}

/* How many calls make a lap. */
static size_t calls_for(const bench *b, const bench_lap *tried) {
    const double calls = b->lap * (double)tried->calls / tried->seconds;
    return calls < LEAST_CALLS ? LEAST_CALLS : calls > MOST_CALLS ? MOST_CALLS : (size_t)calls;
}

static bool set_up(bench *b, peer *p, const bench_dialect *dialect) {
    p->next_id = BENCH_FIRST_ID;
    if (!bench_start(&p->process, argv_of(p)) || !bench_open(&p->process, dialect, &b->capture)) {
        return false;
    }
    for (int how = 0; how < LOAD_COUNT; how++) {
        bench_lap tried;
        if (!lap(b, p, dialect, (load)how, WARM_UP_CALLS, &tried)) {
            return false;
        }
        p->calls[how] = calls_for(b, &tried);
    }
    return true;
}

static double rate(const bench_lap *l) { return (double)l->calls / l->seconds; }

static double cpu_of(const bench_lap *l) { return l->cpu / (double)l->calls * us; }

/* From before the process is there until its first call is answered. */
static bool measure_start(bench *b, const peer *p, const bench_dialect *dialect, double *milliseconds) {
    peer fresh = *p;
    bench_lap first;
    const double before = bench_now();
    if (!bench_start(&fresh.process, argv_of(p)) || !bench_open(&fresh.process, dialect, &b->capture) ||
        !lap(b, &fresh, dialect, LOAD_ONE, 1, &first)) {
        return false;
    }
    *milliseconds = (bench_now() - before) * ms;
    return bench_stop(&fresh.process);
}

static bool measure_round(bench *b, peer *p, const bench_dialect *dialect, size_t round) {
    bench_lap laps[LOAD_COUNT];
    for (int how = 0; how < LOAD_COUNT; how++) {
        if (!lap(b, p, dialect, (load)how, p->calls[how], laps + how)) {
            return false;
        }
    }
    p->figures[FIGURE_MANY][round] = rate(laps + LOAD_MANY);
    p->figures[FIGURE_CPU][round] = cpu_of(laps + LOAD_MANY);
    p->figures[FIGURE_TOGETHER][round] = rate(laps + LOAD_TOGETHER);
    p->figures[FIGURE_TOGETHER_CPU][round] = cpu_of(laps + LOAD_TOGETHER);
    p->figures[FIGURE_ONE][round] = rate(laps + LOAD_ONE);
    return measure_start(b, p, dialect, &p->figures[FIGURE_START][round]);
}

static bool measure(bench *b, const bench_dialect *dialect) {
    for (peer *p = b->peers; p < b->peers + PEER_COUNT; p++) {
        if (p->missing == NULL && !set_up(b, p, dialect)) {
            return false;
        }
    }
    for (size_t round = 0; round < b->rounds; round++) {
        for (size_t turn = 0; turn < PEER_COUNT; turn++) {
            /* The order changes: a busy system favours whoever follows a slow server. */
            peer *const p =
                b->peers + (round + (round / PEER_COUNT % 2 == 0 ? turn : PEER_COUNT - turn)) % PEER_COUNT;
            if (p->missing == NULL && !measure_round(b, p, dialect, round)) {
                return false;
            }
        }
    }
    bool good = true;
    for (peer *p = b->peers; p < b->peers + PEER_COUNT; p++) {
        if (p->missing == NULL) {
            p->memory = bench_memory_of(&p->process);
            good = bench_stop(&p->process) && good;
        }
    }
    return good;
}

/* ---- Telling ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that a share of the values is below: half gives the median. */
static double quantile(const double *values, size_t count, double share) {
    double sorted[MOST_ROUNDS];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at;
    const size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static double figure_of(const bench *b, peer_kind kind, figure f) {
    const bool high_is_good = f == FIGURE_MANY || f == FIGURE_TOGETHER || f == FIGURE_ONE;
    const double share = !b->best ? half : high_is_good ? 1 - tenth : tenth;
    return quantile(b->peers[kind].figures[f], b->rounds, share);
}

static double ratio(const bench *b, figure f, peer_kind kind, peer_kind to) {
    double ratios[MOST_ROUNDS];
    if (b->best) {
        return figure_of(b, kind, f) / figure_of(b, to, f);
    }
    for (size_t i = 0; i < b->rounds; i++) {
        ratios[i] = b->peers[kind].figures[f][i] / b->peers[to].figures[f][i];
    }
    return quantile(ratios, b->rounds, half);
}

static void print_row(const bench *b, const char *what, figure f, int decimals) {
    printf("| %s |", what);
    for (int kind = 0; kind < PEER_COUNT; kind++) {
        if (b->peers[kind].missing == NULL) {
            printf(" %.*f |", decimals, figure_of(b, (peer_kind)kind, f));
        }
    }
    printf("\n");
}

static void print_table(const bench *b, const bench_dialect *dialect) {
    char line[BENCH_LINE];
    const size_t len = bench_put_call(line, dialect, BENCH_FIRST_ID);
    printf("\n| %s, requests of %zu B |", dialect->revision, len);
    for (const peer *p = b->peers; p < b->peers + PEER_COUNT; p++) {
        if (p->missing == NULL) {
            printf(" %s |", p->title);
        }
    }
    printf("\n|-|");
    for (const peer *p = b->peers; p < b->peers + PEER_COUNT; p++) {
        printf("%s", p->missing == NULL ? "-:|" : "");
    }
    printf("\n");
    print_row(b, "64 in flight, requests a second", FIGURE_MANY, 0);
    print_row(b, "CPU of the server a request, us", FIGURE_CPU, 2);
    print_row(b, "64 in flight, written together, requests a second", FIGURE_TOGETHER, 0);
    print_row(b, "CPU of the server a request, us", FIGURE_TOGETHER_CPU, 2);
    print_row(b, "1 in flight, round trips a second", FIGURE_ONE, 0);
    print_row(b, "start to first answer, ms", FIGURE_START, 2);
    printf("| memory after the load, MB |");
    for (const peer *p = b->peers; p < b->peers + PEER_COUNT; p++) {
        if (p->missing == NULL) {
            printf(" %.1f |", (double)p->memory.kilobytes / megabyte);
        }
    }
    printf("\n\n");
}

static void print_target(const char *what, double value, double target, bool at_least, const char *unit) {
    const bool met = at_least ? value >= target : value <= target;
    printf("| %s | %.2f%s | %s %g%s | %s |\n", what, value, unit, at_least ? ">=" : "<=", target, unit,
           met ? "yes" : "NO");
}

static void print_targets(const bench *b) {
    static const double to_bare = 0.6;
    static const double together_to_bare = 0.75;
    static const double to_typescript = 25;
    static const double cpu = 1.5;
    static const double trips_to_bare = 0.9;
    static const double start = 3;
    static const double memory = 3;
    printf("| mcpwire | measured | target | met |\n|-|-:|-:|-|\n");
    print_target("64 in flight, to the bare process", ratio(b, FIGURE_MANY, PEER_MCPWIRE, PEER_BARE), to_bare,
                 true, "");
    print_target("64 in flight, written together, to the bare process",
                 ratio(b, FIGURE_TOGETHER, PEER_MCPWIRE, PEER_BARE), together_to_bare, true, "");
    if (b->peers[PEER_TYPESCRIPT].missing == NULL) {
        print_target("64 in flight, to the TypeScript server",
                     ratio(b, FIGURE_MANY, PEER_MCPWIRE, PEER_TYPESCRIPT), to_typescript, true, "");
    }
    print_target("CPU a request", figure_of(b, PEER_MCPWIRE, FIGURE_CPU), cpu, false, " us");
    print_target("1 in flight, to the bare process", ratio(b, FIGURE_ONE, PEER_MCPWIRE, PEER_BARE),
                 trips_to_bare, true, "");
    print_target("start to first answer", figure_of(b, PEER_MCPWIRE, FIGURE_START), start, false, " ms");
    print_target("memory", (double)b->peers[PEER_MCPWIRE].memory.kilobytes / megabyte, memory, false, " MB");
}

/* ---- The command line ---- */

static int usage(void) {
    fprintf(stderr,
            "usage: session_bench [--seconds A_LAP] [--rounds N] [--revision NAME] [--tell median|best]\n"
            "         MCPWIRE_SERVER TYPED_SERVER BARE_SERVER TYPESCRIPT_SCRIPT\n");
    return EXIT_USAGE;
}

static bool in_path(const char *program) {
    const char *path = getenv("PATH");
    char candidate[BENCH_LINE];
    while (path != NULL && *path != '\0') {
        const size_t len = strcspn(path, ":");
        (void)snprintf(candidate, sizeof candidate, "%.*s/%s", (int)len, path, program);
        if (access(candidate, X_OK) == 0) {
            return true;
        }
        path += len + (path[len] == ':');
    }
    return false;
}

static const char *why_no_typescript(const char *script) {
    static const char package[] = "node_modules/@modelcontextprotocol/server/package.json";
    char path[BENCH_LINE];
    const char *const slash = strrchr(script, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - script) : 0;
    (void)snprintf(path, sizeof path, "%.*s%s", folder, script, package);
    if (!in_path("node")) {
        return "node is missing (Debian: nodejs)";
    }
    return access(path, R_OK) == 0
               ? NULL
               : "its packages are missing: run tests/interop/setup.sh FOLDER and configure "
                 "with -DMCPW_NODE_MODULES=FOLDER";
}

static bool parse_number(const char *text, double least, double most, double *out) {
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool parse(bench *b, int argc, char **argv, const char **revision) {
    double rounds = DEFAULT_ROUNDS;
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        const char *const value = argv[at + 1];
        if (strcmp(argv[at], "--revision") == 0) {
            *revision = value;
        } else if (strcmp(argv[at], "--tell") == 0 &&
                   (strcmp(value, "best") == 0 || strcmp(value, "median") == 0)) {
            b->best = *value == 'b';
        } else if (strcmp(argv[at], "--seconds") == 0  ? !parse_number(value, 1e-3, 60, &b->lap)
                   : strcmp(argv[at], "--rounds") == 0 ? !parse_number(value, 1, MOST_ROUNDS, &rounds)
                                                       : true) {
            return false;
        }
    }
    b->rounds = (size_t)rounds;
    if (argc - at != PEER_COUNT) {
        return false;
    }
    for (int kind = 0; kind < PEER_TYPESCRIPT; kind++) {
        b->peers[kind].arguments[0] = argv[at + kind];
    }
    b->peers[PEER_TYPESCRIPT].arguments[0] = "node";
    b->peers[PEER_TYPESCRIPT].arguments[1] = argv[at + PEER_TYPESCRIPT];
    b->peers[PEER_TYPESCRIPT].missing = why_no_typescript(argv[at + PEER_TYPESCRIPT]);
    return true;
}

int main(int argc, char **argv) {
    static bench b = {.peers = {{.title = "mcpwire", .echoes = true},
                                {.title = "mcpwire, typed", .echoes = true},
                                {.title = "bare C echo"},
                                {.title = "TypeScript 2.x", .echoes = true}}};
    const char *revision = NULL;
    b.lap = default_lap;
    if (!parse(&b, argc, argv, &revision)) {
        return usage();
    }
    b.capture.room = CAPTURE_ROOM;
    b.capture.bytes = malloc(CAPTURE_ROOM);
    if (b.capture.bytes == NULL) {
        fprintf(stderr, "session_bench: no memory\n");
        return 1;
    }
    memset(b.capture.bytes, ' ', CAPTURE_ROOM); /* its pages are there before the clock runs */
    (void)signal(SIGPIPE, SIG_IGN);
    for (const peer *p = b.peers; p < b.peers + PEER_COUNT; p++) {
        if (p->missing != NULL) {
            printf("skipped: %s: %s\n", p->title, p->missing);
        }
    }
    size_t measured = 0;
    for (size_t i = 0; i < bench_dialect_count; i++) {
        if (revision != NULL && strcmp(revision, bench_dialects[i].revision) != 0) {
            continue;
        }
        if (!measure(&b, bench_dialects + i)) {
            return 1;
        }
        print_table(&b, bench_dialects + i);
        print_targets(&b);
        measured++;
    }
    free(b.capture.bytes);
    return measured != 0 ? 0 : usage();
}
