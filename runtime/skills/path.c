/* SPDX-License-Identifier: MIT */
/* Paths of files below a root, with slashes between their names. */
#include "path.h"

#include <mcpw/error.h>

enum { ASCII_END = 0x80, CONTROL_END = 0x20, DELETE = 0x7f, C1_LEAD = 0xc2, C1_END = 0xa0 };

int mcpw_skills_compare(mcpw_str a, mcpw_str b) {
    const size_t shorter = a.len < b.len ? a.len : b.len;
    const int order = shorter != 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool mcpw_skills_name_is_text(const char *name, size_t len) {
    const unsigned char *const text = (const unsigned char *)name;
    for (size_t i = 0; i < len;) {
        const unsigned char c = text[i];
        const unsigned step = c < ASCII_END ? 1 : mcpw_utf8_length(text + i, len - i);
        if (step == 0 || c < CONTROL_END || c == DELETE ||
            (c == C1_LEAD && i + 1 < len && text[i + 1] < C1_END)) {
            return false;
        }
        i += step;
    }
    return true;
}

bool mcpw_skills_path_is_valid(mcpw_str path) {
    if (path.len == 0 || path.len > MCPW_SKILL_MAX_PATH || !mcpw_skills_name_is_text(path.ptr, path.len)) {
        return false;
    }
    for (size_t begin = 0; begin <= path.len;) {
        const char *const slash = memchr(path.ptr + begin, '/', path.len - begin);
        const size_t end = slash != NULL ? (size_t)(slash - path.ptr) : path.len;
        const mcpw_str name = {path.ptr + begin, end - begin};
        if (name.len == 0 || mcpw_str_is(name, ".") || mcpw_str_is(name, "..")) {
            return false;
        }
        begin = end + 1;
    }
    return true;
}

bool mcpw_skills_is_within(mcpw_str path, mcpw_str directory) {
    return path.len >= directory.len && memcmp(path.ptr, directory.ptr, directory.len) == 0 &&
           (path.len == directory.len || path.ptr[directory.len] == '/');
}

mcpw_str mcpw_skills_name_of(mcpw_str path) {
    size_t begin = path.len;
    while (begin > 0 && path.ptr[begin - 1] != '/') {
        begin--;
    }
    return (mcpw_str){path.ptr + begin, path.len - begin};
}
