/* SPDX-License-Identifier: MIT */
/* Part of described_type.c: rows of the layout that saves time. */
#ifndef MCPW_DESCRIBED_ROWS_FAST_H
#define MCPW_DESCRIBED_ROWS_FAST_H

enum { MOST_OFFSET = MCPW_NO_OFFSET - 1, MOST_MEMBERS = UINT16_MAX / 2 };

/* A row whose key, of len bytes, stands in the pool. number: of its key and its type in the tables that have
 * them apart. */
static mcpw_row row_of(unsigned number, unsigned key, size_t len, size_t offset, unsigned bit, bool required,
                       mcpw_ref ref) {
    (void)number;
    (void)required;
    return (mcpw_row)MCPW_ROW(number, (uint16_t)key, mask_of(len + MCPW_KEY_QUOTES), (uint16_t)offset,
                              (uint8_t)len, (uint8_t)bit, required, number, ref.kind, ref.check, ref.index);
}

static mcpw_row end_row(void) { return (mcpw_row)MCPW_END_ROW(MCPW_NO_OFFSET, 0); }

#endif
