/* SPDX-License-Identifier: MIT */
#include "glance.h"

#include <mcpw/codec.h>
#include <mcpw/envelope.h>

#include <string.h>

mcpw_str glance_string(mcpw_json object, const char *name, mcpw_arena *arena) {
    mcpw_str out = {NULL, 0};
    if (mcpw_json_get_string(object, name, arena, &out) != MCPW_OK) {
        out.ptr = NULL;
    }
    return out;
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
    out->jsonrpc = e.at[MCPW_AT_JSONRPC].ptr != NULL;
    out->id = mcpw_envelope_id(&e, arena);
    out->params = e.at[MCPW_AT_PARAMS];
    out->result = e.at[MCPW_AT_RESULT];
    mcpw_status ignored = mcpw_envelope_string(&e, MCPW_AT_METHOD, arena, &out->method);
    if (out->kind == MCPW_MESSAGE_REQUEST) {
        ignored = mcpw_envelope_string(&e, MCPW_AT_VERSION, arena, &out->named);
    }
    (void)ignored; /* each is absent then */
}
