/* SPDX-License-Identifier: MIT */
/* Sorts names byte by byte, so that the work grows with the bytes and with nothing that a peer could choose
 * (names.h). */
#include "names.h"

#if !defined(MCPW_SMALL)
#include <limits.h>
#include <stdint.h>

#include "../base/sort.h"

enum { FEW_NAMES = 64 }; /* fewer are compared: a pass over all values of a byte would cost more */

static size_t length_of(const void *item) { return ((const mcpw_str *)item)->len; }

/* The byte of a name that it is sorted by: one of its length, from the lowest on, or of its text. */
static unsigned digit(const void *item, bool of_length, size_t at) {
    const mcpw_str *const name = item;
    const size_t whole = of_length ? name->len >> at * CHAR_BIT : (unsigned char)name->ptr[at];
    return (unsigned)(whole & UCHAR_MAX);
}

/* Sorts by one byte. Equal names keep their order. */
static void sort_by(const void **items, const void **room, size_t count, bool of_length, size_t at) {
    size_t places[UCHAR_MAX + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        places[digit(items[i], of_length, at)]++;
    }
    if (places[digit(items[0], of_length, at)] == count) {
        return;
    }
    size_t place = 0;
    for (size_t i = 0; i <= UCHAR_MAX; i++) {
        const size_t here = places[i];
        places[i] = place;
        place += here;
    }
    for (size_t i = 0; i < count; i++) {
        room[places[digit(items[i], of_length, at)]++] = items[i];
    }
    memcpy((void *)items, (const void *)room, count * sizeof *items);
}

/* Sorts names of one length, from their last byte to the first. */
static void sort_alike(const void **items, const void **room, size_t count) {
    if (count <= FEW_NAMES) {
        mcpw_sort(items, count, mcpw_compare_names);
        return;
    }
    for (size_t at = length_of(items[0]); at > 0; at--) {
        sort_by(items, room, count, false, at - 1);
    }
}

void mcpw_sort_names(const void **items, const void **room, size_t count) {
    size_t longest = 0;
    if (count <= FEW_NAMES) {
        mcpw_sort(items, count, mcpw_compare_names);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t len = length_of(items[i]);
        longest = len > longest ? len : longest;
    }
    for (size_t at = 0; at < sizeof longest && longest >> at * CHAR_BIT != 0; at++) {
        sort_by(items, room, count, true, at);
    }
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && length_of(items[end]) == length_of(items[begin])) {
            end++;
        }
        sort_alike(items + begin, room, end - begin);
    }
}

#endif
