/* SPDX-License-Identifier: MIT */
/* The errors of POSIX and its clock. */
#define _POSIX_C_SOURCE 200809L
#include "os.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* strerror_r returns a number by POSIX, and the text with the extensions of GNU, which a library as one file
 * asks for. */
static inline const char *text_of_posix(int failed, const char *text) { return failed == 0 ? text : NULL; }

static inline const char *text_of_gnu(const char *found, const char *text) {
    (void)text;
    return found;
}

#define TEXT_OF(result) _Generic((result), int : text_of_posix, char * : text_of_gnu)

void mcpw_os_error_text(int number, char *text, size_t size) {
    const char *const found = TEXT_OF(strerror_r(number, text, size))(strerror_r(number, text, size), text);
    if (found == NULL) {
        (void)snprintf(text, size, "error %d", number);
    } else if (found != text) {
        (void)snprintf(text, size, "%s", found);
    }
}

uint64_t mcpw_os_now(void) {
    enum { MS = 1000, NS_IN_MS = 1000000 };
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * MS + (uint64_t)t.tv_nsec / NS_IN_MS;
}

void mcpw_os_sleep(unsigned ms) { (void)poll(NULL, 0, (int)ms); }
