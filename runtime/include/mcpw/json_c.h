/* SPDX-License-Identifier: MIT */
/*
 * Raw JSON values as json-c objects, and back. The only header that needs json-c (0.15 or later).
 *
 * What json-c does not keep: integers below INT64_MIN and above UINT64_MAX become the nearest of these;
 * numbers with a fraction or an exponent become a double, whose text as it was read is written back as long
 * as the double is not changed; of several members with one name the last stays; a member name ends at its
 * first NUL character.
 */
#ifndef MCPW_JSON_C_H
#define MCPW_JSON_C_H

#include <mcpw/arena.h>
#include <mcpw/base.h>
#include <mcpw/error.h>

MCPW_BEGIN_DECLS

struct json_object; /* of json-c */

/* A new json-c object for a value; give it back with json_object_put. JSON null is *out NULL, as everywhere
 * in json-c. The value is checked strictly; it may be nested MCPW_DEFAULT_DEPTH deep. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_to_object(mcpw_json value, struct json_object **out,
                                                        mcpw_error *error);

/* The text of a json-c object (NULL: null), in the arena. MCPW_E_VALUE when it holds a number that is not
 * finite, MCPW_E_UTF8 when it holds text that is not UTF-8. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_json_from_object(struct json_object *object, mcpw_arena *arena,
                                                          mcpw_json *out, mcpw_error *error);

MCPW_END_DECLS

#endif
