/* SPDX-License-Identifier: MIT */
/* Compressed input: input_gz.c, or input_plain.c where there is no zlib. */
#ifndef MCPWIRE_INPUT_UNPACK_H
#define MCPWIRE_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct unpacker unpacker;

/* What is given to an unpacker and what it gives. in and out move on by what was used and made. */
typedef struct unpack_step {
    const unsigned char *in;
    size_t in_len;
    bool in_ends; /* nothing follows in */
    unsigned char *out;
    size_t out_len;
    bool ended; /* set: all has been given */
} unpack_step;

/* NULL: *why says what is missing. */
unpacker *unpack_new(const char **why);
void unpack_free(unpacker *u);

/* Goes on until there is no more in, or no more room. Returns NULL, or what is wrong with the input. */
const char *unpack_run(unpacker *u, unpack_step *step);

#endif
