/* SPDX-License-Identifier: MIT */
/* Header fields: lookup, comparison, splitting and value encoding. */
#include "fields.h"

#include <mcpw/server.h>

enum { LETTERS = 26, LOWER = 0x20 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Compares two texts of equal length without regard to ASCII case. Most equal texts are identical, and most
 * different ones differ in their first bytes. */
static bool is_same(const char *text, const char *other, size_t len) {
    size_t i = 0;
    for (uint64_t a, b; i < len && len >= sizeof a; i += sizeof a) {
        const size_t at = len - i < sizeof a ? len - sizeof a : i;
        memcpy(&a, text + at, sizeof a);
        memcpy(&b, other + at, sizeof b);
        if (a != b) {
            break;
        }
    }
    while (i < len && lower(text[i]) == lower(other[i])) {
        i++;
    }
    return i >= len;
}

bool mcpw_header_is(mcpw_str text, mcpw_str other) {
    return text.ptr != NULL && text.len == other.len && is_same(text.ptr, other.ptr, text.len);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

mcpw_str mcpw_header_trim(mcpw_str text) {
    while (text.len != 0 && is_blank(text.ptr[0])) {
        text.ptr++;
        text.len--;
    }
    while (text.len != 0 && is_blank(text.ptr[text.len - 1])) {
        text.len--;
    }
    return text;
}

size_t mcpw_header_find(const mcpw_http_field *fields, size_t field_count, mcpw_str name, mcpw_str *value) {
    size_t count = 0;
    *value = (mcpw_str){NULL, 0};
    for (size_t i = 0; i < field_count; i++) {
        if (mcpw_header_is(fields[i].name, name) && count++ == 0) {
            *value = mcpw_header_trim(fields[i].value);
        }
    }
    return count;
}

size_t mcpw_header_count(const mcpw_http_exchange *exchange, mcpw_str name, mcpw_str *value) {
    return mcpw_header_find(exchange->fields, exchange->field_count, name, value);
}

bool mcpw_header_part(mcpw_str *list, char separator, mcpw_str *part) {
    if (list->len == 0) {
        return false;
    }
    const char *const end = memchr(list->ptr, separator, list->len);
    const size_t len = end != NULL ? (size_t)(end - list->ptr) : list->len;
    const size_t used = end != NULL ? len + 1 : len;
    *part = mcpw_header_trim((mcpw_str){list->ptr, len});
    list->ptr += used;
    list->len -= used;
    return true;
}

static const mcpw_str before = MCPW_STR("=?base64?");
static const mcpw_str after = MCPW_STR("?=");

static bool is_wrapped(mcpw_str value) {
    return value.len >= before.len + after.len && memcmp(value.ptr, before.ptr, before.len) == 0 &&
           memcmp(value.ptr + value.len - after.len, after.ptr, after.len) == 0;
}

bool mcpw_header_is_token(mcpw_str name) {
    static const char marks[] = "!#$%&'*+.^_`|~";
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.ptr[i];
        const unsigned letter = ((unsigned char)c | (unsigned)LOWER) - 'a'; /* most are letters and hyphens */
        if (letter >= LETTERS && c != '-' && !(c >= '0' && c <= '9') &&
            (c == '\0' || strchr(marks, c) == NULL)) {
            return false;
        }
    }
    return name.len != 0;
}

bool mcpw_header_is_plain(mcpw_str value) {
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < ' ' || value.ptr[i] > '~') {
            return false;
        }
    }
    return mcpw_header_trim(value).len == value.len;
}

mcpw_str mcpw_header_wrap(mcpw_arena *arena, mcpw_str text) {
    if (mcpw_header_is_plain(text) && !is_wrapped(text)) {
        return text;
    }
    const mcpw_str inside = mcpw_base64_encode(arena, text.ptr, text.len);
    char *const to = inside.ptr != NULL ? mcpw_arena_alloc(arena, before.len + inside.len + after.len) : NULL;
    if (to == NULL) {
        return (mcpw_str){NULL, 0};
    }
    memcpy(to, before.ptr, before.len);
    memcpy(to + before.len, inside.ptr, inside.len);
    memcpy(to + before.len + inside.len, after.ptr, after.len);
    return (mcpw_str){to, before.len + inside.len + after.len};
}

mcpw_status mcpw_header_unwrap(mcpw_arena *arena, mcpw_str value, mcpw_str *out) {
    *out = value;
    if (!is_wrapped(value)) {
        return MCPW_OK;
    }
    const mcpw_str inside = {value.ptr + before.len, value.len - before.len - after.len};
    return mcpw_base64_decode(arena, inside, out);
}

bool mcpw_header_is_secret(mcpw_str name) {
    static const mcpw_str fields_with_secrets[] = {MCPW_STR("Authorization"), MCPW_STR("Proxy-Authorization"),
                                                   MCPW_STR("DPoP")};
    for (size_t i = 0; i < sizeof fields_with_secrets / sizeof *fields_with_secrets; i++) {
        const mcpw_str secret = fields_with_secrets[i];
        if (name.len == secret.len && mcpw_header_is(name, secret)) { /* the length decides almost always */
            return true;
        }
    }
    return false;
}
