/* SPDX-License-Identifier: MIT */
/* The part of a policy that says where and why a walk failed, and can go on after a failure. */
#ifndef MCPW_POLICY_TELLS_H
#define MCPW_POLICY_TELLS_H

#include "walk.h"

#if defined(MCPW_NO_ERROR_PATH)
#include "policy_no_places.h"
#else
#include "policy_places.h"
#endif

/* As values, NULL: compilers see that here, and would not see it of a function. */
#define policy_fail(w, p, status, text)                                                                      \
    (mcpw_tell(&(w)->teller, &(w)->reader, (p), (status), (text)), (unsigned char *)NULL)
#define policy_fail_type(w, p, expected)                                                                     \
    (mcpw_tell_type(&(w)->teller, &(w)->reader, (p), (expected)), (unsigned char *)NULL)
#define policy_fail_number(w, p, expected)                                                                   \
    (mcpw_tell_number(&(w)->teller, &(w)->reader, (p), (expected)), (unsigned char *)NULL)
#define policy_fail_check(w, p, status, check)                                                               \
    (mcpw_tell_check(&(w)->teller, &(w)->reader, &(w)->tables, (p), (status), (check)), (unsigned char *)NULL)
#define policy_fail_enum(w, p, index)                                                                        \
    (mcpw_tell_enum(&(w)->teller, &(w)->reader, &(w)->tables, (p), (index)), (unsigned char *)NULL)
#define policy_fail_const(w, p, want)                                                                        \
    (mcpw_tell_const(&(w)->teller, &(w)->reader, &(w)->tables, (p), (want)), (unsigned char *)NULL)
#define policy_fail_union(w, p, u)                                                                           \
    (mcpw_tell_union(&(w)->teller, &(w)->reader, &(w)->tables, (p), (u)), (unsigned char *)NULL)
#define policy_describe(w) mcpw_describe(&(w)->teller, &(w)->reader)
#define policy_recover(w, start) mcpw_recover(&(w)->teller, &(w)->reader, (start))

/* Whether to go on all the same. */
MCPW_INLINE bool policy_fail_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row) {
    (void)row;
    mcpw_tell_missing(&w->teller, &w->reader, &w->tables, p, row);
    return mcpw_report(&w->teller, &w->reader);
}

#endif
