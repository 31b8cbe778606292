/* SPDX-License-Identifier: MIT */
#include "input.h"

#include "input_source.h"
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of one read; a buffer larger than KEEP_BYTES is freed after its value. */
#define CHUNK ((size_t)64 << 10)
#define KEEP_BYTES ((size_t)1 << 20)

/* The first bytes of every gzip file; no JSON text begins like that. */
static const unsigned char gzip_begin[] = {0x1f, 0x8b};

void input_reason(const input *in, char out[INPUT_REASON_SIZE]) {
    (void)snprintf(out, INPUT_REASON_SIZE, "cannot %s: %s", in->failed,
                   in->error != 0 ? strerror(in->error) : in->why);
}

bool input_is_read_once(const char *const *names, size_t count) {
    size_t times = 0;
    for (size_t i = 0; i < count; i++) {
        times += strcmp(names[i], "-") == 0 ? 1U : 0U;
    }
    if (times > 1) {
        tool_complain("standard input (-) is given %zu times; it can be read once", times);
    }
    return times <= 1;
}

bool input_open(input *in, const char *name, size_t max_bytes) {
    memset(in, 0, sizeof *in);
    in->name = name;
    in->max_bytes = max_bytes;
    return input_source_open(in);
}

void input_close(input *in) {
    input_source_close(in);
    free(in->data);
    in->data = NULL;
    in->capacity = 0;
    unpack_free(in->unpacker);
    in->unpacker = NULL;
    free(in->packed);
    in->packed = NULL;
}

/* Makes room for one more portion after the buffered bytes. */
static bool make_room(input *in) {
    if (in->begin != 0) {
        memmove(in->data, in->data + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    if (in->capacity - in->end >= CHUNK) {
        return true;
    }
    const size_t needed = in->end + CHUNK;
    const size_t doubled = in->capacity > SIZE_MAX / 2 ? SIZE_MAX : in->capacity * 2;
    const size_t ceiling = in->max_bytes > SIZE_MAX - 2 * CHUNK ? SIZE_MAX : in->max_bytes + 2 * CHUNK;
    size_t wanted = doubled > needed ? doubled : needed;
    if (wanted > ceiling && ceiling >= needed) {
        wanted = ceiling;
    }
    char *const data = realloc(in->data, wanted);
    if (data == NULL) {
        return false;
    }
    in->data = data;
    in->capacity = wanted;
    return true;
}

/* Begins unpacking: the bytes that were read are compressed. */
static input_result begin_unpacking(input *in) {
    const char *why = "";
    in->unpacker = unpack_new(&why);
    in->packed = in->unpacker != NULL ? malloc(CHUNK) : NULL;
    if (in->packed == NULL) {
        return input_fail_why(in, "unpack", in->unpacker != NULL ? "out of memory" : why);
    }
    memcpy(in->packed, in->data, in->end);
    in->packed_end = in->end;
    in->packed_ends = in->at_end;
    in->at_end = false;
    in->size = 0; /* the unpacked size is unknown */
    in->bytes = 0;
    in->end = 0;
    return INPUT_VALUE;
}

/* Reads enough bytes to see whether they are compressed. */
static input_result fill_first(input *in) {
    while (in->end < sizeof gzip_begin && !in->at_end) {
        size_t got = 0;
        if (!input_source_read(in, in->data + in->end, CHUNK - in->end, &got)) {
            return INPUT_FAILED;
        }
        in->at_end = got == 0;
        in->end += got;
    }
    in->bytes = in->end;
    if (in->end < sizeof gzip_begin || memcmp(in->data, gzip_begin, sizeof gzip_begin) != 0) {
        return INPUT_VALUE;
    }
    return begin_unpacking(in);
}

/* Unpacks a portion after the buffered bytes. */
static input_result fill_unpacked(input *in) {
    unpack_step step;
    do {
        size_t got = 0;
        if (in->packed_begin == in->packed_end && !in->packed_ends) {
            if (!input_source_read(in, in->packed, CHUNK, &got)) {
                return INPUT_FAILED;
            }
            in->packed_begin = 0;
            in->packed_end = got;
            in->packed_ends = got == 0;
        }
        const unpack_step next = {in->packed + in->packed_begin,
                                  in->packed_end - in->packed_begin,
                                  in->packed_ends,
                                  (unsigned char *)in->data + in->end,
                                  CHUNK,
                                  false};
        step = next;
        const char *const wrong = unpack_run(in->unpacker, &step);
        in->packed_begin = in->packed_end - step.in_len;
        if (wrong != NULL) {
            return input_fail_why(in, "unpack", wrong);
        }
    } while (step.out_len == CHUNK && !step.ended);
    in->at_end = step.ended;
    in->end += CHUNK - step.out_len;
    in->bytes += CHUNK - step.out_len;
    return INPUT_VALUE;
}

/* Reads a portion after the buffered bytes; sets at_end if there is none. */
static input_result fill(input *in) {
    input_result result = INPUT_VALUE;
    size_t got = 0;
    if (!make_room(in)) {
        return input_fail(in, "hold a value (see --max-bytes)", ENOMEM);
    }
    if (in->unpacker != NULL) {
        result = fill_unpacked(in);
    } else if (in->bytes == 0) {
        result = fill_first(in);
    } else if (!input_source_read(in, in->data + in->end, CHUNK, &got)) {
        result = INPUT_FAILED;
    } else {
        in->at_end = got == 0;
        in->end += got;
        in->bytes += (uint64_t)got;
    }
    if (result == INPUT_VALUE && in->on_read != NULL) {
        in->on_read(in->user, in);
    }
    return result;
}

/* Frees a buffer that one huge value made large. */
static void shrink(input *in) {
    const size_t left = in->end - in->begin;
    if (in->capacity <= KEEP_BYTES || left > CHUNK) {
        return;
    }
    memmove(in->data, in->data + in->begin, left);
    in->begin = 0;
    in->end = left;
    char *const data = realloc(in->data, 2 * CHUNK);
    if (data != NULL) {
        in->data = data;
        in->capacity = 2 * CHUNK;
    }
}

/* The next line, blank or not. For a line that is too long only the length is kept. */
static input_result next_raw_line(input *in, input_value *out) {
    size_t looked_at = 0;
    bool too_long = false;
    shrink(in);
    for (;;) {
        const size_t have = in->end - in->begin;
        const char *const from = have != 0 ? in->data + in->begin : in->data;
        const char *const feed = have > looked_at ? memchr(from + looked_at, '\n', have - looked_at) : NULL;
        if (feed != NULL || (in->at_end && (have != 0 || too_long))) {
            const size_t len = feed != NULL ? (size_t)(feed - from) : have;
            const size_t text_len = feed != NULL && len != 0 && feed[-1] == '\r' ? len - 1 : len;
            in->begin += feed != NULL ? len + 1 : len;
            out->line = ++in->line;
            out->too_long = too_long || text_len > in->max_bytes;
            out->text = out->too_long ? "" : from;
            out->len = out->too_long ? 0 : text_len;
            return INPUT_VALUE;
        }
        if (in->at_end) {
            return INPUT_END;
        }
        looked_at = have;
        if (too_long ||
            (have > in->max_bytes && have - in->max_bytes > 1)) { /* 1: the last byte may be the CR */
            too_long = true;
            looked_at = 0;
            in->begin = in->end;
        }
        if (fill(in) == INPUT_FAILED) {
            return INPUT_FAILED;
        }
    }
}

static bool is_blank(const input_value *v) {
    for (size_t i = 0; i < v->len; i++) {
        const char c = v->text[i];
        if (c != ' ' && c != '\t' && c != '\r') {
            return false;
        }
    }
    return !v->too_long;
}

input_result input_next_line(input *in, input_value *out) {
    input_result result;
    do {
        result = next_raw_line(in, out);
    } while (result == INPUT_VALUE && is_blank(out));
    return result;
}

input_result input_whole(input *in, input_value *out) {
    if (in->line != 0) {
        return INPUT_END;
    }
    while (!in->at_end && in->end <= in->max_bytes) {
        if (fill(in) == INPUT_FAILED) {
            return INPUT_FAILED;
        }
    }
    in->line = 1;
    out->line = 1;
    out->too_long = in->end > in->max_bytes;
    out->text = out->too_long || in->data == NULL ? "" : in->data;
    out->len = out->too_long ? 0 : in->end;
    return INPUT_VALUE;
}
