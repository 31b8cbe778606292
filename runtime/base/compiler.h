/* SPDX-License-Identifier: MIT */
/* The compiler's attributes (inlining, likelihood) and builtins (bits). Only the build's option MCPW_SMALL
 * says whether size counts more than speed. No flag of the compiler does. */
#ifndef MCPW_COMPILER_H
#define MCPW_COMPILER_H

#include <mcpw/config.h>

#include <stdbool.h>

#if defined(__GNUC__) || defined(__clang__)
#include "compiler_gnu.h"
#else
#include "compiler_other.h"
#endif

#if defined(MCPW_SMALL)
#include "prefer_size.h"
#else
#include "prefer_speed.h"
#endif

#endif
