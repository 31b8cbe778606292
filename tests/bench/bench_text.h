/* SPDX-License-Identifier: MIT */
/* A text of the corpus, as the codec's passes and the peers get it. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stddef.h>

/* Bytes after every text that may be read: simdjson asks for them, the codec does not. */
enum { BENCH_PADDING = 64 };

typedef struct bench_text {
    const char *ptr;
    size_t len;
} bench_text;

#endif
