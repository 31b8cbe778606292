/* SPDX-License-Identifier: MIT */
/*
 * The common part of the fuzz targets. A target is one function over an input: LLVMFuzzerTestOneInput, run by
 * libFuzzer or, in any build, by replay.c.
 *
 * Most inputs are a header of FUZZ_HEADER bytes and a text:
 *
 *     0    revision       1, 2  definition or method      3  flags and limits      4  the limit
 *     5-7  what the target makes of them
 *
 * so that one seed serves several targets. seeds.py writes them.
 */
#ifndef MCPW_FUZZ_H
#define MCPW_FUZZ_H

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdio.h>
#include <stdlib.h>

enum { FUZZ_HEADER = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library's. A violation ends the process, as a crash does, so that the input is kept. */
#define FUZZ_ASSERT(condition)                                                                               \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            (void)fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                    \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* The same for two statuses, which are named. */
#define FUZZ_SAME(a, b, what)                                                                                \
    do {                                                                                                     \
        const mcpw_status a_ = (a);                                                                          \
        const mcpw_status b_ = (b);                                                                          \
        if (a_ != b_) {                                                                                      \
            (void)fprintf(stderr, "%s:%d: %s: %s, but %s\n", __FILE__, __LINE__, (what),                     \
                          mcpw_status_name(a_), mcpw_status_name(b_));                                       \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* Input that is used up from its front; zeros after its end. */
typedef struct fuzz_in {
    const uint8_t *at;
    size_t left;
} fuzz_in;

static inline unsigned fuzz_byte(fuzz_in *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static inline size_t fuzz_size(fuzz_in *in) {
    const size_t low = fuzz_byte(in);
    return low | (size_t)fuzz_byte(in) << 8;
}

/* Up to len bytes of the input. */
static inline mcpw_str fuzz_take(fuzz_in *in, size_t len) {
    const mcpw_str out = {(const char *)in->at, len < in->left ? len : in->left};
    in->at += out.len;
    in->left -= out.len;
    return out;
}

typedef struct fuzz_header {
    const mcpw_revision *revision;
    size_t definition; /* as read: of any size */
    const mcpw_type *type;
    mcpw_options options;
    unsigned extra[3];
    const char *text;
    size_t len;
} fuzz_header;

static inline void fuzz_options(mcpw_options *options, unsigned flags, unsigned limit) {
    enum { LIMIT_SHIFT = 4, LIMIT_MASK = 3, FLAGS = 15, BYTES_STEP = 8 };
    const mcpw_options init = MCPW_OPTIONS_INIT;
    *options = init;
    options->flags = flags & FLAGS;
    switch ((flags >> LIMIT_SHIFT) & LIMIT_MASK) {
    case 1:
        options->max_depth = limit % MCPW_MAX_DEPTH;
        break;
    case 2:
        options->max_elements = limit;
        break;
    case 3:
        options->max_bytes = (size_t)limit * BYTES_STEP;
        break;
    default:
        break;
    }
}

static inline fuzz_header fuzz_read_header(const uint8_t *data, size_t size) {
    fuzz_in in = {data, size};
    fuzz_header h;
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    h.revision = all[fuzz_byte(&in) % count];
    h.definition = fuzz_size(&in);
    h.type = mcpw_type_at(h.revision, h.definition % mcpw_type_count(h.revision));
    const unsigned flags = fuzz_byte(&in);
    fuzz_options(&h.options, flags, fuzz_byte(&in));
    for (size_t i = 0; i < sizeof h.extra / sizeof h.extra[0]; i++) {
        h.extra[i] = fuzz_byte(&in);
    }
    h.text = (const char *)in.at;
    h.len = in.left;
    return h;
}

/* The library's random bytes begin again: they are the same for each run (fixed_random.c). */
void fuzz_seed_random(unsigned seed);

/* Memory of exactly this size, so that a sanitizer sees every byte beyond it; zeroed. */
static inline void *fuzz_alloc(size_t size) {
    void *const out = calloc(1, size != 0 ? size : 1);
    if (out == NULL) {
        abort();
    }
    return out;
}

static inline char *fuzz_copy(const char *text, size_t len) {
    char *const out = malloc(len != 0 ? len : 1);
    if (out == NULL) {
        abort();
    }
    if (len != 0) {
        memcpy(out, text, len);
    }
    return out;
}

/* A failed call has filled in its record, with texts that end. */
static inline void fuzz_check_error(mcpw_status status, const mcpw_error *error) {
    FUZZ_SAME(status, error->code, "a status and its record");
    FUZZ_ASSERT(memchr(error->path, 0, sizeof error->path) != NULL);
    FUZZ_ASSERT(memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_ASSERT(status == MCPW_OK || error->message[0] != '\0');
}

static inline bool fuzz_is_one_line(const char *text, size_t len) {
    return len == 0 || (memchr(text, '\n', len) == NULL && memchr(text, '\r', len) == NULL);
}

#endif
