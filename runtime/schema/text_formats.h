/* SPDX-License-Identifier: MIT */
/* The formats of JSON Schema (2020-12 validation, section 7.3). */
#ifndef MCPW_SCHEMA_FORMATS_H
#define MCPW_SCHEMA_FORMATS_H

#include <mcpw/schema.h>

/* The number of a format by its name; 0: it is not known, and demands nothing. */
uint32_t mcpw_find_format(mcpw_str name, mcpw_schema_dialect dialect);

mcpw_str mcpw_format_name(uint32_t format);

/* Whether a text has a format. The engine, which may be NULL, knows what a regular expression is. */
bool mcpw_format_fits(uint32_t format, mcpw_str text, const mcpw_pattern_engine *engine);

#endif
