/* SPDX-License-Identifier: MIT */
/* Suggestions for mistyped names. */
#ifndef MCPWIRE_SUGGEST_H
#define MCPWIRE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

enum { SUGGEST_SIZE = 256 };

/* Writes up to three names of the list that are close to the wanted one, closest first: "Tool, ToolUse or
 * Task". False: none is close. */
bool suggest(char out[SUGGEST_SIZE], const char *wanted, const void *list, size_t count,
             const char *(*name_at)(const void *list, size_t index));

#endif
