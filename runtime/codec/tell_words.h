/* SPDX-License-Identifier: MIT */
/* Part of tell.h: failures are described in words (describe.c). */
#ifndef MCPW_TELL_WORDS_H
#define MCPW_TELL_WORDS_H

MCPW_COLD void mcpw_tell(mcpw_teller *t, mcpw_reader *r, const unsigned char *p, mcpw_status status,
                         const char *text);
MCPW_COLD void mcpw_tell_check(mcpw_teller *t, mcpw_reader *r, const mcpw_tables *tables,
                               const unsigned char *p, mcpw_status status, unsigned check);
MCPW_COLD void mcpw_tell_type(mcpw_teller *t, mcpw_reader *r, const unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_number(mcpw_teller *t, mcpw_reader *r, unsigned char *p, const char *expected);
MCPW_COLD void mcpw_tell_missing(mcpw_teller *t, mcpw_reader *r, const mcpw_tables *tables,
                                 const unsigned char *p, const mcpw_row *row);
MCPW_COLD void mcpw_tell_enum(mcpw_teller *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                              uint16_t index);
MCPW_COLD void mcpw_tell_const(mcpw_teller *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                               const mcpw_const *want);
MCPW_COLD void mcpw_tell_union(mcpw_teller *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                               const mcpw_union *u);

#endif
