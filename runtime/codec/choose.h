/* SPDX-License-Identifier: MIT */
/*
 * Which alternative of a union is tried first: the one rule, which knows nothing of where the value comes
 * from. Text (choose_text.c) and C values of another revision (project_union.c) run the tests of the union
 * each in their own way.
 *
 * The only alternative for the value's JSON type is it. For objects with more than one, the first test that
 * holds names it; when none does, the default of an absent tag, then the union's `otherwise`, and then the
 * first alternative for objects, which is but a guess.
 */
#ifndef MCPW_CHOOSE_H
#define MCPW_CHOOSE_H

#include <mcpw/codec.h>
#include <mcpw/table.h>

/* The tests could not be run to their end. */
enum { MCPW_BROKEN = MCPW_NO_INDEX + 1 };

/* Runs the tests of a union on the object that `value` stands for: the alternative that they select, or
 * MCPW_NO_INDEX, or MCPW_BROKEN. *found_key receives whether the object has a member that a test looks at. */
typedef unsigned mcpw_run_tests(void *value, const mcpw_union *u, bool *found_key);

/* A value whose alternative is looked for. */
typedef struct mcpw_unchosen {
    const mcpw_revision *revision; /* of the union */
    unsigned types;                /* the JSON types that the value may have, as MCPW_IS_... */
    unsigned flags;                /* of mcpw_options; MCPW_PEER_DEFAULTS and MCPW_ALLOW_UNKNOWN count */
    mcpw_run_tests *run_tests;     /* NULL: the value holds nothing to test */
    void *value;                   /* for run_tests */
} mcpw_unchosen;

typedef struct mcpw_choice {
    unsigned first;      /* the alternative to try first; MCPW_NO_INDEX: none can be meant; or MCPW_BROKEN */
    unsigned candidates; /* alternatives that have one of the value's JSON types */
    bool alone;          /* no alternative but the first could match */
    bool guessed;        /* there are tests, and none of them selects the first */
} mcpw_choice;

mcpw_choice mcpw_choose(const mcpw_unchosen *value, const mcpw_union *u);

#endif
