/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_NAME = 64, /* longer names are not compared */
    MAX_SHOWN = 3,
    EDITS_SHARE = 3, /* one edit for this many characters is close */
    SPREAD = 1       /* more edits than the closest name */
};

typedef struct candidate {
    const char *name;
    size_t distance;
} candidate;

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t smallest(size_t a, size_t b, size_t c) {
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* The Levenshtein distance without regard to case, one row of the matrix at a time. Both names are shorter
 * than MAX_NAME. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[MAX_NAME];
    const size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            const size_t change = diagonal + (lower(a[i]) != lower(b[j]) ? 1 : 0);
            diagonal = row[j + 1];
            row[j + 1] = smallest(row[j] + 1, row[j + 1] + 1, change);
        }
    }
    return row[width];
}

static void keep(candidate best[MAX_SHOWN], size_t *count, candidate found) {
    size_t at = *count;
    while (at > 0 && best[at - 1].distance > found.distance) {
        at--;
    }
    if (at == MAX_SHOWN) {
        return;
    }
    *count += *count < MAX_SHOWN ? 1U : 0U;
    for (size_t i = *count - 1; i > at; i--) {
        best[i] = best[i - 1];
    }
    best[at] = found;
}

bool suggest(char out[SUGGEST_SIZE], const char *wanted, const void *list, size_t count,
             const char *(*name_at)(const void *list, size_t index)) {
    candidate best[MAX_SHOWN];
    size_t found = 0;
    size_t used = 0;
    const size_t len = strlen(wanted);
    const size_t limit = len / EDITS_SHARE;
    if (len == 0 || len >= MAX_NAME) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const candidate c = {name_at(list, i), 0};
        if (strlen(c.name) < MAX_NAME) {
            const size_t distance = edit_distance(wanted, c.name);
            if (distance <= limit) {
                keep(best, &found, (candidate){c.name, distance});
            }
        }
    }
    out[0] = '\0';
    while (found > 1 && best[found - 1].distance > best[0].distance + SPREAD) {
        found--;
    }
    for (size_t i = 0; i < found; i++) {
        const char *const before = i == 0 ? "" : i + 1 == found ? " or " : ", ";
        used += (size_t)snprintf(out + used, SUGGEST_SIZE - used, "%s%s", before, best[i].name);
    }
    return found != 0;
}
