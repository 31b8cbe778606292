/* SPDX-License-Identifier: MIT */
/* What can be said about a text that is not read as a message, or not yet. */
#include "outline.h"

mcpw_outline mcpw_outline_of(mcpw_str text, mcpw_arena *arena) {
    mcpw_outline o = {0};
    const mcpw_json all = {text.ptr, text.len};
    mcpw_json member;
    o.is_json = mcpw_json_check(all, MCPW_MAX_DEPTH, NULL) == MCPW_OK;
    if (!o.is_json || mcpw_json_kind_of(all) != MCPW_JSON_OBJECT) {
        return o;
    }
    if (mcpw_json_get(all, "id", &member) == MCPW_OK) {
        o.has_id = true;
        if (mcpw_json_string(member, arena, &o.id.as.string) == MCPW_OK) {
            o.id.kind = MCPW_ID_STRING;
        } else if (mcpw_json_int(member, &o.id.as.integer) == MCPW_OK) {
            o.id.kind = MCPW_ID_INTEGER;
        }
    }
    if (mcpw_json_get_string(all, "method", arena, &o.method) != MCPW_OK) {
        o.method = no_str;
    }
    if (mcpw_json_get(all, "params", &o.params) != MCPW_OK) {
        o.params = no_json;
        o.lacks_params = mcpw_json_get(all, "jsonrpc", &member) == MCPW_OK;
    }
    o.has_outcome =
        mcpw_json_get(all, "result", &member) == MCPW_OK || mcpw_json_get(all, "error", &member) == MCPW_OK;
    return o;
}
