/* SPDX-License-Identifier: MIT */
/* Errors by their codes alone: in builds without messages. Others have describe.c. */
#include "error_report.h"

#if defined(MCPW_NO_ERROR_TEXT)
void mcpw_report_code(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    if (mcpw_report_begin(t, r, p, status)) {
        mcpw_error_place(t->error, status, (size_t)(p - r->base));
        mcpw_report_path(t);
    }
}

void mcpw_report_kind(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p) {
    mcpw_report_code(t, r, p, mcpw_json_type(*p) == 0 ? MCPW_E_SYNTAX : MCPW_E_TYPE);
}

void mcpw_report_number_kind(mcpw_reporter *t, mcpw_reader *r, unsigned char *p) {
    const mcpw_status status = r->status;
    if (mcpw_json_type(*p) != MCPW_IS_NUMBER) {
        mcpw_report_kind(t, r, p);
    } else if (mcpw_is_verdict(status)) {
        mcpw_report_code(t, r, p, status == MCPW_E_OVERFLOW ? status : MCPW_E_TYPE);
    } else {
        mcpw_describe(t, r);
    }
}

void mcpw_describe(mcpw_reporter *t, mcpw_reader *r) {
    if (mcpw_is_wanted(t) && t->error->code == MCPW_OK && !t->stopped) {
        mcpw_report_code(t, r, r->at != NULL ? r->at : r->base, r->status);
    }
}

#endif
