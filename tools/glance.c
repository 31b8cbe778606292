/* SPDX-License-Identifier: MIT */
#include "glance.h"

#include <mcpw/codec.h>

#include <string.h>

#define META_VERSION "io.modelcontextprotocol/protocolVersion"

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
        count--; /* of those that messages call alike the last has the most on top */
    }
    return count > 0 ? all[count - 1] : NULL;
}

static mcpw_id read_id(mcpw_json value, mcpw_arena *arena) {
    mcpw_id id;
    memset(&id, 0, sizeof id);
    if (mcpw_json_string(value, arena, &id.as.string) == MCPW_OK) {
        id.kind = MCPW_ID_STRING;
    } else if (mcpw_json_int(value, &id.as.integer) == MCPW_OK) {
        id.kind = MCPW_ID_INTEGER;
    }
    return id;
}

/* A member's name. Most have no escapes, and stand in the text as they are. */
static mcpw_str name_of(mcpw_json key, mcpw_arena *arena) {
    mcpw_str name = {key.ptr + 1, key.len - 2}; /* without its quotes */
    if (memchr(name.ptr, '\\', name.len) != NULL && mcpw_json_string(key, arena, &name) != MCPW_OK) {
        name.ptr = NULL;
    }
    return name;
}

typedef struct members {
    mcpw_json jsonrpc;
    mcpw_json id;
    mcpw_json method;
    mcpw_json params;
    mcpw_json result;
    mcpw_json error;
} members;

static void read_members(mcpw_json text, mcpw_arena *arena, members *out) {
    const struct {
        const char *name;
        mcpw_json *value;
    } known[] = {{"jsonrpc", &out->jsonrpc}, {"id", &out->id},         {"method", &out->method},
                 {"params", &out->params},   {"result", &out->result}, {"error", &out->error}};
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0};
    mcpw_json value = {NULL, 0};
    memset(out, 0, sizeof *out);
    if (mcpw_json_iterate(text, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        const mcpw_str name = name_of(key, arena);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (known[i].value->ptr == NULL && mcpw_str_is(name, known[i].name)) {
                *known[i].value = value;
                break;
            }
        }
    }
}

void glance_read(glance *out, mcpw_json text, mcpw_arena *arena) {
    members m;
    mcpw_json meta = {NULL, 0};
    memset(out, 0, sizeof *out);
    if (mcpw_json_kind_of(text) == MCPW_JSON_ARRAY) {
        out->kind = MCPW_MESSAGE_BATCH;
        return;
    }
    if (mcpw_json_kind_of(text) != MCPW_JSON_OBJECT) {
        return;
    }
    read_members(text, arena, &m);
    out->jsonrpc = m.jsonrpc.ptr != NULL;
    out->id = read_id(m.id, arena);
    out->params = m.params;
    out->result = m.result;
    if (mcpw_json_string(m.method, arena, &out->method) == MCPW_OK) {
        out->kind = m.id.ptr != NULL ? MCPW_MESSAGE_REQUEST : MCPW_MESSAGE_NOTIFICATION;
    } else if (m.result.ptr != NULL) {
        out->kind = MCPW_MESSAGE_RESULT;
    } else if (m.error.ptr != NULL) {
        out->kind = MCPW_MESSAGE_ERROR;
    }
    if (out->kind == MCPW_MESSAGE_REQUEST && mcpw_json_get(m.params, "_meta", &meta) == MCPW_OK) {
        out->named = glance_string(meta, META_VERSION, arena);
    }
}
