/* SPDX-License-Identifier: MIT */
/* Compressed input with zlib. Memory does not depend on the unpacked size. */
#include "input_unpack.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 /* the largest window, and the gzip format */ };

struct unpacker {
    z_stream stream;
    bool between; /* between two members: a file may contain several */
};

unpacker *unpack_new(const char **why) {
    unpacker *const u = calloc(1, sizeof *u);
    if (u == NULL || inflateInit2(&u->stream, GZIP_WINDOW) != Z_OK) {
        *why = "out of memory";
        free(u);
        return NULL;
    }
    return u;
}

void unpack_free(unpacker *u) {
    if (u != NULL) {
        (void)inflateEnd(&u->stream);
        free(u);
    }
}

static const char *reason(int code) {
    switch (code) {
    case Z_MEM_ERROR:
        return "out of memory";
    case Z_NEED_DICT:
        return "the compressed data needs a dictionary";
    default:
        return "the compressed data is damaged";
    }
}

static unsigned portion(size_t len) { return len < UINT_MAX ? (unsigned)len : UINT_MAX; }

/* Makes one call of zlib. */
static int inflate_some(unpacker *u, unpack_step *step) {
    z_stream *const z = &u->stream;
    const unsigned in_len = portion(step->in_len);
    const unsigned out_len = portion(step->out_len);
    z->next_in = (z_const Bytef *)(uintptr_t)step->in;
    z->avail_in = in_len;
    z->next_out = step->out;
    z->avail_out = out_len;
    const int code = inflate(z, Z_NO_FLUSH);
    step->in += in_len - z->avail_in;
    step->in_len -= in_len - z->avail_in;
    step->out += out_len - z->avail_out;
    step->out_len -= out_len - z->avail_out;
    return code;
}

/* Skips zeros after a member, which tapes add. */
static void skip_padding(unpack_step *step) {
    while (step->in_len != 0 && *step->in == 0) {
        step->in++;
        step->in_len--;
    }
}

const char *unpack_run(unpacker *u, unpack_step *step) {
    while (step->out_len != 0) {
        if (u->between) {
            skip_padding(step);
        }
        if (step->in_len == 0) {
            step->ended = step->in_ends && u->between;
            return step->in_ends && !u->between ? "the compressed data ends too early" : NULL;
        }
        if (u->between && inflateReset(&u->stream) != Z_OK) {
            return reason(Z_DATA_ERROR);
        }
        u->between = false;
        const int code = inflate_some(u, step);
        u->between = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
            return reason(code);
        }
    }
    return NULL;
}
