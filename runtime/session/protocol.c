/* SPDX-License-Identifier: MIT */
/* The tables behind <mcpw/detail/protocol.h>, looked up by revision. */
#include "protocol.h"

#include "attach.h"

#include <mcpw/detail/protocol.h>
#include <mcpw/library.h>
#include <mcpw/message.h>
#include <mcpw/policy.h>
#include <string.h>

const mcpw_protocol *mcpw_protocol_of(const mcpw_revision *revision) {
    static const mcpw_protocol nothing = {0};
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

const char *mcpw_revision_wire(const mcpw_revision *revision) {
    const char *const wire = mcpw_protocol_of(revision)->wire;
    return wire != NULL ? wire : mcpw_revision_name(revision);
}

const char *mcpw_extension_of(const mcpw_revision *revision, int method) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    for (unsigned i = 0; i < protocol->feature_count; i++) {
        const mcpw_feature *const feature = protocol->features + i;
        if (feature->method == method && feature->part == MCPW_PART_METHOD) {
            return feature->capability;
        }
    }
    return NULL;
}

int mcpw_method_in(const mcpw_revision *revision, const mcpw_revision *from, int method) {
    if (revision == from) {
        return method;
    }
    const mcpw_str name = mcpw_method_name(from, method);
    const int number = mcpw_method_number(revision, name.ptr, name.len);
    const unsigned flags = mcpw_method_flags(mcpw_method_entry(from, method)) |
                           mcpw_method_flags(mcpw_method_entry(revision, number));
    if ((flags & MCPW_METHOD_EXTENDED) == 0) {
        return number;
    }
    const char *const theirs = mcpw_extension_of(from, method);
    const char *const ours = mcpw_extension_of(revision, number);
    const bool is_same = theirs != NULL && ours != NULL ? strcmp(theirs, ours) == 0 : theirs == ours;
    return is_same ? number : 0;
}

const mcpw_topic *mcpw_topic_of(const mcpw_revision *revision, int method) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    for (unsigned i = 0; i < protocol->topic_count; i++) {
        if (protocol->topics[i].method == method) {
            return protocol->topics + i;
        }
    }
    return NULL;
}

const char *mcpw_capability_of(const mcpw_revision *revision, int method, bool *by_sender) {
    const mcpw_need *const need = mcpw_need_of(revision, method);
    if (by_sender != NULL) {
        *by_sender = need->by_sender;
    }
    return need->capability;
}

bool mcpw_revision_polls_streams(const mcpw_revision *revision) {
    return mcpw_protocol_of(revision)->polled_streams;
}

bool mcpw_protocol_tells_arguments(const mcpw_revision *revision) {
    return mcpw_protocol_of(revision)->argument_results;
}
