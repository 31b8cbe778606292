/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "session_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT "{\"name\":\"bench\",\"version\":\"1.0.0\"}"
#define CAPABILITIES "{\"sampling\":{},\"elicitation\":{},\"roots\":{\"listChanged\":true}}"

/* Members stand in the order in which the official SDKs write them. */
const bench_dialect bench_dialects[] = {
    {"2026-07-28", "",
     ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
     "\"io.modelcontextprotocol/clientInfo\":" CLIENT
     ",\"io.modelcontextprotocol/clientCapabilities\":" CAPABILITIES "}"},
    {"2025-11-25",
     "{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
     "\"capabilities\":" CAPABILITIES ",\"clientInfo\":" CLIENT "},\"jsonrpc\":\"2.0\",\"id\":0}\n"
     "{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}\n",
     ""}};
const size_t bench_dialect_count = sizeof bench_dialects / sizeof bench_dialects[0];

static const char id_key[] = "\"id\":";

size_t bench_put_call(char *line, const bench_dialect *dialect, long id) {
    const int len =
        snprintf(line, BENCH_LINE,
                 "{\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"message\":"
                 "\"message number %ld\"}%s},\"jsonrpc\":\"2.0\",\"id\":%ld}\n",
                 id, dialect->meta, id);
    return len > 0 ? (size_t)len : 0;
}

static bool has(const char *line, size_t len, const char *text) {
    return memmem(line, len, text, strlen(text)) != NULL;
}

/* The id that a line answers with a result; -1: none. */
static long answered_id(const char *line, size_t len, bool echoes) {
    enum { DECIMAL = 10 };
    char text[sizeof "\"message number 9223372036854775807\""];
    const char *const key = memmem(line, len, id_key, sizeof id_key - 1);
    if (key == NULL || !has(line, len, "\"result\":{")) {
        return -1;
    }
    const long id = strtol(key + sizeof id_key - 1, NULL, DECIMAL);
    (void)snprintf(text, sizeof text, "\"message number %ld\"", id);
    return !echoes || has(line, len, text) ? id : -1;
}

bool bench_check_answers(const char *lines, size_t len, long first, size_t count, bool echoes) {
    bool *const seen = calloc(count, sizeof *seen);
    const char *line = lines;
    size_t answers = 0;
    bool good = seen != NULL;
    while (good && line < lines + len) {
        const char *const end = memchr(line, '\n', (size_t)(lines + len - line));
        const size_t size = end != NULL ? (size_t)(end - line) : (size_t)(lines + len - line);
        const long id = end != NULL ? answered_id(line, size, echoes) : -1;
        good = id >= first && (size_t)(id - first) < count && !seen[id - first];
        if (good) {
            seen[id - first] = true;
            answers++;
        } else {
            fprintf(stderr, "not the answer to a call that is due: %.*s\n", (int)size, line);
        }
        line += size + 1;
    }
    free(seen);
    if (good && answers != count) {
        fprintf(stderr, "%zu calls were answered %zu times\n", count, answers);
    }
    return good && answers == count;
}
