/* SPDX-License-Identifier: MIT */
/* Header fields and what their values mean. */
#ifndef MCPW_FIELDS_H
#define MCPW_FIELDS_H

#include "exchange.h"

/* Whether a text is this one, whatever the case of ASCII letters. */
bool mcpw_header_is(mcpw_str text, mcpw_str other);
/* The text without blanks and tabs around it. */
mcpw_str mcpw_header_trim(mcpw_str text);
/* How many of these fields have the name; *value receives the first one's value, trimmed. */
size_t mcpw_header_find(const mcpw_http_field *fields, size_t field_count, mcpw_str name, mcpw_str *value);
/* The same of an exchange's fields: how many have the name; *value receives the first one's value, trimmed.
 */
size_t mcpw_header_count(const mcpw_http_exchange *exchange, mcpw_str name, mcpw_str *value);
/* Cuts the next part off a list, up to the separator, and trims it; false: there is none. */
bool mcpw_header_part(mcpw_str *list, char separator, mcpw_str *part);
/* Whether the text of a name or a value can stand in a field. */
bool mcpw_header_is_token(mcpw_str name);
bool mcpw_header_is_plain(mcpw_str value);
/* The text as the value of a field: as it is where it can stand there, else wrapped. Absent without memory.
 * (As mcpw_header_unwrap.) */
MCPW_NODISCARD mcpw_str mcpw_header_wrap(mcpw_arena *arena, mcpw_str text);
/* Undoes the wrapping "=?base64?...?=" of a value, if it is wrapped. MCPW_E_FORMAT when that is no base64.
 * (MCP 2026-07-28, "Streamable HTTP", value encoding.) */
MCPW_NODISCARD mcpw_status mcpw_header_unwrap(mcpw_arena *arena, mcpw_str value, mcpw_str *out);

#endif
