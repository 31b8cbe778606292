/* SPDX-License-Identifier: MIT */
/*
 * An overlay changes types of its revision. A value of such a type is sent as the revision's own type has it,
 * unless both ends have declared the extension. Types that the overlay does not change are the revision's, so
 * for those there is nothing to do.
 */
#include "overlaid.h"

#include "../protocol.h"
#include "capability.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/field.h>

#include <string.h>

/* The declarations of both ends. */
typedef struct pair {
    mcpw_json own;
    mcpw_declared peer;
} pair;

static bool peer_lacks(const pair *p, const char *capability) {
    return p->peer.text.ptr == NULL || !mcpw_declares(p->peer, capability);
}

/* The first extension of a revision that one of the two ends has not declared; NULL: there is none. */
static const char *lacking(const mcpw_revision *revision, const pair *p) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    for (size_t i = 0; i < protocol->feature_count; i++) {
        const char *const capability = protocol->features[i].capability;
        if (!mcpw_capability_in(p->own, capability) || peer_lacks(p, capability)) {
            return capability;
        }
    }
    return NULL;
}

/* The revision of the same name in messages that has the most on top of it of what both have declared; NULL:
 * the library holds none. */
static const mcpw_revision *declared_revision(const mcpw_session *session, const mcpw_profile *profile,
                                              const pair *p) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(session->config->library, &count);
    const mcpw_revision *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (mcpw_str_is(profile->name, mcpw_revision_wire(all[i])) && lacking(all[i], p) == NULL) {
            found = all[i];
        }
    }
    return found;
}

/* The type that stands in another revision for that of a value; NULL: it has none, or this one. */
static const mcpw_type *other_type(const mcpw_revision *revision, const mcpw_profile *profile,
                                   const mcpw_overlaid_value *out) {
    const mcpw_method *const own = mcpw_method_entry(profile->revision, out->method);
    const mcpw_method *const method =
        mcpw_method_entry(revision, mcpw_method_in(revision, profile->revision, out->method));
    if (own == NULL || method == NULL) { /* the extension's methods are refused as such */
        return NULL;
    }
    const mcpw_type *type = mcpw_revision_type(revision, mcpw_type_name(out->type));
    if (out->kind != MCPW_MESSAGE_RESULT) {
        type = mcpw_method_params(method);
    } else if (out->type == mcpw_method_result(own)) {
        type = mcpw_method_result(method);
    }
    return type != out->type ? type : NULL;
}

/* Whether another revision of the same name in messages has another type there. Most values end here. */
static bool may_differ(const mcpw_session *session, const mcpw_profile *profile,
                       const mcpw_overlaid_value *out) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(session->config->library, &count);
    bool differs = false;
    for (size_t i = 0; i < count && !differs; i++) {
        differs = all[i] != profile->revision && mcpw_str_is(profile->name, mcpw_revision_wire(all[i])) &&
                  other_type(all[i], profile, out) != NULL;
    }
    return differs;
}

/* Whether the value is refused by the other type, though it is one of its own. *error is of the other one. */
static bool is_extended(const mcpw_overlaid_value *out, const mcpw_type *other, mcpw_arena *arena,
                        mcpw_error *error) {
    mcpw_json text = out->text;
    mcpw_error unused;
    if (out->value != NULL &&
        mcpw_field_text(mcpw_field_of(out->type, out->value), arena, &text) != MCPW_OK) {
        return false;
    }
    return mcpw_validate(other, text.ptr, text.len, arena, NULL, error) != MCPW_OK &&
           mcpw_validate(out->type, text.ptr, text.len, arena, NULL, &unused) == MCPW_OK;
}

mcpw_status mcpw_overlaid_check(const mcpw_session *session, const mcpw_profile *profile,
                                const mcpw_overlaid_value *out, const char **capability, bool *by_peer,
                                mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error found;
    if (out->type == NULL || !profile->has_extensions || !may_differ(session, profile, out)) {
        return MCPW_OK;
    }
    arena.allocator = session->config->allocator;
    const pair both = {mcpw_capabilities_declared(session, profile, &arena), out->peer};
    const char *const missing = lacking(profile->revision, &both);
    const mcpw_revision *const revision = missing != NULL ? declared_revision(session, profile, &both) : NULL;
    const mcpw_type *const other = revision != NULL ? other_type(revision, profile, out) : NULL;
    const bool refused = other != NULL && is_extended(out, other, &arena, &found);
    if (refused) {
        *capability = missing;
        *by_peer = mcpw_capability_in(both.own, missing);
        mcpw_error_set(error, MCPW_E_CAPABILITY, 0,
                       "%s has not declared \"%s\", which this value needs at %s",
                       *by_peer ? "the peer" : "this end", missing, found.path[0] != '\0' ? found.path : "/");
    }
    mcpw_arena_free(&arena);
    return refused ? MCPW_E_CAPABILITY : MCPW_OK;
}
