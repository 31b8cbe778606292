/* SPDX-License-Identifier: MIT */
#ifndef MCPW_SORT_H
#define MCPW_SORT_H

#include <mcpw/base.h>

/* Sorts pointers. Elements that compare equal are sorted by their addresses. Comparisons grow with the
 * count times its logarithm, whatever a peer sends. */
typedef int mcpw_order(const void *a, const void *b);
void mcpw_sort(const void **items, size_t count, mcpw_order *order);

#endif
