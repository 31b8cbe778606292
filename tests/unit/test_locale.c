/* SPDX-License-Identifier: MIT */
/* Numbers in a locale whose decimal point is a comma. */
#include <locale.h>

#include "check.h"
#include "number.h"

static bool use_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL && localeconv()->decimal_point[0] == ',') {
            return true;
        }
    }
    return false;
}

static void reading_does_not_depend_on_the_locale(void) {
    double got = 0;
    CHECK(mcpw_parse_double("1.5", 3, &got) == MCPW_OK && got == 1.5);
    CHECK(mcpw_parse_double("1.2345678901234567890123e-5", 27, &got) == MCPW_OK);
    CHECK(got > 1.23456789e-5 && got < 1.2345679e-5);
}

static void writing_does_not_depend_on_the_locale(void) {
    char text[MCPW_DOUBLE_SIZE];
    CHECK_TEXT(text, mcpw_format_double(text, 0.25), "0.25");
    CHECK_TEXT(text, mcpw_format_double(text, 1.0 / 3), "0.3333333333333333");
    CHECK_TEXT(text, mcpw_format_double(text, 1.5e300), "1.5e300");
}

int main(void) {
    if (!use_comma_locale()) {
        (void)printf("skipped: no locale with a decimal comma is installed\n");
        return CHECK_SKIPPED;
    }
    RUN(reading_does_not_depend_on_the_locale);
    RUN(writing_does_not_depend_on_the_locale);
    return check_end();
}
