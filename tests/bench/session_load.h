/* SPDX-License-Identifier: MIT */
/* The messages of the session bench: what a client of a revision sends, and whether the answers are right. */
#ifndef BENCH_SESSION_LOAD_H
#define BENCH_SESSION_LOAD_H

#include <stdbool.h>
#include <stddef.h>

enum {
    BENCH_FIRST_ID = 1000000, /* ids have seven digits, so that requests are equally long */
    BENCH_LAST_ID = 9999999,
    BENCH_LINE = 1024 /* more than a message has */
};

/* How the clients of a revision talk. */
typedef struct bench_dialect {
    const char *revision;
    const char *opening; /* lines before the first request; the first of them alone is answered */
    const char *meta;    /* params._meta of a request, with a comma before it */
} bench_dialect;

extern const bench_dialect bench_dialects[];
extern const size_t bench_dialect_count;

/* Writes the call of the tool echo with this id, a line; returns its length, below BENCH_LINE. The message
 * holds the id as well. */
size_t bench_put_call(char *line, const bench_dialect *dialect, long id);

/* Whether the lines answer the calls of the ids from first on, each once and with a result; echoes: with the
 * message of the call. Says on stderr what is wrong. */
bool bench_check_answers(const char *lines, size_t len, long first, size_t count, bool echoes);

#endif
