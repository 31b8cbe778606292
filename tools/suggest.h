/* SPDX-License-Identifier: MIT */
/* Names that a mistyped one may have meant. */
#ifndef MCPWIRE_SUGGEST_H
#define MCPWIRE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

enum { SUGGEST_SIZE = 256 };

/* Writes up to three of the list's names that are close to the wanted one to out, the closest first:
 * "Tool, ToolUse or Task". False when none is close. */
bool suggest(char out[SUGGEST_SIZE], const char *wanted, const void *list, size_t count,
             const char *(*name_at)(const void *list, size_t index));

#endif
