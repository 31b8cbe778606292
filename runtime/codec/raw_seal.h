/* SPDX-License-Identifier: MIT */
/* The seals of raw values that decoding has checked: see ../json/seal.h. */
#ifndef MCPW_RAW_SEAL_H
#define MCPW_RAW_SEAL_H

#include <assert.h>

#include "../json/seal.h"
#include "walk.h"

/* A property of a value that fits a reference, beyond being JSON. */
MCPW_INLINE uint64_t mcpw_seal_what(const mcpw_revision *revision, mcpw_ref ref) {
    static_assert(sizeof ref == sizeof(uint32_t), "a reference is a number");
    uint32_t number;
    memcpy(&number, &ref, sizeof number);
    return ref.kind == MCPW_KIND_SHAPED ? (uint64_t)(uintptr_t)revision * MCPW_SEAL_LEN + number : 0;
}

/* The seal of a raw value from..to that was just decoded as one that fits ref. */
MCPW_INLINE uint64_t mcpw_seal_decoded(const mcpw_walk *w, mcpw_ref ref, const unsigned char *from,
                                       const unsigned char *to) {
    /* A value that was read leniently may be no more than JSON. */
    const unsigned lenient = MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS;
    const uint64_t what = (w->flags & lenient) == 0 ? mcpw_seal_what(w->tables.revision, ref) : 0;
    return w->reader.saw_line_break
               ? 0
               : mcpw_seal_of((const char *)from, (size_t)(to - from), w->reader.depth, what);
}

#endif
