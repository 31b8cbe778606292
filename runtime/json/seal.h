/* SPDX-License-Identifier: MIT */
/*
 * The seal of a raw value says that its text was checked, so that writing it need not check it again. It
 * stands in the struct beside the text, where no peer writes. It covers where the text begins, how long it
 * is, how deep it nests at most, and what it was checked to be besides JSON; so whoever changes ptr or len
 * breaks it, and a struct that was not sealed does not carry one. A value that has a line break between its
 * tokens gets none, since that must not be written.
 *
 * From the lowest bit on: levels in SEAL_LEVEL_BITS, a sum of all that it covers, a bit that is always set. A
 * sum, so that a copy of the text can be sealed without knowing what it is.
 */
#ifndef MCPW_SEAL_H
#define MCPW_SEAL_H

#include <mcpw/base.h>
#include <mcpw/limits.h>

#include "../base/compiler.h"

enum { MCPW_SEAL_LEVEL_BITS = 10 };

#define MCPW_SEAL_SET (UINT64_C(1) << 63)

/* Odd numbers of many bits: no two small differences of what they are multiplied by add up to nothing. */
#define MCPW_SEAL_PTR UINT64_C(0x9E3779B97F4A7C15)
#define MCPW_SEAL_LEN UINT64_C(0xBF58476D1CE4E5B9)
#define MCPW_SEAL_LEVELS UINT64_C(0x94D049BB133111EB)

MCPW_INLINE uint64_t mcpw_seal_place(const char *ptr, size_t len) {
    return ((uint64_t)(uintptr_t)ptr * MCPW_SEAL_PTR + len * MCPW_SEAL_LEN) << MCPW_SEAL_LEVEL_BITS;
}

/* The seal of a text that nests at most `levels` deep. `what` tells what it is besides JSON; 0: nothing. */
MCPW_INLINE uint64_t mcpw_seal_of(const char *ptr, size_t len, unsigned levels, uint64_t what) {
    const uint64_t sum = (levels * MCPW_SEAL_LEVELS + what) << MCPW_SEAL_LEVEL_BITS;
    return (mcpw_seal_place(ptr, len) + sum) | levels | MCPW_SEAL_SET;
}

MCPW_INLINE unsigned mcpw_seal_levels(mcpw_json value) {
    return (unsigned)value.seal & ((1U << MCPW_SEAL_LEVEL_BITS) - 1);
}

/* Whether a value has the seal of what it is besides JSON. */
MCPW_INLINE bool mcpw_is_sealed(mcpw_json value, uint64_t what) {
    return value.seal == mcpw_seal_of(value.ptr, value.len, mcpw_seal_levels(value), what);
}

/* The seal of a copy of a value's text; as good as that of the value. */
MCPW_INLINE uint64_t mcpw_seal_moved(mcpw_json value, const char *to) {
    const uint64_t sum = value.seal + mcpw_seal_place(to, value.len) - mcpw_seal_place(value.ptr, value.len);
    return value.seal != 0 ? sum | MCPW_SEAL_SET : 0;
}

#endif
