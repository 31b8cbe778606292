/* SPDX-License-Identifier: MIT */
/*
 * Measures the codec against other JSON libraries on the corpus and prints the tables of the README.
 * Ours builds typed structs, checks the schema and the UTF-8; the others build their trees and are used with
 * their defaults. A target that is missed is marked, not failed: speed depends on the machine.
 */
#include "runs.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_CLASSES = 16, EXIT_USAGE = 2 };
static const double default_seconds = 0.3;
static const double most_seconds = 600;
static const double steady_spread = 1.1;

typedef struct options {
    const char *folder;
    const char *only; /* class; NULL: all */
    const char *json; /* file to write; NULL: none */
    double seconds;
} options;

static const char usage[] = "usage: bench [--class NAME] [--seconds N] [--json FILE] CORPUS_DIR\n"
                            "  --class NAME   measure one class: small, list, text, call, blob or legacy\n"
                            "  --seconds N    time for each contender on each class (0.3)\n"
                            "  --json FILE    also write the figures to FILE\n"
                            "example: python3 tests/bench/corpus.py /tmp/corpus && bench /tmp/corpus\n";

static int refuse(const char *why, const char *what) {
    fprintf(stderr, "bench: %s%s\n%s", why, what, usage);
    return EXIT_USAGE;
}

static int parse_options(options *o, int argc, char **argv) {
    *o = (options){NULL, NULL, NULL, default_seconds};
    for (int i = 1; i < argc; i++) {
        const char *const name = argv[i];
        if (name[0] != '-') {
            if (o->folder != NULL) {
                return refuse("one folder only: ", name);
            }
            o->folder = name;
            continue;
        }
        const char *const value = i + 1 < argc ? argv[++i] : NULL;
        if (value == NULL) {
            return refuse("unknown option or missing value: ", name);
        }
        if (strcmp(name, "--class") == 0) {
            o->only = value;
        } else if (strcmp(name, "--json") == 0) {
            o->json = value;
        } else if (strcmp(name, "--seconds") == 0) {
            char *end = NULL;
            o->seconds = strtod(value, &end);
            if (end == value || *end != '\0' || !(o->seconds >= 0 && o->seconds <= most_seconds)) {
                return refuse("not a number of seconds: ", value);
            }
        } else {
            return refuse("unknown option: ", name);
        }
    }
    if (o->folder == NULL) {
        return refuse("which folder holds the corpus?", "");
    }
    if (o->only != NULL && bench_find_class(o->only) == NULL) {
        return refuse("no such class: ", o->only);
    }
    return 0;
}

static void cpu_model(char *out, size_t size) {
    snprintf(out, size, "unknown");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *const colon = strchr(line, ':');
        if (strncmp(line, "model name", sizeof "model name" - 1) == 0 && colon != NULL) {
            snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void print_build(FILE *to, const bench_field *field) {
    char cpu[200];
    cpu_model(cpu, sizeof cpu);
    fprintf(to, "Path: %s. Compiler: %s %s, flags: %s. CPU: %s.\n", mcpw_runs_here()->name, BENCH_COMPILER,
            __VERSION__, BENCH_FLAGS, cpu);
    fprintf(to, "Peers:");
    for (size_t k = 0; k < field->count; k++) {
        const bench_peer *const peer = field->contenders[k].peer;
        if (peer != NULL) {
            fprintf(to, " %s %s;", peer->name, peer->version());
        }
    }
    fprintf(to, " one thread, medians.\n\n");
}

static void print_heading(const bench_field *field) {
    printf("| MB/s |");
    for (size_t k = 0; k < field->count; k++) {
        printf(" %s |", field->contenders[k].name);
    }
    printf("\n|-|");
    for (size_t k = 0; k < field->count; k++) {
        printf("-:|");
    }
    printf("\n");
}

static void print_speeds(const bench_field *fields, size_t count) {
    print_heading(fields);
    for (size_t i = 0; i < count; i++) {
        printf("| %s |", fields[i].corpus.about->name);
        for (size_t k = 0; k < fields[i].count; k++) {
            printf(" %.0f |", fields[i].contenders[k].megabytes);
        }
        printf("\n");
    }
    printf("\n");
}

/* Ours over theirs; 0 where either was not measured. */
static double reached(const bench_field *field, const bench_goal *goal) {
    const double theirs = bench_speed(field, goal->theirs);
    return theirs > 0 ? bench_speed(field, goal->ours) / theirs : 0;
}

/* Each ratio with its target, which is marked where it is missed. */
static void print_ratios(const bench_field *fields, size_t count) {
    printf("| times (target) |");
    for (size_t g = 0; g < BENCH_GOALS; g++) {
        printf(" %s / %s |", bench_goals[g].ours, bench_goals[g].theirs);
    }
    printf("\n|-|");
    for (size_t g = 0; g < BENCH_GOALS; g++) {
        printf("-:|");
    }
    for (size_t i = 0; i < count; i++) {
        printf("\n| %s |", fields[i].corpus.about->name);
        for (size_t g = 0; g < BENCH_GOALS; g++) {
            const double ratio = reached(fields + i, bench_goals + g);
            const double target = fields[i].corpus.about->targets[g];
            if (ratio <= 0) {
                printf(" - |");
            } else if (target <= 0) {
                printf(" %.2f |", ratio);
            } else {
                printf(" %.2f (%g%s) |", ratio, target, ratio < target ? ", SHORT" : "");
            }
        }
    }
    printf("\n\n");
}

static double calls_per_message(const bench_contender *c) {
    const double messages = (double)c->corpus->count * (double)c->repeats * (double)c->slices;
    return messages > 0 ? (double)c->allocator_calls / messages : 0;
}

static void print_allocations(const bench_field *fields, size_t count) {
    printf("Calls of the allocator for each message, in steady state:");
    for (size_t i = 0; i < count; i++) {
        printf("%s %s", i > 0 ? ";" : "", fields[i].corpus.about->name);
        for (size_t k = 0; k < fields[i].count; k++) {
            const bench_contender *const c = fields[i].contenders + k;
            if (c->peer == NULL) {
                printf(" %s %.3g", c->name, calls_per_message(c));
            }
        }
    }
    printf(".\n");
}

/* Names the figures that another run may not repeat. */
static void print_unsteady(const bench_field *fields, size_t count) {
    const char *separator = "\nUnsteady, the middle half of the slices differs by more than a tenth:";
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < fields[i].count; k++) {
            const bench_contender *const c = fields[i].contenders + k;
            if (c->spread > steady_spread) {
                printf("%s %s %s (%.2f)", separator, fields[i].corpus.about->name, c->name, c->spread);
                separator = ",";
            }
        }
    }
    printf("%s", separator[0] == ',' ? ".\n" : "");
}

static void write_goals(FILE *file, const bench_field *field) {
    for (size_t g = 0; g < BENCH_GOALS; g++) {
        const bench_goal *const goal = bench_goals + g;
        fprintf(file, "%s{\"ours\":\"%s\",\"theirs\":\"%s\",\"target\":%g,\"reached\":%.3f}",
                g > 0 ? "," : "\"goals\":[", goal->ours, goal->theirs, field->corpus.about->targets[g],
                reached(field, goal));
    }
    fprintf(file, "]");
}

static bool write_json(const char *path, const bench_field *fields, size_t count) {
    FILE *const file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    char cpu[200];
    cpu_model(cpu, sizeof cpu);
    fprintf(file, "{\"path\":\"%s\",\"compiler\":\"%s %s\",\"flags\":\"%s\",\"cpu\":\"%s\",\"classes\":[",
            mcpw_runs_here()->name, BENCH_COMPILER, __VERSION__, BENCH_FLAGS, cpu);
    for (size_t i = 0; i < count; i++) {
        const bench_corpus *const corpus = &fields[i].corpus;
        fprintf(file, "%s\n{\"class\":\"%s\",\"messages\":%zu,\"bytes\":%zu,", i > 0 ? "," : "",
                corpus->about->name, corpus->count, corpus->bytes);
        write_goals(file, fields + i);
        fprintf(file, ",\"contenders\":[");
        for (size_t k = 0; k < fields[i].count; k++) {
            const bench_contender *const c = fields[i].contenders + k;
            fprintf(file, "%s{\"name\":\"%s\",\"megabytes\":%.3f,\"slices\":%zu,\"spread\":%.3f",
                    k > 0 ? "," : "", c->name, c->megabytes, c->slices, c->spread);
            if (c->peer == NULL) {
                fprintf(file, ",\"allocator_calls\":%.6g", calls_per_message(c));
            }
            fprintf(file, "}");
        }
        fprintf(file, "]}");
    }
    fprintf(file, "\n]}\n");
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    static bench_field fields[MAX_CLASSES];
    options o;
    const int refused = parse_options(&o, argc, argv);
    if (refused != 0) {
        return refused;
    }
    size_t count = 0;
    for (size_t i = 0; i < bench_class_count && count < MAX_CLASSES; i++) {
        const bench_class *const about = bench_classes + i;
        if (o.only != NULL && strcmp(o.only, about->name) != 0) {
            continue;
        }
        if (!bench_class_built(about)) {
            printf("%s: not measured, the library was built without %s\n", about->name, about->revision);
        } else if (bench_measure(fields + count, about, o.folder, o.seconds)) {
            count++;
        }
    }
    if (count == 0) {
        fprintf(stderr, "bench: nothing was measured\n");
        return EXIT_USAGE;
    }
    print_build(stdout, fields);
    print_speeds(fields, count);
    print_ratios(fields, count);
    print_allocations(fields, count);
    print_unsteady(fields, count);
    const bool written = o.json == NULL || write_json(o.json, fields, count);
    for (size_t i = 0; i < count; i++) {
        bench_corpus_free(&fields[i].corpus);
    }
    if (!written) {
        fprintf(stderr, "bench: cannot write %s\n", o.json);
        return EXIT_USAGE;
    }
    return 0;
}
