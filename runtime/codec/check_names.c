/* SPDX-License-Identifier: MIT */
/* Formats that are of the names of an object's members. */
#include "check.h"
#include "check_text.h"
#include "error_report.h"
#include "keys.h"

/* Checks the name that stands, with its quotes, from `from` to `to`. */
static bool check_name(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check) {
    const mcpw_mark mark = mcpw_arena_mark(w->arena);
    mcpw_str text;
    if (!mcpw_token_text(w, from + 1, to - 1, &text)) {
        mcpw_report_error(&w->reporter, &w->reader, from, w->reader.status,
                          mcpw_status_text(w->reader.status));
        return false;
    }
    const bool holds = mcpw_name_has_format(w->tables.revision->checks[check].format, text);
    mcpw_arena_rewind(w->arena, mark);
    if (!holds) {
        mcpw_report_check(&w->reporter, &w->reader, &w->tables, from, MCPW_E_FORMAT, check);
    }
    return holds;
}

/* Those of the object at p, whose grammar has been checked. */
static bool check_names(mcpw_walk *w, unsigned char *p, unsigned check) {
    p = mcpw_space(&w->reader, p + 1);
    while (*p != '}') {
        unsigned char *const name = p;
        p = mcpw_skip_string(&w->reader, p + 1);
        if (!check_name(w, name, p, check)) {
            return false;
        }
        p = mcpw_space(&w->reader, mcpw_space(&w->reader, p) + 1);
        p = mcpw_space(&w->reader, mcpw_skip_value(&w->reader, p));
        if (*p == ',') {
            p = mcpw_space(&w->reader, p + 1);
        }
    }
    return true;
}

unsigned char *mcpw_check_raw(mcpw_walk *w, unsigned char *from, unsigned char *to, unsigned check) {
    if ((w->flags & MCPW_STRICT) == 0 || *from != '{' ||
        !mcpw_format_is_of_names(w->tables.revision->checks[check].format)) {
        return to;
    }
    return check_names(w, from, check) ? to : NULL;
}
