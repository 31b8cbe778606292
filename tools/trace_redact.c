/* SPDX-License-Identifier: MIT */
#include "trace_redact.h"

#include <mcpw/json.h>

#include <stdbool.h>
#include <string.h>

enum { DEPTH = 128, PATH_SIZE = 96 };

/* Places of values that stay: they say which message it is, and in which revision. */
static bool is_kept(const char *path) {
    static const char *const paths[] = {"/jsonrpc",
                                        "/id",
                                        "/method",
                                        "/error/code",
                                        "/params/name",
                                        "/params/protocolVersion",
                                        "/params/progressToken",
                                        "/params/requestId",
                                        "/params/_meta/progressToken",
                                        "/params/_meta/io.modelcontextprotocol/protocolVersion",
                                        "/result/protocolVersion",
                                        "/result/resultType"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(path, paths[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void put_length(text *out, size_t len) { text_format(out, "\"[%zu bytes]\"", len); }

static void put_scalar(text *out, mcpw_json value, const char *path) {
    const mcpw_json_kind kind = mcpw_json_kind_of(value);
    if (is_kept(path) || kind == MCPW_JSON_NULL || kind == MCPW_JSON_BOOLEAN) {
        text_bytes(out, value.ptr, value.len);
    } else if (kind == MCPW_JSON_STRING) {
        put_length(out, value.len - 2);
    } else {
        text_add(out, "0");
    }
}

/* The place of a member; a long one is none of those that are kept. */
static void put_path(char to[PATH_SIZE], const char *path, mcpw_json key) {
    const size_t before = strlen(path);
    to[0] = '\0';
    if (key.ptr == NULL && before == 0) {
        return; /* a message of a batch */
    }
    if (key.ptr != NULL && key.len >= 2 && before + key.len < PATH_SIZE) {
        memcpy(to, path, before);
        to[before] = '/';
        memcpy(to + before + 1, key.ptr + 1, key.len - 2);
        to[before + key.len - 1] = '\0';
    } else {
        memcpy(to, "-", sizeof "-");
    }
}

static void put_value(text *out, mcpw_json value, const char *path) { /* it ends at DEPTH */
    const mcpw_json_kind kind = mcpw_json_kind_of(value);
    const bool is_object = kind == MCPW_JSON_OBJECT;
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json item = {NULL, 0, 0};
    bool any = false;
    if ((!is_object && kind != MCPW_JSON_ARRAY) || mcpw_json_iterate(value, &it) != MCPW_OK) {
        put_scalar(out, value, path);
        return;
    }
    text_add(out, is_object ? "{" : "[");
    while (mcpw_json_next(&it, is_object ? &key : NULL, &item)) {
        char place[PATH_SIZE];
        put_path(place, path, key);
        text_add(out, any ? "," : "");
        any = true;
        if (is_object) {
            text_bytes(out, key.ptr, key.len);
            text_add(out, ":");
        }
        put_value(out, item, place);
    }
    text_add(out, is_object ? "}" : "]");
}

void trace_redact(text *out, mcpw_str message) {
    const mcpw_json value = mcpw_json_of(message.ptr, message.len);
    mcpw_error unused;
    if (mcpw_json_check(value, DEPTH, &unused) == MCPW_OK) {
        put_value(out, value, "");
    } else {
        text_format(out, "[%zu bytes]", message.len);
    }
}

void trace_put_message(text *out, const char *words, bool redacts) {
    text kept = TEXT_INIT;
    const char *at = words;
    while (redacts && *at != '\0') {
        const size_t plain = strcspn(at, "\"");
        const char *const excerpt = strstr(at, " of: "); /* of a line that is no JSON */
        if (excerpt != NULL && (size_t)(excerpt - at) < plain) {
            text_bytes(&kept, at, (size_t)(excerpt - at));
            break;
        }
        text_bytes(&kept, at, plain);
        at += plain;
        if (*at == '"') {
            text_add(&kept, "\"...\"");
            at++;
            at += strcspn(at, "\"");
            at += *at == '"' ? 1 : 0;
        }
    }
    if (redacts) {
        text_json(out, kept.buffer.len != 0 ? kept.buffer.data : "", kept.buffer.len);
    } else {
        text_json(out, words, strlen(words));
    }
    text_free(&kept);
}
