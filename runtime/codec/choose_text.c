/* SPDX-License-Identifier: MIT */
/* Which alternative of a union a value is that is text. */
#include "engine_internal.h"

typedef struct text_value {
    mcpw_walk *w;
    unsigned char *start; /* of the value, which nothing has changed yet */
} text_value;

/* Whether the value at p is the text that a test asks for; true for a test of presence. Sets *broken when the
 * value is no JSON. */
static bool test_value(mcpw_walk *w, unsigned char *p, const mcpw_test *t, bool *broken) {
    if (t->value == MCPW_NO_OFFSET) {
        return true;
    }
#if !MCPW_COMPACT
    const unsigned len = t->value_len + MCPW_VALUE_QUOTES;
    if (mcpw_key_matches(p, mcpw_load_input16(p), w->tables.pool + t->value, t->value_mask, len)) {
        return true;
    }
#endif
    unsigned char *end = p;
    const bool same = mcpw_token_is(&w->reader, w->tables.pool, t->value, p, &end);
    *broken |= end == NULL;
    return same;
}

/* Reads the object up to the member that decides. */
static unsigned run_tests(void *value, const mcpw_union *u, bool *found_key) {
    const text_value *const text = value;
    mcpw_walk *const w = text->w;
    unsigned char *const start = text->start;
    const mcpw_test *const tests = w->tables.revision->tests + u->tests;
    unsigned best = u->test_count;
    bool broken = false;
    bool decided = false;
    *found_key = false;
    unsigned char *p = mcpw_space(&w->reader, start + 1);
    while (p != NULL && *p != '}') {
        mcpw_key_token key;
        mcpw_look_ahead(&w->reader, p);
        unsigned char *const member = mcpw_read_key(&w->reader, p, &key);
        if (member == NULL) {
            break;
        }
        for (unsigned i = 0; i < best; i++) {
            const mcpw_test *const t = tests + i;
            if (mcpw_is_pooled(w->tables.pool, t->key, key.ptr, key.len)) {
                *found_key = true;
                if (test_value(w, member, t, &broken)) {
                    best = i;
                    decided = best == 0 || (u->flags & MCPW_UNION_FIRST_MEMBER) != 0;
                }
            }
        }
        if (decided || broken || (*found_key && (u->flags & MCPW_UNION_ONE_KEY) != 0)) {
            p = member;
            break;
        }
        p = mcpw_skip_value(&w->reader, member);
        if (p != NULL) {
            p = mcpw_space(&w->reader, p);
            if (*p == ',') {
                p = mcpw_space(&w->reader, p + 1);
            } else if (*p != '}') {
                break; /* broken text: the alternative that is tried will say so */
            }
        }
    }
    if ((p != NULL && !mcpw_spend(w, start, p)) || broken) {
        return MCPW_BROKEN;
    }
    return best < u->test_count ? tests[best].alternative : (unsigned)MCPW_NO_INDEX;
}

mcpw_choice mcpw_choose_text(mcpw_walk *w, unsigned char *p, const mcpw_union *u) {
    text_value text = {w, p};
    const mcpw_unchosen value = {w->tables.revision, mcpw_json_type(*p), w->flags, run_tests, &text};
    return mcpw_choose(&value, u);
}
