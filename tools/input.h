/* SPDX-License-Identifier: MIT */
/* Reads values from a file, from stdin or from a URL: one value a line, or one a file. gzip input is
 * unpacked. */
#ifndef MCPWIRE_INPUT_H
#define MCPWIRE_INPUT_H

#include "input_unpack.h"
#include "input_url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file that is being read. It uses one buffer, which grows to the largest value, and to little more than
 * max_bytes. */
typedef struct input {
    const char *name; /* as the user named it; "-" is stdin */
    int fd;           /* -1: the input is at a URL */
    url_reader *url;  /* NULL: none */
    char *data;
    size_t capacity;
    size_t begin; /* data[begin .. end) was read and not passed on yet */
    size_t end;
    size_t max_bytes;
    uint64_t line;  /* number of lines passed on */
    uint64_t bytes; /* read so far */
    uint64_t size;  /* of a regular file; 0: unknown */
    bool at_end;
    unpacker *unpacker; /* NULL: the input is not compressed */
    unsigned char *packed;
    size_t packed_begin; /* packed[packed_begin .. packed_end) was read and not unpacked yet */
    size_t packed_end;
    bool packed_ends;
    int error;                                           /* errno of the failure; 0: see why */
    const char *why;                                     /* the reason of the failure */
    const char *failed;                                  /* the failed action, such as "cannot open" */
    void (*on_read)(void *user, const struct input *in); /* called for each portion; may be NULL */
    void *user;
} input;

/* The text of a value, valid until the next call for this input. */
typedef struct input_value {
    const char *text;
    size_t len;
    uint64_t line; /* from 1 */
    bool too_long; /* longer than max_bytes: text is empty */
} input_value;

/* Writes a message with the failed action and the reason. */
enum { INPUT_REASON_SIZE = 256 };
void input_reason(const input *in, char out[INPUT_REASON_SIZE]);

typedef enum input_result { INPUT_VALUE, INPUT_END, INPUT_FAILED } input_result;

/* True if at most one of the files is "-", because standard input can be read only once; prints an error
 * otherwise. */
bool input_is_read_once(const char *const *names, size_t count);

/* Opens a file. False: error and failed are set. */
bool input_open(input *in, const char *name, size_t max_bytes);

/* The next line that is not blank, without its line break (LF, or CR and LF). */
input_result input_next_line(input *in, input_value *out);

/* The whole file, as one value. */
input_result input_whole(input *in, input_value *out);

void input_close(input *in);

#endif
