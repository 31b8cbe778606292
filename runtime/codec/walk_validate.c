/* SPDX-License-Identifier: MIT */
/* The walk that reports, for mcpw_validate and for messages. Small builds have walk_small.c. */
#include "mode_validate.h"

#include "walk.inc"
#include "walk_fast.inc"

unsigned char *mcpw_check_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref) {
    return walk_value(w, p, ref, NULL);
}

unsigned char *mcpw_check_document(mcpw_walk *w, mcpw_ref ref) { return walk_document(w, ref, NULL); }
