/* SPDX-License-Identifier: MIT */
/* Members that a JSON Schema has a default for, put in where a value lacks them. */
#ifndef MCPW_DEFAULTS_H
#define MCPW_DEFAULTS_H

#include <mcpw/arena.h>

/* Whether the text of a schema holds a default at all. */
bool mcpw_has_defaults(mcpw_json schema);

/* The value with the defaults of "properties", in objects and in items at any depth, also those behind allOf
 * and "$ref" into the same document; not behind what may or may not hold (anyOf, oneOf, not, if). The value
 * itself where nothing is missing. Whether the result is valid is not looked at. The work grows with the
 * lengths of the schema, the value and the result, not with their product. MCPW_E_ARENA: the result is longer
 * than the arena may be. */
MCPW_NODISCARD mcpw_status mcpw_fill_defaults(mcpw_json schema, mcpw_json value, mcpw_arena *arena,
                                              mcpw_json *out);

#endif
