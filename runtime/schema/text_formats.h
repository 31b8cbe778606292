/* SPDX-License-Identifier: MIT */
/* The formats of JSON Schema (2020-12 validation, section 7.3). */
#ifndef MCPW_SCHEMA_FORMATS_H
#define MCPW_SCHEMA_FORMATS_H

#include <mcpw/schema.h>

/* The number of a format by its name; 0: it is not known, and demands nothing. */
uint32_t mcpw_find_format(mcpw_str name, mcpw_schema_dialect dialect);

mcpw_str mcpw_format_name(uint32_t format);

/* Steps of a check that a text of so many bytes takes. */
uint64_t mcpw_format_work(uint32_t format, size_t len);

/* Whether a text has a format: MCPW_OK, MCPW_E_FORMAT, or MCPW_E_MEMORY if that is not known. The engine,
 * which may be NULL, knows what a regular expression is, and takes its memory from scratch. */
mcpw_status mcpw_format_fits(uint32_t format, mcpw_str text, const mcpw_pattern_engine *engine,
                             mcpw_arena *scratch);

#endif
