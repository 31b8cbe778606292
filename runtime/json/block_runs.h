/* SPDX-License-Identifier: MIT */
/* The answers of runs.h by blocks: those of block.h, or of the file that was included before this. */
#ifndef MCPW_BLOCK_RUNS_H
#define MCPW_BLOCK_RUNS_H

#include <mcpw/error.h>

#include "characters.h"

#if !defined(MCPW_BLOCK_TARGET) /* the processors that the functions are for */
#include "block.h"
#define MCPW_BLOCK_TARGET
#endif

enum { MCPW_BLOCKS = 4, MCPW_FOUR_BLOCKS = MCPW_BLOCKS * MCPW_BLOCK };

/* The first special byte in p..end, or the end. */
MCPW_BLOCK_TARGET MCPW_INLINE const unsigned char *mcpw_block_scan(const unsigned char *p,
                                                                   const unsigned char *end) {
    const unsigned char *const begin = p;
    for (; end - p >= MCPW_BLOCK; p += MCPW_BLOCK) {
        const mcpw_special m = mcpw_special_bytes(p);
        if (m != 0) {
            return p + mcpw_special_first(m);
        }
    }
    if (MCPW_BLOCK > 1 && p != begin &&
        p != end) { /* the last block overlaps the one before it, which is plain */
        const mcpw_special m = mcpw_special_bytes(end - MCPW_BLOCK);
        return m != 0 ? end - MCPW_BLOCK + mcpw_special_first(m) : end;
    }
    while (p < end && !mcpw_is_special(*p)) {
        p++;
    }
    return p;
}

/* Copies two blocks, or four; nonzero when a special byte is among them. */
MCPW_BLOCK_TARGET MCPW_INLINE mcpw_special mcpw_block_copy_two(unsigned char *to, const unsigned char *from) {
    return mcpw_special_copy(to, from) | mcpw_special_copy(to + MCPW_BLOCK, from + MCPW_BLOCK);
}

MCPW_BLOCK_TARGET MCPW_INLINE mcpw_special mcpw_block_copy_four(unsigned char *to,
                                                                const unsigned char *from) {
    const mcpw_special first = mcpw_block_copy_two(to, from);
    return first | mcpw_block_copy_two(to + MCPW_FOUR_BLOCKS / 2, from + MCPW_FOUR_BLOCKS / 2);
}

/* Fewer bytes than a block. */
MCPW_BLOCK_TARGET MCPW_INLINE size_t mcpw_block_copy_few(unsigned char *to, const unsigned char *from,
                                                         size_t n) {
    size_t i = 0;
    for (; i < n && !mcpw_is_special(from[i]); i++) {
        to[i] = from[i];
    }
    return i;
}

/* The same as mcpw_block_copy for a block and more, one block after the other. */
MCPW_BLOCK_TARGET static size_t mcpw_block_copy_slowly(unsigned char *to, const unsigned char *from,
                                                       size_t n) {
    size_t i = 0;
    while (i < n) {
        i = n - i >= MCPW_BLOCK ? i : n - MCPW_BLOCK; /* the last block overlaps the one before it */
        const mcpw_special m = mcpw_special_copy(to + i, from + i);
        if (m != 0) {
            return i + mcpw_special_first(m);
        }
        i += MCPW_BLOCK;
    }
    return n;
}

/* Copies n bytes up to the first that is special; returns how many come before it. Lengths are told apart by
 * their magnitude alone: as many blocks from the front as from the back, which overlap. */
MCPW_BLOCK_TARGET MCPW_INLINE size_t mcpw_block_copy(unsigned char *to, const unsigned char *from, size_t n) {
    mcpw_special special = 0;
    size_t i = 0;
    if (n < MCPW_BLOCK) {
        return mcpw_block_copy_few(to, from, n);
    }
    if (n <= MCPW_FOUR_BLOCKS / 2) {
        special = mcpw_special_copy(to, from);
        special |= mcpw_special_copy(to + n - MCPW_BLOCK, from + n - MCPW_BLOCK);
    } else if (n <= MCPW_FOUR_BLOCKS) {
        const size_t back = n - MCPW_FOUR_BLOCKS / 2;
        special = mcpw_block_copy_two(to, from) | mcpw_block_copy_two(to + back, from + back);
    } else {
        while (n - i > MCPW_FOUR_BLOCKS && mcpw_block_copy_four(to + i, from + i) == 0) {
            i += MCPW_FOUR_BLOCKS;
        }
        i = n - i > MCPW_FOUR_BLOCKS ? i : n - MCPW_FOUR_BLOCKS;
        special = mcpw_block_copy_four(to + i, from + i);
    }
    return MCPW_LIKELY(special == 0) ? n : i + mcpw_block_copy_slowly(to + i, from + i, n - i);
}

/* Writes text as it stands between quotes (see put in runs.h). */
MCPW_BLOCK_TARGET MCPW_INLINE const unsigned char *mcpw_block_put(unsigned char **to,
                                                                  const unsigned char *from,
                                                                  const unsigned char *end,
                                                                  const unsigned char *limit) {
    while (from < end && *to + (end - from) <= limit) {
        const size_t plain = mcpw_block_copy(*to, from, (size_t)(end - from));
        *to += plain;
        from += plain;
        for (; from < end && mcpw_needs_escape(*from) && *to + (end - from) <= limit; from++) {
            *to = mcpw_put_escape(*to, *from);
        }
        while (from < end && *from >= 0x80) {
            unsigned n = mcpw_utf8_sequence(from, (size_t)(end - from));
            if (MCPW_UNLIKELY(n == 0)) {
                return NULL;
            }
            for (; n > 0; n--) {
                *(*to)++ = *from++;
            }
        }
    }
    return from;
}

#endif
