/* SPDX-License-Identifier: MIT */
/* The members that a struct names, in few bytes. Part of encode.c. */
#ifndef MCPW_ENCODE_ROWS_SMALL_H
#define MCPW_ENCODE_ROWS_SMALL_H

MCPW_INLINE unsigned char *write_rows(mcpw_writer *w, unsigned char *p, const mcpw_struct *s,
                                      const unsigned char *base, mcpw_row_set *unknown) {
    const mcpw_row *row = w->revision->rows + s->first;
    const mcpw_row *const end = row + s->count;
    for (; p != NULL && row < end; row++) {
        p = write_row(w, p, s, row, base + row->offset, unknown);
    }
    return p;
}

#endif
