/* SPDX-License-Identifier: MIT */
/* The part of a mode that says where and why a walk failed, and can go on after a failure. */
#ifndef MCPW_MODE_TELLS_H
#define MCPW_MODE_TELLS_H

#include "walk.h"

#if defined(MCPW_NO_ERROR_PATH)
#include "mode_no_places.h"
#else
#include "mode_places.h"
#endif

/* As values, NULL: compilers see that here, and would not see it of a function. */
#define mode_fail(w, p, status, text)                                                                        \
    (mcpw_report_error(&(w)->reporter, &(w)->reader, (p), (status), (text)), (unsigned char *)NULL)
#define mode_fail_type(w, p, expected)                                                                       \
    (mcpw_report_type(&(w)->reporter, &(w)->reader, (p), (expected)), (unsigned char *)NULL)
#define mode_fail_number(w, p, expected)                                                                     \
    (mcpw_report_number(&(w)->reporter, &(w)->reader, (p), (expected)), (unsigned char *)NULL)
#define mode_fail_check(w, p, status, check)                                                                 \
    (mcpw_report_check(&(w)->reporter, &(w)->reader, &(w)->tables, (p), (status), (check)),                  \
     (unsigned char *)NULL)
#define mode_fail_enum(w, p, index)                                                                          \
    (mcpw_report_enum(&(w)->reporter, &(w)->reader, &(w)->tables, (p), (index)), (unsigned char *)NULL)
#define mode_fail_const(w, p, want)                                                                          \
    (mcpw_report_const(&(w)->reporter, &(w)->reader, &(w)->tables, (p), (want)), (unsigned char *)NULL)
#define mode_fail_union(w, p, u)                                                                             \
    (mcpw_report_union(&(w)->reporter, &(w)->reader, &(w)->tables, (p), (u)), (unsigned char *)NULL)
#define mode_describe(w) mcpw_describe(&(w)->reporter, &(w)->reader)
#define mode_recover(w, start) mcpw_recover(&(w)->reporter, &(w)->reader, (start))

/* Whether to go on all the same. */
MCPW_INLINE bool mode_fail_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row) {
    (void)row;
    mcpw_report_missing(&w->reporter, &w->reader, &w->tables, p, row);
    return mcpw_report(&w->reporter, &w->reader);
}

#endif
