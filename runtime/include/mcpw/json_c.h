/* SPDX-License-Identifier: MIT */
/*
 * Conversion between raw JSON values and json-c objects. Only this header needs json-c (0.15 or later).
 *
 * json-c does not keep everything:
 *   - Integers below INT64_MIN or above UINT64_MAX become the nearest of these.
 *   - Numbers with a fraction or an exponent become a double. Its original text is written back as long as
 *     the double is not changed.
 *   - If several members have one name, the last stays.
 *   - A member name ends at its first NUL character.
 */
#ifndef MCPW_JSON_C_H
#define MCPW_JSON_C_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

struct json_object; /* of json-c */

/* Makes a json-c object from a value. Release it with json_object_put. For JSON null *out is NULL, as
 * everywhere in json-c. The value is checked strictly and may be nested MCPW_DEFAULT_DEPTH deep. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_json_to_object(mcpw_json value, struct json_object **out,
                                                               mcpw_error *error);

/* The text of a json-c object (NULL: null), in the arena. MCPW_E_VALUE if it contains a number that is not
 * finite, MCPW_E_UTF8 if it contains text that is not UTF-8. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_json_from_object(struct json_object *object,
                                                                 mcpw_arena *arena, mcpw_json *out,
                                                                 mcpw_error *error);

MCPW_END_DECLS

#endif
