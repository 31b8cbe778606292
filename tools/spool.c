/* SPDX-License-Identifier: MIT */
#include "spool.h"

#include <errno.h>

enum { PIECE = 4096 };

static int error_or(int other) { return errno != 0 ? errno : other; }

int spool_take(FILE *spool, void (*put)(void *user, const char *bytes, size_t len), void *user) {
    char piece[PIECE];
    size_t got = 0;
    int error = 0;
    errno = 0;
    if (fflush(spool) != 0 || fseek(spool, 0, SEEK_SET) != 0) {
        error = error_or(EIO);
    }
    while (error == 0 && (got = fread(piece, 1, sizeof piece, spool)) != 0) {
        put(user, piece, got);
    }
    if (error == 0 && ferror(spool)) {
        error = EIO;
    }
    (void)fclose(spool);
    return error;
}
