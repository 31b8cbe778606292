/* SPDX-License-Identifier: MIT */
/* Part of tables.h: finding by the masks and hashes that the tables have. They find the usual cases; lookup.c
 * searches for the others in the plain way. */
#ifndef MCPW_LOOKUP_FAST_H
#define MCPW_LOOKUP_FAST_H

/* Whether the plain key of a row stands at p, of which input holds the first bytes. */
MCPW_INLINE bool mcpw_row_matches(const mcpw_tables *t, const unsigned char *p, mcpw_input16 input,
                                  const mcpw_row *row) {
    const mcpw_str name = mcpw_row_name(t->revision, t->pool, row);
    return mcpw_key_matches(p, input, name.ptr - 1, row->mask, (unsigned)name.len + MCPW_KEY_QUOTES);
}

/* Whether the value at p begins as the text that a test wants, which it then is. */
MCPW_INLINE bool mcpw_test_matches(const mcpw_tables *t, const unsigned char *p, const mcpw_test *test) {
    const unsigned len = test->value_len + MCPW_VALUE_QUOTES;
    return mcpw_key_matches(p, mcpw_load_input16(p), t->pool + test->value, test->value_mask, len);
}

/* The value of an enum, from 1, whose plain text stands at p; *end receives the place after it. */
MCPW_INLINE int mcpw_enum_matches(const mcpw_tables *t, unsigned char *p, const mcpw_enum *e,
                                  unsigned char **end) {
    const mcpw_enum_value *v = t->revision->enum_values + e->first;
    const mcpw_input16 input = mcpw_load_input16(p);
    for (int i = 1; i <= e->count; i++, v++) {
        const unsigned len = v->len + MCPW_VALUE_QUOTES;
        if (len <= MCPW_PATTERN_BYTES && mcpw_pattern_matches(input, t->pool + v->text, v->mask, len)) {
            *end = p + len;
            return i;
        }
    }
    return 0;
}

/* The same for a constant that is a string. */
MCPW_INLINE bool mcpw_const_matches(const mcpw_tables *t, unsigned char *p, const mcpw_const *want,
                                    unsigned char **end) {
    *end = p + want->len;
    return MCPW_LIKELY(
        want->len <= MCPW_PATTERN_BYTES &&
        mcpw_pattern_matches(mcpw_load_input16(p), t->pool + want->text, want->mask, want->len));
}

/* Whether a constant, whose text is given too, is this integer. */
MCPW_INLINE bool mcpw_const_is(const mcpw_const *want, mcpw_json text, int64_t value) {
    (void)text;
    return value == want->integer;
}

/* Whether the rows of a struct have a hash, by which a name of len bytes is found; its place in *row. */
MCPW_INLINE bool mcpw_find_hashed(const mcpw_revision *revision, const mcpw_struct *s, const char *key,
                                  size_t len, const mcpw_row **row) {
    const unsigned char *const k = (const unsigned char *)key;
    if (MCPW_UNLIKELY(s->hash_mul == 0 || len == 0)) {
        return false;
    }
    const unsigned h = MCPW_HASH(k, len, s->hash_mul, s->hash_shift, s->hash_mask);
    const unsigned slot = revision->slots[s->slots + h];
    const mcpw_row *const found = revision->rows + s->first + slot;
    const bool same = slot != MCPW_NO_INDEX && found->key_len == len &&
                      memcmp(revision->pool + found->key + 1, key, len) == 0;
    *row = same ? found : NULL;
    return true;
}

/* Whether methods can be found by a hash of their names, and the place of the only one that may have a name;
 * MCPW_NO_INDEX: none has. */
MCPW_INLINE bool mcpw_has_method_slots(const mcpw_revision *revision) {
    return revision->method_hash_mul != 0;
}

MCPW_INLINE unsigned mcpw_method_slot(const mcpw_revision *revision, const char *name, size_t len) {
    const unsigned char *const k = (const unsigned char *)name;
    return revision->method_slots[MCPW_HASH(k, len, revision->method_hash_mul, revision->method_hash_shift,
                                            revision->method_hash_mask)];
}

#endif
