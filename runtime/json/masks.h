/* SPDX-License-Identifier: MIT */
/*
 * Checks one array or object inside a text by masks: a bit for each byte, 64 bytes at a time. The rules of
 * the grammar that hold between neighbours are shifts of masks. Only brackets are visited one by one.
 *
 * It may only say yes. Where it is in doubt, because something is wrong or rare, the plain way looks again,
 * which knows what is wrong where.
 */
#ifndef MCPW_MASKS_H
#define MCPW_MASKS_H

#include "runs.h"

#if defined(MCPW_HAS_ISA_VARIANTS)
/* `from` is at the bracket that opens the value; len bytes may be read. The bytes that are looked at are
 * copied to `to`, unless that is NULL; *copied receives how many, all of them below len. `depth` levels may
 * be open. Returns the length of the value, between whose tokens is no line break; 0: in doubt. */
mcpw_skipper mcpw_masks_avx2;   /* in masks_avx2.c */
mcpw_skipper mcpw_masks_avx512; /* masks_avx512.c */
#endif

#endif
