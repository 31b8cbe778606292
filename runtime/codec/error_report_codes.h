/* SPDX-License-Identifier: MIT */
/* Part of error_report.h: failures are described by code, offset and path (describe_code.c). */
#ifndef MCPW_REPORT_CODES_H
#define MCPW_REPORT_CODES_H

MCPW_COLD void mcpw_report_code(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status);
MCPW_COLD void mcpw_report_kind(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p);
MCPW_COLD void mcpw_report_number_kind(mcpw_reporter *t, mcpw_reader *r, unsigned char *p);

#define mcpw_report_error(t, r, p, status, text)                                                             \
    (MCPW_UNUSED_TEXT(text), mcpw_report_code((t), (r), (p), (status)))
#define mcpw_report_check(t, r, tables, p, status, check) mcpw_report_code((t), (r), (p), (status))
#define mcpw_report_type(t, r, p, expected) (MCPW_UNUSED_TEXT(expected), mcpw_report_kind((t), (r), (p)))
#define mcpw_report_number(t, r, p, expected)                                                                \
    (MCPW_UNUSED_TEXT(expected), mcpw_report_number_kind((t), (r), (p)))
#define mcpw_report_missing(t, r, tables, p, row) mcpw_report_code((t), (r), (p), MCPW_E_MISSING)
#define mcpw_report_enum(t, r, tables, p, index) mcpw_report_code((t), (r), (p), MCPW_E_VALUE)
#define mcpw_report_const(t, r, tables, p, want) mcpw_report_code((t), (r), (p), MCPW_E_VALUE)
#define mcpw_report_union(t, r, tables, p, u) mcpw_report_code((t), (r), (p), MCPW_E_UNION)

#endif
