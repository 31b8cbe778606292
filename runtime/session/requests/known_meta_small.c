/* SPDX-License-Identifier: MIT */
/* For the small library, which saves bytes rather than time: no _meta is remembered, so each is read. */
#include "known_meta.h"

mcpw_remembered *mcpw_known_meta_open(const mcpw_session *session, const mcpw_profile *profile,
                                      mcpw_remembered *meta) {
    (void)session;
    (void)profile;
    (void)meta;
    return NULL;
}

void mcpw_known_meta_note(mcpw_request *r, const mcpw_remembered *meta) {
    (void)r;
    (void)meta;
}

void mcpw_known_meta_unref(mcpw_known_meta *known) { (void)known; }

void mcpw_known_meta_forget(mcpw_session *session) { (void)session; }

bool mcpw_known_meta_says(const mcpw_known_meta *known, size_t extension, bool *declared) {
    (void)known;
    (void)extension;
    (void)declared;
    return false;
}

void mcpw_known_meta_learn(mcpw_known_meta *known, size_t extension, bool declared) {
    (void)known;
    (void)extension;
    (void)declared;
}
