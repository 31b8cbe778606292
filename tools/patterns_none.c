/* SPDX-License-Identifier: MIT */
#include "json_schema.h"

const mcpw_pattern_engine *json_schema_patterns(void) { return NULL; }
