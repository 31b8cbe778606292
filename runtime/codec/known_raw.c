/* SPDX-License-Identifier: MIT */
#include "known_raw.h"

#include <assert.h>

#include "../base/known.h"

static const mcpw_ref any = {MCPW_KIND_JSON, 0, 0};

static uint32_t what_of(mcpw_ref ref) {
    static_assert(sizeof ref == sizeof(uint32_t), "a reference is a number");
    uint32_t what;
    memcpy(&what, &ref, sizeof what);
    return what;
}

void mcpw_keep_known(mcpw_walk *w, unsigned kind, unsigned index, unsigned check, const mcpw_json *json) {
    if (json->len < MCPW_KNOWN_LEAST || w->reader.saw_line_break) { /* a line break in it is not written */
        return;
    }
    const mcpw_ref ref = {(uint8_t)kind, (uint8_t)check, (uint16_t)index};
    /* What was read leniently may be no more than JSON. */
    const unsigned lenient = MCPW_ALLOW_UNKNOWN | MCPW_NULL_IS_ABSENT | MCPW_PEER_DEFAULTS;
    const bool is_plain = ref.kind != MCPW_KIND_SHAPED || (w->flags & lenient) != 0;
    const mcpw_known value = {json->ptr, json->len, w->tables.revision, what_of(is_plain ? any : ref),
                              w->reader.depth};
    mcpw_known_mark(w->arena, &value);
}

bool mcpw_is_known(const mcpw_writer *w, mcpw_ref ref, mcpw_json json) {
    const mcpw_known *const found = mcpw_known_find(w->checked, json.ptr, json.len);
    if (found == NULL || found->levels > w->depth) {
        return false;
    }
    if (ref.kind == MCPW_KIND_JSON || ref.kind == MCPW_KIND_JSON_OBJECT) {
        return ref.check == 0 && (ref.kind == MCPW_KIND_JSON || json.ptr[0] == '{');
    }
    return found->tables == w->revision && found->what == what_of(ref);
}
