/* SPDX-License-Identifier: MIT */
#include "multiple.h"

#include "../json/number_parts.h"

enum { BASE_DIGITS = 9, LIMBS = MCPW_DIVISOR_DIGITS / BASE_DIGITS + 2, TEN = 10 };

static const uint32_t limb_base = 1000000000U;

/* An integer, its lowest limb first. */
typedef struct natural {
    uint32_t limbs[LIMBS];
    unsigned count;
} natural;

bool mcpw_is_integral(mcpw_str number) {
    const mcpw_decimal d = mcpw_take_apart(number.ptr, number.len);
    return d.count == 0 || (d.scale >= 0 && (uint64_t)d.scale >= d.count);
}

int mcpw_sign_of(mcpw_str number) {
    const mcpw_decimal d = mcpw_take_apart(number.ptr, number.len);
    return d.count == 0 ? 0 : d.negative ? -1 : 1;
}

bool mcpw_as_count(mcpw_str number, uint32_t *out) {
    int64_t value = 0;
    if (!mcpw_is_integral(number) || mcpw_sign_of(number) < 0) {
        return false;
    }
    *out = mcpw_parse_int64(number.ptr, number.len, &value) == MCPW_OK && value < (int64_t)UINT32_MAX
               ? (uint32_t)value
               : UINT32_MAX;
    return true;
}

bool mcpw_floor_of(mcpw_str number, int64_t *out) {
    enum { MOST_DIGITS = 18 /* always fit in an int64_t */ };
    const mcpw_decimal d = mcpw_take_apart(number.ptr, number.len);
    int64_t value = 0;
    if (mcpw_parse_int64(number.ptr, number.len, out) == MCPW_OK) {
        return true;
    }
    if (d.scale > MOST_DIGITS) {
        *out = d.negative ? INT64_MIN : INT64_MAX;
        return false;
    }
    for (int64_t i = 0; i < d.scale; i++) {
        value = value * TEN + mcpw_digit_at(&d, (size_t)i);
    }
    *out = d.negative ? -value - 1 : value;
    return false;
}

bool mcpw_is_divisor(mcpw_str number) {
    const mcpw_decimal d = mcpw_take_apart(number.ptr, number.len);
    return d.count > 0 && d.count <= MCPW_DIVISOR_DIGITS && !d.negative;
}

/* value = value * 10 + digit */
static void push_digit(natural *value, unsigned digit) {
    uint64_t carry = digit;
    for (unsigned i = 0; i < value->count; i++) {
        carry += (uint64_t)value->limbs[i] * TEN;
        value->limbs[i] = (uint32_t)(carry % limb_base);
        carry /= limb_base;
    }
    if (carry != 0) {
        value->limbs[value->count++] = (uint32_t)carry;
    }
}

static bool is_less(const natural *a, const natural *b) {
    if (a->count != b->count) {
        return a->count < b->count;
    }
    for (unsigned i = a->count; i > 0; i--) {
        if (a->limbs[i - 1] != b->limbs[i - 1]) {
            return a->limbs[i - 1] < b->limbs[i - 1];
        }
    }
    return false;
}

/* a = a - b, of which b is not the greater. */
static void subtract(natural *a, const natural *b) {
    int64_t borrow = 0;
    for (unsigned i = 0; i < a->count; i++) {
        int64_t limb = (int64_t)a->limbs[i] - borrow - (i < b->count ? (int64_t)b->limbs[i] : 0);
        borrow = limb < 0;
        a->limbs[i] = (uint32_t)(limb + (borrow != 0 ? (int64_t)limb_base : 0));
    }
    while (a->count > 0 && a->limbs[a->count - 1] == 0) {
        a->count--;
    }
}

static bool divides_long(const mcpw_decimal *d, const mcpw_decimal *by, uint64_t zeros) {
    natural divisor = {{0}, 0};
    natural rest = {{0}, 0};
    for (size_t i = 0; i < by->count; i++) {
        push_digit(&divisor, mcpw_digit_at(by, i));
    }
    for (size_t i = 0; i < d->count + zeros; i++) {
        push_digit(&rest, i < d->count ? mcpw_digit_at(d, i) : 0);
        while (!is_less(&rest, &divisor)) {
            subtract(&rest, &divisor);
        }
    }
    return rest.count == 0;
}

static bool divides_short(const mcpw_decimal *d, const mcpw_decimal *by, uint64_t zeros) {
    uint64_t divisor = 0;
    uint64_t rest = 0;
    for (size_t i = 0; i < by->count; i++) {
        divisor = divisor * TEN + mcpw_digit_at(by, i);
    }
    if (divisor == 0) {
        return false;
    }
    for (size_t i = 0; i < d->count + zeros; i++) {
        rest = (rest * TEN + (i < d->count ? mcpw_digit_at(d, i) : 0)) % divisor;
    }
    return rest == 0;
}

enum {
    SHORT_DIGITS = 17,  /* of a divisor, ten times which fits in 64 bits */
    FACTORS_A_DIGIT = 4 /* of 2, or of 5, that a divisor has for each of its digits, at most */
};

/* Both without zeros at their ends: number = n * 10^x, divisor = m * 10^y. n * 10^(x-y) / m has to be an
 * integer. If x < y there is none, as n has no zero to give. 10 to a higher power than m has factors of 2 or
 * 5 says no more than that power. */
bool mcpw_is_multiple(mcpw_str number, mcpw_str divisor) {
    const mcpw_decimal d = mcpw_take_apart(number.ptr, number.len);
    const mcpw_decimal by = mcpw_take_apart(divisor.ptr, divisor.len);
    const uint64_t most = FACTORS_A_DIGIT * (uint64_t)by.count;
    if (d.count == 0) {
        return true;
    }
    const int64_t zeros = (d.scale - (int64_t)d.count) - (by.scale - (int64_t)by.count);
    if (zeros < 0) {
        return false;
    }
    const uint64_t few = (uint64_t)zeros < most ? (uint64_t)zeros : most;
    return by.count <= SHORT_DIGITS ? divides_short(&d, &by, few) : divides_long(&d, &by, few);
}

uint64_t mcpw_multiple_work(mcpw_str number, mcpw_str divisor) {
    return divisor.len <= SHORT_DIGITS
               ? number.len / TEN
               : (number.len + FACTORS_A_DIGIT * divisor.len) * (divisor.len / BASE_DIGITS + 1) / TEN;
}
