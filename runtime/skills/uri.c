/* SPDX-License-Identifier: MIT */
/* URIs of skills and their files, and types of files. */
#define _XOPEN_SOURCE 700
#include "served.h"

enum { NIBBLE = 4, LOW = 0xf, ESCAPED = 3, LETTER_DIGIT = 10 };

/* Whether a byte stands in a URI as it is. (RFC 3986, section 2.3.) */
static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~' || c == '/';
}

mcpw_str mcpw_skills_uri(const char *before, mcpw_str path, mcpw_arena *arena) {
    static const char digits[] = "0123456789ABCDEF";
    const size_t prefix = strlen(before);
    mcpw_str uri = {NULL, prefix};
    char *const out = mcpw_arena_alloc(arena, prefix + ESCAPED * path.len + 1);
    if (out == NULL) {
        return uri;
    }
    memcpy(out, before, prefix);
    for (size_t i = 0; i < path.len; i++) {
        const unsigned char c = (unsigned char)path.ptr[i];
        if (is_plain(path.ptr[i])) {
            out[uri.len++] = path.ptr[i];
        } else {
            out[uri.len++] = '%';
            out[uri.len++] = digits[c >> NIBBLE];
            out[uri.len++] = digits[c & LOW];
        }
    }
    out[uri.len] = '\0';
    uri.ptr = out;
    return uri;
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + LETTER_DIGIT;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + LETTER_DIGIT : -1;
}

bool mcpw_skills_path(const char *before, mcpw_str uri, mcpw_arena *arena, mcpw_str *path) {
    const size_t prefix = strlen(before);
    if (uri.len < prefix || uri.len > prefix + (size_t)ESCAPED * MCPW_SKILL_MAX_PATH ||
        memcmp(uri.ptr, before, prefix) != 0) {
        return false;
    }
    char *const out = mcpw_arena_alloc(arena, uri.len - prefix + 1);
    size_t len = 0;
    for (size_t i = prefix; out != NULL && i < uri.len; i++) {
        char c = uri.ptr[i];
        if (c == '%') {
            const int high = i + 1 < uri.len ? hex_value(uri.ptr[i + 1]) : -1;
            const int low = i + 2 < uri.len ? hex_value(uri.ptr[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            c = (char)((unsigned)high << NIBBLE | (unsigned)low);
            i += 2;
        }
        out[len++] = c;
    }
    if (out == NULL) {
        return false;
    }
    out[len] = '\0';
    *path = (mcpw_str){out, len};
    return mcpw_skills_path_is_valid(*path);
}

bool mcpw_skills_prefix_is_valid(const char *prefix) {
    static const char slashes[] = "://";
    const char *const end = strstr(prefix, slashes);
    const size_t len = strlen(prefix);
    if (end == NULL || end == prefix || len > MCPW_SKILL_MAX_PATH || prefix[len - 1] != '/') {
        return false;
    }
    for (const char *c = prefix; *c != '\0'; c++) {
        const bool is_scheme = c < end;
        const bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        const bool is_inner = (*c >= '0' && *c <= '9') || *c == '+' || *c == '-' || *c == '.';
        if (is_scheme ? !is_letter && (c == prefix || !is_inner) : !is_plain(*c) && *c != ':' && *c != '@') {
            return false;
        }
    }
    return true;
}

const char *mcpw_skills_mime_type(mcpw_str path, bool *is_text) {
    static const struct {
        const char *suffix;
        const char *mime_type;
        bool is_text;
    } types[] = {{".md", "text/markdown", true},
                 {".txt", "text/plain", true},
                 {".json", "application/json", true},
                 {".yaml", "application/yaml", true},
                 {".yml", "application/yaml", true},
                 {".toml", "application/toml", true},
                 {".xml", "application/xml", true},
                 {".html", "text/html", true},
                 {".css", "text/css", true},
                 {".csv", "text/csv", true},
                 {".js", "text/javascript", true},
                 {".mjs", "text/javascript", true},
                 {".ts", "text/plain", true},
                 {".py", "text/x-python", true},
                 {".sh", "application/x-sh", true},
                 {".c", "text/x-c", true},
                 {".h", "text/x-c", true},
                 {".svg", "image/svg+xml", true},
                 {".png", "image/png", false},
                 {".jpg", "image/jpeg", false},
                 {".jpeg", "image/jpeg", false},
                 {".gif", "image/gif", false},
                 {".webp", "image/webp", false},
                 {".pdf", "application/pdf", false},
                 {".zip", "application/zip", false},
                 {".gz", "application/gzip", false},
                 {".wasm", "application/wasm", false}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t len = strlen(types[i].suffix);
        if (path.len > len && memcmp(path.ptr + path.len - len, types[i].suffix, len) == 0) {
            *is_text = types[i].is_text;
            return types[i].mime_type;
        }
    }
    *is_text = true; /* unless its bytes are none */
    return NULL;
}
