/* SPDX-License-Identifier: MIT */
/* Part of tell.h: failures are described by code, offset and path (describe_code.c). */
#ifndef MCPW_TELL_CODES_H
#define MCPW_TELL_CODES_H

MCPW_COLD void mcpw_tell_code(mcpw_teller *t, mcpw_reader *r, const unsigned char *p, mcpw_status status);
MCPW_COLD void mcpw_tell_kind(mcpw_teller *t, mcpw_reader *r, const unsigned char *p);
MCPW_COLD void mcpw_tell_number_kind(mcpw_teller *t, mcpw_reader *r, unsigned char *p);

#define mcpw_tell(t, r, p, status, text) (MCPW_UNUSED_TEXT(text), mcpw_tell_code((t), (r), (p), (status)))
#define mcpw_tell_check(t, r, tables, p, status, check) mcpw_tell_code((t), (r), (p), (status))
#define mcpw_tell_type(t, r, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_kind((t), (r), (p)))
#define mcpw_tell_number(t, r, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_tell_number_kind((t), (r), (p)))
#define mcpw_tell_missing(t, r, tables, p, row) mcpw_tell_code((t), (r), (p), MCPW_E_MISSING)
#define mcpw_tell_enum(t, r, tables, p, index) mcpw_tell_code((t), (r), (p), MCPW_E_VALUE)
#define mcpw_tell_const(t, r, tables, p, want) mcpw_tell_code((t), (r), (p), MCPW_E_VALUE)
#define mcpw_tell_union(t, r, tables, p, u) mcpw_tell_code((t), (r), (p), MCPW_E_UNION)

#endif
