/* SPDX-License-Identifier: MIT */
/* Header fields and their values. */
#ifndef MCPW_FIELDS_H
#define MCPW_FIELDS_H

#include "exchange.h"

/* True if the texts are equal without regard to ASCII case. */
bool mcpw_header_is(mcpw_str text, mcpw_str other);
/* The text without surrounding spaces and tabs. */
mcpw_str mcpw_header_trim(mcpw_str text);
/* Counts the fields with the name; *value receives the first one's value, trimmed. */
size_t mcpw_header_find(const mcpw_http_field *fields, size_t field_count, mcpw_str name, mcpw_str *value);
/* Counts the fields of an exchange with the name; *value receives the first one's value, trimmed. */
size_t mcpw_header_count(const mcpw_http_exchange *exchange, mcpw_str name, mcpw_str *value);
/* Takes the next part off a list, up to the separator, and trims it; false: there is none. */
bool mcpw_header_part(mcpw_str *list, char separator, mcpw_str *part);
/* True if the text is a valid field name, or a valid field value. */
bool mcpw_header_is_token(mcpw_str name);
bool mcpw_header_is_plain(mcpw_str value);
/* True for the name of a field with a token or a proof, which no handler may read. */
bool mcpw_header_is_secret(mcpw_str name);
/* Encodes a text as the value of a field: unchanged if that is a valid value, otherwise wrapped in base64.
 * Absent: no memory. (See mcpw_header_unwrap.) */
MCPW_NODISCARD mcpw_str mcpw_header_wrap(mcpw_arena *arena, mcpw_str text);
/* Decodes the wrapping "=?base64?...?=" of a value, if it is wrapped. MCPW_E_FORMAT: it is no valid base64.
 * (MCP 2026-07-28, "Streamable HTTP", value encoding.) */
MCPW_NODISCARD mcpw_status mcpw_header_unwrap(mcpw_arena *arena, mcpw_str value, mcpw_str *out);

#endif
