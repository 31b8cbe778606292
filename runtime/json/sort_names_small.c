/* SPDX-License-Identifier: MIT */
/* Sorts names as anything else is sorted, for builds where size counts (names.h). */
#include "names.h"

#if defined(MCPW_SMALL)
#include "../base/sort.h"

void mcpw_sort_names(const void **items, const void **room, size_t count) {
    (void)room;
    mcpw_sort(items, count, mcpw_compare_names);
}

#endif
