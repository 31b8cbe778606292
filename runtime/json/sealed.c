/* SPDX-License-Identifier: MIT */
/* Looks at the names in a text that was checked before. It trusts the text as to its grammar, but reads no
 * byte beyond its end, whatever the text is by now. */
#include <mcpw/detail/sealed.h>

#include <string.h>

#include "block_runs.h"
#include "seal.h"

/* The first special byte from p on, or the end. */
static inline const unsigned char *find_special(const unsigned char *p, const unsigned char *end) {
    for (; end - p >= MCPW_BLOCK; p += MCPW_BLOCK) {
        const mcpw_special special = mcpw_special_bytes(p);
        if (special != 0) {
            return p + mcpw_special_first(special);
        }
    }
    while (p < end && !mcpw_is_special(*p)) {
        p++;
    }
    return p;
}

/* The place after a string whose next special byte is at p. */
static MCPW_NOINLINE const unsigned char *pass_rest(const unsigned char *p, const unsigned char *end) {
    while (p < end && *p != '"') {
        p += *p == '\\' && end - p > 1 ? 2 : 1;
        p = find_special(p, end);
    }
    return p < end ? p + 1 : end;
}

/* The place after a string; p is after its opening quote. */
static inline const unsigned char *pass_string(const unsigned char *p, const unsigned char *end) {
    p = find_special(p, end);
    return MCPW_LIKELY(p < end && *p == '"') ? p + 1 : pass_rest(p, end);
}

/* The place after an array or an object; p is after its opening bracket. */
static MCPW_NOINLINE const unsigned char *pass_nested(const unsigned char *p, const unsigned char *end) {
    for (size_t open = 1; p < end && open != 0;) {
        const unsigned char c = *p++;
        if (c == '"') {
            p = pass_string(p, end);
        } else if (c == '{' || c == '[') {
            open++;
        } else if (c == '}' || c == ']') {
            open--;
        }
    }
    return p;
}

/* The place after a value, which begins before the end. */
static inline const unsigned char *pass_value(const unsigned char *p, const unsigned char *end) {
    if (*p == '"') {
        return pass_string(p + 1, end);
    }
    if (*p == '{' || *p == '[') {
        return pass_nested(p + 1, end);
    }
    if (*p <= ' ') { /* it was not written without white space, so nothing is known */
        return end;
    }
    while (p < end && *p != ',' && *p != '}') {
        p++;
    }
    return p;
}

/* The lengths of names, a bit for each, with one bit for all that are long. */
static inline uint32_t length_bit(size_t len) {
    enum { LAST = 31 };
    return UINT32_C(1) << (len < LAST ? len : LAST);
}

static MCPW_NOINLINE bool is_among(const unsigned char *name, size_t len, const mcpw_str *names,
                                   size_t count) {
    size_t i = 0;
    while (i < count && (names[i].len != len || memcmp(names[i].ptr, name, len) != 0)) {
        i++;
    }
    return i < count;
}

bool mcpw_sealed_lacks(mcpw_json object, unsigned max_depth, const mcpw_str *names, size_t count) {
    if (MCPW_COMPACT || !mcpw_is_sealed(object, 0) || mcpw_seal_levels(object) > max_depth ||
        object.ptr == NULL || object.len < 2 || object.ptr[0] != '{') {
        return false;
    }
    const unsigned char *p = (const unsigned char *)object.ptr;
    const unsigned char *const end = p + object.len;
    uint32_t lengths = 0;
    if (count == 0) {
        return p[1] == '"' && end[-1] == '}';
    }
    for (size_t i = 0; i < count; i++) {
        lengths |= length_bit(names[i].len);
    }
    do {
        const unsigned char *const name = p + 2;
        if (end - p < 2 || p[1] != '"') {
            return false;
        }
        p = find_special(name, end);
        if (end - p < 3 || p[0] != '"' || p[1] != ':') {
            return false;
        }
        const size_t len = (size_t)(p - name);
        if ((lengths & length_bit(len)) != 0 && is_among(name, len, names, count)) {
            return false;
        }
        p = pass_value(p + 2, end);
    } while (p < end && *p == ',');
    return end - p == 1 && *p == '}';
}
