/* SPDX-License-Identifier: MIT */
#include "spool.h"

#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 4096 };

struct spool {
    FILE *file;
};

static int error_or(int other) { return errno != 0 ? errno : other; }

spool *spool_new(int *error) {
    spool *const s = malloc(sizeof *s);
    errno = 0;
    FILE *const file = s != NULL ? system_temporary() : NULL;
    if (file == NULL) {
        *error = error_or(s != NULL ? EIO : ENOMEM);
        free(s);
        return NULL;
    }
    s->file = file;
    return s;
}

void spool_free(spool *s) {
    if (s != NULL) {
        (void)fclose(s->file);
        free(s);
    }
}

int spool_keep(spool *s, const text *t) {
    errno = 0;
    if (t->lost || fwrite(t->buffer.data, 1, t->buffer.len, s->file) != t->buffer.len) {
        return error_or(ENOMEM);
    }
    return 0;
}

int spool_take(spool *s, void (*put)(void *user, const char *bytes, size_t len), void *user) {
    char piece[PIECE];
    size_t got = 0;
    int error = 0;
    errno = 0;
    if (fflush(s->file) != 0 || fseek(s->file, 0, SEEK_SET) != 0) {
        error = error_or(EIO);
    }
    while (error == 0 && (got = fread(piece, 1, sizeof piece, s->file)) != 0) {
        put(user, piece, got);
    }
    if (error == 0 && ferror(s->file)) {
        error = EIO;
    }
    spool_free(s);
    return error;
}
