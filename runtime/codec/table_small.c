/* SPDX-License-Identifier: MIT */
/* The functions of <mcpw/detail/table_small.h>, which are inline in <mcpw/detail/table_fast.h>, and what ties
 * tables of that layout to a library that reads it. Other builds have table_fast.c. */
#include <mcpw/detail/table.h>

MCPW_API const char mcpw_tables_were_compiled_with_MCPW_SMALL_but_the_library_was_built_without_it = 0;

mcpw_str mcpw_unquoted(const char *pool, unsigned offset, unsigned after) {
    const mcpw_str text = {pool + offset + 1, strlen(pool + offset) - 1 - after};
    return text;
}

mcpw_str mcpw_row_name(const mcpw_revision *revision, const char *pool, const mcpw_row *row) {
    enum { AFTER = 2 }; /* ": */
    return mcpw_unquoted(pool, mcpw_row_key(revision, row), AFTER);
}

#if !defined(MCPW_NO_PROJECT)
mcpw_row_set mcpw_required_rows(const mcpw_revision *revision, const mcpw_struct *s) {
    mcpw_row_set set = 0;
    for (unsigned i = s->count; i-- > 0;) {
        set = set << 1 | revision->rows[s->first + i].required;
    }
    return set;
}
#endif
