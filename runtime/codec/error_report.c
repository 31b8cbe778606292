/* SPDX-License-Identifier: MIT */
/* Notes failures and takes them back. Not on the path of valid messages. */
#include "error_report.h"

bool mcpw_is_verdict(mcpw_status status) {
    switch (status) {
    case MCPW_E_TYPE:
    case MCPW_E_VALUE:
    case MCPW_E_RANGE:
    case MCPW_E_OVERFLOW:
    case MCPW_E_LENGTH:
    case MCPW_E_MISSING:
    case MCPW_E_UNEXPECTED:
    case MCPW_E_DUPLICATE:
    case MCPW_E_UNION:
    case MCPW_E_FORMAT:
        return true;
    default:
        return false;
    }
}

bool mcpw_report_begin(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status) {
    (void)mcpw_stop(r, p, status);
    return mcpw_is_wanted(t);
}

void mcpw_forgive(mcpw_reporter *t, mcpw_reader *r) {
    r->status = MCPW_OK;
    if (mcpw_is_wanted(t)) {
        t->error->code = MCPW_OK;
    }
}
