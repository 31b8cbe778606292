/* SPDX-License-Identifier: MIT */
/* The smallest test harness that names what failed. A test program runs its test functions with RUN and
 * returns check_end() from main. */
#ifndef MCPW_TESTS_CHECK_H
#define MCPW_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { CHECK_SKIPPED = 77 };

static const char *check_test = "";
static int check_failures = 0;

static inline bool check_that(bool passed, const char *file, int line, const char *what) {
    if (!passed) {
        (void)fprintf(stderr, "%s:%d: %s: %s\n", file, line, check_test, what);
        check_failures++;
    }
    return passed;
}

static inline bool check_text(const char *got, size_t len, const char *want, const char *file, int line) {
    const bool same = got != NULL && strlen(want) == len && memcmp(got, want, len) == 0;
    if (!same) {
        (void)fprintf(stderr, "%s:%d: %s: got  %.*s\n", file, line, check_test, got != NULL ? (int)len : 0,
                      got != NULL ? got : "");
        (void)fprintf(stderr, "%s:%d: %s: want %s\n", file, line, check_test, want);
        check_failures++;
    }
    return same;
}

static inline int check_end(void) {
    if (check_failures != 0) {
        (void)fprintf(stderr, "%d checks failed\n", check_failures);
    }
    return check_failures != 0;
}

#define CHECK(condition) ((void)check_that((condition), __FILE__, __LINE__, #condition))
#define CHECK_TEXT(got, len, want) ((void)check_text((got), (len), (want), __FILE__, __LINE__))
#define CHECK_STRING(got, want) CHECK_TEXT((got), strlen(got), (want))
#define RUN(test)                                                                                            \
    do {                                                                                                     \
        check_test = #test;                                                                                  \
        test();                                                                                              \
    } while (0)

#endif
