/* SPDX-License-Identifier: MIT */
/* Checks on strings that are text still, with quotes and perhaps escapes. */
#include "check.h"
#include "check_text.h"
#include "error_report.h"
#include "keys.h"

unsigned char *mcpw_check_string(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check) {
    const mcpw_revision *const revision = w->tables.revision;
    if (!mcpw_has_bounds(revision, check) && (w->flags & MCPW_STRICT) == 0) {
        return to;
    }
    const mcpw_mark mark = mcpw_arena_mark(w->arena);
    mcpw_str text;
    if (!mcpw_token_text(w, from + 1, to - 1, &text)) {
        mcpw_report_error(&w->reporter, &w->reader, from, w->reader.status,
                          mcpw_status_text(w->reader.status));
        return NULL;
    }
    const mcpw_checked value = mcpw_checked_string(text);
    const mcpw_status status = mcpw_check_value(revision, check, w->flags, &value);
    mcpw_arena_rewind(w->arena, mark);
    if (status != MCPW_OK) {
        mcpw_report_check(&w->reporter, &w->reader, &w->tables, from, status, check);
        return NULL;
    }
    return to;
}
