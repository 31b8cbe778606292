/* SPDX-License-Identifier: MIT */
/* Reading values from a file, from stdin or from a URL: one a line, or one a file. What gzip has compressed
 * is unpacked. */
#ifndef MCPWIRE_INPUT_H
#define MCPWIRE_INPUT_H

#include "input_unpack.h"
#include "input_url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One file being read. Memory: one buffer, which grows to the largest value and no further than max_bytes
 * and a little more. */
typedef struct input {
    const char *name; /* as the user gave it; "-" is stdin */
    int fd;           /* -1: what is at a URL is read */
    url_reader *url;  /* NULL: there is none */
    char *data;
    size_t capacity;
    size_t begin; /* data[begin .. end) has been read and not been handed out */
    size_t end;
    size_t max_bytes;
    uint64_t line;  /* number of lines handed out */
    uint64_t bytes; /* read so far */
    uint64_t size;  /* of a regular file; 0: not known */
    bool at_end;
    unpacker *unpacker; /* NULL: what is read is the text */
    unsigned char *packed;
    size_t packed_begin; /* packed[packed_begin .. packed_end) has been read and not been unpacked */
    size_t packed_end;
    bool packed_ends;
    int error;                                           /* errno of the failure; 0: see why */
    const char *why;                                     /* it failed */
    const char *failed;                                  /* what failed, as in "cannot open" */
    void (*on_read)(void *user, const struct input *in); /* called for each portion; may be NULL */
    void *user;
} input;

/* A value's text, which stays until the next call for this input. */
typedef struct input_value {
    const char *text;
    size_t len;
    uint64_t line; /* from 1 */
    bool too_long; /* longer than max_bytes: text holds nothing */
} input_value;

/* A line for people: what failed, and why. */
enum { INPUT_REASON_SIZE = 256 };
void input_reason(const input *in, char out[INPUT_REASON_SIZE]);

typedef enum input_result { INPUT_VALUE, INPUT_END, INPUT_FAILED } input_result;

/* Whether at most one of the files is "-", as standard input can be read once; says so where it is not. */
bool input_is_read_once(const char *const *names, size_t count);

/* Opens a file. False: error and failed tell why. */
bool input_open(input *in, const char *name, size_t max_bytes);

/* The next line that is not blank, without its line break (LF, or CR and LF). */
input_result input_next_line(input *in, input_value *out);

/* All that the file holds, as one value. */
input_result input_whole(input *in, input_value *out);

void input_close(input *in);

#endif
