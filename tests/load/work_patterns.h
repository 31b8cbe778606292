/* SPDX-License-Identifier: MIT */
/* The engine for patterns, where there is one (work_patterns.c), else NULL (work_patterns_none.c). */
#ifndef MCPW_TESTS_LOAD_WORK_PATTERNS_H
#define MCPW_TESTS_LOAD_WORK_PATTERNS_H

#include <mcpw/pattern.h>

const mcpw_pattern_engine *work_patterns(void);

#endif
