/* SPDX-License-Identifier: MIT */
/* Reading raw JSON values in place. */
#include <mcpw/codec.h>
#include <mcpw/json.h>

#include "arena_internal.h"
#include "error_internal.h"
#include "json_scan.h"
#include "number.h"

enum { LONGEST_CHARACTER = 4 };

static mcpw_scanner scanner_for(mcpw_json value, unsigned depth) {
    const mcpw_scanner s = {(const unsigned char *)value.ptr + value.len, NULL, MCPW_OK, depth};
    return s;
}

static mcpw_json_kind kind_of_byte(unsigned char c) {
    switch (c) {
    case '{':
        return MCPW_JSON_OBJECT;
    case '[':
        return MCPW_JSON_ARRAY;
    case '"':
        return MCPW_JSON_STRING;
    case 't':
    case 'f':
        return MCPW_JSON_BOOLEAN;
    case 'n':
        return MCPW_JSON_NULL;
    default:
        return c == '-' || (c >= '0' && c <= '9') ? MCPW_JSON_NUMBER : MCPW_JSON_ABSENT;
    }
}

mcpw_json_kind mcpw_json_kind_of(mcpw_json value) {
    if (value.ptr == NULL) {
        return MCPW_JSON_ABSENT;
    }
    const mcpw_scanner s = scanner_for(value, 0);
    const unsigned char *const p = mcpw_scan_space(&s, (const unsigned char *)value.ptr);
    return p < s.end ? kind_of_byte(*p) : MCPW_JSON_ABSENT;
}

/* value without white space around it, when it is one value and nothing else. */
static mcpw_status whole_value(mcpw_json value, unsigned depth, mcpw_json *out, size_t *offset) {
    if (value.ptr == NULL) {
        *offset = 0;
        return MCPW_E_SYNTAX;
    }
    mcpw_scanner s = scanner_for(value, depth);
    const unsigned char *const begin = (const unsigned char *)value.ptr;
    const unsigned char *const first = mcpw_scan_space(&s, begin);
    const unsigned char *const last = mcpw_scan_value(&s, first);
    if (last == NULL) {
        *offset = (size_t)(s.at - begin);
        return s.status;
    }
    out->ptr = (const char *)first;
    out->len = (size_t)(last - first);
    *offset = (size_t)(mcpw_scan_space(&s, last) - begin);
    return *offset == value.len ? MCPW_OK : MCPW_E_SYNTAX;
}

mcpw_status mcpw_json_check(mcpw_json value, unsigned max_depth, mcpw_error *error) {
    const unsigned depth = max_depth != 0 ? max_depth : MCPW_DEFAULT_DEPTH;
    mcpw_json whole = {NULL, 0};
    size_t offset = 0;
    mcpw_status status = MCPW_E_ARGUMENT;
    if (depth <= MCPW_MAX_DEPTH) {
        status = whole_value(value, depth, &whole, &offset);
    }
    if (status != MCPW_OK) {
        mcpw_error_text(error, status, offset, mcpw_status_text(status));
    }
    return status;
}

/* ---- walking ---- */

mcpw_status mcpw_json_iterate(mcpw_json value, mcpw_json_iter *it) {
    memset(it, 0, sizeof *it);
    it->kind = mcpw_json_kind_of(value);
    if (it->kind == MCPW_JSON_OBJECT || it->kind == MCPW_JSON_ARRAY) {
        const mcpw_scanner s = scanner_for(value, 0);
        it->next = (const char *)mcpw_scan_space(&s, (const unsigned char *)value.ptr) + 1;
        it->end = value.ptr + value.len;
    } else {
        it->status = it->kind == MCPW_JSON_ABSENT ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    }
    return it->status;
}

static bool stop(mcpw_json_iter *it, mcpw_status status) {
    it->status = status;
    it->next = NULL;
    return false;
}

/* The closing bracket is at p: the walk ends, well if nothing but white space follows. */
static bool finish(mcpw_json_iter *it, const mcpw_scanner *s, const unsigned char *p) {
    return stop(it, mcpw_scan_space(s, p + 1) == s->end ? MCPW_OK : MCPW_E_SYNTAX);
}

static const unsigned char *next_key(mcpw_scanner *s, const unsigned char *p, mcpw_json *key) {
    const unsigned char *const start = p;
    if (p == s->end || *p != '"') {
        s->status = MCPW_E_SYNTAX;
        return NULL;
    }
    p = mcpw_scan_string(s, p);
    if (p == NULL) {
        return NULL;
    }
    key->ptr = (const char *)start;
    key->len = (size_t)(p - start);
    p = mcpw_scan_space(s, p);
    if (p == s->end || *p != ':') {
        s->status = MCPW_E_SYNTAX;
        return NULL;
    }
    return mcpw_scan_space(s, p + 1);
}

bool mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item) {
    const bool object = it->kind == MCPW_JSON_OBJECT;
    mcpw_json name = {NULL, 0};
    if (it->next == NULL || it->status != MCPW_OK) {
        return false;
    }
    mcpw_scanner s = {(const unsigned char *)it->end, NULL, MCPW_OK, MCPW_MAX_DEPTH - 1};
    const unsigned char *p = mcpw_scan_space(&s, (const unsigned char *)it->next);
    if (p < s.end && *p == (object ? '}' : ']')) {
        return finish(it, &s, p);
    }
    if (it->started) {
        if (p == s.end || *p != ',') {
            return stop(it, MCPW_E_SYNTAX);
        }
        p = mcpw_scan_space(&s, p + 1);
    }
    if (object) {
        p = next_key(&s, p, &name);
    }
    const unsigned char *const end = p != NULL ? mcpw_scan_value(&s, p) : NULL;
    if (end == NULL) {
        return stop(it, s.status);
    }
    it->started = true;
    it->next = (const char *)end;
    if (key != NULL) {
        *key = name;
    }
    if (item != NULL) {
        item->ptr = (const char *)p;
        item->len = (size_t)(end - p);
    }
    return true;
}

/* Whether a string token holds the code points of a plain text. */
static bool token_is(mcpw_json token, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)token.ptr + 1;
    const unsigned char *const end = p + token.len - 2;
    const unsigned char *q = (const unsigned char *)text;
    if (memchr(p, '\\', token.len - 2) == NULL) { // NOLINT(clang-analyzer-core.NonNullParamChecker): as above
        return token.len - 2 == len && memcmp(p, q, len) == 0;
    }
    for (const unsigned char *const stop_at = q + len; p < end;) {
        unsigned char bytes[LONGEST_CHARACTER];
        const size_t n = mcpw_put_character(bytes, mcpw_next_character(&p));
        if ((size_t)(stop_at - q) < n || memcmp(q, bytes, n) != 0) {
            return false;
        }
        q += n;
    }
    return q == (const unsigned char *)text + len;
}

mcpw_status mcpw_json_get(mcpw_json value, const char *name, mcpw_json *out) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0};
    mcpw_json item = {NULL, 0};
    const mcpw_status status = mcpw_json_iterate(value, &it);
    if (status != MCPW_OK) {
        return status;
    }
    if (it.kind != MCPW_JSON_OBJECT) {
        return MCPW_E_TYPE;
    }
    const size_t len = strlen(name);
    while (mcpw_json_next(&it, &key, &item)) {
        if (token_is(key, name, len)) {
            *out = item;
            return MCPW_OK;
        }
    }
    return it.status != MCPW_OK ? it.status : MCPW_E_NOT_FOUND;
}

mcpw_status mcpw_json_at(mcpw_json value, size_t index, mcpw_json *out) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0};
    const mcpw_status status = mcpw_json_iterate(value, &it);
    if (status != MCPW_OK) {
        return status;
    }
    if (it.kind != MCPW_JSON_ARRAY) {
        return MCPW_E_TYPE;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (index-- == 0) {
            *out = item;
            return MCPW_OK;
        }
    }
    return it.status != MCPW_OK ? it.status : MCPW_E_NOT_FOUND;
}

size_t mcpw_json_count(mcpw_json value) {
    mcpw_json_iter it;
    size_t count = 0;
    if (mcpw_json_iterate(value, &it) != MCPW_OK) {
        return 0;
    }
    while (mcpw_json_next(&it, NULL, NULL)) {
        count++;
    }
    return it.status == MCPW_OK ? count : 0;
}

/* ---- scalars ---- */

/* The token of a value that has to be of a kind. */
static mcpw_status scalar(mcpw_json value, mcpw_json_kind kind, mcpw_json *token) {
    size_t offset = 0;
    const mcpw_json_kind found = mcpw_json_kind_of(value);
    if (found != kind) {
        return found == MCPW_JSON_ABSENT ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    }
    return whole_value(value, 0, token, &offset);
}

mcpw_status mcpw_json_bool(mcpw_json value, bool *out) {
    mcpw_json token = {NULL, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_BOOLEAN, &token);
    if (status == MCPW_OK) {
        *out = token.ptr[0] == 't'; // NOLINT(clang-analyzer-core.NullDereference): set on MCPW_OK
    }
    return status;
}

mcpw_status mcpw_json_int(mcpw_json value, int64_t *out) {
    mcpw_json token = {NULL, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_NUMBER, &token);
    return status == MCPW_OK ? mcpw_parse_int64(token.ptr, token.len, out) : status;
}

mcpw_status mcpw_json_double(mcpw_json value, double *out) {
    mcpw_json token = {NULL, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_NUMBER, &token);
    return status == MCPW_OK ? mcpw_parse_double(token.ptr, token.len, out) : status;
}

/* The text of a string token that has been checked. */
static mcpw_status token_text(mcpw_json token, mcpw_arena *arena, mcpw_str *out) {
    const unsigned char *p = (const unsigned char *)token.ptr + 1;
    const unsigned char *const end = p + token.len - 2;
    if (memchr(p, '\\', token.len - 2) == NULL) {
        out->ptr = (const char *)p;
        out->len = token.len - 2;
        return MCPW_OK;
    }
    if (arena == NULL) {
        return MCPW_E_ARGUMENT;
    }
    unsigned char *const text = mcpw_arena_bump(arena, token.len); /* escapes never grow */
    if (text == NULL) {
        return mcpw_arena_status(arena);
    }
    size_t used = 0;
    while (p < end) {
        used += mcpw_put_character(text + used, mcpw_next_character(&p));
    }
    text[used] = '\0';
    out->ptr = (const char *)text;
    out->len = used;
    return MCPW_OK;
}

mcpw_status mcpw_json_string(mcpw_json value, mcpw_arena *arena, mcpw_str *out) {
    mcpw_json token = {NULL, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_STRING, &token);
    return status == MCPW_OK && token.ptr != NULL ? token_text(token, arena, out) : status;
}

/* ---- members by name ---- */

mcpw_status mcpw_json_get_bool(mcpw_json value, const char *name, bool *out) {
    mcpw_json member = {NULL, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_bool(member, out) : status;
}

mcpw_status mcpw_json_get_int(mcpw_json value, const char *name, int64_t *out) {
    mcpw_json member = {NULL, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_int(member, out) : status;
}

mcpw_status mcpw_json_get_double(mcpw_json value, const char *name, double *out) {
    mcpw_json member = {NULL, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_double(member, out) : status;
}

mcpw_status mcpw_json_get_string(mcpw_json value, const char *name, mcpw_arena *arena, mcpw_str *out) {
    mcpw_json member = {NULL, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    if (status != MCPW_OK) {
        return status;
    }
    return *member.ptr == '"' ? token_text(member, arena, out) : MCPW_E_TYPE;
}
