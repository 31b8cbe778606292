/* SPDX-License-Identifier: MIT */
/* The peers that are written in C. Each is used as its documentation advises for many texts in a row. */
#include "peers.h"

#if defined(HAVE_JSON_C)
#include <json-c/json.h>
#endif
#if defined(HAVE_CJSON)
#include <cjson/cJSON.h>
#endif

#if defined(HAVE_JSON_C)
static void *json_c_open(const bench_text *texts, size_t count) {
    (void)texts;
    (void)count;
    return json_tokener_new();
}

static size_t json_c_parse(void *state, size_t index, bench_text text) {
    (void)index;
    json_tokener *const tokener = state;
    json_tokener_reset(tokener);
    json_object *const tree = json_tokener_parse_ex(tokener, text.ptr, (int)text.len);
    if (tree == NULL) {
        return 0;
    }
    json_object_put(tree);
    return text.len;
}

static void json_c_close(void *state) { json_tokener_free(state); }

const bench_peer bench_peer_json_c = {"json-c", json_c_version, json_c_open, json_c_parse, json_c_close};
#endif

#if defined(HAVE_CJSON)
static void *cjson_open(const bench_text *texts, size_t count) {
    (void)texts;
    (void)count;
    static char state; /* cJSON keeps nothing between texts; any address but NULL will do */
    return &state;
}

static size_t cjson_parse(void *state, size_t index, bench_text text) {
    (void)state;
    (void)index;
    cJSON *const tree = cJSON_ParseWithLength(text.ptr, text.len);
    if (tree == NULL) {
        return 0;
    }
    cJSON_Delete(tree);
    return text.len;
}

static void cjson_close(void *state) { (void)state; }

const bench_peer bench_peer_cjson = {"cJSON", cJSON_Version, cjson_open, cjson_parse, cjson_close};
#endif

#if !defined(HAVE_JSON_C) && !defined(HAVE_CJSON)
typedef int bench_no_c_peer; /* ISO C wants a declaration in every file */
#endif
