/* SPDX-License-Identifier: MIT */
#include "spool.h"

#include <errno.h>
#include <stdlib.h>

struct spool {
    text kept;
};

spool *spool_new(int *error) {
    spool *const s = calloc(1, sizeof *s);
    if (s == NULL) {
        *error = ENOMEM;
    }
    return s;
}

void spool_free(spool *s) {
    if (s != NULL) {
        text_free(&s->kept);
        free(s);
    }
}

int spool_keep(spool *s, const text *t) {
    text_join(&s->kept, t);
    return s->kept.lost ? ENOMEM : 0;
}

int spool_take(spool *s, void (*put)(void *user, const char *bytes, size_t len), void *user) {
    const int error = s->kept.lost ? ENOMEM : 0;
    if (error == 0 && s->kept.buffer.len != 0) {
        put(user, s->kept.buffer.data, s->kept.buffer.len);
    }
    spool_free(s);
    return error;
}
