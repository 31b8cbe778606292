/* SPDX-License-Identifier: MIT */
/* Reports errors to a callback and goes on after them. Not on the path of valid messages. */
#include "error_report.h"

bool mcpw_report(mcpw_reporter *t, mcpw_reader *r) {
    mcpw_describe(t, r);
    if (!t->collect || t->quiet != 0 || t->stopped || !mcpw_is_verdict(r->status)) {
        return false;
    }
    if (t->first == MCPW_OK) {
        t->first = r->status;
    }
    if (!t->on_error(t->user, t->error)) {
        t->stopped = true;
        return false;
    }
    mcpw_forgive(t, r);
    return true;
}

unsigned char *mcpw_recover(mcpw_reporter *t, mcpw_reader *r, unsigned char *start) {
    return mcpw_report(t, r) ? mcpw_skip_value(r, start) : NULL;
}
