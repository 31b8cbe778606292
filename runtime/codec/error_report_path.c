/* SPDX-License-Identifier: MIT */
/* The path of a failure. */
#include "error_report.h"

#if !defined(MCPW_NO_ERROR_PATH)
enum { LONGEST = 4 /* bytes of a character */, MOST = MCPW_ERROR_PATH_SIZE + LONGEST };

/* Skips one character of a key. Returns its bytes without escapes. */
static size_t skip_character(const unsigned char **p) {
    unsigned char unused[LONGEST];
    return mcpw_put_character(unused, mcpw_next_character(p));
}

/* Keeps the end of a long key that a path can show. The frame forgets the rest, so that no further error has
 * to read it. */
static void keep_end(mcpw_frame *f) {
    const unsigned char *const end = (const unsigned char *)f->key + f->key_len;
    const unsigned char *first = (const unsigned char *)f->key;
    size_t bytes = 0; /* from the first one kept to p */
    for (const unsigned char *p = first; p < end;) {
        bytes += skip_character(&p);
        while (bytes > MOST) {
            bytes -= skip_character(&first);
        }
    }
    f->key = (const char *)first;
    f->key_len = (size_t)(end - first);
}

/* A key of the text, which may have escapes; they are known to be well-formed. */
static void prepend_key(mcpw_error *error, mcpw_frame *f) {
    unsigned char plain[MOST];
    size_t used = 0;
    if (f->key_len > MOST) {
        keep_end(f);
    }
    const unsigned char *p = (const unsigned char *)f->key;
    const unsigned char *const end = p + f->key_len;
    while (p < end) {
        used += mcpw_put_character(plain + used, mcpw_next_character(&p));
    }
    mcpw_error_prepend_key(error, (const char *)plain, used);
}

void mcpw_report_path(const mcpw_reporter *t) {
    for (mcpw_frame *f = t->frame; f != NULL && t->error->path[0] != '.'; f = f->up) {
        if (f->key != NULL) {
            prepend_key(t->error, f);
        } else {
            mcpw_error_prepend_index(t->error, f->index);
        }
    }
}
#endif
