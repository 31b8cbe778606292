/* SPDX-License-Identifier: MIT */
/* Finding names and values of the tables in the text: keys, enum values, constants, discriminators. */
#include "number.h"
#include "reader.h"

/* Whether a text is the one at an offset of the pool, whose length there leaves out the quote before it. */
MCPW_INLINE bool is_pooled(const mcpw_reader *r, unsigned offset, size_t len, const char *text, size_t size) {
    return size == len && memcmp(r->pool + offset + 1, text, len) == 0;
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
    key->undone = key->ptr == key->buffer;
    p = mcpw_space(r, p);
    if (MCPW_UNLIKELY(*p != ':')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    return mcpw_space(r, p + 1);
}

const mcpw_row *mcpw_find_row(const mcpw_reader *r, const mcpw_struct *s, const char *key, size_t len) {
    if (len > MCPW_MAX_KEY) {
        return NULL;
    }
    const mcpw_row *const rows = r->rows + s->first;
#if !defined(MCPW_SMALL)
    if (MCPW_LIKELY(s->hash_mul != 0 && len != 0)) {
        const unsigned char *const k = (const unsigned char *)key;
        const unsigned h = MCPW_HASH(k, len, s->hash_mul, s->hash_shift, s->hash_mask);
        const unsigned slot = r->revision->slots[s->slots + h];
        if (slot == MCPW_NO_INDEX) {
            return NULL;
        }
        const mcpw_row *const row = rows + slot;
        return is_pooled(r, row->key, row->key_len, key, len) ? row : NULL;
    }
#endif
    for (unsigned i = 0; i < s->count; i++) {
        if (is_pooled(r, rows[i].key, rows[i].key_len, key, len)) {
            return rows + i;
        }
    }
    return NULL;
}

/* Whether the string at p is that text of the pool. *end receives the place behind it, or NULL when it is
 * broken; what is no string leaves it alone. */
static bool token_is(mcpw_reader *r, unsigned char *p, unsigned offset, size_t len, unsigned char **end) {
    char buffer[MCPW_MAX_KEY + 2];
    const char *text = NULL;
    size_t size = 0;
    if (*p != '"') {
        return false;
    }
    *end = string_token(r, p, buffer, &text, &size);
    return *end != NULL && is_pooled(r, offset, len, text, size);
}

MCPW_NOINLINE static int match_enum_slow(mcpw_reader *r, unsigned char *p, const mcpw_enum *e,
                                         unsigned char **end) {
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
        const mcpw_enum_value *const v = r->revision->enum_values + e->first + i;
        if (is_pooled(r, v->text, v->len, text, len)) {
            return i + 1;
        }
    }
    return 0;
}

int mcpw_match_enum(mcpw_reader *r, unsigned char *p, uint16_t index, unsigned char **end) {
    const mcpw_enum *const e = r->revision->enums + index;
#if !MCPW_COMPACT
    const mcpw_enum_value *v = r->revision->enum_values + e->first;
    const mcpw_input16 input = mcpw_load_input16(p);
    for (int i = 1; i <= e->count; i++, v++) {
        const unsigned len = v->len + MCPW_VALUE_QUOTES;
        if (len <= MCPW_PATTERN_BYTES &&
            mcpw_pattern_matches(input, r->pool + v->text, MCPW_MASK(v->mask), len)) {
            *end = p + len;
            return i;
        }
    }
#endif
    return match_enum_slow(r, p, e, end);
}

bool mcpw_match_const(mcpw_reader *r, unsigned char *p, const mcpw_const *want, unsigned char **end) {
    if (want->is == MCPW_IS_STRING) {
#if !MCPW_COMPACT
        if (MCPW_LIKELY(
                want->len <= MCPW_PATTERN_BYTES &&
                mcpw_pattern_matches(mcpw_load_input16(p), r->pool + want->text, want->mask, want->len))) {
            *end = p + want->len;
            return true;
        }
#endif
        return token_is(r, p, want->text, want->len - (size_t)MCPW_VALUE_QUOTES, end);
    }
    if (want->is == MCPW_IS_NUMBER) {
        int64_t value = 0;
        *end = mcpw_read_int(r, p, &value);
        return *end != NULL && value == want->integer;
    }
    *end = p + want->len;
    return memcmp(p, r->pool + want->text, want->len) == 0;
}

/* Whether the value at p is the text that a test asks for; true for a test of presence. Sets *broken when the
 * value is no JSON. */
static bool test_value(mcpw_reader *r, unsigned char *p, const mcpw_test *t, bool *broken) {
    if (t->value == MCPW_NO_OFFSET) {
        return true;
    }
#if !MCPW_COMPACT
    const unsigned len = t->value_len + MCPW_VALUE_QUOTES;
    if (mcpw_key_matches(p, mcpw_load_input16(p), r->pool + t->value, MCPW_MASK(t->value_mask), len)) {
        return true;
    }
#endif
    unsigned char *end = p;
    const bool same = token_is(r, p, t->value, t->value_len, &end);
    *broken |= end == NULL;
    return same;
}

unsigned mcpw_run_tests(mcpw_reader *r, unsigned char *p, const mcpw_union *u, bool *found_key) {
    const mcpw_test *const tests = r->revision->tests + u->tests;
    unsigned char *const start = p;
    unsigned best = u->test_count;
    bool broken = false;
    bool decided = false;
    *found_key = false;
    p = mcpw_space(r, p + 1);
    while (p != NULL && *p != '}') {
        mcpw_key_token key;
        mcpw_look_ahead(r, p);
        unsigned char *const value = mcpw_read_key(r, p, &key);
        if (value == NULL) {
            break;
        }
        for (unsigned i = 0; i < best; i++) {
            const mcpw_test *const t = tests + i;
            if (is_pooled(r, t->key, t->key_len, key.ptr, key.len)) {
                *found_key = true;
                if (test_value(r, value, t, &broken)) {
                    best = i;
                    decided = best == 0 || (u->flags & MCPW_UNION_FIRST_MEMBER) != 0;
                }
            }
        }
        if (decided || broken || (*found_key && (u->flags & MCPW_UNION_ONE_KEY) != 0)) {
            p = value;
            break;
        }
        p = mcpw_skip_value(r, value);
        if (p != NULL) {
            p = mcpw_space(r, p);
            if (*p == ',') {
                p = mcpw_space(r, p + 1);
            } else if (*p != '}') {
                break; /* broken text: the alternative that is tried will say so */
            }
        }
    }
    if ((p != NULL && !mcpw_spend(r, start, p)) || broken) {
        return MCPW_BROKEN;
    }
    return best < u->test_count ? tests[best].alternative : (unsigned)MCPW_NO_INDEX;
}
