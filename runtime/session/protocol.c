/* SPDX-License-Identifier: MIT */
/* The tables behind <mcpw/protocol.h>, looked up by revision. */
#include "protocol.h"

#include <mcpw/library.h>

const mcpw_protocol *mcpw_protocol_of(const mcpw_revision *revision) {
    static const mcpw_protocol nothing = {NULL, NULL, NULL, NULL, 0, 0, 0, false, {0}};
    size_t count = 0;
    const mcpw_protocol *const own = mcpw_revision_protocol(revision);
    if (own != NULL) {
        return own;
    }
    const mcpw_protocol *const *const all = mcpw_protocols(&count);
    while (count-- > 0) { /* the newest is the most likely one */
        if (all[count]->revision == revision) {
            return all[count];
        }
    }
    return &nothing;
}

int32_t mcpw_protocol_code(const mcpw_revision *revision, mcpw_code_role role) {
    return role < MCPW_CODE_COUNT ? mcpw_protocol_of(revision)->role_codes[role] : 0;
}

int32_t mcpw_protocol_code_in(const mcpw_revision *revision, int32_t code) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    for (unsigned i = 0; i < protocol->code_count; i++) {
        if (protocol->codes[i].from == code) {
            return protocol->codes[i].to;
        }
    }
    return code;
}

const mcpw_need *mcpw_need_of(const mcpw_revision *revision, int method) {
    static const mcpw_need nothing = {NULL, false};
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    return method > 0 && method <= protocol->need_count ? protocol->needs + (method - 1) : &nothing;
}

const char *mcpw_capability_of(const mcpw_revision *revision, int method, bool *by_sender) {
    const mcpw_need *const need = mcpw_need_of(revision, method);
    if (by_sender != NULL) {
        *by_sender = need->by_sender;
    }
    return need->capability;
}

bool mcpw_protocol_tells_arguments(const mcpw_revision *revision) {
    return mcpw_protocol_of(revision)->argument_results;
}
