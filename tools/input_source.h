/* SPDX-License-Identifier: MIT */
/* The bytes of an input: input_file.c, or those that the caller of the module of WebAssembly gives. */
#ifndef MCPWIRE_INPUT_SOURCE_H
#define MCPWIRE_INPUT_SOURCE_H

#include "input.h"

/* Opens in->name. False: the failure is set. input_source_close is needed in either case. */
bool input_source_open(input *in);

/* Reads a portion; 0 bytes: the end. False: the failure is set. */
bool input_source_read(input *in, void *to, size_t len, size_t *got);

void input_source_close(input *in);

/* Sets the failure, with an errno or a reason. Returns INPUT_FAILED. */
static inline input_result input_fail(input *in, const char *what, int error) {
    in->failed = what;
    in->error = error;
    return INPUT_FAILED;
}

static inline input_result input_fail_why(input *in, const char *what, const char *why) {
    in->why = why;
    return input_fail(in, what, 0);
}

#endif
