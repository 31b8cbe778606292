/* SPDX-License-Identifier: MIT */
/* Replaces overlay.c in a command without JSON Schema: there are no overlays. */
#include "overlay.h"
#include "tool.h"

#include <stdlib.h>

bool overlay_take(void *to, const option *entry, const char *value) {
    (void)to;
    tool_complain("%s %s: this mcpwire was built without JSON Schema (MCPW_WITH_SCHEMA)", entry->name, value);
    return false;
}

overlays *overlays_open(const overlay_settings *set) {
    (void)set;
    overlays *const nothing = malloc(1);
    if (nothing == NULL) {
        tool_complain("out of memory");
    }
    return nothing;
}

void overlays_free(overlays *all) { free(all); }

void overlays_list_names(text *out, const char *separator) {
    (void)out;
    (void)separator;
}
