/* SPDX-License-Identifier: MIT */
/* The names of members in an order, so that two of one name stand side by side. */
#ifndef MCPW_NAMES_H
#define MCPW_NAMES_H

#include <mcpw/base.h>

/* The order of two names, or of items that begin with a name (a mcpw_str): by length first. */
int mcpw_compare_names(const void *a, const void *b);

/* Sorts items that begin with their names, and that point ever higher before they are sorted. room has place
 * for as many. The work grows with the bytes of the names, whatever they are (sort_names.c). In small builds
 * it also grows with the logarithm of their count (sort_names_small.c). */
void mcpw_sort_names(const void **items, const void **room, size_t count);

#endif
