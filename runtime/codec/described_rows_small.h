/* SPDX-License-Identifier: MIT */
/* Part of described_type.c: rows of the small layout. */
#ifndef MCPW_DESCRIBED_ROWS_SMALL_H
#define MCPW_DESCRIBED_ROWS_SMALL_H

enum { MOST_OFFSET = MCPW_ROW_NO_OFFSET - 1, MOST_MEMBERS = (1 << MCPW_ROW_KEY_BITS) - 1 };

static mcpw_row row_of(unsigned number, unsigned key, size_t len, size_t offset, unsigned bit, bool required,
                       mcpw_ref ref) {
    mcpw_row row = {0};
    (void)key;
    (void)len;
    (void)bit;
    (void)ref;
    row.key = number & MOST_MEMBERS;
    row.value = number & MOST_MEMBERS;
    row.offset = (unsigned)offset & MCPW_ROW_NO_OFFSET;
    row.required = required;
    return row;
}

static mcpw_row end_row(void) {
    mcpw_row row = {0}; /* the first type is that of other members */
    row.offset = MCPW_ROW_NO_OFFSET;
    return row;
}

#endif
