/* SPDX-License-Identifier: MIT */
/* What a session tells the policy of itself and of the message at hand. */
#include "judge.h"

#include "declared.h"

static mcpw_role peer_of(const mcpw_session *session) {
    return mcpw_is_server(session) ? MCPW_ROLE_CLIENT : MCPW_ROLE_SERVER;
}

/* How far the handshake is, for a message in a profile. A server may be asked in revisions without one before
 * it and beside it. A client has had one when it knows its server. */
static mcpw_phase phase_of(const mcpw_session *session, const mcpw_profile *profile) {
    if (mcpw_is_server(session) ? profile->modern : session->era == MCPW_ERA_MODERN) {
        return MCPW_PHASE_NONE;
    }
    if (session->era != MCPW_ERA_LEGACY) {
        return MCPW_PHASE_NEW;
    }
    return session->open ? MCPW_PHASE_OPEN : MCPW_PHASE_ANSWERED;
}

/* The state for a message of the peer's. It leaves out what a server has declared: whoever serves a method
 * serves it. */
static mcpw_policy_state receiving(const mcpw_session *session, const mcpw_profile *profile) {
    mcpw_policy_state state = {0};
    state.phase = phase_of(session, profile);
    state.library = session->config->library;
    if (!mcpw_is_server(session)) {
        state.client.text = session->declared;
    }
    return state;
}

static mcpw_policy_message message_of(mcpw_role from, const mcpw_profile *profile, mcpw_message_kind kind,
                                      int method) {
    mcpw_policy_message message = {0};
    message.from = from;
    message.kind = kind;
    message.revision = profile->revision;
    message.method = method;
    return message;
}

unsigned mcpw_judge_phases(const mcpw_profile *profile, int method) {
    static const mcpw_phase phases[] = {MCPW_PHASE_NONE, MCPW_PHASE_OPEN};
    unsigned admitted = 0;
    if ((mcpw_method_flags(mcpw_method_entry(profile->revision, method)) & MCPW_METHOD_EXTENDED) != 0) {
        return 0; /* it depends on what the request declares */
    }
    mcpw_verdict verdict;
    mcpw_policy_message message = message_of(MCPW_ROLE_CLIENT, profile, MCPW_MESSAGE_REQUEST, method);
    message.name = mcpw_method_name(profile->revision, method);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        const mcpw_policy_state state = {.phase = phases[i]};
        admitted |= mcpw_policy_admits(&state, &message, &verdict) ? 1U << phases[i] : 0U;
    }
    return admitted;
}

bool mcpw_judge_received(const mcpw_session *session, const mcpw_profile *profile, const mcpw_message *m,
                         bool batched, mcpw_declared client, mcpw_verdict *out) {
    if (m->kind == MCPW_MESSAGE_REQUEST && !batched &&
        (profile->bindings[m->method].admitted & 1U << phase_of(session, profile)) != 0) {
        return true;
    }
    mcpw_policy_state state = receiving(session, profile);
    mcpw_policy_message message; /* set member by member: clearing all of it costs more than the rest */
    message.from = peer_of(session);
    message.kind = m->kind;
    message.revision = profile->revision;
    message.method = m->method;
    message.name = m->method_name;
    message.version = no_str;
    message.named = NULL;
    message.params = no_json;
    message.type = m->type;
    message.value = m->value;
    message.batched = batched;
    message.inside = false;
    message.cancels = 0;
    message.cancels_task = false;
    if (mcpw_is_server(session)) {
        state.client = client;
    }
    return mcpw_policy_admits(&state, &message, out);
}

/* What a peer has declared. Of one that has said nothing it is unknown, which counts as nothing here. */
static mcpw_declared said(mcpw_declared declared) {
    static const mcpw_json nothing = {"{}", sizeof "{}" - 1, 0};
    declared.text = declared.text.ptr != NULL ? declared.text : nothing;
    return declared;
}

/* What the server of a session has declared. */
static mcpw_declared of_server(const mcpw_session *session) {
    static const mcpw_declared unasked = {{NULL, 0, 0}, NULL}; /* who serves a method serves it */
    return mcpw_is_server(session) ? unasked : mcpw_peer_declared(session);
}

bool mcpw_judge_extension(const mcpw_session *session, const mcpw_profile *profile, const mcpw_message *m,
                          mcpw_declared client, mcpw_verdict *out) {
    const mcpw_policy_state state = {.client = said(client), .server = of_server(session)};
    const mcpw_role from = m->kind == MCPW_MESSAGE_REQUEST ? MCPW_ROLE_CLIENT : MCPW_ROLE_SERVER;
    mcpw_policy_message message = message_of(from, profile, m->kind, m->method);
    message.type = m->type;
    message.value = m->value;
    message.params = m->raw;
    return mcpw_policy_breaks(MCPW_RULE_EXTENSION, &state, &message, out);
}

bool mcpw_judge_input_request(const mcpw_session *session, const mcpw_profile *profile, int method) {
    const mcpw_policy_state state = {.phase = MCPW_PHASE_NONE};
    mcpw_policy_message message = message_of(peer_of(session), profile, MCPW_MESSAGE_REQUEST, method);
    mcpw_verdict verdict;
    message.inside = true;
    return mcpw_policy_admits(&state, &message, &verdict);
}

bool mcpw_judge_method(const mcpw_session *session, const mcpw_profile *profile, mcpw_message_kind kind,
                       int method, mcpw_str name) {
    const mcpw_policy_state state = receiving(session, profile);
    mcpw_policy_message message = message_of(peer_of(session), profile, kind, method);
    mcpw_verdict verdict;
    message.name = name;
    return !mcpw_policy_breaks(MCPW_RULE_METHOD_UNKNOWN, &state, &message, &verdict) &&
           !mcpw_policy_breaks(MCPW_RULE_METHOD_REVISION, &state, &message, &verdict) &&
           !mcpw_policy_breaks(MCPW_RULE_DIRECTION, &state, &message, &verdict);
}

bool mcpw_judge_version(const mcpw_profile *newest, mcpw_str method, mcpw_str version,
                        const mcpw_profile *named, mcpw_verdict *out) {
    const mcpw_policy_state state = {.phase = MCPW_PHASE_NONE};
    mcpw_policy_message message = message_of(MCPW_ROLE_CLIENT, newest, MCPW_MESSAGE_REQUEST, 0);
    message.name = method;
    message.version = version;
    message.named = named != NULL ? named->revision : NULL;
    return (!mcpw_policy_breaks(MCPW_RULE_VERSION_UNKNOWN, &state, &message, out) &&
            !mcpw_policy_breaks(MCPW_RULE_VERSION_ERA, &state, &message, out)) ||
           out->reaction == MCPW_REACTION_TAKE;
}

bool mcpw_judge_cancelled(const mcpw_session *session, const mcpw_profile *profile, int method) {
    const mcpw_policy_state state = receiving(session, profile);
    mcpw_policy_message message =
        message_of(peer_of(session), profile, MCPW_MESSAGE_NOTIFICATION, profile->number[MCPW_OWN_CANCELLED]);
    mcpw_verdict verdict;
    message.cancels = method;
    return !mcpw_policy_breaks(MCPW_RULE_CANCELLED_INITIALIZE, &state, &message, &verdict);
}

bool mcpw_judge_cancelling(const mcpw_session *session, const mcpw_profile *profile, int method, bool task) {
    const mcpw_policy_state state = {.phase = phase_of(session, profile)};
    mcpw_policy_message message = message_of(session->config->role, profile, MCPW_MESSAGE_NOTIFICATION,
                                             profile->number[MCPW_OWN_CANCELLED]);
    mcpw_verdict verdict;
    message.cancels = method;
    message.cancels_task = task;
    return !mcpw_policy_breaks(MCPW_RULE_CANCELLED_INITIALIZE, &state, &message, &verdict) &&
           !mcpw_policy_breaks(MCPW_RULE_CANCELLED_TASK, &state, &message, &verdict);
}

bool mcpw_judge_batch(const mcpw_session *session, const mcpw_profile *profile) {
    const mcpw_policy_state state = receiving(session, profile);
    const mcpw_policy_message message = message_of(peer_of(session), profile, MCPW_MESSAGE_BATCH, 0);
    mcpw_verdict verdict;
    return !mcpw_policy_breaks(MCPW_RULE_BATCH, &state, &message, &verdict);
}

bool mcpw_judge_answering(const mcpw_session *session) {
    const mcpw_policy_state state = receiving(session, session->profile);
    const mcpw_policy_message message =
        message_of(session->config->role, session->profile, MCPW_MESSAGE_ERROR, 0);
    mcpw_verdict verdict;
    return !mcpw_policy_breaks(MCPW_RULE_DIRECTION, &state, &message, &verdict);
}

static bool is_ours(const mcpw_session *session, const mcpw_profile *profile, mcpw_message_kind kind,
                    int method, bool inside) {
    const mcpw_policy_state state = {.phase = phase_of(session, profile)};
    mcpw_policy_message message = message_of(session->config->role, profile, kind, method);
    mcpw_verdict verdict;
    message.inside = inside;
    return !mcpw_policy_breaks(MCPW_RULE_DIRECTION, &state, &message, &verdict);
}

bool mcpw_judge_sent(const mcpw_session *session, const mcpw_profile *profile, mcpw_message_kind kind,
                     int method) {
    return is_ours(session, profile, kind, method, false);
}

bool mcpw_judge_asked(const mcpw_session *session, const mcpw_profile *profile, int method) {
    return is_ours(session, profile, MCPW_MESSAGE_REQUEST, method, true);
}

static const char *lacking(const mcpw_policy_state *state, const mcpw_policy_message *message) {
    mcpw_verdict verdict;
    return mcpw_policy_breaks(MCPW_RULE_CAPABILITY, state, message, &verdict) ? verdict.capability : NULL;
}

const char *mcpw_judge_needs(const mcpw_session *session, const mcpw_profile *profile, int method,
                             const void *params, mcpw_declared declared) {
    mcpw_policy_state state = {.phase = phase_of(session, profile)};
    mcpw_policy_message message = message_of(session->config->role, profile, MCPW_MESSAGE_REQUEST, method);
    *(mcpw_is_server(session) ? &state.client : &state.server) = said(declared);
    message.type = mcpw_method_params(mcpw_method_entry(profile->revision, method));
    message.value = params;
    return lacking(&state, &message);
}

const char *mcpw_judge_lacks(const mcpw_session *session, const mcpw_profile *profile, int method,
                             mcpw_json declared) {
    const mcpw_declared own = {declared, NULL};
    mcpw_policy_state state = {.phase = phase_of(session, profile)};
    const mcpw_policy_message message =
        message_of(session->config->role, profile, MCPW_MESSAGE_NOTIFICATION, method);
    *(mcpw_is_server(session) ? &state.server : &state.client) = said(own);
    return lacking(&state, &message);
}
