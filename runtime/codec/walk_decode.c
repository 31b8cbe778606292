/* SPDX-License-Identifier: MIT */
/* The walk that stores, for mcpw_decode and for messages. Small builds have walk_small.c. */
#include "mode_decode.h"

#include "walk.inc"
#include "walk_fast.inc"

unsigned char *mcpw_build_ref(mcpw_walk *w, unsigned char *p, mcpw_ref ref, unsigned char *out) {
    if (MCPW_LIKELY(ref.kind == MCPW_KIND_STRUCT)) {
        return walk_struct(w, p, w->tables.revision->structs + ref.index, ref.check, out);
    }
    return MCPW_LIKELY(ref.kind == MCPW_KIND_UNION)
               ? walk_union(w, p, w->tables.revision->unions + ref.index, out)
               : walk_value(w, p, ref, out);
}

unsigned char *mcpw_build_document(mcpw_walk *w, mcpw_ref ref, unsigned char *out) {
    return walk_document(w, ref, out);
}
