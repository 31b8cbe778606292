/* SPDX-License-Identifier: MIT */
/* The rule by which an alternative of a union is chosen. */
#include "choose.h"

#include "engine_internal.h"

/* What the tests of the union make of an object. */
static void choose_object(const mcpw_unchosen *value, const mcpw_union *u, mcpw_choice *choice) {
    const bool exclusive = (u->flags & MCPW_UNION_EXCLUSIVE) != 0;
    bool found_key = false;
    const unsigned selected = value->run_tests(value->value, u, &found_key);
    if (selected != MCPW_NO_INDEX) {
        choice->first = selected;
        return;
    }
    if (!found_key && (value->flags & MCPW_PEER_DEFAULTS) != 0) { /* the tag's default selects as it does */
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
    /* With every test on one required tag that is proven to decide, no alternative has this one. */
    const unsigned decided = MCPW_UNION_ONE_KEY | MCPW_UNION_DISJOINT;
    if (exclusive || (u->flags & decided) == decided || (value->flags & MCPW_ALLOW_UNKNOWN) != 0) {
        choice->first = MCPW_NO_INDEX;
        return;
    }
    choice->guessed = true;
}

mcpw_choice mcpw_choose(const mcpw_unchosen *value, const mcpw_union *u) {
    const mcpw_alternative *const a = value->revision->alternatives + u->alternatives;
    const unsigned decided = MCPW_UNION_DISJOINT | MCPW_UNION_EXCLUSIVE;
    mcpw_choice choice = {MCPW_NO_INDEX, 0, false, false};
    for (unsigned i = u->alternative_count; i-- > 0;) {
        if ((a[i].is & value->types) != 0) {
            choice.first = i;
            choice.candidates++;
        }
    }
    choice.alone = choice.candidates == 1 || (u->flags & decided) != 0;
    const bool settled = choice.candidates == 1 && (u->flags & MCPW_UNION_EXCLUSIVE) == 0;
    if (value->types == MCPW_IS_OBJECT && value->run_tests != NULL && u->test_count != 0 && !settled) {
        choose_object(value, u, &choice);
    }
    return choice;
}
