/* SPDX-License-Identifier: MIT */
/*
 * The beginnings of walks, by the compilations of walk.inc (walk_decode.c, walk_validate.c, walk_small.c).
 *
 * This is a recursive descent: a value that stays text is checked by mcpw_check_shape of validate.c, which
 * begins a walk inside of the walk that met it. The reader's depth limits how deep that goes.
 */
#ifndef MCPW_WALKS_H
#define MCPW_WALKS_H

#include "walk.h"

/* Builds a value of a type at p, or checks it. */
unsigned char *mcpw_build_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref, unsigned char *out);
unsigned char *mcpw_check_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref);

/* The same for a whole text. */
unsigned char *mcpw_build_document(mcpw_walk *w, mcpw_ref ref, unsigned char *out);
unsigned char *mcpw_check_document(mcpw_walk *w, mcpw_ref ref);

#endif
