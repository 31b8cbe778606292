/* SPDX-License-Identifier: MIT */
/* The alternatives of unions in a decoded value. */
#ifndef ORACLE_ALTERNATIVE_H
#define ORACLE_ALTERNATIVE_H

#include <mcpw/detail/table.h>

#include <stddef.h>

enum { ALTERNATIVES_SIZE = 1024 };

/* Lists the alternatives at the top of a value as "PLACE=NAME,..." without spaces: of a union itself (PLACE
 * is empty), of a struct's members ("member") and of the items of arrays there ("[]", "member[]").
 * Alternatives beyond the room are left out; "-" when there is none. */
void list_alternatives(const mcpw_type *type, const void *value, char out[ALTERNATIVES_SIZE]);

#endif
