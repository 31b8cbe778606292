/* SPDX-License-Identifier: MIT */
/* Finds the revision of a message of the peer, and settles the era of the session by it. */
#include <mcpw/detail/reflect.h>

#include "era.h"

#include "../calls/call.h"
#include "../requests/outbound.h"
#include "../requests/request.h"
#include "../revisions/extension.h"
#include "../revisions/judge.h"
#include "../revisions/profile.h"

/* ---- Requests to a server ---- */

static void answer_unsupported(mcpw_session *session, const mcpw_profile *profile, const mcpw_id *id,
                               mcpw_str version, const mcpw_verdict *verdict, mcpw_batch *batch) {
    mcpw_text data = mcpw_session_text(session);
    mcpw_json json = no_json;
    mcpw_text_object(&data);
    mcpw_text_key(&data, "supported");
    mcpw_profile_names(session, &data);
    mcpw_text_member(&data, "requested", version);
    mcpw_text_object_end(&data);
    mcpw_ignore(mcpw_text_finish(&data, &session->scratch, &json));
    if (id->kind != MCPW_ID_ABSENT) {
        mcpw_respond_to_broken(session, profile, id, verdict->code, verdict->answer, json, batch);
    }
}

/* Before a client has opened, only ping and a probe make sense without a version. */
static const mcpw_profile *unopened(const mcpw_session *session, mcpw_str method) {
    const mcpw_profile *const one = mcpw_profile_newest(session, mcpw_str_is(method, "server/discover"));
    return one != NULL ? one : session->profile;
}

/* Finds the revision by how a request to a server opens. */
static bool find_by_version(mcpw_session *session, mcpw_received *text, mcpw_batch *batch,
                            const mcpw_profile **out) {
    const mcpw_outline o = mcpw_outline_of(text, &session->scratch);
    const mcpw_profile *const legacy = mcpw_profile_newest(session, false);
    const mcpw_profile *const modern = mcpw_profile_newest(session, true);
    const bool opens = mcpw_str_is(o.method, "initialize");
    mcpw_str version;
    mcpw_ignore(mcpw_envelope_string(o.envelope, opens ? MCPW_AT_PROTOCOL_VERSION : MCPW_AT_VERSION,
                                     &session->scratch, &version));
    const mcpw_profile *const named = version.ptr != NULL ? mcpw_profile_named(session, version) : NULL;
    mcpw_verdict verdict;
    if (opens &&
        legacy != NULL) { /* a revision that this end lacks is answered with the newest that it has */
        *out = named != NULL && !named->modern ? named : legacy;
    } else if (modern != NULL && !mcpw_judge_version(modern, o.method, version, named, &verdict)) {
        answer_unsupported(session, modern, &o.id, version, &verdict, batch);
        return false;
    } else if (named != NULL && named->modern) {
        *out = named;
    } else {
        *out = session->era == MCPW_ERA_UNKNOWN ? unopened(session, o.method) : session->profile;
    }
    return true;
}

static bool names(const mcpw_profile *profile, const unsigned char *version) {
    return mcpw_str_equal(mcpw_load_str(version), profile->name);
}

/* Whether a request is of a method that an extension adds, and names the revision that it was read by. */
static MCPW_NOINLINE bool is_added_of(const mcpw_profile *profile, const mcpw_request *r) {
    if (r->custom == NULL) {
        return false;
    }
    const mcpw_binding *const b = profile->customs + (r->custom - r->session->config->extensions->methods);
    return names(profile, (const unsigned char *)r->message.value + b->meta + b->version);
}

/* Whether a request names another revision in its _meta than that which it was read by. It may name one that
 * has no such method. */
static bool is_of_another(const mcpw_profile *profile, const mcpw_request *r) {
    const mcpw_message *const message = &r->message;
    const uint16_t at = profile->bindings[message->method].version;
    if (message->kind != MCPW_MESSAGE_REQUEST) {
        return false;
    }
    return message->method == 0 ? !is_added_of(profile, r)
                                : at != MCPW_NO_OFFSET && message->value != NULL &&
                                      !names(profile, (const unsigned char *)message->value + at);
}

/* ---- All messages ---- */

/* While a client opens, two of its requests may be under way that are of different revisions. */
static const mcpw_profile *asked_in(mcpw_session *session, mcpw_received *text) {
    const mcpw_outline o = mcpw_outline_of(text, &session->scratch);
    const mcpw_pending *const p = o.has_outcome ? mcpw_pending_answered(session, &o.id) : NULL;
    return p != NULL ? p->sent.profile : session->profile;
}

bool mcpw_era_look(mcpw_session *session, mcpw_received *text, mcpw_batch *batch, const mcpw_profile **out) {
    *out = session->negotiation.under_way ? asked_in(session, text) : session->profile;
    return !mcpw_is_server(session) || session->era != MCPW_ERA_UNKNOWN ||
           find_by_version(session, text, batch, out);
}

bool mcpw_era_look_again(mcpw_session *session, mcpw_received *text, mcpw_batch *batch,
                         const mcpw_request *request, mcpw_status status, const mcpw_profile **profile) {
    if (!mcpw_is_server(session) || (status == MCPW_OK && !is_of_another(*profile, request))) {
        return true;
    }
    return find_by_version(session, text, batch, profile);
}

const mcpw_profile *mcpw_era_of_batches(mcpw_session *session) {
    const bool is_unopened = mcpw_is_server(session) && session->era == MCPW_ERA_UNKNOWN;
    const mcpw_profile *const profile = is_unopened ? mcpw_profile_newest(session, false) : session->profile;
    const mcpw_case batch = {.from = mcpw_peer_role(session), .kind = MCPW_MESSAGE_BATCH};
    return profile != NULL && mcpw_judge(session, profile, MCPW_RULES_BATCH, &batch, NULL) ? profile : NULL;
}

/* ---- What follows from a request ---- */

/* The client goes on as if it had sent initialized, so this end may, too. False when a callback has ended the
 * request. */
static bool go_on(mcpw_request *r) {
    if (!r->session->open) {
        r->session->open = true;
        mcpw_request_ref(r);
        mcpw_call_flush(r->session);
        return mcpw_request_unref(r);
    }
    return true;
}

/* Whether a request opens the session. Neither ping does, nor a probe, which initialize may follow. */
static bool opens_session(mcpw_own own) {
    return own != MCPW_OWN_INITIALIZE && own != MCPW_OWN_PING && own != MCPW_OWN_DISCOVER;
}

bool mcpw_era_learn(mcpw_request *r) {
    mcpw_session *const session = r->session;
    if (!mcpw_is_server(session)) {
        return true;
    }
    if (r->profile->modern) {
        session->era = session->era == MCPW_ERA_UNKNOWN ? MCPW_ERA_MODERN : session->era;
        session->profile = r->profile;
    }
    return !opens_session(r->binding->own) || go_on(r);
}
