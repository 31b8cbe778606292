/* SPDX-License-Identifier: MIT */
/* Builds without stdio convert numbers by themselves: to the same double, and to the same digits, as the C
 * library of a machine that has one. */
#include "../../runtime/json/decimal.c"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

static uint64_t random_state = 1;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* "digits e exponent" or "digits . digits e exponent", as JSON writes it. */
static double convert(const char *text) {
    mcpw_digits d = {{0}, 0, 0, false};
    bool fraction = false;
    const char *p = text;
    for (; *p != '\0' && *p != 'e'; p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        d.digit[d.count++] = (unsigned char)(*p - '0');
        d.point += !fraction;
    }
    if (*p == 'e') {
        d.point += atoi(p + 1);
    }
    return mcpw_digits_to_double(&d);
}

static bool same(const char *text) {
    const double want = strtod(text, NULL);
    const double got = convert(text);
    if (memcmp(&want, &got, sizeof got) != 0) {
        fprintf(stderr, "%s: %a, not %a\n", text, got, want);
        return false;
    }
    return true;
}

static void edges_of_doubles_are_read(void) {
    static const char *const texts[] = {"0",
                                        "1",
                                        "0.1",
                                        "0.3",
                                        "5e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "9e309",
                                        "1e400",
                                        "1e-400",
                                        "9007199254740993",
                                        "9007199254740992.9999999999999999",
                                        "123456789012345678901234567890",
                                        "8.5e22",
                                        "1e23",
                                        "6.631236846766476e-316"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK(same(texts[i]));
    }
}

static void any_double_keeps_its_bits(void) {
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = next_random() & ~(UINT64_C(1) << 63);
        double value;
        double back;
        mcpw_digits d;
        memcpy(&value, &bits, sizeof value);
        if ((bits >> 52 & 0x7ff) == 0x7ff) {
            continue;
        }
        mcpw_digits_of_double(&d, value);
        CHECK(!d.more);
        back = mcpw_digits_to_double(&d);
        CHECK(memcmp(&back, &value, sizeof back) == 0);
    }
}

static void any_text_is_read_as_strtod_reads_it(void) {
    for (int i = 0; i < 20000; i++) {
        char text[96];
        const int digits = 1 + (int)(next_random() % 40);
        for (int k = 0; k < digits; k++) {
            text[k] = (char)('0' + next_random() % 10);
        }
        (void)snprintf(text + digits, sizeof text - (size_t)digits, "e%d", (int)(next_random() % 700) - 370);
        CHECK(same(text));
    }
}

static void halfway_cases_with_a_long_tail_are_decided_by_it(void) {
    char text[MCPW_MAX_DIGITS + 32] = "9007199254740993";
    mcpw_digits d = {{0}, 0, 16, false};
    while (text[d.count] != '\0') {
        d.digit[d.count] = (unsigned char)(text[d.count] - '0');
        d.count++;
    }
    mcpw_digits cut = d;
    cut.more = true;
    CHECK(mcpw_digits_to_double(&d) == 9007199254740992.0);
    CHECK(mcpw_digits_to_double(&cut) == 9007199254740994.0);
}

/* As printf with %.*e says it, without its zeros at the end. */
static void digits_are_those_of_printf(void) {
    for (int i = 0; i < 6000; i++) {
        const uint64_t bits = next_random() & ~(UINT64_C(1) << 63);
        const int wanted = 1 + (int)(next_random() % 17);
        double value;
        char text[64];
        char got[64];
        mcpw_digits d;
        memcpy(&value, &bits, sizeof value);
        if ((bits >> 52 & 0x7ff) == 0x7ff) {
            continue;
        }
        (void)snprintf(text, sizeof text, "%.*e", wanted - 1, value);
        mcpw_digits_of_double(&d, value);
        mcpw_digits_round(&d, (unsigned)wanted);
        size_t used = 0;
        for (int k = 0; k < wanted; k++) {
            got[used++] = (char)('0' + ((unsigned)k < d.count ? d.digit[k] : 0));
            if (k == 0 && wanted > 1) {
                got[used++] = '.';
            }
        }
        const int exponent = d.point - 1;
        (void)snprintf(got + used, sizeof got - used, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
        CHECK_STRING(got, text);
    }
}

static void rounding_carries_into_a_new_digit(void) {
    mcpw_digits d;
    mcpw_digits_of_double(&d, 9.96875);
    mcpw_digits_round(&d, 2);
    CHECK(d.count == 1 && d.digit[0] == 1 && d.point == 2);
}

int main(void) {
    RUN(edges_of_doubles_are_read);
    RUN(any_double_keeps_its_bits);
    RUN(any_text_is_read_as_strtod_reads_it);
    RUN(halfway_cases_with_a_long_tail_are_decided_by_it);
    RUN(digits_are_those_of_printf);
    RUN(rounding_carries_into_a_new_digit);
    return check_end();
}
