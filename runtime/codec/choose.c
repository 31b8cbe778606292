/* SPDX-License-Identifier: MIT */
/* The rule by which an alternative of a union is chosen. */
#include "choose.h"

#include "flags.h"
#include "kinds.h"
#include "store.h"

/* The alternative of the test that decides. In most unions this is the first test that holds; in some, the
 * test whose member comes first in the object. *found_key: the object has a member that a test looks at. */
static unsigned run_tests(const mcpw_unchosen *value, const mcpw_union *u, bool *found_key) {
    const mcpw_test *const tests = value->revision->tests + u->tests;
    const bool first_member = (u->flags & MCPW_UNION_FIRST_MEMBER) != 0;
    const bool one_key = (u->flags & MCPW_UNION_ONE_KEY) != 0;
    unsigned best = u->test_count;
    bool decided = false;
    mcpw_str name = {NULL, 0};
    while (!decided && value->probe->next(value->value, &name)) {
        unsigned key = MCPW_NO_OFFSET; /* that was compared last */
        bool same = false;
        for (unsigned i = 0; i < best; i++) {
            if (tests[i].key != key) {
                key = tests[i].key;
                same = mcpw_is_pooled(value->revision->pool, key, name.ptr, name.len);
            }
            *found_key |= same;
            if (same && value->probe->passes(value->value, tests + i)) {
                best = i;
            }
        }
        decided = best == 0 || (first_member && best < u->test_count) || (one_key && *found_key);
    }
    return best < u->test_count ? tests[best].alternative : (unsigned)MCPW_NO_INDEX;
}

/* Applies the tests of a union to an object. */
static void choose_object(const mcpw_unchosen *value, const mcpw_union *u, mcpw_choice *choice) {
    const bool exclusive = (u->flags & MCPW_UNION_EXCLUSIVE) != 0;
    bool found_key = false;
    const unsigned selected = run_tests(value, u, &found_key);
    if (selected != MCPW_NO_INDEX) {
        choice->first = selected;
        return;
    }
    if (!found_key &&
        mcpw_has_flag(value->flags, MCPW_PEER_DEFAULTS)) { /* the tag's default selects as it does */
        const unsigned meant = mcpw_default_alternative(value->revision, u);
        if (exclusive || meant != MCPW_NO_INDEX) {
            choice->first = meant;
            return;
        }
    }
    if (u->otherwise != MCPW_NO_INDEX) {
        choice->first = u->otherwise;
        return;
    }
    /* If all tests read one required tag that is proven to decide, no alternative has this value. */
    const unsigned decided = MCPW_UNION_ONE_KEY | MCPW_UNION_DISJOINT;
    if (exclusive || (u->flags & decided) == decided || mcpw_has_flag(value->flags, MCPW_ALLOW_UNKNOWN)) {
        choice->first = MCPW_NO_INDEX;
        return;
    }
    choice->guessed = true;
    choice->alone = false;
}

mcpw_choice mcpw_choose(const mcpw_unchosen *value, const mcpw_union *u) {
    const mcpw_alternative *const a = value->revision->alternatives + u->alternatives;
    const unsigned decided = MCPW_UNION_DISJOINT | MCPW_UNION_EXCLUSIVE;
    const bool exclusive = (u->flags & MCPW_UNION_EXCLUSIVE) != 0;
    mcpw_choice choice = {value->types, MCPW_NO_INDEX, false, false};
    unsigned candidates = 0;
    for (unsigned i = u->alternative_count; i-- > 0;) {
        if ((a[i].is & value->types) != 0) {
            choice.first = i;
            candidates++;
        }
    }
    choice.alone = candidates == 1 || (u->flags & decided) != 0;
    if (value->types == MCPW_IS_OBJECT && value->probe != NULL && u->test_count != 0 &&
        (candidates != 1 || exclusive)) {
        choose_object(value, u, &choice);
    } else {
        choice.guessed = candidates > 1;
    }
    return choice;
}
