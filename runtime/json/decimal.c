/* SPDX-License-Identifier: MIT */
/* Digits to doubles and back. Digits are multiplied and divided by powers of two until they are an integer of
 * 53 bits, or until the bits of a double are digits. Each MAX_SHIFT bits take one loop over the digits, in
 * 32-bit arithmetic. */
#include "decimal.h"

#include <stdint.h>
#include <string.h>

enum {
    MAX_SHIFT = 27,     /* 10 << MAX_SHIFT still fits in 32 bits */
    SHIFT_DIGITS = 9,   /* 2^MAX_SHIFT has so many digits */
    MANTISSA_BITS = 53, /* the implicit one included */
    MIN_EXPONENT = -1022,
    MAX_EXPONENT = 1023,
    EXPONENT_MASK = 0x7ff,
    LARGE_POINT = 310, /* 1e310 overflows */
    SMALL_POINT = -330 /* and everything below 1e-330 is zero */
};

/* How far a number below 10^n can be shifted right and stay at least about one half. */
static const unsigned char shifts[SHIFT_DIGITS] = {1, 3, 6, 9, 13, 16, 19, 23, 26};

/* Drops the zeros at both ends. */
static void trim(mcpw_digits *d) {
    unsigned zeros = 0;
    while (zeros < d->count && d->digit[zeros] == 0) {
        zeros++;
    }
    if (zeros != 0) {
        d->count -= zeros;
        d->point -= (int)zeros;
        memmove(d->digit, d->digit + zeros, d->count);
    }
    while (d->count != 0 && d->digit[d->count - 1] == 0) {
        d->count--;
    }
    if (d->count == 0) {
        d->point = 0;
    }
}

/* Multiplies by 2^bits, bits at most MAX_SHIFT, from the right. Room for the digits that are added on the
 * left is made first. */
static void multiply(mcpw_digits *d, unsigned bits) {
    uint32_t carry = 0;
    unsigned at = d->count;
    unsigned char lost[SHIFT_DIGITS];
    unsigned added = SHIFT_DIGITS;
    while (at > 0) {
        at--;
        carry += (uint32_t)d->digit[at] << bits;
        d->digit[at] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    for (unsigned i = SHIFT_DIGITS; i > 0; i--) {
        lost[i - 1] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    unsigned lead = 0;
    while (lead < SHIFT_DIGITS && lost[lead] == 0) {
        lead++;
    }
    added -= lead;
    while (d->count + added > MCPW_MAX_DIGITS) {
        d->count--;
        d->more = d->more || d->digit[d->count] != 0;
    }
    memmove(d->digit + added, d->digit, d->count);
    memcpy(d->digit, lost + lead, added);
    d->count += added;
    d->point += (int)added;
    trim(d);
}

/* Divides by 2^bits, bits at most MAX_SHIFT, from the left. Every bit of the divisor adds a digit at most. */
static void divide(mcpw_digits *d, unsigned bits) {
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    uint32_t rest = 0;
    unsigned to = 0;
    unsigned from = 0;
    int skipped = 0;
    while (from < d->count || rest != 0) {
        rest = rest * 10 + (from < d->count ? d->digit[from] : 0U);
        from++;
        const unsigned char digit = (unsigned char)(rest >> bits);
        rest &= mask;
        if (to == 0 && digit == 0) {
            skipped++; /* a zero at the front */
        } else if (to < MCPW_MAX_DIGITS) {
            d->digit[to++] = digit;
        } else {
            d->more = d->more || digit != 0;
        }
    }
    d->count = to;
    d->point -= skipped;
    trim(d);
}

/* Multiplies by 2^bits, for any bits, negative ones too. */
static void shift(mcpw_digits *d, int bits) {
    while (bits > 0 && d->count != 0) {
        const int step = bits < MAX_SHIFT ? bits : MAX_SHIFT;
        multiply(d, (unsigned)step);
        bits -= step;
    }
    while (bits < 0 && d->count != 0) {
        const int step = -bits < MAX_SHIFT ? -bits : MAX_SHIFT;
        divide(d, (unsigned)step);
        bits += step;
    }
}

/* Whether the digits from `at` on are worth one more before them. */
static bool rounds_up(const mcpw_digits *d, unsigned at) {
    if (at >= d->count) {
        return false;
    }
    if (d->digit[at] != 5 || at + 1 != d->count || d->more) {
        return d->digit[at] >= 5;
    }
    return at > 0 && (d->digit[at - 1] & 1U) != 0;
}

/* The nearest integer; it fits. */
static uint64_t to_integer(const mcpw_digits *d) {
    uint64_t value = 0;
    if (d->point < 0) {
        return 0;
    }
    for (unsigned i = 0; i < (unsigned)d->point; i++) {
        value = value * 10 + (i < d->count ? d->digit[i] : 0U);
    }
    return value + rounds_up(d, (unsigned)d->point);
}

static double assemble(uint64_t mantissa, int exponent) {
    const uint64_t hidden = UINT64_C(1) << (MANTISSA_BITS - 1);
    uint64_t bits = mantissa & (hidden - 1);
    double value;
    if ((mantissa & hidden) != 0) {
        bits |= (uint64_t)(exponent - MIN_EXPONENT + 1) << (MANTISSA_BITS - 1);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

double mcpw_digits_to_double(mcpw_digits *d) {
    int exponent = 0;
    trim(d);
    if (d->count == 0 || d->point < SMALL_POINT) {
        return 0;
    }
    while (d->point > 0 && d->point <= LARGE_POINT) {
        const int step = d->point < SHIFT_DIGITS ? shifts[d->point] : MAX_SHIFT;
        shift(d, -step);
        exponent += step;
    }
    while (d->point < 0 || (d->point == 0 && d->digit[0] < 5)) {
        const int step = -d->point < SHIFT_DIGITS ? shifts[-d->point] : MAX_SHIFT;
        shift(d, step);
        exponent -= step;
    }
    exponent--; /* from 0.5..1 to 1..2 */
    if (exponent < MIN_EXPONENT) {
        shift(d, exponent - MIN_EXPONENT);
        exponent = MIN_EXPONENT;
    }
    if (exponent <= MAX_EXPONENT && d->point <= LARGE_POINT) {
        shift(d, MANTISSA_BITS);
        uint64_t mantissa = to_integer(d);
        if (mantissa == UINT64_C(1) << MANTISSA_BITS) {
            mantissa >>= 1;
            exponent++;
        }
        if (exponent <= MAX_EXPONENT) {
            return assemble(mantissa, exponent);
        }
    }
    return assemble(UINT64_C(1) << (MANTISSA_BITS - 1), MAX_EXPONENT + 1);
}

void mcpw_digits_of_double(mcpw_digits *d, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t hidden = UINT64_C(1) << (MANTISSA_BITS - 1);
    uint64_t mantissa = bits & (hidden - 1);
    int exponent = (int)(bits >> (MANTISSA_BITS - 1) & EXPONENT_MASK);
    if (exponent == 0) {
        exponent = 1;
    } else {
        mantissa |= hidden;
    }
    d->count = 0;
    d->more = false;
    d->point = 0;
    for (uint64_t rest = mantissa; rest != 0; rest /= 10) {
        d->point++;
    }
    for (unsigned i = (unsigned)d->point; i > 0; i--) {
        d->digit[i - 1] = (unsigned char)(mantissa % 10);
        mantissa /= 10;
    }
    d->count = (unsigned)d->point;
    trim(d);
    shift(d, exponent - MAX_EXPONENT - (MANTISSA_BITS - 1));
}

void mcpw_digits_round(mcpw_digits *d, unsigned count) {
    if (count >= d->count) {
        return;
    }
    const bool up = rounds_up(d, count);
    d->count = count;
    d->more = false;
    if (up) {
        unsigned at = count;
        while (at > 0 && d->digit[at - 1] == 9) {
            at--;
        }
        d->count = at;
        if (at == 0) { /* all nines */
            d->digit[0] = 0;
            d->count = 1;
            d->point++;
            at = 1;
        }
        d->digit[at - 1]++;
    }
    trim(d);
}
