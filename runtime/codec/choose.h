/* SPDX-License-Identifier: MIT */
/*
 * One rule says which alternative of a union is tried first, and which ones after it. It does not know where
 * the value comes from: it asks the probe below. Text (choose_text.c) and C values of another revision
 * (choose_value.c) each have a probe of their own.
 *
 * If only one alternative has the value's JSON type, that one is tried. An object may have several. Then
 * the first test that holds names the alternative. If no test holds, the default of an absent tag names it,
 * or else the union's `otherwise`. If the union has neither, the first alternative for objects is a guess.
 */
#ifndef MCPW_CHOOSE_H
#define MCPW_CHOOSE_H

#include <mcpw/codec.h>
#include <mcpw/detail/table.h>

#include "../base/compiler.h"

/* The tests could not be run to their end. */
enum { MCPW_BROKEN = MCPW_NO_INDEX + 1 };

/* The facts about an object that the tests of a union read. */
typedef struct mcpw_probe {
    bool (*next)(void *value, mcpw_str *name);       /* goes to the next member; false after the last */
    bool (*passes)(void *value, const mcpw_test *t); /* whether that member is what a test wants of it */
} mcpw_probe;

/* A value whose alternative is looked for. */
typedef struct mcpw_unchosen {
    const mcpw_revision *revision; /* of the union */
    unsigned types;                /* the JSON types that the value may have, as MCPW_IS_... */
    unsigned flags;                /* of mcpw_options; MCPW_PEER_DEFAULTS and MCPW_ALLOW_UNKNOWN count */
    const mcpw_probe *probe;       /* NULL: the value holds nothing to test */
    void *value;                   /* for the probe */
} mcpw_unchosen;

typedef struct mcpw_choice {
    unsigned types; /* the JSON types that the value may have */
    unsigned first; /* the alternative to try first; MCPW_NO_INDEX: none can be meant; or MCPW_BROKEN */
    bool alone;     /* no alternative but the first could match */
    bool guessed;   /* nothing but its JSON type speaks for the first, and it is not the only one of that */
} mcpw_choice;

mcpw_choice mcpw_choose(const mcpw_unchosen *value, const mcpw_union *u);

/* The next alternative to try, from number `from` on, that has the JSON type. It is asked for when the first
 * one has failed and was not alone. MCPW_NO_INDEX: none is left. */
MCPW_INLINE unsigned mcpw_choose_other(const mcpw_revision *revision, const mcpw_union *u,
                                       const mcpw_choice *choice, unsigned from) {
    const mcpw_alternative *const a = revision->alternatives + u->alternatives;
    while (from < u->alternative_count && (from == choice->first || (a[from].is & choice->types) == 0)) {
        from++;
    }
    return from < u->alternative_count ? from : (unsigned)MCPW_NO_INDEX;
}

#endif
