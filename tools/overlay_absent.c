/* SPDX-License-Identifier: MIT */
/* The checks of messages in a program without overlays. */
#include "overlay.h"

const overlay_method *overlays_find(overlays *all, const mcpw_revision *revision, mcpw_str name) {
    (void)all;
    (void)revision;
    (void)name;
    return NULL;
}

const overlay_method *overlays_at(overlays *all, const mcpw_revision *revision, int number) {
    (void)all;
    (void)revision;
    (void)number;
    return NULL;
}

protocol *overlays_schema(overlays *all, const mcpw_revision **revision) {
    (void)all;
    (void)revision;
    return NULL;
}

mcpw_status overlays_validate(overlays *all, const mcpw_revision *revision, mcpw_json message,
                              mcpw_arena *scratch, mcpw_resolve resolve, void *user, mcpw_envelope *found,
                              const mcpw_options *options, mcpw_error *error, bool *by_overlay) {
    (void)all;
    *by_overlay = false;
    return mcpw_message_validate(revision, message.ptr, message.len, scratch, resolve, user, found, options,
                                 error);
}

bool overlays_next_use(overlays *all, const mcpw_revision *revision, mcpw_str method, bool is_result,
                       mcpw_json part, bool by_overlay, size_t *at, overlay_use *out) {
    (void)all;
    (void)revision;
    (void)method;
    (void)is_result;
    (void)part;
    (void)by_overlay;
    (void)at;
    (void)out;
    return false;
}
