/* SPDX-License-Identifier: MIT */
/* The memory of this process, as the system sees it. */
#ifndef MCPW_TESTS_LOAD_MEMORY_H
#define MCPW_TESTS_LOAD_MEMORY_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* KiB that a line of /proc/self/status tells, such as "VmRSS:" or "VmHWM:"; -1 where there is none. */
static inline long memory_kib(const char *line_name) {
    char line[256];
    long kib = -1;
    FILE *const status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, line_name, strlen(line_name)) == 0) {
            (void)sscanf(line + strlen(line_name), "%ld", &kib);
        }
    }
    if (status != NULL) {
        (void)fclose(status);
    }
    return kib;
}

/* Forgets the most that was used so far; false where the system has no way to. */
static inline bool memory_forget_peak(void) {
    FILE *const refs = fopen("/proc/self/clear_refs", "w");
    const bool good = refs != NULL && fputs("5", refs) >= 0;
    return refs != NULL && fclose(refs) == 0 && good;
}

#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_IS_OURS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_IS_OURS false
#endif
#endif
#if !defined(MEMORY_IS_OURS)
#define MEMORY_IS_OURS true /* no sanitizer keeps memory of its own */
#endif

#endif
