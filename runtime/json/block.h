/* SPDX-License-Identifier: MIT */
/*
 * The two questions about many bytes at once:
 *   mcpw_special_bytes(p)         which of the next MCPW_BLOCK bytes end a plain run of string text?
 *   mcpw_pattern_matches(p, ...)  do the next 16 bytes, under a mask, equal these from a table's pool?
 * Special are the quote, the backslash, control characters and every byte of a non-ASCII character.
 *
 * A file for each kind of block answers them. On x86-64 the block has 16 bytes: most strings are short, and
 * wider registers do not pay for those. The way for long runs is chosen when the program runs (runs.h).
 */
#ifndef MCPW_BLOCK_H
#define MCPW_BLOCK_H

#if defined(MCPW_SMALL)
#include "block_byte.h"
#elif defined(MCPW_NO_SIMD)
#include "block_word.h"
#elif defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#include "block_sse2.h"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include "block_neon.h"
#else
#include "block_word.h"
#endif

#endif
