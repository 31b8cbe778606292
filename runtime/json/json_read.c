/* SPDX-License-Identifier: MIT */
/* Reading raw JSON values in place. */
#include <mcpw/json.h>

#include <assert.h>

#include "../base/error_text.h"
#include "number.h"
#include "reader.h"
#include "scan_short.h"

static_assert(MCPW_IS_OBJECT == 1 && MCPW_IS_ARRAY == 1 << (MCPW_JSON_OBJECT - MCPW_JSON_ARRAY) &&
                  MCPW_IS_STRING == 1 << (MCPW_JSON_OBJECT - MCPW_JSON_STRING) &&
                  MCPW_IS_NUMBER == 1 << (MCPW_JSON_OBJECT - MCPW_JSON_NUMBER) &&
                  MCPW_IS_BOOLEAN == 1 << (MCPW_JSON_OBJECT - MCPW_JSON_BOOLEAN) &&
                  MCPW_IS_NULL == 1 << (MCPW_JSON_OBJECT - MCPW_JSON_NULL),
              "the bits of types are in the order of kinds, from the last on");

/* Finds the first byte of a value, or the end of the text. *kind tells what begins there. */
static const unsigned char *begin_of(mcpw_json value, mcpw_json_kind *kind) {
    const unsigned char *p = (const unsigned char *)value.ptr;
    *kind = MCPW_JSON_ABSENT;
    if (p != NULL) {
        mcpw_scanner s;
        mcpw_scanner_open(&s, p + value.len, 0);
        p = mcpw_scan_space(&s, p);
        const unsigned type = p < s.end ? mcpw_json_type(*p) : 0;
        if (type != 0) {
            *kind = MCPW_JSON_OBJECT - mcpw_lowest_bit(type);
        }
    }
    return p;
}

mcpw_json_kind mcpw_json_kind_of(mcpw_json value) {
    mcpw_json_kind kind;
    (void)begin_of(value, &kind);
    return kind;
}

mcpw_status mcpw_json_check(mcpw_json value, unsigned max_depth, mcpw_error *error) {
    const unsigned depth = max_depth != 0 ? max_depth : MCPW_DEFAULT_DEPTH;
    mcpw_json whole = {NULL, 0, 0};
    size_t offset = 0;
    mcpw_status status = MCPW_E_ARGUMENT;
    if (depth <= MCPW_MAX_DEPTH) {
        status = mcpw_scan_whole(value, depth, &whole, &offset);
    }
    if (status != MCPW_OK) {
        mcpw_error_text(error, status, offset, mcpw_status_text(status));
    }
    return status;
}

/* ---- walking ---- */

mcpw_status mcpw_json_iterate(mcpw_json value, mcpw_json_iter *it) {
    memset(it, 0, sizeof *it);
    const unsigned char *const begin = begin_of(value, &it->kind);
    if (it->kind == MCPW_JSON_OBJECT || it->kind == MCPW_JSON_ARRAY) {
        it->next = (const char *)begin + 1;
        it->end = value.ptr + value.len;
    } else {
        it->status = it->kind == MCPW_JSON_ABSENT ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    }
    return it->status;
}

bool mcpw_json_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item) {
    const bool object = it->kind == MCPW_JSON_OBJECT;
    mcpw_json name = {NULL, 0, 0};
    mcpw_scanner s;
    if (it->next == NULL || it->status != MCPW_OK) {
        return false;
    }
    mcpw_scanner_open(&s, (const unsigned char *)it->end, MCPW_MAX_DEPTH - 1);
    const unsigned char *p = mcpw_scan_space(&s, (const unsigned char *)it->next);
    const unsigned char c = p < s.end ? *p : 0;
    const bool over = c == (object ? '}' : ']');
    it->next = NULL; /* and all is well if nothing but white space follows the end */
    if (over || (it->started && c != ',')) {
        it->status = over && mcpw_scan_space(&s, p + 1) == s.end ? MCPW_OK : MCPW_E_SYNTAX;
        return false;
    }
    if (it->started) {
        p = mcpw_scan_space(&s, p + 1);
    }
    if (object) {
        p = mcpw_scan_name(&s, p, &name);
    }
    const unsigned char *const end = p != NULL ? mcpw_scan_value(&s, p) : NULL;
    if (end == NULL) {
        it->status = s.status;
        return false;
    }
    it->started = true;
    it->next = (const char *)end;
    if (key != NULL) {
        *key = name;
    }
    if (item != NULL) {
        *item = (mcpw_json){(const char *)p, (size_t)(end - p), 0};
    }
    return true;
}

/* The place of the value of the member at p, if its name is short and written as it is; else NULL. */
MCPW_INLINE const unsigned char *value_of(mcpw_scanner *s, const unsigned char *p, const char *name,
                                          size_t len) {
    const unsigned char *const end = mcpw_scan_short(s, p);
    if (end == NULL || (size_t)(end - p) - 2 != len || memcmp(p + 1, name, len) != 0) {
        return NULL;
    }
    p = mcpw_scan_space(s, end);
    return mcpw_scanner_is(s, p, ':') ? mcpw_scan_space(s, p + 1) : NULL;
}

/* Finds a member among those from p on, which is after the opening brace. */
static mcpw_status find_member(mcpw_scanner *s, const unsigned char *p, const char *name, mcpw_json *out) {
    const size_t len = strlen(name);
    mcpw_json key = {NULL, 0, 0};
    p = mcpw_scan_space(s, p);
    if (!mcpw_scanner_is(s, p, '}')) {
        for (;; p = mcpw_scan_space(s, p + 1)) {
            const unsigned char *value = value_of(s, p, name, len);
            const bool found = value != NULL;
            value = found ? value : mcpw_scan_name(s, p, &key);
            const unsigned char *const end = value != NULL ? mcpw_scan_value(s, value) : NULL;
            if (end == NULL) {
                return s->status;
            }
            if (found || mcpw_scanned_is(key, name, len)) {
                *out = (mcpw_json){(const char *)value, (size_t)(end - value), 0};
                return MCPW_OK;
            }
            p = mcpw_scan_space(s, end);
            if (!mcpw_scanner_is(s, p, ',')) {
                break;
            }
        }
    }
    const bool over = mcpw_scanner_is(s, p, '}') && mcpw_scan_space(s, p + 1) == s->end;
    return over ? MCPW_E_NOT_FOUND : MCPW_E_SYNTAX;
}

mcpw_status mcpw_json_get(mcpw_json value, const char *name, mcpw_json *out) {
    mcpw_json_kind kind;
    const unsigned char *const begin = begin_of(value, &kind);
    if (kind != MCPW_JSON_OBJECT) {
        return kind == MCPW_JSON_ABSENT ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    }
    mcpw_scanner s;
    mcpw_scanner_open(&s, (const unsigned char *)value.ptr + value.len, MCPW_MAX_DEPTH - 1);
    return find_member(&s, begin + 1, name, out);
}

mcpw_status mcpw_json_at(mcpw_json value, size_t index, mcpw_json *out) {
    mcpw_json_iter it;
    mcpw_json item;
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

/* Finds the token of a value that has to be of a kind. */
static mcpw_status scalar(mcpw_json value, mcpw_json_kind kind, mcpw_json *token) {
    size_t offset = 0;
    const mcpw_json_kind found = mcpw_json_kind_of(value);
    if (found != kind) {
        return found == MCPW_JSON_ABSENT ? MCPW_E_SYNTAX : MCPW_E_TYPE;
    }
    return mcpw_scan_whole(value, 0, token, &offset);
}

mcpw_status mcpw_json_bool(mcpw_json value, bool *out) {
    mcpw_json token = {NULL, 0, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_BOOLEAN, &token);
    if (status == MCPW_OK) {
        *out = token.ptr[0] == 't'; // NOLINT(clang-analyzer-core.NullDereference): set on MCPW_OK
    }
    return status;
}

mcpw_status mcpw_json_int(mcpw_json value, int64_t *out) {
    mcpw_json token = {NULL, 0, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_NUMBER, &token);
    return status == MCPW_OK ? mcpw_parse_int64(token.ptr, token.len, out) : status;
}

mcpw_status mcpw_json_double(mcpw_json value, double *out) {
    mcpw_json token = {NULL, 0, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_NUMBER, &token);
    return status == MCPW_OK ? mcpw_parse_double(token.ptr, token.len, out) : status;
}

/* Gets the text of a string token that has been checked. */
MCPW_INLINE mcpw_status token_text(mcpw_json token, mcpw_arena *arena, mcpw_str *out) {
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
    const size_t used = mcpw_undo_escapes(text, token.len, p, end);
    text[used] = '\0';
    out->ptr = (const char *)text;
    out->len = used;
    return MCPW_OK;
}

mcpw_status mcpw_json_string(mcpw_json value, mcpw_arena *arena, mcpw_str *out) {
    mcpw_json token = {NULL, 0, 0};
    const mcpw_status status = scalar(value, MCPW_JSON_STRING, &token);
    return status == MCPW_OK && token.ptr != NULL ? token_text(token, arena, out) : status;
}

/* ---- members by name ---- */

mcpw_status mcpw_json_get_bool(mcpw_json value, const char *name, bool *out) {
    mcpw_json member = {NULL, 0, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_bool(member, out) : status;
}

mcpw_status mcpw_json_get_int(mcpw_json value, const char *name, int64_t *out) {
    mcpw_json member = {NULL, 0, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_int(member, out) : status;
}

mcpw_status mcpw_json_get_double(mcpw_json value, const char *name, double *out) {
    mcpw_json member = {NULL, 0, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    return status == MCPW_OK ? mcpw_json_double(member, out) : status;
}

mcpw_status mcpw_json_get_string(mcpw_json value, const char *name, mcpw_arena *arena, mcpw_str *out) {
    mcpw_json member = {NULL, 0, 0};
    const mcpw_status status = mcpw_json_get(value, name, &member);
    if (status != MCPW_OK) {
        return status;
    }
    return member.ptr != NULL && *member.ptr == '"' ? token_text(member, arena, out) : MCPW_E_TYPE;
}
