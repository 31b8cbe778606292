/* SPDX-License-Identifier: MIT */
/* Compressed input: input_gz.c, or input_plain.c without zlib. */
#ifndef MCPWIRE_INPUT_UNPACK_H
#define MCPWIRE_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct unpacker unpacker;

/* The input and output of an unpacker, which advances in and out. */
typedef struct unpack_step {
    const unsigned char *in;
    size_t in_len;
    bool in_ends; /* no more input follows */
    unsigned char *out;
    size_t out_len;
    bool ended; /* set at the end of the output */
} unpack_step;

/* Creates an unpacker; NULL: *why is the reason. */
unpacker *unpack_new(const char **why);
void unpack_free(unpacker *u);

/* Unpacks until in is empty or out is full. Returns NULL, or the error in the input. */
const char *unpack_run(unpacker *u, unpack_step *step);

#endif
