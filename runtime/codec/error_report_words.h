/* SPDX-License-Identifier: MIT */
/* Part of error_report.h: failures are described in words (describe.c). */
#ifndef MCPW_REPORT_WORDS_H
#define MCPW_REPORT_WORDS_H

MCPW_COLD void mcpw_report_error(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status,
                                 const char *text);
MCPW_COLD void mcpw_report_check(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables,
                                 const unsigned char *p, mcpw_status status, unsigned check);
MCPW_COLD void mcpw_report_type(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p,
                                const char *expected);
MCPW_COLD void mcpw_report_number(mcpw_reporter *t, mcpw_reader *r, unsigned char *p, const char *expected);
MCPW_COLD void mcpw_report_missing(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables,
                                   const unsigned char *p, const mcpw_row *row);
MCPW_COLD void mcpw_report_enum(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables, unsigned char *p,
                                uint16_t index);
MCPW_COLD void mcpw_report_const(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables,
                                 unsigned char *p, const mcpw_const *want);
MCPW_COLD void mcpw_report_union(mcpw_reporter *t, mcpw_reader *r, const mcpw_tables *tables,
                                 unsigned char *p, const mcpw_union *u);

#endif
