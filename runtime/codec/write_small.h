/* SPDX-License-Identifier: MIT */
/* Writing strings and texts of the pool where size counts (write_small.c). Part of write.h. */
#ifndef MCPW_WRITE_SMALL_H
#define MCPW_WRITE_SMALL_H

#define mcpw_room mcpw_write_room
#define mcpw_put_string mcpw_write_string
unsigned char *mcpw_write_room(mcpw_writer *w, unsigned char *p, size_t n);
unsigned char *mcpw_write_string(mcpw_writer *w, unsigned char *p, mcpw_str text);

MCPW_INLINE unsigned char *mcpw_put_int(unsigned char *p, int64_t value) {
    return p + mcpw_format_int((char *)p, value);
}

MCPW_INLINE unsigned char *mcpw_put_pool(unsigned char *p, const char *text, size_t n) {
    memcpy(p, text, n);
    return p + n;
}

#define mcpw_put_word mcpw_write_word

#endif
