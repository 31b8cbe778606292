/* SPDX-License-Identifier: MIT */
/* What a walk over a text tells of failures (describe.c). */
#ifndef MCPW_TELL_H
#define MCPW_TELL_H

#include "../base/error_text.h"
#include "walk.h"

#if defined(MCPW_NO_NAMES) && !defined(MCPW_NO_ERROR_TEXT)
#error "MCPW_NO_NAMES needs MCPW_NO_ERROR_TEXT: messages name types"
#endif

/* Whether a status says something about the value, so that another alternative may do better, or reading
 * may go on behind the value. */
bool mcpw_is_verdict(mcpw_status status);

/* Notes a failure and, unless nobody wants to know, describes it: by a text, one in three parts, a check,
 * what was expected (a type, a number, a value of an enum, a constant, an alternative), or the member that is
 * missing. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_tell(w, p, status, text) (MCPW_UNUSED_TEXT(text), mcpw_tell_code((w), (p), (status)))
#define mcpw_tell_around(w, p, status, before, what, after) mcpw_tell((w), (p), (status), (what))
#define mcpw_tell_check(w, p, status, check) mcpw_tell_code((w), (p), (status))
#define mcpw_tell_type(w, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_kind((w), (p)))
#define mcpw_tell_number(w, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_number_kind((w), (p)))
#define mcpw_tell_missing(w, p, row) mcpw_tell_code((w), (p), MCPW_E_MISSING)
#define mcpw_tell_enum(w, p, index) mcpw_tell_code((w), (p), MCPW_E_VALUE)
#define mcpw_tell_const(w, p, want) mcpw_tell_code((w), (p), MCPW_E_VALUE)
#define mcpw_tell_union(w, p, u) mcpw_tell_code((w), (p), MCPW_E_UNION)
MCPW_COLD void mcpw_tell_code(mcpw_walk *w, const unsigned char *p, mcpw_status status);
MCPW_COLD void mcpw_tell_kind(mcpw_walk *w, const unsigned char *p);
MCPW_COLD void mcpw_tell_number_kind(mcpw_walk *w, unsigned char *p);
#else
MCPW_COLD void mcpw_tell(mcpw_walk *w, const unsigned char *p, mcpw_status status, const char *text);
MCPW_COLD void mcpw_tell_around(mcpw_walk *w, const unsigned char *p, mcpw_status status, const char *before,
                                const char *what, const char *after);
MCPW_COLD void mcpw_tell_check(mcpw_walk *w, const unsigned char *p, mcpw_status status, unsigned check);
MCPW_COLD void mcpw_tell_type(mcpw_walk *w, const unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_number(mcpw_walk *w, unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_missing(mcpw_walk *w, const unsigned char *p, const mcpw_row *row);
MCPW_COLD void mcpw_tell_enum(mcpw_walk *w, unsigned char *p, uint16_t index);
MCPW_COLD void mcpw_tell_const(mcpw_walk *w, unsigned char *p, const mcpw_const *want);
MCPW_COLD void mcpw_tell_union(mcpw_walk *w, unsigned char *p, const mcpw_union *u);
#endif

/* The same as a value: NULL, which compilers see here and would not see of a function. */
#define mcpw_fail_text(w, p, status, text) (mcpw_tell((w), (p), (status), (text)), (unsigned char *)NULL)
#define mcpw_fail_around(w, p, status, before, what, after)                                                  \
    (mcpw_tell_around((w), (p), (status), (before), (what), (after)), (unsigned char *)NULL)
#define mcpw_fail_check(w, p, status, check)                                                                 \
    (mcpw_tell_check((w), (p), (status), (check)), (unsigned char *)NULL)
#define mcpw_fail_type(w, p, expected) (mcpw_tell_type((w), (p), (expected)), (unsigned char *)NULL)
#define mcpw_fail_number(w, p, expected) (mcpw_tell_number((w), (p), (expected)), (unsigned char *)NULL)
#define mcpw_fail_enum(w, p, index) (mcpw_tell_enum((w), (p), (index)), (unsigned char *)NULL)
#define mcpw_fail_const(w, p, want) (mcpw_tell_const((w), (p), (want)), (unsigned char *)NULL)
#define mcpw_fail_union(w, p, u) (mcpw_tell_union((w), (p), (u)), (unsigned char *)NULL)

/* Describes the failure that was noted last, unless that was done. */
MCPW_COLD void mcpw_describe(mcpw_walk *w);

/* Takes the failure that was noted last back. */
MCPW_COLD void mcpw_forgive(mcpw_walk *w);

/* Reports the failure to the caller's callback; whether to go on. */
MCPW_COLD bool mcpw_report(mcpw_walk *w);

/* The same, and skips the value at start: the place behind it, or NULL. */
MCPW_COLD unsigned char *mcpw_recover(mcpw_walk *w, unsigned char *start);

#endif
