/* SPDX-License-Identifier: MIT */
#include "work_patterns.h"

#include <mcpw/pcre2.h>

const mcpw_pattern_engine *work_patterns(void) { return mcpw_pcre2(); }
