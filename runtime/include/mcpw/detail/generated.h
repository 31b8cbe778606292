/* SPDX-License-Identifier: MIT */
/* Functions that generated code calls; programs call the generated ones. No part of the API: it may change in
 * any version. */
#ifndef MCPW_DETAIL_GENERATED_H
#define MCPW_DETAIL_GENERATED_H

#include <mcpw/codec.h>

MCPW_BEGIN_DECLS

/* Checks whether mcpw_encode would accept the struct. scratch is as for mcpw_validate. */
MCPW_NODISCARD MCPW_API mcpw_status mcpw_validate_value(const mcpw_type *type, const void *value,
                                                        mcpw_arena *scratch, const mcpw_options *options,
                                                        mcpw_error *error);

/* The text of an enum's value, by the enum's index in the revision's tables. It is absent for 0, for
 * MCPW_UNKNOWN and for values that the enum lacks. It is not NUL-terminated. The generated
 * mcp_<revision>_<enum>_text() call it. */
MCPW_API mcpw_str mcpw_enum_text(const mcpw_revision *revision, uint16_t enum_index, int value);

/* The value of an enum's text; 0 if the enum lacks it. */
MCPW_API int mcpw_enum_value_of(const mcpw_revision *revision, uint16_t enum_index, const char *text,
                                size_t len);

MCPW_END_DECLS

#endif
