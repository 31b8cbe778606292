/* SPDX-License-Identifier: MIT */
/* Other JSON libraries that the bench compares with: each parses a text into its own tree and frees it. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct bench_peer {
    const char *name;
    const char *(*version)(void);
    void *(*open)(void); /* NULL when that fails */
    bool (*parse)(void *state, const char *text, size_t len);
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

#if defined(__cplusplus)
}
#endif

#endif
