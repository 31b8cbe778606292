/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "number.h"

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static mcpw_status parse_int(const char *text, int64_t *out) {
    return mcpw_parse_int64(text, strlen(text), out);
}

static void integers_are_exact(void) {
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {
        {"0", 0},
        {"-0", 0},
        {"7", 7},
        {"1.0", 1},
        {"1e3", 1000},
        {"1.5e1", 15},
        {"123.000", 123},
        {"1200e-2", 12},
        {"-1.20E+1", -12},
        {"0e999999999", 0},
        {"0.000e-99999999999999999999", 0},
        {"0.0001e4", 1},
        {"9007199254740993", INT64_C(9007199254740993)},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"9223372036854775807.000", INT64_MAX},
        {"922337203685477580.7e1", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t got = 42;
        CHECK(parse_int(cases[i].text, &got) == MCPW_OK);
        CHECK(got == cases[i].want);
    }
}

static void what_is_no_integer_says_why(void) {
    int64_t out = 42;
    CHECK(parse_int("1.5", &out) == MCPW_E_TYPE);
    CHECK(parse_int("15e-1", &out) == MCPW_E_TYPE);
    CHECK(parse_int("0.1", &out) == MCPW_E_TYPE);
    CHECK(parse_int("1e-999999999999999999999999", &out) == MCPW_E_TYPE);
    CHECK(parse_int("9007199254740993.5", &out) == MCPW_E_TYPE);
    CHECK(parse_int("9223372036854775808", &out) == MCPW_E_OVERFLOW);
    CHECK(parse_int("-9223372036854775809", &out) == MCPW_E_OVERFLOW);
    CHECK(parse_int("1e19", &out) == MCPW_E_OVERFLOW);
    CHECK(parse_int("1e400", &out) == MCPW_E_OVERFLOW);
    CHECK(parse_int("1e999999999999999999999999", &out) == MCPW_E_OVERFLOW);
    CHECK(out == 42);
}

static void many_digits_are_no_obstacle(void) {
    char text[3000];
    int64_t out = 0;
    memset(text, '0', sizeof text);
    text[0] = '5';
    text[1] = '.';
    CHECK(mcpw_parse_int64(text, sizeof text, &out) == MCPW_OK && out == 5);
    text[sizeof text - 1] = '1';
    CHECK(mcpw_parse_int64(text, sizeof text, &out) == MCPW_E_TYPE);
    double d = 0;
    CHECK(mcpw_parse_double(text, sizeof text, &d) == MCPW_OK && same_double(d, 5.0));
}

static void check_double(const char *text, double want) {
    double got = 42;
    CHECK(mcpw_parse_double(text, strlen(text), &got) == MCPW_OK);
    if (!same_double(got, want)) {
        (void)fprintf(stderr, "%s\n", text);
        CHECK(same_double(got, want));
    }
}

static void doubles_are_the_nearest(void) {
    check_double("0", 0.0);
    check_double("-0", -0.0);
    check_double("-0.0e5", -0.0);
    check_double("1.5", 1.5);
    check_double("0.1", 0.1);
    check_double("1e22", 1e22);
    check_double("1e23", 1e23);
    check_double("123456789012345678901234567890", 123456789012345678901234567890.0);
    check_double("1.7976931348623157e308", DBL_MAX);
    check_double("2.2250738585072011e-308", 2.2250738585072011e-308);
    check_double("5e-324", 4.9406564584124654e-324);
    check_double("1e-400", 0.0);
    check_double("1e-99999999999999999999999", 0.0);
    check_double("-1e-400", -0.0);
    /* Halfway between two doubles, and a little more: the last digit decides. */
    check_double("9007199254740993", 9007199254740992.0);
    check_double("9007199254740993.00000000000000000000000000000000001", 9007199254740994.0);
}

static void a_digit_beyond_those_kept_still_decides(void) {
    char text[1200];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    double got = 0;
    CHECK(mcpw_parse_double(text, sizeof text, &got) == MCPW_OK && same_double(got, 9007199254740992.0));
    text[sizeof text - 1] = '1';
    CHECK(mcpw_parse_double(text, sizeof text, &got) == MCPW_OK && same_double(got, 9007199254740994.0));
}

static void a_double_that_overflows_is_an_error(void) {
    double out = 42;
    CHECK(mcpw_parse_double("1e309", 5, &out) == MCPW_E_OVERFLOW);
    CHECK(mcpw_parse_double("1.8e308", 7, &out) == MCPW_E_OVERFLOW);
    CHECK(mcpw_parse_double("-1e99999999999999999999", 23, &out) == MCPW_E_OVERFLOW);
    CHECK(same_double(out, 42.0));
}

static int compare(const char *a, const char *b) {
    const int forward = mcpw_compare_decimal(a, strlen(a), b, strlen(b));
    const int back = mcpw_compare_decimal(b, strlen(b), a, strlen(a));
    CHECK((forward < 0) == (back > 0) && (forward == 0) == (back == 0));
    return forward;
}

static void decimals_compare_exactly(void) {
    CHECK(compare("1", "1.0") == 0);
    CHECK(compare("-0", "0e7") == 0);
    CHECK(compare("1e3", "1000") == 0);
    CHECK(compare("0.001e3", "1") == 0);
    CHECK(compare("10.010", "1001e-2") == 0);
    CHECK(compare("0.1", "0.10000000000000000001") < 0);
    CHECK(compare("9007199254740993", "9007199254740992") > 0);
    CHECK(compare("-2", "-1") < 0);
    CHECK(compare("-1", "1") < 0);
    CHECK(compare("1e400", "1e401") < 0);
    CHECK(compare("12", "123") < 0);
    CHECK(compare("0", "1e-400") < 0);
    CHECK(compare("-1e-400", "0") < 0);
}

static void check_format(double value, const char *want) {
    char text[MCPW_DOUBLE_SIZE];
    CHECK_TEXT(text, mcpw_format_double(text, value), want);
}

static void integers_are_written_plainly(void) {
    char text[MCPW_INT_SIZE];
    CHECK_TEXT(text, mcpw_format_int(text, 0), "0");
    CHECK_TEXT(text, mcpw_format_int(text, 9), "9");
    CHECK_TEXT(text, mcpw_format_int(text, -10), "-10");
    CHECK_TEXT(text, mcpw_format_int(text, 12345), "12345");
    CHECK_TEXT(text, mcpw_format_int(text, INT64_MAX), "9223372036854775807");
    CHECK_TEXT(text, mcpw_format_int(text, INT64_MIN), "-9223372036854775808");
}

static void integers_of_every_length_are_written(void) {
    uint64_t value = 1;
    for (size_t digits = 1; digits <= 18; digits++, value *= 10) {
        char text[MCPW_INT_SIZE];
        char want[32];
        for (int off = -1; off <= 1; off++) {
            (void)snprintf(want, sizeof want, "%lld", (long long)value + off);
            CHECK_TEXT(text, mcpw_format_int(text, (int64_t)value + off), want);
        }
    }
}

static void doubles_are_written_shortest(void) {
    check_format(0.0, "0");
    check_format(-0.0, "-0");
    check_format(1.0, "1");
    check_format(-42.0, "-42");
    check_format(0.5, "0.5");
    check_format(100.5, "100.5");
    check_format(0.1, "0.1");
    check_format(1.005, "1.005");
    check_format(0x1.9999999999999p-3, "0.19999999999999998"); /* as hexadecimal: exact on every machine */
    check_format(1234567.891, "1234567.891");
    check_format(0.00001, "0.00001");
    check_format(0.000001, "1e-6");
    check_format(1e16, "10000000000000000");
    check_format(1e17, "1e17");
    check_format(1e21, "1e21");
    check_format(-1.5e300, "-1.5e300");
    check_format(5e-324, "5e-324");
    check_format(DBL_MAX, "1.7976931348623157e308");
    check_format(1.0 / 3, "0.3333333333333333");
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void random_doubles_read_back(void) {
    uint64_t state = UINT64_C(88172645463325252);
    for (int i = 0; i < 200000; i++) {
        char text[MCPW_DOUBLE_SIZE];
        double value;
        double back = 0;
        uint64_t bits = next_random(&state);
        memcpy(&value, &bits, sizeof value);
        if (i % 2 == 0) { /* numbers as people write them */
            value = (double)(int64_t)(bits % 2000000001) / (double)(i % 7 + 1) / 1000;
        }
        if (!isfinite(value)) {
            continue;
        }
        const size_t len = mcpw_format_double(text, value);
        if (len > 25 || mcpw_parse_double(text, len, &back) != MCPW_OK || !same_double(back, value)) {
            (void)fprintf(stderr, "%.*s for %a\n", (int)len, text, value);
            CHECK(same_double(back, value));
        }
    }
}

/* A number of 15 digits comes back with no more of them: nothing shorter was overlooked. */
static void fifteen_digits_stay_fifteen(void) {
    uint64_t state = 99;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        char out[MCPW_DOUBLE_SIZE];
        double value = 0;
        size_t digits = 0;
        const uint64_t bits = next_random(&state);
        const long long mantissa = (long long)(bits % 899999999999999U) + 100000000000000;
        (void)snprintf(text, sizeof text, "%llde%d", mantissa, (int)(bits % 500) - 260);
        CHECK(mcpw_parse_double(text, strlen(text), &value) == MCPW_OK);
        const size_t len = mcpw_format_double(out, value);
        for (size_t k = 0; k < len && out[k] != 'e'; k++) {
            digits += out[k] >= '0' && out[k] <= '9' && (digits != 0 || out[k] != '0');
        }
        const bool plain = memchr(out, '.', len) == NULL && memchr(out, 'e', len) == NULL;
        CHECK(digits <= 15 || (plain && digits <= 17)); /* an integer is written with all of its digits */
    }
}

/* The fewest digits that lead back to a value, and of those the nearest. An integer below 1e17 has all of its
 * own. */
static void check_shortest(double value) {
    char text[64];
    char out[MCPW_DOUBLE_SIZE];
    char digits[MCPW_DOUBLE_SIZE];
    size_t count = 0;
    size_t wanted = 0;
    const size_t len = mcpw_format_double(out, value);
    if (value < 1e17 && value == floor(value)) {
        (void)snprintf(text, sizeof text, "%.0f", value);
        CHECK_TEXT(out, len, text);
        return;
    }
    for (size_t i = 0; i < len && out[i] != 'e'; i++) {
        if (out[i] != '.' && (count != 0 || out[i] != '0')) {
            digits[count++] = out[i];
        }
    }
    for (int decimals = 0; decimals < 17; decimals++) {
        (void)snprintf(text, sizeof text, "%.*e", decimals, value);
        if (same_double(strtod(text, NULL), value)) {
            break;
        }
    }
    for (size_t i = 0; text[i] != 'e'; i++) {
        if (text[i] != '.') {
            text[wanted++] = text[i];
        }
    }
    text[wanted] = '\0';
    CHECK_TEXT(digits, count, text);
}

/* The numbers at which doubles stop having halves, then stop having every integer, and then are written with
 * an exponent. */
static void doubles_at_the_limits_of_integers_are_the_shortest(void) {
    static const double limits[] = {0x1p47, 0x1p50, 0x1p51, 0x1p52, 0x1p53, 0x1p54, 1e15, 1e16, 1e17, 1e18};
    uint64_t state = 4503599627370496;
    check_format(4503599627370495.5, "4503599627370495.5");
    check_format(4503599627370497.0, "4503599627370497");
    check_format(9007199254740991.0, "9007199254740991");
    check_format(9007199254740994.0, "9007199254740994");
    check_format(9999999999999998.0, "9999999999999998");
    check_format(99999999999999984.0, "99999999999999984");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double below = limits[i];
        double above = limits[i];
        for (int n = 0; n < 500; n++) {
            check_shortest(below);
            check_shortest(above);
            below = nextafter(below, 0);
            above = nextafter(above, DBL_MAX);
        }
    }
    for (int i = 0; i < 20000; i++) {
        check_shortest(ldexp((double)(next_random(&state) >> 11), i % 10 - 6)); /* up to 2^56 */
    }
}

static void random_doubles_agree_with_the_library(void) {
    uint64_t state = 7;
    for (int i = 0; i < 100000; i++) {
        char text[64];
        double value;
        double got = 0;
        uint64_t bits = next_random(&state);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        (void)snprintf(text, sizeof text, "%.*e", (int)(bits % 20), value);
        const double want = strtod(text, NULL);
        if (isinf(want)) {
            continue;
        }
        CHECK(mcpw_parse_double(text, strlen(text), &got) == MCPW_OK && same_double(got, want));
    }
}

int main(void) {
    RUN(integers_are_exact);
    RUN(what_is_no_integer_says_why);
    RUN(many_digits_are_no_obstacle);
    RUN(doubles_are_the_nearest);
    RUN(a_digit_beyond_those_kept_still_decides);
    RUN(a_double_that_overflows_is_an_error);
    RUN(decimals_compare_exactly);
    RUN(integers_are_written_plainly);
    RUN(integers_of_every_length_are_written);
    RUN(doubles_are_written_shortest);
    RUN(random_doubles_read_back);
    RUN(fifteen_digits_stay_fifteen);
    RUN(doubles_at_the_limits_of_integers_are_the_shortest);
    RUN(random_doubles_agree_with_the_library);
    return check_end();
}
