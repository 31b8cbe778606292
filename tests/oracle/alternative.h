/* SPDX-License-Identifier: MIT */
/* Which alternatives of unions a decoded value holds. */
#ifndef ORACLE_ALTERNATIVE_H
#define ORACLE_ALTERNATIVE_H

#include <mcpw/detail/table.h>

#include <stddef.h>

enum { ALTERNATIVES_SIZE = 1024 };

/* Lists the alternatives at the top of a value as "PLACE=NAME,..." without spaces: of a union itself (PLACE
 * is empty), of a struct's members ("member") and of the items of arrays there ("[]", "member[]"). What does
 * not fit is left out; "-" when there is none. */
void list_alternatives(const mcpw_type *type, const void *value, char out[ALTERNATIVES_SIZE]);

#endif
