/* SPDX-License-Identifier: MIT */
/* The one walk where size counts: it stores if it gets a place, and reports. */
#include "mode_small.h"

#include "walk.inc"
#include "walk_no_fast.inc"

unsigned char *mcpw_build_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref, unsigned char *out) {
    return walk_value(w, p, ref, out);
}

unsigned char *mcpw_check_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref) {
    return walk_value(w, p, ref, NULL);
}

unsigned char *mcpw_build_document(mcpw_walk *w, mcpw_ref ref, unsigned char *out) {
    return walk_document(w, ref, out);
}

unsigned char *mcpw_check_document(mcpw_walk *w, mcpw_ref ref) { return walk_document(w, ref, NULL); }
