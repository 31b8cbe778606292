/* SPDX-License-Identifier: MIT */
/* Finding names and values of the tables in the text: keys, enum values, constants. */
#include "../json/number.h"
#include "tables.h"

bool mcpw_is_pooled(const char *pool, unsigned offset, const char *text, size_t len) {
    const char *const known = pool + offset + 1;
    size_t i = 0;
    while (i < len && known[i] != '"' && known[i] == text[i]) {
        i++;
    }
    return i == len && known[i] == '"';
}

/* A string at p, undone into buffer when it has escapes. */
static unsigned char *string_token(mcpw_reader *r, unsigned char *p, char *buffer, const char **text,
                                   size_t *len) {
    unsigned char *const start = p + 1;
    unsigned char *const special = mcpw_scan(r, start);
    if (MCPW_LIKELY(*special == '"')) {
        *text = (const char *)start;
        *len = (size_t)(special - start);
        return special + 1;
    }
    *text = buffer;
    return mcpw_token_unescape(r, start, buffer, MCPW_MAX_KEY, len);
}

unsigned char *mcpw_read_key(mcpw_reader *r, unsigned char *p, mcpw_key_token *key) {
    if (MCPW_UNLIKELY(*p != '"')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    key->text = p + 1;
    p = string_token(r, p, key->buffer, &key->ptr, &key->len);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    key->end = p - 1;
    p = mcpw_space(r, p);
    if (MCPW_UNLIKELY(*p != ':')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    return mcpw_space(r, p + 1);
}

const mcpw_row *mcpw_find_row(const mcpw_revision *revision, const mcpw_struct *s, const char *key,
                              size_t len) {
    if (len > MCPW_MAX_KEY) {
        return NULL;
    }
    const mcpw_row *const rows = revision->rows + s->first;
    const mcpw_row *row = NULL;
    if (mcpw_find_hashed(revision, s, key, len, &row)) {
        return row;
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (mcpw_is_pooled(revision->pool, mcpw_row_key(revision, rows + i), key, len)) {
            return rows + i;
        }
    }
    return NULL;
}

bool mcpw_token_is(mcpw_reader *r, const char *pool, unsigned offset, unsigned char *p, unsigned char **end) {
    char buffer[MCPW_MAX_KEY + 2];
    const char *text = NULL;
    size_t size = 0;
    if (*p != '"') {
        return false;
    }
    *end = string_token(r, p, buffer, &text, &size);
    return *end != NULL && mcpw_is_pooled(pool, offset, text, size);
}

MCPW_NOINLINE static int match_enum_slow(const mcpw_tables *t, mcpw_reader *r, unsigned char *p,
                                         const mcpw_enum *e, unsigned char **end) {
    char buffer[MCPW_MAX_KEY + 2];
    const char *text = NULL;
    size_t len = 0;
    if (*p != '"') {
        return -1;
    }
    *end = string_token(r, p, buffer, &text, &len);
    if (*end == NULL) {
        return -1;
    }
    for (int i = 0; i < e->count; i++) {
        const mcpw_enum_value *const v = t->revision->enum_values + e->first + i;
        if (mcpw_is_pooled(t->pool, v->text, text, len)) {
            return i + 1;
        }
    }
    return 0;
}

int mcpw_match_enum(const mcpw_tables *t, mcpw_reader *r, unsigned char *p, uint16_t index,
                    unsigned char **end) {
    const mcpw_enum *const e = t->revision->enums + index;
    const int plain = mcpw_enum_matches(t, p, e, end);
    return MCPW_LIKELY(plain != 0) ? plain : match_enum_slow(t, r, p, e, end);
}

bool mcpw_match_const(const mcpw_tables *t, mcpw_reader *r, unsigned char *p, const mcpw_const *want,
                      unsigned char **end) {
    const mcpw_json known = mcpw_const_text(t->pool, want);
    if (want->is == MCPW_IS_STRING) {
        return mcpw_const_matches(t, p, want, end) || mcpw_token_is(r, t->pool, want->text, p, end);
    }
    if (want->is == MCPW_IS_NUMBER) {
        int64_t value = 0;
        *end = mcpw_read_int(r, p, &value);
        return *end != NULL && mcpw_const_is(want, known, value);
    }
    *end = p + known.len;
    return memcmp(p, known.ptr, known.len) == 0;
}
