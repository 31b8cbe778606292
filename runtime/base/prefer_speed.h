/* SPDX-License-Identifier: MIT */
/* compiler.h for the library as it is unless MCPW_SMALL is chosen. */
#ifndef MCPW_PREFER_SPEED_H
#define MCPW_PREFER_SPEED_H

#include <stddef.h>
#include <string.h>

enum { MCPW_COMPACT = 0 }; /* prefer_speed.h is included, not prefer_size.h */
#define MCPW_INLINE static MCPW_ALWAYS_INLINE
#define MCPW_ONE_COPY MCPW_INLINE
#define MCPW_INLINE_OR_CALL MCPW_INLINE

/* Zeroes a struct of a size that the compiler knows, in pieces. Longer ones become string instructions, which
 * are slow to start. */
MCPW_INLINE void mcpw_clear(void *to, size_t size) {
    enum { PIECE = 64 };
    unsigned char *p = to;
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    if (size >= PIECE) {
        memset(p, 0, PIECE);
        p += PIECE;
        size -= PIECE;
    }
    memset(p, 0, size);
}

#endif
