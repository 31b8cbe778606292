/* SPDX-License-Identifier: MIT */
/* A library that is loaded before a program. When the program ends, it counts how often a secret stands in
 * its heap and its stack, and writes the number to a file. MCPW_REMAINS_OF has the secret in hexadecimal
 * digits, so that the environment does not contain it, MCPW_REMAINS_IN the name of the file. Linux. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, BASE = 16, LINE = 512 };

static unsigned char secret[MOST]; /* neither in the heap nor in the stack */
static size_t secret_len;

static size_t count_between(const unsigned char *at, const unsigned char *end) {
    size_t count = 0;
    for (; at + secret_len <= end; at++) {
        size_t same = 0; /* compared byte by byte, so that no copy is made */
        while (same < secret_len && at[same] == secret[same]) {
            same++;
        }
        count += same == secret_len ? 1 : 0;
    }
    return count;
}

static size_t count_remains(void) {
    FILE *const maps = fopen("/proc/self/maps", "r");
    char line[LINE];
    size_t count = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *rest = NULL;
        const uintptr_t begin = strtoul(line, &rest, BASE);
        const uintptr_t end = strtoul(rest + 1, NULL, BASE);
        if (strstr(line, "[heap]") != NULL || strstr(line, "[stack]") != NULL) {
            count += count_between((const unsigned char *)begin, (const unsigned char *)end);
        }
    }
    if (maps != NULL) {
        (void)fclose(maps);
    }
    return count;
}

__attribute__((destructor)) static void at_end(void) {
    const char *const digits = getenv("MCPW_REMAINS_OF");
    const char *const name = getenv("MCPW_REMAINS_IN");
    FILE *const out = name != NULL ? fopen(name, "w") : NULL;
    if (digits == NULL || out == NULL) {
        return;
    }
    for (size_t i = 0; digits[2 * i] != '\0' && i < MOST; i++) {
        const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        secret[i] = (unsigned char)strtoul(pair, NULL, BASE);
        secret_len = i + 1;
    }
    (void)fprintf(out, "%zu\n", count_remains());
    (void)fclose(out);
}
