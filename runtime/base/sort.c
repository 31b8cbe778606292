/* SPDX-License-Identifier: MIT */
/* Heap sort of pointers. */
#include "sort.h"

#include <stdbool.h>
#include <stdint.h>

static bool precedes(const void *a, const void *b, mcpw_order *order) {
    const int found = order(a, b);
    return found != 0 ? found < 0 : (uintptr_t)a < (uintptr_t)b;
}

static void swap(const void **items, size_t i, size_t j) {
    const void *const item = items[i];
    items[i] = items[j];
    items[j] = item;
}

/* Makes a heap of the items, from the last parent to the first. Then takes the greatest off it again and
 * again. */
void mcpw_sort(const void **items, size_t count, mcpw_order *order) {
    size_t top = count / 2;
    while (count > 1) {
        size_t child;
        if (top > 0) {
            top--;
        } else {
            swap(items, 0, --count);
        }
        for (size_t i = top; (child = 2 * i + 1) < count; i = child) {
            if (child + 1 < count && precedes(items[child], items[child + 1], order)) {
                child++;
            }
            if (!precedes(items[i], items[child], order)) {
                break;
            }
            swap(items, i, child);
        }
    }
}
