/* SPDX-License-Identifier: MIT */
/* Other JSON libraries that the bench compares with: each parses a text into its own tree and frees it, or
 * writes the tree of a text. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench_text.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct bench_peer {
    const char *name;
    const char *(*version)(void);
    void *(*open)(const bench_text *texts, size_t count); /* NULL when that fails */
    /* Parses texts[index], which is text, or writes its tree. The bytes read or written; 0 when that fails.
     */
    size_t (*run)(void *state, size_t index, bench_text text);
    void (*close)(void *state);
} bench_peer;

#if defined(HAVE_JSON_C)
extern const bench_peer bench_peer_json_c;
#endif
#if defined(HAVE_CJSON)
extern const bench_peer bench_peer_cjson;
#endif
#if defined(HAVE_RAPIDJSON)
extern const bench_peer bench_peer_rapidjson;
#endif
#if defined(HAVE_SIMDJSON)
extern const bench_peer bench_peer_simdjson;
#endif

#if defined(HAVE_YYJSON)
extern const bench_peer bench_peer_yyjson;
extern const bench_peer bench_peer_yyjson_writing;
#endif

#if defined(__cplusplus)
}
#endif

#endif
