/* SPDX-License-Identifier: MIT */
#include "known_meta.h"

#include <assert.h>

#include <mcpw/detail/reflect.h>

#include "../core/core.h"
#include "../revisions/extension.h"
#include "../support/wire_names.h"

enum {
    MOST_TEXT = 1024,       /* bytes of a text that is remembered */
    MOST_MEMORY = 16 * 1024 /* bytes of the decoded struct */
};

struct mcpw_known_meta {
    unsigned uses; /* by the session and by messages */
    mcpw_arena arena;
    const mcpw_profile *profile;
    uint32_t looked; /* extensions, a bit for each, that it was asked about */
    uint32_t declared;
    mcpw_remembered meta;
};

/* All methods of such a revision have one type of _meta. */
static const mcpw_binding *binding_of(const mcpw_profile *profile) {
    return profile->bindings + profile->number[MCPW_OWN_DISCOVER];
}

mcpw_remembered *mcpw_known_meta_open(const mcpw_session *session, const mcpw_profile *profile,
                                      mcpw_remembered *meta) {
    const mcpw_known_meta *const known = session->known_meta;
    if (known != NULL && known->profile == profile) {
        *meta = known->meta;
        return meta;
    }
    const mcpw_binding *const b = binding_of(profile);
    if (b->meta == MCPW_NO_OFFSET || b->meta_ref.kind != MCPW_KIND_STRUCT) {
        return NULL;
    }
    *meta = (mcpw_remembered){
        .type = b->meta_ref.index, .added = profile->added, .added_count = profile->added_count};
    return meta;
}

void mcpw_known_meta_unref(mcpw_known_meta *known) {
    if (known != NULL && --known->uses == 0) {
        const mcpw_allocator allocator = known->arena.allocator;
        mcpw_arena_free(&known->arena);
        (void)mcpw_resize(&allocator, known, sizeof *known, 0);
    }
}

void mcpw_known_meta_forget(mcpw_session *session) {
    mcpw_known_meta_unref(session->known_meta);
    session->known_meta = NULL;
    session->met_meta = 0;
}

static bool decode(const mcpw_session *session, mcpw_known_meta *known, const mcpw_remembered *meta) {
    mcpw_type_room room;
    const mcpw_revision *const revision = known->profile->revision;
    const mcpw_type *const type =
        mcpw_type_make(&room, revision, binding_of(known->profile)->meta_ref, MCPW_NAME_META);
    const mcpw_str text = mcpw_arena_str(&known->arena, meta->read.text.ptr, meta->read.text.len);
    void *const value = mcpw_arena_alloc(&known->arena, mcpw_type_size(type));
    if (text.ptr == NULL || value == NULL ||
        mcpw_decode(type, text.ptr, text.len, &known->arena, value, &session->endpoint->reading, NULL) !=
            MCPW_OK) {
        return false;
    }
    known->meta = (mcpw_remembered){.type = meta->type,
                                    .known = meta->read,
                                    .value = value,
                                    .added = meta->added,
                                    .added_count = meta->added_count};
    known->meta.known.text = text;
    return true;
}

static void remember(mcpw_session *session, const mcpw_profile *profile, const mcpw_remembered *meta) {
    if (session->known_meta != NULL && session->known_meta->uses > 1) {
        return; /* requests share it, and a session holds one at most */
    }
    mcpw_known_meta *const known = mcpw_session_alloc(session, sizeof *known);
    if (known == NULL) {
        return;
    }
    known->uses = 1;
    known->profile = profile;
    known->arena = (mcpw_arena)MCPW_ARENA_INIT;
    known->arena.allocator = session->config->allocator;
    known->arena.limit = MOST_MEMORY;
    if (!decode(session, known, meta)) {
        mcpw_known_meta_unref(known);
        return;
    }
    mcpw_known_meta_unref(session->known_meta);
    session->known_meta = known;
}

/* A line break between tokens has to be reported each time, so such a text is not remembered. */
static bool may_be_known(mcpw_str text) {
    return text.ptr != NULL && text.len <= MOST_TEXT && memchr(text.ptr, '\n', text.len) == NULL &&
           memchr(text.ptr, '\r', text.len) == NULL;
}

/* A message is of a method that an extension adds. Only a request has a value by that. */
static void note_added(mcpw_request *r, const mcpw_remembered *meta) {
    if (r->message.kind == MCPW_MESSAGE_REQUEST && r->message.value != NULL) {
        r->custom = r->session->config->extensions->methods + r->profile->added_customs[meta->found - 1];
    } else {
        r->message.type = NULL;
        r->message.value = NULL;
    }
}

void mcpw_known_meta_note(mcpw_request *r, const mcpw_remembered *meta) {
    mcpw_session *const session = r->session;
    if (MCPW_UNLIKELY(meta->found != 0)) {
        note_added(r, meta);
    }
    if (meta->is_taken) {
        if (r->known_meta == NULL) {
            session->known_meta->uses++;
            r->known_meta = session->known_meta;
        }
        return;
    }
    if (!may_be_known(meta->read.text)) {
        return;
    }
    const uint64_t hash = (uint64_t)mcpw_table_hash(meta->read.text) + 1; /* 0: there was none */
    if (hash == session->met_meta) {
        remember(session, r->profile, meta);
    }
    session->met_meta = hash;
}

static_assert(MCPW_MAX_EXTENSIONS <= 32, "each extension has a bit of `looked` and `declared`");

bool mcpw_known_meta_says(const mcpw_known_meta *known, size_t extension, bool *declared) {
    const uint32_t bit = UINT32_C(1) << extension;
    if (known == NULL || (known->looked & bit) == 0) {
        return false;
    }
    *declared = (known->declared & bit) != 0;
    return true;
}

void mcpw_known_meta_learn(mcpw_known_meta *known, size_t extension, bool declared) {
    const uint32_t bit = UINT32_C(1) << extension;
    if (known != NULL) {
        known->looked |= bit;
        known->declared |= declared ? bit : 0;
    }
}
