/* SPDX-License-Identifier: MIT */
/* The benchmark corpus: its classes, loading one of them, and one pass of each operation over it. */
#ifndef BENCH_CORPUS_H
#define BENCH_CORPUS_H

#include <mcpw/codec.h>
#include <mcpw/message.h>

#include "bench_text.h"

/* The peers of a class: ours against theirs, in the order of bench_goals. */
enum { BENCH_GOALS = 5 };

typedef struct bench_goal {
    const char *ours;
    const char *theirs;
} bench_goal;

extern const bench_goal bench_goals[BENCH_GOALS];

typedef struct bench_class {
    const char *name;
    const char *revision;
    const char *type;            /* NULL: JSON-RPC messages */
    double targets[BENCH_GOALS]; /* the least ratio of speeds; 0: none */
} bench_class;

/* The data of a class: its texts, its type, and the request of each response. */
typedef struct bench_corpus {
    const bench_class *about;
    const mcpw_revision *revision;
    const mcpw_type *type; /* NULL: JSON-RPC messages */
    bench_text *texts;
    size_t count;
    size_t bytes; /* of all texts */
    char *storage;
    int *answers; /* method numbers by request id */
    size_t answer_count;
} bench_corpus;

/* How a program came by the values that it encodes. */
typedef enum bench_origin {
    BENCH_OWN,    /* it made them: raw values are text that it wrote itself */
    BENCH_DECODED /* it decoded them, and passes them on */
} bench_origin;

/* Values of a class, to encode. */
typedef struct bench_values {
    mcpw_arena arena;
    void **items; /* mcpw_message or the struct of the class's type */
} bench_values;

extern const bench_class bench_classes[];
extern const size_t bench_class_count;

/* Whether the library was built with the class's revision. */
bool bench_class_built(const bench_class *about);

/* The class of this name; NULL when there is none. */
const bench_class *bench_find_class(const char *name);

/* Reads <folder>/<class>.ndjson. Prints why and returns false when that fails. */
MCPW_NODISCARD bool bench_corpus_load(bench_corpus *corpus, const bench_class *about, const char *folder);
void bench_corpus_free(bench_corpus *corpus);

/* Each of these goes over the whole class once and returns false, with the reason on stderr, at the first
 * message that fails. out is room for one value: at least bench_value_size bytes. */
size_t bench_value_size(const bench_corpus *corpus);
MCPW_NODISCARD bool bench_decode(const bench_corpus *corpus, mcpw_arena *arena, void *out);
MCPW_NODISCARD bool bench_validate(const bench_corpus *corpus, mcpw_arena *scratch);
MCPW_NODISCARD bool bench_encode(const bench_corpus *corpus, const bench_values *values, mcpw_buffer *buffer,
                                 size_t *bytes);

MCPW_NODISCARD bool bench_values_make(bench_values *values, const bench_corpus *corpus, bench_origin origin);
void bench_values_free(bench_values *values, const bench_corpus *corpus);

#endif
