/* SPDX-License-Identifier: MIT */
/* The stores of decoding besides values: room for more of them, kept members, defaults. */
#ifndef MCPW_STORE_H
#define MCPW_STORE_H

#include "walk.h"

/* Room for more items, at least one: the new place of the items, or NULL. */
unsigned char *mcpw_grow(mcpw_walk *w, unsigned char *items, size_t size, size_t *capacity);

/* Adds a member to the mcpw_members at `list`. */
bool mcpw_keep_member(mcpw_walk *w, unsigned char *list, mcpw_str name, mcpw_json value);

/* The default of an absent member by its key in the pool; NULL when it has none. */
const mcpw_default *mcpw_find_default(const mcpw_revision *revision, uint16_t key);
bool mcpw_store_default(mcpw_walk *w, const mcpw_default *d, mcpw_ref ref, unsigned char *out);

/* The alternative that the default of a union's tag selects, or MCPW_NO_INDEX. */
unsigned mcpw_default_alternative(const mcpw_revision *revision, const mcpw_union *u);

#endif
