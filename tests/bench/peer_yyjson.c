/* SPDX-License-Identifier: MIT */
/* yyjson, reading and writing, with a pool that is kept between texts. */
#include <stdbool.h>
#include <stdlib.h>
#include <yyjson.h>

#include "peers.h"

/* Writing asks for the worst case of every string, six bytes for each, before it writes. */
enum { WRITING_FACTOR = 8, WRITING_ROOM = 1 << 20 };

typedef struct pool {
    void *memory;
    size_t size;
} pool;

typedef struct writing {
    pool pool;
    yyjson_doc **trees;
    size_t count;
} writing;

static const char *version(void) { return YYJSON_VERSION_STRING; }

static size_t longest(const bench_text *texts, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = texts[i].len > most ? texts[i].len : most;
    }
    return most;
}

static void close_pool(void *state) {
    pool *const p = state;
    free(p->memory);
    free(p);
}

static void *open_reading(const bench_text *texts, size_t count) {
    pool *const p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->size = yyjson_read_max_memory_usage(longest(texts, count), YYJSON_READ_NOFLAG);
    p->memory = malloc(p->size);
    if (p->memory == NULL) {
        close_pool(p);
        return NULL;
    }
    return p;
}

static size_t parse(void *state, size_t index, bench_text text) {
    const pool *const p = state;
    yyjson_alc memory;
    (void)index;
    if (!yyjson_alc_pool_init(&memory, p->memory, p->size)) {
        return 0;
    }
    /* Without YYJSON_READ_INSITU the text is only read. */
    yyjson_doc *const tree = yyjson_read_opts((char *)text.ptr, text.len, YYJSON_READ_NOFLAG, &memory, NULL);
    const size_t read = yyjson_doc_get_read_size(tree);
    yyjson_doc_free(tree);
    return read;
}

static void close_writing(void *state) {
    writing *const w = state;
    for (size_t i = 0; i < w->count; i++) {
        yyjson_doc_free(w->trees[i]);
    }
    free(w->trees);
    free(w->pool.memory);
    free(w);
}

static bool read_trees(writing *w, const bench_text *texts, size_t count) {
    w->pool.size = longest(texts, count) * WRITING_FACTOR + WRITING_ROOM;
    w->pool.memory = malloc(w->pool.size);
    w->trees = calloc(count, sizeof *w->trees);
    if (w->pool.memory == NULL || w->trees == NULL) {
        return false;
    }
    for (; w->count < count; w->count++) {
        w->trees[w->count] = yyjson_read(texts[w->count].ptr, texts[w->count].len, YYJSON_READ_NOFLAG);
        if (w->trees[w->count] == NULL) {
            return false;
        }
    }
    return true;
}

static void *open_writing(const bench_text *texts, size_t count) {
    writing *const w = calloc(1, sizeof *w);
    if (w != NULL && !read_trees(w, texts, count)) {
        close_writing(w);
        return NULL;
    }
    return w;
}

static size_t write_tree(void *state, size_t index, bench_text text) {
    const writing *const w = state;
    yyjson_alc memory;
    size_t written = 0;
    (void)text;
    if (!yyjson_alc_pool_init(&memory, w->pool.memory, w->pool.size)) {
        return 0;
    }
    char *const out = yyjson_write_opts(w->trees[index], YYJSON_WRITE_NOFLAG, &memory, &written, NULL);
    memory.free(memory.ctx, out);
    return out != NULL ? written : 0;
}

const bench_peer bench_peer_yyjson = {"yyjson", version, open_reading, parse, close_pool};
const bench_peer bench_peer_yyjson_writing = {"yyjson writing", version, open_writing, write_tree,
                                              close_writing};
