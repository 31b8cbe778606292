/* SPDX-License-Identifier: MIT */
#include "json_schema.h"

#include <mcpw/pcre2.h>

const mcpw_pattern_engine *json_schema_patterns(void) { return mcpw_pcre2(); }
