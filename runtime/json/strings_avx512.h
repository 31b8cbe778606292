/* SPDX-License-Identifier: MIT */
/* Strings with escapes or characters that are not ASCII, by registers of 64 bytes (see runs.h). */
#ifndef MCPW_STRINGS_AVX512_H
#define MCPW_STRINGS_AVX512_H

#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
bool mcpw_is_utf8_avx512(const unsigned char *text, size_t n);
unsigned char *mcpw_escape_avx512(unsigned char *to, const unsigned char *from, size_t n);
#endif

#endif
