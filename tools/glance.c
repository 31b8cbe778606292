/* SPDX-License-Identifier: MIT */
#include "glance.h"

#include <mcpw/codec.h>

#include <string.h>

mcpw_json glance_member(mcpw_json object, const char *name) {
    mcpw_json value = {NULL, 0, 0};
    return mcpw_json_get(object, name, &value) == MCPW_OK ? value : (mcpw_json){NULL, 0, 0};
}

mcpw_str glance_text(mcpw_json value, mcpw_arena *arena) {
    mcpw_str out = {NULL, 0};
    return mcpw_json_string(value, arena, &out) == MCPW_OK ? out : (mcpw_str){NULL, 0};
}

mcpw_str glance_string(mcpw_json object, const char *name, mcpw_arena *arena) {
    return glance_text(glance_member(object, name), arena);
}

mcpw_id glance_id(mcpw_json value, mcpw_arena *arena) {
    mcpw_message_envelope e = {.at = {[MCPW_AT_ID] = value}};
    return mcpw_envelope_id(&e, arena);
}

const mcpw_revision *glance_revision(mcpw_str name) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    while (count > 0 && !mcpw_str_is(name, glance_wire(all[count - 1]))) {
        count--; /* of revisions with the same name the last has the most overlays */
    }
    return count > 0 ? all[count - 1] : NULL;
}

void glance_read(glance *out, mcpw_json text, mcpw_arena *arena) {
    mcpw_message_envelope e;
    memset(out, 0, sizeof *out);
    if (mcpw_json_kind_of(text) == MCPW_JSON_ARRAY) {
        out->kind = MCPW_MESSAGE_BATCH;
        return;
    }
    if (mcpw_envelope_read(&e, text, MCPW_MAX_DEPTH, NULL) != MCPW_OK) {
        return;
    }
    out->kind = e.kind;
    out->id = mcpw_envelope_id(&e, arena);
    memcpy(out->at, e.at, sizeof out->at);
    out->method = glance_text(e.at[MCPW_AT_METHOD], arena);
    if (out->kind == MCPW_MESSAGE_REQUEST) {
        out->named = glance_text(e.at[MCPW_AT_VERSION], arena);
    }
}
